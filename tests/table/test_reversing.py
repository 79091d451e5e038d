"""Reversals: of every line that moves money, of what was cashed already, of payments (LEDGER.md 6.4, 7.5)."""

import pytest

from assistant.ledger.plan import FrozenPlan
from assistant.store.memory import MemoryNight
from assistant.table.money_view import money_view
from assistant.table.night_log import NightLog
from assistant.table.record import night_record
from assistant.table.settling import settlement_slip
from assistant.table.speech import wording_of
from tests.table.talking import code, dues, message, nets, played, stacks, submit, told

SET = "rack 100x1 100x5 40x25 10x100"
SEATS = ("seat Ann 100 cash", "seat Bob 100", "seat Cem 100")

TYPED_WRONG = ("seat A 1000", "seat B 100", "seat C 100", "game red-dog-pool")


def plan_of(log: NightLog) -> FrozenPlan:
    assert log.night.books.plan is not None
    return log.night.books.plan


def record(log: NightLog) -> tuple[object, object, object]:
    found = night_record(log.night)
    return found["nets"], found["house"], found.get("settlement")


# --- what was cashed ----------------------------------------------------------------------------------------


def test_buy_in_is_not_lessened_once_the_close_has_cashed_it() -> None:
    log = played(*TYPED_WRONG, "close")
    before = log.night
    assert code(log, "reverse 1 typed 1000 for 100 amount=100") == "E_STACK"
    assert code(log, "reverse 1 never came") == "E_STACK"
    assert "reopen" in message(log, "reverse 1 typed 1000 for 100 amount=100")
    assert (log.night is before, record(log)) == (True, ({"A": 0, "B": 0, "C": 0}, 0, []))


def test_buy_in_is_mended_when_the_night_is_open_again() -> None:
    log = played(*TYPED_WRONG, "close", "reopen typed wrong", "reverse 1 typed 1000 for 100 amount=100")
    assert night_record(log.night)["stacks"] == {"A": 100, "B": 100, "C": 100}
    log.submit("close")
    assert (log.night.bought_in("p1"), log.night.cashed_out("p1")) == (100, 100)
    assert record(log) == ({"A": 0, "B": 0, "C": 0}, 0, [])


@pytest.mark.parametrize("line", ["cashout A 40", "lend A B 40"])
def test_chips_that_moved_before_the_close_are_not_given_back_after_it(line: str) -> None:
    log = played("seat A 100", "seat B 100", "game red-dog-pool", line, "close")
    assert (code(log, "reverse 4 never happened"), record(log)[:2]) == ("E_STACK", ({"A": 0, "B": 0}, 0))
    submit(log, "reopen never happened", "reverse 4 never happened", "close")
    assert record(log) == ({"A": 0, "B": 0}, 0, [])


def test_buy_in_paid_another_way_needs_no_stack_and_is_mended_after_the_close() -> None:
    log = played("seat A 100 cash", "seat B 100", "close", "reverse 1 never paid as=iou")
    assert (log.night.books.box, record(log)) == (0, ({"A": 0, "B": 0}, 0, []))


def test_buy_in_is_not_lessened_by_chips_that_left_with_the_player() -> None:
    log = played(*TYPED_WRONG, "leave A")
    assert code(log, "reverse 1 typed 1000 for 100 amount=100") == "E_STACK"
    assert "Reverse #5 first" in message(log, "reverse 1 typed 1000 for 100 amount=100")
    submit(
        log, "reverse 5 the buy-in was wrong", "reverse 1 typed 1000 for 100 amount=100", "leave A", "close"
    )
    assert (log.night.bought_in("p1"), log.night.cashed_out("p1")) == (100, 100)
    assert record(log) == ({"A": 0, "B": 0, "C": 0}, 0, [])


def test_cash_out_of_somebody_who_left_waits_for_the_leave() -> None:
    log = played("seat A 100", "seat B 100", "cashout A 40", "leave A")
    assert "Reverse #4 first" in message(log, "reverse 3 never happened")
    submit(log, "reverse 4 still here", "reverse 3 never happened")
    assert night_record(log.night)["stacks"] == {"A": 100, "B": 100}


# --- a leave ------------------------------------------------------------------------------------------------


def test_who_never_left_is_back_in_their_chair_with_their_chips() -> None:
    log = played(
        "seat Ann 100 cash", "seat Bob 100", "seat Cid 100", "leave Bob", "leave Ann cash", "buy Cid 10"
    )
    assert (log.night.books.box, log.night.table.players) == (0, ("p3",))
    log.submit("reverse 5 she only went for air")
    assert (log.night.books.box, night_record(log.night)["stacks"]) == (100, {"Cid": 110, "Ann": 100})
    log.submit("reverse 4 he too")
    assert log.night.table.players == ("p3", "p1", "p2")  # Bob is left of Ann again
    assert [person.has_left for person in log.night.people] == [False, False, False]
    assert (log.night.due("p1"), log.night.net("p2")) == (0, 0)
    assert NightLog(log.store).night == log.night


def test_leave_that_was_not_paid_is_due_and_the_chair_stays_free() -> None:
    log = played("seat Ann 100 cash", "seat Bob 100", "leave Ann cash", "buy Bob 10")
    log.submit("reverse 3 the box was locked as=due")
    assert (log.night.books.box, log.night.due("p1"), log.night.table.players) == (100, -100, ("p2",))
    assert log.night.person("p1").has_left
    log.submit("close")
    assert record(log) == ({"Ann": 0, "Bob": 0}, 0, [{"from": "box", "to": "Ann", "amount": 100}])


def test_leave_is_paid_another_way_after_the_close_too() -> None:
    log = played("seat Ann 100 cash", "seat Bob 100", "leave Ann cash", "close")
    assert code(log, "reverse 3 still here") == "E_STACK"
    assert code(log, "reverse 3 too much amount=50") == "E_REVERSE"
    assert code(log, "reverse 3 on an iou as=iou") == "E_REVERSE"
    log.submit("reverse 3 not paid yet as=due")
    assert record(log) == ({"Ann": 0, "Bob": 0}, 0, [{"from": "box", "to": "Ann", "amount": 100}])


def test_leave_that_was_due_and_was_paid_takes_no_more_than_the_box_holds() -> None:
    log = played("seat Ann 40 cash", "seat Bob 100 cash", "expense box 60 tea for=Ann", "leave Bob")
    assert code(log, "reverse 4 paid at the door as=cash") == "E_BOX"
    submit(log, "seat Cid 20 cash", "reverse 4 paid at the door as=cash")
    assert (log.night.books.box, log.night.due("p2")) == (0, 0)


def test_leave_of_somebody_who_came_back_gives_only_the_chips() -> None:
    log = played("seat Ann 100", "seat Bob 100", "leave Ann", "seat Ann 5", "reverse 3 never left")
    assert (night_record(log.night)["stacks"], log.night.bought_in("p1")) == ({"Bob": 100, "Ann": 105}, 105)
    assert len(log.night.people) == 2


# --- payments -----------------------------------------------------------------------------------------------


def test_wrong_payment_opens_its_own_line_and_no_other() -> None:
    log = NightLog(MemoryNight())
    submit(log, *(f"seat {name} 100" for name in "ABCDEFG"))
    submit(
        log,
        *("expense A 45 for=B,C,F", "expense C 10 for=F,D,C", "expense D 35 for=D,A,C"),
        *("expense B 30 for=C,G,F", "close", "pay 3 10", "pay 2"),
    )
    log.submit("reverse 14 by mistake")
    assert (plan_of(log).number, log.night.books.replaced) == (1, ())
    assert [(line.payer, line.payee, line.open) for line in plan_of(log).lines] == [
        ("p3", "p2", 15),
        ("p3", "p4", 16),
        ("p6", "p1", 13),
        ("p6", "p4", 5),
        ("p7", "p1", 10),
    ]
    submit(log, *(f"pay {line}" for line in range(1, 6)))
    assert set(log.night.receivables().values()) == {0}


def test_buy_in_of_somebody_who_has_left_is_corrected_for_them_alone() -> None:
    """B149, B150: Eve, in 100, out 40, stays in the ledger; her buy-in was 80."""
    log = played(
        "seat Eve 100",
        "seat Gus 50",
        "game casino-red-dog decks=8",
        "house Gus",
        "bet Eve 60",
        "card 2H 9S",
    )
    submit(log, "call Eve", "card KD", "house Gus", "leave Eve")
    assert nets(log) == {"Eve": -60, "Gus": 60}
    assert (stacks(log), code(log, "buy Eve 5")) == ({"Gus": 110}, "E_PLAYER")
    log.submit("reverse 1 typed 100 for 80 amount=80")
    assert told(log) == (
        "REVERSED #1 (seat): typed 100 for 80",
        "ENTERED 80: Eve, who has left; no chips are given",
        "20 must be missing at the table: count the stacks and accept. "
        "Uncounted, nobody bears it and it stays open",
    )
    assert nets(log) == {"Eve": -40, "Gus": 60}
    assert sum(log.night.receivables().values()) == 0
    line, reason = log.log[0].line, "typed 100 for 80"
    assert (line, any(reason in one for one in settlement_slip(log, "n").corrections)) == (
        "seat Eve 100",
        True,
    )


def _lessened_after_she_left() -> NightLog:
    log = played("seat Eve 100", "seat Gus 50", "seat Ann 50", "game casino-red-dog decks=8", "house Gus")
    submit(log, "bet Eve 60", "card 2H 9S", "call Eve", "card KD", "house Ann", "leave Eve")
    submit(log, "reverse 1 typed 100 for 80 amount=80")
    return log


def test_slip_and_screen_say_who_bears_what_nobody_counted() -> None:
    """B150: uncounted, the 20 chips are nobody's; counted and accepted, the table has borne them."""
    log = _lessened_after_she_left()
    log.submit("close")
    phrase = "Missing chips: nobody bears 20 until it is known where they are"
    assert phrase in settlement_slip(log, "n").besides
    assert ("missing chips", -20) in [(one.node, one.net) for one in settlement_slip(log, "n").nodes]
    view = money_view(log, wording_of(log.night)).plan
    assert view is not None
    assert view.missing == phrase


def test_counted_and_accepted_the_chips_of_a_lessened_buy_in_are_borne_by_the_table() -> None:
    log = _lessened_after_she_left()
    submit(log, "count Gus 90", "count Ann 50", "accept Gus not there", "close")
    slip = settlement_slip(log, "n")
    assert not [one for one in slip.besides if "Missing" in one]
    assert [one for one in slip.nodes if one.net] == []
    assert nets(log) == {"Eve": -40, "Gus": 40, "Ann": 0}


def test_chips_that_were_lost_leave_their_money_in_the_box() -> None:
    log = played("seat Gus 50", "seat Ann 50", "count Gus 45", "accept count under the sofa", "close")
    assert "Missing chips: 5 stay in the cash box until they are found" in settlement_slip(log, "n").besides


def test_same_person_comes_back() -> None:
    """B152: in 50, leaves with nothing, returns, in 50, ends with 130."""
    log = played(
        "seat Gus 50",
        "seat Ann 200",
        "game casino-red-dog decks=8",
        "house Ann",
        "bet Gus 50",
        "card 2H 9S",
    )
    submit(log, "call Gus", "card KD", "house Ann", "leave Gus", "seat gus 50")
    assert stacks(log) == {"Ann": 250, "Gus": 50}
    submit(
        log,
        "shuffle",
        "bet Gus 50",
        "card 2H 9S",
        "call Gus",
        "card 4D",
        "bet Gus 30",
        "card 2H 9S",
        "call Gus",
    )
    submit(log, "card 5D", "house Ann", "cashout Gus")
    assert (log.night.bought_in("p1"), log.night.cashed_out("p1"), nets(log)["Gus"]) == (100, 130, 30)


def test_entry_that_is_void_already_is_not_void_again() -> None:
    """B153, B165: the second and third attempt say so; the result changes once."""
    log = played("seat Ann 100", "buy Ann 20", "reverse 2 never paid")
    for _again in range(2):
        assert code(log, "reverse 2 never paid") == "E_REVERSE"
    assert code(log, "reverse 2 other amount amount=30") == "E_REVERSE"
    assert log.night.bought_in("p1") == 100


def test_twelve_entries_void_leave_nothing_but_twenty_four_lines() -> None:
    """B155."""
    log = played("seat Ann", *["buy Ann 10"] * 12)
    submit(log, *(f"reverse {number} test" for number in range(2, 14)))
    assert (nets(log), dues(log), len(log.log)) == ({"Ann": 0}, {"Ann": 0}, 25)
    log.submit("close")
    assert night_record(log.night)["settlement"] == []


def test_everything_that_moves_money_can_be_reversed() -> None:
    lines = (
        *("float Ann 20", "expense Bob 9 tea", "lend Ann Bob 5", "cashout Ann 10 cash", "iou Cem 7"),
        *("pay Bob box 5", "tip Bob 3", "change Ann 1x100 for 4x25"),
    )
    log = played(SET, "tip to=Host", *SEATS)
    before = (log.night.chips, log.night.books)
    for line in lines:
        log.submit(line)
        changed = (log.night.chips, log.night.books)
        log.submit(f"reverse {log.log[-1].seq} tried")
        assert ((log.night.chips, log.night.books), changed != before) == (before, True), line
    assert len([one for one in settlement_slip(log, "n").corrections if "tried" in one]) == len(lines)


def test_what_was_taken_back_cannot_be_reversed_as_well() -> None:
    log = played("seat Ann 100", "buy Ann 20", "undo")
    assert code(log, "reverse 2 never paid") == "E_REVERSE"
    assert "was taken back already" in message(log, "reverse 2 never paid")


def test_reversal_can_be_taken_back_like_any_line() -> None:
    log = played("seat Ann 100", "buy Ann 20", "reverse 2 never paid", "undo")
    assert stacks(log) == {"Ann": 120}
    log.submit("reverse 2 really never paid")
    assert stacks(log) == {"Ann": 100}


def test_reversals_that_would_leave_less_than_nothing_are_refused() -> None:
    log = played("seat Ann 100 cash", "seat Bob 100", "lend Bob Ann 60", "expense box 90 tea for=Bob")
    assert code(log, "reverse 1 never paid") == "E_BOX"  # the box has paid for the tea with it
    log = played(SET, "seat Ann 100", "change Ann 1x100 for 4x25", "change Ann 4x25 for 20x5")
    assert code(log, "reverse 3 not needed") == "E_RACK"
    log = played("game red-dog-pool", "seat Ann 9", "seat Bob 9", "carry 5", "share")
    assert code(log, "reverse 4 not ours") == "E_POOL"
    log = played("seat Ann 100", "seat Bob 100", "lend Ann Bob 60", "lend Bob Ann 60", "cashout Ann")
    assert code(log, "reverse 4 it was Vera") == "E_STACK"
    assert "Ann: 0 is not enough for 60" in message(log, "reverse 4 it was Vera")


def test_wrong_cash_out_is_corrected_with_the_right_amount() -> None:
    log = played("seat Ann 100 cash", "cashout Ann 60 cash", "reverse 2 it was 40 amount=40")
    assert (stacks(log), log.night.books.box) == ({"Ann": 60}, 60)
    assert code(log, "reverse 2 again") == "E_REVERSE"
    log = played("seat Ann 100 cash", "cashout Ann 60 cash", "reverse 2 not paid yet as=due")
    assert (stacks(log), dues(log), log.night.books.box) == ({"Ann": 40}, {"Ann": -60}, 100)


def test_payment_of_a_replaced_plan_can_be_reversed() -> None:
    log = played("seat A 100", "seat B 100", "expense A 40 for=B", "close", "pay 1 10", "settle cashier")
    assert night_record(log.night)["settlement"] == [
        {"from": "B", "to": "box", "amount": 30},
        {"from": "box", "to": "A", "amount": 30},
    ]
    log.submit("reverse 5 it was somebody else")
    assert log.night.books.replaced[0].lines[0].paid == 0
    assert night_record(log.night)["settlement"] == [
        {"from": "B", "to": "box", "amount": 40},
        {"from": "box", "to": "A", "amount": 40},
    ]


def test_a_rack_that_was_accepted_since_is_named_with_its_entry() -> None:
    """Fifty ones back in it would be more than the set has; changing chips would not help."""
    log = played("rack 100x1 10x25", "seat A 50 chips=50x1", "count rack 10x25 100x1", "accept count x")
    assert code(log, "reverse 2 never") == "E_RACK"
    assert message(log, "reverse 2 never") == (
        "#2 can't be reversed: since then the rack was accepted as counted. Reverse #4 first."
    )
    submit(log, "reverse 4 counted wrong", "reverse 2 never")
    assert (log.night.held("rack"), stacks(log)) == (350, {"A": 0})
