"""OpenCV as a camera: opens devices and streams, holds focus and exposure, gives the frames of files."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from drivers.base import DriverMissing, DriverNotFound, DriverOpenFailed
from drivers.camera_list import check_device, device_number, no_picture, present_hint

if TYPE_CHECKING:
    from calibration.frames import Frame, Image

URL_STARTS = ("http://", "https://", "rtsp://")
OPEN_TIMEOUT_MS = 5000
READ_TIMEOUT_MS = 3000
HELD = (
    ("focus", "CAP_PROP_AUTOFOCUS", 0.0, "CAP_PROP_FOCUS"),
    ("exposure", "CAP_PROP_AUTO_EXPOSURE", 1.0, "CAP_PROP_EXPOSURE"),  # 1 is manual in Video4Linux
    ("wb_temperature", "CAP_PROP_AUTO_WB", 0.0, "CAP_PROP_WB_TEMPERATURE"),
)
"""What can be held still: our name, OpenCV's switch, its value for "by hand", OpenCV's value."""
_LOADING = threading.Lock()
"""Two threads that load it at once and fail would get half a module and the wrong sentence."""


class OpenCvCamera:
    """A device or stream, opened by OpenCV; its own thread alone may call it.

    Args:
        address: As typed: an index, a device path, a URL.
        size: Width and height to ask a device for, in pixels.
        controls: What to hold, and at which value: ``focus exposure wb_temperature``.

    Raises:
        DriverError: It is absent, forbidden, in use, or sends nothing.
    """

    def __init__(
        self, address: str, size: tuple[int, int], controls: Mapping[str, float] | None = None
    ) -> None:
        number = device_number(address)
        if number is not None:
            check_device(number)
        cv2 = load_cv2()
        try:
            if number is not None:
                self._capture = cv2.VideoCapture(number, _device_backend(cv2))
                self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
                self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
            else:
                limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPEN_TIMEOUT_MS]
                limits += [cv2.CAP_PROP_READ_TIMEOUT_MSEC, READ_TIMEOUT_MS]
                self._capture = cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits)
        except cv2.error as error:
            raise DriverOpenFailed(
                "The camera can't be opened.", "Unplug it and plug it in again."
            ) from error
        if not self._capture.isOpened():
            self._capture.release()
            if number is not None:
                raise no_picture(number)
            raise DriverNotFound(
                "No picture comes from the camera's address.",
                "Start the camera app; check address and network.",
            )
        self.held = self._set(controls) if controls else {}
        """What the driver holds still, with its values."""

    def read(self) -> Image | None:
        """Return the next picture; what OpenCV raises on a refused camera counts as none."""
        cv2 = load_cv2()
        try:
            done, image = self._capture.read()
        except cv2.error:
            return None
        if not done or image is None or image.ndim != 3 or image.size == 0:
            return None
        picture: Image = image.astype("uint8", copy=False)
        return picture

    def hold(self) -> dict[str, float]:
        """Hold focus, exposure and white balance where they are now; say which of them the driver holds."""
        cv2 = load_cv2()
        now = {name: float(self._capture.get(getattr(cv2, value))) for name, _switch, _by_hand, value in HELD}
        self.held = self._set(now)
        return self.held

    def close(self) -> None:
        """Let go of the camera."""
        self._capture.release()

    def _set(self, controls: Mapping[str, float]) -> dict[str, float]:
        """Switch the automatics off and set values; what the driver refuses is left out of the answer."""
        cv2 = load_cv2()
        held = {}
        for name, switch, by_hand, value in HELD:
            if name not in controls:
                continue
            is_off = self._capture.set(getattr(cv2, switch), by_hand)
            if is_off and self._capture.set(getattr(cv2, value), controls[name]):
                held[name] = controls[name]
        return held


def load_cv2() -> ModuleType:
    """Return OpenCV, silenced: what it writes to the terminal would land in the console's screen.

    Raises:
        DriverMissing: It can't be loaded.
    """
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    from calibration.errors import CameraLibraryMissing

    try:
        with _LOADING:
            from calibration.pixels import cv2
    except CameraLibraryMissing as error:
        raise DriverMissing(error.message, error.hint) from error
    except ImportError as error:
        raise DriverMissing(
            f"The picture library can't be loaded: {error}.",
            "./scripts/run installs it anew; type the cards.",
        ) from error
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    return cv2


def is_live(address: str) -> bool:
    """Whether an address is a camera, not a file or a folder."""
    return address.lower().startswith(URL_STARTS) or device_number(address) is not None


def check_file(address: str) -> None:
    """See that a file or folder is there, before a library is loaded for it.

    Raises:
        DriverNotFound: It is not.
    """
    if address.startswith("/dev/") and not Path(address).exists():
        raise DriverNotFound(f"The camera {address} is not there.", present_hint())
    if not Path(address).exists():
        raise DriverNotFound(
            f"There is no camera, picture or film {address}.",
            "Give an index such as camera:0, a file, a folder or an http:// address.",
        )


def frames_of(path: Path, fps: float) -> Iterator[Frame]:
    """The frames of a film, a picture or a folder; opened at the first one."""
    from calibration.frames import Frame
    from calibration.pixels import load_picture
    from calibration.reading import pictures_in
    from calibration.video import video_frames

    if not is_pictures(path):
        yield from video_frames(path)
        return
    pictures = pictures_in(path) if path.is_dir() else [path]
    for number, picture in enumerate(pictures):
        yield Frame(load_picture(picture), number / (fps or 1.0), number)


def is_pictures(path: Path) -> bool:
    """Whether it is a picture or a folder of pictures, not a film."""
    from calibration.reading import PICTURE_ENDINGS

    return path.is_dir() or path.suffix.lower() in PICTURE_ENDINGS


def _device_backend(cv2: ModuleType) -> int:
    """On Linux the kernel's own interface: OpenCV would try others, each with its own time-outs."""
    return int(cv2.CAP_V4L2 if sys.platform.startswith("linux") else cv2.CAP_ANY)
