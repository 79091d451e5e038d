"""The status row: game, round, whether chips add up, card sources as words, last saved entry, clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.console.rows import Part, Rows, cut, ends, row
from assistant.console.view import Lamp, View
from assistant.console.widgets.lines import Lines
from assistant.i18n import _

if TYPE_CHECKING:
    from textual.content import Content

    from assistant.table.snapshot import TableSnapshot


class Status(Lines):
    """One row; what matters most stands at the ends, so a narrow window cuts the middle."""

    def paint(self, view: View, width: int, height: int) -> Rows:
        """Paint the row."""
        snapshot = view.snapshot
        if snapshot is None:
            return [ends(row(" TABLESIDE"), row((f"{view.clock} ", "$quiet")), width)]
        left: list[Part] = [(f" {snapshot.game_label or _('no game')}", "bold")]
        if snapshot.round_number:
            left.append(_("  round {number}").format(number=snapshot.round_number))
        if not any(lamp.name == _("night") for lamp in view.lamps):  # of a damaged night nobody can say
            left += _sum(snapshot)
        for lamp in view.lamps:
            left += _lamp(lamp, width)
        if width >= 110:
            left.append((f"   {snapshot.night}", "$quiet"))
        return [ends(row(*left), _tail(snapshot, view.clock, width - row(*left).cell_length), width)]


def _tail(snapshot: TableSnapshot, clock: str, room: int) -> Content:
    """The last entry and the head of the night, as on every slip; with fewer digits where room is short."""
    number, head = snapshot.entries, snapshot.head
    forms = (
        _("  saved #{number}").format(number=number) + f" {head}",
        f"  #{number} {head}",
        _("  saved #{number}").format(number=number) + f" {head[:4]}",
    )
    tails = [row((form.rstrip(), "$quiet"), f"  {clock} ") for form in forms]
    return next((tail for tail in tails if tail.cell_length <= room), tails[-1])


def _sum(snapshot: TableSnapshot) -> list[Part]:
    if snapshot.conserved:
        return [("  " + _("sum ok"), "$success")]
    return [("  " + _("SUM IS WRONG"), "bold reverse $error")]


def _lamp(lamp: Lamp, width: int) -> list[Part]:
    name = cut(lamp.name, 26 if width >= 110 else 12)
    if lamp.is_lost:
        return ["  ", (f"{name} {lamp.state}", "bold reverse $error")]
    return [f"  {name} ", (lamp.state, "$success" if lamp.state == "ok" else "$quiet")]
