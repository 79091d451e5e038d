"""What the launcher says of a program that a signal ended: the program itself can't say it any more."""

from __future__ import annotations

import argparse

from assistant.commands.shared_options import add_shared
from assistant.config import house_folder
from assistant.i18n import SOURCE_LANGUAGE, _, speaking


def sentence(signal: str, *arguments: str) -> str:
    """Say what ended the program, in the language that it spoke with these arguments."""
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    add_shared(parser, None)
    options, _others = parser.parse_known_args(arguments)
    language = options.language or house_folder(options.house).language or SOURCE_LANGUAGE
    with speaking(language):
        return _(
            "Tableside was ended by {signal}. What it had accepted is saved; start it again to go on."
        ).format(signal=signal)
