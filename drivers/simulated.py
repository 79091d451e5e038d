"""A seeded shoe: the same cards for the same seed, dealt when the table wants one; the demo runs on it."""

from __future__ import annotations

import random
import threading
import time
from typing import Self

from assistant.cards import FULL_DECK, Card
from drivers.base import Capabilities, CardSource, EventKind, SourceEvent
from drivers.spec import SourceSpec

TABLE_DELAY_S = 0.3
"""Shortest time between two cards at a table: it must have booked one before it is asked about the next."""


class SimulatedSource(CardSource):
    """A shoe of shuffled decks that deals by itself.

    It deals one card every `delay_s` seconds; where there is a table, only while that expects a face-up card
    and never faster than a table can take them in. When its last card is out it says so and ends; `shuffled`
    starts the next shoe.
    """

    def __init__(
        self, *, seed: int = 0, decks: int = 1, delay_s: float = 0.0, cut: int = 0, name: str = "simulated"
    ) -> None:
        self._name = name
        self._delay_s = delay_s
        self._cut = cut
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._decks = decks
        self._cards: list[Card] = []
        self._dealt = 0
        self._said_empty = False
        self._closed = threading.Event()
        self._opened_s = self._next_s = time.monotonic()
        self._fill(decks)

    @classmethod
    def from_spec(cls, spec: SourceSpec) -> Self:
        """Build from ``simulated:seed=7,decks=6,delay=0.5,cut=60``."""
        options = spec.reader()
        source = cls(
            seed=options.whole("seed", 0, 0, 10**12),
            decks=options.whole("decks", 1, 1, 16),
            delay_s=options.number("delay", 0.0, 0.0, 3600.0),
            cut=options.whole("cut", 0, 0, 16 * 52),
            name=spec.name,
        )
        options.done()
        return source

    @property
    def name(self) -> str:
        """``simulated`` unless named otherwise."""
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        """An ideal shoe."""
        return Capabilities(detects_misses=True, exactly_once=True, is_shoe=True)

    @property
    def has_ended(self) -> bool:
        """Whether the shoe is empty and said so."""
        return self._said_empty

    def open(self) -> None:
        """Start the clock; the shoe goes on where it was."""
        self._closed.clear()
        self._opened_s = time.monotonic()
        self._next_s = self._opened_s + self._delay_s

    def read(self, timeout_s: float) -> SourceEvent | None:
        """Deal the next card when its time has come and the table wants one."""
        if self._closed.is_set():
            return None
        now = time.monotonic()
        if now < self._next_s:
            self._closed.wait(min(timeout_s, self._next_s - now))
        wanted = self.face_up_due is None or self.face_up_due()
        if not wanted or self._said_empty:
            self._closed.wait(min(timeout_s, 0.05))
            return None
        if time.monotonic() < self._next_s:
            return None
        return self._deal()

    def close(self) -> None:
        """Stop dealing."""
        self._closed.set()

    def shuffled(self, decks: int) -> None:
        """Begin a fresh shoe; its order follows from the seed and the number of shuffles before."""
        with self._lock:
            self._fill(decks)

    def _fill(self, decks: int) -> None:
        self._decks = decks
        self._cards = list(FULL_DECK) * decks
        self._random.shuffle(self._cards)
        self._said_empty = False
        self._said_cut = False

    def _deal(self) -> SourceEvent:
        time_s = time.monotonic() - self._opened_s
        with self._lock:
            if not self._cards:
                self._said_empty = True
                return SourceEvent(EventKind.EMPTY, self._name, time_s, note="the shoe is empty")
            if self._cut and not self._said_cut and len(self._cards) <= self._cut:
                self._said_cut = True
                return SourceEvent(EventKind.CUT, self._name, time_s, note="cut card reached")
            self._dealt += 1
            at_a_table = self.face_up_due is not None
            self._next_s = time.monotonic() + max(self._delay_s, TABLE_DELAY_S if at_a_table else 0.0)
            return SourceEvent(
                EventKind.CARD, self._name, time_s, card=self._cards.pop(), confidence=1.0, seq=self._dealt
            )
