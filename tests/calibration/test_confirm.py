"""One physical card is one sighting, however it flickers (camera_sequences.json and further cases)."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assistant.cards import parse_card
from calibration.recogniser.confirm import CardAsked, CardRepeated, CardSighted, Sighting, Tracker
from calibration.recogniser.reading import Reading, SeenCard

CROP = np.zeros((4, 4, 3), np.uint8)
FPS = 30


def seen(name: str, x: float = 100.0, reason: str = "", others: tuple[str, ...] = ()) -> SeenCard:
    outline = ((x, 100.0), (x + 70, 100.0), (x + 70, 200.0), (x, 200.0))
    candidates = tuple((parse_card(other), 0.5) for other in (name, *others))
    return SeenCard(parse_card(name), 0.99, candidates, outline, CROP, reason)


def reading(*cards: SeenCard) -> Reading:
    return Reading(tuple(c for c in cards if not c.reason), tuple(c for c in cards if c.reason))


def play(tracker: Tracker, *frames: Reading, fps: float = FPS, start_s: float = 0.0) -> list[Sighting]:
    said: list[Sighting] = []
    for number, frame in enumerate(frames):
        said += tracker.add(start_s + number / fps, frame)
    return said


def booked(said: list[Sighting]) -> list[str]:
    return [str(one.card) for one in said if isinstance(one, CardSighted)]


CASES_FILE = "cases/camera_sequences.json"


@pytest.mark.parametrize("case_id", [f"H{n}" for n in range(1, 8)])
def test_recorded_flicker_sequences(case_id: str, shared: Path) -> None:
    cases: list[dict[str, Any]] = json.loads((shared / CASES_FILE).read_text(encoding="utf-8"))
    case = next(case for case in cases if case["id"] == case_id)
    frames = [
        reading(seen(card)) if card else reading() for card, count in case["runs"] for _ in range(count)
    ]
    said = play(Tracker(decks=case["decks"]), *frames, fps=case["fps"])
    assert booked(said) == [str(parse_card(card)) for card in case["expected_events"]]
    assert sum(isinstance(one, CardRepeated) for one in said) == case["expected_notices"]


def held(name: str | None, frames: int) -> list[Reading]:
    return [reading(seen(name)) if name else reading()] * frames


def test_flickering_card_is_one_card() -> None:
    frames = held("7H", 8) + held(None, 1) + held("7H", 6) + held(None, 2) + held("7H", 10) + held(None, 40)
    assert [type(one) for one in play(Tracker(), *frames)] == [CardSighted]


def test_card_lost_for_fifteen_frames_of_refocusing_is_the_same_card() -> None:
    said = play(Tracker(), *held("QH", 20), *held(None, 15), *held("QH", 20))
    assert [type(one) for one in said] == [CardSighted]


def test_second_copy_in_two_decks_is_a_second_card_in_one_deck_a_notice() -> None:
    frames = held("8C", 15) + held(None, 20) + held("8C", 15)
    assert booked(play(Tracker(decks=2), *frames)) == ["8C", "8C"]
    assert [type(one) for one in play(Tracker(decks=1), *frames)] == [CardSighted, CardRepeated]


def test_reading_that_wavers_between_two_cards_names_neither_until_it_is_steady() -> None:
    wavering = [reading(seen(name)) for name in ("JD", "QD") * 3]
    assert play(Tracker(), *wavering) == []
    assert booked(play(Tracker(), *wavering, *held("JD", 6))) == ["JD"]


def test_card_exchanged_at_the_same_spot_without_a_gap_is_a_new_card() -> None:
    assert booked(play(Tracker(), *held("3S", 9), *held("5D", 9), *held("KC", 9))) == ["3S", "5D", "KC"]


def test_card_under_a_waving_hand_is_asked_about_by_nobody_and_booked_once() -> None:
    hand = [reading(seen("9C", reason="corner_hidden"))] * 10 + [reading()] * 8
    said = play(Tracker(), *held("9C", 10), *hand, *held("9C", 10), *hand, *held("9C", 10))
    assert [type(one) for one in said] == [CardSighted]


def test_card_pushed_aside_under_a_hand_is_the_same_card() -> None:
    moved = [reading(seen("9C", x=420))] * 10
    assert booked(play(Tracker(decks=2), *held("9C", 10), *held(None, 12), *moved)) == ["9C"]


def test_four_equal_frames_are_not_enough() -> None:
    assert play(Tracker(), *[reading(seen("7H"))] * 4) == []


def test_card_missing_for_sixteen_frames_and_back_is_a_repeat_in_one_deck() -> None:
    frames = [reading(seen("7H"))] * 5 + [reading()] * 16 + [reading(seen("7H"))] * 5
    said = play(Tracker(), *frames)
    assert [type(one) for one in said] == [CardSighted, CardRepeated]


def test_two_cards_at_once_come_from_left_to_right() -> None:
    said = play(Tracker(), *[reading(seen("9C", x=400), seen("2D", x=100))] * 5)
    assert booked(said) == ["2D", "9C"]


def test_card_that_slides_across_the_table_is_one_card() -> None:
    said = play(Tracker(), *[reading(seen("9C", x=100 + 30 * n)) for n in range(30)])
    assert booked(said) == ["9C"]


def test_two_cards_that_change_places_stay_two_cards() -> None:
    frames = [reading(seen("9C", x=100), seen("2D", x=400))] * 6 + [
        reading(seen("9C", x=400), seen("2D", x=100))
    ] * 6
    assert booked(play(Tracker(), *frames)) == ["9C", "2D"]


def test_both_copies_in_two_decks_may_lie_side_by_side() -> None:
    said = play(Tracker(decks=2), *[reading(seen("9C", x=100), seen("9C", x=400))] * 6)
    assert booked(said) == ["9C", "9C"]


def test_unsure_card_is_asked_about_once() -> None:
    said = play(Tracker(), *[reading(seen("9C", reason="corners_disagree"))] * 60)
    assert [type(one) for one in said] == [CardAsked]


def test_card_asked_about_and_then_read_answers_its_own_question() -> None:
    said = play(Tracker(), *[reading(seen("9C", reason="low_confidence"))] * 20, *[reading(seen("9C"))] * 20)
    assert [type(one) for one in said] == [CardAsked, CardSighted]
    assert isinstance(said[1], CardSighted)
    assert said[1].was_asked


def test_known_card_half_covered_is_not_asked_about() -> None:
    frames = [reading(seen("9C"))] * 6 + [reading(seen("8C", reason="corners_disagree", others=("9C",)))] * 60
    assert booked(play(Tracker(), *frames)) == ["9C"]
    assert not any(isinstance(one, CardAsked) for one in play(Tracker(), *frames))


def test_card_that_wavers_between_sure_and_contradicted_is_asked_about_in_the_end() -> None:
    wavering = [reading(seen("AS")), reading(seen("AS", reason="corners_disagree"))] * 40
    assert [type(one) for one in play(Tracker(), *wavering)] == [CardAsked]


def test_unlike_card_laid_over_a_known_one_is_asked_about() -> None:
    """The ace of spades over the ace of diamonds: the ace below is among the candidates, but far behind."""
    above = replace(
        seen("AS", reason="low_confidence"), candidates=((parse_card("AS"), 0.9), (parse_card("AD"), 0.05))
    )
    said = play(Tracker(), *held("AD", 6), *[reading(above)] * 40)
    assert [type(one) for one in said] == [CardSighted, CardAsked]


def test_reading_too_weak_to_name_the_card_does_not_start_the_count_anew() -> None:
    weak = [reading(seen("9C", reason="low_confidence"))] * 2
    assert play(Tracker(), *held("9C", 3), *weak, *held("9C", 1)) == []
    assert booked(play(Tracker(), *held("9C", 3), *weak, *held("9C", 2))) == ["9C"]


@pytest.mark.parametrize(
    "between",
    [
        seen("9C", reason="corners_disagree"),
        seen("9C", reason="body_disagrees"),
        seen("9C", reason="ink_disagrees"),
        seen("9S", reason="low_confidence"),
        seen("9S"),
    ],
)
def test_reading_that_speaks_against_the_card_starts_the_count_anew(between: SeenCard) -> None:
    frames = [*held("9C", 4), reading(between), *held("9C", 4)]
    assert play(Tracker(), *frames) == []


def test_card_that_is_mostly_too_weak_is_asked_about() -> None:
    weak = [reading(seen("9C", reason="low_confidence"))] * 40
    assert [type(one) for one in play(Tracker(), *held("9C", 2), *weak)] == [CardAsked]


def test_weak_readings_give_no_shorter_wait() -> None:
    """Two sure readings half a second apart are enough on slow sources; not with weak ones between."""
    weak = [reading(seen("9C", reason="low_confidence"))]
    assert play(Tracker(), *held("9C", 1), *weak, *held("9C", 1), fps=2) == []


def test_slow_source_needs_two_equal_readings_half_a_second_apart() -> None:
    assert booked(play(Tracker(), *[reading(seen("9C"))] * 2, fps=2)) == ["9C"]
    assert booked(play(Tracker(), reading(seen("9C")), reading(seen("9D")), fps=2)) == []


def test_still_pictures_are_believed_at_once() -> None:
    tracker = Tracker.for_pictures()
    assert booked(play(tracker, reading(seen("9C"), seen("2D", x=300)))) == ["9C", "2D"]
    assert booked(play(tracker, reading(seen("9C"), seen("2D", x=300), seen("KS", x=500)), start_s=1)) == [
        "KS"
    ]


def test_new_shoe_lets_cards_come_again_but_not_those_lying_there() -> None:
    tracker = Tracker()
    play(tracker, *[reading(seen("9C"), seen("2D", x=400))] * 5)
    play(tracker, *[reading(seen("9C"))] * 20, start_s=1)
    tracker.forget()
    said = play(tracker, *[reading(seen("9C"), seen("2D", x=400))] * 5, start_s=2)
    assert booked(said) == ["2D"]


WEAK_NINE = reading(seen("9C", reason="low_confidence"))
SURE_NINE = reading(seen("9C"))
NOT_FOUND = reading()
FIVE_OF_NINE = [
    *[SURE_NINE, WEAK_NINE, SURE_NINE, WEAK_NINE, SURE_NINE, WEAK_NINE],
    *[SURE_NINE, NOT_FOUND, WEAK_NINE, SURE_NINE],
]
"""Nine readings in which the card was found; missed once, so that never five were counted in a row."""


def test_most_readings_sure_and_the_others_weak_for_the_same_card_prove_it() -> None:
    """A camera in a hand: one frame is sharp enough, the next isn't, and none speaks for another card."""
    assert booked(play(Tracker(), *FIVE_OF_NINE, fps=15)) == ["9C"]


def test_frames_in_which_the_card_is_not_found_take_no_proof_away() -> None:
    frames = [*FIVE_OF_NINE[:4], *[NOT_FOUND] * 3, *FIVE_OF_NINE[4:]]
    assert booked(play(Tracker(), *frames, fps=15)) == ["9C"]


def test_fewer_sure_readings_than_weak_ones_prove_nothing() -> None:
    """Readings of one crop in one light are not independent: three of eight may be one mistake."""
    three_of_nine = [SURE_NINE, WEAK_NINE, WEAK_NINE, SURE_NINE, *[WEAK_NINE] * 4, SURE_NINE]
    assert booked(play(Tracker(), *three_of_nine, fps=15)) == []
    assert booked(play(Tracker(), *FIVE_OF_NINE[:9], *[WEAK_NINE] * 6, fps=15)) == []


NEARLY_QUEEN, WEAK_QUEEN = (
    reading(seen("QD", reason="nearly_sure")),
    reading(seen("QD", reason="corner_hidden")),
)


def test_court_that_is_nearly_sure_in_most_of_eight_pictures_is_named() -> None:
    """A queen that is never sure by one picture: 0.95 to 0.98 in five of eight, the others too weak."""
    five_of_eight = [*[NEARLY_QUEEN] * 3, *[WEAK_QUEEN] * 3, *[NEARLY_QUEEN] * 2]
    said = play(Tracker(), *five_of_eight, fps=12)
    assert booked(said) == ["QD"]
    assert [(one.seen.confidence, one.seen.reason) for one in said] == [(0.95, "")]


def test_few_sure_readings_among_those_nearly_sure_make_it_no_surer() -> None:
    mixed = [*[NEARLY_QUEEN] * 4, reading(seen("QD")), *[WEAK_QUEEN] * 3]
    assert [one.seen.confidence for one in play(Tracker(), *mixed, fps=12)] == [0.95]


def test_counted_card_is_exchanged_by_no_court_that_is_only_nearly_sure() -> None:
    """A king that some pictures call a jack is one card, not two."""
    king = [reading(seen("KD"))] * 8
    jack = [reading(seen("JD", reason="nearly_sure"))] * 12
    assert booked(play(Tracker(), *king, *jack, fps=12)) == ["KD"]


@pytest.mark.parametrize(
    "frames",
    [
        [NEARLY_QUEEN] * 7,
        [*[NEARLY_QUEEN] * 4, *[WEAK_QUEEN] * 4],
        [*[NEARLY_QUEEN] * 5, reading(seen("QD", reason="ink_disagrees")), *[NEARLY_QUEEN] * 5],
        [*[NEARLY_QUEEN] * 5, reading(seen("KD", reason="low_confidence")), *[NEARLY_QUEEN] * 5],
    ],
)
def test_court_that_is_nearly_sure_less_often_or_contradicted_is_not_named(frames: list[Reading]) -> None:
    assert booked(play(Tracker(), *frames, fps=12)) == []


def test_five_sure_readings_of_many_are_no_majority() -> None:
    now_and_then = [SURE_NINE, WEAK_NINE, NOT_FOUND, WEAK_NINE] * 8
    assert booked(play(Tracker(), *now_and_then, fps=15)) == []


@pytest.mark.parametrize(
    "against",
    [
        seen("9C", reason="corners_disagree"),
        seen("9C", reason="body_disagrees"),
        seen("9S", reason="low_confidence"),
        seen("9S"),
    ],
)
def test_one_reading_that_speaks_against_the_card_ends_its_proof(against: SeenCard) -> None:
    frames = [*FIVE_OF_NINE[:6], reading(against), *FIVE_OF_NINE[6:]]
    assert booked(play(Tracker(), *frames, fps=15)) == []


def test_a_question_is_on_the_screen_within_a_second() -> None:
    for fps in (10, 15, 30):
        tracker, asked_s = Tracker(), []
        for number in range(2 * fps):
            said = tracker.add(number / fps, reading(seen("9C", reason="corners_disagree")))
            asked_s += [number / fps for one in said if isinstance(one, CardAsked)]
        assert asked_s[0] <= 0.75, f"{fps} frames a second"


def test_a_card_that_wavers_is_asked_about_after_a_second() -> None:
    tracker, asked_s = Tracker(), []
    for number in range(30):
        reason = "corners_disagree" if number % 2 else ""
        said = tracker.add(number / 15, reading(seen("AS", reason=reason)))
        asked_s += [number / 15 for one in said if isinstance(one, CardAsked)]
    assert asked_s
    assert asked_s[0] <= 1.1


def test_three_equal_readings_a_third_of_a_second_apart_are_enough_on_a_busy_machine() -> None:
    assert booked(play(Tracker(), *[SURE_NINE] * 3, fps=6)) == ["9C"]
    assert booked(play(Tracker(), *[SURE_NINE] * 3, fps=8)) == []
    assert booked(play(Tracker(), SURE_NINE, reading(seen("9S")), SURE_NINE, fps=6)) == []


def test_cards_that_cover_each_other_are_not_asked_about_again_when_their_outlines_sway() -> None:
    """The eight was counted, the queen asked about; then a five is laid on both and each seems to lie where
    the other lay."""
    tracker = Tracker()
    queen = seen("QC", 75.0, "corner_hidden")
    before = play(tracker, *[reading(seen("8H"), queen)] * 30)
    assert [str(one.seen.card) for one in before] == ["8H", "QC"]
    swayed = reading(seen("8H", 80.0, "corner_hidden"), seen("5D", 125.0), seen("QC", 96.0, "corner_hidden"))
    after = play(tracker, *[swayed] * 60, start_s=1.0)
    assert [(type(one), str(one.seen.card)) for one in after] == [(CardSighted, "5D")]
