"""One card seen by two sources is one card: the filter between the sources and the table."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace

from assistant.cards import Card
from drivers.base import EventKind, SourceEvent

SAME_CARD_S = 3.0
"""Two sources that name the same card within this time saw one card (CONSOLE.md 10.7)."""


@dataclass(slots=True)
class _Sighting:
    card: Card
    time_s: float
    first: str
    confirmed: set[str] = field(default_factory=set)


class DuplicateFilter:
    """Remembers who named which card lately; safe to use from several threads.

    Each source may confirm each sighting once, so two copies of a card from a shoe of several decks stay two
    cards even when a camera sees both. What one source says twice is for its codec to judge.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._recent: list[_Sighting] = []

    def sift(self, event: SourceEvent, time_s: float) -> SourceEvent:
        """Return the event, turned into a REPEATED notice when another source was first with this card."""
        if event.event is not EventKind.CARD or event.card is None:
            return event
        first = self.note(event.source, event.card, time_s)
        if first is None:
            return event
        return replace(
            event, event=EventKind.REPEATED, code="same-card", note=f"named by {first} just before"
        )

    def note(self, source: str, card: Card, time_s: float) -> str | None:
        """Note a card; return the source that was first with it, or None when it is a new card."""
        with self._lock:
            self._recent = [old for old in self._recent if time_s - old.time_s <= SAME_CARD_S]
            for old in self._recent:
                if source != old.first and source not in old.confirmed and _is_same(old.card, card):
                    old.confirmed.add(source)
                    return old.first
            self._recent.append(_Sighting(card, time_s, source))
            return None

    def forget(self) -> None:
        """Start anew: after a shuffle any card may come again."""
        with self._lock:
            self._recent.clear()


def _is_same(one: Card, other: Card) -> bool:
    """Whether two reports can be of one card; a bare rank fits every suit."""
    return one.rank is other.rank and (one.suit is other.suit or one.suit is None or other.suit is None)
