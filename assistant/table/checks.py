"""What several verbs ask before they do anything: the moment, the amount, who is meant, when it was said."""

from __future__ import annotations

import re
from collections.abc import Mapping

from assistant.errors import Refusal
from assistant.holdings import HOUSE
from assistant.ledger import events as ledger
from assistant.ledger.nodes import MISSING_NAME, NODES
from assistant.money import Amount
from assistant.table.night import Night
from assistant.talk import MAX_NAME_LENGTH, PAYMENT_WORDS, Command, Words, same_person

_TIME = re.compile(r"([01]?[0-9]|2[0-3]):[0-5][0-9]")


def words_of(night: Night, command: Command, *, bare_ranks: bool = False) -> Words:
    """The words of a line as this night reads them."""
    return Words(
        list(command.words),
        night.known_as(),
        night.currency,
        bare_ranks,
        command.rest,
        money=night.money if night.has_chip_value else None,
        chip=night.chip,
    )


def still_open(night: Night) -> None:
    """The night goes on."""
    if night.closed:
        raise Refusal("E_PHASE", "night_closed", {})


def between_rounds(night: Night) -> None:
    """The night goes on and no round is being played."""
    still_open(night)
    if night.in_round:
        raise Refusal("E_PHASE", "round_runs", {})


def no_chips_on_layout(night: Night, player: str) -> None:
    """Between rounds, and the player has no chips on the layout."""
    between_rounds(night)
    if night.chips.bet(player):
        raise Refusal("E_PHASE", "chips_on_layout", {"player": player, "bet": night.chips.bet(player)})


def positive(amount: Amount) -> Amount:
    """An amount of at least 1."""
    if amount < 1:
        raise Refusal("E_AMOUNT", "amount_zero", {"found": amount})
    return amount


def anybody(night: Night) -> Mapping[str, str]:
    """Same-person key -> id of everybody who ever took part, also those who left and a cashier without a
    chair."""
    return {same_person(person.name): person.player for person in night.people}


def somebody(night: Night, name: str) -> str:
    """The id of anybody who ever took part."""
    found = anybody(night).get(same_person(name))
    if found is None:
        raise Refusal("E_PLAYER", "nobody_known", {"found": " ".join(name.split())[: MAX_NAME_LENGTH * 2]})
    return found


def somebody_or_node(night: Night, name: str) -> str:
    """The id of anybody who ever took part, or a node of the settlement."""
    if name.casefold() == MISSING_NAME:
        return HOUSE
    return name.lower() if name.lower() in NODES else somebody(night, name)


def box_has(night: Night, amount: Amount) -> None:
    """So much cash is in the box."""
    if amount > night.books.box:
        raise Refusal("E_BOX", "", {"found": amount, "box": night.books.box})


def said_at(words: Words) -> str:
    """The time of the option ``at=``, where a line is entered late; empty for now."""
    text = words.options.get("at", "")
    if text and not _TIME.fullmatch(text):
        raise Refusal("E_OPTION", "time_unread", {"found": text})
    return text.zfill(5) if text else ""


def how_paid(words: Words, usual: str, *others: str) -> str:
    """The word behind an amount that says how it is paid; the usual way where there is none."""
    if not words.more:
        return usual
    if words.next_payment() in (ledger.CASH, *others):
        return PAYMENT_WORDS[words.text().lower()]
    return words.one_of(ledger.CASH, *others)
