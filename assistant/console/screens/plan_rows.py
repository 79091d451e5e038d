"""The rows of a plan: who pays whom, what is paid already; and why somebody owes what they owe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from assistant.console.rows import EMPTY, Rows, cells, fit, page, right, row, window, wrap
from assistant.i18n import _
from assistant.money import Amount, Currency, format_amount

if TYPE_CHECKING:
    from assistant.table.money_view import PlanLineView, PlanView
    from assistant.table.snapshot import TableSnapshot
    from assistant.table.why import Reason


SHORTEST_NAME = 20
"""Columns that names have even where all are short, so that the amounts stand in their place."""


def plan_rows(snapshot: TableSnapshot, chosen: int, width: int, height: int) -> Rows:
    """The payments, the chosen one marked."""
    plan = snapshot.money.plan
    if plan is None or not plan.lines:
        return [EMPTY, row("   " + _("Nobody owes anybody anything."))]
    money = snapshot.money_currency
    amounts = 2 + max(cells(format_amount(one.amount, money)) for one in plan.lines)
    states = max(cells(_state(one, money)) for one in plan.lines)
    widths = (_name_width(plan, width - amounts - max(10, states)), max(8, amounts))
    below = _below(plan, snapshot, width)
    head = [row(("   " + line, "$quiet")) for line in wrap(_head(plan), width - 3)]
    room = max(1, height - 1 - len(head) - len(below))
    lines = window(
        plan.lines,
        chosen,
        room,
        lambda place, one: _line(one, place == chosen, widths, money),
    )
    return [EMPTY, *head, *lines, *below][:height]


def _head(plan: PlanView) -> str:
    count = len(plan.lines)
    text = _("{mode}: {count} payments").format(mode=plan.mode, count=count)
    if plan.minimal:
        text += _(", fewer are not possible")
    return text if plan.number == 1 else _("plan {number}, ").format(number=plan.number) + text


def _name_width(plan: PlanView, room: int) -> int:
    """Columns for payer and payee each: what the longest needs, as far as there is room for two."""
    longest = max(cells(name) for one in plan.lines for name in (one.payer, one.payee))
    return min(max(SHORTEST_NAME, longest), (room - len(" ▶ 1    →    ")) // 2)


def _line(one: PlanLineView, is_chosen: bool, widths: tuple[int, int], currency: Currency) -> Content:
    mark = "▶" if is_chosen else " "
    style = "bold $turn" if is_chosen else "$quiet" if not one.open else "bold"
    name_width, amount_width = widths
    text = f" {mark} {one.number:<3}{fit(one.payer, name_width)}  →  {fit(one.payee, name_width)}"
    amount = right(format_amount(one.amount, currency), amount_width)
    return row((text + amount, style), f"  {_state(one, currency)}")


def _state(one: PlanLineView, currency: Currency) -> str:
    """What is paid of a line, in words."""
    if not one.open:
        return _("paid")
    return _("open {amount}").format(amount=format_amount(one.open, currency)) if one.paid else ""


def _below(plan: PlanView, snapshot: TableSnapshot, width: int) -> Rows:
    open_ = sum(one.open for one in plan.lines)
    money = snapshot.money_currency
    shown: Rows = [EMPTY]
    if not open_:
        shown.append(row(("   " + _("Everything is paid."), "bold")))
    else:
        shown.append(row("   " + _("still open: {amount}").format(amount=format_amount(open_, money))))
    if plan.exact:
        exact = ", ".join(f"{name} {format_amount(amount, money, sign=True)}" for name, amount in plan.exact)
        text = _("rounded to {unit}; exact: {exact}")
        lines = wrap(text.format(unit=format_amount(plan.unit, money), exact=exact), width - 6)
        shown += [row(("   " + line, "$quiet")) for line in lines]
    if plan.missing:
        shown += [row(("   " + line, "$quiet")) for line in wrap(plan.missing, width - 6)]
    return shown


def reason_rows(
    people: Sequence[tuple[str, Sequence[Reason]]], currency: Currency, top: int, width: int, height: int
) -> tuple[Rows, int]:
    """The entries behind what people get or give, and the line that it is really scrolled to."""
    lines: Rows = []
    for name, reasons in people:
        total = reasons[-1].sum if reasons else 0
        lines += [EMPTY, row((f"   {_sentence(name, total, currency)}", "bold"))]
        line_width = width - 44
        head = f"   {fit(_('entry'), 7)}{fit(_('time'), 7)}{fit('', line_width)}"
        lines.append(row((head + right(_("gets"), 12) + right(_("in all"), 12), "$quiet")))
        lines += [_reason(one, line_width, currency) for one in reasons]
    return page(lines, top, height)


def _sentence(name: str, total: Amount, currency: Currency) -> str:
    amount = format_amount(abs(total), currency)
    if total > 0:
        return _("{name} gets {amount}").format(name=name, amount=amount)
    if total < 0:
        return _("{name} gives {amount}").format(name=name, amount=amount)
    return _("{name} is even").format(name=name)


def _reason(one: Reason, line_width: int, currency: Currency) -> Content:
    change = format_amount(one.amount, currency, sign=True)
    total = format_amount(one.sum, currency, sign=True)
    text = f"   {fit(f'#{one.number}', 7)}{fit(one.time, 7)}{fit(one.line, line_width)}"
    return row(text + right(change, 12) + right(total, 12))
