"""Options that may stand before and behind a command, and what is said where a command has no use for one.

Before the command they are given for whatever comes; behind it they must not undo the one before it.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.commands.output import UsageError
from assistant.config import LANGUAGES, house_folder
from assistant.errors import AssistantError
from assistant.i18n import SOURCE_LANGUAGE

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

OF_THE_CONSOLE = {
    "sources": "--source: it is for the console. Other commands are given a source without it.",
    "open_night": "--night: it is for the console. Other commands are given a night without it.",
    "new_night": "--new: it is for the console.",
    "copies": "--copies: it is for the console and for commands that read stored nights.",
}
"""What not every command takes, by its name among the options, and whose it is."""
WITH_COPIES = frozenset("nights verify backup recover export print season people".split())
"""Commands that look at the copies of the nights, which alone show a cut-off end."""


def add_shared(parser: ArgumentParser, default: str | None = argparse.SUPPRESS) -> None:
    """Add ``--house`` and ``--language``, which every command takes (one that needs none may be given it)."""
    parser.add_argument(
        "--house",
        type=folder,
        metavar="FOLDER",
        default=default,
        help="house folder (else the platform's data folder)",
    )
    parser.add_argument(
        "--language",
        choices=LANGUAGES,
        default=default,
        help="of screens, slips and sentences about the game (else English; a stored night's slips: its own)",
    )


def add_copies(parser: ArgumentParser, default: str | None = argparse.SUPPRESS) -> None:
    """Add ``--copies``."""
    where = "where copies of the nights lie (else as house.toml says)"
    parser.add_argument("--copies", type=folder, metavar="FOLDER", default=default, help=where)


def add_console(parser: ArgumentParser) -> None:
    """Add what is for the console alone; commands have a NIGHT and a SOURCE of their own, hence the names."""
    parser.add_argument(
        "--source",
        dest="sources",
        action="append",
        default=[],
        metavar="SOURCE",
        help="a card source, e.g. camera:0",
    )
    parser.add_argument("--night", dest="open_night", metavar="NIGHT", help="open this stored night")
    parser.add_argument(
        "--new", dest="new_night", action="store_true", help="begin a new night even if one is open"
    )


def folder(text: str) -> Path:
    """A folder that was named; nothing is no name (it would mean the current folder)."""
    if not text.strip():
        raise argparse.ArgumentTypeError("the name of the folder is empty")
    return Path(text)


def refuse_strangers(options: Namespace) -> None:
    """Say which option before the command this command has no use for, rather than not to heed it.

    Raises:
        UsageError: There is one.
    """
    if options.command is None:
        return
    for name, whose in OF_THE_CONSOLE.items():
        is_given = getattr(options, name) not in (None, [], False)
        if is_given and not (name == "copies" and options.command in WITH_COPIES):
            raise UsageError(f"{options.command} takes no {whose}")


def language_of(options: Namespace) -> str:
    """The language that is spoken, that of the house where none is named; what a script reads is English
    whatever the language."""
    if getattr(options, "json", False) or getattr(options, "trace", False):
        return SOURCE_LANGUAGE
    if options.language is not None:
        return str(options.language)
    try:
        return house_folder(options.house).language or SOURCE_LANGUAGE
    except AssistantError:  # whoever needs the house says what is wrong with it
        return SOURCE_LANGUAGE
