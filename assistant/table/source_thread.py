"""The one thread of one card source: builds, opens, reads, reopens and closes it, and tells how it stands."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import Enum

from drivers.base import Capabilities, CardSource, DriverError, EventKind, Sight, SourceEvent
from drivers.spec import SourceSpec, split_source

READ_TIMEOUT_S = 0.2
"""Longest wait in one read, and so the usual time a source needs to stop."""
REOPEN_S = 2.0
"""Between two attempts to open a source that is not there."""
SILENT_DRIVER_S = 2.0
"""A driver that has not come back from a read for so long is said to hang."""
SLOW_OPEN_S = 5.0
"""An opening that takes longer is mentioned (a system may be asking for permission out of sight)."""

_log = logging.getLogger(__name__)


class Lamp(Enum):
    """What the console shows of a source at a glance."""

    OPENING = "opening"
    UP = "up"
    STALE = "stale"
    DOWN = "down"
    ENDED = "ended"


_LAMPS = {EventKind.UP: Lamp.UP, EventKind.STALE: Lamp.STALE, EventKind.DOWN: Lamp.DOWN}


@dataclass(frozen=True, slots=True)
class SourceState:
    """A source as it stands now.

    Attributes:
        name: The name in its events.
        lamp: Its state.
        note: Why, when it is not up.
        cards: Cards it reported since the start, named or counted.
        capabilities: What it can do; None before it was built.
    """

    name: str
    lamp: Lamp
    note: str
    cards: int
    capabilities: Capabilities | None


class SourceThread:
    """Runs one source until it is told to stop.

    Args:
        source: A source as typed, as a spec, or ready-made.
        opener: How the first two become a source; called in the thread, for it may load a library.
        put: Takes an event without waiting; False when there is no room for it.
        clock: Seconds, monotonic.
        face_up_due: Handed to the source; None where there is no table to ask.
    """

    def __init__(
        self,
        source: str | SourceSpec | CardSource,
        opener: Callable[[str | SourceSpec], CardSource],
        put: Callable[[SourceThread, SourceEvent], bool],
        clock: Callable[[], float],
        face_up_due: Callable[[], bool] | None,
    ) -> None:
        self._given = source
        self._opener = opener
        self._put = put
        self._stop = threading.Event()
        self._clock = clock
        self._face_up_due = face_up_due
        self._source: CardSource | None = None
        self._name = _name_of(source)
        self._lamp = Lamp.OPENING
        self._note = ""
        self._cards = 0
        self._dropped = 0
        self._decks: int | None = None
        self._in_shoe: tuple[int, Collection[str]] | None = None
        self._recalled: dict[str, str] = {}
        self._opened_s = self._beat_s = clock()
        self._is_reading = False
        self._said_silent = False
        self.sees_face_down = False
        self.is_shoe = False
        self.thread = threading.Thread(target=self._run, name=f"source {self._name}", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._opened_s = self._beat_s = self._clock()
        self.thread.start()

    @property
    def name(self) -> str:
        """The name in its events."""
        return self._name

    def stop(self) -> None:
        """Let go of the device as soon as the driver comes back from its read; returns at once."""
        self._stop.set()

    def learn(self, tag: str, card: str, deck: str = "") -> None:
        """Hear which card a tag is that no deck knew; see `CardSource.learn`."""
        if self._source is not None:
            self._source.learn(tag, card, deck)

    def recall(self, tags: Mapping[str, str]) -> None:
        """Pass on which cards tags are, or keep it for the source that is still being opened."""
        self._recalled = dict(tags)
        self._remind()

    def _remind(self) -> None:
        if self._source is not None:
            for tag, card in self._recalled.items():
                self._source.recall(tag, card)

    def deals_from(self, decks: int, dealt: Collection[str] = ()) -> None:
        """Pass on how many decks lie in the shoe and what of it was dealt, or keep it for the source that is
        still being opened."""
        self._in_shoe = decks, dealt
        if self._source is not None:
            self._source.deals_from(decks, dealt)

    def shuffled(self, decks: int) -> None:
        """Pass a shuffle on, or keep it for the source that is still being opened."""
        self._decks = decks
        if self._source is not None:
            self._source.shuffled(decks)

    def sight(self) -> Sight | None:
        """What the source sees now, for a live view."""
        return self._source.sight() if self._source is not None else None

    def hold_still(self) -> None:
        """Ask a camera to hold focus and exposure."""
        if self._source is not None:
            self._source.hold_still()

    def recalibrated(self) -> None:
        """Tell a camera that its calibration or the deck was saved anew."""
        if self._source is not None:
            self._source.recalibrated()

    def state(self) -> SourceState:
        """Return the source as it stands."""
        capabilities = self._source.capabilities if self._source else None
        return SourceState(self._name, self._lamp, self._note, self._cards, capabilities)

    def check(self) -> None:
        """Say so, once, when the driver hangs; called from another thread."""
        if not self.thread.is_alive() or self._said_silent:
            return
        silent_s = self._clock() - self._beat_s
        if self._is_reading and silent_s > SILENT_DRIVER_S:
            self._said_silent = True
            self._say(EventKind.STALE, "hangs", f"the driver has not answered for {SILENT_DRIVER_S:g} s")
        elif self._lamp is Lamp.OPENING and silent_s > SLOW_OPEN_S:
            self._said_silent = True
            self._say(
                EventKind.STALE,
                "slow-open",
                f"still opening after {SLOW_OPEN_S:g} s; if the system asks for permission, allow it for the "
                "terminal program in the privacy settings",
            )

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                error = self._attempt()
                if error is None:
                    return
                if self._note != str(error) or self._lamp is not Lamp.DOWN:
                    self._say(EventKind.DOWN, type(error).__name__, str(error))
                if not error.can_retry:
                    return
                self._stop.wait(REOPEN_S)
                self._beat_s = self._clock()
        except Exception as error:  # noqa: BLE001 - a driver's own mistake must not take the source away in silence
            _log.exception("source %s failed", self._name)
            self._say(EventKind.DOWN, "failed", f"the driver failed: {type(error).__name__}")

    def _attempt(self) -> DriverError | None:
        """Build, open and read the source until the end; return why it could not be opened."""
        try:
            source = self._build()
            source.open()
        except DriverError as error:
            return error
        try:
            self._read(source)
        finally:
            self._is_reading = False
            source.close()
        return None

    def _build(self) -> CardSource:
        if self._source is None:
            source = self._given if isinstance(self._given, CardSource) else self._opener(self._given)
            source.face_up_due = self._face_up_due
            self._name = source.name
            self.sees_face_down = source.capabilities.sees_face_down
            self.is_shoe = source.capabilities.is_shoe
            self._source = source
            if self._in_shoe is not None:
                source.deals_from(*self._in_shoe)
            if self._decks is not None:
                source.shuffled(self._decks)
            self._remind()
        return self._source

    def _read(self, source: CardSource) -> None:
        self._opened_s = self._beat_s = self._clock()
        if self._lamp in (Lamp.DOWN, Lamp.STALE):
            self._say(EventKind.UP, "open", "")
        self._said_silent = False
        self._lamp, self._note = Lamp.UP, ""
        self._is_reading = True
        while not self._stop.is_set():
            event = source.read(READ_TIMEOUT_S)
            self._beat_s = self._clock()
            if self._said_silent:
                self._said_silent = False
                self._say(EventKind.UP, "answers", "")
            if event is not None:
                self._pass_on(event)
            elif source.has_ended:
                self._lamp = Lamp.ENDED
                self._stop.wait(READ_TIMEOUT_S)
            elif self._lamp is Lamp.ENDED:
                self._lamp = Lamp.UP
            self._report_dropped()

    def _say(self, kind: EventKind, code: str, note: str) -> None:
        time_s = max(0.0, self._clock() - self._opened_s)
        self._pass_on(SourceEvent(kind, self._name, time_s, code=code, note=note))

    def _pass_on(self, event: SourceEvent) -> None:
        lamp = _LAMPS.get(event.event)
        if lamp is not None:
            self._lamp, self._note = lamp, event.note
        self._cards += event.event is EventKind.CARD
        self._report_dropped()
        if not self._put(self, event):
            self._dropped += 1

    def _report_dropped(self) -> None:
        if not self._dropped:
            return
        gap = SourceEvent(
            EventKind.GAP,
            self._name,
            max(0.0, self._clock() - self._opened_s),
            count=self._dropped,
            code="flood",
            note=f"{self._dropped} reports came faster than the table could take them",
        )
        if self._put(self, gap):
            self._dropped = 0


def _name_of(source: str | SourceSpec | CardSource) -> str:
    """The source's name before it is built; whether it can be is found out in the thread."""
    if not isinstance(source, str):
        return source.name
    try:
        return split_source(source).name
    except DriverError:
        return "source"
