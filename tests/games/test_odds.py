"""Exact odds against an independent enumeration and the shared figures (RULES.md 10)."""

import json
from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest

from assistant.cards import FULL_DECK, Rank, parse_card
from assistant.cli import main
from assistant.games.hand_odds import (
    hand_odds,
    hand_shares,
    polish_bank_edge,
    polish_punter,
    six_spot_mean,
    six_spot_target,
)
from assistant.games.odds import OddsError, acey_odds, casino_odds_of, full_shoe, posts_of, should_raise
from assistant.games.odds_record import odds_record, read_shoe

RANKS = {rank.label: rank for rank in Rank}


@pytest.fixture(scope="module")
def figures(shared: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((shared / "rules" / "figures.json").read_text("utf-8"))
    return found


def exact(value: Mapping[str, Any]) -> Fraction:
    """The fraction of a figure; the decimals must be the same to six places."""
    found = Fraction(value["fraction"])
    assert round(float(found), 6) == value["decimal"]
    return found


def cards(text: str) -> list[Any]:
    return [parse_card(word) for word in text.split()]


# --- casino -------------------------------------------------------------------------------------------------


def _assert_casino(shoe: Mapping[Rank, int], figure: Mapping[str, Any]) -> None:
    odds = casino_odds_of(shoe)
    assert odds.ev == exact(figure["ev_raise_from_7"])
    assert odds.ev_optimal == exact(figure["ev_optimal"])
    assert odds.ev_never_raise == exact(figure["ev_never_raise"])
    assert odds.mean_staked == exact(figure["mean_staked"])
    assert odds.loss_per_unit_staked == exact(figure["loss_per_unit_staked"])
    assert round(odds.standard_deviation, 6) == figure["standard_deviation"]
    assert odds.pair == exact(figure["pair"])
    assert odds.three_of_a_kind == exact(figure["three_of_a_kind"])
    assert odds.consecutive == exact(figure["consecutive"])
    assert odds.raises == exact(figure["spread_7_or_more"])
    for spread in range(1, 12):
        assert odds.spread[spread] == exact(figure["spread"][str(spread)])
        assert odds.win[spread] == exact(figure["third_between"][str(spread)])
        assert odds.edge[spread] == exact(figure["edge_per_unit"][str(spread)])


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_full_shoes_are_as_the_shared_figures(figures: dict[str, Any], decks: int) -> None:
    figure = figures["casino"]["decks"][str(decks)]
    _assert_casino(full_shoe(decks), figure)
    odds = casino_odds_of(full_shoe(decks))
    assert odds.ev_if_unmatched_pair_lost == exact(figure["ev_if_unmatched_pair_lost"])
    assert round(float(-100 * odds.ev), 6) == figure["edge_percent"]
    assert odds.deviations == ()


def test_depleted_shoe_is_as_the_shared_figures(figures: dict[str, Any]) -> None:
    figure = figures["casino"]["shoes"]["A"]
    shoe = {RANKS[name]: count for name, count in figure["cards"].items()}
    _assert_casino(shoe, figure)
    wanted = [
        (one["cards"], one["spread"], exact(one["third_between"]), exact(one["edge_per_unit"]))
        for one in figure["deviations_from_7"]
    ]
    found = [
        (f"{one.low.label}-{one.high.label}", one.spread, one.between, one.edge)
        for one in casino_odds_of(shoe).deviations
    ]
    assert sorted(found) == sorted(wanted)


def test_all_three_card_outcomes_of_one_deck_give_the_exact_edge() -> None:
    """Every ordered draw of three cards, each settled by the pay table: -523/16575."""
    pays = {1: 5, 2: 4, 3: 2}
    total = rounds = 0
    ranks = [int(card.rank) for card in FULL_DECK]
    for first, second, third in permutations(range(52), 3):
        low, high = sorted((ranks[first], ranks[second]))
        rounds += 1
        if low == high:
            total += 11 if ranks[third] == low else 0
        elif high - low > 1:
            spread = high - low - 1
            stake = 2 if spread >= 7 else 1
            total += stake * (pays.get(spread, 1) if low < ranks[third] < high else -1)
    assert rounds == 132_600
    assert Fraction(total, rounds) == Fraction(-523, 16575) == casino_odds_of(full_shoe()).ev


def test_raise_pays_only_above_even() -> None:
    shoe = {Rank.TWO: 1, Rank.FIVE: 2, Rank.SIX: 2, Rank.KING: 2, Rank.ACE: 2}
    even = posts_of(shoe, Rank.THREE, Rank.EIGHT)
    assert (even.spread, even.between) == (4, Fraction(4, 9))
    assert not should_raise(shoe, Rank.THREE, Rank.EIGHT)
    assert should_raise({Rank.SIX: 2, Rank.ACE: 1}, Rank.THREE, Rank.EIGHT)
    assert not should_raise({Rank.SIX: 2, Rank.ACE: 2}, Rank.THREE, Rank.EIGHT)


def test_too_few_cards_have_no_odds() -> None:
    with pytest.raises(OddsError, match="2 cards"):
        casino_odds_of({Rank.ACE: 2})
    with pytest.raises(OddsError):
        posts_of({}, Rank.TWO, Rank.NINE)


# --- hands --------------------------------------------------------------------------------------------------


def test_hands_are_as_the_shared_figures(figures: dict[str, Any]) -> None:
    for one in figures["pool"]["hands"]:
        found = hand_odds(cards(one["hand"]), cards(one["dead"]))
        assert (found.wins, found.unseen, found.advice) == (one["beaten"], one["unseen"], one["advice"])
        assert found.probability == exact(one["win"])


def test_random_hands_are_as_the_shared_figures(figures: dict[str, Any]) -> None:
    for size, one in figures["pool"]["random_hand"].items():
        found = hand_shares(int(size))
        assert found.win == exact(one["win"])
        assert found.better_than_half == exact(one["better_than_half"])
        assert found.exactly_half == exact(one["exactly_half"])


def test_all_hands_of_three_cards_one_by_one() -> None:
    """22,100 hands against 49 cards each, counted without the suits' arithmetic."""
    won = better = 0
    for hand in combinations(FULL_DECK, 3):
        best: dict[object, int] = {}
        for card in hand:
            best[card.suit] = max(best.get(card.suit, 0), card.rank)
        beaten = sum(top - 2 for top in best.values()) - (3 - len(best))
        won += beaten
        better += 2 * beaten > 49
    found = hand_shares(3)
    assert found.win == Fraction(won, 22_100 * 49) == Fraction(6327, 20825)
    assert found.better_than_half == Fraction(better, 22_100)


def test_six_spot_targets_are_as_the_shared_figures(figures: dict[str, Any]) -> None:
    for size, one in figures["six_spot"]["hand"].items():
        for rank, value in one["target"].items():
            assert six_spot_target(RANKS[rank], int(size)) == exact(value)
        assert six_spot_mean(int(size)) == exact(one["mean"])
    for limit, value in figures["six_spot"]["mean_of_three_cards_by_limit"].items():
        assert six_spot_mean(3, int(limit)) == exact(value)


def test_polish_red_dog_is_as_the_shared_figures(figures: dict[str, Any]) -> None:
    for deck, one in figures["polish"].items():
        ranks = int(deck) // 4
        assert polish_punter(ranks) == exact(one["punter_wins"])
        assert polish_bank_edge(2, ranks) == exact(one["bank_edge"])


def test_card_named_twice_has_no_odds() -> None:
    with pytest.raises(OddsError, match="KH"):
        hand_odds(cards("KH QD"), cards("KH"))


# --- Acey-Deucey --------------------------------------------------------------------------------------------


def test_posts_and_pairs_are_as_the_shared_figures(figures: dict[str, Any]) -> None:
    for one in figures["acey_deucey"]["posts"]:
        left = full_shoe()
        for value in (one["low"], one["high"]):
            left[Rank(14 if value == 1 else value)] -= 1
        found = acey_odds(left, one["low"], one["high"])
        numbers = (found.win, found.lose, found.post, found.unseen)
        assert numbers == (one["between"], one["outside"], one["post"], one["unseen"])
        assert found.ev == exact(one["ev"])
    for one in figures["acey_deucey"]["pairs"]:
        left = full_shoe()
        left[Rank(one["rank"])] -= 2
        found = acey_odds(left, one["rank"], one["rank"])
        assert (found.win, found.lose, found.post) == (one["win"], one["lose"], one["match"])
        assert (found.side, found.ev) == (one["better_side"], exact(one["ev"]))


# --- as printed ---------------------------------------------------------------------------------------------


def test_casino_record_has_the_promised_fields() -> None:
    record = odds_record("casino-red-dog", decks=1)
    assert (record["decks"], record["ev"], record["edge_percent"]) == (1, -0.031554, 3.155354)
    assert record["loss_per_unit_percent"] == 2.671775
    for name, value in (("spread", 0.13273), ("win", 0.08)):
        part = record[name]
        assert isinstance(part, dict)
        assert part["1"] == value
    assert odds_record("casino-red-dog")["decks"] == 6


def test_shoe_and_dead_cards_are_taken_into_account() -> None:
    shoe = {Rank.ACE: 6, Rank.KING: 4, Rank.TWO: 1}
    assert odds_record("casino-red-dog", shoe=shoe)["decks"] is None
    with pytest.raises(OddsError, match="no 2 left"):
        odds_record("casino-red-dog", shoe=shoe, dead=cards("2C 2D"))


def test_hand_record_has_the_promised_fields() -> None:
    record = odds_record("red-dog-pool", hand=cards("KH QD 9C"))
    assert record | {"advice": ""} == {"wins": 28, "unseen": 49, "probability": 0.571429, "advice": ""}


def test_two_posts_are_a_hand_where_posts_are_dealt() -> None:
    record = odds_record("casino-red-dog", decks=1, hand=cards("2C 9D"))
    assert (record["wins"], record["unseen"], record["right"]) == (24, 50, "call")
    acey = odds_record("acey-deucey-pot", hand=cards("2C AD"))
    assert (acey["wins"], acey["ev"]) == (44, 0.64)


@pytest.mark.parametrize("game", ["red-dog-burn", "red-dog-bank", "six-spot-red-dog", "polish-red-dog"])
def test_every_game_with_exact_odds_has_a_record(game: str) -> None:
    assert odds_record(game)


def test_rake_has_no_exact_odds() -> None:
    with pytest.raises(OddsError, match="rake"):
        odds_record("rake")


def test_shoe_is_read_by_rank() -> None:
    assert read_shoe("A:6 k:4, 10:3") == {Rank.ACE: 6, Rank.KING: 4, Rank.TEN: 3}
    for wrong in ("A6", "A:x", "1:4", "A:6 A:6", "10:3 T:1"):
        with pytest.raises(OddsError):
            read_shoe(wrong)


def test_command_prints_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "red-dog-pool", "--hand", "KH QD 9C", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["probability"] == 0.571429
    assert main(["odds", "casino-red-dog", "--decks", "1"]) == 0
    assert "-0.031554" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", ["whist", "rake", "red-dog-pool --hand XX", "casino-red-dog --shoe 9"])
def test_wrong_use_is_one_line_and_exit_two(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", *arguments.split()]) == 2
    assert capsys.readouterr().err.count("\n") == 1
