"""Rough outlines of what was laid on the table since it last rested: a card on others hides something.

White on white has no edge, but the pips and letters that came and went do; their hull is the card.
"""

from __future__ import annotations

import numpy as np

from calibration.frames import Corners, Image
from calibration.pixels import cv2
from calibration.recogniser.segment import slanted

CHANGE_LEVEL = 28
"""Difference of a channel (of 255) that is more than noise and a shadow's edge (render_scenes.py)."""
CLOSE_SHARE = 0.02
"""Gaps up to this share of the picture's long side are closed: bare paper over bare paper doesn't change."""
MIN_SHARE, MAX_SHARE = 0.001, 0.25
"""Least and greatest share of the picture that one card laid down changes; more is light or the camera."""


def changed_outlines(image: Image, before: Image) -> list[Corners]:
    """Rough outlines of what changed, in the picture's pixels.

    Args:
        image: (H, W, 3) uint8, BGR.
        before: The table when it last rested; a picture of another size says nothing.
    """
    if before.shape != image.shape:
        return []
    blue, green, red = cv2.split(cv2.absdiff(image, before))
    change = cv2.blur(cv2.max(cv2.max(blue, green), red), (3, 3))
    mask = (change > CHANGE_LEVEL).astype(np.uint8)
    if not MIN_SHARE < mask.mean() < MAX_SHARE * 2:
        return []
    side = round(CLOSE_SHARE * max(mask.shape)) | 1
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8)), np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outlines = []
    for contour in contours:
        hull = np.asarray(cv2.convexHull(contour), np.int32)
        if MIN_SHARE < cv2.contourArea(hull) / mask.size < MAX_SHARE:
            box = np.asarray(cv2.boxPoints(cv2.minAreaRect(contour)), np.float32)
            outlines.append(slanted(hull, box))
    return outlines
