"""Numbered lines of a device that can't send one again: what is missing, doubled, begun anew."""

from __future__ import annotations

from drivers.base import EventKind, SourceEvent

RECENT = 32
"""Lines remembered, to tell a repeat from a device that counts anew."""


class LineNumbers:
    """Follows the numbers of one device.

    Args:
        source: Name of the source, for its events.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._next: int | None = None
        self._recent: dict[int, str] = {}

    @property
    def are_used(self) -> bool:
        """Whether this device numbers its lines."""
        return self._next is not None

    def hear(self, seq: int, text: str, is_boot: bool, time_s: float) -> tuple[list[SourceEvent], bool]:
        """Take a line's number; return what that says, and whether the line is news."""
        if self._recent.get(seq) == text:
            return [], False
        events = self._judge(seq, is_boot, time_s)
        self._next = seq + 1
        self._recent[seq] = text
        while len(self._recent) > RECENT:
            self._recent.pop(next(iter(self._recent)))
        return events, True

    def _judge(self, seq: int, is_boot: bool, time_s: float) -> list[SourceEvent]:
        if self._next is None:
            note = f"joined at line {seq}; cards before it are unknown"
            return [SourceEvent(EventKind.JOINED, self._source, time_s, seq=seq, code="joined", note=note)]
        if is_boot or seq < self._next:
            self._recent.clear()
            note = "the reader started anew"
            return [SourceEvent(EventKind.REBOOT, self._source, time_s, code="reboot", note=note)]
        if seq == self._next:
            return []
        count = seq - self._next
        note = f"{count} line{'s' if count > 1 else ''} lost from number {self._next} on"
        return [
            SourceEvent(
                EventKind.GAP, self._source, time_s, seq=self._next, count=count, code="lost", note=note
            )
        ]
