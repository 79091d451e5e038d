"""Reads files for `tableside read`: pictures, folders of pictures and videos, as plain records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NotRequired, TypedDict

from calibration.errors import PictureUnreadable

if TYPE_CHECKING:
    from calibration.recogniser import Recogniser, SeenCard

PICTURE_ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
VIDEO_ENDINGS = frozenset({".mp4", ".avi", ".mov", ".mkv", ".webm", ".mjpeg", ".mjpg", ".m4v"})


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
    """One picture, or one moment of a video at which something became certain (`frame`, `time_s`)."""

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
    from calibration.recogniser import Recogniser  # loads OpenCV, so only once something is to be read

    recogniser = Recogniser()
    for path in paths:
        if path.is_dir():
            for picture in pictures_in(path):
                yield _read_picture(picture, recogniser)
        elif path.suffix.lower() in VIDEO_ENDINGS:
            yield from _read_video(path, recogniser)
        else:
            yield _read_picture(path, recogniser)


def pictures_in(folder: Path) -> list[Path]:
    """The pictures of a folder by name.

    Raises:
        PictureUnreadable: There is none.
    """
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURE_ENDINGS)
    if not found:
        raise PictureUnreadable(f"{folder} holds no picture.", "Give a folder with .jpg or .png files.")
    return found


def _read_picture(path: Path, recogniser: Recogniser) -> ReadRecord:
    from calibration.pixels import load_picture

    reading = recogniser.read(load_picture(path))
    return ReadRecord(
        file=str(path),
        cards=[_card_record(seen) for seen in reading.cards],
        unsure=[_unsure_record(seen) for seen in reading.unsure],
        reason=reading.reason,
    )


def _read_video(path: Path, recogniser: Recogniser) -> Iterator[ReadRecord]:
    from calibration.recogniser import CardAsked, CardSighted
    from calibration.recogniser.watch import sightings
    from calibration.video import video_frames

    for frame, seen in sightings(video_frames(path), recogniser):
        record = ReadRecord(
            file=str(path),
            cards=[_card_record(one.seen) for one in seen if isinstance(one, CardSighted)],
            unsure=[_unsure_record(one.seen) for one in seen if isinstance(one, CardAsked)],
            reason="",
            frame=frame.number,
            time_s=round(frame.time_s, 3),
        )
        if record["cards"] or record["unsure"]:
            yield record


def _card_record(seen: SeenCard) -> CardRecord:
    return CardRecord(card=str(seen.card), confidence=round(seen.confidence, 4), outline=_corners(seen))


def _unsure_record(seen: SeenCard) -> UnsureRecord:
    return UnsureRecord(
        candidates=[(str(card), round(share, 4)) for card, share in seen.candidates],
        confidence=round(seen.confidence, 4),
        outline=_corners(seen),
        reason=seen.reason,
    )


def _corners(seen: SeenCard) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in seen.outline]
