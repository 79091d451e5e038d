"""Scenarios 12 to 16 of LEDGER.md chapter 9: what can be taken back, and what not."""

from assistant.table.settling import settlement_slip
from tests.table.scenario_play import ACEY, BANK, loses, pool
from tests.table.talking import code, dues, message, nets, played, stacks, submit, told


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
    assert any(
        "round 1 called off: two cards exposed" in one for one in settlement_slip(log, "n").corrections
    )
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
    assert [one for one in settlement_slip(log, "n").corrections if "card in round 1: 9♦ was 6♦" in one]


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


def test_15_of_a_buy_in_that_is_not_paid_anyway_the_chips_are_bought_first() -> None:
    log = played(BANK, "seat A 100", "buy A 100", "seat B 500")
    loses(log, "A", 150, "B")
    assert message(log, "reverse 3 never given") == (
        "A: 50 is not enough for 100, so #3 can't be reversed. "
        "Let them buy in first, on an IOU where they can't pay: iou NAME 50"
    )
    submit(log, "iou A 50", "reverse 3 never given")
    assert (stacks(log)["A"], dues(log)["A"]) == (0, 150)


def test_16_no_entry_is_reversed_twice_and_no_reversal_at_all() -> None:
    log = played("seat A 100", "buy A 20", "reverse 2 never paid")
    entries = log.entries
    for line in ("reverse 2 again", "reverse 3 it was paid", "reverse 1"):
        assert code(log, line) == "E_REVERSE"
    assert "reversed already by #3" in message(log, "reverse 2 again")
    assert (log.entries, stacks(log)) == (entries, {"A": 100})
