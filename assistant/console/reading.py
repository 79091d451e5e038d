"""How a typed line is read: amounts, cards or table talk become one line, shown before it is booked."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.cards import Card, parse_card
from assistant.console.confirm import named, takes_chips
from assistant.errors import Refusal
from assistant.i18n import _
from assistant.money import format_amount, parse_amount

if TYPE_CHECKING:
    from assistant.games.base import Choice
    from assistant.money import Currency
    from assistant.table.snapshot import TableSnapshot

TALK = ":"
_SEPARATORS = re.compile(r"[\s,;]+")
_AMOUNT = re.compile(r"[0-9][0-9.,'\u00a0\u202f]*")
BIG_STEP = 5
"""An amount this many times the last one of its kind is asked for once more (ledger decisions)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a typed line means.

    Attributes:
        line: The line of table talk to book; empty when there is none.
        says: What the entry line shows behind the arrow.
        verb: The verb, for the size check.
        amount: The amount in it, where there is one.
        cards: The cards in it.
        fill: What it puts into the entry instead of booking anything.
        pick: The number it chooses in a list.
        answer: The number of the question of a card source that it answers, with the first of the cards.
        deck: The deck that takes the tag of that question in.
    """

    line: str = ""
    says: str = ""
    verb: str = ""
    amount: int | None = None
    cards: tuple[Card, ...] = ()
    fill: str = ""
    pick: int | None = None
    answer: int | None = None
    deck: str = ""

    @property
    def is_read(self) -> bool:
        """Whether Enter does something with it."""
        return bool(self.line or self.fill) or self.pick is not None


NOTHING = Reading()
CLOSED = "closed"
SIDE_TWINS = {"р": "higher", "д": "lower"}
"""The same physical keys as h and l on a Russian layout."""
CLOSED_TWINS = frozenset({"с", "з", "закрытая"})
"""The same key as c on a Russian layout; the Russian word and its first letter."""


def read_line(text: str, snapshot: TableSnapshot, selected: str | None = None) -> Reading:
    """Read what was typed at the table.

    Args:
        text: The entry; a leading colon makes it table talk as it stands.
        snapshot: The table, which says whether an amount or a card is expected.
        selected: The seat chips are taken for.
    """
    typed = text.strip()
    if not typed:
        return NOTHING
    if typed.startswith(TALK):
        talk = typed[1:].strip()
        return Reading(talk, _("table talk"), talk.partition(" ")[0].lower()) if talk else NOTHING
    words = [word for word in _SEPARATORS.split(typed) if word]
    market = market_choice(snapshot)
    if market is not None:
        return _take(typed, market, snapshot)
    choice = _amount_choice(snapshot, selected)
    if choice is not None and choice.words:
        sided = _bet_with_side(typed, choice, snapshot)
        if sided is not None:
            return sided
    if choice is not None and _is_amount(typed, words):
        return _bet(typed, choice, snapshot)
    if takes_chips(snapshot) and len(words) == 1 and _AMOUNT.fullmatch(typed):
        # a ten or ten chips? a card that opens the round is never guessed from a bare number
        return Reading(
            says=_(
                "{found}: chips go to a seat, press Tab first; a card needs its suit, or both posts"
            ).format(found=typed)
        )
    cards = read_cards(words)
    if cards is not None:
        return _cards_line(cards, snapshot)
    return _unread(typed, words, snapshot)


def awaits_amount(snapshot: TableSnapshot, selected: str | None) -> bool:
    """Whether a number that is typed now is an amount."""
    return _amount_choice(snapshot, selected) is not None


def _is_amount(typed: str, words: list[str]) -> bool:
    return bool(_AMOUNT.fullmatch(typed)) and (len(words) == 1 or "," in typed)


def _amount_choice(snapshot: TableSnapshot, selected: str | None) -> Choice | None:
    """The choice an amount goes to: the chosen seat's bet, else the one bet or raise that is awaited."""
    for verb in ("bet", "raise", "bank"):
        found = [choice for choice in snapshot.choices if choice.verb == verb]
        if takes_chips(snapshot) and verb == "bet":
            found = [choice for choice in found if choice.player == selected]
        if found and (verb != "raise" or found[0].low != found[0].high):
            return found[0]
    return None


def market_choice(snapshot: TableSnapshot) -> Choice | None:
    """The draw from the market that is awaited: its words are the open cards, then ``closed``."""
    return next((choice for choice in snapshot.choices if choice.verb == "take"), None)


def _take(typed: str, choice: Choice, snapshot: TableSnapshot) -> Reading:
    """A number of the market's list, an open card, or the beginning of "closed"."""
    word = typed.lower()
    if word.isascii() and word.isdigit() and 1 <= int(word) <= len(choice.words):
        chosen = choice.words[int(word) - 1]
    elif CLOSED in choice.words and (CLOSED.startswith(word) or word in CLOSED_TWINS):
        chosen = CLOSED
    else:
        cards = read_cards([word])
        chosen = card_word(cards[0]) if cards is not None and len(cards) == 1 else ""
    if chosen not in choice.words:
        says = _("{found}? the card's number 1-{last}, the card itself, or c for closed")
        return Reading(says=says.format(found=typed, last=len(choice.words)))
    says = _("{name} takes {card}").format(name=_name(snapshot, choice.player), card=market_word(chosen))
    return Reading(f"take {named(snapshot, choice.player)} {chosen}", says, "take")


def market_word(word: str) -> str:
    """A card of the market as the dealer reads it."""
    return _("a closed card") if word == CLOSED else parse_card(word).face


def _bet_with_side(typed: str, choice: Choice, snapshot: TableSnapshot) -> Reading | None:
    """An amount with ``higher`` or ``lower`` behind it, whole or its first letter; None for anything else."""
    match = re.fullmatch(rf"({_AMOUNT.pattern})\s*(\w+)", typed.lower())
    if match is None:
        if not _AMOUNT.fullmatch(typed):
            return None
        return Reading(
            says=_("{amount} on higher or lower? Type {amount}h or {amount}l").format(amount=typed)
        )
    amount, side = match.groups()
    found = SIDE_TWINS.get(side) or next((word for word in choice.words if word.startswith(side)), None)
    if found is None:
        return None
    sides = {"higher": _("higher"), "lower": _("lower")}
    bet = _bet(amount, choice, snapshot, f" {sides[found]}")
    return replace(bet, line=f"{bet.line} {found}")


def _bet(typed: str, choice: Choice, snapshot: TableSnapshot, side: str = "") -> Reading:
    try:
        amount = parse_amount(typed, snapshot.currency)
    except Refusal:
        amount = None
    who = named(snapshot, choice.player)
    line = f"{choice.verb} {who} {typed}" if choice.player else f"{choice.verb} {typed}"
    shown = format_amount(amount, snapshot.currency) if amount is not None else typed
    words = {"bet": _("bet {name} {amount}"), "raise": _("raise {name} {amount}"), "bank": _("bank {amount}")}
    says = words[choice.verb].format(name=_name(snapshot, choice.player), amount=shown) + side
    low, high = choice.low, choice.high
    if amount is not None and low is not None and high is not None and not low <= amount <= high:
        says = _("{what}? allowed: {span}").format(what=says, span=span_text(low, high, snapshot.currency))
    return Reading(line, says, choice.verb, amount)


def span_text(low: int, high: int, currency: Currency) -> str:
    """The amounts that are allowed."""
    first, last = format_amount(low, currency), format_amount(high, currency)
    return last if low == high else f"{first}-{last}"


def _cards_line(cards: tuple[Card, ...], snapshot: TableSnapshot) -> Reading:
    faces = " ".join(card.face for card in cards)
    words = " ".join(card_word(card) for card in cards)
    due = snapshot.due
    if due is not None and due.role == "hand" and due.player is not None:
        says = _("{name} shows {cards}").format(name=_name(snapshot, due.player), cards=faces)
        return Reading(f"show {named(snapshot, due.player)} {words}", says, "show", cards=cards)
    return Reading(f"card {words}", _("card {cards}").format(cards=faces), "card", cards=cards)


def _unread(typed: str, words: list[str], snapshot: TableSnapshot) -> Reading:
    """Say what is wrong with a line that is neither amount nor cards; the first bad word is named."""
    for word in words:
        try:
            parse_card(word, bare_rank=True)
        except Refusal as refusal:
            readings = refusal.facts.get("readings")
            if readings:
                return Reading(says=_("{word}? could be {cards}").format(word=word, cards=readings))
            return Reading(says=_("{word}? no card; any other line begins with :").format(word=word))
    return Reading(says=_("not read"))


def _name(snapshot: TableSnapshot, player: str | None) -> str:
    return next((seat.name for seat in snapshot.seats if seat.player == player), player or "")


def card_word(card: Card) -> str:
    """A card as table talk writes it; a rank alone where the suit is not known."""
    return card.rank.letter + (card.suit.value if card.suit else "")


def read_cards(words: list[str]) -> tuple[Card, ...] | None:
    """Read words as cards, several of them also without blanks between; None if any is none."""
    cards: list[Card] = []
    for word in words:
        found = _one_card(word)
        joined = [found] if found else _joined_cards(word)
        if not joined:
            return None
        cards += joined
    return tuple(cards) or None


def _one_card(word: str) -> Card | None:
    try:
        return parse_card(word, bare_rank=True)
    except Refusal:
        return None


def _joined_cards(word: str) -> list[Card] | None:
    """Read ``qh4s10d``; only where every card has its suit and there is just one way to part them."""
    if len(word) > 60:
        return None
    ways = _partings(word, 2)
    return ways[0] if len(ways) == 1 else None


def _partings(word: str, most: int) -> list[list[Card]]:
    if not word:
        return [[]]
    found: list[list[Card]] = []
    for length in (2, 3):
        if len(word) < length:
            continue
        try:
            card = parse_card(word[:length])
        except Refusal:
            continue
        found += [[card, *rest] for rest in _partings(word[length:], most)]
        if len(found) >= most:
            break
    return found


def asks_again(reading: Reading, last: int | None) -> bool:
    """Whether an amount is so far from the last one of its kind that it is asked for once more."""
    return reading.amount is not None and bool(last) and reading.amount > BIG_STEP * (last or 0)
