#!/usr/bin/env python3
"""The running console and a shoe, both on ptys: byte to card on the screen, and what a flood costs.

    scripts/bench_shoe_console.py                  300 cards, a flood of 60 s
    scripts/bench_shoe_console.py --cards 60 --flood 10

The program runs as a dealer starts it, on a terminal of 120x36, with its night on the disk. A card's time
runs from the write on the shoe's pty to the terminal output that shows its face; beside it stands what a
flush of the same disk takes in the same minutes. The flood is a shoe that sends new cards as fast as 115200
baud carry them while none is due; meanwhile a letter is typed every second and its echo is waited for. Other
programs on the same cores show in both, so run it on a quiet machine.

Exit code 1: a card's p99 is over the flush's by more than 25 ms, or the flood takes more than 15 % of a core.
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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from drivers.codecs.oslp import encode
from drivers.emulated_port import EmulatedPort

ROOT = Path(__file__).resolve().parent.parent
ROWS, COLUMNS = 36, 120
BYTES_A_SECOND = 11_520
MOST_OVER_FLUSH_MS = 25.0
MOST_SHARE = 0.15
ROUNDS_A_SHUFFLE = 12
PATIENCE_S = 20.0
SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


class Console:
    """The program on a terminal of its own."""

    def __init__(self, house: Path, source: str) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        command = [sys.executable, "-m", "assistant", "--house", str(house), "--source", source]
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


class Shoe:
    """The far end of the serial line."""

    def __init__(self, port: EmulatedPort) -> None:
        self._port = port
        self._seq = 0
        self.refused = 0

    def start(self) -> None:
        """Say hello and beat once."""
        self._port.send(encode("HELO,1,7A3C,BENCH,1,C") + encode("BEAT,7A3C,0000,0,1"))

    def next_line(self, card: str) -> bytes:
        """The report of a card."""
        self._seq += 1
        return encode(f"CARD,7A3C,{self._seq % 65536:04X},{card},{self._seq}")

    def beat(self) -> None:
        """Say that it is alive."""
        self._port.offer(encode(f"BEAT,7A3C,{self._seq % 65536:04X},0,1"))

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


def latencies(console: Console, shoe: Shoe, house: Path, count: int) -> tuple[list[float], list[float]]:
    """Play casino rounds; a figure for every card, and flushes of the same disk in between."""
    rng = random.Random(7)
    times: list[float] = []
    flushes: list[float] = []
    rounds = 0
    while len(times) < count:
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
            times.append((console.wait(f"{rank}{SIGNS[suit]}") - wrote_s) * 1000)
            console.settle()
        flushes += flush_ms(house, 4)
    return times, flushes


def flood(console: Console, shoe: Shoe, seconds: float) -> tuple[float, int, list[float]]:
    """Flood; return the share of a core, lines sent and how long typed letters took."""
    lines = [0]

    def send() -> None:
        lines[0] = shoe.flood(seconds)

    thread = threading.Thread(target=send, daemon=True)
    busy_s, began_s = console.processor_s(), time.perf_counter()
    thread.start()
    echoes = []
    next_s = time.perf_counter() + 1
    while thread.is_alive():
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
    return share, lines[0], echoes


def main() -> int:
    """Measure and say whether the limits hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cards", type=int, default=300)
    parser.add_argument("--flood", type=float, default=60.0, metavar="S")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        house = Path(name) / "house"
        house.mkdir()
        with EmulatedPort(Path(name) / "shoe") as port:
            console, shoe = Console(house, f"serial:{port.path},format=oslp"), Shoe(port)
            console.wait("serial")
            console.settle(1.0)
            shoe.start()
            for line in ("game casino-red-dog decks=8", "seat Anna 100000"):
                console.line(line)
            times, flushes = latencies(console, shoe, house, options.cards)
            share, lines, echoes = flood(console, shoe, options.flood)
            console.quit()
    late_ms, flush_late_ms = percentile(times, 0.99), percentile(flushes, 0.99)
    over_ms = late_ms - flush_late_ms
    print(
        f"byte to card: p50 {statistics.median(times):.1f} ms, p95 {percentile(times, 0.95):.1f} ms, "
        f"p99 {late_ms:.1f} ms ({len(times)} cards; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)"
    )
    print(f"disk flush: p50 {statistics.median(flushes):.1f} ms, p99 {flush_late_ms:.1f} ms")
    print(f"beyond the flush: p99 {over_ms:.1f} ms (limit {MOST_OVER_FLUSH_MS})")
    print(
        f"flood of {options.flood:.0f} s, {lines} lines: {share:.1%} of a core (limit {MOST_SHARE:.0%}); "
        f"echo of a key p50 {statistics.median(echoes):.0f} ms, most {max(echoes):.0f} ms"
    )
    failed = over_ms > MOST_OVER_FLUSH_MS or share > MOST_SHARE
    print("over a limit" if failed else "within the limits")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
