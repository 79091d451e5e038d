"""Pages of a PDF: A4, one embedded font, text written from the top down, a foot that knows the last page.

reportlab is imported when a page is made and not before: the console never waits for it.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from assistant.i18n import _
from assistant.slips.fonts import PROPORTIONAL
from assistant.slips.layout import plain
from assistant.slips.letters import in_letters_of
from assistant.slips.phrases import record_only

if TYPE_CHECKING:
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas

FONT = "DejaVuSansCondensed"
MM = 72 / 25.4
WIDTH, HEIGHT = 210 * MM, 297 * MM
MARGIN = 18 * MM
FOOT = 6 * MM
TEXT, SMALL, TITLE = 10.0, 8.5, 18.0
LEADING = 1.45
GREY, BLACK = 0.45, 0.0
_CUT = "…"


class Pages:
    """Pages that are being written; `y` is where the next line's top is, from the page's foot.

    Args:
        title: The document's title.
        running: What stands at the top of every page but the first, so that none can be put behind another.
    """

    def __init__(self, title: str, running: str = "") -> None:
        from reportlab.pdfgen.canvas import Canvas

        _register()
        self._file = io.BytesIO()
        # invariant: the same slip gives the same bytes, so that a print can be compared with another
        self._canvas = Canvas(self._file, pagesize=(WIDTH, HEIGHT), invariant=1, pageCompression=1)
        self._canvas.setTitle(letters(title))
        self._canvas.setAuthor("Tableside")
        self._canvas.setCreator("Tableside")
        self._running = running
        self._states: list[dict[str, object]] = []
        self.y = HEIGHT - MARGIN

    @property
    def canvas(self) -> Canvas:
        """What is drawn on."""
        return self._canvas

    @property
    def inner(self) -> float:
        """Width between the margins."""
        return WIDTH - 2 * MARGIN

    @property
    def left(self) -> float:
        """Height that is left on this page."""
        return self.y - MARGIN - FOOT

    def room(self, height: float) -> None:
        """Begin another page unless so much is left on this one."""
        if self.left < height:
            self._end_page()
            if self._running:
                self.line([(self._running, 0, "left")], SMALL, GREY)
                self.skip(6)

    def skip(self, height: float) -> None:
        """Leave some space."""
        self.y -= height

    def line(self, cells: Sequence[tuple[str, float, str]], size: float = TEXT, grey: float = BLACK) -> None:
        """Write one line.

        Args:
            cells: Text, place from the left margin, and ``left`` or ``right`` of it.
            size: Of the letters.
            grey: 0 black, 1 white.
        """
        self.room(size * LEADING)
        self.y -= size * LEADING
        self._canvas.setFillGray(grey)
        self._canvas.setFont(FONT, size)
        for text, place, side in cells:
            at = MARGIN + place
            shown = letters(text)
            if side == "right":
                self._canvas.drawRightString(at, self.y, shown)
            else:
                self._canvas.drawString(at, self.y, shown)

    def rule(self, grey: float = 0.7, width: float = 0.5) -> None:
        """Draw a line across."""
        self.room(4)
        self.y -= 4
        self._canvas.setStrokeGray(grey)
        self._canvas.setLineWidth(width)
        self._canvas.line(MARGIN, self.y, WIDTH - MARGIN, self.y)

    def paragraph(self, text: str, size: float = TEXT, grey: float = BLACK) -> None:
        """Write a text over as many lines as it takes."""
        for line in wrapped(text, self.inner, size):
            self.line([(line, 0, "left")], size, grey)

    def finish(self) -> bytes:
        """Return the document."""
        self._end_page()
        count = len(self._states)
        for number, state in enumerate(self._states, start=1):
            self._canvas.__dict__.update(state)
            self._foot(number, count)
            self._canvas.showPage()
        self._canvas.save()
        return self._file.getvalue()

    def _end_page(self) -> None:
        """Keep the page; it is put out when it is known how many there are."""
        self._states.append(dict(self._canvas.__dict__))
        self._canvas._startPage()  # type: ignore[attr-defined]
        self.y = HEIGHT - MARGIN

    def _foot(self, number: int, count: int) -> None:
        page = _("page {number} of {pages}").format(number=number, pages=count)
        self._canvas.setFillGray(GREY)
        self._canvas.setFont(FONT, SMALL)
        self._canvas.drawString(MARGIN, MARGIN, letters(record_only()))
        self._canvas.drawRightString(WIDTH - MARGIN, MARGIN, letters(page))


def letters(text: str) -> str:
    """Return text in the letters of the font; nothing in it can be markup, for none is read."""
    return in_letters_of(plain(text), has_letter)


def has_letter(char: str) -> bool:
    """Whether the font has a letter."""
    return ord(char) in _glyphs()


def width_of(text: str, size: float = TEXT) -> float:
    """Return how wide a text is."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    _register()
    return float(stringWidth(letters(text), FONT, size))


def fit(text: str, width: float, size: float = TEXT) -> str:
    """Return text that takes at most a width; a shortened one says so."""
    shown = letters(text)
    if width_of(shown, size) <= width:
        return shown
    while shown and width_of(shown + _CUT, size) > width:
        shown = shown[:-1]
    return shown.rstrip() + _CUT


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Return a text as lines, broken at blanks; a word longer than a line where the line ends."""
    lines = [""]
    for word in letters(text).split():
        joined = f"{lines[-1]} {word}".lstrip()
        if width_of(joined, size) <= width:
            lines[-1] = joined
            continue
        lines += _pieces(word, width, size)
    return [line for line in lines if line]


def _pieces(word: str, width: float, size: float) -> list[str]:
    pieces = [""]
    for char in word:
        if width_of(pieces[-1] + char, size) > width:
            pieces.append("")
        pieces[-1] += char
    return pieces


@cache
def _register() -> TTFont:
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    font = TTFont(FONT, str(PROPORTIONAL))
    registerFont(font)
    return font


@cache
def _glyphs() -> frozenset[int]:
    return frozenset(_register().face.charToGlyph)
