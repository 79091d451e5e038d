"""Payments that went wrong by mistake, and taking them back in time (RULES.md 1.8); shared by all games.

The fund is the place that pays and collects: the pool, the bank, or the house.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from assistant.games.base import (
    Choice,
    Correct,
    Corrected,
    Event,
    IllegalAction,
    Mispaid,
    Mispay,
    Reader,
)
from assistant.games.card_table import Table
from assistant.holdings import Move, stack_of
from assistant.money import Amount

VERBS: Final[Mapping[str, Reader]] = {
    "paid-in": lambda words: Mispay("paid-in", words.player(), words.amount()),
    "overpaid": lambda words: Mispay("overpaid", words.player(), words.amount()),
    "underpaid": lambda words: Mispay("underpaid", words.player(), words.amount()),
    "correct": lambda words: Correct(words.player()),
}


def mispay(
    table: Table, fund: str, spare: Amount | None, window: tuple[str, ...], action: Mispay
) -> tuple[Event, ...]:
    """Chips went the wrong way.

    Args:
        table: The table.
        fund: Pool, bank or house.
        spare: What the fund can give at most; None for no limit. Chips that would pay a standing bet don't
            count.
        window: Players whose settlement can still be mended.
        action: What happened.

    Raises:
        IllegalAction: E_LATE, E_BET_LOW, E_STACK, E_POOL.
    """
    player, amount = action.player, action.amount
    if action.kind != "paid-in" and player not in window:
        raise IllegalAction("E_LATE", "", {"player": player})
    if amount < 1:
        raise IllegalAction("E_BET_LOW", "", {"found": amount, "low": 1})
    if action.kind == "overpaid":
        if spare is not None and amount > spare:
            raise IllegalAction("E_POOL", "", {"found": amount, "high": spare})
        move = Move(fund, stack_of(player), amount)
    else:
        stack = table.chips.stack(player)
        if amount > stack:
            raise IllegalAction("E_STACK", "stack_short", {"player": player, "found": amount, "stack": stack})
        move = Move(stack_of(player), fund, amount)
    return (Mispaid(action.kind, player, amount, moves=(move,)),)


def correct(
    table: Table,
    fund: str,
    spare: Amount | None,
    window: tuple[str, ...],
    mispaid: tuple[tuple[str, Amount], ...],
    player: str,
) -> tuple[Event, ...]:
    """The difference goes back, at most what the player (or the fund) still has.

    Raises:
        IllegalAction: E_LATE when the window is closed or there is nothing to correct.
    """
    difference = dict(mispaid).get(player, 0)
    if player not in window or not difference:
        raise IllegalAction("E_LATE", "", {"player": player})
    if difference > 0:
        amount = min(difference, table.chips.stack(player))
        move = Move(stack_of(player), fund, amount)
    else:
        amount = -difference if spare is None else min(-difference, spare)
        move = Move(fund, stack_of(player), amount)
    return (Corrected(player, amount, moves=(move,) if amount else ()),)


def choices(
    table: Table,
    spare: Amount | None,
    window: tuple[str, ...],
    mispaid: tuple[tuple[str, Amount], ...],
) -> tuple[Choice, ...]:
    """What `mispay` and `correct` accept now; an upper end of None is no end."""
    able = [player for player in table.players if table.chips.stack(player) > 0]
    wrong = dict(mispaid)
    mended = [player for player in window if player in table.players]
    return (
        *(Choice("paid-in", player, 1, table.chips.stack(player)) for player in able),
        *(Choice("overpaid", player, 1, spare) for player in mended if spare is None or spare > 0),
        *(Choice("underpaid", player, 1, table.chips.stack(player)) for player in mended if player in able),
        *(Choice("correct", player) for player in mended if wrong.get(player)),
    )


def after(
    mispaid: tuple[tuple[str, Amount], ...], event: Mispaid | Corrected
) -> tuple[tuple[str, Amount], ...]:
    """What each player holds too much (or too little) after a payment went wrong or was mended."""
    amounts = dict(mispaid)
    if isinstance(event, Corrected):
        amounts.pop(event.player, None)
    elif event.kind != "paid-in":
        sign = 1 if event.kind == "overpaid" else -1
        amounts[event.player] = amounts.get(event.player, 0) + sign * event.amount
    return tuple(amounts.items())
