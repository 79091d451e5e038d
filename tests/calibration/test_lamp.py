"""A card that a lamp covers but for a few edges is asked about; a lamp on the bare table is not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.frames import Image
from calibration.recogniser import Recogniser
from calibration.recogniser.lamp import covered_outlines, has_lamp
from calibration.recogniser.locate import cover, locate
from table_pictures import Lying, table_picture

CARD = Lying("4C", 640, 300, 0.3)
MIDDLE = (640, 300)


@pytest.fixture(scope="module")
def reader() -> Recogniser:
    return Recogniser()


def lit(picture: Image, at: tuple[int, int], radius_px: int) -> Image:
    """The picture with a lamp mirrored in it."""
    glare = np.zeros(picture.shape[:2], np.float32)
    cv2.circle(glare, at, radius_px, 1.0, -1, cv2.LINE_AA)
    light = 260 * cv2.GaussianBlur(glare, (0, 0), 5)[..., None]
    return np.asarray((picture + light).clip(0, 255), np.uint8)


@pytest.mark.parametrize("radius_px", [100, 104])
def test_four_corners_beside_a_lamp_are_a_card_that_came(reader: Recogniser, radius_px: int) -> None:
    before, now = (lit(picture, MIDDLE, radius_px) for picture in (table_picture(), table_picture([CARD])))
    reading = reader.read(now, (before,))
    assert reading.cards == ()
    assert [seen.reason for seen in reading.unsure] == ["glare"]


def test_the_outline_is_completed_where_the_lamp_swallows_a_corner() -> None:
    (outline,) = covered_outlines(table_picture([Lying("AS", 640, 300, 0.3, is_wiped_out=True)]))
    (place,) = locate(table_picture([Lying("AS", 640, 300, 0.3)])).places
    assert cover(outline, place[0]) > 0.95


@pytest.mark.parametrize("radius_px", [40, 80, 120])
def test_a_lamp_on_the_bare_table_is_no_card(reader: Recogniser, radius_px: int) -> None:
    empty = table_picture()
    reading = reader.read(lit(empty, MIDDLE, radius_px), (empty,))
    assert (reading.cards, reading.unsure) == ((), ())


def test_one_pane_of_a_mirrored_window_is_no_card() -> None:
    empty = table_picture()
    window = empty.copy()
    for x in (560, 660):
        cv2.rectangle(window, (x, 200), (x + 92, 340), (255, 255, 255), -1)
    soft = np.asarray(cv2.GaussianBlur(window, (0, 0), 1.0), np.uint8)
    assert covered_outlines(soft, (empty,)) == []


def test_a_blank_sheet_beneath_a_small_lamp_is_no_card() -> None:
    sheet = table_picture()
    cv2.rectangle(sheet, (560, 200), (700, 400), (225, 225, 225), -1)
    assert has_lamp(lit(sheet, MIDDLE, 45))
    assert covered_outlines(lit(sheet, MIDDLE, 45), (table_picture(),)) == []


def test_a_picture_without_a_lamp_is_not_searched() -> None:
    assert not has_lamp(table_picture([CARD]))


def test_cards_among_tiles_of_their_size_are_found(reader: Recogniser) -> None:
    tiles = np.full((720, 1280, 3), 70, np.uint8)
    for y in range(0, 720, 90):
        for x in range(0, 1280, 90):
            tiles[y : y + 86, x : x + 86] = (150, 120, 90) if (x + y) // 90 % 2 else (90, 110, 60)
    cards = [Lying(name, 200 + 220 * n, 330) for n, name in enumerate(("4C", "7S", "9H", "2C", "TD"))]
    picture = table_picture(cards)
    is_card = np.abs(picture.astype(np.int16) - table_picture()).max(axis=2) > 60
    mask = np.asarray(
        cv2.morphologyEx(is_card.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((25, 25))), np.uint8
    )
    reading = reader.read(np.where(mask[..., None] > 0, picture, tiles))
    assert [str(seen.card) for seen in reading.cards] == ["4C", "7S", "9H", "2C", "TD"]
