"""The journal where its file is hurt, hidden or replaced: nothing that was kept is thrown away for it."""

import errno
import os
import sqlite3
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from assistant.store import journal as journal_module
from assistant.store.base import NotSaved, NotWritable
from assistant.store.copies import write_copy
from assistant.store.journal import journal_of, read_journal
from assistant.store.salvage import gather, read_what_is_left
from assistant.store.sqlite import SqliteNight, create_night, open_night

from .nights_for_tests import edit, entry, rows_of
from .test_journal import in_database, left_by_killed, lines_of


def flip(journal: Path, number: int) -> None:
    """Turn over a bit in the line of an entry, of which the second is the journal's first."""
    lines = journal.read_bytes().split(b"\n")
    lines[number - 1] = lines[number - 1].replace(b"k", b"K", 1)
    journal.write_bytes(b"\n".join(lines))


def test_journal_that_cannot_be_read_is_not_taken_for_an_empty_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = left_by_killed(path, 3)
    left = journal_of(path).read_bytes()
    real = Path.read_bytes

    def refuse(file: Path) -> bytes:
        if file == journal_of(path):
            raise OSError(errno.EIO, "Input/output error", str(file))
        return real(file)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", refuse)
        for read_only in (False, True):
            with pytest.raises(NotWritable, match="cannot be read: Input/output error"):
                open_night(path, read_only=read_only)
    assert journal_of(path).read_bytes() == left
    assert rows_of(path) == rows


@pytest.mark.parametrize("bad", [2, 3, 4])
def test_journal_with_a_bad_line_before_good_ones_is_damage_and_stays(path: Path, bad: int) -> None:
    rows = left_by_killed(path, 5)
    flip(journal_of(path), bad)
    hurt = journal_of(path).read_bytes()
    for read_only in (False, True):
        with open_night(path, read_only=read_only) as night:
            assert night.rows() == rows[: bad - 1]
            found = night.verify()
            assert (found.ok, found.reason, found.entries) == (False, "file", bad - 1)
    assert in_database(path) == 1
    assert journal_of(path).read_bytes() == hurt
    left = gather(path)
    assert (list(left.rows), list(left.rest)) == (rows[: bad - 1], rows[bad:])


@pytest.mark.parametrize(("taken_in", "in_room"), [(4, [5, 6, 4]), (3, [4, 5, 6])])
def test_night_that_an_older_program_went_on_with_says_that_it_lacks_entries(
    path: Path, taken_in: int, in_room: list[int]
) -> None:
    """It knows no journal: it goes on behind what the database has."""
    rows = left_by_killed(path, 6, taken_in)
    left = journal_of(path).read_bytes()
    journal_of(path).unlink()
    with create_night(path.with_name("short.night")) as short:
        short.write_rows(rows[:taken_in])
    path.with_name("short.night").replace(path)
    with open_night(path) as older:
        older.append(entry(9))
    journal_of(path).write_bytes(left)
    assert [
        row.seq for row in read_journal(journal_of(path)).rows
    ] == in_room  # newest first, then older ones
    with open_night(path) as night:
        assert (night.verify().ok, night.verify().reason) == (False, "file")
    assert journal_of(path).read_bytes() == left
    assert gather(path).others == 1


def test_bad_last_line_is_a_torn_one(path: Path) -> None:
    rows = left_by_killed(path, 5)
    flip(journal_of(path), 5)
    assert rows_of(path) == rows[:4]


def test_journal_whose_owner_cannot_be_read_counts_where_it_continues_the_night(path: Path) -> None:
    rows = left_by_killed(path, 5)
    journal = journal_of(path)
    journal.write_bytes(journal.read_bytes().replace(b"Tableside", b"tableside", 1))
    assert rows_of(path) == rows
    with open_night(path):
        pass
    assert list(path.parent.iterdir()) == [path]


def test_journal_whose_owner_cannot_be_read_is_damage_where_it_does_not(path: Path) -> None:
    left_by_killed(path, 5)
    journal = journal_of(path)
    journal.write_bytes(journal.read_bytes().replace(b"Tableside", b"tableside", 1))
    flip(journal, 2)
    with open_night(path) as night:
        assert (night.head[0], night.verify().reason) == (1, "file")


def test_backup_put_back_over_a_night_whose_journal_knows_more_says_that_entries_are_missing(
    path: Path,
) -> None:
    rows = left_by_killed(path, 6, taken_in=4)
    left = journal_of(path).read_bytes()
    journal_of(path).unlink()
    path.unlink()
    write_copy(rows[:2], path)
    journal_of(path).write_bytes(left)
    with open_night(path) as night:
        assert (night.verify().ok, night.verify().reason, night.head[0]) == (False, "file", 2)
    assert journal_of(path).read_bytes() == left


def test_lines_before_a_bad_one_that_the_database_has_are_no_damage(path: Path) -> None:
    rows = left_by_killed(path, 5, taken_in=5)
    flip(journal_of(path), 2)
    assert rows_of(path) == rows
    with open_night(path):
        pass
    assert list(path.parent.iterdir()) == [path]


def test_damaged_night_is_not_written_to_and_keeps_its_journal(path: Path) -> None:
    rows = left_by_killed(path, 6, taken_in=3)
    with open_night(path.with_name(path.name), read_only=True):
        pass  # the log goes into the file
    left = journal_of(path).read_bytes()
    edit(path, "UPDATE entry SET kind = 'sell' WHERE seq = 2")
    with open_night(path) as night:
        assert (night.verify().ok, night.verify().first_bad) == (False, 2)
    assert in_database(path) == 3
    assert journal_of(path).read_bytes() == left
    assert {row.hash for row in read_what_is_left(path)} >= {row.hash for row in rows[2:]}


def test_journal_of_the_next_night_of_the_name_is_left_to_it(path: Path) -> None:
    night = create_night(path)
    night.append(entry(1))
    night.append(entry(2))
    night.write_rows(())
    path.rename(path.with_name("moved.night"))
    with create_night(path) as other:
        other.append(entry(1))
        other.append(entry(2))
        held = journal_of(path).read_bytes()
        night.close()
        assert journal_of(path).read_bytes() == held


def test_journal_that_was_replaced_costs_nothing(night: SqliteNight, path: Path) -> None:
    """A service that copies folders puts its own file there: what is written to ours nobody finds."""
    for number in range(1, 4):
        night.append(entry(number))
    other = path.with_name("other")
    other.write_bytes(journal_of(path).read_bytes())
    os.replace(other, journal_of(path))
    assert night.append(entry(4)).seq == 4
    assert night._connection.execute("SELECT count(*) FROM entry").fetchone() == (4,)


def test_after_a_refusal_the_entries_before_it_are_in_the_database_too(
    night: SqliteNight, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows what a disk that failed once has of the sector that they share, or of the refused line."""

    def fail(*_given: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    night.append(entry(1))
    night.append(entry(2))
    with monkeypatch.context() as patch:
        patch.setattr(journal_module, "_flush", fail)
        with pytest.raises(NotSaved):
            night.append(entry(3))
    assert night._connection.execute("SELECT count(*) FROM entry").fetchone() == (2,)
    assert not journal_of(path).exists()


def test_interruption_behind_the_commit_leaves_no_entry_twice(
    night: SqliteNight, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Interrupted:
        """Ctrl+C in the moment after the database has said yes."""

        def __init__(self, real: sqlite3.Connection) -> None:
            self.real = real

        def __getattr__(self, name: str) -> object:
            return getattr(self.real, name)

        def execute(self, sql: str, *given: object) -> object:
            done = self.real.execute(sql, *given)  # type: ignore[arg-type]
            if sql == "COMMIT":
                raise KeyboardInterrupt
            return done

    night.append(entry(1))
    night.append(entry(2))
    real = night._connection
    monkeypatch.setattr(night, "_connection", Interrupted(real))
    with suppress(KeyboardInterrupt):
        night.write_rows(())
    monkeypatch.setattr(night, "_connection", real)
    assert [row.seq for row in night.rows()] == [1, 2]
    assert night.append(entry(3)).seq == 3
    night.write_rows(())
    assert (night.head[0], night.verify().ok) == (3, True)


def test_entry_from_another_thread_is_refused_before_it_is_kept(night: SqliteNight, path: Path) -> None:
    night.append(entry(1))
    night.append(entry(2))
    refusals: list[BaseException] = []

    def add() -> None:
        try:
            night.append(entry(3))
        except sqlite3.ProgrammingError as error:
            refusals.append(error)

    thread = threading.Thread(target=add)
    thread.start()
    thread.join()
    assert len(refusals) == 1
    assert [row.seq for row in lines_of(journal_of(path))] == [2]
