"""A deck's own cards as the networks see them: a card must look like its prototype and unlike all others.

The networks learned what cards in general look like; on an index they never saw they may be sure and wrong.
The deck that was shown once settles it: what is named must also be the nearest of its own cards, clearly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assistant.cards import Card
from calibration.deck import LOOKS_A_CARD, CardVerdict, DeckProfile, Safety
from calibration.recogniser.network import Floats, Network
from calibration.recogniser.rectify import FlatCard, body_view, even_light, index_views

PARTS = 3
"""A description has three parts: the first corner, the second, the middle."""
AGREE_LEAD = 0.06
"""How much nearer (cosine) the card's own prototype must be than any other card's."""
AGREE_LEAST = 0.70
"""Least likeness to its own prototype; what is less like lies under a hand, or is no card of this deck."""
SAFE_LEAD = 0.06
"""How far apart two cards' prototypes must be for both to be named at the table."""
SAME_LOOKS = 0.70
"""Least likeness of two pictures of one card."""


@dataclass(frozen=True, slots=True, eq=False)
class Prototypes:
    """Descriptions of a deck's pictures.

    Attributes:
        cards: What each shows; None for jokers and backs.
        descriptions: (N, 3, D) float32, each of the N by 3 parts a unit vector.
        unsafe: Cards that are never named, see `verdicts`.
    """

    cards: tuple[Card | None, ...]
    descriptions: Floats
    unsafe: frozenset[Card] = frozenset()


@dataclass(frozen=True, slots=True)
class Likeness:
    """The deck's card that a description is nearest to.

    Attributes:
        card: None when that is a joker or the back.
        share: Its likeness, cosine, up to 1.
        lead: How much less like the next other card is.
        is_safe: Whether the deck's own pictures tell this card from all others.
    """

    card: Card | None
    share: float
    lead: float
    is_safe: bool = True


def describe(flats: Sequence[FlatCard], networks: dict[str, Network]) -> Floats:
    """Describe flat cards: (N, 3, D), unit vectors of both corners and of the middle."""
    corners = np.stack([view for flat in flats for view in index_views(flat.even)])
    middles = [body_view(flat.even) for flat in flats]
    of_corners = networks["index"].features(corners).reshape(len(flats), 2, -1)
    both_ways = networks["body"].features(np.stack([*middles, *(view[::-1, ::-1] for view in middles)]))
    of_middle = both_ways.reshape(2, len(flats), -1).mean(axis=0)
    parts = np.concatenate([of_corners, of_middle[:, None]], axis=1)
    return np.asarray(parts / np.maximum(np.linalg.norm(parts, axis=-1, keepdims=True), 1e-6), np.float32)


def likeness(one: Floats, many: Floats) -> Floats:
    """How like a description (3, D) each of (N, 3, D) is, whichever way round the card lies: (N,)."""
    straight = (many[:, :2] * one[:2]).sum(axis=-1).mean(axis=1)
    turned = (many[:, :2] * one[1::-1]).sum(axis=-1).mean(axis=1)
    return np.asarray((np.maximum(straight, turned) + many[:, 2] @ one[2]) / 2, np.float32)


def nearest(one: Floats, prototypes: Prototypes) -> Likeness:
    """The deck's card nearest to a description, and by how much."""
    shares = likeness(one, prototypes.descriptions)
    best = int(np.argmax(shares))
    card = prototypes.cards[best]
    others = [float(share) for share, other in zip(shares, prototypes.cards, strict=True) if other != card]
    lead = float(shares[best]) - max(others, default=0.0)
    return Likeness(card, float(shares[best]), lead, card not in prototypes.unsafe)


def prototypes_of(profile: DeckProfile, networks: dict[str, Network]) -> Prototypes:
    """Describe a deck's pictures and find out which of its cards can't be told apart."""
    if not profile.looks:
        return Prototypes((), np.zeros((0, PARTS, 1), np.float32), frozenset(profile.cards))
    flats = [even_light(look.crop) for look in profile.looks]
    found = Prototypes(tuple(look.card for look in profile.looks), describe(flats, networks))
    unsafe = frozenset(verdict.card for verdict in verdicts(profile, found) if not verdict.is_named)
    return Prototypes(found.cards, found.descriptions, unsafe)


def verdicts(profile: DeckProfile, prototypes: Prototypes) -> tuple[CardVerdict, ...]:
    """Which cards of a deck can be read safely, by its own pictures alone."""
    places: dict[Card | None, list[int]] = {}
    for n, card in enumerate(prototypes.cards):
        places.setdefault(card, []).append(n)
    return tuple(_verdict(card, places.get(card, []), prototypes) for card in profile.cards)


def _verdict(card: Card, own: list[int], prototypes: Prototypes) -> CardVerdict:
    if not own:
        return CardVerdict(card, Safety.MISSING)
    among = np.stack([likeness(prototypes.descriptions[n], prototypes.descriptions) for n in own])
    to_others = [
        (float(among[:, n].max()), other) for n, other in enumerate(prototypes.cards) if other != card
    ]
    same = float(among[:, own].min()) if len(own) >= LOOKS_A_CARD else 1.0
    if same < SAME_LOOKS:
        return CardVerdict(card, Safety.LOOKS_DIFFER)
    if to_others:
        closest, rival = max(to_others, key=lambda item: item[0])
        if min(same, 1.0) - closest < SAFE_LEAD:
            return CardVerdict(card, Safety.TOO_ALIKE, rival)
    return CardVerdict(card, Safety.SAFE)
