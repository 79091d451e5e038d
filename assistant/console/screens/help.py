"""Help: the keys of this moment first, then the manual page of the screen it was called from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual import events
from textual.content import Content

from assistant.console.actions import KEYS, Act, is_legal, key_label
from assistant.console.rows import EMPTY, Rows, fit, row, wrap
from assistant.console.screens.base import ConsoleScreen
from assistant.console.view import PanelView, View
from assistant.console.widgets.lines import Lines
from assistant.console.widgets.panel import Body
from assistant.i18n import _, language

if TYPE_CHECKING:
    from assistant.table.snapshot import TableSnapshot

PAGES = Path(__file__).resolve().parents[2] / "help"
KEY_WIDTH = 14


class HelpScreen(ConsoleScreen):
    """A page to read; nothing can be booked here.

    Args:
        page: The screen it was called from; its manual page is shown.
    """

    page = "help"

    def __init__(self, about: str) -> None:
        super().__init__()
        self.about = about
        self.top = 0

    def body(self) -> tuple[Lines, ...]:
        """The page."""
        return (Body(id="body"),)

    def view(self) -> View:
        """The page from the line it is scrolled to."""
        app = self.console_app
        snapshot = app.state.snapshot

        def rows(width: int, height: int) -> Rows:
            lines = self._lines(snapshot, width)
            self.top = max(0, min(self.top, len(lines) - height))
            return lines[self.top : self.top + height]

        return View(
            snapshot,
            snapshot.duty if snapshot is not None else app.opening_text,
            prompt=_("help"),
            hint=_("↑ ↓ Page Up, Page Down   Esc back"),
            lamps=app.lamps(),
            clock=app.clock_text,
            strip=self.strip(Act.TABLE, Act.SEATS, Act.GAME, Act.CLOSE, Act.QUIT),
            panel=PanelView("", rows),
        )

    def _lines(self, snapshot: TableSnapshot | None, width: int) -> Rows:
        return [
            *_keys(snapshot, self.console_app.state.selected, width),
            EMPTY,
            *page_rows(self.about, width),
        ]

    async def enter(self) -> None:
        """Back to where it was called."""
        self.app.pop_screen()

    def escape(self) -> None:
        """Back to where it was called."""
        self.app.pop_screen()

    async def command(self, key: str, character: str | None) -> bool:
        """Scroll, or go to a screen."""
        steps = {
            "up": -1,
            "down": 1,
            "pageup": -10,
            "pagedown": 10,
            "space": 10,
            "home": -(10**6),
            "end": 10**6,
        }
        if key in steps:
            self.top = max(0, self.top + steps[key])
            return True
        await super().command(key, None if character and character != "?" else character)
        return True

    def paste(self, event: events.Paste) -> None:
        """There is nothing to paste into."""


def _keys(snapshot: TableSnapshot | None, selected: str | None, width: int) -> Rows:
    """What works now, then the rest of the keys."""
    now: Rows = []
    later: Rows = []
    for key in KEYS:
        works = snapshot is not None and is_legal(snapshot, key.act, selected)
        names = key_label(key) + (f" {key.twins[0]}" if key.twins else "")
        extra = next((name for name in key.keys[1:] if len(name) > 1 and name[0] == "f"), "")
        names += f" {extra.upper()}" if extra else ""
        first, *rest = wrap(_(key.help), max(10, width - KEY_WIDTH - 4)) or [""]
        lines = [
            row("  ", (fit(names, KEY_WIDTH), "bold"), first),
            *(row(" " * (KEY_WIDTH + 2), line) for line in rest),
        ]
        (now if works else later).extend(lines)
    return [
        row((" " + _("KEYS NOW"), "bold $accent")),
        *now,
        row((" " + _("AT OTHER MOMENTS"), "bold $accent")),
        *later,
    ]


def page_rows(about: str, width: int) -> Rows:
    """The manual page of a screen as rows: headings, lists and paragraphs of plain Markdown."""
    path = next((path for path in _paths(about) if path.is_file()), None)
    if path is None:
        return [row(_("There is no manual page for this screen."))]
    rows: Rows = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        rows += [*_block(block.strip(), width), EMPTY]
    return rows


def _paths(about: str) -> tuple[Path, ...]:
    return (PAGES / language() / f"{about}.md", PAGES / f"{about}.md")


def _block(text: str, width: int) -> Rows:
    room = max(10, width - 4)
    if text.startswith("#"):
        return [row((" " + text.lstrip("# ").upper(), "bold $accent"))]
    if text.startswith("|"):
        return _table(text, room)
    if text.startswith(("- ", "    ")):
        return [line for item in text.split("\n") for line in _item(item, room)]
    return [row("  ", line) for line in wrap(_plain(text), room)]


def _plain(text: str) -> str:
    """Text without the marks of code and of what is important."""
    return text.replace("`", "").replace("**", "").replace("*untried*", "untried")


def _table(text: str, room: int) -> Rows:
    """A table as entries: a window is too narrow for columns, and nothing of it may be cut off."""
    head, _line, *lines = [
        [_plain(cell.strip()) for cell in line.strip().strip("|").split("|")] for line in text.split("\n")
    ]
    found: Rows = []
    for first, *cells in lines:
        found += [row("  ", (line, "bold")) for line in wrap(first, room)]
        named = zip(head[1:], cells, strict=False)
        if len(cells) > 2:  # with many columns a value alone says nothing
            told = "; ".join(f"{name}: {cell}" if name else cell for name, cell in named if cell)
        else:
            told = ". ".join(cell[:1].upper() + cell[1:] for _name, cell in named if cell)
        found += [row("    ", line) for line in wrap(told, room - 2)] if told else []
    return found


def _item(text: str, room: int) -> list[Content]:
    if text.startswith("- "):
        first, *rest = wrap(_plain(text[2:]), room - 2) or [""]
        return [row("  • ", first), *(row("    ", line) for line in rest)]
    return [row("  ", (text.replace("`", ""), "$primary"))]
