"""Start the program from its environment, stand beside it, and hand back its exit code.

The program keeps the terminal, stdin and the folder it was called in. This parent only passes signals on and
tidies the terminal if the program is killed; killed itself, it takes the program with it.
"""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType

from environment import RUN, is_ready, using
from terminal import Terminal

SIGNALLED = 128  # a shell's way to say "ended by a signal": 128 and the signal's number
ASKED_TO_END = ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGQUIT")
PR_SET_PDEATHSIG = 1
PATIENCE_S = 10
ENDED = "Tableside was ended by {signal}. What it had accepted is saved; start it again to go on."


def main(arguments: list[str]) -> int:
    """Make the environment if need be, then run the program with these arguments."""
    if not is_ready(RUN):
        from installing import set_up

        if code := set_up(RUN, "run"):
            return code
    with using(RUN):
        variables = surroundings(os.environ) | {"TABLESIDE_COMMAND": as_called(sys.argv[0])}
        return run(program(RUN.python, arguments), variables, arguments)


def program(python: Path, arguments: list[str]) -> list[str]:
    """The command line of the program. -P: a file in the current folder is never taken for a module."""
    text = ["-X", "utf8"] if os.name == "nt" else []  # elsewhere the locale says so itself
    return [str(python), "-P", *text, "-m", "assistant", *arguments]


def surroundings(variables: Mapping[str, str]) -> dict[str, str]:
    """The environment variables for the program: without what would make it load someone else's modules."""
    return {name: value for name, value in variables.items() if name not in ("PYTHONPATH", "PYTHONHOME")}


def as_called(script: str) -> str:
    """How this script is called again, for the program's messages."""
    name = script if os.sep in script else f".{os.sep}{script}"
    return f"py {subprocess.list2cmdline([script])}" if os.name == "nt" else shlex.quote(name)


def run(command: list[str], variables: Mapping[str, str], arguments: Sequence[str] = ()) -> int:
    """Run a program in the foreground until it ends; return its exit code as a shell would.

    Args:
        command: Python and what it runs.
        variables: Its environment.
        arguments: Those of Tableside's own among the words of the command.
    """
    terminal = Terminal()
    first = _die_with_parent if sys.platform == "linux" else None
    child = subprocess.Popen(command, env=variables, preexec_fn=first)  # noqa: PLW1509 - no thread is left here
    _pass_signals_on(child)
    code = _wait(child)
    left_behind = terminal.restore()
    if code >= 0:
        return code
    name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
    if left_behind or name not in ASKED_TO_END:
        print(ended_by(name, command[0], arguments, variables), file=sys.stderr)
    return SIGNALLED - code


def ended_by(name: str, python: str, arguments: Sequence[str], variables: Mapping[str, str]) -> str:
    """Say which signal ended the program, in the language of its arguments or its house."""
    told = "import sys; from assistant.commands.ended import sentence; print(sentence(*sys.argv[1:]))"
    try:
        return subprocess.run(
            [python, "-P", "-X", "utf8", "-c", told, name, *arguments],
            env=variables,
            check=True,
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE_S,
        ).stdout.strip()
    except (OSError, ValueError, subprocess.SubprocessError):
        return ENDED.format(signal=name)


def _wait(child: "subprocess.Popen[bytes]") -> int:
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:  # on Windows; the child has had it too
            continue


def _pass_signals_on(child: "subprocess.Popen[bytes]") -> None:
    if sys.platform == "win32":  # its console tells every program in it
        return
    else:

        def pass_on(number: int, _frame: FrameType | None) -> None:
            # Ctrl+C reaches the child from the terminal as well, and twice would be once too often.
            if number != signal.SIGINT or not _in_foreground():
                child.send_signal(number)

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, pass_on)


def _in_foreground() -> bool:
    if sys.platform == "win32":
        return True
    else:
        try:
            return os.tcgetpgrp(0) == os.getpgrp()
        except OSError:
            return False


def _die_with_parent() -> None:
    # Killing what was typed must kill the program: an orphan would hold the night and the terminal.
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
