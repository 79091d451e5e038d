"""Outlines of one card are one place, however nearly they coincide; lines of the cloth don't hide a card."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.frames import Corners, Image
from calibration.pixels import cv2
from calibration.recogniser.locate import cover, locate

ONE = np.array(
    [
        [27.999996185302734, 132.5167236328125],
        [165.17066955566406, 143.63690185546875],
        [159.9630126953125, 334.79339599609375],
        [28.00000762939453, 323.76739501953125],
    ],
    np.float32,
)
TWIN = np.array(
    [
        [27.999996185302734, 132.4825439453125],
        [165.496826171875, 143.233642578125],
        [159.88172912597656, 334.9732666015625],
        [28.00000762939453, 323.8167419433594],
    ],
    np.float32,
)


@pytest.mark.parametrize(("one", "other"), [(ONE, TWIN), (TWIN, ONE), (ONE, ONE)])
def test_outlines_a_fraction_of_a_pixel_apart_cover_each_other(one: Corners, other: Corners) -> None:
    """A drawn nine of clubs got both outlines and was named twice: OpenCV finds 39 % of one in the other."""
    assert cover(one, other) > 0.98


def test_half_covered_outline_is_covered_by_half() -> None:
    shifted = ONE + np.array([70, 5.7], np.float32)
    assert cover(ONE, shifted) == pytest.approx(0.48, abs=0.03)
    assert cover(ONE, ONE + np.array([400, 0], np.float32)) == 0.0


def _felt_with_a_line(joins: bool) -> Image:
    """A court painted to a narrow white border on felt; a printed line ends at its side, or passes by."""
    rng = np.random.default_rng(3)
    image = np.empty((480, 640, 3), np.uint8)
    image[:] = (58, 92, 40)
    image[100:300, 200:340] = 238
    for x, y in rng.integers((208, 108), (326, 286), (160, 2)).tolist():
        cv2.circle(image, (x, y), 7, rng.integers(20, 215, 3).tolist(), -1)
    end = (336, 150) if joins else (420, 150)
    cv2.line(image, (620, 20), end, (205, 225, 235), 4, cv2.LINE_AA)
    return image


@pytest.mark.parametrize("joins", [False, True])
def test_card_that_a_printed_line_of_the_felt_touches_has_its_outline(joins: bool) -> None:
    """Line and paper are one light area; five of eight courts without a true outline on drawn felt lay so."""
    corners = np.array([[200, 100], [340, 100], [340, 300], [200, 300]], np.float32)
    outlines = [quad for place in locate(_felt_with_a_line(joins)).places for quad in place]
    assert any(np.abs(quad - corners).max() < 4 for quad in outlines)
