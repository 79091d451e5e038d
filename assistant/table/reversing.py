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
from assistant.ledger.accounts import CASHBOX
from assistant.ledger.chipset import has_negative, negated
from assistant.ledger.events import LedgerEvent
from assistant.money import Amount, parse_amount
from assistant.table.checks import between_rounds, positive
from assistant.table.closing import frozen_plan
from assistant.table.decision import Caused, Decision
from assistant.table.night import Night, evolve
from assistant.table.rack import bought_in, cashed_out
from assistant.talk import Command, Words, printable, read_number

REVERSIBLE = (
    ledger.BoughtIn,
    ledger.CashedOut,
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


@dataclass(frozen=True, slots=True)
class _Found:
    """The entry that is meant, and the event of it that is reversed."""

    seq: int
    kind: str
    event: LedgerEvent


def reversal(night: Night, log: Sequence[Booked], command: Command) -> tuple[Decision, tuple[int, ...]]:
    """Say what a reversal causes, and which entry it takes back.

    Raises:
        Refusal: E_REVERSE for what can't be reversed; E_STACK, E_BOX, E_RACK, E_POOL where it would leave
            less than nothing.
    """
    words = Words(list(command.words), night.known_as(), night.currency)
    words.take_options("amount", "as")
    number = read_number(words.text())
    reason = printable(" ".join(word.text for word in words.words)).strip()
    amount = _amount(night, words)
    how = _how(words)
    if not reason:
        raise Refusal("E_REVERSE", "reverse_no_reason", {"found": number})
    found = _find(log, number)
    if not night.closed:
        between_rounds(night)
    counter = _counter(night, found, reason)
    after = evolve(night, counter)
    again = _again(after, found, amount, how)
    events: Caused = (counter, *again)
    for event in again:
        after = evolve(after, event)
    _check(night, after, found)
    if night.closed:
        events = (*events, frozen_plan(after))
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


def _amount(night: Night, words: Words) -> Amount | None:
    text = words.options.get("amount")
    return positive(parse_amount(text, night.currency)) if text is not None else None


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
        is_bet = verb in ("bet", "place", "call", "raise", "rebet")
        reason = "reverse_bet" if is_bet else "reverse_not_money"
        raise Refusal("E_REVERSE", reason, {"found": number, "line": step.line})
    return _Found(number, step.line.split(maxsplit=1)[0].lower(), money[0])


def _counter(night: Night, found: _Found, reason: str) -> ledger.Reversed:
    """All its postings the other way round. Who has no chair any more has no stack: chips they would have to
    give back are missing; what comes back to them of a difference or a tip they have cashed."""
    event = found.event
    gone = {stack_of(person.player): MISSING for person in night.people if not person.seated}
    if isinstance(event, ledger.DifferenceAccepted | ledger.Tipped):
        gone = {stack: cashed_by(stack.removeprefix("stack:")) for stack in gone}
    payment: tuple[tuple[str, str, Amount, int], ...] = ()
    if isinstance(event, ledger.Paid) and event.plan:
        payment = ((event.payer, event.payee, event.amount, event.plan),)
    is_gone = any(place in gone for move in event.moves for place in (move.source, move.target))
    return ledger.Reversed(
        found.seq,
        found.kind,
        reason,
        payment,
        moves=_elsewhere(_back(event.moves), gone),
        paid=_back(event.paid),
        rack=() if is_gone else negated(event.rack),
    )


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
        right = bought_in(night, player, amount, how or event.how, said=event.said)
    elif isinstance(event, ledger.CashedOut) and how != ledger.IOU:
        player, amount = event.player, amount or event.amount
        usual = ledger.CASH if event.cash else ledger.DUE
        right = cashed_out(night, player, amount, how or usual, said=event.said)
    else:
        raise Refusal("E_REVERSE", "reverse_again", {"found": found.seq})
    if night.person(player).seated:
        return (right,)
    return (replace(right, moves=_elsewhere(right.moves, {stack_of(player): MISSING}), rack=()),)


def _elsewhere(moves: Iterable[Move], instead: Mapping[str, str]) -> tuple[Move, ...]:
    """The moves with some places taken for others."""
    return tuple(
        Move(instead.get(move.source, move.source), instead.get(move.target, move.target), move.amount)
        for move in moves
    )


def _check(before: Night, after: Night, found: _Found) -> None:
    for person in before.people:
        stack = after.chips.stack(person.player)
        if stack < 0:
            held = before.chips.stack(person.player)
            facts = {"player": person.player, "found": held - stack, "stack": held, "entry": found.seq}
            bought = isinstance(found.event, ledger.BoughtIn) and found.event.how == ledger.CASH
            raise Refusal("E_STACK", "reverse_short_iou" if bought else "reverse_short", facts)
    if after.chips.at(POOL) < 0:
        held = before.chips.at(POOL)
        raise Refusal("E_POOL", "", {"found": held - after.chips.at(POOL), "high": held})
    if after.books.box < 0:
        found_ = before.books.box - after.books.money.at(CASHBOX)
        raise Refusal("E_BOX", "", {"found": found_, "box": before.books.box})
    if has_negative(after.books.rack) or has_negative(after.books.in_circulation):
        raise Refusal("E_RACK", "reverse_rack", {"found": found.seq})
