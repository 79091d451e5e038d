"""`barcode`: serial and CDC scanners (GM65, GM8xx), the code and CR or LF (SHOE_PROTOCOL.md 5)."""

from __future__ import annotations

import re

from drivers.base import Capabilities, SourceEvent
from drivers.codecs.base import LineBuffer
from drivers.codecs.tags import TagCodec

LONGEST_LINE = 64
"""Bytes."""
UNFINISHED_S = 0.5
SAME_VISIT_S = 0.7
"""The same code within this time is a scanner that fired twice."""

_CODE = re.compile(rb"[\x20-\x7e]{1,64}")


class BarcodeCodec(TagCodec):
    """Reads lines of printable characters; what is on them is the code."""

    def __init__(self, source: str) -> None:
        super().__init__(source, SAME_VISIT_S)
        self._lines = LineBuffer(LONGEST_LINE, UNFINISHED_S, b"\n\r")
        self._bad_codes = 0

    @property
    def capabilities(self) -> Capabilities:
        """The check is in the printed code only, nothing protects the line; an unread card is not missed."""
        return Capabilities(names_cards=False, is_shoe=True)

    def opened(self, time_s: float) -> None:
        """Forget half a code of the link before."""
        self._lines.drop()
        self._count()

    def feed(self, data: bytes, time_s: float) -> list[SourceEvent]:
        """Return the code of each line."""
        events = [event for line in self._lines.feed(data, time_s) if (event := self._read(line, time_s))]
        self._count()
        return [*events, *self._watch_speed(data, time_s)]

    def tick(self, time_s: float) -> list[SourceEvent]:
        """Drop a code that was never finished."""
        self._lines.expire(time_s)
        self._count()
        return []

    def lost(self, time_s: float) -> list[SourceEvent]:
        """Drop half a code."""
        self.opened(time_s)
        return []

    def _read(self, line: bytes, time_s: float) -> SourceEvent | None:
        code = line.strip(b" ")
        if not code:
            return None
        if not _CODE.fullmatch(code):
            self._bad_codes += 1
            return None
        return self._tag(code.decode("ascii"), time_s)

    def _count(self) -> None:
        self.counters.bad_lines = self._bad_codes + self._lines.dropped
