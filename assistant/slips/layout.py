"""Lines of a given width, counted in cells: a Chinese letter takes two, a combining mark none.

Everything that people typed goes through `plain` before it is laid out, so that no control character reaches
a printer or a terminal, whatever came through the door before.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from wcwidth import wcwidth

CUT_MARK = "~"
_SUBSTITUTE = "?"


def plain(text: str) -> str:
    """Return text without anything that is not a visible letter, mark or blank."""
    return "".join(map(_plain_char, text))


def cells(text: str) -> int:
    """Return how many columns a text takes."""
    return sum(map(_cells_of, text))


def cut(text: str, width: int) -> str:
    """Return a text that takes at most `width` columns; a shortened one ends with `CUT_MARK`."""
    if cells(text) <= width:
        return text
    return _head(text, width - 1).rstrip() + CUT_MARK if width > 0 else ""


def left(text: str, width: int) -> str:
    """Return a text at the left of a field, cut to it."""
    short = cut(text, width)
    return short + " " * (width - cells(short))


def right(text: str, width: int) -> str:
    """Return a text at the right of a field; amounts are never cut, the caller sees to the room."""
    return " " * (width - cells(text)) + text


def centre(text: str, width: int) -> str:
    """Return a text in the middle of a line, cut to it."""
    short = cut(text, width)
    return " " * ((width - cells(short)) // 2) + short


def ends(first: str, last: str, width: int) -> str:
    """Return a line with one text at each end; the first gives way."""
    return left(first, width - cells(last) - 1) + " " + last


def wrap(text: str, width: int) -> list[str]:
    """Return a sentence as lines, broken at blanks; a word longer than a line where the line ends."""
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".lstrip()
        if cells(joined) <= width:
            lines[-1] = joined
            continue
        lines += _pieces(word, width)
    return [line for line in lines if line]


def page(lines: Iterable[str]) -> str:
    """Return lines as the text of a slip: no blanks at their ends, a line end after the last.

    Whatever a slip forgot to make `plain` is made so here; a control character never gets out.
    """
    return "".join(f"{plain(line).rstrip()}\n" for line in lines)


def _plain_char(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Zs":
        return " "
    if category.startswith("C") or category in ("Zl", "Zp") or wcwidth(char) < 0:
        return _SUBSTITUTE
    return char


def _cells_of(char: str) -> int:
    return max(wcwidth(char), 0)


def _head(text: str, width: int) -> str:
    """The beginning of a text that fits, with the marks that belong to its last letter."""
    taken, end = 0, 0
    for char in text:
        taken += _cells_of(char)
        if taken > width:
            break
        end += 1
    return text[:end]


def _pieces(word: str, width: int) -> list[str]:
    pieces = []
    while cells(word) > width:
        piece = _head(word, width) or word[:1]
        pieces.append(piece)
        word = word[len(piece) :]
    return [*pieces, word]
