"""Looks at flat cards: index network, body network, colour of the ink; `judge` makes a name of it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor

import numpy as np

from calibration.recogniser.ink import ink_chroma, ink_redness
from calibration.recogniser.judge import NO_BODY, NO_RANK, NO_SUIT, Evidence, Named, Shares, judge
from calibration.recogniser.network import Floats, Network
from calibration.recogniser.prototypes import Likeness, Prototypes, describe, inks_of, nearest
from calibration.recogniser.rectify import FlatCard, body_view, index_views

FIRST_INSET = 0.005
MORE_INSETS = (-0.015, 0.025)
"""Looks at each corner, shifted by this share of the card's width, so that no reading hangs on one pixel."""
BLANK = 0.9
"""A corner that is nothing with at least this share isn't looked at again."""
PLAIN = 0.98
"""Both corners that say the same rank and suit with at least this share aren't looked at again."""
MIDDLE_HIDDEN = 0.03
"""Share of the middle under other cards from which its pips can't be counted."""


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
    again = [n for n in range(len(flats)) if not _is_settled(ranks[n], suits[n])]
    more = [_look([flats[n] for n in again], inset, networks) for inset in MORE_INSETS if again]
    for place, n in enumerate(again):
        ranks[n] = _pooled([ranks[n], *(look[0][place] for look in more)])
        suits[n] = _pooled([suits[n], *(look[1][place] for look in more)])
    bodies, body_suits = _middles(flats, networks["body"])
    for n, flat in enumerate(flats):
        if flat.hidden > MIDDLE_HIDDEN:  # pips that can't be counted are no word for or against a rank
            classes = bodies.shape[1]
            bodies[n] = np.full(classes, 1 / classes) if flat.shows_one else np.eye(1, classes, NO_BODY)
    own = [None] * len(flats) if prototypes is None else _by_deck(flats, networks, prototypes)
    return tuple(
        judge(
            Evidence(
                ranks[n],
                suits[n],
                bodies[n],
                body_suits[n],
                ink_redness(flat.even),
                ink_chroma(flat.even),
                own[n],
            )
        )
        for n, flat in enumerate(flats)
    )


def classify_beside(
    flats: Sequence[FlatCard],
    networks: dict[str, Network],
    prototypes: Prototypes | None = None,
    beside: Executor | None = None,
) -> tuple[Named, ...]:
    """The same; half of them are named `beside`, where that is given."""
    half = len(flats) // 2 if beside is not None else 0
    other = beside.submit(classify, flats[:half], networks, prototypes) if beside and half else None
    named = classify(flats[half:], networks, prototypes)
    return named if other is None else (*other.result(), *named)


def _by_deck(
    flats: Sequence[FlatCard], networks: dict[str, Network], prototypes: Prototypes
) -> list[Likeness | None]:
    if not prototypes.cards:
        return [None] * len(flats)
    descriptions, inks = describe(flats, networks), inks_of(flats)
    return [nearest(one, ink, prototypes) for one, ink in zip(descriptions, inks, strict=True)]


def _is_settled(ranks: Shares, suits: Shares) -> bool:
    """Whether more looks would change nothing: both corners plainly nothing, or plainly the same card."""
    if min(ranks[:, NO_RANK].min(), suits[:, NO_SUIT].min()) >= BLANK:
        return True
    of_rank, of_suit = ranks.min(axis=0).max(), suits.min(axis=0).max()
    return bool(min(of_rank, of_suit) >= PLAIN and ranks[:, NO_RANK].max() < 1 - PLAIN)


def _middles(flats: Sequence[FlatCard], network: Network) -> tuple[Floats, Floats]:
    """Shares of middles and their suits: (N, classes); one that isn't plain is looked at both ways up."""
    views = np.stack([body_view(flat.even) for flat in flats])
    bodies, suits = network.run(views)
    again = np.flatnonzero((bodies.max(axis=1) < PLAIN) | (suits.max(axis=1) < PLAIN))
    if again.size:
        for shares, turned in zip((bodies, suits), network.run(views[again, ::-1, ::-1]), strict=True):
            shares[again] = (shares[again] + turned) / 2
    return bodies, suits


def _look(flats: Sequence[FlatCard], inset: float, networks: dict[str, Network]) -> tuple[Floats, Floats]:
    """Shares of ranks and of suits in both corners of each card: (N, 2, classes)."""
    views = [view for flat in flats for view in index_views(flat, inset, inset)]
    ranks, suits = networks["index"].run(np.stack(views))
    return ranks.reshape(len(flats), 2, -1), suits.reshape(len(flats), 2, -1)


def _pooled(looks: Sequence[Shares]) -> Shares:
    """Geometric mean of several looks: each (2, classes)."""
    mean = np.exp(np.mean([np.log(np.maximum(look, 1e-6)) for look in looks], axis=0))
    return np.asarray(mean / mean.sum(axis=-1, keepdims=True), np.float32)
