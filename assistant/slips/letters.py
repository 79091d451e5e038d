"""Letters for printers that have few: every letter becomes one the printer has, or a question mark.

What replaces a letter takes as many columns as the letter did, so that a slip keeps its columns.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from assistant.i18n import language
from assistant.slips.layout import cells

SUBSTITUTE = "?"
_SUITS = {"en": dict(zip("♠♥♦♣", "shdc", strict=True)), "ru": dict(zip("♠♥♦♣", "пчбт", strict=True))}
_LIKE = str.maketrans(
    "–—−‐‑‒“”„«»‘’‚`…•·×₽€£¥₴№ŁłØøĐđÞþßÆæŒœıĿŀҐґІі",
    '------"""""\'\'\'\'.**xрELYгNLlOoDdTtsAaOoiLlГгIi',
)
"""One letter for one letter, where taking marks off doesn't help."""


def in_letters_of(text: str, has: Callable[[str], bool]) -> str:
    """Return text in the letters a printer has.

    Args:
        text: Lines of a slip; line ends are kept.
        has: Says whether the printer has a letter.
    """
    return "".join(_nearest(char, has) for char in unicodedata.normalize("NFC", text))


def has_cp866(char: str) -> bool:
    """Whether code page 866 has a letter; no control character counts as one."""
    try:
        return char.encode("cp866") >= b" " and char != "\x7f"
    except UnicodeEncodeError:
        return False


def _nearest(char: str, has: Callable[[str], bool]) -> str:
    if char == "\n" or has(char):
        return char
    suit = _SUITS.get(language(), _SUITS["en"]).get(char)
    bare = unicodedata.normalize("NFKD", char)[:1]
    for other in (suit, char.translate(_LIKE), bare, bare.translate(_LIKE)):
        if other and has(other) and cells(other) == cells(char):
            return other
    return SUBSTITUTE * cells(char)
