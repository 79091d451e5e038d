"""The night's file: who may open it, what is left alone, what a full disk does."""

import errno
import hashlib
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.ledger.accounts import chips
from assistant.store import folders
from assistant.store.base import (
    DiskFull,
    FileGone,
    ForeignFile,
    NewEntry,
    NightDamaged,
    NightInUse,
    NightTooNew,
    NoSuchNight,
    NotANight,
    NotSaved,
    NotWritable,
    StoreError,
)
from assistant.store.memory import MemoryNight
from assistant.store.night_file import make_file
from assistant.store.sqlite import SqliteNight, create_night, open_night

AT = datetime(2026, 11, 28, 17, 31, tzinfo=UTC)
OPEN_AND_WAIT = """
import sys
from pathlib import Path
from assistant.store.sqlite import open_night
night = open_night(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.read()
"""


def entry(key: str, amount: int = 5, note: str = "") -> NewEntry:
    postings = (chips("rack", -amount), chips("stack:p1", amount))
    return NewEntry(key, AT, "host", None, (), "buy", {"amount": amount, "note": note}, postings)


def fingerprint(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def pragma(night: SqliteNight, name: str) -> object:
    night._connection.set_authorizer(None)
    return night._connection.execute(f"PRAGMA {name}").fetchone()[0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("journal_mode", "wal"),
        ("synchronous", 2),
        ("locking_mode", "exclusive"),
        ("foreign_keys", 1),
        ("recursive_triggers", 1),
        ("application_id", 0x52444C47),
        ("user_version", 1),
    ],
)
def test_night_is_opened_with_the_settings_that_survived_power_cuts(
    night: SqliteNight, name: str, value: object
) -> None:
    assert pragma(night, name) == value


def test_reopened_night_is_where_it_was(path: Path) -> None:
    with create_night(path) as night:
        head = (night.append(entry("k1")).seq, night.append(entry("k2")).hash)
    with open_night(path) as again:
        assert again.head == (2, head[1])
        assert [kept.key for kept in again.entries()] == ["k1", "k2"]
        assert again.append(entry("k1")).seq == 1
        assert again.append(entry("k3")).seq == 3


def test_open_night_leaves_no_shared_memory_file(night: SqliteNight, path: Path) -> None:
    night.append(entry("k1"))
    night.append(entry("k2"))
    assert sorted(file.name for file in path.parent.iterdir()) == [
        path.name,
        path.name + "-entries",
        path.name + "-wal",
        path.name + ".lock",
    ]


def test_closed_night_is_one_file(path: Path) -> None:
    with create_night(path) as night:
        night.append(entry("k1"))
    assert list(path.parent.iterdir()) == [path]


def test_new_night_never_overwrites_a_file(path: Path) -> None:
    path.write_bytes(b"precious")
    with pytest.raises(FileExistsError):
        create_night(path)
    assert path.read_bytes() == b"precious"
    assert list(path.parent.iterdir()) == [path]


def test_second_window_of_the_same_program_is_refused(night: SqliteNight, path: Path) -> None:
    night.append(entry("k1"))
    for _attempt in range(2):
        with pytest.raises(NightInUse) as refused:
            open_night(path)
        assert (refused.value.pid, refused.value.host) == (os.getpid(), socket.gethostname())
    assert night.append(entry("k2")).seq == 2


def test_looking_at_an_open_night_does_not_give_its_lock_away(night: SqliteNight, path: Path) -> None:
    """Closing any handle on a file drops the process's POSIX locks on it; so none is ever made."""
    with pytest.raises(NightInUse):
        open_night(path)
    with pytest.raises(NightInUse):
        open_night(path, read_only=True)
    with pytest.raises(StoreError):
        night.backup(path)
    program = [sys.executable, "-c", OPEN_AND_WAIT, str(path)]
    second = subprocess.run(program, capture_output=True, text=True, input="", check=False)
    assert "NightInUse" in second.stderr


def test_second_process_is_refused_by_name_and_the_first_goes_on(path: Path) -> None:
    make_file(path)
    program = [sys.executable, "-c", OPEN_AND_WAIT, str(path)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "open\n"
        with pytest.raises(NightInUse) as refused:
            open_night(path)
        assert refused.value.pid == first.pid
        assert f"process {first.pid} on {socket.gethostname()}" in refused.value.message
        assert "2026-11-28-1" in refused.value.message
        first.kill()
    with open_night(path) as night:
        assert night.append(entry("k1")).seq == 1


def test_closing_twice_does_not_touch_the_next_owner(path: Path) -> None:
    first = create_night(path)
    first.close()
    with open_night(path):
        first.close()
        assert path.with_name(path.name + ".lock").exists()
        with pytest.raises(NightInUse):
            open_night(path)


def test_stale_note_of_a_process_that_lives_keeps_nobody_out(path: Path) -> None:
    make_file(path)
    note = path.with_name(path.name + ".lock")
    note.write_text(json.dumps({"pid": os.getpid(), "host": socket.gethostname()}))
    with open_night(path) as night:
        assert night.append(entry("k1")).seq == 1
    assert not note.exists()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"pid": "1", "host": "x"}', '{"pid": 1, "host": "\\u001b[2J"}']
)
def test_unreadable_note_names_nobody(path: Path, text: str) -> None:
    make_file(path)
    program = [sys.executable, "-c", OPEN_AND_WAIT, str(path)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "open\n"
        path.with_name(path.name + ".lock").write_text(text)
        with pytest.raises(NightInUse) as refused:
            open_night(path)
        assert (refused.value.pid, refused.value.host) == (None, "")
        assert "another program" in refused.value.message
        assert refused.value.message.isprintable()
        first.kill()


def test_night_that_is_not_there_is_not_made(path: Path) -> None:
    with pytest.raises(NoSuchNight):
        open_night(path)
    assert not path.exists()


@pytest.mark.parametrize("content", [b"", b"x", b"SQLite format 3\0", b"not a database " * 100])
def test_empty_and_garbage_files_are_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(NotANight):
        open_night(path)
    assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


def test_folder_is_no_night(path: Path) -> None:
    path.mkdir()
    with pytest.raises(NotANight):
        open_night(path)


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_database_of_another_program_is_refused_and_left_alone(path: Path, journal: str) -> None:
    other = sqlite3.connect(path)
    other.execute(f"PRAGMA journal_mode = {journal}")
    other.execute("CREATE TABLE entry (seq, hash)")
    other.close()
    before = fingerprint(path)
    with pytest.raises(ForeignFile):
        open_night(path)
    assert fingerprint(path) == before
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(("name", "error"), [("zero.db", NotANight), ("other_program.db", ForeignFile)])
def test_database_states_of_the_cases(shared: Path, path: Path, name: str, error: type[StoreError]) -> None:
    """cases/db_states, B215."""
    shutil.copyfile(shared / "cases" / "db_states" / name, path)
    before = fingerprint(path)
    with pytest.raises(error):
        open_night(path)
    assert fingerprint(path) == before


def test_night_of_a_newer_program_is_refused_and_left_alone(path: Path) -> None:
    make_file(path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 2")
    connection.close()
    before = fingerprint(path)
    with pytest.raises(NightTooNew):
        open_night(path)
    assert fingerprint(path) == before


def test_broken_pages_are_found(path: Path) -> None:
    with create_night(path) as night:
        for number in range(200):
            night.append(entry(f"k{number}", note="x" * 100))
    content = bytearray(path.read_bytes())
    content[4096 * 3 : 4096 * 6] = os.urandom(4096 * 3)
    path.write_bytes(content)
    try:
        with open_night(path, read_only=True) as broken:
            assert broken.verify().ok is False
    except NightDamaged:
        pass  # found while opening already


def test_night_opened_for_reading_takes_no_entry(path: Path) -> None:
    with create_night(path) as night:
        night.append(entry("k1"))
    with open_night(path, read_only=True) as reading:
        assert [kept.key for kept in reading.entries()] == ["k1"]
        with pytest.raises(NotWritable):
            reading.append(entry("k2"))
        assert reading.head[0] == 1


def test_night_is_used_from_one_thread(night: SqliteNight) -> None:
    errors: list[BaseException] = []

    def try_to_append() -> None:
        try:
            night.append(entry("k1"))
        except sqlite3.ProgrammingError as error:
            errors.append(error)

    thread = threading.Thread(target=try_to_append)
    thread.start()
    thread.join()
    assert len(errors) == 1
    assert night.append(entry("k1")).seq == 1


def test_backup_does_not_replace_a_file_that_is_no_night(night: SqliteNight, path: Path) -> None:
    night.append(entry("k1"))
    precious = path.with_name("diary.txt")
    precious.write_text("precious")
    with pytest.raises(NotANight):
        night.backup(precious)
    assert precious.read_text() == "precious"


def test_backup_holds_what_is_only_in_the_write_ahead_log(night: SqliteNight, path: Path) -> None:
    """B225: a bare copy of the file lacks the last entries; a backup doesn't."""
    for number in range(3):
        night.append(entry(f"k{number}"))
    copy = path.with_name("copy.night")
    night.backup(copy)
    with open_night(copy) as opened:
        assert opened.head == night.head


@pytest.mark.parametrize("left", ["copy.night", ".copy.night.part"])
def test_log_that_a_killed_program_left_beside_a_copy_is_not_played_into_the_next(
    night: SqliteNight, path: Path, left: str
) -> None:
    """SQLite would take it for the new file's own."""
    other = path.with_name("other.night")
    with create_night(other) as killed:
        for number in range(5):
            killed.append(entry(f"other{number}", note="x" * 3000))
        log = other.with_name("other.night-wal").read_bytes()
    night.append(entry("k1"))
    copy = path.with_name("copy.night")
    night.backup(copy)
    path.with_name(f"{left}-wal").write_bytes(log)
    night.append(entry("k2"))
    night.backup(copy)
    with open_night(copy) as opened:
        assert (opened.head, opened.verify().ok) == (night.head, True)


def killed_log(path: Path) -> bytes:
    """The write-ahead log that another night left, with entries in it."""
    with create_night(path) as killed:
        for number in range(5):
            killed.append(entry(f"other{number}", note="x" * 3000))
        return path.with_name(f"{path.name}-wal").read_bytes()


def test_log_left_beside_a_half_made_copy_is_not_played_into_it(path: Path) -> None:
    log = killed_log(path.with_name("other.night"))
    memory = MemoryNight()
    memory.append(entry("k1"))
    path.with_name(f".{path.name}.part-wal").write_bytes(log)
    memory.backup(path)
    with open_night(path) as opened:
        assert (opened.head, opened.verify().ok) == (memory.head, True)
    assert sorted(file.name for file in path.parent.iterdir()) == [path.name, "other.night"]


def test_log_of_a_night_that_was_deleted_is_kept_and_not_played_into_the_next_of_its_name(path: Path) -> None:
    log = killed_log(path.with_name("other.night"))
    left = path.with_name(f"{path.name}-wal")
    left.write_bytes(log)
    with create_night(path) as night:
        assert (night.head[0], night.verify().ok) == (0, True)
        assert night.append(entry("k1")).seq == 1
    assert path.with_name(f"{path.name}-wal.left-1").read_bytes() == log


def test_backup_into_a_missing_folder_says_so(night: SqliteNight, tmp_path: Path) -> None:
    with pytest.raises(NotWritable):
        night.backup(tmp_path / "missing" / "copy.night")


def test_backup_onto_a_read_only_disk_says_so(
    night: SqliteNight, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There even removing what is not there is refused."""

    def refuse(path: Path, missing_ok: bool = False) -> None:
        raise OSError(errno.EROFS, "Read-only file system", str(path))

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(NotWritable, match="Read-only file system"):
        night.backup(tmp_path / "copy.night")


def test_path_with_blanks_and_cyrillic(tmp_path: Path) -> None:
    """B244."""
    folder = tmp_path / "Jane Doe" / "My games?#%41"
    folder.mkdir(parents=True)
    with create_night(folder / "ночь 1.night") as night:
        night.append(entry("k1"))
    with open_night(folder / "ночь 1.night", read_only=True) as again:
        assert again.head[0] == 1
    assert [file.name for file in folder.iterdir()] == ["ночь 1.night"]


# --- small and read-only disks ----------------------------------------------------------------------------


@pytest.fixture(params=["256k", "1m"])
def small_disk(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A file system of its own, without and with room for a journal; needs the right to mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={request.param}", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("a small file system can only be mounted by root on Linux")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def fill(place: Path) -> Path:
    filler = place / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 512)
        except OSError:
            return filler


def append_until_refused(night: SqliteNight) -> tuple[DiskFull, tuple[int, str]]:
    for number in range(300):
        head = night.head
        try:
            night.append(entry(f"full{number}", note="x" * 2000))
        except DiskFull as refusal:
            return refusal, head
    raise AssertionError("the disk never filled up")


def test_full_disk_refuses_the_entry_and_it_can_be_entered_again(small_disk: Path) -> None:
    """Scenario 25, B220."""
    with create_night(small_disk / "n.night") as night:
        night.append(entry("k1"))
        filler = fill(small_disk)
        refusal, head = append_until_refused(night)
        assert str(refusal) == "not saved - disk full. Free some space and enter it again."
        assert night.head == head
        assert [kept.seq for kept in night.entries()][-1] == head[0]
        with pytest.raises(DiskFull):
            night.append(entry("again", note="x" * 200_000))
        filler.unlink()
        assert night.append(entry("again")).seq == head[0] + 1
        assert night.append(entry("again")).seq == head[0] + 1
        assert night.verify().ok
    with open_night(small_disk / "n.night") as again:
        assert (again.head[0], again.verify().ok) == (head[0] + 1, True)


def test_no_night_is_half_made_on_a_full_disk(small_disk: Path) -> None:
    filler = fill(small_disk)
    with pytest.raises(NotSaved):
        create_night(small_disk / "n.night")
    assert list(small_disk.iterdir()) == [filler]


@pytest.mark.parametrize("was_killed", [False, True])
def test_night_in_a_read_only_folder_can_still_be_read(small_disk: Path, was_killed: bool) -> None:
    """B218: also one that wasn't closed, whose last entries are in the write-ahead log only."""
    path = small_disk / "n.night"
    with create_night(path) as night:
        night.append(entry("k1"))
        saved = {file: file.read_bytes() for file in small_disk.iterdir()}
    if was_killed:
        for file, content in saved.items():
            file.write_bytes(content)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(NotWritable):
        open_night(path)
    with open_night(path, read_only=True) as reading:
        assert [kept.key for kept in reading.entries()] == ["k1"]
        assert reading.verify().ok
        with pytest.raises(NotWritable):
            reading.append(entry("k2"))


LIMITED = """
import resource, signal, sys
from datetime import datetime, UTC
from pathlib import Path
from assistant.store.base import NewEntry, NotSaved
from assistant.store.sqlite import create_night, open_night
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
path = Path(sys.argv[1])
night = create_night(path)
def add(key, size):
    return night.append(NewEntry(key, datetime.now(UTC), "", None, (), "note", {"text": "x" * size}))
add("k1", 10)
unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, unlimited[1]))
try:
    add("k2", 100_000)
except NotSaved as error:
    print(error.message)
resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
assert add("k2", 100_000).seq == 2
assert night.verify().ok
night.close()
assert open_night(path).verify().entries == 2
"""


def test_disk_that_refuses_a_write_leaves_the_night_as_it_was(path: Path) -> None:
    pytest.importorskip("resource", reason="file size limits are a POSIX matter")
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path)], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("not saved - the disk reported an error\n", "")


# --- a file that is taken away while it is open -----------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody delete an open file")
@pytest.mark.parametrize("entries", [1, 3], ids=["at once", "in a folder known to be unchanged"])
@pytest.mark.parametrize("gone", ["deleted", "moved", "replaced", "log deleted"])
def test_entry_is_refused_when_nobody_would_find_it(
    path: Path, monkeypatch: pytest.MonkeyPatch, gone: str, entries: int
) -> None:
    """Writing to a deleted file succeeds; the entry would be gone with the program."""
    monkeypatch.setattr(folders, "SETTLED_NS", 20_000_000)
    with create_night(path) as night:
        for number in range(entries):
            night.append(entry(f"e{number}"))
            time.sleep(0.05)
        aside = path.with_name("aside")
        if gone == "deleted":
            path.unlink()
        elif gone == "log deleted":
            path.with_name(path.name + "-wal").unlink()
        else:
            path.rename(aside)
        if gone == "replaced":
            shutil.copyfile(aside, path)
        for _twice in range(2):
            with pytest.raises(FileGone, match="is gone from its folder"):
                night.append(entry("k2"))
            time.sleep(0.05)
        assert night.head[0] == entries
        if gone == "moved":
            aside.rename(path)
            assert night.append(entry("k2")).seq == entries + 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows lets nobody delete an open file")
def test_night_behind_a_link_is_looked_at_before_each_entry(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The link's folder doesn't change when the night does that it leads to."""
    monkeypatch.setattr(folders, "SETTLED_NS", 20_000_000)
    real = tmp_path / "stick" / path.name
    real.parent.mkdir()
    create_night(real).close()
    path.symlink_to(real)
    with open_night(path) as night:
        for number in range(3):
            night.append(entry(f"e{number}"))
            time.sleep(0.05)
        real.unlink()
        with pytest.raises(FileGone):
            night.append(entry("k"))
