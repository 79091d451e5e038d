"""What shows of a covered card's middle tells pips from figures and most ranks from each other."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.frames import Image
from calibration.recogniser.rectify import CARD_HEIGHT_PX, CARD_WIDTH_PX, PAPER_LEVEL
from calibration.recogniser.strip import ARRANGEMENTS, Strip, strip_of

RED_INK, BLACK_INK, BLUE_INK = (40, 30, 200), (20, 20, 20), (200, 60, 20)
RED, BLACK = 0.7, 0.0
CONSISTENT = 0.6


def number_card(count: int, ink: tuple[int, int, int] = RED_INK) -> Image:
    """Bare pips on paper; their rows begin at a sixth of the height."""
    card = np.full((CARD_HEIGHT_PX, CARD_WIDTH_PX, 3), PAPER_LEVEL, np.uint8)
    for column, row in ARRANGEMENTS[count][0]:
        at = round((0.5 + 0.2 * column) * CARD_WIDTH_PX), round((0.17 + 0.66 * row) * CARD_HEIGHT_PX)
        cv2.circle(card, at, round(0.075 * CARD_WIDTH_PX), ink, -1)
    return card


def court_card() -> Image:
    """A figure in three colours that fills its frame."""
    card = np.full((CARD_HEIGHT_PX, CARD_WIDTH_PX, 3), PAPER_LEVEL, np.uint8)
    for n, ink in enumerate((BLACK_INK, BLUE_INK, RED_INK) * 4):
        top = 30 + n * 22
        cv2.rectangle(card, (45, top), (CARD_WIDTH_PX - 45, top + 22), ink, -1)
    return card


def hidden_right_of(share: float) -> npt.NDArray[np.bool_]:
    """A card that lies over all that is right of a share of the width."""
    mask = np.zeros((CARD_HEIGHT_PX, CARD_WIDTH_PX), bool)
    mask[:, round(share * CARD_WIDTH_PX) :] = True
    return mask


def hidden_below(share: float) -> npt.NDArray[np.bool_]:
    """A card that lies over all that is below a share of the height."""
    mask = np.zeros((CARD_HEIGHT_PX, CARD_WIDTH_PX), bool)
    mask[round(share * CARD_HEIGHT_PX) :] = True
    return mask


def fitting(strip: Strip) -> set[int]:
    """The ranks whose pips fit, the ace being 1."""
    return {n for n, misfit in enumerate(strip.misfits, 1) if misfit <= CONSISTENT}


@pytest.mark.parametrize("count", range(2, 11))
def test_all_pips_fit_their_own_rank_and_no_other_but_eight_of_two_by_four(count: int) -> None:
    """Nine and ten are those eight with one or two between them; their index tells them apart."""
    assert fitting(strip_of(number_card(count), None, RED)) - {8} == {count} - {8}
    assert count in fitting(strip_of(number_card(count), None, RED))


@pytest.mark.parametrize(
    ("count", "ranks"),
    [(2, {1, 2, 3}), (4, {4, 5}), (5, {4, 5}), (6, {6, 7, 8, 9}), (9, {8, 9, 10}), (10, {8, 9, 10})],
)
def test_left_column_tells_how_many_pips_stand_in_it(count: int, ranks: set[int]) -> None:
    assert fitting(strip_of(number_card(count), hidden_right_of(0.47), RED)) == ranks


def test_upper_half_of_a_seven_is_no_ace_and_no_three() -> None:
    assert fitting(strip_of(number_card(7), hidden_below(0.5), RED)).isdisjoint({1, 2, 3})


@pytest.mark.parametrize("mask", [None, hidden_right_of(0.45), hidden_below(0.45)])
def test_figure_is_printed_in_other_colours_than_the_index_and_pips_are_not(
    mask: npt.NDArray[np.bool_] | None,
) -> None:
    figure, five = strip_of(court_card(), mask, RED), strip_of(number_card(5), mask, RED)
    assert figure.foreign > 0.2
    assert figure.printed > 0.3
    assert five.foreign == 0
    assert five.printed < 0.2


def test_black_pips_are_of_their_index_and_coloured_cloth_is_not() -> None:
    assert strip_of(number_card(5, BLACK_INK), None, BLACK).foreign == 0
    assert strip_of(number_card(5, BLUE_INK), None, BLACK).foreign > 0


def test_share_that_shows_grows_with_what_is_free() -> None:
    seen = [strip_of(number_card(5), hidden_right_of(share), RED).seen for share in (0.2, 0.3, 0.6, 1.0)]
    assert seen == sorted(seen)
    assert seen[0] < 0.1
    assert seen[-1] == 1.0
