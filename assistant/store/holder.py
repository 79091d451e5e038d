"""Who has a night open: within this program and, for the sentence the other window shows, across programs.

The lock that counts is SQLite's own, which the system releases when a program dies. What is written here
beside the night is only a name to show; it never keeps anybody out, and a stale one is ignored.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from assistant.store.base import NightInUse

# Closing any handle on a file drops all POSIX locks this process has on it, SQLite's too. So a night that is
# open in this process must never be opened a second time, not even to look at its header.
_held: set[tuple[int, int]] = set()
_guard = threading.Lock()
_SHARED_FIRST = 0x40000002
_SHARED_SIZE = 510


@dataclass(frozen=True, slots=True)
class Claim:
    """This process's claim on a night's file.

    Attributes:
        path: The night.
        identity: Device and inode, the same for every name of the file.
    """

    path: Path
    identity: tuple[int, int]

    @classmethod
    def take(cls, path: Path) -> Claim:
        """Claim a night within this process.

        Raises:
            NightInUse: This process has it open already.
            OSError: There is no such file.
        """
        status = path.stat()
        identity = (status.st_dev, status.st_ino)
        with _guard:
            if identity in _held:
                raise NightInUse(path.stem, os.getpid(), socket.gethostname())
            _held.add(identity)
        return cls(path, identity)

    def give_back(self) -> None:
        """End the claim."""
        with _guard:
            _held.discard(self.identity)


def is_locked(path: Path) -> bool:
    """Return whether another program has a night open, without SQLite, which would write beside the file.

    Tries SQLite's own bytes for a moment. Must only be called under this process's claim: closing the handle
    drops all POSIX locks this process has on the file.

    Source: sqlite.org/src, os.h: SHARED_FIRST and SHARED_SIZE.
    """
    with suppress(OSError), path.open("rb") as file:
        return not _can_lock(file)
    return False


def _can_lock(file: BinaryIO) -> bool:
    if sys.platform == "win32":  # untried
        import msvcrt

        file.seek(_SHARED_FIRST)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, _SHARED_SIZE)
        except OSError:
            return False
        file.seek(_SHARED_FIRST)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, _SHARED_SIZE)
        return True
    import fcntl

    try:
        fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, _SHARED_SIZE, _SHARED_FIRST)
    except OSError:
        return False
    return True


def lock_note(path: Path) -> Path:
    """Return the file beside a night that says who has it open."""
    return path.with_name(path.name + ".lock")


def write_note(path: Path) -> None:
    """Say beside the night that this process has it open; failing to is no harm."""
    note = {"pid": os.getpid(), "host": socket.gethostname(), "started": datetime.now(UTC).isoformat()}
    with suppress(OSError):
        lock_note(path).write_text(json.dumps(note), encoding="utf-8")


def remove_note(path: Path) -> None:
    """Remove this process's note."""
    with suppress(OSError):
        if _read_note(path) == (os.getpid(), socket.gethostname()):
            lock_note(path).unlink()


def in_use(path: Path) -> NightInUse:
    """Return the refusal that names whoever has the night open, as far as it is known."""
    pid, host = _read_note(path)
    return NightInUse(path.stem, pid, host)


def _read_note(path: Path) -> tuple[int | None, str]:
    try:
        note = json.loads(lock_note(path).read_text(encoding="utf-8"))
        pid, host = note["pid"], note["host"]
    except (OSError, ValueError, KeyError, TypeError):
        return None, ""
    if type(pid) is not int or not isinstance(host, str) or not host.isprintable():
        return None, ""
    return pid, host
