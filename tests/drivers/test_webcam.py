"""Cameras and pictures: trouble is named, cards come once, groups are kept. A stand-in reads the pictures."""

from __future__ import annotations

import csv
import sys
import threading
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

from assistant.cards import FULL_DECK, Card, parse_card
from drivers.base import DriverError, DriverMissing, DriverNotFound, DriverOpenFailed, EventKind, SourceEvent
from drivers.camera_list import device_number
from drivers.camera_watch import CameraWatch
from drivers.live_frames import LiveFrames
from drivers.opencv_camera import OpenCvCamera
from drivers.webcam import WebcamSource

np = pytest.importorskip("numpy")
cv2 = pytest.importorskip("cv2", exc_type=ImportError, reason="OpenCV can't be loaded here")

from calibration.frames import Image  # noqa: E402
from calibration.recogniser import Reading, SeenCard  # noqa: E402

PATIENCE_S = 20.0


class Stripes:
    """Reads pictures made by `picture`: each third's brightness says which card lies there."""

    def read(self, image: Image, before: Sequence[Image] = (), /) -> Reading:
        sure: list[SeenCard] = []
        unsure: list[SeenCard] = []
        width = image.shape[1] // 3
        for place in range(3):
            level = int(image[:, place * width : (place + 1) * width].mean().round())
            if level < 101:
                continue
            seen = self._seen(FULL_DECK[(level - 101) % 52], place, "close" if level > 200 else "")
            (unsure if seen.reason else sure).append(seen)
        return Reading(tuple(sure), tuple(unsure))

    def _seen(self, card: Card, place: int, reason: str) -> SeenCard:
        x = 100.0 * place
        outline = ((x, 0.0), (x + 60, 0.0), (x + 60, 90.0), (x, 90.0))
        crop = np.zeros((4, 3, 3), np.uint8)
        return SeenCard(card, 0.6 if reason else 0.99, ((card, 0.99),), outline, crop, reason)


def picture(*cards: str, noise: int = 0) -> Image:
    """A picture with up to three cards; a card that ends in ? can't be named safely."""
    image: Image = np.full((90, 300, 3), 60, np.uint8)
    for place, card in enumerate(cards):
        level = 101 + FULL_DECK.index(parse_card(card.rstrip("?"))) + (104 if card.endswith("?") else 0)
        image[:, place * 100 : (place + 1) * 100] = level
    image[0, 0] = noise % 50  # a sensor never says the same twice
    return image


def read_all(source: WebcamSource) -> list[SourceEvent]:
    with source:
        events = []
        while not source.has_ended:
            event = source.read(0.2)
            if event is not None:
                events.append(event)
        return events


def short(events: list[SourceEvent]) -> list[tuple[str, str | None, int | None]]:
    return [(event.event.value, str(event.card) if event.card else None, event.group) for event in events]


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., Path]:
    def make(*pictures: Image) -> Path:
        for number, image in enumerate(pictures):
            cv2.imwrite(str(tmp_path / f"{number:02}.png"), image)
        return tmp_path

    return make


def test_cards_of_one_picture_share_a_group_and_bear_the_zone(folder: Callable[..., Path]) -> None:
    path = folder(picture("4S", "9D"), picture("4S", "9D", "7C"))
    events = read_all(WebcamSource(str(path), zone="board", reader=Stripes))
    assert short(events) == [("card", "4S", 1), ("card", "9D", 1), ("card", "7C", 2)]
    assert {event.zone for event in events} == {"board"}
    assert all(event.crop is not None and event.confidence == 0.99 for event in events)


def test_a_card_that_is_not_certain_is_asked_about_with_candidates_and_crop(
    folder: Callable[..., Path],
) -> None:
    (event,) = read_all(WebcamSource(str(folder(picture("6S?"))), reader=Stripes))
    assert event.event is EventKind.UNSURE
    assert event.card is None
    assert [str(candidate.card) for candidate in event.candidates] == ["6S"]
    assert event.crop is not None
    assert event.code == "close"


def test_a_card_seen_again_in_one_deck_is_a_notice_and_after_a_shuffle_a_card(
    folder: Callable[..., Path],
) -> None:
    path = folder(picture("7H"), picture(), picture("7H"))
    events = read_all(WebcamSource(str(path), reader=Stripes))
    assert short(events) == [("card", "7H", 1), ("tag-repeated", "7H", 2)]
    events = read_all(WebcamSource(str(path), decks=2, reader=Stripes))
    assert short(events) == [("card", "7H", 1), ("card", "7H", 2)]


def test_a_shuffle_lets_every_card_come_again(folder: Callable[..., Path]) -> None:
    path = folder(picture("7H"), picture("2C"), picture("7H"))
    with WebcamSource(str(path), pace_s=0.001, reader=Stripes) as source:
        before = [source.read(PATIENCE_S), source.read(PATIENCE_S)]
        source.shuffled(1)
        after = source.read(PATIENCE_S)
    assert short([event for event in (*before, after) if event]) == [
        ("card", "7H", 1),
        ("card", "2C", 2),
        ("card", "7H", 3),
    ]


def test_pictures_can_wait_for_the_table(folder: Callable[..., Path]) -> None:
    due = [False]
    with WebcamSource(str(folder(picture("7H"))), waits=True, reader=Stripes) as source:
        source.face_up_due = lambda: due[0]
        assert source.read(0.2) is None
        due[0] = True
        event = source.read(PATIENCE_S)
    assert event is not None
    assert str(event.card) == "7H"


def test_a_film_counts_a_card_after_five_equal_frames(folder: Callable[..., Path]) -> None:
    path = folder(*[picture("7H", noise=n) for n in range(8)])
    (event,) = read_all(WebcamSource(str(path), fps=30.0, reader=Stripes))
    assert str(event.card) == "7H"
    assert event.time_s == pytest.approx(4 / 30)


def test_cards_that_become_certain_almost_together_were_one_look(folder: Callable[..., Path]) -> None:
    def frame(n: int) -> Image:
        cards = ["7H"] + ["KD"] * (n >= 2) + ["2C"] * (n >= 20)
        return picture(*cards, noise=n)

    path = folder(*[frame(n) for n in range(26)])
    events = read_all(WebcamSource(str(path), fps=30.0, reader=Stripes))
    assert short(events) == [("card", "7H", 1), ("card", "KD", 1), ("card", "2C", 2)]


def test_a_single_picture_is_a_source_too(folder: Callable[..., Path]) -> None:
    path = folder(picture("QH", "2C"))
    assert short(read_all(WebcamSource(str(path / "00.png"), reader=Stripes))) == [
        ("card", "QH", 1),
        ("card", "2C", 1),
    ]


def test_face_down_cards_that_a_camera_sees_are_counted_and_not_named(folder: Callable[..., Path]) -> None:
    path = folder(picture("QH", "6S?"))
    events = read_all(WebcamSource(str(path), is_face_down=True, reader=Stripes))
    assert [event.is_face_down for event in events] == [True, True]
    assert all(event.crop is None and event.candidates == () for event in events)


def test_an_unreadable_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"no picture")
    for address in (tmp_path, tmp_path / "a.png", tmp_path / "nowhere.mp4"):
        with pytest.raises(DriverNotFound) as caught:
            WebcamSource(str(address), reader=Stripes).open()
        assert str(tmp_path) in caught.value.message


def test_real_photographs_give_cards_that_lie_there_or_questions(shared: Path, tmp_path: Path) -> None:
    """The packaged reader on photographs of single cards: some are named, none is named wrong."""
    labels = {
        row["file"]: row for row in csv.DictReader((shared / "cards" / "labels.csv").open(encoding="utf-8"))
    }
    single = [name for name, row in sorted(labels.items()) if row["n_cards"] == "1"][::12]
    named = 0
    for name in single:
        source = WebcamSource(str(shared / "cards" / "images" / name))
        try:
            source.open()
        except DriverMissing as error:
            pytest.skip(f"the reader's weights are absent: {error.message}")
        events = read_all(source)
        for event in events:
            assert event.event in (EventKind.CARD, EventKind.UNSURE)
            assert event.card is None or str(event.card) == labels[name]["cards"], name
            named += event.card is not None
    assert named >= len(single) // 3


# -- live cameras -------------------------------------------------------------------------------------------


class FakeCamera:
    """Plays steps: a picture, None for a failed read; then waits for more."""

    def __init__(self, steps: list[Image | None]) -> None:
        self.steps = steps
        self.closed = threading.Event()
        self.played = threading.Event()

    def read(self) -> Image | None:
        if self.steps:
            return self.steps.pop(0)
        self.played.set()
        self.closed.wait(0.01)
        return None

    def close(self) -> None:
        self.closed.set()


def collect(source: WebcamSource, until: Callable[[list[SourceEvent]], bool]) -> list[SourceEvent]:
    events: list[SourceEvent] = []
    while not until(events):
        event = source.read(PATIENCE_S)
        assert event is not None, events
        events.append(event)
    return events


class Endless:
    """A camera that shows one card for ever, with sensor noise."""

    def __init__(self, *cards: str) -> None:
        self.cards = cards
        self.count = 0

    def read(self) -> Image | None:
        self.count += 1
        threading.Event().wait(0.01)
        return picture(*self.cards, noise=self.count)

    def close(self) -> None: ...


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


# -- the picture's health, with a clock of its own ----------------------------------------------------------


@pytest.fixture
def watch() -> CameraWatch:
    made = CameraWatch("camera:0")
    made.opened(0.0)
    return made


def test_a_black_picture_is_named_within_two_seconds_and_once(watch: CameraWatch) -> None:
    """cases.csv B024: 90 frames of zeros."""
    events = [event for n in range(90) for event in watch.look(np.zeros((90, 300, 3), np.uint8), n / 30)]
    assert [(event.event, event.code) for event in events] == [(EventKind.STALE, "black")]
    assert events[0].time_s <= 2.0
    assert not watch.is_useful
    assert [event.event for event in watch.look(picture(noise=1), 3.1)] == [EventKind.UP]
    assert watch.is_useful


def test_a_frozen_picture_is_named_within_two_seconds(watch: CameraWatch) -> None:
    events = [event for n in range(90) for event in watch.look(picture("7H"), n / 30)]
    assert [event.code for event in events] == ["frozen"]
    assert events[0].time_s <= 2.0


def test_pictures_that_come_again_in_a_ring_are_old_ones_and_not_read(watch: CameraWatch) -> None:
    """A driver whose device is gone may go on with its buffers, one after the other."""
    ring = [picture("7H", noise=n) for n in range(4)]
    events = [event for n in range(90) for event in watch.look(ring[n % 4], n / 30)]
    assert [(event.event, event.code) for event in events] == [(EventKind.STALE, "old")]
    assert events[0].time_s <= 2.0
    assert not watch.is_useful
    assert [event.event for event in watch.look(picture("7H", noise=30), 3.1)] == [EventKind.UP]


def test_a_slow_camera_is_named_within_two_seconds_and_goes_on(watch: CameraWatch) -> None:
    events = [event for n in range(1, 9) for event in watch.look(picture("7H", noise=n), n / 3)]
    assert [(event.event, event.code) for event in events] == [(EventKind.FAULT, "slow")]
    assert events[0].time_s <= 2.0
    assert watch.is_useful


def test_a_camera_is_not_slow_because_the_reader_is(watch: CameraWatch) -> None:
    assert [event for n in range(1, 9) for event in watch.look(scene(n), n / 2, 8 * n)] == []


def test_an_ordinary_camera_gets_no_remark(watch: CameraWatch) -> None:
    steady = [event for n in range(45) for event in watch.look(scene(n), n / 15)]
    hand = [event for n in range(45) for event in watch.look(scene(n, hand=20 * (n % 30)), 3 + n / 15)]
    assert steady == hand == []


def test_an_exposure_that_goes_up_and_down_is_named_within_two_seconds(watch: CameraWatch) -> None:
    """Light that changes everywhere at once is the camera's; a lamp that is switched on changes once."""
    lamp = [event for n in range(30) for event in watch.look(scene(n, light=0.6 if n < 15 else 1.0), n / 15)]
    assert lamp == []
    waves = [1.0 + 0.25 * float(np.sin(n / 15 * 6)) for n in range(30)]
    events = [one for n, light in enumerate(waves) for one in watch.look(scene(n, light=light), 2 + n / 15)]
    assert [(event.event, event.code) for event in events] == [(EventKind.FAULT, "pumping")]
    assert events[0].time_s - 2 <= 2.0
    assert watch.is_useful


def test_a_focus_that_hunts_is_named_and_its_pictures_are_not_read(watch: CameraWatch) -> None:
    """cases.csv B039: sharp, blurred for a second, sharp again."""
    assert [event for n in range(20) for event in watch.look(scene(n), n / 15)] == []
    blurred = [event for n in range(20, 40) for event in watch.look(scene(n, blur=6.0), n / 15)]
    assert [(event.event, event.code) for event in blurred] == [(EventKind.FAULT, "hunting")]
    assert blurred[0].time_s - 20 / 15 <= 2.0
    assert not watch.is_useful
    assert watch.look(scene(40), 40 / 15 + 0.1) == []
    assert watch.is_useful


def test_a_card_that_is_taken_away_is_no_lost_focus(watch: CameraWatch) -> None:
    for n in range(20):
        watch.look(scene(n), n / 15)
    assert [event for n in range(20, 60) for event in watch.look(scene(n, card=False), n / 15)] == []
    assert watch.is_useful


def test_a_white_card_on_a_white_cloth_gets_a_hint_and_a_dark_table_too(watch: CameraWatch) -> None:
    """cases.csv B022: grey 250 on 245."""
    white = np.full((360, 640, 3), 245, np.uint8)
    white[120:260, 260:360] = 250
    for level, code in ((white, "low-contrast"), (white // 16, "dark")):
        watch.opened(0.0)
        noisy = [np.asarray(level + np.uint8(n % 2)) for n in range(20)]
        events = [event for n, image in enumerate(noisy) for event in watch.look(image, n / 15)]
        assert [(event.event, event.code) for event in events] == [(EventKind.FAULT, code)]
        assert watch.is_useful


def test_a_picture_of_another_size_is_said_and_used(watch: CameraWatch) -> None:
    watch.look(scene(1), 0.1)
    events = watch.look(scene(2)[::2, ::2], 0.2)
    assert [event.code for event in events] == ["other-size"]
    assert "320x180 now, no longer 640x360" in events[0].note
    assert watch.is_useful


def scene(noise: int, *, light: float = 1.0, blur: float = 0.0, card: bool = True, hand: int = -1) -> Image:
    """A dim table with a striped card, and a hand that may come in from the left."""
    canvas = np.full((360, 640, 3), 70, np.float32)
    if card:
        canvas[120:260, 260:360] = 235
        canvas[130:250:8, 270:350] = 20
    if hand >= 0:
        canvas[150:330, :hand] = 130
    if blur:
        canvas = cv2.GaussianBlur(canvas, (0, 0), blur)
    canvas = canvas * light + np.random.default_rng(noise).normal(0, 1.5, canvas.shape)
    drawn: Image = canvas.clip(0, 255).astype(np.uint8)
    return drawn


def test_a_camera_that_falls_silent_is_lost_within_two_seconds(watch: CameraWatch) -> None:
    watch.look(picture(noise=1), 1.0)
    assert watch.silent(2.4) == []
    assert [(event.event, event.time_s) for event in watch.silent(2.6)] == [(EventKind.DOWN, 2.6)]
    assert watch.silent(9.0) == []


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
