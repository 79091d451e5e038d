"""Standings over many nights; places are shared where results are equal."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.i18n import _, ngettext, pgettext
from assistant.money import format_amount
from assistant.slips.columns import Columns
from assistant.slips.content import StandingRow, StandingsSlip
from assistant.slips.layout import centre, plain, wrap
from assistant.slips.phrases import record_only, unit

_WIDE_FROM = 64


def lines(slip: StandingsSlip, width: int) -> Iterator[str]:
    """Yield the lines of the standings; best and worst night only where there is room."""
    yield centre(_("STANDINGS"), width)
    for line in wrap(f"{span(slip)}, {unit(slip.currency)}", width):
        yield centre(line, width)
    yield "=" * width
    is_wide = width >= _WIDE_FROM
    heads, rows = standing_heads(slip), standing_rows(slip)
    if not is_wide:  # nights and net; best and worst only where there is room
        some = (0, 2, 3) if has_besides(slip) else (0, 2)
        heads = tuple(heads[place] for place in some)
        rows = [(name, tuple(texts[place] for place in some)) for name, texts in rows]
    table = Columns(width, (66 // (len(heads) + 1) if is_wide else 9), heads)
    lay_out = table.fitting([row for _name, row in rows])
    yield from lay_out(_("Player"), heads)
    yield "-" * width
    for name, row in rows:
        yield from lay_out(name, row)
    yield "=" * width
    if has_besides(slip):
        yield from wrap(in_all(), width)
    for text in skipped(slip):
        yield from wrap(text, width)
    yield from wrap(record_only(), width)


def has_besides(slip: StandingsSlip) -> bool:
    """Whether anybody's season came to more than the game: costs, tips, differences, rounding."""
    return any(row.besides for row in slip.rows)


def standing_heads(slip: StandingsSlip) -> tuple[str, ...]:
    """Return what stands above the columns of `standing_rows`."""
    return (
        pgettext("standings", "Nights"),
        pgettext("standings", "Bought in"),
        pgettext("standings", "Net"),
        *([pgettext("standings", "In all")] if has_besides(slip) else []),
        pgettext("standings", "Best"),
        pgettext("standings", "Worst"),
    )


def standing_rows(slip: StandingsSlip) -> list[tuple[str, tuple[str, ...]]]:
    """Return place and name, and the columns, as texts."""
    digits = len(str(len(slip.rows)))
    people = [
        (f"{place:>{digits}}. {plain(row.name)}", _row(slip, row))
        for place, row in zip(places(slip), slip.rows, strict=True)
    ]
    blanks = ("",) * (len(standing_heads(slip)) - 3)
    others = [
        (plain(name), ("", "", format_amount(amount, slip.currency, sign=True), *blanks))
        for name, amount in slip.others
    ]
    return [*people, *others]


def places(slip: StandingsSlip) -> list[int]:
    """Return each row's place; equal results share the better one."""
    nets = [row.net for row in slip.rows]
    return [1 + sum(other > net for other in nets) for net in nets]


def span(slip: StandingsSlip) -> str:
    """Return the days the standings are over and how many nights that were."""
    number = ngettext("{number} night", "{number} nights", slip.nights).format(number=slip.nights)
    return f"{plain(slip.first)} - {plain(slip.last)}, {number}"


def in_all() -> str:
    """Return what the column of that name holds."""
    return _("In all: net, shared costs, tips, differences of the cash box and rounding.")


def skipped(slip: StandingsSlip) -> list[str]:
    """Return the sentence about nights that were left out, or nothing."""
    names = ", ".join(map(plain, slip.skipped))
    return [_("Left out: {names}").format(names=names)] if names else []


def _row(slip: StandingsSlip, row: StandingRow) -> tuple[str, ...]:
    amounts = (row.net, *((row.in_all,) if has_besides(slip) else ()), row.best, row.worst)
    results = [format_amount(amount, slip.currency, sign=True) for amount in amounts]
    return (str(row.nights), format_amount(row.bought_in, slip.currency), *results)
