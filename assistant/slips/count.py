"""The count of the chips with its difference, and what the table decided about it (LEDGER.md 8.5)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.i18n import _, pgettext
from assistant.money import Amount, format_amount
from assistant.slips.columns import Columns
from assistant.slips.content import CountSlip
from assistant.slips.layout import cells, centre, cut, ends, plain, wrap
from assistant.slips.phrases import copy_mark, night_title, short_head


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
    yield from _decision(slip, width)
    if slip.head:
        line = _("Entries {number}, chain {head}")
        yield from wrap(line.format(number=slip.entries, head=short_head(slip.head)), width)


def title(slip: CountSlip) -> str:
    """Return whether the count agrees, and if not by how much."""
    if slip.difference:
        amount = format_amount(slip.difference, slip.currency, sign=True)
        return _("COUNT: DIFFERENCE {amount}").format(amount=amount)
    if any(row.counted not in (None, row.ledger) for row in slip.rows):
        return _("COUNT: STACKS DIFFER")
    return _("COUNT: AGREES")


def policy(slip: CountSlip) -> str:
    """Return how the difference is borne."""
    sentences = {
        "equal": _("Accepted: shared equally"),
        "winners": _("Accepted: shared by the winners"),
        "losers": _("Accepted: shared by the losers"),
        "count": _("Accepted: as counted"),
    }
    return sentences.get(slip.policy) or _("Accepted: borne by {name}").format(name=plain(slip.policy))


def _table(slip: CountSlip, width: int) -> Iterator[str]:
    heads = (pgettext("slip", "ledger"), pgettext("slip", "counted"), pgettext("slip", "diff"))
    table = Columns(width, 9 if width >= 40 else 8, heads)

    def written(ledger: Amount, counted: Amount | None) -> tuple[str, ...]:
        if counted is None:
            return (format_amount(ledger, slip.currency), "-", "-")
        difference = format_amount(counted - ledger, slip.currency, sign=True)
        return (format_amount(ledger, slip.currency), format_amount(counted, slip.currency), difference)

    rows = [(plain(row.name), written(row.ledger, row.counted)) for row in slip.rows]
    counted = [row for row in slip.rows if row.counted is not None]
    total = written(sum(row.ledger for row in counted), sum(row.counted or 0 for row in counted))
    lay_out = table.fitting([*(row for _name, row in rows), total])
    yield from lay_out(_("Player"), heads)
    for name, row in rows:
        yield from lay_out(name, row)
    yield "-" * width
    yield from lay_out(_("Total"), total)


def _decision(slip: CountSlip, width: int) -> Iterator[str]:
    if not slip.policy:
        if slip.difference:
            yield from wrap(_("Nothing was decided yet."), width)
        return
    yield from wrap(policy(slip), width)
    for name, amount in slip.shares:
        text = format_amount(amount, slip.currency, sign=True)
        room = width - cells(text) - 1
        yield ends(cut(f"  {plain(name)}", room), text, width)
    if slip.reason:
        yield from wrap(_("Reason: {text}").format(text=plain(slip.reason)), width)
    if slip.agreed:
        names = ", ".join(map(plain, slip.agreed))
        yield from wrap(_("Agreed: {names}").format(names=names), width)
