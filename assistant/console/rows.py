"""Rows of the screen: the one way text becomes something Textual draws.

Names, notes and whatever a device sent are text and never markup: every row is a `Content` built here
from plain strings and style names. `clean` drops what a terminal would obey (escapes, direction marks).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from rich.cells import cell_len
from textual.content import Content

from assistant.i18n import _

T = TypeVar("T")
Part = str | tuple[str, str] | Content
Rows = list[Content]

_COMMANDS = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Emoji form of a suit sign: two cells for some programs and one for others, so it is dropped.
_EMOJI_SELECTOR = "\ufe0f"
ELLIPSIS = "…"


def clean(text: str) -> str:
    """Return the text without characters a terminal would obey instead of showing."""
    if text.isascii() and text.isprintable():
        return text
    kept = (char for char in text if unicodedata.category(char) not in _COMMANDS and char != _EMOJI_SELECTOR)
    return "".join(kept)


def row(*parts: Part) -> Content:
    """Join plain texts, (text, style) pairs and contents to one row."""
    return Content.assemble(*(_cleaned(part) for part in parts))


def _cleaned(part: Part) -> Part:
    if isinstance(part, str):
        return clean(part)
    if isinstance(part, tuple):
        return clean(part[0]), part[1]
    return part


EMPTY = Content("")


def cells(text: str) -> int:
    """Columns a text takes."""
    return cell_len(clean(text))


def fit(text: str, width: int) -> str:
    """Cut a text to a number of columns (with an ellipsis) and fill it up with blanks."""
    text = clean(text)
    if cell_len(text) > width:
        text = cut(text, width)
    return text + " " * (width - cell_len(text))


def cut(text: str, width: int) -> str:
    """Cut a text to at most a number of columns; what is missing shows as an ellipsis."""
    text = clean(text)
    if cell_len(text) <= width:
        return text
    if width <= 0:
        return ""
    kept, used = [], 0
    for char in text:
        used += cell_len(char)
        if used > width - 1:
            break
        kept.append(char)
    return "".join(kept) + ELLIPSIS


def right(text: str, width: int) -> str:
    """A text at the right edge of a number of columns."""
    text = cut(text, width)
    return " " * (width - cell_len(text)) + text


def ends(left: Content, tail: Content, width: int) -> Content:
    """One row with something at both ends; the left part is cut when they don't both fit."""
    room = max(0, width - tail.cell_length)
    return Content.assemble(left.truncate(room, ellipsis=True, pad=True), tail)


def beside(left: Sequence[Content], left_width: int, others: Sequence[Content]) -> Rows:
    """Put two blocks of rows side by side."""
    height = max(len(left), len(others))
    filled = [*left, *[EMPTY] * (height - len(left))]
    tail = [*others, *[EMPTY] * (height - len(others))]
    return [Content.assemble(a.truncate(left_width, pad=True), b) for a, b in zip(filled, tail, strict=True)]


def window(items: Sequence[T], chosen: int, room: int, draw: Callable[[int, T], Content]) -> Rows:
    """The part of a list that holds the chosen item; what does not fit is counted in the last row.

    Args:
        items: The whole list.
        chosen: Place of the item that must be seen.
        room: Rows there are.
        draw: The row of a place and its item; asked only for what is shown.
    """
    shown = _shown(len(items), room)
    first = max(0, min(chosen - shown + 1, len(items) - shown))
    rows = [draw(place, item) for place, item in enumerate(items[first : first + shown], first)]
    return [*rows, *_more(first, shown, len(items), room)]


def page(lines: Sequence[Content], top: int, room: int) -> tuple[Rows, int]:
    """The part of a text from a line on, marked as `window` marks a list; and where it really begins."""
    shown = _shown(len(lines), room)
    first = max(0, min(top, len(lines) - shown))
    return [*lines[first : first + shown], *_more(first, shown, len(lines), room)], first


def _shown(count: int, room: int) -> int:
    """Lines that are shown of so many: where they don't all fit, one row is left for the mark."""
    return max(0, room if count <= room or room < 2 else room - 1)


def _more(first: int, shown: int, count: int, room: int) -> Rows:
    """The mark that there is more above or below."""
    below = count - first - shown
    if room < 2 or not (first or below > 0):
        return []
    above = _("↑ {count} more").format(count=first) if first else ""
    more = _("↓ {count} more").format(count=below) if below > 0 else ""
    return [row(("   " + "   ".join(filter(None, (above, more))), "$quiet"))]


def wrap(text: str, width: int) -> list[str]:
    """Break a sentence at blanks into lines of at most `width` columns; a longer word is broken."""
    lines: list[str] = []
    line = ""
    for word in _short_words(text, width):
        if line and cell_len(line) + 1 + cell_len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line] if line or not lines else lines


def _short_words(text: str, width: int) -> Iterable[str]:
    """The words of a text; one that is longer than a line comes in pieces."""
    for word in clean(text).split():
        rest = word
        while cell_len(rest) > width > 0:
            head = cut(rest, width + 1)[:-1] or rest[0]
            yield head
            rest = rest[len(head) :]
        yield rest


def wrap_items(items: Iterable[str], width: int, between: str = "  ·  ") -> list[str]:
    """Put items into lines of at most `width` columns without tearing an item that fits a line."""
    lines: list[str] = []
    line = ""
    for item in items:
        joined = f"{line}{between}{clean(item)}" if line else clean(item)
        if line and cell_len(joined) > width:
            lines += _wrap_parts(line, width)
            line = clean(item)
        else:
            line = joined
    return lines + _wrap_parts(line, width) if line else lines


def _wrap_parts(item: str, width: int) -> list[str]:
    """Break an item that is longer than a line behind its commas: a name and its amount stay together."""
    lines: list[str] = []
    line = ""
    for part in item.split(", ") if cell_len(item) > width else [item]:
        joined = f"{line}, {part}" if line else part
        if line and cell_len(joined) >= width:
            lines += wrap(f"{line},", width)
            line = part
        else:
            line = joined
    return lines + wrap(line, width)
