"""Whether a lamp has wiped out what a card is read by, so that only tilting or typing it helps."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from calibration.frames import Image
from calibration.pixels import cv2
from calibration.recogniser.lamp import blown_out
from calibration.recogniser.rectify import CARD_HEIGHT_PX, CARD_WIDTH_PX, INDEX_SHARE_X, INDEX_SHARE_Y
from calibration.recogniser.segment import darkest_channel

MARGIN_PX = 4
"""So much of the crop's edge may show the table."""
SPOT = np.ones((25, 25), np.uint8)
"""A spot is at least so large (pixels of the flat card)."""
BLOWN_LEVEL = 250
"""Value of the darkest channel (of 255) from which a pixel holds nothing but light."""
BLOWN_SHARE = 0.4
"""Least share of blown-out pixels in each index box: 0.66 and more where a lamp wiped drawn indices out."""
INK_LEVEL = 190
"""Value of the darkest channel (of 255) up to which something is printed."""
WIPED_SHARE = 0.12
"""Greatest share of print left in such a box: rests of a pip or a frame; a whole index has 0.14 and more."""
PRINTED_SHARE = 0.015
"""Least share of print in the middle (a two under a large lamp has 0.02): an empty sheet is no card."""
PAPER_PERCENTILE, PAPER_SHARE = 95, 0.72
"""Paper's darkest channel is at least such a share of what so many in a hundred pixels don't exceed."""
HOLES_SHARE, LEAST_SHEET = 0.003, 0.03
"""Least share of print amid paper, and of paper to be looked at."""
LIT_SHARE = 0.15
"""Share of a card's middle from which a blown-out spot may be why the pips aren't what the index says."""
LIT_INDEX_SHARE = 0.5
"""Share of an index box from which such a spot may be why there is no index, or only a part of one."""


def has_print(flat: Image) -> bool:
    """Whether something is printed amid the paper: not so in a lamp's spot, a window's panes, a blank sheet.

    Args:
        flat: (CARD_HEIGHT_PX, CARD_WIDTH_PX, 3) uint8, BGR, as the camera saw it.
    """
    darkest = cv2.blur(darkest_channel(flat), (5, 5))
    paper = (darkest >= PAPER_SHARE * np.percentile(darkest, PAPER_PERCENTILE)).astype(np.uint8)
    contours, _ = cv2.findContours(paper, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    sheets = [one for one in contours if cv2.contourArea(one) >= LEAST_SHEET * paper.size]
    filled = np.zeros_like(paper)
    cv2.drawContours(filled, sheets, -1, 1, -1)
    return bool((filled > paper).mean() >= HOLES_SHARE)


def is_lit(crop: Image) -> bool:
    """Whether a lamp's spot covers one index, or so much of the middle that it may be why a card isn't read.

    Args:
        crop: A straightened card, (H, W, 3) uint8, BGR, as the camera saw it.
    """
    flat = np.asarray(cv2.resize(crop, (CARD_WIDTH_PX, CARD_HEIGHT_PX)), np.uint8)
    # print keeps bright paper from being one spot
    spot = np.asarray(cv2.morphologyEx(blown_out(flat).astype(np.uint8), cv2.MORPH_OPEN, SPOT))
    height, width = round(INDEX_SHARE_Y * CARD_HEIGHT_PX), round(INDEX_SHARE_X * CARD_WIDTH_PX)
    indices = spot[:height, :width].mean(), spot[-height:, -width:].mean()
    middle = spot[height // 2 : -height // 2, width // 2 : -width // 2].mean()
    return max(indices) >= LIT_INDEX_SHARE or bool(middle >= LIT_SHARE)


def is_glared(flat: Image) -> bool:
    """Whether both index boxes are blown out and the middle is printed.

    Args:
        flat: (CARD_HEIGHT_PX, CARD_WIDTH_PX, 3) uint8, BGR, as the camera saw it.
    """
    darkest = darkest_channel(flat)
    height, width = round(INDEX_SHARE_Y * CARD_HEIGHT_PX), round(INDEX_SHARE_X * CARD_WIDTH_PX)
    middle = darkest[height // 2 : -height // 2, width // 2 : -width // 2]
    return (
        _is_wiped(darkest[:height, :width])
        and _is_wiped(darkest[-height:, -width:])
        and float((middle < INK_LEVEL).mean()) >= PRINTED_SHARE
        and has_print(flat)
    )


def _is_wiped(box: npt.NDArray[np.uint8]) -> bool:
    inner = box[MARGIN_PX:-MARGIN_PX, MARGIN_PX:-MARGIN_PX]
    blown = float((inner >= BLOWN_LEVEL).mean())
    return blown >= BLOWN_SHARE and float((inner < INK_LEVEL).mean()) <= WIPED_SHARE
