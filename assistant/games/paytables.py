"""Payout tables as data."""

from __future__ import annotations

# Odds to one by spread (RULES.md 7.5, [S2] [S3]); spreads from 4 on pay even money.
CASINO_ODDS = {1: 5, 2: 4, 3: 2}
CASINO_PAIR_ODDS = 11
# The most a casino bet can cost the house for each chip of the opening bet; raised bets stay below it.
LARGEST_CASINO_ODDS = 11


def casino_odds(spread: int) -> int:
    """Odds to one for a third card between two cards with `spread` ranks between them."""
    return CASINO_ODDS.get(spread, 1)
