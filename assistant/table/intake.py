"""Card sources -> one queue -> the table: whatever a device does, the table goes on.

Every source has its own daemon thread (`source_thread`), which alone builds, opens, reads and closes it; a
slow camera delays nothing and a device that hangs is left behind at the end. Losing a source is an event like
any other.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from assistant.table.source_thread import READ_TIMEOUT_S, Lamp, SourceState, SourceThread
from drivers.base import CardSource, Sight, SourceEvent, conceal
from drivers.registry import open_source
from drivers.spec import SourceSpec

__all__ = ["Intake", "Lamp", "SourceState", "listen"]

QUEUE_LENGTH = 1000
"""Events waiting for the table; more are dropped, counted and reported as a gap."""
STOP_S = 1.5
"""Longest time `Intake.stop` takes, whatever the drivers do; a healthy one needs a fifth of a second."""
HEARTBEAT_S = 0.5
"""How often drivers are looked after."""

_log = logging.getLogger(__name__)


class Intake:
    """Runs card sources and hands their events, one after the other, to `deliver`.

    Args:
        sources: Sources as typed, as specs, or ready-made.
        deliver: Called in the intake's own thread with every event; what it raises is logged. Nothing is
            delivered after `stop` has returned.
        clock: Seconds, monotonic.
        face_up_due: Whether the table expects a face-up card now. A source that sees cards face down names
            them only then, a simulated shoe deals only then.
        deals_face_down: Whether the game has hidden hands: then any shoe names a card only when one is due.
        opener: How a spec becomes a source.
    """

    def __init__(
        self,
        sources: Iterable[str | SourceSpec | CardSource],
        deliver: Callable[[SourceEvent], None],
        clock: Callable[[], float] = time.monotonic,
        *,
        face_up_due: Callable[[], bool] | None = None,
        deals_face_down: Callable[[], bool] = lambda: False,
        opener: Callable[[str | SourceSpec], CardSource] = open_source,
    ) -> None:
        self._deliver = deliver
        self._clock = clock
        self._face_up_due = face_up_due
        self._deals_face_down = deals_face_down
        self._opener = opener
        self._stop = threading.Event()
        self._queue: queue.Queue[tuple[SourceThread, SourceEvent]] = queue.Queue(QUEUE_LENGTH)
        self._sources: list[SourceThread] = []
        self._leaving: list[SourceThread] = []
        self._recalled: dict[str, str] = {}
        self._in_shoe: tuple[int, Collection[str]] | None = None
        self._dispatcher = threading.Thread(target=self._dispatch, name="intake", daemon=True)
        self._started = False
        for source in sources:
            self.add(source)

    def start(self) -> None:
        """Start every source; returns at once."""
        self._started = True
        self._dispatcher.start()
        for source in self._sources:
            source.start()

    def add(self, source: str | SourceSpec | CardSource) -> None:
        """Take another source in, also while running."""
        due = self._is_face_up_due if self._face_up_due is not None else None
        thread = SourceThread(source, self._opener, self._put, self._clock, due)
        thread.recall(self._recalled)
        if self._in_shoe is not None:
            thread.deals_from(*self._in_shoe)
        self._sources.append(thread)
        if self._started:
            thread.start()

    def remove(self, name: str) -> bool:
        """Let a source go, without waiting for it; whether there was one of that name."""
        found = next((source for source in self._sources if source.name == name), None)
        if found is None:
            return False
        found.stop()
        self._sources.remove(found)
        self._leaving = [one for one in self._leaving if one.thread.is_alive()] + [found]
        return True

    def is_leaving(self, name: str) -> bool:
        """Whether a source that was let go still holds its device."""
        return any(one.name == name and one.thread.is_alive() for one in self._leaving)

    def stop(self, timeout_s: float = STOP_S) -> None:
        """Stop all sources within `timeout_s`; one that hangs in its driver is left to the system."""
        self._stop.set()
        sources = (*self._sources, *self._leaving)
        for source in sources:
            source.stop()
        deadline_s = time.monotonic() + timeout_s
        for thread in (self._dispatcher, *(source.thread for source in sources)):
            if thread.is_alive() and thread is not threading.current_thread():
                thread.join(max(0.0, deadline_s - time.monotonic()))

    def deals_from(self, decks: int, dealt: Collection[str] = ()) -> None:
        """Tell every source, and those to come, how many decks lie in the shoe and which tags were dealt."""
        self._in_shoe = decks, dealt
        for source in self._sources:
            source.deals_from(decks, dealt)

    def shuffled(self, decks: int, kind: str = "") -> None:
        """Tell every source, or those of a kind such as ``camera``, that any card may come again."""
        for source in self._sources:
            if not kind or source.name.partition(":")[0] == kind:
                source.shuffled(decks)

    def learn(self, name: str, tag: str, card: str, deck: str = "") -> None:
        """Tell a source which card a tag is that no deck knew; without a name, tell every one.

        An empty card takes that back, and then `deck` is the deck that had taken the tag in.
        """
        for source in self._sources:
            if name in ("", source.name):
                source.learn(tag, card, deck)

    def recall(self, tags: Mapping[str, str]) -> None:
        """Tell every source, and those to come, which cards the tags are that were named tonight."""
        self._recalled = dict(tags)
        for source in self._sources:
            source.recall(self._recalled)

    def states(self) -> tuple[SourceState, ...]:
        """Return every source as it stands, for the lamps."""
        return tuple(source.state() for source in self._sources)

    def sight(self) -> Sight | None:
        """What the first source that sees anything sees now; None without a camera."""
        return next((sight for source in self._sources if (sight := source.sight()) is not None), None)

    def hold_still(self) -> None:
        """Ask the cameras to hold focus and exposure as they are."""
        for source in self._sources:
            source.hold_still()

    def recalibrated(self) -> None:
        """Tell the cameras that a calibration or a deck was saved anew."""
        for source in self._sources:
            source.recalibrated()

    def check(self) -> None:
        """Look for drivers that hang; the intake does so by itself twice a second."""
        for source in self._sources:
            source.check()

    def _put(self, source: SourceThread, event: SourceEvent) -> bool:
        try:
            self._queue.put_nowait((source, event))
        except queue.Full:
            return False
        return True

    def _dispatch(self) -> None:
        next_check_s = time.monotonic() + HEARTBEAT_S
        while not self._stop.is_set():
            try:
                source, event = self._queue.get(timeout=READ_TIMEOUT_S)
            except queue.Empty:
                pass
            else:
                self._hand_over(source, event)
            if time.monotonic() >= next_check_s:
                next_check_s = time.monotonic() + HEARTBEAT_S
                self.check()

    def _hand_over(self, source: SourceThread, event: SourceEvent) -> None:
        if source not in self._sources:
            return  # it was let go: what it still says is nobody's business
        hidden = source.sees_face_down or (source.is_shoe and self._deals_face_down())
        if hidden and not self._is_face_up_due():
            event = conceal(event)  # the hand may have gone on since the card was read
        event = replace(event, is_shoe=source.is_shoe)
        if self._stop.is_set():
            return
        try:
            self._deliver(event)
        except Exception:  # noqa: BLE001 - one event that the table can't take must not end the others
            _log.exception("the table refused a %s event of %s", event.event, event.source)

    def _is_face_up_due(self) -> bool:
        try:
            return self._face_up_due is not None and self._face_up_due()
        except Exception:  # noqa: BLE001 - asked from a device's thread: when in doubt nothing is named
            _log.exception("the table could not say whether a card is due")
            return False


def listen(source: CardSource) -> Iterator[SourceEvent]:
    """Yield what a source says until it ends; closing the iterator closes the source.

    Raises:
        DriverError: The source can't be opened.
    """
    with source:
        while True:
            event = source.read(READ_TIMEOUT_S)
            if event is not None:
                yield event
            elif source.has_ended:
                return
