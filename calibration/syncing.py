"""Waits until files are on the disk: a power cut then leaves what was saved before or what is saved now."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def sync_file(path: Path) -> None:
    """Wait until a file's content is on the disk.

    Raises:
        OSError: It can't be.
    """
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until a folder's names are on the disk, where the system can do that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
