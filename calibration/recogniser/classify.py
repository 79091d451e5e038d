"""Looks at flat cards: two networks on the index, one on the middle, the ink; `judge` makes a name of it.

The two read the same corner, but were built and taught differently: where one is sure and wrong of an index
of a kind never seen, the other seldom errs in the same way (deep ensembles, Lakshminarayanan et al. 2017).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor

import numpy as np

from calibration.recogniser.ink import corner_inks, ink_chroma, ink_redness
from calibration.recogniser.judge import NO_BODY, NO_RANK, NO_SUIT, Evidence, Named, Shares, judge
from calibration.recogniser.network import Floats, Network
from calibration.recogniser.prototypes import Likeness, Prototypes, describe, inks_of, nearest
from calibration.recogniser.rectify import FlatCard, body_view, index_views, wide_views
from calibration.recogniser.strip import Strip, strip_of

FIRST_INSET = 0.005
MORE_INSETS = (-0.015, 0.025)
"""Looks at each corner, shifted by this share of the card's width, so that no reading hangs on one pixel."""
BLANK = 0.9
"""A corner that is nothing with at least this share isn't looked at again."""
PLAIN = 0.98
"""Both corners that say the same rank and suit with at least this share aren't looked at again."""
LEAST_ALONE_PX = 100.0
"""Long sides from which one index may name a card of a deck that wasn't shown."""
MIDDLE_HIDDEN = 0.03
"""Share of the middle under other cards from which its pips can't be counted."""


def classify(
    flats: Sequence[FlatCard], networks: dict[str, Network], prototypes: Prototypes | None = None
) -> tuple[Named, ...]:
    """Name flat cards, all in one run of each network.

    Args:
        flats: Straightened cards.
        networks: ``index``, ``wide`` and ``body``.
        prototypes: Those of the deck in use, if it was shown before.
    """
    if not flats:
        return ()
    ranks, suits, least = _read_corners(flats, networks)
    bodies, body_suits = _middles(flats, networks["body"])
    for n, flat in enumerate(flats):
        if flat.hidden > MIDDLE_HIDDEN:  # pips that can't be counted are no word for or against a rank
            classes = bodies.shape[1]
            bodies[n] = np.full(classes, 1 / classes) if flat.shows_one else np.eye(1, classes, NO_BODY)
    own = [None] * len(flats) if prototypes is None else _by_deck(flats, networks, prototypes)
    inks = [
        corner_inks(flat.even) if ranks[n][:, NO_RANK].max() > 1 - PLAIN else (None, None)
        for n, flat in enumerate(flats)
    ]
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
                least.get(n),
                inks[n],
                _strip_beside(flat, ranks[n], inks[n]) if n in least and own[n] is None else None,
                flat.mask is not None,
                flat.long_px,
            )
        )
        for n, flat in enumerate(flats)
    )


def _strip_beside(
    flat: FlatCard, ranks: Shares, inks: tuple[tuple[float, float] | None, tuple[float, float] | None]
) -> Strip | None:
    """What shows of the middle beside an index whose opposite is hidden; None where that isn't so."""
    first = int(ranks[:, NO_RANK].argmin())
    ink = inks[first]
    is_alone = ranks[1 - first, NO_RANK] >= BLANK > ranks[first, NO_RANK]
    if ink is None or not is_alone or flat.long_px < LEAST_ALONE_PX:
        return None
    if first == 0:
        return strip_of(flat.even, flat.mask, ink[0])
    mask = None if flat.mask is None else flat.mask[::-1, ::-1]
    return strip_of(np.ascontiguousarray(flat.even[::-1, ::-1]), mask, ink[0])


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


def _read_corners(
    flats: Sequence[FlatCard], networks: dict[str, Network]
) -> tuple[Floats, Floats, dict[int, tuple[Shares, Shares]]]:
    """What both networks say of both corners together: (N, 2, classes) of ranks and of suits.

    With it, of each card that isn't plainly blank, the least that any look gives each rank and suit.
    """
    ranks, suits = _look(flats, FIRST_INSET, networks)
    printed = [n for n in range(len(flats)) if not _is_blank(ranks[n], suits[n])]
    if not printed:
        return ranks, suits, {}
    by_wide = dict(
        zip(printed, zip(*_wide_look([flats[n] for n in printed], networks), strict=True), strict=True)
    )
    again = [n for n in printed if not (_is_plain(ranks[n], suits[n]) and _is_plain(*by_wide[n]))]
    looks = {n: [(ranks[n], suits[n])] for n in printed}
    for inset in MORE_INSETS if again else ():
        more = zip(*_look([flats[n] for n in again], inset, networks), strict=True)
        for n, look in zip(again, more, strict=True):
            looks[n].append(look)
    least = {}
    for n in printed:
        of_wide = by_wide[n]
        least[n] = _least([*looks[n], of_wide])
        ranks[n] = _pooled([_pooled([look[0] for look in looks[n]]), of_wide[0]])
        suits[n] = _pooled([_pooled([look[1] for look in looks[n]]), of_wide[1]])
    return ranks, suits, least


def _by_deck(
    flats: Sequence[FlatCard], networks: dict[str, Network], prototypes: Prototypes
) -> list[Likeness | None]:
    if not prototypes.cards:
        return [None] * len(flats)
    descriptions, inks = describe(flats, networks), inks_of(flats)
    return [nearest(one, ink, prototypes) for one, ink in zip(descriptions, inks, strict=True)]


def _is_blank(ranks: Shares, suits: Shares) -> bool:
    """Whether both corners are plainly nothing."""
    return bool(min(ranks[:, NO_RANK].min(), suits[:, NO_SUIT].min()) >= BLANK)


def _is_plain(ranks: Shares, suits: Shares) -> bool:
    """Whether both corners are plainly the same card, so that more looks would change nothing."""
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


def _wide_look(flats: Sequence[FlatCard], networks: dict[str, Network]) -> tuple[Floats, Floats]:
    """The same as `_look`, by the other network."""
    ranks, suits = networks["wide"].run(np.stack([view for flat in flats for view in wide_views(flat)]))
    return ranks.reshape(len(flats), 2, -1), suits.reshape(len(flats), 2, -1)


def _least(looks: Sequence[tuple[Shares, Shares]]) -> tuple[Shares, Shares]:
    """The least share that any look gives each rank and each suit."""
    return np.min([look[0] for look in looks], axis=0), np.min([look[1] for look in looks], axis=0)


def _pooled(looks: Sequence[Shares]) -> Shares:
    """Geometric mean of several looks: each (2, classes)."""
    mean = np.exp(np.mean([np.log(np.maximum(look, 1e-6)) for look in looks], axis=0))
    return np.asarray(mean / mean.sum(axis=-1, keepdims=True), np.float32)
