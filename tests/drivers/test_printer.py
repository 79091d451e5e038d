"""Slips to files and to the print system; stand-ins for lp and lpr tell what they were given."""

import os
import stat
import sys
from pathlib import Path

import pytest

from drivers.printer import (
    NoPrinter,
    PrintDoubtful,
    PrinterRefused,
    SlipNotWritten,
    list_printers,
    print_pdf,
    print_text,
    write_slip,
)

SLIP = "SETTLEMENT\nЖанна  -35\n"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="stand-ins are shell scripts")


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is the whole PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def put(folder: Path, name: str, body: str) -> Path:
    """Make a stand-in that writes its arguments (one a line) and its input beside itself."""
    path = folder / name
    lines = [
        f"#!{shell()}",
        f"for word in \"$@\"; do printf '%s\\n' \"$word\"; done > '{folder / 'words'}'",
        f"printf '%s' \"$LC_ALL\" > '{folder / 'language'}'",
        body,
    ]
    path.write_text("\n".join(lines), encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def shell() -> str:
    return next(path for path in ("/bin/sh", "/usr/bin/sh") if os.path.exists(path))


def take(folder: Path) -> str:
    """Shell lines that keep the input, with no program but the shell itself."""
    return f"while IFS= read -r line; do printf '%s\\n' \"$line\"; done > '{folder / 'input'}'"


def words(folder: Path) -> list[str]:
    return (folder / "words").read_text(encoding="utf-8").splitlines()


def test_slip_goes_to_lp_as_utf8_with_a_list_of_arguments(programs: Path) -> None:
    put(programs, "lp", take(programs) + "\necho 'request id is Office-Laser-12 (1 file(s))'")
    assert print_text(SLIP, title="Night; rm -rf $HOME `x`\n\x1b") == "Office-Laser"
    assert words(programs) == ["-t", "Night; rm -rf $HOME `x`??", "-o", "cpi=12", "-o", "lpi=7"]
    assert (programs / "input").read_text(encoding="utf-8") == SLIP
    assert (programs / "language").read_text() == "C.UTF-8"


def test_pdf_goes_to_lp_as_it_is(programs: Path) -> None:
    put(programs, "lp", take(programs) + "\necho 'request id is Office-3 (1 file(s))'")
    assert print_pdf(b"%PDF-1.4\n%x\n", title="Night") == "Office"
    assert words(programs) == ["-t", "Night"]
    assert (programs / "input").read_bytes() == b"%PDF-1.4\n%x\n"
    assert print_pdf(b"%PDF-1.4\n", "Office") == "Office"
    assert words(programs) == ["-d", "Office", "-t", "Tableside"]


def test_named_printer(programs: Path) -> None:
    put(programs, "lp", take(programs))
    assert print_text(SLIP, "Küche; x") == "Küche; x"
    assert words(programs)[:2] == ["-d", "Küche; x"]


def test_lpr_where_there_is_no_lp(programs: Path) -> None:
    put(programs, "lpr", take(programs))
    assert print_text(SLIP, "Office", title="Night") == "Office"
    assert words(programs)[:4] == ["-P", "Office", "-T", "Night"]
    assert print_text(SLIP) == "the default printer"


@pytest.mark.parametrize("name", ["", "-o", "--help"])
def test_name_that_would_be_an_option_is_refused(programs: Path, name: str) -> None:
    put(programs, "lp", take(programs))
    with pytest.raises(NoPrinter):
        print_text(SLIP, name)
    assert not (programs / "words").exists()


def test_no_print_system(programs: Path) -> None:
    with pytest.raises(NoPrinter) as refused:
        print_text(SLIP)
    assert "neither lp nor lpr" in refused.value.message
    assert refused.value.hint
    assert list_printers() == ()


def test_refusal_says_why_and_what_to_look_at(programs: Path) -> None:
    put(programs, "lp", take(programs) + "\necho 'lp: Error - No default destination.' >&2\nexit 1")
    with pytest.raises(PrinterRefused) as refused:
        print_text(SLIP)
    assert refused.value.message == "The printer did not take the slip: No default destination."
    assert "paper" in refused.value.hint


def test_refusal_without_a_word_and_with_control_characters(programs: Path) -> None:
    put(programs, "lp", take(programs) + "\nexit 7")
    with pytest.raises(PrinterRefused, match="exit code 7"):
        print_text(SLIP)
    put(programs, "lp", take(programs) + "\nprintf 'bad \\033[2J\\377 printer' >&2\nexit 1")
    with pytest.raises(PrinterRefused) as refused:
        print_text(SLIP)
    assert refused.value.message.isprintable()


def test_print_system_that_hangs_leaves_doubt_and_does_not_print_twice(programs: Path) -> None:
    """B237: all bytes taken, no answer."""
    count = f"printf x >> '{programs / 'runs'}'\n"
    put(programs, "lp", count + take(programs) + "\nwhile :; do :; done")
    with pytest.raises(PrintDoubtful) as doubt:
        print_text(SLIP, timeout_s=0.5)
    assert "unknown whether it printed" in doubt.value.message
    assert "Look at the paper" in doubt.value.hint
    assert (programs / "runs").read_text() == "x"


def test_print_program_that_is_killed_leaves_doubt(programs: Path) -> None:
    """It may have handed the slip over before: nothing was refused."""
    put(programs, "lp", take(programs) + "\nkill -9 $$")
    with pytest.raises(PrintDoubtful) as doubt:
        print_text(SLIP)
    assert doubt.value.message == "lp was ended by signal 9: unknown whether it printed."
    assert "Look at the paper" in doubt.value.hint


def test_program_that_does_not_start(programs: Path) -> None:
    path = put(programs, "lp", "")
    path.write_text("#!/nowhere/at/all\n")
    with pytest.raises(PrinterRefused):
        print_text(SLIP)


def test_printers_are_listed(programs: Path) -> None:
    put(programs, "lpstat", "printf 'Office\\nKitchen\\033\\n\\n'")
    assert list_printers() == ("Office", "Kitchen?")
    assert words(programs) == ["-e"]
    put(programs, "lpstat", "exit 1")
    assert list_printers() == ()
    put(programs, "lpstat", "while :; do :; done")
    assert list_printers(timeout_s=0.2) == ()


def test_file_is_utf8_whatever_the_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """B198, B247."""
    monkeypatch.setenv("LC_ALL", "C")
    text = "Ł Ä Ж ♠\n"
    path = write_slip(text, tmp_path / "Jane Doe" / "ночь 1.txt")
    assert path.read_bytes() == text.encode("utf-8")
    assert [file.name for file in path.parent.iterdir()] == ["ночь 1.txt"]


def test_failed_write_leaves_the_older_slip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_slip("old\n", tmp_path / "slip.txt")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(SlipNotWritten) as refused:
        write_slip("new\n", path)
    assert "No space left on device" in refused.value.message
    assert path.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [path]


def test_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    handle = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert write_slip(SLIP, pipe) == pipe
    assert pipe.is_fifo()
    assert os.read(handle, 1000) == SLIP.encode("utf-8")
    os.close(handle)


def test_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SlipNotWritten):
        write_slip(SLIP, tmp_path / "file" / "slip.txt")
