"""Accounts and postings: every entry moves chips and money, and each of the two sums to zero.

Plus means that this place holds it. Names of accounts are those of `assistant.money` (``stack:<player>``,
``bet:<player>``, ``pool``, ``bank``, ``house``) and the ones below; ``<player>`` is a player's id.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from assistant.errors import AssistantError
from assistant.money import Amount

CHIPS = "C"
MONEY = "M"
COMMODITIES = (CHIPS, MONEY)

CHIPSET = "chipset"
"""Minus the face value of the whole set (chips)."""
RACK = "rack"
"""Chips at the cashier, not issued (chips)."""
TIPS = "tips"
"""Chips given to the dealer (chips); off by default."""
CASHBOX = "cashbox"
"""Cash in the box (money)."""
EXPENSE = "expense"
"""Shared costs, zero after splitting (money)."""
ROUNDING = "rounding"
"""What rounding the settlement moved (money)."""
OVERSHORT = "overshort"
"""An accepted difference (money)."""


class Unbalanced(AssistantError):
    """The postings of an entry create or lose chips or money; a fault of the program, nothing is booked."""


class Posting(NamedTuple):
    """One line of an entry: `amount` of a commodity comes to (plus) or leaves (minus) an account."""

    account: str
    commodity: str
    amount: Amount


def owner_of(player: str) -> str:
    """The account of a player's own pocket (money); at the end it holds the result of the night."""
    return f"owner:{player}"


def due_of(player: str) -> str:
    """What a player owes the cashier (plus) or is owed (minus), in money."""
    return f"due:{player}"


def chips(account: str, amount: Amount) -> Posting:
    """Return a posting of chips."""
    return Posting(account, CHIPS, amount)


def money(account: str, amount: Amount) -> Posting:
    """Return a posting of money."""
    return Posting(account, MONEY, amount)


def check_balanced(postings: Iterable[Posting]) -> None:
    """Check that an entry moves chips and money without making or losing any (invariant I1).

    Raises:
        Unbalanced: A commodity is unknown or doesn't sum to zero.
    """
    sums: dict[str, Amount] = {}
    for posting in postings:
        sums[posting.commodity] = sums.get(posting.commodity, 0) + posting.amount
    for commodity, total in sums.items():
        if commodity not in COMMODITIES:
            raise Unbalanced(f"Commodity {commodity!r} is unknown; there are C (chips) and M (money).")
        if total:
            raise Unbalanced(f"Postings of {commodity} sum to {total:+d}; they must sum to 0.")
