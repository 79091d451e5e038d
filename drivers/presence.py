"""Hold-off: a tag that lies before its reader is read many times and is one card (SHOE_PROTOCOL.md 5)."""

from __future__ import annotations


class Presence:
    """Tells a tag that has just come from one that has been lying there.

    Args:
        hold_s: A tag that was not read for longer than this had gone away.
        most: Tags remembered; a flood of different ones forgets the oldest.
    """

    def __init__(self, hold_s: float, most: int = 64) -> None:
        self._hold_s = hold_s
        self._most = most
        self._seen_s: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._seen_s)

    def comes(self, tag: str, time_s: float) -> bool:
        """Note a reading; whether with it a new visit begins. Each reading prolongs the visit."""
        last_s = self._seen_s.pop(tag, None)
        self._seen_s[tag] = time_s  # at the end: the order is that of the last readings
        if len(self._seen_s) > self._most:
            self._seen_s.pop(next(iter(self._seen_s)))
        return last_s is None or time_s - last_s > self._hold_s
