"""The file of a night: telling it from other files, making it, and the settings it is opened with."""

from __future__ import annotations

import errno
import os
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path

from assistant.i18n import _
from assistant.store.base import (
    BadEntry,
    DiskFull,
    ForeignFile,
    NightDamaged,
    NightTooNew,
    NoSuchNight,
    NotANight,
    NotSaved,
    NotWritable,
    StoreError,
)
from assistant.store.folders import sync_file, sync_folder
from assistant.store.holder import in_use
from assistant.store.journal import JOURNAL_SUFFIX
from assistant.targets import APPLICATION_ID, HEADER_BYTES, SQLITE_MAGIC

SCHEMA_VERSION = 1
SUFFIX = ".night"
READ_BESIDE = ("-wal", "-journal", JOURNAL_SUFFIX)
"""What may hold entries beside a night's file; beside another of that name it would be played into it."""
SIDE_FILES = (*READ_BESIDE, "-shm")
_MIGRATIONS = Path(__file__).with_name("migrations")
_ALLOWED = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_INSERT,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_TRANSACTION,
}
_ALLOWED_PRAGMAS = {"quick_check", "wal_checkpoint"}
_TABLES = {"entry", "posting"}


def check_is_night(path: Path) -> None:
    """Check the first bytes of a file, without SQLite, which would write to a file it takes for its own.

    Must not be called for a night that this process has open (see `assistant.store.holder`).

    Raises:
        NoSuchNight: There is no such file.
        NotANight: It is empty or no SQLite file.
        ForeignFile: It is a database of another program.
        NightTooNew: A later version of this program wrote it.
        NotWritable: It can't be read.
    """
    name = path.name
    try:
        with path.open("rb") as file:
            header = file.read(HEADER_BYTES)
    except FileNotFoundError:
        if path.is_symlink():
            message = _("{name} is a link to a file that is not there.").format(name=name)
            raise NoSuchNight(message, _("Put in the disk it lies on, or remove the link.")) from None
        message = _("There is no night {name}.").format(name=path.stem)
        raise NoSuchNight(message, _("`tableside nights` lists the stored nights.")) from None
    except IsADirectoryError:
        raise NotANight(_("{name} is a folder, not a night.").format(name=name)) from None
    except OSError as error:
        raise NotWritable(
            _("{name} cannot be read: {error}.").format(name=name, error=error.strerror)
        ) from error
    if not header:
        message = _("{name} is empty; it is no night.").format(name=name)
        raise NotANight(message, _("It was left as it is; move it away to use its name."))
    if len(header) < HEADER_BYTES or not header.startswith(SQLITE_MAGIC):
        message = _("{name} is not a night's file.").format(name=name)
        raise NotANight(message, _("It was left as it is; choose another file."))
    if int.from_bytes(header[68:72], "big") != APPLICATION_ID:
        message = _("{name} is a database of another program.").format(name=name)
        raise ForeignFile(message, _("It was left as it is; choose another file."))
    check_version(int.from_bytes(header[60:64], "big"), name)


def check_version(version: int, name: str) -> None:
    """Check that this program knows a schema version.

    Raises:
        NightTooNew: It doesn't.
    """
    if version > SCHEMA_VERSION:
        message = _(
            "{name} was written by a newer version of Tableside (its form is {found}, this knows {known})."
        )
        text = message.format(name=name, found=version, known=SCHEMA_VERSION)
        raise NightTooNew(text, _("Install the newer version to open it."))


def make_file(path: Path) -> None:
    """Make the file of an empty night, all at once: it never exists half made.

    Raises:
        FileExistsError: There is such a file.
        NotWritable: The folder can't be written to.
        DiskFull: There is no room.
    """
    if path.exists():
        raise FileExistsError(path)
    part = path.with_name(f".{path.name}.new-{os.getpid()}")
    try:
        part.unlink(missing_ok=True)
        with closing(sqlite3.connect(part, isolation_level=None)) as connection:
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            migrate(connection)
            connection.execute("PRAGMA journal_mode = WAL")
        sync_file(part)
        keep_side_files(path)
        _publish(part, path)
        sync_folder(path.parent)
    except sqlite3.Error as error:
        raise translate(error, path) from error
    except FileExistsError:
        raise
    except OSError as error:
        raise not_writable(path.parent, error) from error
    finally:
        _remove(part)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a file's schema up to this program's version, one numbered script after the other."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    for number in range(version + 1, SCHEMA_VERSION + 1):
        script = next(_MIGRATIONS.glob(f"{number:04}_*.sql")).read_text(encoding="utf-8")
        connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;")


def expected_schema() -> set[tuple[str, str, str]]:
    """Return type, name and text of everything the schema of a night consists of."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection)
        return set(schema_of(connection))


def schema_of(connection: sqlite3.Connection) -> Iterator[tuple[str, str, str]]:
    """Yield type, name and text of everything in a file's schema."""
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")
    yield from rows.fetchall()


def settings(*, journal: str) -> Iterator[str]:
    """Yield the settings a night is opened with, in this order.

    The lock has to be exclusive before WAL is touched: then there is no shared-memory file, a second program
    is refused, and SQLite's WAL-reset fault (3.7.0-3.51.2) needs a second connection that cannot exist.
    """
    yield "PRAGMA locking_mode = EXCLUSIVE"
    yield f"PRAGMA journal_mode = {journal}"
    # A rollback journal lasts only with EXTRA, which also syncs the folder; WAL with one sync an entry.
    yield "PRAGMA synchronous = " + ("FULL" if journal == "WAL" else "EXTRA")
    yield "PRAGMA foreign_keys = ON"
    yield "PRAGMA recursive_triggers = ON"  # without it INSERT OR REPLACE deletes unseen
    if sys.platform == "darwin":
        yield "PRAGMA fullfsync = ON"  # a plain fsync doesn't reach the disk there
        yield "PRAGMA checkpoint_fullfsync = ON"


def allow_only_adding(
    action: int, first: str | None, second: str | None, _database: str | None, _trigger: str | None
) -> int:
    """Authorize reading and adding; deny the rest, DROP TRIGGER and what SQLite learns later included."""
    if action == sqlite3.SQLITE_INSERT:
        return sqlite3.SQLITE_OK if first in _TABLES else sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_PRAGMA:
        return sqlite3.SQLITE_OK if first in _ALLOWED_PRAGMAS else sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY


def translate(error: sqlite3.Error, path: Path) -> StoreError:
    """Return the store's error for one of SQLite's."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return in_use(path)
    if code == sqlite3.SQLITE_FULL:
        return DiskFull()
    if code == sqlite3.SQLITE_IOERR:
        return NotSaved()
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return not_writable(path)
    if code in (sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG):
        return BadEntry(_("The night's file refused the entry: {error}.").format(error=error))
    message = _("{name} is damaged: {error}.").format(name=path.name, error=error)
    return NightDamaged(message, _("Take the latest backup; nothing was changed here."))


def not_writable(path: Path, error: OSError | None = None) -> StoreError:
    """Return the refusal for a place that can't be written to."""
    if error is not None and error.errno == errno.ENOSPC:
        return DiskFull()
    reason = f": {error.strerror}" if error is not None and error.strerror else ""
    message = _("{path} cannot be written to").format(path=path) + reason + "."
    return NotWritable(message, _("Choose another folder with --house, or change its permissions."))


def remove_side_files(path: Path) -> None:
    """Remove what a killed program left beside a file that is not there any more, or is about to be replaced.

    Raises:
        OSError: One can't be removed.
    """
    for side in SIDE_FILES:
        path.with_name(path.name + side).unlink(missing_ok=True)


def keep_side_files(path: Path, sides: Iterable[str] = SIDE_FILES) -> None:
    """Give what belonged to a file that somebody deleted a name under which nothing looks for it."""
    for side in sides:
        left = path.with_name(path.name + side)
        number = 1
        while left.exists():
            kept = left.with_name(f"{left.name}.left-{number}")
            if not kept.exists():
                os.rename(left, kept)
            number += 1


def move_night(path: Path, to: Path) -> None:
    """Give a night's file another name, with what belongs to it; something lies under the old name till then.

    Raises:
        OSError: It can't be moved.
    """
    try:
        os.link(path, to)
    except OSError:  # a file system without second names
        os.rename(path, to)
    for side in SIDE_FILES:
        with suppress(FileNotFoundError):
            os.rename(path.with_name(path.name + side), to.with_name(to.name + side))


def _publish(part: Path, path: Path) -> None:
    """Give a finished file its name, never over another file; some file systems know no second name."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:
        if path.exists():
            raise FileExistsError(path) from None
        os.rename(part, path)


def _remove(part: Path) -> None:
    for leftover in (part, part.with_name(part.name + "-wal"), part.with_name(part.name + "-journal")):
        with suppress(OSError):
            leftover.unlink(missing_ok=True)
