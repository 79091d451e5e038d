"""A second copy of a night, kept up while it is played: a log of text and, now and then, a night file.

It lies in another folder, best on another disk. A thread of its own writes it, so that a slow or missing disk
never holds up the table; how far it is behind can be seen all the time. The night itself never depends on it.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from errno import ENOENT
from io import FileIO
from pathlib import Path

from assistant.i18n import _
from assistant.store.base import CopyState, Entry, NewEntry, NightInUse, NightStore, StoreError, Verification
from assistant.store.chain import Row
from assistant.store.copies import write_copy
from assistant.store.folders import sync_folder
from assistant.store.log_file import LOG_SUFFIX, Compared, Standing, compare, line_of, row_of
from assistant.store.night_file import SUFFIX, move_night
from assistant.store.sqlite import open_night

BACKUP_EVERY = 50
"""Entries between two copies of the night's file."""
PAUSE_S = 0.25
"""Least time between two syncs: what is booked in between goes to the disk in one go."""
RETRY_S = 2.0
"""A disk that is missing is looked for this often."""
END_S = 5.0
"""So long the end of a night waits for its copy."""
MOST_NAMES = 99


class Mirror:
    """Writes a night's entries to a folder, from a thread of its own.

    Args:
        folder: Where; made if it can be.
        name: The night's name.
        rows: The night's entries so far.
        retry_s: How long to wait after a failure.
        backup_every: Entries between two copies of the night's file.
        is_made: Whether the folder is made where it is missing. A folder on a stick is not: when the stick is
            out, it would be made on the disk beneath, and look like a copy.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        rows: Sequence[Row] = (),
        *,
        retry_s: float = RETRY_S,
        backup_every: int = BACKUP_EVERY,
        is_made: bool = True,
    ) -> None:
        self.folder = folder
        self.name = name
        self._rows = list(rows)  # the thread's own, once that runs
        self._new: deque[Entry] = deque()  # since then; the thread makes rows of them
        self._added = len(self._rows)
        self._retry_s = retry_s
        self._backup_every = backup_every
        self._is_made = is_made
        self._synced = 0
        self._backed_up = 0
        self._wants_backup = False
        self._trouble = ""
        self._file: FileIO | None = None
        self._path = folder / f"{name}{LOG_SUFFIX}"
        self._news = threading.Event()
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"copy of {name}", daemon=True)

    def start(self) -> None:
        """Begin to copy."""
        self._news.set()
        self._thread.start()

    def add(self, entry: Entry) -> None:
        """Take an entry that is durable in the night's own file; returns at once."""
        self._new.append(entry)
        self._added += 1
        self._news.set()

    def ask_backup(self) -> None:
        """Copy and check the whole night soon: at a count, and at the end."""
        self._wants_backup = True
        self._news.set()

    @property
    def state(self) -> CopyState:
        """How far the copy is; may be asked from any thread."""
        behind = max(0, self._added - self._synced)
        trouble = self._trouble
        if not trouble and behind and self._thread.ident is not None and not self._thread.is_alive():
            trouble = _("the copying has ended")
        return CopyState(self.folder, behind, self._backed_up, trouble, self._path)

    def close(self, timeout_s: float = END_S) -> None:
        """Let the copy catch up, if its disk is there, and end."""
        if not self._ends.is_set():
            self._wants_backup = self._wants_backup or self._backed_up < self._added
            self._ends.set()
            self._news.set()
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    # -- the thread ---------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            self._news.wait()
            self._news.clear()
            is_last = self._ends.is_set()
            self._take_new()
            done = self._try(self._write) and self._try(self._back_up)
            if is_last:
                self._close_file()
                return
            if not done:
                self._news.set()
            self._ends.wait(PAUSE_S if done else self._retry_s)

    def _take_new(self) -> None:
        while self._new:
            self._rows.append(row_of(self._new[0]))
            self._new.popleft()

    def _try(self, step: Callable[[], None]) -> bool:
        try:
            step()
        except OSError as error:
            self._trouble = error.strerror or str(error)
        except StoreError as error:
            self._trouble = error.message
        except sqlite3.Error as error:  # the folder went while a copy was opened
            self._trouble = str(error)
        else:
            self._trouble = ""
            return True
        self._close_file()
        return False

    def _write(self) -> None:
        """Bring the log up to what is booked, and make it last."""
        rows = self._rows[self._synced :]
        if self._file is None or not self._is_in_place():
            self._close_file()
            self._open_file()
            rows = self._rows[self._synced :]
        if not rows or self._file is None:
            return
        data = "".join(f"{line_of(row)}\n" for row in rows).encode("utf-8")
        while data:
            data = data[self._file.write(data) :]
        os.fsync(self._file.fileno())
        self._synced += len(rows)

    def _open_file(self) -> None:
        if self._is_made:
            self.folder.mkdir(parents=True, exist_ok=True)
        elif not self.folder.is_dir():
            raise FileNotFoundError(ENOENT, _("the folder is not there; put the disk in, or make the folder"))
        self._path, compared = place_of(self.folder, self.name, self._rows)
        is_new = compared.standing is Standing.MISSING
        file = FileIO(os.open(self._path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+")
        try:
            file.truncate(compared.size_bytes)  # a torn last line; what was whole stays
            file.seek(compared.size_bytes)
            if is_new:
                os.fsync(file.fileno())
                sync_folder(self.folder)
        except BaseException:
            file.close()
            raise
        self._file, self._synced = file, compared.entries

    def _is_in_place(self) -> bool:
        """Whether the file that is written to is the one that would be found."""
        assert self._file is not None
        with suppress(OSError):
            return os.path.samestat(os.fstat(self._file.fileno()), self._path.stat())
        return False

    def _close_file(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):
                file.close()

    def _back_up(self) -> None:
        """Bring the copy of the night's file up to date; check it whole when that was asked for."""
        is_asked = self._wants_backup
        if is_asked:  # it may be asked again at any moment: cleared only when seen, and before counting
            self._wants_backup = False
            self._take_new()  # whoever asked had added them before
        count = len(self._rows)
        if not is_asked and count - self._backed_up < self._backup_every:
            return
        try:
            back_up(self._path.with_suffix(SUFFIX), self._rows[:count], is_checked=is_asked)
        except BaseException:
            self._wants_backup = self._wants_backup or is_asked
            raise
        self._backed_up = count


def place_of(folder: Path, name: str, rows: Sequence[Row]) -> tuple[Path, Compared]:
    """Return the file in which a night is mirrored: its own, never one that holds something else.

    Raises:
        OSError: The folder can't be read, or all names are taken.
    """
    for number in range(1, MOST_NAMES):
        path = folder / (f"{name}{LOG_SUFFIX}" if number == 1 else f"{name}_{number}{LOG_SUFFIX}")
        compared = compare(path, rows)
        if compared.standing in (Standing.MISSING, Standing.BEHIND):
            return path, compared
    raise OSError(_("all names for a copy of {name} are taken").format(name=name))


def back_up(path: Path, rows: Sequence[Row], *, is_checked: bool = True) -> None:
    """Bring a copy of a night's file up to these entries; one that doesn't fit is kept under another name.

    Raises:
        StoreError: No copy was made.
        OSError: The folder can't be used.
    """
    try:
        _add_missing(path, rows, is_checked=is_checked)
        return
    except FileNotFoundError:
        pass
    except NightInUse:
        raise  # somebody looks at the copy: later
    except StoreError:
        if path.exists():
            _set_aside(path)
    write_copy(rows, path)
    _add_missing(path, rows, is_checked=True)


def _add_missing(path: Path, rows: Sequence[Row], *, is_checked: bool) -> None:
    if not path.exists():
        raise FileNotFoundError(path)
    with open_night(path) as copy:
        seq, head = copy.head
        if seq > len(rows) or (seq and rows[seq - 1].hash != head):
            raise StoreError(_("The copy {name} is another night's.").format(name=path.name))
        copy.write_rows(rows[seq:])
        found = copy.verify() if is_checked else Verification(*copy.head, ok=True)
        if not found.ok or (found.entries, found.head) != (len(rows), rows[-1].hash if rows else found.head):
            raise StoreError(_("The copy {name} is not as it was written.").format(name=path.name))


def _set_aside(path: Path) -> None:
    """Give a file a name under which it is in nobody's way; nothing is ever deleted."""
    for number in range(1, MOST_NAMES):
        kept = path.with_name(f"{path.name}.kept-{number}")
        if not kept.exists():
            move_night(path, kept)
            path.unlink(missing_ok=True)
            return


@dataclass
class MirroredNight(NightStore):
    """A night that is copied to a second folder while it is played.

    Args:
        night: The night's own store; an entry counts when it has it.
        mirror: Keeps the copy; started by whoever made it, once the night is open.
    """

    night: NightStore
    mirror: Mirror

    def __post_init__(self) -> None:
        self.warnings = self.night.warnings

    @property
    def copy(self) -> CopyState:
        """How far the copy is behind."""
        return self.mirror.state

    def append(self, new: NewEntry) -> Entry:
        """Keep an entry in the night's own file; the copy follows."""
        before = self.night.head[0]
        entry = self.night.append(new)
        if entry.seq > before:
            self.mirror.add(entry)
        return entry

    def entries(self) -> Iterator[Entry]:
        """Yield all entries in order."""
        return self.night.entries()

    @property
    def head(self) -> tuple[int, str]:
        """Sequence number and seal of the last entry."""
        return self.night.head

    def hash_at(self, seq: int) -> str | None:
        """Return the seal of an entry."""
        return self.night.hash_at(seq)

    def verify(self) -> Verification:
        """Check the night's own file."""
        return self.night.verify()

    def backup(self, path: Path) -> None:
        """Write a checked copy to a path."""
        self.night.backup(path)

    def checkpoint(self) -> None:
        """Have the whole night copied and checked soon."""
        self.mirror.ask_backup()

    def close(self) -> None:
        """Give the night back first, then let the copy catch up."""
        self.night.close()
        self.mirror.close()
