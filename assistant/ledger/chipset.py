"""A set of chips by denomination: what it is worth, and how an amount is made up of it.

Only what leaves and enters the rack is known by denomination; the table moves its chips itself (LEDGER.md
6.5).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import gcd

from assistant.errors import Refusal
from assistant.money import CHIPS, Amount, Currency, format_amount, parse_amount

Denominations = tuple[tuple[Amount, int], ...]
"""(value of a chip, how many), the largest chip first. In a change of the rack the counts may be negative."""

ANTES = 10
"""A buy-in has small chips for so many antes."""
MOST_DENOMINATIONS = 12
MOST_CHIPS = 100_000
_MOST_STEPS = 20_000
_NEAREST_STEPS = 400
_MOST_CHANGE = 1_000
_CHIPS = re.compile(r"([0-9]{1,6})[xX×хХ]([0-9.]+)")  # the Cyrillic letter lies on the same key


def tidy(chips: Iterable[tuple[Amount, int]]) -> Denominations:
    """Return chips with one pair a denomination, the largest first, none that is not there."""
    counts: dict[Amount, int] = {}
    for value, count in chips:
        counts[value] = counts.get(value, 0) + count
    return tuple((value, counts[value]) for value in sorted(counts, reverse=True) if counts[value])


def worth(chips: Denominations) -> Amount:
    """Return the face value."""
    return sum(value * count for value, count in chips)


def plus(chips: Denominations, change: Denominations) -> Denominations:
    """Return the chips after a change; a count may become negative, which the caller refuses."""
    return tidy((*chips, *change))


def minus(chips: Denominations, change: Denominations) -> Denominations:
    """Return the chips without others."""
    return plus(chips, negated(change))


def negated(chips: Denominations) -> Denominations:
    """Return the change that takes another one back."""
    return tuple((value, -count) for value, count in chips)


def has_negative(chips: Denominations) -> bool:
    """Whether there are fewer than no chips of a denomination."""
    return any(count < 0 for _value, count in chips)


def write_chips(chips: Denominations, currency: Currency = CHIPS) -> str:
    """Write chips as they are said and typed: ``2x25 + 1x5``."""
    return " + ".join(f"{abs(count)}x{_short(value, currency)}" for value, count in chips)


def _short(value: Amount, currency: Currency) -> str:
    text = format_amount(value, currency)
    return text.removesuffix("." + "0" * currency.decimals) if currency.decimals else text


def is_chips(word: str) -> bool:
    """Whether a word is meant as chips of a denomination: ``2x25``."""
    return _CHIPS.fullmatch(word) is not None


def read_chips(words: Iterable[str], currency: Currency = CHIPS) -> Denominations:
    """Read ``2x25 1x5`` (also with ``+`` between).

    Raises:
        Refusal: E_AMOUNT for what are no chips.
    """
    found = []
    for word in words:
        if word == "+":
            continue
        match = _CHIPS.fullmatch(word)
        if match is None:
            raise Refusal("E_AMOUNT", "chips_unread", {"found": word})
        value = parse_amount(match[2], currency, point_only=True)
        if value < 1:
            raise Refusal("E_AMOUNT", "chips_unread", {"found": word})
        found.append((value, int(match[1])))
    chips = tidy(found)
    if len(chips) > MOST_DENOMINATIONS or sum(count for _value, count in chips) > MOST_CHIPS:
        raise Refusal("E_AMOUNT", "chips_too_many", {"most": MOST_DENOMINATIONS, "chips": MOST_CHIPS})
    if not chips:
        raise Refusal("E_AMOUNT", "chips_unread", {"found": " ".join(words)})
    return chips


# --- making up an amount ------------------------------------------------------------------------------------


def break_down(amount: Amount, chips: Denominations) -> Denominations | None:
    """Return chips that make up an amount, large ones as far as they go; None where these cannot.

    Args:
        amount: At least 0.
        chips: What is there.
    """
    return _Search(chips).run(amount)


def break_down_buy_in(amount: Amount, rack: Denominations, ante: Amount = 0) -> Denominations | None:
    """Return the chips for a buy-in: small ones for ten antes, the rest large, never more than the rack has.

    Args:
        amount: At least 0.
        rack: What the rack holds.
        ante: What a round costs everybody; 0 where there is no ante.
    """
    small = tuple((value, count) for value, count in rack if value <= ante)
    if small:
        most = min(amount, ante * ANTES, worth(small))
        step = small[-1][0]
        search, steps = _Search(small), 0
        for part in range(most - most % step, 0, -step):
            if search.steps + steps > _MOST_STEPS:
                break  # an odd set: three chips of 1 beside thousands
            first = search.run(part)
            if first is None:
                continue
            others = _Search(minus(rack, first))
            rest = others.run(amount - part)
            if rest is not None:
                return plus(first, rest)
            steps += others.steps
    return break_down(amount, rack)


def take_in(amount: Amount, chips: Denominations, rack: Denominations) -> Denominations | None:
    """Return what comes to the rack when chips are cashed: large ones first, and change given back where the
    chips outside don't make up the amount; None where that can't be.

    Args:
        amount: At least 0.
        chips: What is outside.
        rack: What the rack has to give change.
    """
    for change in range(_MOST_CHANGE):
        given = break_down(amount + change, chips)
        back = break_down(change, rack) if given is not None else None
        if given is not None and back is not None:
            return minus(given, back)
        if amount + change > worth(chips):
            return None
    return None


def nearest_amounts(amount: Amount, chips: Denominations) -> tuple[Amount, ...]:
    """Return the nearest amounts below and above that these chips make up; none where there are none near."""
    values = [value for value, count in chips if count > 0]
    if not values:
        return ()
    step = gcd(*values)
    below = range(amount - (amount % step or step), 0, -step)
    above = range(amount - amount % step + step, worth(chips) + 1, step)
    found = (_first_possible(order[:_NEAREST_STEPS], chips) for order in (below, above))
    return tuple(one for one in found if one is not None)


def _first_possible(amounts: range, chips: Denominations) -> Amount | None:
    return next((amount for amount in amounts if break_down(amount, chips) is not None), None)


class _Search:
    """Tries the most of the largest chip first, and less of it only where the rest can't be made up.

    Several amounts may be asked of the same chips; `steps` says how much was tried in all.
    """

    def __init__(self, chips: Denominations) -> None:
        self._chips = tuple(sorted((pair for pair in chips if pair[1] > 0), reverse=True))
        self.steps = 0
        self._impossible: set[tuple[int, Amount]] = set()
        self._worth = [worth(self._chips[place:]) for place in range(len(self._chips) + 1)]
        self._step = [
            gcd(*(value for value, _count in self._chips[place:])) for place in range(len(self._chips) + 1)
        ]

    def run(self, amount: Amount) -> Denominations | None:
        self.steps += 1
        found = self._make(0, amount)
        return tidy(found) if found is not None else None

    def _make(self, place: int, amount: Amount) -> list[tuple[Amount, int]] | None:
        if amount == 0:
            return []
        if not self._is_possible(place, amount):
            return None
        self.steps += 1
        value, _count = self._chips[place]
        for count in self._counts(place, amount):
            rest = self._make(place + 1, amount - value * count)
            if rest is not None:
                return [(value, count), *rest]
        self._impossible.add((place, amount))
        return None

    def _counts(self, place: int, amount: Amount) -> Iterator[int]:
        value, count = self._chips[place]
        return iter(range(min(count, amount // value), -1, -1))

    def _is_possible(self, place: int, amount: Amount) -> bool:
        return (
            place < len(self._chips)
            and self.steps < _MOST_STEPS
            and amount <= self._worth[place]
            and amount % self._step[place] == 0
            and (place, amount) not in self._impossible
        )
