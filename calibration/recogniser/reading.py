"""What the reader says about one picture: the cards it is sure of, those it isn't, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from assistant.cards import Card
from calibration.frames import Image

Point: TypeAlias = tuple[float, float]
Outline: TypeAlias = tuple[Point, Point, Point, Point]
"""A card's corners in picture pixels, clockwise from its top left."""


@dataclass(frozen=True, slots=True, eq=False)
class SeenCard:
    """One card outline and what was read in it.

    Attributes:
        card: The card, or None where nothing could be named at all. In `Reading.unsure` it is the best guess.
        confidence: 0 to 1; of the cards said with 0.99, 99 % should be right.
        candidates: Best first, with their share; they need not sum to 1.
        outline: Corners in picture pixels, clockwise from the card's top left.
        crop: The straightened card, (H, W, 3) uint8, BGR, to show beside a question.
        reason: Why it is unsure, as a stable code such as ``corners_disagree``; empty when sure.
        zone: The zone of the calibrated surface it lies in; None without a surface or outside all zones.
    """

    card: Card | None
    confidence: float
    candidates: tuple[tuple[Card, float], ...]
    outline: Outline
    crop: Image = field(repr=False)
    reason: str = ""
    zone: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """One picture read.

    Attributes:
        cards: Sure ones, from left to right.
        unsure: Card faces that were found but not named safely, from left to right; ask the dealer.
        reason: Why nothing was found, as a stable code such as ``no_outline``; empty when anything was.
    """

    cards: tuple[SeenCard, ...]
    unsure: tuple[SeenCard, ...]
    reason: str = ""
