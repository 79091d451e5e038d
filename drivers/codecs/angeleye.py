"""`angeleye` (experimental, receive-only): Angel Eye II-EX shoes, ``05 31 44 81 B8 03 34 46``.

Framing, payload and codes: SHOE_PROTOCOL.md 1 and 5, from two public programs that differ in one
thing: whether a report comes once or three times. So a report counts when a second copy of it came, or 150 ms
after the only one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import reduce
from operator import xor

from assistant.cards import Card, Rank, Suit
from drivers.base import Candidate, Capabilities, EventKind, Integrity, SourceEvent
from drivers.codecs.base import Codec

ENQ, ETX = 0x05, 0x03
LONGEST = 16
"""Bytes from ENQ to the check; the longest known report has 11."""
UNFINISHED_S = 0.2
SECOND_COPY_S = 0.15
UNREAD_ERROR = 1
SINGLE = "single"
"""`code` of a report that came only once."""

_BODY = re.compile(rb"([!-~])([SPDdRGCEeLM][\x80-\xff]{0,8})")
_HEX = frozenset(b"0123456789ABCDEF")
_SUITS = {1: Suit.DIAMONDS, 2: Suit.CLUBS, 3: Suit.SPADES, 4: Suit.HEARTS}
_RANKS = {1: Rank.ACE} | {number: Rank(number) for number in range(2, 14)}
_TARGETS = {0: "player", 1: "banker", 2: "burn", 4: "first card", 5: "burn count"}
_HANDS = frozenset({0, 1})
_CARDS_OF_A_HAND = range(1, 4)
"""Numbers of the cards of a player's or banker's hand; any other is damage that the check let through."""
_ERRORS = {2: "overdraw", 3: "button", 4: "reverse run", 5: "reverse run", 6: "card code", 7: "time-out"}


@dataclass(frozen=True, slots=True)
class Report:
    """One checked report: its number, one character, and what it says, with bit 7 of the payload set."""

    seq: bytes
    data: bytes


def bcc(body: bytes) -> bytes:
    """Return the check of the bytes from the number to ETX: their XOR as two capital hex digits."""
    return b"%02X" % reduce(xor, body)


class AngelEyeCodec(Codec):
    """Reads checked reports, each once however often it is sent."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._frame = bytearray()
        self._last_byte_s = 0.0
        self._waiting: tuple[Report, float] | None = None
        self._last: Report | None = None

    @property
    def capabilities(self) -> Capabilities:
        """It names cards and reports unread ones; its check lets two errors through."""
        return Capabilities(detects_misses=True, is_shoe=True, integrity=Integrity.XOR8)

    def opened(self, time_s: float) -> None:
        """Forget half a report of the link before."""
        self._drop()

    def feed(self, data: bytes, time_s: float) -> list[SourceEvent]:
        """Return what the reports say that became certain with `data`."""
        events = self.tick(time_s)
        self._last_byte_s = time_s
        for byte in data:
            report = self._byte(byte)
            events += self._hear(report, time_s) if report else []
        return [*events, *self._watch_speed(data, time_s)]

    def tick(self, time_s: float) -> list[SourceEvent]:
        """Let a report count that came only once, and drop half a one."""
        if time_s - self._last_byte_s >= UNFINISHED_S:
            self._drop()
        if self._waiting is None or time_s - self._waiting[1] < SECOND_COPY_S:
            return []
        return self._settle(time_s)

    def lost(self, time_s: float) -> list[SourceEvent]:
        """Say what was waiting for its copy; drop half a report."""
        self._drop()
        return self._settle(time_s)

    def _byte(self, byte: int) -> Report | None:
        """Add a byte; the report it completes."""
        if byte == ENQ:
            self._drop()
            self._frame += b"\x05"
            return None
        if not self._frame:
            return None
        self._frame.append(byte)
        end = self._frame.find(ETX, 3)
        if 0 < end == len(self._frame) - 3:
            frame, self._frame = bytes(self._frame), bytearray()
            return self._checked(frame[1:end], frame[end + 1 :])
        if len(self._frame) >= LONGEST:
            self._drop()
        return None

    def _checked(self, body: bytes, check: bytes) -> Report | None:
        found = _BODY.fullmatch(body)
        if not found or bcc(body + b"\x03") != check:
            self.counters.bad_lines += 1
            return None
        self._good_line()
        return Report(found[1], found[2])

    def _hear(self, report: Report, time_s: float) -> list[SourceEvent]:
        if self._waiting is not None:
            waiting = self._waiting[0]
            if waiting.seq != report.seq:
                return [*self._settle(time_s), *self._hear(report, time_s)]
            self._waiting = None
            self._last = waiting
            if waiting == report:
                self.counters.repeats += 1
                return _events(report, self.source, time_s, "")
            return self._conflict(time_s)
        if self._last is not None and self._last.seq == report.seq:
            self.counters.repeats += 1
            return [] if self._last == report else self._conflict(time_s)
        self._waiting = (report, time_s)
        return []

    def _settle(self, time_s: float) -> list[SourceEvent]:
        if self._waiting is None:
            return []
        report, self._waiting = self._waiting[0], None
        self._last = report
        return _events(report, self.source, time_s, SINGLE)

    def _conflict(self, time_s: float) -> list[SourceEvent]:
        note = "one report came with different content"
        return [SourceEvent(EventKind.CONFLICT, self.source, time_s, code="contradiction", note=note)]

    def _drop(self) -> None:
        self.counters.bad_lines += bool(self._frame)
        self._frame.clear()


def _events(report: Report, source: str, time_s: float, code: str) -> list[SourceEvent]:
    kind, payload = report.data[:1], bytes(byte & 0x7F for byte in report.data[1:])
    event = SourceEvent(EventKind.FAULT, source, time_s, code=code, integrity=Integrity.XOR8)
    match kind:
        case b"D" | b"R":
            return [_card(kind, payload, event)]
        case b"C":
            return [_say(event, EventKind.CUT, "cut", "cut card reached")]
        case b"E":
            number = payload[0] & 0x0F if payload else 0
            if number == UNREAD_ERROR:
                return [_say(event, EventKind.UNREADABLE, "read", "the shoe could not read a card")]
            return [_say(event, EventKind.FAULT, "device", f"shoe error: {_ERRORS.get(number, 'unknown')}")]
    return []  # a game's start and result, locks and presets; `d` is a card outside a game, which is none


def _say(event: SourceEvent, kind: EventKind, code: str, note: str) -> SourceEvent:
    return SourceEvent(kind, event.source, event.time_s, code=code, note=note, integrity=event.integrity)


def _card(kind: bytes, payload: bytes, event: SourceEvent) -> SourceEvent:
    card = card_of(payload[-1]) if len(payload) == 2 else None
    if card is None:
        return _say(event, EventKind.UNREADABLE, "card-code", "a card passed with an unknown code")
    target, number = payload[0] >> 4, payload[0] & 0x0F
    if target not in _TARGETS or (target in _HANDS and number not in _CARDS_OF_A_HAND):
        return _say(event, EventKind.UNREADABLE, "damaged", "a card passed to a place that there is not")
    place = f"{_TARGETS[target]} {number}"
    if kind == b"R":
        # whether the card was counted when it was drawn too many is for the dealer to say
        return SourceEvent(
            EventKind.UNSURE,
            event.source,
            event.time_s,
            candidates=(Candidate(card, 0.5),),
            code="carried-over",
            note=f"carried over after an overdraw: {place}",
            integrity=event.integrity,
        )
    return SourceEvent(
        EventKind.CARD,
        event.source,
        event.time_s,
        card=card,
        confidence=1.0,
        code=event.code,
        note=place,
        integrity=event.integrity,
    )


def card_of(code: int) -> Card | None:
    """Return the card of a code without bit 7: bits 6-4 are the suit, bits 3-0 the rank."""
    suit, rank = _SUITS.get(code >> 4), _RANKS.get(code & 0x0F)
    return Card(rank, suit) if suit and rank else None
