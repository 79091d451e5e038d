"""The count of the chips with its difference, and what the table decided about it (LEDGER.md 8.5)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.i18n import _, pgettext
from assistant.money import Currency, format_amount
from assistant.slips.columns import Columns
from assistant.slips.content import CountRow, CountSlip
from assistant.slips.layout import cells, centre, cut, ends, plain, wrap
from assistant.slips.phrases import accepted, copy_mark, night_title, short_head


def lines(slip: CountSlip, width: int) -> Iterator[str]:
    """Yield the lines of a count."""
    for line in wrap(title(slip), width):
        yield centre(line, width)
    yield ends(night_title(slip.night), plain(slip.time), width)
    for mark in copy_mark(slip.copy):
        yield centre(mark, width)
    yield "-" * width
    yield from _table(slip, width)
    for denomination in slip.denominations:
        if denomination.found != denomination.in_set:
            value = format_amount(denomination.value, slip.currency)
            line = _("Chips of {value}: set {number}, found {found}")
            text = line.format(value=value, number=denomination.in_set, found=denomination.found)
            yield from wrap(text, width)
    yield from _confirmations(slip, width)
    yield from _decision(slip, width)
    if slip.head:
        line = _("Entries {number}, chain {head}")
        yield from wrap(line.format(number=slip.entries, head=short_head(slip.head)), width)


def title(slip: CountSlip) -> str:
    """Return whether the count agrees, and if not by how much."""
    if slip.difference:
        amount = format_amount(slip.difference, slip.currency, sign=True)
        return _("COUNT: DIFFERENCE {amount}").format(amount=amount)
    if any(row.difference for row in slip.rows):
        return _("COUNT: STACKS DIFFER")
    if slip.box is not None and slip.box.difference:
        amount = format_amount(slip.box.difference, slip.cash, sign=True)
        return _("COUNT: CASH BOX {amount}").format(amount=amount)
    if slip.rack is not None and slip.rack.difference:
        amount = format_amount(slip.rack.difference, slip.currency, sign=True)
        return _("COUNT: RACK {amount}").format(amount=amount)
    return _("COUNT: AGREES")


def _table(slip: CountSlip, width: int) -> Iterator[str]:
    heads = (pgettext("slip", "ledger"), pgettext("slip", "counted"), pgettext("slip", "diff"))
    table = Columns(width, 9 if width >= 40 else 8, heads)

    rows = [(plain(row.name), _written(row, slip.currency)) for row in slip.rows]
    counted = [row for row in slip.rows if row.counted is not None]
    ledger, found = sum(row.ledger for row in counted), sum(row.counted or 0 for row in counted)
    total = _written(CountRow("", ledger, found), slip.currency)
    places = [
        (plain(row.name), _written(row, currency))
        for row, currency in ((slip.rack, slip.currency), (slip.box, slip.cash))
        if row is not None
    ]
    lay_out = table.fitting([*(row for _name, row in (*rows, *places)), total])
    yield from lay_out(_("Player"), heads)
    for name, row in rows:
        yield from lay_out(name, row)
    yield "-" * width
    yield from lay_out(_("Total"), total)
    for name, row in places:
        yield from lay_out(name, row)


def _written(row: CountRow, currency: Currency) -> tuple[str, ...]:
    if row.counted is None:
        return (format_amount(row.ledger, currency), "-", "-")
    amounts = (row.ledger, row.counted)
    return (
        *(format_amount(one, currency) for one in amounts),
        format_amount(row.difference, currency, sign=True),
    )


def _confirmations(slip: CountSlip, width: int) -> Iterator[str]:
    """Who confirmed whose count: ``Ann: Boris, Vera: Boris``."""
    rows = [row for row in (*slip.rows, slip.rack, slip.box) if row is not None and row.counted is not None]
    said = ", ".join(f"{plain(row.name)}: {plain(row.confirmed_by)}" for row in rows if row.confirmed_by)
    if said:
        yield from wrap(_("Confirmed by: {names}").format(names=said), width)
        if missing := ", ".join(plain(row.name) for row in rows if not row.confirmed_by):
            yield from wrap(_("Not confirmed: {names}").format(names=missing), width)


def _decision(slip: CountSlip, width: int) -> Iterator[str]:
    if not slip.policy:
        if any(row.difference for row in (*slip.rows, slip.rack, slip.box) if row is not None):
            yield from wrap(_("Nothing was decided yet."), width)
        return
    yield from wrap(accepted(slip.policy), width)
    for name, amount in slip.shares:
        text = format_amount(amount, slip.currency, sign=True)
        room = width - cells(text) - 1
        yield ends(cut(f"  {plain(name)}", room), text, width)
    if slip.takes_rack and slip.rack is not None and slip.rack.difference:
        yield from wrap(_("Rack: taken as counted; nobody bears it."), width)
    if slip.box is not None and slip.box.difference:
        yield from _box_shares(slip, width)
    if slip.reason:
        yield from wrap(_("Reason: {text}").format(text=plain(slip.reason)), width)
    if slip.agreed:
        names = ", ".join(map(plain, slip.agreed))
        yield from wrap(_("Agreed: {names}").format(names=names), width)


def _box_shares(slip: CountSlip, width: int) -> Iterator[str]:
    """Who bears what the box lacks; with nobody named it stays open until it is found."""
    yield _("Of the cash box:")
    for name, amount in slip.box_shares:
        text = format_amount(amount, slip.cash, sign=True)
        yield ends(cut(f"  {plain(name)}", width - cells(text) - 1), text, width)
    if not slip.box_shares:
        yield from wrap("  " + _("stays open until it is found"), width)
