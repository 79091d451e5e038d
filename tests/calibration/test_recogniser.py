"""The reader as a whole: cards on the calibrated surface, in their zones; what lies beside it is left out."""

from __future__ import annotations

from pathlib import Path

from calibration.pixels import load_picture
from calibration.recogniser import Recogniser
from calibration.surface import Surface, Zone

FRAMES = Path(__file__).parents[1] / "data" / "frames"
MM_A_PX = 88.0 / 210.0
"""Cards of the sample are 210 px high."""
SIZE = (1280, 720)
LEFT = Zone("post", ((0.0, 0.0), (270.0, 0.0), (270.0, 302.0), (0.0, 302.0)))
RIGHT = Zone("third", ((270.0, 0.0), (537.0, 0.0), (537.0, 302.0), (270.0, 302.0)))


def surface(mm_a_px: float = MM_A_PX, corners_mm: tuple[tuple[float, float], ...] = ()) -> Surface:
    rows = ((mm_a_px, 0.0, 0.0), (0.0, mm_a_px, 0.0), (0.0, 0.0, 1.0))
    return Surface(rows, SIZE, corners_mm, (LEFT, RIGHT))


def test_cards_are_read_with_the_zones_they_lie_in() -> None:
    picture = load_picture(FRAMES / "casino_2_both_posts.jpg")
    reading = Recogniser(surface=surface()).read(picture)
    assert [(str(seen.card), seen.zone) for seen in reading.cards] == [("5H", "post"), ("9S", "third")]


def test_without_a_surface_no_zone_is_said() -> None:
    reading = Recogniser().read(load_picture(FRAMES / "casino_1_first_post.jpg"))
    assert [seen.zone for seen in reading.cards] == [None]


def test_what_has_no_cards_size_on_the_surface_is_no_card() -> None:
    """A picture of a card on a telephone, say: right shape, half the size."""
    reading = Recogniser(surface=surface(MM_A_PX / 2)).read(load_picture(FRAMES / "casino_1_first_post.jpg"))
    assert (reading.cards, reading.unsure, reading.reason) == ((), (), "off_surface")


def test_card_beside_the_cloth_is_left_out() -> None:
    cloth = ((0.0, 0.0), (270.0, 0.0), (270.0, 302.0), (0.0, 302.0))
    reading = Recogniser(surface=surface(corners_mm=cloth)).read(
        load_picture(FRAMES / "casino_2_both_posts.jpg")
    )
    assert [str(seen.card) for seen in reading.cards] == ["5H"]


def test_unsure_card_keeps_its_crop_for_the_question() -> None:
    (seen,) = Recogniser().read(load_picture(FRAMES / "unreadable_1.jpg")).unsure
    assert seen.crop.shape == (320, 224, 3)
    assert seen.crop.std() > 10
