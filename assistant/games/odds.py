"""Exact odds by enumeration: casino Red Dog for any shoe, and Acey-Deucey's posts (RULES.md 7.6, 10).

All probabilities are fractions; nothing is sampled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

from assistant.cards import Rank
from assistant.errors import AssistantError
from assistant.games.paytables import CASINO_PAIR_ODDS, casino_odds

RAISE_FROM = 7  # the fixed rule: raise at this spread and above (RULES.md 7.6)
SPREADS = range(1, 12)

Counts = Mapping[Rank, int]
"""Cards left of each rank."""


class OddsError(AssistantError):
    """There are no odds to work out: too few cards, or cards that contradict each other."""


def full_shoe(decks: int = 1) -> dict[Rank, int]:
    """The ranks of a shoe of so many decks."""
    return dict.fromkeys(Rank, 4 * decks)


@dataclass(frozen=True, slots=True)
class Posts:
    """Two first cards, lower rank first, and what may follow them from a given shoe.

    Attributes:
        between: Chance that the third card falls strictly between.
        edge: What a bet of one wins on average.
    """

    low: Rank
    high: Rank
    between: Fraction
    edge: Fraction

    @property
    def spread(self) -> int:
        """Ranks strictly between."""
        return self.high - self.low - 1


def posts_of(left: Counts, first: Rank, second: Rank) -> Posts:
    """The odds once two cards with a spread lie there.

    Args:
        left: Cards left in the shoe, without the two.
        first: One of the two.
        second: The other.

    Raises:
        OddsError: No card is left.
    """
    low, high = min(first, second), max(first, second)
    unseen = sum(left.values())
    if not unseen:
        raise OddsError("No card is left.", "Shuffle first.")
    between = Fraction(sum(count for rank, count in left.items() if low < rank < high), unseen)
    return Posts(low, high, between, between * (casino_odds(high - low - 1) + 1) - 1)


def should_raise(left: Counts, first: Rank, second: Rank) -> bool:
    """Whether a raise pays with this very shoe: strictly above even (RULES.md 7.6)."""
    return posts_of(left, first, second).edge > 0


@dataclass(frozen=True, slots=True)
class CasinoOdds:
    """Casino Red Dog from one shoe; values per unit of the opening bet.

    Attributes:
        ev: Raising at spread 7 and above.
        ev_optimal: Raising wherever it pays with this shoe.
        ev_never_raise: Calling always.
        ev_if_unmatched_pair_lost: With the reading of the rules that is not played.
        mean_staked: Opening bet and raise together, raising at spread 7 and above.
        standard_deviation: Of one round, raising at spread 7 and above.
        spread: Spread -> chance of it.
        win: Spread -> chance that the third card falls between.
        edge: Spread -> what a bet of one wins on average there.
        deviations: Posts where the fixed rule is wrong with this shoe.
    """

    ev: Fraction
    ev_optimal: Fraction
    ev_never_raise: Fraction
    ev_if_unmatched_pair_lost: Fraction
    mean_staked: Fraction
    standard_deviation: float
    pair: Fraction
    three_of_a_kind: Fraction
    consecutive: Fraction
    spread: Mapping[int, Fraction]
    win: Mapping[int, Fraction]
    edge: Mapping[int, Fraction]
    deviations: tuple[Posts, ...]

    @property
    def loss_per_unit_staked(self) -> Fraction:
        """What the player loses of each unit staked, raises included."""
        return -self.ev / self.mean_staked

    @property
    def raises(self) -> Fraction:
        """Chance of a spread at which the fixed rule raises."""
        return sum((chance for spread, chance in self.spread.items() if spread >= RAISE_FROM), Fraction(0))


@dataclass
class _Sums:
    """Sums over all first two cards, weighted by how often they come."""

    ev: Fraction = Fraction(0)
    optimal: Fraction = Fraction(0)
    never: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)
    spread: dict[int, Fraction] = field(default_factory=dict)
    won: dict[int, Fraction] = field(default_factory=dict)
    edge: dict[int, Fraction] = field(default_factory=dict)
    deviations: list[Posts] = field(default_factory=list)

    def add(self, chance: Fraction, posts: Posts) -> None:
        spread, odds = posts.spread, casino_odds(posts.spread)
        stake = 2 if spread >= RAISE_FROM else 1
        self.never += chance * posts.edge
        self.ev += chance * posts.edge * stake
        self.optimal += chance * posts.edge * (2 if posts.edge > 0 else 1)
        self.squares += chance * stake**2 * (posts.between * (odds**2 - 1) + 1)
        for sums, amount in ((self.spread, 1), (self.won, posts.between), (self.edge, posts.edge)):
            sums[spread] = sums.get(spread, Fraction(0)) + chance * amount
        if (posts.edge > 0) != (spread >= RAISE_FROM):
            self.deviations.append(posts)


def casino_odds_of(shoe: Counts) -> CasinoOdds:
    """Work out casino Red Dog for a full or depleted shoe.

    Raises:
        OddsError: Fewer than three cards are left.
    """
    left = {rank: shoe.get(rank, 0) for rank in Rank}
    total = sum(left.values())
    if total < 3 or min(left.values()) < 0:
        raise OddsError(f"{total} cards are too few for a round.", "Shuffle first.")
    two, three = total * (total - 1), total * (total - 1) * (total - 2)
    pair = Fraction(sum(count * (count - 1) for count in left.values()), two)
    trips = Fraction(sum(count * (count - 1) * (count - 2) for count in left.values()), three)
    consecutive, sums = Fraction(0), _Sums()
    for low in Rank:
        for high in Rank:
            if high <= low or not left[low] or not left[high]:
                continue
            chance = Fraction(2 * left[low] * left[high], two)
            if high - low == 1:
                consecutive += chance
                continue
            rest = {**left, low: left[low] - 1, high: left[high] - 1}
            sums.add(chance, posts_of(rest, low, high))
    tripled = trips * CASINO_PAIR_ODDS
    ev = sums.ev + tripled
    raises = sum((chance for spread, chance in sums.spread.items() if spread >= RAISE_FROM), Fraction(0))
    variance = sums.squares + trips * CASINO_PAIR_ODDS**2 - ev**2
    return CasinoOdds(
        ev=ev,
        ev_optimal=sums.optimal + tripled,
        ev_never_raise=sums.never + tripled,
        ev_if_unmatched_pair_lost=ev - (pair - trips),
        mean_staked=1 + raises,
        standard_deviation=sqrt(variance),
        pair=pair,
        three_of_a_kind=trips,
        consecutive=consecutive,
        spread={spread: sums.spread.get(spread, Fraction(0)) for spread in SPREADS},
        win={spread: sums.won[spread] / chance for spread, chance in sorted(sums.spread.items())},
        edge={spread: sums.edge[spread] / chance for spread, chance in sorted(sums.spread.items())},
        deviations=tuple(sums.deviations),
    )


# --- Acey-Deucey --------------------------------------------------------------------------------------------

LOW_ACE = 1
POST_COSTS, TRIPLE_COSTS = 2, 3


@dataclass(frozen=True, slots=True)
class AceyOdds:
    """What follows two posts.

    Attributes:
        win: Cards that win.
        lose: Cards that cost the bet once.
        post: Cards that equal a post.
        ev: What a bet of one wins on average.
        side: ``higher``, ``lower`` or ``either`` for a pair; empty for a spread.
    """

    win: int
    lose: int
    post: int
    ev: Fraction
    side: str = ""

    @property
    def unseen(self) -> int:
        """Cards that may come."""
        return self.win + self.lose + self.post


def acey_odds(
    left: Counts, first: int, second: int, post_costs: int = POST_COSTS, triple_costs: int = TRIPLE_COSTS
) -> AceyOdds:
    """The odds of the better bet on two posts.

    Args:
        left: Cards left, without the posts.
        first: Value of the first post; 1 is an ace that was called low.
        second: Value of the second post.
        post_costs: Bets a third card costs that equals a post.
        triple_costs: The same for a pair, and for a low and a high ace.

    Raises:
        OddsError: No card is left.
    """
    low, high = min(first, second), max(first, second)
    if not sum(left.values()):
        raise OddsError("No card is left.", "Shuffle first.")
    ranks = {int(Rank.ACE) if value == LOW_ACE else value for value in (low, high)}
    post = sum(count for rank, count in left.items() if int(rank) in ranks)

    def others(wins: Callable[[int], bool]) -> int:
        return sum(count for rank, count in left.items() if int(rank) not in ranks and wins(int(rank)))

    if low == high:
        above, below = others(lambda value: value > high), others(lambda value: value < low)
        side = "either" if above == below else "higher" if above > below else "lower"
        return _acey(max(above, below), min(above, below), post, triple_costs, side)
    between = others(lambda value: low < value < high)
    outside = others(lambda value: not low < value < high)
    costs = triple_costs if (low, high) == (LOW_ACE, int(Rank.ACE)) else post_costs
    return _acey(between, outside, post, costs, "")


def _acey(win: int, lose: int, post: int, costs: int, side: str) -> AceyOdds:
    return AceyOdds(win, lose, post, Fraction(win - lose - costs * post, win + lose + post), side)
