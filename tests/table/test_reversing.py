"""Reversals of what was cashed already, and of payments: nobody else pays for them (LEDGER.md 6.4, 7.5)."""

import pytest

from assistant.errors import Refusal
from assistant.ledger.plan import FrozenPlan
from assistant.store.memory import MemoryNight
from assistant.table.night_log import NightLog
from assistant.table.record import night_record
from assistant.table.speech import wording_of

TYPED_WRONG = ("seat A 1000", "seat B 100", "seat C 100", "game red-dog-pool")


def submit(log: NightLog, *lines: str) -> None:
    for line in lines:
        log.submit(line)


def played(*lines: str) -> NightLog:
    """A night in memory after some lines, all of them accepted."""
    log = NightLog(MemoryNight())
    submit(log, *lines)
    return log


def refusal(log: NightLog, line: str) -> Refusal:
    with pytest.raises(Refusal) as refused:
        log.submit(line)
    return refused.value


def code(log: NightLog, line: str) -> str:
    return refusal(log, line).code


def message(log: NightLog, line: str) -> str:
    return wording_of(log.night).refusal(refusal(log, line))


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
