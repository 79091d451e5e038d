"""A card whose indices a lamp has wiped out is seen and asked about, with what would help."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.frames import Frame, Image
from calibration.recogniser import CardAsked, Recogniser, Sighting, Tracker
from calibration.recogniser.glare import is_glared
from calibration.recogniser.rectify import CARD_HEIGHT_PX, CARD_WIDTH_PX
from calibration.recogniser.watch import Watcher
from table_pictures import Lying, table_picture

FPS = 15
NAMES = ("2C", "AS", "7S", "TD", "QD", "KS", "9H")


@pytest.fixture(scope="module")
def reader() -> Recogniser:
    return Recogniser()


@pytest.mark.parametrize("name", NAMES)
def test_a_wiped_out_card_is_seen_and_not_named(reader: Recogniser, name: str) -> None:
    reading = reader.read(table_picture([Lying(name, 640, 300, 0.3, is_wiped_out=True)]))
    assert reading.cards == ()
    assert [seen.reason for seen in reading.unsure] == ["glare"]


@pytest.mark.parametrize("name", NAMES)
def test_a_card_without_glare_is_named_as_before(reader: Recogniser, name: str) -> None:
    reading = reader.read(table_picture([Lying(name, 640, 300, 0.3)]))
    assert [str(seen.card) for seen in reading.cards] == [name]


def test_a_wiped_out_card_is_asked_about_within_a_second_of_lying_still(reader: Recogniser) -> None:
    rng = np.random.default_rng(1)
    noise = [rng.normal(0, 2, (720, 1280, 1)) for _ in range(4)]
    empty, glared = table_picture(), table_picture([Lying("KS", 640, 300, 0.3, is_wiped_out=True)])
    watcher = Watcher(reader, Tracker())
    said: list[tuple[float, Sighting]] = []
    for number in range(FPS * 4):
        picture: Image = empty if number < FPS else glared
        noisy = np.asarray((picture + noise[number % 4]).clip(0, 255), np.uint8)
        said += [(number / FPS - 1, one) for one in watcher.add(Frame(noisy, number / FPS, number))]
    assert [type(one) for _, one in said] == [CardAsked]
    assert said[0][0] <= 1.0


def flat(level: int) -> Image:
    return np.full((CARD_HEIGHT_PX, CARD_WIDTH_PX, 3), level, np.uint8)


def test_an_empty_sheet_under_a_lamp_is_no_card() -> None:
    assert not is_glared(flat(255))


def test_glare_in_one_corner_leaves_the_other_index_to_be_read() -> None:
    card = flat(225)
    card[120:200, 80:140] = 40
    card[:115, :63] = 255
    assert not is_glared(card)
    card[-115:, -63:] = 255
    assert is_glared(card)
