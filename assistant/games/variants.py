"""The games there are: a name -> its class; third parties add theirs through the entry point group."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from warnings import warn

from assistant.errors import Refusal
from assistant.games import base
from assistant.games.acey_deucey import AceyDeucey
from assistant.games.acts import SHARED_TYPES
from assistant.games.bank import BankRedDog
from assistant.games.base import Game
from assistant.games.casino import CasinoRedDog
from assistant.games.options import read_options
from assistant.games.polish import PolishRedDog
from assistant.games.pool import BurnRedDog, PoolRedDog
from assistant.games.rake import Rake
from assistant.games.six_spot import SixSpotRedDog
from assistant.money import Currency

ENTRY_POINTS = "tableside.games"
GAMES: tuple[type[Game], ...] = (
    PoolRedDog,
    BurnRedDog,
    CasinoRedDog,
    BankRedDog,
    SixSpotRedDog,
    PolishRedDog,
    AceyDeucey,
    Rake,
)

COMMON_TYPES: tuple[type, ...] = (
    base.Bet,
    base.TurnCards,
    base.ExposeCard,
    base.Shuffle,
    base.Mispay,
    base.Correct,
    base.RoundOpened,
    base.RoundClosed,
    base.CardTurned,
    base.Shuffled,
    base.Mispaid,
    base.Corrected,
    base.BetSettled,
    *SHARED_TYPES,
)


@cache
def all_games() -> tuple[type[Game], ...]:
    """The games of this package and of any package that offers one under the group ``tableside.games``."""
    found = list(GAMES)
    for point in entry_points(group=ENTRY_POINTS):
        try:
            game = point.load()
        except Exception as error:  # noqa: BLE001, RUF100 - whatever another package does, ours are played on
            warn(f"The game {point.name} could not be loaded: {type(error).__name__}: {error}", stacklevel=2)
            continue
        if not (isinstance(game, type) and issubclass(game, Game)):
            warn(f"{point.name} ({point.value}) is no game.", stacklevel=2)
        elif game.name in {known.name for known in found}:
            warn(f"{point.name}: there is a game called {game.name} already.", stacklevel=2)
        else:
            found.append(game)
    return tuple(found)


def game_named(name: str) -> type[Game]:
    """Return the game of that name.

    Raises:
        Refusal: E_OPTION, naming the games there are.
    """
    games = {game.name: game for game in all_games()}
    if name.lower() not in games:
        raise Refusal("E_OPTION", "game_unknown", {"found": name, "known": ", ".join(games)})
    return games[name.lower()]


def build_game(name: str, typed: Mapping[str, str], currency: Currency) -> Game:
    """Return the game with the house rules that were typed; raises E_OPTION, E_AMOUNT, E_CONFIG."""
    kind = game_named(name)
    return kind.with_options(read_options(kind.options, typed, currency))


def is_game_verb(verb: str) -> bool:
    """Whether some game knows the verb."""
    return any(verb in game.verbs for game in all_games())


def stored_types() -> tuple[type, ...]:
    """The types of all games' actions and events, for the codec of the night file."""
    return (
        *COMMON_TYPES,
        *dict.fromkeys(kind for game in all_games() for kind in (*game.action_types, *game.event_types)),
    )
