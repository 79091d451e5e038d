"""Copies of a night: written whole or not at all, checked, and never over what they don't hold."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from assistant.i18n import _
from assistant.store.base import NightDamaged, NightStore, OtherCopy
from assistant.store.chain import Row, check_chain
from assistant.store.folders import sync_folder
from assistant.store.holder import Claim, in_use, is_locked
from assistant.store.night_file import (
    READ_BESIDE,
    check_is_night,
    keep_side_files,
    make_file,
    not_writable,
    remove_side_files,
)
from assistant.store.sqlite import connect_frozen, open_night
from assistant.store.tables import read_rows

_OLDER, _AHEAD, _DIFFERS, _OTHER, _DAMAGED = "older", "ahead", "differs", "other", "damaged"
"""How a copy stands to its night: it has its first entries, more than it, others, those of another night."""


def write_copy(rows: Iterable[Row], path: Path) -> None:
    """Write sealed rows to a night's file of their own, replacing an older one once it is whole.

    Raises:
        StoreError: No copy was made.
    """
    try:
        part = part_of(path)
    except OSError as error:
        raise not_writable(path.parent, error) from error
    make_file(part)
    try:
        with open_night(part) as night:
            night.write_rows(rows)
        put_in_place(part, path)
    finally:
        part.unlink(missing_ok=True)


def check_copy(part: Path, head: tuple[int, str]) -> None:
    """Check that a copy that was just written is whole and ends as the night does.

    Raises:
        NightDamaged: It isn't.
    """
    with closing(connect_frozen(part)) as copy:
        whole = copy.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        found = check_chain(read_rows(copy))
    if not whole or not found.ok or (found.entries, found.head) != head:
        raise NightDamaged(
            _("The copy differs from the night."), _("Try another disk; the night itself is open.")
        )


def check_older_copy(night: NightStore, path: Path) -> None:
    """Check that a file holds the first entries of a night or all of them, and nothing besides.

    A log of SQLite's beside it that belongs to another file is set aside.

    Raises:
        OtherCopy: It is another night's, or tells this one in another way, or goes on behind its end; or it
            is damaged, and nobody knows what it holds.
        StoreError: It is no night, is open in another window, or can't be read.
    """
    claim = Claim.take(path)
    try:
        check_is_night(path)
        if is_locked(path):
            raise in_use(path)
        beside = [side for side in READ_BESIDE if path.with_name(path.name + side).exists()]
        standing, entries = _standing_of(night, path, beside)
        if beside and standing == _OTHER:
            alone, its_own = _standing_of(night, path, ())
            if alone == _OLDER and its_own:  # the log of another file of this name
                keep_side_files(path)
                return
    finally:
        claim.give_back()
    if standing == _OLDER:
        return
    elsewhere = _("It was left as it is; choose another folder, or a name: FOLDER/NAME.night.")
    message, hint = {
        _DAMAGED: (_("{path} is damaged, and no backup is written over it."), elsewhere),
        _AHEAD: (
            _("{path} has {count} entries, this night only the first {ours} of them."),
            _("The night has lost its end: tableside verify says more. The copy was left as it is."),
        ),
        _DIFFERS: (
            _("{path} tells this night in another way: one of the two was written anew."),
            _("The copy was left as it is; choose another name, and compare with the paper slips."),
        ),
        _OTHER: (_("{path} holds another night ({count} entries)."), elsewhere),
    }[standing]
    raise OtherCopy(message.format(path=path, count=entries, ours=night.head[0]), hint)


def _standing_of(night: NightStore, path: Path, beside: Iterable[str]) -> tuple[str, int]:
    """How a copy stands to a night, and its entries; read from a copy of the copy, which stays as it is."""
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        lent = Path(folder) / path.name
        for side in ("", *beside):
            shutil.copyfile(path.with_name(path.name + side), lent.with_name(lent.name + side))
        ours, our_head = night.head
        try:
            with open_night(lent, read_only=True) as copy:
                entries, head = copy.head
                first, at_our_end = copy.hash_at(1), copy.hash_at(ours)
        except NightDamaged:
            return _DAMAGED, 0  # said as of the night itself, it would send the dealer to a backup
    if not entries or night.hash_at(entries) == head:
        return _OLDER, entries
    if 0 < ours < entries and at_our_end == our_head:
        return _AHEAD, entries
    return (_DIFFERS if first == night.hash_at(1) else _OTHER), entries


def part_of(path: Path) -> Path:
    """Return where a copy is written until it is whole; what an earlier try left there is removed.

    Raises:
        OSError: It can't be removed.
    """
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    remove_side_files(part)
    return part


def put_in_place(part: Path, path: Path) -> None:
    """Give a copy that is whole its name, instead of an older one.

    Raises:
        OSError: It can't be moved.
    """
    remove_side_files(path)
    os.replace(part, path)
    sync_folder(path.parent)
