"""An emulated shoe on a pty, in real time: the real path without hardware."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from drivers.emulated_port import EmulatedPort
from drivers.emulated_shoe import EmulatedShoe

STEP_S = 0.01
OUTAGE_S = 0.3
REFILL_S = 3.0
"""An empty shoe stands open for so long and is full again."""


@dataclass(frozen=True, slots=True)
class Timetable:
    """When things happen, in seconds; 0 for never.

    Attributes:
        delay_s: Between two cards; 0 where somebody says when.
        unplug_every_s: The cable is out for 300 ms.
        reset_every_s: The shoe starts anew.
    """

    delay_s: float = 3.0
    unplug_every_s: float = 0.0
    reset_every_s: float = 0.0


class Emulation:
    """Runs a shoe at a pty until `stop`.

    Args:
        shoe: The shoe.
        path: Name of the port that appears.
        timetable: When things happen.
        tell: Hears, in words, of every card and fault; called in the emulation's thread.
    """

    def __init__(
        self,
        shoe: EmulatedShoe,
        path: Path,
        timetable: Timetable,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.shoe = shoe
        self._timetable = timetable
        self._tell = tell
        self._stop = threading.Event()
        self._wanted = threading.Semaphore(0)
        self._port = EmulatedPort(path)
        self._began_s = time.monotonic()
        self._refill_at_s = float("inf")
        self._next = {
            "deal": timetable.delay_s or float("inf"),
            "unplug": timetable.unplug_every_s or float("inf"),
            "reset": timetable.reset_every_s or float("inf"),
        }

    def deal(self) -> None:
        """Let a card out; from any thread."""
        self._wanted.release()

    def stop(self) -> None:
        """End; from any thread."""
        self._stop.set()

    def run(self) -> None:
        """Play until `stop`; the port is gone afterwards."""
        self.shoe.reset(0.0)
        try:
            while not self._stop.wait(STEP_S):
                self._step(time.monotonic() - self._began_s)
        finally:
            self._port.unplug()

    def _step(self, now_s: float) -> None:
        if self._is_due("unplug", now_s, self._timetable.unplug_every_s):
            self._tell("the cable is out")
            self._port.unplug()
            self._stop.wait(OUTAGE_S)
            self._port.plug_in()
        if self._is_due("reset", now_s, self._timetable.reset_every_s):
            self._tell("the shoe starts anew")
            self.shoe.reset(now_s)
        if self._is_due("deal", now_s, self._timetable.delay_s) or self._wanted.acquire(blocking=False):
            self._deal(now_s)
        if now_s >= self._refill_at_s:
            self._refill_at_s = float("inf")
            self.shoe.fill()
            self.shoe.say("LID", "0", now_s)
        with contextlib.suppress(OSError):  # nobody has opened the port, or it was just closed
            self.shoe.hear(self._port.received(), now_s)
            self._port.offer(self.shoe.sending(now_s))

    def _deal(self, now_s: float) -> None:
        if not self.shoe.cards_left:
            if self._refill_at_s == float("inf"):
                self._tell("the shoe is empty; it is filled anew")
                self.shoe.deal(now_s)
                self.shoe.say("LID", "1", now_s)
                self._refill_at_s = now_s + REFILL_S
            return
        self.shoe.deal(now_s)
        self._tell(self.shoe.dealt[-1])

    def _is_due(self, what: str, now_s: float, every_s: float) -> bool:
        if now_s < self._next[what]:
            return False
        self._next[what] = now_s + every_s
        return True
