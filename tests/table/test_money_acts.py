"""The verbs of the money one by one, and the ledger rows of cases/cases.csv that they answer."""

import random
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.ledger.accounts import CASHBOX, EXPENSE, OVERSHORT
from assistant.slips.text import render
from assistant.store.memory import MemoryNight
from assistant.store.sqlite import create_night, open_night
from assistant.table.cashier import MONEY_VERBS
from assistant.table.closing import CLOSE_VERBS
from assistant.table.counting import COUNT_VERBS
from assistant.table.night_log import NightLog
from assistant.table.papers import count_slip
from assistant.table.posting import balances_of
from assistant.table.reconciling import cause_text, causes_of, comparison_of
from assistant.table.record import night_record
from assistant.table.settling import settlement_slip
from assistant.table.speech import wording_of
from tests.table.talking import code, dues, message, nets, played, stacks, submit, told

SET = "rack 100x1 100x5 40x25 10x100"
SEATS = ("seat Ann 100 cash", "seat Bob 100", "seat Cem 100")


# --- what cannot be read ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("buy Ann 100 card", "E_ARGS"),
        ("buy Ann 100 due", "E_ARGS"),
        ("buy Ann 100 chips=1x100", "E_RACK"),
        ("buy Ann 100 at=25:00", "E_OPTION"),
        ("cashout Ann iou", "E_AMOUNT"),
        ("cashout Ann 10 iou", "E_ARGS"),
        ("leave Ann soon", "E_ARGS"),
        ("iou Ann 0", "E_AMOUNT"),
        ("iou Nobody 5", "E_PLAYER"),
        ("lend Ann Ann 5", "E_PLAYER"),
        ("lend Ann Bob 101", "E_STACK"),
        ("expense Nobody 5", "E_PLAYER"),
        ("expense Ann five", "E_AMOUNT"),
        ("expense box 101", "E_BOX"),
        ('expense Ann 5 for="Nobody"', "E_PLAYER"),
        ("tip Ann 5", "E_PHASE"),
        ("float Nobody 5", "E_PLAYER"),
        ("cashier", "E_ARGS"),
        ("cashier pool", "E_PLAYER"),
        ("cashier Ann buys=card", "E_OPTION"),
        ("cashier Ann box=99", "E_COUNT"),
        ("pay Ann Bob 5", "E_PHASE"),
        ("pay Ann box 5", "E_PAY"),
        ("pay Bob box 101", "E_PAY"),
        ("pay box Bob 5", "E_PAY"),
        ("pay house box 5", "E_PHASE"),
        ("pay box box 5", "E_PLAYER"),
        ("change Ann 5x5", "E_RACK"),
        ("change Ann five", "E_AMOUNT"),
        ("rack 100x1", "E_PHASE"),
        ("rack 5", "E_AMOUNT"),
        ("count rack 5", "E_RACK"),
        ("settle", "E_ARGS"),
        ("settle quickly", "E_ARGS"),
        ("settle hub", "E_ARGS"),
        ("settle apart Ann Ann", "E_PLAYER"),
        ("settle players unit=0", "E_AMOUNT"),
        ("reopen", "E_ARGS"),
        ("reopen because", "E_PHASE"),
        ("reverse", "E_ARGS"),
        ("reverse one", "E_ARGS"),
        ("reverse 2", "E_REVERSE"),
        ("reverse 99 because", "E_REVERSE"),
        ("reverse 2 because amount=0", "E_AMOUNT"),
        ("reverse 2 because as=card", "E_OPTION"),
        ("reverse 2 because as=due", "E_REVERSE"),
    ],
)
def test_lines_that_are_refused(line: str, expected: str) -> None:
    assert code(played(*SEATS), line) == expected


def test_money_waits_for_the_round_to_end() -> None:
    log = played("game red-dog-pool hand=3", *SEATS, SET.replace("rack", "note"), "round")
    lines = (
        "iou Ann 5",
        "lend Ann Bob 5",
        "rack 9x5",
        "change Ann 5x1",
        "count pool 5",
        "reverse 2 because",
        "reopen x",
    )
    assert {line: code(log, line) for line in lines} == dict.fromkeys(lines, "E_PHASE")
    submit(log, "expense Ann 9 tea", "cashier Ann", "pay Bob box 5", "float Cem 20")  # no chips in these
    assert dues(log) == {"Ann": -6, "Bob": 98, "Cem": 83}


# --- buying in and cashing out ------------------------------------------------------------------------------


def test_buy_in_is_on_an_iou_unless_the_line_or_the_cashier_says_otherwise() -> None:
    log = played("seat Ann 100", "seat Bob 50 cash")
    assert (dues(log), log.night.books.box) == ({"Ann": 100, "Bob": 0}, 50)
    submit(log, "cashier Bob buys=cash pays=cash", "buy Ann 20", "iou Bob 10", "cashout Bob 60")
    # Bob owes 10 for the IOU, so that 50 of his 60 are paid out
    assert told(log) == ("CASH OUT 60: Bob", "PAY 50 in cash: Bob")
    assert (dues(log), log.night.books.box) == ({"Ann": 100, "Bob": 0}, 20)


def test_cash_out_of_more_than_the_box_holds_is_refused_and_can_be_left_due() -> None:
    log = played("seat Ann 100 cash", "seat Bob 100 cash", "expense box 150 beer for=Ann")
    assert code(log, "cashout Bob cash") == "E_BOX"
    assert "holds only 50, not 100" in message(log, "cashout Bob cash")
    log.submit("cashout Bob due")
    assert dues(log) == {"Ann": 150, "Bob": -100}


def test_who_leaves_after_the_round_is_paid_as_usual_while_the_box_lasts() -> None:
    start = (
        "game red-dog-pool hand=3",
        "seat Ann 50 cash",
        "seat Bob 50 cash",
        "seat Cem 50",
        "cashier pays=cash",
    )
    log = played(*start, "dealer Cem", "round", "leave Ann", "void")
    assert (log.night.books.box, dues(log)["Ann"]) == (50, 0)
    log = played(*start, "expense box 80 beer for=Bob", "dealer Cem", "round", "leave Ann", "void")
    assert (log.night.books.box, dues(log)["Ann"]) == (20, -50)


def test_iou_is_paid_late_and_in_parts() -> None:
    log = played("seat Ann 100", "pay Ann box 30", "pay Ann box 20 by card")
    assert (dues(log), log.night.books.box) == ({"Ann": 50}, 50)
    assert code(log, "pay Ann box 51") == "E_PAY"
    submit(log, "cashout Ann", "pay box Ann 50")
    assert (dues(log), log.night.books.box) == ({"Ann": 0}, 0)


def test_late_entry_carries_the_time_it_was_said() -> None:
    now = datetime(2026, 11, 29, 0, 10, tzinfo=UTC)
    log = NightLog(MemoryNight(), clock=lambda: now)
    submit(log, "seat Ann 100", "buy Ann 20 at=21:40", "buy Ann 10 at=0:05")
    said = [entry.said_at for entry in log.store.entries()]
    assert said == [
        None,
        datetime(2026, 11, 28, 21, 40, tzinfo=UTC),
        datetime(2026, 11, 29, 0, 5, tzinfo=UTC),
    ]


def test_thirty_buy_ins_of_ten_cents_leave_nothing() -> None:
    """B144: no fraction is ever lost."""
    log = played("night N currency=EUR", "seat Dee", *["buy Dee 0.10"] * 30, "cashout Dee 3.00", "leave Dee")
    assert (nets(log), dues(log)) == ({"Dee": 0}, {"Dee": 0})
    log.submit("close")
    assert night_record(log.night)["settlement"] == []


def test_nobody_owes_nothing() -> None:
    """B143: a result of zero is no payment, and is never written as -0."""
    log = played("night N currency=EUR", "seat A 50", "seat B 50", "close")
    assert log.night.books.plan is not None
    assert log.night.books.plan.lines == ()
    assert [wording_of(log.night).money(net) for net in nets(log).values()] == ["0.00", "0.00"]


# --- chips and the rack -------------------------------------------------------------------------------------


def test_buy_in_is_made_up_of_what_the_rack_has() -> None:
    log = played(SET, "game red-dog-pool ante=5", "seat Ann 100")
    assert told(log) == ("GIVE 100 to Ann: 2x25 + 10x5",)
    log.submit('buy Ann 100 chips="1x100"')
    assert log.night.books.rack == ((100, 9), (25, 38), (5, 90), (1, 100))
    assert code(log, 'buy Ann 100 chips="3x25"') == "E_AMOUNT"
    assert code(log, 'buy Ann 1000 chips="10x100"') == "E_RACK"
    assert log.night.books.in_circulation == ((100, 1), (25, 2), (5, 10))


def test_buy_in_the_rack_cannot_make_up_is_refused_with_the_nearest() -> None:
    log = played("rack 4x25 2x10", "seat Ann")
    assert code(log, "buy Ann 33") == "E_RACK"
    assert "it can make up: 25, 35" in message(log, "buy Ann 33")
    assert code(log, "buy Ann 121") == "E_RACK"
    assert "it can make up: 120" in message(log, "buy Ann 121")
    log.submit("buy Ann 120")
    assert "holds 0" in message(log, "buy Ann 5")


def test_differences_that_cancel_are_accepted_with_nobody_bearing_anything() -> None:
    log = played("seat Ann 100", "seat Bob 100", "count Ann 80", "count Bob 120", "accept equal")
    assert told(log) == ("ACCEPTED: nobody bears anything; the ledger's stacks stand",)
    assert stacks(log) == {"Ann": 100, "Bob": 100}


def test_nobody_cashes_out_nothing() -> None:
    log = played("seat Ann 100", "seat Bob", "cashout Ann")
    assert [code(log, line) for line in ("cashout Ann", "cashout Bob", "cashout Bob cash")] == ["E_STACK"] * 3
    assert message(log, "cashout Ann") == "Ann has no chips, so there is nothing to cash out."
    submit(log, "leave Ann", "leave Bob")


def test_cash_out_gives_change_from_the_rack() -> None:
    log = played(SET, "seat Ann 100 chips=4x25", "seat Bob 100 chips=1x100", "lend Ann Bob 30", "cashout Ann")
    # 70 of the chips outside are 3x25 less 5 in change
    assert log.night.books.rack == ((100, 9), (25, 39), (5, 99), (1, 100))
    log.submit("cashout Bob")
    assert log.night.books.rack == ((100, 10), (25, 40), (5, 100), (1, 100))


def test_colour_up_moves_no_amount() -> None:
    log = played(SET, "seat Ann 100 chips=20x5", "change Ann 20x5")
    assert told(log) == ("CHANGE for Ann: take 20x5, give 1x100",)
    assert (stacks(log), log.night.books.in_circulation) == ({"Ann": 100}, ((100, 1),))
    log.submit("change Ann 1x100 for 3x25 25x1")
    assert log.night.books.in_circulation == ((25, 3), (1, 25))
    assert code(log, "change Ann 1x100") == "E_RACK"  # there is none outside
    assert code(log, "change Ann 3x25 for 1x100") == "E_AMOUNT"
    assert code(log, "change Ann 200x1") == "E_STACK"
    assert message(log, "change Ann 200x1") == "Ann has only 100, not 200. Type less."
    assert code(log, "change pool 5x1") == "E_POOL"


def test_chips_of_a_night_in_money_are_money() -> None:
    log = played("night N currency=EUR", "rack 40x0.25 20x1 10x5", "seat Ann 10.75")
    assert told(log) == ("GIVE 10.75 to Ann: 2x5 + 3x0.25",)


def test_count_of_the_rack_says_which_chips_came_back() -> None:
    log = played(SET, "seat Ann 100 chips=4x25")
    log.submit("count rack 100x1 100x5 36x25 10x100")
    assert log.night.books.rack == ((100, 10), (25, 36), (5, 100), (1, 100))
    log.submit("count rack 100x1 90x5 38x25 10x100")
    assert log.night.books.in_circulation == ((25, 2), (5, 10))


# --- shared costs, tips, cashier ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "amount", "shares"),
    [
        (3, "1.00", [34, 33, 33]),
        (8, "353.16", [4415] * 4 + [4414] * 4),
    ],
)
def test_shared_cost_never_loses_a_cent(players: int, amount: str, shares: list[int]) -> None:
    """B138, B140: the extra cents in seat order, the same wherever they are shown."""
    names = [f"P{seat}" for seat in range(1, players + 1)]
    log = played(
        "night N currency=EUR",
        *(f"seat {name}" for name in names),
        "float P1 500",
        f"expense box {amount} taxi",
    )
    owed = dues(log)
    assert [owed["P1"] + 50000, *(owed[name] for name in names[1:])] == shares
    assert balances_of(log.night).at(EXPENSE, "M") == 0


def test_pizza_twice() -> None:
    """B139: A pays 100 for seven, twice."""
    log = played(*(f"seat {name}" for name in "ABCDEFG"), "expense A 100 pizza", "expense A 100 pizza")
    assert {name: -due for name, due in dues(log).items()} == {
        "A": 170,
        "B": -30,
        **dict.fromkeys("CDEFG", -28),
    }


def test_some_share_a_cost_and_who_has_left_may_be_among_them() -> None:
    log = played("seat Ann", "seat Bob", "seat Cem", "leave Cem", 'expense Ann 7 "two cokes" for="Cem,Bob"')
    assert dues(log) == {"Ann": -7, "Bob": 4, "Cem": 3}
    assert told(log) == ("SHARED two cokes 7, paid by Ann: Bob 4, Cem 3",)


def test_tips_are_off_until_somebody_is_named() -> None:
    log = played("seat Ann 50", "seat Bob 50")
    assert code(log, "tip Ann 5") == "E_PHASE"
    submit(log, "tip to=Bob", "tip Ann 5")
    assert (stacks(log), dues(log)) == ({"Ann": 45, "Bob": 50}, {"Ann": 50, "Bob": 45})
    assert (code(log, "tip Bob 5"), code(log, "tip Ann 46")) == ("E_PLAYER", "E_STACK")
    log.submit("tip to=")
    assert code(log, "tip Ann 5") == "E_PHASE"


def test_cashier_need_not_play_and_hands_the_box_over() -> None:
    log = played(SET, "cashier Host", "float Host 50", "seat Ann 100 cash")
    assert (log.night.books.box, night_record(log.night)["bought_in"]) == (150, {"Ann": 100})
    assert code(log, "cashier Ann box=149") == "E_COUNT"
    assert "counted 149, ledger 150, difference -1" in message(log, "cashier Ann box=149")
    log.submit("cashier Ann box=150")
    assert told(log) == ("CASHIER: Ann. Count together: box 150, rack 2500",)
    submit(log, "cashout Ann cash", "close")
    assert night_record(log.night)["settlement"] == [{"from": "box", "to": "Host", "amount": 50}]


def test_cashier_may_sit_down_later_and_is_the_same_person() -> None:
    log = played("cashier Host", "float Host 50", "seat host 20")
    assert [(person.name, person.was_seated) for person in log.night.people] == [("Host", True)]
    assert dues(log) == {"Host": -30}


def test_mutual_loans_and_a_circle_cancel() -> None:
    """B147: A owes B 10, B owes A 6; C owes D, D owes E, E owes C 10. One payment is left."""
    log = played(*(f"seat {name} 100" for name in "ABCDE"))
    submit(log, "expense B 10 for=A", "expense A 6 for=B", "expense D 10 for=C")
    submit(log, "expense E 10 for=D", "expense C 10 for=E", "close")
    assert night_record(log.night)["settlement"] == [{"from": "A", "to": "B", "amount": 4}]


# --- counts and differences ---------------------------------------------------------------------------------


def test_box_that_differs_is_a_named_entry() -> None:
    """B159: 524.35 counted, 524.34 by the ledger."""
    log = played("night N currency=EUR", "seat Ann 524.34 cash", "count box 524.35")
    assert code(log, "close") == "E_COUNT"
    assert "counted 524.35, ledger 524.34, difference +0.01" in message(log, "close")
    log.submit("accept count found in the box")
    balances = balances_of(log.night)
    assert (balances.at(CASHBOX, "M"), balances.at(OVERSHORT, "M")) == (52435, -1)
    log.submit("close")
    assert night_record(log.night)["settlement"] == [
        {"from": "box", "to": "Ann", "amount": 52434},
    ]
    submit(log, "pay 1")
    assert log.night.books.box == 1  # it stays there until somebody knows whose it is


def test_box_that_is_short_is_borne_by_whom_the_table_names() -> None:
    log = played("seat Ann 100 cash", "seat Bob 100 cash", "count box 190", "accept Bob miscounted", "close")
    assert night_record(log.night)["settlement"] == [
        {"from": "box", "to": "Ann", "amount": 100},
        {"from": "box", "to": "Bob", "amount": 90},
    ]


def test_rack_that_lacks_a_chip_is_shown_and_costs_nobody_anything() -> None:
    log = played(SET, "seat Ann 100 chips=4x25", "count rack 100x1 99x5 36x25 10x100", "count Ann 4x25")
    short = comparison_of(log.night).short_colours
    assert [(one.value, one.expected, one.found) for one in short] == [(5, 100, 99)]
    assert code(log, "close") == "E_COUNT"
    assert message(log, "close") == (
        "rack: counted 2495, ledger 2500, difference -5. Count again, or accept the difference."
    )
    log.submit("accept count not found")
    assert told(log) == ("ACCEPTED: rack -5",)
    assert log.night.held("rack") == 2495
    balances = balances_of(log.night)
    assert (balances.at("rack"), balances.at("missing"), balances.total("C")) == (2495, 5, 0)
    log.submit("close")
    assert nets(log) == {"Ann": 0}
    assert (night_record(log.night)["house"], night_record(log.night)["settlement"]) == (0, [])


def test_rack_that_differs_is_put_to_the_table() -> None:
    """By amount, the chips it lacks are guessed; found again, the acceptance is reversed."""
    log = played("rack 100x1 100x5 40x25", "seat A 100", "seat B 100", "count start confirm=off")
    submit(log, "count A 100", "count B 100", "count rack 1000")
    assert code(log, "close") == "E_COUNT"
    log.submit("accept equal")
    assert (told(log), log.night.held("rack"), stacks(log)) == (
        ("ACCEPTED: rack -400",),
        1000,
        {"A": 100, "B": 100},
    )
    assert "Rack: taken as counted; nobody bears it." in render(count_slip(log, "n"), 42)
    log.submit(f"reverse {log.log[-1].seq} found under the table")
    assert (log.night.held("rack"), balances_of(log.night).at("missing")) == (1400, 0)
    submit(log, "count rack 1400", "close")
    assert night_record(log.night)["settlement"] == []


def test_rack_with_a_chip_that_lies_in_front_of_nobody_is_kept_as_counted() -> None:
    log = played("rack 4x25", "seat A 50", "count rack 5x25")
    log.submit("accept count one of another set")
    assert (told(log), log.night.held("rack")) == (("ACCEPTED: rack +75",), 125)
    assert balances_of(log.night).at("rack") == 125
    submit(log, "buy A 25", "count rack 4x25", "count A 75", "close")
    assert nets(log) == {"A": 0}


def test_what_the_rack_lacks_and_a_stack_has_too_much_is_not_missing() -> None:
    log = played("rack 100x1 40x25", "seat Ann 100", "seat Bob 100", "count Ann 200", "count rack 800")
    assert code(log, "close") == "E_COUNT"
    log.submit("accept equal a buy-in was forgotten")
    assert told(log) == ("ACCEPTED: Bob +50, Ann +50, rack -100",)
    assert stacks(log) == {"Ann": 150, "Bob": 150}
    assert (balances_of(log.night).at("rack"), balances_of(log.night).at("missing")) == (800, 0)


def test_chips_that_are_counted_are_of_the_set() -> None:
    """I13: there is no chip of 26."""
    log = played("rack 100x1 40x25", "seat A 100", "seat B 100")
    assert (code(log, "count A 2x26 8x1"), code(log, "count rack 40x26")) == ("E_RACK", "E_RACK")
    assert message(log, "count A 2x26 8x1") == (
        "There are no such chips in the set: 2x26. It has 40x25 + 100x1. Count again."
    )
    submit(log, "count A 3x25 25x1", "count box 0")
    assert played("seat A 100", "count A 2x26 8x6").night.counts  # no set is known


def test_rack_whose_difference_no_chips_make_up_is_counted_by_denomination() -> None:
    log = played("rack 4x25", "seat A 50", "count rack 40")
    assert code(log, "accept count") == "E_RACK"
    assert message(log, "accept count") == (
        "No chips make up the rack's difference of 10. Count it by denomination, for example: "
        "count rack 40x25 90x5"
    )


def test_pool_is_counted_too() -> None:
    log = played("game red-dog-pool", "seat Ann 100", "seat Bob 100", "carry 20", "count pool 18")
    assert code(log, "close") == "E_COUNT"
    submit(log, "accept count two chips gone", "close")
    assert nets(log) == {"Ann": 9, "Bob": 9}
    assert night_record(log.night)["house"] == 2


def test_chip_that_turns_up_after_the_close_makes_a_new_plan() -> None:
    log = played(
        "seat Ann 100", "seat Bob 100", "lend Ann Bob 50", "count Bob 125", "accept Bob not found", "close"
    )
    accepted = log.log[-2].seq
    assert night_record(log.night)["settlement"] == [{"from": "Bob", "to": "box", "amount": 25}]
    log.submit(f"reverse {accepted} the chip lay under the sofa")
    assert log.night.books.plan is not None
    assert (log.night.books.plan.number, log.night.books.plan.lines) == (2, ())
    assert [plan.number for plan in log.night.books.replaced] == [1]


# --- the plan -----------------------------------------------------------------------------------------------


def test_pairs_that_stay_apart_and_who_is_gone() -> None:
    seats = [f"seat {name} 100" for name in "ABCD"]
    log = played(*seats, "settle apart A B", "expense B 40 for=A", "expense D 40 for=C", "close")
    assert night_record(log.night)["settlement"] == [
        {"from": "A", "to": "D", "amount": 40},
        {"from": "C", "to": "B", "amount": 40},
    ]
    assert log.night.books.plan is not None
    assert log.night.books.plan.minimal  # two payments are the fewest there can be, with the pair or without
    log = played(*seats, "settle gone C", "expense D 40 for=C", "close")
    assert night_record(log.night)["settlement"] == [
        {"from": "C", "to": "box", "amount": 40},
        {"from": "box", "to": "D", "amount": 40},
    ]
    assert code(log, "pay box D 40") == "E_BOX"  # first collect, then pay
    submit(log, "pay C box 40", "pay box D 40")
    assert log.night.books.plan is not None
    assert log.night.books.plan.is_finished


def test_hub_and_the_pairs_that_stay_apart_are_said_and_kept() -> None:
    seats = [f"seat {name} 100" for name in "ABCD"]
    log = played(*seats, "expense A 60 for=B", "expense D 30 for=C", "settle hub A", "settle apart A B")
    log.submit("settle gone D")
    assert told(log) == (
        "SETTLE: everybody settles with A",
        "APART: A and B",
        "THROUGH THE BOX ONLY: D",
    )
    submit(log, "close", "pay 1", "pay 2", "pay 3", "pay 4")
    assert night_record(log.night)["settlement"] == [
        {"from": "B", "to": "box", "amount": 60},
        {"from": "C", "to": "A", "amount": 30},
        {"from": "box", "to": "A", "amount": 30},
        {"from": "box", "to": "D", "amount": 30},
    ]
    assert set(log.night.receivables().values()) == {0}


def test_wrong_payment_is_reversed_and_its_line_opens_again() -> None:
    log = played("seat A 100", "seat B 100", "expense A 40 for=B", "close", "pay B A 40")
    assert code(log, "undo") == "E_UNDO"
    log.submit("reverse 5 it was not paid at all")
    plan = log.night.books.plan
    assert plan is not None
    assert [(line.amount, line.open) for line in plan.lines] == [(40, 40)]


def test_closed_night_is_opened_again_with_everybodys_chips() -> None:
    log = played("seat A 100 cash", "seat B 100", "game red-dog-pool", "expense A 40 for=B")
    log.submit("settle players unit=50")
    before = stacks(log)
    assert log.night.receivables() == {"p1": 140, "p2": -40, "box": -100}
    submit(log, "close", "pay B A 10")
    assert log.night.receivables() == {"p1": 140, "p2": -40, "box": -100}  # 150 and -50, less what was paid
    log.submit("reopen one more round")
    assert (stacks(log), log.night.closed, log.night.books.plan) == (before, False, None)
    assert log.night.receivables() == {"p1": 130, "p2": -30, "box": -100}  # the rounding is taken back
    assert settlement_slip(log, "n").closed == ""
    submit(log, "round", "void", "close")
    plan = log.night.books.plan
    assert plan is not None
    assert (plan.number, log.night.books.replaced[0].lines[0].paid) == (2, 10)


def test_undo_never_goes_back_before_a_close() -> None:
    log = played("seat A 100", "close", "reopen one more", "buy A 5")
    assert (code(log, "undo 2"), code(log, "undo 3")) == ("E_UNDO", "E_UNDO")
    log.submit("undo")
    assert code(log, "undo") == "E_UNDO"
    assert stacks(log) == {"A": 100}


def test_terms_are_free_again_and_lines_that_are_not_there() -> None:
    log = played(
        "seat A 100", "seat B 100", "settle apart A B", "settle gone A", "settle free", "expense A 40 for=B"
    )
    assert (log.night.books.terms.apart, log.night.books.terms.gone) == ((), ())
    log.submit("settle players unit=5")
    assert log.night.books.terms.unit == 5
    submit(log, "close", "pay 1")
    assert (code(log, "pay 1"), code(log, "pay 2"), code(log, "pay 0 5")) == ("E_PAY",) * 3
    assert code(log, "seat C 5") == "E_PHASE"
    assert code(log, "close pool=keep") == "E_OPTION"


def test_pool_smaller_than_a_unit_is_not_shared() -> None:
    log = played("rack 20x5 20x10", "game red-dog-pool", "seat A 50", "seat B 50", "carry 4")
    assert code(log, "share") == "E_POOL"
    log.submit("share unit=2")
    assert stacks(log) == {"A": 52, "B": 52}


def test_player_called_by_a_number_is_paid_by_name() -> None:
    log = played("seat 1 100", "seat 2 100", "expense 2 40 for=1", "close", "pay 1 2 15")
    plan = log.night.books.plan
    assert plan is not None
    assert plan.lines[0].open == 25


# --- once and for all ---------------------------------------------------------------------------------------


def test_same_key_books_once() -> None:
    """B154: a double Enter."""
    log = played("seat Ann")
    first = log.submit("buy Ann 100", key="k")
    assert (first.duplicate, log.submit("buy Ann 100", key="k").duplicate) == (False, True)
    assert log.night.bought_in("p1") == 100


def test_night_of_money_opens_as_it_was_left(tmp_path: Path) -> None:
    """The night's file holds everything: books, plan, and the time things were said."""
    lines = (
        *(
            SET,
            "tip to=Host",
            "game casino-red-dog decks=8",
            "seat Ann 100 cash",
            "seat Bob 100 at=20:10",
            "cashier Bob",
        ),
        *(
            "float Host 30",
            "expense Ann 31 pizza",
            "lend Ann Bob 10",
            "tip Bob 5",
            "change Bob 4x5",
            "count box 130",
        ),
        *(
            "settle hub Ann unit=5",
            "settle apart Bob Host",
            "reverse 8 not hungry",
            "close",
            "pay 1 5 by card",
        ),
    )
    with create_night(tmp_path / "n.night") as store:
        log = NightLog(store)
        submit(log, *lines)
        left = log.night
    with open_night(tmp_path / "n.night") as store:
        assert NightLog(store).night == left
        assert store.verify().ok


def test_nets_are_the_same_wherever_they_are_shown() -> None:
    """B157: nine players, sixty-one entries, one figure a player."""
    dice, names = random.Random(3), [f"P{seat}" for seat in range(1, 10)]
    log = played("tip to=Host", *(f"seat {name} 200" for name in names))
    while log.entries < 61:
        one, other = dice.sample(names, 2)
        amount = dice.randint(1, 60)
        line = dice.choice([f"buy {one} {amount}", f"lend {one} {other} {amount}", f"expense {one} {amount}"])
        if stacks(log)[one] >= amount:
            log.submit(line)
    shown = {row.name: row.net for row in settlement_slip(log, "n").players}
    assert shown == night_record(log.night)["nets"] == {name: nets(log)[name] for name in names}


def test_every_word_and_code_of_the_money_is_in_the_manual(repository: Path) -> None:
    page = (repository / "assistant" / "help" / "ledger.md").read_text(encoding="utf-8")
    verbs = {*MONEY_VERBS, *COUNT_VERBS, *CLOSE_VERBS, "reverse", "share", "buy", "cashout", "leave"} - {
        "close"
    }
    assert {verb for verb in verbs if f"`{verb} " not in page} == set()
    assert {code for code in ("E_RACK", "E_BOX", "E_PAY", "E_REVERSE") if code not in page} == set()


def test_payouts_say_which_chips_to_give() -> None:
    log = played(
        SET, "game casino-red-dog decks=8", "seat Ann 100", "bet Ann 11", "card 2H 4S", "call Ann", "card 3D"
    )
    assert told(log) == ("PAY Ann 55 (2x25 + 1x5), and give the bet back",)
    log = played(SET, "game red-dog-pool", "seat Ann 100", "seat Bob 100", "carry 31", "share")
    assert told(log) == ("SHARE the pool: Bob 16 (3x5 + 1x1), Ann 15 (3x5)",)


def test_loan_explains_what_its_borrower_lacks_and_is_named_once() -> None:
    log = played(*SEATS, "lend Ann Bob 35", "count Ann 100", "count Bob 100", "count Cem 100")
    assert (stacks(log)["Ann"], stacks(log)["Bob"]) == (65, 135)
    log = played(*SEATS, "lend Ann Bob 35", "count Ann 65", "count Bob 100", "count Cem 100")
    assert [cause_text(one, wording_of(log.night)) for one in causes_of(log)] == [
        "Bob: 35 is an entry: missed, or booked twice? Look at #4."
    ]
    log = played(*SEATS, "lend Ann Bob 35", "count Ann 65", "count Bob 110", "count Cem 90")
    texts = [cause_text(one, wording_of(log.night)) for one in causes_of(log)]
    assert texts == ["35 is an entry: missed, or booked twice? Look at #4."]


def test_what_differs_is_looked_for_among_the_entries_of_that_player() -> None:
    log = played(
        *SEATS, "buy Bob 40", "reverse 4 not paid", "count Ann 100", "count Bob 140", "count Cem 100"
    )
    assert [cause_text(one, wording_of(log.night)) for one in causes_of(log)] == [
        "There are 40 too many: a buy-in was not recorded. Ask everybody.",
        "Bob: 40 is an entry: missed, or booked twice? Look at #4.",
    ]
