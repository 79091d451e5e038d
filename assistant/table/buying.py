"""What a line says of a buy-in: how many chips, how they are paid, in which cash, and which chips."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.errors import Refusal
from assistant.ledger import events as ledger
from assistant.ledger.chipset import Denominations
from assistant.ledger.exchange import Foreign, read_foreign
from assistant.money import Amount
from assistant.table.checks import how_paid, positive, said_at
from assistant.table.night import Night
from assistant.table.rack import bought_in, read_chips_option
from assistant.talk import Words

BUY_IN_OPTIONS = ("chips", "at", "for", "rate")


@dataclass(frozen=True, slots=True)
class BuyIn:
    """A buy-in as it was typed; whose it is, and whether it can be now, is asked afterwards."""

    amount: Amount
    how: str
    chips: Denominations = ()
    said: str = ""
    foreign: Foreign | None = None

    def event(self, night: Night, player: str) -> ledger.BoughtIn:
        """Return what it causes.

        Raises:
            Refusal: E_RACK, E_AMOUNT, E_BOX (no change), E_PHASE (nobody a transfer could go to).
        """
        return bought_in(night, player, self.amount, self.how, self.chips, self.said, self.foreign)


def read_buy_in(night: Night, words: Words, how: str = "") -> BuyIn | None:
    """Read the rest of a line: ``AMOUNT [cash|iou|transfer]``, or ``for=50USD rate=0.917``.

    None where it names no amount.

    Args:
        night: For what is usual, and its money.
        words: What stands behind the player; options were taken already.
        how: How it is paid, where the verb says it.
    """
    foreign = _foreign(night, words, how)
    if not words.more and foreign is None:
        words.end()
        return None
    if words.more and words.next_payment() not in (ledger.CASH, ledger.IOU, ledger.TRANSFER):
        amount = positive(words.amount())
    elif foreign is not None:
        amount = _worth_in_chips(night, foreign)
    else:
        amount = positive(words.amount())  # a word stands where the amount should
    usual = ledger.CASH if foreign is not None else how or night.books.buys
    paid = usual if how else how_paid(words, usual, ledger.IOU, ledger.TRANSFER)
    words.end()
    if foreign is not None:
        check_foreign(night, foreign, amount, paid)
    return BuyIn(amount, paid, read_chips_option(night, words), said_at(words), foreign)


def _foreign(night: Night, words: Words, how: str) -> Foreign | None:
    text, rate = words.options.get("for"), words.options.get("rate")
    if text is None and rate is None:
        return None
    if text is None or rate is None:
        raise Refusal(
            "E_OPTION", "rate_missing" if rate is None else "foreign_missing", {"found": text or rate}
        )
    if how == ledger.IOU:
        raise Refusal("E_OPTION", "foreign_in_cash", {})
    return read_foreign(text, rate, night.money)


def _worth_in_chips(night: Night, foreign: Foreign) -> Amount:
    chips, over = divmod(foreign.value, night.chip)
    if over or not chips:
        near = tuple(one for one in (chips, chips + 1) if one)
        facts = {"value": foreign.value, "code": foreign.code, "chip": night.chip, "near": near}
        raise Refusal("E_AMOUNT", "foreign_no_chips", facts)
    return chips


def check_foreign(night: Night, foreign: Foreign, amount: Amount, how: str) -> None:
    """What is taken covers the chips; what it is worth more is handed back as change from the box."""
    if how != ledger.CASH:
        raise Refusal("E_OPTION", "foreign_in_cash", {})
    change = foreign.value - amount * night.chip
    if change < 0:
        facts = {"value": foreign.value, "code": foreign.code, "found": amount * night.chip}
        raise Refusal("E_AMOUNT", "foreign_short", facts)
    if change > night.books.box:
        raise Refusal("E_BOX", "no_change", {"found": change, "box": night.books.box})
