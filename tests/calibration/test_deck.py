"""What a deck that was shown to the camera lacks, and which of its cards can't be told apart."""

from __future__ import annotations

import numpy as np

from assistant.cards import Card, parse_card
from calibration.deck import ALL_CARDS, CardLook, CardVerdict, DeckProfile, Safety, to_be_asked
from calibration.recogniser.network import Floats
from calibration.recogniser.prototypes import Prototypes, likeness, nearest, verdicts

NO_INK = np.zeros(2, np.float32)
CROP = np.zeros((320, 224, 3), np.uint8)
SIX, NINE, KING = (parse_card(name) for name in ("6H", "9H", "KS"))


def unit(*values: float) -> Floats:
    vector = np.array(values, np.float32)
    return np.asarray(vector / np.linalg.norm(vector), np.float32)


def description(corner: Floats, middle: Floats, other_corner: Floats | None = None) -> Floats:
    return np.stack([corner, corner if other_corner is None else other_corner, middle])


def deck_of(*looks: tuple[Card | None, Floats]) -> tuple[DeckProfile, Prototypes]:
    named = dict.fromkeys(card for card, _ in looks if card is not None)
    profile = DeckProfile("test", tuple(CardLook(card, CROP) for card, _ in looks), tuple(named))
    inks = np.zeros((len(looks), 2), np.float32)
    return profile, Prototypes(tuple(card for card, _ in looks), np.stack([look for _, look in looks]), inks)


A = description(unit(1, 0, 0, 0), unit(1, 0, 0, 0))
A_AGAIN = description(unit(1, 0.1, 0, 0), unit(1, 0, 0.1, 0))
B = description(unit(0, 1, 0, 0), unit(0, 1, 0, 0))
C = description(unit(0, 0, 1, 0), unit(0, 0, 0, 1))


def test_deck_knows_what_was_not_shown_yet() -> None:
    deck = DeckProfile("blue").with_look(CardLook(SIX, CROP)).with_look(CardLook(None, CROP))
    assert deck.missing() == tuple(card for card in ALL_CARDS if card != SIX)
    assert SIX in deck.to_see_again()
    assert SIX not in deck.with_look(CardLook(SIX, CROP)).to_see_again()


def test_pictures_of_a_card_can_be_taken_again() -> None:
    deck = DeckProfile("blue", (CardLook(SIX, CROP), CardLook(NINE, CROP)))
    assert deck.without(SIX).counts() == {NINE: 1}


def test_short_deck_misses_only_its_own_cards() -> None:
    assert DeckProfile("skat", cards=(SIX, NINE)).missing() == (SIX, NINE)


def test_cards_that_look_different_are_safe() -> None:
    assert [one.safety for one in verdicts(*deck_of((SIX, A), (NINE, B), (KING, C)))] == [Safety.SAFE] * 3


def test_two_cards_that_look_the_same_are_asked_about_and_named() -> None:
    said = verdicts(*deck_of((SIX, A), (NINE, A_AGAIN), (KING, C)))
    assert said[:2] == (
        CardVerdict(SIX, Safety.TOO_ALIKE, NINE),
        CardVerdict(NINE, Safety.TOO_ALIKE, SIX),
    )
    assert to_be_asked(said) == said[:2]


def test_pictures_of_one_card_that_differ_are_said() -> None:
    assert verdicts(*deck_of((SIX, A), (SIX, B), (KING, C)))[0].safety is Safety.LOOKS_DIFFER


def test_card_with_its_index_in_one_corner_only_is_said_so_and_named() -> None:
    single = description(unit(0, 1, 0, 0), unit(0, 1, 0, 0), other_corner=unit(0, 0, 0, 1))
    (six, _) = verdicts(*deck_of((SIX, single), (KING, C)))
    assert six == CardVerdict(SIX, Safety.ONE_INDEX)
    assert six.is_named


def test_card_never_shown_is_missing() -> None:
    profile, prototypes = deck_of((SIX, A))
    profile = DeckProfile("test", profile.looks, (SIX, NINE))
    assert verdicts(profile, prototypes)[1] == CardVerdict(NINE, Safety.MISSING)


def test_card_lying_the_other_way_round_is_as_like() -> None:
    one = description(unit(1, 0), unit(1, 1), other_corner=unit(0, 1))
    turned = description(unit(0, 1), unit(1, 1), other_corner=unit(1, 0))
    prototypes = Prototypes((SIX,), turned[None], NO_INK[None])
    assert np.allclose(likeness(one, NO_INK, prototypes), 1)


def test_green_club_and_black_spade_of_one_shape_are_told_apart_by_their_ink() -> None:
    inks = np.array([[-0.4, -0.2], [0.0, 0.0]], np.float32)
    prototypes = Prototypes((SIX, NINE), np.stack([A, A]), inks)
    found = nearest(A, inks[1], prototypes)
    assert found.card == NINE
    assert found.lead > 0.05


def test_nearest_card_leads_over_other_cards_not_over_its_own_second_picture() -> None:
    _, prototypes = deck_of((SIX, A), (SIX, A_AGAIN), (NINE, B))
    found = nearest(A, NO_INK, prototypes)
    assert (found.card, found.is_safe) == (SIX, True)
    assert found.lead > 0.9


def test_lead_over_the_twin_is_told_apart_from_that_over_other_cards() -> None:
    """What settles a wavering suit is how far the same rank of the other suit in that colour is."""
    diamond = parse_card("6D")
    _, prototypes = deck_of((SIX, A), (NINE, A_AGAIN), (diamond, B), (diamond, C))
    found = nearest(A, NO_INK, prototypes)
    assert found.card == SIX
    assert found.lead < 0.01
    assert found.twin_lead is not None
    assert found.twin_lead > 0.9
    _, without_twin = deck_of((SIX, A), (NINE, B))
    assert nearest(A, NO_INK, without_twin).twin_lead is None


def test_joker_is_no_card() -> None:
    _, prototypes = deck_of((SIX, A), (None, B))
    assert nearest(B, NO_INK, prototypes).card is None
