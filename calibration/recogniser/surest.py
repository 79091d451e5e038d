"""Of several outlines tried for one card, the one that reads best, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from calibration.frames import Corners
from calibration.recogniser.judge import Named
from calibration.recogniser.reading import SeenCard
from calibration.recogniser.rectify import FlatCard, side_lengths

Tried: TypeAlias = tuple[Corners, FlatCard, Named]
"""An outline, the card straightened by it, and what that was read as."""


def faces_of(tried: Sequence[Tried]) -> list[Tried]:
    """Those that look like a card's face, the surest first."""
    faces = [item for item in tried if item[2].is_face]
    return sorted(faces, key=lambda item: (not item[2].reason, item[2].confidence), reverse=True)


def seen_card(faces: Sequence[Tried], reason: str, least_long_px: float) -> SeenCard:
    """The surest face as a seen card.

    Args:
        faces: As `faces_of` gives them, at least one.
        reason: Why it can't be named; empty when it can.
        least_long_px: Cards with shorter long sides are never named.
    """
    quad, flat, said = faces[0]
    confidence = said.confidence
    if len({item[2].card for item in faces if not item[2].reason}) > 1:
        reason, confidence = "outlines_disagree", 0.5
    if side_lengths(quad)[1::2].mean() < least_long_px:
        reason, confidence = reason or "too_small", min(confidence, 0.5)
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return SeenCard(said.card, confidence, said.candidates, (a, b, c, d), flat.image, reason)
