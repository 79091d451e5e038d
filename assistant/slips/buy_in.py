"""The receipt for a buy-in (LEDGER.md 8.5)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.i18n import _, pgettext
from assistant.ledger.events import CASH, IOU, TRANSFER
from assistant.money import CHIPS, format_amount
from assistant.slips.content import BuyInSlip
from assistant.slips.layout import cells, centre, cut, ends, plain, right, wrap
from assistant.slips.phrases import chip_value, copy_mark, night_title, short_head


def lines(slip: BuyInSlip, width: int) -> Iterator[str]:
    """Yield the lines of a receipt."""
    yield centre(_("BUY-IN"), width)
    yield ends(night_title(slip.night), plain(slip.time), width)
    for mark in copy_mark(slip.copy):
        yield centre(mark, width)
    yield "-" * width
    yield from _amount(_who(slip), format_amount(slip.amount, slip.currency), width)
    for text in _chips(slip):
        yield from wrap(text, width)
    if slip.foreign:
        yield from _amount(_foreign(slip), format_amount(slip.value, slip.currency), width)
    if slip.change:
        yield from _amount(_("Handed back as change"), format_amount(-slip.change, slip.currency), width)
    yield from _amount(_("Bought in so far"), format_amount(slip.bought_in, slip.currency), width)
    if slip.said_at:
        yield from wrap(_("Entered late; bought at {time}").format(time=plain(slip.said_at)), width)
    entry = _("Entry {number}").format(number=slip.entry)
    head = pgettext("slip", "chain {head}").format(head=short_head(slip.head))
    if cells(entry) + cells(head) < width:
        yield ends(entry, head, width)
    else:
        yield entry
        yield cut(head, width)


def _who(slip: BuyInSlip) -> str:
    """The name, and behind a comma how it was paid; no sentence, so nothing has to be bent."""
    ways = {CASH: _("in cash"), IOU: _("on IOU"), TRANSFER: _("by transfer")}
    return ", ".join(filter(None, [plain(slip.player), ways.get(slip.how, "")]))


def _chips(slip: BuyInSlip) -> Iterator[str]:
    """How many chips where they have a value, and which."""
    if slip.chip:
        number = slip.amount // slip.chip
        value = chip_value(slip.currency, slip.chip)
        yield _("Chips: {number}, {value}").format(number=number, value=value)
    currency = CHIPS if slip.chip else slip.currency
    if parts := [f"{number}x{format_amount(value, currency)}" for value, number in slip.chips]:
        yield " + ".join(parts)


def _foreign(slip: BuyInSlip) -> str:
    return _("Taken: {amount} at {rate}").format(amount=plain(slip.foreign), rate=plain(slip.rate))


def _amount(text: str, amount: str, width: int) -> Iterator[str]:
    """A phrase and an amount on one line; the phrase moves up where there is no room for both."""
    if cells(text) + cells(amount) < width:
        yield ends(text, amount, width)
    else:
        yield from wrap(text, width)
        yield right(amount, width)
