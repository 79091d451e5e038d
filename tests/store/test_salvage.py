"""Damaged nights: what is left is put together from all copies, and the damaged file is kept to the byte."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.store.base import NightDamaged, NightInUse, NotWritable
from assistant.store.chain import Row
from assistant.store.journal import journal_of
from assistant.store.log_file import line_of
from assistant.store.mirror import back_up
from assistant.store.salvage import SalvagedNight, gather, read_what_is_left, recover
from assistant.store.sqlite import create_night, open_night

from .nights_for_tests import cut_tail, edit, entry, make_night, rows_of

OPEN_AND_WAIT = """
import sys
from pathlib import Path
from assistant.store.sqlite import create_night, open_night
night = open_night(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.read()
"""
DOUBLED = ("UPDATE posting SET amount = amount * 2 WHERE seq = 3",)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "nights" / "2026-11-28-1.night"


@pytest.fixture
def rows(path: Path) -> list[Row]:
    path.parent.mkdir()
    return make_night(path, 8)


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    folder = tmp_path / "copies"
    folder.mkdir()
    return folder


def write_log(copies: Path, rows: list[Row], name: str = "2026-11-28-1") -> Path:
    log = copies / f"{name}.jsonl"
    log.write_text("".join(f"{line_of(row)}\n" for row in rows), encoding="utf-8")
    return log


def test_altered_entry_alone_costs_what_hangs_on_it_and_the_rest_is_readable(
    path: Path, rows: list[Row]
) -> None:
    """Scenario 24 without a copy: two entries are proved, the others are text for people to judge."""
    edit(path, *DOUBLED)
    salvage = gather(path)
    assert salvage.rows == tuple(rows[:2])
    assert [row.seq for row in salvage.rest] == [3, 4, 5, 6, 7, 8]


def test_altered_entry_comes_back_from_the_copy_and_the_rest_is_proved_by_it(
    path: Path, rows: list[Row], copies: Path
) -> None:
    """The copy is 4 behind: the file's own entries 5-8 hang on entry 3, which only the copy has unaltered."""
    edit(path, *DOUBLED)
    log = write_log(copies, rows[:4])
    salvage = gather(path, [copies])
    assert salvage.rows == tuple(rows)
    assert (salvage.in_file, salvage.rest, salvage.copies, salvage.others) == (7, (), (log,), 0)


def test_recovered_night_is_sound_and_the_damaged_file_is_kept_to_the_byte(
    path: Path, rows: list[Row], copies: Path
) -> None:
    edit(path, *DOUBLED)
    before = path.read_bytes()
    write_log(copies, rows)
    done = recover(path, [copies])
    assert (done.path, done.entries, done.rest) == (path, 8, None)
    assert done.kept is not None
    assert done.kept.read_bytes() == before
    with open_night(path) as night:
        assert night.verify().ok
        assert night.rows() == rows
        assert night.append(entry(9)).seq == 9


def test_what_cannot_be_proved_is_written_as_table_talk(path: Path, rows: list[Row]) -> None:
    edit(path, *DOUBLED)
    done = recover(path)
    assert done.entries == 2
    assert done.rest is not None
    text = done.rest.read_text(encoding="utf-8").splitlines()
    assert [line for line in text if not line.startswith("#")] == [f"buy Anna {n}" for n in range(3, 9)]


def test_cut_off_end_comes_back_from_the_copy(path: Path, rows: list[Row], copies: Path) -> None:
    cut_tail(path, 6)
    write_log(copies, rows)
    assert recover(path, [copies]).entries == 8
    assert rows_of(path) == rows


@pytest.mark.parametrize("content", [b"", b"garbage", b"SQLite format 3\0" + b"x" * 4000])
def test_night_whose_file_is_destroyed_comes_back_from_log_or_backup(
    path: Path, rows: list[Row], copies: Path, content: bytes
) -> None:
    path.write_bytes(content)
    back_up(copies / path.name, rows[:5])
    write_log(copies, rows[:7])
    done = recover(path, [copies])
    assert rows_of(path) == rows[:7]
    assert done.kept is not None
    assert done.kept.read_bytes() == content


def test_log_of_sqlite_goes_with_the_damaged_file_and_is_read_with_it(path: Path, copies: Path) -> None:
    """Left behind, SQLite would play it into the recovered file."""
    path.parent.mkdir()
    log = path.with_name(f"{path.name}-wal")
    with create_night(path) as night:
        for number in range(1, 9):
            night.append(entry(number))
        night.write_rows(())  # out of the journal
        rows, saved = night.rows(), (path.read_bytes(), log.read_bytes())
    path.write_bytes(saved[0])
    log.write_bytes(saved[1])
    assert read_what_is_left(path) == rows
    write_log(copies, rows[:3])
    path.write_bytes(b"SQLite format 3\0" + b"x" * 4000)
    kept = recover(path, [copies]).kept
    assert kept is not None
    assert kept.with_name(f"{kept.name}-wal").read_bytes() == saved[1]
    assert not log.exists()
    assert rows_of(path) == rows[:3]


def test_journal_of_a_program_that_died_is_read_with_the_damaged_file_and_goes_with_it(
    path: Path, copies: Path
) -> None:
    path.parent.mkdir()
    journal = journal_of(path)
    with create_night(path) as night:
        for number in range(1, 4):
            night.append(entry(number))
        night.write_rows(())
        for number in range(4, 9):
            night.append(entry(number))
        rows, left = night.rows(), journal.read_bytes()
    path.unlink()
    path.write_bytes(b"SQLite format 3\0" + b"x" * 4000)
    journal.write_bytes(left)
    write_log(copies, rows[:3])
    assert read_what_is_left(path) == rows[3:]
    kept = recover(path, [copies]).kept
    assert kept is not None
    assert journal_of(kept).read_bytes() == left
    assert not journal.exists()
    assert rows_of(path) == rows


def test_cut_night_does_not_lose_the_journal_that_proves_it(path: Path) -> None:
    path.parent.mkdir()
    with create_night(path) as night:
        for number in range(1, 4):
            night.append(entry(number))
        night.write_rows(())
        night.append(entry(4))
        rows, left = night.rows(), journal_of(path).read_bytes()
    cut_tail(path, 2)
    journal_of(path).write_bytes(left)
    with open_night(path) as cut:
        assert cut.head[0] == 2
        assert (cut.verify().ok, cut.verify().reason) == (False, "file")
    assert journal_of(path).read_bytes() == left
    salvage = gather(path)  # behind the newest line the room has the third one, which the database took in
    assert (salvage.rows, salvage.rest) == (tuple(rows), ())
    end = left.index(b"\n", left.index(b"\n") + 1) + 1  # whose it is, and the newest line
    journal_of(path).write_bytes(left[:end] + bytes(len(left) - end))
    salvage = gather(path)
    assert (salvage.rows, salvage.rest) == (tuple(rows[:2]), (rows[3],))


def test_deleted_night_comes_back_from_its_copy(path: Path, rows: list[Row], copies: Path) -> None:
    write_log(copies, rows)
    path.unlink()
    done = recover(path, [copies])
    assert (done.entries, done.kept) == (8, None)
    assert rows_of(path) == rows


def test_entries_behind_broken_pages_are_read(path: Path) -> None:
    path.parent.mkdir()
    rows = make_night(path, 400)
    data = bytearray(path.read_bytes())
    middle = len(data) // 4096 // 2 * 4096
    data[middle : middle + 4096] = os.urandom(4096)
    path.write_bytes(data)
    left = read_what_is_left(path)
    assert 200 < len(left) < 400
    good = {row.hash for row in rows}
    salvage = gather(path)
    assert set(salvage.rows) <= set(rows)
    assert sum(row.hash in good for row in left) > 200


def test_broken_pages_and_a_copy_that_is_behind_make_the_whole_night(path: Path, copies: Path) -> None:
    path.parent.mkdir()
    rows = make_night(path, 400)
    data = bytearray(path.read_bytes())
    data[4096 * 4 : 4096 * 5] = b"\0" * 4096
    path.write_bytes(data)
    write_log(copies, rows[:396])
    recover(path, [copies])
    assert rows_of(path)[:396] == rows[:396]


def test_nothing_left_is_said_and_nothing_changed(path: Path, copies: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"garbage")
    with pytest.raises(NightDamaged, match="Nothing of night 2026-11-28-1"):
        recover(path, [copies])
    assert list(path.parent.iterdir()) == [path]


def test_other_night_of_the_same_name_in_the_copies_is_never_mixed_in(
    path: Path, rows: list[Row], copies: Path, tmp_path: Path
) -> None:
    """Two houses share a stick; theirs is longer."""
    stranger = tmp_path / "stranger.night"
    with create_night(stranger) as night:
        for number in range(1, 30):
            night.append(replace(entry(number), operator="somebody else"))
        theirs = night.rows()
    write_log(copies, theirs)
    write_log(copies, rows, "2026-11-28-1_2")
    edit(path, *DOUBLED)
    salvage = gather(path, [copies])
    assert salvage.rows == tuple(rows)
    assert salvage.others == 0


def test_copy_that_tells_it_another_way_is_counted_and_not_mixed_in(
    path: Path, rows: list[Row], copies: Path
) -> None:
    changed = rows[6]._replace(body='{"amount":900,"line":"buy Anna 900"}')
    changed = changed._replace(hash=changed.seal())
    write_log(copies, [*rows[:6], changed])
    salvage = gather(path, [copies])
    assert salvage.rows == tuple(rows)
    assert salvage.others == 1


def test_open_night_is_not_recovered_under_its_window(path: Path, rows: list[Row]) -> None:
    assert rows
    with open_night(path), pytest.raises(NightInUse):
        recover(path)


def test_night_that_another_program_has_open_is_not_recovered(path: Path, rows: list[Row]) -> None:
    assert rows
    program = [sys.executable, "-c", OPEN_AND_WAIT, str(path)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(NightInUse) as refused:
            recover(path)
        assert refused.value.pid == other.pid
        other.kill()
    assert recover(path).entries == 8


def test_second_recovery_keeps_the_first_damaged_file(path: Path, rows: list[Row], copies: Path) -> None:
    write_log(copies, rows)
    for _time in range(2):
        edit(path, *DOUBLED)
        recover(path, [copies])
    names = sorted(file.name for file in path.parent.iterdir())
    assert names == [path.name, f"{path.name}.damaged-1", f"{path.name}.damaged-2"]


def test_what_is_left_can_be_looked_at_and_not_added_to(path: Path, rows: list[Row], copies: Path) -> None:
    edit(path, *DOUBLED)
    with open_night(path, read_only=True) as night:
        found = night.verify()
    left = SalvagedNight(path.stem, gather(path, [copies]), found)
    assert (found.first_bad, left.head[0]) == (3, 2)
    assert [kept.seq for kept in left.entries()] == [1, 2]
    assert left.verify() == found
    with pytest.raises(NotWritable, match="damaged and open for reading only"):
        left.append(entry(9))
    assert rows_of(path)[0] == rows[0]
