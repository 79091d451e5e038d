"""T11: the program is killed in the middle of a shoe; the next start books what it missed, nothing twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assistant.cards import parse_card
from assistant.store.memory import MemoryNight
from assistant.table.session import Notice, Outcome, TableSession
from drivers.base import EventKind, SourceEvent
from drivers.codecs.oslp import OslpCodec
from drivers.emulated_port import EmulatedPort
from drivers.emulated_shoe import EmulatedShoe

PATIENCE_S = 60.0
TABLE = """
import queue, sys
from functools import partial
from pathlib import Path
from assistant.config import House
from assistant.table.intake import Intake
from assistant.table.opening import open_tonight
from drivers.cursors import CursorFile
from drivers.registry import open_source

house, port = House(Path(sys.argv[1])), sys.argv[2]
session, cursors = open_tonight(house), CursorFile(house.cursors)
cursors.begin(session.name)
if session.night.game is None:
    for line in ("game red-dog-pool", "seat A 100", "seat B 100", "round", "dealt"):
        session.submit(line)

said = queue.Queue()
opener = partial(open_source, house=house.folder, cursors=cursors.saved())
Intake([f"serial:{port},format=oslp"], said.put, opener=opener).start()
while True:
    event = said.get()
    session.receive(event)
    if event.card is not None:
        session.submit(f"note saw {event.card}")
    cursors.handled([event])
    print(event.event.value, event.card or "", event.seq or "", flush=True)
"""


class Table:
    """A table in another process, without a screen."""

    def __init__(self, house: Path, port: EmulatedPort, repository: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", TABLE, str(house), str(port.path)],
            cwd=repository,
            stdout=subprocess.PIPE,
            text=True,
        )

    def hear(
        self, shoe: EmulatedShoe, port: EmulatedPort, began_s: float, word: str, count: int
    ) -> list[str]:
        """What it says it has dealt with, until so many of a word are among it."""
        assert self._process.stdout is not None
        said: list[str] = []
        os.set_blocking(self._process.stdout.fileno(), False)
        deadline_s = time.monotonic() + PATIENCE_S
        while sum(line.startswith(word) for line in said) < count:
            assert time.monotonic() < deadline_s, said
            now_s = time.monotonic() - began_s
            shoe.hear(port.received(0.02), now_s)
            port.offer(shoe.sending(now_s))
            said += [line.strip() for line in self._process.stdout.readlines()]
        return said

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


@pytest.fixture
def running() -> Iterator[Callable[..., Table]]:
    """Make tables; none outlives its test."""
    made: list[Table] = []

    def make(house: Path, port: EmulatedPort, repository: Path) -> Table:
        made.append(Table(house, port, repository))
        return made[-1]

    yield make
    for table in made:
        table.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no ptys")
def test_after_a_kill_the_shoe_is_read_on_where_it_was(
    tmp_path: Path, repository: Path, running: Callable[..., Table]
) -> None:
    shoe, began_s = EmulatedShoe(seed=11), time.monotonic()
    with EmulatedPort(tmp_path / "shoe") as port:
        first = running(tmp_path / "house", port, repository)
        first.hear(shoe, port, began_s, "joined", 1)
        for _ in range(3):
            shoe.deal(time.monotonic() - began_s)
        said = first.hear(shoe, port, began_s, "card", 3)
        first.kill()
        for _ in range(6):
            shoe.deal(time.monotonic() - began_s)
        again = running(tmp_path / "house", port, repository)
        said += again.hear(shoe, port, began_s, "card", 6)
        again.kill()
    cards = [line.split()[1] for line in said if line.startswith("card")]
    assert cards == shoe.dealt
    assert not [line for line in said if line.startswith(("gap", "reboot", "conflict"))]
    assert json.loads((tmp_path / "house" / "shoes.json").read_text("utf-8"))["cursors"][0]["next"] == 10


def test_a_card_that_was_booked_and_comes_again_is_not_booked_twice_in_a_shoe_of_eight_decks() -> None:
    """The program stopped after booking it and before it had noted that the report was dealt with."""
    store = MemoryNight()
    session = TableSession(store)
    for line in ("game casino-red-dog decks=8", "seat Anna 100", "bet Anna 10"):
        assert session.submit(line).accepted
    card = SourceEvent(
        EventKind.CARD, "shoe", 0.0, card=parse_card("4S"), confidence=1.0, seq=5, report="SHOE/7A3C/0005"
    )
    assert isinstance(session.receive(card), Outcome)
    resumed = TableSession(store)
    answer = resumed.receive(card)
    assert isinstance(answer, Notice)
    assert answer.text == "4♠ was booked before."
    assert [str(shown.card) for shown in resumed.snapshot.board] == ["4S"]


def test_a_report_bears_its_shoes_name_start_and_number() -> None:
    shoe, codec = EmulatedShoe(seed=1), OslpCodec("shoe")
    codec.opened(0.0)
    codec.feed(shoe.sending(0.0), 0.0)
    shoe.deal(0.1)
    events = codec.feed(shoe.sending(0.1), 0.1)
    assert events[-1].report == f"EMULATED/{shoe.boot}/0001"
