"""Twenty times the shoe's cable is out while a card is dealt: the game goes on, none is lost or doubled."""

from __future__ import annotations

import contextlib
import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from assistant.console.app import ConsoleApp
from assistant.store.memory import MemoryNight
from assistant.table.session import TableSession
from drivers.emulated_port import EmulatedPort
from drivers.emulated_shoe import EmulatedShoe

OUTAGES = 20
PATIENCE_S, GLANCE_S = 60.0, 0.02


class Table:
    """A shoe whose cable a test holds in its hand."""

    def __init__(self, path: Path) -> None:
        self.shoe = EmulatedShoe(seed=20, decks=8)
        self.port = EmulatedPort(path)
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def deal(self) -> None:
        with self._lock:
            self.shoe.deal(time.monotonic())

    def pull(self) -> None:
        with self._lock:
            self.port.unplug()

    def push(self) -> None:
        with self._lock:
            self.port.plug_in()

    def close(self) -> None:
        self._stop.set()
        self._thread.join()
        self.port.unplug()

    def _run(self) -> None:
        while not self._stop.wait(0.005):
            with self._lock, contextlib.suppress(OSError, ValueError):
                now_s = time.monotonic()
                self.shoe.hear(self.port.received(), now_s)
                self.port.offer(self.shoe.sending(now_s))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    if sys.platform == "win32":
        pytest.skip("Windows has no ptys")
    made = Table(tmp_path / "shoe")
    yield made
    made.close()


async def until(pilot: Pilot[int], is_so: Callable[[], object]) -> None:
    for _glance in range(int(PATIENCE_S / GLANCE_S)):
        if is_so():
            return
        await pilot.pause(GLANCE_S)
    raise AssertionError


async def test_a_shoe_unplugged_twenty_times_in_a_night_loses_no_card(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    def factory() -> TableSession:
        session = TableSession(MemoryNight(), "night")
        for line in ("game casino-red-dog decks=8", "seat Anna 10000", "bet Anna 10"):
            assert session.submit(line).accepted
        return session

    app = ConsoleApp(factory, sources=(f"serial:{table.port.path},format=oslp",))

    def booked() -> list[str]:
        assert app.state.snapshot is not None
        return [
            one.text.removeprefix("card ") for one in app.state.snapshot.log if one.text.startswith("card ")
        ]

    async with app.run_test() as pilot:
        await until(pilot, lambda: any(lamp.state == "ok" for lamp in app.source_lamps()))
        app.table.play.panel = None
        await until(pilot, lambda: table.shoe.issued == 0 and app._delivered >= 2)
        for number in range(OUTAGES):
            assert app.state.snapshot is not None
            verbs = {choice.verb for choice in app.state.snapshot.choices}
            if "call" in verbs:
                assert await app.book("call Anna")
            elif "bet" in verbs and not any(seat.bet for seat in app.state.snapshot.seats):
                assert await app.book("bet Anna 10")
            table.pull()
            await until(pilot, lambda: any(lamp.is_lost for lamp in app.source_lamps()))
            table.deal()
            table.push()
            await until(pilot, lambda number=number: len(booked()) > number)  # type: ignore[misc]  # bound at once
        assert booked() == table.shoe.dealt
        assert app.state.snapshot is not None
        assert not app.state.snapshot.questions
        assert any(lamp.state == "ok" for lamp in app.source_lamps())
    assert len(table.shoe.dealt) == OUTAGES
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
