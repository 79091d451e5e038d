"""Runs the reader over a stream of frames, reading when something changed; `Tracker` decides over time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from assistant.cards import Card
from calibration.frames import Frame, Image
from calibration.recogniser import (
    GLARE,
    NOT_READ,
    CardAsked,
    Look,
    Reading,
    Recogniser,
    Sighting,
    Stillness,
    Tracker,
)
from calibration.recogniser.align import aligned, drift_px
from calibration.recogniser.confirm import STEADY_FRAMES, WEAK_REASONS, apart, are_at_one_place
from calibration.recogniser.glare import is_lit
from calibration.recogniser.reading import SeenCard

EMPTY = Reading((), (), "moving")
MOVING_READ_S = 0.1
"""While something moves, frames are read this far apart: a waving hand must not hold up a resting card."""
KEPT_RESTS = 3
"""Earlier pictures of the table at rest that a new one is held against: in the last a hand may have lain."""
STEADY_READS = STEADY_FRAMES
"""A resting picture is read until so many readings say the same: noise differs in each frame, and a reading
that is only repeated proves nothing."""
SWAY_PX, SWAY_S = 3.0, 2.0
"""A camera whose own motion between two glances is so large (at a corner, pixels) is in a hand; for so long
(seconds) earlier pictures are laid over the present one before they are compared."""
GLANCE_S, GLANCES = 0.5, 6
"""A table that is being read is remembered so often (seconds), and so many pictures of it."""
LAID_S = (0.9, 2.2)
"""How long ago the pictures are that show what was laid since: a card; one that took its time (seconds)."""
LAMP_EXPLAINS = NOT_READ | {"body_disagrees", "body_unknown", "body_suit_disagrees", "no_ink"}
"""Reasons for a question that a lamp on the card explains better."""
MOST_READS = 12
"""No resting picture is read more often; the dealer is asked instead."""


def sightings(
    frames: Iterable[Frame], recogniser: Recogniser, tracker: Tracker | None = None
) -> Iterator[tuple[Frame, tuple[Sighting, ...]]]:
    """Give each frame at which something became certain, with what it was.

    Args:
        frames: In order; a frame that shows the same as the last one read costs next to nothing.
        recogniser: Reads single pictures.
        tracker: Decides over time; a fresh one for a single deck unless given.
    """
    watcher = Watcher(recogniser, tracker or Tracker())
    for frame in frames:
        certain = watcher.add(frame)
        if certain:
            yield frame, certain


class Watcher:
    """The reader on a live source: feed it every frame."""

    def __init__(self, recogniser: Recogniser, tracker: Tracker) -> None:
        self._recogniser = recogniser
        self._tracker = tracker
        self._stillness = Stillness()
        self._reading = EMPTY
        self._moving_read_s = -MOVING_READ_S
        self._reads = 0
        self._is_settled = False
        self._recent: deque[Reading] = deque(maxlen=STEADY_READS)
        self._rested: deque[Image] = deque(maxlen=KEPT_RESTS + 1)
        self._swayed_s = -SWAY_S
        self._glances: deque[Frame] = deque(maxlen=GLANCES)

    def forget(self, decks: int | None = None) -> None:
        """Start a new shoe; see `Tracker.forget`."""
        self._tracker.forget(decks)

    def add(self, frame: Frame) -> tuple[Sighting, ...]:
        """Take a frame and say what became certain with it."""
        look = self._stillness.look(frame)
        if look is Look.MOVING:
            if frame.time_s - self._moving_read_s < MOVING_READ_S:
                return ()
            self._moving_read_s = frame.time_s
        if look is Look.AGAIN:
            self._reads = min(self._reads, MOST_READS - 1)
            self._is_settled = False
        elif look is not Look.SAME:
            self._reads, self._is_settled = 0, False
            self._recent.clear()
        if look is Look.FRESH:
            self._rested.append(frame.image)
        is_repeated = self._is_settled
        if not is_repeated:
            self._read(frame)
        said = self._tracker.add(frame.time_s, self._reading, is_repeated=is_repeated)
        return tuple(_with_what_helps(one) for one in said)

    def _read(self, frame: Frame) -> None:
        """Read once more; what stays is what the last readings agree on."""
        self._glance(frame)
        is_swaying = frame.time_s - self._swayed_s < SWAY_S
        before = self._laid_over(frame) if is_swaying else tuple(self._rested)[:-1]
        self._recent.append(self._recogniser.read(frame.image, before))
        self._reads += 1
        self._reading = self._recent[-1]
        if len(self._recent) == STEADY_READS and len({_said(one) for one in self._recent}) == 1:
            self._is_settled = not _is_weak(self._reading)
        if self._reads >= MOST_READS:
            self._is_settled = True
            self._reading = _agreed(self._recent)

    def _glance(self, frame: Frame) -> None:
        """Remember a picture now and then, and see from it whether the camera itself moves."""
        last = self._glances[-1] if self._glances else None
        if last is not None and frame.time_s - last.time_s < GLANCE_S:
            return
        if last is not None and drift_px(last.image, frame.image) >= SWAY_PX:
            self._swayed_s = frame.time_s
        self._glances.append(frame)

    def _laid_over(self, frame: Frame) -> tuple[Image, ...]:
        """Earlier pictures as a camera in a hand would show them now."""
        chosen: list[Frame] = []
        for age_s in LAID_S:
            old = next((one for one in reversed(self._glances) if frame.time_s - one.time_s >= age_s), None)
            if old is not None and all(old is not one for one in chosen):
                chosen.append(old)
        pictures = (aligned(old.image, frame.image) for old in chosen)
        return tuple(picture for picture in pictures if picture is not None)


def _with_what_helps(sighting: Sighting) -> Sighting:
    """A question about a card that a lamp covers says so: tilting it helps. It is no evidence before."""
    if not isinstance(sighting, CardAsked) or sighting.seen.reason not in LAMP_EXPLAINS:
        return sighting
    if not is_lit(sighting.seen.crop):
        return sighting
    return replace(sighting, seen=replace(sighting.seen, reason=GLARE))


def _agreed(readings: Sequence[Reading]) -> Reading:
    """Only what every one of these readings (the newest last) names is sure; what they waver on is unsure."""
    newest_first = tuple(reversed(readings))
    fullest = max(newest_first, key=lambda one: len(_all_seen(one)))
    found = []
    for seen in _all_seen(fullest):
        there = [_of_one_card(seen, one, _all_seen(fullest)) for one in newest_first]
        is_one_off = bool(seen.reason) and 2 * sum(map(bool, there)) <= len(there)
        if not is_one_off:
            found.append(seen if _all_name(seen.card, there) else _doubted(seen, there))
    cards, unsure = (tuple(s for s in found if bool(s.reason) is is_unsure) for is_unsure in (False, True))
    return Reading(cards, unsure, "" if found else newest_first[0].reason)


def _of_one_card(seen: SeenCard, reading: Reading, neighbours: Sequence[SeenCard]) -> list[SeenCard]:
    """What a reading saw at a card's place and nearer to it than to any card it lies on or under."""
    here = [other for other in _all_seen(reading) if are_at_one_place(seen, other)]
    return [other for other in here if apart(seen, other) <= min(apart(one, other) for one in neighbours)]


def _all_seen(reading: Reading) -> tuple[SeenCard, ...]:
    return (*reading.cards, *reading.unsure)


def _all_name(card: Card | None, there: Sequence[Sequence[SeenCard]]) -> bool:
    return all(any(not other.reason and other.card == card for other in seen) for seen in there)


def _doubted(seen: SeenCard, there: Sequence[Sequence[SeenCard]]) -> SeenCard:
    """What to ask about where readings waver: the newest unsure one, with all that was likely in any."""
    others = [other for each in there for other in each]
    unsure = (other for other in (seen, *others) if other.reason)
    doubt = next(unsure, replace(seen, reason="corners_disagree"))
    shares: dict[Card, float] = {}
    for card, share in (candidate for other in others for candidate in other.candidates):
        shares[card] = max(share, shares.get(card, 0.0))
    return replace(doubt, candidates=tuple(sorted(shares.items(), key=lambda item: -item[1])))


def _said(reading: Reading) -> tuple[tuple[str, ...], int]:
    return tuple(sorted(str(seen.card) for seen in reading.cards)), len(reading.unsure)


def _is_weak(reading: Reading) -> bool:
    """Whether another frame may name what this one is too weak for."""
    return any(seen.reason in WEAK_REASONS for seen in reading.unsure)
