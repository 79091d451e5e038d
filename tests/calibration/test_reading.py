"""Files are read into plain records, and what can't be read is said with what to do."""

from __future__ import annotations

import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from calibration.errors import PictureUnreadable
from calibration.pixels import cv2, load_picture, save_picture
from calibration.reading import ReadRecord, read_files

FRAMES = Path(__file__).parents[1] / "data" / "frames"


def labels() -> dict[str, list[str]]:
    with (FRAMES / "labels.csv").open(newline="", encoding="utf-8") as file:
        return {row["file"]: row["cards"].split() for row in csv.DictReader(file)}


def names(record: ReadRecord) -> list[str]:
    return sorted(card["card"] for card in record["cards"])


@pytest.mark.parametrize("file", [name for name in labels() if not name.startswith("unreadable")])
def test_sample_pictures_are_read_right(file: str) -> None:
    (record,) = read_files([FRAMES / file])
    assert names(record) == sorted(labels()[file])
    assert record["unsure"] == []
    assert all(card["confidence"] >= 0.9 for card in record["cards"])


def test_unreadable_card_is_asked_about_and_never_named() -> None:
    (record,) = read_files([FRAMES / "unreadable_1.jpg"])
    assert record["cards"] == []
    assert len(record["unsure"]) == 1
    assert record["unsure"][0]["reason"]


def test_outline_lies_on_the_card_clockwise() -> None:
    (record,) = read_files([FRAMES / "casino_1_first_post.jpg"])
    corners = np.array(record["cards"][0]["outline"])
    assert corners.mean(axis=0) == pytest.approx(np.array([420, 330]), abs=4)
    area = 0.5 * np.sum(
        corners[:, 0] * np.roll(corners[:, 1], -1) - np.roll(corners[:, 0], -1) * corners[:, 1]
    )
    assert area > 0


def test_records_are_plain_json() -> None:
    records = list(read_files([FRAMES / "unreadable_1.jpg", FRAMES / "pool_1_turned_card.jpg"]))
    assert json.loads(json.dumps(records))[1]["cards"][0]["card"] == "KC"


def test_folder_is_read_in_order_of_names() -> None:
    files = [Path(record["file"]).name for record in read_files([FRAMES])]
    assert files == sorted(labels())


def test_path_with_letters_of_another_alphabet_is_read(tmp_path: Path) -> None:
    picture = tmp_path / "карта ♥.jpg"
    shutil.copy(FRAMES / "pool_1_turned_card.jpg", picture)
    (record,) = read_files([picture])
    assert names(record) == ["KC"]


def test_half_turn_of_the_camera_changes_nothing(tmp_path: Path) -> None:
    picture = load_picture(FRAMES / "casino_3_third_card.jpg")
    save_picture(tmp_path / "turned.png", np.ascontiguousarray(picture[::-1, ::-1]))
    (record,) = read_files([tmp_path / "turned.png"])
    assert names(record) == ["5H", "7D", "9S"]


def test_video_names_each_card_once_in_order(tmp_path: Path) -> None:
    film = tmp_path / "round.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 30, (1280, 720))
    for name in ("casino_1_first_post.jpg", "casino_2_both_posts.jpg", "casino_3_third_card.jpg"):
        for _ in range(8):
            writer.write(load_picture(FRAMES / name))
    writer.release()
    records = list(read_files([film]))
    assert [name for record in records for name in names(record)] == ["5H", "9S", "7D"]
    assert [record["frame"] for record in records] == sorted(record["frame"] for record in records)


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(PictureUnreadable, match=r"nowhere\.jpg"):
        list(read_files([tmp_path / "nowhere.jpg"]))


@pytest.mark.parametrize("content", [b"", b"no picture", b"\xff\xd8\xff\xe0 cut off"])
def test_file_that_is_no_picture_is_named_with_a_hint(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "note.jpg"
    file.write_bytes(content)
    with pytest.raises(PictureUnreadable, match=r"note\.jpg") as refused:
        list(read_files([file]))
    assert refused.value.hint


def test_video_that_is_none_is_named(tmp_path: Path) -> None:
    file = tmp_path / "film.mp4"
    file.write_bytes(b"no film")
    with pytest.raises(PictureUnreadable, match=r"film\.mp4"):
        list(read_files([file]))


def test_folder_without_pictures_is_named(tmp_path: Path) -> None:
    with pytest.raises(PictureUnreadable, match="no picture"):
        list(read_files([tmp_path]))


def test_package_loads_without_opencv() -> None:
    code = "import sys, calibration, calibration.reading, calibration.errors; sys.exit('cv2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=FRAMES.parents[2], check=False).returncode == 0


def test_missing_camera_library_is_said_plainly() -> None:
    code = (
        "import sys; sys.modules['cv2'] = None\n"
        "from pathlib import Path; from calibration.errors import CameraLibraryMissing\n"
        "from calibration.reading import read_files\n"
        "try: list(read_files([Path('x.jpg')]))\n"
        "except CameraLibraryMissing as error: sys.exit(0 if 'libgl1' in error.hint else 2)\n"
        "sys.exit(3)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=FRAMES.parents[2], check=False).returncode == 0


def test_annotated_pictures_show_outlines_and_are_named_in_the_record(tmp_path: Path) -> None:
    files = [FRAMES / "casino_1_first_post.jpg", FRAMES / "casino_1_first_post.jpg"]
    records = list(read_files(files, tmp_path / "drawn"))
    paths = [Path(record["annotated"]) for record in records]
    assert [path.name for path in paths] == ["casino_1_first_post.png", "casino_1_first_post-2.png"]
    drawn, plain = load_picture(paths[0]), load_picture(FRAMES / "casino_1_first_post.jpg")
    assert drawn.shape == plain.shape
    x, y = (round(value) for value in records[0]["cards"][0]["outline"][0])
    assert drawn[y, x].tolist() != plain[y, x].tolist(), "the outline is drawn"
    assert (drawn[600:] == plain[600:]).all(), "and nothing else is touched"


def test_a_folder_for_annotated_pictures_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "drawn").write_bytes(b"a file")
    with pytest.raises(PictureUnreadable, match="drawn"):
        list(read_files([FRAMES / "pool_1_turned_card.jpg"], tmp_path / "drawn"))
