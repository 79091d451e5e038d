"""The exact odds of the moment at a table, from what everybody can see: the cards turned, nothing hidden.

A game picks what is worth knowing now; the sentences are made elsewhere. Source: RULES.md 7.6, 8, 10.
"""

from __future__ import annotations

from fractions import Fraction

from assistant.cards import Card, Rank, Shoe
from assistant.games.base import OddsLine
from assistant.games.hand_odds import chance_against, chance_of_hand
from assistant.games.odds import (
    RAISE_FROM,
    SPREADS,
    Counts,
    acey_odds,
    casino_odds_of,
    posts_of,
)
from assistant.games.paytables import casino_odds

MIN_ROUND = 3
"""Cards a casino round can need."""
MOST_DEVIATIONS = 4


def casino_round(left: Counts) -> tuple[OddsLine, ...]:
    """Before the cards: what the next round brings with this very shoe, and when a raise pays."""
    if sum(left.values()) < MIN_ROUND:
        return ()
    odds = casino_odds_of(left)
    lines = [OddsLine("round", {"edge": odds.ev_optimal})]
    lines.append(OddsLine("raise_from", {"spread": RAISE_FROM}))
    for posts in odds.deviations[:MOST_DEVIATIONS]:
        facts = {"low": Card(posts.low), "high": Card(posts.high), "edge": posts.edge}
        lines.append(OddsLine("also_raise" if posts.edge > 0 else "only_call", facts))
    for spread in SPREADS:
        if spread in odds.win:
            facts = {"spread": spread, "odds": casino_odds(spread)}
            lines.append(OddsLine("spread", {**facts, "chance": odds.win[spread], "edge": odds.edge[spread]}))
    return tuple(lines)


def casino_posts(left: Counts, first: Rank, second: Rank) -> tuple[OddsLine, ...]:
    """Two posts lie there: the chance of the third card, and what a raise is worth."""
    unseen = sum(left.values())
    if not unseen or abs(first - second) == 1:
        return ()
    if first is second:
        same = left.get(first, 0)
        return (OddsLine("third", {"wins": same, "unseen": unseen, "chance": Fraction(same, unseen)}),)
    posts = posts_of(left, first, second)
    wins = int(posts.between * unseen)
    between = OddsLine("between", {"wins": wins, "unseen": unseen, "chance": posts.between})
    return (between, OddsLine("raise" if posts.edge > 0 else "no_raise", {"edge": posts.edge}))


def turned_card(shoe: Shoe, turned: Card, size: int) -> tuple[OddsLine, ...]:
    """A card lies there: the chance that a hand nobody has seen beats it."""
    unseen = shoe.missing()
    higher = sum(card.beats(turned) for card in unseen)
    if size > len(unseen):
        return ()
    chance = chance_against(higher, size, len(unseen))
    facts = {"turned": turned, "size": size, "higher": higher, "unseen": len(unseen), "chance": chance}
    return (OddsLine("beats", facts),)


def next_card(shoe: Shoe, size: int, limit: Rank = Rank.ACE) -> tuple[OddsLine, ...]:
    """Nothing lies there yet: the mean chance of an unseen hand against the next card up to a rank."""
    chance = chance_of_hand(shoe.missing(), size, limit)
    key = "next_card" if limit is Rank.ACE else "next_target"
    return () if chance is None else (OddsLine(key, {"size": size, "chance": chance}),)


def bank_bet(shoe: Shoe, size: int, pays: int) -> tuple[OddsLine, ...]:
    """A blind bet against a bank card that is not turned yet: the chance, and what the bank keeps of it."""
    chance = chance_of_hand(shoe.missing(), size, Rank.ACE)
    if chance is None:
        return ()
    mean = OddsLine("next_card", {"size": size, "chance": chance})
    return (mean, OddsLine("bet", {"edge": (pays + 1) * chance - 1}))


def acey_posts(left: Counts, posts: tuple[int, int], costs: tuple[int, int]) -> tuple[OddsLine, ...]:
    """Two Acey-Deucey posts: the cards that win, lose and hit a post, and what a bet brings.

    Args:
        left: Cards left of each rank.
        posts: Their values; a low ace is 1.
        costs: Bets a third card costs that equals a post, and one that equals a pair.
    """
    if not sum(left.values()):
        return ()
    odds = acey_odds(left, *posts, *costs)
    facts = {"wins": odds.win, "lose": odds.lose, "post": odds.post, "unseen": odds.unseen}
    key = {"": "posts", "either": "posts_either"}.get(odds.side, f"posts_{odds.side}")
    chance = Fraction(odds.win, odds.unseen)
    return (OddsLine(key, {**facts, "chance": chance}), OddsLine("bet", {"edge": odds.ev}))
