"""What an accepted line posts in the ledger: the chips that changed places, and the money that went with
them.

The postings are the difference between two moments, so books and table cannot part ways.
"""

from __future__ import annotations

from assistant.ledger.accounts import CHIPSET, RACK, Posting, chips, due_of, money, owner_of
from assistant.ledger.balances import Balances, fold
from assistant.ledger.chipset import worth
from assistant.money import Amount
from assistant.table.night import Night


def postings_between(before: Night, after: Night) -> tuple[Posting, ...]:
    """Return what has to be posted to get from one moment to another; each commodity sums to zero.

    Chips that were bought leave the rack, and the player owes for them; chips cashed out go back, and the
    player is owed for them (LEDGER.md 6.1). Money that was paid besides moves between its own accounts.
    """
    lines: list[tuple[str, str, Amount]] = []
    if before.chips is not after.chips:
        for place, amount in before.chips.difference(after.chips).items():
            lines += _postings_for(place, amount, after.chip)
    if before.books is not after.books:
        changes = before.books.money.difference(after.books.money)
        lines += (money(account, amount) for account, amount in changes.items())
        loaded = worth(after.books.chipset) - worth(before.books.chipset)
        lines += (chips(CHIPSET, -loaded), chips(RACK, loaded))
    sums: dict[tuple[str, str], Amount] = {}
    for account, commodity, amount in lines:
        key = (account, commodity)
        sums[key] = sums.get(key, 0) + amount
    return tuple([Posting(*key, amount) for key, amount in sums.items() if amount])


def balances_of(night: Night) -> Balances:
    """Return what every account of the ledger holds at a moment."""
    return fold([postings_between(Night(), night)])


def _postings_for(place: str, amount: Amount, chip: Amount) -> tuple[Posting, ...]:
    kind, _, player = place.partition(":")
    if kind not in ("in", "out"):
        return (chips(place, amount),)
    in_money = amount * chip
    return (chips(RACK, amount), money(owner_of(player), in_money), money(due_of(player), -in_money))
