"""A card laid on others is found by what it hides."""

from __future__ import annotations

import numpy as np

from calibration.frames import Image
from calibration.pixels import cv2
from calibration.recogniser.change import changed_outlines
from calibration.recogniser.locate import cover

FELT = (52, 92, 38)
LAID = np.array([[300, 150], [440, 150], [440, 350], [300, 350]], np.float32)


def table() -> Image:
    return np.full((540, 960, 3), FELT, np.uint8)


def lay_spotted_card(image: Image, x: int, y: int, colour: int) -> Image:
    """White with dark spots, 140 by 200."""
    image[y : y + 200, x : x + 140] = 235
    for spot_y in range(y + 20, y + 190, 40):
        for spot_x in range(x + 20, x + 130, 33):
            image[spot_y : spot_y + 14, spot_x : spot_x + 14] = colour
    return image


def test_card_laid_on_bare_table_is_outlined() -> None:
    (found,) = changed_outlines(lay_spotted_card(table(), 300, 150, 20), table())
    assert cover(found, LAID) > 0.95
    assert cv2.contourArea(found) < 1.1 * cv2.contourArea(LAID)


def test_card_laid_half_over_another_is_outlined_alone() -> None:
    before = lay_spotted_card(table(), 230, 180, 20)
    (found,) = changed_outlines(lay_spotted_card(before.copy(), 300, 150, 60), before)
    assert cover(found, LAID) > 0.9
    assert cv2.contourArea(found) < 1.2 * cv2.contourArea(LAID)


def test_nothing_changed_gives_nothing() -> None:
    assert changed_outlines(table(), table()) == []


def test_light_that_goes_on_is_no_card() -> None:
    assert changed_outlines(np.full((540, 960, 3), 200, np.uint8), table()) == []


def test_picture_of_another_size_says_nothing() -> None:
    assert changed_outlines(table(), table()[::2, ::2]) == []
