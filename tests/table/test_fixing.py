"""`fix`: a card that was recorded wrong, in this round or a finished one (TABLE_TALK.md, "Verbs")."""

from typing import Any

import pytest

from assistant.table.night_log import NightLog
from assistant.table.record import night_record
from tests.table.talking import code, dues, message, nets, played, refusal, stacks, submit

CASINO = ["game casino-red-dog decks=1", "seat P 200", "seat Q 100"]
ROUND_ONE = [*CASINO, "bet P 10", "card 2H 4S", "call P", "card 3D"]  # P wins 50
POOL = ["game red-dog-pool hand=3", "seat A 50", "seat B 50", "dealer A"]
WON_BY_B = [*POOL, "round", "dealt", "bet B 5", "card 7H", "show B 8H 2C 3D", "fold A"]


def record(log: NightLog) -> dict[str, Any]:
    return night_record(log.night)


def test_finished_round_is_worked_out_again_and_the_difference_booked() -> None:
    log = played(*ROUND_ONE, "fix 3D 5D")
    found = record(log)
    assert (found["stacks"], found["house"]) == ({"P": 190, "Q": 100}, 10)
    assert sorted(found["seen"]) == ["2H", "4S", "5D"]


def on_the_table(log: NightLog) -> list[str]:
    return [str(shown.card) for shown in log.night.state.board]


def test_cards_that_still_lie_there_are_the_right_ones_after_a_finished_round_is_mended() -> None:
    log = played(*ROUND_ONE, "fix 3D 5D")
    assert on_the_table(log) == ["2H", "4S", "5D"]


def test_mended_earlier_round_leaves_the_cards_of_the_last_one() -> None:
    log = played(*ROUND_ONE, "bet P 10", "card 8H 9S", "fix 3D 5D")
    assert on_the_table(log) == ["8H", "9S"]


def test_nothing_lies_on_the_table_after_a_void_round() -> None:
    log = played(*ROUND_ONE, "bet P 10", "card 8H JS", "void misdeal")
    assert on_the_table(log) == []


def test_card_of_the_running_round_is_set_right_before_it_counts() -> None:
    log = played(*CASINO, "bet P 10", "card 2H 4S", "fix 4S 2S")
    assert (record(log)["phase"], record(log)["marker"], record(log)["turn"]) == ("THIRD", "Pair", None)
    log.submit("card 2C")
    assert record(log)["stacks"]["P"] == 310


@pytest.mark.parametrize(
    ("line", "expected", "reason"),
    [
        ("fix 9C 5D", "E_FIX", "fix_not_found"),
        ("fix 3D 3D", "E_FIX", "fix_same"),
        ("fix 3D 5D round=2", "E_FIX", "fix_not_found"),
        ("fix 3D 5D round=0", "E_FIX", "fix_not_found"),
        ("fix 3D 5D nth=2", "E_FIX", "fix_not_found"),
        ("fix 3D 5D nth=0", "E_FIX", "fix_not_found"),
        ("fix 4S 3S", "E_FIX", "fix_illegal"),  # consecutive: nobody would have been asked
        ("fix 3D 2H", "E_DUPLICATE_CARD", "E_DUPLICATE_CARD"),
        ("fix 3D", "E_ARGS", "argument_missing"),
        ("fix 3D 5D 6D", "E_ARGS", "argument_extra"),
        ("fix 3D 5D round=one", "E_ARGS", "not_a_number"),
        ("fix 3D 5D colour=red", "E_OPTION", "option_not_here"),
        ("fix 3D 1D", "E_CARD", "E_CARD"),
    ],
)
def test_what_can_not_be_fixed(line: str, expected: str, reason: str) -> None:
    """TABLE_TALK.md `fix`: E_FIX where later acts would not have been legal, E_DUPLICATE_CARD where seen."""
    found = refusal(played(*ROUND_ONE), line)
    assert (found.code, found.reason) == (expected, reason)


def test_latest_round_that_holds_the_card_is_meant_unless_one_is_named() -> None:
    """Rounds count from 1 in the night, void ones too."""
    start = "game casino-red-dog decks=2"
    two = ["bet P 10", "card 2H 4S", "call P", "card 3D"]
    log = played(start, "seat P 200", *two, "bet P 10", "card 9C", "void", *two)
    assert record(log)["stacks"]["P"] == 300
    log.submit("fix 3D 5D round=1")
    assert record(log)["stacks"]["P"] == 240
    assert code(log, "fix 3D 5D round=2") == "E_FIX"
    assert code(log, "fix 9C 5D") == "E_FIX"
    log.submit("fix 3D 5C")
    assert record(log)["stacks"]["P"] == 180
    assert len(log.night.rounds) == 3


def test_nth_says_which_of_equal_cards_is_wrong() -> None:
    """TABLE_TALK.md: without `nth` the first OLD."""
    lines = ["game casino-red-dog decks=2", "seat P 100", "bet P 10", "card 8H 8H", "card 8S"]
    log = played(*lines, "fix 8H 8C nth=2")
    assert record(log)["seen"] == ["8H", "8C", "8S"]
    log = played(*lines, "fix 8H 8C")
    assert record(log)["seen"] == ["8C", "8H", "8S"]


def test_bare_ranks_are_fixed_by_rank() -> None:
    log = played(*CASINO, "bet P 10", "card Q 4", "call P", "card 7", "fix 7 3")
    assert (record(log)["stacks"]["P"], record(log)["seen"]) == (190, ["Q?", "4?", "3?"])
    pool = played(*WON_BY_B)
    assert code(pool, "fix 7H 7") == "E_CARD"


def test_player_who_left_when_the_round_ended_does_not_stand_in_the_way() -> None:
    """Who left is cashed out; the round is mended for the others."""
    lines = [*CASINO, "bet P 10", "bet Q 10", "card 2H 4S", "call P", "raise Q", "leave Q", "card 3D"]
    log = played(*lines)
    assert code(log, "fix 3D 5D") == "E_FIX"
    log = played(*POOL, "seat C 50", "round", "dealt", "leave C", "bet B 5", "card 7H", "show B 8H 2C 3D")
    log.submit("fold C")
    log.submit("fold A")
    log.submit("fix 7H 9H")
    found = record(log)
    assert (found["stacks"], found["pool"], found["cashed_out"]) == ({"A": 40, "B": 40}, 30, {"C": 40})


def test_player_who_left_can_not_be_paid_any_more() -> None:
    log = played(*CASINO, "bet Q 10", "card 2H 4S", "call Q", "leave Q", "card 5D")
    assert refusal(log, "fix 5D 3D").reason == "fix_player_gone"


LEFT_AFTER = [*CASINO, "bet P 10", "bet Q 10", "card 2H 4S", "call P", "raise Q", "leave Q"]


def test_somebody_who_left_with_what_a_wrong_card_won_is_named_and_mended_on_credit() -> None:
    """The refusal said "somebody", and "buy in", which who has left can't."""
    log = played(*LEFT_AFTER, "card 3D")
    assert message(log, "fix 3D 5D") == (
        "With that card Q, who has left, would owe 120. Enter “seat” and the name, "
        "then “iou”, the name and 120, then mend the card again."
    )
    submit(log, "seat Q", "iou Q 120", "fix 3D 5D", "leave Q", "close")
    assert (nets(log), dues(log)) == ({"P": -10, "Q": -20}, {"P": 10, "Q": 20})


def test_somebody_who_left_and_is_owed_by_a_wrong_card_is_named_and_seated_for_it() -> None:
    log = played(*LEFT_AFTER, "card 5D")
    assert message(log, "fix 5D 3D").startswith("With that card Q, who has left, would get 120 more. Enter")
    submit(log, "seat Q", "fix 5D 3D")
    assert stacks(log) == {"P": 250, "Q": 120}


def test_who_is_short_for_a_mended_card_is_named() -> None:
    log = played(*ROUND_ONE, "cashout P 200")
    assert message(log, "fix 3D 5D") == "With that card P would be short of 10. Let them buy in first."


def test_why_a_card_can_not_be_mended_is_said_in_words() -> None:
    """The refusal showed a code: "(E_PHASE)"."""
    assert message(played(*ROUND_ONE), "fix 4S 3S") == (
        "With that card round 1 would not have gone on like that: Nobody has to decide now. "
        "Undo up to the card instead, or call the round off."
    )


def test_round_that_would_have_gone_on_can_not_be_fixed() -> None:
    """Consecutive cards ended the round, others ask for a decision that nobody made."""
    assert refusal(played(*CASINO, "bet P 10", "card 2H 3S"), "fix 3S 4S").reason == "fix_other_course"


def test_player_who_left_and_came_back_gets_no_chips_from_a_fix() -> None:
    lines = [*POOL, "seat C 50", "round", "dealt", "leave C", "bet B 5", "card 7H", "show B 8H 2C 3D"]
    log = played(*lines, "fold C", "fold A", "seat C 20", "fix 7H 9H")
    assert (record(log)["stacks"], record(log)["nets"]) == (
        {"A": 40, "B": 40, "C": 20},
        {"A": -10, "B": -10, "C": -10},
    )


# --- while another round runs -------------------------------------------------------------------------------


def test_calling_off_the_running_round_keeps_what_was_fixed_before() -> None:
    log = played(*ROUND_ONE, "bet P 10", "card 6H QS", "fix 3D 5D", "void")
    assert (record(log)["stacks"]["P"], record(log)["house"]) == (190, 10)


def test_mending_the_running_round_keeps_what_was_fixed_before() -> None:
    log = played(*ROUND_ONE, "bet P 10", "card 6H QS", "fix 3D 5D", "fix QS 8S")
    assert (record(log)["stacks"]["P"], record(log)["house"], record(log)["marker"]) == (180, 10, "1")


def test_right_card_is_known_to_later_rounds_of_the_same_shoe() -> None:
    """One deck: after 3D became 5D, 5D can't come again and 3D can, also by another fix."""
    log = played(*ROUND_ONE, "bet P 10", "card 6H QS", "call P", "card 9S", "fix 3D 5D")
    assert code(log, "fix 9S 5D") == "E_DUPLICATE_CARD"
    log.submit("fix 9S 3D")
    assert sorted(record(log)["seen"]) == ["2H", "3D", "4S", "5D", "6H", "QS"]
    assert record(log)["stacks"]["P"] == 180
    log.submit("bet P 10")
    log.submit("card 3C 9S")


def test_card_seen_later_in_the_same_shoe_is_a_duplicate_even_after_a_shuffle() -> None:
    log = played(*ROUND_ONE, "bet P 10", "card 6H QS", "call P", "card 5D", "shuffle")
    assert code(log, "fix 3D 5D") == "E_DUPLICATE_CARD"
    log.submit("fix 3D 7D")
    assert (record(log)["seen"], record(log)["stacks"]["P"]) == ([], 190 - 10)


def test_balances_that_would_fall_below_zero_are_refused() -> None:
    """TABLE_TALK.md `fix`: E_FIX where a balance would fall below zero."""
    log = played(*ROUND_ONE, "cashout P 200")
    assert refusal(log, "fix 3D 5D").reason == "fix_below_zero"
    log.submit("buy P 10")
    log.submit("fix 3D 5D")
    assert record(log)["stacks"]["P"] == 0


def test_start_of_the_running_round_must_bear_the_difference_too() -> None:
    """Else calling that round off would leave somebody below zero."""
    won_more = ["cashout B 44", "dealer A", "round", "dealt", "bet B 1", "card 2C", "won B", "overpaid B 9"]
    log = played(*WON_BY_B, *won_more)
    assert record(log)["stacks"]["B"] == 11
    assert refusal(log, "fix 7H 9H").reason == "fix_below_zero"


def test_chips_that_would_pay_the_standing_bet_are_not_taken_from_the_pool() -> None:
    """RULES.md A30: the pool is not taken below the bet on the table."""
    lost = [*POOL, "round", "dealt", "bet B 5", "card 9H", "show B 8H 2C 3D", "fold A"]
    log = played(*lost, "round", "dealt")
    assert (record(log)["pool"], record(log)["stacks"]) == (30, {"A": 35, "B": 35})
    log.submit("bet A 25")
    assert refusal(log, "fix 9H 7H").reason == "fix_fund_short"
    log = played(*lost, "round", "dealt", "bet A 20", "fix 9H 7H")
    assert (record(log)["pool"], record(log)["bets"]) == (20, {"A": 20})
    log.submit("card 2H")
    log.submit("won A")  # which empties the pool, so both ante again
    assert record(log)["stacks"] == {"A": 50, "B": 40}


def test_who_banks_now_has_no_part_in_an_earlier_round() -> None:
    log = played(*ROUND_ONE, "house Q 100", "fix 3D 5D", "close")
    assert (record(log)["nets"], record(log)["house"]) == ({"P": -10, "Q": 0}, 10)


def test_banker_bears_the_difference_of_their_own_round() -> None:
    log = played(*CASINO, "house Q 100", "bet P 5", "card 2H 4S", "call P", "card 5D", "fix 5D 3D", "close")
    assert (record(log)["nets"], record(log)["house"]) == ({"P": 25, "Q": -25}, 0)


def test_earlier_loss_of_the_house_does_not_block_a_bankers_fix() -> None:
    log = played(*ROUND_ONE, "house Q 20", "bet P 1", "card 6H QS", "call P", "card KS", "fix KS 7S")
    assert (record(log)["stacks"]["P"], record(log)["house"]) == (251, -31)


def test_fixed_card_can_be_fixed_back() -> None:
    log = played(*ROUND_ONE)
    before = record(log)
    log.submit("fix 3D 5D")
    log.submit("fix 5D 3D")
    assert record(log) == before


def test_round_of_a_game_that_is_over_can_still_be_fixed() -> None:
    log = played(*WON_BY_B, "share", "game casino-red-dog", "fix 7H 9H")
    found = record(log)
    assert (found["stacks"], found["pool"]) == ({"A": 45, "B": 45}, 10)
    log.submit("share")
    assert record(log)["stacks"] == {"A": 50, "B": 50}


def test_undo_takes_a_fix_back() -> None:
    log = played(*ROUND_ONE)
    before = log.night
    log.submit("fix 3D 5D")
    log.submit("undo")
    assert log.night == before


RAKE = ["game rake", "seat A 100", "seat B 100", "dealer A", "round", "dealt", "check B", "check A"]


def test_market_card_that_was_taken_is_mended_wherever_it_was_named() -> None:
    taken = [*RAKE, "card 2S 3H", "take B 3H", "take A 2S"]
    log = played(*taken, "fix 3H 3D")
    assert sorted(record(log)["seen"]) == ["2S", "3D"]
    assert on_the_table(log) == ["2S", "3D"]
    draws = ["check B", "check A", "take B closed", "take A closed", "check B", "check A"]
    done = played(*taken, *draws, "show B 3H 4H 5H 6H 7H", "fix 3H 3D", "show A 2S 4S 6S 8S TS")
    assert record(done)["stacks"] == {"A": 110, "B": 90}  # with the three of diamonds it is a Run and no Rake


def test_mended_posts_that_are_neighbours_end_the_round_at_once() -> None:
    log = played(*CASINO, "bet P 10", "card 3S TH", "fix TH 4H")
    found = record(log)
    assert (found["phase"], found["stacks"], found["bets"]) == ("BETTING", {"P": 200, "Q": 100}, {})
    log.submit("undo")
    assert record(log)["phase"] == "DECISION"


def test_what_waited_for_the_end_of_the_round_happens_when_a_mended_card_ends_it() -> None:
    log = played(*CASINO, "bet P 10", "card 3S TH", "sitout Q", "fix TH 4H")
    assert log.night.table.active == ("p1",)
