"""A pool table for tests: actions go in, stacks, pool and refusals come out."""

from collections.abc import Callable
from typing import Any

import pytest

from assistant.cards import Card, parse_card
from assistant.errors import Refusal
from assistant.games.acts import DealHands, OpenRound
from assistant.games.base import (
    Action,
    Bet,
    Event,
    TurnCards,
    run,
)
from assistant.games.card_table import Seat, Table
from assistant.games.pool import PoolRedDog, PoolState
from assistant.games.turns import Declare
from assistant.games.variants import build_game
from assistant.holdings import Holdings, Move, bought_by, stack_of
from assistant.money import CHIPS

NAMES = "ABCDEFGHIJK"


def cards(text: str) -> tuple[Card, ...]:
    return tuple(parse_card(word) for word in text.split())


Play = Callable[[str], dict[str, Any]]


class Playing:
    """A pool table in a test: players A, B, C … with their stacks; A deals first."""

    def __init__(self, *stacks: int, pool: int = 0, name: str = "red-dog-pool", **rules: str) -> None:
        game = build_game(name, {"hand": "3"} | rules, CHIPS)
        assert isinstance(game, PoolRedDog)
        self.game = game
        names = NAMES[: len(stacks)]
        moves = [
            Move(bought_by(name), stack_of(name), stack) for name, stack in zip(names, stacks, strict=True)
        ]
        chips = Holdings().moved([*moves, Move("carried", "pool", pool)])
        self.state = game.start(Table(tuple(Seat(name) for name in names), "A", chips))

    def do(self, *actions: Action) -> tuple[Event, ...]:
        """Carry out actions; return the events of the last one."""
        events: tuple[Event, ...] = ()
        for action in actions:
            events = self.game.decide(self.state, action)
            state = run(self.game, self.state, events)
            assert isinstance(state, PoolState)
            assert state.table.chips.total() == 0
            self.state = state
        return events

    def deal(self, *exceptions: tuple[str, int]) -> tuple[Event, ...]:
        return self.do(OpenRound(), DealHands(exceptions))

    def bet(self, player: str, amount: int, turned: str, *, wins: bool) -> tuple[Event, ...]:
        return self.do(Bet(player, amount), TurnCards(cards(turned)), Declare(player, wins))

    def refusal(self, action: Action) -> str:
        with pytest.raises(Refusal) as caught:
            self.game.decide(self.state, action)
        return caught.value.code

    @property
    def stacks(self) -> list[int]:
        return [self.state.table.chips.stack(player) for player in self.state.table.players]

    @property
    def pool(self) -> int:
        return self.state.pool
