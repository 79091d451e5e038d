"""One card is one card, whoever saw it: the filter between the sources, the keyboard and the table.

It is asked and told in the one thread in which lines are booked, so that there is one order of what was seen
and said.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field, replace

from assistant.cards import Card
from drivers.base import ANSWERS, EventKind, SourceEvent

SAME_CARD_S = 3.0
"""Two sources that name the same card within this time saw one card (CONSOLE.md 10.7)."""
MOST_RECENT = 64
"""Sightings remembered, more than hands can deal in that time; a flood forgets the oldest."""
KEYBOARD = "keyboard"
"""The dealer's word in the place of a source."""


@dataclass(slots=True)
class _Sighting:
    card: Card
    time_s: float
    first: str
    by_shoe: bool = False
    confirmed: set[str] = field(default_factory=set)


class DuplicateFilter:
    """Remembers who named which card lately, and which questions are open.

    Each source may confirm each sighting once, so two copies of a card from a shoe of several decks stay two
    cards even when a camera sees both. Two shoes never see one card. What one source says twice is for its
    codec to judge.
    """

    def __init__(self) -> None:
        self._recent: deque[_Sighting] = deque(maxlen=MOST_RECENT)
        self._open: Counter[str] = Counter()
        self._answered: defaultdict[str, list[Card]] = defaultdict(list)

    def sift(self, event: SourceEvent, time_s: float, *, by_shoe: bool = False) -> SourceEvent:
        """Return the event, or a REPEATED notice in its place when that card was named before.

        Args:
            event: What a source said.
            time_s: When, by the table's clock.
            by_shoe: Whether that source is a shoe.
        """
        if event.event is EventKind.UNSURE:
            return self._unsure(event, time_s)
        if event.event is not EventKind.CARD or event.card is None:
            return event
        if event.code == ANSWERS:
            return self._late_answer(event, event.card)
        return self._card(event, event.card, time_s, by_shoe)

    def booked(self, card: Card, time_s: float, *, by_dealer: bool) -> None:
        """Hear of a card that was booked; it answers the oldest question there is, whoever asked.

        Args:
            card: The card.
            time_s: When, by the table's clock.
            by_dealer: Whether the dealer said it, typed or chosen; else a source did, which was sifted.
        """
        if by_dealer and self._confirm(KEYBOARD, [card], time_s) is None:
            self._recent.append(_Sighting(card, time_s, KEYBOARD))
        asked = next((source for source, count in self._open.items() if count), None)
        if asked is not None:
            self._open[asked] -= 1
            self._answered[asked].append(card)

    def forget(self) -> None:
        """Start anew: after a shuffle any card may come again."""
        self._recent.clear()
        self._open.clear()
        self._answered.clear()

    def _card(self, event: SourceEvent, card: Card, time_s: float, by_shoe: bool) -> SourceEvent:
        known = self._confirm(event.source, [card], time_s, by_shoe)
        if known is None:
            self._recent.append(_Sighting(card, time_s, event.source, by_shoe))
            return event
        return _notice(event, card, "same-card", f"named by {known.first} just before")

    def _unsure(self, event: SourceEvent, time_s: float) -> SourceEvent:
        """No question about a card that somebody else has just named."""
        known = self._confirm(event.source, [one.card for one in event.candidates], time_s)
        if known is None:
            self._open[event.source] += 1
            return event
        self._answered[event.source].append(known.card)
        return _notice(event, known.card, "same-card", f"named by {known.first} just before")

    def _late_answer(self, event: SourceEvent, card: Card) -> SourceEvent:
        """A source answers its own question: news while that is open, else no second card."""
        said = self._answered[event.source]
        same = next((other for other in said if _is_same(other, card)), None)
        if same is not None:
            said.remove(same)
            return _notice(event, card, "said-before", "the dealer said so before")
        if self._open[event.source]:
            self._open[event.source] -= 1
            return event
        note = f"now reads {card.face}, which is not what was said"
        return replace(event, event=EventKind.CONFLICT, code="differs", note=note)

    def _confirm(
        self, source: str, cards: list[Card], time_s: float, by_shoe: bool = False
    ) -> _Sighting | None:
        """The sighting by somebody else that one of `cards` can be, which then counts as confirmed."""
        while self._recent and time_s - self._recent[0].time_s > SAME_CARD_S:
            self._recent.popleft()
        for old in self._recent:
            is_news = source != old.first and source not in old.confirmed
            if is_news and not (by_shoe and old.by_shoe) and any(_is_same(old.card, card) for card in cards):
                old.confirmed.add(source)
                return old
        return None


def _notice(event: SourceEvent, card: Card, code: str, note: str) -> SourceEvent:
    return replace(event, event=EventKind.REPEATED, card=card, code=code, note=note)


def _is_same(one: Card, other: Card) -> bool:
    """Whether two reports can be of one card; a bare rank fits every suit."""
    return one.rank is other.rank and (one.suit is other.suit or one.suit is None or other.suit is None)
