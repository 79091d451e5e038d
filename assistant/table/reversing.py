"""``reverse NUMBER REASON``: a counter-entry to an earlier one of the money, with the right entry behind it
where one is given. Nothing is edited, and what was bet and won is never touched (LEDGER.md 6.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from assistant.errors import Refusal
from assistant.holdings import MISSING, POOL, Move, cashed_by, stack_of
from assistant.ledger import events as ledger
from assistant.ledger.accounts import CASHBOX, due_of
from assistant.ledger.chipset import has_negative, negated, plus
from assistant.ledger.events import LedgerEvent
from assistant.money import Amount
from assistant.table.buying import check_foreign
from assistant.table.checks import between_rounds, positive, words_of
from assistant.table.closing import frozen_plan
from assistant.table.decision import Caused, Decision
from assistant.table.night import COUNTED_PLACES, Night, evolve
from assistant.table.people import check_new_name
from assistant.table.rack import bought_in, cashed_out
from assistant.talk import Command, Words, printable, read_number

REVERSIBLE = (
    ledger.BoughtIn,
    ledger.CashedOut,
    ledger.PlayerLeft,
    ledger.FloatPutIn,
    ledger.Paid,
    ledger.ChipsLent,
    ledger.ExpenseShared,
    ledger.Tipped,
    ledger.ChipsChanged,
    ledger.PoolCarriedIn,
    ledger.DifferenceAccepted,
)
"""What is reversed; whatever else a line caused (a chair was taken) stands."""


BET_VERBS = frozenset({"bet", "place", "call", "raise", "rebet"})
"""What places a bet: no reversal touches it, and in a strict house no undo either."""


class Booked(Protocol):
    """What is asked of a line of the log."""

    @property
    def seq(self) -> int:
        """Its number."""

    @property
    def line(self) -> str:
        """Its words."""

    @property
    def events(self) -> Caused:
        """What it caused."""

    @property
    def undone(self) -> bool:
        """Whether it was taken back."""

    @property
    def before(self) -> Night:
        """The night before it."""


@dataclass(frozen=True, slots=True)
class _Found:
    """The entry that is meant, and the event of it that is reversed."""

    seq: int
    kind: str
    event: LedgerEvent
    before: Night


def reversal(night: Night, log: Sequence[Booked], command: Command) -> tuple[Decision, tuple[int, ...]]:
    """Say what a reversal causes, and which entry it takes back.

    Raises:
        Refusal: E_REVERSE for what can't be reversed; E_STACK, E_BOX, E_RACK, E_POOL where it would leave
            less than nothing.
    """
    words = words_of(night, command)
    words.take_options("amount", "as")
    number = read_number(words.text())
    reason = printable(" ".join(word.text for word in words.words)).strip()
    amount = _amount(words, number)
    how = _how(words)
    if not reason:
        raise Refusal("E_REVERSE", "reverse_no_reason", {"found": number})
    found = _find(log, number)
    if not night.closed:
        between_rounds(night)
    returning = _returning(night, found, amount, how)
    seated = tuple(event.player for event in returning)
    counter = _counter(night, found, reason, seated)
    after = evolve(night, counter)
    again = _again(after, found, amount, how) if not returning else ()
    _check_gone(night, log, found, (*_undone_moves(found.event), *_moves(again)), seated)
    again = tuple(_without_chair(after, event) for event in again)
    events: Caused = (counter, *returning, *again)
    for event in events[1:]:
        after = evolve(after, event)
    _check(night, after, found)
    _check_rack(night, log, after, found, events)
    if night.closed and not _is_of_plan(night, found.event):
        events = (*events, frozen_plan(after))
    elif isinstance(found.event, ledger.DifferenceAccepted):
        events = (*events, *_counted_again(found.before, after))
    return Decision(None, events), (found.seq,)


def reversed_entries(log: Iterable[Booked]) -> dict[int, int]:
    """Return the entries that a counter-entry took back, each with that entry's number; not where the
    counter-entry was itself taken back."""
    return {
        event.entry: step.seq
        for step in log
        if not step.undone
        for event in step.events
        if isinstance(event, ledger.Reversed)
    }


def _amount(words: Words, number: int) -> Amount | None:
    text = words.options.get("amount")
    if text == "":  # the menu's ``amount=`` as it stands
        raise Refusal("E_AMOUNT", "reverse_no_amount", {"found": number})
    return positive(words.chips_in(text)) if text is not None else None


def _how(words: Words) -> str:
    how = words.options.get("as", "").lower()
    if how not in ("", ledger.CASH, ledger.IOU, ledger.DUE):
        facts = {"name": "as", "found": how, "legal": "cash, iou, due"}
        raise Refusal("E_OPTION", "option_value", facts)
    return how


def _find(log: Sequence[Booked], number: int) -> _Found:
    step = next((one for one in log if one.seq == number), None)
    if step is None:
        raise Refusal("E_REVERSE", "", {"found": number})
    if step.undone:
        raise Refusal("E_REVERSE", "reverse_undone", {"found": number, "line": step.line})
    if any(isinstance(event, ledger.Reversed) for event in step.events):
        raise Refusal("E_REVERSE", "reverse_reversal", {"found": number})
    for other in log:
        for event in other.events if not other.undone else ():
            if isinstance(event, ledger.Reversed) and event.entry == number:
                facts = {"found": number, "by": other.seq, "reason": event.reason}
                raise Refusal("E_REVERSE", "reverse_twice", facts)
    money = [event for event in step.events if isinstance(event, REVERSIBLE)]
    if len(money) != 1:
        verb = step.line.split(maxsplit=1)[0].lower() if step.line else ""
        is_bet = verb in BET_VERBS
        reason = "reverse_bet" if is_bet else "reverse_not_money"
        raise Refusal("E_REVERSE", reason, {"found": number, "line": step.line})
    is_leave = isinstance(money[0], ledger.PlayerLeft)  # it may have waited for a card that ended the round
    kind = "leave" if is_leave else step.line.split(maxsplit=1)[0].lower()
    return _Found(number, kind, money[0], step.before)


def _returning(
    night: Night, found: _Found, amount: Amount | None, how: str
) -> tuple[ledger.PlayerSeated, ...]:
    """Who never left takes a chair again, left of whom they sat; not where only how it was paid is mended."""
    event = found.event
    if not isinstance(event, ledger.PlayerLeft) or amount is not None or how:
        return ()
    person = night.person(event.player)
    if night.closed:
        raise Refusal("E_STACK", "reverse_closed", {"player": person.player, "entry": found.seq})
    if person.seated:
        return ()
    check_new_name(night, person.name)
    order = found.before.table.from_left_of(person.player)
    after = next((one for one in reversed(order) if one in night.table.players), None)
    return (ledger.PlayerSeated(person.player, person.name, after),)


def _counter(night: Night, found: _Found, reason: str, seated: Sequence[str] = ()) -> ledger.Reversed:
    """All its postings the other way round. Who has no chair any more has no stack: chips they would have to
    give back are missing; what comes back to them of a difference or a tip they have cashed. `seated` take
    their chair again with it."""
    event = found.event
    without_chair = (person.player for person in night.people if not person.seated)
    gone = {stack_of(player): MISSING for player in without_chair if player not in seated}
    if isinstance(event, ledger.DifferenceAccepted | ledger.Tipped):
        gone = {stack: cashed_by(stack.removeprefix("stack:")) for stack in gone}
    payment: tuple[tuple[str, str, Amount, int], ...] = ()
    if isinstance(event, ledger.Paid) and event.plan:
        payment = ((event.payer, event.payee, event.amount, event.plan),)
    back = _undone_moves(event)
    is_gone = any(place in gone for move in back for place in (move.source, move.target))
    return ledger.Reversed(
        found.seq,
        found.kind,
        reason,
        payment,
        moves=_elsewhere(back, gone),
        paid=_back(event.paid),
        rack=() if is_gone else negated(event.rack),
    )


def _undone_moves(event: LedgerEvent) -> tuple[Move, ...]:
    """The chips of an event the other way round; of a leave only what was cashed. A bet or a float that went
    back to the stack stays there."""
    if isinstance(event, ledger.PlayerLeft):
        return _back([move for move in event.moves if move.target == cashed_by(event.player)])
    return _back(event.moves)


def _moves(events: Iterable[LedgerEvent]) -> tuple[Move, ...]:
    return tuple(move for event in events for move in event.moves)


def _is_of_plan(night: Night, event: LedgerEvent) -> bool:
    """Whether it is a payment of the plan in force: its own line is open again, and no other line changes."""
    plan = night.books.plan
    return isinstance(event, ledger.Paid) and plan is not None and event.plan == plan.number


def _back(moves: Sequence[Move]) -> tuple[Move, ...]:
    return tuple(Move(move.target, move.source, move.amount) for move in reversed(moves))


def _again(night: Night, found: _Found, amount: Amount | None, how: str) -> tuple[LedgerEvent, ...]:
    """The right entry, for a buy-in or a cash-out with another amount or paid another way."""
    if amount is None and not how:
        return ()
    event = found.event
    right: LedgerEvent
    if isinstance(event, ledger.BoughtIn) and how != ledger.DUE:
        player, amount = event.player, amount or event.amount
        how, foreign = how or event.how, event.foreign
        if how != ledger.CASH or (foreign is not None and foreign.value < amount * night.chip):
            foreign = None  # it was no such cash, or it does not cover what was really bought
        if foreign is not None:
            check_foreign(night, foreign, amount, how)
        to = _got_transfer(event)
        right = bought_in(night, player, amount, how, said=event.said, foreign=foreign, transfer_to=to)
    elif isinstance(event, ledger.CashedOut) and how != ledger.IOU:
        player, amount = event.player, amount or event.amount
        usual = ledger.CASH if event.cash else ledger.DUE
        right = cashed_out(night, player, amount, how or usual, said=event.said)
    elif isinstance(event, ledger.PlayerLeft) and amount is None and how != ledger.IOU:
        right = cashed_out(night, event.player, event.amount, how, said=event.said)
    else:
        raise Refusal("E_REVERSE", "reverse_again", {"found": found.seq})
    return (right,)


def _got_transfer(event: ledger.BoughtIn) -> str:
    """Who got the transfer of a buy-in: the box may have changed hands since."""
    if event.how != ledger.TRANSFER or not event.paid:
        return ""
    return event.paid[0].target.removeprefix(due_of(""))


def _without_chair(night: Night, event: LedgerEvent) -> LedgerEvent:
    """The right entry of somebody who has no chair, and so no stack, any more."""
    gone = {stack_of(person.player): MISSING for person in night.people if not person.seated}
    moves = _elsewhere(event.moves, gone)
    return event if moves == event.moves else replace(event, moves=moves, rack=())


def _elsewhere(moves: Iterable[Move], instead: Mapping[str, str]) -> tuple[Move, ...]:
    """The moves with some places taken for others."""
    return tuple(
        Move(instead.get(move.source, move.source), instead.get(move.target, move.target), move.amount)
        for move in moves
    )


def _counted_again(before: Night, after: Night) -> tuple[ledger.Counted, ...]:
    """What had been counted stands again when its acceptance is reversed, where the stack is what it was.

    One difference alone is explained by what was found. Of several the others may be there still: they are
    put to the table before the close.
    """
    counts = before.counted().values()
    if sum(one.amount != one.stack for one in counts) < 2:
        return ()
    return tuple(
        ledger.Counted(one.player, one.amount, one.stack, one.chips, one.confirmed_by)
        for one in counts
        if after.held(one.player) == one.stack
        and (one.player in after.table.players or one.player in COUNTED_PLACES)
    )


def _check_gone(
    night: Night, log: Sequence[Booked], found: _Found, moves: Sequence[Move], seated: Sequence[str]
) -> None:
    """Who has no chair has no stack that could bear it, and nobody else pays for that.

    A buy-in of somebody who has left may still be lessened by chips that stayed at the table: a count finds
    them missing there. What was cashed no count will find.

    Raises:
        Refusal: E_STACK, with what to take back first: the close or the leave.
    """
    if isinstance(found.event, ledger.DifferenceAccepted | ledger.Tipped):
        return  # what comes back of them was cashed
    for person in night.people:
        stack = stack_of(person.player)
        change = sum(((move.target == stack) - (move.source == stack)) * move.amount for move in moves)
        if not change or person.seated or person.player in seated:
            continue
        facts = {"player": person.player, "entry": found.seq}
        if night.closed:
            raise Refusal("E_STACK", "reverse_closed", facts)
        stayed = night.bought_in(person.player) - night.cashed_out(person.player)
        if change > 0 or -change > stayed:
            raise Refusal("E_STACK", "reverse_gone", {**facts, "leave": _left_at(log, person.player)})


def _left_at(log: Sequence[Booked], player: str) -> int:
    """The number of the entry with which somebody left."""
    return next(
        step.seq
        for step in reversed(log)
        if not step.undone
        and any(isinstance(event, ledger.PlayerLeft) and event.player == player for event in step.events)
    )


def _rack_accepted(log: Sequence[Booked], seq: int) -> int | None:
    """The number of the acceptance behind an entry that took the rack as it was counted, where one stands."""
    taken_back = {
        event.entry
        for step in log
        for event in step.events
        if not step.undone and isinstance(event, ledger.Reversed)
    }
    return next(
        (
            step.seq
            for step in reversed(log)
            if step.seq > seq and not step.undone and step.seq not in taken_back
            for event in step.events
            if isinstance(event, ledger.DifferenceAccepted) and event.takes_rack
        ),
        None,
    )


def _check(before: Night, after: Night, found: _Found) -> None:
    for person in before.people:
        stack = after.chips.stack(person.player)
        if stack < 0:
            held = before.chips.stack(person.player)
            facts = {
                "player": person.player,
                "found": held - stack,
                "stack": held,
                "missing": -stack,
                "entry": found.seq,
            }
            bought = isinstance(found.event, ledger.BoughtIn) and found.event.how == ledger.CASH
            raise Refusal("E_STACK", "reverse_short_iou" if bought else "reverse_short", facts)
    if after.chips.at(POOL) < 0:
        held = before.chips.at(POOL)
        raise Refusal("E_POOL", "", {"found": held - after.chips.at(POOL), "high": held})
    if after.books.box < 0:
        found_ = before.books.box - after.books.money.at(CASHBOX)
        raise Refusal("E_BOX", "", {"found": found_, "box": before.books.box})


def _check_rack(before: Night, log: Sequence[Booked], after: Night, found: _Found, events: Caused) -> None:
    """The rack has what comes out of it; where only its sum is known, the sum covers it."""
    rack = before.rack_chips
    if rack is None:
        is_short = after.in_rack < min(0, before.in_rack)
    else:
        for event in events:
            rack = plus(rack, event.rack) if isinstance(event, LedgerEvent) else rack
        has_more = after.books.has_too_many and not before.books.has_too_many
        is_short = has_negative(rack) or has_more
    if is_short:
        accepted = _rack_accepted(log, found.seq)
        if accepted is not None:
            raise Refusal("E_RACK", "reverse_rack_accepted", {"found": found.seq, "entry": accepted})
        raise Refusal("E_RACK", "reverse_rack", {"found": found.seq})
