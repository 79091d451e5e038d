"""export, print, import and settle as a person or a script calls them."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from assistant.cli import main
from assistant.config import House
from assistant.export.csv_files import BOM
from assistant.store.base import NO_HASH, NewEntry
from assistant.store.chain import seal_entry
from assistant.store.log_file import line_of
from assistant.store.nights import prepare, start_night
from assistant.table.night_log import NightLog
from assistant.table.replay import replay_lines

NIGHTS = Path(__file__).parent / "data" / "nights"


@pytest.fixture
def house(tmp_path: Path) -> Path:
    return tmp_path / "house"


@pytest.fixture
def night(house: Path) -> str:
    """A stored night in euros; its name."""
    lines = (NIGHTS / "euros.talk").read_text(encoding="utf-8").splitlines()
    with start_night(prepare(House(house)), date(2026, 11, 28)) as store:
        for _line in replay_lines(NightLog(store), lines):
            pass
    return "2026-11-28-1"


def printed(capsysbinary: pytest.CaptureFixture[bytes], *words: str) -> bytes:
    assert main([*words]) == 0
    return capsysbinary.readouterr().out


@pytest.mark.parametrize(
    ("form", "starts"),
    [
        ("text", b"SETTLEMENT   Night Euro night"),
        ("pdf", b"%PDF-"),
        ("escpos", b"\x1b@\x1c.\x1bt\x11"),
        (
            "csv",
            b'\xef\xbb\xbf"player","bought_in","cashed_out","net","to_settle","exact"\r\n"A","10.00","35.00"',
        ),
        ("pokernow", b'"player_nickname","player_id"'),
        ("jsonl", b'{"at":"'),
        ("hledger", b"; Night Euro night, 17 entries"),
        ("beancount", b'option "title" "Night Euro night"'),
        ("talk", b'night "Euro night" currency=EUR'),
    ],
)
def test_every_form_goes_to_standard_output_and_to_a_file(
    house: Path,
    night: str,
    form: str,
    starts: bytes,
    tmp_path: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    command = ["--house", str(house), "export", night, "--format", form]
    out = printed(capsysbinary, *command)
    assert out.startswith(starts)
    path = tmp_path / "out"
    assert printed(capsysbinary, *command, "--output", str(path)).decode().split() == [str(path)]
    assert path.read_bytes() == out


def test_every_table_into_a_folder(
    house: Path, night: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["--house", str(house), "export", night, "--format", "csv"]
    assert main([*command, "--separator", ";", "--output", str(tmp_path)]) == 0
    names = [f"{night}-{table}.csv" for table in ("players", "settlement", "entries", "count")]
    assert capsys.readouterr().out.splitlines() == [str(tmp_path / name) for name in names]
    text = (tmp_path / names[1]).read_bytes().decode("utf-8")
    assert (
        text
        == BOM + '"from";"to";"amount";"paid"\r\n"house";"A";"25,00";"0,00"\r\n"house";"B";"2,50";"0,00"\r\n'
    )


def test_slips_speak_the_language_of_the_night_unless_told(
    house: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    talk = tmp_path / "x.talk"
    talk.write_text("night x language=ru\ngame rake\nseat Анна 100\n", encoding="utf-8")
    assert main(["replay", str(talk), "--into", str(house)]) == 0
    name = next((house / "nights").glob("*.night")).stem
    capsys.readouterr()
    for words, title in (([], "РАСЧЁТ"), (["--language", "en"], "SETTLEMENT")):
        assert main(["--house", str(house), "export", name, *words]) == 0
        assert capsys.readouterr().out.startswith(title)
    assert main(["--house", str(house), "export", name, "--slip", "rules", "--width", "32"]) == 0
    rules = capsys.readouterr().out
    assert "ПРАВИЛА" in rules
    assert "Череп" in rules or "Черепов" in rules
    assert main(["--house", str(house), "export", name, "--slip", "buy-in", "--width", "42"]) == 0
    assert "Анна, в долг                           100" in capsys.readouterr().out


@pytest.mark.parametrize(("words", "columns"), [((), 80), (("--width", "42"), 42)])
def test_a_slip_is_saved_as_wide_as_it_was_asked_for(
    house: Path, night: str, words: tuple[str, ...], columns: int, capsys: pytest.CaptureFixture[str]
) -> None:
    printer = f"file:{house / 'paper.txt'}"
    assert main(["--house", str(house), "print", night, "--printer", printer, *words]) == 0
    saved = Path(capsys.readouterr().out.splitlines()[0].removeprefix("Saved: "))
    assert max(map(len, saved.read_text(encoding="utf-8").splitlines())) == columns


def test_slip_that_the_night_does_not_have_is_refused(
    house: Path, night: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, says in (
        (["--slip", "count"], "Nobody counted the chips"),
        (["--slip", "buy-in", "--entry", "5"], "Entry 5 is no buy-in"),
        (["--slip", "rules", "--format", "pdf"], "no PDF of the slip rules"),
    ):
        assert main(["--house", str(house), "export", night, *words]) == 2
        assert says in capsys.readouterr().err


def test_log_comes_back_entry_for_entry(
    house: Path, night: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, other = tmp_path / f"{night}.jsonl", tmp_path / "other"
    assert main(["--house", str(house), "export", night, "--format", "jsonl", "--output", str(file)]) == 0
    capsys.readouterr()
    assert main(["--house", str(other), "import", str(file)]) == 0
    assert capsys.readouterr().out.strip() == night
    assert main(["--house", str(other), "verify", night]) == 0
    verified = json.loads(capsys.readouterr().out)
    assert main(["--house", str(other), "export", night, "--format", "jsonl"]) == 0
    assert capsys.readouterr().out == file.read_text(encoding="utf-8")
    assert main(["--house", str(house), "verify", night]) == 0
    assert json.loads(capsys.readouterr().out)["head"] == verified["head"]


def test_night_is_imported_once_whatever_its_file_is_called(
    house: Path, night: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twice stored it would count twice in the season."""
    file, other = tmp_path / f"{night}.again.jsonl", tmp_path / "other"
    assert main(["--house", str(house), "export", night, "--format", "jsonl", "--output", str(file)]) == 0
    assert main(["--house", str(other), "import", str(file)]) == 0
    file.write_text("\n".join(file.read_text(encoding="utf-8").splitlines()[:9]), encoding="utf-8")
    capsys.readouterr()
    assert main(["--house", str(other), "import", str(file)]) == 2
    assert f"It is stored already as night {night} (17 entries; the log has 9)." in capsys.readouterr().err
    assert len(list((other / "nights").glob("*.night"))) == 1


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda lines: lines[:2] + lines[3:], "Line 3: entry 3 was expected"),
        (lambda lines: [lines[0], lines[1].replace("casino", "casini")], "Line 2: the entry was altered"),
        (lambda lines: [*lines, "{"], "Line 18: it is no entry of a night"),
        (lambda lines: [], "holds no entry"),
    ],
)
def test_log_that_was_altered_makes_no_night(
    house: Path,
    night: str,
    tmp_path: Path,
    spoil: Callable[[list[str]], list[str]],
    says: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--house", str(house), "export", night, "--format", "jsonl"]) == 0
    lines = capsys.readouterr().out.splitlines()
    file = tmp_path / "log.jsonl"
    file.write_text("\n".join(spoil(lines)), encoding="utf-8")
    assert main(["--house", str(tmp_path / "other"), "import", str(file)]) == 2
    assert says in capsys.readouterr().err
    assert not list((tmp_path / "other").glob("nights/*"))


def test_table_talk_of_a_night_plays_the_same_night(
    house: Path, night: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    talk = tmp_path / "again.talk"
    assert main(["--house", str(house), "export", night, "--format", "talk", "--output", str(talk)]) == 0
    capsys.readouterr()
    assert main(["replay", str(NIGHTS / "euros.talk"), "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert main(["replay", str(talk), "--json", "--strict"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again == {**first, "refused": []}


@pytest.mark.parametrize(
    ("event", "version", "says"),
    [
        ({"type": "Noted", "text": "x"}, 99, "newer version"),
        ({"type": "PlayerMoved", "player": "p9", "after": "p8"}, 2, "make no night"),
    ],
)
def test_log_that_cannot_be_played_back_leaves_no_night_behind(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    event: dict[str, str],
    version: int,
    says: str,
) -> None:
    """Every seal is right; a later version wrote it, or no program ever did."""
    body = {"line": "dance", "origin": "typed", "events": [event]}
    row = seal_entry(NewEntry("k1", datetime.now(UTC), "", None, (), "dance", body), 1, version, NO_HASH)
    log = tmp_path / "2026-11-28-1.jsonl"
    log.write_text(f"{line_of(row)}\n", encoding="utf-8")
    assert main(["--house", str(tmp_path / "house"), "import", str(log)]) == 2
    assert says in capsys.readouterr().err
    assert list((tmp_path / "house" / "nights").iterdir()) == []


# --- printing --------------------------------------------------------------------------------------------


class PipedPrinter:
    """A printer at the other end of a named pipe."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self._handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def taken(self) -> bytes:
        """What came since it was asked last."""
        return os.read(self._handle, 1 << 16)

    def close(self) -> None:
        os.close(self._handle)


@pytest.fixture
def lp0(tmp_path: Path) -> Iterator[PipedPrinter]:
    if sys.platform == "win32":
        pytest.skip("needs a named pipe")
    printer = PipedPrinter(tmp_path / "lp0")
    yield printer
    printer.close()


def test_second_print_of_the_same_slip_is_marked(
    house: Path, night: str, lp0: PipedPrinter, capsys: pytest.CaptureFixture[str]
) -> None:
    """B237: also a reprint after a doubt carries COPY 2; nothing is printed by itself."""
    command = ["--house", str(house), "print", night, "--printer", f"device:{lp0.path},width=42"]
    assert main(command) == 0
    assert b"COPY" not in lp0.taken()
    assert main(command) == 0
    assert b"COPY 2" in lp0.taken()
    assert main([*command, "--slip", "buy-in"]) == 0
    assert b"COPY" not in lp0.taken()
    assert "Printed: " in capsys.readouterr().out


def test_printer_that_fails_never_touches_the_night_and_the_slip_is_saved(
    house: Path, night: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """B231: whatever the printer does, the slip's text is there, and the exit code is 0."""
    before = (house / "nights" / f"{night}.night").read_bytes()
    assert main(["--house", str(house), "print", night, "--printer", "serial:/dev/nowhere"]) == 0
    told = capsys.readouterr()
    saved = Path(told.out.removeprefix("Saved: ").strip())
    assert saved.read_text(encoding="utf-8").startswith("SETTLEMENT")
    assert "Not printed: " in told.err
    assert "Nothing was printed" in told.err
    assert (house / "nights" / f"{night}.night").read_bytes() == before
    assert main(["--house", str(house), "verify", night]) == 0


def test_doubt_counts_as_a_copy(
    house: Path,
    night: str,
    lp0: PipedPrinter,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from drivers.printer import PrintDoubtful

    def doubtful(_data: bytes, _printer: object) -> str:
        raise PrintDoubtful("It hung.", "Look at the paper before you print again.")

    command = ["--house", str(house), "print", night, "--printer", f"device:{lp0.path},width=42"]
    with monkeypatch.context() as patch:
        patch.setattr("drivers.receipt_printer.send", doubtful)
        assert main(command) == 0
        assert "Look at the paper" in capsys.readouterr().err
    assert main(command) == 0
    assert b"COPY 2" in lp0.taken()


def test_office_printer_that_takes_pdf_gets_the_settlement_with_its_chart(
    house: Path, night: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sent: list[bytes] = []

    def print_pdf(data: bytes, printer: str | None, *, title: str, timeout_s: float) -> str:
        sent.append(data)
        return f"{printer}: {title}"

    monkeypatch.setattr("drivers.printer.print_pdf", print_pdf)
    assert main(["--house", str(house), "print", night, "--printer", "system:Office,mode=pdf"]) == 0
    assert f"Printed: Office: Tableside {night}" in capsys.readouterr().out
    assert (
        main(["--house", str(house), "export", night, "--format", "pdf", "--output", str(house / "x")]) == 0
    )
    assert sent == [(house / "x").read_bytes()]


def test_printers_of_the_house(
    house: Path, night: str, tmp_path: Path, lp0: PipedPrinter, capsys: pytest.CaptureFixture[str]
) -> None:
    slip = tmp_path / "slip.txt"
    settings = house / "house.toml"
    settings.write_text(
        f'[printers]\nslip = "file:{slip}"\nreceipt = "device:{lp0.path},width=32"\n', "utf-8"
    )
    assert main(["--house", str(house), "print", night]) == 0
    assert slip.read_text(encoding="utf-8").startswith("SETTLEMENT")
    assert main(["--house", str(house), "print", night, "--slip", "buy-in"]) == 0
    assert b"BUY-IN" in lp0.taken()
    for text, says in (
        ("[printers]\nslip = “usb:0416:5011”\n", "curly quotation marks"),
        ("[printers]\nslip = 5\n", "printers.slip is 5"),
        ('[printers]\nslip = "fax"\n', "no kind of printer called 'fax'"),
    ):
        settings.write_text(text, "utf-8")
        capsys.readouterr()
        assert main(["--house", str(house), "print", night]) == 2
        error = capsys.readouterr().err
        assert says in error
        if "curly" in says:
            assert "line 2" in error


# --- settle ----------------------------------------------------------------------------------------------


def test_settle_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.csv"
    file.write_text("player,net\nA,50\nB,40\nC,-35\nD,-40\nE,-15\n", encoding="utf-8")
    assert main(["settle", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "settlement": [
            {"from": "C", "to": "A", "amount": 35},
            {"from": "D", "to": "B", "amount": 40},
            {"from": "E", "to": "A", "amount": 15},
        ],
        "payments": 3,
        "minimal": True,
    }
    assert main(["settle", str(file)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "C -> A: 35",
        "D -> B: 40",
        "E -> A: 15",
        "Payments: 3 (fewest possible)",
    ]


def test_files_of_the_cases_settle_exactly(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = shared / "cases" / "csv_import" / "bom_crlf.csv"
    assert main(["settle", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["settlement"] == [
        {"from": "Bob", "to": "Ann", "amount": 2000},
        {"from": "Cem", "to": "Ann", "amount": 3000},
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("player,net\nA,5\nB,-4\n", "The results sum to +1; they must sum to 0."),
        ("player,net\nA,5.50\nB,-4\n", "The results sum to +1.50"),
        ("player,net\nA,x\nB,-4\n", "line 2: “x” is not an amount"),
        ("", "no table of results"),
    ],
)
def test_settle_refuses_in_one_line(
    tmp_path: Path, text: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.csv"
    file.write_text(text, encoding="utf-8")
    assert main(["settle", str(file)]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert len(error.splitlines()) == 1
    assert main(["settle", str(tmp_path / "none.csv")]) == 2


def test_nothing_to_settle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.csv"
    file.write_text("name,in,out\nA,50.00,50.00\nB,50.00,50.00\n", encoding="utf-8")
    assert main(["settle", str(file)]) == 0
    assert capsys.readouterr().out == "Nobody owes anything.\n"
