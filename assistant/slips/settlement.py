"""The settlement slip: accounts, who pays whom, the count, corrections, the chain (LEDGER.md 8.1 to 8.4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assistant.holdings import CARRIED
from assistant.i18n import _, ngettext, pgettext
from assistant.ledger.events import AS_COUNTED
from assistant.ledger.plan import CASHIER, HUB
from assistant.money import Amount, Currency, format_amount
from assistant.slips.columns import Columns
from assistant.slips.content import ChipCount, NodeRow, Payment, PlayerRow, SettlementSlip
from assistant.slips.layout import cells, centre, cut, ends, left, plain, right, wrap
from assistant.slips.phrases import (
    accepted,
    chip_value,
    copy_mark,
    night_title,
    partner,
    record_only,
    short_head,
    unit,
)

_SIGNATURE = "_" * 24


def wide(slip: SettlementSlip, width: int) -> Iterator[str]:
    """Yield the lines of a slip on paper of 64 columns and more."""
    title = "   ".join([_("SETTLEMENT"), night_title(slip.night), *copy_mark(slip.copy)])
    yield ends(title, _times_wide(slip), width)
    yield from _mode_and_unit(slip, width)
    yield "=" * width
    heads: tuple[str, ...] = (
        pgettext("slip", "Bought in"),
        out_head(slip),
        pgettext("slip", "Net"),
    )
    heads = (*heads, *settle_heads(slip))
    yield from _accounts(slip, Columns(width, 48 // len(heads), heads), between="-" * width)
    yield from _remarks(slip, width)
    yield ""
    yield from wrap(f"{who_pays(slip)} {payments(slip)}", width)
    yield "-" * width
    if slip.payments:
        yield from _payments_wide(slip, width)
    yield ""
    yield from _footing(slip, width)
    yield ""
    host, witness = _("Host:"), _("Witness:")
    yield cut(f"{host} {_SIGNATURE}   {witness} {_SIGNATURE}", width)
    yield ends(record_only(), _("page {number} of {pages}").format(number=1, pages=1), width)


def narrow(slip: SettlementSlip, width: int) -> Iterator[str]:
    """Yield the lines of a slip on a receipt printer's paper."""
    yield centre(_("SETTLEMENT"), width)
    yield centre(night_title(slip.night), width)
    span = plain(f"{slip.opened} - {slip.closed or '...'}")
    for line in wrap(f"{span}, {unit(slip.currency)}", width):
        yield centre(line, width)
    if slip.chip:
        yield centre(chip_value(slip.currency, slip.chip), width)
    for mark in copy_mark(slip.copy):
        yield centre(mark, width)
    yield "=" * width
    heads: tuple[str, ...] = (
        pgettext("slip, short", "In"),
        out_head(slip, short=True),
        pgettext("slip, short", "Net"),
    )
    heads = (*heads, *settle_heads(slip, short=True))
    yield from _accounts(slip, Columns(width, max(7, (width - 18) // len(heads)), heads), between="")
    yield "=" * width
    yield from _remarks(slip, width)
    if slip.payments:
        yield from wrap(who_pays_below(slip), width)
        for payment in slip.payments:
            yield from _payment_narrow(slip, payment, width)
    yield from wrap(payments(slip), width)
    yield "-" * width
    yield from _footing(slip, width)
    yield from wrap(record_only(), width)


# --- phrases of this slip, also for the PDF --------------------------------------------------------------


def out_head(slip: SettlementSlip, *, short: bool = False) -> str:
    """Return what stands above what was cashed; while the night is open that is what everybody could cash."""
    if not slip.closed:
        return pgettext("slip, short", "Has") if short else pgettext("slip", "Has now")
    return pgettext("slip, short", "Out") if short else pgettext("slip", "Cashed out")


def who_pays(slip: SettlementSlip) -> str:
    """Return what stands above the payments."""
    return _("Who pays whom.") if slip.closed else _("Who would pay whom now.")


def who_pays_below(slip: SettlementSlip) -> str:
    """Return the same with the payments on the lines below it."""
    return _("Who pays whom:") if slip.closed else _("Who would pay whom now:")


def partner_of(slip: SettlementSlip, who: str) -> str:
    """Return a partner of a payment; while the night is open its pool was carried nowhere."""
    return _("Pool") if who == CARRIED and not slip.closed else partner(who)


def has_settles(slip: SettlementSlip) -> bool:
    """Whether the plan settles something else than the net for somebody, so that both are shown."""
    rows = [(one.net, one.settles) for one in slip.players]
    rows += [(one.net, one.settles) for one in slip.nodes]
    return any(settles is not None and settles != net for net, settles in rows)


def settle_heads(slip: SettlementSlip, *, short: bool = False) -> tuple[str, ...]:
    """Return what stands above what the plan settles: exact and rounded where it was rounded; the exact ones
    only where they are not the nets."""
    if slip.is_rounded:
        exact = pgettext("slip, short", "Exact") if short else pgettext("slip", "Exact")
        rounded = pgettext("slip, short", "Round") if short else pgettext("slip", "Rounded")
        return (rounded,) if slip.net_is_exact else (exact, rounded)
    if not has_settles(slip):
        return ()
    return (pgettext("slip, short", "Settle") if short else pgettext("slip", "To settle"),)


def mode(slip: SettlementSlip) -> str:
    """Return how the night is settled."""
    if slip.mode == CASHIER:
        return _("Mode: with the cashier")
    if slip.mode == HUB:
        return _("Mode: all with one player: {name}").format(name=plain(slip.hub))
    return _("Mode: between players, fewest payments") if slip.minimal else _("Mode: between players")


def payments(slip: SettlementSlip) -> str:
    """Return how many payments there are, and whether fewer were possible."""
    if not slip.payments:
        return _("Nobody owes anything.")
    number = len(slip.payments)
    text = ngettext("Payments: {number}", "Payments: {number}", number).format(number=number)
    if slip.mode in (CASHIER, HUB):
        return text
    return f"{text} ({_('fewest possible') if slip.minimal else _('not proved fewest')})"


def remarks(slip: SettlementSlip) -> list[str]:
    """Return what has to be known before paying: what counted besides chips, rounding, a plan that is
    replaced, who has left."""
    found = [plain(text) for text in slip.besides]
    if slip.settle_unit > 1:
        amount = format_amount(slip.settle_unit, slip.currency)
        text = _("Payments are rounded to {amount}.")
        if slip.is_rounded and slip.net_is_exact:
            text = _("Payments are rounded to {amount}; the net is exact.")
        found.append(text.format(amount=amount))
    if slip.replaces:
        found.append(_("Replaces plan {number}.").format(number=slip.replaces))
    if gone := [plain(player.name) for player in slip.players if player.left]:
        found.append(_("Left before the end: {names}").format(names=", ".join(gone)))
    return found


def counts(slip: SettlementSlip) -> list[str]:
    """Return what the counts came to: stacks and pool together, the pool where it differs, rack and box."""
    found = []
    if slip.count is not None:
        line = _("Chip count: counted {counted}, ledger {ledger}: {state}")
        found.append(_counted(line, slip.count, slip.chips, _cancelled(slip)))
    if slip.pool is not None and slip.pool.difference:
        found.append(
            _counted(
                _("Of that the pool: counted {counted}, ledger {ledger}: {state}"), slip.pool, slip.chips
            )
        )
    if slip.rack is not None:
        found.append(_counted(_("Rack: counted {counted}, ledger {ledger}: {state}"), slip.rack, slip.chips))
    if slip.box is not None:
        found.append(
            _counted(_("Cash box: counted {counted}, ledger {ledger}: {state}"), slip.box, slip.currency)
        )
    return found


def _cancelled(slip: SettlementSlip) -> str:
    """What is said instead of "agrees" where stacks differ and the differences cancel."""
    if not slip.differs:
        return ""
    who = ", ".join(
        f"{plain(name)} {format_amount(amount, slip.chips, sign=True)}" for name, amount in slip.differs
    )
    text = _("agrees in all, but {who}").format(who=who)
    if not slip.accepted:
        return text
    if slip.accepted == AS_COUNTED:
        return f"{text}. {accepted(slip.accepted)}"
    return _("{found}. {accepted}; the ledger stands").format(found=text, accepted=accepted(slip.accepted))


def _counted(line: str, one: ChipCount, currency: Currency, cancelled: str = "") -> str:
    state = cancelled or _("agrees")
    if one.difference:
        state = _("difference {amount}").format(amount=format_amount(one.difference, currency, sign=True))
    counted, ledger = format_amount(one.counted, currency), format_amount(one.ledger, currency)
    return line.format(counted=counted, ledger=ledger, state=state)


def corrections(slip: SettlementSlip) -> list[str]:
    """Return the corrections, the first with the word before it."""
    first, *others = slip.corrections or (_("none"),)
    return [_("Corrections: {text}").format(text=plain(first)), *map(plain, others)]


def chain(slip: SettlementSlip) -> str:
    """Return the chain's head and whether it was checked."""
    state = _("verified") if slip.verified else _("NOT VERIFIED")
    line = _("Entries {number}, chain {head}: {state}")
    return line.format(number=slip.entries, head=short_head(slip.head), state=state)


def paid_mark(slip: SettlementSlip, payment: Payment) -> str:
    """Return what was paid of a payment, or the box to tick."""
    if payment.paid >= payment.amount:
        return f"{_('paid')} [x]"
    if payment.paid:
        left_over = format_amount(payment.amount - payment.paid, slip.currency)
        return _("open {amount} [ ]").format(amount=left_over)
    return f"{pgettext('payment', 'open')} [ ]"


def account_rows(slip: SettlementSlip) -> list[tuple[str, tuple[str, ...]]]:
    """Return the table of accounts as texts: players, nodes, and the sum last."""
    people = slip.players
    results = [_results(slip, one) for one in people] + [_results(slip, one) for one in slip.nodes]
    traded = [(one.bought_in, one.cashed_out) for one in people]
    rows = [
        (plain(one.name), (*_amounts(slip, pair), *_signed(slip, found)))
        for one, pair, found in zip(people, traded, results, strict=False)
    ]
    rows += [
        (partner_of(slip, one.node), ("", "", *_signed(slip, found)))
        for one, found in zip(slip.nodes, results[len(people) :], strict=True)
    ]
    sums = [sum(column) for column in zip(*traded, strict=True)] or [0, 0]
    nets = [sum(column) for column in zip(*results, strict=True)]
    nets = nets or [0] * (1 + len(settle_heads(slip)))
    return [*rows, (_("Total"), (*_amounts(slip, sums), *_signed(slip, nets)))]


def _results(slip: SettlementSlip, one: PlayerRow | NodeRow) -> tuple[Amount, ...]:
    """The net, and what the plan settles where that is shown: exact and rounded where it was rounded."""
    settles = one.net if one.settles is None else one.settles
    if slip.is_rounded:
        exact = settles if one.exact is None else one.exact
        return (exact, settles) if slip.net_is_exact else (one.net, exact, settles)
    return (one.net, settles) if has_settles(slip) else (one.net,)


def _amounts(slip: SettlementSlip, amounts: Iterable[Amount]) -> list[str]:
    return [format_amount(amount, slip.currency) for amount in amounts]


def _signed(slip: SettlementSlip, amounts: Iterable[Amount]) -> list[str]:
    return [format_amount(amount, slip.currency, sign=True) for amount in amounts]


# --- lines -----------------------------------------------------------------------------------------------


def _mode_and_unit(slip: SettlementSlip, width: int) -> Iterator[str]:
    """How it is settled and what amounts are in, on one line where both fit."""
    first, second = mode(slip), unit(slip.currency, slip.chip)
    if cells(first) + cells(second) < width:
        yield ends(first, second, width)
    else:
        yield from wrap(first, width)
        yield right(second, width)


def _times_wide(slip: SettlementSlip) -> str:
    opened = _("opened {time}").format(time=plain(slip.opened))
    closed = _("closed {time}").format(time=plain(slip.closed)) if slip.closed else _("not closed yet")
    return f"{opened}  {closed}"


def _accounts(slip: SettlementSlip, table: Columns, *, between: str) -> Iterator[str]:
    """Head, a row a player and node, and the sum; `between` is the rule under the head, if any."""
    rows = account_rows(slip)
    lay_out = table.fitting([row for _name, row in rows])
    yield from lay_out(_("Player"), table.heads)
    if between:
        yield between
    *players, (total, sums) = rows
    for name, row in players:
        yield from lay_out(name, row)
    yield "-" * table.width
    yield from lay_out(total, sums)


def _payments_wide(slip: SettlementSlip, width: int) -> Iterator[str]:
    """Number, payer, payee, amount and a box to tick; a name that doesn't fit gets a line of its own."""
    amounts = [format_amount(payment.amount, slip.currency) for payment in slip.payments]
    ticks = [paid_mark(slip, payment) for payment in slip.payments]
    after = max(18, *(cells(tick) + 2 for tick in ticks))
    name = (width - 14 - after) // 2
    amount = max(10, *(cells(text) + 1 for text in amounts))
    payee = name + 10 - amount
    after = width - 4 - name - payee - amount
    heads = (_("From"), _("To"), _("Amount"))
    yield f"    {left(heads[0], name)}{left(heads[1], payee)}{right(heads[2], amount)}"
    rows = zip(slip.payments, amounts, ticks, strict=True)
    for number, (payment, text, tick) in enumerate(rows, start=1):
        payer_text, payee_text = partner_of(slip, payment.payer), partner_of(slip, payment.payee)
        start = f"{number:2}. "
        if cells(payer_text) >= name or cells(payee_text) >= payee:
            yield start + cut(payer_text, width - 4)
            partners = "-> " + left(payee_text, name + payee - 3)
            start = "    "
        else:
            partners = left(payer_text, name) + left(payee_text, payee)
        yield start + partners + right(text, amount) + right(tick, after)


def _payment_narrow(slip: SettlementSlip, payment: Payment, width: int) -> Iterator[str]:
    """A payment on one line, or on two where the names need it; the amount stands at the end of the last."""
    payer, payee = partner_of(slip, payment.payer), partner_of(slip, payment.payee)
    amount = format_amount(payment.amount, slip.currency)
    box = "[x]" if payment.paid >= payment.amount else "[ ]"
    line = f"{box} {payer} -> {payee}"
    if cells(line) + cells(amount) < width:
        yield ends(line, amount, width)
    else:
        yield f"{box} {cut(payer, width - 7)} ->"
        if cells(payee) + cells(amount) + 5 > width:
            yield f"    {cut(payee, width - 4)}"
            yield right(amount, width)
        else:
            yield ends(f"    {payee}", amount, width)
    if 0 < payment.paid < payment.amount:
        paid = format_amount(payment.paid, slip.currency)
        rest = format_amount(payment.amount - payment.paid, slip.currency)
        yield ends(f"    {_('paid')} {paid}", _("open {amount}").format(amount=rest), width)


def _remarks(slip: SettlementSlip, width: int) -> Iterator[str]:
    for remark in remarks(slip):
        yield from wrap(remark, width)


def _footing(slip: SettlementSlip, width: int) -> Iterator[str]:
    for text in (*counts(slip), *corrections(slip), chain(slip)):
        yield from wrap(text, width)
