"""House rules: how the value of an option is read, once for all games."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from assistant.errors import Refusal
from assistant.games.base import Option
from assistant.money import Amount, Currency, parse_amount

PART = "0-0.99"
OptionReader = Callable[[str, Currency], object]


def words(name: str, default: str, *others: str) -> Option:
    """An option that takes one of some words, the default first."""
    values = (default, *others)

    def read(text: str, currency: Currency) -> object:
        if text.lower() not in values:
            raise _out_of_range(name, text, ", ".join(values))
        return text.lower()

    return Option(name, default, read, values)


def flag(name: str, default: bool, *, fixed: bool = False) -> Option:
    """An option that is on or off, written ``true``/``false`` or ``on``/``off``; `fixed` allows no other."""
    meanings = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
    usual = "true" if default else "false"
    legal = (usual,) if fixed else ("true", "false")

    def read(text: str, currency: Currency) -> object:
        if text.lower() not in meanings or (fixed and meanings[text.lower()] is not default):
            raise _out_of_range(name, text, ", ".join(legal))
        return meanings[text.lower()]

    return Option(name, usual, read, legal)


def whole(name: str, default: int, low: int, high: int) -> Option:
    """An option that is a whole number and no amount."""
    span = f"{low}-{high}"

    def read(text: str, currency: Currency) -> object:
        if not (text.isascii() and text.isdigit() and len(text) < 10 and low <= int(text) <= high):
            raise _out_of_range(name, text, span)
        return int(text)

    return Option(name, str(default), read, span=span)


def amount(name: str, default: str, low: Amount, *names: str) -> Option:
    """An option that is an amount of at least `low` smallest units, or one of `names`; the default is in
    whole units."""

    def read(text: str, currency: Currency) -> object:
        if text.lower() in names:
            return text.lower()
        found = parse_amount(text, currency)
        if found < low:
            raise _out_of_range(name, text, ", ".join((f">= {low}", *names)))
        return found

    return Option(name, default, read, names)


def amounts(name: str, default: str) -> Option:
    """An option that is a list of amounts parted by commas; the decimal mark in it is a point."""

    def read(text: str, currency: Currency) -> object:
        found = tuple(parse_amount(part, currency, point_only=True) for part in text.split(","))
        if min(found) < 1 or len(set(found)) != len(found):
            raise _out_of_range(name, text, default)
        return tuple(sorted(found))

    return Option(name, default, read)


def share(name: str, default: str) -> Option:
    """An option that is a part of the whole, at least 0 and below 1, written ``0.25``."""

    def read(text: str, currency: Currency) -> object:
        # read by pattern: Fraction itself takes 1e-99999999 and works on it for minutes
        found = Fraction(text.replace(",", ".")) if re.fullmatch(r"[01]?[.,]?[0-9]{1,6}", text) else None
        if found is None or not 0 <= found < 1:
            raise _out_of_range(name, text, PART)
        return found

    return Option(name, default, read, span=PART)


def read_options(
    options: Sequence[Option], typed: Mapping[str, str], currency: Currency
) -> dict[str, object]:
    """Read what was typed behind ``game NAME``; options not named keep their default.

    Raises:
        Refusal: E_OPTION for an unknown option or value, E_AMOUNT for what is not an amount.
    """
    known = {option.name: option for option in options}
    for name in typed:
        if name not in known:
            raise Refusal("E_OPTION", "option_unknown", {"name": name, "known": ", ".join(sorted(known))})
    return {name: option.read(typed.get(name, option.default), currency) for name, option in known.items()}


def _out_of_range(name: str, found: str, legal: str) -> Refusal:
    return Refusal("E_OPTION", "option_value", {"name": name, "found": found, "legal": legal})
