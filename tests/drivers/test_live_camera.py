"""Cameras that are plugged in, hang, get lost and come back. A stand-in reads the pictures."""

from __future__ import annotations

import sys
import threading
from itertools import pairwise
from types import SimpleNamespace

import pytest

from drivers.base import DriverError, DriverMissing, DriverNotFound, DriverOpenFailed, EventKind
from drivers.camera_list import device_number
from drivers.live_frames import LiveFrames
from drivers.opencv_camera import OpenCvCamera
from drivers.webcam import WebcamSource

np = pytest.importorskip("numpy")
cv2 = pytest.importorskip("cv2", exc_type=ImportError, reason="OpenCV can't be loaded here")

from calibration.frames import Image  # noqa: E402

from .cameras_for_tests import (  # noqa: E402
    PATIENCE_S,
    Endless,
    FakeCamera,
    Stripes,
    collect,
    picture,
)


def test_a_live_card_comes_once_and_the_picture_size_is_said() -> None:
    with WebcamSource("0", open_camera=lambda: Endless("7H"), reader=Stripes) as source:
        events = collect(source, lambda found: found[-1:] != [] and found[-1].event is EventKind.CARD)
        assert source.read(0.3) is None
    assert [event.event.value for event in events] == ["up", "card"]
    assert events[0].note == "picture 300x90, asked for 1280x720"


def test_an_unplugged_camera_is_lost_although_it_hands_out_its_last_picture_and_comes_back() -> None:
    """cases.csv B028: good frames, one failed read, then the same stale frame for ever."""
    stale = picture("6D", noise=11)
    good: list[Image | None] = [picture("6D", noise=n) for n in range(10)]

    class Unplugged(FakeCamera):
        def read(self) -> Image | None:
            if not self.steps:
                threading.Event().wait(0.01)
                return stale
            return super().read()

    cameras: list[FakeCamera | Endless] = [Unplugged([*good, stale, None]), Endless("6D")]
    source = WebcamSource("0", open_camera=lambda: cameras.pop(0), reader=Stripes)
    with source:
        events = collect(source, lambda found: sum(event.event is EventKind.UP for event in found) == 2)
    assert [event.event.value for event in events if event.event is not EventKind.CARD] == [
        "up",
        "down",
        "up",
    ]
    assert "camera lost" in next(event.note for event in events if event.event is EventKind.DOWN)
    assert sum(event.event is EventKind.CARD for event in events) <= 1


def test_a_camera_that_never_sends_a_picture_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """cases.csv B025."""
    monkeypatch.setattr("drivers.webcam.FIRST_PICTURE_S", 0.2)
    with pytest.raises(DriverOpenFailed, match="No picture from camera"):
        WebcamSource("0", open_camera=lambda: FakeCamera([]), reader=Stripes).open()


def test_why_a_camera_does_not_open_reaches_the_dealer() -> None:
    def refuse() -> FakeCamera:
        raise DriverNotFound("There is no camera 7 (/dev/video7).", "There is: camera:2.")

    with pytest.raises(DriverNotFound, match="camera:2"):
        WebcamSource("7", open_camera=refuse, reader=Stripes).open()


def test_a_missing_library_is_one_sentence_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    """cases.csv B242."""
    monkeypatch.delitem(sys.modules, "calibration.pixels")
    monkeypatch.setitem(sys.modules, "cv2", None)
    with pytest.raises(DriverMissing) as caught:
        WebcamSource("http://127.0.0.1:1/", reader=Stripes).open()
    assert "OpenCV" in caught.value.message
    assert "apt install" in caught.value.hint


def test_closing_does_not_wait_for_a_camera_that_hangs() -> None:
    hang = threading.Event()

    class Hanging(Endless):
        def read(self) -> Image | None:
            if self.count > 3:
                hang.wait(PATIENCE_S)
            return super().read()

    source = WebcamSource("0", open_camera=lambda: Hanging("7H"), reader=Stripes)
    source.open()
    source.close()
    assert source.read(0.0) is None
    hang.set()


def test_a_lost_camera_is_tried_at_most_every_two_seconds() -> None:
    """cases.csv B029, with a clock that runs by itself."""
    tries: list[float] = []
    clock = [0.0]
    enough = threading.Event()

    def opener() -> FakeCamera:
        tries.append(clock[0])
        if len(tries) == 10:
            enough.set()
        raise DriverOpenFailed("gone")

    live = LiveFrames(opener, lambda: clock[0])

    class Stop(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            clock[0] += timeout or 0.0
            return enough.is_set()

        def is_set(self) -> bool:
            return enough.is_set()

    live._stop = Stop()
    live._run()
    assert [later - earlier for earlier, later in pairwise(tries)] == [2.0] * 9


class Late(Endless):
    """A camera whose first picture takes its time."""

    def __init__(self, wait_s: float) -> None:
        super().__init__("7H")
        self.wait_s = wait_s

    def read(self) -> Image | None:
        if not self.count:
            threading.Event().wait(self.wait_s)
        return super().read()


def test_a_first_picture_that_is_late_is_said_and_then_welcome(monkeypatch: pytest.MonkeyPatch) -> None:
    """cases.csv B035: a system that asks for permission out of sight."""
    monkeypatch.setattr("drivers.webcam.OPEN_WAIT_S", 0.2)
    with WebcamSource("0", open_camera=lambda: Late(1.0), reader=Stripes) as source:
        events = collect(source, lambda found: found[-1:] != [] and found[-1].event is EventKind.CARD)
    assert [event.event.value for event in events] == ["stale", "up", "card"]
    assert "privacy settings" in events[0].note


def test_a_camera_that_another_program_took_meanwhile_is_lost_with_the_reason() -> None:
    """Unplugged and plugged in again, and a video call was quicker."""
    cameras: list[FakeCamera] = [FakeCamera([picture("6D", noise=n) for n in range(10)])]

    def opener() -> FakeCamera:
        if cameras:
            return cameras.pop(0)
        raise DriverOpenFailed("Camera 0 is in use by zoom.", "Close it.")

    with WebcamSource("0", open_camera=opener, reader=Stripes) as source:
        events = collect(source, lambda found: found[-1:] != [] and "zoom" in found[-1].note)
    lost = [event.note for event in events if event.event is EventKind.DOWN]
    assert len(lost) == 2, "at once, and again with the reason"
    assert all("cards are typed" in note for note in lost)


def test_a_live_view_costs_nothing_and_shows_what_was_read() -> None:
    with WebcamSource("0", open_camera=lambda: Endless("7H"), reader=Stripes) as source:
        assert source.sight() is not None
        collect(source, lambda found: found[-1:] != [] and found[-1].event is EventKind.CARD)
        sight = source.sight()
        assert sight is not None
        assert sight.image.shape == (90, 300, 3)
        assert [str(seen.card) for seen in sight.cards] == ["7H"]
        assert (sight.asked_px, sight.profile) == ((1280, 720), "")
    assert source.sight() is None, "a closed camera shows nothing"


def test_a_live_view_shows_no_face_down_cards() -> None:
    with WebcamSource("0", is_face_down=True, open_camera=lambda: Endless("7H"), reader=Stripes) as source:
        assert source.sight() is None
        source.face_up_due = lambda: True
        assert source.sight() is not None


def test_a_live_view_does_not_name_later_what_was_seen_while_cards_lay_hidden() -> None:
    with WebcamSource("0", is_face_down=True, open_camera=lambda: Endless("7H"), reader=Stripes) as source:
        collect(source, lambda found: found[-1:] != [] and found[-1].is_face_down)
        source.face_up_due = lambda: True
        sight = source.sight()
        assert sight is not None
        assert sight.cards == ()


class Lens(Endless):
    """A camera that was opened with its focus held, and holds more when asked to; unplugged once."""

    opened = 0

    def __init__(self) -> None:
        super().__init__("7H")
        Lens.opened += 1
        self.number = Lens.opened
        self.held = {"focus": 20.0} if self.number == 1 else {}

    def read(self) -> Image | None:
        return None if self.number == 1 and self.count >= 30 else super().read()

    def hold(self) -> dict[str, float]:
        self.held = {"focus": 25.0, "exposure": 3.0}
        return self.held


def test_what_a_camera_holds_is_known_from_its_opening_on_and_anew_when_it_is_opened_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("drivers.live_frames.FAILING_S", 0.05)
    monkeypatch.setattr("drivers.live_frames.REOPEN_S", 0.05)
    monkeypatch.setattr(Lens, "opened", 0)
    live = LiveFrames(Lens)
    live.start()
    try:
        assert live.take(PATIENCE_S) is not None
        assert live.held == {"focus": 20.0}, "a calibration saved again keeps what the first one held"
        live.hold()
        while live.held != {"focus": 25.0, "exposure": 3.0}:
            assert live.take(PATIENCE_S) is not None
        while Lens.opened < 2 or live.take(PATIENCE_S) is None:
            threading.Event().wait(0.01)
        assert live.take(PATIENCE_S) is not None
        assert live.held == {}, "the second one holds nothing"
    finally:
        live.stop(PATIENCE_S)


def test_a_camera_keeps_what_its_driver_held_of_a_calibration(monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver takes the focus and refuses the exposure."""
    capture = SimpleNamespace(
        set=lambda prop, _value: "EXPOSURE" not in prop, get=lambda _prop: 7.0, isOpened=lambda: True
    )
    names = ("FRAME_WIDTH", "FRAME_HEIGHT", *(f"{a}{b}" for a in ("", "AUTO_") for b in ("EXPOSURE", "WB")))
    names += ("FOCUS", "AUTOFOCUS", "WB_TEMPERATURE", "OPEN_TIMEOUT_MSEC", "READ_TIMEOUT_MSEC")
    cv2 = SimpleNamespace(
        error=RuntimeError,
        CAP_FFMPEG=1900,
        VideoCapture=lambda *_: capture,
        **{f"CAP_PROP_{name}": name for name in names},
    )
    monkeypatch.setattr("drivers.opencv_camera.load_cv2", lambda: cv2)
    controls = {"focus": 20.0, "exposure": 3.0}
    camera = OpenCvCamera("http://phone/video", (1280, 720), controls)
    assert camera.held == {"focus": 20.0}
    assert camera.hold() == camera.held == {"focus": 7.0, "wb_temperature": 7.0}


def test_a_camera_is_an_index_or_a_device_path() -> None:
    assert device_number("0") == 0
    assert device_number("/dev/video2") == 2
    assert device_number("/dev/null") is None
    assert device_number("http://phone:8080/video") is None
    assert device_number("0.mp4") is None


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="cameras are listed on Linux only")
def test_a_camera_that_is_not_there_is_named() -> None:
    """cases.csv B032."""
    with pytest.raises(DriverError, match="camera 99"):
        WebcamSource("99", reader=Stripes).open()
