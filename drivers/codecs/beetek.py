"""`beetek` (experimental, receive-only): the tokens of second-hand Bee-Tek shoes, ``[Game]<Card:4S>``.

Known from three public host programs and never captured (SHOE_PROTOCOL.md 1): tokens are found by their
brackets, whether blanks or line ends part them; rank and suit come in either order. Nothing protects a
token, so a card is believed only when all around it is as it should be; else it is a card that was not read.
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
_MODES = frozenset({"Game", _DIAGNOSTIC})
_BLANKS = frozenset(b" \r\n")
_NEIGHBOUR_S = 0.05
"""How long the byte after a card is waited for; a shoe that sends blanks or line ends sends it at once."""
_CLOSED = b"]>"
_DAMAGED = "a card passed, and its report was damaged"
_MODE_OPEN = ord("[")
_OPEN, _CLOSE = frozenset(b"[<"), {ord("["): ord("]"), ord("<"): ord(">")}
_BRACKETS = frozenset(b"[]<>")


class BeeTekCodec(Codec):
    """Reads tokens in brackets."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._token = bytearray()
        self._mode = ""
        self._before = 0x20
        self._held: tuple[SourceEvent, float] | None = None
        self._last_s = 0.0
        self._is_apart = True
        self._said_unread = False

    @property
    def capabilities(self) -> Capabilities:
        """It names cards and says when it could not; nothing protects the line."""
        return Capabilities(detects_misses=True, is_shoe=True)

    def opened(self, time_s: float) -> None:
        """Forget half a token of the link before."""
        self._drop()
        self._mode = ""
        self._before = 0x20

    def feed(self, data: bytes, time_s: float) -> list[SourceEvent]:
        """Return what the tokens completed by `data` say."""
        events = self.tick(time_s)
        self._last_s = time_s
        for byte in data:
            if self._held is not None:
                events += self._neighbour(byte, time_s)
            if byte in _BRACKETS:
                events += self._bracket(byte, time_s)
            elif self._token:
                self._token.append(byte)
                if len(self._token) > LONGEST_TOKEN:
                    self._drop()
            self._before = byte
        return [*events, *self._watch_speed(data, time_s)]

    def tick(self, time_s: float) -> list[SourceEvent]:
        """Drop a token that was never finished; believe a card that nothing followed."""
        if time_s - self._last_s >= UNFINISHED_S:
            self._drop()
        if self._held is None or time_s - self._held[1] < _NEIGHBOUR_S:
            return []
        return self._release()

    def lost(self, time_s: float) -> list[SourceEvent]:
        """Drop half a token; say the card whose neighbour was waited for."""
        self.opened(time_s)
        return self._release()

    def _release(self) -> list[SourceEvent]:
        held, self._held = self._held, None
        return [held[0]] if held else []

    def _neighbour(self, byte: int, time_s: float) -> list[SourceEvent]:
        """The byte after a card: what never stands there shows that the line is damaged."""
        if byte in _BLANKS or byte in _OPEN:
            return self._release()
        self._held = None
        self.counters.bad_lines += 1
        return self._unread("damaged", _DAMAGED, time_s)

    def _bracket(self, byte: int, time_s: float) -> list[SourceEvent]:
        cut, self._token = self._token, bytearray()
        if byte not in _OPEN:
            if cut and byte == _CLOSE[cut[0]]:
                return self._whole(bytes(cut), time_s)
            self.counters.bad_lines += bool(cut)
            return []
        self.counters.bad_lines += bool(cut)
        self._token.append(byte)
        if byte == _MODE_OPEN:
            self._is_apart = self._before in _BLANKS or self._before in _CLOSED
        else:
            self._is_apart = self._is_apart and self._before == _CLOSED[0]
        return self._unread("damaged", _DAMAGED, time_s) if cut.startswith(_CARD_TOKEN) else []

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
        if card is None or mode not in _MODES or not self._is_apart:
            # a card did pass; which one is not certain
            self.counters.bad_lines += 1
            return self._unread("damaged", _DAMAGED, time_s)
        self._good_line()
        self._said_unread = False
        note = "read in the shoe's Manual Burn mode" if mode == _DIAGNOSTIC else ""
        seen = SourceEvent(EventKind.CARD, self.source, time_s, card=card, confidence=1.0, note=note)
        self._held = (seen, time_s)
        return []

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
        self._token.clear()


def _parse(word: str) -> Card | None:
    try:
        return parse_card(word)
    except Refusal:
        return None
