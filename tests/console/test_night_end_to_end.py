"""The real program in a pseudo-terminal of 80 by 24: a night of both games, killed, resumed, closed."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from wcwidth import wcwidth

if sys.platform == "win32":
    pytest.skip("Windows has no ptys", allow_module_level=True)

import fcntl
import pty
import struct
import termios

COLUMNS, ROWS = 80, 24
PATIENCE_S, QUIET_S = 60.0, 0.2
ENTER, F2, F5, F6, CTRL_Q = "\r", "\x1bOQ", "\x1b[15~", "\x1b[17~", "\x11"
DOWN, RIGHT, LEFT = "\x1b[B", "\x1b[C", "\x1b[D"
ESCAPE = "\x1b"
# Invalid UTF-8, mouse reports of a reattached tmux, key sequences without sense, titles, NULs, a flood.
HOSTILE = [
    b"\xff\x80",
    b"\x1b[M\xff\xff\xff",
    b"\x1b[1075::117;1u",
    b"\x1b[9999999999u",
    b"\x1b]0;title\x07",
    b"\x00\x00",
    b"9" * 5_000,
]
TOKEN = re.compile(
    r"\x1b\](?P<osc>[^\x07\x1b]*)(?:\x07|\x1b\\)"
    r"|\x1b\[(?P<parameters>[0-?]*)[ -/]*(?P<final>[@-~])|\x1b[()].|\x1b."
    r"|(?P<text>[^\x1b\r\n\x08]+)|(?P<control>[\r\n\x08])"
)


class Screen:
    """As much of a terminal as the console uses: text at a place, cursor moves, erasing."""

    def __init__(self) -> None:
        self.cells = [[" "] * COLUMNS for _row in range(ROWS)]
        self.row = self.column = 0
        self.rest = ""
        self.modes: dict[str, str] = {}

    def feed(self, text: str) -> None:
        """Take output; a sequence that is cut off waits for its end."""
        text = self.rest + text
        done = 0
        while match := TOKEN.match(text, done):
            done = match.end()
            if match["text"]:
                self._write(match["text"])
            elif match["control"]:
                self.column = 0 if match["control"] == "\r" else self.column
                self.row += match["control"] == "\n"
            elif match["final"]:
                self._order(match["final"], match["parameters"])
        self.rest = text[done:]

    def _write(self, text: str) -> None:
        for char in text:
            if self.column < COLUMNS and self.row < ROWS:
                self.cells[self.row][self.column] = char
            width = max(0, wcwidth(char))
            if width == 2 and self.column + 1 < COLUMNS:
                self.cells[self.row][self.column + 1] = ""
            self.column += width

    def _order(self, final: str, parameters: str) -> None:
        numbers = [int(part) if part.isdigit() else 0 for part in parameters.split(";")]
        if final in "Hf":
            self.row = max(1, numbers[0]) - 1
            self.column = max(1, numbers[1] if len(numbers) > 1 else 1) - 1
        elif final in "hl":
            self.modes[parameters] = final
        elif final == "C":
            self.column += max(1, numbers[0])
        elif final == "J":
            self.cells = [[" "] * COLUMNS for _row in range(ROWS)]
        elif final == "K":
            self.cells[self.row][self.column :] = [" "] * (COLUMNS - self.column)

    @property
    def text(self) -> str:
        """All rows."""
        return "\n".join("".join(row).rstrip() for row in self.cells)


class Program:
    """The program in its terminal."""

    def __init__(self, repository: Path, house: Path) -> None:
        self.screen = Screen()
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8", "COLORTERM": "truecolor"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "assistant", "--house", str(house)],
            cwd=repository,
            env=environment,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)

    def _read(self, timeout_s: float) -> bool:
        if not select.select([self._master], [], [], timeout_s)[0]:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # the program has ended
            return False
        self.screen.feed(data.decode("utf-8", "replace"))
        return bool(data)

    def sees(self, *texts: str) -> None:
        """Wait until all of this is on the screen, and until the screen has come to rest."""
        deadline = time.monotonic() + PATIENCE_S
        while not all(text in self.screen.text for text in texts):
            assert time.monotonic() < deadline, f"no {texts} on\n{self.screen.text}"
            assert self.process.poll() is None, f"ended with {self.process.returncode}\n{self.screen.text}"
            self._read(QUIET_S)
        self.settle()

    def types(self, *keys: str, sees: str | tuple[str, ...]) -> None:
        """Press keys, then wait for what must appear."""
        self.press(*keys)
        self.sees(*((sees,) if isinstance(sees, str) else sees))

    def press(self, *keys: str) -> None:
        """Press keys."""
        for key in keys:
            os.write(self._master, key.encode())

    def send(self, data: bytes) -> None:
        """Send bytes no keyboard sends, reading meanwhile so that neither end waits for ever."""
        for start_ in range(0, len(data), 512):
            os.write(self._master, data[start_ : start_ + 512])
            self._read(0.0)

    def settle(self) -> None:
        """Read until the screen has come to rest."""
        while self._read(QUIET_S):
            pass

    @property
    def left_sane(self) -> bool:
        """Whether the terminal is as it was before: own screen, cursor, no mouse and paste modes."""
        modes = self.screen.modes
        return (modes.get("?1049"), modes.get("?25"), modes.get("?2004")) == ("l", "h", "l")

    def kill(self) -> None:
        """The power goes."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE_S)
        os.close(self._master)

    def ends(self) -> int:
        """Wait for the end and return the exit code."""
        deadline = time.monotonic() + PATIENCE_S
        while self.process.poll() is None and time.monotonic() < deadline:
            self._read(QUIET_S)
        self.settle()
        code = self.process.wait(1.0)
        os.close(self._master)
        return code


@pytest.fixture
def start(repository: Path, tmp_path: Path) -> Iterator[list[Program]]:
    """Programs that were started; whatever still runs at the end is ended."""
    programs: list[Program] = []
    yield programs
    for program in programs:
        with contextlib.suppress(ProcessLookupError):
            program.process.kill()
        program.process.wait(PATIENCE_S)


def run(repository: Path, house: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run another command of the program."""
    command = [sys.executable, "-m", "assistant", *arguments, "--house", str(house)]
    return subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)


def test_a_night_of_both_games_killed_in_mid_round_resumed_and_closed(
    repository: Path, tmp_path: Path, start: list[Program]
) -> None:
    house = tmp_path / "house"
    program = Program(repository, house)
    start.append(program)
    seat_and_play_casino(program)
    play_pool_until_the_power_goes(program)
    program.kill()

    program = Program(repository, house)
    start.append(program)
    program.sees("ROUND 2 WAS OPEN", "bets: Boris 10")
    program.types(ENTER, sees="TURN a card for Boris")
    program.types("7h" + ENTER, sees="SHOW the hand of Boris")
    program.types("kh" + ENTER, sees=("PAY Boris 10", "ASK Vera"))
    program.types("f", sees="ASK Anna")
    program.types("f", sees="OPEN the round")
    close_and_settle(program)
    (night,) = (house / "nights").glob("*.night")
    slip = (house / "slips" / f"{night.stem}-80.txt").read_text(encoding="utf-8")
    exported = run(repository, house, "export", night.stem, "--format", "text")
    assert exported.stdout.strip() == slip.strip()
    assert run(repository, house, "verify", night.stem).returncode == 0
    # Casino: spread 4 pays even; Anna raised 10 to 20 and won 20, Boris won 10. Pool: antes of 5, Boris won
    # 10 of 15, Vera and Anna threw in for 5 each: the pool of 15 is shared at the close.
    assert_slip(slip)


def seat_and_play_casino(program: Program) -> None:
    program.sees("CHOOSE a game")
    program.types(ENTER, sees="CHOOSE the game and its house rules")
    program.types(RIGHT, RIGHT, sees="Casino Red Dog")
    program.types(ENTER, sees="SEAT players")
    program.types("Anna 100" + ENTER, sees="Anna   ")
    program.types("Boris 100" + ENTER, sees="Boris   ")
    program.types("Vera 100" + ENTER, sees="Vera   ")
    program.types(F2, sees="chips for Anna")
    program.types("10" + ENTER, sees="chips for Boris")
    program.types("10" + ENTER, sees="chips for Vera")
    program.types(ENTER, sees="card>")
    program.types("9h 4s" + ENTER, sees=("Spread 4", "ASK Anna"))
    program.types("r", sees="ASK Boris")
    program.types("n", sees="DEAL the third card")
    program.types("6d" + ENTER, sees=("PAY", "Anna 20", "Boris 10"))


def play_pool_until_the_power_goes(program: Program) -> None:
    program.types(F5, sees="CHOOSE the game and its house rules")
    program.types(LEFT, LEFT, sees="Pool Red Dog")
    program.types(DOWN, DOWN, RIGHT, RIGHT, sees="hand")
    program.types(ENTER, sees="OPEN the round: ante 5 each")
    program.types(ENTER, sees="DEAL")
    program.types(ENTER, sees="ASK Boris")
    program.types("10" + ENTER, sees="TURN a card for Boris")


def close_and_settle(program: Program) -> None:
    program.types(F6, sees="COUNT the chips")
    program.types("c", sees="CLOSE THE NIGHT?")
    program.types("1" + ENTER, sees="SETTLE")
    program.types("s", sees="Saved:")
    program.press(CTRL_Q)
    assert program.ends() == 0


def assert_slip(slip: str) -> None:
    """The nets of this night, worked out by hand."""
    nets = {"Anna": "+15", "Boris": "+20", "Vera": "-5"}
    for name, net in nets.items():
        assert re.search(rf"{name}.*{re.escape(net)}\b", slip), f"{name} {net}\n{slip}"


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_to_end_leaves_a_sane_terminal_and_a_whole_night(
    repository: Path, tmp_path: Path, start: list[Program], name: str
) -> None:
    program = Program(repository, tmp_path / "house")
    start.append(program)
    program.sees("CHOOSE a game")
    program.types(":game red-dog-pool" + ENTER, sees="SEAT")
    program.process.send_signal(getattr(signal, name))
    assert program.ends() == 0
    assert program.left_sane, "the alternate screen was left and the cursor shown again"
    (night,) = (tmp_path / "house" / "nights").glob("*.night")
    assert run(repository, tmp_path / "house", "verify", night.stem).returncode == 0


def test_hostile_bytes_do_not_end_the_program(repository: Path, tmp_path: Path, start: list[Program]) -> None:
    program = Program(repository, tmp_path / "house")
    start.append(program)
    program.sees("CHOOSE a game")
    for data in HOSTILE:
        program.send(data)
        program.settle()
        program.press(ESCAPE, ESCAPE)
    program.types(":game red-dog-pool" + ENTER, sees="SEAT")
    program.press(CTRL_Q)
    assert program.ends() == 0


def test_a_second_window_on_the_same_night_is_refused_by_name(
    repository: Path, tmp_path: Path, start: list[Program]
) -> None:
    first = Program(repository, tmp_path / "house")
    start.append(first)
    first.sees("CHOOSE a game")
    second = Program(repository, tmp_path / "house")
    start.append(second)
    assert second.ends() == 3
    first.types(":game red-dog-pool" + ENTER, sees="SEAT")
