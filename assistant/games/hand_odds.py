"""Exact odds of hands that have to beat a turned card: pool, Six-Spot and Polish Red Dog (RULES.md 10.4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from assistant.cards import FULL_DECK, Card, Rank
from assistant.games.odds import OddsError

RANKS = len(Rank)
SUITS = 4
HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class HandOdds:
    """A hand against the next card of the deck.

    Attributes:
        wins: Unseen cards that the hand beats.
        unseen: Cards that may come.
    """

    wins: int
    unseen: int

    @property
    def probability(self) -> Fraction:
        """Chance to win."""
        return Fraction(self.wins, self.unseen)

    @property
    def advice(self) -> str:
        """For an even-money bet: ``maximum``, ``even`` or ``minimum``."""
        if self.probability == HALF:
            return "even"
        return "maximum" if self.probability > HALF else "minimum"


def hand_odds(hand: Sequence[Card], dead: Iterable[Card] = ()) -> HandOdds:
    """The chance of a known hand against the unseen deck.

    Args:
        hand: The hand.
        dead: Other cards that were seen and can't come.

    Raises:
        OddsError: A card stands twice, has no suit, or none is left.
    """
    known = [*hand, *dead]
    twice = [card for card, times in Counter(known).items() if times > 1 or card.suit is None]
    if twice:
        raise OddsError(f"{twice[0]} stands twice or has no suit.", "Name every card once, with its suit.")
    unseen = [card for card in FULL_DECK if card not in known]
    if not unseen or not hand:
        raise OddsError("A hand and at least one unseen card are needed.")
    wins = sum(any(card.beats(turned) for card in hand) for turned in unseen)
    return HandOdds(wins, len(unseen))


def chance_against(higher: int, size: int, others: int = RANKS * SUITS - 1) -> Fraction:
    """Chance that some of `size` unseen cards beats a card.

    Args:
        higher: Cards that beat it.
        size: Unseen cards in the hand.
        others: Cards the hand may hold.
    """
    return 1 - Fraction(comb(others - higher, size), comb(others, size))


def random_hand(size: int, ranks: int = RANKS) -> Fraction:
    """Chance that a hand of unseen cards beats the next card, for a deck of so many ranks."""
    others = ranks * SUITS - 1
    return sum((chance_against(higher, size, others) for higher in range(ranks)), Fraction(0)) / ranks


def chance_of_hand(unseen: Sequence[Card], size: int, limit: Rank = Rank.ACE) -> Fraction | None:
    """Chance that a hand dealt from unseen cards beats the next card of rank up to a limit.

    The hand is dealt first: each low card it holds cannot be the target any more. So this is not the mean
    over all targets of `chance_against`: a hand of many low cards meets as many targets as any other.

    Args:
        unseen: The cards that may be in the hand or come next.
        size: Cards in the hand.
        limit: Higher cards are passed over (Six-Spot's target).

    Returns:
        None where there is no such card, or too few cards for the hand.
    """
    low = [card for card in unseen if card.rank <= limit]
    others = len(unseen) - len(low)
    if not low or size >= len(unseen):
        return None
    held = range(min(size, len(low) - 1) + 1)  # low cards in the hand, at least one being left outside
    hands = sum(comb(len(low), count) * comb(others, size - count) for count in held)
    lost = Fraction(0)
    for target in low:
        low_higher = sum(card.beats(target) for card in low)
        higher = sum(card.beats(target) for card in unseen) - low_higher
        for count in held:
            ways = comb(len(low) - 1 - low_higher, count) * comb(others - higher, size - count)
            lost += Fraction(ways, len(low) - count)
    return 1 - lost / hands


@dataclass(frozen=True, slots=True)
class HandShares:
    """How good hands of one size are before they are looked at.

    Attributes:
        win: Mean chance to win.
        better_than_half: Share of hands that win more often than not.
        exactly_half: Share of hands that win exactly half of the time.
    """

    win: Fraction
    better_than_half: Fraction
    exactly_half: Fraction


def hand_shares(size: int) -> HandShares:
    """Work out all hands of so many cards, by how many cards each beats."""
    beaten = _hands_by_beaten(size)
    unseen, total = RANKS * SUITS - size, comb(RANKS * SUITS, size)
    better = sum(count for cards, count in beaten.items() if 2 * cards > unseen)
    half = sum(count for cards, count in beaten.items() if 2 * cards == unseen)
    return HandShares(random_hand(size), Fraction(better, total), Fraction(half, total))


def _hands_by_beaten(size: int) -> Counter[int]:
    """Number of hands -> by the unseen cards they beat; one suit after the other."""
    one_suit = Counter({(0, 0): 1})
    for below in range(RANKS):  # ranks below the suit's best card in the hand
        for more in range(min(below, size - 1) + 1):
            one_suit[more + 1, below - more] += comb(below, more)
    hands = Counter({(0, 0): 1})
    for _ in range(SUITS):
        longer: Counter[tuple[int, int]] = Counter()
        for (cards, beaten), count in hands.items():
            for (added, more), ways in one_suit.items():
                if cards + added <= size:
                    longer[cards + added, beaten + more] += count * ways
        hands = longer
    return Counter({beaten: count for (cards, beaten), count in hands.items() if cards == size})


def six_spot_target(rank: Rank, size: int = 3) -> Fraction:
    """Chance that so many unseen cards beat a target of a rank."""
    return chance_against(Rank.ACE - rank, size)


def six_spot_mean(size: int = 3, limit: int = 6) -> Fraction:
    """Mean chance over all targets up to a limit."""
    targets = [rank for rank in Rank if rank <= limit]
    return sum((six_spot_target(rank, size) for rank in targets), Fraction(0)) / len(targets)


def polish_punter(ranks: int = RANKS) -> Fraction:
    """Chance of a punter's three cards against the bank card; 8 ranks make a deck of 32."""
    return random_hand(3, ranks)


def polish_bank_edge(pays: int = 2, ranks: int = RANKS) -> Fraction:
    """What the bank keeps of each unit bet."""
    return 1 - (pays + 1) * polish_punter(ranks)
