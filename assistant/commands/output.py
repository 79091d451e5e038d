"""What all commands share: exit codes, one error for wrong use, JSON on one line."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from pathlib import Path

from assistant.errors import AssistantError

OK, WRONG_USE, IN_USE, NOT_VERIFIED, NOT_SAVED = 0, 2, 3, 4, 5


class UsageError(AssistantError):
    """The arguments make no sense, or a file can't be read."""


def own_command() -> str:
    """What starts this program from any folder: its name where it is installed, else the script beside it."""
    script = Path(__file__).resolve().parents[2] / "scripts" / "run"
    if shutil.which("tableside"):
        return "tableside"
    return shlex.quote(str(script)) if script.exists() else f"{shlex.quote(sys.executable)} -m assistant"


def print_json(record: object) -> None:
    """Print one object on one line."""
    print(as_json(record), flush=True)


def as_json(record: object) -> str:
    """Return an object on one line; where the output has not all letters, none is lost."""
    has_all_letters = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    return json.dumps(record, ensure_ascii=not has_all_letters)


def complain(text: str) -> None:
    """Say something in one line on stderr."""
    print(f"tableside: {' '.join(text.split())}", file=sys.stderr)
