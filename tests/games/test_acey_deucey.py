"""Acey-Deucey with a pot beyond the worked scenarios (RULES.md 8)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Play = Callable[[str], dict[str, Any]]

SEATS = "seat A 100\nseat B 100\nseat C 100\n"


def table(options: str = "") -> str:
    return f"game acey-deucey-pot ante=5 {options}\n{SEATS}round\n"


def test_first_ace_is_called_before_the_second_post(play: Play) -> None:
    waiting = play(table() + "card AH")
    assert (waiting["phase"], waiting["turn"], waiting["do"]) == ("CALL_ACE", "B", "ask_ace")
    assert play(table() + "card AH\ncard KS\nace C low\nace B high\nace B low")["codes"] == [
        "E_PHASE",
        "E_TURN",
        "E_PHASE",
    ]


def test_ace_called_high_and_an_ace_are_a_pair(play: Play) -> None:
    pair = play(table() + "card AH\nace B high\ncard AS")
    assert (pair["phase"], pair["do"]) == ("BET", "ask_side")


def test_ace_called_low_and_two_are_neighbours(play: Play) -> None:
    assert play(table() + "card AH\nace B low\ncard 2S")["phase"] == "POSTS"


def test_side_belongs_to_a_pair_only(play: Play) -> None:
    assert play(table() + "card 3H JS\nbet B 5 higher")["codes"] == ["E_CALL"]


def test_bet_is_fixed_until_the_third_card(play: Play) -> None:
    done = play(table() + "card 3H JS\nbet B 5\nbet B 6\nbet C 5\npass B")
    assert (done["codes"], done["phase"]) == (["E_BET_FIXED", "E_TURN", "E_BET_FIXED"], "RESULT")


def test_stack_that_covers_nothing_can_only_pass(play: Play) -> None:
    lines = "game acey-deucey-pot ante=5\nseat A 100\nseat B 6\nround\ncard 3H JS\n"
    done = play(lines + "bet B 1\npass B")
    assert done["codes"] == ["E_BET_HIGH"]
    assert play(lines)["do"] == "ask_pass"


def test_player_without_chips_is_skipped(play: Play) -> None:
    done = play("game acey-deucey-pot ante=5\nseat A 100\nseat B 5\nseat C 100\nround\ncard 3H JS")
    assert done["turn"] == "C"


def test_pot_is_divided_when_nobody_in_the_round_has_chips(play: Play) -> None:
    done = play("game acey-deucey-pot ante=5\nseat A 5\nseat B 5\nseat C 5\nround")
    assert (done["phase"], done["pool"], done["stacks"]) == ("ANTE", 0, {"A": 5, "B": 5, "C": 5})


def test_pot_is_divided_after_laps_without_a_bet(play: Play) -> None:
    posts = ["card 3H JS\npass B", "card 4H QS\npass C", "card 2H TS\npass A"]
    done = play(table("max_laps=1") + "\n".join(posts))
    assert (done["phase"], done["stacks"]) == ("ANTE", {"A": 100, "B": 100, "C": 100})


def test_shortfall_on_a_post_is_paid_from_the_stack_at_most(play: Play) -> None:
    lines = "game acey-deucey-pot ante=5 cover=bet\nseat A 100\nseat B 15\nround\ncard 3H JS\nbet B 8\n"
    assert play(lines + "card 3D")["stacks"] == {"A": 95, "B": 0}


def test_bonus_never_exceeds_the_pot(play: Play) -> None:
    lines = "game acey-deucey-pot ante=1 pair=bonus pair_bonus=9\nseat A 100\nseat B 100\nround\ncard 4H 4S"
    done = play(lines)
    assert (done["phase"], done["stacks"]) == ("ANTE", {"A": 99, "B": 101})


def test_ranks_alone_are_cards_and_count_against_the_deck(play: Play) -> None:
    done = play(table() + "card 3 J\npass B\ncard 3 Q\npass C\ncard 3 K\npass A\ncard 3 9\npass B\ncard 3 9")
    assert done["codes"] == ["E_DUPLICATE_CARD"]


def test_two_decks_hold_every_card_twice(play: Play) -> None:
    done = play(table("decks=2") + "card 3H JS\npass B\ncard 3H JS\npass C\ncard 3H JS")
    assert (done["codes"], done["cards_left"]) == (["E_DUPLICATE_CARD"], 100)


def test_deck_is_shuffled_only_when_too_short_for_a_turn(play: Play) -> None:
    assert play(table() + "shuffle\ncard 3H\nshuffle")["codes"] == ["E_PHASE", "E_PHASE"]


def test_exposed_card_is_discarded(play: Play) -> None:
    done = play(table() + "card 3H\nburn 7D\ncard JS")
    assert (done["phase"], done["seen"]) == ("BET", ["3H", "7D", "JS"])


def test_eleven_players_are_too_many(play: Play) -> None:
    seats = "".join(f"seat {name} 100\n" for name in "ABCDEFGHIJK")
    assert play(f"game acey-deucey-pot\n{seats}round")["codes"] == ["E_CONFIG"]


def test_wrong_payment_can_be_mended_until_the_next_round_begins(play: Play) -> None:
    won = table() + "card 3H JS\nbet B 15\ncard 7D\n"
    assert play(won + "underpaid B 3\nround\ncorrect B")["stacks"]["B"] == 105
    assert play(won + "underpaid B 3\nround\ncard 3C\ncorrect B")["codes"] == ["E_LATE"]


@pytest.mark.parametrize("case", ["H1", "H2", "H3", "H4", "H5", "H7", "H8", "H9"])
def test_results_of_the_shared_cases(play: Play, shared: Path, case: str) -> None:
    cases = json.loads((shared / "cases" / "acey_deucey.json").read_text("utf-8"))
    one = next(item for item in cases if item["id"] == case)
    lines = "game acey-deucey-pot ante=5\nseat A 500\nseat B 500\n"
    lines += f"carry {one['pot'] - 10}\nround\ncard {one['first']}\n"
    if one["ace_call"]:
        lines += f"ace B {one['ace_call']}\n"
    done = play(lines + f"card {one['second']}\nbet B {one['bet_typed']}\ncard {one['third']}")
    assert done["codes"] == []
    assert (done["nets"]["B"] + 5, done["pool"]) == (one["net"], one["pot_after"])


def test_pair_ends_the_turn_where_no_bet_is_possible(play: Play) -> None:
    """Shared case H6, which is house rule ``pair=pass`` here."""
    done = play(table("pair=pass") + "card 6H 6D\nbet B 10")
    assert (done["codes"], done["pool"]) == (["E_PHASE"], 15)


def test_cards_that_were_never_seen_are_named_at_the_end_of_the_deck(play: Play) -> None:
    """The deck census: 17 turns of three cards leave one card unseen."""
    low, high = "2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S".split(), "KC KD KH KS QC QD QH QS".split()
    high += "JC JD JH JS TC TD TH TS".split()
    lines = table() + "".join(
        f"card {one} {other}\npass {'BCA'[turn % 3]}\n"
        for turn, (one, other) in enumerate(zip(low, high, strict=True))
    )
    rest = "7C 9D 7D 9H 7H 9S 7S 9C 6C 8D 6D 8H 6H 8S 6S 8C AC".split()
    for turn, place in enumerate(range(0, 16, 2)):
        lines += f"card {rest[place]} {rest[place + 1]}\npass {'BCA'[(turn + 16) % 3]}\n"
    lines += "burn AC\nburn AD\nshuffle"
    done = play(lines)
    assert done["codes"] == []
    assert "NOT SEEN of the old deck: A♥, A♠" in done["text"]
    assert done["cards_left"] == 52


@pytest.mark.parametrize("options", ["lap_limit=half", "lap_limit=pot"])
def test_pot_emptied_by_a_wrong_payment_takes_no_bet(play: Play, options: str) -> None:
    """Found by random lines: half of an empty pot was still taken for a pot of one."""
    emptied = table(options) + "card 3H JS\nbet B 5\ncard 5C\ncard 3D JD\noverpaid B 10"
    asked = play(emptied)
    assert (asked["phase"], asked["do"], asked["pool"]) == ("BET", "pass_empty", 0)
    assert play(emptied + "\nbet C 1")["codes"] == ["E_BET_HIGH"]
    passed = play(emptied + "\npass C")
    assert (passed["codes"], passed["pool"]) == ([], 0)
