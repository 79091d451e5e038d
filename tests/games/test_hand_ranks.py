"""Rake's hands: all of them by category, comparing, the Ace of Skulls, and the pots (RULES.md 9.5-9.7)."""

import json
from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from pathlib import Path

import pytest

from assistant.cards import FULL_DECK, Card, Rank, Suit, parse_card
from assistant.games.hand_ranks import Category, RankRules, ace_of_skulls_wins, hand_value
from assistant.games.pots import Pot, build_pots, uncalled
from assistant.games.showdown import ShowdownRules, decide_showdown
from assistant.money import share_equally

# All 2,598,960 five-card hands of one deck.
COUNTS = {
    Category.HIGH_CARD: 1_302_540,
    Category.PAIR: 1_098_240,
    Category.TWO_PAIR: 123_552,
    Category.THREE_OF_A_KIND: 54_912,
    Category.RUN: 10_200,
    Category.SUITS_FULL: 5_108,
    Category.FULL_PACK: 3_744,
    Category.QUADS: 624,
    Category.RAKE: 40,
}


def cards(text: str) -> list[Card]:
    return [parse_card(word) for word in text.split()]


def test_all_hands_by_category_counted_by_their_ranks() -> None:
    """Every multiset of five ranks, weighted by the suits it can have: the same 2,598,960 hands."""
    counts: Counter[Category] = Counter()
    for ranks in combinations_with_replacement(tuple(Rank), 5):
        times = Counter(ranks)
        if max(times.values()) > 4:
            continue
        ways = prod(comb(4, number) for number in times.values())
        if len(times) == 5:
            counts[hand_value([Card(rank, Suit.CLUBS) for rank in ranks]).category] += 4
            ways -= 4
            mixed = [Card(rank, Suit.CLUBS if place else Suit.HEARTS) for place, rank in enumerate(ranks)]
        else:
            taken: Counter[Rank] = Counter()
            mixed = []
            for rank in ranks:
                mixed.append(Card(rank, tuple(Suit)[taken[rank]]))
                taken[rank] += 1
        counts[hand_value(mixed).category] += ways
    assert counts == COUNTS
    assert sum(counts.values()) == comb(52, 5)


def test_all_hands_by_category_one_by_one() -> None:
    counts = Counter(hand_value(hand).category for hand in combinations(FULL_DECK, 5))
    assert counts == COUNTS


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("2C 3C 4C 5C AC", "9H 9D 9S 9C AH"),  # a Rake beats Quads
        ("2H 3C 4C 5C 6C", "AH 2D 3D 4D 5S"),  # six-high beats the low run
        ("TH JD QS KC AH", "9H TD JS QC KH"),
        ("AC QC 9C 5C 4C", "AD QD 9D 5D 3D"),  # Suits Full compares all five
        ("5C 5D 5H 2C 2D", "4C 4D 4H AC AD"),
        ("KC KD 5C 5D 3H", "KH KS 5H 5S 2H"),
        ("AC 9D 8C 5D 3H", "AH 9S 8H 5S 2H"),
        ("5C 5D AC 3D 2H", "5H 5S KC QD JH"),
    ],
)
def test_better_hand_has_the_greater_value(better: str, worse: str) -> None:
    assert hand_value(cards(better)) > hand_value(cards(worse))


def test_there_is_no_run_round_the_corner() -> None:
    assert hand_value(cards("QC KD AC 2D 3H")).category is Category.HIGH_CARD


def test_strict_kickers_compare_one_card_and_one_further_card() -> None:
    strict = RankRules(strict=True)
    high, other = cards("AC 9D 8C 5D 3H"), cards("AH KS 8H 5S 2H")
    assert hand_value(high, strict) == hand_value(other, strict)
    pair, same = cards("5C 5D AC 3D 2H"), cards("5H 5S AD QD JH")
    assert hand_value(pair, strict) == hand_value(same, strict)
    assert hand_value(pair) < hand_value(same)


@pytest.mark.parametrize(
    ("hand", "wins"),
    [
        ("AS AH AD 4C 9S", True),
        ("AS 8H 8D 8S 2C", False),
        ("AS 8H 8D 8S 8C", False),
        ("AS AH 8D 8S 8C", True),
        ("AS AH 4D 4S 2C", False),
        ("AS 2D 3C 4H 5H", True),
        ("AS QS 9S 4S 2S", True),
        ("AH AD AC 4C 9S", None),
    ],
)
def test_ace_of_skulls_wins_only_as_a_scoring_card(hand: str, wins: bool | None) -> None:
    """The table of RULES.md 9.7."""
    assert ace_of_skulls_wins(cards(hand)) is wins


def test_contributions_become_pots_and_folders_pay_without_winning() -> None:
    """The examples of RULES.md 9.5."""
    assert build_pots({"A": 200, "B": 50, "C": 200}, "ABC") == (
        Pot(150, ("A", "B", "C")),
        Pot(300, ("A", "C")),
    )
    assert build_pots({"A": 60, "B": 30, "C": 150, "D": 150}, "ABCD") == (
        Pot(120, ("A", "B", "C", "D")),
        Pot(90, ("A", "C", "D")),
        Pot(180, ("C", "D")),
    )
    assert build_pots({"A": 50, "B": 90, "C": 50}, "AC") == (Pot(190, ("A", "C")),)


@pytest.mark.parametrize("case", ["H1", "H2", "H3", "H4", "H5"])
def test_pots_of_the_shared_cases(shared: Path, case: str) -> None:
    cases = json.loads((shared / "cases" / "pots.json").read_text("utf-8"))
    one = next(item for item in cases if item["id"] == case)
    paid = dict(one["contributed"])
    back = uncalled(paid)
    assert ({back[0]: back[1]} if back else {}) == one["uncalled_returned"]
    received = dict.fromkeys(paid, 0)
    if back:
        paid[back[0]] -= back[1]
        received[back[0]] += back[1]
    still_in = [player for player in one["clockwise_from_dealer"] if player not in one["folded"]]
    for pot in build_pots(paid, still_in):
        best = max(one["strength"][player] for player in pot.players)
        winners = [player for player in pot.players if one["strength"][player] == best]
        for player, share in share_equally(pot.amount, winners).items():
            received[player] += share
    assert received == one["total_received"]


HANDS = {
    "B": cards("KC QC 9H 4C 2C"),
    "C": cards("KH QH 9D 4H 2H"),
    "A": cards("KD QD 9S 4D 2D"),
}


def test_result_of_a_draw_holds_in_later_pots_of_the_same_players() -> None:
    pots = (Pot(30, ("B", "C", "A")), Pot(20, ("C", "A")))
    waiting = decide_showdown(pots, HANDS, cards("7H"), 30, ShowdownRules())
    assert waiting.drawing == ("C", "A")
    done = decide_showdown(pots, HANDS, cards("TH 8S 9C"), 30, ShowdownRules())
    assert [(award.player, award.amount) for award in done.awards] == [("B", 30), ("A", 20)]


def test_equal_draws_go_on_among_the_equal_ones() -> None:
    pots = (Pot(31, ("B", "C", "A")),)
    assert decide_showdown(pots, HANDS, cards("TH TS 9C"), 30, ShowdownRules()).drawing == ("B", "C")
    done = decide_showdown(pots, HANDS, cards("TH TS 9C 3C 4S"), 30, ShowdownRules())
    assert [(award.player, award.amount) for award in done.awards] == [("C", 31)]


def test_players_share_when_fewer_cards_are_left_than_players_tied() -> None:
    pots = (Pot(31, ("B", "C", "A")),)
    done = decide_showdown(pots, HANDS, [], 2, ShowdownRules())
    assert [(award.player, award.amount) for award in done.awards] == [("B", 11), ("C", 10), ("A", 10)]


def test_failing_ace_of_skulls_leaves_the_contested_pot_to_the_others() -> None:
    hands = HANDS | {"A": cards("AS AH 4S 4D 2D")}
    pots = (Pot(30, ("B", "A")), Pot(8, ("A",)))
    done = decide_showdown(pots, hands, [], 30, ShowdownRules())
    assert [(award.player, award.amount, award.contested) for award in done.awards] == [
        ("B", 30, True),
        ("A", 8, False),
    ]
