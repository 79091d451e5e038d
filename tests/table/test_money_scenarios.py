"""The acceptance scenarios of LEDGER.md chapter 9 that are about money, with their exact figures.

24, 25 (the night's file) are in tests/store; 28, 29, 32 (names, slips, exports) beside slips and exports.
"""

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from assistant.ledger.accounts import CHIPSET, RACK, owner_of
from assistant.ledger.balances import is_sound
from assistant.ledger.events import LedgerEvent, PlanFrozen, TermsChosen
from assistant.ledger.plan import FrozenPlan, Terms, round_to_unit
from assistant.ledger.settlement import settle
from assistant.money import share_equally
from assistant.store.memory import MemoryNight
from assistant.store.sqlite import create_night, open_night
from assistant.table.closing import frozen_plan
from assistant.table.night import evolve
from assistant.table.night_log import NightLog
from assistant.table.posting import balances_of
from assistant.table.reconciling import cause_text, causes_of, comparison_of
from assistant.table.record import night_record
from assistant.table.settling import settlement_slip
from assistant.table.speech import wording_of
from tests.table.talking import code, dues, message, nets, played, stacks, submit, told

SET = "rack 100x1 100x5 40x25 10x100"
ACEY = "game acey-deucey-pot ante=5 max_laps=1"
BANK = "game casino-red-dog decks=8 max=1000"


def loses(log: NightLog, loser: str, amount: int, winner: str) -> None:
    """A bet of casino Red Dog that the winner banks."""
    submit(log, "shuffle", f"house {winner}", f"bet {loser} {amount}", "card 2H 9S")
    submit(log, f"call {loser}", "card KD", f"house {winner}")


def pool(log: NightLog) -> int:
    return log.night.chips.at("pool")


def received(log: NightLog) -> dict[str, int]:
    """What everybody gets, by name; those who get nothing are left out."""
    names = log.night.names()
    return {names.get(who, who): amount for who, amount in log.night.receivables().items() if amount}


def plan_of(log: NightLog) -> FrozenPlan:
    plan = log.night.books.plan
    assert plan is not None
    return plan


def payments(log: NightLog) -> list[tuple[str, str, int]]:
    names = log.night.names()
    return [
        (names.get(one.payer, one.payer), names.get(one.payee, one.payee), one.amount)
        for one in plan_of(log).lines
    ]


def pay_everything(log: NightLog) -> None:
    """The plan is paid line by line, into the box before out of it."""
    for number, line in sorted(enumerate(plan_of(log).lines, 1), key=lambda one: one[1].payer == "box"):
        if line.open:
            log.submit(f"pay {number}")


def test_1_night_in_cash_ends_with_an_empty_box_and_a_full_rack() -> None:
    log = played(SET, ACEY, *(f"seat {name} 100 cash" for name in "ABCD"), "dealer D", "round")
    assert (pool(log), log.night.books.box) == (20, 400)
    for line in ("card 3H JS", "bet A 20", "card 7D"):
        log.submit(line)
    assert pool(log) == 0
    for line in ("dealer D", "round", "card 2C 4C", "pass A", "card 3D JC", "bet B 10", "card KD"):
        log.submit(line)
    for line in ("card 5D TC", "bet C 30", "card TD"):
        log.submit(line)
    assert (stacks(log), pool(log)) == ({"A": 110, "B": 80, "C": 30, "D": 90}, 90)
    for line in ("card 2H QS", "bet D 45", "card 8H"):
        log.submit(line)
    assert pool(log) == 45
    for player, posts in zip("ABCD", ("2S 9S", "4S 9H", "5S 9D", "6S 9C"), strict=True):
        log.submit(f"card {posts}")
        log.submit(f"pass {player}")
    assert stacks(log) == {"A": 122, "B": 91, "C": 41, "D": 146}  # the pool: 12, 11, 11, 11
    for name in "ABCD":
        log.submit(f"cashout {name} cash")
    assert nets(log) == {"A": 22, "B": -9, "C": -59, "D": 46}
    assert log.night.books.box == 0
    assert log.night.books.rack == ((100, 10), (25, 40), (5, 100), (1, 100))
    balances = balances_of(log.night)
    assert (balances.at(CHIPSET), balances.at(RACK), is_sound(balances)) == (-2600, 2600, True)
    assert [balances.at(owner_of(f"p{seat}"), "M") for seat in (1, 2, 3, 4)] == [22, -9, -59, 46]


def test_2_mixed_night_is_paid_from_the_box_and_between_players() -> None:
    log = played(BANK, "seat A 100 cash", "seat B 100 cash", "buy B 100 iou")
    loses(log, "B", 150, "A")
    assert stacks(log) == {"A": 250, "B": 50}
    submit(log, "cashout A 250", "cashout B 50")
    assert (nets(log), dues(log), log.night.books.box) == ({"A": 150, "B": -150}, {"A": -250, "B": 50}, 200)
    assert received(log) == {"A": 250, "B": -50, "box": -200}
    log.submit("close")
    assert payments(log) == [("B", "A", 50), ("box", "A", 200)]
    pay_everything(log)
    assert (dues(log), log.night.books.box) == ({"A": 0, "B": 0}, 0)


def test_3_who_left_with_cash_is_absent_from_the_plan() -> None:
    log = played(BANK, "seat A 100 cash", "seat B 100 cash", "seat C 100 cash")
    loses(log, "A", 40, "C")
    log.submit("leave C cash")
    assert told(log) == ("CASH OUT 140: C", "PAY 140 in cash: C")
    assert (log.night.books.box, nets(log)["C"], dues(log)["C"]) == (160, 40, 0)
    log.submit("close")
    assert payments(log) == [("box", "A", 60), ("box", "B", 100)]


def test_4_who_left_unpaid_stays_a_node_of_the_plan() -> None:
    log = played(BANK, "seat A 100", "seat B 100", "seat C 100")
    loses(log, "A", 40, "C")
    log.submit("leave C")
    assert (dues(log)["C"], log.night.person("p3").has_left) == (-40, True)
    submit(log, "cashout A 60", "cashout B 100", "close")
    assert payments(log) == [("A", "C", 40)]
    assert nets(log)["B"] == 0


def test_5_post_pays_double() -> None:
    log = played(
        "game acey-deucey-pot ante=20", *(f"seat {name} 200" for name in "ABCD"), "dealer D", "round"
    )
    submit(log, "card AD", "ace A low", "card 3D")
    assert (stacks(log)["A"], pool(log)) == (180, 80)
    submit(log, "bet A 80", "card 3H")
    assert (stacks(log)["A"], pool(log)) == (20, 240)


def test_6_stack_covers_the_worst_case_or_the_shortfall_is_forgiven() -> None:
    start = [*(f"seat {name} 100" for name in "ABCD"), "dealer D", "round", "card 3H JS"]
    log = played("game acey-deucey-pot ante=20", *start)
    assert (stacks(log)["A"], pool(log)) == (80, 80)
    assert code(log, "bet A 60") == "E_BET_HIGH"
    assert "20 to 40" in message(log, "bet A 60")
    log = played("game acey-deucey-pot ante=20 cover=bet", *start)
    submit(log, "bet A 60", "card 3D")
    assert (stacks(log)["A"], pool(log)) == (0, 160)


def test_7_bet_over_the_pool_or_the_stack_is_refused_and_nothing_is_written() -> None:
    log = played("game red-dog-pool ante=5 hand=3", "seat A 100", "seat B 100", "dealer B", "round", "dealt")
    assert (stacks(log)["A"], pool(log)) == (95, 10)
    assert (code(log, "bet A 15"), code(log, "bet A 96")) == ("E_BET_HIGH", "E_STACK")
    assert "5 to 10" in message(log, "bet A 15")
    assert "only 95, not 96" in message(log, "bet A 96")


def test_8_bet_of_the_whole_pool_forces_the_next_ante() -> None:
    log = played(ACEY, *(f"seat {name} 100" for name in "ABCDEF"), "dealer F", "round", "card 3H JS")
    submit(log, "bet A 30", "card 7D")
    assert (pool(log), stacks(log)["A"], log.night.in_round) == (0, 125, False)
    log.submit("round")
    assert (pool(log), stacks(log)["A"]) == (30, 120)


def test_9_pool_is_shared_with_odd_chips_from_the_dealers_left() -> None:
    assert list(share_equally(47, "BCDEFA").values()) == [8, 8, 8, 8, 8, 7]
    log = played(ACEY, *(f"seat {name} 10" for name in "ABCDEF"), "dealer A", "carry 47", "share")
    assert stacks(log) == {"A": 17, "B": 18, "C": 18, "D": 18, "E": 18, "F": 18}
    # 52 in chips of 5 for B C D A: 15 15 10 10, and 2 left over that are carried
    log = played(ACEY, *(f"seat {name} 10" for name in "ABCD"), "dealer A", "carry 52", "share unit=5")
    assert (stacks(log), pool(log)) == ({"A": 20, "B": 25, "C": 25, "D": 20}, 2)
    log.submit("close pool=carry")
    assert night_record(log.night)["settlement"] == [
        {"from": "carried", "to": "A", "amount": 10},
        {"from": "carried", "to": "B", "amount": 15},
        {"from": "carried", "to": "C", "amount": 15},
        {"from": "carried", "to": "D", "amount": 10},
    ]


@pytest.mark.parametrize(
    ("posts", "third", "after"),
    [
        ("2H 4S", "3D", (200, 400)),
        ("2H 5S", "3D", (180, 420)),
        ("2H 6S", "3D", (140, 460)),
        ("2H 9S", "3D", (120, 480)),
        ("2H 2S", "2D", (320, 280)),
    ],
)
def test_10_bank_pays_by_the_spread(posts: str, third: str, after: tuple[int, int]) -> None:
    log = played(BANK, "seat A 100", "seat Karl 500", "house Karl 500", "bet A 20", f"card {posts}")
    if not posts.endswith("2S"):
        log.submit("call A")
    log.submit(f"card {third}")
    assert (log.night.chips.stack("p1"), log.night.chips.at("house")) == after
    if after == (320, 280):
        submit(log, "shuffle", "bet A 20", "card 6H 7S")  # neighbours: a push
        assert (log.night.chips.stack("p1"), log.night.chips.at("house")) == (320, 280)
        submit(log, "bet A 20", "card 8H QS", "raise A", "card AD")
        assert (log.night.chips.stack("p1"), log.night.chips.at("house")) == (280, 320)


def test_11_float_limits_the_bets() -> None:
    log = played(BANK, "seat A 1000", "seat Karl 1000", "house Karl 500")
    assert code(log, "bet A 50") == "E_LIMIT"
    assert "45" in message(log, "bet A 50")
    log = played(BANK, "seat A 1000", "seat Karl 1000", "house Karl 550", "bet A 50")
    assert log.night.chips.bet("p1") == 50


def test_12_placed_bet_cannot_be_changed() -> None:
    """The guards against SQL (UPDATE, INSERT OR REPLACE) are in tests/store/test_guards.py."""
    log = played(ACEY, "seat A 100", "seat B 100", "dealer A", "round", "card 2C 9C", "pass B")
    log.submit("card 3C TC")
    assert (stacks(log)["A"], pool(log)) == (95, 10)
    log.submit("bet A 10")
    bet = log.log[-1].seq
    assert code(log, "bet A 5") == "E_BET_FIXED"
    assert code(log, f"reverse {bet} typed wrong") == "E_REVERSE"
    assert "a placed bet can't be changed" in message(log, f"reverse {bet} typed wrong")
    log.submit("void two cards exposed")
    # every chip goes back to where it was before the round (TABLE_TALK.md), the ante too
    assert (stacks(log)["A"], log.night.chips.bet("p1"), pool(log)) == (100, 0, 0)
    assert any("void two cards exposed" in one for one in settlement_slip(log, "n").corrections)
    assert log.store.verify().ok


def test_13_result_is_taken_back_and_the_bet_stands() -> None:
    log = played(
        "game acey-deucey-pot ante=20", "seat A 200", "seat B 200", "dealer B", "round", "card 6C JC"
    )
    log.submit("bet A 40")
    bet = log.log[-1]
    log.submit("card 9D")
    assert (stacks(log)["A"], pool(log)) == (220, 0)
    log.submit("undo")
    assert (stacks(log)["A"] + log.night.chips.bet("p1"), pool(log)) == (180, 40)
    log.submit("card 6D")
    assert (stacks(log)["A"], pool(log)) == (100, 120)
    assert (bet.undone, bet.line) == (False, "bet A 40")
    assert [one for one in settlement_slip(log, "n").corrections if "card 9D" in one]


def test_13_the_same_by_fix() -> None:
    log = played(
        "game acey-deucey-pot ante=20", "seat A 200", "seat B 200", "dealer B", "round", "card 6C JC"
    )
    submit(log, "bet A 30", "card 9D")
    assert (stacks(log)["A"], pool(log)) == (210, 10)
    log.submit("fix 9D 6D")
    assert (stacks(log)["A"], pool(log)) == (120, 100)
    assert [one for one in settlement_slip(log, "n").corrections if "fix 9D 6D" in one]


def test_14_mistyped_rebuy_is_reversed_and_entered_anew() -> None:
    log = played(BANK, "seat A 100 cash", "seat B 100 cash", "buy A 1000 cash")
    assert log.night.books.box == 1200
    wrong = log.log[-1].seq
    submit(log, f"reverse {wrong} typed 1000 for 100", "buy A 100 cash")
    assert (log.night.books.box, stacks(log)["A"]) == (300, 200)
    loses(log, "A", 200, "B")
    assert nets(log)["A"] == -200
    assert [one.reverses for one in log.store.entries() if one.kind == "reverse"] == [(wrong,)]
    line = f"#{wrong} buy-in, A, 1000: reversed by #{wrong + 1}, typed 1000 for 100 ("
    assert [one for one in settlement_slip(log, "n").corrections if one.startswith(line)]


def test_14_the_same_in_one_line() -> None:
    log = played(
        "seat A 100 cash", "seat B 100 cash", "buy A 1000 cash", "reverse 3 typed 1000 for 100 amount=100"
    )
    assert (log.night.books.box, stacks(log)["A"]) == (300, 200)
    assert told(log) == (
        "REVERSED #3 (buy): typed 1000 for 100",
        "TAKE 1000 in chips: A",
        "BOX -1000",
        "TAKE 100 in cash: A",
        "GIVE 100 to A",
    )


def test_15_reversal_that_the_stack_cannot_bear_is_refused_and_an_iou_offered() -> None:
    log = played(BANK, "seat A 100 cash", "buy A 100 cash", "seat B 500")
    loses(log, "A", 150, "B")
    assert (stacks(log)["A"], code(log, "reverse 3 never paid")) == (50, "E_STACK")
    text = message(log, "reverse 3 never paid")
    assert "50 is not enough for 100" in text
    assert "reverse 3 never paid as=iou" in text
    log.submit("reverse 3 never paid as=iou")
    assert (stacks(log)["A"], log.night.books.box, dues(log)["A"]) == (50, 100, 100)


def test_16_no_entry_is_reversed_twice_and_no_reversal_at_all() -> None:
    log = played("seat A 100", "buy A 20", "reverse 2 never paid")
    entries = log.entries
    for line in ("reverse 2 again", "reverse 3 it was paid", "reverse 1"):
        assert code(log, line) == "E_REVERSE"
    assert "reversed already by #3" in message(log, "reverse 2 again")
    assert (log.entries, stacks(log)) == (entries, {"A": 100})


SEVENTEEN = ("seat A 120", "seat B 120", "seat C 120", "seat D 120", "seat E 120")


def _counted_585() -> NightLog:
    log = played(SET, BANK, *SEVENTEEN)
    for loser, amount, winner in (("A", 60, "C"), ("B", 30, "C"), ("D", 20, "E")):
        loses(log, loser, amount, winner)
    assert stacks(log) == {"A": 60, "B": 90, "C": 210, "D": 100, "E": 140}
    submit(log, "count A 60", "count B 90", "count C 185", "count D 100", "count E 140")
    return log


@pytest.mark.parametrize(
    ("policy", "shares"),
    [
        ("equal", {"A": 5, "B": 5, "C": 5, "D": 5, "E": 5}),
        ("winners", {"C": 20, "E": 5}),
        ("losers", {"A": 14, "B": 7, "D": 4}),
        ("D", {"D": 25}),
        ("count", {"C": 25}),
    ],
)
def test_17_missing_chips_are_borne_as_the_table_chooses(policy: str, shares: dict[str, int]) -> None:
    log = _counted_585()
    before = stacks(log)
    assert code(log, "close") == "E_COUNT"
    log.submit(f"accept {policy} not found after recount")
    borne = {name: before[name] - stack for name, stack in stacks(log).items() if before[name] != stack}
    assert borne == shares
    log.submit("close")
    assert sum(log.night.receivables().values()) == 0


def test_17_the_chip_that_is_missing_is_named() -> None:
    """Ledger 600, counted 575; of the 25s the set has 40, and 39 were found."""
    log = played(SET, BANK, *(f'{seat} chips="2x25 12x5 10x1"' for seat in SEVENTEEN))
    for loser, amount, winner in (("A", 60, "C"), ("B", 30, "C"), ("D", 20, "E")):
        loses(log, loser, amount, winner)
    submit(log, "count A 1x25 6x5 5x1", "count B 2x25 7x5 5x1", "count C 3x25 18x5 20x1")
    submit(log, "count D 2x25 8x5 10x1", "count E 1x25 21x5 10x1")
    found = comparison_of(log.night)
    assert [(row.ledger, row.counted) for row in found.rows] == [
        (60, 60),
        (90, 90),
        (210, 185),
        (100, 100),
        (140, 140),
    ]
    assert [(one.value, one.expected, one.found) for one in found.short_colours] == [(25, 40, 39)]
    causes = causes_of(log)
    assert (causes[0].kind, causes[0].players, causes[0].amount) == ("chip_missing", ("p3",), 25)
    text = cause_text(causes[0], wording_of(log.night))
    assert text == "One chip of 25 is missing, in that colour too. Search the floor, then recount."


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


def test_19_two_stacks_that_differ_point_at_their_rounds() -> None:
    log = played(BANK, "seat A 150", "seat B 150")
    loses(log, "A", 10, "B")
    loses(log, "B", 20, "A")
    loses(log, "B", 3, "A")
    loses(log, "B", 17, "A")
    assert stacks(log) == {"A": 180, "B": 120}
    submit(log, "count A 160", "count B 140")
    assert comparison_of(log.night).difference == 0
    cause = causes_of(log)[0]
    assert (cause.kind, cause.amount, cause.players, cause.rounds) == ("two_stacks", 20, ("p1", "p2"), (1, 2))
    text = cause_text(cause, wording_of(log.night))
    assert text == "Two stacks differ by 20: A, B. A round was paid wrong. Look at the rounds 1, 2."
    assert code(log, "close") == "E_COUNT"
    log.submit("accept count the chips were passed by hand")
    assert stacks(log) == {"A": 160, "B": 140}
    log.submit("close")


def test_20_cashier_hub_and_between_players() -> None:
    moved = {"Vera": 85, "Gleb": 55, "Egor": 65}
    seats = ("Ann", "Boris", "Vera", "Gleb", "Dasha", "Egor", "Zoya")
    losses = (("Ann", 35, "Vera"), ("Boris", 50, "Vera"), ("Dasha", 55, "Gleb"), ("Zoya", 65, "Egor"))
    expected = {
        "players": [("Ann", "Vera", 35), ("Boris", "Vera", 50), ("Dasha", "Gleb", 55), ("Zoya", "Egor", 65)],
        "cashier": [
            *(("Ann", "box", 35), ("Boris", "box", 50), ("Dasha", "box", 55), ("Zoya", "box", 65)),
            *(("box", "Vera", 85), ("box", "Gleb", 55), ("box", "Egor", 65)),
        ],
        "hub Vera": [
            *(("Ann", "Vera", 35), ("Boris", "Vera", 50), ("Dasha", "Vera", 55), ("Zoya", "Vera", 65)),
            *(("Vera", "Gleb", 55), ("Vera", "Egor", 65)),
        ],
    }
    for mode, plan in expected.items():
        log = played(BANK, *(f"seat {name} 100" for name in seats), f"settle {mode}")
        for loser, amount, winner in losses:
            loses(log, loser, amount, winner)
        log.submit("close")
        assert (mode, payments(log)) == (mode, plan)
        pay_everything(log)
        assert (set(dues(log).values()), log.night.books.box) == ({0}, 0)
    assert sum(amount for _payer, _payee, amount in expected["players"]) == sum(moved.values()) == 205


def test_21_cash_and_iou_in_one_night() -> None:
    log = played(BANK, "seat A 100 cash", "seat B 200 iou", "seat C 100 cash", "seat D 100 iou")
    loses(log, "B", 130, "A")
    loses(log, "D", 100, "C")
    log.submit("close")
    assert payments(log) == [("B", "A", 130), ("D", "A", 100), ("box", "C", 200)]
    pay_everything(log)
    assert (dues(log), log.night.books.box) == ({"A": 0, "B": 0, "C": 0, "D": 0}, 0)


def test_22_line_is_paid_in_parts_and_never_over() -> None:
    log = played(BANK, "seat A 100", "seat B 100", "seat C 100", "seat D 100")
    loses(log, "A", 95, "B")
    loses(log, "C", 20, "D")
    log.submit("close")
    assert payments(log) == [("A", "B", 95), ("C", "D", 20)]
    log.submit("pay A B 60 by card")
    assert [line.open for line in plan_of(log).lines] == [35, 20]
    assert code(log, "pay A B 40") == "E_PAY"
    assert "only 35 is open, not 40" in message(log, "pay A B 40")
    log.submit("pay A B 35")
    assert [line.open for line in plan_of(log).lines] == [0, 20]
    assert (code(log, "pay A B 1"), code(log, "pay B A 5"), code(log, "pay A C 5")) == ("E_PAY",) * 3
    assert night_record(log.night)["settlement"] == [
        {"from": "A", "to": "B", "amount": 95},
        {"from": "C", "to": "D", "amount": 20},
    ]


def test_22_one_payment_does_not_change_the_other_lines() -> None:
    """spliit#178: nine people, eight payments; Grace pays hers and the other seven stay as they are."""
    values = [307594, 34005, -70525, 43507, -68593, -64524, -59892, -66892, -54680]
    names = ["Anna", "Ben", "Cleo", "Dave", "Eli", "Finn", "Grace", "Hugo", "Ida"]
    log = played(BANK.replace("max=1000", "max=999999"), *(f"seat {name} 400000" for name in names))
    owed = dict(zip(names, values, strict=True))
    submit(log, *(f"sitout {name}" for name in names))
    for transfer in settle(owed).transfers:
        submit(log, f"back {transfer.payer}", f"back {transfer.payee}")
        loses(log, transfer.payer, transfer.amount, transfer.payee)
        submit(log, f"sitout {transfer.payer}", f"sitout {transfer.payee}")
    assert nets(log) == owed
    log.submit("close")
    before = payments(log)
    assert len(before) == 8
    number = next(place for place, line in enumerate(before, 1) if line[0] == "Grace")
    log.submit(f"pay {number}")
    assert payments(log) == before
    assert [line.open == line.amount for line in plan_of(log).lines].count(False) == 1


def test_22_new_plan_is_made_of_what_is_open_and_replaces_the_old() -> None:
    log = played(BANK, "seat A 100", "seat B 100", "seat C 100")
    loses(log, "A", 30, "B")
    loses(log, "C", 50, "B")
    submit(log, "close", "pay A B 10", "settle hub C")
    assert payments(log) == [("A", "C", 20), ("C", "B", 70)]
    assert [(plan.number, [line.paid for line in plan.lines]) for plan in log.night.books.replaced] == [
        (1, [10, 0])
    ]
    pay_everything(log)
    assert (plan_of(log).number, set(dues(log).values())) == (2, {0})


def test_23_the_same_key_twice_books_once_and_a_killed_night_goes_on(tmp_path: Path) -> None:
    """Killing the program itself is tests/store/test_kill.py, 20 rounds of it."""
    with create_night(tmp_path / "n.night") as store:
        log = NightLog(store)
        for line, key in (
            (BANK, "k0"),
            ("seat A 100 cash", "k1"),
            ("seat A 100 cash", "k1"),
            ("bet A 20", "k2"),
        ):
            log.submit(line, key=key)
        assert (log.entries, log.night.books.box) == (3, 100)
    with open_night(tmp_path / "n.night") as store:
        log = NightLog(store)
        assert (stacks(log), log.night.chips.bet("p1"), log.night.books.box) == ({"A": 80}, 20, 100)
        assert store.verify().ok
        submit(log, "seat B 10")
        assert log.submit("seat A 100 cash", key="k1").duplicate


def test_26_shared_cost_and_a_tip() -> None:
    log = played("game red-dog-pool", "tip to=H", *(f"seat {name} 100 iou" for name in "ABCD"))
    submit(log, "expense A 610 pizza", "tip B 10")
    assert told(log) == ("TIP 10: B for H; change the chips into the rack",)
    log.submit("close")
    assert received(log) == {"A": 457, "B": -163, "C": -152, "D": -152, "H": 10}
    assert payments(log) == [("B", "A", 163), ("C", "A", 152), ("D", "A", 142), ("D", "H", 10)]
    assert nets(log) == dict.fromkeys("ABCDH", 0)
    assert set(night_record(log.night)["nets"]) == set("ABCD")  # type: ignore[call-overload]
    pay_everything(log)
    assert set(dues(log).values()) == {0}


def test_27_loan_moves_chips_and_no_rack() -> None:
    log = played(SET, "seat A 100 cash", "seat B 100 cash")
    rack = log.night.books.rack
    log.submit("lend A B 50")
    assert (stacks(log), dues(log)) == ({"A": 50, "B": 150}, {"A": -50, "B": 50})
    assert log.night.books.rack == rack
    assert nets(log) == {"A": 0, "B": 0}
    assert code(log, "lend A B 60") == "E_STACK"


@pytest.mark.parametrize(
    ("line", "currency", "stack"),
    [("buy A 1,5", " currency=EUR", 150), ("buy A 1,5", "", None), ('buy A "1 500"', "", 1500)],
)
def test_30_amounts_are_read_as_the_night_counts(line: str, currency: str, stack: int | None) -> None:
    """Cards of both alphabets are in tests/test_cards.py."""
    log = played(f"night N{currency}", "seat A")
    if stack is None:
        assert code(log, line) == "E_AMOUNT"
    else:
        log.submit(line)
        assert stacks(log) == {"A": stack}


def test_31_clock_that_goes_back_does_not_change_the_order() -> None:
    zone = timezone(timedelta(hours=2))
    times = [
        datetime(2026, 11, 28, 20, 5, tzinfo=zone),
        datetime(2026, 11, 28, 23, 10, tzinfo=zone),
        datetime(2026, 11, 28, 22, 11, tzinfo=timezone(timedelta(hours=1))),
        datetime(2026, 11, 29, 0, 40, tzinfo=timezone(timedelta(hours=1))),
    ]
    clock = iter(times)
    log = NightLog(MemoryNight(), clock=lambda: next(clock))
    submit(log, "seat A 100", "buy A 10", "buy A 20", "close")
    assert [(entry.seq, entry.at) for entry in log.store.entries()] == list(enumerate(times, 1))
    slip = settlement_slip(log, "2026-11-28-1")
    assert (slip.opened, slip.closed, slip.verified) == ("20:05", "00:40", True)
