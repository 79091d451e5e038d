"""Slips as plain text: 80 columns for paper, 48, 42 or 32 for receipt printers.

No sentence holds a name, so none has to be bent for it in any language; tables and nouns only. Rules are
ASCII, minus is a hyphen, a plus is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from assistant.i18n import _, ngettext, pgettext
from assistant.money import Amount, format_amount
from assistant.slips.content import CARRIED_NODE, HOUSE_NODE, SettlementSlip
from assistant.slips.layout import cells, centre, cut, ends, left, page, plain, right, wrap

NARROWEST = 24
_WIDE_FROM = 64
_SHORTEST_NAME = 8
_SIGNATURE = "_" * 24
_HEAD_DIGITS = 12


def render_settlement(slip: SettlementSlip, width: int) -> str:
    """Return a settlement slip as text.

    Args:
        slip: What stands on it.
        width: Columns of the paper, at least `NARROWEST`.
    """
    width = max(width, NARROWEST)
    return page(_wide(slip, width) if width >= _WIDE_FROM else _narrow(slip, width))


def short_head(head: str) -> str:
    """Return the first 12 hex digits of a seal as they are printed: ``9f3c 41aa 07d2``."""
    digits = head[:_HEAD_DIGITS]
    return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))


# --- 64 columns and more -------------------------------------------------------------------------------


def _wide(slip: SettlementSlip, width: int) -> Iterator[str]:
    title = "   ".join([_("SETTLEMENT"), _("Night {name}").format(name=plain(slip.night)), *_copy_mark(slip)])
    yield ends(title, _times_wide(slip), width)
    yield ends(_mode(slip), _unit(slip), width)
    yield "=" * width
    heads = (pgettext("slip", "Bought in"), pgettext("slip", "Cashed out"), pgettext("slip", "Net"))
    yield from _accounts(slip, _Table(width, 16, heads), between="-" * width)
    yield ""
    yield from wrap(f"{_('Who pays whom.')} {_payments(slip)}", width)
    yield "-" * width
    if slip.payments:
        yield from _payments_wide(slip, width)
    yield ""
    yield from _footing(slip, width)
    yield ""
    host, witness = _("Host:"), _("Witness:")
    yield cut(f"{host} {_SIGNATURE}   {witness} {_SIGNATURE}", width)
    yield ends(_record_only(), _("page {number} of {pages}").format(number=1, pages=1), width)


def _times_wide(slip: SettlementSlip) -> str:
    opened = _("opened {time}").format(time=slip.opened)
    closed = _("closed {time}").format(time=slip.closed) if slip.closed else _("not closed yet")
    return f"{opened}  {closed}"


def _payments_wide(slip: SettlementSlip, width: int) -> Iterator[str]:
    """Number, payer, payee, amount and a box to tick; a name that doesn't fit gets a line of its own."""
    tick = f"{_('paid')} [ ]"
    amounts = [format_amount(payment.amount, slip.currency) for payment in slip.payments]
    name = (width - 32) // 2
    amount = max(10, *(cells(text) + 1 for text in amounts))
    payee = name + 10 - amount
    after = width - 4 - name - payee - amount
    heads = (_("From"), _("To"), _("Amount"))
    yield f"    {left(heads[0], name)}{left(heads[1], payee)}{right(heads[2], amount)}"
    for number, (payment, text) in enumerate(zip(slip.payments, amounts, strict=True), start=1):
        payer_text, payee_text = _who(payment.payer), _who(payment.payee)
        start = f"{number:2}. "
        if cells(payer_text) >= name or cells(payee_text) >= payee:
            yield start + cut(payer_text, width - 4)
            partners = "-> " + left(payee_text, name + payee - 3)
            start = "    "
        else:
            partners = left(payer_text, name) + left(payee_text, payee)
        yield start + partners + right(text, amount) + right(tick, after)


# --- receipts ------------------------------------------------------------------------------------------


def _narrow(slip: SettlementSlip, width: int) -> Iterator[str]:
    yield centre(_("SETTLEMENT"), width)
    yield centre(_("Night {name}").format(name=plain(slip.night)), width)
    span = f"{slip.opened} - {slip.closed}" if slip.closed else f"{slip.opened} - ..."
    for line in wrap(f"{span}, {_unit(slip)}", width):
        yield centre(line, width)
    for mark in _copy_mark(slip):
        yield centre(mark, width)
    yield "=" * width
    heads = (pgettext("slip, short", "In"), pgettext("slip, short", "Out"), pgettext("slip, short", "Net"))
    yield from _accounts(slip, _Table(width, max(7, (width - 18) // 3), heads), between="")
    yield "=" * width
    if slip.payments:
        yield _("Who pays whom:")
        for payment in slip.payments:
            amount = format_amount(payment.amount, slip.currency)
            yield from _payment_narrow(_who(payment.payer), _who(payment.payee), amount, width)
    yield from wrap(_payments(slip), width)
    yield "-" * width
    yield from _footing(slip, width)
    yield from wrap(_record_only(), width)


def _payment_narrow(payer: str, payee: str, amount: str, width: int) -> Iterator[str]:
    """A payment on one line, or on two where the names need it; the amount stands at the end of the last."""
    line = f"[ ] {payer} -> {payee}"
    if cells(line) + cells(amount) < width:
        yield ends(line, amount, width)
        return
    yield f"[ ] {cut(payer, width - 7)} ->"
    if cells(payee) + cells(amount) + 5 > width:
        yield f"    {cut(payee, width - 4)}"
        yield right(amount, width)
    else:
        yield ends(f"    {payee}", amount, width)


# --- the table of players ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Table:
    """Names and three columns of amounts, with the widths the paper would like."""

    width: int
    column: int
    heads: tuple[str, str, str]

    def fitting(self, rows: Sequence[tuple[str, ...]]) -> Callable[[str, Sequence[str]], Iterator[str]]:
        """Return what lays a row out so that all amounts fit: beside the name, below it, or one a line."""
        longest = max((cells(text) + 1 for row in rows for text in row), default=0)
        column = max(self.column, longest)
        name = self.width - 3 * column
        if name < _SHORTEST_NAME and column > longest:
            column = longest
            name = self.width - 3 * column
        if name >= _SHORTEST_NAME:
            return lambda who, row: iter([left(who, name) + _columns(row, column)])
        if name >= 0:
            return lambda who, row: iter([cut(who, self.width), right(_columns(row, column), self.width)])
        return self._one_a_line

    def _one_a_line(self, who: str, row: Sequence[str]) -> Iterator[str]:
        yield cut(who, self.width)
        if tuple(row) == self.heads:
            return
        for head, text in zip(self.heads, row, strict=True):
            if text:
                yield ends(f"  {head}", text, self.width)


def _columns(row: Sequence[str], column: int) -> str:
    return "".join(right(text, column) for text in row)


def _accounts(slip: SettlementSlip, table: _Table, *, between: str) -> Iterator[str]:
    """Head, a row a player and node, and the sum; `between` is the rule under the head, if any."""

    def written(bought_in: Amount, cashed_out: Amount, net: Amount) -> tuple[str, ...]:
        amounts = [format_amount(amount, slip.currency) for amount in (bought_in, cashed_out)]
        return (*amounts, format_amount(net, slip.currency, sign=True))

    rows = [
        (plain(player.name), written(player.bought_in, player.cashed_out, player.net))
        for player in slip.players
    ]
    rows += [(_who(node.node), ("", "", written(0, 0, node.net)[2])) for node in slip.nodes]
    bought_in = sum(player.bought_in for player in slip.players)
    cashed_out = sum(player.cashed_out for player in slip.players)
    net = sum(player.net for player in slip.players) + sum(node.net for node in slip.nodes)
    total = written(bought_in, cashed_out, net)
    lay_out = table.fitting([row for _name, row in rows] + [total, table.heads])
    yield from lay_out(_("Player"), table.heads)
    if between:
        yield between
    for name, row in rows:
        yield from lay_out(name, row)
    yield "-" * table.width
    yield from lay_out(_("Total"), total)


# --- sentences -----------------------------------------------------------------------------------------


def _who(name: str) -> str:
    """A partner of a payment: the house and the carried pool by their names, players as they are."""
    return {HOUSE_NODE: _("House"), CARRIED_NODE: _("Carried pool")}.get(name) or plain(name)


def _copy_mark(slip: SettlementSlip) -> list[str]:
    return [_("COPY {number}").format(number=slip.copy)] if slip.copy > 1 else []


def _mode(slip: SettlementSlip) -> str:
    return _("Mode: between players, fewest payments") if slip.minimal else _("Mode: between players")


def _unit(slip: SettlementSlip) -> str:
    if not slip.currency.code:
        return _("amounts in chips")
    return _("amounts in {currency}").format(currency=slip.currency.code)


def _payments(slip: SettlementSlip) -> str:
    if not slip.payments:
        return _("Nobody owes anything.")
    number = len(slip.payments)
    proof = _("fewest possible") if slip.minimal else _("not proved fewest")
    return ngettext("Payments: {number}", "Payments: {number}", number).format(number=number) + f" ({proof})"


def _footing(slip: SettlementSlip, width: int) -> Iterator[str]:
    if slip.count is not None:
        yield from wrap(_count(slip), width)
    first, *others = slip.corrections or (_("none"),)
    yield from wrap(_("Corrections: {text}").format(text=plain(first)), width)
    for other in others:
        yield from wrap(plain(other), width)
    state = _("verified") if slip.verified else _("NOT VERIFIED")
    line = _("Entries {number}, chain {head}: {state}")
    yield from wrap(line.format(number=slip.entries, head=short_head(plain(slip.head)), state=state), width)


def _count(slip: SettlementSlip) -> str:
    assert slip.count is not None
    counted = format_amount(slip.count.counted, slip.currency)
    ledger = format_amount(slip.count.ledger, slip.currency)
    difference = slip.count.counted - slip.count.ledger
    state = _("agrees")
    if difference:
        state = _("difference {amount}").format(amount=format_amount(difference, slip.currency, sign=True))
    line = _("Chip count: counted {counted}, ledger {ledger}: {state}")
    return line.format(counted=counted, ledger=ledger, state=state)


def _record_only() -> str:
    return _("Record only. No money is moved by this program.")
