"""A card is named only when its corners agree, its middle doesn't contradict, and red is red."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assistant.cards import Rank, Suit, parse_card
from calibration.recogniser.judge import BODY_OF_RANK, RANKS, SUITS, Evidence, Shares, judge
from calibration.recogniser.prototypes import Likeness
from calibration.recogniser.strip import Strip

RED, BLACK, BLUE = 0.7, 0.0, -0.6


def shares(classes: int, number: int, share: float) -> Shares:
    """One class with its share, the rest spread over the others."""
    values = np.full(classes, (1 - share) / (classes - 1), np.float32)
    values[number] = share
    return values


def corner(name: str, share: float = 0.98) -> tuple[Shares, Shares]:
    """What one corner says; an empty name is a corner that shows nothing."""
    if not name:
        return shares(14, 13, 0.97), shares(5, 4, 0.97)
    card = parse_card(name)
    assert card.suit is not None
    return shares(14, RANKS.index(card.rank), share), shares(5, SUITS.index(card.suit), share)


def evidence(
    one: str,
    other: str,
    middle: str,
    redness: float | None,
    share: float = 0.98,
    middle_share: float = 0.98,
) -> Evidence:
    """Both corners, the middle and the ink."""
    corners = [corner(one, share), corner(other, share)]
    body, body_suit = shares(12, 11, 0.97), shares(5, 4, 0.97)
    if middle:
        card = parse_card(middle)
        assert card.suit is not None
        body = shares(12, BODY_OF_RANK[card.rank], middle_share)
        body_suit = shares(5, SUITS.index(card.suit), middle_share)
    ranks, suits = np.stack([c[0] for c in corners]), np.stack([c[1] for c in corners])
    return Evidence(ranks, suits, body, body_suit, redness, chroma=0.5 if redness == BLUE else 0.0)


@pytest.mark.parametrize("card", ["6H", "9S", "TD", "AC", "QH", "2C"])
def test_card_with_agreeing_corners_is_named(card: str) -> None:
    named = judge(evidence(card, card, card, RED if card[1] in "HD" else BLACK, share=0.996))
    assert (str(named.card), named.reason) == (card, "")
    assert named.confidence > 0.95


def test_disagreeing_corners_are_asked_about() -> None:
    named = judge(evidence("6H", "9H", "6H", RED))
    assert named.reason == "corners_disagree"
    assert {str(card) for card, _ in named.candidates} >= {"6H"}
    assert named.confidence <= 0.5


def test_middle_with_other_pips_forbids_the_card() -> None:
    """A flat-topped three is read as five by both corners; three pips say otherwise."""
    named = judge(evidence("5H", "5H", "3H", RED, share=0.999, middle_share=0.999))
    assert named.reason == "body_disagrees"


def test_middle_of_another_suit_forbids_the_card() -> None:
    assert judge(evidence("5C", "5C", "5S", BLACK, middle_share=0.99)).reason == "body_suit_disagrees"


def test_pips_that_rather_say_another_suit_forbid_the_card() -> None:
    """A small soft four of clubs: both corners said spades at 0.98, the pips clubs at 0.75."""
    assert judge(evidence("4S", "4S", "4C", BLACK, middle_share=0.75)).reason == "body_suit_disagrees"


def test_court_whose_own_pip_rather_says_another_suit_needs_surer_corners() -> None:
    surely, hardly = np.stack([shares(5, 3, 0.996)] * 2), np.stack([shares(5, 3, 0.975)] * 2)
    of_clubs = evidence("QS", "QS", "QC", BLACK, share=0.996, middle_share=0.75)
    of_spades = evidence("QS", "QS", "QS", BLACK, share=0.996, middle_share=0.75)
    assert judge(replace(of_clubs, suits=hardly)).reason == "low_confidence"
    assert judge(replace(of_clubs, suits=surely)).reason == ""
    assert judge(replace(of_spades, suits=hardly)).reason == ""


@pytest.mark.parametrize(("card", "redness"), [("5H", BLACK), ("5S", RED), ("5C", RED), ("5D", BLACK)])
def test_ink_of_the_wrong_colour_forbids_the_card(card: str, redness: float) -> None:
    assert judge(evidence(card, card, card, redness)).reason == "ink_disagrees"


def test_middle_that_shows_nothing_known_is_no_consent() -> None:
    """A jumbo nine in a frame was read as a queen by both corners; its middle looked like no card at all."""
    assert judge(evidence("QD", "QD", "", RED, share=0.996)).reason == "body_unknown"


@pytest.mark.parametrize("card", ["5D", "5C", "5S"])
def test_blue_and_green_suits_are_asked_about_until_the_deck_was_shown(card: str) -> None:
    """Blue is diamonds in one deck and spades in another; green is clubs in one and spades in another."""
    seen = evidence(card, card, card, BLUE)
    assert judge(seen).reason == "four_colours"
    assert judge(replace(seen, own=Likeness(parse_card(card), 0.8, 0.1))).reason == ""


def test_blue_heart_is_in_no_deck() -> None:
    seen = replace(evidence("5H", "5H", "5H", BLUE), own=Likeness(parse_card("5H"), 0.8, 0.1))
    assert judge(seen).reason == "ink_disagrees"


def test_card_that_its_own_deck_calls_another_is_asked_about() -> None:
    seen = evidence("5H", "5H", "5H", RED)
    assert judge(replace(seen, own=Likeness(parse_card("3H"), 0.8, 0.1))).reason == "deck_disagrees"
    assert judge(replace(seen, own=Likeness(parse_card("5H"), 0.8, 0.01))).reason == "deck_disagrees"


def test_card_that_the_deck_can_not_tell_from_another_is_asked_about() -> None:
    own = Likeness(parse_card("5H"), 0.95, 0.2, is_safe=False)
    assert judge(replace(evidence("5H", "5H", "5H", RED), own=own)).reason == "unsafe_in_deck"


@pytest.mark.parametrize(
    ("share", "lead", "reason"),
    [
        (0.95, 0.20, ""),
        (0.85, 0.10, ""),
        (0.95, 0.05, ""),
        (0.87, 0.09, "no_index"),
        (0.96, 0.04, "no_index"),
    ],
)
def test_foreign_index_is_named_by_the_decks_own_pictures(share: float, lead: float, reason: str) -> None:
    """A German queen: no English letter in her corner, but the deck was shown."""
    named = judge(replace(evidence("", "", "QH", RED), own=Likeness(parse_card("QH"), share, lead)))
    assert named.reason == reason
    assert reason or str(named.card) == "QH"


def test_soft_clubs_are_not_named_by_the_decks_sharp_spades() -> None:
    """A four of clubs 80 px high was most like the picture of the four of spades, by 0.21."""
    own = Likeness(parse_card("4S"), 0.88, 0.21)
    wavering = evidence("4S", "4S", "4S", BLACK)
    body_suit = np.array([0.37, 0.0, 0.0, 0.62, 0.01], np.float32)
    assert judge(replace(wavering, own=own)).reason == ""
    assert judge(replace(wavering, body_suit=body_suit, own=own)).reason == "body_suit_disagrees"


@pytest.mark.parametrize(
    ("share", "lead", "reason"),
    [
        (0.93, 0.15, ""),
        (0.95, 0.10, ""),
        (0.94, 0.14, "body_suit_disagrees"),
        (0.92, 0.30, "body_suit_disagrees"),
    ],
)
def test_card_as_sharp_as_its_decks_picture_is_named_though_its_suit_wavers(
    share: float, lead: float, reason: str
) -> None:
    """Spades that the networks take for clubs as often as not: the deck's own pictures tell them apart."""
    pips = np.array([0.45, 0.0, 0.0, 0.53, 0.02], np.float32)
    seen = replace(evidence("3S", "3S", "3S", BLACK), body_suit=pips)
    assert judge(replace(seen, own=Likeness(parse_card("3S"), share, lead))).reason == reason


@pytest.mark.parametrize(
    ("share", "twin_lead", "reason"),
    [
        (0.96, 0.07, ""),
        (0.94, 0.13, ""),
        (0.95, 0.12, "body_suit_disagrees"),
        (0.92, 0.30, "body_suit_disagrees"),
        (0.97, None, "body_suit_disagrees"),
    ],
)
def test_card_far_from_its_twin_is_named_though_another_rank_of_its_suit_is_nearly_as_like(
    share: float, twin_lead: float | None, reason: str
) -> None:
    """A king of spades on felt: his queen is nearly as like him, the king of clubs is not."""
    torn = np.array([0.11, 0.0, 0.0, 0.88, 0.01], np.float32)
    seen = replace(evidence("KS", "KS", "KS", BLACK), suits=np.stack([torn, torn]))
    own = Likeness(parse_card("KS"), share, 0.08, twin_lead=twin_lead)
    assert judge(replace(seen, own=own)).reason == reason


@pytest.mark.parametrize(
    ("court", "of_rank", "reason"),
    [("QD", 0.951, "nearly_sure"), ("QD", 0.94, "low_confidence"), ("9D", 0.85, "low_confidence")],
)
def test_court_whose_letter_lacks_a_little_is_nearly_sure(court: str, of_rank: float, reason: str) -> None:
    seen = evidence(court, court, "", RED, share=0.999)
    rank = RANKS.index(parse_card(court).rank)
    body = shares(12, BODY_OF_RANK[parse_card(court).rank], 0.6)
    seen = replace(seen, ranks=np.stack([shares(14, rank, of_rank)] * 2), body=body)
    named = judge(seen)
    assert (named.reason, str(named.card)) == (reason, court)
    assert named.confidence <= 0.6
    against = judge(replace(seen, redness=BLACK))
    assert against.reason == "low_confidence"


def test_ink_between_the_colours_does_not_forbid_what_is_as_sharp_as_its_decks_picture() -> None:
    """Violet diamonds under a lamp: neither red nor blue, but as the deck prints them."""
    seen = evidence("8D", "8D", "8D", 0.1)
    assert judge(replace(seen, own=Likeness(parse_card("8D"), 0.97, 0.2))).reason == ""
    assert judge(replace(seen, own=Likeness(parse_card("8D"), 0.90, 0.2))).reason == "ink_disagrees"


@pytest.mark.parametrize(
    ("guess", "share", "lead", "reason"),
    [
        ("QH", 0.88, 0.06, ""),
        ("QH", 0.87, 0.09, "low_confidence"),
        ("QH", 0.94, 0.05, "low_confidence"),
        ("KH", 0.94, 0.09, "low_confidence"),
    ],
)
def test_nearest_picture_with_a_small_lead_names_what_the_networks_guess_too(
    guess: str, share: float, lead: float, reason: str
) -> None:
    weak = evidence(guess, guess, guess, RED, share=0.93)
    named = judge(replace(weak, own=Likeness(parse_card("QH"), share, lead)))
    assert (named.reason, str(named.card)) == (reason, "QH" if not reason else guess)


@pytest.mark.parametrize(("of_corners", "reason"), [((0.443, 0.425), "no_index"), ((0.55, 0.52), "")])
def test_guess_of_less_than_half_is_no_second_witness(of_corners: tuple[float, float], reason: str) -> None:
    """A jack of diamonds 85 px high and soft: its deck's king by 0.884 and 0.065."""
    ranks = np.full((2, 14), 0.01, np.float32)
    ranks[:, RANKS.index(Rank.JACK)] = 0.10
    ranks[:, RANKS.index(Rank.KING)] = of_corners
    ranks[:, 13] = 0.79 - np.array(of_corners)
    seen = replace(evidence("KD", "KD", "KD", RED), ranks=ranks, own=Likeness(parse_card("KD"), 0.884, 0.065))
    assert judge(seen).reason == reason


@pytest.mark.parametrize(("long_px", "reason"), [(99.0, "body_suit_disagrees"), (100.0, "")])
def test_wavering_suit_of_a_small_card_is_settled_by_no_likeness(long_px: float, reason: str) -> None:
    """A four of clubs 91 px high was like its deck's spades by 0.949 and 0.224."""
    pips = np.array([0.187, 0.0, 0.0, 0.81, 0.003], np.float32)
    seen = replace(evidence("4S", "4S", "4S", BLACK), body_suit=pips, long_px=long_px)
    assert judge(replace(seen, own=Likeness(parse_card("4S"), 0.949, 0.224))).reason == reason


@pytest.mark.parametrize(
    ("long_px", "likeness", "reason"),
    [(89.0, (0.871, 0.145), "low_confidence"), (100.0, (0.871, 0.145), ""), (89.0, (0.93, 0.15), "")],
)
def test_small_card_is_named_by_the_decks_pictures_alone_only_where_it_is_as_sharp(
    long_px: float, likeness: tuple[float, float], reason: str
) -> None:
    """A blue six of spades of a four-colour deck: diamonds by both corners at 0.95, by no more."""
    suits = np.array([0.02, 0.95, 0.01, 0.015, 0.005], np.float32)
    seen = replace(evidence("6D", "6D", "6D", BLUE, share=0.93), suits=np.stack([suits] * 2), long_px=long_px)
    seen = replace(seen, body_suit=np.array([0.155, 0.743, 0.0, 0.09, 0.012], np.float32))
    assert judge(replace(seen, own=Likeness(parse_card("6D"), *likeness))).reason == reason


@pytest.mark.parametrize(
    ("long_px", "twin_lead", "reason"),
    [(79.0, 0.07, "body_suit_disagrees"), (79.0, 0.13, ""), (100.0, 0.07, ""), (79.0, None, "")],
)
def test_small_card_must_be_far_from_its_twin(long_px: float, twin_lead: float | None, reason: str) -> None:
    """A nine of clubs, 79 px high: corners and pips called it spades, and so did its deck, by 0.07."""
    seen = replace(evidence("9S", "9S", "9S", BLACK, share=0.98), long_px=long_px)
    assert (
        judge(replace(seen, own=Likeness(parse_card("9S"), 0.861, 0.07, twin_lead=twin_lead))).reason
        == reason
    )


@pytest.mark.parametrize(("long_px", "reason"), [(94.0, "body_suit_disagrees"), (100.0, "")])
def test_wavering_suit_of_a_small_card_is_settled_by_no_pips(long_px: float, reason: str) -> None:
    """A four of clubs 94 px high: spades by its pips at 0.982, and nearest to the deck's."""
    torn = np.array([0.129, 0.0, 0.0, 0.869, 0.002], np.float32)
    seen = replace(evidence("4S", "4S", "4S", BLACK), suits=np.stack([torn, torn]), long_px=long_px)
    seen = replace(seen, body_suit=shares(5, SUITS.index(Suit.SPADES), 0.99))
    assert judge(replace(seen, own=Likeness(parse_card("4S"), 0.846, 0.099))).reason == reason


@pytest.mark.parametrize(
    ("share", "lead", "reason"), [(0.88, 0.142, "no_index"), (0.93, 0.15, ""), (0.95, 0.10, "")]
)
def test_what_shows_nothing_of_a_card_must_be_as_sharp_as_the_decks_picture(
    share: float, lead: float, reason: str
) -> None:
    """Dark blue tiles were a deck's queen of clubs in a dark blue cloak, who bears no letter."""
    own = Likeness(parse_card("QC"), share, lead, twin_lead=0.24)
    assert judge(replace(evidence("", "", "", BLACK), own=own)).reason == reason


def test_soft_court_of_which_one_corner_may_be_of_the_other_suit_is_asked_about() -> None:
    """A jack of clubs 78 px high: spades by one corner, by the other in seven parts of ten."""
    clear = np.array([0.023, 0.0, 0.0, 0.976, 0.001], np.float32)
    torn = np.array([0.269, 0.001, 0.001, 0.729, 0.0], np.float32)
    seen = replace(evidence("JS", "JS", "JS", BLACK), own=Likeness(parse_card("JS"), 0.873, 0.106))
    assert judge(replace(seen, suits=np.stack([clear, clear]))).reason == ""
    assert judge(replace(seen, suits=np.stack([clear, torn]))).reason == "body_suit_disagrees"


def test_likeness_of_the_deck_does_not_outweigh_two_corners_that_say_another_card() -> None:
    seen = replace(evidence("5H", "5H", "5H", RED), own=Likeness(parse_card("6H"), 0.95, 0.2))
    assert judge(seen).reason == "deck_disagrees"


def test_back_and_joker_of_the_deck_are_no_cards() -> None:
    seen = replace(evidence("", "", "QH", RED), own=Likeness(None, 0.97, 0.2))
    assert not judge(seen).is_face


def test_card_without_ink_is_asked_about() -> None:
    assert judge(evidence("5D", "5D", "5D", None)).reason == "no_ink"


def test_weak_corners_that_the_pips_prove_are_named() -> None:
    assert judge(evidence("7D", "7D", "7D", RED, share=0.85)).reason == ""


def test_corners_that_say_a_card_with_six_parts_in_ten_are_named_where_the_pips_prove_it() -> None:
    assert judge(evidence("7D", "7D", "7D", RED, share=0.6)).reason == ""
    assert judge(evidence("7D", "7D", "7D", RED, share=0.45)).reason != ""


def test_suit_that_both_corners_call_another_at_nine_in_ten_is_asked_about() -> None:
    """Soft clubs: both networks together said spades at 0.88 and 0.951, their pips hardly said clubs."""
    rank = np.stack([shares(14, RANKS.index(Rank(4)), 0.999)] * 2)
    soft = evidence("4S", "4S", "4S", BLACK, share=0.88, middle_share=0.7)
    assert judge(replace(soft, ranks=rank)).reason == "low_confidence"
    surer = replace(soft, ranks=rank, suits=np.stack([shares(5, 3, 0.951)] * 2))
    assert judge(surer).reason == "low_confidence"
    assert judge(replace(surer, suits=np.stack([shares(5, 3, 0.975)] * 2))).reason == ""


def test_black_ink_that_bluish_light_colours_is_black() -> None:
    """Gloss mirrors the window: the index is as blue as a quarter of its depth, its shape says spades."""
    assert judge(replace(evidence("5S", "5S", "5S", BLACK), chroma=0.25)).reason == ""
    assert judge(replace(evidence("5S", "5S", "5S", BLACK), chroma=0.45)).reason == "four_colours"


def test_weak_corners_of_a_court_are_asked_about_for_no_pips_prove_them() -> None:
    assert judge(evidence("QD", "QD", "QD", RED, share=0.85)).reason == "low_confidence"


@pytest.mark.parametrize("said", [0.93, 0.98, 0.988])
def test_courts_need_surer_corners_than_pips(said: float) -> None:
    """Both corners called the V of a French jack a K: 0.93 out of focus, 0.979 in an italic hand."""
    sure = evidence("KD", "KD", "KD", RED, share=0.996)
    ranks = np.stack([shares(14, RANKS.index(Rank.KING), said)] * 2)
    assert judge(sure).reason == ""
    assert judge(replace(sure, ranks=ranks)).reason == ("nearly_sure" if said >= 0.95 else "low_confidence")
    assert judge(evidence("QD", "QD", "QD", RED, share=0.992)).reason == ""
    assert judge(evidence("QD", "QD", "QD", RED, share=0.98)).reason == "nearly_sure"


def test_weak_corners_are_not_carried_by_the_middle_alone() -> None:
    """An eight with pips two by four looks like a ten to the body network; its corners were at 0.72."""
    assert judge(evidence("TH", "TH", "TH", RED, share=0.72, middle_share=0.85)).reason == "low_confidence"


def test_covered_corner_is_made_good_by_the_pips_but_not_on_courts() -> None:
    assert judge(evidence("7D", "", "7D", RED)).reason == ""
    assert judge(evidence("QD", "", "QD", RED)).reason == "corner_hidden"
    assert judge(evidence("7D", "", "", RED)).reason == "corner_hidden"


def test_nothing_printed_is_no_face() -> None:
    named = judge(evidence("", "", "", None))
    assert (named.is_face, named.card, named.candidates) == (False, None, ())


def test_every_rank_and_suit_has_its_class() -> None:
    assert len(RANKS) == len(set(RANKS)) == 13
    assert len(SUITS) == len(set(SUITS)) == 4
    assert {BODY_OF_RANK[rank] for rank in Rank} == set(range(11))
    assert all(suit in SUITS for suit in Suit)


def one_index(card: str, middle: str, least: float, inks: tuple[float | None, float | None]) -> Evidence:
    """One clear index of a shown deck, the other under another card; the ink of each corner by itself."""
    seen = evidence(card, "", middle, inks[1], share=0.998)
    one, other = (None if ink is None else (ink, 0.0) for ink in inks)
    own = Likeness(parse_card(card), 0.5, 0.01)
    return replace(seen, least=(seen.ranks * least, seen.suits * least), corner_inks=(one, other), own=own)


@pytest.mark.parametrize("card", ["7D", "QD", "AS"])
def test_one_index_that_every_look_is_sure_of_names_a_card(card: str) -> None:
    ink = RED if card[1] == "D" else BLACK
    named = judge(one_index(card, "", 0.997, (ink, None)))
    assert (str(named.card), named.reason) == (card, "")
    assert named.confidence == pytest.approx(0.995, abs=0.001)


def test_one_index_that_a_look_is_less_sure_of_is_asked_about() -> None:
    assert judge(one_index("7D", "", 0.97, (RED, None))).reason == "corner_hidden"


def test_one_index_of_a_deck_that_was_not_shown_names_nothing_alone() -> None:
    """Both networks called the jacks of a font never seen fives, at 0.999 in every look."""
    seen = one_index("5D", "", 0.9999, (RED, None))
    assert judge(seen).reason == ""
    assert judge(replace(seen, own=None)).reason == "corner_hidden"
    assert judge(replace(seen, own=None, is_covered=True)).reason == "corner_hidden"


NO_PIPS = (9.0,) * 10
"""A middle in which no arrangement of pips fits."""
FIGURE = Strip(0.3, 0.4, 0.2, NO_PIPS)


def beside_pips(seen: Evidence, strip: Strip | None, is_covered: bool = True) -> Evidence:
    """The same index of a deck that wasn't shown, its card under another one."""
    return replace(seen, own=None, strip=strip, is_covered=is_covered)


def pips(*fitting: int) -> Strip:
    """What shows of a middle whose pips fit these ranks, the ace being 1."""
    return Strip(0.3, 0.1, 0.0, tuple(0.2 if n in fitting else 1.4 for n in range(1, 11)))


def test_one_index_names_a_card_where_what_shows_of_its_middle_agrees() -> None:
    five, jack = (one_index(card, "", 0.9999, (RED, None)) for card in ("5D", "JD"))
    assert judge(beside_pips(five, pips(4, 5))).reason == ""
    assert judge(beside_pips(jack, FIGURE)).reason == ""


def test_jack_called_a_five_by_its_letter_shows_a_figure_and_is_asked_about() -> None:
    five, jack = (one_index(card, "", 0.9999, (RED, None)) for card in ("5D", "JD"))
    assert judge(beside_pips(five, FIGURE)).reason == "corner_hidden"
    assert judge(beside_pips(five, Strip(0.3, 0.1, 0.2, (0.2,) * 10))).reason == "corner_hidden"
    assert judge(beside_pips(five, pips(1, 2, 3))).reason == "corner_hidden"
    assert judge(beside_pips(jack, pips(4, 5))).reason == "corner_hidden"


def test_one_index_beside_which_hardly_anything_shows_is_asked_about() -> None:
    five = one_index("5D", "", 0.9999, (RED, None))
    assert judge(beside_pips(five, replace(pips(5), seen=0.09))).reason == "corner_hidden"


def test_court_needs_a_surer_index_than_pips_and_a_suit_a_surer_one_than_a_rank() -> None:
    five, jack = (one_index(card, "", 0.97, (RED, None)) for card in ("5D", "JD"))
    assert five.least is not None
    assert jack.least is not None
    ranks, suits = five.least
    assert judge(beside_pips(replace(five, least=(ranks, suits / 0.97)), pips(5))).reason == ""
    assert judge(beside_pips(replace(five, least=(ranks / 0.97, suits)), pips(5))).reason == "corner_hidden"
    ranks, suits = jack.least
    assert judge(beside_pips(replace(jack, least=(ranks, suits / 0.97)), FIGURE)).reason == "corner_hidden"


def test_one_index_of_a_card_on_which_nothing_lies_needs_a_middle_that_is_known() -> None:
    """Of the jacks called fives one corner could not be read and the whole figure was like nothing known."""
    five = one_index("5D", "", 0.9999, (RED, None))
    assert judge(beside_pips(five, pips(5), is_covered=False)).reason == "corner_hidden"


def test_blue_pips_prove_no_suit_of_a_deck_that_was_not_shown() -> None:
    """A blue ten of spades was called clubs by its pips at 0.99 and by both corners at 0.73 and 0.88."""
    seen = evidence("TC", "TC", "TC", BLACK, share=0.73, middle_share=0.99)
    assert judge(seen).reason == ""
    assert judge(replace(seen, redness=-0.23, chroma=0.32)).reason == "low_confidence"


def test_ace_of_spades_is_named_though_its_middle_is_an_ornament_and_no_other_card_is() -> None:
    assert judge(evidence("AS", "AS", "", BLACK, share=0.985)).reason == ""
    assert judge(evidence("AS", "AS", "", BLACK, share=0.94)).reason == "low_confidence"
    assert judge(evidence("AC", "AC", "", BLACK, share=0.999)).reason == "body_unknown"
    assert judge(evidence("KS", "KS", "", BLACK, share=0.999)).reason == "body_unknown"
    assert judge(evidence("AS", "AS", "4S", BLACK, share=0.999)).reason == "body_disagrees"


def test_one_index_of_a_deck_that_was_shown_must_be_the_nearest_of_its_cards() -> None:
    seen = one_index("7D", "", 0.999, (RED, None))
    assert judge(replace(seen, own=Likeness(parse_card("7D"), 0.5, 0.01))).reason == ""
    assert judge(replace(seen, own=Likeness(parse_card("7H"), 0.5, 0.01))).reason == "corner_hidden"
    assert judge(replace(seen, own=Likeness(parse_card("7D"), 0.5, 0.01, False))).reason == "corner_hidden"


def test_one_index_is_asked_about_where_its_own_ink_or_the_middle_says_another_card() -> None:
    """The ink in the other corner is that of the card lying there."""
    assert judge(one_index("7D", "", 0.999, (RED, BLACK))).reason == ""
    assert judge(one_index("7D", "", 0.999, (BLACK, RED))).reason == "corner_hidden"
    assert judge(one_index("7D", "", 0.999, (None, RED))).reason == "corner_hidden"
    assert judge(one_index("QD", "9D", 0.999, (RED, None))).reason == "corner_hidden"


def test_one_index_is_asked_about_where_the_other_corner_shows_something_too() -> None:
    seen = one_index("7D", "", 0.999, (RED, None))
    seen.ranks[1] = shares(14, 13, 0.8)
    assert judge(seen).reason == "corner_hidden"


def test_soft_clubs_that_corners_and_pips_hardly_call_spades_are_not_named_by_the_decks_spades() -> None:
    seen = evidence("6S", "6S", "6S", BLACK, share=0.95)
    plain = Likeness(parse_card("6S"), 0.87, 0.17)
    corners, pips = np.array([0.19, 0, 0, 0.81, 0], np.float32), np.array([0.07, 0, 0, 0.93, 0], np.float32)
    assert judge(replace(seen, own=plain, body_suit=pips)).reason == ""
    wavering = replace(seen, own=plain, body_suit=pips, suits=np.stack([corners] * 2))
    assert judge(wavering).reason == "body_suit_disagrees"


def test_weak_suit_needs_pips_that_are_all_but_certain() -> None:
    """A soft seven of clubs: corners said spades at 0.91, pips at 0.968."""
    seen = replace(evidence("7S", "7S", "7S", BLACK, share=0.998), suits=np.stack([shares(5, 3, 0.91)] * 2))
    assert judge(replace(seen, body_suit=shares(5, 3, 0.968))).reason == "low_confidence"
    assert judge(replace(seen, body_suit=shares(5, 3, 0.99))).reason == ""


def test_pips_do_not_outvote_corners_that_give_the_other_suit_a_fifth() -> None:
    """A soft ten of spades of a four-colour deck: clubs by its pips at 0.981."""
    seen = replace(evidence("TC", "TC", "TC", BLACK, share=0.998), body_suit=shares(5, 0, 0.99))
    torn = np.array([0.63, 0.01, 0.0, 0.36, 0.0], np.float32)
    nearly = np.array([0.80, 0.01, 0.0, 0.19, 0.0], np.float32)
    assert judge(replace(seen, suits=np.stack([torn, torn]))).reason == "low_confidence"
    assert judge(replace(seen, suits=np.stack([torn, nearly]))).reason == ""


@pytest.mark.parametrize(
    ("of_corners", "of_middle", "reason"),
    [
        (0.051, 0.088, "body_suit_disagrees"),
        (0.02, 0.088, ""),
        (0.027, 0.012, "body_suit_disagrees"),
    ],
)
def test_soft_king_may_be_of_the_other_black_suit_though_its_deck_was_shown(
    of_corners: float, of_middle: float, reason: str
) -> None:
    """A drawn king of clubs, 71 px high, was nearest to its deck's king of spades; a ten, 100 px, too."""
    suits = np.array([of_corners, 0, 0, 0.998 - of_corners, 0.002], np.float32)
    middle = np.array([of_middle, 0, 0, 0.998 - of_middle, 0.002], np.float32)
    own = Likeness(parse_card("KS"), 0.918, 0.114, True)
    seen = replace(
        evidence("KS", "KS", "KS", BLACK, share=0.996), suits=np.stack([suits] * 2), body_suit=middle, own=own
    )
    assert judge(seen).reason == reason
