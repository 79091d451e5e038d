"""The casino Red Dog table: its layout, phases, house rules, state, actions and events (RULES.md 7.1-7.4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from assistant.cards import Card
from assistant.games.base import Action, Event, GameState
from assistant.games.paytables import CASINO_PAIR_ODDS, casino_odds
from assistant.money import Amount

MAX_PLAYERS = 7
# The inner arc of the layout, left to right, with the odds printed under it (RULES.md 7.3); None is a tie.
LAYOUT: tuple[tuple[str, int | None], ...] = (
    *((field, casino_odds(spread)) for field, spread in (("1", 1), ("2", 2), ("3", 3), ("4-11", 4))),
    ("Cons", None),
    ("Pair", None),
    ("3 of a kind", CASINO_PAIR_ODDS),
)


class Phase(StrEnum):
    """The waiting states of RULES.md 7.4."""

    BETTING = "BETTING"
    DECISION = "DECISION"
    THIRD = "THIRD"


@dataclass(frozen=True)
class CasinoRules:
    """House rules (RULES.md 7.1); amounts in smallest units."""

    decks: int
    shuffle: str
    cut: Fraction
    raise_: str
    raise_short: str
    min: Amount
    max: Amount
    rebet: str
    chips: tuple[Amount, ...]
    house: str


@dataclass(frozen=True)
class Spot:
    """A player's spot: a stack of piles, the last one put on top; and what was decided about it."""

    player: str
    piles: tuple[Amount, ...]
    decided: bool = False
    raised: Amount = 0

    @property
    def ante(self) -> Amount:
        """The opening bet."""
        return sum(self.piles)


@dataclass(frozen=True)
class CasinoState(GameState):
    """The casino table.

    Attributes:
        dealing: Whether a round runs: from the first card until the settlement.
        spots: Spots with chips, in seat order.
        field: Where the marker stands; it stays through the settlement until chips are placed again.
        openings: What each player's "same bets" would put down, from their last finished round.
        window: Players whose settlement can still be mended.
        mispaid: Player -> what they hold too much (or, negative, too little).
        exposed: Cards burned since bets are open from the shoe of the coming round.
    """

    dealing: bool = False
    spots: tuple[Spot, ...] = ()
    field: str | None = None
    openings: tuple[tuple[str, tuple[Amount, ...]], ...] = ()
    window: tuple[str, ...] = ()
    mispaid: tuple[tuple[str, Amount], ...] = ()
    exposed: int = 0

    def spot(self, player: str) -> Spot | None:
        """A player's spot, if chips lie on it."""
        return next((spot for spot in self.spots if spot.player == player), None)

    def opening(self, player: str) -> tuple[Amount, ...]:
        """The piles of a player's last opening bet."""
        return dict(self.openings).get(player, ())

    @property
    def undecided(self) -> Spot | None:
        """The first spot that has neither called nor raised."""
        return next((spot for spot in self.spots if not spot.decided), None)


# --- actions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlaceChip(Action):
    """One chip of the rack on a player's spot."""

    player: str
    chip: Amount


@dataclass(frozen=True)
class RemovePile(Action):
    """The last thing put on a spot comes off again."""

    player: str


@dataclass(frozen=True)
class ClearSpot(Action):
    """All chips of a player come off."""

    player: str


@dataclass(frozen=True)
class Rebet(Action):
    """The opening chips of the player's last finished round go down again, all or nothing."""

    player: str


@dataclass(frozen=True)
class BankHouse(Action):
    """A player banks the game, with or without a float."""

    player: str
    float_: Amount | None = None


# --- events -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PilePlaced(Event):
    """Chips were put on a spot as one pile."""

    player: str
    pile: Amount


@dataclass(frozen=True)
class PileRemoved(Event):
    """The top pile came off a spot."""

    player: str
    pile: Amount


@dataclass(frozen=True)
class MarkerPlaced(Event):
    """The marker was put on the field that describes the first two cards (or moved to 3 of a kind)."""

    field: str
    spread: int


@dataclass(frozen=True)
class BetRaised(Event):
    """A player raised."""

    player: str
    amount: Amount


@dataclass(frozen=True)
class HouseBanked(Event):
    """A player banks the game from now on; the chips of whoever banked before went back."""

    player: str
    float_: Amount | None = None


def spread_of(first: Card, second: Card) -> int:
    """Cards strictly between two ranks: -1 for a pair, 0 for consecutive ranks, else 1 to 11; the ace is
    high."""
    return abs(first.rank - second.rank) - 1


def field_of(spread: int) -> str:
    """The field of the layout that describes the first two cards."""
    return {-1: "Pair", 0: "Cons", 1: "1", 2: "2", 3: "3"}.get(spread, "4-11")
