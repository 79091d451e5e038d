"""The serial source over real ptys and sockets, and over ports that fail in every known way."""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial

from drivers.base import (
    BadSource,
    DriverBusy,
    DriverDenied,
    DriverError,
    DriverNotFound,
    EventKind,
    SourceEvent,
    as_record,
)
from drivers.codecs.oslp import encode
from drivers.emulated_port import EmulatedPort
from drivers.port_list import Port
from drivers.serial_port import DEAD, OpenPort, SerialSource, explain

needs_pty = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no ptys")
PATIENCE_S = 10.0


def collect(source: SerialSource, until: Callable[[list[SourceEvent]], bool]) -> list[SourceEvent]:
    """Read until the events satisfy `until`, or nothing has come for ten seconds."""
    events: list[SourceEvent] = []
    while not until(events):
        event = source.read(PATIENCE_S)
        assert event is not None, events
        events.append(event)
    return events


def cards(events: list[SourceEvent]) -> list[str]:
    return [str(event.card) for event in events if event.event is EventKind.CARD]


@pytest.fixture
def port(tmp_path: Path) -> Iterator[EmulatedPort]:
    with EmulatedPort(tmp_path / "shoe") as opened:
        yield opened


@needs_pty
def test_plain_cards_come_through_a_pty(port: EmulatedPort) -> None:
    with SerialSource(str(port.path)) as source:
        port.send(b"AH\r\n10d\n" + "7♥\n".encode())
        events = collect(source, lambda found: len(cards(found)) == 3)
    assert events[0].event is EventKind.UP
    assert cards(events) == ["AH", "TD", "7H"]
    assert {event.source for event in events} == {f"serial:{port.path}"}


@needs_pty
def test_an_oslp_shoe_is_answered_only_after_it_spoke(port: EmulatedPort) -> None:
    with SerialSource(str(port.path), format="oslp") as source:
        assert source.read(0.0) is not None
        assert port.received() == b""
        port.send(encode("HELO,1,7A3C,SHOE-01,1,AC") + encode("CARD,7A3C,0001,AS,1"))
        collect(source, lambda found: cards(found) == ["AS"])
        assert port.received(PATIENCE_S) == encode("ACK,7A3C,0001")


@needs_pty
def test_a_receive_only_oslp_shoe_hears_nothing(port: EmulatedPort) -> None:
    with SerialSource(str(port.path), format="oslp", replies=False) as source:
        port.send(encode("HELO,1,7A3C,SHOE-01,1,AC") + encode("CARD,7A3C,0001,AS,1"))
        collect(source, lambda found: cards(found) == ["AS"])
        source.read(0.0)
        assert port.received() == b""


@needs_pty
def test_unplugging_says_down_once_and_replugging_goes_on(port: EmulatedPort) -> None:
    with SerialSource(str(port.path), format="oslp") as source:
        port.send(encode("HELO,1,7A3C,S,1,AC") + encode("CARD,7A3C,0001,AS,1"))
        collect(source, lambda found: cards(found) == ["AS"])
        for seq in range(2, 7):
            port.unplug()
            assert [event.code for event in collect(source, bool)] == ["lost"]
            assert source.read(0.3) is None
            port.plug_in()
            events = collect(source, bool)
            assert [(event.event, event.code) for event in events] == [(EventKind.UP, "port-back")]
            # sent again although it had arrived, as a shoe does that heard no acknowledgement; then a new one
            port.send(encode(f"CARD,7A3C,{seq - 1:04X},AS,1") + encode(f"CARD,7A3C,{seq:04X},AS,1"))
            events = collect(source, lambda found: bool(cards(found)))
            assert [event.seq for event in events if event.event is EventKind.CARD] == [seq]
            assert not [event for event in events if event.event in (EventKind.GAP, EventKind.JOINED)]


@needs_pty
def test_half_a_line_is_not_glued_to_what_comes_after_replugging(port: EmulatedPort) -> None:
    with SerialSource(str(port.path)) as source:
        port.send(b"KS\n1")
        collect(source, lambda found: cards(found) == ["KS"])
        source.read(0.0)
        port.unplug()
        collect(source, lambda found: found[-1:] != [] and found[-1].event is EventKind.DOWN)
        port.plug_in()
        collect(source, lambda found: found[-1:] != [] and found[-1].event is EventKind.UP)
        port.send(b"0H\n9C\n")
        assert cards(collect(source, lambda found: bool(cards(found)))) == ["9C"]


@needs_pty
def test_a_second_program_is_told_that_the_shoe_is_in_use_and_steals_nothing(port: EmulatedPort) -> None:
    """cases.csv B067."""
    with SerialSource(str(port.path)) as source:
        with pytest.raises(DriverBusy) as caught:
            SerialSource(str(port.path)).open()
        assert "in use" in caught.value.message
        deck = [rank + "H" for rank in "23456789TJQKA"]
        for card in deck:
            port.send(card.encode() + b"\n")
        assert cards(collect(source, lambda found: len(cards(found)) == 13)) == deck


@needs_pty
def test_opening_and_closing_two_hundred_times_leaves_no_thread_and_no_file(port: EmulatedPort) -> None:
    """cases.csv B063."""
    threads = threading.active_count()
    files = len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0
    for _ in range(200):
        with SerialSource(str(port.path)) as source:
            port.send(b"AH\nxx")
            source.read(0.0)
    assert threading.active_count() == threads
    assert not files or len(os.listdir("/proc/self/fd")) == files


def test_socket_servers_are_read_and_a_reset_says_down() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"socket://127.0.0.1:{server.getsockname()[1]}"
        with SerialSource(address, format="oslp", replies=False) as source:
            link, _ = server.accept()
            link.sendall(encode("CARD,7A3C,0001,AS,1") + b"$CARD,7A3C,00")
            collect(source, lambda found: cards(found) == ["AS"])
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            link.close()
            assert collect(source, bool)[-1].event is EventKind.DOWN
            assert collect(source, bool)[-1].event is EventKind.UP
            link, _ = server.accept()
            link.sendall(encode("CARD,7A3C,0002,TD,1"))
            assert cards(collect(source, lambda found: bool(cards(found)))) == ["TD"]
            link.close()


class FaultyPort:
    """A port that follows a script of bytes and exceptions; afterwards it is silent."""

    def __init__(self, script: list[bytes | BaseException], clock: list[float]) -> None:
        self.script = script
        self.clock = clock
        self.closed = False
        self.largest_read = 0

    @property
    def in_waiting(self) -> int:
        if self.script and isinstance(self.script[0], BaseException):
            raise self.script.pop(0)  # type: ignore[misc]  # checked just above
        return len(self.script[0]) if self.script else 0  # type: ignore[arg-type]

    def read(self, size: int, /) -> bytes:
        self.largest_read = max(size, self.largest_read)
        self.clock[0] += 0.01 if self.script else 0.2
        if not self.script:
            return b""
        step = self.script.pop(0)
        assert isinstance(step, bytes)
        return step

    def write(self, data: bytes, /) -> int:
        return len(data)

    def close(self) -> None:
        self.closed = True


FAULTS: list[BaseException] = [
    serial.SerialException("device reports readiness to read but returned no data"),
    OSError(errno.EIO, "Input/output error"),
    TypeError("'NoneType' object cannot be interpreted as an integer"),
    AttributeError("'NoneType' object has no attribute 'recv'"),
    serial.SerialException("ClearCommError failed (PermissionError(13, 'Access is denied.', None, 5))"),
    ValueError("I/O operation on closed file"),
    *(error("tcflush failed") for error in DEAD if error.__name__ == "error"),
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{type(fault).__name__}-{fault}"[:40])
def test_every_known_way_a_port_dies_is_one_down_and_then_up(fault: BaseException) -> None:
    """SHOE_PROTOCOL.md 2 and T13."""
    clock = [0.0]
    opened = [FaultyPort([b"5H\n", fault], clock), FaultyPort([b"6H\n"], clock)]
    ports = list(opened)
    source = SerialSource("COM3", opener=lambda *_: ports.pop(0), clock=lambda: clock[0], ports=tuple)
    source._stop.wait = lambda timeout=None: _pass(clock, timeout)  # type: ignore[method-assign]
    source.open()
    events = collect(source, lambda found: len(cards(found)) == 2)
    assert [event.event.value for event in events] == ["up", "card", "down", "up", "card"]
    assert opened[0].closed


def _pass(clock: list[float], timeout: float | None) -> bool:
    clock[0] += max(timeout or 0.0, 1e-6)  # a wait is never quite nothing
    return False


def test_a_port_that_is_gone_for_a_minute_is_tried_at_most_thirty_times() -> None:
    """cases.csv B042."""
    clock, tries = [0.0], [0]

    def opener(*_: object) -> OpenPort:
        tries[0] += 1
        if tries[0] == 1:
            return FaultyPort([OSError(errno.EIO, "gone")], clock)
        raise serial.SerialException(errno.ENOENT, "absent")

    source = SerialSource("COM3", opener=opener, clock=lambda: clock[0], ports=tuple)
    source._stop.wait = lambda timeout=None: _pass(clock, timeout)  # type: ignore[method-assign]
    source.open()
    events = []
    while clock[0] < 60:
        event = source.read(0.2)
        events += [event] if event else []
    assert [event.event.value for event in events] == ["up", "down"]
    assert 20 <= tries[0] - 1 <= 30


def test_a_port_that_comes_and_goes_is_opened_at_most_thirty_times_a_minute() -> None:
    clock, opened_s = [0.0], []

    def opener(*_: object) -> OpenPort:
        opened_s.append(clock[0])
        return FaultyPort([OSError(errno.EIO, "gone")], clock)

    source = SerialSource("COM3", opener=opener, clock=lambda: clock[0], ports=tuple)
    source._stop.wait = lambda timeout=None: _pass(clock, timeout)  # type: ignore[method-assign]
    source.open()
    while clock[0] < 180:
        source.read(0.2)
    reopened_s = opened_s[1:]
    assert all(later - earlier >= 60 for earlier, later in zip(reopened_s, reopened_s[30:], strict=False))
    assert len(reopened_s) >= 60


USB_A1 = Port("/dev/ttyACM0", "Uno", 0x2341, 0x43, "A1", "1-1")
USB_B7 = Port("/dev/ttyACM0", "Uno", 0x2341, 0x43, "B7", "1-2")


def test_a_shoe_is_followed_to_another_port_and_a_stranger_on_its_old_one_is_left_alone() -> None:
    """cases.csv B047."""
    clock, opened = [0.0], []
    listed = [(USB_A1,), (USB_B7,), (USB_B7, Port("/dev/ttyACM1", "Uno", 0x2341, 0x43, "A1", "1-1"))]

    def opener(device: str, _: int) -> OpenPort:
        opened.append(device)
        return FaultyPort([OSError(errno.EIO, "gone")] if len(opened) == 1 else [b"6H\n"], clock)

    def ports() -> tuple[Port, ...]:
        return listed.pop(0) if len(listed) > 1 else listed[0]

    source = SerialSource("/dev/ttyACM0", opener=opener, clock=lambda: clock[0], ports=ports)
    source._stop.wait = lambda timeout=None: _pass(clock, timeout)  # type: ignore[method-assign]
    source.open()
    assert cards(collect(source, lambda found: bool(cards(found)))) == ["6H"]
    assert opened == ["/dev/ttyACM0", "/dev/ttyACM1"]


def test_without_a_name_only_the_one_usb_port_is_taken() -> None:
    """cases.csv B046."""
    listed = [
        Port("/dev/cu.Bluetooth-Incoming-Port"),
        Port("/dev/cu.SLAB_USBtoUART", "CP2102", 0x10C4, 0xEA60),
        Port("/dev/cu.debug-console"),
    ]
    opened = []

    def opener(device: str, _: int) -> OpenPort:
        opened.append(device)
        return FaultyPort([], [0.0])

    SerialSource("", opener=opener, ports=lambda: tuple(listed)).open()
    assert opened == ["/dev/cu.SLAB_USBtoUART"]
    listed.append(Port("/dev/cu.usbserial-2", "CH340", 0x1A86, 0x7523))
    with pytest.raises(BadSource, match="several") as caught:
        SerialSource("", opener=opener, ports=lambda: tuple(listed)).open()
    assert "serial:/dev/cu.usbserial-2" in caught.value.hint


@pytest.mark.parametrize(
    ("error", "kind", "word"),
    [
        (serial.SerialException(errno.EACCES, "denied"), DriverDenied, "sudo usermod -aG dialout $USER"),
        (serial.SerialException(errno.ENOENT, "absent"), DriverNotFound, "There is no port"),
        (serial.SerialException(errno.EBUSY, "busy"), DriverBusy, "in use"),
        (serial.SerialException(errno.EAGAIN, "locked"), DriverBusy, "in use"),
        (serial.SerialException("could not open port 'COM3': PermissionError(13, …)"), DriverBusy, "in use"),
        (ValueError("invalid URL"), BadSource, "not a serial port"),
        (serial.SerialException("Could not configure port: (25, …)"), DriverError, "can't be opened"),
    ],
)
def test_why_a_port_does_not_open_is_said_with_what_to_do(
    error: BaseException, kind: type[DriverError], word: str
) -> None:
    found = explain("/dev/ttyUSB0", error)
    assert isinstance(found, kind)
    assert word in str(found)
    assert "/dev/ttyUSB0" in found.message
    if kind is DriverDenied:
        assert "not found" not in str(found)
        assert "uucp" in found.hint


@needs_pty
def test_face_down_cards_are_counted_and_their_names_are_nowhere(port: EmulatedPort) -> None:
    due = [False]
    with SerialSource(str(port.path), format="oslp", is_face_down=True) as source:
        source.face_up_due = lambda: due[0]
        for seq, card in enumerate(("AS", "KD", "XR", "7C"), 1):
            port.send(encode(f"CARD,7A3C,{seq:04X},{card},1"))
        port.send(encode("TAG,7A3C,0005,0406B9020A5481,0,1"))
        events = collect(source, lambda found: sum(event.is_face_down for event in found) == 5)
        text = json.dumps([as_record(event) for event in events]) + repr(events)
        for name in ('"AS"', "KD", "7C", "joker", "0406B9020A5481", "Rank.", "Suit."):
            assert name not in text
        due[0] = True
        port.send(encode("CARD,7A3C,0006,QH,1"))
        assert cards(collect(source, bool)) == ["QH"]


def test_a_flood_is_worked_off_in_bounded_pieces() -> None:
    clock = [0.0]
    flood = FaultyPort([b"AH\nKD\n" * 600 for _ in range(20)], clock)
    source = SerialSource("COM3", opener=lambda *_: flood, clock=lambda: clock[0], ports=tuple)
    source.open()
    most = 0
    while source.read(0.0) is not None or flood.script:
        most = max(most, len(source._pending))
    assert flood.largest_read <= 4096
    assert 0 < most <= 4096
