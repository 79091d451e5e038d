"""Small files of one night: where shoes were read up to, which tags were named. One form for all of them."""

import json
from pathlib import Path

import pytest

from assistant.table.taught import Taught, TaughtFile
from assistant.tonight_files import read_rows, write_rows
from drivers.base import EventKind, SourceEvent
from drivers.cursors import CursorFile
from drivers.link import Cursor, SavedCursor


def test_rows_hold_for_their_night_and_form_alone(tmp_path: Path) -> None:
    path = tmp_path / "house" / "tags.json"
    write_rows(path, "2026-11-28-1", "tags", ["Ж"])
    assert read_rows(path, "2026-11-28-1", "tags") == ["Ж"]
    assert read_rows(path, "2026-11-28-2", "tags") == []
    path.write_text(path.read_text("utf-8").replace('"format": 1', '"format": 2'), "utf-8")
    assert read_rows(path, "2026-11-28-1", "tags") == []
    assert [one.name for one in path.parent.iterdir()] == ["tags.json"]  # nothing half written is left


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": 1, "night": "n", "cursors": [{}]}', "\xff"])
def test_a_file_that_is_none_is_as_if_there_were_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_bytes(text.encode("latin-1"))
    cursors, taught = CursorFile(tmp_path / "x.json"), TaughtFile(tmp_path / "x.json")
    cursors.begin("n")
    taught.begin("n")
    assert (cursors.saved(), taught.of_night()) == ((), ())


def test_a_shoe_s_place_is_there_at_the_next_start_of_the_same_night(tmp_path: Path) -> None:
    path = tmp_path / "cursors.json"
    cursors = CursorFile(path)
    cursors.begin("2026-11-28-1")
    cursors.handled([SourceEvent(EventKind.CARD, "serial:x", 0.0, report="oslp-7/ab12/0f")])
    saved = (SavedCursor("serial:x", "oslp-7", Cursor("ab12", 0x10)),)
    assert cursors.saved() == saved
    row = {"source": "serial:x", "device": "oslp-7", "boot": "ab12", "next": 16}
    assert json.loads(path.read_text("utf-8")) == {"format": 1, "night": "2026-11-28-1", "cursors": [row]}
    again = CursorFile(path)
    again.begin("2026-11-28-1")
    assert again.saved() == saved
    again.begin("2026-11-29-1")
    assert again.saved() == ()


def test_a_named_tag_is_there_at_the_next_start_of_the_same_night(tmp_path: Path) -> None:
    taught = TaughtFile(tmp_path / "taught.json")
    taught.begin("n")
    taught.keep([Taught("reader", "04A1", "QH", "")])
    again = TaughtFile(tmp_path / "taught.json")
    again.begin("n")
    assert again.of_night() == (Taught("reader", "04A1", "QH", ""),)
