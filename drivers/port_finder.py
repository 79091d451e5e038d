"""Which speed and format a port speaks, found by listening alone: nothing is ever sent (SHOE_PROTOCOL.md 2).

The port is opened once and its speed changed while it is open, for every opening resets an Arduino.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from assistant.i18n import _, ngettext
from drivers.base import Found, Integrity
from drivers.codecs.base import Codec
from drivers.codecs.formats import FORMATS

SPEEDS = (115200, 9600, 4800, 57600)
LISTEN_S = 2.2
"""At each speed; a shoe sends BEAT every second, a reader needs a card laid on it meanwhile."""
ENOUGH_LINES = 2
"""Text without a check must make sense twice."""
LAST_RESORT = "barcode"
"""Any two printable lines could be bar codes, so this is said only when nothing else fits."""


class TunablePort(Protocol):
    """What is used of an open port."""

    baudrate: int

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read without waiting."""
        ...

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes, fewer when the time-out ends."""
        ...


@dataclass(frozen=True, slots=True)
class _Ear:
    """A decoder at one speed, with its counters."""

    format: str
    codec: Codec

    @property
    def good(self) -> int:
        return self.codec.counters.frames

    @property
    def is_checked(self) -> bool:
        return self.codec.capabilities.integrity is not Integrity.NONE

    @property
    def fits(self) -> bool:
        needed = 1 if self.is_checked else ENOUGH_LINES
        return self.good >= needed and self.good > self.codec.counters.bad_lines


def search(port: TunablePort, device: str, clock: Callable[[], float] = time.monotonic) -> Iterator[Found]:
    """Listen at each speed and yield what fits, ending with the first checked format that does.

    What a dying port raises comes through.

    Args:
        port: Open, with a read time-out well below two seconds.
        device: Its name, for the answers.
        clock: Seconds, monotonic.
    """
    for speed in SPEEDS:
        port.baudrate = speed
        ears = [_Ear(name, format.make("find")) for name, format in FORMATS.items()]
        began_s = clock()
        while (now_s := clock() - began_s) < LISTEN_S:
            data = port.read(min(port.in_waiting, 4096) or 1)
            for ear in ears if data else ():
                ear.codec.feed(data, now_s)
        fitting = [ear for ear in ears if ear.fits]
        best = [ear for ear in fitting if ear.format != LAST_RESORT] or fitting
        yield from (_found(ear, device, speed) for ear in best)
        if any(ear.is_checked for ear in best):
            return


def _found(ear: _Ear, device: str, speed: int) -> Found:
    format = FORMATS[ear.format]
    lines = ngettext("{count} good line heard", "{count} good lines heard", ear.good).format(count=ear.good)
    doubt = "" if ear.is_checked else _(", without any check")
    return Found(f"serial:{device},format={ear.format},baud={speed}", f"{format.label} ({lines}{doubt})")
