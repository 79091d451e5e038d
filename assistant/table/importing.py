"""A night from its log: what ``tableside export --format jsonl`` wrote, made into a stored night again."""

from __future__ import annotations

from pathlib import Path

from assistant.config import House
from assistant.errors import AssistantError
from assistant.i18n import _
from assistant.store.base import NO_HASH, StoreError
from assistant.store.chain import Row, read_row
from assistant.store.copies import write_copy
from assistant.store.log_file import NotALine, read_line
from assistant.store.night_file import SUFFIX
from assistant.store.nights import list_nights, next_name, parse_name, prepare
from assistant.store.sqlite import open_night
from assistant.table.night_log import NightLog


class BadLog(AssistantError):
    """The file is no whole log of a night; nothing was made of it."""


def import_night(house: House, file: Path) -> str:
    """Make a stored night of a log, entry for entry, seals and all.

    Its name is that of the file where this is a night's and free, else the next one of that day.

    Returns:
        The night's name.

    Raises:
        BadLog: A line is missing, altered or no entry; the first such line is named. Or the night is stored
            already: twice stored it would count twice in the season.
        StoreError: The night can't be written or played back.
    """
    rows = _rows(file)
    prepare(house)
    _check_is_new(house, rows)
    name = file.name.split(".")[0]
    named = parse_name(name)
    if named is None or (house.nights / f"{name}{SUFFIX}").exists():
        name = next_name(house, named[0] if named else read_row(rows[0]).at.date())
    path = house.nights / f"{name}{SUFFIX}"
    write_copy(rows, path)
    try:
        with open_night(path, read_only=True) as store:
            NightLog(store)
    except AssistantError:
        path.unlink(missing_ok=True)
        raise
    except BaseException as error:  # entries that no program wrote: sealed, and without sense
        path.unlink(missing_ok=True)
        if not isinstance(error, Exception):
            raise
        message = _("The entries of {file} make no night. Nothing was imported.")
        raise BadLog(message.format(file=file), _("Was it written by this program?")) from error
    return name


def _check_is_new(house: House, rows: list[Row]) -> None:
    """A first entry's seal covers its time and its key, so no two nights share it."""
    for night in list_nights(house):
        try:
            with open_night(night.path, read_only=True) as store:
                first, entries = store.hash_at(1), store.head[0]
        except StoreError:  # damaged, or in use: nothing can be said against it
            continue
        if first == rows[0].hash:
            message = _("It is stored already as night {name} ({stored} entries; the log has {entries}).")
            message = message.format(name=night.name, stored=entries, entries=len(rows))
            hint = _("Nothing was imported. To have it replaced, move {path} elsewhere first.")
            raise BadLog(message, hint.format(path=night.path))


def _rows(file: Path) -> list[Row]:
    try:
        lines = file.read_bytes().split(b"\n")
    except OSError as error:
        message = _("{file} can't be read: {reason}.").format(file=file, reason=error.strerror or error)
        raise BadLog(message) from error
    rows: list[Row] = []
    head = NO_HASH
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = read_line(line)
        except NotALine as error:
            raise _bad(number, _("it is no entry of a night")) from error
        if row.seq != len(rows) + 1 or row.prev != head:
            raise _bad(number, _("entry {wanted} was expected").format(wanted=len(rows) + 1))
        if not row.is_sealed:
            raise _bad(number, _("the entry was altered"))
        rows.append(row)
        head = row.hash
    if not rows:
        raise BadLog(_("{file} holds no entry.").format(file=file))
    return rows


def _bad(number: int, reason: str) -> BadLog:
    message = _("Line {number}: {reason}. Nothing was imported.").format(number=number, reason=reason)
    return BadLog(message, _("Export the night anew, or recover it from its copy: tableside recover."))
