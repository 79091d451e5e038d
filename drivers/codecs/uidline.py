"""`uidline`: what MFRC522 and PN532 sketches print, unmodified, and the JSON lines of rfid-poker.

Forms: SHOE_PROTOCOL.md 5, and the sources named there. ``Card UID: 04 06 B9 …``, ``Reader 1: Card UID: …``,
``In hex:  92 25 6F EB``, ``UID Value:  0x04 0x06 …``, ``0| 04 06B9 …``, the digits alone, JSON.
"""

from __future__ import annotations

import json
import re

from drivers.base import Capabilities, EventKind, SourceEvent
from drivers.codecs.base import LineCodec
from drivers.codecs.numbered import LineNumbers
from drivers.codecs.tags import TagCodec

LONGEST_LINE = 512
"""Bytes; a JSON line of a wired reader has about 150."""
UNFINISHED_S = 0.5
SAME_VISIT_S = 1.0
"""Per tag: `PICC_IsNewCardPresent` says yes and no by turns while a card lies still."""
UID_DIGITS = (8, 14, 20)
"""A tag of ISO 14443 A has 4, 7 or 10 bytes."""

_READER = r"(?:Reader\s+(?P<reader>[0-9]{1,3}):\s*)?"
_LABEL = r"(?:Card UID:|In hex:|UID Value:)"
_LABELLED = re.compile(rf"\s*{_READER}{_LABEL}(?P<uid>.*)")
_PIPED = re.compile(r"\s*(?P<reader>[0-9]{1,3})\|(?P<uid>[0-9A-Fa-f\s]*)")
_BARE = re.compile(r"(?P<uid>\s*[0-9A-Fa-f]{2}(?:\s*[0-9A-Fa-f]{2}){3,9}\s*)")
_DIGITS = re.compile(r"[0-9A-F]+")
_WORD = re.compile(r"[a-z0-9_]{1,40}")


def read_uid(text: str) -> str | None:
    """Return a UID as capital hex digits without blanks and ``0x``; None unless it has 4, 7 or 10 bytes.

    A device writes capitals or small letters; both in one UID are damage.
    """
    digits = "".join(text.split()).replace("0x", "")
    is_whole = len(digits) in UID_DIGITS and digits in (digits.upper(), digits.lower())
    return digits.upper() if is_whole and _DIGITS.fullmatch(digits.upper()) else None


class UidLineCodec(LineCodec, TagCodec):
    """Reads the lines that hold a UID; all others are comments."""

    longest, unfinished_s = LONGEST_LINE, UNFINISHED_S
    hold_s = SAME_VISIT_S

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._numbers = LineNumbers(source)

    @property
    def capabilities(self) -> Capabilities:
        """Nothing protects the line; only numbered JSON lines show that one is missing."""
        return Capabilities(names_cards=False, detects_misses=self._numbers.are_used, is_shoe=True)

    def _read(self, line: bytes, time_s: float) -> list[SourceEvent]:
        try:
            text = line.decode("ascii").strip()
        except UnicodeDecodeError:
            self._bad += 1
            return []
        if text.startswith("{"):
            return self._json(text, time_s)
        found = _LABELLED.fullmatch(text) or _PIPED.fullmatch(text) or _BARE.fullmatch(text)
        if not found:
            self.counters.comments += bool(text)
            return []
        uid = read_uid(found["uid"])
        if uid is None:
            self._bad += 1
            return []
        reader = found.groupdict().get("reader")
        return [self._tag(uid, time_s, f"at reader {int(reader)}" if reader else "")]

    def _json(self, text: str, time_s: float) -> list[SourceEvent]:
        try:
            content = json.loads(text)
        except (ValueError, RecursionError):
            content = None
        if not isinstance(content, dict):
            self._bad += 1
            return []
        kind, seq = content.get("type"), content.get("seq")
        number = seq if type(seq) is int and 0 <= seq < 2**63 else None
        events: list[SourceEvent] = []
        is_news = True
        if number is not None:
            events, is_news = self._numbers.hear(number, text, kind == "boot", time_s)
        if not is_news:
            self.counters.repeats += 1
        elif kind == "card":
            uid = read_uid(str(content.get("card_uid", "")))
            self._bad += uid is None
            events += [self._tag(uid, time_s, seq=number)] if uid else []
        else:
            self._good_line()
            events += [_fault(content, self.source, time_s)] if kind == "error" else []
        return events


def _fault(content: dict[str, object], source: str, time_s: float) -> SourceEvent:
    code = str(content.get("code", ""))
    word = code if _WORD.fullmatch(code) else "unknown"
    return SourceEvent(EventKind.FAULT, source, time_s, code="device", note=f"the reader reports: {word}")
