"""Small JSON files of a house, replaced as a whole: after a power cut the old one is there or the new one."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from assistant.i18n import _
from assistant.store.base import NightDamaged
from assistant.store.folders import sync_folder
from assistant.store.night_file import not_writable


def read_json(path: Path) -> object:
    """Return what a file holds, None where there is none.

    Raises:
        NightDamaged: It can't be read, or is no JSON.
    """
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        message = _("{name} can't be read: {error}.").format(name=path, error=error)
        raise NightDamaged(message, _("Move it away; it is made anew from the nights.")) from error


def write_json(path: Path, value: object) -> None:
    """Replace a file by another; it is whole at any moment.

    Raises:
        NotWritable, DiskFull: It was left as it was.
    """
    part = path.with_name(f".{path.name}.part-{os.getpid()}")
    try:
        with part.open("w", encoding="utf-8") as file:
            json.dump(value, file, ensure_ascii=False, indent=1)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
        sync_folder(path.parent)
    except OSError as error:
        raise not_writable(path, error) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
