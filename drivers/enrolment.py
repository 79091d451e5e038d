"""Enrolling a deck: which tag sticks on which card, worked out in passes through a sorted deck.

The first pass gives each expected card the next new tag. The second goes through the same deck backwards and
must find every tag where the first put it; a card that was missed, doubled or swapped in either shifts the
order and shows. A third gives each card a second sticker, checked the same way (SHOE_PROTOCOL.md 6). Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from drivers.deckmap import Twin, near_twins
from drivers.decks import Deck, expected_cards
from drivers.presence import Presence

SAME_DRAW_S = 1.0
"""A tag read again within this time is the card that was just drawn."""


class Pass(Enum):
    """What the deck is being gone through for."""

    FILL = "fill"
    """In order: each card takes the next new tag."""
    CHECK = "check"
    """Backwards: each tag must be the expected card's."""
    LEFT = "left"
    """Cards were left without a tag: is no card left over in the deck? If one is, all others are one off."""
    DONE = "done"


class Said(Enum):
    """What came of a tag or a key."""

    TAKEN = "taken"
    """The expected card has this tag now."""
    SEEN = "seen"
    """Backwards: the expected card was found."""
    SAME = "same"
    """The card that was just drawn; nothing happened."""
    USED = "used"
    """The tag sticks on a card that was drawn before: stop and compare the two."""
    WRONG = "wrong"
    """Backwards: this is not the expected card's tag."""
    UNKNOWN = "unknown"
    """Backwards: nobody drew this tag in the first pass."""
    SKIPPED = "skipped"
    UNDONE = "undone"
    MOVED = "moved"
    NOTHING = "nothing"
    """There is nothing to undo, skip or go to."""
    TURNED = "turned"
    """A pass is over; see `Enrolment.now`."""


STOPS = frozenset({Said.USED, Said.WRONG, Said.UNKNOWN})
"""Answers after which the dealer must look at the cards."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a tag or a key.

    Attributes:
        said: In short.
        card: The card that was expected, taken, skipped or gone to; empty where there was none.
        other: The card the tag belongs to already, where that is another.
        tag: The tag that was read.
    """

    said: Said
    card: str = ""
    other: str = ""
    tag: str = ""

    @property
    def stops(self) -> bool:
        """Whether the dealer must look at the cards."""
        return self.said in STOPS


@dataclass(frozen=True, slots=True)
class Report:
    """What an enrolment found.

    Attributes:
        tags: How many tags were enrolled.
        missing: Cards without one.
        twins: Pairs that damage could turn into each other; they are confirmed twice at the table.
    """

    tags: int
    missing: tuple[str, ...]
    twins: tuple[Twin, ...]


class Enrolment:
    """One deck being enrolled.

    Args:
        jokers: How many jokers lie behind the king of clubs.
        stickers: Stickers a card bears, each gone through forwards and backwards.
    """

    def __init__(self, *, jokers: int = 0, stickers: int = 1) -> None:
        self.cards = expected_cards(jokers)
        self._jokers = jokers
        self._rounds_left = stickers
        self._presence = Presence(SAME_DRAW_S, 4)
        self._tags: dict[str, str] = {}
        self._before: Mapping[str, str] = MappingProxyType({})
        self._given: list[str] = []  # one for each card gone through in this pass; empty for a skipped one
        self._order: list[str] = []
        self._filled: list[str] = []
        self._drawn = ""
        self.now = Pass.FILL
        self._begin_fill()

    @property
    def expected(self) -> str | None:
        """The card to draw now; None when all is done."""
        return self._order[len(self._given)] if len(self._given) < len(self._order) else None

    @property
    def progress(self) -> tuple[int, int]:
        """Cards gone through in this pass, and how many there are."""
        return len(self._given), len(self._order)

    @property
    def tags(self) -> Mapping[str, str]:
        """Tag -> card so far."""
        return MappingProxyType(self._tags)

    def read(self, tag: str, time_s: float) -> Answer:
        """Take a tag that was read; nothing changes where the answer stops."""
        is_new = self._presence.comes(tag, time_s)
        card, owner = self.expected, self._tags.get(tag, "")
        if not is_new and tag == self._drawn:
            return Answer(Said.SAME, owner, tag=tag)
        if card is None:
            return Answer(Said.NOTHING if owner else Said.UNKNOWN, tag=tag)
        return self._check(tag, card, owner) if self.now is Pass.CHECK else self._fill(tag, card, owner)

    def skip(self) -> Answer:
        """Leave the expected card without a tag: its sticker is torn."""
        card = self.expected
        if card is None or self.now is not Pass.FILL:
            return Answer(Said.NOTHING)
        self._given.append("")
        return self._turned() or Answer(Said.SKIPPED, card)

    def finish(self) -> Answer:
        """Hear that no card is left over."""
        if self.now is not Pass.LEFT:
            return Answer(Said.NOTHING)
        self._end_round()
        return Answer(Said.TURNED)

    def undo(self) -> Answer:
        """Take the last card of this pass back."""
        if not self._given or self.now in (Pass.LEFT, Pass.DONE):
            return Answer(Said.NOTHING)
        tag = self._given.pop()
        self._forget(tag)
        self._drawn = ""
        return Answer(Said.UNDONE, self.expected or "", tag=tag)

    def go_to(self, card: str) -> Answer:
        """Go back to a card and draw from there on anew; from a check that is the pass before it."""
        if card not in self.cards or self.now is Pass.DONE:
            return Answer(Said.NOTHING, card)
        if self.now is not Pass.FILL:
            self._return_to_fill()
        place = self._order.index(card)
        if place > len(self._given):
            return Answer(Said.NOTHING, card)
        while len(self._given) > place:
            self._forget(self._given.pop())
        return Answer(Said.MOVED, card)

    def report(self, format: str) -> Report:
        """Say what was found; near-twins are those of a format."""
        known = set(self._tags.values())
        missing = tuple(card for card in self.cards if card not in known)
        return Report(len(self._tags), missing, near_twins(self._tags, format))

    def deck(self, name: str, *, format: str, back: str = "", created: str = "") -> Deck:
        """Return the enrolled deck, its near-twins flagged."""
        flagged = {tag for twin in near_twins(self._tags, format) for tag in (twin.tag, twin.other)}
        tags = MappingProxyType(dict(self._tags))
        return Deck(name, tags, format, back, created, self._jokers, frozenset(flagged))

    def _fill(self, tag: str, card: str, owner: str) -> Answer:
        if owner and (owner != card or tag not in self._before):
            return Answer(Said.USED, card, owner, tag)
        self._tags[tag] = card
        self._drawn = tag
        self._given.append(tag)
        return self._turned() or Answer(Said.TAKEN, card, tag=tag)

    def _check(self, tag: str, card: str, owner: str) -> Answer:
        if not owner:
            return Answer(Said.UNKNOWN, card, tag=tag)
        if owner != card:
            return Answer(Said.WRONG, card, owner, tag)
        self._drawn = tag
        self._given.append(tag)
        return self._turned() or Answer(Said.SEEN, card, tag=tag)

    def _turned(self) -> Answer | None:
        """Begin the next pass when this one is over."""
        if self.expected is not None:
            return None
        if self.now is Pass.FILL:
            filled = [card for card, tag in zip(self._order, self._given, strict=True) if tag]
            self._filled = self._given
            self.now, self._order, self._given = Pass.CHECK, filled[::-1], []
        if self.now is Pass.CHECK and self.expected is None:
            if "" in self._filled:
                self.now = Pass.LEFT
            else:
                self._end_round()
        return Answer(Said.TURNED)

    def _end_round(self) -> None:
        self._rounds_left -= 1
        if self._rounds_left:
            self._begin_fill()
        else:
            self.now, self._order, self._given = Pass.DONE, [], []

    def _begin_fill(self) -> None:
        self.now, self._order, self._given = Pass.FILL, list(self.cards), []
        self._before = MappingProxyType(dict(self._tags))

    def _return_to_fill(self) -> None:
        self.now, self._order, self._given = Pass.FILL, list(self.cards), list(self._filled)

    def _forget(self, tag: str) -> None:
        if tag and self.now is Pass.FILL and tag not in self._before:
            self._tags.pop(tag, None)
