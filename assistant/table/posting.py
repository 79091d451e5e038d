"""What an accepted line posts in the ledger: the chips that changed places, and the money that went with
them.

The postings are the difference between two moments, so books and table cannot part ways.
"""

from __future__ import annotations

from assistant.holdings import Holdings
from assistant.ledger.accounts import RACK, Posting, chips, due_of, money, owner_of
from assistant.money import Amount


def postings_between(before: Holdings, after: Holdings) -> tuple[Posting, ...]:
    """Return what has to be posted to get from one moment to another; each commodity sums to zero.

    Chips that were bought leave the rack, and the player owes for them; chips cashed out go back, and the
    player is owed for them (LEDGER.md 6.1).
    """
    sums: dict[tuple[str, str], Amount] = {}
    for place, amount in before.difference(after).items():
        for posting in _postings_for(place, amount):
            key = (posting.commodity, posting.account)
            sums[key] = sums.get(key, 0) + posting.amount
    return tuple(
        Posting(account, commodity, amount) for (commodity, account), amount in sums.items() if amount
    )


def _postings_for(place: str, amount: Amount) -> tuple[Posting, ...]:
    kind, _, player = place.partition(":")
    if kind not in ("in", "out"):
        return (chips(place, amount),)
    return (chips(RACK, amount), money(owner_of(player), amount), money(due_of(player), -amount))
