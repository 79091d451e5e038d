"""Six-Spot Red Dog beyond the worked scenarios (RULES.md 5)."""

from collections.abc import Callable
from typing import Any

Play = Callable[[str], dict[str, Any]]

SEATS = "seat A 100\nseat B 100\nseat C 100\n"


def table(options: str = "") -> str:
    return f"game six-spot-red-dog {options}\n{SEATS}"


def test_target_is_awaited_before_the_bet(play: Play) -> None:
    waiting = play(table() + "round\ndealt")
    assert (waiting["phase"], waiting["turn"], waiting["do"]) == ("TARGET", None, "turn_target")
    assert play(table() + "round\ndealt\nfold B\nshow B 2C 3C 4C")["codes"] == ["E_PHASE", "E_PHASE"]


def test_cards_above_the_limit_may_come_one_line_each(play: Play) -> None:
    found = play(table() + "round\ndealt\ncard KD\ncard 7S\ncard 6H")
    assert (found["phase"], found["turn"], found["seen"]) == ("TURN", "B", ["KD", "7S", "6H"])


def test_nothing_may_be_turned_after_the_target_on_the_same_line(play: Play) -> None:
    done = play(table() + "round\ndealt\ncard 6H KD")
    assert (done["codes"], done["seen"]) == (["E_PHASE"], [])


def test_whole_hand_is_due_even_with_a_winner(play: Play) -> None:
    lines = table() + "round\ndealt\ncard 6H\nbet B 5\n"
    assert play(lines + "show B AH")["codes"] == ["E_HAND"]
    assert play(lines + "show B AH 2C 3C")["stacks"]["B"] == 100


def test_short_hand_is_whole_with_as_many_cards_as_were_dealt(play: Play) -> None:
    assert play(table() + "round\ndealt B 2\ncard 6H\nbet B 5\nshow B 2C 3C")["codes"] == []


def test_nine_players_are_too_many(play: Play) -> None:
    seats = "".join(f"seat {name} 100\n" for name in "ABCDEFGHI")
    assert play(f"game six-spot-red-dog\n{seats}round")["codes"] == ["E_CONFIG"]
    assert play(f"game six-spot-red-dog funding=bank\n{seats}round")["codes"] == ["E_CONFIG"]


def test_there_is_no_burn_in_six_spot(play: Play) -> None:
    assert play("game six-spot-red-dog burn=true")["codes"] == ["E_OPTION"]


def test_common_target_stays_for_everybody(play: Play) -> None:
    lines = table("target=common") + "round\ndealt\ncard 6H\nbet B 5\nshow B AH 2C 3C\n"
    next_turn = play(lines)
    assert (next_turn["phase"], next_turn["turn"]) == ("TURN", "C")


def test_bank_version_passes_and_the_pool_version_folds(play: Play) -> None:
    bank = table("funding=bank") + "round\nbank 20\ndealt\ncard 6H\n"
    assert play(bank + "fold B\npass B")["codes"] == ["E_PHASE"]
    pool = table() + "round\ndealt\ncard 6H\n"
    assert play(pool + "pass B\nfold B")["codes"] == ["E_PHASE"]


def test_round_is_void_when_stock_and_discards_hold_no_target(play: Play) -> None:
    """With six_limit=2 and all four twos in the hands, the second search can find none (A31)."""
    high = [f"{rank}{suit}" for suit in "CDHS" for rank in "3456789TJQKA"]
    lines = table("six_limit=2") + "round\ndealt\n"
    stock = high[:43]
    done = play(lines + "card " + " ".join(stock))
    assert done["codes"] == []
    assert (done["phase"], done["stacks"], done["pool"]) == ("ANTE", {"A": 100, "B": 100, "C": 100}, 0)
    assert done["dealer"] == "A"


def test_unknown_discards_are_shuffled_before_the_round_is_given_up(play: Play) -> None:
    """A folded hand was thrown in unseen, so a target may be among the discards."""
    high = [f"{rank}{suit}" for suit in "CDHS" for rank in "3456789TJQKA"]
    lines = table("six_limit=2") + "round\ndealt\ncard 2C\nfold B\n"
    done = play(lines + "card " + " ".join(high[:42]))
    assert (done["phase"], done["do"]) == ("TARGET", "stock_empty")
    assert play(lines + "card " + " ".join(high[:42]) + "\nshuffle\ncard 2C")["turn"] == "C"
