"""The rounds of a night, kept so that one can be worked out again when a card in it was recorded wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assistant.games.base import Action, Event, Game, GameState
from assistant.records import replace

BLOCK = 64
"""Rounds a block: adding one copies at most a block and the list of blocks, however long the night is."""


@dataclass(frozen=True, slots=True)
class Act:
    """An action and what it caused."""

    action: Action
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Round:
    """A round from before its first act on: enough to work it out again.

    Attributes:
        game: The game with its house rules as they were.
        start: State before the first act.
        acts: What was said and caused.
        end: State after the last act; None while the round runs, and for a void one.
        voided: Whether it was called off.
    """

    game: Game
    start: GameState
    acts: tuple[Act, ...] = ()
    end: GameState | None = None
    voided: bool = False


@dataclass(frozen=True, slots=True)
class Rounds:
    """All rounds of a night, void ones too; numbers count from 1. Every act makes a new value."""

    blocks: tuple[tuple[Round, ...], ...] = ()

    def __len__(self) -> int:
        return (len(self.blocks) - 1) * BLOCK + len(self.blocks[-1]) if self.blocks else 0

    def __iter__(self) -> Iterator[Round]:
        return (one for block in self.blocks for one in block)

    def numbered(self, number: int) -> Round:
        """The round with a number from 1 to the length."""
        return self.blocks[(number - 1) // BLOCK][(number - 1) % BLOCK]

    @property
    def last(self) -> Round | None:
        """The latest round; None before the first."""
        return self.blocks[-1][-1] if self.blocks else None

    def added(self, new: Round) -> Rounds:
        """Return the rounds with one more at the end."""
        if not self.blocks or len(self.blocks[-1]) == BLOCK:
            return Rounds((*self.blocks, (new,)))
        return Rounds((*self.blocks[:-1], (*self.blocks[-1], new)))

    def with_round(self, number: int, new: Round) -> Rounds:
        """Return the rounds with the one of a number replaced."""
        block, place = divmod(number - 1, BLOCK)
        changed = (*self.blocks[block][:place], new, *self.blocks[block][place + 1 :])
        return Rounds((*self.blocks[:block], changed, *self.blocks[block + 1 :]))

    def with_last(self, act: Act, end: GameState | None) -> Rounds:
        """Return the rounds with one more act in the last one."""
        last = self.blocks[-1][-1]
        return self.with_round(len(self), replace(last, acts=(*last.acts, act), end=end))
