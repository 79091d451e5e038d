"""Two networks read the index: what only one of them is sure of is asked about."""

from __future__ import annotations

from typing import cast

import numpy as np
import numpy.typing as npt
import pytest

from assistant.cards import parse_card
from calibration.recogniser.classify import classify
from calibration.recogniser.judge import BODY_OF_RANK, RANKS, SUITS, Named
from calibration.recogniser.network import Floats, Network
from calibration.recogniser.rectify import CARD_HEIGHT_PX, CARD_WIDTH_PX, FlatCard, even_light

INK_BGR = {"H": (40, 30, 200), "D": (40, 30, 200), "C": (20, 20, 20), "S": (20, 20, 20)}


class Says:
    """A network that sees the same in every view and counts its views."""

    def __init__(self, classes: int, number: int, suit: int, share: float) -> None:
        self.first = np.full(classes, (1 - share) / (classes - 1), np.float32)
        self.first[number] = share
        self.suit = np.full(5, (1 - share) / 4, np.float32)
        self.suit[suit] = share
        self.views = 0

    def run(self, views: npt.NDArray[np.uint8]) -> tuple[Floats, ...]:
        self.views += len(views)
        return np.tile(self.first, (len(views), 1)), np.tile(self.suit, (len(views), 1))


def index_of(name: str, share: float) -> Says:
    """An index network that reads a card everywhere; an empty name is nothing."""
    if not name:
        return Says(14, 13, 4, share)
    card = parse_card(name)
    assert card.suit is not None
    return Says(14, RANKS.index(card.rank), SUITS.index(card.suit), share)


def flat_card(suit: str) -> FlatCard:
    image = np.full((CARD_HEIGHT_PX, CARD_WIDTH_PX, 3), 230, np.uint8)
    image[14:70, 12:30] = image[-70:-14, -30:-12] = INK_BGR[suit]
    return even_light(image)


def read(card: str, index: Says, wide: Says) -> Named:
    """Read a card whose middle shows what it is."""
    truth = parse_card(card)
    assert truth.suit is not None
    body = Says(12, BODY_OF_RANK[truth.rank], SUITS.index(truth.suit), 0.99)
    networks = {"index": index, "wide": wide, "body": body}
    return classify([flat_card(card[1])], cast("dict[str, Network]", networks))[0]


def test_card_that_both_networks_read_is_named() -> None:
    named = read("5H", index_of("5H", 0.999), index_of("5H", 0.999))
    assert (str(named.card), named.reason) == ("5H", "")


def test_court_that_only_one_of_two_networks_is_sure_of_is_asked_about() -> None:
    """No pips prove a court: a French jack's V was called K with certainty by one network."""
    named = read("JD", index_of("KD", 0.9999), index_of("JD", 0.9))
    assert named.reason != ""


@pytest.mark.parametrize("sure", ["index", "wide"])
def test_suit_that_one_network_calls_another_is_asked_about(sure: str) -> None:
    clubs, spades = index_of("6C", 0.999), index_of("6S", 0.9)
    named = read("6S", *((clubs, spades) if sure == "index" else (spades, clubs)))
    assert named.reason != "" or str(named.card) == "6S"


def test_second_network_is_spared_where_both_corners_are_nothing() -> None:
    wide = index_of("5H", 0.99)
    read("5H", index_of("", 0.99), wide)
    assert wide.views == 0


def test_plain_card_is_looked_at_once_and_a_weak_one_again() -> None:
    plain, weak = index_of("5H", 0.999), index_of("5H", 0.9)
    read("5H", plain, index_of("5H", 0.999))
    read("5H", weak, index_of("5H", 0.999))
    assert (plain.views, weak.views) == (2, 6)
