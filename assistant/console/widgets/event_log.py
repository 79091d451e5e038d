"""The tail of the log: accepted lines with what came of them; a line taken back stays, struck through."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from assistant.console.rows import EMPTY, Part, Rows, cells, cut, row
from assistant.console.view import View
from assistant.console.widgets.lines import Lines
from assistant.i18n import _, pgettext
from assistant.table.later import LATER

if TYPE_CHECKING:
    from assistant.table.snapshot import LogLine

TYPED = "typed"
SHORTEST = 20
"""Columns that a line keeps of its own words."""


class EventLog(Lines):
    """The last lines, the newest at the bottom; pages back with Page Up."""

    back = 0

    def looks_at(self, view: View) -> tuple[object, ...]:
        """What the rows are made of."""
        return (view.snapshot, self.back)

    def paint(self, view: View, width: int, height: int) -> Rows:
        """Paint as many lines as fit."""
        if view.snapshot is None:
            return [EMPTY] * height
        lines = view.snapshot.log
        self.back = max(0, min(self.back, len(lines) - height))
        end = len(lines) - self.back
        shown = lines[max(0, end - height) : end]
        return [EMPTY] * (height - len(shown)) + [_line(line, width) for line in shown]


def _line(line: LogLine, width: int) -> Content:
    undone = line.state == "undone"
    lead = f" {line.time[:5]} #{line.number:<4}"
    told = f"  → {' · '.join(line.told)}" if line.told and not undone else ""
    source = ""
    if line.origin != TYPED:
        # a card source has the name it was opened by; a line that had waited for the round's end has none
        origin = pgettext("origin of a line", "later") if line.origin == LATER else line.origin
        source = f"  ({cut(origin, 18)})"
    # what the dealer was to do has its figure at the end: the line gives way, its verb says enough
    room = width - cells(lead) - cells(told) - cells(source)
    text = line.text if told == "" else cut(line.text, max(SHORTEST, room))
    if undone:
        parts: list[Part] = [(f"~ {text} ~", "strike $quiet"), (f"  {_('undone')}", "$quiet")]
    else:
        parts = [text, (told, "$secondary")]
    return row((lead, "$quiet"), *parts, (source, "$quiet"))
