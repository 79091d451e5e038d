"""What a chip is worth in money, and foreign cash at the rate it was taken at (LEDGER.md 7.8).

A night has one money. A chip is worth whole smallest units of it, so an amount of chips is always a whole
amount of money. Foreign cash counts at the rate typed at that buy-in, and is never converted again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from assistant.errors import Refusal
from assistant.money import MAX_DIGITS, Amount, Currency, parse_amount

MOST_CHIP = 10**6
"""No chip is worth more, in smallest units."""
_RATE = re.compile(r"[0-9]{1,6}(?:[.,][0-9]{1,6})?")
_CASH = re.compile(r"(?P<amount>[0-9.,'’\s]*[0-9])\s*(?P<code>[A-Za-z]{3})")


@dataclass(frozen=True, slots=True)
class Foreign:
    """Cash of another currency that was taken for chips.

    Attributes:
        code: ISO 4217 code.
        amount: In its own smallest units.
        rate: What one whole unit of it counted as, in whole units of the night's money: ``0.917``.
        value: What all of it counted as, in smallest units of the night's money.
    """

    code: str
    amount: Amount
    rate: str
    value: Amount


def read_chip_value(text: str, money: Currency) -> Amount:
    """Read what one chip is worth: ``0.25``, a whole number of smallest units.

    Raises:
        Refusal: E_AMOUNT.
    """
    value = parse_amount(text, money)
    if not 1 <= value <= MOST_CHIP:
        raise Refusal("E_AMOUNT", "chip_worth_nothing" if value < 1 else "chip_worth_much", {"found": text})
    return value


def with_code(text: str) -> tuple[str, str] | None:
    """Return amount and code of ``20EUR``; None for what has no code behind it."""
    match = _CASH.fullmatch(text.strip())
    return (match["amount"], match["code"].upper()) if match else None


def read_foreign(text: str, rate: str, money: Currency) -> Foreign:
    """Read foreign cash ``50USD`` taken at a rate.

    What is less than a smallest unit of the night's money is rounded down, as a settlement is (7.6).

    Raises:
        Refusal: E_AMOUNT for what is no such cash or rate, E_OPTION for the night's own money.
    """
    found = with_code(text)
    if found is None:
        raise Refusal("E_AMOUNT", "foreign_unread", {"found": text})
    typed, code = found
    currency = Currency.named(code)
    if code == money.code:
        raise Refusal("E_OPTION", "foreign_own", {"found": code})
    if not _RATE.fullmatch(rate) or not float(rate.replace(",", ".")):
        raise Refusal("E_AMOUNT", "rate_unread", {"found": rate, "code": code})
    amount = parse_amount(typed, currency)
    exact = Fraction(amount, currency.unit) * Fraction(rate.replace(",", ".")) * money.unit
    value = exact.numerator // exact.denominator
    if value < 1:
        raise Refusal("E_AMOUNT", "foreign_nothing", {"found": text})
    if value >= 10**MAX_DIGITS:
        raise Refusal("E_AMOUNT", "amount_too_long", {"found": text, "digits": MAX_DIGITS})
    return Foreign(code, amount, _tidy(rate), value)


def _tidy(rate: str) -> str:
    whole, _mark, fraction = rate.replace(",", ".").partition(".")
    fraction = fraction.rstrip("0")
    return f"{int(whole)}.{fraction}" if fraction else str(int(whole))
