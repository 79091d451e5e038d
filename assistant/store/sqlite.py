"""A night in one SQLite file, added to with one sync an entry and otherwise never changed.

Source of the settings and guards: measured with 10,032 simulated power cuts, see the README of this folder.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from assistant.i18n import _
from assistant.store.base import (
    NO_HASH,
    DiskFull,
    Entry,
    FileGone,
    NewEntry,
    NightDamaged,
    NightStore,
    NotSaved,
    NotWritable,
    StoreError,
    Verification,
)
from assistant.store.chain import Row, check_chain, read_row, sealed
from assistant.store.codec import CODEC_VERSION
from assistant.store.folders import FolderWatch, folder_warnings, network_type, sync_file, sync_folder
from assistant.store.holder import Claim, remove_note, write_note
from assistant.store.journal import (
    JOURNAL_SUFFIX,
    Journal,
    first_chain,
    identity_of,
    journal_of,
    line_of,
    read_journal,
    remove_journal,
)
from assistant.store.night_file import (
    allow_only_adding,
    check_is_night,
    check_version,
    expected_schema,
    keep_side_files,
    make_file,
    migrate,
    not_writable,
    schema_of,
    settings,
    translate,
)
from assistant.store.tables import LAST, has_stray_postings, insert, read_rows

BATCH = 256
"""So many entries of the journal the database takes in at once."""


def create_night(path: Path) -> SqliteNight:
    """Make a new night and open it.

    Raises:
        FileExistsError: There is a file of that name.
        StoreError: It can't be made.
    """
    make_file(path)
    return open_night(path)


def open_night(path: Path, *, read_only: bool = False) -> SqliteNight:
    """Open a night and lock it at once; quick, so verifying is another step.

    Args:
        path: Its file.
        read_only: For printing and export: works in a folder that can't be written to, and `append` refuses.

    Raises:
        NightInUse: Another window has it.
        NotWritable: The file or its folder can't be written to, and it wasn't opened for reading.
        NoSuchNight, NotANight, ForeignFile, NightTooNew, NightDamaged: What else is wrong with the file.
    """
    try:
        claim = Claim.take(path)
    except OSError:
        check_is_night(path)
        raise
    try:
        check_is_night(path)
        can_write = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
        if can_write:
            return SqliteNight(path, claim, _connect(path), read_only=read_only)
        if read_only:
            return _open_without_writing(path, claim)
        raise not_writable(path)
    except BaseException:
        claim.give_back()
        raise


class SqliteNight(NightStore):
    """A night in an open file; made by `create_night` and `open_night`.

    What is added goes into the journal first (`assistant.store.journal`); the database takes it in later,
    many entries at a time. Whoever reads the night reads both.
    """

    def __init__(
        self,
        path: Path,
        claim: Claim,
        connection: sqlite3.Connection,
        *,
        read_only: bool = False,
        lent: tempfile.TemporaryDirectory[str] | None = None,
    ) -> None:
        self.path = path
        self.read_only = read_only
        self.warnings = folder_warnings(path.parent)
        self._name, self._log = str(path), f"{path}-wal"  # text: they are looked for at every entry
        self._claim = claim
        self._connection = connection
        self._thread = threading.get_ident()
        self._is_closed = False
        self._lent = lent  # a copy to read from, where the night's own folder lets nobody write
        self._has_log = os.access(self._log, os.F_OK)
        self._keys: set[str] | None = None  # of all entries; read when the first is added
        self._just_read: tuple[tuple[int, str], list[Row], list[Entry]] | None = None
        self._journal: Journal | None = None
        self._may_have_journal = not read_only and not network_type(path.parent)
        # what a link leads to lies in a folder nobody watches
        is_watched = self._may_have_journal and not path.is_symlink()
        self._folder = FolderWatch(path.parent) if is_watched else None
        self._waiting: list[Row] = []  # in the journal, not yet in the database
        self._left: tuple[int, int] | None = None  # of this night's journal that isn't written any more
        self._lacks_lines = False  # of its own journal
        self._is_hurt = False  # then nothing is written to it by itself
        try:
            self._head = self._read_head()
            self._take_in_what_was_left()
        except sqlite3.Error as error:
            connection.close()
            raise translate(error, path) from error
        except BaseException:
            connection.close()
            raise
        if lent is None and not read_only:
            write_note(path)

    def append(self, new: NewEntry) -> Entry:
        """Keep an entry; it is on the disk when this returns."""
        if threading.get_ident() != self._thread:  # SQLite says so itself, but it doesn't hear of each entry
            raise sqlite3.ProgrammingError("A night takes entries from the thread that opened it.")
        first = self._find(new.key)
        if first is not None:
            return read_row(first)
        if self.read_only:
            message = _("Night {name} is open for reading only.").format(name=self.path.stem)
            raise NotWritable(message, _("Open it in the console to go on with it."))
        is_known = self._folder is not None and self._folder.is_unchanged()
        if not is_known and not self._is_in_place():
            raise FileGone(self.path.stem)
        seq, prev = self._head
        row, text = sealed(new, seq + 1, CODEC_VERSION, prev)
        entry = read_row(row, tuple(new.postings))
        self._keep(row, line_of(text, row.hash), is_known)
        return entry

    def write_rows(self, rows: Iterable[Row]) -> None:
        """Add sealed rows in one transaction; for copies, `append` is the way for everybody else.

        Raises:
            StoreError: Nothing was added.
        """
        added = list(rows)
        self._insert([*self._waiting, *added])
        self._waiting.clear()
        if added:
            self._head = added[-1].seq, added[-1].hash
        if self._keys is not None:
            self._keys.update(row.key for row in added)
        self._has_log = self._has_log or os.access(self._log, os.F_OK)
        if self._journal is not None:
            self._journal.begin_again()
        elif self._left is not None:
            remove_journal(journal_of(self.path), self._left)
            self._left = None

    def rows(self) -> list[Row]:
        """Return all entries in the form they are kept in."""
        just = self._just_read
        return just[1] if just is not None and just[0] == self._head else self._all_rows()

    def entries(self) -> Iterator[Entry]:
        """Yield all entries in order; those that `verify` has just read are not read again."""
        just, self._just_read = self._just_read, None
        if just is not None and just[0] == self._head:
            left = just[2][::-1]
            del just
            while left:  # what was played back makes room for the next
                yield left.pop()
            return
        for row in self._all_rows():
            yield read_row(row)

    def kinds(self) -> frozenset[str]:
        """Return what kinds of entries there are, without reading them all."""
        stored = (str(kind) for (kind,) in self._select("SELECT DISTINCT kind FROM entry"))
        return frozenset((*stored, *(row.kind for row in self._waiting)))

    @property
    def head(self) -> tuple[int, str]:
        """Sequence number and seal of the last entry."""
        return self._head

    def hash_at(self, seq: int) -> str | None:
        """Return the seal of an entry."""
        if self._waiting and seq >= self._waiting[0].seq:
            return next((row.hash for row in self._waiting if row.seq == seq), None)
        found = self._select("SELECT hash FROM entry WHERE seq = ?", seq)
        return str(found[0][0]) if found else None

    def verify(self) -> Verification:
        """Check every entry, the file's own structure and that its guards are in place."""
        try:
            rows = self._all_rows()
            sound: list[Entry] = []
            checked = check_chain(rows, sound)
            if not checked.ok:
                return checked
            self._just_read = self._head, rows, sound
            is_whole = self._select("PRAGMA quick_check") == [("ok",)]
            is_whole &= not has_stray_postings(self._connection, checked.entries - len(self._waiting))
            is_guarded = set(schema_of(self._connection)) == expected_schema()
        except (NightDamaged, sqlite3.Error):
            return Verification(*self._head, ok=False, reason="file")
        if is_whole and is_guarded and not self._lacks_lines:
            return checked
        return Verification(*self._head, ok=False, reason="file")

    def backup(self, path: Path) -> None:
        """Write a checked copy; the night stays open and locked."""
        from assistant.store.copies import check_copy, check_older_copy, part_of, put_in_place

        if path.exists():
            if path.samefile(self.path):
                raise StoreError(_("A night cannot be copied onto itself."), _("Choose another folder."))
            check_older_copy(self, path)
        try:
            part = part_of(path)
        except OSError as error:
            raise not_writable(path.parent, error) from error
        try:
            with closing(sqlite3.connect(part, isolation_level=None)) as copy:
                self._connection.backup(copy)
            if self._waiting:
                with open_night(part) as night:
                    night.write_rows(self._waiting)
            sync_file(part)
            check_copy(part, self._head)
            put_in_place(part, path)
        except sqlite3.Error as error:
            raise translate(error, path) from error
        except OSError as error:
            raise not_writable(path.parent, error) from error
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)

    def close(self) -> None:
        """Give the night back to other windows."""
        if self._is_closed:  # a later owner in this process must not lose its claim and its note
            return
        self._is_closed = True
        self._end_journal()
        if self._lent is None and not self.read_only:
            remove_note(self.path)
        self._connection.close()
        self._claim.give_back()
        if self._lent is not None:
            self._lent.cleanup()

    def _find(self, key: str) -> Row | None:
        if self._keys is None:
            self._keys = {str(known) for (known,) in self._select("SELECT key FROM entry")}
            self._keys.update(row.key for row in self._waiting)
        if key not in self._keys:
            return None
        for row in self._waiting:
            if row.key == key:
                return row
        found = self._select("SELECT seq FROM entry WHERE key = ?", key)
        return next(self._rows(found[0][0], found[0][0]), None) if found else None

    def _keep(self, row: Row, line: bytes, is_known: bool) -> None:
        """Make an entry last: in the journal, or where that can't be, in the database at once.

        The first entry is the database's: a journal must hang on it to prove whose it is. `is_known` is
        whether the journal has its name still.
        """
        if row.seq == 1:
            self.write_rows([row])
            return
        journal = self._journal or self._start_journal()
        if journal is not None and not is_known:
            if journal.is_in_place():
                if self._folder is not None:
                    self._folder.looked_through()
            else:  # what it held is still known here
                self._give_up_journal(journal)
                journal = None
        if journal is None or not journal.has_room(line):
            self.write_rows([row])
            return
        try:
            journal.add(line)
        except OSError as error:
            self._give_up_journal(journal)
            # what the disk has of this line, and of those in its sector, is unknown
            with suppress(StoreError, OSError):
                self.write_rows(())
                sync_folder(self.path.parent)
            raise DiskFull() if error.errno == errno.ENOSPC else NotSaved() from error
        self._waiting.append(row)
        self._head = row.seq, row.hash
        if self._keys is not None:
            self._keys.add(row.key)
        if len(self._waiting) % BATCH == 0:
            with suppress(StoreError):  # they are safe in the journal, and it is tried again
                self.write_rows(())

    def _start_journal(self) -> Journal | None:
        if self._may_have_journal and not self._waiting:
            try:
                if self._left is None:  # another night's, which may lack what is in it
                    keep_side_files(self.path, (JOURNAL_SUFFIX,))
                self._journal = Journal(journal_of(self.path), self.hash_at(1) or NO_HASH)
            except OSError:
                self._may_have_journal = False
        return self._journal

    def _give_up_journal(self, journal: Journal) -> None:
        """Go on without one; it stays till the database has its lines."""
        journal.close()
        self._journal = None
        self._left = journal.identity
        self._may_have_journal = False

    def _end_journal(self) -> None:
        """Take the last entries into the database; where that can't be, the journal stays."""
        if self.read_only:
            return
        if self._waiting and self._is_in_place() and not self._is_hurt:
            with suppress(StoreError):
                self.write_rows(())
        if self._journal is not None:
            self._give_up_journal(self._journal)
        if self._left is not None and not self._waiting:
            remove_journal(journal_of(self.path), self._left)

    def _take_in_what_was_left(self) -> None:
        """Take in what a program that died left in the journal.

        Entries in it that neither are the night's nor continue it prove that the night has lost some: then
        nothing is written, here or there, and `verify` says so. A journal of another night isn't looked at.
        """
        path = journal_of(self.path)
        try:
            left = read_journal(path)
        except OSError as error:
            message = _("{name} cannot be read: {error}.").format(name=path.name, error=error.strerror)
            raise NotWritable(message) from error
        if left.owner and left.owner != self.hash_at(1):
            return
        new = [row for row in first_chain(left.rows) if row.seq > self._head[0]]
        if new and (new[0].seq - 1, new[0].prev) == self._head:
            self._waiting = new
            self._head = new[-1].seq, new[-1].hash
        self._lacks_lines = any(self.hash_at(row.seq) != row.hash for row in left.rows)
        self._is_hurt = self._lacks_lines or (bool(self._waiting) and not self.verify().ok)
        if self.read_only or self._is_hurt:
            return
        self._left = identity_of(path)
        if self._left is None:
            return
        with suppress(StoreError):  # on a full disk, say: the entries are known and stay where they are
            self.write_rows(())

    def _all_rows(self) -> list[Row]:
        return [*self._rows(), *self._waiting]

    def _rows(self, first: int = 1, last: int = LAST) -> Iterator[Row]:
        try:
            return read_rows(self._connection, first, last)
        except sqlite3.ProgrammingError:
            raise
        except sqlite3.Error as error:
            raise translate(error, self.path) from error

    def _select(self, sql: str, *values: object) -> list[Any]:
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.ProgrammingError:
            raise
        except sqlite3.Error as error:
            raise translate(error, self.path) from error

    def _is_in_place(self) -> bool:
        """Whether what is written now would be found: the file and its log are where they were opened.

        On Linux and macOS an open file can be deleted or its disk pulled, and writing to it goes on as if
        nothing had happened.
        """
        try:
            status = os.stat(self._name)
            is_same = (status.st_dev, status.st_ino) == self._claim.identity
            return is_same and (not self._has_log or os.access(self._log, os.F_OK))
        except OSError:
            return False

    def _read_head(self) -> tuple[int, str]:
        last = self._connection.execute("SELECT seq, hash FROM entry ORDER BY seq DESC LIMIT 1").fetchone()
        return (last[0], last[1]) if last else (0, NO_HASH)

    def _insert(self, rows: Sequence[Row]) -> None:
        """Put rows into the database, all or none."""
        db = self._connection
        try:
            db.execute("BEGIN IMMEDIATE")
            insert(db, rows)
            db.execute("COMMIT")
        except sqlite3.ProgrammingError:
            raise  # a wrong thread or a closed night: a fault of the caller, not of the disk
        except sqlite3.Error as error:
            self._back_to_before()
            raise translate(error, self.path) from error
        except BaseException:
            self._back_to_before()
            raise

    def _back_to_before(self) -> None:
        """Return to the last entry that was kept.

        SQLite may have rolled back by itself already. Emptying the write-ahead log takes away what a failed
        write may have left at its end: a restart could take it for an entry that was said not to be saved.
        """
        with suppress(sqlite3.Error):
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        with suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        with suppress(sqlite3.Error):
            seq, head = self._read_head()
            self._waiting = [row for row in self._waiting if row.seq > seq]
            if not self._waiting:
                self._head = seq, head
                self._keys = None
                if self._journal is not None:
                    self._journal.begin_again()


def _connect(path: Path) -> sqlite3.Connection:
    """Open a night's file and take its lock.

    On a network disk WAL damages files without a sign, so a rollback journal is used there.
    """
    journal = "DELETE" if network_type(path.parent) else "WAL"
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=0
    )
    try:
        for setting in settings(journal=journal):
            connection.execute(setting).fetchall()
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("COMMIT")
        check_version(connection.execute("PRAGMA user_version").fetchone()[0], path.name)
        migrate(connection)
    except sqlite3.Error as error:
        connection.close()
        raise translate(error, path) from error
    except BaseException:
        connection.close()
        raise
    connection.set_authorizer(allow_only_adding)
    return connection


def _open_without_writing(path: Path, claim: Claim) -> SqliteNight:
    """Open a night where nothing can be written; one that wasn't closed is read from a copy."""
    log = path.with_name(path.name + "-wal")
    try:
        if log.exists() and log.stat().st_size:
            lent = tempfile.TemporaryDirectory(prefix="tableside-")
            copy = Path(lent.name) / path.name
            shutil.copyfile(path, copy)
            shutil.copyfile(log, copy.with_name(log.name))
            return SqliteNight(path, claim, _connect(copy), read_only=True, lent=lent)
        return SqliteNight(path, claim, connect_frozen(path), read_only=True)
    except sqlite3.Error as error:
        raise translate(error, path) from error


def connect_frozen(path: Path) -> sqlite3.Connection:
    """Open a file that nobody changes, without a lock or a file beside it."""
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    return sqlite3.connect(uri, uri=True, isolation_level=None)
