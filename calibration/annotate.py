"""Draws into a picture what was read in it: outlines, names, how sure, and why not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.frames import Image
from calibration.pixels import cv2
from calibration.recogniser.reading import Outline, Reading, SeenCard

SURE, UNSURE, PLAIN = (80, 220, 60), (40, 160, 255), (255, 255, 255)
"""Colours (B, G, R): a card that is named, one that is asked about, everything else."""
TEXT_HEIGHT_SHARE = 0.035
"""Height of the letters as a share of the picture's; never under `MIN_TEXT_PX`."""
MIN_TEXT_PX = 11.0
BASE_TEXT_PX = 22.0
"""Height in pixels of a capital of OpenCV's letters at scale 1."""


def annotated(image: Image, reading: Reading) -> Image:
    """Return a copy of the picture with every card outlined and named; the original is left as it is.

    Args:
        image: (H, W, 3) uint8, BGR.
        reading: What was read in this very picture.
    """
    drawn = image.copy()
    for seen in (*reading.unsure, *reading.cards):
        colour = UNSURE if seen.reason else SURE
        draw_outline(drawn, seen.outline, colour)
        _write(drawn, label_of(seen), seen.outline[0], colour)
    if reading.reason:
        _write(drawn, f"nothing read: {reading.reason.replace('_', ' ')}", (8.0, image.shape[0] - 8.0), PLAIN)
    return drawn


def draw_outline(image: Image, outline: Outline, colour: tuple[int, int, int]) -> None:
    """Draw a card's outline, the top edge twice as thick, so that it shows which way up it was read."""
    corners = np.array(outline, np.float32).round().astype(np.int32)
    thick = max(1, round(image.shape[0] / 360))
    cv2.polylines(image, [corners], True, colour, thick, cv2.LINE_AA)
    cv2.line(
        image, tuple(map(int, corners[0])), tuple(map(int, corners[1])), colour, 2 * thick + 1, cv2.LINE_AA
    )


def label_of(seen: SeenCard) -> str:
    """The words at a card: its name and how sure, or the candidates and why it is asked about."""
    if not seen.reason:
        return f"{seen.card} {seen.confidence:.0%}"
    guesses = " ".join(f"{card} {share:.0%}" for card, share in seen.candidates[:2])
    return f"? {guesses} {seen.reason.replace('_', ' ')}".replace("  ", " ")


def _write(image: Image, text: str, place: Sequence[float], colour: tuple[int, int, int]) -> None:
    """Write on a dark ground, kept inside the picture."""
    height_px = max(MIN_TEXT_PX, image.shape[0] * TEXT_HEIGHT_SHARE)
    scale = height_px / BASE_TEXT_PX * 0.7
    thick = max(1, round(scale * 1.6))
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    x = int(max(2, min(place[0], image.shape[1] - width - 2)))
    y = int(max(height + 4, min(place[1] - 6, image.shape[0] - below - 2)))
    cv2.rectangle(image, (x - 2, y - height - 3), (x + width + 2, y + below), (20, 20, 20), -1)
    cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, colour, thick, cv2.LINE_AA)
