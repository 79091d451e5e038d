"""The cashier's verbs: who keeps the box, cash in and out, loans, shared costs, tips, and the rack.

What each causes is decided here; nothing changes (see `assistant.table.acts`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from assistant.errors import Refusal
from assistant.holdings import HOUSE, MISSING, POOL, Move, as_moves, bought_by, cashed_by, stack_of
from assistant.ledger import events as ledger
from assistant.ledger.accounts import CASHBOX, EXPENSE, RACK, due_of
from assistant.ledger.chipset import (
    Denominations,
    break_down,
    minus,
    negated,
    plus,
    read_chips,
    worth,
)
from assistant.ledger.events import LedgerEvent
from assistant.ledger.nodes import BOX
from assistant.money import share_equally
from assistant.table.buying import BUY_IN_OPTIONS, read_buy_in
from assistant.table.checks import (
    between_rounds,
    box_has,
    no_chips_on_layout,
    positive,
    said_at,
    somebody,
    still_open,
)
from assistant.table.night import Night
from assistant.table.paying import pay
from assistant.table.people import named
from assistant.table.rack import check_outside, check_rack, check_worth, chips_back, rack_text
from assistant.talk import Words, printable

Caused = tuple[LedgerEvent, ...]


def _iou(night: Night, words: Words) -> Caused:
    """A buy-in that is not paid yet, whatever is usual tonight."""
    words.take_options(*BUY_IN_OPTIONS)
    player, buy_in = words.player(), read_buy_in(night, words, ledger.IOU)
    if buy_in is None:
        raise Refusal("E_ARGS", "argument_missing", {})
    no_chips_on_layout(night, player)
    return (buy_in.event(night, player),)


def _cashier(night: Night, words: Words) -> Caused:
    """Who keeps box and rack, and how buy-ins and cash-outs are paid where a line does not say."""
    words.take_options("box", "buys", "pays")
    name = words.text() if words.more else ""
    words.end()
    if not name and not words.options:
        raise Refusal("E_ARGS", "argument_missing", {})
    who, fresh = named(night, name) if name else ("", ())
    rule = _cash_rule(night, words)
    still_open(night)
    if "box" in words.options:
        _check_box(night, words)
    events: list[LedgerEvent] = [*fresh]
    if who:
        events.append(ledger.CashierNamed(who, night.books.box, night.in_rack))
    return (*events, *rule)


def _cash_rule(night: Night, words: Words) -> tuple[ledger.CashRuleSet, ...]:
    legal = {"buys": (ledger.IOU, ledger.CASH), "pays": (ledger.DUE, ledger.CASH)}
    chosen = {"buys": night.books.buys, "pays": night.books.pays}
    for option, values in legal.items():
        value = words.options.get(option, chosen[option]).lower()
        if value not in values:
            facts = {"name": option, "found": value, "legal": ", ".join(values)}
            raise Refusal("E_OPTION", "option_value", facts)
        chosen[option] = value
    if not words.options.keys() & legal.keys():
        return ()
    return (ledger.CashRuleSet(chosen["buys"], chosen["pays"]),)


def _check_box(night: Night, words: Words) -> None:
    """At a hand-over both count the box; a difference is dealt with before, never after."""
    amount = words.money_in(words.options["box"])
    if amount != night.books.box:
        facts = {"found": amount, "box": night.books.box, "difference": amount - night.books.box}
        raise Refusal("E_COUNT", "box_differs", facts)


def _float(night: Night, words: Words) -> Caused:
    """Somebody puts cash of their own into the box so that there is change."""
    words.take_options("at")
    who, amount = somebody(night, words.text()), positive(words.money_amount())
    words.end()
    still_open(night)
    move = Move(due_of(who), CASHBOX, amount)
    return (ledger.FloatPutIn(who, amount, paid=(move,), said=said_at(words)),)


def _lend(night: Night, words: Words) -> Caused:
    """Chips go from one player to another; the lender has cashed them, the borrower has bought them."""
    words.take_options("at")
    lender, borrower, amount = words.player(), words.player(), positive(words.amount())
    words.end()
    if lender == borrower:
        raise Refusal("E_PLAYER", "lend_self", {"player": lender})
    for player in (lender, borrower):
        no_chips_on_layout(night, player)
    stack = night.chips.stack(lender)
    if amount > stack:
        raise Refusal("E_STACK", "stack_short", {"player": lender, "found": amount, "stack": stack})
    moves = (
        Move(stack_of(lender), cashed_by(lender), amount),
        Move(bought_by(borrower), stack_of(borrower), amount),
    )
    return (ledger.ChipsLent(lender, borrower, amount, moves=moves, said=said_at(words)),)


def _expense(night: Night, words: Words) -> Caused:
    """Somebody (or the box) paid something for several; everybody bears a share, odd units in seat order."""
    words.take_options("for", "at")
    paid_by = words.text()
    payer = BOX if paid_by.lower() == BOX else somebody(night, paid_by)
    amount = positive(words.money_amount())
    what = printable(" ".join(word.text for word in words.words))
    words.words = []
    sharers = _sharers(night, words)
    still_open(night)
    if not sharers:
        raise Refusal("E_PLAYERS", "nobody_seated", {})
    if payer == BOX:
        box_has(night, amount)
    shares = share_equally(amount, sharers)
    source = CASHBOX if payer == BOX else due_of(payer)
    # through the account of shared costs, which holds nothing once all is shared
    paid = (Move(source, EXPENSE, amount), *(Move(EXPENSE, due_of(who), one) for who, one in shares.items()))
    return (ledger.ExpenseShared(payer, amount, tuple(shares.items()), what, paid=paid, said=said_at(words)),)


def _sharers(night: Night, words: Words) -> tuple[str, ...]:
    """Who bears a share, in seat order: the ones named, else everybody seated."""
    if "for" not in words.options:
        return night.table.players
    wanted = {somebody(night, name) for name in words.options["for"].split(",") if name.strip()}
    order = (*night.table.players, *(person.player for person in night.people if not person.seated))
    return tuple(player for player in order if player in wanted)


def _tip(night: Night, words: Words) -> Caused:
    """``tip to=NAME`` lets tips be given; ``tip PLAYER AMOUNT`` gives one."""
    words.take_options("to", "at")
    if not words.more and "to" in words.options:
        to, fresh = named(night, words.options["to"]) if words.options["to"] else ("", ())
        still_open(night)
        return (*fresh, ledger.TipsAllowed(to))
    player, amount = words.player(), positive(words.amount())
    words.end()
    to = somebody(night, words.options["to"]) if words.options.get("to") else night.books.tips_to
    no_chips_on_layout(night, player)
    if not night.books.tips_to:
        raise Refusal("E_PHASE", "tips_off", {})
    if to == player:
        raise Refusal("E_PLAYER", "tip_self", {"player": player})
    stack = night.chips.stack(player)
    if amount > stack:
        raise Refusal("E_STACK", "stack_short", {"player": player, "found": amount, "stack": stack})
    return (
        ledger.Tipped(
            player,
            to,
            amount,
            moves=(Move(stack_of(player), cashed_by(player), amount),),
            paid=(Move(due_of(to), due_of(player), amount * night.chip),),
            rack=chips_back(night, amount),
            said=said_at(words),
        ),
    )


# --- the rack -----------------------------------------------------------------------------------------------


def _rack(night: Night, words: Words) -> Caused:
    """The set of chips: ``rack 100x1 100x5 40x25``, counted into the rack before chips are sold."""
    chips = read_chips((word.text for word in words.words), night.currency)
    words.words = []
    between_rounds(night)
    outside = night.outside_sales - (night.chips.at(HOUSE) - night.bank_float)
    if outside:
        raise Refusal("E_PHASE", "chips_outside", {"found": outside})
    change = minus(chips, night.books.rack)
    # what the rack lacked of the set before it is no matter of this one
    lacked = night.chips.at(RACK)
    moves = as_moves({RACK: -lacked, MISSING: lacked}) if lacked else ()
    return (ledger.ChipSetLoaded(chips, moves=moves, rack=change),)


def _change(night: Night, words: Words) -> Caused:
    """``change PLAYER 20x5 for 1x100``: chips against others of the same worth; no amount changes."""
    name = words.text()
    player = POOL if name.lower() == POOL else words.player_named(name)
    texts = [word.text for word in words.words]
    words.words = []
    place = next((place for place, text in enumerate(texts) if text.lower() == "for"), len(texts))
    given = read_chips(texts[:place], night.currency)
    wanted = read_chips(texts[place + 1 :], night.currency) if texts[place + 1 :] else ()
    between_rounds(night)
    if not night.books.chipset:
        raise Refusal("E_RACK", "no_chipset", {})
    _check_has(night, player, given)
    check_outside(night, given)
    got = wanted or _changed(night, given)
    check_worth(got, worth(given))
    check_rack(night, got)
    return (ledger.ChipsChanged(player, given, got, rack=plus(given, negated(got))),)


def _check_has(night: Night, player: str, given: Denominations) -> None:
    held = night.held(player)
    if worth(given) > held:
        if player == POOL:
            raise Refusal("E_POOL", "", {"found": worth(given), "high": held})
        raise Refusal("E_STACK", "stack_short", {"player": player, "found": worth(given), "stack": held})


def _changed(night: Night, given: Denominations) -> Denominations:
    """The largest chips for what was given, never the same ones back."""
    others = tuple(pair for pair in night.books.rack if pair[0] not in dict(given))
    got = break_down(worth(given), others)
    if got is None:
        raise Refusal("E_RACK", "rack_short", {"found": worth(given), "have": rack_text(night)})
    return got


MONEY_VERBS: Mapping[str, Callable[[Night, Words], Caused]] = {
    "iou": _iou,
    "cashier": _cashier,
    "float": _float,
    "pay": pay,
    "lend": _lend,
    "expense": _expense,
    "tip": _tip,
    "rack": _rack,
    "change": _change,
}
