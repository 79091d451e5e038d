"""Counting at the end: what was found against what the ledger says, per player and per denomination, and
what a difference may come from (LEDGER.md 6.6).

No difference is ever explained away: causes are questions for the table, in the order in which to ask them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from assistant.ledger.chipset import Denominations
from assistant.money import Amount

MOST_NAMED = 6
"""So many entries or rounds are named; more of them point nowhere."""


@dataclass(frozen=True, slots=True)
class Row:
    """What was counted in front of a player, or in the pool.

    Attributes:
        who: A player's id, or a place.
        counted: None while it is not counted.
        chips: By denomination, where it was counted so.
    """

    who: str
    ledger: Amount
    counted: Amount | None = None
    chips: Denominations = ()

    @property
    def difference(self) -> Amount:
        """Counted less ledger; 0 while it is not counted."""
        return 0 if self.counted is None else self.counted - self.ledger


@dataclass(frozen=True, slots=True)
class Colour:
    """Chips of one denomination: how many the set has, and how many were found in rack, pool and stacks."""

    value: Amount
    expected: int
    found: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """The count against the ledger.

    Attributes:
        rows: Players in seat order, then the pool.
        colours: Per denomination; empty unless everything was counted by denomination.
    """

    rows: tuple[Row, ...]
    colours: tuple[Colour, ...] = ()

    @property
    def difference(self) -> Amount:
        """All that was counted less what the ledger says of it."""
        return sum(row.difference for row in self.rows)

    @property
    def wrong(self) -> tuple[Row, ...]:
        """The rows that differ."""
        return tuple(row for row in self.rows if row.difference)

    @property
    def short_colours(self) -> tuple[Colour, ...]:
        """Denominations of which other chips were found than the set has."""
        return tuple(one for one in self.colours if one.found != one.expected)


@dataclass(frozen=True, slots=True)
class MoneyEntry:
    """A buy-in, cash-out or the like; `stands` unless it was reversed, which may have been wrong."""

    number: int
    kind: str
    player: str
    amount: Amount
    stands: bool = True


@dataclass(frozen=True, slots=True)
class RoundResult:
    """What a round brought each player."""

    number: int
    changes: Mapping[str, Amount]


@dataclass(frozen=True, slots=True)
class Cause:
    """What a difference may come from.

    Attributes:
        kind: ``two_stacks chip_missing colour_short no_colour_short too_many swapped wrong_side missed
            unexplained``.
        amount: The difference it is about, without a sign but in ``unexplained``.
        players: Who is concerned.
        colour: The denomination that is concerned.
        entries: Numbers of the entries to look at.
        rounds: Numbers of the rounds to look at.
    """

    kind: str
    amount: Amount
    players: tuple[str, ...] = ()
    colour: Colour | None = None
    entries: tuple[int, ...] = ()
    rounds: tuple[int, ...] = ()


def compare_colours(chipset: Denominations, found: Sequence[Denominations]) -> tuple[Colour, ...]:
    """Return each denomination of the set with how many of it were found, the smallest chip last."""
    counts: dict[Amount, int] = {}
    for chips in found:
        for value, count in chips:
            counts[value] = counts.get(value, 0) + count
    expected = dict(chipset)
    values = sorted({*expected, *counts}, reverse=True)
    return tuple(Colour(value, expected.get(value, 0), counts.get(value, 0)) for value in values)


def likely_causes(
    comparison: Comparison, entries: Sequence[MoneyEntry], rounds: Sequence[RoundResult]
) -> tuple[Cause, ...]:
    """Return what a difference may come from, the likeliest first; nothing where nothing differs.

    Args:
        comparison: The count.
        entries: The night's entries of money, reversed ones too: a reversal may be the mistake.
        rounds: The rounds that stand.
    """
    wrong = comparison.wrong
    if not wrong:
        return ()
    total = comparison.difference
    causes = [*_two_stacks(wrong, rounds)]
    if total < 0:
        causes += _missing_chips(comparison, -total, entries)
    if total > 0:
        causes.append(Cause("too_many", total))
    for row in wrong:
        mine = [one for one in entries if one.player == row.who]
        causes += _from_entries(abs(row.difference), mine, (row.who,))
    if len(wrong) > 1 and total:
        causes += _from_entries(abs(total), entries)
    return tuple(causes) or (Cause("unexplained", total or wrong[0].difference),)


def _two_stacks(wrong: Sequence[Row], rounds: Sequence[RoundResult]) -> Iterator[Cause]:
    """Two are off by the same amount, one up and one down: a round was paid to the wrong one, or twice."""
    for place, one in enumerate(wrong):
        for other in wrong[place + 1 :]:
            if one.difference == -other.difference:
                amount = abs(one.difference)
                both = (one.who, other.who)
                found = [one_round.number for one_round in rounds if _explains(one_round, both, amount)]
                yield Cause("two_stacks", amount, both, rounds=tuple(found[-MOST_NAMED:]))


def _explains(result: RoundResult, players: Sequence[str], amount: Amount) -> bool:
    """Whether both took part, and one of them won or lost the amount or half of it."""
    changes = [abs(result.changes.get(player, 0)) for player in players]
    is_moved = any(change in (amount, amount / 2) for change in changes if change)
    return all(player in result.changes for player in players) and is_moved


def _missing_chips(comparison: Comparison, missing: Amount, entries: Sequence[MoneyEntry]) -> Iterator[Cause]:
    players = tuple(row.who for row in comparison.wrong if row.difference < 0)
    short = [one for one in comparison.short_colours if one.found < one.expected]
    for colour in short:
        is_one = colour.value == missing and colour.expected - colour.found == 1
        yield Cause("chip_missing" if is_one else "colour_short", missing, players, colour)
    if comparison.colours and not short:
        yield Cause("no_colour_short", missing, players, entries=_suspects(entries))


def _suspects(entries: Sequence[MoneyEntry]) -> tuple[int, ...]:
    """The last cash-outs, and equal buy-ins of one player in a row."""
    standing = [one for one in entries if one.stands]
    outs = [one.number for one in standing if one.kind in ("cashout", "leave")][-2:]
    buys = [one for one in standing if one.kind in ("buy", "iou", "seat")]
    twice = [
        later.number
        for earlier, later in pairwise(buys)
        if (earlier.player, earlier.amount) == (later.player, later.amount)
    ]
    return tuple(sorted({*outs, *twice}))[-MOST_NAMED:]


def _from_entries(
    amount: Amount, entries: Sequence[MoneyEntry], players: tuple[str, ...] = ()
) -> Iterator[Cause]:
    """The bookkeeper's checks: digits swapped, an entry on the wrong side, an entry missed or made twice."""
    swapped = _numbers(one for one in entries if amount in _swaps(one.amount))
    if amount % 9 == 0 and swapped:
        yield Cause("swapped", amount, players, entries=tuple(swapped[-MOST_NAMED:]))
    missed = _numbers(one for one in entries if one.amount == amount)
    if missed:
        yield Cause("missed", amount, players, entries=tuple(missed[-MOST_NAMED:]))
    halves = _numbers(one for one in entries if 2 * one.amount == amount)
    if halves:
        yield Cause("wrong_side", amount, players, entries=tuple(halves[-MOST_NAMED:]))


def _numbers(entries: Iterable[MoneyEntry]) -> list[int]:
    """Each number once: a loan is an entry of two players."""
    return list(dict.fromkeys(one.number for one in entries))


def _swaps(amount: Amount) -> set[Amount]:
    """By how much an amount changes when two neighbouring digits of it are swapped."""
    digits = str(amount)
    found = set()
    for place in range(len(digits) - 1):
        swapped = digits[:place] + digits[place + 1] + digits[place] + digits[place + 2 :]
        found.add(abs(int(swapped) - amount))
    return found - {0}
