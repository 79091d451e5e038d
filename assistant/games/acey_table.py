"""The Acey-Deucey table: its phases, house rules, state, actions and events (RULES.md 8.1, 8.2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from assistant.cards import Card, Rank
from assistant.games.base import Action, Event, GameState
from assistant.holdings import POOL
from assistant.money import Amount
from assistant.records import replace

LOW_ACE, HIGH_ACE = 1, int(Rank.ACE)


class Phase(StrEnum):
    """The waiting states of RULES.md 8.2."""

    ANTE = "ANTE"
    POSTS = "POSTS"
    CALL_ACE = "CALL_ACE"
    BET = "BET"
    RESULT = "RESULT"


@dataclass(frozen=True)
class AceyDeuceyRules:
    """House rules (RULES.md 8.1); amounts in smallest units."""

    ante: Amount
    pair: str
    pair_bonus: Amount
    consecutive: str
    post_mult: int
    triple_mult: int
    ace: str
    lap_limit: str
    on_empty: str
    cover: str
    decks: int
    max_laps: int
    first_dealer: str


@dataclass(frozen=True)
class AceyDeuceyState(GameState):
    """The Acey-Deucey table.

    Attributes:
        players: The players of the round, the dealer last; empty between rounds.
        at: Whose turn it is, as a place in `players`.
        turns: Turns of this round that are over, skipped ones too.
        quiet: How many of the latest turns ended without a bet.
        posts: Values of the posts turned so far; a low ace is 1.
        called: How a first ace was called; empty for no call.
        side: ``higher`` or ``lower`` of a bet on a pair.
        window: Whose settlement can still be mended.
        mispaid: Player -> what they hold too much (or, negative, too little).
    """

    players: tuple[str, ...] = ()
    at: int = 0
    turns: int = 0
    quiet: int = 0
    posts: tuple[int, ...] = ()
    called: str = ""
    side: str = ""
    window: tuple[str, ...] = ()
    mispaid: tuple[tuple[str, Amount], ...] = ()

    @property
    def player(self) -> str:
        """Whose turn it is."""
        return self.players[self.at]

    @property
    def pot(self) -> Amount:
        """Chips in the pot."""
        return self.table.chips.at(POOL)

    @property
    def bet(self) -> Amount:
        """The bet on the table."""
        return self.table.chips.bet(self.player) if self.players else 0

    @property
    def is_pair(self) -> bool:
        """Whether both posts are of one value."""
        return len(self.posts) == 2 and self.posts[0] == self.posts[1]

    @property
    def has_both_aces(self) -> bool:
        """A low and a high ace: everything wins but the other two aces."""
        return set(self.posts) == {LOW_ACE, HIGH_ACE}

    @property
    def spread(self) -> int:
        """Ranks strictly between the posts; -1 for a pair."""
        return abs(self.posts[0] - self.posts[1]) - 1


# --- actions and events -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BetBetween(Action):
    """A bet that the third card falls between the posts, or on one side of a pair."""

    player: str
    amount: Amount
    side: str = ""


@dataclass(frozen=True)
class CallAce(Action):
    """The first post is an ace: ``low`` or ``high``."""

    player: str
    call: str


@dataclass(frozen=True)
class AceCalled(Event):
    """The ace counts 1 (``low``) or 14 (``high``)."""

    player: str
    call: str


@dataclass(frozen=True)
class PostsRedealt(Event):
    """The posts bring no bet and are dealt again to the same player."""


@dataclass(frozen=True)
class SideCalled(Event):
    """The side of a pair a bet is on."""

    player: str
    side: str


@dataclass(frozen=True)
class PostsPaid(Event):
    """A turn ended with its posts: a bonus from the pot, or the minimum bet into it."""

    player: str
    amount: Amount
    result: str


@dataclass(frozen=True)
class TurnSkipped(Event):
    """A player without chips has no turn."""

    player: str


# --- what cards mean and turns change -----------------------------------------------------------------------


def hits_post(state: AceyDeuceyState, card: Card) -> bool:
    """Whether the third card equals a post in rank; an ace equals an ace whatever it was called."""
    ranks = {HIGH_ACE if value == LOW_ACE else value for value in state.posts}
    return int(card.rank) in ranks


def wins(state: AceyDeuceyState, card: Card) -> bool:
    """Whether the third card wins the bet."""
    value = int(card.rank)
    if hits_post(state, card):
        return False
    if state.is_pair:
        return value > state.posts[0] if state.side == "higher" else value < state.posts[0]
    return min(state.posts) < value < max(state.posts)


def new_posts(state: AceyDeuceyState) -> AceyDeuceyState:
    """Wait for posts."""
    return replace(state, phase=Phase.POSTS, posts=(), called="", side="")


def next_turn(state: AceyDeuceyState, quiet: int) -> AceyDeuceyState:
    """Go on to the next player, after so many turns without a bet."""
    at = (state.at + 1) % len(state.players)
    return replace(new_posts(state), at=at, turns=state.turns + 1, quiet=quiet)
