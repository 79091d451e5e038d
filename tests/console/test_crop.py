"""The corner of a card in half blocks."""

import numpy as np

from assistant.console.widgets.crop import HEIGHT, WIDTH, both_corners, half_blocks


def test_a_crop_becomes_half_as_many_rows_as_pixels() -> None:
    crop = np.zeros((300, 200, 3), dtype=np.uint8)
    rows = half_blocks(crop)
    assert len(rows) == HEIGHT // 2
    assert {row.cell_length for row in rows} == {WIDTH}


def test_colours_are_bgr_and_the_upper_pixel_is_the_ink() -> None:
    crop = np.zeros((8, 8, 3), dtype=np.uint8)
    crop[:4] = (0, 0, 255)
    crop[4:] = (255, 0, 0)
    (row,) = half_blocks(crop, 2, 2)
    assert row.plain == "▀▀"
    assert str(row.spans[0].style) == "#f00000 on #0000f0"


def test_what_is_no_picture_draws_nothing() -> None:
    assert half_blocks(None) == []
    assert half_blocks(np.zeros((5, 5), dtype=np.uint8)) == []
    assert half_blocks(np.zeros((0, 5, 3), dtype=np.uint8)) == []


def test_the_corner_in_which_more_is_to_be_seen_comes_first() -> None:
    """A lamp whitens the first corner: the other one, turned upright, is what a person can read."""
    crop = np.full((320, 224, 3), 255, dtype=np.uint8)
    crop[-60:-10, -40:-10] = (0, 0, 200)
    first, second = both_corners(crop)
    assert [row.plain for row in first] == [row.plain for row in second]
    assert "#c00000" in str(first[2].spans)
    assert "#c00000" not in str(second)
    assert both_corners(None) == ([], [])
