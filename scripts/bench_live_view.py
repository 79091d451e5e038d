"""What the live view costs: share of a core with it on and off, in the running console without a terminal.

    PYTHONPATH=. python scripts/bench_live_view.py

Switched off it must cost nothing, so "off" stands beside "on" and beside "off" again in the same run.
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from assistant.console.app import ConsoleApp
from assistant.store.memory import MemoryNight
from assistant.table.intake import Intake
from assistant.table.session import TableSession
from calibration.frames import Image
from drivers.base import Sight
from table_pictures import posts_and_third, table_picture

SECONDS = 4.0
PICTURES = 8


class Seeing(Intake):
    """No source, and a picture that is new at every look."""

    pictures: tuple[Image, ...] = ()
    number = 0

    def sight(self) -> Sight | None:
        """The next noisy picture."""
        self.number += 1
        return Sight(self.pictures[self.number % len(self.pictures)], self.number / 8, self.number)


def main() -> None:
    """Measure at both sizes and print."""
    Seeing.pictures = tuple(_noisy(n) for n in range(PICTURES))
    for size in ((80, 24), (120, 36)):
        asyncio.run(measure(size))


async def measure(size: tuple[int, int]) -> None:
    """Off, on, off again."""
    app = ConsoleApp(_session, intake_factory=lambda sources, deliver, _due, _down: Seeing((), deliver))
    async with app.run_test(size=size) as pilot:
        await pilot.pause(1.0)
        app.table.play.panel = None
        for state in ("off", "on", "off"):
            cpu_s, begun_s = time.process_time(), time.monotonic()
            await asyncio.sleep(SECONDS)
            share = (time.process_time() - cpu_s) / (time.monotonic() - begun_s)
            print(f"{size[0]}x{size[1]}  live view {state:<3}  {share:.1%} of a core", flush=True)
            await pilot.press("e")


def _session() -> TableSession:
    session = TableSession(MemoryNight(), "night")
    for line in ("game casino-red-dog", "seat Anna 100", "bet Anna 10"):
        session.submit(line)
    return session


def _noisy(seed: int) -> Image:
    picture = table_picture(posts_and_third("5H", "9S", "7D")).astype(np.int16)
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.asarray((picture + noise).clip(0, 255), np.uint8)


if __name__ == "__main__":
    main()
