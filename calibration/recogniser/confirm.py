"""From readings of many frames to one sighting per physical card, however it flickers.

A card counts after `STEADY_FRAMES` equal readings in a row at one place; it is gone after more than `GONE_FRAMES` without it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from assistant.cards import Card
from calibration.recogniser.reading import Reading, SeenCard

STEADY_FRAMES = 5
"""Equal readings in a row before a card counts (frames; camera_sequences.json H3)."""
GONE_FRAMES = 15
"""A card missing for up to this many frames is still the same card (frames; camera_sequences.json H6)."""


@dataclass(frozen=True, slots=True)
class CardSighted:
    """A physical card was put down and is read safely."""

    time_s: float
    card: Card
    seen: SeenCard = field(repr=False)


@dataclass(frozen=True, slots=True)
class CardAsked:
    """A card lies still but can't be read safely: ask the dealer, with `seen.crop` and `seen.candidates`."""

    time_s: float
    seen: SeenCard = field(repr=False)


@dataclass(frozen=True, slots=True)
class CardRepeated:
    """A card came a second time although every copy in the shoe was seen: a notice, no card."""

    time_s: float
    card: Card
    seen: SeenCard = field(repr=False)


Sighting: TypeAlias = CardSighted | CardAsked | CardRepeated


class Tracker:
    """Holds the cards on the surface; feed it one reading per frame.

    Args:
        decks: Decks in the shoe, so copies a card may have.
        steady_frames: Equal readings before a card counts; 1 for separate still pictures.
        gone_frames: Frames a card may be missing and still be the same; 0 for separate still pictures.
    """

    def __init__(self, decks: int = 1, steady_frames: int = STEADY_FRAMES, gone_frames: int = GONE_FRAMES) -> None:
        self._decks = decks
        self._steady_frames = steady_frames
        self._gone_frames = gone_frames

    def add(self, time_s: float, reading: Reading) -> tuple[Sighting, ...]:
        """Take one frame's reading and say what became certain with it, from left to right."""
        return ()

    def forget(self) -> None:
        """Start a new shoe: every card may come again (those lying there count as seen)."""
