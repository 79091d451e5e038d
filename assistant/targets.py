"""Where nothing may be written that a person names a file for: nights, their copies, what a house keeps.

Every writer of such a file asks here first: exports, slips, standings, printers that are files, backups,
calibration sheets, drawn pictures, tables of tags. A mistyped or completed name must never cost a night.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path

from assistant.errors import AssistantError
from assistant.i18n import _

APPLICATION_ID = 0x52444C47  # "RDLG", at byte 68 of a night's file
SQLITE_MAGIC = b"SQLite format 3\0"
HEADER_BYTES = 100
_BESIDE = r"-(?:wal|journal|shm|entries)|\.(?:lock|part|recovered|(?:damaged|kept|left|new|part)-[0-9]+)"
_NIGHT_NAME = re.compile(rf".+\.night(?:{_BESIDE})*", re.IGNORECASE | re.DOTALL)
"""A night, and what lies beside one: ``.night-wal``, ``.night.lock``, ``.night.damaged-1``."""
_LONGEST_LINE = 1 << 20

NIGHTS = "nights"
COPIES = "copies"
_KEPT = (
    "house.toml",
    "people.json",
    "results.json",
    "shoes.json",
    "questions.json",
    "tags.json",
    "slips/prints.jsonl",
    f"{NIGHTS}/*",
    f"{COPIES}/*",
    "decks/*",
    "cameras/*",
)
"""What a house keeps, by patterns of paths in it."""
_OFFERED = ("cameras/*.pdf",)
"""Among them what is made to be taken away: the calibration sheet."""
_SIGNS = (
    "house.toml",
    "nights/*.night",
    "decks/*/*.toml",
    "decks/*/looks/*",
    "cameras/*.toml",
)
"""What tells a house from a folder that happens to have such names in it. The copy of a night is no sign: it
is known by what is in it, and an export may go on from it."""
_OF_BACKUPS = (f"{NIGHTS}/*.night",)
"""Of these signs what a folder of backups has too: last week's must not keep this week's out."""


class Kept(AssistantError):
    """A file that was named to be written holds what must not be lost; it was left as it was."""


def check_target(path: Path, data: bytes | None = None, *, is_backup: bool = False) -> None:
    """Check that a file may be written where a person said.

    Args:
        path: The file, there or not.
        data: What is to be written, where that is known: only a night's log that goes on from the one that
            is there may replace it.
        is_backup: Whether a night is written, which may replace its own older copy: which night a file
            holds the store alone can tell, and it asks before it replaces one.

    Raises:
        Kept: It is a night's file, a night's copy or log, or a file of a house.
    """
    try:
        found = path.resolve()
        house = _house_that_keeps(found)
    except (OSError, ValueError, RuntimeError):
        return  # there is no such place; writing will say so
    if is_backup:
        _check_is_no_second_night(found, house)
        return
    if _NIGHT_NAME.fullmatch(found.name) or _holds_a_night(found):
        message = _("{path} is a night's file, or belongs to one; nothing is written over it.")
        raise Kept(message.format(path=path), _("Choose another name."))
    if house is not None:
        message = _("{path} is kept by the house in {house}; nothing is written over it.")
        raise Kept(message.format(path=path, house=house), _("Choose another name or folder."))
    if _is_log(found) and not _goes_on_from(found, data):
        message = _("{path} is the log of a night, a copy of it; nothing else is written over it.")
        raise Kept(message.format(path=path), _("Choose another name."))


def _check_is_no_second_night(found: Path, house: Path | None) -> None:
    """A night that lies twice among a house's nights counts twice."""
    if house is None or found.relative_to(house).parts[0].casefold() == COPIES:
        return
    if not _is_house(house, tuple(sign for sign in _SIGNS if sign not in _OF_BACKUPS)):
        return
    message = _("{folder} is where a house keeps its own; a backup there would count as another night.")
    hint = _("Choose another folder. To another house it goes with export --format jsonl, then import.")
    raise Kept(message.format(folder=found.parent), hint)


def _house_that_keeps(found: Path) -> Path | None:
    """The house a path belongs to by its place in it; None where it belongs to none."""
    for folder in found.parents:
        inside = found.relative_to(folder).as_posix().casefold()
        if any(fnmatchcase(inside, one) for one in _OFFERED):
            continue
        if any(fnmatchcase(inside, one) for one in _KEPT) and _is_house(folder):
            return folder
    return None


def _is_house(folder: Path, signs: tuple[str, ...] = _SIGNS) -> bool:
    if (folder / NIGHTS).is_dir() and (folder / "slips").is_dir():  # what every house is begun with
        return True
    return any(next(folder.glob(sign), None) is not None for sign in signs)


def _holds_a_night(found: Path) -> bool:
    """Whether a file of another name holds a night.

    One that has more names than one is not looked into: replacing one of them takes nothing away, and this
    process may have the night open, whose lock would be lost by opening it here.
    """
    with suppress(OSError):
        if found.is_file() and found.stat().st_nlink == 1:
            with found.open("rb") as file:
                header = file.read(HEADER_BYTES)
            return header.startswith(SQLITE_MAGIC) and header[68:72] == APPLICATION_ID.to_bytes(4, "big")
    return False


def _is_log(found: Path) -> bool:
    """Whether a file begins as the log of a night does."""
    with suppress(OSError, ValueError, RecursionError):
        if found.is_file():
            with found.open("rb") as file:
                first = json.loads(file.readline(_LONGEST_LINE))
            return (
                isinstance(first, dict) and first.get("seq") == 1 and {"prev", "hash", "body"} <= set(first)
            )
    return False


def _goes_on_from(found: Path, data: bytes | None) -> bool:
    with suppress(OSError):
        return data is not None and data.startswith(found.read_bytes())
    return False
