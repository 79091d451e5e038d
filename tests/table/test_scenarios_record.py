"""Scenarios 23, 30 and 31 of LEDGER.md chapter 9: double keys, amounts, and the clock.

24, 25 (the night's file) are in tests/store; 28, 29, 32 (names, slips, exports) beside slips and exports.
"""

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from assistant.store.memory import MemoryNight
from assistant.store.sqlite import create_night, open_night
from assistant.table.night_log import NightLog
from assistant.table.settling import settlement_slip
from tests.table.scenario_play import (
    BANK,
)
from tests.table.talking import code, played, stacks, submit


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
