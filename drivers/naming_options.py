"""The options ``deck=NAME`` and ``map=FILE`` of a source that reads tags."""

from __future__ import annotations

from pathlib import Path

from assistant.config import house_folder
from drivers.base import BadSource
from drivers.codecs.formats import FORMATS
from drivers.deckmap import open_decks
from drivers.naming import TagNamer
from drivers.spec import OptionReader


def read_namer(options: OptionReader, format: str, house: Path | None) -> TagNamer:
    """Return what names the tags of a source.

    Args:
        options: Its options; `deck` and `map` are read here.
        format: Its format; empty where only a recording knows.
        house: The house folder; None for the platform's own.

    Raises:
        BadSource: The format names cards itself.
        BadDeck: There is no such deck, or it can't be read.
    """
    names, file = options.text("deck"), options.text("map")
    if not names and not file:
        return TagNamer()
    if format and FORMATS[format].wire is None:
        raise BadSource(
            f"Format {format} names the cards itself; it takes no deck.", "Leave deck= and map= out."
        )
    decks = open_decks(house_folder(house).decks, names, file, format)
    return TagNamer(decks, is_code=bool(format) and FORMATS[format].is_printed)
