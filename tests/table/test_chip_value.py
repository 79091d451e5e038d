"""A night whose chips have a value, and foreign cash (LEDGER.md 7.8): one money, and no conversion later."""

import pytest

from assistant.ledger.accounts import CASHBOX, due_of, owner_of
from assistant.ledger.exchange import Foreign
from assistant.slips.text import render
from assistant.table.courses import stack_chart
from assistant.table.night_log import NightLog
from assistant.table.papers import buy_in_slip, count_slip
from assistant.table.posting import balances_of
from assistant.table.season import night_result
from assistant.table.settling import settlement_slip
from assistant.table.why import reasons_for
from tests.table.scenario_play import BANK, loses, payments
from tests.table.talking import code, message, nets, played, stacks, submit, told

FRIDAY = "night Friday currency=EUR chip=0.25"


def friday(*lines: str) -> NightLog:
    return played(FRIDAY, BANK, *lines)


def bought(log: NightLog) -> Foreign | None:
    (event,) = log.log[-1].events
    found: Foreign | None = event.foreign  # type: ignore[union-attr]
    return found


def test_chips_are_counted_in_chips_and_money_in_cents() -> None:
    log = friday("seat Ann 80 cash", "seat Boris 100")
    assert stacks(log) == {"Ann": 80, "Boris": 100}
    assert (log.night.books.box, log.night.due("p1"), log.night.due("p2")) == (2000, 0, 2500)
    balances = balances_of(log.night)
    assert (balances.at("stack:p1"), balances.at(CASHBOX, "M")) == (80, 2000)
    assert (balances.at(owner_of("p2"), "M"), balances.at(due_of("p2"), "M")) == (-2500, 2500)
    loses(log, "Boris", 20, "Ann")
    log.submit("close")
    assert nets(log) == {"Ann": 20, "Boris": -20}
    assert payments(log) == [("Boris", "Ann", 500), ("box", "Ann", 2000)]


def test_old_nights_count_one_chip_as_one_unit() -> None:
    for line in ("night N", "night N currency=EUR"):
        log = played(line, "seat Ann 80 cash")
        assert log.night.chip == 1
        assert log.night.currency == log.night.money
        assert log.night.books.box == stacks(log)["Ann"]


def test_money_with_its_code_is_as_many_chips_as_it_is_worth() -> None:
    log = friday("seat Ann 20EUR", "buy Ann 2,50eur iou")
    assert stacks(log) == {"Ann": 90}
    assert told(log) == ("GIVE 10 (2.50 EUR) to Ann",)
    assert code(log, "buy Ann 20.10EUR") == "E_AMOUNT"
    assert message(log, "buy Ann 20.10EUR") == (
        "20.10 EUR is no whole number of chips; one is worth 0.25 EUR. The nearest: 20.00 EUR, 20.25 EUR."
    )
    assert code(log, "buy Ann 0.5") == "E_AMOUNT"


def test_chip_value_needs_a_currency_and_whole_cents() -> None:
    log = played()
    assert code(log, "night N chip=0.25") == "E_OPTION"
    assert code(log, "night N currency=EUR chip=0.125") == "E_AMOUNT"
    assert code(log, "night N currency=EUR chip=0") == "E_AMOUNT"
    assert "chip=0.25" in message(log, "night N chip=0.25")


def test_dues_loans_tips_and_costs_meet_in_money() -> None:
    log = friday("tip to=Host", "seat Ann 80", "seat Boris 80", "lend Ann Boris 20", "tip Boris 8")
    log.submit("expense Ann 12.50 pizza")
    # Ann: 20 chips lent = 5.00, pizza 12.50 less 6.25; Boris: owes the loan, the tip, his part
    assert log.night.receivables() == {"p2": 625, "p3": -625 - 200, "p1": 200}
    log.submit("pay Boris box 3.25")
    assert log.night.books.box == 325
    assert code(log, "pay box Ann 3.26") == "E_PAY"  # her chips are not cashed yet: nothing is due to her
    log.submit("cashout Ann")
    assert code(log, "pay box Ann 3.26") == "E_BOX"
    assert [one.sum for one in reasons_for(log, "p2")][-1] == log.night.receivables()["p2"] == 625


def test_cash_out_in_cash_pays_what_the_chips_are_worth() -> None:
    log = friday("seat Ann 80 cash", "seat Boris 40 cash", "cashout Ann 30 cash")
    assert told(log) == ("CASH OUT 30 (7.50 EUR): Ann", "PAY 7.50 EUR in cash: Ann")
    assert log.night.books.box == 3000 - 750
    log.submit("leave Boris cash")
    assert log.night.books.box == 3000 - 750 - 1000


def test_count_of_the_box_is_in_money_and_of_stacks_in_chips() -> None:
    log = friday(
        "seat Ann 80 cash", "seat Boris 80 cash", "count Ann 80", "count Boris 80", "count box 39.50"
    )
    assert "difference -0.50 EUR" in message(log, "close")
    slip = count_slip(log, "n")
    assert (slip.difference, slip.box.difference if slip.box else None) == (0, -50)
    text = render(slip, 42)
    assert "COUNT: CASH BOX -0.50" in text
    assert "Cash box           40.00    39.50    -0.50" in text
    log.submit("accept equal not found")
    assert told(log) == ("ACCEPTED: box -0.50 EUR",)
    assert log.night.receivables() == {"p1": 2000 - 25, "p2": 2000 - 25, "box": -3950}


def test_rounding_unit_is_money() -> None:
    log = friday("seat Ann 100", "seat Boris 100", "settle players unit=0.50")
    loses(log, "Boris", 11, "Ann")
    log.submit("close")
    assert payments(log) == [
        ("Boris", "Ann", 300)
    ]  # 2.75: of two equal rests the first in seat order is raised


# --- foreign cash -------------------------------------------------------------------------------------------


def test_foreign_cash_is_taken_at_the_rate_of_that_buy_in_and_kept_with_it() -> None:
    log = friday("seat Ann for=50USD rate=0.92", "buy Ann for=50USD rate=0.9")
    assert told(log) == ("TAKE 50.00 USD in cash, at 0.9 = 45.00 EUR: Ann", "GIVE 180 (45.00 EUR) to Ann")
    assert stacks(log) == {"Ann": 184 + 180}
    assert bought(log) == Foreign("USD", 5000, "0.9", 4500)
    assert log.night.books.box == 4600 + 4500
    assert NightLog(log.store).night == log.night
    assert bought(NightLog(log.store)) == bought(log)
    log.submit("undo")
    assert log.night.books.box == 4600


def test_what_is_no_whole_number_of_chips_needs_the_chips_said_and_gives_change() -> None:
    log = friday("seat Boris 20 cash")
    assert code(log, "buy Boris for=50USD rate=0.917") == "E_AMOUNT"
    assert "Say how many are given, 183, 184, before for=" in message(log, "buy Boris for=50USD rate=0.917")
    log.submit("buy Boris 183 for=50USD rate=0.917")
    assert told(log) == (
        "TAKE 50.00 USD in cash, at 0.917 = 45.85 EUR: Boris",
        "GIVE 183 (45.75 EUR) to Boris",
        "GIVE BACK 0.10 EUR as change: Boris",
    )
    assert log.night.books.box == 500 + 4575
    slip = buy_in_slip(log, "n")
    text = render(slip, 42)
    assert "Taken: 50.00 USD at 0.917            45.85" in text
    assert "Handed back as change                -0.10" in text
    assert "Chips: 183, 1 chip = 0.25" in text
    assert "Boris, in cash                       45.75" in text


@pytest.mark.parametrize(
    ("line", "expected", "words"),
    [
        ("buy Ann for=50USD", "E_OPTION", "rate=0.92"),
        ("buy Ann 20 rate=0.92", "E_OPTION", "for=50USD"),
        ("buy Ann 20 iou for=50USD rate=0.92", "E_OPTION", "handed over at once"),
        ("iou Ann 20 for=50USD rate=0.92", "E_OPTION", "handed over at once"),
        ("buy Ann 20 for=50EUR rate=1", "E_OPTION", "EUR is the money of this night"),
        ("buy Ann 20 for=50 rate=1", "E_AMOUNT", "for=50USD"),
        ("buy Ann 20 for=50USD rate=much", "E_AMOUNT", "rate=0.92"),
        ("buy Ann 190 for=50USD rate=0.92", "E_AMOUNT", "worth 47.50 EUR"),
        ("buy Ann 1 for=50USD rate=0.92", "E_BOX", "change would be 45.75 EUR"),
        ("buy Ann", "E_ARGS", "missing"),
    ],
)
def test_bad_foreign_cash_is_refused_and_says_what_to_type(line: str, expected: str, words: str) -> None:
    log = friday("seat Ann 20 cash")
    assert code(log, line) == expected
    assert words in message(log, line)


def test_reversed_foreign_cash_leaves_the_box_and_the_slip() -> None:
    log = friday("seat Ann 20 cash", "buy Ann for=50USD rate=0.92", "reverse 4 false notes")
    assert (stacks(log)["Ann"], log.night.books.box) == (20, 500)
    assert "USD" not in "".join(settlement_slip(log, "n").besides)


def test_foreign_cash_on_a_night_of_chips() -> None:
    log = played("seat Ann for=50USD rate=4")
    assert (stacks(log), log.night.books.box) == ({"Ann": 200}, 200)


def test_transfer_goes_to_the_cashier_who_answers_for_it() -> None:
    log = friday("seat Ann 20", "seat Boris 20")
    assert code(log, "buy Ann 40 transfer") == "E_PHASE"
    assert "cashier NAME" in message(log, "buy Ann 40 transfer")
    submit(log, "cashier Boris", "buy Ann 40 transfer")
    assert told(log) == ("TRANSFER of 10.00 EUR to the cashier: Ann", "GIVE 40 (10.00 EUR) to Ann")
    assert (log.night.due("p1"), log.night.due("p2"), log.night.books.box) == (500, 500 + 1000, 0)
    assert code(log, "buy Boris 40 transfer") == "E_PLAYER"
    log.submit("close")
    assert payments(log) == [("Boris", "Ann", 1000)]


# --- papers, season -----------------------------------------------------------------------------------------


def test_slip_and_season_are_in_money_and_say_what_a_chip_is_worth() -> None:
    log = friday("seat Ann 80", "seat Boris for=50USD rate=0.92")
    loses(log, "Boris", 20, "Ann")
    submit(log, "count Ann 100", "count Boris 164", "close")
    slip = settlement_slip(log, "2026-11-28-1")
    assert [(row.name, row.bought_in, row.cashed_out, row.net) for row in slip.players] == [
        ("Ann", 2000, 2500, 500),
        ("Boris", 4600, 4100, -500),
    ]
    wide, narrow = render(slip, 80), render(slip, 32)
    assert "amounts in EUR, 1 chip = 0.25" in wide
    assert "1 chip = 0.25" in narrow
    assert "Chip count: counted 264, ledger 264: agrees" in wide
    assert "Of that in other money: Boris 50.00 USD at 0.92 = 46.00" in wide
    assert stack_chart(log).title == "Stacks over the night, in chips"
    result = night_result(log, "2026-11-28-1")
    assert result is not None
    assert result.currency == "EUR"
    assert [(one.bought_in, one.net) for one in result.players] == [(2000, 500), (4600, -500)]


def test_transfer_that_is_mended_is_still_owed_by_who_got_it() -> None:
    """The box has changed hands since: the new cashier never saw that money."""
    log = friday(
        "cashier Vera", "seat Ann 20EUR transfer", "cashier Boris", "reverse 4 typed wrong amount=40"
    )
    people = {person.name: person.player for person in log.night.people}
    assert (log.night.due(people["Vera"]), log.night.due(people["Boris"])) == (1000, 0)


def test_mended_buy_in_gives_no_change_that_the_box_has_not() -> None:
    log = friday("seat Ann for=50USD rate=0.92")
    assert log.night.books.box == 4600
    assert code(log, "reverse 3 typed amount=100") == "E_BOX"


def test_cash_of_another_currency_has_the_limit_of_every_amount() -> None:
    assert code(friday(), "seat Ann for=999999999USD rate=999999.999999") == "E_AMOUNT"


def test_guest_whose_share_rounds_to_nothing_stays_on_the_slip() -> None:
    log = friday("cashier Guest", "seat Ann 10EUR", "seat Boris 10EUR cash", "float Guest 0.48")
    submit(log, "settle players unit=5", "close")
    slip = settlement_slip(log, "x")
    assert "Guest" in [one.name for one in slip.players]
    exact = [one.exact for one in slip.players] + [one.exact for one in slip.nodes]
    assert sum(amount or 0 for amount in exact) == 0
