"""The house folder and the nights in it: ``nights/2026-11-28-1.night``, dated by their start.

A night is asked for by its name, and only what looks like such a name ever becomes part of a path: no text
of a person's does.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from assistant.config import House
from assistant.i18n import _
from assistant.store.base import NoSuchNight
from assistant.store.folders import sync_folder
from assistant.store.night_file import SIDE_FILES, SUFFIX, not_writable
from assistant.store.sqlite import SqliteNight, create_night

_NAME = re.compile(r"(\d{4}-\d{2}-\d{2})-([1-9]\d{0,3})", re.ASCII)


@dataclass(frozen=True, slots=True)
class StoredNight:
    """A night that lies in a house folder, as far as it is known without opening it.

    Attributes:
        name: Such as ``2026-11-28-1``.
        path: Its file.
        day: The day it began.
        number: The how manieth night of that day it is.
        size_bytes: Of the file and of what SQLite keeps beside it while it is open.
        is_closed: Whether the night was closed; None where nobody could tell (it is open in another window).
    """

    name: str
    path: Path
    day: date
    number: int
    size_bytes: int
    is_closed: bool | None = None


def prepare(house: House) -> House:
    """Make a house's folders where they are missing and check that they can be written to.

    Raises:
        NotWritable: They can't.
    """
    for folder in (house.folder, house.nights, house.slips):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise not_writable(folder, error) from error
    return house


def parse_name(name: str) -> tuple[date, int] | None:
    """Return day and number of a night's name, None when it isn't one."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    try:
        return date.fromisoformat(match[1]), int(match[2])
    except ValueError:
        return None


def night_path(house: House, name: str, *, may_be_missing: bool = False) -> Path:
    """Return the file of the night that a person named; with or without ``.night``.

    Args:
        house: Where.
        name: As it was typed.
        may_be_missing: Whether a night that has only copies left will do.

    Raises:
        NoSuchNight: The name isn't a night's, or there is no such night.
    """
    stem = name.strip().removesuffix(SUFFIX)
    path = house.nights / f"{stem}{SUFFIX}" if parse_name(stem) else None
    if path is None or not (may_be_missing or path.exists()):
        message = _("There is no night {name!r} in {folder}.").format(name=name, folder=house.nights)
        raise NoSuchNight(message, _("`tableside nights` lists the stored nights."))
    return path


def start_night(house: House, day: date) -> SqliteNight:
    """Make the next night of a day and open it.

    Args:
        house: Where.
        day: The local day on which the night begins; it stays the night's date after midnight.

    Raises:
        StoreError: It can't be made.
    """
    while True:
        path = house.nights / f"{next_name(house, day)}{SUFFIX}"
        try:
            return create_night(path)
        except FileExistsError:
            continue  # another window has just taken this number


def next_name(house: House, day: date) -> str:
    """Return the name of the next night of a day; numbers are never used again below the highest.

    A night that has only copies left keeps its name: a new one of that name would be taken for what is left
    of it.
    """
    numbers = [number for found, number, _path in _files(house) if found == day]
    numbers += [number for found, number in _copied(house) if found == day]
    return f"{day.isoformat()}-{max(numbers, default=0) + 1}"


def date_by(house: House, path: Path, day: date) -> Path:
    """Give a night that is not open the next name of a day, and return where it lies now.

    It is the same file with every line in it. Where it can't be moved, or files of another night lie beside
    either name, it stays what it was: a wrong date is better than no night. Copies of it stay under the old
    name (they may be those of a night that was lost there), and new ones are made.
    """
    to = path.with_name(f"{next_name(house, day)}{SUFFIX}")
    sides = (one.with_name(one.name + side) for one in (path, to) for side in SIDE_FILES)
    if path.is_symlink() or any(map(os.path.lexists, (to, *sides))):
        return path
    try:
        os.link(path, to)  # unlike a rename, over no night that another window has just made
    except OSError:
        return path
    try:
        os.unlink(path)
    except OSError:
        os.unlink(to)
        return path
    with suppress(OSError):  # it has its name; after a power cut now it may have the old one once more
        sync_folder(to.parent)
    return to


def list_nights(
    house: House, is_closed: Callable[[Path], bool | None] = lambda _path: None
) -> tuple[StoredNight, ...]:
    """Return the stored nights, oldest first, from their files' names alone.

    Args:
        house: Where.
        is_closed: Says whether the night of a file was closed; it may open the file, this function doesn't.
    """
    nights = []
    for day, number, path in _files(house):
        size = sum(
            part.stat().st_size for part in (path, path.with_name(path.name + "-wal")) if part.exists()
        )
        nights.append(StoredNight(path.stem, path, day, number, size, is_closed(path)))
    return tuple(sorted(nights, key=lambda night: (night.day, night.number)))


def _copied(house: House) -> Iterator[tuple[date, int]]:
    """The nights whose copies can be seen: ``NAME.jsonl``, ``NAME_2.jsonl``, ``NAME.night.kept-1``."""
    try:
        names = [path.name for path in house.copies.iterdir()]
    except OSError:
        return  # the disk is out, or no copy was made yet
    for name in names:
        parsed = parse_name(re.split(r"[._]", name, maxsplit=1)[0])
        if parsed is not None:
            yield parsed


def _files(house: House) -> Iterator[tuple[date, int, Path]]:
    for path in house.nights.glob(f"*{SUFFIX}"):
        parsed = parse_name(path.stem)
        if parsed is not None:
            yield *parsed, path
