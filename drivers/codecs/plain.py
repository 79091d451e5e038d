"""`plain`: one card a line, ``AH``, ``10d``, ``7♥`` in UTF-8; no check, no numbers (SHOE_PROTOCOL.md 5)."""

from __future__ import annotations

import re

from assistant.cards import Card, parse_card
from drivers.base import Capabilities, EventKind, SourceEvent
from drivers.codecs.base import LineCodec, unprintable

LONGEST_LINE = 64
"""Bytes."""
UNFINISHED_S = 2.0
"""An unfinished line is dropped after so long."""
SAME_CARD_S = 0.5
"""A card repeated within this time of its last report is one card: a reader that fired twice."""
NOISE_BYTES = 16
"""So many unprintable bytes in lines that are no text, since the last card or silence, are noise."""
QUIET_S = 0.3
"""Noise is over, and a card in it is believed, when nothing has come for so long."""

_CARD = re.compile(r"(?:10|[2-9TJQKA])[SHDC♠♥♦♣♤♡♢♧]\ufe0f?", re.IGNORECASE)

_OSLP_STARTS = ("$HELO,", "$BEAT,", "$CARD,", "$TAG,")


class PlainCodec(LineCodec):
    """Reads lines that are one card each; anything else is counted and is nothing.

    Nothing protects a line, and random bytes make a card of one now and then. So in noise a card waits:
    another card right behind it, or silence, shows that the noise was over before it; more noise shows that
    it was part of it.
    """

    longest, unfinished_s, ends = LONGEST_LINE, UNFINISHED_S, b"\n\r"

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._last: Card | None = None
        self._last_s = 0.0
        self._said_oslp = False
        self._noise = 0
        self._heard_s = 0.0
        self._held: Card | None = None
        self._dropped = 0

    @property
    def capabilities(self) -> Capabilities:
        """It names cards, and that is all."""
        return Capabilities(is_shoe=True)

    def opened(self, time_s: float) -> None:
        """Forget half a line of the link before, and a card that more noise may have followed."""
        self._disbelieve()
        super().opened(time_s)

    def feed(self, data: bytes, time_s: float) -> list[SourceEvent]:
        """Return a card for each line that is one."""
        events = self._silence(time_s)
        self._heard_s = time_s
        return events + super().feed(data, time_s)

    def tick(self, time_s: float) -> list[SourceEvent]:
        """Drop a line that was never finished; believe a card that silence follows."""
        events = self._silence(time_s)
        return events + super().tick(time_s)

    def _read(self, line: bytes, time_s: float) -> list[SourceEvent]:
        try:
            text = line.decode("utf-8").strip(" \t")
        except UnicodeDecodeError:
            self._noise += unprintable(line)
            text = "?"
        if not text:
            return []
        if not _CARD.fullmatch(text):
            self._bad += 1
            self._disbelieve()
            return self._hint_at_oslp(text, time_s)
        if self._lines.dropped > self._dropped:
            self._disbelieve()
        card = parse_card(text)
        if self._held is None and self._noise >= NOISE_BYTES:
            self._held, self._dropped = card, self._lines.dropped
            return []
        return [*self._believe(time_s), self._card(card, time_s)]

    def _silence(self, time_s: float) -> list[SourceEvent]:
        """What silence says: noise is over, and a card in it stands if the noise ended before it."""
        if time_s - self._heard_s < QUIET_S:
            return []
        if self._lines.dropped > self._dropped or unprintable(self._lines.half):
            self._disbelieve()
        self._noise = 0
        return self._believe(time_s)

    def _believe(self, time_s: float) -> list[SourceEvent]:
        held, self._held = self._held, None
        return [self._card(held, time_s)] if held else []

    def _disbelieve(self) -> None:
        self._bad += self._held is not None
        self._held = None

    def _card(self, card: Card, time_s: float) -> SourceEvent:
        self._good_line()
        self._noise = 0
        is_repeat = card == self._last and time_s - self._last_s <= SAME_CARD_S
        self._last, self._last_s = card, time_s
        if is_repeat:
            self.counters.repeats += 1
            note = "reported twice at once: one card"
            return SourceEvent(
                EventKind.REPEATED, self.source, time_s, card=card, code="reported-twice", note=note
            )
        return SourceEvent(EventKind.CARD, self.source, time_s, card=card, confidence=1.0)

    def _hint_at_oslp(self, text: str, time_s: float) -> list[SourceEvent]:
        """Say, once, that the shoe speaks the other format."""
        if self._said_oslp or not text.startswith(_OSLP_STARTS):
            return []
        self._said_oslp = True
        note = "this shoe speaks OSLP: choose format=oslp"
        return [SourceEvent(EventKind.FAULT, self.source, time_s, code="other-format", note=note)]
