"""Nights with a few entries, and ways to hurt them, for the tests of this folder."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from assistant.ledger.accounts import chips
from assistant.store.base import NewEntry
from assistant.store.chain import Row
from assistant.store.sqlite import create_night, open_night

AT = datetime(2026, 11, 28, 17, 31, tzinfo=UTC)


def entry(number: int) -> NewEntry:
    """A buy-in of as many chips as its number, with its line of table talk."""
    postings = (chips("rack", -number), chips("stack:p1", number))
    body = {"line": f"buy Anna {number}", "amount": number}
    return NewEntry(f"k{number}", AT, "host", None, (), "buy", body, postings)


def make_night(path: Path, entries: int) -> list[Row]:
    """Make a night's file and return its rows."""
    with create_night(path) as night:
        for number in range(1, entries + 1):
            night.append(entry(number))
        return night.rows()


def rows_of(path: Path) -> list[Row]:
    """The rows of a night's file."""
    with open_night(path, read_only=True) as night:
        return night.rows()


def edit(path: Path, *statements: str) -> None:
    """Change a night with another tool, its triggers taken off and put on again."""
    with closing(sqlite3.connect(path)) as connection:
        sealed = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for trigger, _sql in sealed:
            connection.execute(f"DROP TRIGGER {trigger}")
        for statement in statements:
            connection.execute(statement)
        for _trigger, sql in sealed:
            connection.execute(sql)
        connection.commit()


def cut_tail(path: Path, keep: int) -> None:
    """Cut off the entries behind `keep`, so that the file itself looks sound."""
    edit(path, f"DELETE FROM posting WHERE seq > {keep}", f"DELETE FROM entry WHERE seq > {keep}")
