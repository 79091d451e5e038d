"""The thread that alone touches a live camera: it keeps the newest picture for whoever reads, and reopens."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from drivers.base import DriverError

if TYPE_CHECKING:
    from calibration.frames import Image

REOPEN_S = 2.0
"""Between two attempts to open the camera."""
FAILING_S = 1.0
"""A camera whose reads fail for so long is closed and opened again."""
PAUSE_S = 0.03
"""After a failed read, so that a lost camera costs no processor time."""

_log = logging.getLogger(__name__)


class Camera(Protocol):
    """What is used of an open camera."""

    def read(self) -> Image | None:
        """Return the next picture; None when the camera has none. May block."""
        ...

    def close(self) -> None:
        """Let go of the camera."""
        ...


class LiveFrames:
    """Captures until `stop`; only the newest picture counts.

    Args:
        open_camera: Opens the camera, or raises a DriverError.
        clock: Seconds, monotonic.
    """

    def __init__(
        self, open_camera: Callable[[], Camera], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._open_camera = open_camera
        self._clock = clock
        self._news = threading.Condition()
        self._stop = threading.Event()
        self._newest: tuple[Image, float] | None = None
        self._error: DriverError | None = None
        self._hold_asked = threading.Event()
        self.count = 0
        """How many pictures the camera has sent, taken or not."""
        self.held: dict[str, float] = {}
        """What the driver holds still in the camera as it is open now, with its values."""
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        """Start capturing; returns at once."""
        self._thread.start()

    @property
    def error(self) -> DriverError | None:
        """Why the camera could not be opened the last time; None when it could."""
        return self._error

    def take(self, timeout_s: float) -> tuple[Image, float] | None:
        """Return a picture that was not taken yet and its time, or None when none came in time."""
        with self._news:
            if self._newest is None:
                self._news.wait(timeout_s)
            newest, self._newest = self._newest, None
            return newest

    def hold(self) -> None:
        """Ask that focus, exposure and white balance stay as they are; done in the capturing thread."""
        self._hold_asked.set()

    def stop(self, timeout_s: float) -> None:
        """Stop capturing; a camera that hangs is left to the system after `timeout_s`."""
        self._stop.set()
        self._thread.join(timeout_s)

    def _run(self) -> None:
        while not self._stop.is_set():
            tried_s = self._clock()
            try:
                camera = self._open_camera()
                self._error = None
            except DriverError as error:
                self._error = error
                with self._news:
                    self._news.notify_all()
            else:
                try:
                    self._capture(camera)
                except Exception:  # noqa: BLE001 - a decoder's own mistake counts as a lost camera
                    _log.exception("the camera failed")
                finally:
                    camera.close()
            self._stop.wait(max(0.0, tried_s + REOPEN_S - self._clock()))

    def _capture(self, camera: Camera) -> None:
        """Hand pictures over until reads have failed for too long.

        A picture that repeats the last one after a failed read counts as failed: some drivers go on handing
        out a stale buffer when the camera is gone.
        """
        self.held = dict(getattr(camera, "held", {}))  # a stand-in has no lens
        last: Image | None = None
        failing_since_s: float | None = None
        while not self._stop.is_set():
            if self._hold_asked.is_set():
                self._hold_asked.clear()
                hold = getattr(camera, "hold", None)
                self.held = hold() if hold is not None else {}
            image = camera.read()
            now_s = self._clock()
            if image is not None and failing_since_s is not None and _is_same(image, last):
                image = None
            if image is None:
                failing_since_s = now_s if failing_since_s is None else failing_since_s
                if now_s - failing_since_s >= FAILING_S:
                    return
                self._stop.wait(PAUSE_S)
                continue
            last, failing_since_s = image, None
            with self._news:
                self._newest = (image, now_s)
                self.count += 1
                self._news.notify_all()


def _is_same(image: Image, last: Image | None) -> bool:
    return last is not None and image.shape == last.shape and not bool((image != last).any())
