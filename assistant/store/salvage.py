"""What is left of a damaged night, and the night that is made of it; the damaged file itself is kept.

Entries prove each other: a seal covers the seal before it. So an entry that one file lost may be taken from
any copy, and only what fits the chain is taken. What can still be read behind a gap proves nothing; it is
written down as text for people to judge.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from assistant.i18n import _
from assistant.store.base import (
    NO_HASH,
    Damage,
    Entry,
    NewEntry,
    NightDamaged,
    NightStore,
    NotWritable,
    StoreError,
    Verification,
)
from assistant.store.chain import Row, read_row
from assistant.store.copies import write_copy
from assistant.store.folders import sync_file, sync_folder
from assistant.store.holder import Claim, in_use, is_locked
from assistant.store.journal import journal_of, read_journal
from assistant.store.log_file import LOG_SUFFIX, Standing, compare, logs_of, read_log
from assistant.store.night_file import READ_BESIDE, SUFFIX, move_night, not_writable
from assistant.store.tables import read_entry, read_some

MOST_MISSING = 1000
"""So many entries in a row may be unreadable before the rest of a broken file is given up."""
MOST_NAMES = 999


class TwoWays(StoreError):
    """The night's file and a copy of it tell it differently, and each proves itself."""

    def __init__(self, name: str, others: int) -> None:
        message = _("Night {name} and its copy differ in {count} entries, and each proves itself.")
        hint = _(
            "Compare both with the paper slips (tableside verify --slip), then choose: "
            "tableside recover NIGHT --yes --trust file, or --trust copy."
        )
        super().__init__(message.format(name=name, count=others), hint)


@dataclass(frozen=True, slots=True)
class Salvage:
    """What is left of a night.

    Attributes:
        rows: Entries that prove each other, from the first on.
        rest: Entries behind them that can be read but hang on one that is lost.
        in_file: How many of `rows` the night's own file has.
        copies: Files that entries were taken from, besides the night's own.
        others: Another way the night goes on, in a copy or in the file: so many of its entries are not in
            `rows`.
    """

    rows: tuple[Row, ...]
    rest: tuple[Row, ...] = ()
    in_file: int = 0
    copies: tuple[Path, ...] = ()
    others: int = 0


@dataclass(frozen=True, slots=True)
class Recovered:
    """A night that was made of what is left.

    Attributes:
        path: The night's file, sound again.
        entries: Entries it has.
        kept: The damaged file under its new name; None where there was none.
        rest: Text file with what could be read but not proved; None where there is nothing.
    """

    path: Path
    entries: int
    kept: Path | None
    rest: Path | None


class Trust(Enum):
    """Whose way of telling it counts, where the night's file and a copy differ."""

    NEITHER = ""
    FILE = "file"
    COPY = "copy"


def gather(path: Path, folders: Iterable[Path] = (), trust: Trust = Trust.NEITHER) -> Salvage:
    """Return what is left of a night, in its own file and in its copies; nothing is changed.

    Args:
        path: The night's file; it may be missing, broken, or no night any more.
        folders: Where copies may lie.
        trust: Whose entries count where two ways fork; the file's unless a copy was chosen.

    Raises:
        NightInUse: Another window has the night open.
    """
    own = [row for file in _own_files(path) for row in read_what_is_left(file)]
    found = {file: _rows_of(file) for folder in folders for file in _copies_in(folder, path.stem)}
    copied_rows = [row for copied in found.values() for row in copied]
    rows = _best_chain(own, copied_rows, own if trust is not Trust.COPY else _same_night(own, copied_rows))
    chosen = {row.hash for row in rows}
    used = tuple(
        file
        for file, copied in found.items()
        if any(row.hash in chosen for row in copied) and _adds(copied, own, rows)
    )
    sealed = {row.hash for row in own if row.is_sealed}
    in_file = len(sealed & chosen)
    for copied in found.values():
        if copied and rows and copied[0].hash == rows[0].hash:  # not another night's of the same name
            sealed |= {row.hash for row in copied if row.is_sealed}
    behind = {row.seq: row for row in own if row.seq > len(rows)}
    rest = tuple(behind[seq] for seq in sorted(behind))
    others = len(sealed - chosen - {row.hash for row in rest})
    return Salvage(tuple(rows), rest, in_file, used, others)


def check_recoverable(name: str, salvage: Salvage, trust: Trust) -> None:
    """Say why a sound night can't be made of what is left.

    Raises:
        NightDamaged: Nothing is left.
        TwoWays: File and copy differ and neither is trusted.
    """
    if not salvage.rows:
        message = _("Nothing of night {name} can be read, and there is no copy of it.").format(name=name)
        raise NightDamaged(
            message, _("Look for a copy on other disks: tableside recover NIGHT --copies FOLDER.")
        )
    if salvage.others and trust is Trust.NEITHER:
        raise TwoWays(name, salvage.others)


def recover(path: Path, folders: Iterable[Path] = (), trust: Trust = Trust.NEITHER) -> Recovered:
    """Make a sound night of what is left and put it in the damaged one's place, which is kept beside it.

    Where file and copy tell it two ways nobody but the table can say which is right: then `trust` must say
    it. What was not trusted is kept under another name.

    Raises:
        NightDamaged: Nothing is left.
        TwoWays: File and copy differ and neither is trusted.
        StoreError: It can't be written; the damaged night is where it was.
    """
    folders = tuple(folders)
    salvage = gather(path, folders, trust)
    check_recoverable(path.stem, salvage, trust)
    part = path.with_name(f".{path.name}.recovered")
    try:
        part.unlink(missing_ok=True)
        write_copy(salvage.rows, part)
        rest = _write_rest(path, salvage.rest)
        kept = _set_aside(path)
        os.replace(part, path)
        sync_folder(path.parent)
        if salvage.others:
            _keep_other_copies(path.stem, folders, salvage.rows)
    except OSError as error:
        raise not_writable(path.parent, error) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return Recovered(path, len(salvage.rows), kept, rest)


def read_what_is_left(path: Path) -> list[Row]:
    """Return every entry that can still be read from a night's file, sound or not; from a copy of it.

    Raises:
        NightInUse: Another window has it open.
    """
    if not path.is_file():
        return []
    _check_is_free(path)
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        copy = Path(folder) / "left.night"
        try:
            shutil.copyfile(path, copy)
            for side in READ_BESIDE:
                with suppress(OSError):  # it isn't there, or can't be read: then what the others hold
                    shutil.copyfile(path.with_name(path.name + side), copy.with_name(copy.name + side))
            with closing(sqlite3.connect(copy, isolation_level=None)) as connection:
                return [*_read_around_holes(connection), *read_journal(journal_of(copy)).rows]
        except (sqlite3.Error, OSError):
            return list(read_journal(journal_of(copy)).rows)


def _read_around_holes(connection: sqlite3.Connection) -> Iterator[Row]:
    """Read in order; where a page is broken, go on entry by entry behind it."""
    done = 0
    try:
        for row in read_some(connection):
            yield row
            done = row.seq
    except (sqlite3.Error, TypeError, ValueError):
        missing = 0
        while missing < MOST_MISSING:
            done += 1
            try:
                found = read_entry(connection, done)
            except (sqlite3.Error, TypeError, ValueError):
                found = None
            missing = 0 if found else missing + 1
            if found is not None:
                yield found


def _same_night(own: Sequence[Row], copied: Sequence[Row]) -> list[Row]:
    """Return the entries of copies that begin as the file does."""
    mine = {row.hash for row in own if row.is_sealed}
    first = {row.hash for row in copied if row.seq == 1 and row.hash in mine}
    return [row for row in copied if not first or row.seq > 1 or row.hash in first]


def _best_chain(own: Sequence[Row], copied: Sequence[Row], preferred: Sequence[Row]) -> list[Row]:
    """Return the chain that holds most of the preferred entries, and of those the longest."""
    mine = {row.hash for row in preferred if row.is_sealed}
    unique = {row.hash: row for row in (*copied, *own) if row.is_sealed}
    after: dict[tuple[int, str], list[Row]] = defaultdict(list)
    for row in unique.values():
        after[row.seq, row.prev].append(row)
    best: dict[str, tuple[int, int, str]] = {}
    for row in sorted(unique.values(), key=lambda one: -one.seq):
        following = [(*best[one.hash][:2], one.hash) for one in after.get((row.seq + 1, row.hash), ())]
        ours, length, then = max(following, default=(0, 0, ""))
        best[row.hash] = (ours + (row.hash in mine), length + 1, then)
    roots = [(*best[row.hash][:2], row.hash) for row in after.get((1, NO_HASH), ())]
    chain, head = [], max(roots, default=(0, 0, ""))[2]
    while head:
        chain.append(unique[head])
        head = best[head][2]
    return chain


def _adds(copied: Sequence[Row], own: Sequence[Row], chosen: Sequence[Row]) -> bool:
    mine = {row.hash for row in own if row.is_sealed}
    theirs = {row.hash for row in copied}
    return any(row.hash not in mine and row.hash in theirs for row in chosen)


def _own_files(path: Path) -> Iterator[Path]:
    """The night's file, and damaged ones that an earlier recovery set aside."""
    yield path
    yield from sorted(path.parent.glob(f"{path.name}.damaged-*[0-9]"))


def _copies_in(folder: Path, name: str) -> Iterator[Path]:
    for suffix in (LOG_SUFFIX, SUFFIX):
        yield from sorted({*folder.glob(f"{name}{suffix}"), *folder.glob(f"{name}_*{suffix}")})
    yield from sorted(folder.glob(f"{name}{SUFFIX}.kept-*"))


def _rows_of(path: Path) -> list[Row]:
    try:
        return read_log(path) if path.suffix == LOG_SUFFIX else read_what_is_left(path)
    except (OSError, StoreError):
        return []


def _check_is_free(path: Path) -> None:
    claim = Claim.take(path)
    try:
        if is_locked(path):
            raise in_use(path)
    finally:
        claim.give_back()


def _set_aside(path: Path) -> Path | None:
    """Give the damaged night another name, with the files that belong to it, so that all stays readable.

    Its main file has both names for a moment: whenever the power fails, something lies in its place.
    """
    if not path.exists():
        return None
    for number in range(1, MOST_NAMES):
        kept = path.with_name(f"{path.name}.damaged-{number}")
        if kept.exists():
            continue
        move_night(path, kept)
        return kept
    raise OSError(_("too many damaged files of {name}").format(name=path.stem))


def _keep_other_copies(name: str, folders: Iterable[Path], rows: Sequence[Row]) -> None:
    """Give logs that tell it another way a name under which the night is not compared with them any more."""
    for folder in folders:
        for log in logs_of(folder, name):
            if compare(log, rows).standing is not Standing.DIFFERS:
                continue
            number = next(
                one for one in range(1, MOST_NAMES) if not log.with_name(f"{log.name}.kept-{one}").exists()
            )
            os.rename(log, log.with_name(f"{log.name}.kept-{number}"))


def _write_rest(path: Path, rest: Sequence[Row]) -> Path | None:
    """Write what proves nothing as text: a line of table talk an entry, its number and time before it."""
    if not rest:
        return None
    lines = [f"# Night {path.stem}: read from the damaged file, not proved. Check each line before use.\n"]
    for row in rest:
        try:
            line = str(read_row(row).body.get("line", ""))
        except StoreError:
            line = ""
        lines.append(f"# entry {row.seq}, {row.at if row.at.isprintable() else '?'}\n")
        lines.append(f"{line if line.isprintable() else '# not readable'}\n")
    for number in range(1, MOST_NAMES):
        file = path.with_name(f"{path.stem}.rest-{number}.txt")
        if not file.exists():
            file.write_text("".join(lines), encoding="utf-8", errors="replace")
            sync_file(file)
            return file
    raise OSError(_("too many damaged files of {name}").format(name=path.stem))


class SalvagedNight(NightStore):
    """What is left of a damaged night, for looking at: nothing can be added.

    Args:
        name: The night's name.
        salvage: What is left.
        found: What is wrong with the file.
    """

    def __init__(self, name: str, salvage: Salvage, found: Verification) -> None:
        self._rows = salvage.rows
        self._found = found
        self._name = name
        self.damage = Damage(
            name, found, len(salvage.rows), salvage.in_file, len(salvage.rest), salvage.others
        )

    def append(self, new: NewEntry) -> Entry:
        """Refuse."""
        message = _("not saved - night {name} is damaged and open for reading only").format(name=self._name)
        raise NotWritable(message, _("Ctrl+R says what can be done."))

    def entries(self) -> Iterator[Entry]:
        """Yield what is left, in order."""
        return (read_row(row) for row in self._rows)

    @property
    def head(self) -> tuple[int, str]:
        """Sequence number and seal of the last entry that is left."""
        return (self._rows[-1].seq, self._rows[-1].hash) if self._rows else (0, NO_HASH)

    def hash_at(self, seq: int) -> str | None:
        """Return the seal of an entry that is left."""
        return self._rows[seq - 1].hash if 0 < seq <= len(self._rows) else None

    def verify(self) -> Verification:
        """Say what is wrong, so that every slip is marked."""
        return self._found

    def backup(self, path: Path) -> None:
        """Write what is left to a night's file of its own."""
        if path.exists():
            raise StoreError(_("{path} is there already.").format(path=path), _("Choose another name."))
        write_copy(self._rows, path)

    def close(self) -> None:
        """Nothing is held."""
