"""Cameras: a device, a film, a folder of pictures, a phone's address -> frames -> recogniser -> card events.

OpenCV and the recogniser load when a camera is opened, not before. What they say of cards is decided in
`calibration`; here it gets a zone, a group and a place in the stream of events.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Protocol, Self, cast

from drivers.base import (
    ANSWERS,
    Candidate,
    Capabilities,
    CardSource,
    DriverError,
    DriverMissing,
    DriverNotFound,
    DriverOpenFailed,
    EventKind,
    Found,
    SourceEvent,
    conceal,
)
from drivers.camera_list import check_device, device_number, found_cameras, no_picture
from drivers.camera_watch import CameraWatch
from drivers.live_frames import Camera, LiveFrames
from drivers.spec import SourceSpec

if TYPE_CHECKING:
    from calibration.frames import Frame, Image
    from calibration.recogniser import Reading, Recogniser, SeenCard, Sighting
    from calibration.recogniser.watch import Watcher

URL_STARTS = ("http://", "https://", "rtsp://")
FIRST_PICTURE_S = 10.0
"""A camera that has sent nothing for so long after opening is not usable."""
STOP_S = 1.0
"""How long closing waits for the camera; the thread of one that hangs is left behind."""
GROUP_S = 0.25
"""Cards that become certain within this time were seen in one look."""
WAIT_S = 0.3
"""Shortest time between two pictures that wait for the table: it must have booked the cards of the first."""
OPEN_TIMEOUT_MS = 5000
READ_TIMEOUT_MS = 3000


class Reader(Protocol):
    """Reads one picture; `calibration.recogniser.Recogniser`, or what a test puts in its place."""

    def read(self, image: Image, before: Sequence[Image] = (), /) -> Reading:
        """Find and name the cards in a picture; `before` is the table as it rested before."""
        ...


class WebcamSource(CardSource):
    """Cards seen by a camera or in pictures.

    Args:
        address: Index or path of a device, URL, video file, picture, or folder of pictures.
        width: Picture width to ask a device for, in pixels.
        height: Picture height to ask a device for, in pixels.
        fps: Frames a second, when a folder holds the frames of a film; 0 for separate pictures.
        speed: For films: 1 as filmed, 0 as fast as they are read.
        pace_s: Seconds from one separate picture to the next.
        waits: Whether a separate picture is shown only when the table expects a card.
        decks: Decks in use, so how often a card may be seen again.
        is_face_down: Whether the camera sees cards that are dealt face down.
        zone: Zone of all cards seen.
        clock: Seconds, monotonic.
        reader: Makes what reads pictures.
        open_camera: Opens a live camera; tests put a faulty one here.
    """

    def __init__(
        self,
        address: str,
        *,
        width: int = 1280,
        height: int = 720,
        fps: float = 0.0,
        speed: float = 0.0,
        pace_s: float = 0.0,
        waits: bool = False,
        decks: int = 1,
        is_face_down: bool = False,
        zone: str | None = None,
        name: str = "",
        clock: Callable[[], float] = time.monotonic,
        reader: Callable[[], Reader] | None = None,
        open_camera: Callable[[], Camera] | None = None,
    ) -> None:
        self._address = address
        self._size = (width, height)
        self._fps = fps
        self._speed = speed
        self._pace_s = pace_s
        self._waits = waits
        self._decks = decks
        self._is_face_down = is_face_down
        self._zone = zone
        self._name = name or f"camera:{address}"
        self._clock = clock
        self._reader = reader or _recogniser
        self._open_camera = open_camera
        self._watch = CameraWatch(self._name)
        self._live: LiveFrames | None = None
        self._frames: Iterator[Frame] | None = None
        self._next: Frame | None = None
        self._watcher: Watcher | None = None
        self._pending: deque[SourceEvent] = deque()
        self._shuffled_to: int | None = None
        self._closed = threading.Event()
        self._owner: int | None = None
        self._opened_s = clock()
        self._shown_s = 0.0
        self._number = 0
        self._group = 0
        self._group_s = float("-inf")

    @classmethod
    def from_spec(cls, spec: SourceSpec) -> Self:
        """Build from ``camera:ADDRESS,option=…``."""
        options = spec.reader()
        source = cls(
            spec.address or "0",
            width=options.whole("width", 1280, 160, 7680),
            height=options.whole("height", 720, 120, 4320),
            fps=options.number("fps", 0.0, 0.0, 240.0),
            speed=options.number("speed", 0.0, 0.0, 100.0),
            pace_s=options.number("pace", 0.0, 0.0, 3600.0),
            waits=options.flag("wait"),
            decks=options.whole("decks", 1, 1, 16),
            is_face_down=options.flag("facedown"),
            zone=options.text("zone") or None,
            name=spec.name,
        )
        options.done()
        return source

    @classmethod
    def detect(cls) -> tuple[Found, ...]:
        """List cameras, opening none."""
        return found_cameras()

    @property
    def name(self) -> str:
        """The address as it was chosen, without a password."""
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        """A camera names what it sees, and cannot know what it did not see."""
        return Capabilities(sees_face_down=self._is_face_down)

    @property
    def has_ended(self) -> bool:
        """Whether all pictures of a file or folder were shown."""
        is_file = self._live is None and self._watcher is not None
        return is_file and self._frames is None and not self._pending

    def open(self) -> None:
        """Load the library and get the first picture.

        Raises:
            DriverMissing: OpenCV or the recogniser's weights can't be loaded.
            DriverError: No such camera, forbidden, in use, or it sends nothing.
        """
        self._closed.clear()
        self._owner = threading.get_ident()
        self._pending.clear()
        self._opened_s = self._clock()
        self._shown_s = float("-inf")
        self._number = 0
        is_live = self._is_live()
        self._check_address(is_live)
        is_moving = is_live or self._fps > 0 or not _is_pictures(Path(self._address))
        self._watcher = _watcher(self._reader, self._decks, is_moving=is_moving)
        if is_live:
            self._open_live()
        else:
            self._frames = _frames_of(Path(self._address), self._fps)
            self._next = self._first_frame(self._frames)

    def read(self, timeout_s: float) -> SourceEvent | None:
        """Return the next event; one picture is always read to its end, so this may take a little longer."""
        deadline_s = self._clock() + timeout_s
        while not self._closed.is_set():
            if self._shuffled_to is not None:
                self._forget()
            if self._pending:
                return self._pending.popleft()
            if self._live is not None:
                self._read_live(self._live, deadline_s)
            elif self._frames is not None:
                self._read_file(deadline_s)
            else:
                self._closed.wait(timeout_s)
            if not self._pending and self._clock() >= deadline_s:
                return None
        self._release()
        return None

    def close(self) -> None:
        """Let go of the camera: at once in the thread that reads, else when that next looks."""
        self._closed.set()
        if self._owner in (None, threading.get_ident()):
            self._release()

    def shuffled(self, decks: int) -> None:
        """Every card may come again, except that those lying there still lie there."""
        self._shuffled_to = decks

    def _is_live(self) -> bool:
        if self._open_camera is not None or self._address.lower().startswith(URL_STARTS):
            return True
        return device_number(self._address) is not None

    def _check_address(self, is_live: bool) -> None:
        """See that it is there before the library is loaded, which takes a while."""
        number = device_number(self._address)
        if is_live and number is not None and self._open_camera is None:
            check_device(number)
        if not is_live and not Path(self._address).exists():
            raise DriverNotFound(
                f"There is no camera, picture or film {self._address}.",
                "Give an index such as camera:0, a file, a folder or an http:// address.",
            )

    # -- live cameras -------------------------------------------------------------------------------------

    def _open_live(self) -> None:
        self._live = live = LiveFrames(self._open_camera or self._open_device, self._clock)
        live.start()
        end_s = self._clock() + FIRST_PICTURE_S
        taken = None
        while taken is None and not self._closed.is_set():
            taken = live.take(0.1)
            error = live.error
            if taken is None and error is None and self._clock() >= end_s:
                error = self._no_picture()
            if error is not None:
                self._release()
                raise error
        if taken is None:
            return
        image, taken_s = taken
        self._watch.opened(taken_s - self._opened_s)
        height, width = image.shape[:2]
        note = f"picture {width}x{height}"
        if device_number(self._address) is not None and (width, height) != self._size:
            note += f", asked for {self._size[0]}x{self._size[1]}"
        self._pending.append(
            SourceEvent(EventKind.UP, self._name, taken_s - self._opened_s, code="picture", note=note)
        )
        self._look(image, taken_s - self._opened_s)

    def _no_picture(self) -> DriverError:
        number = device_number(self._address)
        if number is not None and self._open_camera is None:
            return no_picture(number)
        return DriverOpenFailed(f"No picture from camera {self._name}.", "Check the cable or the address.")

    def _open_device(self) -> Camera:
        number = device_number(self._address)
        if number is not None:
            check_device(number)
        return _OpenCvCamera(self._address if number is None else number, self._size)

    def _read_live(self, live: LiveFrames, deadline_s: float) -> None:
        taken = live.take(max(0.0, min(0.2, deadline_s - self._clock())))
        if taken is None:
            self._pending.extend(self._watch.silent(self._clock() - self._opened_s))
            return
        self._look(taken[0], taken[1] - self._opened_s)

    def _look(self, image: Image, time_s: float) -> None:
        self._pending.extend(self._watch.look(image, time_s))
        if self._watch.is_useful:
            self._show(_frame(image, time_s, self._number))
            self._number += 1

    # -- files --------------------------------------------------------------------------------------------

    def _first_frame(self, frames: Iterator[Frame]) -> Frame | None:
        from calibration.errors import CalibrationError

        try:
            return next(frames, None)
        except CalibrationError as error:
            self._release()
            raise DriverNotFound(error.message, error.hint) from error

    def _read_file(self, deadline_s: float) -> None:
        from calibration.errors import CalibrationError

        frame = self._next
        if frame is None:
            self._frames = None
            return
        due_s = self._due_s(frame)
        now_s = self._clock()
        if now_s < due_s or not self._is_wanted():
            pause_s = due_s - now_s if now_s < due_s else 0.05
            self._closed.wait(max(0.0, min(pause_s, deadline_s - now_s)))
            return
        self._shown_s = now_s
        self._show(frame)
        try:
            self._next = next(self._frames or iter(()), None)
        except CalibrationError as error:
            self._next = None
            note = f"{error.message} {error.hint}".strip()
            self._pending.append(
                SourceEvent(EventKind.FAULT, self._name, frame.time_s, code="unreadable", note=note)
            )

    def _due_s(self, frame: Frame) -> float:
        if self._speed:
            return self._opened_s + frame.time_s / self._speed
        return self._shown_s + (max(self._pace_s, WAIT_S) if self._waits else self._pace_s)

    def _is_wanted(self) -> bool:
        return not self._waits or self.face_up_due is None or self.face_up_due()

    # -- from sightings to events -------------------------------------------------------------------------

    def _show(self, frame: Frame) -> None:
        assert self._watcher is not None
        sightings = self._watcher.add(frame)
        if not sightings:
            return
        if frame.time_s - self._group_s > GROUP_S:
            self._group += 1
            self._group_s = frame.time_s
        events = [self._event(sighting, frame.time_s) for sighting in sightings]
        self._pending.extend(events if self.may_name_cards() else map(conceal, events))

    def _event(self, sighting: Sighting, time_s: float) -> SourceEvent:
        from calibration.recogniser import CardAsked, CardRepeated

        seen = sighting.seen
        event = SourceEvent(
            EventKind.CARD,
            self._name,
            time_s,
            card=seen.card,
            zone=self._zone,
            group=self._group,
            confidence=seen.confidence,
            candidates=_candidates(seen),
            crop=seen.crop,
        )
        if isinstance(sighting, CardAsked):
            reason = seen.reason or "unsure"
            return replace(
                event,
                event=EventKind.UNSURE,
                card=None,
                code=reason,
                note=f"the card can't be named safely ({reason.replace('_', ' ')})",
            )
        if isinstance(sighting, CardRepeated):
            return replace(
                event, event=EventKind.REPEATED, card=sighting.card, code="seen-again", note="already dealt"
            )
        code = ANSWERS if sighting.was_asked else ""
        note = "the card that was unsure before" if sighting.was_asked else ""
        return replace(event, card=sighting.card, code=code, note=note)

    def _forget(self) -> None:
        decks, self._shuffled_to = self._shuffled_to, None
        if self._watcher is not None and decks is not None:
            self._decks = decks
            self._watcher.forget(decks)

    def _release(self) -> None:
        live, self._live = self._live, None
        self._frames = self._next = None
        if live is not None:
            live.stop(STOP_S)


class _OpenCvCamera:
    """A device or stream, opened by OpenCV."""

    def __init__(self, address: int | str, size: tuple[int, int]) -> None:
        cv2 = _cv2()
        try:
            if isinstance(address, int):
                self._capture = cv2.VideoCapture(address, _device_backend(cv2))
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
            if isinstance(address, int):
                raise no_picture(address)
            raise DriverNotFound(
                "No picture comes from the camera's address.",
                "Start the camera app; check address and network.",
            )

    def read(self) -> Image | None:
        """Return the next picture; what OpenCV raises on a refused camera counts as none."""
        cv2 = _cv2()
        try:
            done, image = self._capture.read()
        except cv2.error:
            return None
        if not done or image is None or image.ndim != 3 or image.size == 0:
            return None
        picture: Image = image.astype("uint8", copy=False)
        return picture

    def close(self) -> None:
        """Let go of the camera."""
        self._capture.release()


def _device_backend(cv2: ModuleType) -> int:
    """On Linux the kernel's own interface: OpenCV would try others, each with its own time-outs."""
    return int(cv2.CAP_V4L2 if sys.platform.startswith("linux") else cv2.CAP_ANY)


def _cv2() -> ModuleType:
    """Return OpenCV, silenced: what it writes to the terminal would land in the console's screen.

    Raises:
        DriverMissing: It can't be loaded.
    """
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    from calibration.errors import CameraLibraryMissing

    try:
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


def _recogniser() -> Reader:
    from calibration.recogniser import Recogniser

    return Recogniser()


def _watcher(reader: Callable[[], Reader], decks: int, *, is_moving: bool) -> Watcher:
    """Load the reader.

    Raises:
        DriverMissing: A library or the weights are missing.
    """
    _cv2()
    import numpy as np

    from calibration.errors import CalibrationError
    from calibration.recogniser import Tracker
    from calibration.recogniser.watch import Watcher

    tracker = Tracker(decks) if is_moving else Tracker.for_pictures(decks)
    try:
        made = reader()
        made.read(np.zeros((64, 64, 3), np.uint8))  # loads the weights, so that what is missing shows here
    except CalibrationError as error:
        raise DriverMissing(error.message, error.hint) from error
    return Watcher(cast("Recogniser", made), tracker)


def _frame(image: Image, time_s: float, number: int) -> Frame:
    from calibration.frames import Frame

    return Frame(image, time_s, number)


def _frames_of(path: Path, fps: float) -> Iterator[Frame]:
    """The frames of a film, a picture or a folder; opened at the first one."""
    from calibration.pixels import load_picture
    from calibration.reading import pictures_in
    from calibration.video import video_frames

    if not _is_pictures(path):
        yield from video_frames(path)
        return
    pictures = pictures_in(path) if path.is_dir() else [path]
    for number, picture in enumerate(pictures):
        yield _frame(load_picture(picture), number / (fps or 1.0), number)


def _is_pictures(path: Path) -> bool:
    """Whether it is a picture or a folder of pictures, not a film."""
    from calibration.reading import PICTURE_ENDINGS

    return path.is_dir() or path.suffix.lower() in PICTURE_ENDINGS


def _candidates(seen: SeenCard) -> tuple[Candidate, ...]:
    return tuple(Candidate(card, share) for card, share in seen.candidates)
