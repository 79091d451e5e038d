"""The key strip: what works at this moment, the most needed first, as much as fits."""

from __future__ import annotations

from assistant.console.rows import EMPTY, Part, Rows, cells, row
from assistant.console.view import View
from assistant.console.widgets.lines import Lines


class KeyStrip(Lines):
    """One row, or two on a tall screen; an entry that does not fit is left out whole."""

    def paint(self, view: View, width: int, height: int) -> Rows:
        """Paint the entries."""
        rows: Rows = []
        parts: list[Part] = []
        used = 1
        for entry in view.strip:
            room = cells(entry.key) + cells(entry.label) + 3
            if used + room > width:
                rows.append(row(" ", *parts))
                parts, used = [], 1
                if len(rows) == height:
                    return rows
            parts += [(f"{entry.key}", "bold reverse"), f" {entry.label}  "]
            used += room
        rows.append(row(" ", *parts))
        return [*rows, *[EMPTY] * (height - len(rows))][:height]
