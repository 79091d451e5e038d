"""Who has a night open: within this program and, for the sentence the other window shows, across programs.

The lock that counts is SQLite's own, which the system releases when a program dies. What is written here
beside the night is only a name to show; it never keeps anybody out, and a stale one is ignored.
"""

from __future__ import annotations

import json
import os
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from assistant.store.base import NightInUse

# Closing any handle on a file drops all POSIX locks this process has on it, SQLite's too. So a night that is
# open in this process must never be opened a second time, not even to look at its header.
_held: set[tuple[int, int]] = set()
_guard = threading.Lock()


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
