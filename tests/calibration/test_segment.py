"""Faces are marked in pictures of any size, and sides are laid on the paper's edge."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.recogniser import Recogniser
from calibration.recogniser.segment import paper_light, snap


@pytest.mark.parametrize(
    ("height", "width"), [(480, 640), (656, 336), (270, 480), (1080, 1920), (500, 500), (40, 300), (1, 1)]
)
def test_picture_of_any_size_is_read(height: int, width: int) -> None:
    assert Recogniser().read(np.full((height, width, 3), 90, np.uint8)).cards == ()


def test_rough_outline_is_laid_on_the_edge_of_the_paper() -> None:
    image = np.full((300, 300, 3), 60, np.uint8)
    image[60:220, 80:192] = 230
    rough = np.array([[86, 52], [186, 66], [198, 214], [74, 226]], np.float32)
    snapped = snap(rough, paper_light(image))
    assert snapped is not None
    edge = np.array([[80, 60], [192, 60], [192, 220], [80, 220]])
    assert np.abs(snapped - edge).max() < 2.5
