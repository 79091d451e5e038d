"""Where on the calibrated surface a card lies, and what can't be a card by its size."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.surface import Surface, Zone

HALF_MM = ((0.5, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 1.0))
"""Two pixels a millimetre."""
CLOTH = ((0.0, 0.0), (640.0, 0.0), (640.0, 360.0), (0.0, 360.0))
POSTS = Zone("post", ((0.0, 0.0), (300.0, 0.0), (300.0, 360.0), (0.0, 360.0)))
THIRD = Zone("third", ((300.0, 0.0), (640.0, 0.0), (640.0, 360.0), (300.0, 360.0)))
SIZE = (1280, 720)
SURFACE = Surface(HALF_MM, SIZE, CLOTH, (POSTS, THIRD))

Points = tuple[tuple[float, float], ...]


def card_at(x: float, y: float, width: float = 126.0, height: float = 176.0) -> Points:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def test_points_are_placed_in_millimetres() -> None:
    assert SURFACE.place([(100, 40)], SIZE).tolist() == [[50.0, 20.0]]


def test_picture_of_another_size_is_scaled() -> None:
    assert SURFACE.place([(50, 20)], (640, 360)).tolist() == [[50.0, 20.0]]


@pytest.mark.parametrize(("x", "zone"), [(100.0, "post"), (900.0, "third")])
def test_card_lies_in_the_zone_of_its_middle(x: float, zone: str) -> None:
    assert SURFACE.zone_of(card_at(x, 200.0), SIZE) == zone


def test_card_beside_all_zones_has_none() -> None:
    assert Surface(HALF_MM, SIZE, zones=(POSTS,)).zone_of(card_at(1000.0, 200.0), SIZE) is None


@pytest.mark.parametrize("size_px", [(114.0, 178.0), (126.0, 176.0), (176.0, 126.0), (140.0, 220.0)])
def test_bridge_poker_lying_and_large_cards_have_a_cards_size(size_px: tuple[float, float]) -> None:
    assert SURFACE.can_be_card(card_at(400.0, 200.0, *size_px), SIZE)


@pytest.mark.parametrize("size_px", [(60.0, 90.0), (297.0, 420.0), (126.0, 120.0)])
def test_stamp_sheet_and_half_card_have_not(size_px: tuple[float, float]) -> None:
    assert not SURFACE.can_be_card(card_at(100.0, 100.0, *size_px), SIZE)


def test_card_beside_the_cloth_does_not_count() -> None:
    narrow = Surface(HALF_MM, SIZE, ((0.0, 0.0), (200.0, 0.0), (200.0, 360.0), (0.0, 360.0)))
    assert not narrow.can_be_card(card_at(900.0, 200.0), SIZE)


def test_zone_corners_may_go_either_way_round() -> None:
    turned = Surface(HALF_MM, SIZE, zones=(Zone("post", POSTS.corners_mm[::-1]),))
    assert turned.zone_of(card_at(100.0, 200.0), SIZE) == "post"


def test_point_on_the_horizon_lies_nowhere() -> None:
    tilted = Surface(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.01, -1.0)), SIZE)
    assert np.isnan(tilted.place([(10, 100)], SIZE)).all()
    assert not tilted.can_be_card(card_at(0.0, 12.0), SIZE)
