"""High-card draw: everybody antes, each player gets one open card, the highest rank takes the pot.

A whole game in one module, as another package would bring it: the sample for whoever writes one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from assistant.games import options
from assistant.games.acts import OpenRound
from assistant.games.base import (
    Action,
    BetSettled,
    CardsDue,
    CardTurned,
    Choice,
    Event,
    Game,
    GameState,
    IllegalAction,
    Option,
    Prompt,
    Reader,
    RoundClosed,
    RoundOpened,
    Shuffle,
    Shuffled,
    TurnCards,
    evolve_common,
    turn_each,
)
from assistant.games.card_table import Table
from assistant.holdings import POOL, Move, stack_of
from assistant.money import Amount

CARD = "drawn"


@dataclass(frozen=True)
class DrawRules:
    """House rules."""

    ante: Amount


@dataclass(frozen=True)
class DrawState(GameState):
    """The players of the round in the order of their cards; empty between rounds."""

    players: tuple[str, ...] = ()

    @property
    def next_player(self) -> str | None:
        """Who gets the next card."""
        drawn = len(self.cards(CARD))
        return self.players[drawn] if drawn < len(self.players) else None


class HighCardDraw(Game[DrawState]):
    """The highest card takes the pot; equal ranks: the first of them from the dealer's left."""

    name = "high-card-draw"
    options: ClassVar[tuple[Option, ...]] = (options.amount("ante", "5", 1),)
    verbs: ClassVar[Mapping[str, Reader]] = {
        "round": lambda words: OpenRound(),
        "card": lambda words: TurnCards(words.cards()),
    }
    action_types = ()
    event_types = ()
    deals_face_down = False

    def __init__(self, rules: DrawRules) -> None:
        super().__init__(rules)
        self.house_rules = rules

    @classmethod
    def with_options(cls, values: Mapping[str, object]) -> HighCardDraw:
        """Return the game with the values of its options."""
        return cls(DrawRules(**values))  # type: ignore[arg-type]

    def start(self, table: Table) -> DrawState:
        """Between rounds."""
        return DrawState(table, "ANTE")

    def in_round(self, state: DrawState) -> bool:
        """Whether cards are being dealt."""
        return bool(state.players)

    def turn(self, state: DrawState) -> str | None:
        """Nobody decides anything here."""
        return None

    def decide(self, state: DrawState, action: Action) -> tuple[Event, ...]:
        """Say what an action causes; raises IllegalAction."""
        match action:
            case OpenRound() if not state.players:
                return self._open(state)
            case TurnCards() if state.players:
                return turn_each(self, state, action.cards, self._turn)
            case Shuffle() if not state.players:
                return (Shuffled(1),)
            case _:
                raise IllegalAction("E_PHASE", "other_game", {})

    def _open(self, state: DrawState) -> tuple[Event, ...]:
        players = self._able(state.table)
        if len(players) < 2:
            raise IllegalAction("E_PLAYERS", "At least two must pay the ante of {ante:money}.", self._facts())
        moves = tuple(Move(stack_of(player), POOL, self.house_rules.ante) for player in players)
        return (Shuffled(1), RoundOpened(players, state.table.dealer, moves=moves))

    def _able(self, table: Table) -> tuple[str, ...]:
        order = table.from_left_of(table.dealer)
        able = (player for player in order if table.chips.stack(player) >= self.house_rules.ante)
        return tuple(player for player in able if player in table.active)

    def _facts(self) -> dict[str, object]:
        return {"ante": self.house_rules.ante}

    def _turn(self, state: DrawState, card: object) -> tuple[Event, ...]:
        player = state.next_player
        if player is None:
            raise IllegalAction("E_PHASE", "card_not_due", {})
        turned = CardTurned(card, CARD, player)  # type: ignore[arg-type]
        after = self.evolve(state, turned)
        if after.next_player is not None:
            return (turned,)
        drawn = after.cards(CARD)
        best = max(range(len(drawn)), key=lambda place: (drawn[place].rank, -place))
        winner, pot = after.players[best], after.table.chips.at(POOL)
        won = BetSettled(winner, "win", 0, pot, moves=(Move(POOL, stack_of(winner), pot),))
        return (turned, won, RoundClosed(after.table.next_dealer()))

    def evolve(self, state: DrawState, event: Event) -> DrawState:
        """Return the state after an event."""
        after = evolve_common(state, event)
        match event:
            case RoundOpened():
                return replace(after, players=event.players, phase="DRAW")
            case RoundClosed():
                return replace(after, players=(), phase="ANTE")
            case _:
                return after

    def prompt(self, state: DrawState) -> Prompt:
        """Say what the table waits for, in sentences of its own."""
        if not state.players:
            if len(self._able(state.table)) < 2:
                return Prompt(
                    "BUY IN: two must pay {ante:money}", "", self._facts(), choices=(Choice("shuffle"),)
                )
            choices = (Choice("round"), Choice("shuffle"))
            return Prompt("OPEN the draw: ante {ante:money} each", "", self._facts(), choices=choices)
        facts = {"player": state.next_player}
        due = CardsDue(CARD, 1, len(state.players) - len(state.cards(CARD)), state.next_player)
        say = "{player:name}, your card."
        return Prompt("DEAL a card to {player:name}", say, facts, None, due, (Choice("card"),))
