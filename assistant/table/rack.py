"""Chips that leave the rack and come back: buy-ins, cash-outs, and what they are made up of."""

from __future__ import annotations

from assistant.errors import Refusal
from assistant.holdings import Move, bought_by, cashed_by, stack_of
from assistant.ledger import events as ledger
from assistant.ledger.accounts import CASHBOX, due_of
from assistant.ledger.chipset import (
    Denominations,
    break_down,
    break_down_buy_in,
    has_negative,
    minus,
    nearest_amounts,
    negated,
    plus,
    read_chips,
    take_in,
    worth,
    write_chips,
)
from assistant.ledger.exchange import Foreign
from assistant.money import Amount, format_amount, parse_amount
from assistant.table.night import Night
from assistant.talk import Words


def read_chips_option(night: Night, words: Words) -> Denominations:
    """The chips of the option ``chips="2x25 1x5"``; none where it isn't there."""
    text = words.options.get("chips", "")
    return read_chips(text.replace("+", " ").split(), night.currency) if text else ()


def bought_in(
    night: Night,
    player: str,
    amount: Amount,
    how: str,
    chips: Denominations = (),
    said: str = "",
    foreign: Foreign | None = None,
    transfer_to: str = "",
) -> ledger.BoughtIn:
    """A buy-in, with the chips that leave the rack for it and the money that is paid for it.

    Args:
        amount: In chips.
        foreign: The cash of another currency that was taken; change of it came out of the box.
        transfer_to: Who got a transfer; the cashier of the moment where nobody is named.
        chips: As the dealer says; proposed where nothing is said and there is a set of chips.

    Raises:
        Refusal: E_RACK when the rack can't make it up, E_AMOUNT when `chips` are worth something else,
            E_PHASE when nobody keeps the box to whom a transfer could go.
    """
    out = chips_for(night, amount, chips)
    return ledger.BoughtIn(
        player,
        amount,
        how,
        moves=(Move(bought_by(player), stack_of(player), amount),),
        foreign=foreign,
        paid=_paid_for(player, amount * night.chip, how, transfer_to or night.books.cashier),
        rack=negated(out),
        said=said,
    )


def _paid_for(player: str, money: Amount, how: str, cashier: str) -> tuple[Move, ...]:
    """Cash goes into the box; a transfer to the cashier, who owes it to the night from then on."""
    if how == ledger.CASH:
        return (Move(due_of(player), CASHBOX, money),)
    if how != ledger.TRANSFER:
        return ()
    if not cashier:
        raise Refusal("E_PHASE", "transfer_to_nobody", {})
    if cashier == player:
        raise Refusal("E_PLAYER", "transfer_self", {"player": player})
    return (Move(due_of(player), due_of(cashier), money),)


def chips_for(night: Night, amount: Amount, chips: Denominations) -> Denominations:
    """The chips that leave the rack for an amount; none on a night without a set of chips."""
    books = night.books
    if not books.chipset:
        if chips:
            raise Refusal("E_RACK", "no_chipset", {})
        return ()
    if chips:
        check_worth(chips, amount)
        check_rack(night, chips)
        return chips
    _check_sum(night, amount)
    proposed = break_down_buy_in(amount, books.rack, _ante(night))
    if proposed is not None:
        return proposed
    is_known = night.rack_chips is not None
    if not is_known and break_down(amount, books.chipset) is not None:
        return ()  # the sum covers it; with which chips is the dealer's to see
    held = books.rack if is_known else books.chipset
    near = tuple(one for one in nearest_amounts(amount, held) if one <= night.in_rack)
    facts = {"found": amount, "rack": night.in_rack, "near": near}
    raise Refusal("E_RACK", "rack_cannot" if near else "rack_empty", facts)


def _check_sum(night: Night, amount: Amount) -> None:
    """Where only its sum is known, the rack covers an amount."""
    if night.rack_chips is None and amount > night.in_rack:
        raise Refusal("E_RACK", "rack_empty", {"found": amount, "rack": night.in_rack})


def rack_text(night: Night) -> str:
    """What lies in the rack: chips, or their sum where no more is known."""
    chips = night.rack_chips
    text = format_amount(night.in_rack, night.currency) if chips is None else ""
    return text or write_chips(chips or (), night.currency) or "0"


def check_worth(chips: Denominations, amount: Amount) -> None:
    """Chips are worth the amount they are said to be (I13)."""
    if worth(chips) != amount:
        raise Refusal("E_AMOUNT", "chips_worth", {"found": worth(chips), "amount": amount})


def check_rack(night: Night, chips: Denominations) -> None:
    """The rack holds these chips; where only its sum is known, the set has them and the sum covers them."""
    _check_sum(night, worth(chips))
    held = night.books.chipset if night.rack_chips is None else night.books.rack
    if has_negative(minus(held, chips)):
        facts = {
            "found": write_chips(chips, night.currency),
            "have": write_chips(held, night.currency) or "0",
        }
        raise Refusal("E_RACK", "chips_not_of_set" if night.rack_chips is None else "rack_short", facts)


def check_outside(night: Night, chips: Denominations) -> None:
    """So many chips are outside the rack; where only its sum is known, the set has so many."""
    held = night.books.chipset if night.rack_chips is None else night.books.in_circulation
    if has_negative(minus(held, chips)):
        have = write_chips(held, night.currency) or "0"
        raise Refusal("E_RACK", "outside_short", {"found": write_chips(chips, night.currency), "have": have})


def chips_back(night: Night, amount: Amount, chips: Denominations = ()) -> Denominations:
    """What comes to the rack when an amount is cashed: as the dealer says, else as it must be; nothing where
    that can't be known."""
    books = night.books
    if chips:
        if not books.chipset:
            raise Refusal("E_RACK", "no_chipset", {})
        check_worth(chips, amount)
        check_outside(night, chips)
        return chips
    return take_in(amount, books.in_circulation, books.rack) or () if books.chipset else ()


def all_chips_back(night: Night, amounts: list[Amount]) -> Denominations:
    """What comes to the rack when several cash out one after the other."""
    outside, rack = night.books.in_circulation, night.books.rack
    total: Denominations = ()
    for amount in amounts:
        change = take_in(amount, outside, rack) or ()
        outside, rack, total = minus(outside, change), plus(rack, change), plus(total, change)
    return total


def paid_out(night: Night, player: str, amount: Amount, how: str) -> Amount:
    """The cash a cash-out brings: what is left of it once the player's IOUs are settled.

    Raises:
        Refusal: E_BOX when there isn't so much in the box.
    """
    if how != ledger.CASH:
        return 0
    owed = amount * night.chip - night.due(player)
    cash = max(0, min(amount * night.chip, owed))
    if cash > night.books.box:
        raise Refusal("E_BOX", "", {"found": cash, "box": night.books.box})
    return cash


def cash_to(player: str, cash: Amount) -> tuple[Move, ...]:
    """Cash goes from the box to a player."""
    return (Move(CASHBOX, due_of(player), cash),) if cash else ()


def cashed_out(
    night: Night, player: str, amount: Amount, how: str, chips: Denominations = (), said: str = ""
) -> ledger.CashedOut:
    """A cash-out; the chips go back to the rack."""
    cash = paid_out(night, player, amount, how)
    return ledger.CashedOut(
        player,
        amount,
        cash,
        moves=(Move(stack_of(player), cashed_by(player), amount),) if amount else (),
        paid=cash_to(player, cash),
        rack=chips_back(night, amount, chips),
        said=said,
    )


def _ante(night: Night) -> Amount:
    """What a round costs everybody; 0 where there is no ante."""
    text = dict(night.options).get("ante", "")
    try:
        return parse_amount(text, night.currency)
    except Refusal:
        return 0
