"""A deck as it was shown to the camera, and which of its cards can be read safely from it.

Plain data: whoever enrols a deck collects one `CardLook` after another from `SeenCard.crop`, with the name
the reader is sure of or the dealer gave; `recogniser.prototypes` says what the pictures are worth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum

from assistant.cards import Card, Rank, Suit
from calibration.frames import Image

LOOKS_A_CARD = 2
"""Pictures of each card that are wanted: one alone may have been taken at a bad moment."""
ALL_CARDS = tuple(Card(rank, suit) for suit in Suit for rank in Rank)


@dataclass(frozen=True, slots=True, eq=False)
class CardLook:
    """One picture of one card.

    Attributes:
        card: What it is; None for a joker, a blank or the back.
        crop: The straightened card as the camera saw it, `SeenCard.crop`: (320, 224, 3) uint8, BGR.
    """

    card: Card | None
    crop: Image = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class DeckProfile:
    """A deck that was shown to the camera.

    Attributes:
        name: As the dealer calls it.
        looks: In the order they were taken.
        cards: The cards the deck is meant to have; 32 or 36 for a short one.
    """

    name: str
    looks: tuple[CardLook, ...] = ()
    cards: tuple[Card, ...] = ALL_CARDS

    def with_look(self, look: CardLook) -> DeckProfile:
        """The same with one more picture."""
        return replace(self, looks=(*self.looks, look))

    def without(self, card: Card | None) -> DeckProfile:
        """The same without any picture of a card, to take them again."""
        return replace(self, looks=tuple(look for look in self.looks if look.card != card))

    def counts(self) -> Counter[Card]:
        """How many pictures there are of each card."""
        return Counter(look.card for look in self.looks if look.card is not None)

    def missing(self) -> tuple[Card, ...]:
        """Cards of which no picture was taken, in order."""
        seen = self.counts()
        return tuple(card for card in self.cards if not seen[card])

    def to_see_again(self) -> tuple[Card, ...]:
        """Cards of which more pictures are wanted."""
        seen = self.counts()
        return tuple(card for card in self.cards if seen[card] < LOOKS_A_CARD)


class Safety(Enum):
    """What can be said of a card before it is dealt."""

    SAFE = "safe"
    MISSING = "missing"
    LOOKS_DIFFER = "looks_differ"
    """Its pictures differ too much: one of them was taken badly or shows another card."""
    TOO_ALIKE = "too_alike"
    """Another card of this deck looks the same to the reader."""
    ONE_INDEX = "one_index"
    """Its index is in one place only: it is read when that lies in view, else asked about."""


@dataclass(frozen=True, slots=True)
class CardVerdict:
    """Whether a card of a deck can be read safely.

    Attributes:
        card: The card.
        safety: SAFE and ONE_INDEX are named at the table; any other card is always asked about.
        rival: The card it is nearest to, where that is the trouble.
    """

    card: Card
    safety: Safety
    rival: Card | None = None

    @property
    def is_named(self) -> bool:
        """Whether the reader will ever name this card by itself."""
        return self.safety in (Safety.SAFE, Safety.ONE_INDEX)


def to_be_asked(verdicts: Iterable[CardVerdict]) -> tuple[CardVerdict, ...]:
    """The cards that will be asked about at the table, for saying so at calibration."""
    return tuple(verdict for verdict in verdicts if not verdict.is_named)
