"""Cards and the ways people write them, in both alphabets; what a shoe holds and what was seen of it.

Notation follows table talk, "Cards": ``QH``, ``10s``, ``A♠``, ``h10``, ``Дч``, ``йр``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, IntEnum

from assistant.errors import Refusal


class Suit(Enum):
    """A suit; suits have no rank among themselves."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    @property
    def sign(self) -> str:
        """The suit's sign, one cell wide in most terminals."""
        return {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}[self.value]

    @property
    def is_red(self) -> bool:
        """Whether the suit is printed in red on a two-colour deck."""
        return self in (Suit.DIAMONDS, Suit.HEARTS)


class Rank(IntEnum):
    """A rank; the ace is high (14)."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """One character as in logs: ``2``-``9``, ``T``, ``J``, ``Q``, ``K``, ``A``."""
        return "23456789TJQKA"[self.value - 2]

    @property
    def label(self) -> str:
        """As printed on a card: ``10`` instead of ``T``."""
        return "10" if self is Rank.TEN else self.letter


@dataclass(frozen=True, slots=True)
class Card:
    """A playing card; ``suit`` is None where only the rank was said (games in which suits don't matter)."""

    rank: Rank
    suit: Suit | None = None

    def __str__(self) -> str:
        return self.rank.letter + (self.suit.value if self.suit else "?")

    @property
    def face(self) -> str:
        """As a person reads it: ``10♥``; ``Q`` when the suit is unknown."""
        return self.rank.label + (self.suit.sign if self.suit else "")

    def beats(self, other: Card) -> bool:
        """Whether this card has the same suit as `other` and a higher rank (RULES.md 1.3)."""
        return self.suit is not None and self.suit is other.suit and self.rank > other.rank


FULL_DECK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
CARDS_A_DECK = 52

_LATIN_RANKS = {rank.letter: rank for rank in Rank} | {"10": Rank.TEN}
_DIGIT_RANKS = {str(number): Rank(number) for number in range(2, 11)}
_LATIN_SUITS = {suit.value: suit for suit in Suit}
_SIGNS = {"♣": Suit.CLUBS, "♧": Suit.CLUBS, "♦": Suit.DIAMONDS, "♢": Suit.DIAMONDS}
_SIGNS |= {"♥": Suit.HEARTS, "♡": Suit.HEARTS, "♠": Suit.SPADES, "♤": Suit.SPADES}
_RUSSIAN_RANKS = {"В": Rank.JACK, "Д": Rank.QUEEN, "К": Rank.KING, "Т": Rank.ACE}
_RUSSIAN_SUITS = {"Т": Suit.CLUBS, "Б": Suit.DIAMONDS, "Ч": Suit.HEARTS, "П": Suit.SPADES}
# The same physical keys with the Russian layout switched on: Q J K A T and S H D C.
_LAYOUT_RANKS = {"Й": Rank.QUEEN, "О": Rank.JACK, "Л": Rank.KING, "Ф": Rank.ACE, "Е": Rank.TEN}
_LAYOUT_SUITS = {"Ы": Suit.SPADES, "Р": Suit.HEARTS, "В": Suit.DIAMONDS, "С": Suit.CLUBS}
_EMOJI_SELECTOR = "\ufe0f"
_LOOKALIKE_RANKS = {
    "Т": (Rank.TEN, Rank.ACE),
    "А": (Rank.ACE,),
    "К": (Rank.KING,),
    "J": (Rank.JACK,),
    "В": (Rank.JACK,),
    "Д": (Rank.QUEEN,),
}


def parse_card(text: str, *, bare_rank: bool = False) -> Card:
    """Read one card as a person writes it.

    Args:
        text: One word, e.g. ``qh``, ``10S``, ``A♠``, ``h10``, ``Дч``, ``йр``.
        bare_rank: Whether a rank alone is a card (casino Red Dog, Acey-Deucey).

    Raises:
        Refusal: E_CARD; the facts name the readings that were possible.
    """
    word = _in_capitals(text.strip().replace(_EMOJI_SELECTOR, ""))
    found = _read_whole(word)
    if found is None and bare_rank:
        rank = _read_rank_alone(word)
        found = Card(rank) if rank else None
    if found is not None:
        return found
    readings = _possible_readings(word)
    if readings:
        facts = {"found": text, "readings": " / ".join(str(card) for card in readings)}
        raise Refusal("E_CARD", "card_ambiguous", facts)
    if _read_rank_alone(word) is not None:
        raise Refusal("E_CARD", "card_without_suit", {"found": text})
    raise Refusal("E_CARD", "", {"found": text})


def _in_capitals(word: str) -> str:
    """The word in capitals; letters that only turn into one of ours (``ſ`` into ``S``) stay what they are."""
    return "".join(char.upper() if char.upper().lower() == char.lower() else char for char in word)


def _read_whole(word: str) -> Card | None:
    for split in (len(word) - 1, 1):
        if 0 < split < len(word):
            card = _read_pair(word[:split], word[split:])
            if card is not None:
                return card
    return None


def _read_pair(first: str, second: str) -> Card | None:
    """Rank then suit in any of the alphabets; suit then rank in Latin letters and signs only."""
    suits_after = (_LATIN_SUITS | _SIGNS).get(second)
    if suits_after and first in _LATIN_RANKS:
        return Card(_LATIN_RANKS[first], suits_after)
    suits_before = (_LATIN_SUITS | _SIGNS).get(first)
    if suits_before and second in _LATIN_RANKS:
        return Card(_LATIN_RANKS[second], suits_before)
    if second in _RUSSIAN_SUITS and first in _DIGIT_RANKS | _RUSSIAN_RANKS:
        return Card((_DIGIT_RANKS | _RUSSIAN_RANKS)[first], _RUSSIAN_SUITS[second])
    if second in _LAYOUT_SUITS and first in _DIGIT_RANKS | _LAYOUT_RANKS:
        return Card((_DIGIT_RANKS | _LAYOUT_RANKS)[first], _LAYOUT_SUITS[second])
    if second in _SIGNS and first in _RUSSIAN_RANKS and first != "Т":
        return Card(_RUSSIAN_RANKS[first], _SIGNS[second])
    return None


def _read_rank_alone(word: str) -> Rank | None:
    if word == "Т":  # ten by its shape, the ace by its Russian name: never decided silently
        return None
    return (_LATIN_RANKS | _RUSSIAN_RANKS | _LAYOUT_RANKS).get(word)


def _possible_readings(word: str) -> tuple[Card, ...]:
    """Cards that somebody could have meant by a word that mixes alphabets."""
    if word == "Т":
        return (Card(Rank.TEN), Card(Rank.ACE))
    if len(word) < 2 or len(word) > 3:
        return ()
    ranks = {name: (rank,) for name, rank in (_LATIN_RANKS | _LAYOUT_RANKS).items()} | _LOOKALIKE_RANKS
    suits = _LAYOUT_SUITS | _RUSSIAN_SUITS | _SIGNS | _LATIN_SUITS
    suit = suits.get(word[-1])
    return tuple(Card(rank, suit) for rank in ranks.get(word[:-1], ())) if suit else ()


@dataclass(frozen=True, slots=True)
class Shoe:
    """The deck or shoe in use: how many decks it holds and which cards were seen of it.

    Attributes:
        decks: Number of 52-card decks.
        seen: Cards seen since the last shuffle, in order; repeats are possible from two decks on.
        shuffles: How often it was shuffled this night; two equal numbers mean the same run of cards.
    """

    decks: int = 1
    seen: tuple[Card, ...] = ()
    shuffles: int = 0

    @property
    def cards_left(self) -> int:
        """Cards not seen yet."""
        return CARDS_A_DECK * self.decks - len(self.seen)

    def can_show(self, card: Card) -> bool:
        """Whether `card` may still turn up: a shoe of n decks holds each card n times and each rank 4n
        times."""
        same_rank = [other.suit for other in self.seen if other.rank is card.rank]
        same_card = same_rank.count(card.suit) if card.suit else 0
        return len(same_rank) < 4 * self.decks and same_card < self.decks

    def see(self, cards: Iterable[Card]) -> Shoe:
        """Return the shoe after `cards` were seen.

        Raises:
            Refusal: E_DUPLICATE_CARD for a card that has been seen as often as the shoe holds it; E_NO_CARDS
                when nothing is left.
        """
        shoe = self
        for card in cards:
            if shoe.cards_left <= 0:
                raise Refusal("E_NO_CARDS", "", {"card": card})
            if not shoe.can_show(card):
                raise Refusal("E_DUPLICATE_CARD", "", {"card": card, "decks": shoe.decks})
            shoe = Shoe(shoe.decks, (*shoe.seen, card), shoe.shuffles)
        return shoe

    def shuffled(self, decks: int | None = None) -> Shoe:
        """Return a fresh shoe of the same (or another) number of decks."""
        return Shoe(decks or self.decks, (), self.shuffles + 1)

    def missing(self) -> tuple[Card, ...]:
        """The cards not seen, each as often as it is missing; ranks alone once a rank alone was seen."""
        if any(card.suit is None for card in self.seen):
            left = self.unseen_by_rank()
            return tuple(Card(rank) for rank in Rank for _ in range(left[rank]))
        seen = Counter(self.seen)
        return tuple(card for card in FULL_DECK for _ in range(self.decks - seen[card]))

    def unseen_by_rank(self) -> dict[Rank, int]:
        """Cards left of each rank."""
        seen = Counter(card.rank for card in self.seen)
        return {rank: 4 * self.decks - seen[rank] for rank in Rank}
