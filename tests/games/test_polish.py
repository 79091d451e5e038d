"""Polish Red Dog beyond the worked scenarios (RULES.md 6)."""

from collections.abc import Callable
from typing import Any

Play = Callable[[str], dict[str, Any]]

SEATS = "seat A 100\nseat B 100\nseat C 100\n"


def table(options: str = "") -> str:
    return f"game polish-red-dog {options}\n{SEATS}"


def test_agreed_stake_has_no_amount(play: Play) -> None:
    assert play(table() + "round\nbank 50")["codes"] == ["E_ARGS"]
    assert play(table("stake=30") + "round\nbank")["bank"] == 30


def test_poorer_banker_banks_the_whole_stack(play: Play) -> None:
    assert play(table("stake=500") + "round\nbank")["bank"] == 100


def test_seat_with_less_than_the_odds_is_passed_over(play: Play) -> None:
    done = play("game polish-red-dog\nseat A 1\nseat B 100\nseat C 100\nround\nbank")
    assert (done["dealer"], done["stacks"]) == ("B", {"A": 1, "B": 0, "C": 100})


def test_stake_that_covers_no_bet_is_refused_at_set_up(play: Play) -> None:
    assert play("game polish-red-dog stake=1")["codes"] == ["E_CONFIG"]


def test_eleven_players_are_too_many(play: Play) -> None:
    seats = "".join(f"seat {name} 100\n" for name in "ABCDEFGHIJK")
    assert play(f"game polish-red-dog\n{seats}round")["codes"] == ["E_CONFIG"]


def test_bets_and_passes_are_out_of_place_once_cards_are_due(play: Play) -> None:
    lines = table("stake=40") + "round\nbank\ndealt\nbet B 20\nbet C 1\npass C\npass B"
    assert play(lines)["codes"] == ["E_PHASE", "E_PHASE", "E_PHASE"]


def test_hands_come_in_any_order_and_chips_move_with_the_last(play: Play) -> None:
    lines = table() + "round\nbank\ndealt\nbet B 20\nbet C 20\ncard AD 9H\nshow C 3S KC 2D\n"
    first = play(lines)
    assert (first["bank"], first["bets"]) == (100, {"B": 20, "C": 20})
    last = play(lines + "show B TH 2C 3C")
    assert (last["bank"], last["bets"], last["phase"], last["turn"]) == (80, {}, "BETWEEN", "A")


def test_hand_is_shown_once_and_whole(play: Play) -> None:
    lines = table() + "round\nbank\ndealt\nbet B 20\nbet C 20\ncard AD 9H\n"
    assert play(lines + "show B TH\nshow B TH 2C 3C\nshow B 4C 5C 6C\nshow A 4C 5C 6C")["codes"] == [
        "E_HAND",
        "E_TURN",
        "E_TURN",
    ]


def test_short_hand_plays_and_void_hand_sits_out(play: Play) -> None:
    lines = table() + "round\nbank\ndealt B 2 C 4\nbet B 20\n"
    done = play(lines + "card AD 9H\nshow B TH 2C")
    assert (done["codes"], done["bank"]) == ([], 60)


def test_nobody_bets_and_the_bank_passes(play: Play) -> None:
    done = play(table() + "round\nbank\ndealt\npass B\npass C")
    assert (done["phase"], done["dealer"], done["stacks"]["A"]) == ("BANK", "B", 100)


def test_nobody_bets_in_the_stitch_round_and_the_bank_passes_even_with_redeal(play: Play) -> None:
    deal = "dealt\nbet B {}\npass C\ncard AD AH\nshow B 2C 3C 4C\n"
    lines = table("stake=20 stitch_factor=2 no_bets=redeal") + "round\nbank\n" + deal.format(9) + "keep\n"
    done = play(lines + deal.format(13) + "stitch\ndealt\npass B\npass C")
    assert (done["codes"], done["phase"], done["stacks"]["A"]) == ([], "BANK", 122)


def test_banker_can_only_retire_when_no_punter_has_chips(play: Play) -> None:
    lines = "game polish-red-dog stake=20\nseat A 100\nseat B 10\nround\nbank\ndealt\nbet B 10\ncard AD AH\n"
    done = play(lines + "show B 2C 3C 4C\nkeep\nstitch\nretire")
    assert (done["codes"], done["stacks"]) == (["E_PLAYERS", "E_STITCH"], {"A": 110, "B": 0})


def test_stitch_before_the_bank_has_grown_is_refused(play: Play) -> None:
    lines = table() + "round\nbank\ndealt\nbet B 20\npass C\ncard AD 9H\nshow B 2C 3C 4C\nstitch"
    assert play(lines)["codes"] == ["E_STITCH"]


def test_cards_may_come_again_after_the_hands_are_dealt_anew(play: Play) -> None:
    deal = "dealt\nbet B 5\npass C\ncard AD 9H\nshow B 2C 3C 4C\n"
    assert play(table() + "round\nbank\n" + deal + "keep\n" + deal)["codes"] == []


def test_shared_hand_settles_with_its_third_card(play: Play) -> None:
    lines = table("hand_mode=shared") + "round\nbank\ndealt\nbet B 20\nbet C 5\ncard 9H\ncard TC\ncard JH\n"
    assert play(lines)["bank"] == 100
    assert play(lines + "card 2D")["bank"] == 50
    assert play(table("hand_mode=shared") + "round\nbank\ndealt B 2")["codes"] == ["E_PLAYER"]


def test_pays_one_lets_the_whole_bank_be_covered(play: Play) -> None:
    done = play(table("stake=40 pays=1") + "round\nbank\ndealt\nbet B 40\ncard AD 9H\nshow B TH 2C 3C")
    assert (done["phase"], done["stacks"]["B"]) == ("BANK", 140)


def test_mistake_leaves_what_the_bets_may_win(play: Play) -> None:
    deal = "dealt\nbet B 20\npass C\ncard AD 9H\nshow B 2C 3C 4C\n"
    lines = table() + "round\nbank\n" + deal + "overpaid B 121\noverpaid B 20\n"
    assert play(lines)["codes"] == ["E_POOL"]
    assert play(lines + "correct B")["bank"] == 120
    assert play(lines + "keep\ndealt\ncorrect B")["bank"] == 120
    later = "retire\nround\nbank\ndealt\n"
    assert play(lines + later + "correct B")["codes"] == ["E_POOL"]
    assert play(lines + later + "bet C 5\ncorrect B")["codes"] == ["E_POOL", "E_LATE"]


def test_exposed_card_is_discarded_and_the_next_serves(play: Play) -> None:
    done = play(table() + "round\nbank\nburn 2C\ndealt\nburn 2C\nbet B 5\npass C\ncard 2C AH\ncard AD AH")
    assert done["codes"] == ["E_PHASE", "E_DUPLICATE_CARD"]
    assert done["seen"] == ["2C", "AD", "AH"]
