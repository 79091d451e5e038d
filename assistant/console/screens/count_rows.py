"""The rows of a count: blind while it goes on, then what was found beside what the ledger says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from assistant.console.rows import EMPTY, Rows, cells, fit, right, row, window, wrap
from assistant.holdings import HOUSE, POOL
from assistant.i18n import _
from assistant.ledger.accounts import RACK
from assistant.ledger.chipset import write_chips
from assistant.ledger.nodes import BOX
from assistant.money import CHIPS, Amount, Currency, format_amount
from assistant.talk import quote

if TYPE_CHECKING:
    from assistant.table.snapshot import TableSnapshot


COLUMN = 11
SAYS_WIDTH = 2 * COLUMN - 2


@dataclass(frozen=True, slots=True)
class CountPlace:
    """Something to count: a stack, the pool, a bank with a float, the box or the rack.

    Attributes:
        word: What ``count`` takes.
        label: What the row is called.
        net: Of a player; None for a place.
        currency: What it is counted in: chips, in the box money.
        confirmed_by: Who confirmed the count; empty while nobody did.
        waits: Whether it is counted and has to be confirmed yet.
        is_accepted: Whether it was counted, and what was found accepted; nothing has moved since.
    """

    word: str
    label: str
    ledger: Amount
    counted: Amount | None
    net: Amount | None = None
    currency: Currency = CHIPS
    confirmed_by: str = ""
    waits: bool = False
    is_accepted: bool = False

    @property
    def difference(self) -> Amount:
        """Counted less ledger."""
        return 0 if self.counted is None else self.counted - self.ledger


def places(snapshot: TableSnapshot) -> tuple[CountPlace, ...]:
    """Everything that is counted at the end, in the order in which it is."""
    return tuple(_places(snapshot))


def _places(snapshot: TableSnapshot) -> Iterator[CountPlace]:
    money, count, chips = snapshot.money, snapshot.money.count, snapshot.currency
    confirmed = count.confirmed_by if count is not None else {}
    waiting = count.waiting if count is not None else ()

    def place(
        word: str, who: str, label: str, ledger: Amount, counted: Amount | None, net: Amount | None = None
    ) -> CountPlace:
        currency = snapshot.money_currency if who == BOX else chips
        return CountPlace(
            word,
            label,
            ledger,
            counted,
            net,
            currency,
            confirmed.get(who, ""),
            waits=who in waiting,
            is_accepted=counted is None and who in money.accepted_places,
        )

    for seat in snapshot.seats:
        yield place(quote(seat.name), seat.player, seat.name, seat.stack, seat.counted, seat.net)
    rows = {one.player: one.counted for one in count.rows} if count is not None else {}
    if snapshot.pool:
        yield place(POOL, POOL, snapshot.pool_label or _("pool"), snapshot.pool, rows.get(POOL))
    if money.bank is not None:
        label = f"{_('house')} ({snapshot.banker})" if snapshot.banker else _("house")
        yield place(HOUSE, HOUSE, label, money.bank, rows.get(HOUSE))
    if money.has_cash:
        cash = [f"{cash}={format_amount(value, snapshot.money_currency)}" for cash, value in money.foreign]
        label = _("cash box") + (f" ({', '.join(cash)})" if cash else "")
        yield place(BOX, BOX, label, money.box, _counted(money.box, count.box if count else None))
    if money.chipset:
        counted = _counted(money.rack_worth, count.rack if count else None)
        yield place(RACK, RACK, _("rack"), money.rack_worth, counted)


def _counted(ledger: Amount, difference: Amount | None) -> Amount | None:
    return None if difference is None else ledger + difference


def next_to_confirm(found: Sequence[CountPlace], chosen: int) -> int | None:
    """The row whose count a neighbour confirms next: the chosen one, else the last above it that waits."""
    order = [*range(chosen, -1, -1), *range(chosen + 1, len(found))]
    return next((place for place in order if place < len(found) and found[place].waits), None)


def is_blind(snapshot: TableSnapshot, shows: bool) -> bool:
    """Whether what should be there is hidden: until every stack is counted, or the dealer asks for it."""
    count = snapshot.money.count
    return not shows and not (count is not None and count.is_complete)


def count_rows(snapshot: TableSnapshot, chosen: int, shows: bool, width: int, height: int) -> Rows:
    """The count; below it, once it is complete, what a difference may come from."""
    blind = is_blind(snapshot, shows)
    name_width = min(34, width - 52)
    heads = ("", _("counted"), "", "") if blind else (_("ledger"), _("counted"), _("difference"), _("net"))
    head = fit("", 7) + fit(_("player"), name_width) + "".join(right(one, COLUMN) for one in heads)
    found = places(snapshot)
    to_confirm = next_to_confirm(found, chosen)
    below = _below(snapshot, blind, width)
    room = max(1, height - 3 - min(len(below), max(0, height - 3 - len(found))))
    lines = window(
        found,
        chosen,
        room,
        lambda place, one: _row(
            one, place, place == chosen, blind, name_width, snapshot, is_next=place == to_confirm
        ),
    )
    return [EMPTY, row((head, "$quiet")), *lines, EMPTY, *below][:height]


def _row(
    one: CountPlace,
    place: int,
    is_chosen: bool,
    blind: bool,
    name_width: int,
    snapshot: TableSnapshot,
    *,
    is_next: bool,
) -> Content:
    """One row; where counts have to be confirmed, the Y stands in the row in which the key works."""
    money = one.currency
    counted = format_amount(one.counted, money) if one.counted is not None else "-"
    if one.is_accepted:
        counted = _("accepted")
    if one.confirmed_by:
        counted = f"✓ {counted}"
    difference = f"{format_amount(one.difference, money, sign=True)} !" if one.difference else ""
    net = format_amount(one.net, money, sign=True) if one.net is not None else ""
    figures = ("", counted, "", "") if blind else (format_amount(one.ledger, money), counted, difference, net)
    style = "bold $turn" if is_chosen else "bold $warning" if difference and not blind else ""
    number = f"{place + 1:<4}" if one.net is not None else fit("", 4)
    text = f" {'▶' if is_chosen else ' '} {number}{fit(one.label, name_width)}"
    cells_text = "".join(right(cell, COLUMN) for cell in figures)
    if blind and (one.confirmed_by or one.waits):
        says = (
            _("confirmed by {name}").format(name=one.confirmed_by)
            if one.confirmed_by
            else _("not confirmed: Y")
            if is_next
            else _("not confirmed")
        )
        if one.confirmed_by and cells(says) > SAYS_WIDTH:  # the sign before the figure says the rest
            says = one.confirmed_by
        cells_text = cells_text[: 2 * COLUMN] + "  " + fit(says, SAYS_WIDTH)
    return row((text + cells_text, style))


def _below(snapshot: TableSnapshot, blind: bool, width: int) -> Rows:
    """Whether it agrees, and if not, the questions for the table."""
    count, money = snapshot.money.count, snapshot.currency
    if snapshot.money.accepted and count is None:
        text = _("Counted and accepted by entry {number}; no chips have moved since.")
        return [row(("   " + text.format(number=snapshot.money.accepted), "bold"))]
    if blind:
        text = _("Counted blind: what should be there is shown when every stack is counted, or with L.")
        return [row(("   " + line, "$quiet")) for line in wrap(text, width - 6)]
    if count is None or not (count.is_complete or count.differs):
        return []
    if not count.differs:
        return [row(("   " + _("Everything agrees."), "bold"))]
    lines = [_("All together: {amount}").format(amount=format_amount(count.difference, money, sign=True))]
    if count.box:
        amount = format_amount(count.box, snapshot.money_currency, sign=True)
        lines.append(_("Cash box: {amount}").format(amount=amount))
    if count.rack:
        lines.append(_("Rack: {amount}").format(amount=format_amount(count.rack, money, sign=True)))
    short = [one for one in count.colours if one.found != one.expected]
    for colour in short:
        chip = write_chips(((colour.value, 1),), money).removeprefix("1x")
        text = _("Chips of {value}: set {expected}, found {found}")
        lines.append(text.format(value=chip, expected=colour.expected, found=colour.found))
    shown: Rows = [row(("   " + lines[0], "bold $warning"))]
    shown += [row("   " + line) for line in lines[1:]]
    for cause in count.causes:
        first, *rest = wrap(cause, max(1, width - 8))
        shown += [row("   ? " + first), *(row("     " + line) for line in rest)]
    return shown
