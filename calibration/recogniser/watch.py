"""Runs the reader over a stream of frames, reading when something changed; `Tracker` decides over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from calibration.frames import Frame, Image
from calibration.recogniser import Look, Reading, Recogniser, Sighting, Stillness, Tracker

EMPTY = Reading((), (), "moving")
MOVING_READ_S = 0.2
"""While something moves, frames are read this far apart: a waving hand must not hold up a resting card."""
STEADY_READS = 3
"""A resting picture is read in so many frames before the last reading is repeated: noise differs in each."""


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
        self._rested: Image | None = None
        self._before: Image | None = None

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
            self._reads = min(self._reads, STEADY_READS - 1)
        elif look is not Look.SAME:
            self._reads = 0
        if look is Look.FRESH:
            self._before, self._rested = self._rested, frame.image
        if self._reads < STEADY_READS:
            self._reading = self._recogniser.read(frame.image, self._before)
            self._reads += 1
        return self._tracker.add(frame.time_s, self._reading)
