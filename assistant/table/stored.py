"""A stored night, opened for reading: whoever shows, copies or counts it is told the same by one check.

The check is that of `tableside verify`: the night's own file, and its copies, which alone show a cut-off end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from assistant.store.base import Entry, NewEntry, NightStore, Verification
from assistant.store.chain import Row
from assistant.store.log_file import Standing, compare, logs_of
from assistant.store.sqlite import SqliteNight, open_night


class ReadNight(NightStore):
    """A stored night that can be read and not added to; made by `open_stored`.

    Args:
        night: Its file, open for reading.
        copies: The folder where its copies lie.
    """

    def __init__(self, night: SqliteNight, copies: Path) -> None:
        self._night = night
        self._copies = copies
        self._found: Verification | None = None
        self.path = night.path
        self.warnings = night.warnings

    def append(self, new: NewEntry) -> Entry:
        """Refuse."""
        return self._night.append(new)

    def entries(self) -> Iterator[Entry]:
        """Yield all entries in order."""
        return self._night.entries()

    def rows(self) -> list[Row]:
        """Return all entries in the form they are kept in."""
        return self._night.rows()

    @property
    def head(self) -> tuple[int, str]:
        """Sequence number and seal of the last entry."""
        return self._night.head

    def hash_at(self, seq: int) -> str | None:
        """Return the seal of an entry."""
        return self._night.hash_at(seq)

    @property
    def is_closed(self) -> bool:
        """Whether the night was closed, and not opened again, without playing it back."""
        kinds = self._night.kinds()
        if "reopen" not in kinds:
            return "close" in kinds
        return [row.kind for row in self.rows() if row.kind in ("close", "reopen")][-1] == "close"

    def verify(self) -> Verification:
        """Check the file, and compare it with its copies; once, for nobody adds to it meanwhile."""
        if self._found is None:
            found = self._night.verify()
            if found.ok:
                found = against_copy(self._copies, self.path.stem, self._night.rows(), found)
            self._found = found
        return self._found

    def seen(self) -> str:
        """Return what file and copies are like, in a word that is another once one of them is changed.

        Raises:
            OSError: The file can't be looked at.
        """
        words = [self.head[1]]
        for file in (self.path, *logs_of(self._copies, self.path.stem)):
            status = file.stat()
            words += [str(status.st_size), str(status.st_mtime_ns)]
        return " ".join(words)

    def backup(self, path: Path) -> None:
        """Write a checked copy to a path."""
        self._night.backup(path)

    def close(self) -> None:
        """Give the night back."""
        self._night.close()


def open_stored(path: Path, copies: Path) -> ReadNight:
    """Open a stored night for reading, in a folder that can't be written to as well.

    Args:
        path: Its file.
        copies: The folder where its copies lie.

    Raises:
        NightInUse: Another window has it.
        StoreError: What else is wrong with the file; what a check finds `ReadNight.verify` says.
    """
    return ReadNight(open_night(path, read_only=True), copies)


def against_copy(copies: Path, name: str, rows: Sequence[Row], found: Verification) -> Verification:
    """Return what a check found, in the light of the night's copies: only a copy shows a cut-off end.

    A copy of another night of this name is none of its business; the night's own then lies under ``NAME_2``.
    """
    try:
        all_compared = [compare(copy, rows) for copy in logs_of(copies, name)]
    except OSError:
        return found
    for compared in all_compared:
        if compared.standing is Standing.AHEAD:
            return replace(found, ok=False, first_bad=len(rows) + 1, reason="cut")
        if compared.standing is Standing.DIFFERS:
            return replace(found, ok=False, first_bad=compared.entries + 1, reason="differs")
    return found
