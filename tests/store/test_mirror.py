"""The second copy: it follows, it says how far behind it is, and it never touches what is not its own."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assistant.store import mirror as mirror_module
from assistant.store.base import NightInUse
from assistant.store.chain import Row
from assistant.store.log_file import line_of, read_log
from assistant.store.mirror import Mirror, MirroredNight, back_up
from assistant.store.sqlite import create_night, open_night

from .nights_for_tests import entry, make_night, rows_of


def until(holds: Callable[[], bool], seconds: float = 10) -> None:
    """Wait until something holds; the limit only ends a test that would fail."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mirror_module, "PAUSE_S", 0.01)


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    return tmp_path / "stick" / "copies"


@pytest.fixture
def night(tmp_path: Path, copies: Path) -> Iterator[MirroredNight]:
    with opened(tmp_path / "n.night", copies) as night:
        yield night


def opened(path: Path, copies: Path) -> MirroredNight:
    store = open_night(path) if path.exists() else create_night(path)
    mirrored = MirroredNight(store, Mirror(copies, "n", store.rows(), retry_s=0.02, backup_every=5))
    mirrored.mirror.start()
    return mirrored


def looked_for(mirror: Mirror, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows each time the mirror tries to write from now on."""
    looks: list[int] = []
    write = mirror._write

    def looking() -> None:
        looks.append(len(looks))
        write()

    monkeypatch.setattr(mirror, "_write", looking)
    return looks


def test_copy_follows_and_then_nothing_is_behind(night: MirroredNight, copies: Path) -> None:
    for number in (1, 2, 3):
        night.append(entry(number))
    until(lambda: night.copy.behind == 0)
    assert [row.hash for row in read_log(copies / "n.jsonl")][-1] == night.head[1]
    assert night.copy.trouble == ""


def test_entry_sent_twice_is_copied_once(night: MirroredNight, copies: Path) -> None:
    night.append(entry(1))
    night.append(entry(1))
    until(lambda: night.copy.behind == 0)
    assert len(read_log(copies / "n.jsonl")) == 1


def test_missing_disk_is_said_and_caught_up_with_when_it_comes(
    tmp_path: Path, copies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies.parent.write_text("a file where the folder should be")
    with opened(tmp_path / "n.night", copies) as night:
        for number in (1, 2, 3):
            night.append(entry(number))
        until(lambda: bool(night.copy.trouble))
        assert night.copy.behind == 3
        assert night.verify().ok
        looks = looked_for(night.mirror, monkeypatch)
        until(lambda: len(looks) >= 3)  # the disk is looked for again and again, without any news
        copies.parent.unlink()
        until(lambda: night.copy.behind == 0)
        assert night.copy.trouble == ""
    assert len(read_log(copies / "n.jsonl")) == 3


def test_folder_of_a_stick_that_is_out_is_not_made_on_the_disk_beneath(tmp_path: Path, copies: Path) -> None:
    store = create_night(tmp_path / "n.night")
    with MirroredNight(store, Mirror(copies, "n", retry_s=0.02, is_made=False)) as night:
        night.mirror.start()
        night.append(entry(1))
        until(lambda: "put the disk in" in night.copy.trouble)
        assert not copies.exists()
        copies.mkdir(parents=True)
        until(lambda: night.copy.behind == 0)


def test_copy_that_vanishes_is_written_again_from_the_first_entry(night: MirroredNight, copies: Path) -> None:
    night.append(entry(1))
    until(lambda: night.copy.behind == 0)
    shutil.rmtree(copies)
    night.append(entry(2))
    until(lambda: (copies / "n.jsonl").exists() and len(read_log(copies / "n.jsonl")) == 2)


def test_reopened_night_goes_on_with_its_copy_and_mends_a_torn_line(tmp_path: Path, copies: Path) -> None:
    with opened(tmp_path / "n.night", copies) as night:
        for number in (1, 2):
            night.append(entry(number))
    log = copies / "n.jsonl"
    log.write_bytes(log.read_bytes()[:-7])
    with opened(tmp_path / "n.night", copies) as night:
        night.append(entry(3))
    assert [row.hash for row in read_log(log)] == [row.hash for row in rows_of(tmp_path / "n.night")]


def test_long_torn_line_leaves_nothing_behind_the_next_entry(tmp_path: Path, copies: Path) -> None:
    with opened(tmp_path / "n.night", copies) as night:
        night.append(entry(1))
    log = copies / "n.jsonl"
    log.write_bytes(log.read_bytes() + b'{"seq":2,"body":"' + b"x" * 5000)
    with opened(tmp_path / "n.night", copies) as night:
        night.append(entry(2))
    assert [row.seq for row in read_log(log)] == [1, 2]
    assert log.read_bytes().endswith(b"}\n")


@pytest.mark.parametrize("content", ["other night", "not a log\n", '{"seq":1}\n'])
def test_another_file_of_the_same_name_is_left_alone(tmp_path: Path, copies: Path, content: str) -> None:
    """Two houses that share a stick, or a night that was deleted and begun anew."""
    copies.mkdir(parents=True)
    if content == "other night":
        content = line_of(make_night(tmp_path / "m.night", 1)[0]).replace("Anna", "Vera") + "\n"
    (copies / "n.jsonl").write_text(content)
    with opened(tmp_path / "n.night", copies) as night:
        night.append(entry(1))
    assert (copies / "n.jsonl").read_text() == content
    assert [row.seq for row in read_log(copies / "n_2.jsonl")] == [1]


def test_copy_of_the_file_is_made_every_so_often_and_at_the_end(tmp_path: Path, copies: Path) -> None:
    with opened(tmp_path / "n.night", copies) as night:
        for number in range(1, 6):
            night.append(entry(number))
        until(lambda: night.copy.backed_up == 5)
        night.append(entry(6))
    with open_night(copies / "n.night", read_only=True) as copy:
        assert (copy.head, copy.verify().ok) == (rows_head(tmp_path / "n.night"), True)


def test_a_count_or_the_close_has_all_copied_and_checked(night: MirroredNight) -> None:
    night.append(entry(1))
    night.checkpoint()
    until(lambda: night.copy.backed_up == 1)


class RowsThatAsk(list[Row]):
    """A night's entries; at the moment in which they are counted the table asks for a backup."""

    def __init__(self, rows: list[Row], ask: Callable[[], None]) -> None:
        super().__init__(rows)
        self.ask = ask

    def __len__(self) -> int:
        self.ask()
        return super().__len__()


@pytest.mark.parametrize("was_asked", [False, True])
def test_backup_asked_for_while_another_is_made_is_not_lost(tmp_path: Path, was_asked: bool) -> None:
    copies = tmp_path / "copies"
    copies.mkdir()
    mirror = Mirror(copies, "n", backup_every=1)
    mirror._rows = RowsThatAsk(make_night(tmp_path / "n.night", 2), mirror.ask_backup)
    mirror._wants_backup = was_asked
    mirror._back_up()
    assert rows_of(copies / "n.night") == mirror._rows
    assert mirror._wants_backup


def test_backup_has_what_was_added_before_it_was_asked_for(tmp_path: Path) -> None:
    """A thread that is writing meanwhile hasn't taken it in yet."""
    copies = tmp_path / "copies"
    copies.mkdir()
    with create_night(tmp_path / "n.night") as night:
        mirror = Mirror(copies, "n", backup_every=1000)
        mirror.add(night.append(entry(1)))
        mirror.ask_backup()
        mirror._back_up()
        assert [row.seq for row in rows_of(copies / "n.night")] == [1]
        assert mirror.state.backed_up == 1


def test_backup_asked_for_while_one_fails_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirror = Mirror(tmp_path, "n", make_night(tmp_path / "n.night", 2), backup_every=1)

    def full(*_args: object, **_options: object) -> None:
        mirror.ask_backup()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(mirror_module, "back_up", full)
    with pytest.raises(OSError, match="No space"):
        mirror._back_up()
    assert mirror._wants_backup


def test_backup_that_was_altered_is_kept_and_a_good_one_made(tmp_path: Path) -> None:
    rows = make_night(tmp_path / "n.night", 4)
    copy = tmp_path / "copy.night"
    back_up(copy, rows[:2])
    data = copy.read_bytes()
    copy.write_bytes(data.replace(b"buy Anna 1", b"buy Anna 9"))
    back_up(copy, rows)
    assert rows_of(copy) == rows
    assert b"buy Anna 9" in (tmp_path / "copy.night.kept-1").read_bytes()


def test_file_of_another_program_where_the_backup_should_be_is_kept(tmp_path: Path) -> None:
    rows = make_night(tmp_path / "n.night", 2)
    copy = tmp_path / "copy.night"
    copy.write_bytes(b"holiday pictures")
    back_up(copy, rows)
    assert rows_of(copy) == rows
    assert (tmp_path / "copy.night.kept-1").read_bytes() == b"holiday pictures"


def test_copy_that_somebody_looks_at_is_left_in_its_place(tmp_path: Path) -> None:
    rows = make_night(tmp_path / "n.night", 3)
    copy = tmp_path / "copy.night"
    back_up(copy, rows[:2])
    with open_night(copy, read_only=True), pytest.raises(NightInUse):
        back_up(copy, rows)
    assert not (tmp_path / "copy.night.kept-1").exists()
    back_up(copy, rows)
    assert rows_of(copy) == rows


def test_log_of_sqlite_goes_with_a_backup_that_is_set_aside(tmp_path: Path) -> None:
    rows = make_night(tmp_path / "n.night", 2)
    copy, log = tmp_path / "copy.night", tmp_path / "copy.night-wal"
    with create_night(tmp_path / "other.night") as other:
        for number in range(1, 9):
            other.append(entry(number))
        saved = (tmp_path / "other.night-wal").read_bytes()
    copy.write_bytes(b"garbage")
    log.write_bytes(saved)
    back_up(copy, rows)
    assert rows_of(copy) == rows
    assert (tmp_path / "copy.night.kept-1-wal").read_bytes() == saved


def test_unwritable_backup_does_not_stop_the_night(night: MirroredNight, copies: Path) -> None:
    night.append(entry(1))
    until(lambda: night.copy.behind == 0)
    (copies / "n.night").mkdir()
    (copies / "n.night.kept-1").mkdir()
    os.chmod(copies, 0o500)
    night.checkpoint()
    try:
        night.append(entry(2))
        assert night.verify().entries == 2
    finally:
        os.chmod(copies, 0o700)


def rows_head(path: Path) -> tuple[int, str]:
    last = rows_of(path)[-1]
    return last.seq, last.hash
