#!/usr/bin/env python3
"""Cuts the power at every moment of a night, thousands of times, and looks at what is left on the disk.

    ./scripts/power_cut.py [IMAGES] [--seed N] [--journal WAL|DELETE] [--without GUARD]

The night's own code writes through a file system of SQLite's (a VFS, by apsw) that notes what was synced; so
do the journal's few functions that touch the disk.
At a moment, an image is made of it as a disk may look after the power failed: what was synced, and of the
rest any sectors of 512 bytes, in no order; names of files that were made or removed, but whose folder was not
synced, may be there or not. Each image is opened as after a restart: every entry that was said to be saved
must be in it, and it must be sound. `--without` takes a guard away, to see that the simulation finds what it
is for.

Source: the method of sqlite.org/testing.html, "Crash testing". Outside of it: drives that lie about a flush,
writes to the wrong place, sectors torn in two.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import patch

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import apsw

from assistant.ledger.accounts import chips
from assistant.store import folders, journal, night_file, sqlite
from assistant.store.base import NewEntry, NoSuchNight, StoreError
from assistant.store.sqlite import SqliteNight, create_night, open_night

SECTOR = 512
CHECKPOINT_PAGES = 8
"""A checkpoint every few entries, so that it is cut as often as the rest."""
ENTRIES = 25
IMAGES = 1000
BATCH = 4
ROOM_BYTES = 4096
"""The database takes in the journal every few entries, for the same reason; long ones find no room in it."""
GUARDS = ("sync", "flush", "full", "folder")
"""What `--without` can take away: all syncs; the journal's after each entry; SQLite's when it takes entries
in (NORMAL instead of FULL); ours of the folder when a night or a journal was made."""
IN_MEMORY = Path("/dev/shm")


@dataclass
class Inode:
    """The bytes of a file: what lasts, and what was written since."""

    durable: bytes = b""
    pending: list[tuple[int, bytes] | int] = field(default_factory=list)  # a write, or a new length

    def sync(self) -> None:
        """Make all of it last."""
        self.durable = self.image(lambda: True)
        self.pending.clear()

    def image(self, is_there: Callable[[], bool]) -> bytes:
        """Return what may be there after a power cut; `is_there` is asked for every sector."""
        data = bytearray(self.durable)
        for change in self.pending:
            if isinstance(change, int):
                if is_there():
                    data = data[:change] + bytes(max(0, change - len(data)))
                continue
            offset, written = change
            place = 0
            while place < len(written):
                step = min(SECTOR - (offset + place) % SECTOR, len(written) - place)
                if is_there():
                    end = offset + place + step
                    data.extend(bytes(max(0, end - len(data))))
                    data[offset + place : end] = written[place : place + step]
                place += step
        return bytes(data)


@dataclass
class Disk:
    """A folder, as it is and as it lasts.

    Attributes:
        folder: Where the files really lie.
        moment: Called at every change: the power may fail here.
    """

    folder: Path
    moment: Callable[[], None] = lambda: None
    names: dict[str, Inode] = field(default_factory=dict)
    durable: dict[str, Inode] = field(default_factory=dict)
    pending: list[tuple[str, Inode | None]] = field(default_factory=list)

    def add(self, name: str, inode: Inode) -> None:
        """Give a file a name."""
        self.names[name] = inode
        self.pending.append((name, inode))
        self.moment()

    def remove(self, name: str) -> None:
        """Take a name away."""
        if self.names.pop(name, None) is not None:
            self.pending.append((name, None))
            self.moment()

    def sync_names(self) -> None:
        """Make the names last."""
        self.durable = dict(self.names)
        self.pending.clear()
        self.moment()

    def image(self, random_: random.Random) -> dict[str, bytes]:
        """Return the files as they may be after a power cut now."""
        share = random_.choice((0.0, 0.5, 0.5, 0.9, 1.0))
        names = dict(self.durable)
        for name, inode in self.pending:
            if random_.random() < random_.choice((share, 0.5)):
                if inode is None:
                    names.pop(name, None)
                else:
                    names[name] = inode
        return {name: inode.image(lambda: random_.random() < share) for name, inode in names.items()}


class NotingFile(apsw.VFSFile):
    """A file that notes what is written and what is synced."""

    def __init__(self, disk: Disk, path: Any, flags: list[int], without_sync: bool) -> None:
        full = path.filename() if isinstance(path, apsw.URIFilename) else path
        self._disk, self._name = disk, os.path.basename(full)
        is_new = self._name not in disk.names
        super().__init__("", path, flags)
        # SQLite's own file system syncs the folder with the first sync of a log or journal it made
        kinds = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL
        self._owes_folder = is_new and bool(flags[0] & kinds)
        self._without_sync = without_sync
        if is_new:
            disk.add(self._name, Inode())
        self._inode = disk.names[self._name]

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802 - the name is SQLite's
        """Note a write."""
        super().xWrite(data, offset)
        self._inode.pending.append((offset, bytes(data)))
        self._disk.moment()

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        """Note a new length."""
        super().xTruncate(newsize)
        self._inode.pending.append(newsize)
        self._disk.moment()

    def xSync(self, flags: int) -> None:  # noqa: N802
        """Note that it lasts; the real disk need not sync."""
        if self._without_sync:
            return
        self._inode.sync()
        if self._owes_folder:
            self._owes_folder = False
            self._disk.sync_names()
        self._disk.moment()


class NotingFiles(apsw.VFS):
    """A file system that notes what is written and what is synced."""

    def __init__(self, disk: Disk, without_sync: bool) -> None:
        self._disk, self._without_sync = disk, without_sync
        self.vfs_name = f"power-cut-{id(self)}"
        super().__init__(self.vfs_name, "")

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        """Open a file; those without a name are SQLite's own and need not last."""
        if name is None:
            return super().xOpen(name, flags)
        return NotingFile(self._disk, name, flags, self._without_sync)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        """Note that a file is gone."""
        super().xDelete(filename, False)
        self._disk.remove(os.path.basename(filename))
        if syncdir and not self._without_sync:
            self._disk.sync_names()


class Connection:
    """An apsw connection with the few methods of `sqlite3.Connection` that the store uses."""

    def __init__(self, path: str, files: NotingFiles) -> None:
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_URI | apsw.SQLITE_OPEN_CREATE
        self._db = apsw.Connection(path, flags=flags, vfs=files.vfs_name)
        self._db.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)

    def executescript(self, script: str) -> None:
        """Run several statements."""
        self._db.execute(script)


@contextmanager
def on_disk(disk: Disk, without: str) -> Iterator[None]:
    """Let the store write to a simulated disk, as far as its files lie in the disk's folder."""
    files = NotingFiles(disk, without == "sync")
    real_sync_file, real_sync_folder = folders.sync_file, folders.sync_folder
    real_publish, real_remove = night_file._publish, night_file._remove
    real_open, real_write, real_unlink = journal._open, journal._write, journal._unlink
    in_journal: dict[int, str] = {}

    def connect(path: Any, **options: Any) -> Any:
        if str(disk.folder) not in str(path):
            return sqlite3.connect(path, **options)
        return Connection(str(path), files)

    shim = ModuleType("sqlite3")
    shim.__dict__.update(sqlite3.__dict__, connect=connect)

    def sync_file(path: Path) -> None:
        real_sync_file(path)
        if path.parent == disk.folder and not (without == "sync" and path.name in in_journal.values()):
            disk.names[path.name].sync()

    def sync_folder(folder: Path) -> None:
        real_sync_folder(folder)
        if folder == disk.folder and without != "folder":
            disk.sync_names()

    def publish(part: Path, path: Path) -> None:
        real_publish(part, path)
        if path.parent == disk.folder:
            disk.add(path.name, disk.names[part.name])

    def remove(part: Path) -> None:
        real_remove(part)
        if part.parent == disk.folder:
            disk.remove(part.name)

    def open_journal(path: Path) -> int:
        handle = real_open(path)
        in_journal.pop(handle, None)  # the number of one that was closed
        if path.parent == disk.folder:
            in_journal[handle] = path.name
            if path.name not in disk.names:
                disk.add(path.name, Inode())
            disk.names[path.name].pending.append(0)
            disk.moment()
        return handle

    def write_journal(handle: int, place: int, data: bytes) -> None:
        real_write(handle, place, data)
        if handle in in_journal:
            disk.names[in_journal[handle]].pending.append((place, data))
            disk.moment()

    def flush_journal(handle: int) -> None:
        if handle in in_journal and without not in ("sync", "flush"):
            disk.names[in_journal[handle]].sync()
            disk.moment()

    def unlink_journal(path: Path) -> None:
        real_unlink(path)
        if path.parent == disk.folder:
            disk.remove(path.name)

    def settings(*, journal: str) -> Iterator[str]:
        for setting in night_file_settings(journal=journal):
            if without == "full" and setting == "PRAGMA synchronous = FULL":
                yield "PRAGMA synchronous = NORMAL"
            else:
                yield setting

    night_file_settings = night_file.settings
    of_journal: dict[str, Any] = {
        "_open": open_journal,
        "_write": write_journal,
        "_flush": flush_journal,
        "_unlink": unlink_journal,
        "sync_file": sync_file,
        "sync_folder": sync_folder,
        "ROOM_BYTES": ROOM_BYTES,
    }
    changes: dict[str, Any] = {
        "sync_file": sync_file,
        "sync_folder": sync_folder,
        "_publish": publish,
        "_remove": remove,
    }
    try:
        with (
            patch.multiple(night_file, sqlite3=shim, **changes),
            patch.multiple(sqlite, sqlite3=shim, settings=settings, BATCH=BATCH),
            patch.multiple(journal, **of_journal),
        ):
            yield
    finally:
        files.unregister()


@dataclass
class Verdict:
    """What was found in the images.

    Attributes:
        images: How many were looked at.
        lost: Those that lacked an entry that was said to be saved.
        corrupt: Those that could not be opened or were not as they were written.
        in_flight: Those that held an entry before it was said to be saved, which is well.
    """

    images: int = 0
    lost: int = 0
    corrupt: int = 0
    in_flight: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass
class Evening:
    """One night that is played while the power may fail at any moment.

    Attributes:
        share: Share of the moments at which an image is looked at.
        stop_at: Images after which it is enough.
    """

    disk: Disk
    images: Path
    random_: random.Random
    verdict: Verdict
    share: float
    stop_at: int
    is_made: bool = False
    saved: list[str] = field(default_factory=list)
    _is_looking: bool = False

    def moment(self) -> None:
        """Look at what would be left if the power failed now."""
        if self._is_looking or self.verdict.images >= self.stop_at or self.random_.random() > self.share:
            return
        self._is_looking = True
        try:
            self._look(self.disk.image(self.random_))
        finally:
            self._is_looking = False

    def _look(self, files: dict[str, bytes]) -> None:
        verdict = self.verdict
        verdict.images += 1
        place = self.images / str(verdict.images)
        place.mkdir()
        for name, data in files.items():
            (place / name).write_bytes(data)
        try:
            with open_night(place / "n.night") as night:
                self._judge(night)
        except NoSuchNight:
            if self.is_made:
                self._note("lost", "the night is gone")
        except StoreError as error:
            self._note("corrupt", str(error))
        shutil.rmtree(place)

    def _judge(self, night: SqliteNight) -> None:
        found = night.verify()
        if not found.ok:
            self._note("corrupt", f"{found.reason} at {found.first_bad}")
        elif found.entries < len(self.saved):
            self._note("lost", f"{found.entries} of {len(self.saved)} entries")
        elif self.saved and night.hash_at(len(self.saved)) != self.saved[-1]:
            self._note("lost", f"entry {len(self.saved)} is another one")
        elif found.entries > len(self.saved):
            self.verdict.in_flight += 1
        if found.ok and self.verdict.images % 50 == 0:  # it also goes on
            assert night.append(entry(found.entries + 1, self.random_)).seq == found.entries + 1

    def _note(self, kind: str, what: str) -> None:
        setattr(self.verdict, kind, getattr(self.verdict, kind) + 1)
        if len(self.verdict.examples) < 5:
            self.verdict.examples.append(f"{kind}: {what}")


def entry(number: int, random_: random.Random) -> NewEntry:
    """An entry of a usual or an unusual size."""
    note = "x" * random_.choice((0, 80, 80, 700, 6000))
    postings = (chips("rack", -number), chips("stack:p1", number))
    body = {"amount": number, "note": note}
    return NewEntry(f"k{number}", datetime.now(UTC), "host", None, (), "buy", body, postings)


def play(evening: Evening, folder: Path) -> None:
    """Make a night, add entries, put it away in between, and go on."""
    path = folder / "n.night"
    night = create_night(path)
    evening.is_made = True
    for number in range(1, ENTRIES + 1):
        kept = night.append(entry(number, evening.random_))
        evening.saved.append(kept.hash)
        if evening.random_.random() < 0.1:
            night.close()
            night = open_night(path)
    night.close()


def simulate(
    images: int = IMAGES,
    seed: int = 1,
    journal: str = "WAL",
    without: str = "",
    progress: Callable[[int], None] | None = None,
) -> Verdict:
    """Cut the power until so many images were looked at.

    Args:
        images: How many.
        seed: The same seed, the same cuts.
        journal: ``WAL``, or ``DELETE`` as on a network disk.
        without: A guard of `GUARDS` that is taken away.
        progress: Hears of the number of images.
    """
    verdict = Verdict()
    random_ = random.Random(seed)
    network = "nfs" if journal == "DELETE" else ""
    while verdict.images < images:
        where = IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None
        with (
            tempfile.TemporaryDirectory(dir=where) as name,
            patch.object(sqlite, "network_type", lambda _: network),
        ):
            folder, pictures = Path(name).resolve() / "disk", Path(name) / "images"
            folder.mkdir()
            pictures.mkdir()
            disk = Disk(folder)
            evening = Evening(disk, pictures, random_, verdict, random_.choice((0.1, 0.3, 1.0)), images)
            disk.moment = evening.moment
            with on_disk(disk, without):
                play(evening, folder)
        if progress is not None:
            progress(verdict.images)
    return verdict


def main() -> int:
    """Cut the power and print what was found; 1 when anything was lost or corrupt."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("images", type=int, nargs="?", default=20_000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--journal", choices=("WAL", "DELETE"), default="WAL")
    parser.add_argument("--without", choices=GUARDS, default="")
    options = parser.parse_args()

    def show(done: int) -> None:
        print(f"\r{done}/{options.images}", end="", file=sys.stderr, flush=True)

    found = simulate(options.images, options.seed, options.journal, options.without, show)
    print(file=sys.stderr)
    print(
        f"seed {options.seed}, {options.journal}: {found.images} images, {found.lost} lost an entry that was "
        f"saved, {found.corrupt} corrupt; {found.in_flight} held one that was on its way"
    )
    for example in found.examples:
        print(f"  {example}")
    return 1 if found.lost or found.corrupt else 0


if __name__ == "__main__":
    sys.exit(main())
