"""The one door to OpenCV: import `cv2` from here, and a system without libGL gets a sentence.

Also reads and writes picture files by any path (OpenCV itself fails on non-ASCII paths on some systems).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from calibration.errors import CameraLibraryMissing, PictureUnreadable
from calibration.frames import Image

try:
    import cv2
except ImportError as error:  # a missing libGL.so.1 arrives as ImportError too
    raise CameraLibraryMissing(
        f"The picture library OpenCV can't be loaded ({error}).",
        "On Debian or Ubuntu: apt install libgl1 libglib2.0-0. The keyboard works without it.",
    ) from error

__all__ = ["cv2", "load_picture", "save_picture"]


def load_picture(path: Path) -> Image:
    """Read a picture file, turned as its camera says.

    Raises:
        PictureUnreadable: The file isn't there, can't be opened, or is no picture.
    """
    try:
        data = np.fromfile(path, dtype=np.uint8)
    except OSError as error:
        raise PictureUnreadable(
            f"{path} can't be opened ({error.strerror or error}).",
            "Check the path and the file's permissions.",
        ) from error
    image = None if data.size == 0 else _decode(data)
    if image is None:
        raise PictureUnreadable(
            f"{path} is no picture that can be read ({data.size} bytes).",
            "Give a JPEG, PNG, BMP or WebP file.",
        )
    return image


def save_picture(path: Path, image: Image) -> None:
    """Write a picture; the name's ending says the format.

    Raises:
        PictureUnreadable: The ending is unknown or the file can't be written.
    """
    try:
        done, data = cv2.imencode(path.suffix or ".png", image)
        if not done:
            raise OSError("the encoder refused it")
        data.tofile(path)
    except (OSError, cv2.error) as error:
        raise PictureUnreadable(f"{path} can't be written ({error}).", "Name it .jpg or .png.") from error


def _decode(data: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> Image | None:
    try:
        decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if decoded is None else np.asarray(decoded, dtype=np.uint8)
