"""From a card at rest to the card on the console's screen, the whole way through the real camera source.

    python scripts/bench_camera_console.py [--rounds 10]
    python scripts/bench_camera_console.py --reckoned        as if the machine had nothing else to do

A second process is the camera: it draws a hand that slides a card in and lets go, and serves that as MJPEG on
loopback. Here the console runs without a terminal; the clock stops when the card is painted. The target is a
median of 0.5 s and a 95th percentile of 1.0 s. Beside it stands what one reading of the same picture costs on
this machine now, for the machine may be busy with other things: compare runs by that ratio.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from calibration.frames import Image
from mjpeg_server import MjpegServer
from table_pictures import Lying, posts_and_third, table_picture

if TYPE_CHECKING:
    from calibration.recogniser import Reading, Recogniser

ROUNDS = (
    ("5H", "9S", "7D"),
    ("2C", "QH", "8C"),
    ("4S", "TH", "6D"),
    ("3C", "JS", "5C"),
    ("2H", "9H", "4D"),
    ("6S", "KC", "8D"),
    ("7S", "QC", "9D"),
    ("4C", "TS", "8S"),
    ("3S", "KH", "TD"),
    ("5S", "JD", "7C"),
)
SLIDE_FRAMES = 8
FPS = 15.0
CLEARED_S = 2.0
PATIENCE_S = 20.0
GIVE_UP_S = 3.0
"""On its own clock a card that is not named by then counts with this time."""
TARGET_S = (0.5, 1.0)


def serve() -> None:
    """Be the camera: a line of cards slides the last one in, and is answered when it rests; ``-`` clears."""
    with MjpegServer(FPS) as server:
        server.show(table_picture())
        print(server.url, flush=True)
        for line in sys.stdin:
            names = line.split()
            if names == ["-"]:
                server.show(table_picture())
                print(time.monotonic(), flush=True)
                continue
            lying, rested_s = posts_and_third(*names), 0.0
            for picture in [*_slide(lying), table_picture(lying)]:
                rested_s = server.show(picture)
                time.sleep(1 / FPS)
            print(rested_s, flush=True)


def _slide(lying: tuple[Lying, ...]) -> list[Image]:
    """A hand brings the last card from below, lets go and is withdrawn."""
    pictures = []
    last = lying[-1]
    for step in range(SLIDE_FRAMES, 0, -1):
        moving = replace(last, y=last.y + 50 * step)
        pictures.append(table_picture((*lying[:-1], moving), hand_at=(moving.x, moving.y + 80)))
    gone = (last.y + 80 + 170 * step for step in range(1, 4))
    return [*pictures, *(table_picture(lying, hand_at=(last.x, y)) for y in gone)]


class Camera:
    """The other process."""

    def __init__(self) -> None:
        command = [sys.executable, str(Path(__file__)), "--serve"]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        self.url = self._answer()

    async def show(self, *names: str) -> float:
        """Slide a card in; returns when it came to rest (`time.monotonic`)."""
        assert self._process.stdin is not None
        self._process.stdin.write(" ".join(names) + "\n")
        self._process.stdin.flush()
        return float(await asyncio.to_thread(self._answer))

    def close(self) -> None:
        """End it."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait(5)

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


async def measure(rounds: int, camera: Camera) -> tuple[list[float], list[str]]:
    """Deal rounds; return the seconds of each card, and the cards that were not booked by themselves."""
    from assistant.console.app import ConsoleApp
    from assistant.store.memory import MemoryNight
    from assistant.table.session import TableSession

    def factory() -> TableSession:
        session = TableSession(MemoryNight(), "night")
        for line in ("game casino-red-dog decks=1", "seat Anna 1000", "bet Anna 10"):
            session.submit(line)
        return session

    taken: list[float] = []
    asked: list[str] = []
    app = ConsoleApp(factory, sources=(f"camera:{camera.url}",))
    async with app.run_test(size=(120, 36)) as pilot:
        while not any(lamp.state == "ok" for lamp in app.lamps()):
            await asyncio.sleep(0.1)
        for number, cards in enumerate(ROUNDS[:rounds]):
            await app.book("shuffle")
            if number:
                await app.book("rebet Anna")
            for count in range(1, 4):
                if count == 3:
                    await app.book("call Anna")
                rested_s = await camera.show(*cards[:count])
                card = cards[count - 1]
                seconds = await _until_painted(app, card, rested_s)
                if seconds is None:
                    asked.append(card)
                    await app.book(f"card {card}")
                else:
                    taken.append(seconds)
                    print(f"{card}  {seconds:.2f} s", flush=True)
            await camera.show("-")
            await asyncio.sleep(CLEARED_S)
        await pilot.pause()
    return taken, asked


async def _until_painted(app: object, card: str, rested_s: float) -> float | None:
    from assistant.cards import parse_card
    from assistant.console.app import ConsoleApp

    assert isinstance(app, ConsoleApp)
    face = parse_card(card).face
    while time.monotonic() - rested_s < PATIENCE_S:
        if any(face in text for text in app.table.board.text()):
            return max(0.0, time.monotonic() - rested_s)
        if app.state.snapshot is not None and app.state.snapshot.questions:
            await app.dismiss(app.state.snapshot.questions[0].number)
            return None
        await asyncio.sleep(0.005)
    return None


class Reckoned:
    """Reads with the packaged reader; each reading takes as long as the processor was busy with it."""

    def __init__(self) -> None:
        from calibration.recogniser import Recogniser

        self._recogniser = Recogniser()
        self._recogniser.read(table_picture())
        self.now_s = 0.0
        self.costs_s: list[float] = []

    def read(self, image: Image, before: Sequence[Image] = (), /) -> Reading:
        """Read, and move the clock on."""
        costs_s, readings = [], []
        for _ in range(3):  # the fastest: what other programs take of the caches is not the reader's
            begun_s = time.thread_time()
            readings.append(self._recogniser.read(image, before))
            costs_s.append(time.thread_time() - begun_s)
        self.costs_s.append(min(costs_s))
        self.now_s += self.costs_s[-1]
        return readings[-1]


def reckon(rounds: int) -> list[float]:
    """Seconds from rest to booked on a machine with nothing else to do: the pictures on their own clock.

    What arrives while a picture is read is dropped, as the source does; the way to the screen is left out
    (some 30 ms for JPEG, loopback and paint).
    """
    from calibration.frames import Frame
    from calibration.recogniser import CardSighted, Tracker
    from calibration.recogniser.watch import Watcher

    noise = [np.random.default_rng(n).normal(0, 2, (720, 1280, 1)) for n in range(4)]
    reader, taken, number = Reckoned(), [], 0
    for cards in ROUNDS[:rounds]:
        watcher = Watcher(cast("Recogniser", reader), Tracker())
        shown = table_picture()
        for count in range(1, 4):
            lying = posts_and_third(*cards[:count])
            pictures = [*_slide(lying), table_picture(lying)]
            begun_s = reader.now_s + 1.0
            rested_s = begun_s + (len(pictures) - 1) / FPS
            is_seen = False
            while not is_seen and reader.now_s < rested_s + GIVE_UP_S:
                at = int((reader.now_s - begun_s) * FPS) if reader.now_s >= begun_s else -1
                picture = shown if at < 0 else pictures[min(at, len(pictures) - 1)]
                number += 1
                noisy = np.asarray((picture + noise[number % 4]).clip(0, 255), np.uint8)
                seen_s = reader.now_s
                found = watcher.add(Frame(noisy, seen_s, number))
                is_seen = any(isinstance(one, CardSighted) for one in found)
                if not is_seen:
                    reader.now_s = max(reader.now_s, (int(seen_s * FPS) + 1) / FPS)
            taken.append(max(0.0, reader.now_s - rested_s))
            print(f"{cards[count - 1]}  {taken[-1]:.2f} s", flush=True)
            shown = pictures[-1]
    print(f"one reading, median {statistics.median(reader.costs_s) * 1000:.0f} ms of processor time")
    return sorted(taken)


def reading_s() -> float:
    """Median seconds of one reading of a picture with three cards."""
    from calibration.recogniser import Recogniser

    recogniser = Recogniser()
    picture = table_picture(posts_and_third(*ROUNDS[0]))
    recogniser.read(picture)
    taken = []
    for _ in range(5):
        begun = time.perf_counter()
        recogniser.read(picture)
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Card at rest to card on the screen.")
    parser.add_argument("--rounds", type=int, default=len(ROUNDS))
    parser.add_argument("--reckoned", action="store_true", help="only reckon, by processor time")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve()
        return
    if arguments.reckoned:
        seconds = reckon(arguments.rounds)
        p95 = seconds[min(len(seconds) - 1, int(0.95 * len(seconds)))]
        print(f"reckoned for an idle machine: median {statistics.median(seconds):.2f} s  p95 {p95:.2f} s")
        return
    alone_s = reading_s()
    camera = Camera()
    try:
        taken, asked = asyncio.run(measure(arguments.rounds, camera))
    finally:
        camera.close()
    taken.sort()
    median, p95 = statistics.median(taken), taken[min(len(taken) - 1, int(0.95 * len(taken)))]
    print(f"cards {len(taken)}, asked about or not read: {' '.join(asked) or 'none'}")
    print(f"median {median:.2f} s  p95 {p95:.2f} s  slowest {taken[-1]:.2f} s  (targets {TARGET_S})")
    ratios = f"median {median / alone_s:.1f} readings, p95 {p95 / alone_s:.1f}"
    print(f"one reading {alone_s * 1000:.0f} ms; {ratios}")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
