"""Small JSON files that hold for one night: rows of another night, or of a later form, count for nothing.

They are replaced as a whole and not flushed to the disk: what a power cut takes is asked once more.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

FORMAT = 1


def read_rows(path: Path, night: str, name: str) -> list[Any]:
    """Return the rows of a night under a name; none of another night.

    Raises:
        OSError, ValueError, KeyError, TypeError: The file is not there, or no such file.
    """
    content = json.loads(path.read_text("utf-8"))
    if content["format"] != FORMAT or content["night"] != night:
        return []
    return list(content[name])


def write_rows(path: Path, night: str, name: str, rows: Sequence[object]) -> None:
    """Replace the file; raises OSError, then the old one is there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    content = {"format": FORMAT, "night": night, name: rows}
    fresh.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    fresh.replace(path)
