"""The seats: number, name, stack, bet or net; whose turn it is shows by a heavy frame and a pointer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from assistant.console.rows import EMPTY, Part, Rows, cells, fit, right, row
from assistant.console.view import View
from assistant.console.widgets.lines import Lines
from assistant.i18n import _
from assistant.money import Currency, format_amount

if TYPE_CHECKING:
    from assistant.table.snapshot import SeatView

NARROWEST = 16
LOW_CELL, TALL_CELL = 4, 5
LIGHT, HEAVY = "╭─╮│╰╯", "┏━┓┃┗┛"


def columns_for(seats: int, width: int) -> int:
    """Seats side by side: four as long as two rows are enough, then more."""
    wanted = 4 if seats <= 8 else (seats + 1) // 2
    return max(1, min(wanted, width // NARROWEST))


class Seats(Lines):
    """The seats clockwise in rows of cells."""

    tall = False

    def height_for(self, view: View, width: int) -> int:
        """Rows for all seats at this width."""
        seats = len(view.snapshot.seats) if view.snapshot is not None else 0
        if not seats:
            return 2
        count = -(-seats // columns_for(seats, width))
        return count * (TALL_CELL if self.tall else LOW_CELL)

    def paint(self, view: View, width: int, height: int) -> Rows:
        """Paint all cells."""
        snapshot = view.snapshot
        if snapshot is None:
            return [EMPTY] * height
        if not snapshot.seats:
            return [EMPTY, row(("  " + _("Nobody is seated: F4 seats players and buys in."), "$quiet"))]
        columns = columns_for(len(snapshot.seats), width)
        cell = width // columns
        rows: Rows = []
        for start in range(0, len(snapshot.seats), columns):
            group = snapshot.seats[start : start + columns]
            blocks = [
                _cell(seat, start + index + 1, cell, view.selected, snapshot.currency, tall=self.tall)
                for index, seat in enumerate(group)
            ]
            rows += _side_by_side(blocks)
        return rows


def _side_by_side(blocks: Sequence[Rows]) -> Rows:
    return [Content.assemble(*line) for line in zip(*blocks, strict=True)]


def _cell(
    seat: SeatView, number: int, width: int, selected: str | None, currency: Currency, *, tall: bool
) -> Rows:
    """One seat as rows of exactly `width` columns."""
    marked = seat.is_turn or seat.player == selected
    frame = HEAVY if marked else LIGHT
    line = "$turn bold" if marked else "$quiet"
    inner = width - 2
    mark = "▶" if marked else "×" if not seat.plays else " "
    title = f"{mark}{number} {seat.name}"
    dealer = " D" if seat.is_dealer else ""
    name_style = "bold $turn" if marked else "bold" if seat.plays else "$quiet"
    first = row((fit(title, inner - cells(dealer)), name_style), (dealer, "bold $accent"))
    body = [first, row((_money(seat, inner, currency, tall=tall), ""))]
    if tall:
        body.append(row((fit(f"  {_remark(seat, currency)}", inner), "$quiet")))
    edge = frame[1] * inner
    sides: tuple[Part, Part] = ((frame[3], line), (frame[3], line))
    return [
        row((frame[0] + edge + frame[2], line)),
        *(row(sides[0], content, sides[1]) for content in body),
        row((frame[4] + edge + frame[5], line)),
    ]


def _money(seat: SeatView, inner: int, currency: Currency, *, tall: bool) -> str:
    """Stack, then the bet if there is one, else the net; on a low screen a note stands for the net."""
    stack = format_amount(seat.stack, currency)
    net = format_amount(seat.net, currency, sign=True)
    bet = _("bet {amount}").format(amount=format_amount(seat.bet, currency)) if seat.bet else ""
    if tall and bet and cells(stack) + cells(net) + cells(bet) + 6 <= inner:
        return fit(f"  {stack}  {net}  {right(bet, inner - cells(stack) - cells(net) - 6)}", inner)
    other = bet or (seat.note if seat.note and not tall else net)
    room = inner - cells(stack) - 4
    return fit(f"  {stack} {right(other, max(1, room))}", inner)


def _remark(seat: SeatView, currency: Currency) -> str:
    if seat.note:
        return seat.note
    if seat.result is None:
        return ""
    if seat.result == 0:
        return _("last round: even")
    words = _("last round: won {amount}") if seat.result > 0 else _("last round: lost {amount}")
    return words.format(amount=format_amount(abs(seat.result), currency))
