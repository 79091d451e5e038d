"""Why somebody owes what they owe: every entry that changed what is due from them, which add up to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from assistant.holdings import CARRIED, HOUSE
from assistant.ledger.nodes import BOX
from assistant.ledger.receivable import receivables
from assistant.money import Amount
from assistant.table.night import Night
from assistant.table.night_log import NightLog, Step


@dataclass(frozen=True, slots=True)
class Reason:
    """An entry that changed what somebody gets.

    Attributes:
        number: The entry's number.
        time: Local time, as it is to be read.
        line: What was said.
        amount: What they get more (plus) or less for it: a cash-out is plus, a buy-in minus.
        sum: What they get after it.
    """

    number: int
    time: str
    line: str
    amount: Amount
    sum: Amount


def reasons_for(log: NightLog, who: str) -> tuple[Reason, ...]:
    """Return the entries that make up what a player, or a node of the settlement, gets or gives.

    Lines that were taken back are left out, reversed ones and their reversals both stand. The amounts sum to
    what the player is owed before the plan's payments; chips in front of them are in it once they are cashed.
    """
    found: list[Reason] = []
    total = 0
    for step, amount in _changes(log.log, who):
        total += amount
        found.append(Reason(step.seq, f"{step.at:%H:%M}", step.line, amount, total))
    return tuple(found)


def _changes(steps: Iterable[Step], who: str) -> Iterator[tuple[Step, Amount]]:
    for step in steps:
        if step.undone or step.travelled:
            continue
        before, after = step.before, step.after
        if before.chips is after.chips and before.books is after.books:
            continue
        amount = _got(after, who) - _got(before, who)
        if amount:
            yield step, amount


def _got(night: Night, who: str) -> Amount:
    """What somebody is owed at a moment."""
    if who in (HOUSE, CARRIED, BOX):
        nodes: Mapping[str, Amount] = receivables(night.chips, night.books.money, (), night.chip)
        return nodes.get(who, 0)
    return -night.due(who)
