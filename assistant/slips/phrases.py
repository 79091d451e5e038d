"""Phrases that stand on more than one slip."""

from __future__ import annotations

from assistant.i18n import _
from assistant.ledger.events import AS_COUNTED, HELD_OPEN
from assistant.ledger.nodes import BOX, CARRIED, HOUSE, MISSING_NAME, SURPLUS_NAME
from assistant.money import Amount, Currency, format_amount
from assistant.slips.layout import plain

HEAD_DIGITS = 12


def short_head(head: str) -> str:
    """Return the first 12 hex digits of a seal as they are printed: ``9f3c 41aa 07d2``."""
    digits = plain(head)[:HEAD_DIGITS]
    return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))


def night_title(name: str) -> str:
    """Return the night's name with the word before it."""
    return _("Night {name}").format(name=plain(name))


def copy_mark(copy: int) -> list[str]:
    """Return the mark of every print but the first, as a list to be laid out or empty."""
    return [_("COPY {number}").format(number=copy)] if copy > 1 else []


def partner(name: str) -> str:
    """Return a partner of a payment: house, carried pool and box by their names, players as they are."""
    nodes = {
        HOUSE: _("House"),
        CARRIED: _("Carried pool"),
        BOX: _("Cash box"),
        MISSING_NAME: _("Missing chips"),
        SURPLUS_NAME: _("Surplus chips"),
    }
    return nodes.get(name) or plain(name)


def unit(currency: Currency, chip: Amount = 0) -> str:
    """Return what the amounts on a slip are in, and what a chip is worth where chips have a value."""
    if not currency.code:
        return _("amounts in chips")
    text = _("amounts in {currency}").format(currency=currency.code)
    return f"{text}, {chip_value(currency, chip)}" if chip else text


def chip_value(currency: Currency, chip: Amount) -> str:
    """Return what a chip is worth."""
    return _("1 chip = {amount}").format(amount=format_amount(chip, currency))


def accepted(policy: str) -> str:
    """Return how a difference is borne: by a policy of the ledger's, or by the player it names."""
    sentences = {
        "equal": _("Accepted: shared equally"),
        "winners": _("Accepted: shared by the winners"),
        "losers": _("Accepted: shared by the losers"),
        AS_COUNTED: _("Accepted: as counted"),
        HELD_OPEN: _("Accepted: held open until it is found"),
    }
    return sentences.get(policy) or _("Accepted: borne by {name}").format(name=plain(policy))


def record_only() -> str:
    """Return the sentence that keeps a slip from being taken for a bill."""
    return _("Record only. No money is moved by this program.")
