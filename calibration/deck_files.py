"""A shown deck in the house folder: `decks/NAME/looks/` holds a picture of every look.

The pictures are the truth: one that was taken badly may be deleted, or another put beside it by hand.
"""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from datetime import datetime
from pathlib import Path

from assistant.cards import parse_card
from assistant.errors import Refusal
from calibration.deck import CardLook, DeckProfile
from calibration.errors import CalibrationError, PictureUnreadable, ProfileUnreadable
from calibration.pixels import load_picture, save_picture
from calibration.syncing import sync_file, sync_folder

LOOKS, BEFORE, ABOUT = "looks", "looks.bak", "looks.toml"
VERSION = 1
OTHER = "other"
"""The file name of a joker, a blank or the back."""
_FILE = re.compile(r"(?P<card>[0-9A-Z]{2}|other)-[0-9]+")


def save_deck_looks(folder: Path, deck: DeckProfile, made: datetime) -> Path:
    """Write the pictures of a deck whole, then put them in the place of earlier ones.

    Raises:
        ProfileUnreadable: They can't be written.
    """
    part, place = folder / f"{LOOKS}.part", folder / LOOKS
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        counted: dict[str, int] = {}
        for look in deck.looks:
            word = str(look.card) if look.card is not None else OTHER
            counted[word] = counted.get(word, 0) + 1
            save_picture(part / f"{word}-{counted[word]}.jpg", look.crop)
        cards = " ".join(str(card) for card in deck.cards)
        about = f'version = {VERSION}\nmade = "{made.isoformat(timespec="seconds")}"\ncards = "{cards}"\n'
        (part / ABOUT).write_text(about, encoding="utf-8")
        for file in part.iterdir():
            sync_file(file)
        sync_folder(part)
        if place.exists():
            shutil.rmtree(folder / BEFORE, ignore_errors=True)
            os.replace(place, folder / BEFORE)
        os.replace(part, place)
        sync_folder(folder)
    except (OSError, CalibrationError) as error:
        raise ProfileUnreadable(
            f"{place} can't be written ({getattr(error, 'strerror', None) or error}).",
            "Check the house folder.",
        ) from error
    return place


def load_deck_looks(folder: Path) -> DeckProfile:
    """Read a deck that was shown.

    Args:
        folder: ``decks/NAME``.

    Raises:
        ProfileUnreadable: It was never shown, or its files are damaged.
    """
    place = _place(folder)
    if not place.is_dir():
        raise ProfileUnreadable(
            f"Deck {folder.name} was not shown to a camera yet.", "Show it: tableside calibrate deck."
        )
    try:
        about = tomllib.loads((place / ABOUT).read_text(encoding="utf-8"))
        cards = tuple(parse_card(word) for word in str(about["cards"]).split())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, Refusal) as error:
        raise ProfileUnreadable(f"{place / ABOUT} is damaged: {error}.", "Show the deck again.") from error
    looks = []
    for path in sorted(place.glob("*.jpg")):
        found = _FILE.fullmatch(path.stem)
        if found is not None:
            looks.append(_look(path, found["card"]))
    return DeckProfile(folder.name, tuple(looks), cards)


def is_shown(folder: Path) -> bool:
    """Whether a deck was shown to a camera."""
    return _place(folder).is_dir()


def shown_at(folder: Path) -> datetime | None:
    """When a deck was shown to a camera; None if it never was, or nobody can tell."""
    try:
        about = tomllib.loads((_place(folder) / ABOUT).read_text(encoding="utf-8"))
        made = datetime.fromisoformat(str(about["made"]))
    except (OSError, ValueError, KeyError):
        return None
    return made if made.tzinfo else made.astimezone()


def _place(folder: Path) -> Path:
    """Where the pictures lie: a power cut while they were replaced leaves only those from before."""
    place, before = folder / LOOKS, folder / BEFORE
    return before if before.is_dir() and not place.is_dir() else place


def _look(path: Path, word: str) -> CardLook:
    try:
        return CardLook(None if word == OTHER else parse_card(word), load_picture(path))
    except Refusal as error:
        raise ProfileUnreadable(
            f"{path} is named after no card.", "Name it such as QH-1.jpg or other-1.jpg, or delete it."
        ) from error
    except PictureUnreadable as error:
        raise ProfileUnreadable(error.message, "Delete it, or show the deck again.") from error
