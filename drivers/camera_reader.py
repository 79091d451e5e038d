"""What reads a camera's pictures: the recogniser, loaded when it is needed, within the camera's zones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, cast

from drivers.base import DriverMissing
from drivers.camera_setup import CameraSettings
from drivers.opencv_camera import load_cv2

if TYPE_CHECKING:
    from calibration.frames import Image
    from calibration.recogniser import Reading, Recogniser, SeenCard
    from calibration.recogniser.watch import Watcher


class Reader(Protocol):
    """Reads one picture; `calibration.recogniser.Recogniser`, or what a test puts in its place."""

    def read(self, image: Image, before: Sequence[Image] = (), /) -> Reading:
        """Find and name the cards in a picture; `before` is the table as it rested before."""
        ...


class Looker:
    """Reads pictures, keeps what was read for a live view, and leaves out cards outside the zones."""

    def __init__(self, reader: Reader, settings: CameraSettings) -> None:
        self._reader = reader
        self._settings = settings
        self.seen: tuple[SeenCard, ...] = ()

    def renew(self, reader: Reader, settings: CameraSettings) -> None:
        """Go on with another reader."""
        self._reader, self._settings = reader, settings

    def read(self, image: Image, before: Sequence[Image] = (), /) -> Reading:
        """Find and name the cards in the zones of a picture."""
        reading = self._settings.within_zones(self._reader.read(image, before), image)
        self.seen = (*reading.cards, *reading.unsure)
        return reading


def loaded(reader: Callable[[], Reader]) -> Reader:
    """Load the reader with its library and weights, so that what is missing shows now.

    Raises:
        DriverMissing: Something is.
    """
    load_cv2()
    import numpy as np

    from calibration.errors import CalibrationError

    try:
        made = reader()
        made.read(np.zeros((64, 64, 3), np.uint8))
    except CalibrationError as error:
        raise DriverMissing(error.message, error.hint) from error
    return made


def watcher(looker: Looker, decks: int, *, is_moving: bool) -> Watcher:
    """Return what turns readings into sightings, of pictures that follow each other or stand alone."""
    from calibration.recogniser import Tracker
    from calibration.recogniser.watch import Watcher

    tracker = Tracker(decks) if is_moving else Tracker.for_pictures(decks)
    return Watcher(cast("Recogniser", looker), tracker)
