"""The serial rows of cases/cases.csv that are about bytes and ports, each by its number."""

from __future__ import annotations

import errno

import pytest
import serial

from drivers.base import EventKind, SourceEvent
from drivers.codecs.plain import PlainCodec
from drivers.registry import open_source, parse_source
from drivers.serial_port import OpenPort, SerialSource

STREAMS: dict[str, tuple[list[tuple[float, bytes]], list[str], int, int]] = {
    # pieces with the time of each, cards, bad lines, notices
    "B050": ([(0, b"\xff\xfe\x00AH\n9C\n")], ["9C"], 1, 0),
    "B051": ([(0, b"S\n4D\nKC\n")], ["4D", "KC"], 1, 0),
    "B053": (
        [(0, b"1"), (0.05, b"0"), (0.1, b"H\n"), (0.15, b"K"), (0.2, b"S\r"), (0.25, b"\n")],
        ["TH", "KS"],
        0,
        0,
    ),
    "B054": ([(0, b"10"), (0.4, b"D"), (0.8, b"\n")], ["TD"], 0, 0),
    "B056": ([(0, b"7\xe2\x99"), (0.01, b"\xa5\n")], ["7H"], 0, 0),
    "B058": ([(0, b"2S\n\x16\xfeJC\n\x92\xaf\n4H\n")], ["2S", "4H"], 2, 0),
    "B059": ([(0, b"9S\n"), (0.04, b"9S\n")], ["9S"], 0, 1),
    "B060": ([(0, b"9S\n"), (0.9, b"9S\n")], ["9S", "9S"], 0, 0),
}


def cards(events: list[SourceEvent]) -> list[str]:
    return [str(event.card) for event in events if event.event is EventKind.CARD]


@pytest.mark.parametrize("case", STREAMS)
def test_the_bytes_that_broke_other_programs(case: str) -> None:
    pieces, expected, bad_lines, notices = STREAMS[case]
    codec, events = PlainCodec("shoe"), []
    codec.opened(0.0)
    for time_s, data in pieces:
        events += codec.feed(data, time_s) + codec.tick(time_s)
    assert cards(events) == expected
    assert codec.counters.bad_lines == bad_lines
    assert sum(event.event is EventKind.REPEATED for event in events) == notices


class ScriptedPort:
    """A port that brings bytes or raises by the clock of the test."""

    baudrate = 9600

    def __init__(self, clock: list[float], script: list[tuple[float, bytes | BaseException]]) -> None:
        self._clock = clock
        self._script = script
        self.written = b""

    @property
    def in_waiting(self) -> int:
        return 0

    def read(self, size: int, /) -> bytes:
        self._clock[0] += 0.1
        if not self._script or self._clock[0] < self._script[0][0]:
            return b""
        _, what = self._script.pop(0)
        if isinstance(what, BaseException):
            raise what
        return what

    def write(self, data: bytes, /) -> int:
        self.written += data
        return len(data)

    def close(self) -> None:
        """Nothing is held."""


def run(source: SerialSource, clock: list[float], end_s: float) -> list[SourceEvent]:
    def wait(timeout: float | None = None) -> bool:
        clock[0] += max(timeout or 0.0, 1e-3)
        return False

    source._stop.wait = wait  # type: ignore[method-assign]
    events = []
    while clock[0] < end_s:
        event = source.read(0.1)
        events += [event] if event else []
    return events


def test_a_cable_that_is_out_for_twenty_seconds_costs_nothing_but_the_time() -> None:
    """B041."""
    clock = [0.0]
    gone = serial.SerialException(errno.EIO, "device reports readiness to read but returned no data")
    ports = [ScriptedPort(clock, [(0.1, b"5H\n"), (1.0, gone)]), ScriptedPort(clock, [(21.0, b"6H\n")])]

    def opener(*_: object) -> OpenPort:
        if len(ports) == 1 and clock[0] < 20:
            raise serial.SerialException(errno.ENOENT, "absent")
        return ports.pop(0)

    source = SerialSource("COM3", opener=opener, clock=lambda: clock[0], ports=tuple)
    source.open()
    events = run(source, clock, 30)
    assert cards(events) == ["5H", "6H"]
    assert [event.event.value for event in events] == ["up", "card", "down", "up", "card"]


@pytest.mark.parametrize("typed", ["serial: /dev/ttyUSB0", "serial:/dev/ttyUSB0 ", " serial: /dev/ttyUSB0\n"])
def test_blanks_around_a_port_are_trimmed(typed: str) -> None:
    """B049."""
    assert parse_source(typed).address == "/dev/ttyUSB0"
    assert open_source(typed).name == "serial:/dev/ttyUSB0"


@pytest.mark.parametrize("format", ["plain", "oslp", "uidline"])
def test_a_board_that_restarts_at_opening_is_waited_for_and_hears_nothing(format: str) -> None:
    """B065: silence of 1.8 s, a greeting, then cards."""
    clock = [0.0]
    port = ScriptedPort(clock, [(1.8, b"Shoe v1.2 ready\r\n"), (2.2, b"4S\r\n")])
    source = SerialSource("COM3", format=format, opener=lambda *_: port, clock=lambda: clock[0], ports=tuple)
    source.open()
    events = run(source, clock, 2.4)
    assert "need some seconds to start" in events[0].note
    assert port.written == b""
    assert cards(events) == (["4S"] if format == "plain" else [])
    assert not [event for event in events if event.event in (EventKind.STALE, EventKind.DOWN)]
