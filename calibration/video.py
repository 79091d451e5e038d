"""Frames of a video file, with the time the file gives them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from calibration.errors import PictureUnreadable
from calibration.frames import Frame
from calibration.pixels import cv2

FALLBACK_FPS = 30.0
"""For files that don't say (frames a second)."""


def video_frames(path: Path) -> Iterator[Frame]:
    """Read a video from its first frame to its last.

    Raises:
        PictureUnreadable: The file isn't there or holds no video that can be decoded.
    """
    if not path.exists():
        raise PictureUnreadable(f"{path} isn't there.", "Check the path.")
    capture = cv2.VideoCapture(str(path))
    try:
        done, image = capture.read()
        if not done:
            raise PictureUnreadable(f"{path} is no video that can be read.", "Give an MP4 or AVI file.")
        fps = capture.get(cv2.CAP_PROP_FPS)
        fps = fps if 1 <= fps <= 1000 else FALLBACK_FPS
        number = 0
        while done:
            yield Frame(np.asarray(image, np.uint8), number / fps, number)
            number += 1
            done, image = capture.read()
    finally:
        capture.release()
