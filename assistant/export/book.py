"""What every export is made of: a night's people, entries and results as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from assistant.ledger.accounts import CHIPS as CHIP_COMMODITY
from assistant.ledger.accounts import Posting
from assistant.money import CHIPS, Amount, Currency, format_amount


@dataclass(frozen=True, slots=True)
class BookEntry:
    """One accepted line.

    Attributes:
        seq: Its number.
        at: When it was entered, local time with its zone.
        operator: Who entered it.
        verb: What it is.
        line: The line of table talk.
        reverses: Numbers of earlier entries that it takes back.
        postings: What moved; may be empty.
    """

    seq: int
    at: datetime
    operator: str
    verb: str
    line: str
    reverses: tuple[int, ...]
    postings: tuple[Posting, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """A player's night, or a node's: ``house``, ``carried`` or ``box``.

    `net` is the result of the game; `settles` what the plan gives (plus) or takes: another where cash was
    paid at once, costs were shared or the plan is rounded; `exact` is that before rounding, None where
    nothing was rounded.
    """

    player: str
    name: str
    bought_in: Amount
    cashed_out: Amount
    net: Amount
    settles: Amount
    is_node: bool = False
    exact: Amount | None = None


@dataclass(frozen=True, slots=True)
class BookPayment:
    """One payment of the settlement, by names."""

    payer: str
    payee: str
    amount: Amount
    paid: Amount = 0


@dataclass(frozen=True, slots=True)
class BookCount:
    """What was counted in front of a player, or at a place; None where nobody counted.

    Attributes:
        name: A player's, or ``pool``, ``rack``, ``box``.
        is_money: Whether it is money, as in the box.
        confirmed_by: Who confirmed it; empty where nobody did.
    """

    name: str
    ledger: Amount
    counted: Amount | None
    is_money: bool = False
    confirmed_by: str = ""


@dataclass(frozen=True, slots=True)
class Stay:
    """A player's time in a chair, from taking it to leaving it or the close.

    Attributes:
        start: When they took the chair.
        end: When they left it; None while they sit.
        bought_in: Bought meanwhile.
        cashed_out: Cashed meanwhile.
        stack: In front of them at the end.
    """

    player: str
    name: str
    start: datetime
    end: datetime | None
    bought_in: Amount
    cashed_out: Amount
    stack: Amount


@dataclass(frozen=True, slots=True)
class Book:
    """A night, ready to be written in any form.

    Attributes:
        night: Its name.
        day: The day it began, by which it is dated also after midnight.
        currency: What money is in; results, payments and stays too.
        chips: What postings of chips are in; None where it is the same.
        language: The dealer's.
        counts: The last count; empty where nobody counted.
        names: Player id -> name of everybody who took part, in the order of their first seat.
        head: Seal of the last entry.
    """

    night: str
    day: date
    entries: tuple[BookEntry, ...]
    results: tuple[Result, ...]
    payments: tuple[BookPayment, ...]
    names: tuple[tuple[str, str], ...]
    stays: tuple[Stay, ...] = ()
    counts: tuple[BookCount, ...] = ()
    head: str = ""
    currency: Currency = CHIPS
    chips: Currency | None = None
    language: str = "en"

    def commodity(self, commodity: str) -> str:
        """Return what a commodity is called in other programs."""
        return "CHIP" if commodity == CHIP_COMMODITY else self.currency.code or "MONEY"

    def written(self, amount: Amount, commodity: str) -> str:
        """Return an amount of a commodity with a point and as many decimals as it has."""
        return format_amount(amount, self.currency_of(commodity))

    def currency_of(self, commodity: str) -> Currency:
        """Return what a commodity is counted in."""
        return (self.chips or self.currency) if commodity == CHIP_COMMODITY else self.currency
