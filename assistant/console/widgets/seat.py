"""The seats: number, name, stack, bet or net; a heavy frame and a pointer say who is awaited."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TYPE_CHECKING

from textual.content import Content

from assistant.console.rows import EMPTY, Part, Rows, cells, fit, right, row
from assistant.console.view import View
from assistant.console.widgets.lines import Lines
from assistant.i18n import _
from assistant.money import Currency, format_amount

if TYPE_CHECKING:
    from assistant.table.snapshot import SeatView

NARROWEST, ROOMY = 16, 20
BESIDE_NAME = len("│▶1  D│")
"""Columns of a cell beside the name: frame, mark, number, and who deals."""
LOW_CELL, TALL_CELL = 4, 5
LIGHT, HEAVY = "╭─╮│╰╯", "┏━┓┃┗┛"


def columns_for(seats: int, width: int, longest: int = 0) -> int:
    """Seats side by side: all where each has room enough, else four a row as long as two rows are enough;
    fewer where a long name would be cut beside empty places.

    Args:
        seats: How many there are.
        width: Columns of the screen.
        longest: Columns of the longest name.
    """
    room = max(ROOMY, longest + BESIDE_NAME)
    if seats and width // max(4, seats) >= room:
        return max(4, seats)
    in_two = (seats + 1) // 2
    if seats <= 4 and width // 4 < room:
        return max(1, min(max(2, seats), width // NARROWEST))
    if seats <= 8:
        return max(1, min(4 if width // 4 >= room else max(3, in_two), width // NARROWEST))
    return max(1, min(in_two, width // NARROWEST))


def _columns(view: View, width: int) -> int:
    """Seats side by side on a view's table."""
    seats = view.snapshot.seats if view.snapshot is not None else ()
    return columns_for(len(seats), width, max((cells(seat.name) for seat in seats), default=0))


class Seats(Lines):
    """The seats clockwise in rows of cells."""

    tall = False

    def height_for(self, view: View, width: int) -> int:
        """Rows for all seats at this width."""
        seats = len(view.snapshot.seats) if view.snapshot is not None else 0
        if not seats:
            return 2
        count = -(-seats // _columns(view, width))
        return count * (TALL_CELL if self.tall else LOW_CELL)

    def looks_at(self, view: View) -> tuple[object, ...]:
        """What the rows are made of."""
        return (view.snapshot, view.selected, self.tall)

    def paint(self, view: View, width: int, height: int) -> Rows:
        """Paint all cells."""
        snapshot = view.snapshot
        if snapshot is None:
            return [EMPTY] * height
        if not snapshot.seats and snapshot.closed:
            return [EMPTY, row(("  " + _("The night is closed: F6 shows who pays whom."), "$quiet"))]
        if not snapshot.seats:
            return [EMPTY, row(("  " + _("Nobody is seated: F4 seats players and buys in."), "$quiet"))]
        columns = _columns(view, width)
        cell = width // columns
        due = snapshot.due.player if snapshot.due is not None else None
        awaited = frozenset({view.selected, due} - {None})
        rows: Rows = []
        for start in range(0, len(snapshot.seats), columns):
            group = snapshot.seats[start : start + columns]
            blocks = [
                _cell(seat, start + index + 1, cell, awaited, snapshot.currency, tall=self.tall)
                for index, seat in enumerate(group)
            ]
            rows += _side_by_side(blocks)
        return rows


def _side_by_side(blocks: Sequence[Rows]) -> Rows:
    return [Content.assemble(*line) for line in zip(*blocks, strict=True)]


def _cell(
    seat: SeatView, number: int, width: int, awaited: Set[str | None], currency: Currency, *, tall: bool
) -> Rows:
    """One seat as rows of exactly `width` columns."""
    marked = seat.is_turn or seat.player in awaited
    frame = HEAVY if marked else LIGHT
    line = "$turn bold" if marked else "$quiet"
    inner = width - 2
    mark = "▶" if marked else "×" if not seat.takes_part else " "
    title = f"{mark}{number} {seat.name}"
    dealer = " D" if seat.is_dealer else ""
    name_style = "bold $turn" if marked else "bold" if seat.takes_part else "$quiet"
    first = row((fit(title, inner - cells(dealer)), name_style), (dealer, "bold $accent"))
    body = [first, row((_money(seat, inner, currency, tall=tall), ""))]
    if tall:
        body.append(row((_remark(seat, inner, currency), "$quiet")))
    edge = frame[1] * inner
    sides: tuple[Part, Part] = ((frame[3], line), (frame[3], line))
    return [
        row((frame[0] + edge + frame[2], line)),
        *(row(sides[0], content, sides[1]) for content in body),
        row((frame[4] + edge + frame[5], line)),
    ]


def _money(seat: SeatView, inner: int, currency: Currency, *, tall: bool) -> str:
    """Stack, then the bet; without one a low screen shows note or net here, a tall one has a row for them."""
    stack = format_amount(seat.stack, currency)
    bet = _("bet {amount}").format(amount=format_amount(seat.bet, currency)) if seat.bet else ""
    net = format_amount(seat.net, currency, sign=True)
    other = bet if bet or tall else _note(seat, _room(stack, inner)) or net
    return _pair(stack, other, inner)


def _remark(seat: SeatView, inner: int, currency: Currency) -> str:
    """The net, and what is to be said of the player: a note, else what the last round brought."""
    result = ""
    if seat.result:
        words = _("won {amount}") if seat.result > 0 else _("lost {amount}")
        result = words.format(amount=format_amount(abs(seat.result), currency))
    net = format_amount(seat.net, currency, sign=True)
    return _pair(net, _note(seat, _room(net, inner)) or result, inner)


def _note(seat: SeatView, room: int) -> str:
    """What is to be said of the player, in as many words as there is room for."""
    return seat.note if cells(seat.note) <= room else seat.brief_note


def _pair(left: str, other: str, inner: int) -> str:
    """Something at both ends of a cell."""
    return fit(f"  {left} {right(other, _room(left, inner))}", inner)


def _room(left: str, inner: int) -> int:
    """Columns beside what stands at the left of a cell."""
    return max(1, inner - cells(left) - 4)
