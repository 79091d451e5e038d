"""Cameras: a device, a film, a folder of pictures, a phone's address -> frames -> recogniser -> card events.

OpenCV and the recogniser load when a camera is opened, not before. What they say of cards is decided in
`calibration`; here it gets a zone, a group and a place in the stream of events. A calibrated camera
(`camera_setup.py`) knows its zones; cards outside them are no news.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

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
    Sight,
    SourceEvent,
    conceal,
)
from drivers.camera_list import device_number, found_cameras, lasting_address, no_picture
from drivers.camera_reader import Looker, Reader, loaded, watcher
from drivers.camera_setup import NO_SETUP, CameraSettings, find_settings, public_address
from drivers.camera_watch import CameraWatch
from drivers.live_frames import Camera, LiveFrames
from drivers.opencv_camera import OpenCvCamera, check_file, frames_of, is_live, is_pictures
from drivers.spec import SourceSpec

if TYPE_CHECKING:
    from calibration.frames import Frame, Image
    from calibration.recogniser import SeenCard, Sighting
    from calibration.recogniser.watch import Watcher

FIRST_PICTURE_S = 10.0
"""A camera that has sent nothing for so long after opening is not usable."""
OPEN_WAIT_S = 1.5
"""So long opening waits for the first picture; then it is said that none has come yet."""
STOP_S = 1.0
"""How long closing waits for the camera; the thread of one that hangs is left behind."""
GROUP_S = 0.25
"""Cards that become certain within this time were seen in one look."""
WAIT_S = 0.3
"""Shortest time between two pictures that wait for the table: it must have booked the cards of the first."""


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
        settings: What the house knows of this camera and of the deck in use.
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
        settings: CameraSettings = NO_SETUP,
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
        self._settings = settings
        self._reader = reader or settings.recogniser
        self._open_camera = open_camera
        self._watch = CameraWatch(self._name)
        self._live: LiveFrames | None = None
        self._frames: Iterator[Frame] | None = None
        self._next: Frame | None = None
        self._watcher: Watcher | None = None
        self._looker: Looker | None = None
        self._image: Image | None = None
        self._image_s = 0.0
        self._find_settings: Callable[[], CameraSettings] | None = None
        self._is_recalibrated = False
        self._is_waiting = self._is_drift_known = False
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
        profile, deck = options.text("profile"), options.text("deck")
        options.done()
        source._find_settings = partial(find_settings, spec, profile, deck)
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
        self._image = None
        self._is_drift_known = False
        if self._find_settings is not None:
            self._settings = self._find_settings()
            self._reader = self._settings.recogniser
        live = self._open_camera is not None or is_live(self._address)
        if not live:
            check_file(self._address)
        is_moving = live or self._fps > 0 or not is_pictures(Path(self._address))
        if live:
            self._start_live()  # a device needs its time as well, so both get ready at once
        try:
            self._looker = Looker(loaded(self._reader), self._settings)
        except DriverMissing:
            self._release()
            raise
        self._watcher = watcher(self._looker, self._decks, is_moving=is_moving)
        if live:
            self._await_picture()
        else:
            self._pending.extend(self._settings.remarks(self._name))
            self._frames = frames_of(Path(self._address), self._fps)
            self._next = self._first_frame(self._frames)

    def read(self, timeout_s: float) -> SourceEvent | None:
        """Return the next event; one picture is always read to its end, so this may take a little longer."""
        deadline_s = self._clock() + timeout_s
        while not self._closed.is_set():
            if self._shuffled_to is not None:
                self._forget()
            if self._is_recalibrated:
                self._recalibrate()
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

    def sight(self) -> Sight | None:
        """The newest picture and what was read last; nothing of cards that lie face down."""
        image, looker = self._image, self._looker
        if image is None or looker is None or not self.may_name_cards():
            return None
        live = self._live
        return Sight(
            image,
            self._image_s,
            self._number,
            looker.seen,
            self._settings.name,
            dict(live.held) if live is not None else {},
            self._size if device_number(self._address) is not None else None,
            f"camera:{lasting_address(public_address(self._address))}",
            live.count if live is not None else self._number,
        )

    def hold_still(self) -> None:
        """Ask that focus and exposure stay as they are."""
        if self._live is not None:
            self._live.hold()

    def recalibrated(self) -> None:
        """Take the calibration anew before the next picture."""
        self._is_recalibrated = True

    def _recalibrate(self) -> None:
        """Cards that lie there now were counted already: the tracker stays, only the reader is another."""
        self._is_recalibrated = False
        if self._find_settings is None or self._looker is None:
            return
        try:
            self._settings = self._find_settings()
            self._reader = self._settings.recogniser
            self._looker.renew(loaded(self._reader), self._settings)
        except DriverError as error:
            time_s = self._clock() - self._opened_s
            note = str(error)
            self._pending.append(SourceEvent(EventKind.FAULT, self._name, time_s, code="profile", note=note))

    # -- live cameras -------------------------------------------------------------------------------------

    def _start_live(self) -> None:
        self._live = LiveFrames(self._open_camera or self._open_device, self._clock)
        self._live.start()
        self._is_waiting = True

    def _await_picture(self) -> None:
        """Wait for the first picture, but not longer than a table waits.

        Raises:
            DriverError: The camera can't be opened, or has sent nothing for `FIRST_PICTURE_S`.
        """
        live, wait_s = self._live, min(OPEN_WAIT_S, FIRST_PICTURE_S)
        assert live is not None
        end_s = max(self._clock(), self._opened_s) + wait_s
        while not self._closed.is_set():
            taken = live.take(0.1)
            if taken is not None:
                self._welcome(*taken)
                return
            error = live.error
            if error is None and self._clock() >= end_s:
                if FIRST_PICTURE_S > OPEN_WAIT_S:
                    self._pending.append(self._nothing_yet())
                    return
                error = self._no_picture()
            if error is not None:
                self._release()
                raise error

    def _welcome(self, image: Image, taken_s: float) -> None:
        """Say that the first picture came, and how large it is."""
        self._is_waiting = False
        time_s = taken_s - self._opened_s
        self._watch.opened(time_s)
        height, width = image.shape[:2]
        note = f"picture {width}x{height}"
        if device_number(self._address) is not None and (width, height) != self._size:
            note += f", asked for {self._size[0]}x{self._size[1]}"
        self._pending.append(SourceEvent(EventKind.UP, self._name, time_s, code="picture", note=note))
        self._pending.extend(self._settings.remarks(self._name))
        self._look(image, time_s)

    def _nothing_yet(self) -> SourceEvent:
        note = (
            "no picture from the camera yet; if the system asks for permission, allow it for the terminal "
            "program in the privacy settings"
        )
        time_s = self._clock() - self._opened_s
        return SourceEvent(EventKind.STALE, self._name, time_s, code="no-picture", note=note)

    def _no_picture(self) -> DriverError:
        number = device_number(self._address)
        if number is not None and self._open_camera is None:
            return no_picture(number)
        return DriverOpenFailed(f"No picture from camera {self._name}.", "Check the cable or the address.")

    def _open_device(self) -> Camera:
        if self._address.lower().startswith("http://"):
            from drivers.mjpeg_camera import open_mjpeg

            stream = open_mjpeg(self._address)
            if stream is not None:
                return stream
        return OpenCvCamera(self._address, self._size, self._settings.controls)

    def _read_live(self, live: LiveFrames, deadline_s: float) -> None:
        taken = live.take(max(0.0, min(0.2, deadline_s - self._clock())))
        if taken is not None and self._is_waiting:
            self._welcome(*taken)
        elif taken is not None:
            self._look(taken[0], taken[1] - self._opened_s)
        elif self._is_waiting:
            self._wait_on(live)
        else:
            why = str(live.error) if live.error is not None else ""
            self._pending.extend(self._watch.silent(self._clock() - self._opened_s, why))

    def _wait_on(self, live: LiveFrames) -> None:
        """The first picture is late: after a while, or once there is a reason, the camera counts as lost."""
        time_s = self._clock() - self._opened_s
        if live.error is None and time_s < FIRST_PICTURE_S:
            return
        self._is_waiting = False
        self._watch.opened(-FIRST_PICTURE_S)
        self._pending.extend(self._watch.silent(time_s, str(live.error or self._no_picture())))

    def _look(self, image: Image, time_s: float) -> None:
        count = self._live.count if self._live is not None else None
        self._pending.extend(self._watch.look(image, time_s, count))
        self._image, self._image_s = image, time_s
        if not self._is_drift_known and self._watch.is_useful:
            self._is_drift_known = True
            self._pending.extend(self._settings.drift(self._name, image, time_s))
        if self._watch.is_useful:
            self._show(_frame(image, time_s, self._number))

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
        self._image, self._image_s = frame.image, frame.time_s
        self._number = frame.number + 1
        was_allowed = self.may_name_cards()
        sightings = self._watcher.add(frame)
        if self._looker is not None and not (was_allowed and self.may_name_cards()):
            self._looker.seen = ()  # a later sight must not name what lay hidden
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
            zone=self._zone or self._settings.zone_of(seen.outline, self._image),
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
        self._image = None
        if live is not None:
            live.stop(STOP_S)


def _frame(image: Image, time_s: float, number: int) -> Frame:
    from calibration.frames import Frame

    return Frame(image, time_s, number)


def _candidates(seen: SeenCard) -> tuple[Candidate, ...]:
    return tuple(Candidate(card, share) for card, share in seen.candidates)
