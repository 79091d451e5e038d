"""A night that lives in memory: replay, tests and trying things out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from assistant.store.base import NO_HASH, Entry, NewEntry, NightStore, NotWritable, Verification
from assistant.store.chain import Row, check_chain, read_row, seal_entry
from assistant.store.codec import CODEC_VERSION


class MemoryNight(NightStore):
    """A night that is gone when the program ends."""

    def __init__(self) -> None:
        self._rows: list[Row] = []
        self._by_key: dict[str, Row] = {}
        self._closed = False

    def append(self, new: NewEntry) -> Entry:
        """Keep an entry in memory."""
        if self._closed:
            raise NotWritable("The night is closed.")
        first = self._by_key.get(new.key)
        if first is not None:
            return read_row(first)
        seq, head = self.head
        row = seal_entry(new, seq + 1, CODEC_VERSION, head)
        entry = read_row(row)
        self._rows.append(row)
        self._by_key[row.key] = row
        return entry

    def entries(self) -> Iterator[Entry]:
        """Yield all entries in order."""
        for row in list(self._rows):
            yield read_row(row)

    @property
    def head(self) -> tuple[int, str]:
        """Sequence number and seal of the last entry."""
        return (self._rows[-1].seq, self._rows[-1].hash) if self._rows else (0, NO_HASH)

    def hash_at(self, seq: int) -> str | None:
        """Return the seal of an entry."""
        return self._rows[seq - 1].hash if 0 < seq <= len(self._rows) else None

    def verify(self) -> Verification:
        """Check every entry from the first to the last."""
        return check_chain(self._rows)

    def backup(self, path: Path) -> None:
        """Write the night to a file that `assistant.store.sqlite` opens."""
        from assistant.store.copies import check_older_copy, write_copy

        if path.exists():
            check_older_copy(self, path)
        write_copy(self._rows, path)

    def close(self) -> None:
        """Take no more entries."""
        self._closed = True
