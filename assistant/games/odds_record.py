"""The odds of a game as one JSON object: what ``tableside odds`` prints (TABLE_TALK.md, "Commands")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from assistant.cards import Card, Rank
from assistant.games.hand_odds import (
    hand_odds,
    hand_shares,
    polish_bank_edge,
    polish_punter,
    six_spot_mean,
    six_spot_target,
)
from assistant.games.odds import (
    RAISE_FROM,
    CasinoOdds,
    Counts,
    OddsError,
    Posts,
    acey_odds,
    casino_odds_of,
    full_shoe,
    posts_of,
)

Record = dict[str, object]
HAND_SIZES = (3, 4, 5)
MAX_DECKS = 8


def odds_record(
    game: str,
    *,
    decks: int | None = None,
    shoe: Counts | None = None,
    hand: Sequence[Card] = (),
    dead: Sequence[Card] = (),
) -> Record:
    """Return the odds of a game.

    Args:
        game: Its name.
        decks: Full decks in the shoe (casino; 6 unless said, as the house rules).
        shoe: Cards left of each rank instead of full decks.
        hand: A hand against the unseen deck; two posts in the casino game and Acey-Deucey.
        dead: Other cards that can't come.

    Raises:
        OddsError: There are no odds for that.
    """
    if game in ("casino-red-dog", "acey-deucey-pot"):
        left = _left(game, decks, shoe, hand, dead)
        if hand:
            return _posts_record(game, left, hand)
        return (
            _casino_record(left, None if shoe else _decks(game, decks))
            if "casino" in game
            else _acey_record(left)
        )
    if shoe is not None or decks not in (None, 1):
        raise OddsError(f"{game} is played with one deck of 52.", "Name dead cards with --dead.")
    if game == "rake":
        raise OddsError("There are no exact odds for rake.", "The other games have them.")
    if hand:
        found = hand_odds(hand, dead)
        return {
            "wins": found.wins,
            "unseen": found.unseen,
            "probability": rounded(found.probability),
            "advice": found.advice,
        }
    if game == "six-spot-red-dog":
        return _six_spot_record()
    return _polish_record() if game == "polish-red-dog" else _pool_record()


def rounded(value: Fraction) -> float:
    """Six decimals, as everywhere in the figures."""
    return round(float(value), 6) + 0.0


def _decks(game: str, decks: int | None) -> int:
    found = decks if decks is not None else 6 if game == "casino-red-dog" else 1
    if not 1 <= found <= MAX_DECKS:
        raise OddsError(f"{found} decks are not played.", f"Choose 1 to {MAX_DECKS}.")
    return found


def _left(
    game: str, decks: int | None, shoe: Counts | None, hand: Sequence[Card], dead: Sequence[Card]
) -> dict[Rank, int]:
    """Cards left without those that were named."""
    left = dict(shoe) if shoe is not None else full_shoe(_decks(game, decks))
    for card in (*hand, *dead):
        left[card.rank] = left.get(card.rank, 0) - 1
        if left[card.rank] < 0:
            raise OddsError(
                f"There is no {card.rank.label} left for {card}.", "Look at --shoe, --hand and --dead."
            )
    return left


def _by_spread(values: Mapping[int, Fraction]) -> dict[str, float]:
    return {str(spread): rounded(value) for spread, value in values.items()}


def _casino_record(left: Counts, decks: int | None) -> Record:
    odds = casino_odds_of(left)
    return {
        "decks": decks,
        "ev": rounded(odds.ev),
        "edge_percent": rounded(-100 * odds.ev),
        "loss_per_unit_percent": rounded(100 * odds.loss_per_unit_staked),
        "ev_optimal": rounded(odds.ev_optimal),
        "ev_never_raise": rounded(odds.ev_never_raise),
        "mean_staked": rounded(odds.mean_staked),
        "standard_deviation": round(odds.standard_deviation, 6),
        "pair": rounded(odds.pair),
        "three_of_a_kind": rounded(odds.three_of_a_kind),
        "consecutive": rounded(odds.consecutive),
        "spread": _by_spread(odds.spread),
        "win": _by_spread(odds.win),
        "edge": _by_spread(odds.edge),
        "raise_from": RAISE_FROM,
        "deviations": _deviations(odds),
    }


def _deviations(odds: CasinoOdds) -> list[Record]:
    return [
        {"cards": f"{one.low.label}-{one.high.label}", "spread": one.spread, **_decision(one)}
        for one in odds.deviations
    ]


def _decision(posts: Posts) -> Record:
    decision = "raise" if posts.edge > 0 else "call"
    return {"win": rounded(posts.between), "edge": rounded(posts.edge), "right": decision}


def _posts_record(game: str, left: Counts, hand: Sequence[Card]) -> Record:
    if len(hand) != 2:
        raise OddsError(f"{len(hand)} cards were named; here a hand is two posts.")
    first, second = (card.rank for card in hand)
    unseen = sum(left.values())
    if game == "acey-deucey-pot":
        found = acey_odds(left, first, second)
        record: Record = {
            "wins": found.win,
            "unseen": unseen,
            "probability": rounded(Fraction(found.win, unseen)),
        }
        return {**record, "posts": found.post, "ev": rounded(found.ev), "side": found.side or None}
    if abs(first - second) < 2:
        raise OddsError("A pair or consecutive cards bring no decision.")
    posts = posts_of(left, first, second)
    wins = int(posts.between * unseen)
    return {"wins": wins, "unseen": unseen, "probability": rounded(posts.between), **_decision(posts)}


def _pool_record() -> Record:
    shares = {size: hand_shares(size) for size in HAND_SIZES}
    return {
        "random_hand": {
            str(size): {
                "win": rounded(one.win),
                "better_than_half": rounded(one.better_than_half),
                "exactly_half": rounded(one.exactly_half),
            }
            for size, one in shares.items()
        }
    }


def _six_spot_record() -> Record:
    return {
        "hand": {
            str(size): {
                "target": {rank.label: rounded(six_spot_target(rank, size)) for rank in Rank if rank <= 6},
                "mean": rounded(six_spot_mean(size)),
            }
            for size in HAND_SIZES
        },
        "mean_of_three_cards_by_limit": {
            str(limit): rounded(six_spot_mean(3, limit)) for limit in range(2, 15)
        },
    }


def _polish_record() -> Record:
    return {
        str(4 * ranks): {
            "punter_wins": rounded(polish_punter(ranks)),
            "bank_edge": rounded(polish_bank_edge(2, ranks)),
        }
        for ranks in (13, 8)
    }


def _acey_record(left: Counts) -> Record:
    """Every two posts from this deck: an ace first may be low."""
    posts: list[Record] = []
    for low, high in combinations((1, *map(int, Rank)), 2):
        ranks = (Rank(14 if low == 1 else low), Rank(high))
        rest = _without(left, ranks)
        if rest is None or high - low == 1:
            continue
        name = f"{'A(low)' if low == 1 else ranks[0].label}-{ranks[1].label}"
        found = acey_odds(rest, low, high)
        record = {"posts": name, "spread": high - low - 1, "between": found.win, "outside": found.lose}
        posts.append({**record, "post": found.post, "unseen": found.unseen, "ev": rounded(found.ev)})
    pairs: list[Record] = []
    for rank in Rank:
        rest = _without(left, (rank, rank))
        if rest is not None:
            found = acey_odds(rest, rank, rank)
            numbers = {"win": found.win, "lose": found.lose, "match": found.post}
            pairs.append({"pair": rank.label, "better_side": found.side, **numbers, "ev": rounded(found.ev)})
    return {"posts": posts, "pairs": pairs}


def _without(left: Counts, ranks: Sequence[Rank]) -> dict[Rank, int] | None:
    rest = dict(left)
    for rank in ranks:
        rest[rank] = rest.get(rank, 0) - 1
    return rest if min(rest.values()) >= 0 else None


def read_shoe(text: str) -> dict[Rank, int]:
    """Read the cards left of each rank, written ``A:6 K:4 10:3``; ranks not named have none.

    Raises:
        OddsError: A word can't be read.
    """
    ranks = {rank.label: rank for rank in Rank} | {rank.letter: rank for rank in Rank}
    shoe: dict[Rank, int] = {}
    for word in text.replace(",", " ").split():
        name, _, number = word.partition(":")
        rank = ranks.get(name.upper())
        if rank is None or rank in shoe or not (number.isascii() and number.isdigit() and len(number) < 4):
            raise OddsError(f"{word} can't be read as cards of a rank.", "Write for example A:6 K:4 10:3.")
        shoe[rank] = int(number)
    return shoe
