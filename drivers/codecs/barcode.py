"""`barcode`: serial and CDC scanners (GM65, GM8xx), the code and CR or LF (SHOE_PROTOCOL.md 5)."""

from __future__ import annotations

import re

from drivers.base import Capabilities, SourceEvent
from drivers.codecs.base import LineCodec
from drivers.codecs.tags import TagCodec

LONGEST_LINE = 64
"""Bytes."""
UNFINISHED_S = 0.5
SAME_VISIT_S = 0.7
"""The same code within this time is a scanner that fired twice."""

_CODE = re.compile(rb"[\x20-\x7e]{1,64}")


class BarcodeCodec(LineCodec, TagCodec):
    """Reads lines of printable characters; what is on them is the code."""

    longest, unfinished_s, ends = LONGEST_LINE, UNFINISHED_S, b"\n\r"
    hold_s = SAME_VISIT_S

    @property
    def capabilities(self) -> Capabilities:
        """The check is in the printed code only, nothing protects the line; an unread card is not missed."""
        return Capabilities(names_cards=False, is_shoe=True)

    def _read(self, line: bytes, time_s: float) -> list[SourceEvent]:
        code = line.strip(b" ")
        if not code:
            return []
        if not _CODE.fullmatch(code):
            self._bad += 1
            return []
        return [self._tag(code.decode("ascii"), time_s)]
