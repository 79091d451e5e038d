"""When a night began: with the first who took part. Before that no day is its own, whatever was typed."""

from __future__ import annotations

from datetime import date, datetime

from assistant.store.nights import parse_name
from assistant.table.night import Night
from assistant.table.night_log import NightLog


def has_begun(night: Night) -> bool:
    """Whether anybody took part, a round was opened, or a chip lies anywhere; name and game are no night."""
    return bool(night.people or len(night.rounds) or night.closed or night.chips.places)


def began_at(log: NightLog) -> datetime:
    """The time of the line that began the night; before one did, of the first line, or now."""
    for step in log.log:
        if not step.undone and has_begun(step.after):
            return step.at
    return log.log[0].at if log.log else log.clock()


def is_of_another_day(name: str, night: Night, today: date) -> bool:
    """Whether a night in which nothing has begun has the date of another day."""
    named = parse_name(name)
    return named is not None and named[0] != today and not has_begun(night)
