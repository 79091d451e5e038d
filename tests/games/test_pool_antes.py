"""Pool Red Dog: antes, fines, short and void hands, and filling the pool (RULES.md 2)."""

import pytest

from assistant.games.acts import DealHands, Fold, OpenRound, PlayersDropped, PoolRefilled, Show
from assistant.games.base import (
    Bet,
    RoundClosed,
    TurnCards,
)
from assistant.holdings import Move, stack_of
from tests.games.pool_play import Play, Playing, cards


@pytest.mark.parametrize(
    ("pool", "stack", "low", "high"),
    [(15, 95, 5, 15), (3, 95, 3, 3), (15, 3, 3, 3), (15, 5, 5, 5), (2, 1, 1, 1)],
)
def test_limits_follow_ante_pool_and_stack(pool: int, stack: int, low: int, high: int) -> None:
    """RULES.md 2.3: lo = min(A, pool, stack), hi = min(pool, stack)."""
    table = Playing(stack, stack, pool=pool, skip_ante_at="1")
    table.deal()
    assert table.game.limits(table.state) == (low, high)
    if low > 1:
        assert table.refusal(Bet("B", low - 1)) == "E_BET_LOW"
    assert table.refusal(Bet("B", 0)) == "E_BET_LOW"
    assert table.refusal(Bet("B", high + 1)) == ("E_STACK" if high + 1 > stack else "E_BET_HIGH")
    table.do(Bet("B", high))


@pytest.mark.parametrize(("void_ante", "shares"), [("keep", [20, 20, 20]), ("refund", [27, 27, 5])])
def test_void_hand_has_a_share_unless_its_ante_was_returned(void_ante: str, shares: list[int]) -> None:
    """RULES.md 2.3: m counts who anted, void hands included, unless their ante was refunded."""
    table = Playing(100, 100, 100, pool=45, fold_fine="0", pool_limit="20", void_ante=void_ante)
    table.deal(("C", 4))
    table.do(Fold("B"), Fold("A"))
    assert [stack - 95 for stack in table.stacks] == shares


def test_no_ante_is_returned_where_none_was_paid() -> None:
    """RULES.md 2.1 `void_ante=refund`: what he paid is returned; with a rich pool he paid nothing."""
    table = Playing(100, 100, pool=50, skip_ante_at="50", void_ante="refund")
    table.deal(("B", 0))
    assert (table.stacks, table.pool) == ([100, 100], 50)


def test_who_cannot_pay_the_ante_sits_the_round_out() -> None:
    table = Playing(100, 4, 5)
    table.do(OpenRound())
    assert (table.stacks, table.pool) == ([95, 4, 0], 10)
    assert table.state.players == ("C", "A")
    # C paid the whole stack: no chips, no turn
    assert PlayersDropped(("C",)) in table.do(DealHands())
    assert table.state.bettor == "A"


def test_fewer_than_two_can_pay() -> None:
    """RULES.md 1.6: no round; E_PLAYERS."""
    table = Playing(100, 4)
    assert table.refusal(OpenRound()) == "E_PLAYERS"
    assert table.game.prompt(table.state).do == "need_players"
    assert "round" not in {choice.verb for choice in table.game.legal_actions(table.state)}


@pytest.mark.parametrize(("fine", "expected"), [("ante", 5), ("0", 0), ("9", 9)])
def test_fold_pays_the_fine_into_the_pool(fine: str, expected: int) -> None:
    """RULES.md 2.1 `fold_fine`."""
    table = Playing(100, 100, fold_fine=fine)
    table.deal()
    table.do(Fold("B"))
    assert (table.stacks[1], table.pool) == (95 - expected, 10 + expected)


def test_fine_is_at_most_the_stack() -> None:
    table = Playing(100, 8, fold_fine="9")
    table.deal()
    table.do(Fold("B"))
    assert (table.stacks, table.pool) == ([95, 0], 13)


@pytest.mark.parametrize(("rule", "fine"), [("free", 0), ("fine", 5)])
def test_short_hand_may_be_thrown_in(rule: str, fine: int) -> None:
    """RULES.md 2.4 (2), 2.1 `short_hand_fold`."""
    table = Playing(100, 100, short_hand_fold=rule)
    table.deal(("B", 2))
    table.do(Fold("B"))
    assert table.stacks[1] == 95 - fine


def test_short_hand_may_also_bet_and_shows_as_many_as_it_has() -> None:
    """RULES.md 1.9: a short hand is whole with as many cards as were dealt."""
    table = Playing(100, 100)
    table.deal(("B", 2))
    table.do(Bet("B", 5), TurnCards(cards("7H")))
    assert table.refusal(Show("B", cards("2C"))) == "E_HAND"
    assert table.refusal(Show("B", cards("2C 3C 4C"))) == "E_HAND"
    table.do(Show("B", cards("2C 3C")))
    assert table.stacks[1] == 90


@pytest.mark.parametrize("count", [0, 4])
def test_void_hand_has_no_turn_and_pays_no_second_ante(count: int) -> None:
    """RULES.md 2.4 (1): no cards or too many; exempt from re-antes."""
    table = Playing(100, 100, 100)
    table.deal(("B", count))
    assert table.state.bettor == "C"
    events = table.bet("C", 15, "7H", wins=True)
    assert PoolRefilled(("C", "A"), moves=_antes("C", "A")) in events
    assert table.stacks == [90, 95, 105]


def _antes(*players: str) -> tuple[Move, ...]:
    return tuple(Move(stack_of(player), "pool", 5) for player in players)


def test_only_void_hands_end_the_round_at_once() -> None:
    table = Playing(100, 100)
    events = table.deal(("A", 0), ("B", 0))
    assert isinstance(events[-1], RoundClosed)
    assert (table.stacks, table.pool) == ([95, 95], 10)


def test_emptied_pool_is_filled_by_everybody_who_acted_or_not() -> None:
    """RULES.md 2.2 REPLENISH, A04: every valid hand with the ante pays; who cannot and is to act is out."""
    table = Playing(5 + 4, 100, 5 + 5, 100)
    table.deal()
    events = table.bet("B", 20, "7H", wins=True)
    assert PoolRefilled(("B", "C", "D"), ("A",), moves=_antes("B", "C", "D")) in events
    # C's last chips went into the pool, so C has no turn either
    assert PlayersDropped(("C",)) in events
    assert (table.stacks, table.pool, table.state.bettor) == ([4, 110, 0, 90], 15, "D")


def test_only_those_still_to_act_fill_it_by_house_rule() -> None:
    """RULES.md 2.1 `reante_by=remaining`."""
    table = Playing(100, 100, 100, reante_by="remaining")
    table.deal()
    table.bet("B", 15, "7H", wins=True)
    assert (table.stacks, table.pool) == ([90, 110, 90], 10)


def test_pool_below_the_ante_caps_the_bet_or_is_filled() -> None:
    """RULES.md 2.1 `short_pool`, A03."""
    for rule, pool, stacks in (("cap", 2, [95, 108, 95]), ("reante", 17, [90, 103, 90])):
        table = Playing(100, 100, 100, short_pool=rule)
        table.deal()
        table.bet("B", 13, "7H", wins=True)
        assert (table.pool, table.stacks) == (pool, stacks)


def test_nobody_can_fill_a_short_pool() -> None:
    """RULES.md 2.2: who cannot pay is dropped; the round ends with them, and what lies there stays."""
    table = Playing(4, 4, pool=3, skip_ante_at="3", short_pool="reante")
    events = table.deal()
    assert events[-2:] == (PlayersDropped(("B", "A")), RoundClosed("B"))
    assert (table.stacks, table.pool) == ([4, 4], 3)


def test_pool_emptied_by_the_last_bettor_stays_empty_until_the_next_round() -> None:
    """RULES.md 2.5: nobody is left to act, so there is no re-ante."""
    table = Playing(100, 100, fold_fine="0")
    table.deal()
    table.do(Fold("B"))
    events = table.bet("A", 10, "7H", wins=True)
    assert not any(isinstance(event, PoolRefilled) for event in events)
    assert (table.stacks, table.pool, table.state.phase) == ([105, 95], 0, "ANTE")


def test_rich_pool_needs_no_antes_and_everybody_with_chips_plays() -> None:
    """RULES.md 2.1 `skip_ante_at`."""
    table = Playing(100, 1, 0, pool=30, skip_ante_at="30")
    table.do(OpenRound())
    assert (table.stacks, table.state.players) == ([100, 1, 0], ("B", "A"))
    table = Playing(100, 1, 100, pool=29, skip_ante_at="30")
    table.do(OpenRound())
    assert (table.stacks, table.state.players) == ([95, 1, 95], ("C", "A"))


def test_deal_passes_left_and_over_who_cannot_pay() -> None:
    """RULES.md 2.5: one seat left; on in ANTE to the next seat that pays."""
    table = Playing(100, 4, 100, fold_fine="0")
    table.deal()
    table.do(Fold("C"), Fold("A"))
    assert table.state.table.dealer == "B"
    table.do(OpenRound())
    assert (table.state.table.dealer, table.state.players) == ("C", ("A", "C"))


def test_ante_of_a_void_hand_goes_back_only_as_far_as_the_pool_reaches(play: Play) -> None:
    """Found by random lines: a wrong payment had taken the chips that were to go back."""
    table = "game red-dog-pool ante=5 hand=3 void_ante=refund\nseat A 50\nseat B 50\ndealer A\n"
    first = "round\ndealt\nbet B 5\ncard 7H\nwon B\nfold A\n"
    done = play(table + first + "round\noverpaid B 12\ndealt B 0 A 0")
    assert (done["codes"], done["pool"]) == ([], 0)
    assert sum(done["stacks"].values()) == 100
