"""The journal: entries the database doesn't have yet are never lost, and nothing else is taken for one."""

import errno
import os
import random
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from assistant.store import journal as journal_module
from assistant.store.base import NO_HASH, BadEntry, NotSaved
from assistant.store.chain import Row, sealed
from assistant.store.codec import CODEC_VERSION
from assistant.store.copies import write_copy
from assistant.store.journal import ROOM_BYTES, Journal, first_chain, journal_of, line_of, read_journal
from assistant.store.night_file import make_file
from assistant.store.sqlite import BATCH, SqliteNight, create_night, open_night

from .nights_for_tests import entry, rows_of
from .test_sqlite import entry as noted


def in_database(path: Path) -> int:
    """How many entries the night's file has by itself."""
    with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as connection:
        return int(connection.execute("SELECT count(*) FROM entry").fetchone()[0])


def lines_of(journal: Path) -> list[Row]:
    """The newest entries that a journal holds."""
    return first_chain(read_journal(journal).rows)


def left_by_killed(path: Path, entries: int, taken_in: int = 0) -> list[Row]:
    """Make a night as a program leaves it that dies; the database took in its first entries."""
    alive = path.with_name("alive.night")
    with create_night(alive) as night:
        for number in range(1, entries + 1):
            night.append(entry(number))
            if number == taken_in:
                night.write_rows(())
        rows = night.rows()
        for side in ("", "-wal", "-entries"):
            shutil.copyfile(alive.with_name(alive.name + side), path.with_name(path.name + side))
    alive.unlink()
    return rows


@pytest.mark.parametrize(
    ("entries", "taken_in"), [(2, 0), (5, 0), (5, 3), (5, 5), (BATCH, 0), (BATCH + 3, 0)]
)
def test_entries_of_a_program_that_died_are_there(path: Path, entries: int, taken_in: int) -> None:
    rows = left_by_killed(path, entries, taken_in)
    assert rows_of(path) == rows
    with open_night(path) as again:
        assert (again.head, again.verify().ok) == ((entries, rows[-1].hash), True)
        assert not journal_of(path).exists()
        assert again.append(entry(entries + 1)).seq == entries + 1
        assert again.append(entry(1)).seq == 1  # entered before: a second Enter changes nothing
    assert list(path.parent.iterdir()) == [path]
    assert in_database(path) == entries + 1


def test_database_takes_entries_in_many_at_a_time(night: SqliteNight) -> None:
    """The first one at once: a journal hangs on it."""
    for number in range(1, BATCH + 1):
        night.append(entry(number))
    stored = "SELECT count(*) FROM entry"
    assert night._connection.execute(stored).fetchone() == (1,)
    night.append(entry(BATCH + 1))
    assert night._connection.execute(stored).fetchone() == (BATCH + 1,)


def test_night_reads_the_same_wherever_its_entries_lie(night: SqliteNight) -> None:
    for number in range(1, 6):
        night.append(entry(number))
        if number == 3:
            night.write_rows(())
    assert [row.seq for row in night.rows()] == [1, 2, 3, 4, 5]
    assert [kept.seq for kept in night.entries()] == [1, 2, 3, 4, 5]
    assert [night.hash_at(row.seq) for row in night.rows()] == [row.hash for row in night.rows()]
    assert (night.hash_at(0), night.hash_at(6)) == (None, None)
    assert night.kinds() == {"buy"}
    assert (night.verify().entries, night.verify().ok) == (5, True)
    assert [night.append(entry(number)).seq for number in (2, 5)] == [2, 5]


def test_entry_longer_than_the_room_goes_into_the_database_with_all_before_it(
    night: SqliteNight, path: Path
) -> None:
    night.append(noted("k1"))
    night.append(noted("k2", note="x" * (ROOM_BYTES + 1)))
    assert night._connection.execute("SELECT count(*) FROM entry").fetchone() == (2,)
    night.append(noted("k3"))
    assert [row.key for row in lines_of(journal_of(path))] == ["k3"]


def test_room_that_is_full_is_used_again(night: SqliteNight, path: Path) -> None:
    for number in range(10):
        night.append(noted(f"k{number}", note="x" * (ROOM_BYTES // 4)))
    assert (night.head[0], night.verify().ok) == (10, True)
    assert journal_of(path).stat().st_size == ROOM_BYTES


def test_torn_line_is_no_entry(path: Path) -> None:
    rows = left_by_killed(path, 3)
    journal = journal_of(path)
    whole = journal.read_bytes()
    end = whole.rindex(b"\n") + 1
    start = whole.rindex(b"\n", 0, end - 1) + 1
    for cut in range(start, end - 1):
        journal.write_bytes(whole[:cut] + bytes(ROOM_BYTES - cut))
        assert lines_of(journal) == rows[1:2]
    for sector in range(start, end, 16):
        torn = bytearray(whole)
        torn[sector : min(sector + 16, end - 1)] = bytes(min(16, end - 1 - sector))
        journal.write_bytes(torn)
        assert lines_of(journal) == rows[1:2]


@pytest.mark.parametrize(
    "text",
    [b"", b"\n", b"[]", b"[1]", b"{}", b"\xff", b"[1,2,3,4,5,6,7,8,9,10,[[1]]]", b"[" * 10_000, b"1" * 5000],
)
def test_what_is_no_entry_is_passed_over_though_its_seal_is_right(tmp_path: Path, text: bytes) -> None:
    import hashlib

    journal = tmp_path / "n.night-entries"
    journal.write_bytes(line_of(text, hashlib.sha256(text).hexdigest()))
    assert lines_of(journal) == []


def test_journal_whose_entries_the_database_has_is_removed(path: Path) -> None:
    rows = left_by_killed(path, 4)
    left = journal_of(path).read_bytes()
    with open_night(path):
        pass
    journal_of(path).write_bytes(left)
    with open_night(path) as again:
        assert again.rows() == rows
    assert list(path.parent.iterdir()) == [path]


def test_journal_of_another_night_is_kept_and_never_played_into_this_one(path: Path) -> None:
    left_by_killed(path, 3)
    foreign = journal_of(path).read_bytes()
    for file in (path, journal_of(path), path.with_name(path.name + "-wal")):
        file.unlink()
    with create_night(path) as night:
        night.append(noted("other", 7))
        rows = night.rows()
    journal_of(path).write_bytes(foreign)
    with open_night(path) as again:
        assert again.rows() == rows
        again.append(noted("more", 8))
    assert journal_of(path).with_name(journal_of(path).name + ".left-1").read_bytes() == foreign
    assert [row.key for row in rows_of(path)] == ["other", "more"]


def test_journal_of_a_deleted_night_is_not_played_into_the_next_of_its_name(path: Path) -> None:
    left_by_killed(path, 3)
    path.unlink()
    with create_night(path) as night:
        assert night.head == (0, NO_HASH)


def test_half_made_copy_does_not_take_in_a_journal(path: Path) -> None:
    rows = left_by_killed(path, 3)
    left = journal_of(path).read_bytes()
    copy = path.with_name("copy.night")
    journal_of(path.with_name(".copy.night.part")).write_bytes(left)
    write_copy(rows[:1], copy)
    assert rows_of(copy) == rows[:1]


def test_backup_has_the_journals_entries_and_leaves_them_where_they_are(
    night: SqliteNight, path: Path
) -> None:
    for number in range(1, 4):
        night.append(entry(number))
    copy = path.with_name("copy.night")
    night.backup(copy)
    assert in_database(copy) == 3
    assert rows_of(copy) == night.rows()
    assert lines_of(journal_of(path)) == night.rows()[1:]
    night.append(entry(4))
    night.backup(copy)
    assert rows_of(copy) == night.rows()


def test_copy_of_a_program_that_died_counts_with_its_journal(night: SqliteNight, path: Path) -> None:
    """An older copy, by its file alone; by its journal it knows as much as the night."""
    for number in range(1, 4):
        night.append(entry(number))
    copy = path.with_name("copy.night")
    for side in ("", "-entries"):
        shutil.copyfile(path.with_name(path.name + side), copy.with_name(copy.name + side))
    night.append(entry(4))
    night.backup(copy)
    assert rows_of(copy) == night.rows()
    assert not journal_of(copy).exists()


def test_journal_that_was_deleted_costs_nothing(night: SqliteNight, path: Path) -> None:
    for number in range(1, 4):
        night.append(entry(number))
    journal_of(path).unlink()
    assert night.append(entry(4)).seq == 4
    assert night._connection.execute("SELECT count(*) FROM entry").fetchone() == (4,)


def test_night_whose_folder_takes_no_journal_goes_on_without(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> int:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(journal_module, "_open", refuse)
    with create_night(path) as night:
        for number in range(1, 4):
            assert night.append(entry(number)).seq == number
        assert not journal_of(path).exists()
        assert night._connection.execute("SELECT count(*) FROM entry").fetchone() == (3,)


@pytest.mark.parametrize("fails", ["_write", "_flush"])
def test_entry_that_the_disk_refused_is_not_there_after_a_restart(
    path: Path, fails: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with create_night(path) as night:
        night.append(entry(1))
        night.append(entry(2))
        real = getattr(journal_module, fails)
        calls: list[int] = []

        def fail_once(*given: object) -> None:
            calls.append(1)
            if len(calls) == 1:
                if fails == "_write":  # as a torn write leaves it
                    real(*given)
                raise OSError(errno.EIO, "Input/output error")
            real(*given)

        monkeypatch.setattr(journal_module, fails, fail_once)
        with pytest.raises(NotSaved, match="the disk reported an error"):
            night.append(entry(3))
        assert night.head[0] == 2
        assert night._connection.execute("SELECT max(seq) FROM entry").fetchone() == (2,)
        assert lines_of(journal_of(path)) == []
        assert night.append(entry(3)).seq == 3
        assert night.append(entry(4)).seq == 4
    assert (list(path.parent.iterdir()), in_database(path)) == ([path], 4)


@pytest.mark.parametrize("fails", ["_write", "_flush"])
def test_line_that_the_disk_refused_is_blanked(
    tmp_path: Path, fails: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path / "n.night-entries", NO_HASH)
    rows: list[Row] = []
    for number in (1, 2):
        row, text = sealed(entry(number), number, CODEC_VERSION, rows[-1].hash if rows else NO_HASH)
        rows.append(row)
        real = getattr(journal_module, fails)
        calls: list[int] = []

        def fail_once(*given: object, real=real, calls=calls, number=number) -> None:  # type: ignore[no-untyped-def]
            calls.append(1)
            real(*given)
            if number == 2 and len(calls) == 1:
                raise OSError(errno.EIO, "Input/output error")

        with monkeypatch.context() as patch:
            patch.setattr(journal_module, fails, fail_once)
            with suppress(OSError):
                journal.add(line_of(text, row.hash))
    journal.close()
    assert lines_of(journal.path) == rows[:1]


def test_entries_stay_in_the_journal_where_the_database_does_not_take_them(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_night: SqliteNight, _rows: object) -> None:
        raise NotSaved

    night = create_night(path)
    night.append(entry(1))
    with monkeypatch.context() as patch:
        patch.setattr(SqliteNight, "_insert", refuse)
        for number in range(2, BATCH + 4):
            assert night.append(entry(number)).seq == number
        night.close()
        assert in_database(path) == 1
        with open_night(path) as again:  # nor when it is opened
            assert (again.head[0], again.verify().ok) == (BATCH + 3, True)
            with pytest.raises(NotSaved):
                again.append(entry(BATCH + 4))
            assert again.head[0] == BATCH + 3
    assert journal_of(path).exists()
    with open_night(path) as again:
        assert again.append(entry(BATCH + 4)).seq == BATCH + 4
    assert (list(path.parent.iterdir()), in_database(path)) == ([path], BATCH + 4)


def test_night_that_was_taken_away_keeps_its_journal(path: Path) -> None:
    night = create_night(path)
    night.append(entry(1))
    night.append(entry(2))
    path.unlink()
    night.close()
    assert [row.seq for row in lines_of(journal_of(path))] == [2]


def test_entry_the_chain_refuses_leaves_no_line(night: SqliteNight, path: Path) -> None:
    night.append(entry(1))
    night.append(entry(2))
    with pytest.raises(BadEntry):
        night.append(noted("", 5))
    assert [row.seq for row in lines_of(journal_of(path))] == [2]


def test_no_lock_of_the_night_is_lost_by_its_journal(path: Path) -> None:
    """POSIX locks of a process go when it closes any handle on the file; the journal is another file."""
    make_file(path)
    with open_night(path) as night:
        night.append(entry(1))
        night.append(entry(2))
        night._give_up_journal(night._journal)  # type: ignore[arg-type]
        night.append(entry(3))
        with closing(sqlite3.connect(path, timeout=0)) as other, pytest.raises(sqlite3.OperationalError):
            other.execute("SELECT * FROM entry").fetchall()


def test_line_is_what_was_sealed(tmp_path: Path) -> None:
    row, text = sealed(noted("ключ", 5, 'a\nb\u2028\x7f"\\'), 1, CODEC_VERSION, NO_HASH)
    journal = Journal(tmp_path / "n.night-entries", NO_HASH)
    journal.add(line_of(text, row.hash))
    journal.close()
    assert lines_of(journal.path) == [row]
    assert row.is_sealed


@pytest.mark.parametrize("seed", range(12))
def test_night_that_is_killed_again_and_again_has_every_entry(
    path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Short and long entries, batches of any size, ends by closing and by being killed, at random."""
    dice = random.Random(seed)
    monkeypatch.setattr("assistant.store.sqlite.BATCH", dice.choice((1, 2, 3, 7)))
    kept: list[str] = []
    night = create_night(path)
    for number in range(60):
        note = "x" * dice.choice((0, 10, 3000, ROOM_BYTES // 3, ROOM_BYTES))
        kept.append(night.append(noted(f"k{number}", number + 1, note)).hash)
        chance = dice.random()
        if chance < 0.1:
            night.close()
            night = open_night(path)
        elif chance < 0.25:
            place = path.parent / f"killed-{number}"
            place.mkdir()
            for file in path.parent.iterdir():
                if file.is_file() and not file.name.endswith(".lock"):
                    shutil.copyfile(file, place / file.name)
            night.close()
            path = place / path.name
            night = open_night(path)
        assert night.head == (number + 1, kept[-1])
    assert [row.hash for row in night.rows()] == kept
    assert night.verify().ok
    night.close()
    assert in_database(path) == 60
    assert os.listdir(path.parent) == [path.name]
