"""Whether a lamp has wiped out both indices of a card, so that only tilting or typing it helps."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from calibration.frames import Image
from calibration.pixels import cv2
from calibration.recogniser.rectify import CARD_HEIGHT_PX, CARD_WIDTH_PX, INDEX_SHARE_X, INDEX_SHARE_Y

MARGIN_PX = 4
"""So much of the crop's edge may show the table."""
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


def is_glared(flat: Image) -> bool:
    """Whether both index boxes are blown out and the middle is printed.

    Args:
        flat: (CARD_HEIGHT_PX, CARD_WIDTH_PX, 3) uint8, BGR, as the camera saw it.
    """
    blue, green, red = cv2.split(flat)
    darkest = np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)
    height, width = round(INDEX_SHARE_Y * CARD_HEIGHT_PX), round(INDEX_SHARE_X * CARD_WIDTH_PX)
    middle = darkest[height // 2 : -height // 2, width // 2 : -width // 2]
    return (
        _is_wiped(darkest[:height, :width])
        and _is_wiped(darkest[-height:, -width:])
        and float((middle < INK_LEVEL).mean()) >= PRINTED_SHARE
    )


def _is_wiped(box: npt.NDArray[np.uint8]) -> bool:
    inner = box[MARGIN_PX:-MARGIN_PX, MARGIN_PX:-MARGIN_PX]
    blown = float((inner >= BLOWN_LEVEL).mean())
    return blown >= BLOWN_SHARE and float((inner < INK_LEVEL).mean()) <= WIPED_SHARE
