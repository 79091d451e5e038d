"""Shoes over network servers, and two at once through outages and junk (SHOE_PROTOCOL.md 7: T5, T9, T12)."""

from __future__ import annotations

import contextlib
import queue
import random
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import serial
import serial.rfc2217

from drivers.base import EventKind, SourceEvent
from drivers.codecs.oslp import encode
from drivers.emulated_port import EmulatedPort
from drivers.emulated_shoe import EmulatedShoe
from drivers.emulation import Emulation, Timetable
from drivers.registry import open_source
from drivers.serial_port import SerialSource

needs_pty = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no ptys")
PATIENCE_S = 20.0


def read_until(source: SerialSource, count: int) -> list[SourceEvent]:
    events: list[SourceEvent] = []
    while sum(event.event is EventKind.CARD for event in events) < count:
        event = source.read(PATIENCE_S)
        assert event is not None, events
        events.append(event)
    return events


def cards(events: list[SourceEvent]) -> list[str]:
    return [str(event.card) for event in events if event.event is EventKind.CARD]


class FarPort:
    """The serial port at a server: what a port manager sets, and bytes that a test puts in and takes out."""

    baudrate, bytesize, parity, stopbits = 9600, 8, "N", 1
    xonxoff = rtscts = dtr = rts = cts = dsr = ri = cd = break_condition = False

    def __init__(self) -> None:
        self.sent: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def reset_input_buffer(self) -> None:
        """Nothing waits."""

    def reset_output_buffer(self) -> None:
        """Nothing waits."""


class Rfc2217Server:
    """The other end of ``rfc2217://``, with pyserial's own port manager."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"rfc2217://127.0.0.1:{self._listener.getsockname()[1]}"
        self.port = FarPort()
        self._link = socket.socket()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """What the port manager answers."""
        self._link.sendall(data)

    def send(self, data: bytes) -> None:
        """Bytes that come in at the far serial port."""
        self._link.sendall(b"".join(self._manager.escape(data)))

    def _serve(self) -> None:
        self._link, _ = self._listener.accept()
        port: Any = self.port
        owner: Any = self
        self._manager = serial.rfc2217.PortManager(port, owner)
        with contextlib.suppress(OSError):
            while heard := self._link.recv(1024):
                data = b"".join(self._manager.filter(heard))
                if data:
                    self.port.sent.put(data)

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._link.shutdown(socket.SHUT_RDWR)
        self._link.close()
        self._listener.close()
        self._thread.join()


@pytest.fixture
def server() -> Iterator[Rfc2217Server]:
    made = Rfc2217Server()
    yield made
    made.close()


@pytest.mark.filterwarnings("ignore:set(Daemon|Name)")
def test_a_shoe_behind_an_rfc2217_server_is_read_answered_and_lost(server: Rfc2217Server) -> None:
    with SerialSource(server.address, format="oslp") as source:
        assert server.port.baudrate == 115200
        server.send(encode("HELO,1,7A3C,FAR,1,AC") + encode("CARD,7A3C,0001,AS,1"))
        assert cards(read_until(source, 1)) == ["AS"]
        assert server.port.sent.get(timeout=PATIENCE_S) == encode("ACK,7A3C,0001")
        server.close()
        events: list[SourceEvent] = []
        while not events or events[-1].event is not EventKind.DOWN:
            event = source.read(PATIENCE_S)
            assert event is not None
            events.append(event)


@needs_pty
def test_two_shoes_through_junk_and_twenty_outages_each_deal_in_order_and_lose_nothing(
    tmp_path: Path,
) -> None:
    """T5: each port has its own thread and its own numbers; they are never merged."""
    shoes = [EmulatedShoe(seed=seed, decks=2, device=f"SHOE-{seed}") for seed in (1, 2)]
    sources = []
    for number, shoe in enumerate(shoes):
        path = tmp_path / f"shoe{number}"
        emulation = Emulation(shoe, path, Timetable(delay_s=0.06, unplug_every_s=0.9))
        threading.Thread(target=emulation.run, daemon=True).start()
        sources.append((open_source(f"serial:{path},format=oslp"), emulation))
    heard: dict[int, list[SourceEvent]] = {0: [], 1: []}

    def run(number: int) -> None:
        source = sources[number][0]
        with source:
            while sum(event.event is EventKind.DOWN for event in heard[number]) < 10:
                event = source.read(PATIENCE_S)
                if event is not None:
                    heard[number].append(event)

    threads = [threading.Thread(target=run, args=(number,)) for number in heard]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, (_, emulation) in enumerate(sources):
        emulation.stop()
        events = heard[number]
        assert len(cards(events)) > 50
        assert cards(events) == shoes[number].dealt[: len(cards(events))]
        asked = [event.event.value for event in events if event.asks_the_dealer]
        assert asked == []


@needs_pty
def test_junk_and_half_lines_between_cards_cost_nothing(tmp_path: Path) -> None:
    rng = random.Random(5)
    with EmulatedPort(tmp_path / "shoe") as port, SerialSource(str(port.path), format="oslp") as source:
        port.send(encode("HELO,1,7A3C,S,1,AC"))
        for seq in range(1, 41):
            line = encode(f"CARD,7A3C,{seq:04X},AS,{seq}")
            port.send(rng.randbytes(30).replace(b"\n", b"") + b"\n" if seq % 4 == 0 else line[:9])
            port.send(line)
        events = read_until(source, 40)
    assert [event.seq for event in events if event.event is EventKind.CARD] == list(range(1, 41))


def test_closing_a_socket_does_not_hold_up_who_asks_for_it() -> None:
    """T12: pyserial sleeps 0.3 s in close; that is spent in the thread that reads."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        source = SerialSource(f"socket://127.0.0.1:{server.getsockname()[1]}", format="oslp")
        is_open, closed = threading.Event(), threading.Event()

        def run() -> None:
            source.open()
            is_open.set()
            closed.wait(PATIENCE_S)
            source.read(0.0)

        thread = threading.Thread(target=run)
        thread.start()
        assert is_open.wait(PATIENCE_S)
        source.close()  # only asks: the port is still open, and is closed by the thread that reads
        assert source._port is not None
        closed.set()
        thread.join(PATIENCE_S)
        assert source._port is None
        assert not thread.is_alive()
