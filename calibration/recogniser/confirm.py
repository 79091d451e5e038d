"""From readings of many frames to one sighting per physical card, however it flickers.

A card counts after `STEADY_FRAMES` equal readings; one that names another card, or speaks against it, starts
the count anew, one that is merely too weak to name it doesn't. Gone after more than `GONE_FRAMES` without.
One that slides, or is covered for a moment, is the same card; another one at the same spot is a new card.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from assistant.cards import Card
from calibration.recogniser.judge import COURT_NEARLY, NEARLY_SURE
from calibration.recogniser.reading import Reading, SeenCard

STEADY_FRAMES = 5
"""Equal readings before a card counts, no other between (frames; camera_sequences.json H3)."""
STEADY_S = {2: 0.5, 3: 0.3}
"""On slow sources or a busy machine so many equal readings so far apart are enough (seconds)."""
GONE_FRAMES = 15
"""A card missing for up to this many frames is still the same card (frames; camera_sequences.json H6)."""
GONE_S = 1.5
"""On slow sources a card missing twice and for this long is gone (seconds)."""
ASK_FRAMES = 15
"""Unsure readings before the dealer is asked: three times as patient as with a sure card (frames)."""
WAVERING_FRAMES, WAVERING_S = 6, 1.0
"""A card that is now sure, now contradicted, is asked about after so many readings and so long (seconds).
In 28 films of deal_sequences.py one second asked no more often than two; 0.7 s asked four times more."""
ASK_S = 0.7
"""On slow sources the dealer is asked after this long: within a second on the screen (seconds)."""
WEAK_REASONS = frozenset({"low_confidence", "corner_hidden", NEARLY_SURE})
"""Why a reading may be unsure without speaking against the card that others named."""
SUMMED_READINGS, SUMMED_S = 8, 0.5
"""A card is named, too, when of at least so many readings in a row more than half were sure (five of eight),
or of a court nearly so (`judge.COURT_NEARLY`), the others merely too weak, and not one spoke for another card
or against it, over so long (seconds).
Readings of one crop in one light are not independent; in 39 films of deal_sequences.py three of eight named
no more than five."""
EXPLAINS_SHARE = 0.3
"""A card lying there explains an unsure reading when it is so likely compared with the likeliest."""
COVERED_PLACE = 0.6
"""How far, in long sides, the outline of a card that others cover may lie from where it was counted: where no
side of it shows whole it is rough."""
SAME_PLACE = 0.4
"""Centres closer than this share of a card's long side are one place; cards side by side are 0.7 apart."""


@dataclass(frozen=True, slots=True)
class CardSighted:
    """A physical card was put down and is read safely.

    Attributes:
        was_asked: `CardAsked` was said for this very card before: it answers that question, no second card.
    """

    time_s: float
    card: Card
    seen: SeenCard = field(repr=False)
    was_asked: bool = False


@dataclass(frozen=True, slots=True)
class CardAsked:
    """A card lies still but can't be read safely: ask the dealer, with `seen.crop` and `seen.candidates`."""

    time_s: float
    seen: SeenCard = field(repr=False)


@dataclass(frozen=True, slots=True)
class CardRepeated:
    """A card came a second time although every copy in the shoe was seen: a notice, no card."""

    time_s: float
    card: Card
    seen: SeenCard = field(repr=False)


Sighting: TypeAlias = CardSighted | CardAsked | CardRepeated


@dataclass(slots=True)
class _Track:
    """One physical card as far as is known; `card` once it counted."""

    centre: npt.NDArray[np.float64]
    long_side: float
    card: Card | None = None
    asked: bool = False
    has_counted: bool = False
    streak_card: Card | None = None
    streak: int = 0
    doubts: int = 0
    waiting: int = 0
    waiting_since_s: float = 0.0
    since_s: float = 0.0
    missed: int = 0
    missed_since_s: float = 0.0
    summed: _Summed | None = None


@dataclass(slots=True)
class _Summed:
    """Readings in a row that were for one card or too weak, whatever was missed between."""

    card: Card
    since_s: float
    readings: int = 0
    sure: int = 0
    nearly: int = 0
    surest: SeenCard | None = None


class Tracker:
    """Holds the cards on the surface; feed it one reading per frame.

    Args:
        decks: Decks in the shoe, so copies a card may have.
        steady_frames: Equal readings before a card counts; 1 for separate still pictures.
        gone_frames: Frames a card may be missing and still be the same; 0 for separate still pictures.
        ask_frames: Unsure readings before the dealer is asked; 1 for separate still pictures.
    """

    def __init__(
        self,
        decks: int = 1,
        steady_frames: int = STEADY_FRAMES,
        gone_frames: int = GONE_FRAMES,
        ask_frames: int = ASK_FRAMES,
    ) -> None:
        self._decks = decks
        self._steady_frames = steady_frames
        self._gone_frames = gone_frames
        self._ask_frames = ask_frames
        self._tracks: list[_Track] = []
        self._counted: Counter[Card] = Counter()

    @classmethod
    def for_pictures(cls, decks: int = 1) -> Tracker:
        """A tracker for separate still pictures: each is looked at once and believed at once."""
        return cls(decks, steady_frames=1, gone_frames=0, ask_frames=1)

    def add(self, time_s: float, reading: Reading, *, is_repeated: bool = False) -> tuple[Sighting, ...]:
        """Take one frame's reading and say what became certain with it, from left to right.

        Args:
            time_s: When the frame was taken.
            reading: What was read in it.
            is_repeated: The frame shows the same as one that was read before and wasn't read itself: its
                cards still lie there, and what is unsure waits on, but it is no evidence for a name.
        """
        seen = [*reading.cards, *reading.unsure]
        homes = self._match(seen)
        for track in self._tracks:
            if not any(track is home for home in homes):
                _miss(track, time_s)
        sightings: list[tuple[float, Sighting]] = []
        for card, home in zip(seen, homes, strict=True):
            if is_repeated and not card.reason:
                home.missed = 0
                continue
            sighting = self._observe(home, card, time_s, is_repeated=is_repeated)
            if sighting is not None:
                sightings.append((float(home.centre[0]), sighting))
        self._tracks = [track for track in self._tracks if not self._is_gone(track, time_s)]
        return tuple(sighting for _, sighting in sorted(sightings, key=lambda item: item[0]))

    def forget(self, decks: int | None = None) -> None:
        """Start a new shoe (of `decks`): any card may come again; those lying there still lie there."""
        self._decks = decks or self._decks
        self._counted = Counter(track.card for track in self._tracks if track.card is not None)

    def _match(self, seen: list[SeenCard]) -> list[_Track]:
        """A track for each seen card: first by name, as cards may change places, then by place.

        Between the two, one that is unsure goes to the card nearby that it most likely is: where cards lie on
        each other another card's place may be nearer, and one that was counted is not asked about again.
        """
        homes: list[_Track | None] = [None] * len(seen)
        free = list(self._tracks)
        for fits in (_is_named, _is_likely, _is_near):
            pairs = sorted(
                (_distance(track, card), n, k)
                for n, card in enumerate(seen)
                for k, track in enumerate(free)
                if homes[n] is None and fits(track, card)
            )
            taken: set[int] = set()
            for _, n, k in pairs:
                if homes[n] is None and k not in taken:
                    homes[n] = free[k]
                    taken.add(k)
            free = [track for k, track in enumerate(free) if k not in taken]
        result = []
        for card, home in zip(seen, homes, strict=True):
            centre, long_side = _place(card)
            track = _Track(centre, long_side) if home is None else home
            if home is None:
                self._tracks.append(track)
            track.centre, track.long_side = centre, long_side
            result.append(track)
        return result

    def _observe(
        self, track: _Track, seen: SeenCard, time_s: float, *, is_repeated: bool = False
    ) -> Sighting | None:
        name = None if seen.reason else seen.card
        if not is_repeated:
            _sum_up(track, seen, time_s)
        is_known = name == track.card if name is not None else _explains(track.card, seen)
        if is_known or not track.waiting:
            track.waiting_since_s = time_s
        track.waiting = 0 if is_known else track.waiting + 1
        proven = None if is_repeated else _proven(track, time_s)
        if proven is not None and proven.card is not None and proven.card != track.card:
            return self._count(track, proven.card, proven, time_s)
        is_late = track.waiting >= WAVERING_FRAMES and time_s - track.waiting_since_s >= WAVERING_S
        if name is None and not track.asked and is_late:
            return self._ask(track, seen, time_s)
        if seen.reason in WEAK_REASONS and track.streak and seen.card == track.streak_card:
            track.missed = 0
            track.doubts += 1
            if track.doubts < self._ask_frames:
                return None
        if track.streak == 0 or track.streak_card != name:
            track.streak_card, track.streak, track.since_s = name, 0, time_s
            track.doubts = 0
        track.streak += 1
        track.missed = 0
        waited_s = time_s - track.since_s
        if name is not None:
            slow = not track.doubts and any(
                track.streak >= count and waited_s >= least_s for count, least_s in STEADY_S.items()
            )
            if name != track.card and (track.streak >= self._steady_frames or slow):
                return self._count(track, name, seen, time_s)
        elif not track.asked and not _explains(track.card, seen):
            slow = track.streak >= 2 and waited_s >= ASK_S
            if track.streak >= self._ask_frames or slow:
                return self._ask(track, seen, time_s)
        return None

    def _ask(self, track: _Track, seen: SeenCard, time_s: float) -> CardAsked:
        track.asked, track.card = True, None
        track.waiting = 0
        return CardAsked(time_s, seen)

    def _count(self, track: _Track, name: Card, seen: SeenCard, time_s: float) -> Sighting:
        was_asked = track.asked and track.card is None
        track.card, track.asked, track.has_counted = name, False, True
        if self._counted[name] >= self._decks:
            return CardRepeated(time_s, name, seen)
        self._counted[name] += 1
        return CardSighted(time_s, name, seen, was_asked)

    def _is_gone(self, track: _Track, time_s: float) -> bool:
        slow = track.missed >= 2 and time_s - track.missed_since_s >= GONE_S
        return track.missed > self._gone_frames or slow


def _miss(track: _Track, time_s: float) -> None:
    if track.missed == 0:
        track.missed_since_s = time_s
    track.missed += 1
    track.streak = 0


def _sum_up(track: _Track, seen: SeenCard, time_s: float) -> None:
    """Add a reading to those before it; one that speaks against them ends their row."""
    speaks = seen.card is not None and (not seen.reason or seen.reason in WEAK_REASONS)
    if seen.card is None or not speaks:
        track.summed = None
        return
    if track.summed is None or track.summed.card != seen.card:
        track.summed = _Summed(seen.card, time_s)
    track.summed.readings += 1
    if not seen.reason:
        track.summed.sure += 1
        track.summed.surest = seen
    elif seen.reason == NEARLY_SURE:
        track.summed.nearly += 1
        track.summed.surest = track.summed.surest or seen


def _proven(track: _Track, time_s: float) -> SeenCard | None:
    """The surest reading of a card that many readings together prove."""
    summed = track.summed
    if summed is None or summed.surest is None or summed.readings < SUMMED_READINGS:
        return None
    if time_s - summed.since_s < SUMMED_S:
        return None
    if 2 * summed.sure > summed.readings:
        return summed.surest
    # a card that was counted here is exchanged by nothing less than sure readings
    if not track.has_counted and 2 * (summed.sure + summed.nearly) > summed.readings:
        return replace(summed.surest, confidence=COURT_NEARLY, reason="")
    return None


def _explains(card: Card | None, seen: SeenCard) -> bool:
    """Whether an unsure reading may simply be the card already counted there, half covered or blurred."""
    if card is None or not seen.candidates:
        return card is not None
    best = seen.candidates[0][1]
    return any(card == other and share >= EXPLAINS_SHARE * best for other, share in seen.candidates)


def are_at_one_place(one: SeenCard, other: SeenCard) -> bool:
    """Whether two readings saw a card at the same place."""
    return apart(one, other) < SAME_PLACE


def apart(one: SeenCard, other: SeenCard) -> float:
    """Between the centres of two readings' cards, in long sides."""
    centre, long_side = _place(one)
    return _distance(_Track(centre, long_side), other)


def _place(seen: SeenCard) -> tuple[npt.NDArray[np.float64], float]:
    corners = np.array(seen.outline)
    return corners.mean(axis=0), float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).max())


def _is_named(track: _Track, seen: SeenCard) -> bool:
    return not seen.reason and track.card == seen.card


def _is_likely(track: _Track, seen: SeenCard) -> bool:
    if not seen.reason or seen.card is None:
        return False
    return track.card == seen.card and _distance(track, seen) < COVERED_PLACE


def _is_near(track: _Track, seen: SeenCard) -> bool:
    return _distance(track, seen) < SAME_PLACE


def _distance(track: _Track, seen: SeenCard) -> float:
    """Between centres, in long sides."""
    centre, long_side = _place(seen)
    return float(np.linalg.norm(centre - track.centre)) / max(1.0, long_side, track.long_side)
