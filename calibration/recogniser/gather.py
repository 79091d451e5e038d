"""Reads the cards that lie on each other and puts them beside what was read already: each card once.

A first reading takes a heap for one card, or part of one for a whole; what its indices say is better. Named
cards stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from calibration.frames import Corners, Image
from calibration.recogniser.classify import FIRST_INSET, classify_beside
from calibration.recogniser.heaps import Heap
from calibration.recogniser.judge import NO_RANK, NO_SUIT, Named
from calibration.recogniser.layers import covering, hidden_mask, index_boxes
from calibration.recogniser.locate import cover
from calibration.recogniser.network import Floats, Network
from calibration.recogniser.overlapped import Implied, implied_cards, is_one_card
from calibration.recogniser.prototypes import Prototypes
from calibration.recogniser.reading import SeenCard
from calibration.recogniser.rectify import (
    CARD_HEIGHT_PX,
    CARD_WIDTH_PX,
    FlatCard,
    covered,
    index_views,
    rectify,
    side_lengths,
)
from calibration.recogniser.surest import faces_of, seen_card

READABLE = 0.5
"""Share of a rank and of a suit from which an index is there to be read."""
MOST_READ = 3
"""Outlines read of a card of which both indices show."""
SURELY_SPOTTED = 0.8
"""An index spotted so surely is asked about even when it can't be read at all: a letter never learned."""
SAME_PRINT = 0.25
"""Outlines of the same best candidate that share so much are one card seen twice."""
TWIN_REACH = 1.0
"""Long sides between the middles of two outlines of one name up to which the second may be the same card at
its other end: a king of a large-indexed deck was named at both. It is asked about."""
EXPLAINED = 0.5
"""Share of an unsure outline within an implied one from which that explains it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Chosen:
    """A card in a heap: outlines worth reading, which indices show, how surely, how legible the first is."""

    rivals: tuple[tuple[Corners, FlatCard], ...]
    shown: tuple[bool, bool]
    share: float
    legible: float

    @property
    def outline(self) -> Corners:
        """The likeliest."""
        return self.rivals[0][0]


def read_heaps(
    image: Image,
    heaps: Sequence[Heap],
    seen: Sequence[SeenCard],
    networks: dict[str, Network],
    prototypes: Prototypes | None,
    fits: Callable[[Corners], bool],
    least_long_px: float,
    beside: Executor | None = None,
) -> list[SeenCard]:
    """All cards of a picture, those in heaps read by their indices.

    Args:
        image: (H, W, 3) uint8, BGR.
        heaps: Where to look.
        seen: What was read already.
        networks: ``spot``, ``index`` and ``body``.
        prototypes: Those of the deck in use, if it was shown before.
        fits: Whether an outline may be a card on the surface.
        least_long_px: Cards with shorter long sides are never named.
        beside: Names half of the cards.
    """
    named = [card for card in seen if not card.reason]
    unsure = [card for card in seen if card.reason]
    sure = [np.array(card.outline, np.float32) for card in named]
    doubtful = [np.array(card.outline, np.float32) for card in unsure]
    implied: list[Implied] = []
    for heap in sorted(heaps, key=lambda one: one.side):  # in a smaller square cards are larger
        for card in implied_cards(image, heap, networks["spot"], sure):
            known = [*sure, *(other.rivals[0] for other in implied)]
            if fits(card.rivals[0]) and not any(is_one_card(card.rivals[0], outline) for outline in known):
                implied.append(card)
    if not implied:
        return list(seen)
    chosen = _chosen(image, implied, doubtful, networks["index"])
    outlines = [*(card.outline for card in chosen), *sure]
    above = covering(outlines, [*(card.shown for card in chosen), *((True, True) for _ in sure)])
    flats = [
        covered(flat, hidden_mask(quad, [outlines[k] for k in on_it], CARD_WIDTH_PX, CARD_HEIGHT_PX))
        for card, on_it in zip(chosen, above[: len(chosen)], strict=True)
        for quad, flat in card.rivals
    ]
    said = classify_beside(flats, networks, prototypes, beside)
    read = _each_once(chosen, flats, said, named, least_long_px)
    implied_now = [np.array(card.outline, np.float32) for card in read]
    rest = [
        card for card, outline in zip(unsure, doubtful, strict=True) if not _explained(outline, implied_now)
    ]
    return [*named, *read, *rest]


def _chosen(
    image: Image, implied: Sequence[Implied], doubtful: Sequence[Corners], network: Network
) -> list[_Chosen]:
    """Of each card the outline whose first index reads best, and where both show the others too.

    An unsure outline of the same card is a rival as well.
    """
    rivals = [(*card.rivals, *_of_same_card(card.rivals[0], doubtful)) for card in implied]
    flats = [rectify(image, quad) for quads in rivals for quad in quads]
    legible, agrees = legibility(flats, network)
    chosen, start = [], 0
    for card, quads in zip(implied, rivals, strict=True):
        scores = legible[start : start + len(quads)]
        order = np.argsort(-scores, kind="stable")
        # an opposite index that wasn't spotted but reads the same shows all the same
        has_both = card.has_both or bool(agrees[start + int(order[0])])
        best = tuple((quads[n], flats[start + n]) for n in order[: MOST_READ if has_both else 1].tolist())
        chosen.append(_Chosen(best, (True, has_both), card.share, float(scores.max())))
        start += len(quads)
    return chosen


def _of_same_card(outline: Corners, doubtful: Sequence[Corners]) -> list[Corners]:
    return [
        np.ascontiguousarray(turned, np.float32)
        for one in doubtful
        for turned in (one, np.roll(one, 2, axis=0))
        if is_one_card(outline, turned, either_end=False)
    ]


def legibility(flats: Sequence[FlatCard], network: Network) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """How clearly each first index says a rank and a suit, 0 to 1; whether the opposite one says the same."""
    views = [view for flat in flats for view in index_views(flat, FIRST_INSET, FIRST_INSET)]
    ranks, suits = network.run(np.stack(views))
    ranks, suits = (
        ranks[:, :NO_RANK].reshape(len(flats), 2, -1),
        suits[:, :NO_SUIT].reshape(len(flats), 2, -1),
    )
    clear = ranks.max(axis=2) * suits.max(axis=2)
    same = [
        len(set(shares.argmax(axis=2)[n].tolist())) == 1
        for n in range(len(flats))
        for shares in (ranks, suits)
    ]
    agrees = np.array(same).reshape(-1, 2).all(axis=1) & (clear.min(axis=1) >= READABLE)
    return np.asarray(clear[:, 0], np.float32), np.asarray(agrees, np.bool_)


def _each_once(
    chosen: Sequence[_Chosen],
    flats: Sequence[FlatCard],
    named: Sequence[Named],
    sure: Sequence[SeenCard],
    least_long_px: float,
) -> list[SeenCard]:
    """What was read of each card, the sure and the legible first; no second time what is there already."""
    results = iter(zip(flats, named, strict=True))
    found: list[tuple[float, SeenCard]] = []
    for card in chosen:
        faces = faces_of([(quad, *next(results)) for quad, _ in card.rivals])
        if faces and (card.legible >= READABLE or card.share >= SURELY_SPOTTED):
            found.append((card.legible, seen_card(faces, faces[0][2].reason, least_long_px)))
    kept: list[SeenCard] = []
    for _, one in sorted(found, key=lambda item: (bool(item[1].reason), -item[0])):
        if any(_is_same_print(one, other) for other in (*sure, *kept)):
            continue
        is_twin = any(may_be_other_end(one, other) for other in (*sure, *kept))
        kept.append(_asked_about(one) if is_twin else one)
    return kept


def _asked_about(card: SeenCard) -> SeenCard:
    return replace(card, reason=card.reason or "outlines_disagree", confidence=min(card.confidence, 0.5))


def _is_same_print(one: SeenCard, other: SeenCard) -> bool:
    if one.card is None or one.card != other.card:
        return False
    return cover(np.array(one.outline, np.float32), np.array(other.outline, np.float32)) > SAME_PRINT


def may_be_other_end(one: SeenCard, other: SeenCard) -> bool:
    """Whether two outlines of one name lie so near that they may be the two ends of one card."""
    if one.card is None or one.card != other.card:
        return False
    quad, near = np.array(one.outline, np.float32), np.array(other.outline, np.float32)
    apart = float(np.linalg.norm(quad.mean(axis=0) - near.mean(axis=0)))
    return apart < TWIN_REACH * float(max(side_lengths(quad)[1::2].mean(), side_lengths(near)[1::2].mean()))


def _explained(outline: Corners, implied: Sequence[Corners]) -> bool:
    """Whether implied cards show that an unsure outline is one of them, or a heap taken for a card."""
    return any(
        cover(outline, one) > EXPLAINED or cover(outline, index_boxes(one, (True, False))[0]) > EXPLAINED
        for one in implied
    )
