"""Speed and format of a port are found by listening; nothing is sent, and noise is nothing."""

from __future__ import annotations

import random
from itertools import cycle

import pytest

from drivers.codecs.oslp import encode
from drivers.port_finder import LISTEN_S, SPEEDS, search

REAL = {
    "oslp": (115200, encode("BEAT,7A3C,0000,0,1003")),
    "stxetx": (9600, b"\x0262E3086CED08\x03"),
    "angeleye": (4800, bytes.fromhex("05 31 44 81 B8 03 34 46")),
    "uidline": (9600, b"Card UID: 04 06 B9 02 0A 54 81\r\nCard SAK: 00\r\n"),
    "beetek": (9600, b" [Game]<Card:4S>  [Game]<Game> "),
    "plain": (57600, b"AH\r\n10d\r\n"),
    "barcode": (9600, b"1010\r2100\r"),
}


class Port:
    """A port on which something is sent at one speed; at any other it is noise. Writing is not possible."""

    def __init__(self, speed: int, sends: bytes, clock: list[float]) -> None:
        self.baudrate = 0
        self.heard: list[int] = []
        self._speed = speed
        self._clock = clock
        self._sends = cycle(sends) if sends else None
        self._noise = random.Random(1)

    @property
    def in_waiting(self) -> int:
        return 20 if self._sends else 0

    def read(self, size: int, /) -> bytes:
        self._clock[0] += 0.05 if self._sends else 0.2
        if self.baudrate not in self.heard:
            self.heard.append(self.baudrate)
        if self._sends is None:
            return b""
        if self.baudrate != self._speed:
            return self._noise.randbytes(size)
        return bytes(next(self._sends) for _ in range(size))


@pytest.mark.parametrize("format", REAL)
def test_what_speaks_is_found_with_its_speed(format: str) -> None:
    speed, sends = REAL[format]
    clock = [0.0]
    port = Port(speed, sends, clock)
    found = list(search(port, "/dev/ttyUSB0", lambda: clock[0]))
    assert [one.source for one in found] == [f"serial:/dev/ttyUSB0,format={format},baud={speed}"]
    assert ("without any check" in found[0].label) is (format not in ("oslp", "stxetx", "angeleye"))


def test_a_checked_format_ends_the_search_and_a_silent_port_is_heard_at_every_speed() -> None:
    clock = [0.0]
    port = Port(*REAL["oslp"], clock)
    list(search(port, "COM3", lambda: clock[0]))
    assert port.heard == [115200]
    clock = [0.0]
    silent = Port(0, b"", clock)
    assert list(search(silent, "COM3", lambda: clock[0])) == []
    assert silent.heard == list(SPEEDS)
    assert clock[0] >= LISTEN_S * len(SPEEDS)


def test_noise_and_one_line_of_text_are_nothing() -> None:
    clock = [0.0]
    assert list(search(Port(1, b"x", clock), "COM3", lambda: clock[0])) == []

    class OneLine(Port):
        def read(self, size: int, /) -> bytes:
            self._clock[0] += 0.2
            return b"AH\r\n" if self._clock[0] < 0.3 else b""

    assert list(search(OneLine(9600, b"", clock), "COM3", lambda: clock[0])) == []
