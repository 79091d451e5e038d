"""Reads files for `tableside read`: pictures, folders of pictures and videos, as plain records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NotRequired, TypedDict

from calibration.errors import PictureUnreadable

if TYPE_CHECKING:
    from calibration.deck import DeckProfile
    from calibration.frames import Image
    from calibration.recogniser import Reading, Recogniser, SeenCard

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
    """One picture, or one moment of a video at which something became certain (`frame`, `time_s`).

    `annotated` is the picture with outlines and names drawn in, where one was asked for.
    """

    file: str
    cards: list[CardRecord]
    unsure: list[UnsureRecord]
    reason: str
    frame: NotRequired[int]
    time_s: NotRequired[float]
    annotated: NotRequired[str]


def read_files(
    paths: Iterable[Path], annotate: Path | None = None, deck: DeckProfile | None = None
) -> Iterator[ReadRecord]:
    """Read pictures, folders (their pictures by name) and videos.

    Args:
        paths: What to read.
        annotate: A folder for the pictures with outlines and names drawn in; it is made if it isn't there.
        deck: The deck in the pictures, if it was shown before; without it more cards are unsure.

    Raises:
        PictureUnreadable: Nothing is there, it is no picture and no video, or `annotate` can't be written.
        CameraLibraryMissing: OpenCV can't be loaded.
    """
    from calibration.recogniser import Recogniser  # loads OpenCV, so only once something is to be read

    recogniser = Recogniser(deck=deck)
    drawer = _Drawer(annotate)
    for path in paths:
        if path.is_dir():
            for picture in pictures_in(path):
                yield _read_picture(picture, recogniser, drawer)
        elif path.suffix.lower() in VIDEO_ENDINGS:
            yield from _read_video(path, recogniser, drawer)
        else:
            yield _read_picture(path, recogniser, drawer)


class _Drawer:
    """Writes annotated pictures into a folder, or does nothing; never over one of the same run, nor over one
    that lies among those that are read."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._written: set[Path] = set()
        if folder is None:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PictureUnreadable(
                f"{folder} can't be made ({error.strerror or error}).",
                "Name a folder for --annotate that can be written.",
            ) from error

    def draw(self, record: ReadRecord, image: Image, reading: Reading, stem: str) -> ReadRecord:
        """Write the picture; the record says where it lies."""
        if self._folder is None:
            return record
        from assistant.targets import check_target
        from calibration.annotate import annotated
        from calibration.pixels import save_picture

        path, count = self._folder / f"{stem}.png", 1
        is_among_sources = Path(record["file"]).resolve().parent == self._folder.resolve()
        while path in self._written or (is_among_sources and path.exists()):
            count += 1
            path = self._folder / f"{stem}-{count}.png"
        self._written.add(path)
        check_target(path)
        save_picture(path, annotated(image, reading))
        record["annotated"] = str(path)
        return record


def pictures_in(folder: Path) -> list[Path]:
    """The pictures of a folder by name.

    Raises:
        PictureUnreadable: There is none.
    """
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURE_ENDINGS)
    if not found:
        raise PictureUnreadable(f"{folder} holds no picture.", "Give a folder with .jpg or .png files.")
    return found


def _read_picture(path: Path, recogniser: Recogniser, drawer: _Drawer) -> ReadRecord:
    from calibration.pixels import load_picture

    image = load_picture(path)
    reading = recogniser.read(image)
    record = ReadRecord(
        file=str(path),
        cards=[_card_record(seen) for seen in reading.cards],
        unsure=[_unsure_record(seen) for seen in reading.unsure],
        reason=reading.reason,
    )
    return drawer.draw(record, image, reading, path.stem)


def _read_video(path: Path, recogniser: Recogniser, drawer: _Drawer) -> Iterator[ReadRecord]:
    from calibration.recogniser import CardAsked, CardSighted, Reading
    from calibration.recogniser.watch import sightings
    from calibration.video import video_frames

    for frame, seen in sightings(video_frames(path), recogniser):
        cards = tuple(one.seen for one in seen if isinstance(one, CardSighted))
        unsure = tuple(one.seen for one in seen if isinstance(one, CardAsked))
        if not cards and not unsure:
            continue
        record = ReadRecord(
            file=str(path),
            cards=[_card_record(one) for one in cards],
            unsure=[_unsure_record(one) for one in unsure],
            reason="",
            frame=frame.number,
            time_s=round(frame.time_s, 3),
        )
        yield drawer.draw(record, frame.image, Reading(cards, unsure), f"{path.stem}-{frame.number:06}")


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
