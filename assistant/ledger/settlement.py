"""Settlement: who pays whom, in the fewest payments there can be.

The fewest payments are n - k: n people have a result that isn't zero, and k is the largest number of groups
they split into whose results sum to zero. Finding k is NP-complete; with n up to 20 it is small all the same.
Exact opposites are a group of their own without loss. Of the rest equal results are interchangeable, so that
a state is how many of each are used, and the most groups in each state follow from the states with one less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from math import prod
from operator import mul

from assistant.errors import AssistantError
from assistant.money import Amount

MOST_STATES = 2**20
"""Above it the plan is made without proof; 20 people with a result never reach it."""
_LOW_STATES = 2**10


class NetsDoNotBalance(AssistantError):
    """The results don't sum to zero; no plan can settle them.

    Attributes:
        total: What they sum to.
    """

    def __init__(self, total: Amount) -> None:
        super().__init__(f"The results sum to {total:+d}; they must sum to 0.", "Count the chips again.")
        self.total = total


@dataclass(frozen=True, slots=True)
class Transfer:
    """One payment."""

    payer: str
    payee: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class Plan:
    """Payments that settle a night.

    Attributes:
        transfers: By payer and payee in the order of the nets.
        minimal: Whether fewer payments are proved impossible.
    """

    transfers: tuple[Transfer, ...]
    minimal: bool = True


def settle(nets: Mapping[str, Amount]) -> Plan:
    """Return a plan with the fewest payments; the same one for the same nets in the same order.

    Args:
        nets: Result of each player (and node such as the house), plus for what they receive, in seat order.

    Raises:
        NetsDoNotBalance: They don't sum to zero.
    """
    total = sum(nets.values())
    if total:
        raise NetsDoNotBalance(total)
    transfers, rest = _opposites(nets)
    minimal = _states(rest) <= MOST_STATES
    if minimal:
        for group in _groups(rest):
            transfers += _pay_within(group)
    else:
        transfers += _pay_largest_first(rest)
    seat = {name: number for number, name in enumerate(nets)}
    transfers.sort(key=lambda transfer: (seat[transfer.payer], seat[transfer.payee]))
    return Plan(tuple(transfers), minimal)


def _opposites(nets: Mapping[str, Amount]) -> tuple[list[Transfer], dict[str, Amount]]:
    """Let everybody who owes exactly what somebody is owed pay that; first come, first served by seat."""
    waiting: dict[Amount, list[str]] = {}
    transfers = []
    for name, net in nets.items():
        partners = waiting.get(-net)
        if not net:
            continue
        if partners:
            payer, payee = (name, partners.pop(0)) if net < 0 else (partners.pop(0), name)
            transfers.append(Transfer(payer, payee, abs(net)))
        else:
            waiting.setdefault(net, []).append(name)
    left = set(chain.from_iterable(waiting.values()))
    return transfers, {name: net for name, net in nets.items() if name in left}


def _states(nets: Mapping[str, Amount]) -> int:
    return prod(count + 1 for count in Counter(nets.values()).values())


# --- the largest number of groups ------------------------------------------------------------------------


def _groups(nets: Mapping[str, Amount]) -> Iterator[dict[str, Amount]]:
    """Split people into as many groups of sum zero as possible."""
    names: dict[Amount, list[str]] = {}
    for name, net in nets.items():
        names.setdefault(net, []).append(name)
    for values in _value_groups(list(nets.values())):
        members = {names[value].pop(0) for value in values}
        yield {name: net for name, net in nets.items() if name in members}


def _value_groups(values: Sequence[Amount]) -> Iterator[list[Amount]]:
    """Split values into as many groups of sum zero as possible.

    The group of the last value can always be the last one; without that value there are half as many states.
    """
    if not values:
        return
    *free, last = values
    counts = Counter(free)
    kinds = tuple(counts)
    strides = tuple(accumulate((counts[kind] + 1 for kind in kinds[:-1]), mul, initial=1))
    most, sums = _most_groups(kinds, [counts[kind] for kind in kinds])
    state = len(most) - 1
    group = [last]
    while state:
        if sums(state) == 0:
            yield group
            group = []
        goal = most[state] - (sums(state) == 0)
        kind = next(
            index
            for index, stride in enumerate(strides)
            if state // stride % (counts[kinds[index]] + 1) and most[state - stride] == goal
        )
        group.append(kinds[kind])
        state -= strides[kind]
    yield group


class _Part:
    """The states of some of the kinds: the sum of each, and the strides to the states with one less."""

    def __init__(self, kinds: Sequence[Amount], counts: Sequence[int], scale: int) -> None:
        self.sums: list[Amount] = [0]
        self.smaller: list[tuple[int, ...]] = [()]
        for kind, count in zip(kinds, counts, strict=True):
            stride = len(self.sums) * scale
            self.smaller = [
                (*steps, stride) if used else steps for used in range(count + 1) for steps in self.smaller
            ]
            self.sums = [sum_ + used * kind for used in range(count + 1) for sum_ in self.sums]


class _Sums:
    """The sum of each state, put together from the two parts."""

    def __init__(self, low: _Part, high: _Part) -> None:
        self._low, self._high = low.sums, high.sums

    def __call__(self, state: int) -> Amount:
        above, below = divmod(state, len(self._low))
        return self._low[below] + self._high[above]


def _most_groups(kinds: Sequence[Amount], counts: Sequence[int]) -> tuple[bytearray, _Sums]:
    """Return for each state the largest number of groups of sum zero within it, counting nobody as one.

    States are numbered by how many of each kind they use, so that states with less come first. They are gone
    through in blocks of equal high kinds: what the high kinds contribute comes for a whole block at once.
    """
    split = _split(counts)
    low = _Part(kinds[:split], counts[:split], 1)
    width = len(low.sums)
    high = _Part(kinds[split:], counts[split:], width)
    steps = list(zip(low.sums, low.smaller, strict=True))
    most = bytearray(width * len(high.sums))
    for number, high_sum in enumerate(high.sums):
        start = number * width
        blocks = [most[start - stride : start - stride + width] for stride in high.smaller[number]]
        best = _highest(blocks, width)
        for below, (low_sum, smaller) in enumerate(steps):
            here = best[below]
            for stride in smaller:
                if best[below - stride] > here:
                    here = best[below - stride]
            best[below] = here + (low_sum == -high_sum)
        most[start : start + width] = best
    return most, _Sums(low, high)


def _split(counts: Sequence[int]) -> int:
    """How many kinds make up the low part."""
    states = 1
    for number, count in enumerate(counts):
        states *= count + 1
        if states > _LOW_STATES:
            return max(number, 1)
    return len(counts)


def _highest(blocks: Sequence[bytearray], width: int) -> bytearray:
    if len(blocks) > 1:
        return bytearray(map(max, *blocks))
    return bytearray(blocks[0]) if blocks else bytearray(width)


# --- payments ---------------------------------------------------------------------------------------------


def _pay_within(group: Mapping[str, Amount]) -> list[Transfer]:
    """Settle a group that can't be split with one payment less than it has members.

    Any order of payers and payees does it; the one is taken in which the busiest person has least to do.
    """
    payers = [name for name, net in group.items() if net < 0]
    payees = [name for name, net in group.items() if net > 0]
    plans = [
        _pay_in_order(group, owing, owed)
        for owing in _orders(group, payers)
        for owed in _orders(group, payees)
    ]
    return min(plans, key=_business)


def _orders(group: Mapping[str, Amount], names: list[str]) -> list[list[str]]:
    rising = sorted(names, key=lambda name: abs(group[name]))
    return [names, rising, rising[::-1]]


def _pay_in_order(group: Mapping[str, Amount], payers: list[str], payees: list[str]) -> list[Transfer]:
    open_ = {name: abs(net) for name, net in group.items()}
    owing, owed = iter(payers), iter(payees)
    payer, payee = next(owing, ""), next(owed, "")
    transfers = []
    while payer and payee:
        amount = min(open_[payer], open_[payee])
        transfers.append(Transfer(payer, payee, amount))
        open_[payer] -= amount
        open_[payee] -= amount
        payer, payee = (
            (payer if open_[payer] else next(owing, "")),
            (payee if open_[payee] else next(owed, "")),
        )
    return transfers


def _business(transfers: list[Transfer]) -> tuple[int, ...]:
    """How many payments people make or get, the busiest first."""
    people = Counter(name for transfer in transfers for name in (transfer.payer, transfer.payee))
    return tuple(sorted(people.values(), reverse=True))


def _pay_largest_first(nets: Mapping[str, Amount]) -> list[Transfer]:
    """Let the largest debtor pay the largest creditor until nobody owes anything; ties by seat."""
    open_ = dict(nets)
    transfers = []
    while any(open_.values()):
        payer = min(open_, key=lambda name: open_[name])
        payee = max(open_, key=lambda name: open_[name])
        amount = min(-open_[payer], open_[payee])
        transfers.append(Transfer(payer, payee, amount))
        open_[payer] += amount
        open_[payee] -= amount
    return transfers
