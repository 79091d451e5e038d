"""A night in the shape of PokerNow's ledger, which many other people's settlement helpers read.

A row is a stay in a chair, amounts are whole smallest units, times are UTC. Text is guarded against being
taken for a formula all the same: such files are opened in spreadsheets too.

Source: ledger files that PokerNow writes: ``player_nickname,player_id,session_start_at,session_end_at,buy_in,
buy_out,stack,net``.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from assistant.export.book import Book, Stay
from assistant.export.csv_files import Figure, Row

HEADS = (
    "player_nickname",
    "player_id",
    "session_start_at",
    "session_end_at",
    "buy_in",
    "buy_out",
    "stack",
    "net",
)


def rows(book: Book) -> Iterator[Row]:
    """Yield the rows of the file."""
    yield HEADS
    for stay in book.stays:
        yield _row(stay)


def _row(stay: Stay) -> Row:
    net = stay.cashed_out + stay.stack - stay.bought_in
    amounts = (stay.bought_in, stay.cashed_out, stay.stack, net)
    start, end = _utc(stay.start), _utc(stay.end) if stay.end else ""
    return (stay.name, stay.player, start, end, *(Figure(amount) for amount in amounts))


def _utc(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"
