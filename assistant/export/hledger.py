"""A night as an hledger journal that passes ``hledger check --strict``.

Every account and commodity is declared, every entry balances in both commodities, and the last transaction
asserts what each account holds. Entries that move nothing are left out.

Source: hledger manual, "Journal": directives, transactions, balance assertions.
"""

from __future__ import annotations

from collections.abc import Iterator

from assistant.export.accounts import account_pairs, final_balances, person
from assistant.export.book import Book, BookEntry
from assistant.ledger.accounts import CHIPS, COMMODITIES
from assistant.money import Amount


def journal(book: Book) -> Iterator[str]:
    """Yield the lines of the journal."""
    yield f"; Night {_text(book.night)}, {len(book.entries)} entries, chain {_text(book.head[:12])}"
    yield "; Record only. No money is moved by this program."
    yield "decimal-mark ."
    yield ""
    for commodity in COMMODITIES:
        yield f"commodity 1.{'0' * book.currency_of(commodity).decimals} {book.commodity(commodity)}"
    names = dict(book.names)
    declared = {_account(account, commodity, names) for account, commodity in account_pairs(book)}
    yield from (f"account {account}" for account in sorted(declared))
    for entry in book.entries:
        if entry.postings:
            yield ""
            yield from _transaction(book, entry, names)
    yield ""
    yield from _assertions(book, names)


def _transaction(book: Book, entry: BookEntry, names: dict[str, str]) -> Iterator[str]:
    yield f"{book.day.isoformat()} ({entry.seq}) {_text(entry.line)}"
    yield f"    ; {entry.at.strftime('%H.%M.%S')}" + "".join(f", reverses {seq}" for seq in entry.reverses)
    for posting in entry.postings:
        account = _account(posting.account, posting.commodity, names)
        yield f"    {account}  {_amount(book, posting.amount, posting.commodity)}"


def _assertions(book: Book, names: dict[str, str]) -> Iterator[str]:
    balances = list(final_balances(book))
    if not balances:
        return
    last = book.entries[-1].seq
    yield f"{book.day.isoformat()} ({last}) what every account holds"
    for account, commodity, amount in balances:
        nothing, held = _amount(book, 0, commodity), _amount(book, amount, commodity)
        yield f"    {_account(account, commodity, names)}  {nothing} = {held}"


def _account(account: str, commodity: str, names: dict[str, str]) -> str:
    kind, _colon, player = account.partition(":")
    root = "Chips" if commodity == CHIPS else "Money"
    return ":".join(filter(None, [root, kind, person(player, names) if player else ""]))


def _amount(book: Book, amount: Amount, commodity: str) -> str:
    return f"{book.written(amount, commodity)} {book.commodity(commodity)}"


def _text(text: str) -> str:
    """What people typed, as a description: no comment begins in it and no line ends."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).replace(";", ",").split())
