"""Main pot and side pots: who can win what, and what nobody called (RULES.md 9.4, 9.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assistant.money import Amount


@dataclass(frozen=True, slots=True)
class Pot:
    """Chips, and the players still in who can win them, from the dealer's left."""

    amount: Amount
    players: tuple[str, ...]

    @property
    def is_contested(self) -> bool:
        """Whether more than one player can win it."""
        return len(self.players) > 1


def uncalled(totals: Mapping[str, Amount]) -> tuple[str, Amount] | None:
    """Who paid more than anybody else, and how much more; None when the two highest are equal.

    Players who folded count: what they paid was called.
    """
    if not totals:
        return None
    order = sorted(totals, key=lambda player: -totals[player])
    second = totals[order[1]] if len(order) > 1 else 0
    surplus = totals[order[0]] - second
    return (order[0], surplus) if surplus else None


def build_pots(
    contributed: Mapping[str, Amount], still_in: Sequence[str], extra: Amount = 0
) -> tuple[Pot, ...]:
    """Divide what was paid into pots, the main pot first.

    Args:
        contributed: Antes and bets of the whole hand, folders too.
        still_in: Players who did not fold, from the dealer's left.
        extra: Chips that were in the pot before, or got there by mistake; they belong to the main pot.
    """
    levels = sorted({contributed.get(player, 0) for player in still_in} - {0})
    pots: list[Pot] = []
    below = 0
    for level in levels:
        amount = sum(min(paid, level) - min(paid, below) for paid in contributed.values())
        players = tuple(player for player in still_in if contributed.get(player, 0) >= level)
        if pots and pots[-1].players == players:
            pots[-1] = Pot(pots[-1].amount + amount, players)
        else:
            pots.append(Pot(amount, players))
        below = level
    above = sum(max(paid - below, 0) for paid in contributed.values())
    if pots and above:
        pots[-1] = Pot(pots[-1].amount + above, pots[-1].players)
    if pots and extra:
        pots[0] = Pot(pots[0].amount + extra, pots[0].players)
    return tuple(pots)
