"""A deck's own cards as the networks see them: a card must look like its prototype and unlike all others.

The networks learned what cards in general look like; on an index they never saw they may be sure and wrong.
The deck that was shown once settles it: what is named must also be the nearest of its own cards, clearly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assistant.cards import Card, Suit
from calibration.deck import LOOKS_A_CARD, CardVerdict, DeckProfile, Safety
from calibration.recogniser.ink import ink_colour
from calibration.recogniser.network import Floats, Network
from calibration.recogniser.rectify import FlatCard, body_view, even_light, index_views

PARTS = 3
"""A description has three parts: the first corner, the second, the middle."""
INK_FREE, INK_WEIGHT = 0.25, 0.4
"""Colours of ink may differ so much by light and blur; from there likeness falls by this for each unit."""
AGREE_LEAD = 0.04
"""How much nearer (cosine) the card's own prototype must be than any other card's."""
AGREE_LEAST = 0.70
"""Least likeness to its own prototype; what is less like lies under a hand, or is no card of this deck."""
SAFE_LEAD = 0.06
"""How far apart two cards' prototypes must be for both to be named at the table."""
SAME_LOOKS = 0.70
"""Least likeness of two pictures of one card."""

TWIN_SUITS = {
    Suit.CLUBS: Suit.SPADES,
    Suit.SPADES: Suit.CLUBS,
    Suit.HEARTS: Suit.DIAMONDS,
    Suit.DIAMONDS: Suit.HEARTS,
}
"""The other suit of the same colour."""
BOTH_CORNERS = 0.75
"""Least likeness of two corners that both carry the index: drawn ones 0.95, with a blank one at most 0.54."""


@dataclass(frozen=True, slots=True, eq=False)
class Prototypes:
    """Descriptions of a deck's pictures.

    Attributes:
        cards: What each shows; None for jokers and backs.
        descriptions: (N, 3, D) float32, each of the N by 3 parts a unit vector.
        inks: (N, 2) float32, see `ink.ink_colour`.
        unsafe: Cards that are never named, see `verdicts`.
    """

    cards: tuple[Card | None, ...]
    descriptions: Floats
    inks: Floats
    unsafe: frozenset[Card] = frozenset()


@dataclass(frozen=True, slots=True)
class Likeness:
    """The deck's card that a description is nearest to.

    Attributes:
        card: None when that is a joker or the back.
        share: Its likeness, cosine, up to 1.
        lead: How much less like the next other card is.
        is_safe: Whether the deck's own pictures tell this card from all others.
        twin_lead: How much less like its twin is: the same rank in the other suit of that colour. None where
            the deck's twin wasn't shown, or where it is no card.
    """

    card: Card | None
    share: float
    lead: float
    is_safe: bool = True
    twin_lead: float | None = None


def describe(flats: Sequence[FlatCard], networks: dict[str, Network]) -> Floats:
    """Describe flat cards: (N, 3, D), unit vectors of both corners and of the middle."""
    corners = np.stack([view for flat in flats for view in index_views(flat)])
    middles = [body_view(flat.even) for flat in flats]
    of_corners = networks["index"].features(corners).reshape(len(flats), 2, -1)
    both_ways = networks["body"].features(np.stack([*middles, *(view[::-1, ::-1] for view in middles)]))
    of_middle = both_ways.reshape(2, len(flats), -1).mean(axis=0)
    parts = np.concatenate([of_corners, of_middle[:, None]], axis=1)
    return np.asarray(parts / np.maximum(np.linalg.norm(parts, axis=-1, keepdims=True), 1e-6), np.float32)


def inks_of(flats: Sequence[FlatCard]) -> Floats:
    """Colours of the ink in the corners of flat cards: (N, 2); 0 where there is none."""
    return np.array([ink_colour(flat.even) or (0.0, 0.0) for flat in flats], np.float32)


def likeness(one: Floats, ink: Floats, prototypes: Prototypes) -> Floats:
    """How like each of a deck's pictures a description (3, D) is, whichever way round the card lies: (N,)."""
    many = prototypes.descriptions
    straight = (many[:, :2] * one[:2]).sum(axis=-1).mean(axis=1)
    turned = (many[:, :2] * one[1::-1]).sum(axis=-1).mean(axis=1)
    apart = np.linalg.norm(prototypes.inks - ink, axis=1)
    unlike = INK_WEIGHT * np.maximum(0, apart - INK_FREE)
    return np.asarray((np.maximum(straight, turned) + many[:, 2] @ one[2]) / 2 - unlike, np.float32)


def nearest(one: Floats, ink: Floats, prototypes: Prototypes) -> Likeness:
    """The deck's card nearest to a description, and by how much."""
    shares = likeness(one, ink, prototypes)
    best = int(np.argmax(shares))
    card = prototypes.cards[best]
    others = [float(share) for share, other in zip(shares, prototypes.cards, strict=True) if other != card]
    lead = float(shares[best]) - max(others, default=0.0)
    twin = None if card is None or card.suit is None else Card(card.rank, TWIN_SUITS[card.suit])
    twins = [float(share) for share, other in zip(shares, prototypes.cards, strict=True) if other == twin]
    twin_lead = float(shares[best]) - max(twins) if twin is not None and twins else None
    return Likeness(card, float(shares[best]), lead, card not in prototypes.unsafe, twin_lead)


def prototypes_of(profile: DeckProfile, networks: dict[str, Network]) -> Prototypes:
    """Describe a deck's pictures and find out which of its cards can't be told apart."""
    if not profile.looks:
        nothing = np.zeros((0, PARTS, 1), np.float32)
        return Prototypes((), nothing, np.zeros((0, 2), np.float32), frozenset(profile.cards))
    flats = [even_light(look.crop) for look in profile.looks]
    found = Prototypes(tuple(look.card for look in profile.looks), describe(flats, networks), inks_of(flats))
    unsafe = frozenset(verdict.card for verdict in verdicts(profile, found) if not verdict.is_named)
    return replace(found, unsafe=unsafe)


def verdicts(profile: DeckProfile, prototypes: Prototypes) -> tuple[CardVerdict, ...]:
    """Which cards of a deck can be read safely, by its own pictures alone."""
    places: dict[Card | None, list[int]] = {}
    for n, card in enumerate(prototypes.cards):
        places.setdefault(card, []).append(n)
    return tuple(_verdict(card, places.get(card, []), prototypes) for card in profile.cards)


def _verdict(card: Card, own: list[int], prototypes: Prototypes) -> CardVerdict:
    if not own:
        return CardVerdict(card, Safety.MISSING)
    among = np.stack([likeness(prototypes.descriptions[n], prototypes.inks[n], prototypes) for n in own])
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
    corners = prototypes.descriptions[own, :2]
    has_both = (corners[:, 0] * corners[:, 1]).sum(axis=-1).max() >= BOTH_CORNERS
    return CardVerdict(card, Safety.SAFE if has_both else Safety.ONE_INDEX)
