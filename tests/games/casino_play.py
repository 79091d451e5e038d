"""A casino table in a test: what was said goes in, state and chips come out."""

import pytest

from assistant.cards import Shoe, parse_card
from assistant.errors import Refusal
from assistant.games.base import (
    Action,
    Event,
    TurnCards,
    run,
)
from assistant.games.card_table import Seat, Table
from assistant.games.casino import CasinoRedDog
from assistant.games.casino_table import (
    CasinoState,
)
from assistant.games.variants import build_game
from assistant.holdings import Holdings, Move, bought_by, stack_of
from assistant.money import CHIPS


class Playing:
    """A casino table in a test: players P, Q, R … with their stacks."""

    def __init__(self, *stacks: int, decks: int = 1, **rules: str) -> None:
        typed = {"decks": str(decks), **{name.removesuffix("_"): value for name, value in rules.items()}}
        game = build_game("casino-red-dog", typed, CHIPS)
        assert isinstance(game, CasinoRedDog)
        self.game = game
        names = [f"P{number}" if number > 9 else "PQRSTUVWXY"[number] for number in range(len(stacks))]
        moves = [
            Move(bought_by(name), stack_of(name), stack) for name, stack in zip(names, stacks, strict=True)
        ]
        chips = Holdings().moved(moves)
        seats = tuple(Seat(name) for name in names)
        self.state = game.start(Table(seats, chips=chips, shoe=Shoe(decks)))

    def do(self, *actions: Action) -> tuple[Event, ...]:
        """Carry out actions; return the events of the last one."""
        events: tuple[Event, ...] = ()
        for action in actions:
            events = self.game.decide(self.state, action)
            state = run(self.game, self.state, events)
            assert isinstance(state, CasinoState)
            assert state.table.chips.total() == 0
            self.state = state
        return events

    def cards(self, text: str) -> tuple[Event, ...]:
        return self.do(TurnCards(tuple(parse_card(word, bare_rank=True) for word in text.split())))

    def refusal(self, action: Action) -> str:
        with pytest.raises(Refusal) as caught:
            self.game.decide(self.state, action)
        return caught.value.code

    def stack(self, player: str = "P") -> int:
        return self.state.table.chips.stack(player)

    @property
    def house(self) -> int:
        return self.state.table.chips.at("house")


def cards(text: str) -> TurnCards:
    return TurnCards(tuple(parse_card(word, bare_rank=True) for word in text.split()))
