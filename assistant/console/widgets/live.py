"""What the camera sees, in half blocks: two pixels a cell, only rows that changed are painted again.

Half blocks work in every terminal that has colours. Sixel and kitty pictures are left out on purpose: whether
a terminal has them can only be found out by asking it before Textual starts, which may swallow a key that was
typed meanwhile and costs up to a second where nothing answers; and under tmux, where a dealer's console is
safest, they are off or slow (CONSOLE.md 3).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip

from assistant.console.rows import Rows, clean
from assistant.console.view import View
from assistant.console.widgets.lines import Lines

if TYPE_CHECKING:
    from calibration.frames import Image
    from calibration.preview import Preview

UPPER_HALF = "▀"
SHADES = " .:-=+*#%@"
"""For terminals without colours, from dark to light."""
COARSE = 0xF0
"""Four bits a channel: fewer colours, longer runs, a third of the bytes."""
MOST_STYLES = 20000


class LiveView(Lines):
    """Paints a `Preview`; nothing before it was given one."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._strips: list[Strip] = []
        self._prints: list[bytes] = []
        self._styles: dict[int, Style] = {}

    def paint(self, view: View, width: int, height: int) -> Rows:
        """Nothing of the view: pictures come by `show_preview`."""
        return []

    def show(self, view: View) -> None:
        """Nothing of the view."""

    def on_resize(self) -> None:
        """Paint anew with the next picture."""
        self.clear()

    def clear(self) -> None:
        """Show nothing."""
        self._strips, self._prints = [], []
        self.refresh()

    def say(self, text: str) -> None:
        """Show a sentence in place of the picture."""
        self._strips = [Strip.blank(1), Strip([Segment("  " + clean(text))])]
        self._prints = []
        self.refresh()

    def show_preview(self, preview: Preview) -> None:
        """Paint the rows that differ from those on the screen."""
        pixels = preview.pixels & COARSE
        labels = {row: [one for one in preview.labels if one[0] == row] for row, *_rest in preview.labels}
        left = max(0, (self.size.width - pixels.shape[1]) // 2)
        strips, prints, changed = [], [], []
        for y in range(pixels.shape[0] // 2):
            words = labels.get(y, [])
            mark = pixels[2 * y : 2 * y + 2].tobytes() + repr(words).encode() + bytes(str(left), "ascii")
            prints.append(mark)
            if y < len(self._prints) and self._prints[y] == mark:
                strips.append(self._strips[y])
                continue
            strips.append(self._strip(pixels[2 * y], pixels[2 * y + 1], words, left))
            changed.append(y)
        was = len(self._strips)
        self._strips, self._prints = strips, prints
        gone = range(len(strips), was)
        if changed or gone:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in (*changed, *gone)))

    def text(self) -> list[str]:
        """The rows as plain text."""
        return [strip.text for strip in self._strips]

    def render_line(self, y: int) -> Strip:
        """Draw one row."""
        if y >= len(self._strips):
            return Strip.blank(self.size.width, self.rich_style)
        return self._strips[y].adjust_cell_length(self.size.width, self.rich_style)

    def _strip(self, upper: Image, lower: Image, words: list[tuple[int, int, str, bool]], left: int) -> Strip:
        strip = Strip([Segment(" " * left), *self._runs(upper, lower)])
        for _row, column, text, is_sure in words:
            label = Segment(f" {text} ", Style(color="black", bgcolor="green" if is_sure else "yellow"))
            start = left + column
            end = start + label.cell_length
            strip = Strip.join(
                [strip.crop(0, start), Strip([label]), strip.crop(end, max(end, strip.cell_length))]
            )
        return strip

    def _runs(self, upper: Image, lower: Image) -> list[Segment]:
        """One segment for neighbours of one colour."""
        import numpy as np

        if self.app.no_color:
            levels = (upper.mean(axis=1) + lower.mean(axis=1)) / 2 / 256 * len(SHADES)
            return [Segment("".join(SHADES[int(level)] for level in levels))]
        both = np.concatenate([upper, lower], axis=1).astype(np.int64)
        keys = both @ (1 << np.arange(40, -8, -8, dtype=np.int64))
        starts = np.concatenate([[0], np.flatnonzero(np.diff(keys)) + 1, [len(keys)]])
        return [
            Segment(UPPER_HALF * int(end - start), self._style(int(keys[start])))
            for start, end in pairwise(starts)
        ]

    def _style(self, key: int) -> Style:
        found = self._styles.get(key)
        if found is None:
            if len(self._styles) > MOST_STYLES:
                self._styles.clear()
            b, g, r, b2, g2, r2 = key.to_bytes(6, "big")
            found = Style(color=f"#{r:02x}{g:02x}{b:02x}", bgcolor=f"#{r2:02x}{g2:02x}{b2:02x}")
            self._styles[key] = found
        return found
