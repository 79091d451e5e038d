"""From an outline to a flat, evenly coloured card and the views the networks look at."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
WIDE_WIDTH_PX, WIDE_HEIGHT_PX = 48, 80
WIDE_SHARE_X, WIDE_SHARE_Y = 0.34, 0.40
"""The same of the wide view, which begins RIM_PX beyond the card's edges: an index is whole in it wherever
the outline was laid, if smaller."""
HIDDEN_SHARE_X, HIDDEN_SHARE_Y = 0.21, 0.28
"""Share of the card covered in each corner before the body is judged, so that it can't repeat the index."""
RIM_PX = 8
"""So much of what lies around the card is kept, so that an index is whole even where the outline cuts it."""
PAPER_PERCENTILE = 80
"""Brightness rank that counts as bare paper in the card's outer ring."""
PAPER_LEVEL = 230
"""Paper is brought to this value in every channel (of 255), which takes warm and cold light out."""
MIN_AREA_PX = 100.0
INDEX_HIDDEN = 0.75
"""Share of an index's box under other cards from which it can't be seen."""
COVERED_DARKER = 4
"""What other cards hide is so much darker in the picture that the dealer is shown."""


@dataclass(frozen=True, slots=True, eq=False)
class FlatCard:
    """A straightened card.

    Attributes:
        image: (CARD_HEIGHT_PX, CARD_WIDTH_PX, 3) uint8, BGR, as the camera saw it.
        even: The same with its paper brought to a neutral white.
        around: `even` with a rim of RIM_PX on every side.
        paper: The paper's colour before that, BGR, 0 to 255.
        hidden: Share of the middle that other cards are known to hide.
        shows_one: Whether they hide its opposite index.
        mask: (CARD_HEIGHT_PX, CARD_WIDTH_PX) bool, what they hide; None where nothing is known to lie on it.
        long_px: Its long sides in the picture; those of the crop where that isn't known.
    """

    image: Image
    even: Image
    around: Image
    paper: tuple[float, float, float]
    hidden: float = 0.0
    shows_one: bool = False
    mask: npt.NDArray[np.bool_] | None = None
    long_px: float = CARD_HEIGHT_PX


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
    right, bottom = CARD_WIDTH_PX + RIM_PX, CARD_HEIGHT_PX + RIM_PX
    target = np.array([[RIM_PX, RIM_PX], [right, RIM_PX], [right, bottom], [RIM_PX, bottom]], np.float32)
    transform = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    shrink = np.linalg.norm(corners[1] - corners[2]) > 2 * CARD_HEIGHT_PX
    around = cv2.warpPerspective(
        image,
        transform,
        (right + RIM_PX, bottom + RIM_PX),
        flags=cv2.INTER_AREA if shrink else cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return replace(_evened(np.asarray(around, np.uint8)), long_px=float(side_lengths(corners)[1::2].mean()))


def even_light(flat: Image) -> FlatCard:
    """Bring the paper of a flat card without a rim to a neutral white."""
    rim = (RIM_PX, RIM_PX, RIM_PX, RIM_PX)
    return _evened(np.asarray(cv2.copyMakeBorder(flat, *rim, cv2.BORDER_REPLICATE), np.uint8))


def _evened(around: Image) -> FlatCard:
    flat = _without_rim(around)
    ring_x, ring_y = CARD_WIDTH_PX // 5, CARD_HEIGHT_PX // 8
    small = flat[2:-2:3, 2:-2:3]
    ring = np.ones(small.shape[:2], bool)
    ring[ring_y // 3 : -ring_y // 3, ring_x // 3 : -ring_x // 3] = False
    paper = np.maximum(np.percentile(small[ring], PAPER_PERCENTILE, axis=0), 25.0)
    table = np.clip(np.arange(256)[:, None] * (PAPER_LEVEL / paper)[None], 0, 255).astype(np.uint8)
    even = np.asarray(cv2.LUT(around, table[None].reshape(1, 256, 3)), np.uint8)
    blue, green, red = (float(value) for value in paper)
    return FlatCard(
        image=np.ascontiguousarray(flat), even=_without_rim(even), around=even, paper=(blue, green, red)
    )


def covered(flat: FlatCard, mask: npt.NDArray[np.bool_]) -> FlatCard:
    """The card with what others hide of it left blank for the networks and dark for the dealer.

    Args:
        flat: A straightened card.
        mask: (CARD_HEIGHT_PX, CARD_WIDTH_PX) bool, what is hidden.
    """
    if not mask.any():
        return flat
    image, around = flat.image.copy(), flat.around.copy()
    image[mask] = image[mask] // COVERED_DARKER
    wide = np.pad(mask, RIM_PX, mode="edge")
    around[wide] = PAPER_LEVEL
    x, y = round(CARD_WIDTH_PX * HIDDEN_SHARE_X), round(CARD_HEIGHT_PX * HIDDEN_SHARE_Y)
    middle = mask.copy()
    for rows in (slice(0, y), slice(-y, None)):
        middle[rows, :x] = middle[rows, -x:] = False
    hidden = float(middle.sum()) / (mask.size - 4 * x * y)
    index = mask[-round(INDEX_SHARE_Y * CARD_HEIGHT_PX) :, -round(INDEX_SHARE_X * CARD_WIDTH_PX) :]
    even = np.ascontiguousarray(_without_rim(around))
    shows_one = bool(index.mean() >= INDEX_HIDDEN)
    return FlatCard(image, even, around, flat.paper, hidden, shows_one, mask, flat.long_px)


def _without_rim(around: Image) -> Image:
    return around[RIM_PX:-RIM_PX, RIM_PX:-RIM_PX]


def index_views(flat: FlatCard, inset_x: float = 0.0, inset_y: float = 0.0) -> tuple[Image, Image]:
    """The top left corner and, turned upright, the bottom right one.

    Args:
        flat: A flat card.
        inset_x: Shifts the views inwards (share of the card's width; negative: outwards), for a second look.
        inset_y: The same down the card.

    Returns:
        Two (INDEX_HEIGHT_PX, INDEX_WIDTH_PX, 3) uint8 views.
    """
    x, y = RIM_PX + inset_x * CARD_WIDTH_PX, RIM_PX + inset_y * CARD_WIDTH_PX
    rows, columns = slice(CARD_HEIGHT_PX // 2), slice(CARD_WIDTH_PX // 2)  # less to turn round than all of it
    turned_round = flat.around[::-1, ::-1]
    return corner_view(flat.around[rows, columns], x, y), corner_view(turned_round[rows, columns], x, y)


def wide_views(flat: FlatCard) -> tuple[Image, Image]:
    """Both corners as `index_views`, but more of the card and of what lies around it.

    Returns:
        Two (WIDE_HEIGHT_PX, WIDE_WIDTH_PX, 3) uint8 views.
    """
    rows, columns = slice(CARD_HEIGHT_PX // 2), slice(CARD_WIDTH_PX // 2)
    turned_round = flat.around[::-1, ::-1]
    return wide_view(flat.around[rows, columns]), wide_view(turned_round[rows, columns])


def corner_view(even: Image, x: float = 0.0, y: float = 0.0) -> Image:
    """A corner at the index network's size, its own top left at (x, y) of a picture of a card's scale."""
    size = (INDEX_WIDTH_PX, INDEX_HEIGHT_PX)
    return _part(even, x, y, size, (INDEX_SHARE_X * CARD_WIDTH_PX, INDEX_SHARE_Y * CARD_HEIGHT_PX))


def wide_view(around: Image) -> Image:
    """A corner with its rim at the wide network's size."""
    across, down = RIM_PX + WIDE_SHARE_X * CARD_WIDTH_PX, RIM_PX + WIDE_SHARE_Y * CARD_HEIGHT_PX
    return _part(around, 0.0, 0.0, (WIDE_WIDTH_PX, WIDE_HEIGHT_PX), (across, down))


def _part(picture: Image, x: float, y: float, size: tuple[int, int], covered: tuple[float, float]) -> Image:
    """What lies from (x, y) on, `covered` pixels across and down, at a size."""
    scale_x, scale_y = size[0] / covered[0], size[1] / covered[1]
    transform = np.array([[scale_x, 0, -x * scale_x], [0, scale_y, -y * scale_y]])
    view = cv2.warpAffine(
        np.ascontiguousarray(picture),
        transform,
        size,
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
