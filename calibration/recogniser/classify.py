"""Looks at flat cards: index network, body network, colour of the ink; `judge` makes a name of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.frames import Image
from calibration.recogniser.judge import NO_RANK, NO_SUIT, Evidence, Named, Shares, judge
from calibration.recogniser.network import Floats, Network
from calibration.recogniser.prototypes import Likeness, Prototypes, describe, nearest
from calibration.recogniser.rectify import PAPER_LEVEL, FlatCard, body_view, index_views

FIRST_INSET = 0.005
MORE_INSETS = (-0.015, 0.025)
"""Looks at each corner, shifted by this share of the card's width, so that no reading hangs on one pixel."""
BLANK = 0.9
"""A corner that is nothing with at least this share isn't looked at again."""
INK_COLUMNS, INK_ROWS = (0.04, 0.15), (0.04, 0.24)
"""Share of the card's width and height where an index is printed, clear of the table beside the card."""
INK_PERCENTILE = 8
"""Darkness rank that counts as full ink."""
INK_DEPTH_SHARE = 0.35
"""Pixels up to this share of the way from full ink to paper are ink."""
MIN_INK_DEPTH = 40.0
"""Least difference of full ink and paper (of 255)."""


def classify(
    flats: Sequence[FlatCard], networks: dict[str, Network], prototypes: Prototypes | None = None
) -> tuple[Named, ...]:
    """Name flat cards, all in one run of each network.

    Args:
        flats: Straightened cards.
        networks: ``index`` and ``body``.
        prototypes: Those of the deck in use, if it was shown before.
    """
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
    own = [None] * len(flats) if prototypes is None else _by_deck(flats, networks, prototypes)
    return tuple(
        judge(Evidence(ranks[n], suits[n], bodies[n], body_suits[n], ink_redness(flat.even), own[n]))
        for n, flat in enumerate(flats)
    )


def _by_deck(
    flats: Sequence[FlatCard], networks: dict[str, Network], prototypes: Prototypes
) -> list[Likeness | None]:
    if not prototypes.cards:
        return [None] * len(flats)
    return [nearest(one, prototypes) for one in describe(flats, networks)]


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
