"""The journal of an open night: its newest entries, each on the disk before the table hears of it.

SQLite alone makes an entry last too, but dearly: three pages of 4 KiB in six writes, and while its log grows,
a commit of the file system's own besides. Here an entry is one line laid over room that was made before, and
one flush. The database takes the lines in, many at a time; what it lacks when a program dies is taken in when
the night is opened again.

The first line says whose journal it is, by the seal of the night's first entry, which the database has. Every
other one is what its entry's seal was made over, and the seal. So a torn line is none, and a line counts only
where it continues the night's chain: whatever else lies in the room, older lines among it, is passed over.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from assistant.store.chain import Row, read_sealed
from assistant.store.folders import sync_file, sync_folder

if sys.platform == "darwin":
    import fcntl

JOURNAL_SUFFIX = "-entries"
"""Of the file beside a night: ``2026-11-28-1.night-entries``."""
ROOM_BYTES = 1 << 18
"""Some 600 usual entries; the database takes them in long before."""
_HASH_DIGITS = 64
_OWNER = b"Tableside journal of "


def journal_of(night: Path) -> Path:
    """Return where the journal of a night lies while it is open, or was left by a program that died."""
    return night.with_name(night.name + JOURNAL_SUFFIX)


class Journal:
    """The room for lines, in an open file.

    Args:
        path: Of the journal; a file that is there must not be needed any more.
        owner: The seal of the night's first entry.

    Raises:
        OSError: The room can't be made; nothing is left there.
    """

    def __init__(self, path: Path, owner: str) -> None:
        self.path = path
        self._name = str(path)
        first = b"%b%b\n" % (_OWNER, owner.encode("ascii"))
        self._start = self._end = len(first)
        self._handle = _make_room(path, first)
        self.identity = _identity(os.fstat(self._handle))

    def is_in_place(self) -> bool:
        """Whether the file still has its name: what is written to one without a name nobody finds."""
        try:
            return _identity(os.stat(self._name)) == self.identity
        except OSError:
            return False

    def has_room(self, line: bytes) -> bool:
        """Whether a line fits behind the others."""
        return self._end + len(line) <= ROOM_BYTES

    def add(self, line: bytes) -> None:
        """Write a line; it is on the disk when this returns.

        Raises:
            OSError: The disk refused; what it may have kept of the line was blanked as well as it can be.
        """
        try:
            _write(self._handle, self._end, line)
            _flush(self._handle)
        except OSError:
            with suppress(OSError):  # a restart must not find what was said not to be saved
                _write(self._handle, self._end, bytes(len(line)))
                _flush(self._handle)
            raise
        self._end += len(line)

    def begin_again(self) -> None:
        """Write the next line over the first one: the database has them all."""
        self._end = self._start

    def close(self) -> None:
        """Leave the file as it is."""
        os.close(self._handle)


def line_of(sealed: bytes, seal: str) -> bytes:
    """Return the line of an entry.

    Args:
        sealed: What the seal was made over (`assistant.store.chain.sealed`).
        seal: Its 64 hex digits.
    """
    return b"%b %b\n" % (sealed, seal.encode("ascii"))


@dataclass(frozen=True, slots=True)
class Found:
    """What lies in a journal.

    Attributes:
        owner: Seal of the first entry of the night it belongs to; empty where that can't be read.
        rows: Every line with its right seal: the newest entries, and behind them what older ones were left.
    """

    owner: str = ""
    rows: tuple[Row, ...] = ()


def read_journal(path: Path) -> Found:
    """Return what lies in a journal; nothing where there is none.

    Raises:
        OSError: It can't be read; nobody knows what it holds.
    """
    try:
        first, *lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return Found()
    owner = first[len(_OWNER) :].decode("ascii", "replace") if first.startswith(_OWNER) else ""
    rows = []
    for line in lines if owner else (first, *lines):
        text, seal = line[: -_HASH_DIGITS - 1], line[-_HASH_DIGITS:].decode("ascii", "replace")
        if hashlib.sha256(text).hexdigest() == seal and (row := read_sealed(text, seal)) is not None:
            rows.append(row)
    return Found(owner, tuple(rows))


def first_chain(rows: Sequence[Row]) -> list[Row]:
    """Return a journal's rows from the first on as far as each continues the one before."""
    for count, (before, row) in enumerate(pairwise(rows), start=1):
        if (row.seq, row.prev) != (before.seq + 1, before.hash):
            return list(rows[:count])
    return list(rows)


def identity_of(path: Path) -> tuple[int, int] | None:
    """Return what tells the file at a path from another one that gets its name; None where there is none."""
    try:
        return _identity(os.stat(path))
    except OSError:
        return None


def remove_journal(path: Path, identity: tuple[int, int] | None = None) -> None:
    """Remove a journal whose lines are all in the database; one that stays does no harm.

    Args:
        path: The journal.
        identity: Its own (`identity_of`), where another night's may have got its name meanwhile.
    """
    if identity is not None and identity_of(path) != identity:
        return
    with suppress(OSError):
        _unlink(path)


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino


def _make_room(path: Path, first: bytes) -> int:
    """Make a file that the disk has in full, so that no line has to wait for room to be found."""
    handle = _open(path)
    try:
        _write(handle, 0, first + bytes(ROOM_BYTES - len(first)))
        sync_file(path)
        sync_folder(path.parent)
    except OSError:
        os.close(handle)
        remove_journal(path)
        raise
    return handle


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o666)


def _write(handle: int, place: int, data: bytes) -> None:
    while data:  # a disk that is nearly full takes a part of it, and says why with the next
        if sys.platform == "win32":
            os.lseek(handle, place, os.SEEK_SET)
            done = os.write(handle, data)
        else:
            done = os.pwrite(handle, data, place)
        place, data = place + done, data[done:]


def _unlink(path: Path) -> None:
    path.unlink(missing_ok=True)


def _flush(handle: int) -> None:
    """Make written bytes last; the file's length stays, so its data is enough."""
    if sys.platform == "darwin":  # a plain fsync doesn't reach the disk there
        fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
    elif sys.platform == "win32":
        os.fsync(handle)
    else:
        os.fdatasync(handle)
