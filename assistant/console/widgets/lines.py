"""A widget made of rows: only rows that changed are painted again, and nothing is laid out for a change."""

from __future__ import annotations

from rich.segment import Segment
from textual.content import Content
from textual.geometry import Region
from textual.markup import parse_style
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

from assistant.console.rows import EMPTY, Rows
from assistant.console.view import View

# Parsed style names by theme: a cache of a pure function, not state.
_STYLES: dict[tuple[str, str], Style] = {}
MOST_STYLES = 4000


class Lines(Widget):
    """Paints a `View` as rows of its own width; a subclass says how in `paint`."""

    DEFAULT_CSS = "Lines { height: 1; width: 100%; }"
    can_focus = False

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._rows: Rows = []
        self._view: View | None = None
        self._painted: tuple[object, ...] = ()

    def paint(self, view: View, width: int, height: int) -> Rows:
        """Return the rows for a view at a size."""
        raise NotImplementedError

    def height_for(self, view: View, width: int) -> int:
        """Rows wanted at a width; only asked where a screen arranges by it."""
        return 1

    def looks_at(self, view: View) -> tuple[object, ...]:
        """The parts of a view the rows are made of; while these are the same objects, nothing is painted."""
        return (view,)

    def show(self, view: View) -> None:
        """Paint a view; rows that are as before are left alone."""
        self._view = view
        width, height = self.size
        if width <= 0 or height <= 0 or self._is_painted(view):
            return
        self._replace(self.paint(view, width, height)[:height], width)

    def on_resize(self) -> None:
        """Paint for the new size."""
        if self._view is not None:
            width, height = self.size
            self._rows = self.paint(self._view, width, height)[:height] if width > 0 and height > 0 else []
            self.refresh()

    def _is_painted(self, view: View) -> bool:
        """Whether the rows were painted at this very size from these very parts; remembers them."""
        before, self._painted = self._painted, (self.size, self.app.theme, *self.looks_at(view))
        if len(before) != len(self._painted):
            return False
        pairs = zip(before, self._painted, strict=True)
        return all(old is new or (isinstance(new, str | tuple | int) and old == new) for old, new in pairs)

    def _replace(self, rows: Rows, width: int) -> None:
        before = self._rows
        self._rows = rows
        changed = [
            y
            for y in range(max(len(rows), len(before)))
            if y >= len(rows) or y >= len(before) or not rows[y].is_same(before[y])
        ]
        if changed:
            self.refresh(*(Region(0, y, width, 1) for y in changed))

    def text(self) -> list[str]:
        """The rows as plain text, for tests and for a screen reader."""
        return [content.plain for content in self._rows]

    def render_line(self, y: int) -> Strip:
        """Draw one row, cut to the width and filled up with blanks."""
        width = self.size.width
        if width <= 0:
            return Strip.blank(0)
        base = self.visual_style
        content: Content = self._rows[y] if y < len(self._rows) else EMPTY
        content = content.truncate(width, ellipsis=True, pad=True)
        parts = content.render(base, end="", parse_style=self._style_of)
        return Strip([Segment(text, (base + style).rich_style) for text, style in parts], width)

    def _style_of(self, style: str | Style) -> Style:
        """Read a style name once a theme; reading it costs more than drawing the row."""
        if isinstance(style, Style):
            return style
        key = (self.app.theme, style)
        if key not in _STYLES:
            if len(_STYLES) > MOST_STYLES:  # pictures of cards bring ever new colours
                _STYLES.clear()
            _STYLES[key] = parse_style(style)
        return _STYLES[key]
