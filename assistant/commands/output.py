"""What all commands share: exit codes, one error for wrong use, JSON on one line."""

from __future__ import annotations

import json
import sys

from assistant.errors import AssistantError
from assistant.started import as_started

OK, WRONG_USE, IN_USE, NOT_VERIFIED, NOT_SAVED = 0, 2, 3, 4, 5


class UsageError(AssistantError):
    """The arguments make no sense, or a file can't be read."""


def print_json(record: object) -> None:
    """Print one object on one line."""
    print(as_json(record), flush=True)


def as_json(record: object) -> str:
    """Return an object on one line; where the output has not all letters, none is lost."""
    has_all_letters = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    return json.dumps(record, ensure_ascii=not has_all_letters)


def complain(text: str) -> None:
    """Say something in one line on stderr."""
    print(f"tableside: {' '.join(as_started(text).split())}", file=sys.stderr)
