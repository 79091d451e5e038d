"""The command line: what it prints, its exit codes, its one line on stderr (TABLE_TALK.md, "Commands")."""

import io
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from assistant.cli import main
from assistant.store.sqlite import create_night, open_night

NIGHT = """\
# two casino rounds
game casino-red-dog decks=1
seat Anna 100
seat Борис 50

bet Anna 10
card 2H 4S
bet Борис 5    # refused
call Anna
card 3D
"""


class Result:
    """What a run of the command line printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def json(self) -> Any:
        return json.loads(self.out.splitlines()[-1])


class Runner:
    """Runs the command line in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str | Path) -> Result:
        self._capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = self._capsys.readouterr()
        return Result(code, out, err)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Runner:
    return Runner(capsys)


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    path = tmp_path / "night.talk"
    path.write_text(NIGHT, encoding="utf-8")
    return path


def failed(result: Result, code: int, *words: str) -> None:
    """An error is one line on stderr and nothing on stdout."""
    assert (result.code, result.out) == (code, ""), result.err
    assert len(result.err.splitlines()) == 1
    assert result.err.startswith("tableside: ")
    assert all(word in result.err for word in words), result.err


# --- replay -------------------------------------------------------------------------------------------------


def test_replay_json_prints_one_object(run: Runner, talk: Path) -> None:
    """TABLE_TALK.md, "Replaying a file": refused lines are listed and the rest goes on."""
    result = run("replay", talk, "--json")
    assert (result.code, result.err, len(result.out.splitlines())) == (0, "", 1)
    found = result.json()
    assert list(found) == [
        "game",
        "phase",
        "dealer",
        "turn",
        "stacks",
        "bets",
        "pool",
        "bank",
        "house",
        "pots",
        "bought_in",
        "cashed_out",
        "carried_in",
        "nets",
        "seen",
        "cards_left",
        "marker",
        "refused",
    ]
    assert found["stacks"] == {"Anna": 150, "Борис": 50}
    assert found["refused"] == [
        {"line": 8, "code": "E_PHASE", "message": "Bets are closed until this round is settled."}
    ]


def test_replay_trace_prints_every_line_that_is_not_empty_and_the_final_object(
    run: Runner, talk: Path
) -> None:
    objects = [json.loads(line) for line in run("replay", talk, "--trace").out.splitlines()]
    assert [one.get("line") for one in objects] == [2, 3, 4, 6, 7, 8, 9, 10, None]
    assert [len(one["refused"]) for one in objects] == [0, 0, 0, 0, 0, 1, 1, 1, 1]
    assert objects[4]["text"].startswith("MARKER on 1")
    assert "PAY Anna 50" in objects[7]["text"]
    final = dict(objects[-1])
    last = {key: value for key, value in objects[-2].items() if key not in ("line", "text")}
    assert final == last


def test_replay_strict_stops_at_the_first_refused_line(run: Runner, talk: Path) -> None:
    """Exit code 2; the rest of the file is not played."""
    result = run("replay", talk, "--strict", "--json")
    assert result.code == 2
    assert result.json()["phase"] == "DECISION"
    talk.write_text(NIGHT.replace("bet Борис 5", "note Борис"), encoding="utf-8")
    assert run("replay", talk, "--strict").code == 0


def test_replay_for_people_names_refusals_and_results(run: Runner, talk: Path) -> None:
    assert run("replay", talk).out.splitlines() == [
        "line 8: E_PHASE  Bets are closed until this round is settled.",
        "phase BETTING  pool 0  house -50",
        "Anna: stack 150, net +50",
        "Борис: stack 50, net 0",
    ]


def test_replay_for_people_writes_money_as_money(run: Runner, talk: Path) -> None:
    talk.write_text(
        "night N currency=EUR\ngame red-dog-pool\nseat A 12.50\ncarry 5\nclose\n", encoding="utf-8"
    )
    assert run("replay", talk).out.splitlines() == [
        "phase CLOSED  pool 0.00  house 0.00",
        "A: stack 0.00, net +5.00",
        "carried -> A: 5.00",
    ]


def test_replay_of_a_game_without_a_house_names_none(run: Runner, talk: Path) -> None:
    """Ann's 20 chips were not found; their money stays in the box."""
    lines = "seat Ann 100 cash\nseat Bo 100 cash\ncount Ann 80\naccept Ann lost\nclose\n"
    talk.write_text(lines, encoding="utf-8")
    assert run("replay", talk).out.splitlines() == [
        "phase CLOSED  pool 0  missing chips 20",
        "Ann: stack 0, net -20",
        "Bo: stack 0, net 0",
        "box -> Ann: 80",
        "box -> Bo: 100",
    ]


def test_replay_of_standard_input(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("\ufeffseat Ёлка 5\r\n".encode())))
    assert run("replay", "-", "--json").json()["stacks"] == {"Ёлка": 5}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_where_an_editor_ends_them(run: Runner, talk: Path, end: str) -> None:
    """A form feed or a line separator in a note ends no line."""
    talk.write_bytes(end.join(["note a\x0cb\u2028c\x85d", "snap", ""]).encode())
    result = run("replay", talk, "--json").json()
    assert [one["line"] for one in result["refused"]] == [2]


def test_file_that_is_missing_a_folder_or_no_text(run: Runner, tmp_path: Path) -> None:
    """Exit code 2 and one line."""
    failed(run("replay", tmp_path / "none.talk"), 2, "none.talk", "No such file")
    failed(run("replay", tmp_path), 2, "directory")
    bad = tmp_path / "bad.talk"
    bad.write_bytes(b"seat A 5\nseat \xff 5\n")
    failed(run("replay", bad, "--json"), 2, "bad byte in line 2", "UTF-8")


@pytest.mark.parametrize(
    "arguments",
    [["replay"], ["snap"], ["replay", "x", "--snap"], ["export", "x", "--format", "snap"], ["--house"]],
)
def test_wrong_use_is_one_line(run: Runner, arguments: list[str]) -> None:
    failed(run(*arguments), 2)


def test_refused_text_is_no_escape_sequence(run: Runner, talk: Path) -> None:
    talk.write_text("\x1b[31mred\nseat \x1b[2J 5\nfold \x1b]0;x\x07\n", encoding="utf-8")
    assert "\x1b" not in run("replay", talk).out
    assert "\x07" not in run("replay", talk).out


def test_messages_in_json_are_english_whatever_the_language(run: Runner, talk: Path) -> None:
    talk.write_text("night N language=ru\nround\n", encoding="utf-8")
    message = run("replay", talk, "--json").json()["refused"][0]["message"]
    assert message.startswith("No game has been chosen.")


def test_json_loses_no_letter_where_the_output_has_few(run: Runner, talk: Path, repository: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONPATH": str(repository)}
    out = subprocess.run(
        [sys.executable, "-m", "assistant", "replay", str(talk), "--json"],
        env=environment,
        check=True,
        capture_output=True,
    ).stdout
    assert json.loads(out)["stacks"] == {"Anna": 150, "Борис": 50}


# --- stored nights ------------------------------------------------------------------------------------------


@pytest.fixture
def stored(run: Runner, talk: Path, tmp_path: Path) -> Path:
    """A house with one stored night; the night's file."""
    assert run("replay", talk, "--into", tmp_path / "house").code == 0
    (night,) = (tmp_path / "house" / "nights").glob("*.night")
    return night


def test_replay_into_a_house_stores_the_night(run: Runner, stored: Path, tmp_path: Path) -> None:
    listed = run("nights", "--house", tmp_path / "house")
    assert listed.out.startswith(stored.stem)
    before = run("--house", tmp_path / "house", "nights")
    assert before.out == listed.out
    assert run("nights", "--house", tmp_path / "other").out.startswith("No nights in ")


def test_export_of_the_talk_is_the_accepted_lines(run: Runner, stored: Path, tmp_path: Path) -> None:
    lines = run("export", stored.stem, "--format", "talk", "--house", tmp_path / "house").out.splitlines()
    assert lines == [
        "game casino-red-dog decks=1",
        "seat Anna 100",
        "seat Борис 50",
        "bet Anna 10",
        "card 2H 4S",
        "call Anna",
        "card 3D",
    ]
    again = tmp_path / "again.talk"
    again.write_text("\n".join(lines), encoding="utf-8")
    assert run("replay", again, "--strict", "--json").json()["nets"] == {"Anna": 50, "Борис": 0}


def test_export_of_entries_is_one_object_a_line(run: Runner, stored: Path, tmp_path: Path) -> None:
    out = run("export", stored.stem, "--format", "jsonl", "--house", tmp_path / "house").out
    entries = [json.loads(line) for line in out.splitlines()]
    assert [entry["seq"] for entry in entries] == [1, 2, 3, 4, 5, 6, 7]
    assert all(entry["prev"] == before["hash"] for before, entry in pairwise(entries))


@pytest.mark.parametrize("width", ["32", "42", "48", "80"])
def test_export_as_text_is_a_slip_of_the_width(run: Runner, stored: Path, tmp_path: Path, width: str) -> None:
    result = run("export", stored.stem, "--width", width, "--house", tmp_path / "house")
    assert result.code == 0
    assert "Anna" in result.out
    assert max(map(len, result.out.splitlines())) <= int(width)


def test_verify_of_a_sound_night(run: Runner, stored: Path, tmp_path: Path) -> None:
    result = run("verify", stored.stem, "--house", tmp_path / "house")
    found = result.json()
    assert (result.code, list(found)) == (0, ["night", "entries", "head", "ok", "first_bad"])
    assert (found["night"], found["entries"], found["ok"], found["first_bad"]) == (stored.stem, 7, True, None)
    head = found["head"]
    verify = ("verify", stored.stem, "--house", tmp_path / "house", "--slip")
    assert run(*verify, "7", head[:12]).code == 0
    assert run(*verify, "7", f"{head[:4]} {head[4:8].upper()} {head[8:12]}").code == 0
    for seq, digits in (
        ("6", head[:12]),
        ("8", head[:12]),
        ("7", "0" * 12),
    ):
        assert run(*verify, seq, digits).code == 4
    for seq, digits in (("7", head[:4]), ("x", head), ("²", head)):  # no slip says such: wrong use
        assert run(*verify, seq, digits).code == 2


def test_verify_of_an_altered_night_fails(run: Runner, stored: Path, tmp_path: Path) -> None:
    """Exit code 4; the first bad entry is named."""
    data = stored.read_bytes()
    assert data.count(b"seat Anna 100") == 1
    stored.write_bytes(data.replace(b"seat Anna 100", b"seat Anna 900"))
    result = run("verify", stored.stem, "--house", tmp_path / "house")
    assert result.code == 4
    assert (result.json()["ok"], result.json()["first_bad"]) == (False, 2)


def test_night_that_is_open_in_another_window_is_refused_by_name(
    run: Runner, stored: Path, tmp_path: Path
) -> None:
    """Exit code 3, with the process that has it, and what can be done there and here."""
    house = tmp_path / "house"
    with open_night(stored):
        for command in (["verify"], ["export"]):
            result = run(*command, stored.stem, "--house", tmp_path / "house")
            failed(result, 3, stored.stem, str(os.getpid()))
            assert result.err.rstrip().endswith(
                "Here: quit there first (Ctrl+Q, everything is saved), then enter this again."
            )
        assert "There Ctrl+R says its number and head." in run("verify", stored.stem, "--house", house).err
        assert "There F6, then P prints the slip" in run("print", stored.stem, "--house", house).err
        assert (
            "сначала выйдите там"
            in run("backup", stored.stem, tmp_path, "--house", house, "--language", "ru").err
        )
        assert run("nights", "--house", tmp_path / "house").code == 0


def test_night_without_entries_is_sound_and_said_to_be_empty(run: Runner, tmp_path: Path) -> None:
    """A file that was copied without the -entries file beside it looks just like that."""
    (tmp_path / "nights").mkdir()
    create_night(tmp_path / "nights" / "2026-11-28-1.night").close()
    result = run("verify", "2026-11-28-1", "--house", tmp_path)
    assert (result.code, result.json()["ok"], result.json()["entries"]) == (0, True, 0)
    assert result.err == (
        "tableside: Night 2026-11-28-1 has no entries. "
        "Was the file copied without the -entries file beside it?\n"
    )


@pytest.mark.parametrize("form", ["text", "talk", "jsonl"])
def test_export_of_an_altered_night_is_printed_and_fails(
    run: Runner, stored: Path, tmp_path: Path, form: str
) -> None:
    """Exit code 4: what is printed may not be what was written."""
    stored.write_bytes(stored.read_bytes().replace(b"seat Anna 100", b"seat Anna 900"))
    result = run("export", stored.stem, "--format", form, "--house", tmp_path / "house")
    assert result.code == 4
    assert "Anna" in result.out
    assert result.err.splitlines() == [
        f"tableside: Night {stored.stem} is not as it was written: entry 2 was changed. "
        "What is printed may be wrong. "
        f"What is left of it: tableside --house {stored.parent.parent} recover {stored.stem}"
    ]


def test_night_that_is_not_there(run: Runner, tmp_path: Path) -> None:
    failed(run("verify", "2020-01-01-1", "--house", tmp_path), 2, "2020-01-01-1")
    failed(run("export", "../../etc/passwd", "--house", tmp_path), 2)


@pytest.mark.parametrize(
    "arguments", [["replay", "-", "--into", ""], ["--house", ""], ["nights", "--house", " "]]
)
def test_folder_without_a_name_is_refused(run: Runner, arguments: list[str]) -> None:
    """It would be the current folder, which nobody meant."""
    failed(run(*arguments), 2, "the name of the folder is empty")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("camra:0", "no kind of source called 'camra'"),
        ("", "is not a source"),
        ("serial:x,a=1,a=2", "twice"),
        ("camera:0,fsp=3", "A camera source has no option fsp. Known options: "),
        ("serial:/dev/x,format=olsp", "is not one of plain, oslp"),
        ("serial:/dev/x,format=uidline,deck=Bleu", "There is no deck 'Bleu'"),
    ],
)
def test_mistyped_source_is_refused_before_the_console_opens(
    run: Runner, tmp_path: Path, source: str, words: str
) -> None:
    failed(run("--house", tmp_path, "--source", "manual:", "--source", source), 2, words)


# --- the program --------------------------------------------------------------------------------------------


def program(repository: Path, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "assistant", *arguments],
        cwd=repository,
        input=text,
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )


def test_version_is_one_line(repository: Path) -> None:
    result = program(repository, "--version")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("tableside ")
    assert len(result.stdout.splitlines()) == 1


def test_program_replays_from_a_pipe(repository: Path) -> None:
    result = program(repository, "replay", "-", "--json", "--strict", text="seat Ёлка 5\nsnap\nseat B\n")
    assert (result.returncode, result.stderr) == (2, "")
    assert json.loads(result.stdout)["stacks"] == {"Ёлка": 5}
    missing = program(repository, "replay", "no such file")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert len(missing.stderr.splitlines()) == 1


def test_house_below_a_folder_that_is_gone_is_one_line(repository: Path, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    code = (
        "import os, sys; os.rmdir(os.getcwd()); from assistant.cli import main; "
        "sys.exit(main(['--house', 'mine', 'nights']))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=gone,
        env={**os.environ, "PYTHONPATH": str(repository)},
        check=False,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.splitlines() == [
        "tableside: House folder mine can't be found: the current folder is gone. Write its whole path."
    ]


def test_suits_are_letters_where_the_output_has_no_signs_for_them(repository: Path) -> None:
    """A card must be told from another on every terminal; other signs become question marks."""
    text = "game casino-red-dog decks=1\nseat Ж 50\nbet Ж 5\ncard 8H 8H\n"
    result = subprocess.run(
        [sys.executable, "-m", "assistant", "replay", "-"],
        cwd=repository,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        input=text.encode(),
        check=False,
        capture_output=True,
        timeout=60,
    )
    assert (result.returncode, result.stderr) == (0, b"")
    shown = result.stdout.decode("ascii").splitlines()
    assert shown[0].startswith("line 4: E_DUPLICATE_CARD  8h has been seen already.")
    assert shown[-1] == "?: stack 45, net 0"


def test_reader_of_a_pipe_may_leave_early(repository: Path, talk: Path) -> None:
    """No traceback when the output goes to `head`."""
    talk.write_text("note x\n" * 2000, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, "-m", "assistant", "replay", str(talk), "--trace"],
        cwd=repository,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0


# --- safety and season --------------------------------------------------------------------------------------


def test_nights_say_how_they_stand(run: Runner, stored: Path, tmp_path: Path) -> None:
    def listed() -> str:
        return run("nights", "--house", tmp_path / "house").out.split()[1]

    assert listed() == "open"
    with open_night(stored):
        assert run("nights", "--house", tmp_path / "house").out.split()[1:3] == ["in", "use"]
    stored.write_bytes(b"garbage")
    assert listed() == "damaged"


def test_nights_say_of_each_file_that_is_no_night_what_it_is(
    run: Runner, stored: Path, tmp_path: Path
) -> None:
    """Each has a word and a sentence of its own; the night that is altered is no sound one here."""
    folder = stored.parent
    stored.write_bytes(stored.read_bytes().replace(b"seat Anna 100", b"seat Anna 900"))
    with closing(sqlite3.connect(folder / "2020-01-01-2.night")) as other:
        other.execute("CREATE TABLE notes (text)")
    (folder / "2020-01-01-3.night").touch()
    (folder / "2020-01-01-4.night").mkdir()
    (folder / "2020-01-01-5.night").symlink_to(folder / "nowhere")
    (folder / "2020-01-01-6.night").write_bytes(b"garbage")
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    listed = run("nights", "--house", tmp_path / "house")
    assert listed.code == 0
    assert [line.split()[:2] for line in sorted(listed.out.splitlines())] == [
        ["2020-01-01-2", "foreign"],
        ["2020-01-01-3", "empty"],
        ["2020-01-01-4", "folder"],
        ["2020-01-01-5", "gone"],
        ["2020-01-01-6", "damaged"],
        [stored.stem, "damaged"],
    ]
    for sentence in (
        f"Night {stored.stem} is not as it was written: entry 2 was changed. See: tableside --house",
        "2020-01-01-2.night is a database of another program.",
        "2020-01-01-3.night is empty; it is no night.",
        "2020-01-01-4.night is a folder, not a night.",
        "2020-01-01-5.night is a link to a file that is not there.",
        "2020-01-01-6.night is not a night's file.",
    ):
        assert sentence in listed.err
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_verify_says_in_words_what_is_wrong_and_what_to_do(run: Runner, stored: Path, tmp_path: Path) -> None:
    verify = ("verify", stored.stem, "--house", tmp_path / "house")
    head = run(*verify).json()["head"]
    cut = run(*verify, "--slip", "9", head)
    assert (cut.code, cut.json()["first_bad"]) == (4, 8)
    assert "The slip names entry 9; the night has 7: its end was cut off." in cut.err
    other = run(*verify, "--slip", "7", "f" * 12)
    assert f"Entry 7 has the head {head[:12]}, not the slip's" in other.err
    printed = " ".join(head[place : place + 4] for place in (0, 4, 8)).split()
    assert run(*verify, "--slip", "7", *printed).code == 0  # in groups, as it stands on paper
    assert run("verify", "--house", tmp_path / "house", "--slip", "7", *printed, stored.stem).code == 0
    failed(run(*verify, "--slip", "7", "l0l0l0l0"), 2, "is no head")
    failed(run(*verify, "--slip", "abc", *printed), 2, "abc is no number of an entry")
    failed(run(*verify, "--slip", "0", *printed), 2, "0 is no number of an entry; the slip says one")
    failed(run(*verify, "--slip", "7"), 2, "Nothing is no head")
    failed(run("verify"), 2, "No night was named.")
    stored.write_bytes(stored.read_bytes().replace(b"seat Anna 100", b"seat Anna 900"))
    altered = run(*verify)
    here = f"tableside --house {tmp_path / 'house'} recover {stored.stem}"
    assert f"entry 2 was changed. See: {here}" in altered.err  # another house may have a night of that name


def test_verify_says_a_sentence_to_a_person_and_json_to_a_script(
    run: Runner, stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The object on standard output is table talk's; the sentence stands beside it, on standard error."""
    verify = ("verify", stored.stem, "--house", tmp_path / "house")
    assert run(*verify).err == ""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    told = run(*verify)
    assert told.err == f"Night {stored.stem} is as it was written: 7 entries, the chain is whole.\n"
    assert told.json()["ok"]
    assert run(*verify, "--json").err == ""


def test_export_of_a_night_that_cannot_be_read_says_how_to_see_what_is_left(
    run: Runner, stored: Path, tmp_path: Path
) -> None:
    data = stored.read_bytes()
    stored.write_bytes(data[:1000] + b"\xff" * (len(data) - 1000))
    result = run("export", stored.stem, "--house", tmp_path / "house")
    failed(result, 4, f"tableside --house {tmp_path / 'house'} recover {stored.stem}")


def test_backup_is_a_checked_copy_and_an_altered_night_has_none(
    run: Runner, stored: Path, tmp_path: Path
) -> None:
    house = ("--house", tmp_path / "house")
    stick = tmp_path / "stick"
    stick.mkdir()
    made = run("backup", stored.stem, stick, *house)
    assert (made.code, "7 entries, checked" in made.out) == (0, True)
    with open_night(stick / stored.name) as copy:
        assert copy.verify().entries == 7
    assert run("backup", stored.stem, tmp_path / "absent" / "x.night", *house).code == 5
    out = run("backup", stored.stem, tmp_path / "no-stick", *house)
    assert (out.code, "There is no folder" in out.err, (tmp_path / "no-stick").exists()) == (2, True, False)
    stored.write_bytes(stored.read_bytes().replace(b"seat Anna 100", b"seat Anna 900"))
    assert run("backup", stored.stem, stick / "second.night", *house).code == 4
    assert not (stick / "second.night").exists()


def test_nights_of_two_houses_that_are_called_alike_do_not_replace_each_other(
    run: Runner, stored: Path, tmp_path: Path
) -> None:
    """Both houses play on one evening, and both nights go to the same stick."""
    (tmp_path / "other.talk").write_text("seat Zoya 100\nseat Yura 100\n", encoding="utf-8")
    run("replay", tmp_path / "other.talk", "--into", tmp_path / "house B")
    stick = tmp_path / "stick"
    stick.mkdir()
    assert run("backup", stored.stem, stick, "--house", tmp_path / "house").code == 0
    before = (stick / stored.name).read_bytes()
    refused = run("backup", stored.stem, stick, "--house", tmp_path / "house B")
    failed(refused, 2, f"{stick / stored.name} holds another night (7 entries). It was left as it is")
    assert (stick / stored.name).read_bytes() == before
    named = stick / f"{stored.stem} B.night"
    assert run("backup", stored.stem, named, "--house", tmp_path / "house B").code == 0
    with open_night(named) as copy:
        assert copy.verify().entries == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("command", [("nights",), ("verify", "NIGHT"), ("export", "NIGHT")])
def test_output_that_finds_no_room_is_said_in_a_sentence(
    stored: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    words = [stored.stem if word == "NIGHT" else word for word in command]
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "assistant", "--house", str(tmp_path / "house"), *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    said = "tableside: The output is not whole: No space left on device."
    assert (done.returncode, done.stderr.startswith(said), done.stderr.count("\n")) == (5, True, 1)


def test_recover_says_what_is_left_and_does_it_only_when_told(
    run: Runner, stored: Path, tmp_path: Path
) -> None:
    recover = ("recover", stored.stem, "--house", tmp_path / "house")
    assert "nothing to recover" in run(*recover).out
    stored.write_bytes(stored.read_bytes().replace("Борис 50".encode(), "Борис 90".encode()))
    before = stored.read_bytes()
    asked = run(*recover)
    assert (asked.code, stored.read_bytes()) == (4, before)
    assert "2 entries from the first on are proved good." in asked.out
    done = run(*recover, "--yes")
    assert done.code == 0
    assert "2 entries, sound." in done.out
    kept = stored.with_name(f"{stored.name}.damaged-1")
    assert f"The damaged file is kept: {kept}" in done.out
    assert kept.read_bytes() == before
    assert run("verify", stored.stem, "--house", tmp_path / "house").json()["ok"]
    failed(run("recover", "2020-01-01-1", "--house", tmp_path / "house"), 2, "2020-01-01-1")


def test_recover_offers_nothing_where_nothing_can_be_recovered(
    run: Runner, stored: Path, tmp_path: Path
) -> None:
    """The copy, too, is gone; the command that is offered else is the one that was typed, with --yes."""
    house = ("--house", tmp_path / "house", "--copies", tmp_path / "a stick")
    stored.write_bytes(stored.read_bytes().replace("Борис 50".encode(), "Борис 90".encode()))
    asked = run("recover", stored.stem, *house)
    offered = f"recover {stored.stem} --copies '{tmp_path / 'a stick'}' --yes"
    assert asked.err.rstrip().endswith(offered)
    stored.write_bytes(b"x" * 5000)
    nothing = run("recover", stored.stem, *house)
    assert (nothing.code, nothing.out, stored.read_bytes()) == (4, "", b"x" * 5000)
    assert nothing.err.startswith(
        f"tableside: Nothing of night {stored.stem} can be read, and there is no copy"
    )
    assert "--yes" not in nothing.err


def test_the_command_line_speaks_russian_where_it_is_told_to(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The console did, its commands answered in English."""
    monkeypatch.chdir(tmp_path)
    Path("closed.talk").write_text("seat Anna 100\nseat Борис 50\nclose\n", encoding="utf-8")
    Path("nets.csv").write_text("player,net\nAnna,5\nBo,-5\n", encoding="utf-8")
    run("replay", "closed.talk", "--into", "house")
    night = next(Path("house/nights").glob("*.night")).stem

    def says(*arguments: str) -> str:
        found = run(*arguments, "--language", "ru", "--house", "house")
        return found.out + found.err

    assert "закрыт" in says("nights")
    assert "Платежей: 1 (меньше нельзя)" in says("settle", "nets.csv")
    assert "записей 3, проверено" in says("backup", night, "copy.night")
    assert "Восстанавливать нечего" in says("recover", night)
    assert "1 вечер" in says("people")
    assert "Нет закрытых вечеров" in run("season", "--house", "none", "--language", "ru").err
    assert f"Сохранено: {tmp_path / 'house/slips'}" in says("print", night, "--printer", "file:out.txt")
    assert "стек 0, итог 0" in says("replay", "closed.talk")
    assert "уже есть" in says("season", "--format", "pdf") + says("season", "--format", "pdf")
    assert json.loads(run("verify", night, "--language", "ru", "--house", "house").out)["ok"]
    assert "closed" in run("nights", "--house", "house").out


def test_season_overwrites_no_standings_unasked(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("closed.talk").write_text("seat Anna 100\nclose\n", encoding="utf-8")
    run("replay", "closed.talk", "--into", "house")
    pdf = ("season", "--house", "house", "--format", "pdf")
    made = Path(run(*pdf).out.strip())  # where the console saves them too, and the README says
    assert (made.parent, made.name[:10]) == (tmp_path / "house/slips", "standings-")
    assert not list(Path().glob("*.pdf"))
    made.write_bytes(b"mine")
    failed(run(*pdf), 2, f"{made.name} is there already")
    assert made.read_bytes() == b"mine"
    assert run(*pdf, "--out", made).code == 0
    assert made.read_bytes()[:4] == b"%PDF"
    assert run(*pdf, "--out", "standings.pdf").out == "standings.pdf\n"


def test_people_are_shown_as_they_were_written_and_two_of_one_name_are_told_apart(
    run: Runner, tmp_path: Path
) -> None:
    house = ("--house", tmp_path / "house")
    nights = ("seat Anna 100\nseat Bob 100\nrename Bob Robert", "seat Anna 50\nseat Robert 50")
    for lines in nights:
        (tmp_path / "x.talk").write_text(f"{lines}\nclose\n", encoding="utf-8")
        assert run("replay", tmp_path / "x.talk", "--into", tmp_path / "house", "--strict").code == 0
    first, second = sorted(path.stem for path in (tmp_path / "house" / "nights").glob("*.night"))
    both = f"2 nights, {first} to {second}"
    assert run("people", *house).out.splitlines() == [f"  1  Anna: {both}", f"  2  Robert, also Bob: {both}"]
    parted = run("people", "--part", second, "Anna", *house).out.splitlines()
    assert parted[-1] == f"  3  Anna: 1 night, {second} to {second}"
    rows = run("season", *house).out
    assert [name in rows for name in ("Anna (1)", "Anna (3)", "Robert")] == [True, True, True]
    assert "Robert (" not in rows


def test_season_counts_closed_nights(run: Runner, stored: Path, tmp_path: Path) -> None:
    house = ("--house", tmp_path / "house")
    failed(run("season", *house), 2, "no closed nights")
    script = tmp_path / "closed.talk"
    script.write_text("seat Anna 100\nseat Boris 50\nclose\n", encoding="utf-8")
    run("replay", script, "--into", tmp_path / "house")
    text = run("season", *house)
    assert text.code == 0
    assert "1. Anna" in text.out
    assert f"Night {stored.stem} does not count: not closed yet." in text.err
    table = run("season", *house, "--format", "csv")
    assert '"1","1","Anna","1","0","100","0","0","0","0"' in table.out
    pdf = run("season", *house, "--format", "pdf", "--out", tmp_path / "s.pdf")
    assert (pdf.code, (tmp_path / "s.pdf").read_bytes()[:4]) == (0, b"%PDF")
    os.link(tmp_path / "s.pdf", tmp_path / "before.pdf")
    before = (tmp_path / "before.pdf").read_bytes()
    assert run("season", *house, "--out", tmp_path / "s.pdf").code == 0  # text now
    assert (tmp_path / "before.pdf").read_bytes() == before  # it was replaced whole, not emptied first
    assert run("people", *house).out.splitlines()[0].startswith("  1  Anna: 1 night")
    failed(run("people", *house, "--join", "Anna", "Boris"), 2, "sat together")
    failed(run("season", *house, "--currency", "EUR"), 2, "There are nights for: chips")
    failed(run("season", *house, "--since", "2026-13-01"), 2, "no day 2026-13-01")
    failed(run("season", *house, "--since", "2999-01-01"), 2, "no closed nights from 2999-01-01. Those that")
    failed(run("season", *house, "--until", "1999-01-01"), 2, "no closed nights to 1999-01-01. Those that")
