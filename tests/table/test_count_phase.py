"""The count from its beginning to its end (LEDGER.md 6.6): no bets or buy-ins, everything is counted, and a
neighbour confirms it."""

import pytest

from assistant.slips.text import render
from assistant.store.memory import MemoryNight
from assistant.table.money_view import money_view
from assistant.table.night_log import NightLog
from assistant.table.papers import count_slip
from assistant.table.session import TableSession
from assistant.table.settling import settlement_slip
from assistant.table.speech import wording_of
from tests.table.scenario_play import BANK
from tests.table.talking import code, message, played, stacks, submit, told

SEATS = ("seat Ann 100", "seat Boris 100", "seat Vera 100")
COUNTED = ("count Ann 100", "count Boris 100", "count Vera 100")


def counting(*lines: str) -> NightLog:
    return played(BANK, *SEATS, "count start", *lines)


@pytest.mark.parametrize(
    "line",
    [
        "bet Ann 10",
        "place Ann 5",
        "house Ann",
        "buy Ann 10",
        "iou Ann 10",
        "seat Dasha 50",
        "lend Ann Boris 5",
        "game red-dog-pool",
    ],
)
def test_no_bets_and_no_buy_ins_until_the_count_ends(line: str) -> None:
    log = counting()
    assert code(log, line) == "E_COUNT"
    assert message(log, line).startswith(
        "The count goes on: no bets or buy-ins until it ends. Finish it (F6), or"
    )
    log.submit("count stop")
    log.submit(line)


def test_what_a_count_brings_to_light_is_still_entered() -> None:
    """A buy-in that was forgotten comes with its time, a wrong one is reversed; who goes is cashed out."""
    log = counting("buy Ann 20 at=21:40", "lend Ann Boris 5 at=21:50", "reverse 3 typed 100 for 80 amount=80")
    assert stacks(log) == {"Ann": 115, "Boris": 85, "Vera": 100}
    submit(log, "seat Dasha", "leave Dasha", "note looked under the table", "undo")
    assert log.night.counting


def test_open_bets_and_an_open_round_come_first() -> None:
    log = played(BANK, *SEATS, "bet Ann 10")
    assert code(log, "count start") == "E_PHASE"
    log.submit("card 2H 9S")
    assert code(log, "count start") == "E_PHASE"
    log = played(BANK)
    assert code(log, "count start") == "E_PLAYERS"


def test_count_begins_once_and_is_left_off_once() -> None:
    log = counting()
    assert code(log, "count start") == "E_COUNT"
    log.submit("count stop")
    assert (code(log, "count stop"), log.night.counting) == ("E_COUNT", False)
    assert "count start" in message(log, "count stop")
    assert code(log, "count stop by=Ann") == "E_OPTION"
    assert code(log, "count start confirm=maybe") == "E_OPTION"


def test_undo_and_replay_know_the_count() -> None:
    log = counting("count Ann 100 by=Boris", "confirm Ann by=Vera")
    assert NightLog(log.store).night == log.night
    log.submit("undo 3")
    assert (log.night.counting, log.night.counts) == (False, ())
    submit(log, "bet Ann 10", "undo")
    submit(log, "count start", "undo", "redo")
    assert log.night.counting
    assert NightLog(log.store).night == log.night


def test_player_called_start_is_counted_all_the_same() -> None:
    log = played("seat Start 50", "seat Stop 50", "count Start 40", "count Stop 60")
    assert [(one.amount, one.stack) for one in log.night.counts] == [(40, 50), (60, 50)]
    submit(log, "count start")
    assert log.night.counting


# --- all of it ----------------------------------------------------------------------------------------------


def test_begun_count_covers_every_stack_the_pool_and_the_rack() -> None:
    log = played("rack 100x1 100x5 40x25", "game red-dog-pool", *SEATS, "carry 30", "count start confirm=off")
    submit(log, "count Ann 100", "count Boris 100")
    for line in ("close", "accept equal"):
        assert code(log, line) == "E_COUNT"
        assert message(log, line) == (
            "Not counted yet: Vera, pool, rack. Count them, or leave the count off: “count stop”."
        )
    submit(log, "count Vera 100", "count pool 30", f"count rack {log.night.held('rack')}", "close")
    assert log.night.closed
    assert not log.night.counting


def test_count_that_was_not_begun_asks_for_nothing() -> None:
    """One doubtful stack is counted in between, and the night closes as ever."""
    log = played(BANK, *SEATS, "count Ann 100", "close")
    assert log.night.closed


def test_difference_is_not_lost_when_the_count_is_left_off() -> None:
    log = counting("count Ann 90", "count stop")
    assert code(log, "close") == "E_COUNT"
    assert "counted 90, ledger 100" in message(log, "close")


def test_accepting_ends_the_count() -> None:
    log = counting("count Ann 90", *COUNTED[1:], "confirm")
    log.submit('accept equal not found agreed="Ann,Boris,Vera"')
    assert not log.night.counting
    slip = count_slip(log, "n")
    assert slip.agreed == ("Ann", "Boris", "Vera")
    log.submit("bet Ann 5")


# --- a neighbour confirms -----------------------------------------------------------------------------------


def test_each_count_is_confirmed_by_a_neighbour_before_the_close() -> None:
    log = counting(*COUNTED)
    assert code(log, "close") == "E_COUNT"
    assert message(log, "close").startswith("Nobody confirmed yet: Ann, Boris, Vera.")
    log.submit("confirm Ann")
    assert told(log) == ("CONFIRMED Ann: by Boris",)
    assert message(log, "close").startswith("Nobody confirmed yet: Boris, Vera.")
    log.submit("confirm Boris by=Ann")
    log.submit("confirm")
    assert told(log) == ("CONFIRMED Vera: by Ann",)
    log.submit("close")
    text = render(count_slip(log, "n"), 42)
    assert "Confirmed by: Ann: Boris, Boris: Ann,\nVera: Ann\n" in text


def test_nobody_confirms_their_own_chips_and_no_cashier_the_rack() -> None:
    log = played("rack 100x1 100x5 40x25", "cashier Vera", BANK, *SEATS, "count start", *COUNTED)
    log.submit(f"count rack {log.night.held('rack')}")
    assert code(log, "confirm Ann by=Ann") == "E_COUNT"
    assert code(log, "count Ann 100 by=Ann") == "E_COUNT"
    assert "Name a neighbour: by=NAME" in message(log, "confirm Ann by=Ann")
    assert code(log, "confirm rack by=Vera") == "E_COUNT"
    assert code(log, "confirm Ann by=Nobody") == "E_PLAYER"
    log.submit("confirm")
    assert "CONFIRMED rack: by Ann" in told(log)
    log.submit("close")


def test_confirmation_goes_with_the_count_it_was_given_to() -> None:
    log = counting("count Ann 100 by=Boris")
    assert log.night.counts[0].confirmed_by == "p2"
    log.submit("count Ann 95")
    assert log.night.counts[0].confirmed_by == ""
    assert code(log, "confirm Boris") == "E_COUNT"
    assert "Count first, then confirm" in message(log, "confirm Boris")
    log.submit("confirm Ann")
    assert code(log, "confirm") == "E_COUNT"
    submit(log, "cashout Ann 10 at=21:40")  # the stack changed: count and confirmation have lapsed
    assert log.night.counts == ()


def test_two_players_and_the_house_rule_need_no_neighbour() -> None:
    log = played(BANK, *SEATS[:2], "count start", *COUNTED[:2], "close")
    assert log.night.closed
    log = played(BANK, *SEATS, "count start confirm=off", *COUNTED)
    log.submit("count stop")
    log.submit("count start")  # the rule stays for the night
    assert not log.night.confirms
    log.submit("close")


def test_guest_may_confirm_and_one_player_alone_can_not() -> None:
    log = played("cashier Host", "seat Ann 50", "count start", "count Ann 50")
    assert code(log, "confirm Ann") == "E_COUNT"
    assert "by=NAME" in message(log, "confirm Ann")
    log.submit("confirm Ann by=Host")
    assert told(log) == ("CONFIRMED Ann: by Host",)


# --- screen and slip ----------------------------------------------------------------------------------------


def test_table_offers_no_bets_while_the_count_goes_on() -> None:
    session = TableSession(MemoryNight())
    for line in (BANK, *SEATS):
        assert session.submit(line).accepted
    assert session.snapshot.choices
    assert session.submit("count start").accepted
    assert (session.snapshot.choices, session.snapshot.due) == ((), None)
    assert session.snapshot.duty == "COUNT the chips: no bets or buy-ins until the count ends"
    session.submit("count stop")
    assert session.snapshot.choices


def test_screen_and_slips_show_one_count() -> None:
    """Stacks and pool together, rack and box beside them: -5 and -1 of the box, wherever it is read."""
    log = played(
        "rack 100x1 100x5 40x25", "game red-dog-pool", "cashier Host", *SEATS, "float Host 20", "carry 30"
    )
    submit(
        log, "count start", *COUNTED, "count pool 25", f"count rack {log.night.held('rack')}", "count box 19"
    )
    view = money_view(log, wording_of(log.night)).count
    assert view is not None
    assert (view.difference, view.box, view.rack, view.is_complete) == (-5, -1, 0, True)
    assert view.waiting == ("p2", "p3", "p4", "pool", "rack", "box")
    slip, settlement = count_slip(log, "n"), settlement_slip(log, "n")
    assert slip.difference == view.difference
    assert settlement.count is not None
    assert settlement.count.difference == view.difference
    assert (settlement.box and settlement.box.difference, slip.box and slip.box.difference) == (-1, -1)
    text = render(settlement, 80)
    assert "Chip count: counted 325, ledger 330: difference -5" in text
    assert "Of that the pool: counted 25, ledger 30: difference -5" in text
    assert "Cash box: counted 19, ledger 20: difference -1" in text
    submit(log, "confirm", "accept equal searched", "close")
    assert render(settlement_slip(log, "n"), 80).count("difference -5") == 2
    shares = render(count_slip(log, "n"), 42)
    assert "Of the cash box:" in shares
    assert "  Boris                                 -1" in shares


# --- a difference that was counted is not lost --------------------------------------------------------------


@pytest.mark.parametrize(
    "line", ["leave Ann due", "cashout Ann", "cashout Ann 100 due", "cashout Ann 10", "tip Ann 5"]
)
def test_chips_that_differ_are_not_cashed_before_the_difference_is_dealt_with(line: str) -> None:
    log = played("seat Ann 100", "seat Boris 100", "tip to=Boris", "count start confirm=off", "count Ann 90")
    assert code(log, line) == "E_COUNT"
    assert message(log, line) == (
        "Ann was counted and differs, so the chips stay until that is dealt with. "
        "Count the rest and accept the difference, or leave the count off: “count stop”."
    )
    submit(log, "count Boris 100", "accept Ann dropped them", "leave Ann", "count Boris 100", "close")
    assert {person.name: log.night.net(person.player) for person in log.night.people} == {
        "Ann": -10,
        "Boris": 0,
    }


def test_whose_chips_agree_leaves_during_a_count() -> None:
    log = played(
        "seat Ann 100", "seat Boris 100", "count start confirm=off", "count Ann 100", "leave Ann due"
    )
    assert stacks(log) == {"Boris": 100}


def test_a_cash_out_that_was_forgotten_explains_a_difference() -> None:
    log = played("seat Ann 100", "seat Boris 100", "count start confirm=off", "count Ann 90")
    submit(log, "cashout Ann 10 at=21:40", "count Ann 90", "count Boris 100", "close")
    assert log.night.closed


@pytest.mark.parametrize(
    ("line", "refused", "says"),
    [
        ("count start foo=1", "E_OPTION", "“foo=” can't stand here; possible: confirm=on, confirm=off."),
        ("count start confirm=on foo=1", "E_OPTION", "“foo=” can't stand here; possible: confirm=on, conf"),
        ("count start now", "E_ARGS", "“now” is too much at the end of the line."),
        ("count stop x=2", "E_OPTION", "“x=” can't stand here. Take it out"),
        ("count start 100", "E_PLAYER", "Nobody called “start” sits at the table."),
    ],
)
def test_what_a_count_cannot_begin_with_is_named(line: str, refused: str, says: str) -> None:
    log = played(BANK, *SEATS)
    assert code(log, line) == refused
    assert message(log, line).startswith(says)
    assert not log.night.counting


def test_somebody_called_start_can_be_counted() -> None:
    log = played(BANK, *SEATS, "seat Start 50", "count start 50")
    assert (stacks(log)["Start"], log.night.counting) == (50, False)
    assert [count.amount for count in log.night.standing_counts()] == [50]
    assert code(log, "count start foo=1") == "E_AMOUNT"


def test_reversed_acceptance_leaves_the_counts_to_be_dealt_with() -> None:
    """Ann's chips were found; that Boris has 10 too many was counted too, and is not forgotten."""
    log = played(
        "seat Ann 100", "seat Boris 100", "count Ann 80 by=Boris", "count Boris 110", "accept Ann gone"
    )
    log.submit("reverse 5 found")
    assert told(log) == (
        "REVERSED #5 (accept): found",
        "PAY 10 to Ann",
        "THE COUNT STANDS AGAIN: Ann 80, Boris 110. Count what was found",
    )
    assert code(log, "close") == "E_COUNT"
    log.submit("count Ann 90")
    assert message(log, "close").startswith("Boris: counted 110, ledger 100, difference +10.")
    assert NightLog(log.store).night == log.night
    submit(log, "accept count they agree", "close")
    assert log.night.closed


def test_what_changed_since_the_acceptance_is_counted_anew() -> None:
    log = played("seat Ann 100", "seat Boris 100", "count Ann 80", "count Boris 110", "accept Ann gone")
    submit(log, "buy Boris 50", "reverse 5 found")
    assert [(one.player, one.amount) for one in log.night.counts] == [("p1", 80)]


def test_the_same_figure_counted_again_stays_confirmed() -> None:
    log = counting("count Boris 100", "confirm Boris by=Vera", "count Boris 100")
    assert log.night.counts[0].confirmed_by == "p3"
    log.submit("count Boris 100 by=Ann")
    assert log.night.counts[0].confirmed_by == "p1"
    log.submit("count Boris 99")
    assert log.night.counts[0].confirmed_by == ""
    log = played(
        "rack 100x1 40x25", BANK, *SEATS, "count start", "count Boris 4x25 by=Vera", "count Boris 4x25"
    )
    assert log.night.counts[0].confirmed_by == "p3"
    log.submit("count Boris 3x25 25x1")
    assert log.night.counts[0].confirmed_by == ""


FOUND = ("count Ann 90", "count Boris 110", "count Vera 100")
ALL_BUT = "Chip count: counted 300, ledger 300: agrees in all, but Ann -10, Boris +10"


@pytest.mark.parametrize(
    ("policy", "says", "paid"),
    [
        ("equal", f"{ALL_BUT}. Accepted: shared equally; the ledger stands", []),
        ("winners", f"{ALL_BUT}. Accepted: shared by the winners; the ledger stands", []),
        ("Vera", f"{ALL_BUT}. Accepted: borne by Vera; the ledger stands", []),
        ("open", f"{ALL_BUT}. Accepted: held open until it is found; the ledger stands", []),
        ("count", f"{ALL_BUT}. Accepted: as counted", [("Ann", "Boris", 10)]),
    ],
)
@pytest.mark.parametrize("width", [32, 80])
def test_a_slip_says_what_was_accepted_where_differences_cancel(
    policy: str, says: str, paid: list[tuple[str, str, int]], width: int
) -> None:
    log = played(BANK, *SEATS, *FOUND, f"accept {policy} a chip slid over", "close")
    slip = settlement_slip(log, "n")
    assert [(one.payer, one.payee, one.amount) for one in slip.payments] == paid
    assert says in " ".join(render(slip, width).split())


def test_a_slip_before_the_acceptance_says_what_was_found() -> None:
    log = played(BANK, *SEATS, *FOUND)
    assert f"{ALL_BUT} Corrections" in " ".join(render(settlement_slip(log, "n"), 80).split())


def test_a_count_that_agrees_for_everybody_is_said_to_agree() -> None:
    log = played(BANK, *SEATS, *COUNTED, "close")
    assert "Chip count: counted 300, ledger 300: agrees\n" in render(settlement_slip(log, "n"), 80)
