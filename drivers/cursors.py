"""Where numbered shoes were read up to, kept for the program's next start after its own crash.

A small file in the house, written when the table has dealt with a report: what was on its way is then asked
for again, and the night itself knows the reports whose cards it has booked.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from pathlib import Path

from assistant.tonight_files import read_rows, write_rows
from drivers.base import SourceEvent
from drivers.link import NUMBERS, Cursor, SavedCursor

NAME = "cursors"

_log = logging.getLogger(__name__)


class CursorFile:
    """The cursors of one night; safe to use from several threads, and never in the way of the table.

    Args:
        path: Where they are kept.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._night = ""
        self._saved: dict[str, SavedCursor] = {}

    def begin(self, night: str) -> None:
        """Go on with a night; the cursors of another one say nothing about it."""
        with self._lock:
            if night != self._night:
                self._night = night
                self._saved = self._read(night)

    def saved(self) -> tuple[SavedCursor, ...]:
        """Return the cursors of the night."""
        with self._lock:
            return tuple(self._saved.values())

    def handled(self, events: Iterable[SourceEvent]) -> None:
        """Hear that the table has dealt with events."""
        news = {}
        for event in events:
            found = split_report(event.report)
            if found is not None:
                device, boot, seq = found
                news[event.source] = SavedCursor(event.source, device, Cursor(boot, (seq + 1) % NUMBERS))
        if not news:
            return
        with self._lock:
            self._saved |= news
            try:
                self._write()
            except OSError as error:
                _log.warning("the shoe's place can't be kept: %s", error)

    def _read(self, night: str) -> dict[str, SavedCursor]:
        try:
            rows = [
                SavedCursor(
                    str(row["source"]), str(row["device"]), Cursor(str(row["boot"]), int(row["next"]))
                )
                for row in read_rows(self._path, night, NAME)
            ]
        except (OSError, ValueError, KeyError, TypeError):
            return {}  # without them the shoe is joined anew, which asks the dealer
        return {row.source: row for row in rows}

    def _write(self) -> None:
        rows = [
            {
                "source": one.source,
                "device": one.device,
                "boot": one.cursor.boot,
                "next": one.cursor.next,
            }
            for one in self._saved.values()
        ]
        # not flushed to the disk: it is for the program's own crash; a power cut takes the shoe's memory too
        write_rows(self._path, self._night, NAME, rows)


def split_report(report: str) -> tuple[str, str, int] | None:
    """Return device, start and number of a report's name for good; None where it is none."""
    parts = report.rsplit("/", 2)
    if len(parts) != 3:
        return None
    device, boot, seq = parts
    return device, boot, int(seq, 16)


class BookedReports:
    """The reports whose cards were booked, by their names for good.

    A shoe may have been read before it said its own name; such a report is told by the shoe's start alone.
    """

    def __init__(self, reports: Iterable[str] = ()) -> None:
        self._devices: dict[tuple[str, int], set[str]] = {}
        for report in reports:
            self.add(report)

    def add(self, report: str) -> None:
        """Remember a report; one without a name is none."""
        found = split_report(report)
        if found is not None:
            self._devices.setdefault(found[1:], set()).add(found[0])

    def __contains__(self, report: str) -> bool:
        found = split_report(report)
        devices = self._devices.get(found[1:], set()) if found else set()
        return bool(found and devices and (found[0] in devices or not found[0] or "" in devices))
