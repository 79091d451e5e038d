"""Who wins which pot at a showdown of Rake: the Ace of Skulls, ties, and the draws that break them (RULES.md
9.5-9.7).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assistant.cards import Card
from assistant.games.hand_ranks import HandValue, RankRules, ace_of_skulls_wins, hand_value
from assistant.games.pots import Pot
from assistant.money import Amount, share_equally


@dataclass(frozen=True, slots=True)
class ShowdownRules:
    """House rules of the showdown (RULES.md 9.2)."""

    ranks: RankRules = field(default_factory=RankRules)
    ace_of_skulls: bool = True
    split_ties: bool = False


@dataclass(frozen=True, slots=True)
class Award:
    """What a player gets of one pot; an uncontested one goes back to who paid it."""

    player: str
    amount: Amount
    contested: bool = True
    side: bool = False


@dataclass(frozen=True, slots=True)
class Showdown:
    """How a showdown stands.

    Attributes:
        awards: What each player gets, the main pot first; complete once nobody draws.
        drawing: Who draws the next tie-break cards, in order; empty when all pots are decided.
    """

    awards: tuple[Award, ...] = ()
    drawing: tuple[str, ...] = ()


@dataclass
class _Draws:
    """The tie-break cards drawn so far, taken off in order; they work as further kickers."""

    cards: list[Card]
    left: int
    kickers: dict[str, tuple[int, ...]] = field(default_factory=dict)
    drawing: tuple[str, ...] = ()

    def best(self, tied: Sequence[str]) -> tuple[str, ...]:
        """Those with the highest kickers of the players who are tied."""
        top = max(self.kickers.get(player, ()) for player in tied)
        return tuple(player for player in tied if self.kickers.get(player, ()) == top)

    def round(self, tied: Sequence[str]) -> bool:
        """One card for each; False when the deck or the drawn cards do not reach."""
        if self.left < len(tied):
            return False
        if len(self.cards) < len(tied):
            self.drawing = tuple(tied[len(self.cards) :])
            return False
        for player in tied:
            self.kickers[player] = (*self.kickers.get(player, ()), int(self.cards.pop(0).rank))
        self.left -= len(tied)
        return True


def decide_showdown(
    pots: Sequence[Pot],
    hands: Mapping[str, Sequence[Card]],
    drawn: Sequence[Card],
    stock: int,
    rules: ShowdownRules,
) -> Showdown:
    """Decide all pots, from the main pot up.

    Args:
        pots: The pots; players of each from the dealer's left.
        hands: Five cards of everybody still in.
        drawn: Tie-break cards drawn so far, in order.
        stock: Cards that were left in the deck before the first of them.
        rules: House rules.
    """
    values = {player: hand_value(cards, rules.ranks) for player, cards in hands.items()}
    draws = _Draws(list(drawn), stock)
    awards: list[Award] = []
    for number, pot in enumerate(pots):
        if not pot.is_contested:
            awards.append(Award(pot.players[0], pot.amount, contested=False))
            continue
        winners = _winners(pot.players, hands, values, draws, rules)
        if draws.drawing:
            return Showdown(tuple(awards), draws.drawing)
        shares = share_equally(pot.amount, winners)
        awards += [Award(player, share, side=number > 0) for player, share in shares.items() if share]
    return Showdown(tuple(awards))


def _winners(
    entitled: Sequence[str],
    hands: Mapping[str, Sequence[Card]],
    values: Mapping[str, HandValue],
    draws: _Draws,
    rules: ShowdownRules,
) -> tuple[str, ...]:
    """Who wins a contested pot; more than one where they share it."""
    left = list(entitled)
    if rules.ace_of_skulls:
        for player in entitled:
            wins = ace_of_skulls_wins(hands[player])
            if wins:
                return (player,)
            if wins is False:
                left.remove(player)
    best = max(values[player] for player in left)
    tied = tuple(player for player in left if values[player] == best)
    if rules.split_ties:
        return tied
    tied = draws.best(tied)
    while len(tied) > 1 and draws.round(tied):
        tied = draws.best(tied)
    return tied
