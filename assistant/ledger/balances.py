"""Balances: what every account holds after the postings of a night."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from assistant.errors import AssistantError
from assistant.holdings import BANK, POOL
from assistant.ledger.accounts import (
    CASHBOX,
    CHIPS,
    CHIPSET,
    COMMODITIES,
    RACK,
    TIPS,
    Posting,
    check_balanced,
)
from assistant.money import Amount

_NEVER_NEGATIVE = frozenset({POOL, BANK, TIPS, CASHBOX})
_NEVER_NEGATIVE_KINDS = ("stack:", "bet:")


class Overdrawn(AssistantError):
    """A posting takes more out of an account than it holds (invariant I2).

    Attributes:
        account: The account.
        balance: What it would hold, below zero.
    """

    def __init__(self, account: str, balance: Amount) -> None:
        super().__init__(f"{account} would hold {balance}; it cannot hold less than 0.")
        self.account = account
        self.balance = balance


@dataclass(frozen=True, slots=True)
class Balances:
    """What each account holds of each commodity; accounts that hold nothing are not listed."""

    held: Mapping[tuple[str, str], Amount] = field(default_factory=lambda: MappingProxyType({}))

    def at(self, account: str, commodity: str = CHIPS) -> Amount:
        """Return what an account holds."""
        return self.held.get((account, commodity), 0)

    def of(self, commodity: str) -> dict[str, Amount]:
        """Return every account that holds something of a commodity."""
        return {account: amount for (account, kind), amount in self.held.items() if kind == commodity}

    def after(self, postings: Iterable[Posting]) -> Balances:
        """Return the balances after an entry; it need not be checked before."""
        held = dict(self.held)
        for posting in postings:
            place = (posting.account, posting.commodity)
            held[place] = held.get(place, 0) + posting.amount
        return Balances(MappingProxyType({place: amount for place, amount in held.items() if amount}))

    def overdrawn(self) -> tuple[Overdrawn, ...]:
        """Return every account that holds less than nothing and may not (I2), as problems.

        The house without a float, pockets, dues and the like may be below zero; so may the rack as long as no
        set of chips was counted into it.
        """
        has_chipset = self.at(CHIPSET) != 0
        return tuple(
            Overdrawn(account, amount)
            for (account, _), amount in self.held.items()
            if amount < 0 and (may_not_be_negative(account) or (account == RACK and has_chipset))
        )

    def total(self, commodity: str) -> Amount:
        """Return the sum over all accounts; 0 unless something was made or lost (I1)."""
        return sum(self.of(commodity).values())


def book(balances: Balances, postings: Iterable[Posting]) -> Balances:
    """Return the balances after an entry that keeps the invariants I1 and I2.

    Raises:
        Unbalanced: The entry makes or loses chips or money.
        Overdrawn: An account it touches would hold less than nothing.
    """
    lines = tuple(postings)
    check_balanced(lines)
    later = balances.after(lines)
    touched = {line.account for line in lines}
    for problem in later.overdrawn():
        if problem.account in touched:
            raise problem
    return later


def fold(entries: Iterable[Iterable[Posting]]) -> Balances:
    """Return the balances after all entries of a night, in one pass and without checks."""
    held: dict[tuple[str, str], Amount] = {}
    for postings in entries:
        for posting in postings:
            place = (posting.account, posting.commodity)
            held[place] = held.get(place, 0) + posting.amount
    return Balances(MappingProxyType({place: amount for place, amount in held.items() if amount}))


def is_sound(balances: Balances) -> bool:
    """Whether nothing was made or lost and nothing is overdrawn."""
    return not balances.overdrawn() and all(balances.total(commodity) == 0 for commodity in COMMODITIES)


def may_not_be_negative(account: str) -> bool:
    """Whether an account can't hold less than nothing (I2); the rack is another matter (see `overdrawn`)."""
    return account in _NEVER_NEGATIVE or account.startswith(_NEVER_NEGATIVE_KINDS)
