"""Outlines of one card are one place, however nearly they coincide."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.frames import Corners
from calibration.recogniser.locate import cover

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
