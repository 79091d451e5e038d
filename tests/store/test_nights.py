"""Names of nights, the house folder, and folders to warn of."""

from datetime import UTC, date, datetime
from pathlib import Path

import platformdirs
import pytest

from assistant.config import House, house_folder
from assistant.store.base import FolderWarning, NewEntry, NoSuchNight, NotWritable
from assistant.store.folders import folder_warnings, network_type, synced_by
from assistant.store.nights import (
    list_nights,
    next_name,
    night_path,
    parse_name,
    prepare,
    start_night,
)
from assistant.store.sqlite import open_night

DAY = date(2026, 11, 28)
MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
//nas/card\\040games /mnt/card\\040games cifs rw 0 0
tmpfs /home/anna/fast tmpfs rw 0 0
me@host: /home/anna/ssh fuse.sshfs rw 0 0
"""


@pytest.fixture
def house(tmp_path: Path) -> House:
    return prepare(House(tmp_path / "house"))


def test_nights_of_a_day_are_numbered(house: House) -> None:
    for expected in ("2026-11-28-1", "2026-11-28-2"):
        with start_night(house, DAY) as night:
            assert night.path == house.nights / f"{expected}.night"
    with start_night(house, date(2026, 11, 29)) as night:
        assert night.path.stem == "2026-11-29-1"


def test_number_after_ten_is_eleven(house: House) -> None:
    for number in (9, 10):
        (house.nights / f"2026-11-28-{number}.night").touch()
    assert next_name(house, DAY) == "2026-11-28-11"
    assert [night.number for night in list_nights(house)] == [9, 10]


@pytest.mark.parametrize(
    "name", ["2026-11-28-3.jsonl", "2026-11-28-3_2.jsonl", "2026-11-28-3.night", "2026-11-28-3.night.kept-1"]
)
def test_name_of_a_night_that_has_only_copies_left_is_not_used_again(house: House, name: str) -> None:
    house.copies.mkdir()
    (house.copies / name).touch()
    (house.copies / "2026-11-27-9.jsonl").touch()
    (house.copies / "holiday.jsonl").touch()
    assert next_name(house, DAY) == "2026-11-28-4"


def test_list_shows_what_the_names_say_and_what_the_reader_knows(house: House) -> None:
    with start_night(house, DAY) as night:
        night.append(NewEntry("k", datetime.now(UTC), "", None, (), "note", {}))
        listed = list_nights(house)
    (house.nights / "holiday.night").touch()
    (house.nights / "2026-11-28-1.night-copy").touch()
    assert [(found.name, found.day, found.number, found.is_closed) for found in listed] == [
        ("2026-11-28-1", DAY, 1, None)
    ]
    assert listed[0].size_bytes > 4096
    assert [found.is_closed for found in list_nights(house, lambda path: path.exists())] == [True]


@pytest.mark.parametrize("text", ["2026-11-28-1", " 2026-11-28-1.night "])
def test_night_is_found_by_its_name(house: House, text: str) -> None:
    start_night(house, DAY).close()
    with open_night(night_path(house, text)) as night:
        assert night.head[0] == 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "..",
        "../../etc/passwd",
        "/etc/passwd",
        "2026-11-28-2",
        "2026-13-01-1",
        "CON",
        "2026-11-28-1/../x",
        "２026-11-28-1",
    ],
)
def test_text_of_a_person_never_becomes_a_path(house: House, text: str) -> None:
    start_night(house, DAY).close()
    with pytest.raises(NoSuchNight):
        night_path(house, text)


def test_names_of_nights() -> None:
    assert parse_name("2026-11-28-12") == (DAY, 12)
    assert [
        parse_name(text) for text in ("2026-11-28", "2026-11-28-0", "2026-11-28-01", "x2026-11-28-1")
    ] == [None] * 4


def test_house_lies_in_the_data_folder_unless_told_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert house_folder(None).folder == Path(platformdirs.user_data_dir("tableside", appauthor=False))
    assert house_folder(tmp_path / "Jane Doe" / "ночи").folder == tmp_path / "Jane Doe" / "ночи"
    monkeypatch.chdir(tmp_path)
    assert house_folder("my house").folder == tmp_path / "my house"


def test_house_is_made_where_it_is_missing(tmp_path: Path) -> None:
    house = prepare(House(tmp_path / "Jane Doe" / "ночи"))
    assert (house.nights.is_dir(), house.slips.is_dir()) == (True, True)
    with start_night(house, DAY) as night:
        assert night.verify().ok


def test_house_that_cannot_be_written_to_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotWritable) as refused:
        prepare(House(tmp_path / "file" / "house"))
    assert "--house" in refused.value.hint


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("/home/anna/nights", "nfs4"),
        ("/home/anna/fast/x", ""),
        ("/home/anna/ssh/x", "fuse.sshfs"),
        ("/home/anna/ssh2", "nfs4"),
        ("/mnt/card games/x", "cifs"),
        ("/mnt/card", ""),
        ("/srv", ""),
    ],
)
def test_network_disks_are_known_by_the_deepest_mount(folder: str, expected: str) -> None:
    """B216."""
    assert network_type(Path(folder), MOUNTS) == expected


@pytest.mark.parametrize(
    ("folder", "expected"),
    [
        ("/home/a/Dropbox/cards", "Dropbox"),
        ("/home/a/OneDrive - Office/cards", "OneDrive"),
        ("/Users/a/Library/Mobile Documents/com~apple~CloudDocs", "iCloud"),
        ("/home/a/dropbox-free", "Dropbox"),
        ("/home/a/raindropbox", ""),
        ("/home/a/cards", ""),
    ],
)
def test_synced_folders_are_known_by_their_names(folder: str, expected: str) -> None:
    assert synced_by(Path(folder)) == expected


def test_warnings_are_data() -> None:
    folder = Path("/home/anna/Dropbox")
    assert folder_warnings(folder, MOUNTS) == (
        FolderWarning("network", folder, "nfs4"),
        FolderWarning("synced", folder, "Dropbox"),
    )
    assert folder_warnings(Path("/srv"), MOUNTS) == ()


def test_night_on_a_network_disk_uses_no_write_ahead_log(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B216: a faked mount table; the same night is opened there and back on a local disk."""
    start_night(house, DAY).close()
    path = night_path(house, "2026-11-28-1")
    with monkeypatch.context() as patched:
        patched.setattr(
            "assistant.store.folders._read_mounts", lambda: f"nas:/x {house.folder.resolve()} nfs4 rw 0 0"
        )
        with open_night(path) as night:
            night.append(NewEntry("k1", datetime.now(UTC), "", None, (), "note", {}))
            assert [warning.code for warning in night.warnings] == ["network"]
            assert not path.with_name(path.name + "-wal").exists()
            night._connection.set_authorizer(None)
            assert night._connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
            assert night._connection.execute("PRAGMA synchronous").fetchone() == (3,)
    with open_night(path) as night:
        night.append(NewEntry("k2", datetime.now(UTC), "", None, (), "note", {}))
        assert path.with_name(path.name + "-wal").exists()
        assert (night.head[0], night.warnings, night.verify().ok) == (2, (), True)
