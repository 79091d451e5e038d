"""What is said and what happens in several games: the actions and events they share."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.cards import Card
from assistant.games.base import (
    Action,
    Choice,
    Event,
    IllegalAction,
    Prompt,
)
from assistant.games.card_table import Table
from assistant.money import Amount
from assistant.talk import Words

# --- actions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OpenRound(Action):
    """The next round: a fresh deck, and the antes where the game has them."""


@dataclass(frozen=True)
class DealHands(Action):
    """Hands are out; exceptions are a player and the number of cards they got."""

    exceptions: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Fold(Action):
    """The hand is thrown in unseen."""

    player: str


@dataclass(frozen=True)
class Pass(Action):
    """A player does not bet."""

    player: str


@dataclass(frozen=True)
class Call(Action):
    """Play without a raise (casino); pay what others have bet (Rake)."""

    player: str


@dataclass(frozen=True)
class Raise(Action):
    """Raise the bet: by an amount, by the ante when none is named (casino), to a total (Rake)."""

    player: str
    amount: Amount | None = None


@dataclass(frozen=True)
class Show(Action):
    """A hand is shown: a winning card, or all of it."""

    player: str
    cards: tuple[Card, ...]


# --- events -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BetPlaced(Event):
    """A bet lies on the table and is fixed."""

    player: str
    amount: Amount


@dataclass(frozen=True)
class Passed(Event):
    """A player does not bet."""

    player: str


@dataclass(frozen=True)
class Called(Event):
    """A player plays without a raise, or pays what others have bet."""

    player: str


@dataclass(frozen=True)
class PlayersDropped(Event):
    """Players without chips have no turn."""

    players: tuple[str, ...]


@dataclass(frozen=True)
class PoolRefilled(Event):
    """The pool or pot was empty (or short): antes in mid-round; players who cannot pay are dropped."""

    payers: tuple[str, ...]
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True)
class PoolDivided(Event):
    """The pool or pot was divided among players."""

    shares: tuple[tuple[str, Amount], ...]


def dealt_words(words: Words) -> DealHands:
    """Read what follows ``dealt``: exceptions only."""
    exceptions = []
    while words.more:
        player = words.player()
        exceptions.append((player, words.number()))
    return DealHands(tuple(exceptions))


SHARED_TYPES: tuple[type, ...] = (
    OpenRound,
    DealHands,
    Fold,
    Pass,
    Call,
    Raise,
    Show,
    BetPlaced,
    Passed,
    Called,
    PlayersDropped,
    PoolRefilled,
    PoolDivided,
)


# --- too few to open a round --------------------------------------------------------------------------------


def too_few(table: Table, able: int, least: Amount) -> IllegalAction:
    """Say why a round can't be opened: fewer than two have the chips, or enough have and some sit out.

    Args:
        table: The table.
        able: How many play and have at least `least`.
        least: What a player needs to be in the round.
    """
    out = len(table.sitting_out(least))
    reason = "players_sit_out" if able + out >= 2 else "pool_players"
    return IllegalAction("E_PLAYERS", reason, {"found": able, "ante": least, "out": out})


def ask_more_players(table: Table, able: int, least: Amount) -> Prompt:
    """Wait until two can play: somebody comes back, or buys in."""
    out = len(table.sitting_out(least))
    do = "need_back" if able + out >= 2 else "need_players"
    return Prompt(do, "", {"players": able, "ante": least, "out": out}, choices=(Choice("shuffle"),))
