"""Where chips lie, and how they move: places at the table and outside it, which together always hold zero."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from assistant.money import Amount

POOL = "pool"
BANK = "bank"
HOUSE = "house"


def stack_of(player: str) -> str:
    """The place of the chips in front of a player."""
    return f"stack:{player}"


def bet_of(player: str) -> str:
    """The place of a player's chips on the layout, not yet in the pool."""
    return f"bet:{player}"


def bought_by(player: str) -> str:
    """Outside the table: what a player bought, as a negative amount."""
    return f"in:{player}"


def cashed_by(player: str) -> str:
    """Outside the table: what a player cashed out."""
    return f"out:{player}"


CARRIED = "carried"
MISSING = "missing"
HELD = "held"
"""Missing chips that nobody bears until they are found, and the money that is credited for them."""


@dataclass(frozen=True, slots=True)
class Move:
    """`amount` chips go from one place to another."""

    source: str
    target: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class Holdings:
    """How many chips lie where; places that hold nothing are not listed.

    Only `house` (a casino bank without a float) and places outside the table may be below zero.
    """

    places: Mapping[str, Amount] = field(default_factory=lambda: MappingProxyType({}))

    def at(self, place: str) -> Amount:
        """Chips at a place."""
        return self.places.get(place, 0)

    def stack(self, player: str) -> Amount:
        """Chips in front of a player."""
        return self.at(stack_of(player))

    def bet(self, player: str) -> Amount:
        """Chips of a player on the layout."""
        return self.at(bet_of(player))

    def moved(self, moves: Iterable[Move]) -> Holdings:
        """Return the holdings after some moves; nothing is created or lost."""
        places = dict(self.places)
        for move in moves:
            places[move.source] = places.get(move.source, 0) - move.amount
            places[move.target] = places.get(move.target, 0) + move.amount
        if not all(places.values()):
            places = {place: amount for place, amount in places.items() if amount}
        return Holdings(MappingProxyType(places))

    def difference(self, later: Holdings) -> dict[str, Amount]:
        """What changed at each place from these holdings to `later`."""
        before, after = self.places, later.places
        if before is after:
            return {}
        changes = {
            place: after.get(place, 0) - amount
            for place, amount in before.items()
            if after.get(place, 0) != amount
        }
        changes.update((place, amount) for place, amount in after.items() if place not in before)
        return changes

    def total(self) -> Amount:
        """Chips at all places together; zero where the outside is counted too."""
        return sum(self.places.values())


def as_moves(difference: dict[str, Amount]) -> tuple[Move, ...]:
    """Moves that bring about a difference that sums to zero, in the order of the places."""
    givers = [(place, -amount) for place, amount in difference.items() if amount < 0]
    takers = [(place, amount) for place, amount in difference.items() if amount > 0]
    moves = []
    while givers and takers:
        (source, has), (target, needs) = givers[0], takers[0]
        amount = min(has, needs)
        moves.append(Move(source, target, amount))
        givers[0], takers[0] = (source, has - amount), (target, needs - amount)
        givers = givers if givers[0][1] else givers[1:]
        takers = takers if takers[0][1] else takers[1:]
    return tuple(moves)
