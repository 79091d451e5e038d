#!/usr/bin/env python3
"""The running console and a shoe, both on ptys: byte to card on the screen, and what a flood costs.

    scripts/bench_shoe_console.py                  300 cards, a flood of 60 s from one shoe, then from two
    scripts/bench_shoe_console.py --cards 60 --flood 10

The program runs as a dealer starts it, on a terminal of 120x36, with its night on the disk. A card's time
runs from the write on the shoe's pty to the terminal output that shows its face. Beside it stand what a flush
of the same disk takes in the same minutes, and how long a bare program takes to give the same bytes back:
what other programs on these cores cost anybody. The limit makes no allowance for them, so run it on a quiet
machine. The flood is a shoe that sends new cards as fast as 115200 baud carry them while none is due;
meanwhile a letter is typed every second and its echo is waited for.

Exit code 1: a card's p99 is over the flush's by more than 25 ms, a flood takes more than 15 % of a core a
shoe, or a letter's echo takes more than a quarter of a second.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import os
import pty
import random
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import tty
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from drivers.codecs.oslp import encode
from drivers.emulated_port import EmulatedPort

ROOT = Path(__file__).resolve().parent.parent
ROWS, COLUMNS = 36, 120
BYTES_A_SECOND = 11_520
MOST_OVER_FLUSH_MS = 25.0
MOST_SHARE = 0.15
"""Of a core, for each flooding shoe."""
MOST_ECHO_MS = 250.0
ROUNDS_A_SHUFFLE = 12
PATIENCE_S = 20.0
SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


class Console:
    """The program on a terminal of its own."""

    def __init__(self, house: Path, sources: list[str]) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        chosen = [word for source in sources for word in ("--source", source)]
        command = [sys.executable, "-m", "assistant", "--house", str(house), *chosen]
        environment = os.environ | {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            start_new_session=True,
        )
        os.close(slave)
        self._rest = b""

    def drain(self) -> None:
        """Read what is there and forget it."""
        while select.select([self.master], [], [], 0.0)[0]:
            os.read(self.master, 65536)
        self._rest = b""

    def wait(self, text: str, patience_s: float = PATIENCE_S) -> float:
        """Wait for a text in the output; return when it came."""
        deadline_s = time.perf_counter() + patience_s
        wanted = text.encode()
        while wanted not in self._rest:
            if not select.select([self.master], [], [], max(0.0, deadline_s - time.perf_counter()))[0]:
                raise TimeoutError(text)
            self._rest = (self._rest + os.read(self.master, 65536))[-200_000:]
        came_s = time.perf_counter()
        self._rest = self._rest.partition(wanted)[2]
        return came_s

    def keys(self, text: str) -> None:
        """Press keys."""
        os.write(self.master, text.encode())

    def line(self, text: str) -> None:
        """Book a line of table talk, and wait until it has settled."""
        self.keys(f":{text}")
        self.settle()
        self.keys("\r")
        self.settle()

    def settle(self, quiet_s: float = 0.15) -> None:
        """Wait until nothing more is painted."""
        while select.select([self.master], [], [], quiet_s)[0]:
            os.read(self.master, 65536)
        self._rest = b""

    def processor_s(self) -> float:
        """Processor time the program has taken."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def quit(self) -> None:
        """Leave as a dealer does."""
        reader = threading.Thread(target=self._swallow, daemon=True)
        reader.start()
        for _ in range(3):
            with contextlib.suppress(OSError):
                self.keys("\x11")
            time.sleep(0.5)
        self.process.wait(PATIENCE_S)

    def _swallow(self) -> None:
        with contextlib.suppress(OSError):
            while os.read(self.master, 65536):
                pass


class Echo:
    """The least a program on a pty can do: it gives back what it is sent."""

    def __init__(self) -> None:
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        code = "import os\nwhile data := os.read(0, 64): os.write(1, data)"
        self._process = subprocess.Popen(
            [sys.executable, "-c", code], stdin=slave, stdout=slave, start_new_session=True
        )
        os.close(slave)
        self.answer_ms()  # it has started when it has answered once

    def answer_ms(self) -> float:
        """How long it takes to have as many bytes back as a report has."""
        began_s, got = time.perf_counter(), 0
        os.write(self._master, b"x" * 31)
        while got < 31:
            got += len(os.read(self._master, 64))
        return (time.perf_counter() - began_s) * 1000

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()
        os.close(self._master)


class Shoe:
    """The far end of the serial line."""

    def __init__(self, port: EmulatedPort, boot: str) -> None:
        self._port = port
        self._boot = boot
        self._seq = 0
        self.source = f"serial:{port.path},format=oslp"

    def start(self) -> None:
        """Say hello and beat once."""
        boot = self._boot
        self._port.send(encode(f"HELO,1,{boot},BENCH-{boot},1,C") + encode(f"BEAT,{boot},0000,0,1"))

    def next_line(self, card: str) -> bytes:
        """The report of a card."""
        self._seq += 1
        return encode(f"CARD,{self._boot},{self._seq % 65536:04X},{card},{self._seq}")

    def beat(self) -> None:
        """Say that it is alive."""
        self._port.offer(encode(f"BEAT,{self._boot},{self._seq % 65536:04X},0,1"))

    def card(self, card: str) -> float:
        """Deal a card; return when its last byte was written."""
        self._port.send(self.next_line(card))
        return time.perf_counter()

    def flood(self, seconds: float) -> int:
        """Deal as fast as the line carries; what is not taken waits, as in an adapter's buffer."""
        began_s, sent, rng, lines = time.perf_counter(), 0, random.Random(1), 0
        while (now_s := time.perf_counter() - began_s) < seconds:
            while sent < now_s * BYTES_A_SECOND:
                line = self.next_line(rng.choice("A23456789TJQK") + rng.choice("CDHS"))
                self._port.send(line)
                sent += len(line)
                lines += 1
            time.sleep(0.005)
        return lines


def percentile(values: list[float], share: float) -> float:
    """The value below which so many lie."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def flush_ms(folder: Path, count: int) -> list[float]:
    """What a flush of a page takes on this disk."""
    times = []
    with (folder / "flush").open("wb") as file:
        for _ in range(count):
            file.write(b"x" * 4096)
            file.flush()
            began = time.perf_counter()
            os.fsync(file.fileno())
            times.append((time.perf_counter() - began) * 1000)
            time.sleep(0.01)
    return times


@dataclass
class Latencies:
    """Milliseconds of cards, of flushes and of bare answers, taken in turn."""

    cards: list[float] = field(default_factory=list)
    flushes: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    processor_ms: float = 0.0
    """The program's own work a card, the dealer's lines in between included."""


def latencies(console: Console, shoe: Shoe, house: Path, count: int) -> Latencies:
    """Play casino rounds; a figure for every card, and what it is compared with in between."""
    rng, echo = random.Random(7), Echo()
    found = Latencies()
    rounds, busy_s = 0, console.processor_s()
    while len(found.cards) < count:
        if rounds % ROUNDS_A_SHUFFLE == 0:
            console.line("shuffle")
        rounds += 1
        shoe.beat()
        console.line("bet Anna 10")
        for rank in ("4", "9", "7"):
            suit = rng.choice("CDHS")
            if rank == "7":
                console.line("call Anna")
            console.drain()
            wrote_s = shoe.card(rank + suit)
            found.cards.append((console.wait(f"{rank}{SIGNS[suit]}") - wrote_s) * 1000)
            console.settle()
            found.answers.append(echo.answer_ms())
        found.flushes += flush_ms(house, 4)
    found.processor_ms = (console.processor_s() - busy_s) * 1000 / len(found.cards)
    echo.close()
    return found


@dataclass(frozen=True)
class Flooded:
    """What a flood cost: share of a core, lines sent, and milliseconds until typed letters stood there."""

    share: float
    lines: int
    echoes: list[float]


def flood(console: Console, shoes: list[Shoe], seconds: float) -> Flooded:
    """Flood from some shoes at once, and type meanwhile."""
    sent = [0] * len(shoes)

    def send(at: int) -> None:
        sent[at] = shoes[at].flood(seconds)

    threads = [threading.Thread(target=send, args=(at,), daemon=True) for at in range(len(shoes))]
    busy_s, began_s = console.processor_s(), time.perf_counter()
    for thread in threads:
        thread.start()
    echoes = []
    next_s = time.perf_counter() + 1
    while any(thread.is_alive() for thread in threads):
        if time.perf_counter() < next_s:
            console.drain()
            time.sleep(0.01)
            continue
        next_s = time.perf_counter() + 1
        pressed_s = time.perf_counter()
        console.keys("ж")
        echoes.append((console.wait("ж") - pressed_s) * 1000)
        console.keys("\x7f")
    share = (console.processor_s() - busy_s) / (time.perf_counter() - began_s)
    return Flooded(share, sum(sent), echoes or [0.0])


def measure(cards: int, flood_s: float) -> tuple[Latencies, list[Flooded]]:
    """Start the console with two shoes; deal from one, then flood from one and from both."""
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as ports:
        house = Path(name) / "house"
        house.mkdir()
        boots = ("7A3C", "7A3D")
        shoes = [Shoe(ports.enter_context(EmulatedPort(Path(name) / boot)), boot) for boot in boots]
        console = Console(house, [shoe.source for shoe in shoes])
        console.wait("serial")
        console.settle(1.0)
        for shoe in shoes:
            shoe.start()
        for line in ("game casino-red-dog decks=8", "seat Anna 100000"):
            console.line(line)
        found = latencies(console, shoes[0], house, cards)
        floods = [flood(console, shoes[: at + 1], flood_s) for at in range(len(shoes))] if flood_s else []
        console.quit()
    return found, floods


def _spread(values: list[float]) -> str:
    return f"p50 {statistics.median(values):.1f} ms, p99 {percentile(values, 0.99):.1f} ms"


def main() -> int:
    """Measure and say whether the limits hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cards", type=int, default=300)
    parser.add_argument("--flood", type=float, default=60.0, metavar="S", help="0 for none")
    options = parser.parse_args()
    found, floods = measure(options.cards, options.flood)
    over_ms = percentile(found.cards, 0.99) - percentile(found.flushes, 0.99)
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(f"byte to card: {_spread(found.cards)} ({len(found.cards)} cards; {load})")
    print(f"disk flush: {_spread(found.flushes)}")
    print(f"beyond the flush: p99 {over_ms:.1f} ms (limit {MOST_OVER_FLUSH_MS})")
    print(f"a bare program's answer: {_spread(found.answers)}")
    print(f"the console's own work: {found.processor_ms:.1f} ms of a core a card, typed lines included")
    failed = over_ms > MOST_OVER_FLUSH_MS
    for count, one in enumerate(floods, 1):
        print(
            f"flood of {options.flood:.0f} s from {count} shoe{'s' if count > 1 else ''}, {one.lines} lines: "
            f"{one.share:.1%} of a core (limit {MOST_SHARE * count:.0%}); echo of a key "
            f"p50 {statistics.median(one.echoes):.0f} ms, most {max(one.echoes):.0f} ms"
        )
        failed = failed or one.share > MOST_SHARE * count or max(one.echoes) > MOST_ECHO_MS
    print("over a limit" if failed else "within the limits")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
