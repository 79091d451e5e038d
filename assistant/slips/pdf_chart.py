"""Draws a chart on a page of a PDF: a line a player, named where it ends, told apart without colours too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.money import CHIPS, Currency, format_amount
from assistant.slips.chart import Chart, Series, amount_ticks, spread
from assistant.slips.pdf_page import (
    BLACK,
    FONT,
    GREY,
    MARGIN,
    SMALL,
    TEXT,
    WIDTH,
    Pages,
    fit,
    letters,
    width_of,
)

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#7A5C00", "#56B4E9", "#000000", "#E69F00")
"""Told apart by eyes that see few colours (Okabe and Ito, 2008; the yellow is darker, for paper)."""
DASHES: tuple[tuple[float, ...], ...] = ((), (4, 2), (1.2, 1.8), (7, 2, 1.2, 2))
HEIGHT = 190.0
_LABEL = 116.0
_MARK = 2.6


def draw(pages: Pages, chart: Chart, currency: Currency = CHIPS, height: float = HEIGHT) -> None:
    """Draw a chart below what was written, on a page of its own where there is no room."""
    if chart.is_empty:
        return
    pages.room(height + TEXT * 4)
    pages.line([(chart.title, 0, "left")], TEXT + 1)
    _Drawing(pages, chart, currency, height).draw()


class _Drawing:
    """One chart in its frame."""

    def __init__(self, pages: Pages, chart: Chart, currency: Currency, height: float) -> None:
        self.pages, self.chart, self.currency = pages, chart, currency
        self.canvas: Canvas = pages.canvas
        self.levels = amount_ticks(chart.lowest, chart.highest)
        widest = max(width_of(format_amount(level, currency), SMALL) for level in self.levels)
        self.left, self.right = MARGIN + widest + 6, WIDTH - MARGIN - _LABEL
        self.top, self.foot = pages.y - 8, pages.y - height
        self.pages.y = self.foot - SMALL * 3

    def x(self, place: int) -> float:
        return self.left + (self.right - self.left) * place / self.chart.length

    def y(self, amount: int) -> float:
        low, high = self.levels[0], self.levels[-1]
        return self.foot + (self.top - self.foot) * (amount - low) / (high - low)

    def draw(self) -> None:
        self._grid()
        for number, series in enumerate(self.chart.series):
            self._line(number, series)
        self._names()

    def _grid(self) -> None:
        canvas = self.canvas
        canvas.setFont(FONT, SMALL)
        canvas.setLineWidth(0.4)
        for level in self.levels:
            canvas.setStrokeGray(0.35 if level == 0 else 0.85)
            canvas.line(self.left, self.y(level), self.right, self.y(level))
            canvas.setFillGray(GREY)
            written = format_amount(level, self.currency)
            canvas.drawRightString(self.left - 4, self.y(level) - SMALL / 3, written)
        canvas.setStrokeGray(0.35)
        for place, label in self.chart.ticks:
            canvas.line(self.x(place), self.foot, self.x(place), self.foot - 3)
            canvas.drawCentredString(self.x(place), self.foot - SMALL - 3, letters(label))
        canvas.drawString(self.left, self.foot - 2 * SMALL - 6, letters(self.chart.axis))
        if self.chart.marks and any(series.marks for series in self.chart.series):
            canvas.drawRightString(self.right, self.foot - 2 * SMALL - 6, letters(f"▲ {self.chart.marks}"))

    def _line(self, number: int, series: Series) -> None:
        """Level until the next amount, then straight up or down; or straight from amount to amount."""
        if not series.points:
            return
        canvas = self.canvas
        self._pen(number)
        path = canvas.beginPath()
        place, amount = series.points[0]
        path.moveTo(self.x(place), self.y(amount))
        for place, after in series.points[1:]:
            if self.chart.steps:
                path.lineTo(self.x(place), self.y(amount))
            path.lineTo(self.x(place), self.y(after))
            amount = after
        if not series.ends:
            path.lineTo(self.x(self.chart.length), self.y(amount))
        canvas.drawPath(path, stroke=1, fill=0)
        canvas.setDash()
        for mark in series.marks:
            self._triangle(mark, _amount_at(series, mark))

    def _pen(self, number: int) -> None:
        from reportlab.lib.colors import HexColor

        colour = HexColor(COLOURS[number % len(COLOURS)])
        self.canvas.setStrokeColor(colour)
        self.canvas.setFillColor(colour)
        self.canvas.setLineWidth(1.3)
        self.canvas.setDash(list(DASHES[number // len(COLOURS) % len(DASHES)]))

    def _triangle(self, place: int, amount: int) -> None:
        x, y = self.x(place), self.y(amount)
        path = self.canvas.beginPath()
        path.moveTo(x, y + _MARK)
        path.lineTo(x - _MARK, y - _MARK)
        path.lineTo(x + _MARK, y - _MARK)
        path.close()
        self.canvas.drawPath(path, stroke=0, fill=1)

    def _names(self) -> None:
        """Each line's name and last amount beside its end, moved apart, with a thread where it was moved."""
        drawn = [(number, one) for number, one in enumerate(self.chart.series) if one.points]
        wanted = [self.y(one.points[-1][1]) for _number, one in drawn]
        gap = min(SMALL * 1.2, (self.top - self.foot) / max(len(drawn), 1))
        places = spread(wanted, gap, self.foot, self.top)
        for (number, series), at, place in zip(drawn, wanted, places, strict=True):
            self._pen(number)
            canvas = self.canvas
            end = self.x(series.points[-1][0]) if series.ends else self.right
            canvas.setLineWidth(0.5)
            canvas.setDash([0.6, 1.6] if series.ends else [])
            canvas.line(end, at, self.right, at)
            canvas.setDash()
            canvas.line(self.right, at, self.right + 10, place)
            amount = format_amount(series.points[-1][1], self.currency)
            size = min(SMALL, gap * 0.95)
            room = _LABEL - 16 - width_of(amount, size)
            canvas.setFont(FONT, size)
            canvas.drawString(self.right + 12, place - size / 3, fit(series.name, room, size))
            canvas.setFillGray(BLACK)
            canvas.drawRightString(self.right + _LABEL, place - size / 3, amount)


def _amount_at(series: Series, place: int) -> int:
    return [amount for at, amount in series.points if at <= place][-1]
