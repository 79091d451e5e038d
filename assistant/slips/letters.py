"""Letters for printers that have few: each one becomes letters the printer has, or a question mark.

`spelled` rewrites a slip's texts before they are laid out, so 李雷 may become the longer LiLei. What is still
left when lines are made is replaced column by column.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from assistant.i18n import language
from assistant.slips.layout import cells

SUBSTITUTE = "?"
_SIGNS: dict[str, dict[str, str]] = {
    "en": dict(zip("♠♥♦♣", "shdc", strict=True)),
    "ru": {**dict(zip("♠♥♦♣", "пчбт", strict=True)), "₽": "руб."},
}
"""Letters that stand for signs in each language."""
_LIKE = str.maketrans({**dict(zip("ҐґІі−×", "ГгIi-x", strict=True)), "ẞ": "SS"})
"""What looks the same is nearer than what sounds the same; a capital stays one."""
_ACCENTS = range(0x300, 0x370)
"""Marks over and under the letter before; where the printer lacks them the letter alone is read best."""

T = TypeVar("T")
Has = Callable[[str], bool]


def has_cp866(char: str) -> bool:
    """Whether code page 866 has a letter; no control character counts as one."""
    try:
        return char.encode("cp866") >= b" " and char != "\x7f"
    except UnicodeEncodeError:
        return False


def spelled(content: T, has: Has) -> T:
    """Return a slip (or part of one) with its texts in a printer's letters.

    Two texts that differ stay different: one that would read like another gets a number. A text that the
    printer has every letter of stays as it is, wherever it stands.

    Args:
        content: A frozen dataclass, tuple, text or number.
        has: Says whether the printer has a letter.
    """
    found: T = _Speller(has, content).spell(content)
    return found


def in_letters_of(text: str, has: Has) -> str:
    """Return lines in a printer's letters; what replaces a letter takes as many columns as it did.

    Args:
        text: Lines of a slip; line ends are kept.
        has: Says whether the printer has a letter.
    """
    return "".join(
        char if char == "\n" or has(char) else _as_wide(char, has)
        for char in unicodedata.normalize("NFC", text)
    )


class _Speller:
    """Spells every text of a slip, the same one always the same way."""

    def __init__(self, has: Has, content: Any) -> None:
        self._has = has
        self._known = {text: text for text in _texts(content) if self._in_letters(text) == text}

    def spell(self, value: Any) -> Any:
        if isinstance(value, str):
            if value not in self._known:
                self._known[value] = self._new(value)
            return self._known[value]
        if isinstance(value, tuple | frozenset):
            return type(value)(map(self.spell, value))
        if is_dataclass(value) and not isinstance(value, type):
            return replace(value, **{one.name: self.spell(getattr(value, one.name)) for one in fields(value)})
        return value

    def _new(self, text: str) -> str:
        shown = self._in_letters(text)
        taken = set(self._known.values())
        numbered, number = shown, 1
        while numbered in taken:
            number += 1
            numbered = f"{shown} {number}"
        return numbered

    def _in_letters(self, text: str) -> str:
        return "".join(
            char if self._has(char) else _nearest(char, self._has)
            for char in unicodedata.normalize("NFC", text)
            if self._has(char) or ord(char) not in _ACCENTS
        )


def _texts(value: Any) -> Iterator[str]:
    """Every text of a slip."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | frozenset):
        for part in value:
            yield from _texts(part)
    elif is_dataclass(value) and not isinstance(value, type):
        for one in fields(value):
            yield from _texts(getattr(value, one.name))


def _nearest(char: str, has: Has) -> str:
    """Letters for one that is lacking: a suit's, one that looks alike, one that sounds alike."""
    from anyascii import anyascii

    if char.isspace() or not char.isprintable():
        return char  # the layout deals with it
    for other in (_SIGNS.get(language(), _SIGNS["en"]).get(char), char.translate(_LIKE), anyascii(char)):
        if other is not None and other != char and all(map(has, other)):
            return other
    return SUBSTITUTE


def _as_wide(char: str, has: Has) -> str:
    other = _nearest(char, has)
    return other.ljust(cells(char))[: cells(char)] if all(map(has, other)) else SUBSTITUTE * cells(char)
