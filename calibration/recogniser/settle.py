"""Says from frame to frame whether the picture moves, rests, or is the one already read."""

from __future__ import annotations

from enum import Enum

import numpy as np
import numpy.typing as npt

from calibration.frames import Frame
from calibration.pixels import cv2

LOOK_WIDTH_PX = 160
"""Frames are compared at this width; a card 70 px high on 1280 px is still 9 px."""
CHANGE_LEVEL = 14
"""Brightness difference (of 255) that is more than noise at this size (rendered noise, render_scenes.py)."""
MOVING_SHARE = 0.002
"""Share of changed pixels from which something moves: half a small card."""
REREAD_S = 1.0
"""A resting picture is read again after this long: slow changes of light or focus come through (seconds)."""
LONGEST_REREAD_S = 16.0
"""While nothing changes the wait doubles up to this: a table between two rounds costs next to nothing."""


class Look(Enum):
    """What a frame is worth."""

    MOVING = "moving"
    FRESH = "fresh"
    SAME = "same"
    AGAIN = "again"
    """The one already read, but so long ago that one more look is due."""


class Stillness:
    """Compares each frame with the one before and with the last one that was read."""

    def __init__(self) -> None:
        self._before: npt.NDArray[np.uint8] | None = None
        self._read: npt.NDArray[np.uint8] | None = None
        self._read_s = 0.0
        self._wait_s = REREAD_S

    def look(self, frame: Frame) -> Look:
        """Judge a frame; the caller reads FRESH and AGAIN and may repeat the last reading for SAME."""
        scale = LOOK_WIDTH_PX / frame.image.shape[1]
        small = cv2.resize(frame.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
        moving = self._before is not None and _changed(grey, self._before)
        self._before = grey
        if moving:
            self._wait_s = REREAD_S
            return Look.MOVING
        if self._read is None or _changed(grey, self._read):
            self._wait_s = REREAD_S
            self._read, self._read_s = grey, frame.time_s
            return Look.FRESH
        if frame.time_s - self._read_s < self._wait_s:
            return Look.SAME
        self._wait_s = min(2 * self._wait_s, LONGEST_REREAD_S)
        self._read, self._read_s = grey, frame.time_s
        return Look.AGAIN


def _changed(one: npt.NDArray[np.uint8], two: npt.NDArray[np.uint8]) -> bool:
    if one.shape != two.shape:
        return True
    return bool((cv2.absdiff(one, two) > CHANGE_LEVEL).mean() > MOVING_SHARE)
