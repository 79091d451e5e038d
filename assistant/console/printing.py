"""Slips to files and to the printer; whatever goes wrong here, the ledger is not touched."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from assistant.errors import AssistantError
from assistant.i18n import _


def save_slips(folder: Path, night: str, texts: Mapping[int, str]) -> tuple[Path, ...]:
    """Write one file a width and return the paths; a file is there whole or not at all.

    Raises:
        OSError: The folder can't be written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for width, text in texts.items():
        path = folder / f"{_file_name(night)}-{width}.txt"
        draft = path.with_suffix(".part")
        draft.write_text(text, encoding="utf-8")
        os.replace(draft, path)
        paths.append(path)
    return tuple(paths)


def _file_name(night: str) -> str:
    """A night's name as part of a file name: letters, digits and dashes only."""
    kept = "".join(char if char.isalnum() or char in "-_" else "-" for char in night).strip("-")
    return kept[:60] or "night"


def print_slip(text: str) -> str:
    """Send a slip to the system's printer and return what it is called.

    Raises:
        AssistantError: There is no printer, or it refused.
    """
    raise AssistantError(_("There is no printer support yet."), _("Save the slip instead."))
