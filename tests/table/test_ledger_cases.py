"""Rows of cases.csv about people, payments and midnight that no other test names (ledger and printing)."""

from datetime import datetime, timedelta, timezone

import pytest

from assistant.i18n import speaking
from assistant.ledger.settlement import settle
from assistant.slips.escpos import TEXT, Paper, print_slip
from assistant.slips.layout import cells
from assistant.slips.text import render
from assistant.store.memory import MemoryNight
from assistant.table.night_log import NightLog
from assistant.table.season import night_result
from assistant.table.settling import settlement_slip
from tests.table.scenario_play import BANK, loses, payments
from tests.table.talking import code, message, played, submit


def test_pairs_come_before_largest_against_largest() -> None:
    """B146: three payments, where the largest against the largest needs four."""
    found = settle({"A": 50, "B": 40, "C": -35, "D": -40, "E": -15})
    assert {(one.payer, one.payee, one.amount) for one in found.transfers} == {
        ("D", "B", 40),
        ("C", "A", 35),
        ("E", "A", 15),
    }
    assert found.minimal


def test_second_peter_is_refused_with_a_proposal_and_nobody_pays_themselves() -> None:
    """B161."""
    log = played("seat Peter 50")
    assert code(log, "seat Peter 50") == "E_PLAYER"
    assert "“Peter 2”" in message(log, "seat Peter 50")
    submit(log, 'seat "Peter 2" 50', BANK, "house Peter", 'bet "Peter 2" 30', "card 2H 9S")
    submit(log, 'call "Peter 2"', "card KD", 'house "Peter 2"')
    assert code(log, "lend Peter Peter 1") == "E_PLAYER"
    log.submit("close")
    assert payments(log) == [("Peter 2", "Peter", 30)]


@pytest.mark.parametrize("name", ['"Ann Lee"', '" Ann  Lee "', '"Ann\u00a0Lee"', '"ANN lee"'])
def test_extra_blank_makes_no_second_person(name: str) -> None:
    """B162."""
    log = played('seat "Ann Lee" 50')
    assert code(log, f"seat {name} 50") == "E_PLAYER"
    log.submit(f"buy {name} 10")
    assert log.night.bought_in("p1") == 60


def test_payment_over_what_is_owed_is_refused_with_what_is_open() -> None:
    """B175: Ann owes Bob 40; 50 is too much, and nothing is booked."""
    log = played(BANK, "seat Ann 100", "seat Bob 100")
    loses(log, "Ann", 40, "Bob")
    log.submit("close")
    for line in ("pay 1 50", "pay Ann Bob 50"):
        assert code(log, line) == "E_PAY"
        assert message(log, line) == "Ann to Bob: only 40 is open, not 50. Nothing was booked."
    submit(log, "pay 1 15")
    assert "only 25 is open, not 26" in message(log, "pay 1 26")


def test_night_over_midnight_is_one_night_dated_by_its_start() -> None:
    """B177: opened 21:30, closed 02:10; one settlement of all entries, in the season on the first day."""
    start = datetime(2026, 11, 28, 21, 30, tzinfo=timezone(timedelta(hours=2)))
    times = iter([start, start + timedelta(hours=3), start + timedelta(hours=4, minutes=40)])
    log = NightLog(MemoryNight(), clock=lambda: next(times))
    submit(log, "seat Ann 100", "seat Bob 100", "close")
    slip = settlement_slip(log, "2026-11-28-1")
    assert (slip.opened, slip.closed, slip.entries) == ("21:30", "02:10", 3)
    assert log.log[-1].at - log.log[0].at == timedelta(hours=4, minutes=40)
    result = night_result(log, "2026-11-28-1")
    assert result is not None
    assert result.day == "2026-11-28"


def test_heading_of_a_receipt_is_never_wider_than_its_paper() -> None:
    """B235: the heading is printed single width, with no command for a wider letter, and wraps at a blank."""
    log = played('night "A very long name for one night" language=ru', "seat Ann 100", "close")
    slip = settlement_slip(log, "n")
    for width in (32, 42, 48):
        for spoken in ("en", "ru"):
            with speaking(spoken):
                assert max(map(cells, render(slip, width).splitlines())) <= width
                data = print_slip(slip, Paper(width, TEXT))
            assert b"\x1d!" not in data  # GS !: size of letters
            assert b"\x1b!" not in data  # ESC !: print mode
            assert b"\x1b\x0e" not in data
