"""The reader on a live source: reads when something changed, goes on while a hand waves elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

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
    return lying("KC", 0, reason)


def lying(name: str, x: float, reason: str = "") -> SeenCard:
    card, outline = parse_card(name), tuple((left + x, top) for left, top in OUTLINE)
    crop = np.zeros((4, 4, 3), np.uint8)
    return SeenCard(card, 0.99, ((card, 0.99),), outline, crop, reason)  # type: ignore[arg-type]


def reading(*cards: SeenCard) -> Reading:
    return Reading(tuple(c for c in cards if not c.reason), tuple(c for c in cards if c.reason))


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
    said = rest([SURE, WEAK, SURE, WEAK, SURE, SURE, WEAK, SURE, SURE, SURE, SURE, SURE], seconds=0.8)
    assert [str(one.card) for one in said if isinstance(one, CardSighted)] == ["KC"]


def rest(readings: list[Reading], seconds: float, fps: int = 30) -> list[Sighting]:
    """What is said of a table at rest when the reader says these things in turn."""
    watcher = Watcher(ScriptedRecogniser(readings), Tracker())
    table = np.full((72, 128, 3), 90, np.uint8)
    return [one for n in range(round(seconds * fps)) for one in watcher.add(Frame(table, n / fps, n))]


def named(said: list[Sighting]) -> list[str]:
    return [str(one.card) for one in said if isinstance(one, CardSighted)]


@pytest.mark.parametrize("guess", ["8H", "3H"])
def test_one_sure_reading_of_twelve_books_nothing_while_another_card_wavers(guess: str) -> None:
    """The reading that names the fewest cards has the chance eight: kept, it would be five equal ones."""
    usual = reading(lying(guess, 0, "low_confidence"), lying("KS", 60))
    chance = reading(lying("8H", 0), lying("KS", 60, "low_confidence"))
    said = rest([*[usual] * 9, chance, *[usual] * 20], seconds=6, fps=10)
    assert named(said) == ["KS"]
    assert [str(one.seen.card) for one in said if isinstance(one, CardAsked)] == [guess]


def test_a_card_all_last_readings_name_is_booked_beside_one_that_wavers() -> None:
    weak, sure = (reading(lying("8H", 0, why), lying("KS", 60)) for why in ("low_confidence", ""))
    said = rest([*[weak, weak, weak, sure] * 3, *[weak] * 20], seconds=6)
    assert [(type(one), str(one.seen.card)) for one in said] == [(CardSighted, "KS"), (CardAsked, "8H")]


def test_a_booked_card_that_the_last_readings_missed_still_lies_there() -> None:
    """Kept without the king, the reading would be repeated till he is gone; then he would come again."""
    both = reading(lying("8H", 0, "low_confidence"), lying("KS", 60))
    alone = reading(lying("8H", 0, "low_confidence"))
    said = rest([*[both] * 10, alone, alone, *[both] * 20], seconds=70, fps=10)
    assert [(type(one), str(one.seen.card)) for one in said] == [(CardSighted, "KS"), (CardAsked, "8H")]


def test_a_booked_card_that_the_last_reading_takes_weakly_for_another_is_not_asked_about() -> None:
    eight = lying("8H", 0, "low_confidence")
    usual, once = reading(eight, lying("KS", 60)), reading(eight, lying("JS", 60, "low_confidence"))
    said = rest([*[usual] * 11, once, *[usual] * 20], seconds=6)
    assert [(type(one), str(one.seen.card)) for one in said] == [(CardSighted, "KS"), (CardAsked, "8H")]


def test_an_outline_seen_once_in_the_last_readings_is_not_asked_about() -> None:
    usual = reading(lying("8H", 0, "no_index"))
    once = reading(lying("8H", 0, "no_index"), lying("2C", 60, "low_confidence"))
    said = rest([*[usual] * 4, once, *[usual] * 4, once, usual, once, *[usual] * 20], seconds=6)
    assert [str(one.seen.card) for one in said] == ["8H"]


def test_two_names_in_turn_at_one_place_are_asked_about() -> None:
    said = rest([reading(lying(name, 0)) for name in ("8H", "3H") * 20], seconds=6)
    assert [type(one) for one in said] == [CardAsked]


def test_neighbours_in_a_fan_are_asked_about_each_with_its_own_candidates() -> None:
    lower, upper = lying("8H", 0, "corner_hidden"), lying("2C", 9, "corner_hidden")
    said = rest([*[reading(lower, upper), reading(upper)] * 6, *[reading(lower, upper)] * 20], seconds=6)
    asked = {str(one.seen.card): one.seen.candidates for one in said if isinstance(one, CardAsked)}
    assert asked == {"8H": lower.candidates, "2C": upper.candidates}


def test_a_repeated_reading_is_no_further_evidence() -> None:
    """Sure four times running and then never read again: four frames, however long they are shown."""
    tracker = Tracker()
    for n in range(4):
        assert tracker.add(n / 30, SURE) == ()
    for n in range(4, 60):
        assert tracker.add(n / 30, SURE, is_repeated=True) == ()
    assert named(list(tracker.add(2.0, SURE))) == ["KC"]


def test_repeated_readings_neither_fill_nor_thin_a_sum() -> None:
    """Four sure of seven, the rest only repeated: the eighth that is read makes it five of eight."""
    tracker = Tracker(steady_frames=9)
    for n, one in enumerate([SURE, WEAK, SURE, WEAK, SURE, WEAK, SURE]):
        assert tracker.add(n / 30, one) == ()
    for n in range(7, 17):
        assert tracker.add(n / 30, WEAK, is_repeated=True) == ()
    assert named(list(tracker.add(0.6, SURE))) == ["KC"]


def test_a_sum_too_short_grows_no_longer_while_its_last_reading_is_repeated() -> None:
    tracker = Tracker(steady_frames=9)
    said: list[Sighting] = []
    for n, one in enumerate([SURE, WEAK, SURE, WEAK, SURE, SURE, SURE, WEAK]):
        said += tracker.add(n / 30, one)
    for n in range(8, 60):
        said += tracker.add(n / 30, WEAK, is_repeated=True)
    assert [type(one) for one in said] == [CardAsked]


def test_a_repeated_unsure_reading_is_still_asked_about() -> None:
    tracker = Tracker()
    said = list(tracker.add(0.0, WEAK))
    for n in range(1, 40):
        said += tracker.add(n / 30, WEAK, is_repeated=True)
    assert [type(one) for one in said] == [CardAsked]


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


def test_a_picture_that_is_not_read_again_is_told_as_repeated() -> None:
    told: list[bool] = []

    class Listening(Tracker):
        def add(self, time_s: float, reading: Reading, *, is_repeated: bool = False) -> tuple[Sighting, ...]:
            told.append(is_repeated)
            return super().add(time_s, reading, is_repeated=is_repeated)

    watcher = Watcher(ScriptedRecogniser([SURE] * 5), Listening())
    table = np.full((72, 128, 3), 90, np.uint8)
    for n in range(8):
        watcher.add(Frame(table, n / 30, n))
    assert told == [False] * 5 + [True] * 3
