"""Where the lines of OSLP/1 begin and end in a stream that loses bytes (SHOE_PROTOCOL.md 4.4, rules 1 and 2).

A line begins at its ``$`` and ends at its LF. Where damage took the LF, the next ``$`` ends it as well: the
check says whether it was whole, so a lost LF costs no good line, neither the one before it nor the one after.
"""

from __future__ import annotations

from collections.abc import Iterator


class FrameBuffer:
    """Cuts a byte stream into pieces that begin with ``$``, and bounds what it keeps.

    Args:
        longest: Bytes a piece may have; of a longer one everything up to the next ``$`` or LF is dropped.
        idle_s: A piece without its end is ended when nothing follows for so long.
    """

    def __init__(self, longest: int, idle_s: float) -> None:
        self.comments = 0
        """Lines without a ``$``, blank ones not counted."""
        self.dropped = 0
        """Pieces that were too long, or unfinished when the link was lost."""
        self._longest = longest
        self._idle_s = idle_s
        self._half = b""
        self._is_noted = False  # the line being read has held a `$`
        self._last_s = 0.0

    def __len__(self) -> int:
        return len(self._half)

    def feed(self, data: bytes, time_s: float) -> Iterator[bytes]:
        """Yield the pieces that `data` or the silence before it ends, without their LF."""
        if self._half and time_s - self._last_s >= self._idle_s and (piece := self.expire(time_s)):
            yield piece
        self._last_s = time_s
        if b"\n" not in data and b"$" not in data:
            self._keep(self._half + data)
            return
        *whole, rest = (self._half + data).split(b"\n")
        self._half = b""
        for line in whole:
            yield from self._pieces(line)
            self._is_noted = False
        at = rest.rfind(b"$")
        if at > 0:
            self._is_noted = True
            yield from self._pieces(rest[:at])
            rest = rest[at:]
        self._keep(rest)

    def expire(self, time_s: float) -> bytes:
        """Return the piece that nothing has followed for too long; empty while there is none."""
        if not self._half or time_s - self._last_s < self._idle_s:
            return b""
        piece, self._half, self._is_noted = self._half, b"", True
        if piece.startswith(b"$"):
            return piece
        self.dropped += 1
        return b""

    def drop(self) -> None:
        """Forget what is unfinished; the link was lost or opened anew."""
        self.dropped += bool(self._half)
        self._half, self._is_noted = b"", False

    def _pieces(self, line: bytes) -> Iterator[bytes]:
        text, *pieces = line.split(b"$")
        self.comments += not pieces and not self._is_noted and bool(text.strip())
        self._is_noted = True
        for piece in pieces:
            if len(piece) < self._longest:
                yield b"$" + piece
            else:
                self.dropped += 1

    def _keep(self, rest: bytes) -> None:
        if len(rest) > self._longest:
            self.dropped += 1
            self._is_noted = True
            rest = b""
        self._half = rest
