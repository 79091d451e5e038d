"""Every sentence a person reads about money, rack, count and plan; `assistant.wording` shows them.

No sentence depends on a name's gender or case: a name stands alone or after a colon wherever it can.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.holdings import CARRIED, HOUSE, MISSING, POOL, Move, bet_of, bought_by, cashed_by, stack_of
from assistant.i18n import N_, _
from assistant.ledger import events as ledger
from assistant.ledger.accounts import CASHBOX, EXPENSE, OVERSHORT, RACK, due_of
from assistant.ledger.chipset import Denominations, write_chips
from assistant.ledger.events import LedgerEvent
from assistant.ledger.exchange import Foreign
from assistant.ledger.nodes import BOX
from assistant.ledger.plan import Terms
from assistant.money import Amount, Currency, format_amount
from assistant.talk import printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from assistant.wording import Wording

_COUNTER = (bought_by(""), cashed_by(""))
"""How places outside the table begin: chips that were bought and that were cashed."""

# What was found, what is legal now, what to do: keyed by reason, else by code.
MONEY_REFUSALS: dict[str, str] = {
    "nobody_known": N_("Nobody called “{found}” took part tonight. Mend the name."),
    "time_unread": N_("“{found}” is no time of day. Type hours and minutes, for example at=21:40."),
    "reason_missing": N_("Say why, behind the word."),
    # chips and the rack
    "chips_unread": N_("“{found}” are no chips. Type how many and their value, for example 2x25 1x5."),
    "chips_too_many": N_("That is too many: at most {most} denominations and {chips} chips."),
    "chips_worth": N_("These chips are worth {found:money}, not {amount:money}. Count them again."),
    "E_RACK": N_("The rack can't do that."),
    "no_chipset": N_("No set of chips is known. Load it first, for example: rack 100x1 100x5 40x25."),
    "rack_cannot": N_("The rack can't make up {found:money}; it can make up: {near:moneys}."),
    "rack_empty": N_(
        "The rack can't make up {found:money}; it holds {rack:money}. Let somebody cash out or lend first."
    ),
    "chips_not_of_set": N_("There are no such chips in the set: {found}. It has {have}. Count again."),
    "rack_count_chips": N_(
        "No chips make up the rack's difference of {found:money}. Count it by denomination, for example: "
        "count rack 40x25 90x5"
    ),
    "rack_short": N_("The rack has too few chips for {found}; it holds {have}. Choose others."),
    "outside_short": N_("So many chips are not outside the rack: {found}; there are {have}. Count again."),
    "chips_outside": N_("Chips for {found:money} are out. Cash them out first, then load the set."),
    # chips and money
    "chip_worth_nothing": N_(
        "A chip can't be worth “{found}”. Say what one chip is worth, for example chip=0.25."
    ),
    "chip_worth_much": N_(
        "“{found}” is too much for one chip. Say what one chip is worth, for example chip=0.25."
    ),
    "chip_without_currency": N_(
        "chip={found} needs a currency in the same line, for example: night Friday currency=EUR chip=0.25"
    ),
    "money_no_chips": N_(
        "{found:cash} is no whole number of chips; one is worth {chip:cash}. The nearest: {near:cashes}."
    ),
    "foreign_unread": N_("“{found}” is no cash of another currency. Type it so: for=50USD rate=0.92"),
    "foreign_own": N_("{found} is the money of this night. Type the amount alone, without for= and rate=."),
    "foreign_missing": N_("A rate needs the cash it is for. Type both, for example: for=50USD rate=0.92"),
    "rate_missing": N_("Say what one unit of it counts as, for example: for=50USD rate=0.92"),
    "rate_unread": N_(
        "“{found}” is no rate. Type what one {code} counts as, with up to 6 decimals, for example rate=0.92"
    ),
    "foreign_in_cash": N_(
        "Cash of another currency is handed over at once. Take “iou” or the other word out."
    ),
    "foreign_nothing": N_("“{found}” is worth less than the smallest coin at this rate. Mend the rate."),
    "foreign_no_chips": N_(
        "The {code} count as {value:cash}, no whole number of chips. Say how many are given, {near:moneys}, "
        "before for=; the rest is handed back as change."
    ),
    "foreign_short": N_(
        "The {code} count as {value:cash}, and the chips are worth {found:cash}. Give fewer, or take more."
    ),
    "transfer_to_nobody": N_(
        "A transfer goes to whoever keeps the box, and nobody was named. Say first: cashier NAME"
    ),
    "transfer_self": N_("{player:name} keeps the box: no transfer to themselves. Say “cash” or “iou”."),
    # cash, loans, shared costs, tips
    "E_BOX": N_("The box holds only {box:cash}, not {found:cash}. Pay in first, or leave it due."),
    "no_change": N_(
        "The change would be {found:cash}, and the box holds only {box:cash}. Take less, or give more chips."
    ),
    "box_differs": N_(
        "Box: counted {found:cash}, ledger {box:cash}, difference {difference:cash-signed}. "
        "Count again; or “count box”, then “accept”."
    ),
    "lend_self": N_("Nobody lends to themselves. Name two players."),
    "tip_self": N_("Nobody tips themselves. Name another player."),
    "tips_off": N_("Tips are off. To take them, say whom they are for: tip to=NAME."),
    "hub_gone": N_(
        "{player:name} can't be both: everybody settles with them, and they settle through the box only. "
        "Choose another way first (settle cashier), or take back who is gone (settle free)."
    ),
    "share_too_small": N_(
        "The pool of {pool:money} is less than one unit to share. Carry it, or share it finer."
    ),
    # payments
    "E_PAY": N_(
        "{payer:name} to {payee:name}: only {open:cash} is open, not {found:cash}. Nothing was booked."
    ),
    "pay_self": N_("Nobody pays themselves. Name two different people."),
    "pay_done": N_("{payer:name} to {payee:name}: that line is paid already."),
    "pay_no_line": N_("The plan has no payment from {payer:name} to {payee:name}. Look at its lines."),
    "pay_no_number": N_("There is no line {found}; the plan has {lines}."),
    "pay_nothing_due": N_("{player:name}: nothing is open, so nothing can be paid."),
    "pay_over_due": N_("{player:name}: only {open:cash} is open, not {found:cash}. Nothing was booked."),
    "pay_before_plan": N_(
        "Before the close money goes into the box or out of it: pay NAME box, or pay box NAME."
    ),
    # counts
    "count_runs": N_(
        "The count goes on: no bets or buy-ins until it ends. Finish it (F6), or leave it off: “count stop”. "
        "A buy-in that was forgotten takes its time, for example at=21:40."
    ),
    "count_runs_already": N_("The count goes on already. Type what lies in front of each, or: “count stop”."),
    "no_count_runs": N_("No count goes on. Begin one with “count start”."),
    "count_differs_blind": N_(
        "{player:name} was counted and differs, so the chips stay until that is dealt with. "
        "Count the rest and accept the difference, or leave the count off: “count stop”."
    ),
    "count_unfinished": N_(
        "Not counted yet: {players:names}. Count them, or leave the count off: “count stop”."
    ),
    "count_unconfirmed": N_(
        "Nobody confirmed yet: {players:names}. Let a neighbour look, then Y, or: “confirm NAME”. "
        "Where the house needs none: “count start confirm=off”."
    ),
    "not_counted": N_("{player:name} is not counted, or the count has lapsed. Count first, then confirm."),
    "nothing_to_confirm": N_("Every count is confirmed, or nothing was counted. Count first."),
    "confirm_self": N_("{player:name} can't confirm their own chips. Name a neighbour: by=NAME"),
    "confirm_cashier": N_("{player:name} keeps rack and box, and can't confirm them. Name another: by=NAME"),
    "nobody_confirms": N_("Nobody else sits at the table to confirm {player:name}. Name somebody: by=NAME"),
    "place_differs": N_(
        "{player:name}: counted {found:money}, ledger {stack:money}, difference {difference:signed}. "
        "Count again, or accept the difference."
    ),
    "box_count_differs": N_(
        "{player:name}: counted {found:cash}, ledger {stack:cash}, difference {difference:cash-signed}. "
        "Count again, or accept the difference."
    ),
    "not_closed": N_("The night is not closed, so it can't be opened again."),
    # reversals
    "E_REVERSE": N_("There is no entry #{found}. Look at the ledger for its number."),
    "reverse_undone": N_("#{found} was taken back already: {line}"),
    "reverse_twice": N_("#{found} was reversed already by #{by}: {reason}"),
    "reverse_reversal": N_("#{found} is a reversal itself. Enter the right entry anew instead."),
    "reverse_bet": N_(
        "#{found} is a bet, and a placed bet can't be changed. Call the round off with “void”, or use “undo” "
        "if it was only typed wrong."
    ),
    "reverse_not_money": N_(
        "#{found} can't be reversed: {line}. Buy-ins, cash-outs, payments, loans, shared costs, tips and "
        "accepted differences can. A wrong card: “fix”; a wrong round: “void”."
    ),
    "reverse_no_reason": N_("Say why #{found} is reversed, for example: reverse {found} typed 1000 for 100"),
    "reverse_again": N_("#{found} can only be reversed whole. Leave amount= and as= out."),
    "reverse_no_amount": N_(
        "Type the right amount and why, for example: reverse {found} amount=100 typed 1000 for 100"
    ),
    "reverse_short": N_(
        "{player:name}: {stack:money} is not enough for {found:money}, so #{entry} can't be reversed. "
        "Let them buy in first, on an IOU where they can't pay: iou NAME {missing:money}"
    ),
    "reverse_short_iou": N_(
        "{player:name}: {stack:money} is not enough for {found:money}, so #{entry} can't be reversed. "
        "If it was never paid, put it on an IOU: reverse {entry} never paid as=iou"
    ),
    "reverse_closed": N_(
        "The night is closed and {player:name} has cashed the chips, so #{entry} can't be reversed now. "
        "Say “reopen” and why, reverse it, then close again."
    ),
    "reverse_gone": N_(
        "{player:name} has left and cashed the chips, so #{entry} can't be reversed now. "
        "Reverse #{leave} first: with it they are back at the table."
    ),
    "reverse_rack_accepted": N_(
        "#{found} can't be reversed: since then the rack was accepted as counted. Reverse #{entry} first."
    ),
    "reverse_rack": N_(
        "The rack has not the chips for it, so #{found} can't be reversed. Change chips first."
    ),
}

MODES: dict[str, str] = {
    "players": N_("between players, fewest payments"),
    "cashier": N_("everybody settles with the cashier"),
    "hub": N_("everybody settles with {player:name}"),
}

POLICIES: dict[str, str] = {
    "equal": N_("shared equally"),
    "winners": N_("shared by the winners"),
    "losers": N_("shared by the losers"),
    "count": N_("each one their own count"),
    "open": N_("held open until it is found"),
}

# What a difference may come from, and what to ask first (LEDGER.md 6.6).
CAUSES: dict[str, str] = {
    "two_stacks": N_("Two stacks differ by {amount:money}: {players}. A round was paid wrong."),
    "chip_missing": N_(
        "One chip of {value:money} is missing, in that colour too. Search the floor, then recount."
    ),
    "colour_short": N_("Chips of {value:money}: set {expected}, found {found}. Recount that colour."),
    "no_colour_short": N_("No colour is short: a cash-out was recorded too low, or a buy-in twice."),
    "too_many": N_("There are {amount:money} too many: a buy-in was not recorded. Ask everybody."),
    "swapped": N_("{amount:money} is divisible by 9: two digits were swapped? Look at {entries}."),
    "wrong_side": N_("{amount:money} is twice an entry: booked on the wrong side? Look at {entries}."),
    "missed": N_("{amount:money} is an entry: missed, or booked twice? Look at {entries}."),
    "rounds": N_("Look at the rounds {rounds}."),
    "entries": N_("Look at {entries}."),
    "unexplained": N_("No entry explains {amount:signed}. Recount once."),
}


def chips_text(chips: Denominations, wording: Wording) -> str:
    """Chips of a payout behind a colon: ``: 2x25 + 1x5``; empty where no set is known."""
    return f": {write_chips(chips, wording.currency)}" if chips else ""


def told_money(event: LedgerEvent, wording: Wording) -> tuple[str, ...]:
    """What an entry of money asks the dealer to take, give and say; empty for other events."""
    name = wording.name
    match event:
        case ledger.BoughtIn():
            return _bought(event, wording)
        case ledger.CashedOut() | ledger.PlayerLeft():
            return _cashed(event, wording)
        case ledger.ChipsLent():
            text = _("CHIPS {amount}: {lender} to {borrower}")
            who = {"lender": name(event.lender), "borrower": name(event.borrower)}
            return (text.format(amount=wording.chips_worth(event.amount), **who),)
        case ledger.ExpenseShared():
            return _shared_cost(event, wording)
        case ledger.Tipped():
            text = _("TIP {amount}: {name} for {to}; change the chips into the rack")
            who = {"name": name(event.player), "to": name(event.to)}
            return (text.format(amount=wording.chips_worth(event.amount), **who),)
        case ledger.TipsAllowed():
            return (_("TIPS for: {name}").format(name=name(event.player)) if event.player else _("NO TIPS"),)
        case ledger.FloatPutIn():
            text = _("INTO THE BOX {amount}: {name}")
            return (text.format(amount=wording.cash(event.amount), name=name(event.player)),)
        case ledger.Paid():
            text = _("PAID {amount}: {payer} to {payee}")
            who = {"payer": name(event.payer), "payee": name(event.payee)}
            return (text.format(amount=wording.cash(event.amount), **who),)
        case _:
            return _told_desk(event, wording)


def _told_desk(event: LedgerEvent, wording: Wording) -> tuple[str, ...]:
    name, money = wording.name, wording.money
    match event:
        case ledger.CashierNamed():
            text = _("CASHIER: {name}. Count together: box {box}, rack {rack}")
            amounts = {"box": wording.cash(event.box), "rack": money(event.rack_worth)}
            return (text.format(name=name(event.player), **amounts),)
        case ledger.CashRuleSet():
            buys = _("in cash") if event.buys == ledger.CASH else _("on IOU")
            pays = _("in cash") if event.pays == ledger.CASH else _("due at the end")
            return (_("BUY-INS: {buys}; cash-outs: {pays}").format(buys=buys, pays=pays),)
        case ledger.ChipSetLoaded():
            worth = sum(value * count for value, count in event.chips)
            return (_("RACK {amount}").format(amount=money(worth)) + chips_text(event.chips, wording),)
        case ledger.ChipsChanged():
            text = _("CHANGE for {name}: take {given}, give {got}")
            chips = {"given": write_chips(event.given, wording.currency)}
            chips["got"] = write_chips(event.got, wording.currency)
            return (text.format(name=name(event.player), **chips),)
        case ledger.TermsChosen():
            return _terms(event.terms, wording)
        case ledger.PlanFrozen() if event.number > 1:
            return (_("NEW PLAN {number}; the earlier one is replaced").format(number=event.number),)
        case ledger.CountStarted():
            rule = (
                _("a neighbour confirms each count, from three players on")
                if event.confirm
                else _("nobody has to confirm")
            )
            return (_("COUNT: no bets or buy-ins until it ends; {rule}").format(rule=rule),)
        case ledger.CountStopped():
            return (_("COUNT left off: play goes on"),)
        case ledger.CountConfirmed():
            text = _("CONFIRMED {name}: by {by}")
            return (text.format(name=name(event.player), by=name(event.by)),)
        case ledger.NightReopened():
            return (_("OPEN AGAIN: everybody gets their chips back"),)
        case ledger.Reversed():
            return told_reversed(event, (), wording)
        case _:
            return ()


def mode_text(mode: str, hub: str, wording: Wording) -> str:
    """How a night is settled, in words."""
    return _(MODES.get(mode, mode)).replace("{player:name}", wording.name(hub))


def _terms(terms: Terms, wording: Wording) -> tuple[str, ...]:
    """How the night is settled, and who doesn't pay whom."""
    lines = [_("SETTLE: {mode}").format(mode=mode_text(terms.mode, terms.hub, wording))]
    lines += [
        _("APART: {name} and {other}").format(name=wording.name(one), other=wording.name(other))
        for one, other in terms.apart
    ]
    if terms.unit > 1:
        lines.append(_("ROUNDED to {amount}").format(amount=wording.cash(terms.unit)))
    if terms.gone:
        names = ", ".join(map(wording.name, terms.gone))
        lines.append(_("THROUGH THE BOX ONLY: {names}").format(names=names))
    return tuple(lines)


def _bought(event: ledger.BoughtIn, wording: Wording) -> tuple[str, ...]:
    """What is taken, what is handed back as change, and the chips that are given."""
    name, paid = wording.name(event.player), sum(move.amount for move in event.paid)
    if any(move.target == MISSING for move in event.moves):
        text = _("ENTERED {amount}: {name}, who has left; no chips are given")
        return (text.format(amount=wording.chips_worth(event.amount), name=name),)
    give = _("GIVE {amount} to {name}").format(amount=wording.chips_worth(event.amount), name=name)
    lines = [give + chips_text(event.rack, wording)]
    if event.how == ledger.TRANSFER:
        lines.insert(
            0, _("TRANSFER of {amount} to the cashier: {name}").format(amount=wording.cash(paid), name=name)
        )
    elif event.foreign is not None:
        foreign = event.foreign
        text = _("TAKE {amount} in cash, at {rate} = {value}: {name}")
        facts = {"amount": foreign_text(foreign), "rate": foreign.rate, "value": wording.cash(foreign.value)}
        lines.insert(0, text.format(**facts, name=name))
        if foreign.value > paid:
            change = wording.cash(foreign.value - paid)
            lines.append(_("GIVE BACK {amount} as change: {name}").format(amount=change, name=name))
    elif event.how == ledger.CASH:
        lines.insert(0, _("TAKE {amount} in cash: {name}").format(amount=wording.cash(paid), name=name))
    return tuple(lines)


def foreign_text(foreign: Foreign) -> str:
    """Cash of another currency: ``50.00 USD``."""
    return f"{format_amount(foreign.amount, Currency.named(foreign.code))} {foreign.code}"


def _cashed(event: ledger.CashedOut | ledger.PlayerLeft, wording: Wording) -> tuple[str, ...]:
    if not event.amount:
        return ()
    name = wording.name(event.player)
    lines = [_("CASH OUT {amount}: {name}").format(amount=wording.chips_worth(event.amount), name=name)]
    if event.cash:
        lines.append(_("PAY {amount} in cash: {name}").format(amount=wording.cash(event.cash), name=name))
    return tuple(lines)


def _shared_cost(event: ledger.ExpenseShared, wording: Wording) -> tuple[str, ...]:
    who = ", ".join(f"{wording.name(player)} {wording.cash(share)}" for player, share in event.shares)
    what = printable(event.what) or _("expense")
    text = _("SHARED {what} {amount}, paid by {name}: {who}")
    name = wording.name(event.payer)
    return (text.format(what=what, amount=wording.cash(event.amount), name=name, who=who),)


def accepted_text(event: ledger.DifferenceAccepted, wording: Wording) -> str:
    """Who bears what of an accepted difference, and what pool, rack and box lack: ``Ann -20, rack -5``."""
    lacked = {
        place: sum(
            move.amount if move.source == place else -move.amount
            for move in event.moves
            if place in (move.source, move.target)
        )
        for place in (HOUSE, RACK)
    }
    borne = [
        # without a bank at the close, the node of the house stands for missing chips
        f"{_('house') if who == HOUSE else wording.name(who)} "
        f"{format_amount(-share, wording.currency, sign=True)}"
        for who, share in (*event.shares, (POOL, event.pool), *lacked.items())
        if share
    ]
    if event.box:
        borne.append(f"{wording.name(BOX)} {wording.cash(-event.box, sign=True)}")
    if event.policy == ledger.HELD_OPEN:
        borne.insert(0, _("held open until it is found"))
    return ", ".join(borne) or _("nobody bears anything; the ledger's stacks stand")


def box_borne(event: ledger.DifferenceAccepted) -> tuple[tuple[str, Amount], ...]:
    """What each player bears (negative) or gets of what the box lacked, in money; nobody where it is open."""
    found: dict[str, Amount] = {}
    for move in event.paid:
        for end, amount in ((move.source, move.amount), (move.target, -move.amount)):
            if end.startswith(due_of("")) and OVERSHORT in (move.source, move.target):
                found[end.removeprefix(due_of(""))] = amount
    return tuple(found.items())


@dataclass(frozen=True, slots=True)
class ForeignCash:
    """Cash of another currency that goes back to whom it came from, or (not `back`) comes again."""

    player: str
    cash: Foreign
    back: bool


def told_reversed(
    event: ledger.Reversed,
    foreign: Sequence[ForeignCash],
    wording: Wording,
    *,
    is_mended: bool = False,
) -> tuple[str, ...]:
    """What a reversal asks the dealer to take and to give.

    Args:
        event: The reversal.
        foreign: As in `told_back`.
        wording: For names and amounts.
        is_mended: Whether the right entry comes behind it, which says whose cash it is.
    """
    first = _("REVERSED #{number} ({kind}): {reason}")
    lines = [first.format(number=event.entry, kind=event.kind, reason=printable(event.reason))]
    stacks: dict[str, Amount] = {}
    for move in event.moves:
        stacks[move.source] = stacks.get(move.source, 0) - move.amount
        stacks[move.target] = stacks.get(move.target, 0) + move.amount
    paid, cash = event.paid, foreign
    if is_mended:
        paid, cash = tuple(_by_the_box(move) for move in paid), ()
    return (*lines, *told_back(stacks, paid, wording, cash, was_paid=False))


def _by_the_box(move: Move) -> Move:
    """What the box alone holds more or less, whoever's cash it was."""
    source, target = (CASHBOX if end == CASHBOX else EXPENSE for end in (move.source, move.target))
    return Move(source, target, move.amount)


def told_back(
    changes: Mapping[str, Amount],
    paid: Sequence[Move],
    wording: Wording,
    foreign: Sequence[ForeignCash] = (),
    *,
    was_paid: bool = True,
    is_undo: bool = False,
) -> tuple[str, ...]:
    """What to take and to give by hand where entries are taken back or put back.

    Chips and cash are told apart where a purchase, a cash-out or the box is among them: "pay" alone could be
    taken for money, and paid twice.

    Args:
        changes: Place -> chips more or less there.
        paid: The money that moves.
        wording: For names and amounts.
        foreign: Cash of another currency that was taken in these entries: handed back as it came, or taken
            again. With it the change goes the other way.
        was_paid: Whether the cash surely changed hands. A reversal may mend what was never paid at all, so it
            says so, and what the box holds more or less.
        is_undo: Whether lines are taken back, so that chips only go back where they were.
    """
    cash: dict[str, Amount] = {}
    for move in paid:
        if CASHBOX in (move.source, move.target):
            other = move.source if move.target == CASHBOX else move.target
            cash[other] = cash.get(other, 0) + (move.amount if move.source == CASHBOX else -move.amount)
    cash = {other: amount for other, amount in cash.items() if amount}
    bets, changes = _bets_back(changes, wording, is_undo=is_undo)
    if not cash and not any(place.startswith(_COUNTER) for place in changes):
        return (*bets, *(_stacks_back(changes, wording) if is_undo else wording.differences(changes)))
    in_box = -sum(cash.values())
    name, money = wording.name, wording.money
    take, give = [], []
    for place, amount in changes.items():
        player = place.removeprefix("stack:")
        if player == place or not amount:
            continue
        if amount < 0:
            take.append(_("TAKE {amount} in chips: {name}").format(amount=money(-amount), name=name(player)))
        else:
            chips = wording.payout_of(amount)
            give.append(_("GIVE {amount} in chips: {name}").format(amount=chips, name=name(player)))
    for one in foreign:
        facts = {"amount": foreign_text(one.cash), "name": name(one.player)}
        due, value = due_of(one.player), one.cash.value
        cash[due] = cash.get(due, 0) + (-value if one.back else value)
        if not one.back:
            text = _("TAKE {amount} in cash, at {rate} = {value}: {name}")
            take.append(text.format(rate=one.cash.rate, value=wording.cash(value), **facts))
        elif was_paid:
            give.append(_("GIVE BACK {amount} in cash: {name}").format(**facts))
        else:
            give.append(_("GIVE BACK {amount} in cash, if it was paid: {name}").format(**facts))
    for other, amount in cash.items():
        player = other.removeprefix(due_of(""))
        if player == other:  # the box alone, or a shared cost that it paid
            if was_paid:
                give.append(_("BOX {amount}").format(amount=wording.cash(-amount, sign=True)))
        elif amount < 0:
            text = _("TAKE {amount} in cash: {name}")
            text = text if was_paid else _("TAKE {amount} in cash, if it was paid: {name}")
            take.append(text.format(amount=wording.cash(-amount), name=name(player)))
        elif amount:
            text = _("PAY {amount} in cash: {name}")
            text = text if was_paid else _("PAY {amount} in cash, if it was paid: {name}")
            give.append(text.format(amount=wording.cash(amount), name=name(player)))
    if in_box and not was_paid:
        give.append(_("BOX {amount}").format(amount=wording.cash(in_box, sign=True)))
    return (*bets, *take, *give)


def _bets_back(
    changes: Mapping[str, Amount], wording: Wording, *, is_undo: bool
) -> tuple[tuple[str, ...], Mapping[str, Amount]]:
    """The bets that lie on the table again or are off it, and what is to be given and taken beside them.

    A stake that only goes between a player's stack and their own bet is no payment.
    """
    out, given, off, rest = {}, {}, {}, dict(changes)
    for place, amount in changes.items():
        player = place.removeprefix(bet_of(""))
        if player == place or not amount:
            continue
        own = rest.get(stack_of(player), 0)
        if amount > 0:
            out[player] = min(amount, max(-own, 0))
            given[player] = amount - out[player]
            rest[stack_of(player)] = own + out[player]
        else:
            # an undone bet came from the stack, and who leaves takes theirs; else the bet may have been lost
            is_whole = is_undo or changes.get(cashed_by(player), 0) > 0
            off[player] = -amount if is_whole else min(-amount, max(own, 0))
            rest[stack_of(player)] = own + amount
    from_house = _("BETS BACK ON THE TABLE, from the house: {who}")
    if sum(given.values()) > -changes.get(HOUSE, 0):  # a banker's, a pool's, or chips that were cashed
        from_house = _("BETS BACK ON THE TABLE, not from the stack: {who}")
    told = (
        (_("BETS BACK ON THE TABLE: {who}"), out),
        (from_house, given),
        (_("BETS BACK INTO THE STACK: {who}"), off),
    )
    lines = []
    for text, bets in told:
        who = [f"{wording.name(player)} {wording.money(bet)}" for player, bet in bets.items() if bet]
        if who:
            lines.append(text.format(who=", ".join(who)))
    return tuple(lines), rest


def _stacks_back(changes: Mapping[str, Amount], wording: Wording) -> tuple[str, ...]:
    """Chips that an undone line had moved go back: none is won or lost by it."""
    take, give = [], []
    for place, amount in changes.items():
        player = place.removeprefix(stack_of(""))
        if player != place and amount < 0:
            take.append(f"{wording.name(player)} {wording.money(-amount)}")
        elif player != place and amount:
            give.append(f"{wording.name(player)} {wording.payout_of(amount)}")
    lines = []
    if take:
        lines.append(_("TAKE BACK: {who}").format(who=", ".join(take)))
    if give:
        lines.append(_("GIVE BACK: {who}").format(who=", ".join(give)))
    return tuple(lines)


def standing_name(node: str) -> str:
    """Return what a row of standings is called that is nobody's."""
    names = {HOUSE: _("house"), CARRIED: _("carried pool"), MISSING: _("missing chips")}
    return names.get(node, node)
