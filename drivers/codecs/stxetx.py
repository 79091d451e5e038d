"""`stxetx`: 125 kHz readers, RDM6300 (14 bytes) and ID-12LA (16 bytes): STX, tag, XOR sum, ETX.

Frames: SHOE_PROTOCOL.md 5; Seeed wiki "125Khz_RFID_module-UART" (62E3086CED, sum 08) and the ID-Innovations
datasheet of 11.04.2013, section 4 (0C000621A5, sum 8E).
"""

from __future__ import annotations

import re
from functools import reduce
from operator import xor

from drivers.base import Capabilities, Integrity, SourceEvent
from drivers.codecs.tags import TagCodec

STX, ETX = 0x02, 0x03
LONGEST = 14
"""Bytes between STX and ETX: ten digits, two of the sum, and CR LF from an ID-12LA."""
UNFINISHED_S = 0.2
"""A frame takes 17 ms at 9600; half of one is dropped when nothing follows for so long."""
SAME_VISIT_S = 0.3
"""A reader repeats a tag about every 65 ms while it lies there."""

_CONTENT = re.compile(rb"([0-9A-F]{10})([0-9A-F]{2})(?:\r\n)?")


def checksum(tag: str) -> int:
    """Return the XOR of the five bytes of a tag of ten hex digits."""
    return reduce(xor, bytes.fromhex(tag))


class StxEtxCodec(TagCodec):
    """Reads tags between STX and ETX; a new STX starts anew, so half a frame costs only itself."""

    integrity = Integrity.XOR8
    hold_s = SAME_VISIT_S

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._frame: bytearray | None = None
        self._last_s = 0.0

    @property
    def capabilities(self) -> Capabilities:
        """A sum that lets two errors through, no numbers: a card that was not read is not missed."""
        return Capabilities(names_cards=False, is_shoe=True, integrity=Integrity.XOR8)

    def opened(self, time_s: float) -> None:
        """Forget half a frame of the link before."""
        self._drop()

    def feed(self, data: bytes, time_s: float) -> list[SourceEvent]:
        """Return a tag for each frame whose sum is right."""
        self.tick(time_s)
        self._last_s = time_s
        events = [event for byte in data if (event := self._byte(byte, time_s))]
        return [*events, *self._watch_speed(data, time_s)]

    def tick(self, time_s: float) -> list[SourceEvent]:
        """Drop a frame that was never finished."""
        if time_s - self._last_s >= UNFINISHED_S:
            self._drop()
        return []

    def lost(self, time_s: float) -> list[SourceEvent]:
        """Drop half a frame."""
        self._drop()
        return []

    def _byte(self, byte: int, time_s: float) -> SourceEvent | None:
        if byte == STX:
            self._drop()
            self._frame = bytearray()
        elif self._frame is None:
            return None
        elif byte == ETX:
            frame, self._frame = bytes(self._frame), None
            return self._whole(frame, time_s)
        elif len(self._frame) == LONGEST:
            self._drop()
        else:
            self._frame.append(byte)
        return None

    def _whole(self, frame: bytes, time_s: float) -> SourceEvent | None:
        found = _CONTENT.fullmatch(frame)
        if not found or checksum(found[1].decode("ascii")) != int(found[2], 16):
            self.counters.bad_lines += 1
            return None
        return self._tag(found[1].decode("ascii"), time_s)

    def _drop(self) -> None:
        self.counters.bad_lines += self._frame is not None
        self._frame = None
