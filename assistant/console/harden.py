"""Makes the terminal input of Textual 8.2.8 survive whatever a terminal sends.

Unpatched, one invalid UTF-8 byte (a mouse report after reattaching tmux) or one odd key sequence ends
the program in the middle of a round (textualize/textual issues 6456, 6668; the fix is not released). Only
this file touches Textual's private names; `tests/console/test_harden.py` notices when they move.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual import events
    from textual._xterm_parser import XTermParser

ESCAPE = "\x1b"
# Without the Kitty protocol the keypad sends plain + - / * and no terminal needs a special table.
KITTY_SWITCH = "TEXTUAL_DISABLE_KITTY_KEY"


def before_import() -> None:
    """Set what Textual reads from the environment; call before anything imports it."""
    os.environ.setdefault(KITTY_SWITCH, "1")


def harden_input() -> None:
    """Replace bytes that are no text by a sign, drop key sequences without sense, know Alt and a number.

    Twice does no harm.
    """
    from textual._xterm_parser import XTermParser

    _decode_leniently()
    original: Callable[[XTermParser, str], list[events.Key] | None] = XTermParser._parse_extended_key
    if getattr(original, "is_hardened", False):
        return

    def parse(self: XTermParser, sequence: str) -> list[events.Key] | None:
        try:
            return original(self, sequence)
        except (ValueError, OverflowError):
            return []

    parse.is_hardened = True  # type: ignore[attr-defined]
    XTermParser._parse_extended_key = parse  # type: ignore[assignment]
    _know_alt_numbers(XTermParser)


def _know_alt_numbers(parser: type[XTermParser]) -> None:
    """Textual's table has what a terminal sends for Alt+1 as the "¡" of a Mac keyboard."""
    from textual import events

    original: Callable[[XTermParser, str, bool], Iterable[events.Key]] = parser._sequence_to_key_events

    def keys_of(self: XTermParser, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        if len(sequence) == 2 and sequence[0] == ESCAPE and sequence[1] in "0123456789":
            return (events.Key(f"alt+{sequence[1]}", None),)
        return original(self, sequence, alt)

    parser._sequence_to_key_events = keys_of  # type: ignore[method-assign]


def _decode_leniently() -> None:
    try:
        from textual.drivers import linux_driver
    except ImportError:  # Windows: its driver hands over characters, not bytes
        return

    def decoder(encoding: str) -> Callable[[], codecs.IncrementalDecoder]:
        return lambda: codecs.getincrementaldecoder(encoding)(errors="replace")

    linux_driver.getincrementaldecoder = decoder  # type: ignore[assignment,attr-defined]
