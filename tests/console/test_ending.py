"""A window that is closed ends the program and frees the night, whatever the screen is busy with."""

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from assistant.store.sqlite import open_night

ENDS_WITHIN_S = 30
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


@contextmanager
def console(house: Path, repository: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The program in a terminal of its own, painted; ended at the end whatever happens."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 80))  # a new pty has no size, and the console asks for a larger window
    command = [sys.executable, "-m", "assistant", "--house", str(house)]
    environment = {**os.environ, "TERM": "xterm-256color"}
    # a session without this terminal as its own gets no SIGHUP when it goes: the hardest case
    program = subprocess.Popen(
        command,
        cwd=repository,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        env=environment,
    )
    os.close(slave)
    try:
        read_until(master, b"table>")
        yield program, master
    finally:
        program.kill()
        program.wait()


def read_until(master: int, text: bytes) -> None:
    """Read what is painted until a text was."""
    shown, end_s = b"", time.monotonic() + ENDS_WITHIN_S
    while text not in shown:
        ready, _, _ = select.select([master], [], [], max(0.0, end_s - time.monotonic()))
        assert ready, shown[-200:]
        shown += os.read(master, 65536)


def night_is_free(house: Path) -> bool:
    """Whether the night can be opened by the next program."""
    (path,) = (house / "nights").glob("*.night")
    with open_night(path) as night:
        return night.verify().ok


def test_a_closed_window_ends_the_program_and_frees_the_night(tmp_path: Path, repository: Path) -> None:
    with console(tmp_path, repository) as (program, master):
        os.close(master)
        assert program.wait(ENDS_WITHIN_S) in (0, 129)
        assert night_is_free(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_the_system_may_end_the_program_while_nobody_reads_the_screen(
    tmp_path: Path, repository: Path, number: signal.Signals
) -> None:
    with console(tmp_path, repository) as (program, master):
        os.write(master, b"?" * 3)  # screens are painted, and nobody takes them
        assert select.select([master], [], [], ENDS_WITHIN_S)[0]  # the screen was painted
        program.send_signal(number)
        assert program.wait(ENDS_WITHIN_S) in (0, 128 + number)
        assert night_is_free(tmp_path)
        os.close(master)
