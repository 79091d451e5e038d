"""A closed night that has lost its end: the file proves itself, only its copy knows better; all are told."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from assistant.cli import main
from assistant.commands.output import NOT_VERIFIED
from assistant.config import House
from assistant.store.sqlite import open_night
from assistant.table.opening import open_tonight

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "house")


@pytest.fixture
def night(house: House) -> Path:
    """Anna won 50 of Boris; his two payments are cut off."""
    session = open_tonight(house)
    game = ("game casino-red-dog", "seat Anna 100", "seat Boris 100", "seat Vera 50", "house Boris")
    for line in (*game, "bet Anna 50", "card 2H KS", "call Anna", "card 7D", "close", "pay 1 20", "pay 1 30"):
        outcome = session.submit(line)
        assert outcome.accepted, f"{line}: {outcome.message}"
    session.close()
    path = house.nights / f"{session.name}.night"
    with closing(sqlite3.connect(path)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _sql in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DELETE FROM posting WHERE seq > 10")
        connection.execute("DELETE FROM entry WHERE seq > 10")
        for _name, sql in triggers:
            connection.execute(sql)
        connection.commit()
    return path


@pytest.fixture
def run(house: House, night: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def called(*words: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["--house", str(house.folder), *words])
        return (code, *capsys.readouterr())

    return called


def lost(night: Path) -> str:
    return f"Night {night.stem} has lost its end: entry 11 and what follows stand only in the copy."


def test_verify_says_where_it_ends(run: Run, night: Path) -> None:
    code, out, err = run("verify", night.stem)
    assert (code, '"entries": 10' in out, '"first_bad": 11' in out, lost(night) in err) == (
        4,
        True,
        True,
        True,
    )


@pytest.mark.parametrize("form", ["text", "csv", "jsonl", "hledger"])
def test_export_says_so(run: Run, night: Path, form: str) -> None:
    code, out, err = run("export", night.stem, "--format", form)
    assert (code, lost(night) in err) == (4, True)
    if form == "text":
        assert "NOT VERIFIED" in out
        assert ": verified" not in out


def test_print_marks_the_slip(run: Run, house: House, night: Path, tmp_path: Path) -> None:
    paper = tmp_path / "paper.txt"
    code, _out, err = run("print", night.stem, "--printer", f"file:{paper}")
    assert (code, lost(night) in err) == (4, True)
    for file in (paper, house.slips / f"{night.stem}-settlement.txt"):
        assert "NOT VERIFIED" in file.read_text(encoding="utf-8")


def test_backup_makes_no_copy_that_it_would_call_checked(run: Run, night: Path, tmp_path: Path) -> None:
    code, out, err = run("backup", night.stem, str(tmp_path))
    assert (code, out, lost(night) in err) == (4, "", True)
    assert not (tmp_path / night.name).exists()


def test_season_leaves_it_out_also_where_it_was_counted_before_the_copy_was_there(
    run: Run, house: House, night: Path
) -> None:
    """What was kept of a night holds as long as its file and its copies are as they were then."""
    away = house.folder / "away"
    house.copies.rename(away)
    code, out, _err = run("season")
    assert (code, "Anna" in out) == (0, True)
    away.rename(house.copies)
    code, out, err = run("season")
    assert (code, out) == (2, "")
    assert f"No night counts: {night.stem} is not as it was written (tableside " in err


def test_season_names_a_night_that_another_window_has(run: Run, house: House, night: Path) -> None:
    with open_night(night):
        code, _out, err = run("season")
    assert (code, f"No night counts: {night.stem} is open in another window." in err) == (2, True)


def test_nights_list_it_as_damaged(run: Run, night: Path) -> None:
    assert run("nights")[1].split()[:2] == [night.stem, "damaged"]


def test_copies_that_were_named_for_the_night_are_named_for_what_is_printed_too(
    run: Run, house: House, night: Path, tmp_path: Path
) -> None:
    """A night that was mirrored to a stick is compared with the stick, not called verified without it."""
    stick = tmp_path / "stick"
    house.copies.rename(stick)
    for words in (
        ("--copies", str(stick), "export", night.stem),
        ("export", night.stem, "--copies", str(stick)),
        ("print", night.stem, "--printer", f"file:{tmp_path / 'slip.txt'}", "--copies", str(stick)),
    ):
        code, _out, err = run(*words)
        assert code == NOT_VERIFIED
        assert lost(night) in err
    code, _out, err = run("--copies", str(stick), "season")
    assert code == 2
    assert f"{night.stem} is not as it was written" in err
