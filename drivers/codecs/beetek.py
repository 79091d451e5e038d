"""`beetek` (experimental, receive-only): the tokens of second-hand Bee-Tek shoes, ``[Game]<Card:4S>``.

Known from three public host programs and never captured (SHOE_PROTOCOL.md 1): tokens are found by their
brackets, whether blanks or line ends part them; rank and suit come in either order.
"""

from __future__ import annotations

import re

from assistant.cards import Card, parse_card
from assistant.errors import Refusal
from drivers.base import Capabilities, EventKind, SourceEvent
from drivers.codecs.base import Codec

LONGEST_TOKEN = 40
"""Bytes between the brackets."""
UNFINISHED_S = 0.5

_CARD = re.compile(r"Card:((?:10|[2-9TJQKA])[SHDC]|[SHDC](?:10|[2-9TJQKA]))")
_ALARM = re.compile(r"Alarm:(E[0-9]{1,2})(?: [A-Za-z0-9 ]{0,30})?")
_CARD_TOKEN = b"<Card"
_UNREAD_ALARM = "E3"
_DIAGNOSTIC = "Manual Burn Cards"
_OPEN, _CLOSE = b"[<", {b"[": b"]", b"<": b">"}


class BeeTekCodec(Codec):
    """Reads tokens in brackets."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._token = b""
        self._mode = ""
        self._last_s = 0.0
        self._said_unread = False

    @property
    def capabilities(self) -> Capabilities:
        """It names cards and says when it could not; nothing protects the line."""
        return Capabilities(detects_misses=True, is_shoe=True)

    def opened(self, time_s: float) -> None:
        """Forget half a token of the link before."""
        self._drop()
        self._mode = ""

    def feed(self, data: bytes, time_s: float) -> list[SourceEvent]:
        """Return what the tokens completed by `data` say."""
        self.tick(time_s)
        self._last_s = time_s
        events = []
        for byte in data:
            events += self._byte(bytes((byte,)), time_s)
        return [*events, *self._watch_speed(data, time_s)]

    def tick(self, time_s: float) -> list[SourceEvent]:
        """Drop a token that was never finished."""
        if time_s - self._last_s >= UNFINISHED_S:
            self._drop()
        return []

    def lost(self, time_s: float) -> list[SourceEvent]:
        """Drop half a token."""
        self.opened(time_s)
        return []

    def _byte(self, byte: bytes, time_s: float) -> list[SourceEvent]:
        if byte in _OPEN:
            cut, self._token = self._token, byte
            self.counters.bad_lines += bool(cut)
            if cut.startswith(_CARD_TOKEN):
                return self._unread("damaged", "a card passed, and its report was damaged", time_s)
        elif not self._token:
            pass
        elif byte == _CLOSE[self._token[:1]]:
            token, self._token = self._token, b""
            return self._whole(token, time_s)
        elif len(self._token) > LONGEST_TOKEN:
            self._drop()
        else:
            self._token += byte
        return []

    def _whole(self, token: bytes, time_s: float) -> list[SourceEvent]:
        text = token[1:].decode("ascii", "replace")
        if not text.isascii() or not text.isprintable():
            self.counters.bad_lines += 1
            return []
        if token.startswith(b"["):
            self._mode = text
            return []
        mode, self._mode = self._mode, ""
        if text == "Game":
            self._good_line()
            return self._unread("read", "a card left the shoe unread", time_s)
        if text.startswith("Card:"):
            return self._card(text, mode, time_s)
        return self._other(text, time_s)

    def _card(self, text: str, mode: str, time_s: float) -> list[SourceEvent]:
        found = _CARD.fullmatch(text)
        card = _parse(found[1]) if found else None
        if card is None or not mode:
            # a card did pass; which one is not certain
            self.counters.bad_lines += 1
            return self._unread("damaged", "a card passed, and its report was damaged", time_s)
        self._good_line()
        self._said_unread = False
        note = "read in the shoe's Manual Burn mode" if mode == _DIAGNOSTIC else ""
        return [SourceEvent(EventKind.CARD, self.source, time_s, card=card, confidence=1.0, note=note)]

    def _other(self, text: str, time_s: float) -> list[SourceEvent]:
        alarm = _ALARM.fullmatch(text)
        if not alarm:
            self.counters.comments += 1
            return []
        self._good_line()
        if alarm[1] == _UNREAD_ALARM and not self._said_unread:
            return self._unread("read", "a card left the shoe unread", time_s)
        note = f"shoe alarm {alarm[1]}"
        return [SourceEvent(EventKind.FAULT, self.source, time_s, code="device", note=note)]

    def _unread(self, code: str, note: str, time_s: float) -> list[SourceEvent]:
        self._said_unread = True
        return [SourceEvent(EventKind.UNREADABLE, self.source, time_s, code=code, note=note)]

    def _drop(self) -> None:
        self.counters.bad_lines += bool(self._token)
        self._token = b""


def _parse(word: str) -> Card | None:
    try:
        return parse_card(word)
    except Refusal:
        return None
