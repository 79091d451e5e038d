"""Names flat cards: the index network on both corners, then the body network and the ink as a veto.

Confidence of a network isn't correctness: on an unknown index style it can be sure and wrong. So a card is
named only when both corners say the same, the middle of the card doesn't contradict, and red is red.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from assistant.cards import Card, Rank, Suit
from calibration.frames import Image
from calibration.recogniser.network import Floats, Network
from calibration.recogniser.rectify import PAPER_LEVEL, FlatCard, body_view, index_views

RANKS = tuple(Rank)
SUITS = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
NO_RANK, NO_SUIT = len(RANKS), len(SUITS)
BODY_OF_RANK = (
    {Rank.ACE: 0}
    | {Rank(n): n - 1 for n in range(2, 11)}
    | dict.fromkeys((Rank.JACK, Rank.QUEEN, Rank.KING), 10)
)
NO_BODY = 11

FIRST_INSET = 0.005
MORE_INSETS = (-0.015, 0.025)
"""Looks at each corner, shifted by this share of the card's width, so that no reading hangs on one pixel."""
BLANK = 0.9
"""A corner that is nothing with at least this share isn't looked at again."""

SURE = 0.90
"""Least confidence of a named card (scripts/score_recogniser.py --rendered)."""
CORNER_SURE = 0.97
"""Least share of a single readable corner where the other is covered."""
BODY_VETO = 0.05
"""A body that gives the index's rank or suit less contradicts (VISION.md: wrong ones score below 0.025)."""
BODY_PROOF = 0.60
"""Least share of the body that can stand in for a covered corner."""
FACE_SHARE = 0.50
"""Least share of something printed, in a corner or in the middle, for an outline to be a card's face."""
INK_COLUMNS, INK_ROWS = (0.04, 0.15), (0.04, 0.24)
"""Share of the card's width and height where an index is printed, clear of the table beside the card."""
INK_PERCENTILE = 8
"""Darkness rank that counts as full ink."""
INK_DEPTH_SHARE = 0.35
"""Pixels up to this share of the way from full ink to paper are ink."""
MIN_INK_DEPTH = 40.0
"""Least difference of full ink and paper (of 255)."""
RED_INK = 0.22
"""Redness from which ink is red: 99 % of 241 red indices drawn in warm, cold, dim and glaring light."""
BLACK_INK = 0.18
"""Redness up to which ink isn't red: all of 251 black indices drawn so."""
BLUE_INK = -0.15
"""Redness up to which ink is blue or green rather than black: all of 26 drawn so."""


@dataclass(frozen=True, slots=True)
class Named:
    """What one flat card was read as.

    Attributes:
        card: Best guess; None when not even that.
        confidence: 0 to 1.
        candidates: Best first with their shares, at most five.
        reason: Empty when sure, else why not.
        is_face: Whether it looks like a card's face at all.
    """

    card: Card | None
    confidence: float
    candidates: tuple[tuple[Card, float], ...]
    reason: str
    is_face: bool


Shares: TypeAlias = npt.NDArray[np.float32]


def classify(flats: Sequence[FlatCard], networks: dict[str, Network]) -> tuple[Named, ...]:
    """Name flat cards, all in one run of each network."""
    if not flats:
        return ()
    ranks, suits = _look(flats, FIRST_INSET, networks)
    again = [
        n for n in range(len(flats)) if min(ranks[n, :, NO_RANK].min(), suits[n, :, NO_SUIT].min()) < BLANK
    ]
    more = [_look([flats[n] for n in again], inset, networks) for inset in MORE_INSETS if again]
    for place, n in enumerate(again):
        ranks[n] = _pooled([ranks[n], *(look[0][place] for look in more)])
        suits[n] = _pooled([suits[n], *(look[1][place] for look in more)])
    bodies, body_suits = _middles(flats, networks["body"])
    return tuple(
        _judge(ranks[n], suits[n], bodies[n], body_suits[n], ink_redness(flat.even))
        for n, flat in enumerate(flats)
    )


def _middles(flats: Sequence[FlatCard], network: Network) -> tuple[Floats, Floats]:
    """Shares of middles and their suits, each card looked at both ways up: (N, classes)."""
    views = [body_view(flat.even) for flat in flats]
    bodies, suits = network.run(np.stack([*views, *(view[::-1, ::-1] for view in views)]))
    both_ways = (2, len(flats), -1)
    return np.mean(bodies.reshape(both_ways), axis=0), np.mean(suits.reshape(both_ways), axis=0)


def _look(flats: Sequence[FlatCard], inset: float, networks: dict[str, Network]) -> tuple[Floats, Floats]:
    """Shares of ranks and of suits in both corners of each card: (N, 2, classes)."""
    views = [view for flat in flats for view in index_views(flat.even, inset)]
    ranks, suits = networks["index"].run(np.stack(views))
    return ranks.reshape(len(flats), 2, -1), suits.reshape(len(flats), 2, -1)


def ink_redness(even: Image) -> float | None:
    """How red the index is: about 0.7 for red, 0 for black, less for blue or green; None without ink.

    The measure is a ratio, so blur and thin strokes, which mix ink with paper, leave it alone.
    """
    height, width = even.shape[:2]
    rows = slice(round(height * INK_ROWS[0]), round(height * INK_ROWS[1]))
    columns = slice(round(width * INK_COLUMNS[0]), round(width * INK_COLUMNS[1]))
    corners = (even[rows, columns], even[::-1, ::-1][rows, columns])
    pixels = np.concatenate([corner.reshape(-1, 3) for corner in corners]).astype(np.float32)
    darkest = pixels.min(axis=1)
    full = float(np.percentile(darkest, INK_PERCENTILE))
    if full > PAPER_LEVEL - MIN_INK_DEPTH:
        return None
    ink = pixels[darkest <= full + INK_DEPTH_SHARE * (PAPER_LEVEL - full)]
    blue, green, red = (float(value) for value in ink.mean(axis=0))
    cold = (blue + green) / 2
    return (red - cold) / max(20.0, PAPER_LEVEL - cold)


def _pooled(looks: Sequence[Shares]) -> Shares:
    """Geometric mean of several looks: each (2, classes)."""
    mean = np.exp(np.mean([np.log(np.maximum(look, 1e-6)) for look in looks], axis=0))
    return np.asarray(mean / mean.sum(axis=-1, keepdims=True), np.float32)


def _judge(ranks: Shares, suits: Shares, body: Shares, body_suit: Shares, redness: float | None) -> Named:
    blank = min(float(ranks[:, NO_RANK].min()), float(suits[:, NO_SUIT].min()), float(body[NO_BODY]))
    is_face = 1 - blank >= FACE_SHARE
    candidates = _candidates(ranks, suits, body, body_suit)
    if not is_face or not candidates:
        return Named(None, 0.0, (), "no_index", is_face)
    best = candidates[0][0]
    rank, suit = RANKS.index(best.rank), _suit_number(best)
    shares = ranks[:, rank] * suits[:, suit]
    body_share = float(body[BODY_OF_RANK[best.rank]])
    confidence = float(shares.min())
    reason = ""
    if shares.min() < SURE:
        reason = "corners_disagree" if _readable(ranks, suits).all() else "low_confidence"
        proof = min(body_share, float(body_suit[suit]))
        if _stands_alone(ranks, suits, rank, suit) and best.rank < Rank.JACK and proof >= BODY_PROOF:
            reason, confidence = "", float(shares.max()) * (0.5 + proof / 2)
    if not reason:
        reason = _veto(
            best, body_share + float(body[NO_BODY]), float(body_suit[suit] + body_suit[NO_SUIT]), redness
        )
    if reason:
        confidence = min(confidence, 0.5)
    return Named(best, confidence, candidates, reason, is_face)


def _veto(best: Card, body_share: float, suit_share: float, redness: float | None) -> str:
    if body_share < BODY_VETO:
        return "body_disagrees"
    if suit_share < BODY_VETO:
        return "body_suit_disagrees"
    if redness is None:
        return "no_ink"
    return "" if _ink_agrees(best, redness) else "ink_disagrees"


def _ink_agrees(card: Card, redness: float) -> bool:
    """Red is red and black is black; four-colour decks print clubs green, diamonds blue: both below zero."""
    if card.suit in (Suit.CLUBS, Suit.SPADES):
        return redness <= BLACK_INK
    return redness >= RED_INK or (card.suit is Suit.DIAMONDS and redness <= BLUE_INK)


def _readable(ranks: Shares, suits: Shares) -> npt.NDArray[np.bool_]:
    return np.asarray((ranks[:, :NO_RANK].max(axis=1) > 0.5) & (suits[:, :NO_SUIT].max(axis=1) > 0.5))


def _stands_alone(ranks: Shares, suits: Shares, rank: int, suit: int) -> bool:
    """One corner is sure, the other doesn't speak against it: it shows nothing."""
    for one, other in ((0, 1), (1, 0)):
        silent = (
            ranks[other, NO_RANK] + ranks[other, rank] > 0.9
            and suits[other, NO_SUIT] + suits[other, suit] > 0.9
        )
        if min(ranks[one, rank], suits[one, suit]) >= CORNER_SURE and silent:
            return True
    return False


def _candidates(
    ranks: Shares, suits: Shares, body: Shares, body_suit: Shares
) -> tuple[tuple[Card, float], ...]:
    """Cards by the evidence of both corners and the middle together."""
    index_rank = ranks[:, :NO_RANK].mean(axis=0)
    index_suit = suits[:, :NO_SUIT].mean(axis=0)
    body_rank = np.array([body[BODY_OF_RANK[rank]] for rank in RANKS]) + float(body[NO_BODY]) + 0.05
    both = np.outer(index_rank * body_rank, index_suit * (body_suit[:NO_SUIT] + body_suit[NO_SUIT] + 0.05))
    total = float(both.sum())
    if total < 1e-6:
        return ()
    order = np.argsort(both, axis=None)[::-1][:5]
    cards = [(Card(RANKS[n // 4], SUITS[n % 4]), float(both.flat[n]) / total) for n in order.tolist()]
    return tuple((card, share) for n, (card, share) in enumerate(cards) if n == 0 or share > 0.02)


def _suit_number(card: Card) -> int:
    assert card.suit is not None
    return SUITS.index(card.suit)
