"""What a night brought each person besides the game: their part of shared costs, tips, differences of the box
that they bear, and what rounding gave or took.

The net of a night is the game's: chips cashed less chips bought. Net and this together are what the night did
to a pocket once everything is paid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from assistant.holdings import HELD
from assistant.ledger import events as ledger
from assistant.ledger.accounts import due_of
from assistant.ledger.events import LedgerEvent
from assistant.money import Amount
from assistant.table.night_log import NightLog
from assistant.table.reversing import reversed_entries


def besides_the_game(log: NightLog) -> dict[str, Amount]:
    """Return what each person got (plus) or gave besides the game, in money; who is not in it got nothing."""
    found, rounding = costs_and_tips(log), log.night.books.rounding
    people = [person.player for person in log.night.people]
    sums = {who: found.get(who, 0) - rounding.at(due_of(who)) for who in people}
    return {who: amount for who, amount in sums.items() if amount}


def costs_and_tips(log: NightLog) -> dict[str, Amount]:
    """Return the same without what rounding gave or took."""
    night = log.night
    found: Counter[str] = Counter()
    for event in standing_events(log):
        match event:
            case ledger.ExpenseShared():
                for who, share in event.shares:
                    found[who] -= share
            case ledger.Tipped():
                found[event.player] -= event.amount * night.chip
                found[event.to] += event.amount * night.chip
            case ledger.DifferenceAccepted():
                for move in event.paid:
                    found[move.target.removeprefix(due_of(""))] -= move.amount
                    found[move.source.removeprefix(due_of(""))] += move.amount
    return {person.player: found[person.player] for person in night.people if found[person.player]}


def unpaid_of_nets(log: NightLog) -> dict[str, Amount]:
    """Return what of each person's net nobody pays until a difference is explained, in money."""
    found: Counter[str] = Counter()
    for event in standing_events(log):
        for move in event.paid:
            if HELD in (move.source, move.target):
                found[move.target.removeprefix(due_of(""))] += move.amount
                found[move.source.removeprefix(due_of(""))] -= move.amount
    return {person.player: found[person.player] for person in log.night.people if found[person.player]}


def standing_events(log: NightLog) -> Iterator[LedgerEvent]:
    """Yield the events outside the games that stand: neither taken back nor reversed."""
    gone = reversed_entries(log.log)
    for step in log.log:
        if not step.undone and step.seq not in gone:
            yield from (event for event in step.events if isinstance(event, LedgerEvent))
