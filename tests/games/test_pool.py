"""Pool Red Dog by its rules: bets, limits, and who is asked in which order (RULES.md 2)."""

import json
from pathlib import Path

import pytest

from assistant.games.acts import DealHands, Fold, OpenRound, PoolDivided, PoolRefilled, Show
from assistant.games.base import (
    Bet,
    BetSettled,
    RoundClosed,
    TurnCards,
)
from assistant.games.turns import Declare
from assistant.holdings import bet_of
from tests.games.pool_play import Play, Playing, cards


@pytest.mark.parametrize(("wins", "stack", "pool"), [(True, 105, 5), (False, 85, 25)])
def test_bet_of_ten_against_a_pool_of_fifteen(wins: bool, stack: int, pool: int) -> None:
    """RULES.md 2.3: win, stack 105 and pool 5; lose, stack 85 and pool 25."""
    table = Playing(100, 100, 100)
    table.deal()
    assert (table.stacks, table.pool) == ([95, 95, 95], 15)
    table.bet("B", 10, "7H", wins=wins)
    assert (table.stacks[1], table.pool) == (stack, pool)


def test_bet_equal_to_pool_and_stack_is_inclusive() -> None:
    """Case B113: limits are inclusive."""
    table = Playing(25, 25, pool=10)
    table.deal()
    table.bet("B", 20, "7H", wins=True)
    assert (table.stacks, table.pool) == ([20 - 5, 40 - 5], 10)  # the pool was emptied: both ante again


@pytest.mark.parametrize(
    ("pool", "rules", "shares", "left"),
    [
        (70, {"pool_limit": "50"}, [17, 17, 17, 17], 2),
        (50, {"pool_limit": "50"}, [0, 0, 0, 0], 50),
        (51, {"pool_limit": "50"}, [12, 12, 12, 12], 3),
        (70, {}, [0, 0, 0, 0], 70),
        (70, {"pool_limit": "50", "odd_chips": "left-of-dealer"}, [17, 18, 18, 17], 0),
        (71, {"pool_limit": "50", "division": "excess"}, [5, 5, 5, 5], 51),
        (73, {"pool_limit": "50", "division": "excess", "odd_chips": "left-of-dealer"}, [5, 6, 6, 6], 50),
        (52, {"pool_limit": "50", "division": "excess"}, [0, 0, 0, 0], 52),
    ],
)
def test_pool_over_its_limit_is_divided(
    pool: int, rules: dict[str, str], shares: list[int], left: int
) -> None:
    """RULES.md 2.3, 2.1: strictly over; whole or excess; odd chips stay or go from the dealer's left."""
    table = Playing(100, 100, 100, 100, pool=pool - 20, fold_fine="0", **rules)
    table.deal()
    events = table.do(Fold("B"), Fold("C"), Fold("D"), Fold("A"))
    assert isinstance(events[-1], RoundClosed)
    assert [stack - 95 for stack in table.stacks] == shares
    assert table.pool == left
    assert any(isinstance(event, PoolDivided) for event in events) == any(shares)


def test_pool_cases(shared: Path) -> None:
    """cases/pool_red_dog.json, with the ante as the smallest bet (RULES.md wins over the cases' bet of 1)."""
    rows = json.loads((shared / "cases" / "pool_red_dog.json").read_text(encoding="utf-8"))
    assert len(rows) == 5
    for row in rows:
        count = str(len(row["hand"]))
        table = Playing(100, 100, pool=row["pool"] - 2, hand=count, ante="1", verify="strict")
        table.deal()
        table.do(Bet("B", row["bet"]), TurnCards(cards(row["turned"])))
        pool = table.pool
        settled = table.do(Show("B", cards(" ".join(row["hand"]))))
        result = next(event for event in settled if isinstance(event, BetSettled))
        net = -row["bet"] if result.result == "lose" else result.paid
        assert (result.result, net) == (row["result"], row["net"]), row["id"]
        assert pool - net == row["pool_after"], row["id"]
        assert any(isinstance(event, PoolRefilled) for event in settled) == row["re_ante"], row["id"]


def test_codes_in_order_while_nobody_and_while_a_bet_is_awaited() -> None:
    """RULES.md 1.5: E_PHASE, E_BET_FIXED, E_TURN, E_BET_LOW, E_STACK, E_BET_HIGH."""
    table = Playing(100, 100, 100)
    assert [table.refusal(action) for action in (Bet("B", 5), Fold("B"), DealHands())] == ["E_PHASE"] * 3
    table.do(OpenRound())
    assert [table.refusal(action) for action in (Bet("B", 5), Fold("B"), OpenRound())] == ["E_PHASE"] * 3
    table.do(DealHands())
    assert [table.refusal(action) for action in (Bet("C", 5), Fold("A"))] == ["E_TURN", "E_TURN"]
    assert table.refusal(TurnCards(cards("7H"))) == "E_PHASE"
    assert table.refusal(Show("B", cards("7H"))) == "E_PHASE"
    table.do(Bet("B", 5))
    assert [table.refusal(action) for action in (Bet("B", 6), Fold("B"))] == ["E_BET_FIXED", "E_BET_FIXED"]
    assert [table.refusal(action) for action in (Bet("C", 5), Fold("C"))] == ["E_TURN", "E_TURN"]
    assert table.refusal(Declare("B", won=True)) == "E_PHASE"
    table.do(TurnCards(cards("7H")))
    assert table.refusal(TurnCards(cards("8H"))) == "E_PHASE"
    assert table.refusal(Show("C", cards("9H"))) == "E_TURN"
    assert table.refusal(Declare("C", won=True)) == "E_TURN"


def test_nobody_is_said_to_have_beaten_an_ace() -> None:
    """A key pressed too soon paid 40 for a hand that can't have won."""
    table = Playing(100, 100, 100)
    table.deal()
    table.do(Bet("B", 7), TurnCards(cards("AS")))
    pool, before = table.pool, table.stacks
    assert [one.verb for one in table.game.prompt(table.state).choices if one.verb in ("won", "lost")] == [
        "lost"
    ]
    assert table.refusal(Declare("B", won=True)) == "E_HAND"
    table.do(Declare("B", won=False))
    assert (table.pool, table.stacks) == (pool + 7, before)


def test_bet_lies_beside_the_pool_until_it_is_settled() -> None:
    table = Playing(100, 100)
    table.deal()
    table.do(Bet("B", 7), TurnCards(cards("7H")))
    assert (table.pool, table.state.table.chips.at(bet_of("B"))) == (10, 7)


def test_misdeal_told_after_the_hands_are_out_says_how_to_get_back(play: Play) -> None:
    done = play("game red-dog-pool hand=3\nseat A 50\nseat B 50\nround\ndealt\ndealt B 4")
    assert "say who had how many" in done["refused"][0]["message"]
