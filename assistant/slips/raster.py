"""A slip as black and white dots, for receipt printers that don't have its letters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from assistant.slips.fonts import MONO
from assistant.slips.layout import cells
from assistant.slips.letters import in_letters_of

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

_ADVANCE_EM = 0.602
"""Width of every letter of the font, in parts of its size."""
_LINE_EM = 1.25
_NO_LETTER = "\U0010fffd"


@dataclass(frozen=True, slots=True)
class Dots:
    """A picture of dots.

    Attributes:
        width: Dots in a row, a multiple of 8.
        height: Rows.
        rows: One bit a dot, the left one the highest, 1 is black; `width` / 8 bytes a row.
    """

    width: int
    height: int
    rows: bytes


def draw(text: str, columns: int, width: int) -> Dots:
    """Draw a slip.

    Args:
        text: Its lines, none longer than `columns`.
        columns: Columns of the paper.
        width: Dots across the paper, a multiple of 8: 384 on paper of 58 mm, 576 on 80 mm.
    """
    from PIL import Image, ImageDraw

    cell = width // columns
    size = cell / _ADVANCE_EM
    font = _font(size)
    height = round(size * _LINE_EM)
    lines = in_letters_of(text, _letters_in(font)).splitlines()
    picture = Image.new("1", (width, height * max(len(lines), 1)), 0)
    pen = ImageDraw.Draw(picture)
    margin = (width - cell * columns) // 2
    for number, line in enumerate(lines):
        for place, char in _placed(line):
            pen.text((margin + cell * place, number * height), char, fill=1, font=font)
    return Dots(picture.width, picture.height, picture.tobytes())


def letters_of_picture(columns: int, width: int) -> Callable[[str], bool]:
    """Return what says whether `draw` has a letter."""
    return _letters_in(_font(width // columns / _ADVANCE_EM))


@cache
def _font(size: float) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(MONO, size, layout_engine=ImageFont.Layout.BASIC)


def _placed(line: str) -> Iterator[tuple[int, str]]:
    """Each letter with its column."""
    column = 0
    for char in line:
        yield column, char
        column += cells(char)


def _letters_in(font: FreeTypeFont) -> Callable[[str], bool]:
    """What says whether a font has a letter; one that it lacks looks like one that cannot be.

    A mark that is no letter of its own counts as lacking: without a shaping engine it would stand beside its
    letter.
    """
    lacking = bytes(font.getmask(_NO_LETTER))

    @cache
    def has(char: str) -> bool:
        return char == " " or (cells(char) > 0 and bytes(font.getmask(char)) != lacking)

    return has
