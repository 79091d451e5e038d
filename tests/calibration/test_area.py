"""The area: places on it, zones, corners as they are tapped."""

from __future__ import annotations

import pytest

from calibration.area import PLANS, Area, checked_corners, zone_at
from calibration.errors import DegenerateOutline

TILTED = ((0.2, 0.2), (0.8, 0.2), (1.0, 0.9), (0.0, 0.9))


def test_a_place_goes_to_the_picture_and_back() -> None:
    area = Area(TILTED)
    for place in ((0.0, 0.0), (0.5, 0.5), (0.3, 0.9)):
        assert area.place_of(*area.in_picture(*place)) == pytest.approx(place)
    assert area.in_picture(1.0, 1.0) == pytest.approx((1.0, 0.9))


def test_a_quarter_turn_moves_the_dealers_left_upper_corner() -> None:
    area = Area(TILTED, 600, 400).turned()
    assert area.in_picture(0.0, 0.0) == pytest.approx((0.8, 0.2))
    assert (area.width_mm, area.height_mm) == (400, 600)
    assert area.turned().turned().turned() == Area(TILTED, 600, 400)


def test_a_card_at_the_far_edge_is_the_smallest() -> None:
    smallest, largest = Area(TILTED, 600, 400).card_heights_px((1280, 720))
    assert 70 < smallest < 112 < largest < 180
    flat = Area(width_mm=889.0, height_mm=889.0).card_heights_px((1000, 1000))
    assert flat == pytest.approx((100.0, 100.0))
    assert Area(TILTED).card_heights_px((1280, 720)) == (0.0, 0.0), "nothing was measured"


@pytest.mark.parametrize(
    ("place", "zone"),
    [
        ((0.1, 0.2), "posts"),
        ((0.5, 0.2), "third"),
        ((0.9, 0.2), "posts"),
        ((0.5, 0.9), "hand"),
        ((-0.1, 0.2), None),
        ((0.5, 1.2), None),
    ],
)
def test_each_place_on_the_table_has_its_zone(place: tuple[float, float], zone: str | None) -> None:
    assert zone_at(PLANS["table"], *place) == zone


def test_the_reader_gets_a_measured_area_in_millimetres() -> None:
    surface = Area(TILTED, 600, 400).surface((1280, 720), PLANS["table"])
    assert surface is not None
    assert surface.place([(0.2 * 1280, 0.2 * 720), (1280, 0.9 * 720)], (1280, 720)).ravel() == pytest.approx(
        [0, 0, 600, 400]
    )
    third = Area(TILTED).in_picture(0.5, 0.3)
    spot = [(third[0] * 640, third[1] * 360)]
    assert surface.zone_of(spot, (640, 360)) == "third", "also in a picture of half the size"
    assert Area(TILTED).surface((1280, 720)) is None


def test_corners_tapped_the_other_way_round_are_put_in_order() -> None:
    clockwise = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.8), (0.1, 0.8)]
    assert checked_corners(clockwise) == tuple(clockwise)
    backwards = [clockwise[0], clockwise[3], clockwise[2], clockwise[1]]
    assert checked_corners(backwards) == tuple(clockwise)


@pytest.mark.parametrize(
    "corners",
    [
        [(0.1, 0.1), (0.9, 0.9), (0.9, 0.1), (0.1, 0.9)],  # crossed
        [(0.1, 0.1), (0.2, 0.1), (0.3, 0.1), (0.4, 0.1)],  # a line
        [(0.1, 0.1), (0.12, 0.1), (0.12, 0.12), (0.1, 0.12)],  # a point, nearly
        [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9)],
    ],
)
def test_corners_that_enclose_no_surface_are_refused(corners: list[tuple[float, float]]) -> None:
    with pytest.raises(DegenerateOutline) as caught:
        checked_corners(corners)
    assert caught.value.hint
