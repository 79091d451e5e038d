"""The tags that were named at the table, in a small file, so that they are not asked again after a restart.

Which card a tag is "for tonight" belongs to the night and to no deck. Like the shoes' places the file is not
flushed to the disk: what a power cut takes is asked once more.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from assistant.tonight_files import read_rows, write_rows

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Taught:
    """A tag that was named at the table.

    Attributes:
        source: Name of the reader that asked.
        tag: The tag.
        card: Card word.
        deck: The deck that took it in; empty for tonight only.
    """

    source: str
    tag: str
    card: str
    deck: str


class TaughtFile:
    """The named tags of one night; safe to use from several threads, and never in the way of the table.

    Args:
        path: Where they are kept.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._night = ""
        self._taught: tuple[Taught, ...] = ()

    def begin(self, night: str) -> None:
        """Go on with a night and read what was named in it; the tags of another one say nothing about it."""
        with self._lock:
            self._night, self._taught = night, self._read(night)

    def of_night(self) -> tuple[Taught, ...]:
        """What was named in the night that is played; nothing where that could not be read."""
        with self._lock:
            return self._taught

    def keep(self, taught: Sequence[Taught]) -> None:
        """Write down what was named in this night."""
        with self._lock:
            self._taught = tuple(taught)
            try:
                write_rows(self._path, self._night, "tags", [asdict(one) for one in taught])
            except OSError as error:
                _log.warning("named tags can't be kept: %s", error)

    def _read(self, night: str) -> tuple[Taught, ...]:
        try:
            return tuple(
                Taught(str(row["source"]), str(row["tag"]), str(row["card"]), str(row["deck"]))
                for row in read_rows(self._path, night, "tags")
            )
        except (OSError, ValueError, KeyError, TypeError):
            return ()  # then they are asked again
