#!/usr/bin/env python3
"""How long from start to first paint, beside a bare Textual program in the same run.

    scripts/bench_startup.py              15 starts of each, in turn
    scripts/bench_startup.py -n 40        more of them

Every start is a new process in a pseudo-terminal of 80 by 24, the console on an empty house of its own. The
clock begins just before the process is made and stops when the first visible character has come out of the
terminal after the switch to the alternate screen: blanks, colours, cursor moves and questions to the terminal
don't count, so a cleared screen is no paint yet. The two kinds take turns, one more of each first to warm the
caches, and the medians are compared. A last start, not timed, notes whether OpenCV or pyserial is imported.

Exit code 1: over the limit, or a library was imported that should not have been. POSIX only.
"""

import argparse
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 1.8
COLUMNS, ROWS = 80, 24
PATIENCE_S = 30.0
SETTLED_S = 1.5
ALTERNATE_SCREEN = b"\x1b[?1049h"
# OSC and DCS strings, then CSI sequences, then the two-character ones
ESCAPES = re.compile(rb"\x1b[\]PX^_].*?(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-~]", re.DOTALL)
UNFINISHED = re.compile(rb"\x1b[^\x1b]*\Z")
VISIBLE = re.compile(rb"[!-~\x80-\xff]")
NOT_WANTED = ("cv2", "serial")

BARE = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    def compose(self):
        yield Static("Hello, world")
Bare().run()
"""
# The console, and on a signal the names of everything that is imported by then.
WATCHED = """
import os, runpy, signal, sys
def tell(*_):
    with open("modules.part", "w") as notes:
        notes.write("\\n".join(sys.modules))
    os.rename("modules.part", "modules")
signal.signal(signal.SIGUSR1, tell)
runpy.run_module("assistant", run_name="__main__", alter_sys=True)
"""


def main() -> int:
    """Measure, print the figures, judge."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-n", type=int, default=15, metavar="STARTS", help="timed starts of each kind")
    starts = parser.parse_args().n
    bare_s, console_s = [], []
    with tempfile.TemporaryDirectory(prefix="tableside-bench-") as name:
        folder = Path(name)
        for _ in range(starts + 1):
            bare_s.append(first_paint_s([sys.executable, "-P", "-c", BARE], folder))
            console_s.append(first_paint_s([*console(), "--house", str(empty(folder / "house"))], folder))
        imported = imports_at_start(folder)
    bare, own = statistics.median(bare_s[1:]), statistics.median(console_s[1:])
    show("bare Textual program", bare_s[1:])
    show("console, empty house", console_s[1:])
    ratio = own / bare
    print(f"ratio of the medians   {ratio:.2f} (limit {LIMIT}): {'within' if ratio <= LIMIT else 'OVER'}")
    print(f"imported by the start  {', '.join(imported) if imported else 'neither OpenCV nor pyserial'}")
    return 0 if ratio <= LIMIT and "cv2" not in imported else 1


def console() -> list[str]:
    """The command line of the console, as scripts/run starts it."""
    return [sys.executable, "-P", "-m", "assistant"]


def empty(folder: Path) -> Path:
    """Make the folder anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def show(name: str, times_s: list[float]) -> None:
    """Print one kind's figures in milliseconds."""
    middle, low, high = (round(value(times_s) * 1000) for value in (statistics.median, min, max))
    print(f"{name:<22} {middle:4d} ms median ({low}-{high} ms, {len(times_s)} starts)")


def first_paint_s(command: list[str], folder: Path) -> float:
    """Start a program in a terminal of its own; return the seconds until its first paint, and end it."""
    began_s = time.perf_counter()
    child, terminal = start(command, folder)
    try:
        shown = b""
        for piece in output(terminal, PATIENCE_S):
            shown += piece
            if is_painted(shown):
                return time.perf_counter() - began_s
    finally:
        end(child, terminal)
    said = ESCAPES.sub(b"", shown).decode(errors="replace").strip()
    sys.exit(f"No first paint from {' '.join(command[:4])}. It said:\n{said}")


def is_painted(shown: bytes) -> bool:
    """Whether a visible character came after the switch to the alternate screen."""
    _, switched, screen = shown.partition(ALTERNATE_SCREEN)
    return bool(switched) and VISIBLE.search(UNFINISHED.sub(b"", ESCAPES.sub(b"", screen))) is not None


def imports_at_start(folder: Path) -> list[str]:
    """Start the console once more and name the heavy libraries it has imported soon after its paint."""
    house, notes = empty(folder / "house"), folder / "modules"
    child, terminal = start([sys.executable, "-P", "-c", WATCHED, "--house", str(house)], folder)
    try:
        shown = b""
        for piece in output(terminal, PATIENCE_S):
            shown += piece
            if is_painted(shown):
                break
        until_s = time.perf_counter() + SETTLED_S
        while time.perf_counter() < until_s:
            next(output(terminal, SETTLED_S), b"")
        os.kill(child, signal.SIGUSR1)
        until_s = time.perf_counter() + PATIENCE_S
        while not notes.exists() and time.perf_counter() < until_s:
            next(output(terminal, 0.05), b"")
    finally:
        end(child, terminal)
    if not notes.exists():
        sys.exit("The console did not say what it had imported.")
    return [name for name in NOT_WANTED if name in notes.read_text(encoding="utf-8").splitlines()]


def start(command: list[str], folder: Path) -> tuple[int, int]:
    """Start a program in a new pseudo-terminal; return its process number and the terminal's other end."""
    variables = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "TEXTUAL"))
    }
    variables |= {
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "HOME": str(folder),
        "PYTHONPATH": str(ROOT),
    }
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.chdir(folder)
        os.execve(command[0], command, variables)
    return child, terminal


def output(terminal: int, patience_s: float) -> Iterator[bytes]:
    """Yield what the program writes, until it ends or the time is up."""
    until_s = time.perf_counter() + patience_s
    while (left_s := until_s - time.perf_counter()) > 0:
        if not select.select([terminal], [], [], left_s)[0]:
            return
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # the program has ended
            return
        if not piece:
            return
        yield piece


def end(child: int, terminal: int) -> None:
    """End a program the hard way; its folder is thrown away."""
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(terminal)


if __name__ == "__main__":
    sys.exit(main())
