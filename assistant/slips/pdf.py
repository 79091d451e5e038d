"""Slips as PDF: the settlement with a chart of the stacks and room to sign; standings with their chart."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.i18n import _, pgettext
from assistant.money import format_amount
from assistant.slips import pdf_chart, settlement, standings
from assistant.slips.chart import Chart
from assistant.slips.content import Payment, SettlementSlip, StandingsSlip
from assistant.slips.letters import spelled
from assistant.slips.pdf_page import (
    GREY,
    LEADING,
    MARGIN,
    SMALL,
    TEXT,
    TITLE,
    Pages,
    fit,
    has_letter,
    width_of,
    wrapped,
)
from assistant.slips.phrases import HEAD_DIGITS, copy_mark, night_title, unit

_COLUMN = 82.0
_BOX = 7.0
_SEATS = 3
"""Places to sign in a row."""
_SEAT_HEIGHT = 38.0
"""A line to sign on, with room for the pen above and the name below."""
_LOWEST_CHART = 120.0
_MOST_TOGETHER = 8


def settlement_pdf(slip: SettlementSlip, chart: Chart | None = None) -> bytes:
    """Return a settlement as a PDF.

    Args:
        slip: What stands on it; the figures are those of the text slip.
        chart: Everybody's stack over the night, if there is one.
    """
    slip, chart = spelled((slip, chart), has_letter)
    running = f"{_('SETTLEMENT')}   {night_title(slip.night)}   {settlement.chain(slip)}"
    pages = Pages(f"{_('SETTLEMENT')} {slip.night}", running)
    _title(pages, _("SETTLEMENT"), [night_title(slip.night), *copy_mark(slip.copy)])
    opened = _("opened {time}").format(time=slip.opened)
    closed = _("closed {time}").format(time=slip.closed) if slip.closed else _("not closed yet")
    pages.line(
        [(f"{opened}, {closed}", 0, "left"), (unit(slip.currency, slip.chip), pages.inner, "right")],
        TEXT,
        GREY,
    )
    pages.paragraph(settlement.mode(slip), TEXT, GREY)
    for remark in settlement.remarks(slip):
        pages.paragraph(remark)
    pages.skip(6)
    heads = [pgettext("slip", "Bought in"), settlement.out_head(slip), pgettext("slip", "Net")]
    heads += settlement.settle_heads(slip)
    _table(pages, heads, settlement.account_rows(slip), has_total=True)
    pages.skip(10)
    _payments(pages, slip)
    pages.skip(10)
    signers = [_("Host:").rstrip(":"), _("Witness:").rstrip(":"), *(player.name for player in slip.players)]
    notes = [*settlement.counts(slip), *settlement.corrections(slip), settlement.chain(slip)]
    if chart is not None:
        pdf_chart.draw(pages, chart, slip.chips, _chart_height(pages, notes, signers))
        pages.skip(6)
    for text in notes:
        pages.paragraph(text, SMALL)
    _how_to_check(pages, slip)
    _signatures(pages, signers)
    return pages.finish()


def standings_pdf(slip: StandingsSlip, chart: Chart | None = None) -> bytes:
    """Return standings as a PDF, with the chart of everybody's result over the season if there is one."""
    slip, chart = spelled((slip, chart), has_letter)
    pages = Pages(_("STANDINGS"))
    _title(pages, _("STANDINGS"), [standings.span(slip)])
    pages.line([(unit(slip.currency), 0, "left")], TEXT, GREY)
    pages.skip(6)
    _table(pages, standings.standing_heads(slip), standings.standing_rows(slip))
    if standings.has_besides(slip):
        pages.paragraph(standings.in_all(), SMALL)
    for text in standings.skipped(slip):
        pages.paragraph(text, SMALL)
    pages.skip(12)
    if chart is not None:
        pdf_chart.draw(pages, chart, slip.currency, height=260)
    return pages.finish()


def _title(pages: Pages, title: str, beside: Sequence[str]) -> None:
    pages.line([(title, 0, "left"), ("   ".join(beside), pages.inner, "right")], TITLE)
    pages.rule(0.0, 1.2)
    pages.skip(4)


def _table(
    pages: Pages, heads: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]], *, has_total: bool = False
) -> None:
    """Names at the left, amounts in columns at the right; the last row is a sum where there is one."""
    texts = [*(cell for _name, row in rows for cell in row), *heads]
    column = max(_COLUMN if len(heads) < 5 else 60.0, *(width_of(text) + 10 for text in texts))
    column = min(column, (pages.inner - 60) / len(heads))
    name = pages.inner - column * len(heads) - 6

    def write(who: str, row: Sequence[str], grey: float = 0.0) -> None:
        cells = [(fit(who, name), 0.0, "left")]
        places = [pages.inner - column * (len(row) - 1 - number) for number in range(len(row))]
        cells += [(text, place, "right") for text, place in zip(row, places, strict=True)]
        pages.line(cells, TEXT, grey)

    write(_("Player"), heads, GREY)
    pages.rule()
    for number, (who, row) in enumerate(rows):
        if has_total and number == len(rows) - 1:
            pages.rule()
        write(who, row)


def _payments(pages: Pages, slip: SettlementSlip) -> None:
    pages.line([(f"{settlement.who_pays(slip)} {settlement.payments(slip)}", 0, "left")], TEXT + 1)
    if not slip.payments:
        return
    ticks = max(width_of(_tick_text(slip, payment)) for payment in slip.payments)
    widest = max(width_of(format_amount(payment.amount, slip.currency)) for payment in slip.payments)
    tick = pages.inner - ticks - _BOX - 5
    amount = tick - 10
    payer = 22.0
    room = (amount - max(widest, width_of(_("Amount"))) - 12 - payer) / 2
    payee = payer + room
    room -= 8
    heads = [(_("From"), payer, "left"), (_("To"), payee, "left"), (_("Amount"), amount, "right")]
    pages.line(heads, TEXT, GREY)
    pages.rule()
    for number, payment in enumerate(slip.payments, start=1):
        pages.line(
            [
                (f"{number}.", 14, "right"),
                (fit(settlement.partner_of(slip, payment.payer), room), payer, "left"),
                (fit(settlement.partner_of(slip, payment.payee), room), payee, "left"),
                (format_amount(payment.amount, slip.currency), amount, "right"),
                (_tick_text(slip, payment), tick + _BOX + 5, "left"),
            ]
        )
        _tick(pages, tick, is_paid=payment.paid >= payment.amount)


def _tick_text(slip: SettlementSlip, payment: Payment) -> str:
    if 0 < payment.paid < payment.amount:
        rest = format_amount(payment.amount - payment.paid, slip.currency)
        return _("open {amount}").format(amount=rest)
    return _("paid")


def _tick(pages: Pages, place: float, *, is_paid: bool) -> None:
    """A box to tick, or one that is ticked."""
    canvas, x, y = pages.canvas, MARGIN + place, pages.y - 0.5
    canvas.setStrokeGray(0)
    canvas.setLineWidth(0.7)
    canvas.rect(x, y, _BOX, _BOX, stroke=1, fill=0)
    if is_paid:
        canvas.line(x + 1.2, y + 3.4, x + 3, y + 1.4)
        canvas.line(x + 3, y + 1.4, x + 6, y + 6)


def _how_to_check(pages: Pages, slip: SettlementSlip) -> None:
    if not slip.stored:
        return
    command = f"tableside verify {slip.stored} --slip {slip.entries} {slip.head[:HEAD_DIGITS]}"
    pages.paragraph(
        _("To check later that nothing was altered: {command}").format(command=command), SMALL, GREY
    )


def _chart_height(pages: Pages, notes: Sequence[str], signers: Sequence[str]) -> float:
    """Lower the chart somewhat where everything then fits on one page."""
    lines = sum(len(wrapped(note, pages.inner, SMALL)) for note in notes) + 1
    below = lines * SMALL * LEADING + -(-len(signers) // _SEATS) * _SEAT_HEIGHT + 10
    around = 4 * TEXT + 3 * SMALL
    room = pages.left - below - around
    return min(pdf_chart.HEIGHT, room) if room >= _LOWEST_CHART else pdf_chart.HEIGHT


def _signatures(pages: Pages, names: Sequence[str]) -> None:
    """A place to sign for everybody, all on one page where they fit."""
    rows = [names[start : start + _SEATS] for start in range(0, len(names), _SEATS)]
    seat = pages.inner / _SEATS
    pages.skip(4)
    pages.room(min(len(rows), _MOST_TOGETHER) * _SEAT_HEIGHT)
    for row in rows:
        pages.room(_SEAT_HEIGHT)
        pages.skip(_SEAT_HEIGHT - SMALL * LEADING)
        pages.canvas.setStrokeGray(0)
        pages.canvas.setLineWidth(0.6)
        for number in range(len(row)):
            x = MARGIN + number * seat
            pages.canvas.line(x, pages.y, x + seat - 14, pages.y)
        cells = [(fit(name, seat - 16, SMALL), number * seat, "left") for number, name in enumerate(row)]
        pages.line(cells, SMALL, GREY)
