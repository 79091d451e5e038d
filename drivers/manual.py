"""Typed cards: the console pushes them, the table reads them as from any other source."""

from __future__ import annotations

import queue
import time
from typing import Self

from assistant.cards import Card
from drivers.base import Capabilities, CardSource, EventKind, Integrity, SourceEvent
from drivers.spec import SourceSpec


class ManualSource(CardSource):
    """Cards a person types; `push` may be called from any thread and never blocks."""

    def __init__(self, name: str = "manual", zone: str | None = None) -> None:
        self._name = name
        self._zone = zone
        self._waiting: queue.SimpleQueue[SourceEvent] = queue.SimpleQueue()
        self._opened_s = time.monotonic()
        self._typed = 0

    @classmethod
    def from_spec(cls, spec: SourceSpec) -> Self:
        """Build from ``manual:[,zone=…]``."""
        options = spec.reader()
        source = cls(spec.name, options.text("zone") or None)
        options.done()
        return source

    @property
    def name(self) -> str:
        """``manual`` unless named otherwise."""
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        """A person sees every card, and says each once."""
        return Capabilities(detects_misses=True, exactly_once=True, integrity=Integrity.NONE)

    def open(self) -> None:
        """Get ready; what was pushed before is kept."""
        self._opened_s = time.monotonic()

    def push(self, card: Card) -> None:
        """Hand a typed card to whoever reads."""
        self._typed += 1
        self._waiting.put(
            SourceEvent(
                EventKind.CARD,
                self._name,
                max(0.0, time.monotonic() - self._opened_s),
                card=card,
                zone=self._zone,
                confidence=1.0,
                seq=self._typed,
            )
        )

    def read(self, timeout_s: float) -> SourceEvent | None:
        """Return the next typed card."""
        try:
            return self._waiting.get(timeout=max(0.0, timeout_s))
        except queue.Empty:
            return None

    def close(self) -> None:
        """Nothing to let go of."""
