"""An earlier picture laid over the present one: the camera's drift is undone, what was laid down stays."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.frames import Frame, Image
from calibration.pixels import cv2
from calibration.recogniser import Reading, Recogniser, Tracker
from calibration.recogniser.align import aligned, drift_px
from calibration.recogniser.watch import Watcher
from table_pictures import Lying, posts_and_third, table_picture

LYING = posts_and_third("5H", "9S")
LAID = Lying("7D", 400, 300, 0.3)


def seen_from(picture: Image, x: float, y: float, degrees: float = 0.0, zoom: float = 1.0) -> Image:
    view = cv2.getRotationMatrix2D((640, 360), degrees, zoom)
    view[:, 2] += np.array([x, y])
    return np.asarray(cv2.warpAffine(picture, view, (1280, 720), borderMode=cv2.BORDER_REFLECT), np.uint8)


def changed(one: Image, two: Image) -> float:
    return float((np.abs(one.astype(np.int16) - two).max(axis=2) > 28).mean())


def test_only_the_laid_card_differs_once_the_drift_is_undone() -> None:
    before = table_picture(LYING)
    now = seen_from(table_picture((*LYING, LAID)), 9, -6, 1.2, 1.01)
    laid_over = aligned(before, now)
    assert laid_over is not None
    where = np.abs(laid_over.astype(np.int16) - now).max(axis=2) > 28
    assert changed(laid_over, now) < 0.6 * changed(before, now)
    beyond = where.copy()
    beyond[180:430, 290:520] = False
    assert beyond.mean() < 0.004


def test_what_the_camera_did_not_see_before_has_not_changed() -> None:
    picture = table_picture(LYING)
    now = seen_from(picture, 60, 0)
    laid_over = aligned(picture, now)
    assert laid_over is not None
    assert np.array_equal(laid_over[:, :40], now[:, :40])


def test_a_picture_of_another_table_or_size_is_not_laid_over() -> None:
    picture = table_picture(LYING)
    noise = np.random.default_rng(1).integers(0, 255, picture.shape, np.uint8)
    assert aligned(picture, noise) is None
    assert aligned(picture, picture[::2, ::2]) is None
    assert aligned(np.full_like(picture, 90), picture) is None


@pytest.mark.parametrize(("x", "degrees"), [(0.0, 0.0), (12.0, 0.0), (0.0, 1.0)])
def test_the_cameras_own_motion_is_measured_at_the_corner_that_moves_most(x: float, degrees: float) -> None:
    picture = table_picture(LYING)
    corner_px = np.hypot(640, 360) * np.radians(degrees)
    assert drift_px(picture, seen_from(picture, x, 0, degrees)) == pytest.approx(x + corner_px, abs=1.0)


def test_a_hand_that_moves_is_no_motion_of_the_camera() -> None:
    assert drift_px(table_picture(LYING, (500, 500)), table_picture(LYING, (620, 520))) < 3.0


class Listener(Recogniser):
    """Keeps the earlier pictures it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.before: list[tuple[Image, ...]] = []

    def read(self, image: Image, before: object = ()) -> Reading:
        assert isinstance(before, tuple)
        self.before.append(before)
        self.newest = image
        return Reading((), (), "no_outline")


def test_a_camera_in_a_hand_is_given_earlier_pictures_as_it_would_see_them_now() -> None:
    reader = Listener()
    watcher = Watcher(reader, Tracker())
    for number in range(30):
        lying = LYING if number < 15 else (*LYING, LAID)
        now = seen_from(table_picture(lying), 10 * np.sin(number / 3), 6 * np.cos(number / 4))
        watcher.add(Frame(now, number / 10, number))
    last = reader.before[-1]
    assert len(last) == 2
    now = reader.newest
    assert changed(last[-1], now) < 0.05, "the table of two seconds ago, where the camera looks now"
    assert changed(last[-1], now) > 0.02, "without the card that was laid since"
