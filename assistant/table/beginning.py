"""When a night began: with the first who took part. Before that no day is its own, whatever was typed."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path

from assistant.config import House
from assistant.store.folders import sync_folder
from assistant.store.night_file import SIDE_FILES, SUFFIX
from assistant.store.nights import next_name, parse_name
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


def date_by(house: House, path: Path, today: date) -> Path:
    """Give a night that is not open the next name of a day, and return where it lies now.

    It is the same file with every line in it. Where it can't be moved, or files of another night lie beside
    either name, it stays what it was: a wrong date is better than no night. Copies of it stay under the old
    name (they may be those of a night that was lost there), and new ones are made.
    """
    to = path.with_name(f"{next_name(house, today)}{SUFFIX}")
    sides = (one.with_name(one.name + side) for one in (path, to) for side in SIDE_FILES)
    if path.is_symlink() or any(map(os.path.lexists, (to, *sides))):
        return path
    try:
        os.link(path, to)  # unlike a rename, over no night that another window has just made
    except OSError:
        return path
    try:
        os.unlink(path)
    except OSError:
        os.unlink(to)
        return path
    with suppress(OSError):  # it has its name; after a power cut now it may have the old one once more
        sync_folder(to.parent)
    return to
