"""Tags become cards between codec and table: what is certain is named, what is not is asked.

Weak formats let damage through, so a near-twin counts when it was read twice, and a tag that returns although
its card has been dealt contradicts what came before (SHOE_PROTOCOL.md 5, 6). Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from assistant.cards import Card
from drivers.base import ANSWERS, Candidate, EventKind, Integrity, SourceEvent
from drivers.codecs.tags import SAME_VISIT
from drivers.deckmap import DeckMap, Known
from drivers.decks import card_of

CONFIRM_S = 0.4
"""How long a near-twin's second reading is waited for: readers repeat a tag 3 to 15 times a second."""
ONE_READING = 0.5
"""Confidence of a card whose tag may have been another's; the dealer is asked."""
_JOKER_NAMES = {"XR": "red", "XB": "black"}


class TagNamer:
    """Names the tags of one source.

    Args:
        decks: The decks in play; without any, every tag is unknown.
        is_code: Whether the tags are printed codes: two decks may hold the same ones.
    """

    def __init__(self, decks: DeckMap | None = None, *, is_code: bool = False) -> None:
        self._decks = decks or DeckMap()
        self._is_code = is_code
        self._in_shoe = max(1, len(self._decks.decks))
        self._dealt: set[str] = set()
        self._last = ""
        self._waiting: tuple[SourceEvent, float] | None = None
        self._asked = ""

    @property
    def has_decks(self) -> bool:
        """Whether there are decks to name cards of."""
        return bool(self._decks)

    def deals_from(self, decks: int, dealt: Collection[str] = ()) -> None:
        """The shoe holds so many decks, and these tags have been dealt from it, by any reader."""
        self._in_shoe = max(decks, len(self._decks.decks))
        self._dealt.update(dealt)

    def shuffled(self, decks: int) -> None:
        """A fresh shoe of so many decks: every tag may come again."""
        self.deals_from(decks)
        self._dealt.clear()
        self._last = self._asked = ""

    def learn(self, tag: str, card: str, deck: str = "") -> None:
        """A tag that no deck knew is this card from now on; an empty card takes that back, also for the deck
        that had taken it in."""
        self._decks.learn(tag, card, deck)
        (self._dealt.add if card else self._dealt.discard)(tag)

    def recall(self, tag: str, card: str) -> None:
        """A tag is this card, as was said before; whether it was dealt is not known. A deck in play wins."""
        self._decks.recall(tag, card)

    def name(self, events: Iterable[SourceEvent], time_s: float) -> list[SourceEvent]:
        """Return the events with their tags named."""
        named = self.tick(time_s)
        for event in events:
            if event.tag and event.event is EventKind.TAG_UNKNOWN:
                named += self._settle() + self._comes(event, time_s)
            elif event.tag and event.code == SAME_VISIT:
                named += self._again(event)
            else:
                named += [*self._settle(), event] if event.event is not EventKind.REPEATED else [event]
        return named

    def tick(self, time_s: float) -> list[SourceEvent]:
        """Ask about a near-twin that was not read a second time."""
        if self._waiting is None or time_s - self._waiting[1] < CONFIRM_S:
            return []
        return self._settle()

    def _comes(self, event: SourceEvent, time_s: float) -> list[SourceEvent]:
        known = self._decks.find(event.tag)
        if known is None:
            return [_unknown(event, "unknown", "a tag that belongs to no enrolled deck")]
        if not known.in_play:
            return [_unknown(event, "other-deck", f"a card of deck {known.deck}, which is not in play")]
        if self._must_be_read_twice(event):
            self._waiting = (event, time_s)
            return []
        return [self._card(event, known)]

    def _must_be_read_twice(self, event: SourceEvent) -> bool:
        """A scanner reads a printed code once, so waiting for a second time would ask about every card."""
        is_weak = event.integrity is not Integrity.CRC16 and not self._is_code
        return is_weak and event.tag in self._decks.confirm_twice

    def _again(self, event: SourceEvent) -> list[SourceEvent]:
        """A tag still lies there: that confirms a near-twin and says nothing else."""
        known = self._decks.find(event.tag)
        if known is None:
            return []
        if self._waiting is not None and self._waiting[0].tag == event.tag:
            first, self._waiting = self._waiting[0], None
            return [self._card(first, known)]
        if self._asked == event.tag and not self._waiting:
            self._asked = ""
            card = self._card(event, known)
            return [replace(card, code=ANSWERS)] if card.event is EventKind.CARD else []
        return []

    def _settle(self) -> list[SourceEvent]:
        """The waiting near-twin was read once only: ask."""
        if self._waiting is None:
            return []
        event, self._waiting = self._waiting[0], None
        known = self._decks.find(event.tag)
        if known is None:  # it was taken back meanwhile
            return [_unknown(event, "unknown", "a tag that belongs to no enrolled deck")]
        self._asked = event.tag
        words = (known.card, *self._decks.twins_of(event.tag))
        cards = [card for word in words if (card := card_of(word)) is not None]
        return [
            replace(
                event,
                event=EventKind.UNSURE,
                candidates=tuple(Candidate(card, ONE_READING / (1 + at)) for at, card in enumerate(cards)),
                tag="",
                named_by=event.tag,
                code="near-twin",
                note="read only once, and another card's tag is nearly the same",
            )
        ]

    def _card(self, event: SourceEvent, known: Known) -> SourceEvent:
        card = card_of(known.card)
        if card is None:
            note = f"a {_JOKER_NAMES[known.card]} joker"
            return replace(event, event=EventKind.UNREADABLE, tag="", code="joker", note=note)
        was_dealt, was_last = event.tag in self._dealt, event.tag == self._last
        self._dealt.add(event.tag)
        self._last = event.tag
        if was_dealt and self._in_shoe > 1:
            return self._returned(event, card, was_last)
        return _named(event, card)

    def _returned(self, event: SourceEvent, card: Card, was_last: bool) -> SourceEvent:
        """A tag that was dealt in this shoe: of one deck the table itself knows what that means."""
        if self._is_code or self._decks.is_printed_code(event.tag):
            if not was_last:
                return _named(event, card)
            note = "the same code again: another copy, or the same card once more?"
            one = (Candidate(card, ONE_READING),)
            return replace(event, event=EventKind.UNSURE, candidates=one, tag="", code="same-code", note=note)
        if was_last or event.integrity is Integrity.CRC16:
            note = "the same tag again: one card"
            return replace(event, event=EventKind.REPEATED, card=card, tag="", code="same-tag", note=note)
        note = f"the tag of {card.face} was read before in this shoe"
        return replace(event, event=EventKind.CONFLICT, card=card, tag="", code="tag-twice", note=note)


def _named(event: SourceEvent, card: Card) -> SourceEvent:
    return replace(
        event, event=EventKind.CARD, card=card, confidence=1.0, tag="", code="", named_by=event.tag
    )


def _unknown(event: SourceEvent, code: str, note: str) -> SourceEvent:
    where = f", {event.note}" if event.note else ""
    return replace(event, code=code, note=f"{note}{where}")
