"""Showing a deck to the camera: which cards were seen, which are missing, which must be named by the dealer.

Feed it what was read in each picture. A card counts as a look once it has lain still for two readings; the
second look of a card must be another one: moved, turned, or taken away and laid down again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assistant.cards import Card
from calibration.deck import LOOKS_A_CARD, CardLook, DeckProfile
from calibration.recogniser.reading import SeenCard

STILL_READINGS = 2
"""Equal readings before a card is taken."""
ASK_READINGS = 4
"""Readings before the dealer is asked to name a card that can't be named: it may still be put down."""
SAME_SPOT = 0.15
"""How far a card's centre may wander and still lie still, in long sides."""
OTHER_SPOT = 0.5
"""From here on it was moved: another look (in long sides)."""
GONE_READINGS = 2
"""Readings without a card, after which it was taken away."""


@dataclass(slots=True)
class _Lying:
    """A card that lies there: by its place, for its name may not be known."""

    centre: npt.NDArray[np.float64]
    long_side: float
    name: Card | None
    count: int = 1
    missed: int = 0
    is_taken: bool = False


class DeckShowing:
    """The state of one showing.

    Args:
        deck: Looks taken before, or an empty deck of that name.
        still: Readings a card must lie still; 1 for separate pictures.
    """

    def __init__(self, deck: DeckProfile, still: int = STILL_READINGS) -> None:
        self.deck = deck
        self.asked: SeenCard | None = None
        """A card that the dealer must name, or say that it is none."""
        self.doubts: Counter[str] = Counter()
        """Why cards had to be named by the dealer, by the reader's reasons."""
        self._still = still
        self._ask = 1 if still == 1 else ASK_READINGS
        self._lying: list[_Lying] = []
        self._asked_at: _Lying | None = None

    @property
    def seen(self) -> int:
        """Cards of which there is at least one look."""
        return len(self.deck.cards) - len(self.deck.missing())

    @property
    def is_done(self) -> bool:
        """Whether there are two looks of every card."""
        return not self.deck.to_see_again()

    def add(self, cards: Sequence[SeenCard]) -> tuple[CardLook, ...]:
        """Take a reading; return the looks it brought."""
        found = [(seen, self._find(seen)) for seen in cards]
        here = [lying for _seen, lying in found]
        for lying in self._lying:
            if not any(lying is one for one in here):
                lying.missed += 1
        self._lying = [one for one in self._lying if one.missed < (1 if self._still == 1 else GONE_READINGS)]
        if self._asked_at is not None and not any(one is self._asked_at for one in self._lying):
            self.asked = self._asked_at = None  # it was taken away: no need to ask
        taken = [look for seen, lying in found if (look := self._take(seen, lying)) is not None]
        for look in taken:
            self.deck = self.deck.with_look(look)
        return tuple(taken)

    def name(self, card: Card | None) -> None:
        """The dealer names the card that was asked about; None: a joker, the back, no card of this deck."""
        if self.asked is None or self._asked_at is None:
            return
        self.deck = self.deck.with_look(CardLook(card, self.asked.crop))
        self.doubts[self.asked.reason] += 1
        self._asked_at.is_taken = True
        self.asked = self._asked_at = None

    def again(self, card: Card) -> None:
        """Forget the pictures of a card, to take them again."""
        self.deck = self.deck.without(card)

    def _find(self, seen: SeenCard) -> _Lying:
        centre, long_side = _place(seen)
        name = None if seen.reason else seen.card
        for lying in self._lying:
            far = float(np.linalg.norm(centre - lying.centre)) / max(1.0, lying.long_side)
            if far < OTHER_SPOT and (name is None or lying.name in (None, name)):
                if far >= SAME_SPOT:
                    lying.count, lying.centre = 0, centre
                lying.count += 1
                lying.missed = 0
                lying.name = name or lying.name
                return lying
        lying = _Lying(centre, long_side, name)
        self._lying.append(lying)
        return lying

    def _take(self, seen: SeenCard, lying: _Lying) -> CardLook | None:
        if lying.is_taken:
            return None
        if not seen.reason and seen.card is not None and lying.count >= self._still:
            lying.is_taken = True
            if self._asked_at is lying:
                self.asked = self._asked_at = None
            if self.deck.counts()[seen.card] >= LOOKS_A_CARD:
                return None
            return CardLook(seen.card, seen.crop)
        if seen.reason and lying.count >= self._ask and self.asked is None:
            self.asked, self._asked_at = seen, lying
        return None


def _place(seen: SeenCard) -> tuple[npt.NDArray[np.float64], float]:
    corners = np.array(seen.outline)
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    return corners.mean(axis=0), float(sides.max())
