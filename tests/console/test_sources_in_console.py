"""Card sources play rounds in the running console: a recorded serial stream, pictures through the camera."""

from __future__ import annotations

import csv
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from assistant.console.app import ConsoleApp
from assistant.store.memory import MemoryNight
from assistant.table.session import TableSession
from assistant.table.snapshot import QuestionView
from drivers.emulated_port import EmulatedPort

TABLE = ["game casino-red-dog decks=1", "seat Anna 100", "seat Boris 100"]
PATIENCE_S, GLANCE_S = 60.0, 0.02
needs_pty = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no ptys")


class Watch:
    """The running console, and waiting until something is so."""

    def __init__(self, app: ConsoleApp, pilot: Pilot[int]) -> None:
        self.app = app
        self.pilot = pilot

    async def until(self, is_so: Callable[[], object]) -> None:
        """Wait for what a device's thread will bring."""
        for _glance in range(int(PATIENCE_S / GLANCE_S)):
            if is_so():
                return
            await self.pilot.pause(GLANCE_S)
        raise AssertionError(self.lines)

    @property
    def questions(self) -> tuple[QuestionView, ...]:
        """What card sources ask."""
        assert self.app.state.snapshot is not None
        return self.app.state.snapshot.questions

    @property
    def lines(self) -> list[str]:
        """The accepted lines with where they came from."""
        snapshot = self.app.state.snapshot
        assert snapshot is not None
        return [one.text if one.origin == "typed" else f"{one.text} <{one.origin}>" for one in snapshot.log]

    async def until_line(self, line: str) -> None:
        """Wait until a line has been booked."""
        await self.until(lambda: line in self.lines)

    def board(self) -> list[str]:
        """Cards face up."""
        assert self.app.state.snapshot is not None
        return [str(card.card) for card in self.app.state.snapshot.board]

    async def until_cards(self, count: int) -> None:
        """Wait until so many cards lie face up, or a source has asked something."""
        await self.until(lambda: self.questions or self.board_length() >= count)

    def board_length(self) -> int:
        """How many cards lie face up."""
        return len(self.board())

    def stacks(self) -> dict[str, int]:
        """Names and stacks."""
        assert self.app.state.snapshot is not None
        return {seat.name: seat.stack for seat in self.app.state.snapshot.seats}


@asynccontextmanager
async def console(lines: Sequence[str], *sources: str) -> AsyncIterator[Watch]:
    """A console with real sources in their threads."""

    def factory() -> TableSession:
        session = TableSession(MemoryNight(), "night")
        for line in lines:
            assert session.submit(line).accepted, line
        return session

    app = ConsoleApp(factory, sources=tuple(sources))
    async with app.run_test() as pilot:
        watch = Watch(app, pilot)
        await watch.until(lambda: app.state.snapshot is not None)
        app.table.play.panel = None
        yield watch


def recorded(path: Path) -> list[bytes]:
    """The packets of a recorded stream, one a line of the device."""
    stream = b""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("@"):
            stream += bytes.fromhex(line.split(maxsplit=1)[1].split("#")[0])
    return [part + b"\n" for part in stream.split(b"\n") if part]


@needs_pty
async def test_a_recorded_serial_stream_plays_casino_rounds_through_a_pty(
    repository: Path, tmp_path: Path
) -> None:
    packets = recorded(repository / "tests/data/recordings/plain_casino.hex")
    with EmulatedPort(tmp_path / "shoe") as shoe:
        source = f"serial:{shoe.path}"
        async with console([*TABLE, "bet Anna 10", "bet Boris 20"], f"{source},format=plain") as watch:
            await watch.until(lambda: any(lamp.state == "ok" for lamp in watch.app.source_lamps()))
            shoe.send(packets[0] + packets[1])
            await watch.until_line(f"card 9D <{source}>")
            await watch.pilot.pause(0.3)  # Enter just after a card would not count
            await watch.pilot.press("r", "n")
            shoe.send(packets[2])
            await watch.until_line(f"card 7C <{source}>")
            assert watch.stacks() == {"Anna": 120, "Boris": 120}
            await watch.pilot.press("g", "g")
            shoe.send(packets[3] + packets[4])
            await watch.until_line(f"card QD <{source}>")
            assert watch.stacks() == {"Anna": 120, "Boris": 120}, "consecutive cards tie"
            await watch.pilot.press("g", "g")
            for packet in packets[5:8]:
                shoe.send(packet)
            await watch.until_line(f"card 8D <{source}>")
            assert watch.stacks() == {"Anna": 230, "Boris": 340}, "three of a kind pays 11 to 1"


@needs_pty
async def test_a_shoe_unplugged_in_mid_round_shows_at_once_and_the_keyboard_goes_on(tmp_path: Path) -> None:
    with EmulatedPort(tmp_path / "shoe") as shoe:
        source = f"serial:{shoe.path}"
        async with console([*TABLE, "bet Anna 10", "card 4S"], f"{source},format=plain") as watch:
            await watch.until(lambda: any(lamp.state == "ok" for lamp in watch.app.source_lamps()))
            shoe.unplug()
            await watch.until(lambda: any(lamp.is_lost for lamp in watch.app.source_lamps()))
            await watch.pilot.press("9", "d", "enter")
            await watch.until_line("card 9D")
            shoe.plug_in()
            await watch.until(lambda: any(lamp.state == "ok" for lamp in watch.app.source_lamps()))
            await watch.pilot.press("n")
            shoe.send(b"7C\r\n")
            await watch.until_line(f"card 7C <{source}>")
            assert watch.stacks()["Anna"] == 110


async def test_pictures_through_the_camera_play_a_casino_round(repository: Path, tmp_path: Path) -> None:
    frames = repository / "tests/data/frames"
    for number, path in enumerate(sorted(frames.glob("casino_*.jpg"))):
        (tmp_path / f"{number}.jpg").write_bytes(path.read_bytes())
    source = f"camera:{tmp_path}"
    async with console([*TABLE, "bet Anna 10"], f"{source},wait=true") as watch:
        watch.app.state.selected = None
        watch.app.state.deals = True
        await watch.until_line(f"card 9S <{source}>")
        assert f"card 5H <{source}>" in watch.lines
        await watch.pilot.press("r")
        await watch.until_line(f"card 7D <{source}>")
        assert watch.stacks() == {"Anna": 140, "Boris": 100}, "spread 3 pays 2 to 1 on 20"


async def test_a_picture_that_cannot_be_read_asks_and_never_books(repository: Path, tmp_path: Path) -> None:
    picture = repository / "tests/data/frames/unreadable_1.jpg"
    (tmp_path / "0.jpg").write_bytes(picture.read_bytes())
    async with console([*TABLE, "bet Anna 10"], f"camera:{tmp_path}") as watch:
        await watch.until(lambda: any(lamp.state in ("ok", "ended") for lamp in watch.app.source_lamps()))
        await watch.until(lambda: any(lamp.state == "ended" for lamp in watch.app.source_lamps()))
        assert watch.lines[-1] == "bet Anna 10"


PHOTOGRAPHS = ("ej_015.jpg", "ej_065.jpg", "ej_058.jpg")


async def test_photographs_through_the_camera_play_a_casino_round(shared: Path, tmp_path: Path) -> None:
    """What the reader is sure of is booked; where it asks, the dealer types what lies there (labels.csv)."""
    labels = labelled(shared)
    for number, name in enumerate(PHOTOGRAPHS):
        (tmp_path / f"{number}.jpg").write_bytes((shared / "cards" / "images" / name).read_bytes())
    async with console([*TABLE, "bet Anna 10"], f"camera:{tmp_path},wait=true") as watch:
        watch.app.state.selected = None
        watch.app.state.deals = True
        for number, name in enumerate(PHOTOGRAPHS, 1):
            if number == 3:
                await watch.pilot.pause(0.3)
                await watch.pilot.press("n")
            await watch.until_cards(number)
            if watch.questions:
                await watch.pilot.press(*labels[name].lower())
                for _try in range(50):  # Enter right after a source changed the table does not count
                    await watch.pilot.pause(0.3)
                    if len(watch.board()) >= number:
                        break
                    await watch.pilot.press("enter")
        assert watch.board() == [labels[name] for name in PHOTOGRAPHS] == ["AC", "9D", "JH"]
        assert watch.stacks() == {"Anna": 110, "Boris": 100}


def labelled(shared: Path) -> dict[str, str]:
    """Photographs and what lies in them."""
    with (shared / "cards" / "labels.csv").open(encoding="utf-8") as file:
        return {row["file"]: row["cards"] for row in csv.DictReader(file)}
