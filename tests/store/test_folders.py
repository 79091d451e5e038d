"""Facts of watching a night's folder."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from assistant.store import folders
from assistant.store.folders import LOOKS, FolderWatch

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="there every folder is looked through each time"
)


@pytest.fixture
def old_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which nothing has changed for long."""
    monkeypatch.setattr(folders, "SETTLED_NS", 20_000_000)
    folder = tmp_path / "nights"
    folder.mkdir()
    (folder / "one.night").touch()
    time.sleep(0.05)
    return folder


def looked(folder: Path) -> FolderWatch:
    watch = FolderWatch(folder)
    assert not watch.is_unchanged()  # nobody has looked yet
    watch.looked_through()
    return watch


def test_folder_in_which_nothing_changes_is_looked_through_every_sixteenth_time(old_folder: Path) -> None:
    watch = looked(old_folder)
    assert [watch.is_unchanged() for _ in range(LOOKS)] == [True] * LOOKS
    assert not watch.is_unchanged()


@pytest.mark.parametrize(
    "change", ["deleted", "renamed", "replaced", "made", "played back", "folder renamed"]
)
def test_change_in_a_folder_is_seen(old_folder: Path, change: str) -> None:
    watch = looked(old_folder)
    night, other = old_folder / "one.night", old_folder.parent / "other"
    other.touch()
    match change:
        case "deleted":
            night.unlink()
        case "renamed":
            night.rename(old_folder / "two.night")
        case "replaced":
            other.replace(night)
        case "made":
            (old_folder / "two.night").touch()
        case "played back":  # as `cp -a` and `tar` do: the file is another one, the folder's time as before
            before = old_folder.stat()
            other.replace(night)
            os.utime(old_folder, ns=(before.st_atime_ns, before.st_mtime_ns))
        case _:
            old_folder.rename(old_folder.parent / "gone")
    assert not watch.is_unchanged()


def test_folder_that_has_just_changed_is_not_relied_on(tmp_path: Path) -> None:
    """Two changes within one step of the clock leave the same time."""
    (tmp_path / "one.night").touch()
    watch = looked(tmp_path)
    assert not watch.is_unchanged()


def test_folder_in_which_something_was_missing_is_not_relied_on(old_folder: Path) -> None:
    watch = looked(old_folder)
    (old_folder / "one.night").unlink()
    time.sleep(0.05)
    assert not watch.is_unchanged()
    assert not watch.is_unchanged()  # nobody said that it was looked through
