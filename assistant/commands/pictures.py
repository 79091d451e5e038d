"""The command `read`: what the reader sees in pictures, folders and videos, and a picture that shows it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.commands.output import OK, print_json

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from calibration.deck import DeckProfile
    from calibration.reading import ReadRecord


def add_read(commands: _SubParsersAction[Any]) -> None:
    """Add the command."""
    read = commands.add_parser("read", help="read the cards in pictures, folders or videos")
    read.add_argument("files", nargs="+", type=Path, metavar="FILE")
    read.add_argument("--json", action="store_true")
    read.add_argument(
        "--annotate", type=Path, metavar="FOLDER", help="write the pictures with outlines and names there"
    )
    read.add_argument("--deck", metavar="NAME", help="the deck in them, shown before with calibrate deck")
    read.set_defaults(run=_read)


def _read(options: argparse.Namespace) -> int:
    from calibration.reading import read_files

    for record in read_files(options.files, options.annotate, _deck(options)):
        if options.json:
            print_json(record)
        else:
            print("  ".join(_words(record)), flush=True)
    return OK


def _deck(options: argparse.Namespace) -> DeckProfile | None:
    if options.deck is None:
        return None
    from assistant.config import house_folder
    from calibration.deck_files import load_deck_looks
    from drivers.decks import checked_name

    return load_deck_looks(house_folder(options.house).decks / checked_name(options.deck))


def _words(record: ReadRecord) -> Iterator[str]:
    """The cards, those that would be asked about and why, why nothing was found, where it is drawn."""
    at = f" at {record['time_s']:.1f} s" if "time_s" in record else ""
    yield f"{record['file']}{at}: {' '.join(card['card'] for card in record['cards']) or '-'}"
    for one in record["unsure"]:
        guesses = "/".join(card for card, _share in one["candidates"]) or "?"
        yield f"(unsure: {guesses}, {one['reason'].replace('_', ' ')})"
    if record["reason"]:
        yield f"({record['reason'].replace('_', ' ')})"
    if "annotated" in record:
        yield f"-> {record['annotated']}"
