"""Slips to files; a night's name becomes part of a file name, so it is made harmless first."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def save_slips(folder: Path, night: str, texts: Mapping[int, str]) -> tuple[Path, ...]:
    """Write one file a width and return the paths.

    Raises:
        SlipNotWritten: One could not be written; those before it are there.
    """
    from drivers.printer import write_slip

    return tuple(
        write_slip(text, folder / f"{file_name(night)}-{width}.txt") for width, text in texts.items()
    )


def file_name(night: str) -> str:
    """A night's name as part of a file name: letters, digits and dashes only."""
    kept = "".join(char if char.isalnum() or char in "-_" else "-" for char in night).strip("-")
    return kept[:60] or "night"
