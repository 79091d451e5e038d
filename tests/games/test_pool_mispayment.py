"""Pool Red Dog: mistaken payments and taking them back in time (RULES.md 1.8)."""

from assistant.games.acts import DealHands, Fold, OpenRound
from assistant.games.base import (
    Bet,
    Correct,
    Mispay,
    TurnCards,
)
from tests.games.pool_play import Play, Playing, cards


def test_pool_emptied_by_a_mistaken_payment_leaves_nothing_to_bet() -> None:
    """RULES.md 1.5: amounts must be at least 1, otherwise E_BET_LOW."""
    table = Playing(100, 100, 100)
    table.deal()
    table.bet("B", 10, "7H", wins=True)
    table.do(Mispay("overpaid", "B", 5))
    assert table.pool == 0
    assert [table.refusal(Bet("C", 0)), table.refusal(Bet("C", 1))] == ["E_BET_LOW", "E_BET_HIGH"]
    assert "bet" not in {choice.verb for choice in table.game.legal_actions(table.state)}
    table.do(Correct("B"), Bet("C", 5))


def test_window_stays_open_over_a_fold_and_closes_with_the_next_card() -> None:
    """RULES.md 1.8: closes when the card for the next bettor is turned; a fold does not close it."""
    table = Playing(100, 100, 100, 100)
    table.deal()
    assert table.refusal(Mispay("overpaid", "B", 1)) == "E_LATE"
    table.bet("B", 10, "7H", wins=True)
    table.do(Mispay("overpaid", "B", 4), Fold("C"), Bet("D", 5), Correct("B"))
    assert (table.stacks[1], table.pool) == (105, 15)
    assert table.refusal(Correct("B")) == "E_LATE"
    table.do(Mispay("underpaid", "B", 3), TurnCards(cards("8H")))
    assert table.refusal(Correct("B")) == "E_LATE"
    assert table.stacks[1] == 102


def test_last_window_of_a_round_closes_with_the_next_deal() -> None:
    """RULES.md 1.8: after the last turn it closes when the next cards are dealt, not with `round`."""
    table = Playing(100, 100, fold_fine="0")
    table.deal()
    table.do(Fold("B"))
    table.bet("A", 5, "7H", wins=True)
    table.do(Mispay("underpaid", "A", 2), OpenRound(), Correct("A"), Mispay("overpaid", "A", 1))
    table.do(DealHands())
    assert table.refusal(Correct("A")) == "E_LATE"


def test_calling_off_a_dealt_round_does_not_open_the_window_again() -> None:
    table = Playing(100, 100, fold_fine="0")
    table.deal()
    table.do(Fold("B"))
    table.bet("A", 5, "7H", wins=True)
    table.do(Mispay("underpaid", "A", 2))
    start = table.state
    table.do(OpenRound())
    assert table.game.void(table.state, start).window == ("A",)
    table.do(DealHands())
    assert table.game.void(table.state, start).window == ()


def test_chips_that_would_pay_the_bet_on_the_table_are_spoken_for() -> None:
    """RULES.md 1.8, A30: neither input takes the pool below the standing bet."""
    table = Playing(100, 100, 100)
    table.deal()
    table.bet("B", 5, "7H", wins=True)
    table.do(Mispay("underpaid", "B", 4), Bet("C", 12))
    assert table.pool == 14
    assert table.refusal(Mispay("overpaid", "B", 3)) == "E_POOL"
    table.do(Correct("B"))
    assert (table.pool, table.stacks[1]) == (12, 98)


def test_correction_moves_at_most_what_the_player_still_has() -> None:
    table = Playing(100, 15)
    table.deal()
    table.bet("B", 5, "7H", wins=True)
    table.do(Mispay("overpaid", "B", 5))
    assert (table.stacks, table.pool) == ([95, 20], 0)
    table.do(Mispay("paid-in", "B", 18), Correct("B"))
    assert (table.stacks, table.pool) == ([95, 0], 20)


def test_wrong_payment_codes() -> None:
    table = Playing(100, 100, 100)
    table.deal()
    table.bet("B", 5, "7H", wins=True)
    assert [table.refusal(Mispay(kind, "B", 0)) for kind in ("paid-in", "overpaid", "underpaid")] == [
        "E_BET_LOW"
    ] * 3
    assert table.refusal(Mispay("overpaid", "B", 11)) == "E_POOL"
    assert table.refusal(Mispay("underpaid", "B", 101)) == "E_STACK"
    assert table.refusal(Mispay("paid-in", "C", 96)) == "E_STACK"
    assert table.refusal(Mispay("overpaid", "C", 1)) == "E_LATE"


def test_pool_that_a_wrong_payment_emptied_is_said_to_be_empty(play: Play) -> None:
    lines = "game red-dog-pool ante=5 hand=3\nseat A 50\nseat B 50\ndealer A\nround\ndealt\nbet B 5\n"
    emptied = play(lines + "card 7H\nwon B\noverpaid B 5\nbet A 1")
    assert (emptied["do"], emptied["pool"], emptied["codes"]) == ("fold_empty", 0, ["E_BET_HIGH"])
    assert "Take the wrong payment back" in emptied["refused"][0]["message"]
