"""Frames are worth reading when something changed and came to rest."""

from __future__ import annotations

import numpy as np

from calibration.frames import Frame
from calibration.recogniser.settle import Look, Stillness


def frame(number: int, x: int | None = None, level: int = 60) -> Frame:
    image = np.full((360, 640, 3), level, np.uint8)
    if x is not None:
        image[100:200, x : x + 70] = 230
    return Frame(image, number / 30, number)


def looks(*frames: Frame) -> list[Look]:
    stillness = Stillness()
    return [stillness.look(one) for one in frames]


def test_resting_table_is_read_once() -> None:
    assert looks(*[frame(n) for n in range(4)]) == [Look.FRESH, Look.SAME, Look.SAME, Look.SAME]


def test_card_that_slides_in_is_read_when_it_rests() -> None:
    sliding = [frame(n, x=100 + 40 * n) for n in range(3)]
    assert looks(*sliding, frame(3, x=180), frame(4, x=180)) == [
        Look.FRESH,
        Look.MOVING,
        Look.MOVING,
        Look.FRESH,
        Look.SAME,
    ]


def test_resting_table_is_read_again_after_a_second() -> None:
    assert looks(*[frame(n) for n in range(32)])[-2:] == [Look.AGAIN, Look.SAME]


def test_table_that_goes_on_resting_is_read_ever_less_often() -> None:
    said = looks(*[frame(n) for n in range(30 * 64)])
    assert [n // 30 for n, look in enumerate(said) if look is Look.AGAIN] == [1, 3, 7, 15, 31, 47, 63]


def test_after_a_change_the_table_is_watched_closely_again() -> None:
    resting = [frame(n) for n in range(30 * 8)]
    changed = [frame(n, x=100) for n in range(30 * 8, 30 * 10)]
    said = looks(*resting, *changed)
    again = [n for n, look in enumerate(said) if look is Look.AGAIN and n >= 30 * 8]
    assert again == [30 * 8 + 1 + 30]


def test_light_that_drifts_slowly_is_no_movement() -> None:
    assert Look.MOVING not in looks(*[frame(n, x=100, level=60 + n // 2) for n in range(25)])


def test_picture_of_another_size_counts_as_movement() -> None:
    stillness = Stillness()
    stillness.look(frame(0))
    assert stillness.look(Frame(np.zeros((100, 400, 3), np.uint8), 0.1, 1)) is Look.MOVING
