"""Events of card sources on their way from readers' threads to the one that plays, also when they flood."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drivers.base import SourceEvent

FLOOD = 20
"""So many within `FLOOD_S` no hand deals: they are taken in by the armful, for keys go first."""
FLOOD_S = 1.0
PACE_S = 0.5
"""Between two armfuls of a flood."""
MOST_AT_ONCE = 400


class Inbox:
    """A queue that wakes its reader once, not once an event; `put` may be called from any thread.

    Args:
        clock: Seconds, monotonic.
        wake: Tells the reader that something waits.
    """

    def __init__(self, clock: Callable[[], float], wake: Callable[[], object]) -> None:
        self._clock = clock
        self._wake = wake
        self._events: deque[SourceEvent] = deque()
        self._times: deque[float] = deque(maxlen=FLOOD)
        self._is_called = False

    def __len__(self) -> int:
        return len(self._events)

    def put(self, event: SourceEvent) -> None:
        """Add an event, and wake the reader unless it is on its way."""
        self._events.append(event)
        self._times.append(self._clock())
        if not self._is_called:
            self._is_called = True
            self._wake()

    def take(self) -> list[SourceEvent]:
        """Take what waits, in order, up to an armful."""
        self._is_called = False  # before looking: what is put from now on calls anew
        taken: list[SourceEvent] = []
        while self._events and len(taken) < MOST_AT_ONCE:
            taken.append(self._events.popleft())
        if self._events and not self._is_called:
            self._is_called = True
            self._wake()
        return taken

    @property
    def is_flooded(self) -> bool:
        """Whether events come faster than any hand deals."""
        return len(self._times) == FLOOD and self._times[-1] - self._times[0] < FLOOD_S
