"""Cards that lie on each other: each is found once, by the index that shows, a clean table pays nothing."""

from __future__ import annotations

import importlib
from collections import Counter

import numpy as np
import pytest

from assistant.cards import Rank, parse_card
from calibration.frames import Corners, Image
from calibration.recogniser import Reading, Recogniser
from calibration.recogniser.classify import classify
from calibration.recogniser.gather import legibility, may_be_other_end
from calibration.recogniser.heaps import heaps_of
from calibration.recogniser.judge import BODY_OF_RANK, NO_BODY, Evidence, Named, judge
from calibration.recogniser.layers import covering, hidden_mask
from calibration.recogniser.network import load_networks
from calibration.recogniser.overlapped import common_size, is_one_card, joined, sized
from calibration.recogniser.reading import SeenCard
from calibration.recogniser.rectify import CARD_HEIGHT_PX, CARD_WIDTH_PX, RIM_PX, covered, rectify
from calibration.recogniser.spot import SIDE_PX, Spot, square_view
from table_pictures import Lying, table_picture

CELL = np.array([10, 10], np.float32)
CARD = np.array([[0, 0], [100, 0], [100, 140], [0, 140]], np.float32)


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser()


def at(x: float, y: float, degrees: float = 0.0) -> Corners:
    """The outline of a card of 100 by 140 whose first corner lies there, turned about it."""
    turn = np.radians(degrees)
    across, down = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    return (np.outer(CARD[:, 0], across) + np.outer(CARD[:, 1], down) + [x, y]).astype(np.float32)


def from_the_other_end(outline: Corners) -> Corners:
    return np.roll(outline, 2, axis=0)


def fan(*names: str) -> Image:
    """A hand fanned out, the last card on top, as players show it."""
    first = -0.17 * (len(names) - 1) / 2
    turns = [first + 0.17 * n for n in range(len(names))]
    return table_picture(
        [
            Lying(name, 640 + 260 * np.sin(t), 600 - 260 * np.cos(t), t)
            for name, t in zip(names, turns, strict=True)
        ]
    )


def row(*names: str) -> Image:
    """Cards laid over each other from left to right."""
    return table_picture([Lying(name, 500 + 58 * n, 360, 0.02) for n, name in enumerate(names)])


def column(*names: str) -> Image:
    """Cards laid over each other downwards."""
    return table_picture([Lying(name, 640, 230 + 62 * n, 0.03) for n, name in enumerate(names)])


def best_guesses(reading: Reading) -> Counter[str]:
    return Counter(str(seen.card) for seen in (*reading.cards, *reading.unsure))


HANDS = {
    "fan of five": fan("5H", "9S", "KD", "2C", "TH"),
    "fan of three": fan("QS", "7D", "AC"),
    "row": row("8C", "JD", "4S", "6H"),
    "column": column("3D", "QC", "9H", "7S"),
}
CARDS = {
    "fan of five": {"5H", "9S", "KD", "2C", "TH"},
    "fan of three": {"QS", "7D", "AC"},
    "row": {"8C", "JD", "4S", "6H"},
    "column": {"3D", "QC", "9H", "7S"},
}


@pytest.mark.parametrize("laid", HANDS)
def test_every_card_of_a_hand_is_found_once_with_the_right_candidate_first(
    laid: str, recogniser: Recogniser
) -> None:
    reading = recogniser.read(HANDS[laid])
    assert best_guesses(reading) == Counter(CARDS[laid])


@pytest.mark.parametrize("laid", HANDS)
def test_card_on_top_is_named_and_nothing_is_named_wrong(laid: str, recogniser: Recogniser) -> None:
    named = {str(seen.card) for seen in recogniser.read(HANDS[laid]).cards}
    assert named
    assert named <= CARDS[laid]


def test_question_about_a_covered_card_shows_it_with_the_others_darkened(recogniser: Recogniser) -> None:
    reading = recogniser.read(fan("5H", "9S", "KD", "2C", "TH"))
    lowest = next(seen for seen in (*reading.cards, *reading.unsure) if str(seen.card) == "5H")
    index = lowest.crop[:110, :50]
    rest = lowest.crop[120:200, 150:]
    assert index.mean() > 2 * rest.mean()


def test_cards_that_lie_apart_leave_no_heap() -> None:
    faces = np.zeros((54, 96), bool)
    outlines = [at(100 + 250 * n, 200) for n in range(3)]
    for n in range(3):
        faces[20:34, 10 + 25 * n : 20 + 25 * n] = True
    assert heaps_of(faces, CELL, outlines) == ()


def test_strip_beside_a_named_card_is_a_heap_round_both() -> None:
    faces = np.zeros((54, 96), bool)
    faces[20:34, 6:20] = True
    (heap,) = heaps_of(faces, CELL, [at(100, 200)])
    assert heap.centre == pytest.approx([130, 270])
    assert heap.side == pytest.approx(1.2 * 140)


def test_no_faces_leave_no_heap() -> None:
    assert heaps_of(np.zeros((54, 96), bool), CELL, ()) == ()


def test_both_indices_of_a_card_make_one_outline_with_both_their_corners() -> None:
    outline = at(200, 200, 10)
    other = from_the_other_end(outline) + np.float32(3)
    ((together, has_both, share),) = joined([Spot(outline, 0.9), Spot(other, 0.8)])
    assert has_both
    assert share == 0.9
    assert together[0] == pytest.approx(outline[0])
    assert together[2] == pytest.approx(other[0])


def test_index_spotted_twice_is_one_card() -> None:
    ((_, has_both, share),) = joined([Spot(at(200, 200), 0.6), Spot(at(206, 203), 0.9)])
    assert not has_both
    assert share == 0.9


def test_neighbours_in_a_fan_stay_two_cards() -> None:
    assert len(joined([Spot(at(200, 200, -5), 0.9), Spot(at(222, 196, 4), 0.9)])) == 2


def test_card_under_others_gets_the_size_of_the_whole_ones() -> None:
    width, height = common_size([at(0, 0), at(300, 0, 30)])
    assert (width, height) == pytest.approx((100, 140), abs=0.01)
    small = at(200, 200, 20) * 0.8
    assert np.linalg.norm(sized(small, (width, height))[3] - small[0]) == pytest.approx(140, abs=0.01)
    assert sized(small, (width, height))[0] == pytest.approx(small[0])


def test_outline_is_of_one_card_from_either_end_but_not_with_a_neighbour() -> None:
    outline = at(200, 200, 10)
    assert is_one_card(outline, from_the_other_end(outline) + np.float32(4))
    assert not is_one_card(outline, from_the_other_end(outline), either_end=False)
    assert not is_one_card(outline, at(226, 200, 10))


def test_card_whose_index_lies_in_anothers_outline_lies_on_it() -> None:
    lower, upper = at(200, 200), at(230, 204)
    one = (True, False)
    assert covering([lower, upper], [one, one]) == [[1], []]
    assert covering([upper, lower], [one, one]) == [[], [0]]
    assert covering([lower, at(500, 200)], [one, one]) == [[], []]


def test_what_others_hide_is_blank_to_the_networks_and_dark_to_the_dealer() -> None:
    picture = np.full((400, 500, 3), 200, np.uint8)
    lower, upper = at(100, 100), at(150, 100)
    mask = hidden_mask(lower, [upper], CARD_WIDTH_PX, CARD_HEIGHT_PX)
    assert mask.mean() == pytest.approx(0.5, abs=0.02)
    plain = rectify(picture, lower)
    flat = covered(plain, mask)
    assert flat.hidden == pytest.approx(0.5, abs=0.05)
    assert flat.image[:, :100].min() == 200
    assert flat.image[:, 130:].max() == 50
    assert flat.around.shape == (CARD_HEIGHT_PX + 2 * RIM_PX, CARD_WIDTH_PX + 2 * RIM_PX, 3)
    assert covered(plain, np.zeros_like(mask)) is plain


def test_pips_under_another_card_are_not_counted(
    recogniser: Recogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An eight of which the right half is hidden shows five pips: that is no word against the eight."""
    picture = table_picture([Lying("8C", 640, 360, 0.0)])
    (eight,) = recogniser.read(picture).cards
    plain = rectify(picture, np.array(eight.outline, np.float32))
    mask = np.zeros((CARD_HEIGHT_PX, CARD_WIDTH_PX), bool)
    mask[:, 120:] = True
    heard: list[Evidence] = []
    module = importlib.import_module("calibration.recogniser.classify")

    def hear(seen: Evidence) -> Named:
        heard.append(seen)
        return judge(seen)

    monkeypatch.setattr(module, "judge", hear)
    strip = np.zeros_like(mask)
    strip[120:200] = True
    whole, half, crossed = classify([plain, covered(plain, mask), covered(plain, strip)], load_networks())
    assert heard[0].body[BODY_OF_RANK[Rank.EIGHT]] > 0.9
    assert heard[1].body == pytest.approx([1 / 12] * 12)
    assert (str(whole.card), whole.reason) == ("8C", "")
    assert str(half.card) == "8C"
    assert half.reason in ("", "corner_hidden")  # what one index may name is a rule of its own
    assert heard[2].body.tolist() == [0] * NO_BODY + [1]  # both indices show: an unseen middle is no consent
    assert (str(crossed.card), crossed.reason) == ("8C", "body_unknown")


def test_square_view_keeps_its_middle() -> None:
    picture = np.zeros((300, 400, 3), np.uint8)
    picture[140:160, 190:210] = 255
    for side in (100.0, 300.0, 900.0):
        view, to_view = square_view(picture, np.array([200.0, 150.0]), side)
        assert view.shape == (SIDE_PX, SIDE_PX, 3)
        assert view[SIDE_PX // 2, SIDE_PX // 2].min() > 200
        assert to_view[:, :2] @ [200, 150] + to_view[:, 2] == pytest.approx([SIDE_PX / 2, SIDE_PX / 2])


def test_cards_far_apart_in_a_fan_hide_the_other_end_of_each_that_shows_only_one() -> None:
    one, far = at(200, 200, -30), at(300, 200, 30)
    assert covering([one, far], [(True, False), (True, True)]) == [[1], []]
    assert covering([one, far], [(True, True), (True, True)]) == [[], []]


def test_opposite_index_that_reads_the_same_shows_though_it_was_not_spotted(recogniser: Recogniser) -> None:
    picture = table_picture([Lying("6C", 640, 360, 0.0)])
    (six,) = recogniser.read(picture).cards
    plain = rectify(picture, np.array(six.outline, np.float32))
    mask = np.zeros((CARD_HEIGHT_PX, CARD_WIDTH_PX), bool)
    mask[:, 120:] = True
    clear, agrees = legibility([plain, covered(plain, mask)], load_networks()["index"])
    assert clear.min() > 0.9
    assert agrees.tolist() == [True, False]


def test_second_outline_of_a_name_at_the_other_end_of_a_card_may_be_that_card() -> None:
    """A king of a deck with large indices was named at both ends of one card."""

    def seen(x: float, card: str = "KD") -> SeenCard:
        a, b, c, d = ((float(px), float(py)) for px, py in at(x, 0))
        return SeenCard(parse_card(card), 0.99, (), (a, b, c, d), np.zeros((1, 1, 3), np.uint8), "")

    assert may_be_other_end(seen(0), seen(139))
    assert not may_be_other_end(seen(0), seen(141))
    assert not may_be_other_end(seen(0), seen(57, "KH"))
