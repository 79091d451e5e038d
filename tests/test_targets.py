"""Nothing is written over a night, its copy, or what a house keeps, whoever writes and whatever its name."""

import ast
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.cli import main
from assistant.config import House
from assistant.targets import Kept, check_target

TALK = "seat Anna 100 cash\nseat Boris 100\nclose\n"


@pytest.fixture
def house(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> House:
    """A house with two closed nights, standings and a settings file."""
    talk = tmp_path / "talk"
    talk.write_text(TALK, encoding="utf-8")
    house = House(tmp_path / "house")
    for _night in range(2):
        assert main(["replay", str(talk), "--into", str(house.folder)]) == 0
    assert main(["--house", str(house.folder), "season"]) == 0
    (house.folder / "house.toml").write_text("strict = false\n", encoding="utf-8")
    capsys.readouterr()
    return house


@pytest.fixture
def nights(house: House) -> list[Path]:
    return sorted(house.nights.glob("*.night"))


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


WRITERS = (
    ("export", "NIGHT", "--output", "TARGET"),
    ("export", "NIGHT", "--format", "csv", "--output", "TARGET"),
    ("export", "NIGHT", "--format", "jsonl", "--output", "TARGET"),
    ("print", "NIGHT", "--printer", "file:TARGET"),
    ("season", "--out", "TARGET"),
    ("season", "--format", "pdf", "--out", "TARGET"),
    ("calibrate", "camera", "--sheet", "TARGET"),
)


@pytest.mark.parametrize("words", WRITERS, ids=" ".join)
def test_no_writer_takes_a_nights_file_or_one_of_the_house(
    house: House, nights: list[Path], words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    night = nights[0].stem
    before = contents(house.folder)
    for path in (
        nights[1],
        nights[0],
        house.nights / f"{night}.night-wal",
        house.nights / "new.night",
        house.people,
        house.folder / "house.toml",
    ):
        said = [word.replace("TARGET", str(path)).replace("NIGHT", night) for word in words]
        assert main(["--house", str(house.folder), *said]) == 2
        assert "nothing is written over it" in capsys.readouterr().err
        assert contents(house.folder) == before


def test_a_house_that_another_house_names_is_kept_too(
    house: House, nights: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    shutil.copytree(house.folder, other)
    command = ["--house", str(other), "export", nights[0].stem, "--output"]
    before = contents(house.folder)
    assert main([*command, str(house.people)]) == 2
    assert f"{house.people} is kept by the house in {house.folder}" in capsys.readouterr().err
    assert contents(house.folder) == before


def test_a_night_under_another_name_or_behind_a_link_is_kept(nights: list[Path], tmp_path: Path) -> None:
    """What a file holds counts, not what it is called."""
    renamed, link = tmp_path / "old night.bak", tmp_path / "slip.txt"
    shutil.copyfile(nights[0], renamed)
    link.symlink_to(nights[0])
    for path in (renamed, link):
        with pytest.raises(Kept, match="is a night's file"):
            check_target(path, b"SETTLEMENT")


def test_a_log_is_replaced_only_by_one_that_goes_on_from_it(
    house: House, nights: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The copy of a night on a stick is such a log; an export of the night as it is now may replace it."""
    log = tmp_path / f"{nights[0].stem}.jsonl"
    export = ["--house", str(house.folder), "export"]
    jsonl = ["--format", "jsonl", "--output", str(log)]
    assert main([*export, nights[0].stem, *jsonl]) == 0
    whole = log.read_bytes()
    log.write_bytes(b"".join(whole.splitlines(keepends=True)[:2]))
    assert main([*export, nights[0].stem, *jsonl]) == 0
    assert log.read_bytes() == whole
    capsys.readouterr()
    for words in ([nights[1].stem, *jsonl], [nights[0].stem, "--output", str(log)]):
        assert main([*export, *words]) == 2
        assert f"{log} is the log of a night, a copy of it" in capsys.readouterr().err
        assert log.read_bytes() == whole


def test_a_folder_with_logs_is_no_house(
    house: House, nights: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second export into a folder called copies goes on from the first, and a slip may lie beside it."""
    stick = tmp_path / "stick"
    log, slip = stick / "copies" / "x.jsonl", stick / "nights" / "slip.txt"
    log.parent.mkdir(parents=True)
    slip.parent.mkdir()
    export = ["--house", str(house.folder), "export"]
    jsonl = ["--format", "jsonl", "--output", str(log)]
    for _time in range(2):
        assert main([*export, nights[0].stem, *jsonl]) == 0
    assert main([*export, nights[0].stem, "--output", str(slip)]) == 0
    assert main([*export, nights[1].stem, *jsonl]) == 2
    assert f"{log} is the log of a night, a copy of it" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name",
    [
        "copies/2026-11-28-1.jsonl",
        "copies/2026-11-28-1.night",
        "decks/red/tags.csv",
        "decks/red/looks/QH-1.jpg",
        "cameras/table.toml",
        "shoes.json",
        "questions.json",
        "tags.json",
        "results.json",
        "slips/prints.jsonl",
        "People.JSON",
    ],
)
def test_what_a_house_keeps(house: House, name: str) -> None:
    with pytest.raises(Kept):
        check_target(house.folder / name, b"x")


@pytest.mark.parametrize(
    "name", ["slips/2026-11-28-1-settlement.txt", "standings.pdf", "cameras/sheet-a4.pdf"]
)
def test_what_may_be_written_in_a_house(house: House, name: str) -> None:
    check_target(house.folder / name, b"x")


@pytest.mark.parametrize("name", ["nights/slip.pdf", "copies/slip.txt", "people.json", "decks/cards.txt"])
def test_a_folder_is_no_house_for_one_name_in_it(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"mine")
    check_target(path, b"x")


def test_pictures_are_not_drawn_over_a_shown_deck(house: House) -> None:
    """Only the drawer is asked: reading a picture takes the camera's library."""
    pytest.importorskip("cv2")
    from calibration.pixels import load_picture, save_picture
    from calibration.reading import read_files

    looks = house.decks / "red" / "looks"
    looks.mkdir(parents=True)
    picture = house.folder / "QH-1.png"
    sample = Path(__file__).parent / "data" / "frames"
    save_picture(picture, load_picture(next(iter(sorted(sample.rglob("*.jpg"))))))
    (looks / "QH-1.png").write_bytes(b"looks")
    with pytest.raises(Kept):
        list(read_files([picture], looks))
    assert (looks / "QH-1.png").read_bytes() == b"looks"


def test_pictures_are_not_drawn_over_those_that_are_read(tmp_path: Path) -> None:
    pytest.importorskip("cv2")
    from calibration.pixels import load_picture, save_picture
    from calibration.reading import read_files

    sample = Path(__file__).parent / "data" / "frames"
    image = load_picture(next(iter(sorted(sample.rglob("*.jpg")))))
    for name in ("a.jpg", "a.png"):
        save_picture(tmp_path / name, image)
    before = contents(tmp_path)
    drawn = [record["annotated"] for record in read_files([tmp_path / "a.jpg", tmp_path / "a.png"], tmp_path)]
    assert drawn == [str(tmp_path / "a-2.png"), str(tmp_path / "a-3.png")]
    assert {path: data for path, data in contents(tmp_path).items() if path in before} == before


def test_a_backup_among_the_nights_would_count_as_another_night(
    house: House, nights: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(house.folder, tmp_path / "other")
    for folder in (house.nights, tmp_path / "other" / "nights"):
        for target in (folder, folder / "2026-11-30-9.night", folder / nights[1].name):
            before = contents(tmp_path)
            assert main(["--house", str(house.folder), "backup", nights[0].stem, str(target)]) == 2
            assert f"{folder} is where a house keeps its own" in capsys.readouterr().err
            assert contents(tmp_path) == before


def test_a_folder_of_backups_takes_them_every_week(house: House, nights: list[Path], tmp_path: Path) -> None:
    """It has nights in it as a house has; nothing else makes it one."""
    stick = tmp_path / "stick" / "nights"
    (tmp_path / "stick" / "copies").mkdir(parents=True)
    (tmp_path / "stick" / "copies" / f"{nights[0].stem}.jsonl").write_bytes(b"{}\n")
    stick.mkdir()
    for night in (*nights, nights[0]):
        assert main(["--house", str(house.folder), "backup", night.stem, str(stick)]) == 0
    assert [path.name for path in sorted(stick.glob("*.night"))] == [night.name for night in nights]


@pytest.mark.parametrize("name", ["friday.night.pdf", "Poker.Night-2026.txt", "red.night.csv"])
def test_a_slip_may_be_called_after_the_night_it_is_of(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"last week")
    check_target(tmp_path / name, b"SETTLEMENT")


@pytest.mark.parametrize(
    "beside",
    [
        "",
        "-wal",
        "-shm",
        "-entries",
        ".lock",
        ".part",
        ".damaged-1",
        ".damaged-1-wal",
        ".kept-2",
        "-wal.left-1",
    ],
)
def test_what_lies_beside_a_night_is_kept_wherever_it_is(tmp_path: Path, beside: str) -> None:
    with pytest.raises(Kept, match="is a night's file, or belongs to one"):
        check_target(tmp_path / f"2026-11-28-1.night{beside}", b"SETTLEMENT")


OWN_WRITERS = {
    "assistant/store": "the nights themselves, and their copies",
    "assistant/table/printing.py": "the note of what was printed",
    "assistant/tonight_files.py": "questions and named tags",
    "assistant/table/importing.py": "takes back a night it has just made",
    "calibration/deck_files.py": "the pictures of a deck",
    "calibration/profile.py": "a camera's calibration",
    "calibration/syncing.py": "makes what was written last",
    "calibration/pixels.py": "pictures of decks and cameras; who draws for a person asks",
    "drivers/cursors.py": "how far shoes were read",
    "drivers/decks.py": "the tags of a deck",
    "drivers/printer.py": "asks; and queues of printers",
    "drivers/emulated_port.py": "a port that it made",
    "drivers/camera_list.py": "opens a camera to see who has it",
    "drivers/receipt_printer.py": "devices; it refuses files",
    "assistant/cli.py": "a pipe that nobody reads",
}
"""Who writes files of the program's own; a file that a person names goes through `write_slip`, or asks."""
_WRITES = {"write_text", "write_bytes", "tofile", "replace", "rename", "unlink", "imwrite", "copyfile"}
_MODULES = {"os", "shutil", "cv2"}


def writes_in(path: Path) -> Iterator[str]:
    """The calls of a module that write files."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        owner = getattr(getattr(node.func, "value", None), "id", "")
        words = [one.value for one in node.args[:2] if isinstance(one, ast.Constant)]
        is_os = owner in _MODULES and name in {*_WRITES, "open", "link"}
        is_mode = name == "open" and any(
            isinstance(word, str) and set(word) <= set("rwaxb+t") and set(word) & set("wax+")
            for word in words
        )
        if name in {"write_text", "write_bytes", "tofile"} or is_os or is_mode:
            yield name


def test_only_these_modules_write_files(repository: Path) -> None:
    found = {
        path.relative_to(repository).as_posix()
        for package in ("assistant", "drivers", "calibration")
        for path in (repository / package).rglob("*.py")
        if any(writes_in(path))
    }
    unknown = {path for path in found if not any(path.startswith(one) for one in OWN_WRITERS)}
    assert unknown == set()
