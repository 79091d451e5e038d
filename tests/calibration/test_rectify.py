"""Outlines become flat, evenly lit cards."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.errors import DegenerateOutline
from calibration.frames import Image
from calibration.recogniser.ink import ink_redness
from calibration.recogniser.rectify import (
    CARD_HEIGHT_PX,
    CARD_WIDTH_PX,
    PAPER_LEVEL,
    even_light,
    index_views,
    rectify,
    turned,
    wide_views,
)

UPRIGHT = np.array([[10, 10], [122, 10], [122, 170], [10, 170]], np.float32)


def card(paper: tuple[int, int, int], ink: tuple[int, int, int]) -> Image:
    image = np.empty((CARD_HEIGHT_PX, CARD_WIDTH_PX, 3), np.uint8)
    image[:] = paper
    image[12:60, 10:26] = ink
    image[-60:-12, -26:-10] = ink
    return image


def lit(colour: tuple[int, int, int], light: tuple[float, float, float]) -> tuple[int, int, int]:
    blue, green, red = (int(c * share) for c, share in zip(colour, light, strict=True))
    return blue, green, red


def test_flat_card_shows_the_outline_and_nothing_else() -> None:
    image = np.zeros((200, 140, 3), np.uint8)
    image[10:170, 10:122] = 200
    flat = rectify(image, UPRIGHT).image
    assert flat.shape == (CARD_HEIGHT_PX, CARD_WIDTH_PX, 3)
    assert flat[4:-4, 4:-4].min() == 200


def test_index_beside_the_outline_is_kept_in_the_rim() -> None:
    """The outline runs four pixels inside the card's edge, through the index."""
    image = np.full((200, 140, 3), 200, np.uint8)
    image[10:60, 6:12] = 20
    inside = rectify(image, UPRIGHT)
    as_it_is, further_out = index_views(inside)[0], index_views(inside, -0.03, 0.0)[0]
    assert (further_out < 100).sum() > 2 * (as_it_is < 100).sum() > 0


def test_wide_view_begins_in_the_rim_and_reaches_further_than_the_index() -> None:
    image = np.full((200, 140, 3), 200, np.uint8)
    image[30:60, 7:9] = 20  # outside the outline
    image[30:60, 45:47] = 20  # where the index view has ended
    flat = rectify(image, UPRIGHT)
    assert (index_views(flat)[0] < 100).sum() == 0
    wide = wide_views(flat)[0] < 100
    assert wide[:, :8].any()
    assert wide[:, -8:].any()


def test_crop_of_a_card_shown_before_has_a_rim_too() -> None:
    crop = np.full((CARD_HEIGHT_PX, CARD_WIDTH_PX, 3), 200, np.uint8)
    flat = even_light(crop)
    assert flat.image.shape == crop.shape
    assert index_views(flat, -0.03, -0.03)[0].min() > 200


def test_turned_outline_starts_at_the_next_corner() -> None:
    assert turned(UPRIGHT, 1)[0].tolist() == UPRIGHT[1].tolist()
    assert turned(UPRIGHT, 4).tolist() == UPRIGHT.tolist()


def test_outline_without_area_is_refused() -> None:
    with pytest.raises(DegenerateOutline):
        rectify(np.zeros((50, 50, 3), np.uint8), np.array([[1, 1], [40, 1], [41, 1], [2, 1]], np.float32))


def test_paper_becomes_neutral_under_warm_light() -> None:
    even = even_light(card(lit((245, 245, 245), (0.45, 0.75, 1.0)), (10, 10, 10))).even
    assert np.abs(even[100, 100].astype(int) - PAPER_LEVEL).max() <= 2


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.45, 0.75, 1.0), (1.0, 0.8, 0.65), (0.25, 0.25, 0.25)])
def test_red_stays_red_and_black_black_in_any_light(light: tuple[float, float, float]) -> None:
    paper = lit((245, 245, 245), light)
    red = ink_redness(even_light(card(paper, lit((40, 30, 200), light))).even)
    black = ink_redness(even_light(card(paper, lit((30, 30, 30), light))).even)
    assert red is not None
    assert black is not None
    assert red > 0.6
    assert abs(black) < 0.1


def test_blank_corner_has_no_ink() -> None:
    assert ink_redness(np.full((CARD_HEIGHT_PX, CARD_WIDTH_PX, 3), PAPER_LEVEL, np.uint8)) is None
