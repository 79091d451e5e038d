"""Settlement: who pays whom, in the fewest payments there can be.

The fewest payments are n - k: n people have a result that isn't zero, and k is the largest number of groups
they split into whose results sum to zero. Finding k is NP-complete; with n up to 20 it is small all the same.
Exact opposites are a group of their own without loss. Of the rest equal results are interchangeable, so that
a state is how many of each are used, and the most groups in each state follow from the states with one less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, permutations
from math import prod
from operator import mul

from assistant.errors import AssistantError
from assistant.money import Amount

MOST_STATES = 2**20
"""Above it the plan is made without proof; 20 people with a result never reach it."""
_LOW_STATES = 2**10
_MOST_ORDERED = 4
"""All orders of more names than that are too many to try."""


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


def settle(nets: Mapping[str, Amount], apart: Collection[frozenset[str]] = (), through: str = "") -> Plan:
    """Return a plan with the fewest payments; the same one for the same nets in the same order.

    Args:
        nets: Result of each player (and node such as the house), plus for what they receive, in seat order.
        apart: Pairs that must not pay each other. Where the fewest payments can't be had without one of them,
            the plan is made without proof and says so.
        through: Whom two of a pair pay through when nobody else is left to pay.

    Raises:
        NetsDoNotBalance: They don't sum to zero.
    """
    total = sum(nets.values())
    if total:
        raise NetsDoNotBalance(total)
    found = _pay_in_groups(nets, apart)
    transfers = _pay_without_proof(nets, apart, through) if found is None else found
    seat = {name: number for number, name in enumerate((*nets, *([through] if through not in nets else ())))}
    transfers.sort(key=lambda transfer: (seat[transfer.payer], seat[transfer.payee]))
    return Plan(tuple(transfers), found is not None)


def _pay_in_groups(nets: Mapping[str, Amount], apart: Collection[frozenset[str]]) -> list[Transfer] | None:
    """Settle the most groups there can be, each by itself; None where that is too much work, or where a group
    can't do without a pair that must stay apart."""
    transfers, rest = _opposites(nets, apart)
    if _states(rest) > MOST_STATES:
        return None
    for group in _groups(rest):
        paid = _pay_within(group, apart)
        if paid is None:
            return None
        transfers += paid
    return transfers


def _is_apart(transfer: Transfer, apart: Collection[frozenset[str]]) -> bool:
    return bool(apart) and frozenset((transfer.payer, transfer.payee)) in apart


def _opposites(
    nets: Mapping[str, Amount], apart: Collection[frozenset[str]] = ()
) -> tuple[list[Transfer], dict[str, Amount]]:
    """Let everybody who owes exactly what somebody is owed pay that; first come, first served by seat."""
    waiting: dict[Amount, list[str]] = {}
    transfers = []
    for name, net in nets.items():
        if not net:
            continue
        partners = waiting.get(-net, [])
        partner = next((one for one in partners if not apart or frozenset((one, name)) not in apart), None)
        if partner is None:
            waiting.setdefault(net, []).append(name)
            continue
        partners.remove(partner)
        payer, payee = (name, partner) if net < 0 else (partner, name)
        transfers.append(Transfer(payer, payee, abs(net)))
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


def _pay_within(group: Mapping[str, Amount], apart: Collection[frozenset[str]]) -> list[Transfer] | None:
    """Settle a group that can't be split with one payment less than it has members.

    Any order of payers and payees does it; the one is taken in which the busiest person has least to do. None
    where no order keeps apart who must stay so.
    """
    payers = [name for name, net in group.items() if net < 0]
    payees = [name for name, net in group.items() if net > 0]
    has_pair = bool(apart) and any(frozenset((one, other)) in apart for one in payers for other in payees)
    orders = _all_orders if has_pair else _orders
    best: tuple[tuple[int, ...], list[Transfer]] | None = None
    for owing in orders(group, payers):
        for owed in orders(group, payees):
            transfers = _pay_in_order(group, owing, owed)
            if has_pair and any(_is_apart(one, apart) for one in transfers):
                continue
            business = _business(transfers)
            if best is None or business < best[0]:
                best = (business, transfers)
    return best[1] if best is not None else None


def _orders(group: Mapping[str, Amount], names: list[str]) -> list[list[str]]:
    rising = sorted(names, key=lambda name: abs(group[name]))
    return [names, rising, rising[::-1]]


def _all_orders(group: Mapping[str, Amount], names: list[str]) -> list[list[str]]:
    """Every order of a few names, else every rotation of the usual ones."""
    if len(names) <= _MOST_ORDERED:
        return [list(order) for order in permutations(names)]
    return [order[start:] + order[:start] for order in _orders(group, names) for start in range(len(names))]


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


def _pay_without_proof(
    nets: Mapping[str, Amount], apart: Collection[frozenset[str]], through: str
) -> list[Transfer]:
    """Exact opposites first, then the largest debtor pays the largest creditor; ties by seat."""
    transfers, open_ = _opposites(nets, apart)
    while any(open_.values()):
        transfer = _largest(open_, apart) or _largest(open_, ())
        assert transfer is not None
        if through and _is_apart(transfer, apart):
            transfers.append(replace(transfer, payee=through))
            transfers.append(replace(transfer, payer=through))
        else:
            transfers.append(transfer)
        open_[transfer.payer] += transfer.amount
        open_[transfer.payee] -= transfer.amount
    return _joined(transfers)


def _largest(open_: Mapping[str, Amount], apart: Collection[frozenset[str]]) -> Transfer | None:
    """The largest debtor who may pay somebody pays the largest creditor they may pay."""
    payers = sorted((name for name in open_ if open_[name] < 0), key=lambda name: open_[name])
    payees = sorted((name for name in open_ if open_[name] > 0), key=lambda name: -open_[name])
    for payer in payers:
        for payee in payees:
            if not apart or frozenset((payer, payee)) not in apart:
                return Transfer(payer, payee, min(-open_[payer], open_[payee]))
    return None


def _joined(transfers: list[Transfer]) -> list[Transfer]:
    """One payment a pair."""
    sums: dict[tuple[str, str], Amount] = {}
    for one in transfers:
        sums[one.payer, one.payee] = sums.get((one.payer, one.payee), 0) + one.amount
    return [Transfer(payer, payee, amount) for (payer, payee), amount in sums.items()]
