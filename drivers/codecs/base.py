"""What every codec is: bytes in, events out, no port and no clock; the time comes with the bytes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from drivers.base import Capabilities, EventKind, SourceEvent

GARBAGE_BYTES = 50
"""Unprintable bytes without a good line between them that make a wrong speed likely (SHOE_PROTOCOL.md 7)."""
GARBAGE_S = 1.5
"""How long they must have been coming: line noise at plugging in is over by then."""
_PRINTABLE = bytes(range(0x20, 0x7F)) + b"\r\n\t"


@dataclass(slots=True)
class Counters:
    """What a codec has seen; shown with the source, and the first thing to look at when a shoe misbehaves.

    Attributes:
        frames: Good lines.
        comments: Lines that are not meant for the program.
        bad_lines: Lines that are neither; an unfinished line that was dropped is one.
        repeats: Reports of a card that had been reported before.
        mended: Reports that came whole in two damaged copies together.
    """

    frames: int = 0
    comments: int = 0
    bad_lines: int = 0
    repeats: int = 0
    mended: int = 0


class Codec(ABC):
    """Turns the bytes of one device into events; keeps what is unfinished until the rest comes.

    Args:
        source: Name of the source, for its events.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.counters = Counters()
        self._garbage = 0
        self._garbage_since_s: float | None = None
        self._said_garbage = False

    @property
    @abstractmethod
    def capabilities(self) -> Capabilities:
        """What devices of this format can do, as far as this one has said."""

    @abstractmethod
    def opened(self, time_s: float) -> None:
        """Start on a link that was just opened; half a line of before is forgotten."""

    @abstractmethod
    def feed(self, data: bytes, time_s: float) -> list[SourceEvent]:
        """Take bytes that arrived now and return what became certain with them."""

    @abstractmethod
    def tick(self, time_s: float) -> list[SourceEvent]:
        """Return what became certain by waiting; called a few times a second, also while bytes come."""

    @abstractmethod
    def lost(self, time_s: float) -> list[SourceEvent]:
        """Return what is left to say when the link is lost; half a line is dropped."""

    def outbox(self) -> bytes:
        """Return, once, what the device should be sent; receive-only formats have nothing to say."""
        return b""

    def _watch_speed(self, data: bytes, time_s: float) -> Iterator[SourceEvent]:
        """Hint at a wrong speed, once, when unprintable bytes keep coming and no good line does."""
        garbage = unprintable(data)
        if not garbage and not self._garbage:
            return
        self._garbage += garbage
        if self._garbage and self._garbage_since_s is None:
            self._garbage_since_s = time_s
        since_s = self._garbage_since_s
        if self._said_garbage or since_s is None or self._garbage <= GARBAGE_BYTES:
            return
        if time_s - since_s >= GARBAGE_S:
            self._said_garbage = True
            yield SourceEvent(
                EventKind.FAULT,
                self.source,
                time_s,
                code="wrong-speed",
                note="unreadable bytes and no card: check shoe speed (option baud=…) and format",
            )

    def _good_line(self) -> None:
        self.counters.frames += 1
        self._garbage = 0
        self._garbage_since_s = None
        self._said_garbage = False


class LineBuffer:
    """Cuts a byte stream into lines and bounds what it keeps.

    Args:
        longest: Bytes a line may have without its end; a longer one is dropped up to the next line end.
        idle_s: An unfinished line is dropped when nothing follows for so long.
        ends: Bytes that end a line.
    """

    def __init__(self, longest: int, idle_s: float, ends: bytes = b"\n") -> None:
        self.dropped = 0
        """Unfinished and over-long lines dropped so far."""
        self._longest = longest
        self._idle_s = idle_s
        self._ends = frozenset(ends)
        self._end = ends[:1]
        self._other_ends = [bytes((end,)) for end in ends[1:]]
        self._half = b""
        self._is_skipping = False
        self._last_s = 0.0

    def __len__(self) -> int:
        return len(self._half)

    @property
    def half(self) -> bytes:
        """What is kept of an unfinished line."""
        return self._half

    def feed(self, data: bytes, time_s: float) -> Iterator[bytes]:
        """Yield the lines that `data` completes, without their ends; the rest is kept after the last."""
        self.expire(time_s)
        self._last_s = time_s
        if self._ends.isdisjoint(data):
            self._keep(data)
            return
        for end in self._other_ends:
            data = data.replace(end, self._end)
        *whole, rest = data.split(self._end)
        for piece in whole:
            line = self._half + piece
            self._half = b""
            if self._is_skipping:
                self._is_skipping = False
            elif len(line) > self._longest:
                self.dropped += 1
            else:
                yield line
        self._keep(rest)

    def expire(self, time_s: float) -> None:
        """Drop an unfinished line that nothing has followed for too long."""
        if time_s - self._last_s >= self._idle_s:
            self.drop()

    def drop(self) -> None:
        """Drop an unfinished line; the link was lost or opened anew."""
        self.dropped += bool(self._half)
        self._half = b""
        self._is_skipping = False

    def _keep(self, rest: bytes) -> None:
        if self._is_skipping:
            return
        if len(self._half) + len(rest) > self._longest:
            self.dropped += 1
            self._half = b""
            self._is_skipping = True
        else:
            self._half += rest


def unprintable(data: bytes) -> int:
    """Count the bytes that no line of letters, digits and signs holds."""
    return len(data.translate(None, _PRINTABLE))


class LineCodec(Codec):
    """A codec of text lines; a subclass says in `_read` what one of them means.

    Attributes:
        longest: Bytes a line may have.
        unfinished_s: An unfinished line is dropped after so long.
        ends: Bytes that end a line.
    """

    longest: ClassVar[int]
    unfinished_s: ClassVar[float]
    ends: ClassVar[bytes] = b"\n"

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._lines = LineBuffer(self.longest, self.unfinished_s, self.ends)
        self._bad = 0

    @abstractmethod
    def _read(self, line: bytes, time_s: float) -> list[SourceEvent]:
        """Return what a whole line says; a bad one is counted in `_bad`."""

    def opened(self, time_s: float) -> None:
        """Forget half a line of the link before."""
        self._lines.drop()
        self._count()

    def feed(self, data: bytes, time_s: float) -> list[SourceEvent]:
        """Return what the lines completed by `data` say."""
        events = [event for line in self._lines.feed(data, time_s) for event in self._read(line, time_s)]
        self._count()
        return [*events, *self._watch_speed(data, time_s)]

    def tick(self, time_s: float) -> list[SourceEvent]:
        """Drop a line that was never finished."""
        self._lines.expire(time_s)
        self._count()
        return []

    def lost(self, time_s: float) -> list[SourceEvent]:
        """Drop half a line."""
        self.opened(time_s)
        return []

    def _count(self) -> None:
        self.counters.bad_lines = self._bad + self._lines.dropped
