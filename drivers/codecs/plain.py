"""`plain`: one card a line, ``AH``, ``10d``, ``7♥`` in UTF-8; no check, no numbers (SHOE_PROTOCOL.md 5)."""

from __future__ import annotations

import re

from assistant.cards import Card, parse_card
from drivers.base import Capabilities, EventKind, SourceEvent
from drivers.codecs.base import Codec, LineBuffer

LONGEST_LINE = 64
"""Bytes."""
UNFINISHED_S = 2.0
"""An unfinished line is dropped after so long."""
SAME_CARD_S = 0.5
"""A card repeated within this time of its last report is one card: a reader that fired twice."""

_CARD = re.compile(r"(?:10|[2-9TJQKA])[SHDC♠♥♦♣♤♡♢♧]\ufe0f?", re.IGNORECASE)

_OSLP_STARTS = ("$HELO,", "$BEAT,", "$CARD,", "$TAG,")


class PlainCodec(Codec):
    """Reads lines that are one card each; anything else is counted and is nothing."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._lines = LineBuffer(LONGEST_LINE, UNFINISHED_S, b"\n\r")
        self._bad_cards = 0
        self._last: Card | None = None
        self._last_s = 0.0
        self._said_oslp = False

    @property
    def capabilities(self) -> Capabilities:
        """It names cards, and that is all."""
        return Capabilities(is_shoe=True)

    def opened(self, time_s: float) -> None:
        """Forget half a line of the link before."""
        self._lines.drop()
        self._count()

    def feed(self, data: bytes, time_s: float) -> list[SourceEvent]:
        """Return a card for each line that is one."""
        events = [event for line in self._lines.feed(data, time_s) for event in self._read(line, time_s)]
        self._count()
        return [*events, *self._watch_speed(data, time_s)]

    def tick(self, time_s: float) -> list[SourceEvent]:
        """Drop a line that was never finished."""
        self._lines.expire(time_s)
        self._count()
        return []

    def lost(self, time_s: float) -> list[SourceEvent]:
        """Drop half a line."""
        self.opened(time_s)
        return []

    def _read(self, line: bytes, time_s: float) -> list[SourceEvent]:
        try:
            text = line.decode("utf-8").strip(" \t")
        except UnicodeDecodeError:
            self._bad_cards += 1
            return []
        if not text:
            return []
        if not _CARD.fullmatch(text):
            self._bad_cards += 1
            return self._hint_at_oslp(text, time_s)
        self._good_line()
        card = parse_card(text)
        is_repeat = card == self._last and time_s - self._last_s <= SAME_CARD_S
        self._last, self._last_s = card, time_s
        if is_repeat:
            self.counters.repeats += 1
            note = "reported twice at once: one card"
            return [
                SourceEvent(
                    EventKind.REPEATED, self.source, time_s, card=card, code="reported-twice", note=note
                )
            ]
        return [SourceEvent(EventKind.CARD, self.source, time_s, card=card, confidence=1.0)]

    def _hint_at_oslp(self, text: str, time_s: float) -> list[SourceEvent]:
        """Say, once, that the shoe speaks the other format."""
        if self._said_oslp or not text.startswith(_OSLP_STARTS):
            return []
        self._said_oslp = True
        note = "this shoe speaks OSLP: choose format=oslp"
        return [SourceEvent(EventKind.FAULT, self.source, time_s, code="other-format", note=note)]

    def _count(self) -> None:
        self.counters.bad_lines = self._bad_cards + self._lines.dropped
