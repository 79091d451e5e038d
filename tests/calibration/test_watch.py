"""The reader on a live source: reads when something changed, goes on while a hand waves elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from assistant.cards import parse_card
from calibration.frames import Frame, Image
from calibration.pixels import load_picture
from calibration.recogniser import CardAsked, CardSighted, Reading, Recogniser, SeenCard, Sighting, Tracker
from calibration.recogniser.watch import STEADY_READS, Watcher

FRAMES = Path(__file__).parents[1] / "data" / "frames"


class CountingRecogniser(Recogniser):
    """Counts the pictures it read."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def read(self, image: Image, before: Sequence[Image] = ()) -> Reading:
        self.count += 1
        return super().read(image, before)


OUTLINE = ((10.0, 10.0), (50.0, 10.0), (50.0, 66.0), (10.0, 66.0))


def king(reason: str) -> SeenCard:
    card = parse_card("KC")
    return SeenCard(card, 0.99, ((card, 0.99),), OUTLINE, np.zeros((4, 4, 3), np.uint8), reason)


SURE, WEAK = Reading((king(""),), ()), Reading((), (king("low_confidence"),))


class ScriptedRecogniser(Recogniser):
    """Says what it is told, reading by reading."""

    def __init__(self, readings: list[Reading]) -> None:
        super().__init__()
        self.left = list(readings)

    def read(self, image: Image, before: Sequence[Image] = ()) -> Reading:
        return self.left.pop(0)


def watch(*runs: tuple[Image, int]) -> tuple[list[Sighting], int]:
    recogniser = CountingRecogniser()
    watcher = Watcher(recogniser, Tracker())
    pictures = [picture for picture, count in runs for _ in range(count)]
    said: list[Sighting] = []
    for number, picture in enumerate(pictures):
        said += watcher.add(Frame(picture, number / 30, number))
    return said, recogniser.count


def test_casino_round_gives_its_three_cards_in_order() -> None:
    names = ("casino_1_first_post.jpg", "casino_2_both_posts.jpg", "casino_3_third_card.jpg")
    said, _ = watch(*[(load_picture(FRAMES / name), 8) for name in names])
    assert [str(one.card) for one in said if isinstance(one, CardSighted)] == ["5H", "9S", "7D"]


def test_resting_picture_is_read_a_few_times_only() -> None:
    _, reads = watch((load_picture(FRAMES / "pool_1_turned_card.jpg"), 25))
    assert reads == STEADY_READS


def test_one_lucky_reading_among_weak_ones_books_nothing() -> None:
    """The last reading is repeated while the table rests; it must not count as many."""
    recogniser = ScriptedRecogniser([WEAK, WEAK, WEAK, WEAK, WEAK, WEAK, WEAK, WEAK, WEAK, WEAK, WEAK, SURE])
    watcher = Watcher(recogniser, Tracker())
    table = np.full((72, 128, 3), 90, np.uint8)
    said = [one for n in range(24) for one in watcher.add(Frame(table, n / 30, n))]
    assert not any(isinstance(one, CardSighted) for one in said)
    assert recogniser.left == []


def test_card_sure_in_some_frames_and_weak_in_others_is_booked_when_enough_were_sure() -> None:
    recogniser = ScriptedRecogniser([SURE, WEAK, SURE, WEAK, SURE, SURE, WEAK, SURE, SURE, SURE, SURE])
    watcher = Watcher(recogniser, Tracker())
    table = np.full((72, 128, 3), 90, np.uint8)
    said = [one for n in range(24) for one in watcher.add(Frame(table, n / 30, n))]
    assert [str(one.card) for one in said if isinstance(one, CardSighted)] == ["KC"]


def test_card_counts_while_something_moves_elsewhere() -> None:
    card = load_picture(FRAMES / "pool_1_turned_card.jpg")
    waving = []
    for n in range(30):
        picture = card.copy()
        picture[620:700, 40 + 30 * n : 160 + 30 * n] = (120, 150, 200)
        waving.append((picture, 1))
    said, _ = watch(*waving)
    assert [str(one.card) for one in said if isinstance(one, CardSighted)] == ["KC"]


def test_unreadable_card_is_asked_about_once() -> None:
    said, _ = watch((load_picture(FRAMES / "unreadable_1.jpg"), 60))
    assert [type(one) for one in said] == [CardAsked]


def test_empty_table_says_nothing() -> None:
    assert watch((np.full((720, 1280, 3), (52, 92, 38), np.uint8), 10))[0] == []
