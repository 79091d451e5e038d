"""Whole amounts: reading what people type, and sharing without losing a unit.

An `Amount` counts the smallest units of the night: chips, or cents of its currency. It is an alias and no
class, because a sum of amounts is an amount; no amount is ever a fraction.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assistant.errors import Refusal

Amount = int
MAX_DIGITS = 9
_GROUP_BLANKS = " \u00a0\u202f'’"
_DECIMALS = {"JPY": 0, "KRW": 0, "VND": 0, "CLP": 0, "ISK": 0, "KWD": 3, "BHD": 3, "TND": 3}


@dataclass(frozen=True, slots=True)
class Currency:
    """What the night is counted in.

    Attributes:
        code: ISO 4217 code; empty for plain chips.
        decimals: Digits behind the decimal mark (chips: 0).
    """

    code: str = ""
    decimals: int = 0

    @property
    def unit(self) -> Amount:
        """Smallest units in one whole unit: 100 for euros, 1 for chips."""
        return int(10**self.decimals)

    @classmethod
    def named(cls, code: str) -> Currency:
        """Return the currency of an ISO code.

        Raises:
            Refusal: E_OPTION when it isn't three letters.
        """
        if not re.fullmatch(r"[A-Za-z]{3}", code):
            raise Refusal("E_OPTION", "currency_unknown", {"found": code})
        return cls(code.upper(), _DECIMALS.get(code.upper(), 2))


CHIPS = Currency()


def parse_amount(text: str, currency: Currency = CHIPS, *, point_only: bool = False) -> Amount:
    """Read an amount as it was typed.

    Blanks, no-break blanks and apostrophes group digits in threes; ``.`` and ``,`` mark decimals on a night
    with a currency. What could be read in two ways is refused, never guessed. ASCII digits only.

    Args:
        text: What was typed.
        currency: The night's currency; chips are whole.
        point_only: Inside a list whose items are parted by commas the mark can only be a point.

    Raises:
        Refusal: E_AMOUNT.
    """
    word = text.strip()
    if not word or not re.fullmatch(rf"[0-9.,{_GROUP_BLANKS}]+", word):
        raise _unread(text, currency)
    whole, mark, fraction = _split_decimals(word, currency, text, point_only)
    digits = _join_groups(whole, text, currency)
    if len(digits.lstrip("0")) > MAX_DIGITS:
        raise Refusal("E_AMOUNT", "amount_too_long", {"found": text, "digits": MAX_DIGITS})
    if mark and not re.fullmatch(r"[0-9]+", fraction):
        raise _unread(text, currency)
    if currency.decimals >= 3 and len(fraction) == currency.decimals + 1:
        fraction = fraction.removesuffix("0")  # 12.3450: the way to write what 12.345 leaves open
    if len(fraction) > currency.decimals:
        raise Refusal("E_AMOUNT", "amount_too_fine", {"found": text, "decimals": currency.decimals})
    return int(digits) * currency.unit + int((fraction or "0").ljust(currency.decimals, "0") or "0")


def _unread(text: str, currency: Currency) -> Refusal:
    return Refusal("E_AMOUNT", "amount_money" if currency.decimals else "", {"found": text})


def _ambiguous(text: str, whole: int, fraction: str, currency: Currency) -> Refusal:
    """Both readings, and how to write each so that it has no other: ``12.3450`` for 12.345 dinars; of money
    with fewer decimals the second is none, and is cut to those it has."""
    grouped, parts = f"{whole}{fraction}", f"{whole}.{fraction}"
    written = (
        f"{parts}0" if currency.decimals >= len(fraction) else parts[: currency.decimals - len(fraction)]
    )
    readings = {"whole": grouped, "parts": parts, "written": written}
    decimals = len(written.partition(".")[2])
    return Refusal("E_AMOUNT", "amount_ambiguous", {"found": text, **readings, "decimals": decimals})


def _split_decimals(word: str, currency: Currency, text: str, point_only: bool) -> tuple[str, str, str]:
    marks = [char for char in word if char in ".,"]
    if not marks:
        return word, "", ""
    if point_only and "," in marks:
        raise _unread(text, currency)
    last = marks[-1]
    whole, fraction = word.rsplit(last, 1)
    if len(marks) == 1:
        if currency.decimals == 0 and len(fraction) == 3:
            return word, "", ""  # 1,234 can only be a group where there are no decimals
        if len(fraction) == 3 and re.fullmatch(r"0{0,2}[1-9][0-9]{0,2}", whole):
            raise _ambiguous(text, int(whole), fraction, currency)
        return whole, last, fraction
    if len(set(marks)) == 1:  # 1.234.567: groups only
        return word, "", ""
    if last in whole:  # 1.234,567,8
        raise _unread(text, currency)
    return whole, last, fraction


def _join_groups(whole: str, text: str, currency: Currency) -> str:
    """Digits of the whole part; groups must be of three and parted by one kind of mark."""
    if re.fullmatch(r"[0-9]+", whole):
        return whole
    for mark in {char for char in whole if not char.isdigit()}:
        head, *groups = whole.split(mark)
        if re.fullmatch(r"[1-9][0-9]{0,2}", head) and all(
            re.fullmatch(r"[0-9]{3}", group) for group in groups
        ):
            return head + "".join(groups)
    raise _unread(text, currency)


def format_amount(amount: Amount, currency: Currency = CHIPS, *, sign: bool = False) -> str:
    """Write an amount with a point as decimal mark: ``12``, ``12.50``, ``-3``; with `sign` also ``+3``."""
    prefix = "-" if amount < 0 else "+" if sign and amount > 0 else ""
    whole, rest = divmod(abs(amount), currency.unit)
    return f"{prefix}{whole}" + (f".{rest:0{currency.decimals}}" if currency.decimals else "")


def share_equally(total: Amount, ways: Sequence[str]) -> dict[str, Amount]:
    """Share `total` equally; the odd units go one each to the first of `ways`.

    This is the one place that says where an odd chip goes: callers order `ways` from the dealer's left.
    """
    each, odd = divmod(total, len(ways))
    return {who: each + (1 if index < odd else 0) for index, who in enumerate(ways)}


def share_in_units(total: Amount, ways: Sequence[str], unit: Amount) -> dict[str, Amount]:
    """Share `total` equally in whole units, odd units one each to the first of `ways`; what is less than a
    unit is shared with nobody."""
    return {who: units * unit for who, units in share_equally(total // unit, ways).items()}


def share_by_weight(total: Amount, weights: Mapping[str, Amount]) -> dict[str, Amount]:
    """Share `total` in proportion to positive weights, in whole units.

    Everybody gets the whole units below their exact share; the units left over go one each to the largest
    remainders, ties to whoever comes first.

    Raises:
        ValueError: No weight is positive.
    """
    base = sum(weights.values())
    if base <= 0 or min(weights.values()) < 0:
        raise ValueError("weights must be positive")
    shares = {who: total * weight // base for who, weight in weights.items()}
    order = sorted(weights, key=lambda who: -(total * weights[who] % base))
    for who in order[: total - sum(shares.values())]:
        shares[who] += 1
    return shares
