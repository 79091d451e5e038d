"""Pool Red Dog: hands, what is shown of them, and how many can play (RULES.md 2)."""

import pytest

from assistant.cards import parse_card
from assistant.games.acts import DealHands, OpenRound, Show
from assistant.games.base import (
    Bet,
    TurnCards,
)
from assistant.games.hands import best_answer
from assistant.games.turns import Declare
from tests.games.pool_play import Play, Playing, cards


def test_more_cards_than_a_deck_has_can_not_have_been_dealt() -> None:
    table = Playing(100, 100)
    table.do(OpenRound())
    assert table.refusal(DealHands((("A", 50),))) == "E_CONFIG"
    assert table.refusal(DealHands((("X", 3),))) == "E_PLAYER"


@pytest.mark.parametrize(
    ("name", "players", "hand", "size"),
    [
        ("red-dog-pool", 2, "auto", 5),
        ("red-dog-pool", 8, "auto", 5),
        ("red-dog-pool", 9, "auto", 4),
        ("red-dog-pool", 10, "auto", 4),
        ("red-dog-pool", 11, "auto", None),
        ("red-dog-pool", 9, "5", None),
        ("red-dog-pool", 10, "4", 4),
        ("red-dog-burn", 7, "auto", 5),
        ("red-dog-burn", 8, "auto", 4),
        ("red-dog-burn", 9, "auto", 3),
        ("red-dog-burn", 10, "auto", 3),
        ("red-dog-burn", 8, "4", 4),
        ("red-dog-burn", 9, "4", None),
        ("red-dog-burn", 9, "3", 3),
        ("red-dog-burn", 7, "5", 5),
        ("red-dog-burn", 8, "5", None),
    ],
)
def test_deck_capacity(name: str, players: int, hand: str, size: int | None) -> None:
    """RULES.md 2.1 and 3, deck capacity: n*h + n*(1+burn) <= 52, at most ten players; E_CONFIG at `round`."""
    table = Playing(*[100] * players, name=name, hand=hand)
    if size is None:
        assert table.refusal(OpenRound()) == "E_CONFIG"
        assert table.game.prompt(table.state).do == "too_many_hands"
    else:
        table.do(OpenRound())
        assert table.game.hand_size(players) == size


@pytest.mark.parametrize(
    ("name", "players", "hand", "needed", "most"),
    [
        ("red-dog-pool", 9, "5", 54, 8),
        ("red-dog-burn", 9, "4", 54, 8),
        ("red-dog-burn", 8, "5", 56, 7),
        ("red-dog-pool", 11, "auto", 55, 10),
    ],
)
def test_too_many_players_are_told_how_many_cards_are_needed_and_how_many_can_play(
    name: str, players: int, hand: str, needed: int, most: int
) -> None:
    table = Playing(*[100] * players, name=name, hand=hand)
    facts = table.game.prompt(table.state).facts
    assert (facts["players"], facts["needed"], facts["most"]) == (players, needed, most)


def test_lowest_card_that_beats_the_turned_one_is_the_answer() -> None:
    """RULES.md 11 (A15)."""
    hand = cards("AH 9H KS 8D")
    assert best_answer(hand, parse_card("7H")) == parse_card("9H")
    assert best_answer(hand, parse_card("9D")) is None


@pytest.mark.parametrize(
    ("reveal", "shown", "expected"),
    [
        ("winning-card", "KH", 105),
        ("winning-card", "2C KH", 105),
        ("winning-card", "2C KH 3D", 105),
        ("winning-card", "2C 3D", "E_HAND"),
        ("winning-card", "2C 3D 4D", 85),
        ("winning-card", "2C 3D 4D KH", "E_HAND"),
        ("winning-card", "7H", "E_DUPLICATE_CARD"),
        ("winning-card", "KH KH", "E_DUPLICATE_CARD"),
        ("hand", "KH", "E_HAND"),
        ("hand", "2C KH", "E_HAND"),
        ("hand", "2C KH 3D", 105),
    ],
)
def test_what_is_shown_settles_the_bet(reveal: str, shown: str, expected: int | str) -> None:
    """RULES.md 1.9, "Cards speak", and `reveal_win`."""
    table = Playing(100, 100, 100, reveal_win=reveal)
    table.deal()
    table.do(Bet("B", 10), TurnCards(cards("7H")))
    if isinstance(expected, str):
        assert table.refusal(Show("B", cards(shown))) == expected
    else:
        table.do(Show("B", cards(shown)))
        assert table.stacks[1] == expected


def test_dealers_word_counts_unless_the_rule_is_strict() -> None:
    """RULES.md 1.9 `verify`."""
    table = Playing(100, 100, verify="strict")
    table.deal()
    table.do(Bet("B", 5), TurnCards(cards("7H")))
    assert table.refusal(Declare("B", won=True)) == "E_HAND"
    assert not {"won", "lost"} & {choice.verb for choice in table.game.legal_actions(table.state)}


def test_more_cards_than_are_due_are_counted_for_the_dealer(play: Play) -> None:
    done = play(
        "game red-dog-pool ante=5 hand=3\nseat A 50\nseat B 50\ndealer A\nround\ndealt\nbet B 5\n"
        "card 2C 3C 4C"
    )
    assert done["codes"] == ["E_PHASE"]
    assert done["refused"][0]["message"] == "3 cards are too many now: 1 can be turned. None was booked."
