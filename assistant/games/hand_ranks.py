"""What five cards are worth in Rake, and what the Ace of Skulls does (RULES.md 9.6, 9.7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from assistant.cards import Card, Rank, Suit

HAND_SIZE = 5
ACE_OF_SKULLS = Card(Rank.ACE, Suit.SPADES)
# The ace below the two: such a run counts as five-high.
LOW_RUN = (14, 5, 4, 3, 2)
_ABOVE_ACES = int(Rank.ACE) + 1


class Category(IntEnum):
    """Kinds of hands, low to high."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    RUN = 4
    SUITS_FULL = 5
    FULL_PACK = 6
    QUADS = 7
    RAKE = 8


@dataclass(frozen=True, slots=True)
class RankRules:
    """House rules of comparing hands (RULES.md 9.2).

    Attributes:
        strict: High Card compares one card, Pair one further card.
        two_pair_above_trips: Two Pair beats Three of a Kind.
        ladies_high: Four Ladies are the best Quads.
    """

    strict: bool = False
    two_pair_above_trips: bool = False
    ladies_high: bool = False


@dataclass(frozen=True, slots=True, order=True)
class HandValue:
    """What a hand is worth; the greater value wins.

    Attributes:
        place: Place of the category in the order of the house.
        ranks: Ranks compared in turn.
        category: What the hand is.
    """

    place: int
    ranks: tuple[int, ...]
    category: Category


def hand_value(cards: Sequence[Card], rules: RankRules = RankRules()) -> HandValue:
    """Return what five cards are worth."""
    counts = Counter(int(card.rank) for card in cards)
    # Ranks by how often they come, then by height: (times, rank), the greatest first.
    groups = sorted(((times, rank) for rank, times in counts.items()), reverse=True)
    ranks = tuple(rank for _, rank in groups)
    category = _category(tuple(times for times, _ in groups), ranks, len({card.suit for card in cards}) == 1)
    return HandValue(_place(category, rules), _compared(category, ranks, rules), category)


def _category(times: tuple[int, ...], ranks: tuple[int, ...], one_suit: bool) -> Category:
    if times[0] == 4:
        return Category.QUADS
    if times[0] == 3:
        return Category.FULL_PACK if times[1] == 2 else Category.THREE_OF_A_KIND
    if times[0] == 2:
        return Category.TWO_PAIR if times[1] == 2 else Category.PAIR
    in_sequence = ranks[0] - ranks[-1] == HAND_SIZE - 1 or ranks == LOW_RUN
    if one_suit:
        return Category.RAKE if in_sequence else Category.SUITS_FULL
    return Category.RUN if in_sequence else Category.HIGH_CARD


def _place(category: Category, rules: RankRules) -> int:
    if rules.two_pair_above_trips and category in (Category.TWO_PAIR, Category.THREE_OF_A_KIND):
        return int(Category.TWO_PAIR) + int(Category.THREE_OF_A_KIND) - category
    return int(category)


def _compared(category: Category, ranks: tuple[int, ...], rules: RankRules) -> tuple[int, ...]:
    """The ranks that count, in turn (RULES.md 9.6)."""
    match category:
        case Category.RUN | Category.RAKE:
            return (ranks[1],) if ranks == LOW_RUN else (ranks[0],)
        case Category.QUADS if rules.ladies_high and ranks[0] == Rank.QUEEN:
            return (_ABOVE_ACES,)
        case Category.QUADS | Category.THREE_OF_A_KIND | Category.FULL_PACK:
            return (ranks[0],)
        case Category.HIGH_CARD if rules.strict:
            return ranks[:1]
        case Category.PAIR if rules.strict:
            return ranks[:2]
        case _:
            return ranks


def ace_of_skulls_wins(cards: Sequence[Card]) -> bool | None:
    """Say what the Ace of Skulls does for a hand; None for a hand without it.

    It wins where it is one of the scoring cards of Three of a Kind or better, else the hand loses.
    """
    if ACE_OF_SKULLS not in cards:
        return None
    category = hand_value(cards).category
    if category in (Category.HIGH_CARD, Category.PAIR, Category.TWO_PAIR):
        return False
    if category in (Category.THREE_OF_A_KIND, Category.QUADS):
        return sum(card.rank is Rank.ACE for card in cards) >= 3
    return True
