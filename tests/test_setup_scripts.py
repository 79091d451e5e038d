"""What scripts/run and scripts/test decide and say while they set themselves up."""

import ast
import contextlib
import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import environment
import installing
import launching
import progress
import python_version
import setup_problems
from environment import Environment

posix_only = pytest.mark.skipif(os.name == "nt", reason="signals and terminals of POSIX")

PATIENCE_S = 30.0  # before a test that waits for an end is called failed

LOCK = """\
# What Tableside needs to run.
numpy==2.4.6 ; python_full_version < '3.12' \\
    --hash=sha256:aa
numpy==2.5.5 ; python_full_version >= '3.12' \\
    --hash=sha256:bb \\
    --hash=sha256:cc
opencv-python==5.0.0.93 \\
    --hash=sha256:dd
textual==8.2.8 \\
    --hash=sha256:ee
"""


@pytest.fixture
def made(tmp_path: Path) -> Environment:
    """An environment that looks complete, without the packages."""
    requirements = tmp_path / "requirements.lock"
    requirements.write_text(LOCK, encoding="utf-8")
    result = Environment(tmp_path / "Karten Ä" / ".venv", requirements, size_mb=1)
    result.python.parent.mkdir(parents=True)
    result.python.touch()
    result.stamp.write_text(environment.stamp_text(LOCK), encoding="utf-8")
    return result


# --- Python too old, or without venv ---------------------------------------------------------------------


def test_an_old_python_is_told_which_newer_one_to_type() -> None:
    message = python_version.too_old_message("run", (3, 8, 18), "/usr/bin/python3", "python3.12")
    assert message == (
        "Python 3.11 or newer is needed, this is 3.8.18 (/usr/bin/python3).\n"
        f"There is a newer one here. Type:  python3.12 {os.path.join('scripts', 'run')}"
    )


def test_an_old_python_alone_is_told_how_to_get_a_newer_one() -> None:
    message = python_version.too_old_message("test", (3, 10, 1), "", "")
    assert message.startswith("Python 3.11 or newer is needed, this is 3.10.1 (python).\n")
    assert os.path.join("scripts", "test") in message.splitlines()[-1]


def test_an_old_python_ends_before_anything_else_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 6, "final", 0))
    with pytest.raises(SystemExit, match=r"needed, this is 3\.9\.6"):
        python_version.require_python("run")


@pytest.mark.parametrize("name", ["run", "test", "python_version.py"])
def test_what_an_old_python_reads_is_written_in_its_language(repository: Path, name: str) -> None:
    source = (repository / "scripts" / name).read_text(encoding="utf-8")
    assert ast.parse(source, feature_version=(3, 6)).body
    assert source.isascii()


def test_a_python_without_venv_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    with pytest.raises(setup_problems.SetupProblem, match="sudo apt install python3-venv") as caught:
        setup_problems.check_python_parts("run")
    assert "its part `venv` is missing" in caught.value.message


# --- Is it ready? ----------------------------------------------------------------------------------------


def test_a_stamped_environment_is_ready(made: Environment) -> None:
    assert environment.is_ready(made)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda made: made.requirements.write_text(LOCK.replace("8.2.8", "8.2.9"), encoding="utf-8"),
        lambda made: made.requirements.write_text(LOCK.replace("ee", "ff"), encoding="utf-8"),
        lambda made: made.stamp.write_text(environment.stamp_text(LOCK, (3, 10)), encoding="utf-8"),
        lambda made: made.stamp.write_bytes(b"\xff\xfe"),
        lambda made: made.stamp.unlink(),
        lambda made: made.python.unlink(),
    ],
    ids=["new release", "new hash", "another Python", "damaged stamp", "half-made", "its Python is gone"],
)
def test_an_environment_is_made_anew_when(made: Environment, spoil: Callable[[Environment], object]) -> None:
    spoil(made)
    assert not environment.is_ready(made)


def test_a_moved_checkout_keeps_its_environment(made: Environment, tmp_path: Path) -> None:
    made.folder.parent.rename(tmp_path / "elsewhere")
    assert environment.is_ready(made._replace(folder=tmp_path / "elsewhere" / ".venv"))


@posix_only
def test_changes_wait_until_nobody_uses_the_environment(made: Environment) -> None:
    users = contextlib.ExitStack()
    made.guard.touch()
    users.enter_context(environment.using(made))
    waited: list[str] = []

    def waiting() -> None:
        waited.append("once")
        users.close()

    with environment.changing(made, waiting):
        assert waited == ["once"]


def test_a_guard_file_left_behind_holds_nobody_up(made: Environment) -> None:
    made.guard.touch()
    with environment.changing(made, waiting=lambda: pytest.fail("nobody holds it")):
        pass


def test_a_failed_update_leaves_the_earlier_environment(
    made: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    made.requirements.write_text(LOCK.replace("8.2.8", "8.2.9"), encoding="utf-8")

    def fail(self: object) -> None:
        made.folder.mkdir()
        raise setup_problems.SetupProblem("The network is down.", "Plug it in.")

    monkeypatch.setattr(installing._Making, "_make", fail)
    with pytest.raises(setup_problems.SetupProblem, match="The network is down"):
        installing.ensure(made, "run")
    assert made.stamp.read_text(encoding="utf-8") == environment.stamp_text(LOCK)
    assert not made.folder.with_name(".venv.old").exists()


def test_a_half_made_environment_is_cleared_away(made: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    made.stamp.unlink()
    found: list[bool] = []
    monkeypatch.setattr(installing._Making, "_make", lambda self: found.append(made.folder.exists()))
    installing.ensure(made, "run")
    assert found == [False]


# --- What went wrong -------------------------------------------------------------------------------------


NETWORK_DOWN = """\
WARNING: Retrying (Retry(total=1)) after connection broken by 'NewConnectionError('<HTTPSConnection object>:
Failed to establish a new connection: [Errno -2] Name or service not known')': /textual/
ERROR: Could not find a version that satisfies the requirement textual==8.2.8 (from versions: none)
ERROR: No matching distribution found for textual==8.2.8
"""
PROXY_DOWN = "WARNING: connection broken by 'ProxyError('Cannot connect to proxy.', OSError(111, 'refused'))'"
WRONG_CERTIFICATE = """\
SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed'))
ERROR: No matching distribution found for textual==8.2.8
"""
WRONG_HASH = """\
ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.
    textual==8.2.8 from file:///x/textual-8.2.8-py3-none-any.whl:
        Expected sha256 00
             Got        11
"""


@pytest.mark.parametrize(
    ("output", "said"),
    [
        (NETWORK_DOWN, "no way to the package server"),
        (PROXY_DOWN, "no way to the package server"),
        (WRONG_CERTIFICATE, "certificate was refused"),
        ("ERROR: OSError: [Errno 28] No space left on device", "The disk is full"),
        ("OSError: [WinError 112] There is not enough space on the disk", "The disk is full"),
        (WRONG_HASH, "downloaded for textual==8.2.8 is not the file"),
        ("ERROR: OSError: [Errno 13] Permission denied: 'x'", "may not write there"),
        ("Could not fetch URL: the SSL module is not available", "built without SSL"),
        ("something new\nKeyError: 'x'", "The installer's last words:\n  something new\n  KeyError: 'x'"),
    ],
)
def test_a_failure_is_told_in_words(output: str, said: str, tmp_path: Path) -> None:
    problem = setup_problems.explain(output, tmp_path, needed_mb=1, command="run")
    assert said in str(problem)
    assert f"scripts{os.sep}run" in str(problem)


def test_a_package_without_a_build_for_this_computer_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PIP_NO_INDEX", raising=False)
    output = "ERROR: No matching distribution found for opencv-python==5.0.0.93"
    problem = setup_problems.explain(output, tmp_path, needed_mb=1, command="run")
    assert isinstance(problem, setup_problems.NoBuild)
    assert problem.package == "opencv-python"


def test_pip_kept_off_the_network_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    output = "ERROR: No matching distribution found for textual==8.2.8"
    assert "PIP_NO_INDEX" in str(setup_problems.explain(output, tmp_path, needed_mb=1, command="run"))


def test_too_little_room_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(setup_problems.SetupProblem, match="The disk is full"):
        setup_problems.check_room(tmp_path, needed_mb=10**9, command="run")


def test_the_camera_packages_can_be_left_out_with_all_their_releases() -> None:
    assert installing.without(LOCK, "numpy") == LOCK.replace(
        LOCK[LOCK.index("numpy") : LOCK.index("opencv")], ""
    )


# --- Progress --------------------------------------------------------------------------------------------


def test_pips_lines_become_a_count(tmp_path: Path) -> None:
    count = progress.InstallCount(LOCK + "colorama==0.4.6 ; os_name == 'nt'\n", tmp_path)
    (tmp_path / "pip-24.0.dist-info").mkdir()
    assert count.read("Ignoring colorama: markers 'os_name == \"nt\"' don't match your environment\n") is None
    assert count.read("Ignoring numpy: markers 'python_full_version < \"3.12\"' don't match\n") is None
    assert count.read("Collecting numpy==2.5.5 (from -r r.txt (line 4))\n") == "Fetching 1 of 3: numpy"
    assert count.read("  Downloading numpy-2.5.5-cp313-cp313-linux_x86_64.whl (15.7 MB)\n") is None
    line = "Processing /a b/opencv_python-5.0.0.93-cp37-abi3-linux_x86_64.whl (from -r r (line 8))\n"
    assert count.read(line) == "Fetching 2 of 3: opencv-python"
    assert count.read("Installing collected packages: numpy, opencv-python, textual\n") == "Unpacking 0 of 3"
    (tmp_path / "numpy-2.5.5.dist-info").mkdir()
    assert count.read("") == "Unpacking 1 of 3"


def test_progress_into_a_file_is_one_plain_line_a_step() -> None:
    out = io.StringIO()
    shown = progress.Progress(out, clock=iter([10.0, 12.9, 12.9]).__next__)
    for _ in range(3):
        shown.step("Fetching 1 of 3: numpy")
        shown.tick()
    assert out.getvalue() == "  Fetching 1 of 3: numpy (2 s)\n"


def test_progress_on_a_terminal_stays_on_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "20")
    out = Screen()
    shown = progress.Progress(out, clock=lambda: 0.0)
    shown.step("Fetching 1 of 3: opencv-python")
    shown.say("Ready.")
    assert out.getvalue() == "\r  Fetching 1 of 3: " + "\r" + " " * 19 + "\rReady.\n"


# --- The program -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("called", "again"),
    [
        ("./scripts/run", "./scripts/run"),
        ("/srv/table/scripts/run", "/srv/table/scripts/run"),
        ("run", "./run"),
        ("/srv/the table/run", "'/srv/the table/run'"),
    ],
)
def test_the_program_is_told_how_it_is_called_again(called: str, again: str) -> None:
    assert launching.as_called(called) == again


def test_nothing_in_the_current_folder_or_in_pythonpath_is_taken_for_the_program() -> None:
    command = launching.program(Path("python"), ["replay", "Frühling 1.talk"])
    assert command[1] == "-P"
    assert command[-4:] == ["-m", "assistant", "replay", "Frühling 1.talk"]
    assert launching.surroundings({"PYTHONPATH": "x", "PYTHONHOME": "y", "TERM": "xterm"}) == {
        "TERM": "xterm"
    }


@pytest.fixture
def launched(repository: Path) -> Callable[[str], list[str]]:
    """The command line of a launcher whose program is a line of Python."""

    start = (
        f"import os, sys; sys.path.insert(0, {str(repository / 'scripts')!r}); import launching; "
        "sys.exit(launching.run([sys.executable, '-c', sys.argv[1]], os.environ))"
    )

    def command(code: str) -> list[str]:
        return [sys.executable, "-c", start, code]

    return command


def test_the_programs_exit_code_is_handed_back(launched: Callable[[str], list[str]]) -> None:
    assert subprocess.run(launched("raise SystemExit(3)"), check=False).returncode == 3


def test_what_is_piped_in_and_out_is_left_alone(launched: Callable[[str], list[str]]) -> None:
    echo = "import sys; sys.stdout.write(sys.stdin.read())"
    result = subprocess.run(launched(echo), check=True, input="Дч♠", stdout=subprocess.PIPE, encoding="utf-8")
    assert result.stdout == "Дч♠"


@posix_only
@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_to_the_launcher_reaches_the_program(
    launched: Callable[[str], list[str]], number: str
) -> None:
    code = (
        "import signal, sys\n"
        f"signal.signal(signal.{number}, lambda *_: sys.exit(40))\n"
        "print('ready', flush=True)\n"
        "while True: signal.pause()"
    )
    with subprocess.Popen(launched(code), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as launcher:
        assert launcher.stdout is not None
        assert launcher.stdout.readline() == b"ready\n"
        launcher.send_signal(signal.Signals[number])
        launcher.communicate(timeout=PATIENCE_S)
    assert launcher.returncode == 40


@posix_only
def test_a_program_killed_by_a_signal_is_told_as_a_shell_would(launched: Callable[[str], list[str]]) -> None:
    code = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    result = subprocess.run(launched(code), check=False, capture_output=True, text=True)
    assert result.returncode == 128 + signal.SIGKILL
    assert result.stderr.startswith("Tableside was ended by SIGKILL. What it had accepted is saved")


@posix_only
def test_the_end_of_a_killed_program_is_told_in_the_language_it_spoke(
    repository: Path, tmp_path: Path
) -> None:
    """From ``--language``, else from the house; in English where the program itself can't be read."""
    (tmp_path / "house.toml").write_text('language = "ru"\n', encoding="utf-8")
    found = os.environ | {"PYTHONPATH": str(repository)}
    house = ["--house", str(tmp_path)]
    in_russian = "Tableside: работу прервал сигнал SIGKILL."
    assert launching.ended_by("SIGKILL", sys.executable, ["--language", "ru"], found).startswith(in_russian)
    assert launching.ended_by("SIGKILL", sys.executable, house, found).startswith(in_russian)
    for words in ([*house, "--language", "en"], ["--language", "xx"]):
        told = launching.ended_by("SIGKILL", sys.executable, words, found)
        assert told == launching.ENDED.format(signal="SIGKILL")
    nowhere = str(tmp_path / "python")
    assert launching.ended_by("SIGKILL", nowhere, [], found) == launching.ENDED.format(signal="SIGKILL")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's death")
def test_killing_the_launcher_kills_the_program(launched: Callable[[str], list[str]]) -> None:
    code = "import signal; print('ready', flush=True)\nwhile True: signal.pause()"
    with subprocess.Popen(launched(code), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as launcher:
        assert launcher.stdout is not None
        assert launcher.stdout.readline() == b"ready\n"
        launcher.kill()
        # the program holds the pipe's other end, so this ends only when it has ended too
        assert launcher.communicate(timeout=PATIENCE_S)[0] == b""


@posix_only
def test_the_terminal_is_put_in_order_after_a_full_screen_program_was_killed(
    launched: Callable[[str], list[str]],
) -> None:
    import pty
    import termios

    code = (
        "import os, signal, sys, tty; tty.setraw(0); sys.stdout.write('\\x1b[?1049h'); sys.stdout.flush()\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    here, there = pty.openpty()
    before = termios.tcgetattr(there)
    launcher = subprocess.Popen(
        launched(code), stdin=there, stdout=there, stderr=there, start_new_session=True
    )
    shown = b"".join(_until(here, b"start it again"))
    assert launcher.wait() == 128 + signal.SIGKILL
    assert termios.tcgetattr(there) == before
    for mode in (b"\x1b[?1049l", b"\x1b[?1000l", b"\x1b[?2004l", b"\x1b[?7h", b"\x1b[?25h"):
        assert mode in shown
    os.close(here)
    os.close(there)


def _until(descriptor: int, end: bytes) -> Iterator[bytes]:
    seen = b""
    while end not in seen:
        piece = os.read(descriptor, 4096)
        seen += piece
        yield piece


# --- The locks -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_every_locked_package_is_one_release_with_hashes_and_no_address(repository: Path, name: str) -> None:
    text = (repository / name).read_text(encoding="utf-8")
    entries = [
        entry for entry in text.replace("\\\n", " ").splitlines() if entry and not entry.startswith("#")
    ]
    assert entries
    for entry in entries:
        assert "==" in entry.split()[0], entry
        assert "--hash=sha256:" in entry, entry
    assert "://" not in text
    assert "-i " not in text


def test_what_is_tested_is_what_the_dealer_runs(repository: Path) -> None:
    run, dev = (
        (repository / name).read_text(encoding="utf-8")
        for name in ("requirements.lock", "requirements-dev.lock")
    )
    assert {line for line in run.splitlines() if "==" in line} <= {
        line for line in dev.splitlines() if "==" in line
    }
