"""Nights to export: those of tests/data, and one full of unlucky names."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from assistant.export.book import Book
from assistant.store.memory import MemoryNight
from assistant.table.night_book import night_book
from assistant.table.night_log import NightLog
from assistant.table.replay import replay_lines
from tests.export.nights import CHIP_VALUE, MONEY, SCENARIO_1

NIGHTS = Path(__file__).resolve().parent.parent / "data" / "nights"
MOSCOW = timezone(timedelta(hours=3))


class Clock:
    """A minute a line, from 20:05 on 28 November, in Moscow."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 28, 17, 5, tzinfo=UTC).astimezone(MOSCOW)

    def __call__(self) -> datetime:
        found, self.now = self.now, self.now + timedelta(minutes=1)
        return found


def played(text: str) -> Book:
    """The book of a night that a text plays; refused lines change nothing."""
    log = NightLog(MemoryNight(), Clock(), "dealer")
    for _line in replay_lines(log, text.splitlines()):
        pass
    return night_book(log, "2026-11-28-1")


def texts() -> dict[str, str]:
    found = {path.stem: path.read_text(encoding="utf-8") for path in sorted(NIGHTS.glob("*.talk"))}
    return {**found, "scenario 1": SCENARIO_1, "money": MONEY, "chip value": CHIP_VALUE}


@pytest.fixture(params=sorted(texts()))
def book(request: pytest.FixtureRequest) -> Book:
    """A night of tests/data."""
    return played(texts()[request.param])


@pytest.fixture
def play() -> Callable[[str], Book]:
    return played
