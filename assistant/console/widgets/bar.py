"""The action bar: what the dealer does now; under it a refusal or notice, and what to pay and collect."""

from __future__ import annotations

from assistant.console.rows import EMPTY, Rows, cells, ends, row, wrap, wrap_items
from assistant.console.view import SIGNS, STOP, View
from assistant.console.widgets.lines import Lines
from assistant.i18n import _

LOW, TALL = 3, 4
INDENT = 3


class ActionBar(Lines):
    """The duty with its sign (▶ !), the verb first; its colour only repeats what the sign says."""

    def height_for(self, view: View, width: int) -> int:
        """Rows needed so that nothing told is cut off."""
        return max(LOW, 1 + len(_below(view, width)))

    def looks_at(self, view: View) -> tuple[object, ...]:
        """What the rows are made of."""
        return (view.snapshot, view.said, view.panel, view.usual, view.duty)

    def paint(self, view: View, width: int, height: int) -> Rows:
        """Paint duty, message and told."""
        self.set_class(view.kind == STOP, "-stop")
        below = _below(view, width)
        lead = EMPTY if height > len(below) + 1 else None
        duty = view.panel.title if view.panel is not None and view.panel.title else view.duty
        tail = row((f" [⏎ {view.usual}] ", "$bar-ink")) if view.usual else EMPTY
        sign = SIGNS[view.kind]
        head = ends(row((f" {sign} ", "bold $bar-ink"), (duty, "bold $bar-ink")), tail, width)
        return [*([lead] if lead is not None else []), head, *below]


def _below(view: View, width: int) -> Rows:
    rows: Rows = []
    room = max(1, width - INDENT - 1)
    if view.said is not None:
        style = "bold $bar-ink" if view.said.stops else "$bar-ink"
        mark = "! " if view.said.stops and view.kind != STOP else ""
        rows += [row(" " * INDENT, (line, style)) for line in wrap(mark + view.said.text, room)]
    if view.told:
        rows += [row(" " * INDENT, (line, "$bar-ink")) for line in wrap_items(view.told, room)]
    waiting = view.snapshot.later if view.snapshot is not None else ()
    if waiting:
        text = _("after this round: {lines}").format(lines="  ·  ".join(waiting))
        rows += [row(" " * INDENT, (line, "$bar-ink")) for line in wrap(text, room)]
    return rows


class Say(Lines):
    """What to announce aloud."""

    def looks_at(self, view: View) -> tuple[object, ...]:
        """What the rows are made of."""
        return (view.snapshot,)

    def paint(self, view: View, width: int, height: int) -> Rows:
        """Paint the sentence in quotes."""
        snapshot = view.snapshot
        if snapshot is None or not snapshot.say:
            return [EMPTY] * height
        head = _("Say:")
        lines = wrap(f"“{snapshot.say}”", max(1, width - cells(head) - 3))[:height]
        first = row(("  " + head + " ", "$quiet"), (lines[0], "italic"))
        rest = [row(" " * (cells(head) + 3), (line, "italic")) for line in lines[1:]]
        return [first, *rest]

    def height_for(self, view: View, width: int) -> int:
        """One row, two for a long sentence."""
        if view.snapshot is None or not view.snapshot.say:
            return 1
        return min(2, len(wrap(f"“{view.snapshot.say}”", max(1, width - cells(_("Say:")) - 3))))
