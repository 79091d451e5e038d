"""Banking Red Dog beyond the worked scenarios (RULES.md 4)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Play = Callable[[str], dict[str, Any]]

TABLE = """game red-dog-bank hand=3 {options}
seat A 100
seat B 100
seat C 100
"""


def table(options: str = "") -> str:
    return TABLE.format(options=options)


def test_bank_waits_for_the_banker_and_then_for_the_hands(play: Play) -> None:
    opened = play(table() + "round")
    assert (opened["phase"], opened["turn"], opened["do"]) == ("BANK", "A", "put_up_bank")
    up = play(table() + "round\nbank 40")
    assert (up["phase"], up["turn"], up["bank"]) == ("DEAL", None, 40)


def test_bank_of_nothing_is_too_low_and_more_than_the_stack_too_high(play: Play) -> None:
    assert play(table() + "round\nbank 0\nbank 101")["codes"] == ["E_BANK_LOW", "E_STACK"]


def test_bank_without_a_round_or_twice_is_not_due(play: Play) -> None:
    assert play(table() + "bank 10\nround\nbank 10\nbank 10")["codes"] == ["E_PHASE", "E_PHASE"]


def test_bank_needs_an_amount(play: Play) -> None:
    assert play(table() + "round\nbank")["codes"] == ["E_ARGS"]


def test_banker_never_bets_against_the_own_bank(play: Play) -> None:
    assert play(table() + "round\nbank 40\ndealt\nbet A 5\nfold B")["codes"] == ["E_TURN", "E_PHASE"]


def test_nine_players_have_eight_hands_of_five(play: Play) -> None:
    names = "ABCDEFGHI"
    seats = "".join(f"seat {name} 100\n" for name in names)
    nine = play(f"game red-dog-bank\n{seats}round\nbank 40\ndealt\nbet B 5\ncard 7H\nshow B 2C 3C 4C 5C")
    assert nine["codes"] == ["E_HAND"]


def test_more_hands_than_the_deck_holds_are_refused_with_the_numbers(play: Play) -> None:
    seats = "".join(f"seat {name} 100\n" for name in "ABCDEFGHIJ")
    ten = play(f"game red-dog-bank hand=5\n{seats}round")
    assert ten["codes"] == ["E_CONFIG"]
    assert "54" in ten["refused"][0]["message"]
    assert ten["do"] == "too_many_hands"
    assert "at most 9 can play" in ten["refused"][0]["message"]  # eight hands of six cards, and the banker


def test_eleven_players_are_too_many(play: Play) -> None:
    seats = "".join(f"seat {name} 100\n" for name in "ABCDEFGHIJK")
    assert play(f"game red-dog-bank hand=3\n{seats}round")["codes"] == ["E_CONFIG"]


def test_one_player_alone_cannot_play(play: Play) -> None:
    assert play("game red-dog-bank\nseat A 100\nseat B\nround")["codes"] == ["E_PLAYERS"]


def test_nobody_can_put_up_the_smallest_bank(play: Play) -> None:
    assert play("game red-dog-bank bank_min=50\nseat A 40\nseat B 40\nround")["codes"] == ["E_PLAYERS"]


def test_void_hand_sits_out_and_short_hand_passes_free(play: Play) -> None:
    done = play(table("pass_fine=2") + "round\nbank 20\ndealt B 4 C 2\nbet B 5\npass C")
    assert done["codes"] == ["E_TURN"]
    assert done["stacks"] == {"A": 100, "B": 100, "C": 100}
    assert (done["phase"], done["dealer"]) == ("BANK", "B")


def test_misdealt_banker_is_not_dealt_in(play: Play) -> None:
    assert play(table() + "round\nbank 20\ndealt A 2")["codes"] == ["E_PLAYER"]


def test_cards_of_one_deal_may_come_again_in_the_next_of_the_same_banker(play: Play) -> None:
    deal = "dealt\nbet B 5\ncard AH\nshow B KH QD 9C\npass C\n"
    done = play(table("bank_deals=2") + "round\nbank 20\n" + deal + deal)
    assert done["codes"] == []
    assert done["stacks"] == {"A": 110, "B": 90, "C": 100}


def test_bank_goes_back_at_once_when_no_punter_has_chips_left(play: Play) -> None:
    lines = "game red-dog-bank hand=3 bank_deals=3\nseat A 100\nseat B 10\nround\nbank 20\ndealt\nbet B 10\n"
    done = play(lines + "card AH\nshow B KH QD 9C")
    assert (done["phase"], done["stacks"]) == ("BANK", {"A": 110, "B": 0})


def test_wrong_payment_after_the_deal_goes_back_to_the_bankers_stack(play: Play) -> None:
    deal = table() + "round\nbank 20\ndealt\npass B\nbet C 10\ncard 5C\nshow C AC\n"
    assert play(deal)["stacks"] == {"A": 90, "B": 100, "C": 110}
    over = play(deal + "overpaid C 7\ncorrect C")
    assert (over["codes"], over["stacks"]) == ([], {"A": 90, "B": 100, "C": 110})
    under = play(deal + "underpaid C 3\npaid-in B 4")
    assert under["stacks"] == {"A": 97, "B": 96, "C": 107}


def test_window_closes_when_the_next_cards_are_dealt(play: Play) -> None:
    deal = table() + "round\nbank 20\ndealt\npass B\nbet C 10\ncard 5C\nshow C AC\noverpaid C 7\n"
    assert play(deal + "round\nbank 10\ncorrect C")["codes"] == []
    assert play(deal + "round\nbank 10\ndealt\ncorrect C")["codes"] == ["E_LATE"]


def test_mistake_never_takes_the_bank_below_the_bet_on_the_table(play: Play) -> None:
    lines = table() + "round\nbank 20\ndealt\nbet B 10\ncard 5C\nshow B AC\nbet C 10\noverpaid B 1"
    assert play(lines)["codes"] == ["E_POOL"]


def test_bank_emptied_by_a_mistake_leaves_nothing_to_bet(play: Play) -> None:
    lines = table() + "round\nbank 20\ndealt\nbet B 10\ncard 5C\nshow B AC\noverpaid B 10\n"
    assert play(lines + "bet C 1\ncorrect B\nbet C 1")["codes"] == ["E_BET_HIGH"]
    assert play(lines + "pass C")["phase"] == "BANK"


def test_strict_verification_refuses_the_dealers_word(play: Play) -> None:
    lines = table("verify=strict") + "round\nbank 20\ndealt\nbet B 10\ncard 5C\nwon B"
    assert play(lines)["codes"] == ["E_HAND"]


def test_whole_hand_is_due_by_house_rule_even_with_a_winner(play: Play) -> None:
    lines = table("reveal_win=hand") + "round\nbank 20\ndealt\nbet B 10\ncard 5C\nshow B AC\nshow B AC 2H 3H"
    done = play(lines)
    assert (done["codes"], done["bank"]) == (["E_HAND"], 10)


def test_burn_before_the_bet_comes_first(play: Play) -> None:
    lines = (
        table("burn=true burn_when=before-bet") + "round\nbank 20\ndealt\nbet B 5\npass B\ncard 2C\nbet B 5"
    )
    done = play(lines + "\ncard 5C\nwon B")
    assert (done["codes"], done["stacks"]["B"]) == (["E_PHASE", "E_PHASE"], 105)


def test_void_gives_the_bank_back(play: Play) -> None:
    done = play(table() + "round\nbank 20\ndealt\nbet B 5\nvoid")
    assert (done["stacks"], done["bank"], done["dealer"]) == ({"A": 100, "B": 100, "C": 100}, 0, "A")


def test_chips_of_a_pool_cannot_move_into_a_game_with_a_bank(play: Play) -> None:
    lines = "game red-dog-pool ante=5 hand=3\nseat A 100\nseat B 100\nround\ndealt\nfold B\nfold A\n"
    assert play(lines + "game red-dog-bank")["codes"] == ["E_POOL"]


@pytest.mark.parametrize("case", ["H1", "H2"])
def test_bank_limits_of_the_shared_cases(play: Play, shared: Path, case: str) -> None:
    cases = json.loads((shared / "cases" / "banking_red_dog.json").read_text("utf-8"))
    steps = next(one for one in cases if one["id"] == case)["steps"]
    punters = [f"P{number}" for number in range(len(steps))]
    lines = "game red-dog-bank hand=3\nseat A 40\n" + "".join(f"seat {name} 100\n" for name in punters)
    lines += "round\nbank 40\ndealt\n"
    waiting = iter(punters)
    player = next(waiting)
    for step in steps:
        before = play(lines)
        done = play(lines + f"bet {player} {step['typed']}")
        assert (done["codes"] == []) == step["accepted"]
        assert before["bank"] == step["limit"]
        if not step["accepted"]:
            assert done["codes"] == ["E_BET_HIGH"]
            continue
        suit = "CDHS"[steps.index(step)]
        result = "won" if step["player_wins"] else "lost"
        lines += f"bet {player} {step['typed']}\ncard 5{suit}\n{result} {player}\n"
        assert play(lines)["bank"] == step["bank_after"]
        player = next(waiting, "")
    assert play(lines)["phase"] == "BANK"
