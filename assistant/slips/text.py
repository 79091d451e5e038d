"""Slips as plain text: 80 columns for paper, 48, 42 or 32 for receipt printers.

No sentence holds a name, so none has to be bent for it in any language; tables and nouns only. Rules are
ASCII, minus is a hyphen, a plus is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from assistant.slips import buy_in, count, rules_sheet, settlement, standings
from assistant.slips.content import BuyInSlip, CountSlip, RulesSlip, SettlementSlip, Slip, StandingsSlip
from assistant.slips.layout import page

WIDTHS = (80, 48, 42, 32)
NARROWEST = 24
_WIDE_FROM = 64


def render(slip: Slip, width: int) -> str:
    """Return a slip as text.

    Args:
        slip: What stands on it.
        width: Columns of the paper, at least `NARROWEST`.
    """
    return page(_lines(slip, max(width, NARROWEST)))


def _lines(slip: Slip, width: int) -> Iterator[str]:
    match slip:
        case SettlementSlip():
            lines = settlement.wide if width >= _WIDE_FROM else settlement.narrow
            return lines(slip, width)
        case BuyInSlip():
            return buy_in.lines(slip, width)
        case CountSlip():
            return count.lines(slip, width)
        case StandingsSlip():
            return standings.lines(slip, width)
        case RulesSlip():
            return rules_sheet.lines(slip, width)
        case _:
            assert_never(slip)
