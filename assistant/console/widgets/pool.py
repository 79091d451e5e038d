"""The money that belongs to nobody yet (pool, pot, house) and the shoe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.console.rows import EMPTY, Part, Rows, ends, row
from assistant.console.view import View
from assistant.console.widgets.lines import Lines
from assistant.i18n import _
from assistant.money import format_amount

if TYPE_CHECKING:
    from assistant.table.snapshot import TableSnapshot

GAUGE = 12


class Pool(Lines):
    """One row: pool or house at the left, the shoe and how much of it is left at the right."""

    def looks_at(self, view: View) -> tuple[object, ...]:
        """What the rows are made of."""
        return (view.snapshot,)

    def paint(self, view: View, width: int, height: int) -> Rows:
        """Paint the row."""
        snapshot = view.snapshot
        if snapshot is None or snapshot.game is None:
            return [EMPTY] * height
        return [ends(row(*_money(snapshot)), row(*_shoe(snapshot)), width)]


def _money(snapshot: TableSnapshot) -> list[Part]:
    parts: list[Part] = []
    if snapshot.pool_label:
        amount = format_amount(snapshot.pool, snapshot.currency)
        parts += [(f"  {snapshot.pool_label.upper()} ", "bold"), (f" {amount} ", "bold reverse $turn")]
    elif snapshot.layout:
        amount = format_amount(snapshot.house_gain, snapshot.currency, sign=True)
        who = f" {snapshot.banker}" if snapshot.banker else ""
        parts += [(f"  {_('HOUSE')}{who} ", "bold"), (f" {amount} ", "bold")]
        if snapshot.house_float:
            put_up = format_amount(snapshot.house_float, snapshot.currency)
            parts.append((_("   float {amount}").format(amount=put_up), ""))
    on_layout = sum(seat.bet for seat in snapshot.seats)
    if on_layout:
        parts.append(
            (_("   on the layout {amount}").format(amount=format_amount(on_layout, snapshot.currency)), "")
        )
    if snapshot.currency.code:
        parts.append((f"   {snapshot.currency.code}", "$quiet"))
    return parts


def _shoe(snapshot: TableSnapshot) -> list[Part]:
    """Cards left in numbers and as a gauge; the word comes first when a shuffle is due."""
    total = 52 * max(1, snapshot.decks)
    full = round(GAUGE * snapshot.cards_left / total)
    gauge = "█" * full + "░" * (GAUGE - full)
    decks = _("shoe of {decks}").format(decks=snapshot.decks) if snapshot.decks > 1 else _("deck")
    parts: list[Part] = [
        (_("{decks}, {count} left").format(decks=decks, count=snapshot.cards_left) + " ", ""),
        (gauge, "$quiet"),
        " ",
    ]
    return [(_("SHUFFLE "), "bold $warning"), *parts] if snapshot.shuffle_due else parts
