"""Scenario 18 of LEDGER.md chapter 9: payments rounded to a unit."""

from assistant.ledger.events import LedgerEvent, PlanFrozen, TermsChosen
from assistant.ledger.plan import Terms, round_to_unit
from assistant.table.closing import frozen_plan
from assistant.table.night import evolve
from assistant.table.night_log import NightLog
from tests.table.scenario_play import BANK, loses, pay_everything, payments, plan_of
from tests.table.talking import dues, nets, played, submit


def test_18_rounding_to_a_unit_keeps_the_sum() -> None:
    exact = {"A": 137, "B": -64, "C": -58, "D": 12, "E": -27}
    assert list(round_to_unit(exact, 5).values()) == [140, -65, -60, 10, -25]
    assert list(round_to_unit(exact, 10).values()) == [140, -60, -60, 10, -30]
    assert sum(5 * round(net / 5) for net in exact.values()) == -5  # each by itself would not


def test_18_rounded_plan_leaves_nothing_behind() -> None:
    log = played(BANK, *(f"seat {name} 200" for name in "ABCDE"), "settle players unit=5")
    for loser, amount, winner in (("B", 64, "A"), ("C", 58, "A"), ("E", 15, "A"), ("E", 12, "D")):
        loses(log, loser, amount, winner)
    log.submit("close")
    assert nets(log) == {"A": 137, "B": -64, "C": -58, "D": 12, "E": -27}
    plan = plan_of(log)
    assert dict(plan.exact) == {"p1": 137, "p2": -64, "p3": -58, "p4": 12, "p5": -27}
    assert all(line.amount % 5 == 0 for line in plan.lines)
    paid = dict.fromkeys("ABCDE", 0)
    for payer, payee, amount in payments(log):
        paid[payer] -= amount
        paid[payee] += amount
    assert paid == {"A": 140, "B": -65, "C": -60, "D": 10, "E": -25}
    pay_everything(log)
    assert set(dues(log).values()) == {0}
    assert set(log.night.receivables().values()) == {0}


ROUNDED = (BANK, "seat Ann 100", "seat Bob 100", "seat Cid 100", "settle players unit=5")


def rounded_night() -> NightLog:
    """Ann won 13 of Bob's 7 and Cid's 6; rounded to 5 she gets 15, Bob pays 10 and Cid 5."""
    log = played(*ROUNDED)
    loses(log, "Bob", 7, "Ann")
    loses(log, "Cid", 6, "Ann")
    log.submit("close")
    assert payments(log) == [("Bob", "Ann", 10), ("Cid", "Ann", 5)]
    return log


def rounding_moves(log: NightLog) -> dict[str, int]:
    return {place: amount for place, amount in log.night.books.money.places.items() if "due:" in place}


def test_18_new_plan_rounds_what_everybody_really_gets() -> None:
    log = rounded_night()
    log.submit("settle unit=1")
    assert payments(log) == [("Bob", "Ann", 7), ("Cid", "Ann", 6)]
    assert (plan_of(log).exact, log.night.books.money.at("rounding")) == ((), 0)
    assert rounding_moves(log) == {}
    log.submit("settle unit=5")
    assert payments(log) == [("Bob", "Ann", 10), ("Cid", "Ann", 5)]
    assert dict(plan_of(log).exact) == {"p1": 13, "p2": -7, "p3": -6}
    pay_everything(log)
    assert set(log.night.receivables().values()) == {0}
    assert NightLog(log.store).night == log.night


def test_18_new_plan_after_a_part_payment_leaves_nobody_rounded_twice() -> None:
    log = rounded_night()
    submit(log, "pay 1 5", "settle unit=1")
    assert payments(log) == [("Bob", "Ann", 2), ("Cid", "Ann", 6)]  # Ann gets 13 in all
    pay_everything(log)
    assert set(log.night.receivables().values()) == {0}


def test_18_same_plan_again_moves_no_money() -> None:
    log = rounded_night()
    log.submit("settle")
    assert payments(log) == [("Bob", "Ann", 10), ("Cid", "Ann", 5)]
    assert [event.paid for event in log.log[-1].events if isinstance(event, LedgerEvent)] == [(), ()]


def test_18_night_opened_again_keeps_nothing_of_the_rounding() -> None:
    log = rounded_night()
    submit(log, "settle", "reopen a chip was found")
    assert rounding_moves(log) == {}
    assert log.night.books.money.at("rounding") == 0
    submit(log, "settle players unit=1", "close")
    assert payments(log) == [("Bob", "Ann", 7), ("Cid", "Ann", 6)]


def test_18_reversal_after_the_close_rounds_anew() -> None:
    log = played(*ROUNDED, "expense Bob 4 tea for=Cid")
    tea = log.log[-1].seq
    loses(log, "Bob", 7, "Ann")
    loses(log, "Cid", 6, "Ann")
    log.submit("close")
    assert dict(plan_of(log).exact) == {"p1": 13, "p2": -3, "p3": -10}
    assert payments(log) == [("Bob", "Ann", 5), ("Cid", "Ann", 10)]
    log.submit(f"reverse {tea} not bought")
    assert dict(plan_of(log).exact) == {"p1": 13, "p2": -7, "p3": -6}
    assert payments(log) == [("Bob", "Ann", 10), ("Cid", "Ann", 5)]
    pay_everything(log)
    assert set(log.night.receivables().values()) == {0}


def test_18_rounding_an_earlier_version_left_behind_is_taken_back_too() -> None:
    """It made the second plan of what was rounded already, and booked nothing with it."""
    log = rounded_night()
    lines = (("p2", "p1", 10), ("p3", "p1", 5))
    night = evolve(log.night, PlanFrozen(2, "players", "", 1, True, lines))
    assert frozen_plan(night).number == 3
    assert dict(frozen_plan(night).exact) == {"p1": 13, "p2": -7, "p3": -6}
    night = evolve(night, TermsChosen(Terms()))
    plan = frozen_plan(night)
    assert plan.lines == (("p2", "p1", 7), ("p3", "p1", 6))
    assert evolve(night, plan).books.money.places == {}
