"""A night's file, and the night open in it, for the tests of this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.store.sqlite import SqliteNight, create_night


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "2026-11-28-1.night"


@pytest.fixture
def night(path: Path) -> Iterator[SqliteNight]:
    with create_night(path) as store:
        yield store
