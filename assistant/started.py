"""By which command the program was started: what messages and the manual tell the dealer to type.

Sentences call the program `tableside`, as it is called where it is installed. Where they are shown, the
command that started it stands in its place: a remedy that can't be typed is none.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path, PurePath

VARIABLE = "TABLESIDE_COMMAND"
"""Environment variable in which a launcher, such as ``scripts/run``, says how it was called."""
INSTALLED = "tableside"
COMMANDS = frozenset(
    "replay odds simulate listen sources read calibrate export print import settle nights verify backup"
    " recover season people".split()
)
_TYPED = re.compile(rf"(?<![\w/\\.~-]){INSTALLED}(?= (?:--?[a-z]|(?:{'|'.join(sorted(COMMANDS))})\b))")


_house: list[str] = []


def in_house(folder: PurePath | None) -> None:
    """Remember the house that was named at the start: what is typed next must be about the same one."""
    _house[:] = [f" --house {shlex.quote(str(folder))}"] if folder is not None else []


def command() -> str:
    """Return how the program is started here, such as ``./scripts/run``, and with which house."""
    return _called() + "".join(_house)


def _called() -> str:
    said = os.environ.get(VARIABLE, "")
    if said:
        return said
    if PurePath(sys.argv[0]).parts[-2:] == (__package__, "__main__.py"):
        return f"{PurePath(sys.executable).stem or 'python'} -m assistant"
    return INSTALLED


def command_from_anywhere() -> str:
    """Return how the program is started from any folder: for a line that is typed in another terminal."""
    script = Path(__file__).resolve().parents[1] / "scripts" / "run"
    if shutil.which(INSTALLED):
        return INSTALLED
    return shlex.quote(str(script)) if script.exists() else f"{shlex.quote(sys.executable)} -m assistant"


def as_started(text: str) -> str:
    """Return a text in which `tableside` and a word of its own behind it can be typed here as they stand."""
    here = command()
    return _TYPED.sub(lambda _found: here, text)
