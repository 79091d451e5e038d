"""What the money lines say: to whom cash and chips go, what is still open, and what the slip tells."""

import json

import pytest

from assistant.slips.text import render
from assistant.store.base import NewEntry
from assistant.store.memory import MemoryNight
from assistant.table.closing import plan_of
from assistant.table.night_book import night_book
from assistant.table.night_log import NightLog
from assistant.table.replay import spoken
from assistant.table.settling import settlement_slip
from assistant.table.speech import wording_of
from tests.table.talking import code, message, played, submit, told

SET = "rack 100x1 100x5 40x25 10x100"
SEATS = ("seat Ann 100 cash", "seat Bob 100", "seat Cem 100")


# --- cash that goes back ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "undone", "redone"),
    [
        (
            "cashout Ann 30 cash",
            ("TAKE 30 in cash: Ann", "GIVE 30 in chips: Ann"),
            ("TAKE 30 in chips: Ann", "PAY 30 in cash: Ann"),
        ),
        (
            "buy Ann 50 cash",
            ("TAKE 50 in chips: Ann", "PAY 50 in cash: Ann"),
            ("TAKE 50 in cash: Ann", "GIVE 50 in chips: Ann"),
        ),
        ("cashout Ann 30 due", ("GIVE 30 in chips: Ann",), ("TAKE 30 in chips: Ann",)),
        ("pay Bob box 40", ("PAY 40 in cash: Bob",), ("TAKE 40 in cash: Bob",)),
        ("float Bob 20", ("PAY 20 in cash: Bob",), ("TAKE 20 in cash: Bob",)),
        ("expense box 30", ("BOX +30",), ("BOX -30",)),
        ("expense Ann 30", (), ()),
    ],
)
def test_undo_and_redo_tell_cash_from_chips(
    line: str, undone: tuple[str, ...], redone: tuple[str, ...]
) -> None:
    """He who cashed out holds the cash: "PAY 30 to Ann" would be paid a second time."""
    log = played(*SEATS, line, "undo")
    assert told(log) == (f"Taken back: {line}", *undone)
    submit(log, "redo")
    assert told(log) == (f"Put back: {line}", *redone)


@pytest.mark.parametrize("how", ["open", "equal", "count", "Ann"])
def test_undo_of_an_accepted_difference_pays_nobody(how: str) -> None:
    """No chip moved as it was accepted: "PAY 6 to Ann" would be paid out of the rack."""
    counts = ("count start confirm=off", "count Ann 94", "count Bob 97", "count Cem 100")
    log = played(*SEATS, *counts, f"accept {how}", "undo")
    assert told(log) == (f"Taken back: accept {how}", "NO CHIPS MOVE for an accepted difference")
    submit(log, "redo")
    assert told(log) == (f"Put back: accept {how}", "NO CHIPS MOVE for an accepted difference")


def test_undo_past_an_accepted_box_moves_only_the_cash_that_was_taken() -> None:
    counts = ("count start confirm=off", "count Ann 94", "count Bob 100", "count Cem 100", "count box 80")
    log = played(*SEATS, *counts, "accept count", "buy Bob 30 cash", "undo 2")
    assert told(log) == (
        "Taken back: buy Bob 30 cash; accept count",
        "TAKE 30 in chips: Bob",
        "PAY 30 in cash: Bob",
        "NO CHIPS MOVE for an accepted difference",
    )


def test_reversal_of_a_cash_out_tells_cash_from_chips() -> None:
    log = played(*SEATS, "cashout Ann 30 cash", "reverse 4 wrong player")
    assert told(log) == (
        "REVERSED #4 (cashout): wrong player",
        "TAKE 30 in cash, if it was paid: Ann",
        "GIVE 30 in chips: Ann",
        "BOX +30",
    )


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("buy Ann 50 cash", ("TAKE 50 in chips: Ann", "PAY 50 in cash, if it was paid: Ann", "BOX -50")),
        ("pay Bob box 40", ("PAY 40 in cash, if it was paid: Bob", "BOX -40")),
        ("float Bob 1000", ("PAY 1000 in cash, if it was paid: Bob", "BOX -1000")),
        ("expense box 30", ("BOX +30",)),
        ("buy Ann 50 iou", ("TAKE 50 in chips: Ann",)),
    ],
)
def test_reversal_says_who_gets_or_gives_the_cash(line: str, said: tuple[str, ...]) -> None:
    """It may mend what was never paid, so nobody pays without having paid."""
    log = played(*SEATS, line, "reverse 4 wrong player")
    assert told(log)[1:] == said


def test_cash_of_another_currency_goes_back_as_it_came() -> None:
    """LEDGER.md 7.8: 50 USD at 0.92 are 46.00; 36.00 of it were change."""
    line = "seat Ann 10 for=50USD rate=0.92"
    log = played("night F currency=EUR", "seat Bob 50 cash", line, "undo")
    back = ("TAKE 10.00 in chips: Ann", "TAKE 36.00 in cash: Ann", "GIVE BACK 50.00 USD in cash: Ann")
    assert told(log) == (f"Taken back: {line}", *back)
    log.submit("redo")
    assert told(log) == (
        f"Put back: {line}",
        "TAKE 50.00 USD in cash, at 0.92 = 46.00: Ann",
        "GIVE 10.00 in chips: Ann",
        "PAY 36.00 in cash: Ann",
    )
    log.submit("reverse 3 no dollars")
    reversed_ = (
        "REVERSED #3 (seat): no dollars",
        "TAKE 10.00 in chips: Ann",
        "TAKE 36.00 in cash, if it was paid: Ann",
        "GIVE BACK 50.00 USD in cash, if it was paid: Ann",
        "BOX -10.00",
    )
    assert told(log) == reversed_
    assert told(NightLog(log.store)) == reversed_  # at the next start too
    log.submit("undo")
    again = (
        "Taken back: reverse 3 no dollars",
        "TAKE 50.00 USD in cash, at 0.92 = 46.00: Ann",
        "GIVE 10.00 in chips: Ann",
        "PAY 36.00 in cash: Ann",
    )
    assert told(log) == again
    assert told(NightLog(log.store)) == again
    log.submit("redo")
    assert told(log) == ("Put back: reverse 3 no dollars", *back)


# --- what is missing is nobody's house ----------------------------------------------------------------------


def test_missing_chips_of_a_pool_game_are_owed_to_no_house() -> None:
    """Nobody is the house there, so nobody would know whom to pay."""
    log = played(*SEATS, "game red-dog-pool", "count Bob 97", "accept Bob lost", "close")
    slip = settlement_slip(log, "n")
    assert [(one.node, one.net) for one in slip.nodes if one.net] == [("missing chips", 3)]
    assert [(one.payer, one.payee, one.amount, one.paid) for one in slip.payments] == [
        ("Bob", "Ann", 3, 0),
        ("box", "Ann", 97, 0),
    ]
    assert "Missing chips: 3 stay in the cash box until they are found" in slip.besides
    submit(log, "pay 1", "pay 2")
    assert set(log.night.receivables().values()) == {0}
    assert (log.night.books.box, plan_of(log.night).is_finished) == (3, True)
    assert code(played(), 'seat "Missing chips" 50') == "E_PLAYER"


def test_missing_chips_on_an_iou_are_paid_into_the_box() -> None:
    log = played(
        "game red-dog-pool", "seat A 100 cash", "seat B 100 cash", "count A 80", "accept A x", "close"
    )
    assert [(one.payer, one.payee, one.amount) for one in settlement_slip(log, "n").payments] == [
        ("box", "A", 80),
        ("box", "B", 100),
    ]
    log = played("seat A 100", "seat B 100", "count A 80", "accept A x", "close")
    slip = settlement_slip(log, "n")
    assert [(one.payer, one.payee, one.amount) for one in slip.payments] == [("A", "box", 20)]
    assert [(one.node, one.net, one.settles) for one in slip.nodes] == [
        ("missing chips", 20, 0),
        ("box", 0, 20),
    ]
    book = night_book(log, "n")
    assert [one.name for one in book.results if one.is_node] == ["missing chips", "box"]


def test_plan_that_an_earlier_version_made_with_a_house_is_paid_as_it_was_printed() -> None:
    log = played("seat Ann 100", "seat Bob 100", "count Bob 97", "accept Bob lost", "close")
    store = MemoryNight()
    for entry in log.store.entries():
        body = json.loads(json.dumps(dict(entry.body)).replace('["p2", "box", 3]', '["p2", "house", 3]'))
        fields = (entry.key, entry.at, entry.operator, entry.said_at, entry.reverses, entry.kind)
        store.append(NewEntry(*fields, body, entry.postings))
    old = NightLog(store)
    slip = settlement_slip(old, "n")
    assert [(one.payer, one.payee, one.amount) for one in slip.payments] == [("Bob", "missing chips", 3)]
    assert "Missing chips: the house keeps 3 until they are found" in slip.besides
    assert wording_of(old.night).name("house") == "missing chips"
    assert code(old, 'pay Bob "missing chips" 4') == "E_PAY"
    submit(old, 'pay Bob "Missing chips" 3')
    assert set(old.night.receivables().values()) == {0}


def test_house_with_a_bank_stays_the_house() -> None:
    log = played("game casino-red-dog decks=1", *SEATS, "bet Bob 10", "card 2H 4S", "call Bob", "card 9D")
    submit(log, "count Cem 97", "accept Cem lost", "close")
    assert [(one.node, one.net) for one in settlement_slip(log, "n").nodes if one.net] == [("house", 13)]
    assert wording_of(log.night).name("house") == "house"


# --- who goes home hears what is still open -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (("float Ann 60", "leave Ann cash"), ("PAY 100 in cash: Ann", "IS STILL OWED 60: Ann")),
        (
            ("lend Ann Bob 40", "float Bob 60", "leave Ann cash"),
            ("PAY 60 in cash: Ann", "IS STILL OWED 40: Ann"),
        ),
        (("leave Bob cash",), ()),
        (("expense Ann 30", "leave Bob cash"), ("STILL OWES 10: Bob",)),
        (("leave Ann cash",), ("PAY 100 in cash: Ann",)),
    ],
)
def test_leaving_says_what_is_still_due(lines: tuple[str, ...], said: tuple[str, ...]) -> None:
    assert told(played(*SEATS, *lines))[1:] == said


# --- the slip says why --------------------------------------------------------------------------------------


def paper(log: NightLog, width: int = 80) -> str:
    return " ".join(render(settlement_slip(log, "n"), width).split())


def test_slip_says_what_was_paid_under_an_earlier_plan() -> None:
    log = played("seat Ann 100 cash", "seat Bob 100", "seat Cid 100", "expense Ann 60", "expense Bob 30")
    submit(log, "close", "pay 1", "pay 2", "settle")
    lines = log.night.books.replaced[0].lines
    names = log.night.names() | {"box": "Cash box"}
    paid = ", ".join(f"{names[one.payer]} -> {names[one.payee]} {one.amount}" for one in lines)
    for width in (80, 48, 32):
        text = paper(log, width)
        assert f"Paid under plan 1: {paid}" in text
        assert "Nobody owes anything." in text
        assert "Bought for cash: Ann 100" in text
        assert "Shared cost 60, paid by Ann: Ann 20, Bob 20, Cid 20" in text


def test_slip_says_everything_that_counted_besides_chips() -> None:
    log = played(
        *SEATS,
        "float Cem 60",
        "expense box 30 pizza",
        "tip to=Cem",
        "tip Bob 5",
        "pay Bob box 40",
        "cashout Ann 20 cash",
        "expense Ann 90 beer",
        "undo",
        "buy Bob 50 cash",
        "reverse 12 never paid",
    )
    assert list(settlement_slip(log, "n").besides) == [
        "Bought for cash: Ann 100",
        "Cashed out in cash: Ann 10",  # 10 of the 20 settle her share of the pizza
        "Put into the cash box: Cem 60",
        "Shared cost 30 (pizza), paid by Cash box: Ann 10, Bob 10, Cem 10",
        "Tips: Bob -> Cem 5",
        "Paid before the close: Bob -> Cash box 40",
        "Net with costs, tips and rounding: Ann -10, Bob -15, Cem -5",
    ]


def test_rounding_alone_is_in_its_column_and_needs_no_phrase() -> None:
    log = played("game casino-red-dog", "seat Ann 100", "seat Bob 100", "settle players unit=5", "house Ann")
    submit(log, "bet Bob 3", "card 2H 9S", "call Bob", "card KD", "close")
    slip = settlement_slip(log, "n")
    assert [(row.net, row.exact, row.settles) for row in slip.players] == [(3, 3, 5), (-3, -3, -5)]
    assert slip.besides == ()


def test_slip_with_nothing_besides_chips_says_no_more() -> None:
    log = played("seat Ann 100", "seat Bob 100", "lend Ann Bob 10", "close")
    assert settlement_slip(log, "n").besides == ()


# --- sentences that fit their line --------------------------------------------------------------------------


@pytest.mark.parametrize("line", ["lend Ann Bob 101", "cashout Ann 101", "tip Ann 101"])
def test_who_has_too_few_chips_for_no_bet_is_not_told_to_bet_less(line: str) -> None:
    assert message(played(*SEATS, "tip to=Cem"), line) == "Ann has only 100, not 101. Type less."


def test_least_amount_of_a_night_in_cents_is_no_one() -> None:
    log = played("night N currency=EUR", "seat Ann 1")
    assert message(log, "buy Ann 0") == "The amount must be more than 0."


def test_float_of_a_bank_is_taken_and_handed_back() -> None:
    log = played("game casino-red-dog decks=1", *SEATS, "house Ann 50")
    assert told(log) == ("COLLECT 50 from Ann",)
    submit(log, "house Bob 20")
    assert told(log) == ("COLLECT 20 from Bob", "PAY 50 to Ann")


def test_sentences_follow_each_other_with_one_sign() -> None:
    log = played("game casino-red-dog decks=1", *SEATS, "bet Ann 10", "card 2H 6S")
    said = spoken(log.night, log.log[-1])
    assert "Raise? ASK Ann: raise 10?" in said
    assert "?." not in said
    log = played("game casino-red-dog decks=1", "seat Ann 100")
    assert not spoken(log.night, log.log[-1]).endswith(".")


# --- everybody settles with one -----------------------------------------------------------------------------


def test_who_everybody_settles_with_is_not_gone() -> None:
    log = played("seat Vera 100", "seat Ann 100", "settle hub Vera")
    assert code(log, "settle gone Vera") == "E_PLAYER"
    assert message(log, "settle gone Vera") == (
        "Vera can't be both: everybody settles with them, and they settle through the box only. "
        "Choose another way first (settle cashier), or take back who is gone (settle free)."
    )
    submit(log, "settle cashier", "settle gone Vera")
    assert code(log, "settle hub Vera") == "E_PLAYER"
    submit(log, "settle free", "settle hub Vera", "settle gone Ann")


def test_hub_who_went_home_is_told_each_time_it_matters() -> None:
    warning = "HAS LEFT, and everybody settles with them: Vera. Another way: settle players"
    log = played("seat Vera 100", "seat Ann 100", "seat Bob 100", "settle hub Vera")
    assert warning not in told(log)
    log.submit("leave Vera")
    assert told(log)[-1] == warning
    log.submit("settle hub Vera")
    assert told(log) == ("SETTLE: everybody settles with Vera", warning)
    log.submit("close")
    assert told(log)[-1] == warning
    log.submit("settle players")
    assert warning not in told(log)
    assert warning not in told(played("seat Vera 100", "seat Ann 100", "settle hub Vera", "close"))


# --- after the close ----------------------------------------------------------------------------------------

CASHED = (
    *("buy Ann 5", "iou Ann 5", "tip Ann 5", "cashout Ann", "lend Ann Bob 5", "leave Ann", "count Ann 5"),
    *("confirm Ann", "change Ann 1x5", "sitout Ann", "bet ann 5", "rename Ann Zoya"),
)


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        *((line, "E_PLAYER") for line in CASHED),
        *((line, "E_PHASE") for line in ("note x", "seat Zoya 5")),
    ],
)
def test_a_closed_night_says_what_can_still_be_done(line: str, refused: str) -> None:
    """Everybody stood up with the close; nobody has to be seated first."""
    log = played("game red-dog-pool", "seat Ann 100", "seat Bob 100", "close")
    assert code(log, line) == refused
    assert message(log, line) == (
        "The night is closed. A wrong entry: reverse and its number. To play on: reopen and why. "
        "Else begin a new night."
    )


def test_a_closed_night_undoes_nothing_and_names_what_helps() -> None:
    log = played("seat Ann 100", "note x", "undo", "close")
    for verb in ("undo", "redo"):
        assert code(log, verb) == "E_UNDO"
        assert message(log, verb) == (
            f"The night is closed, so “{verb}” does nothing. A wrong entry: reverse and its number. "
            "To play on: reopen and why."
        )
    assert code(log, "buy Zoya 5") == "E_PLAYER"  # nobody ever was called so
    submit(log, "reopen one more round", "buy Ann 5")
