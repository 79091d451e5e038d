"""A report out of two damaged copies of it, for shoes that send each event three times and can't be asked.

A cut copy begins well, and a copy with an error in its first half ends well: what two give together has come
over the same wire as any line, and grammar and CRC decide about it as about any line. Nothing is corrected or
guessed. Known as packet combining (Sindhu, "Retransmission error control with memory", 1977).
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

COPIES_S = 0.3
"""Copies come within 60 ms; the last one may wait 200 ms for its line end."""
MOST_COPIES = 3
MOST_DIFFERENCES = 4
"""Places in which two copies differ; with more of them they are no copies, or not worth a try."""

_END = re.compile(rb"(\*[0-9A-Za-z]{4})[^$*]{0,2}\Z")


class DamagedCopies:
    """The damaged lines of the last moments."""

    def __init__(self) -> None:
        self._lines: deque[tuple[float, bytes]] = deque(maxlen=MOST_COPIES - 1)

    def clear(self) -> None:
        """A copy came whole: the damaged ones are of no use."""
        self._lines.clear()

    def add(self, line: bytes, time_s: float) -> Iterator[bytes]:
        """Yield the lines that a damaged one and those shortly before it give together; most are none."""
        line = _END.sub(rb"\1", line)
        for heard_s, other in tuple(self._lines):
            if time_s - heard_s <= COPIES_S:
                yield from _joined(other, line)
                yield from _joined(line, other)
        self._lines.append((time_s, line))


def _joined(first: bytes, second: bytes) -> Iterator[bytes]:
    """Begin as one copy and end as the other, which must not be the shorter."""
    if len(second) < len(first):
        return
    differing = [at for at, byte in enumerate(first) if byte != second[at]]
    if not differing or len(differing) > MOST_DIFFERENCES:
        return
    for at in differing:
        candidate = first[: at + 1] + second[at + 1 :]
        if candidate != first:
            yield candidate
