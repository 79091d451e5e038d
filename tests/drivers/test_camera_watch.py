"""The health of a camera's picture, with a clock of its own: black, frozen, slow, hunting, silent."""

from __future__ import annotations

import pytest

from drivers.base import EventKind
from drivers.camera_watch import CameraWatch

np = pytest.importorskip("numpy")
cv2 = pytest.importorskip("cv2", exc_type=ImportError, reason="OpenCV can't be loaded here")

from calibration.frames import Image  # noqa: E402

from .cameras_for_tests import (  # noqa: E402
    picture,
)


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
