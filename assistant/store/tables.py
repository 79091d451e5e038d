"""The two tables of a night, entries and their postings: rows written to them and read from them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from assistant.store.chain import Row

_ADD_POSTING = "INSERT INTO posting (seq, line, account, commodity, amount) VALUES (?, ?, ?, ?, ?)"
_ADD_ENTRY = """
INSERT INTO entry (seq, key, at, operator, said_at, reverses, version, kind, body, prev, hash)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_ENTRIES = """
SELECT seq, key, at, operator, said_at, reverses, version, kind, body, prev, hash FROM entry
WHERE seq BETWEEN ? AND ? ORDER BY seq"""
_POSTINGS = "SELECT seq, account, commodity, amount FROM posting WHERE seq BETWEEN ? AND ? ORDER BY seq, line"

_STRAY_POSTINGS = "SELECT 1 FROM posting WHERE seq NOT BETWEEN 1 AND ? LIMIT 1"
LAST = 2**62
"""More than any night has."""


def insert(connection: sqlite3.Connection, rows: Sequence[Row]) -> None:
    """Add rows, postings first: the header's trigger checks the whole entry."""
    connection.executemany(_ADD_POSTING, _lines(rows))
    connection.executemany(_ADD_ENTRY, map(_values, rows))


def read_rows(connection: sqlite3.Connection, first: int = 1, last: int = LAST) -> Iterator[Row]:
    """Read rows, all at once, so that the night can grow while they are gone through."""
    entries = connection.execute(_ENTRIES, (first, last)).fetchall()
    lines = connection.execute(_POSTINGS, (first, last)).fetchall()
    postings = {seq: tuple([line[1:] for line in group]) for seq, group in groupby(lines, itemgetter(0))}
    return (Row._make((*values, postings.get(values[0], ()))) for values in entries)


def read_some(connection: sqlite3.Connection) -> Iterator[Row]:
    """Yield entries one by one as long as they can be read; for files that are broken further on."""
    for values in connection.execute(_ENTRIES, (1, LAST)):
        yield Row(*(*values, _read_postings(connection, values[0])))


def read_entry(connection: sqlite3.Connection, seq: int) -> Row | None:
    """Return one entry of a file that may be broken elsewhere."""
    values = connection.execute(_ENTRIES, (seq, seq)).fetchone()
    return Row(*(*values, _read_postings(connection, seq))) if values else None


def _read_postings(connection: sqlite3.Connection, seq: int) -> tuple[tuple[str, str, int], ...]:
    return tuple(line[1:] for line in connection.execute(_POSTINGS, (seq, seq)))


def has_stray_postings(connection: sqlite3.Connection, entries: int) -> bool:
    """Whether there are postings of no entry, where the entries are numbered from 1 without a gap."""
    return connection.execute(_STRAY_POSTINGS, (entries,)).fetchone() is not None


def _lines(rows: Iterable[Row]) -> Iterator[tuple[object, ...]]:
    for row in rows:
        for line, posting in enumerate(row.postings, start=1):
            yield (row.seq, line, *posting)


def _values(row: Row) -> tuple[object, ...]:
    header = (row.seq, row.key, row.at, row.operator, row.said_at, row.reverses)
    return (*header, row.version, row.kind, row.body, row.prev, row.hash)
