"""Slips as the bytes of ESC/POS receipt printers.

Written out here and not left to a library: six commands are all a slip needs, every byte can be held against
the manual in a test, and no text of a person can become one. (python-escpos hands control characters in text
through to the printer, prints suits as ``????``, and brings eight packages along.)

Source: Epson, ESC/POS command reference: ESC @, FS ., ESC t, GS v 0, ESC d, GS V.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from assistant.slips.content import Slip
from assistant.slips.layout import plain
from assistant.slips.letters import has_cp866, in_letters_of, spelled
from assistant.slips.raster import Dots, draw, letters_of_picture
from assistant.slips.text import render

RESET = b"\x1b@"
LEAVE_CHINESE = b"\x1c."
"""Cheap printers start in a mode of double bytes, where Cyrillic becomes Chinese."""
CHOOSE_CODE_PAGE = b"\x1bt"
PICTURE = b"\x1dv0\x00"
FEED = b"\x1bd"
CUT = b"\x1dVB\x00"
"""Feed to the knife and cut, leaving a corner."""
LINE_END = b"\n"

TEXT, IMAGE = "text", "image"
_BAND_ROWS = 128
"""Rows of dots sent at once; small printers have room for few."""


@dataclass(frozen=True, slots=True)
class Paper:
    """A receipt printer's paper and ways.

    Attributes:
        columns: Columns of text: 32 on 58 mm; 48 or 42 on 80 mm.
        mode: `TEXT` in code page 866, or `IMAGE`.
        code_page: The printer's number for code page 866; 17 on Epson and most others.
        dots: Dots across, for `IMAGE`.
        feed: Empty lines before the cut, so that the last line comes out.
        cut: Whether the printer has a knife.
    """

    columns: int = 48
    mode: str = TEXT
    code_page: int = 17
    dots: int = 576
    feed: int = 4
    cut: bool = True


def print_slip(slip: Slip, paper: Paper) -> bytes:
    """Return the bytes that print a slip and cut it off."""
    has = letters_of_picture(paper.columns, paper.dots) if paper.mode == IMAGE else has_cp866
    return encode(render(spelled(slip, has), paper.columns), paper)


def encode(text: str, paper: Paper) -> bytes:
    """Return the bytes that print lines and cut them off.

    Args:
        text: A slip laid out for the paper's columns.
        paper: What it is printed on.
    """
    body = _picture(text, paper) if paper.mode == IMAGE else _letters(text, paper)
    end = FEED + bytes([paper.feed]) + (CUT if paper.cut else b"")
    return RESET + LEAVE_CHINESE + body + end


def _letters(text: str, paper: Paper) -> bytes:
    lines = in_letters_of("\n".join(map(plain, text.split("\n"))), has_cp866).split("\n")
    written = LINE_END.join(line.encode("cp866") for line in lines)
    return CHOOSE_CODE_PAGE + bytes([paper.code_page]) + written


def _picture(text: str, paper: Paper) -> bytes:
    dots = draw("\n".join(map(plain, text.split("\n"))), paper.columns, paper.dots)
    return b"".join(_bands(dots))


def _bands(dots: Dots) -> Iterator[bytes]:
    across = dots.width // 8
    for start in range(0, dots.height, _BAND_ROWS):
        rows = dots.rows[start * across : (start + _BAND_ROWS) * across]
        height = len(rows) // across
        yield PICTURE + across.to_bytes(2, "little") + height.to_bytes(2, "little") + rows
