"""A night as tables for a spreadsheet: UTF-8 with its mark, quoted, amounts as numbers, text never a formula.

Source: RFC 4180; OWASP, "CSV injection" (CWE-1236) for the apostrophe.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence

from assistant.export.book import Book
from assistant.ledger.accounts import CHIPS, MONEY
from assistant.money import Amount, format_amount

BOM = "\ufeff"
COMMA, SEMICOLON = ",", ";"
_FORMULA = "=+-@\t\r\n＝＋－＠"
_INVISIBLE = ("C", "Z")


class Figure(str):
    """A cell that is a number, written as one; everything else is text."""

    __slots__ = ()


Row = Sequence[str]
Table = Callable[[Book], Iterator[Row]]


def write_csv(rows: Iterable[Row], separator: str = COMMA, mark: str = BOM) -> str:
    """Return rows as the text of a file.

    Args:
        rows: Cells; those that are a `Figure` are numbers with a point.
        separator: `COMMA`, or `SEMICOLON` where decimals are written with a comma, as they are then.
        mark: What spreadsheets know UTF-8 by; programs that read the first heading are better off without.
    """
    file = io.StringIO()
    writer = csv.writer(file, delimiter=separator, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    for row in rows:
        writer.writerow([_cell(cell, separator) for cell in row])
    return mark + file.getvalue()


def guard(text: str) -> str:
    """Return text that no spreadsheet takes for a formula: an apostrophe before what looks like one.

    Text that looks guarded already gets a second one, so that `unguard` gives back exactly what was there.
    """
    return f"'{text}" if _is_formula(text.lstrip("'")) else text


def unguard(text: str) -> str:
    """Take the apostrophe of `guard` off again."""
    return text[1:] if text.startswith("'") and guard(text[1:]) == text else text


PLAYERS_HEAD = ("player", "bought_in", "cashed_out", "net", "to_settle", "exact")


def players(book: Book) -> Iterator[Row]:
    """Yield everybody's night; house, carried pool and box below, so that the nets sum to zero."""
    yield PLAYERS_HEAD
    for one in book.results:
        amounts = ("", "") if one.is_node else (_figure(book, one.bought_in), _figure(book, one.cashed_out))
        yield (
            one.player if one.is_node else one.name,
            *amounts,
            _figure(book, one.net),
            _figure(book, one.settles),
            _figure(book, one.settles if one.exact is None else one.exact),
        )


def settlement(book: Book) -> Iterator[Row]:
    """Yield who pays whom."""
    yield ("from", "to", "amount", "paid")
    for one in book.payments:
        yield (one.payer, one.payee, _figure(book, one.amount), _figure(book, one.paid))


def entries(book: Book) -> Iterator[Row]:
    """Yield every entry, a row a posting; one that moves nothing has one row without."""
    yield (
        "entry",
        "time",
        "operator",
        "verb",
        "line",
        "reverses",
        "account",
        "player",
        "commodity",
        "amount",
    )
    names = dict(book.names)
    for one in book.entries:
        reverses = " ".join(map(str, one.reverses))
        head = (
            Figure(one.seq),
            one.at.isoformat(timespec="seconds"),
            one.operator,
            one.verb,
            one.line,
            reverses,
        )
        for posting in one.postings:
            kind, _colon, player = posting.account.partition(":")
            commodity = book.commodity(posting.commodity)
            yield (
                *head,
                kind,
                names.get(player, ""),
                commodity,
                Figure(book.written(posting.amount, posting.commodity)),
            )
        if not one.postings:
            yield (*head, "", "", "", "")


def count(book: Book) -> Iterator[Row]:
    """Yield what was counted at the end against the ledger: stacks, pool, rack, and the box in money."""
    yield ("place", "ledger", "counted", "difference", "commodity", "confirmed_by")
    for one in book.counts:
        commodity = MONEY if one.is_money else CHIPS
        amounts = (one.ledger, one.counted, None if one.counted is None else one.counted - one.ledger)
        written = ("" if amount is None else Figure(book.written(amount, commodity)) for amount in amounts)
        yield (one.name, *written, book.commodity(commodity), one.confirmed_by)


TABLES: dict[str, Table] = {
    "players": players,
    "settlement": settlement,
    "entries": entries,
    "count": count,
}


def _figure(book: Book, amount: Amount) -> Figure:
    return Figure(format_amount(amount, book.currency))


def _is_formula(text: str) -> bool:
    """Whether a spreadsheet could take text for one, also behind blanks and what cannot be seen."""
    for char in text:
        if char in _FORMULA:
            return True
        if unicodedata.category(char)[0] not in _INVISIBLE:
            return False
    return False


def _cell(cell: str, separator: str) -> str:
    if not isinstance(cell, Figure):
        return guard(cell)
    return cell.replace(".", ",") if separator == SEMICOLON else str(cell)
