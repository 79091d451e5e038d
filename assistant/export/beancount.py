"""A night as a beancount file that passes ``bean-check``.

Every account is opened, every entry balances in both commodities, and on the day after each balance is
asserted. Entries that move nothing are left out.

Source: beancount language syntax; its lexer for what an account and a string may hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from assistant.export.accounts import account_pairs, final_balances, person
from assistant.export.book import Book, BookEntry
from assistant.ledger.accounts import CHIPS, CHIPSET, EXPENSE, OVERSHORT, ROUNDING
from assistant.money import Amount

_ROOTS = {
    CHIPSET: "Equity",
    "owner": "Equity",
    EXPENSE: "Expenses",
    ROUNDING: "Expenses",
    OVERSHORT: "Expenses",
}


def ledger(book: Book) -> Iterator[str]:
    """Yield the lines of the file."""
    yield f'option "title" {_text(f"Night {book.night}")}'
    for commodity in {book.commodity(CHIPS): None, book.commodity("M"): None}:
        yield f'option "operating_currency" "{commodity}"'
    yield f"; {len(book.entries)} entries, chain {book.head[:12] if book.head.isalnum() else ''}"
    yield "; Record only. No money is moved by this program."
    yield ""
    names, day = dict(book.names), book.day.isoformat()
    opened = {_account(account, commodity, names): commodity for account, commodity in account_pairs(book)}
    for account, commodity in sorted(opened.items()):
        yield f"{day} open {account} {book.commodity(commodity)}"
    for entry in book.entries:
        if entry.postings:
            yield ""
            yield from _transaction(book, entry, names)
    yield ""
    after = (book.day + timedelta(days=1)).isoformat()
    for account, commodity, amount in final_balances(book):
        yield f"{after} balance {_account(account, commodity, names)}  {_amount(book, amount, commodity)}"


def _transaction(book: Book, entry: BookEntry, names: dict[str, str]) -> Iterator[str]:
    yield f"{book.day.isoformat()} * {_text(entry.line)}"
    yield f"  entry: {entry.seq}"
    yield f'  at: "{entry.at.isoformat(timespec="seconds")}"'
    if entry.reverses:
        yield f'  reverses: "{" ".join(map(str, entry.reverses))}"'
    for posting in entry.postings:
        account = _account(posting.account, posting.commodity, names)
        yield f"  {account}  {_amount(book, posting.amount, posting.commodity)}"


def _account(account: str, commodity: str, names: dict[str, str]) -> str:
    """``stack:p1`` of chips is ``Assets:Chips:Stack:P1-Anna``; each part begins with a capital or a digit."""
    kind, _colon, player = account.partition(":")
    what = "Chips" if commodity == CHIPS else "Money"
    parts = [_ROOTS.get(kind, "Assets"), what, kind.capitalize()]
    if player:
        name = person(player, names)
        parts.append(name[:1].upper() + name[1:])
    return ":".join(parts)


def _amount(book: Book, amount: Amount, commodity: str) -> str:
    return f"{book.written(amount, commodity)} {book.commodity(commodity)}"


def _text(text: str) -> str:
    """What people typed, as a string on one line."""
    shown = "".join(char if char.isprintable() else " " for char in text)
    escaped = shown.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
