#!/usr/bin/env python3
"""What a key costs on the table screen: bytes to the terminal, and time beside a bare Textual program.

    scripts/bench_console.py              200 keys and 68 lines at 80x24 and at 120x36
    scripts/bench_console.py -n 50        fewer

Both programs run in this process on a driver that counts what it is told to write. A key is pressed, and
the clocks stop at the last byte of the update. The bare program shows one `Static` and updates it at every
key, so the ratio says what the table costs on top of Textual itself; the night lies in memory, so no disk is
in it. The ratio is of processor time, which other programs hardly change; bytes are the same everywhere.

Exit code 1: an update is larger than the limit, or the ratio is over it.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from textual import events
from textual.app import App, ComposeResult
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot
from textual.widgets import Static

from assistant.console.app import ConsoleApp
from assistant.store.memory import MemoryNight
from assistant.table.session import TableSession

MOST_BYTES = 10_000
"""Bytes an update may take, the median of the lines booked (design, "Proposed goals")."""
MOST_RATIO = 4.0
"""Times a bare program's key a typed character may take."""
SIZES = ((80, 24), (120, 36))
PATIENCE_S, QUIET_S, SETTLED_S = 10.0, 0.05, 0.5
NAMES = ("Anna", "Boris", "Vera", "Gleb", "Вася", "José", "Dora")


class CountingDriver(HeadlessDriver):
    """A driver without a terminal that counts what would go to it, and notes when the last of it went."""

    written = 0
    last_s = last_cpu_s = 0.0
    wrote: asyncio.Event

    @property
    def is_headless(self) -> bool:
        """Say no, so that the program really writes its updates."""
        return False

    def write(self, data: str) -> None:
        """Count."""
        CountingDriver.written += len(data.encode("utf-8", "replace"))
        CountingDriver.last_s, CountingDriver.last_cpu_s = time.perf_counter(), time.process_time()
        if hasattr(CountingDriver, "wrote"):
            CountingDriver.wrote.set()


class Bare(App[None]):
    """The least a program can do for a key."""

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static("0", id="text")

    def on_key(self, event: events.Key) -> None:
        """Show the key."""
        self.query_one("#text", Static).update(event.key, layout=False)


@dataclass
class Figures:
    """Milliseconds and bytes of many updates."""

    times_ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Median and 99th percentile of the times, median and largest size."""
        times = sorted(self.times_ms)
        late = times[min(len(times) - 1, int(len(times) * 0.99))]
        return (
            f"{statistics.median(times):5.1f} ms median {late:6.1f} ms p99  "
            f"{statistics.median(self.cpu_ms):5.1f} ms CPU  "
            f"{statistics.median(self.sizes):6.0f} bytes median {max(self.sizes):6d} most"
        )


def session() -> TableSession:
    """Seven players at a casino table."""
    made = TableSession(MemoryNight(), "bench")
    for line in ("game casino-red-dog", *(f"seat {name} 400000" for name in NAMES)):
        assert made.submit(line).accepted, line
    return made


async def measure(act: Callable[[], Awaitable[None] | None], figures: Figures) -> None:
    """Do one thing and wait until nothing more has been written for a while."""
    CountingDriver.wrote.clear()
    before, began, cpu_s = CountingDriver.written, time.perf_counter(), time.process_time()
    done = act()
    if done is not None:
        await done
    await asyncio.wait_for(CountingDriver.wrote.wait(), PATIENCE_S)
    await asyncio.sleep(QUIET_S)
    figures.times_ms.append((CountingDriver.last_s - began) * 1000)
    figures.cpu_ms.append((CountingDriver.last_cpu_s - cpu_s) * 1000)
    figures.sizes.append(CountingDriver.written - before)


async def run(app: App[Any], size: tuple[int, int], work: Callable[[Figures], Awaitable[None]]) -> Figures:
    """Run a program until the work is done."""
    figures = Figures()

    async def pilot(_pilot: Pilot[Any]) -> None:
        while isinstance(app, ConsoleApp) and app.state.snapshot is None:
            await asyncio.sleep(0.01)
        if isinstance(app, ConsoleApp):
            app.table.play.panel = None
            app.repaint()
        CountingDriver.wrote = asyncio.Event()
        await asyncio.sleep(SETTLED_S)
        await work(figures)
        app.exit()

    app.driver_class = CountingDriver
    await app.run_async(size=size, auto_pilot=pilot, mouse=False)
    return figures


async def keys(app: App[Any], size: tuple[int, int], count: int, names: Sequence[str]) -> Figures:
    """Press keys, one after the other."""

    async def work(figures: Figures) -> None:
        for number in range(count):
            name = names[number % len(names)]
            key = events.Key(name, name if len(name) == 1 else None)
            await measure(partial(_post, app, key), figures)

    return await run(app, size, work)


def _post(app: App[Any], key: events.Key) -> None:
    app.post_message(key)


async def rounds(app: ConsoleApp, size: tuple[int, int], count: int) -> Figures:
    """Play casino rounds; each figure is one line booked."""

    async def work(figures: Figures) -> None:
        for number in range(count):
            lines = [f"bet {name} 10" for name in NAMES]
            lines += [
                f"card {'2468'[number % 4]}",
                "card Q",
                *(f"call {name}" for name in NAMES),
                "card 9",
                "shuffle",
            ]
            for line in lines:
                await measure(partial(_book, app, line), figures)

    return await run(app, size, work)


async def _book(app: ConsoleApp, line: str) -> None:
    assert await app.book(line), line
    app.repaint()


def main() -> int:
    """Measure and say whether the limits hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("-n", type=int, default=200, help="keys to press")
    options = parser.parse_args()
    failed = False
    for size in SIZES:
        print(f"{size[0]}x{size[1]}")
        bare = asyncio.run(keys(Bare(), size, options.n, ["1", "2"]))
        typed = asyncio.run(keys(ConsoleApp(session), size, options.n, ["1", "backspace"]))
        booked = asyncio.run(rounds(ConsoleApp(session), size, max(1, options.n // 50)))
        ratio = statistics.median(typed.cpu_ms) / statistics.median(bare.cpu_ms)
        size_ = statistics.median(booked.sizes)
        print(f"  a key, bare program  {bare.text}")
        print(
            f"  a key, table screen  {typed.text}   {ratio:.2f} times the bare program (limit {MOST_RATIO})"
        )
        print(f"  a line, booked       {booked.text}   (limit {MOST_BYTES} bytes, median)")
        failed = failed or ratio > MOST_RATIO or size_ > MOST_BYTES
    print("over a limit" if failed else "within the limits")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
