"""Lays an earlier picture of the table over the present one, when the camera is held in a hand and drifts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from calibration.frames import Image
from calibration.pixels import cv2

TRACK_WIDTH_PX = 480
"""Points are followed at this width; the motion found is good to a third of a pixel there."""
POINTS, POINT_GAP_PX = 200, 9
LEAST_POINTS = 12
"""Fewer that agree on one motion say nothing: a hand moves some of them otherwise."""
LEAST_SHARE = 0.4
"""Least share of the points followed that agree."""
AGREE_PX = 1.5
MOST_DRIFT = 0.12
"""A drift of a greater share of the picture's width is another view (drawn films, deal_sequences.py)."""
MOST_TURN = 0.12
"""Greatest turn and zoom, as parts of one."""

Motion = npt.NDArray[np.float64]


def aligned(earlier: Image, now: Image) -> Image | None:
    """The earlier picture as the camera would show it now; None when no common motion is found.

    Args:
        earlier: (H, W, 3) uint8, BGR.
        now: The same size.

    Source: pyramidal Lucas-Kanade (Bouguet 2000), a similarity by RANSAC.
    """
    if earlier.shape != now.shape:
        return None
    motion = _motion(earlier, now)
    if motion is None:
        return None
    size = (now.shape[1], now.shape[0])
    warped = cv2.warpAffine(earlier, motion, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    inside = cv2.warpAffine(np.full(now.shape[:2], 255, np.uint8), motion, size)
    warped[inside < 255] = now[inside < 255]  # what the camera did not see then has not changed
    return np.asarray(warped, np.uint8)


def drift_px(earlier: Image, now: Image) -> float:
    """How far the camera itself has moved, as the largest way of a corner of the picture; 0 when unknown."""
    motion = _motion(earlier, now) if earlier.shape == now.shape else None
    if motion is None:
        return 0.0
    height, width = now.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    return float(np.linalg.norm(corners @ motion[:, :2].T + motion[:, 2] - corners, axis=1).max())


def _motion(earlier: Image, now: Image) -> Motion | None:
    """The similarity from the earlier picture's pixels to the present one's."""
    scale = min(1.0, TRACK_WIDTH_PX / now.shape[1])
    before, after = (_grey(image, scale) for image in (earlier, now))
    points = np.asarray(cv2.goodFeaturesToTrack(before, POINTS, 0.01, POINT_GAP_PX), np.float32)
    if points.ndim == 0 or len(points) < LEAST_POINTS:  # none at all comes as None
        return None
    moved, found, _error = cv2.calcOpticalFlowPyrLK(before, after, points, np.empty_like(points))
    kept = np.asarray(found).ravel() == 1
    if kept.sum() < LEAST_POINTS:
        return None
    motion, agree = cv2.estimateAffinePartial2D(
        points[kept], moved[kept], method=cv2.RANSAC, ransacReprojThreshold=AGREE_PX
    )
    if motion is None:
        return None
    count = int(np.asarray(agree).sum())
    if count < LEAST_POINTS or count < LEAST_SHARE * kept.sum():
        return None
    motion = np.asarray(motion, np.float64)
    if np.abs(motion[:, :2] - np.eye(2)).max() > MOST_TURN:
        return None
    middle = np.array([before.shape[1], before.shape[0]]) / 2
    drift = motion[:, :2] @ middle + motion[:, 2] - middle
    if np.linalg.norm(drift) > MOST_DRIFT * before.shape[1]:
        return None
    motion[:, 2] /= scale
    return motion


def _grey(image: Image, scale: float) -> npt.NDArray[np.uint8]:
    small = (
        image if scale == 1.0 else cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    )
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
