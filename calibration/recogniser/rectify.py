"""From an outline to a flat, evenly coloured card and the views the networks look at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.errors import DegenerateOutline
from calibration.frames import Corners, Image
from calibration.pixels import cv2

CARD_WIDTH_PX, CARD_HEIGHT_PX = 224, 320
INDEX_WIDTH_PX, INDEX_HEIGHT_PX = 48, 80
BODY_WIDTH_PX, BODY_HEIGHT_PX = 64, 96
INDEX_SHARE_X, INDEX_SHARE_Y = 0.28, 0.36
"""Share of the card's width and height in which an index, jumbo included, lies (as render_cards.py draws)."""
HIDDEN_SHARE_X, HIDDEN_SHARE_Y = 0.21, 0.28
"""Share of the card covered in each corner before the body is judged, so that it can't repeat the index."""
PAPER_PERCENTILE = 80
"""Brightness rank that counts as bare paper in the card's outer ring."""
PAPER_LEVEL = 230
"""Paper is brought to this value in every channel (of 255), which takes warm and cold light out."""
MIN_AREA_PX = 100.0


@dataclass(frozen=True, slots=True, eq=False)
class FlatCard:
    """A straightened card.

    Attributes:
        image: (CARD_HEIGHT_PX, CARD_WIDTH_PX, 3) uint8, BGR, as the camera saw it.
        even: The same with its paper brought to a neutral white.
        paper: The paper's colour before that, BGR, 0 to 255.
    """

    image: Image
    even: Image
    paper: tuple[float, float, float]


def rectify(image: Image, corners: Corners) -> FlatCard:
    """Warp a card outline to an upright crop.

    Args:
        image: (H, W, 3) uint8, BGR.
        corners: (4, 2) float32, pixels, clockwise from the card's top left; the short side comes first.

    Raises:
        DegenerateOutline: The outline has (almost) no area.

    Source: planar homography, Hartley & Zisserman 2004, ch. 4.
    """
    if abs(float(cv2.contourArea(corners))) < MIN_AREA_PX:
        raise DegenerateOutline(f"An outline of {cv2.contourArea(corners):.0f} square pixels holds no card.")
    target = np.array(
        [[0, 0], [CARD_WIDTH_PX, 0], [CARD_WIDTH_PX, CARD_HEIGHT_PX], [0, CARD_HEIGHT_PX]], np.float32
    )
    transform = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    shrink = np.linalg.norm(corners[1] - corners[2]) > 2 * CARD_HEIGHT_PX
    flat = cv2.warpPerspective(
        image,
        transform,
        (CARD_WIDTH_PX, CARD_HEIGHT_PX),
        flags=cv2.INTER_AREA if shrink else cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return even_light(np.asarray(flat, np.uint8))


def even_light(flat: Image) -> FlatCard:
    """Bring the paper to a neutral white."""
    ring_x, ring_y = CARD_WIDTH_PX // 5, CARD_HEIGHT_PX // 8
    small = flat[2:-2:3, 2:-2:3]
    ring = np.ones(small.shape[:2], bool)
    ring[ring_y // 3 : -ring_y // 3, ring_x // 3 : -ring_x // 3] = False
    paper = np.maximum(np.percentile(small[ring], PAPER_PERCENTILE, axis=0), 25.0)
    table = np.clip(np.arange(256)[:, None] * (PAPER_LEVEL / paper)[None], 0, 255).astype(np.uint8)
    even = cv2.LUT(flat, table[None].reshape(1, 256, 3))
    blue, green, red = (float(value) for value in paper)
    return FlatCard(image=flat, even=np.asarray(even, np.uint8), paper=(blue, green, red))


def index_views(even: Image, inset: float = 0.0) -> tuple[Image, Image]:
    """The top left corner and, turned upright, the bottom right one.

    Args:
        even: An evenly lit flat card.
        inset: Shifts the views inwards (share of the card's width; negative: outwards), for a second look.

    Returns:
        Two (INDEX_HEIGHT_PX, INDEX_WIDTH_PX, 3) uint8 views.
    """
    return corner_view(even, inset), corner_view(even[::-1, ::-1], inset)


def corner_view(even: Image, inset: float = 0.0) -> Image:
    """The top left corner at the index network's size."""
    scale_x = INDEX_WIDTH_PX / (INDEX_SHARE_X * CARD_WIDTH_PX)
    scale_y = INDEX_HEIGHT_PX / (INDEX_SHARE_Y * CARD_HEIGHT_PX)
    shift = inset * CARD_WIDTH_PX
    transform = np.array([[scale_x, 0, -shift * scale_x], [0, scale_y, -shift * scale_y]])
    view = cv2.warpAffine(
        np.ascontiguousarray(even),
        transform,
        (INDEX_WIDTH_PX, INDEX_HEIGHT_PX),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(view, np.uint8)


def body_view(even: Image) -> Image:
    """The middle of the card, its four corners covered, at the body network's size."""
    small = np.asarray(
        cv2.resize(even, (BODY_WIDTH_PX, BODY_HEIGHT_PX), interpolation=cv2.INTER_AREA), np.uint8
    )
    x, y = round(BODY_WIDTH_PX * HIDDEN_SHARE_X), round(BODY_HEIGHT_PX * HIDDEN_SHARE_Y)
    for rows in (slice(0, y), slice(BODY_HEIGHT_PX - y, None)):
        small[rows, :x] = small[rows, BODY_WIDTH_PX - x :] = PAPER_LEVEL
    return small


def turned(corners: Corners, quarter_turns: int) -> Corners:
    """The same outline read from another corner."""
    return np.roll(corners, -quarter_turns, axis=0)


def side_lengths(corners: Corners) -> npt.NDArray[np.float32]:
    """Lengths of top, right, bottom and left side in pixels."""
    return np.asarray(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1), np.float32)
