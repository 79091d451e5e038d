"""Reads cards by running the stages in order: locate, rectify, classify; `Tracker` decides over time."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from calibration.deck import CardVerdict, DeckProfile
from calibration.frames import Corners, Image
from calibration.recogniser.classify import classify_beside
from calibration.recogniser.confirm import CardAsked, CardRepeated, CardSighted, Sighting, Tracker
from calibration.recogniser.gather import read_heaps
from calibration.recogniser.glare import has_print, is_glared
from calibration.recogniser.heaps import heaps_of
from calibration.recogniser.judge import NEARLY_SURE
from calibration.recogniser.lamp import covered_outlines
from calibration.recogniser.locate import Located, cover, locate
from calibration.recogniser.network import Network, load_networks
from calibration.recogniser.prototypes import Prototypes, prototypes_of, verdicts
from calibration.recogniser.reading import Outline, Reading, SeenCard
from calibration.recogniser.rectify import rectify, side_lengths, turned
from calibration.recogniser.settle import Look, Stillness
from calibration.recogniser.surest import Tried, faces_of, seen_card
from calibration.surface import Surface

__all__ = [
    "GLARE",
    "NOT_READ",
    "CardAsked",
    "CardRepeated",
    "CardSighted",
    "Look",
    "Outline",
    "Reading",
    "Recogniser",
    "SeenCard",
    "Sighting",
    "Stillness",
    "Tracker",
]

MIN_SURE_LONG_SIDE_PX = 70.0
"""Smaller cards are never named for certain: their misreadings repeat, so no vote mends them (VISION.md)."""
SAME_SPOT = 0.6
"""Outlines of which the smaller lies in the other by this share aren't two cards."""
FREE_SPOT = 0.25
"""A card under a lamp that shares more with another outline is that one, or a part of several."""
PLAIN_RATIO = (1.22, 1.75)
"""Long over short side between which it is plain which side is the short one; outside both are tried."""


GLARE = "glare"
NOT_READ = frozenset({"no_index", "corner_hidden", "corners_disagree", "low_confidence", NEARLY_SURE})
"""Reasons that glare on both indices explains better."""


class Recogniser:
    """Reads pictures; its weights are loaded at the first one. Keeps nothing from picture to picture.

    Args:
        deck: The deck in use, shown before; without it more cards are asked about.
        surface: Where cards may lie; without it anything of a card's shape is looked at.
    """

    def __init__(self, deck: DeckProfile | None = None, surface: Surface | None = None) -> None:
        self._networks: dict[str, Network] | None = None
        self._deck = deck
        self._prototypes: Prototypes | None = None
        self._surface = surface
        self._beside = ThreadPoolExecutor(1, "reader")

    def read(self, image: Image, before: Sequence[Image] = ()) -> Reading:
        """Find and name the cards in a picture.

        Args:
            image: (H, W, 3) uint8, BGR, any size.
            before: The table as it rested before, of the same size: helps with cards laid on others.

        Raises:
            WeightsUnreadable: The packaged weights are missing or damaged.
        """
        networks = self._loaded()
        located = locate(image, networks.get("segment"), before, self._beside)
        places = self._on_surface(located.places, image)
        read = read_places(image, places, networks, self._prototypes, self._beside)
        found = self._with_heaps(image, located, _apart([card for card in read if card is not None]))
        found += _apart(self._covered_by_lamps(image, before, found))
        if not places and not found:
            return Reading((), (), located.reason or "off_surface")
        found = [self._with_zone(card, image) for card in found]
        seen = sorted(found, key=lambda card: sum(x for x, _ in card.outline))
        cards = tuple(card for card in seen if not card.reason)
        unsure = tuple(card for card in seen if card.reason)
        return Reading(cards, unsure, "" if seen else "no_face")

    def deck_verdicts(self, deck: DeckProfile) -> tuple[CardVerdict, ...]:
        """Say of each card of a deck whether it can be read safely, by the pictures taken of it.

        Raises:
            WeightsUnreadable: The packaged weights are missing or damaged.
        """
        return verdicts(deck, prototypes_of(deck, self._loaded()))

    def _loaded(self) -> dict[str, Network]:
        if self._networks is None:
            self._networks = load_networks()
            if self._deck is not None:
                self._prototypes = prototypes_of(self._deck, self._networks)
        return self._networks

    def _with_heaps(self, image: Image, located: Located, seen: list[SeenCard]) -> list[SeenCard]:
        """With the cards that lie on each other, where faces show that no named card explains."""
        networks = self._loaded()
        if located.faces is None or located.cell_px is None or "spot" not in networks:
            return seen
        named = [np.array(card.outline, np.float32) for card in seen if not card.reason]
        heaps = heaps_of(located.faces, located.cell_px, named)
        if not heaps:
            return seen
        size = image.shape[1], image.shape[0]

        def fits(quad: Corners) -> bool:
            return self._surface is None or self._surface.can_be_card(_outline(quad), size)

        return read_heaps(
            image, heaps, seen, networks, self._prototypes, fits, MIN_SURE_LONG_SIDE_PX, self._beside
        )

    def _on_surface(
        self, places: tuple[tuple[Corners, ...], ...], image: Image
    ) -> tuple[tuple[Corners, ...], ...]:
        """The places with those outlines that have a card's size on the calibrated surface."""
        surface = self._surface
        if surface is None:
            return places
        size = image.shape[1], image.shape[0]
        fitting = (
            tuple(quad for quad in place if surface.can_be_card(_outline(quad), size)) for place in places
        )
        return tuple(place for place in fitting if place)

    def _covered_by_lamps(
        self, image: Image, before: Sequence[Image], found: Sequence[SeenCard]
    ) -> list[SeenCard]:
        """Cards of which a lamp leaves too little to be read; never named."""
        places = tuple((quad,) for quad in covered_outlines(image, before))
        outlines = [place[0] for place in self._on_surface(places, image)]
        taken = [np.array(seen.outline, np.float32) for seen in found]
        return [
            SeenCard(None, 0.0, (), _outline(quad), rectify(image, quad).image, GLARE)
            for quad in outlines
            if side_lengths(quad)[1::2].mean() >= MIN_SURE_LONG_SIDE_PX
            and all(cover(quad, other) < FREE_SPOT for other in taken)
        ]

    def _with_zone(self, card: SeenCard, image: Image) -> SeenCard:
        if self._surface is None:
            return card
        return replace(card, zone=self._surface.zone_of(card.outline, (image.shape[1], image.shape[0])))


def read_places(
    image: Image,
    places: tuple[tuple[Corners, ...], ...],
    networks: dict[str, Network],
    prototypes: Prototypes | None = None,
    beside: Executor | None = None,
) -> list[SeenCard | None]:
    """Read each place's outlines: the likeliest first, its rivals only where that one isn't sure.

    Half of them are named `beside`, where that is given.
    """
    first = [place[:1] for place in places]
    tried = _try_all(image, first, networks, prototypes, beside)
    rest = [
        _rivals(place) if not tried_here or tried_here[0][2].reason else ()
        for place, tried_here in zip(places, tried, strict=True)
    ]
    more = _try_all(image, rest, networks, prototypes, beside)
    return [_best(one + other) for one, other in zip(tried, more, strict=True)]


def _rivals(place: tuple[Corners, ...]) -> tuple[Corners, ...]:
    sides = side_lengths(place[0])
    ratio = float((sides[1] + sides[3]) / (sides[0] + sides[2]))
    sideways = () if PLAIN_RATIO[0] < ratio < PLAIN_RATIO[1] else (turned(place[0], 1),)
    return place[1:] + sideways


def _try_all(
    image: Image,
    places: list[tuple[Corners, ...]],
    networks: dict[str, Network],
    prototypes: Prototypes | None,
    beside: Executor | None,
) -> list[list[Tried]]:
    outlines = [corners for place in places for corners in place]
    flats = [rectify(image, corners) for corners in outlines]
    named = classify_beside(flats, networks, prototypes, beside)
    results = iter(zip(outlines, flats, named, strict=True))
    return [[next(results) for _ in place] for place in places]


def _best(tried: list[Tried]) -> SeenCard | None:
    """The outline that reads best; None when none of them is a card's face."""
    faces = faces_of(tried)
    if not faces:
        return _wiped_out(tried)
    _, flat, named = faces[0]
    reason = GLARE if named.reason in NOT_READ and is_glared(flat.image) else named.reason
    if reason in ("no_index", "corner_hidden") and not has_print(flat.image):
        return None  # a lamp's spot on the table, a window's panes, a blank sheet
    return seen_card(faces, reason, MIN_SURE_LONG_SIDE_PX)


def _wiped_out(tried: list[Tried]) -> SeenCard | None:
    """A card whose indices a lamp has wiped out: the dealer can't know that the reader can't see it."""
    for corners, flat, _ in tried:
        if side_lengths(corners)[1::2].mean() >= MIN_SURE_LONG_SIDE_PX and is_glared(flat.image):
            return SeenCard(None, 0.0, (), _outline(corners), flat.image, GLARE)
    return None


def _apart(seen: list[SeenCard]) -> list[SeenCard]:
    """One card a spot: of outlines that lie in each other the surest stays."""
    kept: list[SeenCard] = []
    for card in sorted(seen, key=lambda card: (bool(card.reason), -card.confidence)):
        corners = np.array(card.outline, np.float32)
        if all(cover(corners, np.array(other.outline, np.float32)) < SAME_SPOT for other in kept):
            kept.append(card)
    return kept


def _outline(corners: Corners) -> Outline:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d
