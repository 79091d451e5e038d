"""The key strip: what works at this moment, the most needed first, as much as fits."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.console.rows import EMPTY, Part, Rows, cells, row
from assistant.console.view import Strip, View
from assistant.console.widgets.lines import Lines


class KeyStrip(Lines):
    """One row or two; an entry that does not fit is left out whole."""

    def height_for(self, view: View, width: int) -> int:
        """Rows that all entries need."""
        return len(_lines(view.strip, width))

    def paint(self, view: View, width: int, height: int) -> Rows:
        """Paint the entries."""
        rows = _lines(view.strip, width)
        return [*rows, *[EMPTY] * (height - len(rows))][:height]


def _lines(strip: Sequence[Strip], width: int) -> Rows:
    rows: Rows = []
    parts: list[Part] = []
    used = 1
    for entry in strip:
        room = cells(entry.key) + cells(entry.label) + 3
        if used + room > width:
            rows.append(row(" ", *parts))
            parts, used = [], 1
        parts += [(f"{entry.key}", "bold reverse"), f" {entry.label}  "]
        used += room
    return [*rows, row(" ", *parts)]
