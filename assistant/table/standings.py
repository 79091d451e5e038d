"""The standings of a season as files: text with a chart of letters, a table for spreadsheets, a PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from assistant.export.csv_files import COMMA, Figure, write_csv
from assistant.i18n import _
from assistant.ledger.season import Season, sparkline
from assistant.money import format_amount
from assistant.slips.chart import Chart
from assistant.slips.layout import cells, left, plain
from assistant.slips.text import render
from assistant.table.season import HouseSeason, currency_of, season_chart, standings_slip, table_rows

FIRST_AMOUNT = 5
"""Columns before it hold counts and texts, those from it on amounts."""


def as_text(found: HouseSeason, season: Season, width: int = 80) -> bytes:
    """Return the standings as text of a width, the course of the season below."""
    text = render(standings_slip(found, season), width)
    chart = "\n".join(chart_lines(season, width))
    return f"{text}\n{chart}\n".encode()


def chart_lines(season: Season, width: int) -> Iterator[str]:
    """Yield the course of the season as a line of steps for each person, all on one scale."""
    low, high = span_of(season)
    names = [plain(row.name) for row in season.rows]
    widest = min(width // 2, max(map(cells, names), default=0))
    yield _("Result after each night:")
    for name, row in zip(names, season.rows, strict=True):
        yield f"{left(name, widest)}  {sparkline(row.course, low, high, max(4, width - widest - 2))}"


def span_of(season: Season) -> tuple[int, int]:
    """Return the lowest and the highest result anybody ever stood at, 0 among them."""
    amounts = [amount for row in season.rows for amount in row.course]
    return min((0, *amounts)), max((0, *amounts))


def as_csv(found: HouseSeason, season: Season, separator: str = COMMA) -> bytes:
    """Return the standings as a table for a spreadsheet; names are text there and never formulas."""
    currency = currency_of(season.currency)

    def written(row: Sequence[str | int]) -> list[str]:
        return [
            cell
            if isinstance(cell, str)
            else Figure(format_amount(cell, currency) if place >= FIRST_AMOUNT else cell)
            for place, cell in enumerate(row)
        ]

    return write_csv([written(row) for row in table_rows(season)], separator).encode("utf-8")


def as_pdf(found: HouseSeason, season: Season) -> bytes:
    """Return the standings as a PDF with a chart."""
    from assistant.slips.pdf import standings_pdf  # loads the PDF library

    return standings_pdf(standings_slip(found, season), course_chart(season))


def course_chart(season: Season) -> Chart | None:
    """Return the chart that goes with standings on paper."""
    return season_chart(_("Result after each night"), season)


def file_name(season: Season) -> str:
    """Return what files of the standings are called, without the ending."""
    return f"standings-{season.days[-1]}" + (f"-{season.currency.lower()}" if season.currency else "")


FILES: dict[str, Callable[[HouseSeason, Season], bytes]] = {"txt": as_text, "csv": as_csv, "pdf": as_pdf}
"""What is written when the dealer saves the standings: ending and writer."""
