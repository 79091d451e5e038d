"""`oslp`: Open Shoe Line Protocol 1, ``$CARD,7A3C,0001,AS,10450*1294``, with CRC and numbers.

Grammar, receiver rules and times: SHOE_PROTOCOL.md 4.1, 4.2, 4.4 and 4.6.
"""

from __future__ import annotations

import re
from binascii import crc_hqx
from collections.abc import Sequence
from dataclasses import dataclass, field

from assistant.cards import FULL_DECK
from drivers.base import Capabilities, EventKind, Integrity, SourceEvent
from drivers.codecs.base import Codec
from drivers.codecs.copies import DamagedCopies
from drivers.codecs.oslp_frames import FrameBuffer
from drivers.link import (
    NUMBERS,
    Contradiction,
    Cursor,
    Delivered,
    Gap,
    Joined,
    Outcome,
    Reboot,
    SavedCursor,
    SequenceLink,
)

LONGEST_LINE = 79
"""Bytes before the LF; with it a line has at most 80."""
UNFINISHED_S = 0.2
"""Nothing has followed half a line for so long: nothing will."""
STALE_S = 3.0
"""No valid line for so long: a shoe sends BEAT every second."""
NO_SHOE_S = 6.0
"""No valid line for so long after opening: there is no shoe here."""
PING_S = (2.5, 3.5, 4.5)
"""When to ask who is there, after opening: a board that was reset by it has started by then."""

_FRAME = re.compile(rb"\$([^$*]+)\*([0-9A-F]{4})[^$]{0,2}")  # CR and LF carry nothing and may be damaged
_BOOT = rb"([0-9A-F]{4})"
_MS = rb"(0|[1-9][0-9]{0,9})"
_TEXT = rb"([!-#%-)+\--~]*)"
_NUMBERED = {
    b"CARD": rb"([A23456789TJQK][SHDC]|X[RB])",
    b"TAG": rb"((?:[0-9A-F]{2}){4,10}),([0-9]{1,3})",
    b"MISS": rb"(READ|MULTI|TIME)",
    b"BACK": b"",
    b"CUT": b"",
    b"EMPT": b"",
    b"LID": b"([01])",
    b"FLT": b"([0-9]{1,3})",
}
_REPORTS = frozenset(name.decode() for name in _NUMBERED)
_BODIES = {
    name: re.compile(b",".join(part for part in (name, _BOOT, _BOOT, fields, _MS) if part))
    for name, fields in _NUMBERED.items()
} | {
    b"HELO": re.compile(b",".join((b"HELO", b"([0-9]{1,3})", _BOOT, _TEXT, _TEXT, b"([A-Z]*)"))),
    b"BEAT": re.compile(b",".join((b"BEAT", _BOOT, _BOOT, b"([0-9]{1,5})", _MS))),
}
_MISSES = {
    "READ": "a card left the shoe unread",
    "MULTI": "two cards left the shoe at once",
    "TIME": "a card was too long in the gate",
}
_PLAIN_REPORTS = {
    "BACK": (EventKind.BACK, "back", "a card was pushed back"),
    "CUT": (EventKind.CUT, "cut", "cut card reached"),
    "EMPT": (EventKind.EMPTY, "empty", "the shoe is empty"),
}
_CARDS = {str(card): card for card in FULL_DECK}
_JOKERS = {"XR": "red", "XB": "black"}


@dataclass(frozen=True, slots=True)
class Packet:
    """One valid line.

    Attributes:
        kind: HELO, BEAT, CARD, TAG, MISS, BACK, CUT, EMPT, LID or FLT.
        boot: Differs after every reset of the shoe.
        seq: Number of the report; for BEAT the newest one issued, for HELO 0.
        fields: What is special to the kind, as text.
        ms: The shoe's clock; a repeat may carry another.
    """

    kind: str
    boot: str
    seq: int
    fields: tuple[str, ...]
    ms: int = field(default=0, compare=False)


def crc(body: bytes) -> int:
    """Return CRC-16/CCITT-FALSE, 0x29B1 for ``123456789``."""
    return crc_hqx(body, 0xFFFF)


def encode(body: str) -> bytes:
    """Return the line for a body such as ``PING`` or ``ACK,7A3C,0002``."""
    data = body.encode("ascii")
    return b"$%s*%04X\r\n" % (data, crc(data))


def parse(line: bytes) -> Packet | None:
    """Read one line without its LF, from its last ``$`` on; None unless grammar and CRC are right."""
    found = _FRAME.fullmatch(line, max(0, line.rfind(b"$")))
    if not found or crc(found[1]) != int(found[2], 16):
        return None
    kind = found[1].partition(b",")[0]
    grammar = _BODIES.get(kind)
    body = grammar.fullmatch(found[1]) if grammar else None
    if not body:
        return None
    fields = tuple([part.decode("ascii") for part in body.groups()])
    if kind == b"HELO":
        return Packet("HELO", fields[1], 0, (fields[0], *fields[2:]))
    return Packet(kind.decode("ascii"), fields[0], int(fields[1], 16), fields[2:-1], int(fields[-1]))


class OslpCodec(Codec):
    """Reads the lines of one shoe and keeps its reports in order.

    Args:
        source: Name of the source, for its events.
        replies: Whether the shoe may be answered (PING, ACK, NAK); without it nothing is ever sent.
        cursors: Where shoes were read up to before the program's own crash.
    """

    def __init__(self, source: str, *, replies: bool = True, cursors: Sequence[SavedCursor] = ()) -> None:
        super().__init__(source)
        self._lines = FrameBuffer(LONGEST_LINE, UNFINISHED_S)
        self._bad_frames = 0
        self._copies = DamagedCopies()
        self._link: SequenceLink[Packet] = SequenceLink()
        self._cursors = tuple(cursors)
        self._replies = replies
        self._out = bytearray()
        self._caps: str | None = None
        self._device = ""
        self._firmware = ""
        self._boot: str | None = None
        self._opened_s = 0.0
        self._valid_s: float | None = None
        self._pings = 0
        self._said_stale = False

    @property
    def capabilities(self) -> Capabilities:
        """What the protocol promises, and from HELO on what this shoe does."""
        caps = self._caps if self._caps is not None else "C"
        return Capabilities(
            names_cards="C" in caps,
            detects_misses="S" in caps,
            exactly_once=True,
            can_resend="A" in caps and self._replies,
            is_shoe=True,
            integrity=Integrity.CRC16,
        )

    @property
    def cursor(self) -> Cursor | None:
        """Where this shoe was read up to."""
        return self._link.cursor

    def opened(self, time_s: float) -> None:
        """Wait for the shoe to speak; its numbers go on from before, if it was not reset."""
        self._lines.drop()
        self._copies.clear()
        self._opened_s = time_s
        self._valid_s = None
        self._pings = 0
        self._said_stale = False
        self._out.clear()
        self._link.reopened(time_s)

    def feed(self, data: bytes, time_s: float) -> list[SourceEvent]:
        """Return what the lines completed by `data` say."""
        events: list[SourceEvent] = []
        dropped = self._lines.dropped
        lines = list(self._lines.feed(data, time_s))
        for line in lines:
            events += self._read(line, time_s)
        if lines or dropped != self._lines.dropped:
            self._settle(time_s)
        events += self._watch_speed(data, time_s)
        return events

    def tick(self, time_s: float) -> list[SourceEvent]:
        """Take what is left of a line, give up old holes, notice silence, ask who is there."""
        line = self._lines.expire(time_s)
        events = self._read(line, time_s) if line else []
        events += self._say(self._link.tick(time_s), time_s) + self._silence(time_s)
        is_unknown = self._replies and self._caps is None and self._pings < len(PING_S)
        if is_unknown and time_s - self._opened_s >= PING_S[self._pings]:
            self._pings += 1
            self._out += encode("PING")
        self._settle(time_s)
        return events

    def lost(self, time_s: float) -> list[SourceEvent]:
        """Drop half a line; holes are kept, for the shoe may still hold what is missing."""
        self._lines.drop()
        self._settle(time_s)
        self._out.clear()
        return []

    def outbox(self) -> bytes:
        """Return what the shoe should be told now."""
        data = bytes(self._out)
        self._out.clear()
        return data

    def _read(self, line: bytes, time_s: float) -> list[SourceEvent]:
        packet = parse(line)
        if packet is None:
            self._bad_frames += 1
            packet = self._mended(line, time_s)
        elif packet.kind in _REPORTS:
            self._copies.clear()
        if packet is None:
            return []
        self._good_line()
        self._resume(packet)
        events = self._valid(packet, time_s)
        return events + self._say(self._hear(packet, time_s), time_s)

    def _mended(self, line: bytes, time_s: float) -> Packet | None:
        """What damaged copies say together, if it is a report that is due.

        A shoe that can be asked is asked instead.
        """
        if self._link.can_resend:
            return None
        tries = [packet for piece in self._copies.add(line, time_s) if (packet := parse(piece))]
        due = [one for one in tries if one.kind in _REPORTS and self._link.is_due(one.boot, one.seq)]
        if not due or any(one != due[0] for one in due):
            return None
        self.counters.mended += 1
        self._copies.clear()
        return due[0]

    def _resume(self, packet: Packet) -> None:
        """At first contact go on where this shoe was read up to, wherever it is plugged in now."""
        if self._link.boot is not None:
            return
        device = packet.fields[1] if packet.kind == "HELO" else ""
        mine = [
            saved
            for saved in self._cursors
            if not device or not saved.device or saved.device == device
            if saved.cursor.boot == packet.boot or saved.source == self.source
        ]
        best = max(mine, key=lambda saved: saved.cursor.boot == packet.boot, default=None)
        if best is not None:
            self._link.resume(best.cursor)
            self._device, self._boot = best.device, best.cursor.boot

    def _valid(self, packet: Packet, time_s: float) -> list[SourceEvent]:
        """Note a sign of life; say UP when there was none before."""
        was_up = self._valid_s is not None and not self._said_stale
        self._valid_s, self._said_stale = time_s, False
        is_news = False
        events = []
        if packet.kind == "HELO":
            version, device, firmware, caps = packet.fields
            is_news = (self._device, self._firmware) != (device, firmware)
            self._device, self._firmware, self._caps = device, firmware, caps
            if version != "1" and is_news:
                note = f"the shoe speaks OSLP/{version}; this program knows OSLP/1"
                events.append(SourceEvent(EventKind.FAULT, self.source, time_s, code="version", note=note))
        elif self._replies and self._caps is None and not self._pings:
            # the shoe is there and was not reset by the opening: only its HELO says whether it can send again
            self._pings += 1
            self._out += encode("PING")
        if not was_up or is_news:
            who = f"{self._device} {self._firmware}".strip()
            up = SourceEvent(EventKind.UP, self.source, time_s, code="answers", note=who)
            events.insert(0, up)
        return events

    def _hear(self, packet: Packet, time_s: float) -> list[Outcome[Packet]]:
        if packet.kind == "HELO":
            return self._link.hello(packet.boot, "A" in packet.fields[3], time_s)
        if packet.kind == "BEAT":
            return self._link.beat(packet.boot, packet.seq, time_s)
        return self._link.receive(packet.boot, packet.seq, packet, time_s)

    def _silence(self, time_s: float) -> list[SourceEvent]:
        since_s = self._opened_s if self._valid_s is None else self._valid_s
        limit_s = NO_SHOE_S if self._valid_s is None else STALE_S
        if self._said_stale or time_s - since_s < limit_s:
            return []
        self._said_stale = True
        if self._valid_s is None:
            note, code = f"no shoe has answered for {NO_SHOE_S:g} s: check port, speed and format", "no-shoe"
        else:
            note, code = f"the shoe has been silent for {STALE_S:g} s", "silent"
        return [SourceEvent(EventKind.STALE, self.source, time_s, code=code, note=note)]

    def _say(self, outcomes: list[Outcome[Packet]], time_s: float) -> list[SourceEvent]:
        events = []
        for outcome in outcomes:
            if isinstance(outcome, Joined | Reboot):
                self._boot = self._link.boot  # what was said before a reboot is of the run before
            events.append(_event(outcome, self.source, time_s, f"{self._device}/{self._boot}"))
        return events

    def _settle(self, time_s: float) -> None:
        self.counters.comments = self._lines.comments
        self.counters.bad_lines = self._bad_frames + self._lines.dropped
        self.counters.repeats = self._link.repeats
        if self._replies:
            for ask in self._link.asks(time_s):
                self._out += encode(f"{'ACK' if ask.is_ack else 'NAK'},{ask.boot},{ask.seq:04X}")


def _event(outcome: Outcome[Packet], source: str, time_s: float, run: str) -> SourceEvent:
    """Return the event; `run` is the shoe and its start, with which a report has a name for good."""
    match outcome:
        case Delivered(seq, packet):
            return _report(packet, seq, source, time_s, f"{run}/{seq:04X}")
        case Gap(first, count):
            note = f"{count} report{'s' if count > 1 else ''} lost from number {first} on"
            last = f"{run}/{(first + count - 1) % NUMBERS:04X}"
            return SourceEvent(
                EventKind.GAP, source, time_s, seq=first, count=count, code="lost", note=note, report=last
            )
        case Joined(following):
            note = f"joined at report {following}; cards before it are unknown"
            return SourceEvent(EventKind.JOINED, source, time_s, seq=following, code="joined", note=note)
        case Reboot():
            note = "the shoe started anew"
            return SourceEvent(EventKind.REBOOT, source, time_s, code="reboot", note=note)
        case Contradiction(seq):
            note = f"report {seq} came twice with different content; the first stands"
            return SourceEvent(EventKind.CONFLICT, source, time_s, seq=seq, code="contradiction", note=note)


def _report(packet: Packet, seq: int, source: str, time_s: float, report: str) -> SourceEvent:
    """Return the event for a report that came in order."""
    kind, card, code, note, tag = EventKind.CARD, None, "", "", ""
    first = packet.fields[0] if packet.fields else ""
    match packet.kind:
        case "CARD" if first in _CARDS:
            card = _CARDS[first]
        case "CARD":
            kind, code, note = EventKind.UNREADABLE, "joker", f"a {_JOKERS[first]} joker"
        case "TAG":
            kind, tag, note = EventKind.TAG_UNKNOWN, first, f"at reader {int(packet.fields[1])}"
        case "MISS":
            kind, code, note = EventKind.UNREADABLE, first.lower(), _MISSES[first]
        case "LID":
            code = "open" if first == "1" else "closed"
            kind, note = EventKind.LID, f"lid {code}"
        case "FLT":
            kind, code, note = EventKind.FAULT, "device", f"shoe fault {int(first)}"
        case other:
            kind, code, note = _PLAIN_REPORTS[other]
    return SourceEvent(
        kind,
        source,
        time_s,
        card=card,
        confidence=1.0 if card else None,
        seq=seq,
        code=code,
        tag=tag,
        note=note,
        integrity=Integrity.CRC16,
        report=report,
    )
