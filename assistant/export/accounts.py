"""Names of accounts in other programs' ledgers: the player's id first, so that no two can be the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

from assistant.export.book import Book
from assistant.money import Amount


def person(player: str, names: Mapping[str, str]) -> str:
    """Return ``p1-Anna`` for a player: letters and digits only, whatever they are called."""
    kept = "".join(char if _is_plain(char) else "-" for char in names.get(player, ""))
    return "-".join(filter(None, [player, *kept.split("-")]))


def account_pairs(book: Book) -> list[tuple[str, str]]:
    """Return every account and commodity the book uses, in the order of their first use."""
    found = {
        (posting.account, posting.commodity): None for entry in book.entries for posting in entry.postings
    }
    return list(found)


def final_balances(book: Book) -> Iterator[tuple[str, str, Amount]]:
    """Yield account, commodity and what it holds after the last entry."""
    held: dict[tuple[str, str], Amount] = {}
    for entry in book.entries:
        for posting in entry.postings:
            place = (posting.account, posting.commodity)
            held[place] = held.get(place, 0) + posting.amount
    for (account, commodity), amount in held.items():
        yield account, commodity, amount


def _is_plain(char: str) -> bool:
    category = unicodedata.category(char)
    return category[0] == "L" or category == "Nd"
