"""`calibrate camera`, `calibrate deck` and `read --annotate` from the command line, on drawn pictures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("cv2", exc_type=ImportError, reason="OpenCV can't be loaded here")

from assistant.cli import main
from calibration.deck_files import load_deck_looks
from calibration.pixels import save_picture
from calibration.profile import load_profile
from table_pictures import FACES, Lying, posts_and_third, table_picture

FRAMES = Path(__file__).parent / "data" / "frames"


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


def test_a_camera_is_calibrated_from_a_picture_of_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_picture(tmp_path / "table.png", table_picture(posts_and_third("5H")))
    corners = "0.1,0.1 0.9,0.1 0.95,0.9 0.05,0.9"
    source = f"camera:{tmp_path / 'table.png'}"
    house = ("--house", tmp_path / "house")
    assert run("calibrate", "camera", source, "--corners", corners, "--name", "kitchen", *house) == 0
    said = capsys.readouterr().out
    assert "picture 1280x720, smallest card 20" in said, "drawn 200 px tall"
    assert "verdict: GOOD" in said
    profile = load_profile(tmp_path / "house" / "cameras" / "kitchen.toml")
    assert profile.source == source
    assert profile.area.corners[2] == (0.95, 0.9)
    assert [zone.name for zone in profile.zones] == ["posts", "third", "posts", "hand"]


def test_a_check_saves_nothing_and_json_is_one_object(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_picture(tmp_path / "dark.png", table_picture() // 4)
    source = f"camera:{tmp_path / 'dark.png'}"
    assert run("calibrate", "camera", source, "--check", "--json", "--house", tmp_path) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["findings"][0] == {"code": "too_dark", "severity": "useless"}
    assert (record["surface"], record["saved"]) == ("picture", None)
    assert not (tmp_path / "cameras").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["camera"], "Which camera"),
        (["camera", "serial:/dev/null"], "is no camera"),
        (["camera", "camera:/nowhere.png"], "nowhere"),
        (["camera", f"camera:{FRAMES}", "--corners", "a,b"], "are no corners"),
        (
            ["camera", f"camera:{FRAMES / 'pool_1_turned_card.jpg'}", "--corners", "0,0 1,1 1,0 0,1"],
            "enclose no",
        ),
    ],
)
def test_what_cannot_be_calibrated_is_said_in_one_line(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("calibrate", *arguments, "--house", tmp_path) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_the_sheet_is_written_as_a_pdf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("calibrate", "camera", "--sheet", tmp_path / "sheet.pdf", "--paper", "letter") == 0
    assert (tmp_path / "sheet.pdf").read_bytes().startswith(b"%PDF")
    assert "100 %" in capsys.readouterr().out


def test_a_sheet_that_cannot_be_written_leaves_the_one_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "sheet.pdf").write_bytes(b"before")
    monkeypatch.setattr("drivers.printer.os.fsync", full)
    assert run("calibrate", "camera", "--sheet", tmp_path / "sheet.pdf") == 2
    assert f"{tmp_path / 'sheet.pdf'} can't be written: No space left on device." in capsys.readouterr().err
    assert (tmp_path / "sheet.pdf").read_bytes() == b"before"


def test_a_deck_is_shown_as_a_folder_of_pictures_and_what_is_missing_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.commands.cameras._Typed.start", lambda self: None)
    faces = [path.stem for path in FACES.glob("*.jpg")]
    names = sorted(name for name in faces if name[0] in "9TJQKA" and name != "9C")
    folder = tmp_path / "pictures"
    folder.mkdir()
    for look, turn in enumerate((0.03, 3.17)):
        for at in range(0, len(names), 6):
            spots = [(260 + 380 * (n % 3), 190 + 340 * (n // 3)) for n in range(6)]
            lying = [Lying(name, *spot, turn) for name, spot in zip(names[at : at + 6], spots, strict=False)]
            save_picture(folder / f"{look}-{at:02}.png", table_picture(lying))
    house = ("--house", tmp_path / "house")
    assert run("calibrate", "deck", f"camera:{folder}", "--deck", "blue", "--short", "32", *house) == 2
    said = capsys.readouterr().out
    deck = load_deck_looks(tmp_path / "house" / "decks" / "blue")
    seen = {str(card) for card in deck.counts()}
    assert len(deck.cards) == 32
    assert seen <= set(names)
    assert len(seen) >= len(names) - 3
    assert "9C" in said.partition("Missing: ")[2]
    assert "9♣ was not shown: it will be asked about" in said
    assert run("calibrate", "deck", f"camera:{folder}", "--deck", "blue", *house) == 2
    assert "shown already" in capsys.readouterr().err


def test_reading_says_where_the_annotated_picture_lies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = tmp_path / "drawn"
    assert run("read", FRAMES / "unreadable_1.jpg", "--annotate", drawn) == 0
    said = capsys.readouterr().out
    assert "(unsure: " in said
    assert f"-> {drawn / 'unreadable_1.png'}" in said
    assert (drawn / "unreadable_1.png").exists()


def test_pictures_are_read_with_a_deck_that_was_shown_and_an_unknown_one_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = FRAMES / "pool_1_turned_card.jpg"
    assert run("read", picture, "--deck", "blue", "--house", tmp_path) == 2
    assert "Deck blue was not shown" in capsys.readouterr().err
