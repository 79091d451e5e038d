"""Reads files for `tableside read`: pictures, folders of pictures and videos, as plain records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NotRequired, TypedDict


class CardRecord(TypedDict):
    """A card that was read: ``QH``, 0 to 1, four corners clockwise from its top left in pixels."""

    card: str
    confidence: float
    outline: list[list[float]]


class UnsureRecord(TypedDict):
    """A card that was found but not named safely; candidates best first."""

    candidates: list[tuple[str, float]]
    confidence: float
    outline: list[list[float]]
    reason: str


class ReadRecord(TypedDict):
    """One picture, or one moment of a video at which a card became certain (`frame`, `time_s`)."""

    file: str
    cards: list[CardRecord]
    unsure: list[UnsureRecord]
    reason: str
    frame: NotRequired[int]
    time_s: NotRequired[float]


def read_files(paths: Iterable[Path]) -> Iterator[ReadRecord]:
    """Read pictures, folders (their pictures by name) and videos.

    Raises:
        PictureUnreadable: Nothing is there, or it is no picture and no video.
        CameraLibraryMissing: OpenCV can't be loaded.
    """
    yield from ()
