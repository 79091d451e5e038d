"""The log as text: nothing is lost in it, a torn line counts for nothing, and it knows its night."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from assistant.ledger.accounts import chips
from assistant.store.base import NewEntry
from assistant.store.log_file import (
    NotALine,
    Standing,
    compare,
    line_of,
    read_line,
    read_log,
    row_of,
    sound_rows,
)
from assistant.store.memory import MemoryNight

from .nights_for_tests import entry, make_night


def write(path: Path, lines: list[str], torn: str = "") -> Path:
    path.write_text("".join(f"{line}\n" for line in lines) + torn, encoding="utf-8")
    return path


def test_every_field_survives_the_line() -> None:
    at = datetime(2026, 11, 28, 20, 31, 5, 123456, tzinfo=timezone(timedelta(hours=3)))
    body = {"line": 'note "Ёлка"\u2028\n', "confidence": 0.998, "n": [1, None, True], "big": 2**60}
    night = MemoryNight()
    night.append(entry(1))
    kept = night.append(
        NewEntry(
            "k2", at, "Анна", at - timedelta(minutes=5), (1,), "note", body, (chips("a", -5), chips("b", 5))
        )
    )
    row = night._rows[1]
    assert row_of(kept) == row
    assert read_line(line_of(row)) == row
    assert "\n" not in line_of(row)


def test_log_of_a_night_is_its_night(tmp_path: Path) -> None:
    rows = make_night(tmp_path / "n.night", 5)
    log = write(tmp_path / "n.jsonl", [line_of(row) for row in rows])
    assert read_log(log) == rows
    assert sound_rows(read_log(log)) == rows
    assert compare(log, rows).entries == 5


@pytest.mark.parametrize("lost", range(1, 40))
def test_torn_last_line_counts_for_nothing_and_the_rest_is_whole(tmp_path: Path, lost: int) -> None:
    rows = make_night(tmp_path / "n.night", 3)
    lines = [line_of(row) for row in rows]
    log = write(tmp_path / "n.jsonl", lines[:2], lines[2][:-lost])
    assert read_log(log) == rows[:2]
    compared = compare(log, rows)
    assert (compared.standing, compared.entries) == (Standing.BEHIND, 2)
    assert compared.size_bytes == sum(len(line.encode()) + 1 for line in lines[:2])


def test_how_a_log_stands_to_its_night(tmp_path: Path) -> None:
    rows = make_night(tmp_path / "n.night", 5)
    lines = [line_of(row) for row in rows]
    rewritten = rows[3]._replace(body='{"amount":900}')
    rewritten = rewritten._replace(hash=rewritten.seal())
    path = tmp_path / "x.jsonl"
    assert compare(path, rows).standing is Standing.MISSING
    cases = [
        ([], rows, Standing.BEHIND, 0),
        (lines[:3], rows, Standing.BEHIND, 3),
        (lines, rows, Standing.BEHIND, 5),
        (lines, rows[:3], Standing.AHEAD, 5),
        ([*lines[:3], line_of(rewritten)], rows, Standing.DIFFERS, 3),
        ([*lines[:3], "{}"], rows, Standing.SPOILT, 3),
        (["hello"], rows, Standing.FOREIGN, 0),
    ]
    for text, against, standing, entries in cases:
        compared = compare(write(path, text), against)
        assert (compared.standing, compared.entries) == (standing, entries), text


def test_log_of_another_night_is_foreign(tmp_path: Path) -> None:
    rows = make_night(tmp_path / "n.night", 2)
    stranger = MemoryNight()
    stranger.append(replace(entry(1), at=datetime(2025, 1, 1, tzinfo=UTC)))
    log = write(tmp_path / "n.jsonl", [line_of(stranger._rows[0])])
    assert compare(log, rows).standing is Standing.FOREIGN


@pytest.mark.parametrize(
    "line",
    ["", "[]", "{}", "null", "5", '{"seq": 1}', "\x00", "[" * 100_000, '{"seq": "1", "key": 2}'],
)
def test_what_is_no_line_is_said_to_be_none(line: str) -> None:
    with pytest.raises(NotALine):
        read_line(line)
