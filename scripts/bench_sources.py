#!/usr/bin/env python3
"""How fast the serial path is (T6-T9 of SHOE_PROTOCOL.md 7), and ratios within the run.

    scripts/bench_sources.py                   codecs, latency, outages, floods of 60 s from one and two shoes
    scripts/bench_sources.py --flood 10

Codecs stand beside bare line splitting, events beside a bare read of the same bytes. A flood is a process
that sends reports as fast as 115200 baud carry them; the readers' own processor time is counted, a thread a
port.

Exit code 1: a pass line of the table is missed.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from drivers.base import EventKind
from drivers.codecs.angeleye import bcc
from drivers.codecs.base import Codec
from drivers.codecs.formats import FORMATS
from drivers.codecs.oslp import encode
from drivers.codecs.stxetx import checksum
from drivers.emulated_port import EmulatedPort
from drivers.serial_port import SerialSource

FRAMES = 20_000
EVENTS = 500
ROOT = Path(__file__).resolve().parent.parent
BYTES_A_SECOND = 11_520
LEAST_RATES = {4096: 50_000, 1: 10_000}
"""Frames a second in pieces of so many bytes (T8)."""
ENDS = {"stxetx": b"\x03", "barcode": b"\r", "beetek": b">", "angeleye": b"\x03"}
"""What a report ends with where that is no line end."""
MOST_P50_MS, MOST_P99_MS = 2.0, 20.0
"""Write to event (T6)."""
MOST_SHARE = 0.15
"""Of a core, a port (T7)."""
OUTAGES, OUTAGE_S = 20, 0.3
MOST_DOWN_MS, MOST_BACK_MS = 500.0, 2500.0
"""From unplugging to DOWN, from the device's return to UP (T9)."""


def rate(work: Callable[[], object]) -> float:
    """Return frames a second, the best of three."""
    times = []
    for _ in range(3):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return FRAMES / min(times)


def feed(codec: Codec, stream: bytes, size: int) -> None:
    """Give a codec a stream in pieces."""
    for start in range(0, len(stream), size):
        codec.feed(stream[start : start + size], start / BYTES_A_SECOND)


def split(stream: bytes, end: bytes, size: int) -> None:
    """The least any reader must do: find where a report ends."""
    half = b""
    for start in range(0, len(stream), size):
        *_, half = (half + stream[start : start + size]).split(end)


def codecs() -> bool:
    """Compare the codecs with bare splitting, in 4 KiB and in single bytes; whether all are quick enough."""
    tag = "62E3086CED"
    angel_eye = b"%c\x44\x81\xb8\x03"
    streams = {
        "oslp": b"".join(encode(f"CARD,7A3C,{seq % 65536:04X},AS,{seq}") for seq in range(1, FRAMES + 1)),
        "plain": b"AS\r\nKD\r\n" * (FRAMES // 2),
        "stxetx": b"\x02%s%02X\x03" % (tag.encode(), checksum(tag)) * FRAMES,
        "uidline": b"Card UID: 04 06 B9 02 0A 54 81\r\n" * FRAMES,
        "barcode": b"1010\r" * FRAMES,
        "beetek": b" [Game]<Card:4S> " * FRAMES,
        "angeleye": b"".join(
            b"\x05" + body + bcc(body) for seq in range(FRAMES) for body in [angel_eye % (0x30 + seq % 40)]
        ),
    }
    good = [
        compare(name, stream, ENDS.get(name, b"\n"), partial(FORMATS[name].make, "bench"))
        for name, stream in streams.items()
    ]
    return all(good)


def compare(name: str, stream: bytes, end: bytes, make: Callable[[], Codec]) -> bool:
    """Print one codec's figures; whether it is quick enough."""
    good = True
    for size, least in LEAST_RATES.items():
        fast = rate(partial(lambda size: feed(make(), stream, size), size))
        bare = rate(partial(split, stream, end, size))
        missed = "" if fast >= least else f", MISSED {least:,}"
        good = good and not missed
        times = f"1/{bare / fast:.0f} of bare splitting{missed}"
        print(f"{name:8} {size:4}-byte pieces: {fast:9,.0f} reports/s, {times}", flush=True)
    return good


def latency(folder: Path) -> bool:
    """From the write on a pty to the event, beside a bare read; whether it is short enough."""
    with EmulatedPort(folder / "bench") as port:
        reader = os.open(port.path, os.O_RDONLY | os.O_NOCTTY)
        bare = []
        for _ in range(EVENTS):
            began = time.perf_counter()
            port.send(b"AS\r\n")
            got = 0
            while got < 4:
                got += len(os.read(reader, 4 - got))
            bare.append(time.perf_counter() - began)
        os.close(reader)
        with SerialSource(str(port.path), format="oslp", replies=False) as source:
            times: list[float] = []
            seen = threading.Semaphore(0)
            written = [0.0]

            def write() -> None:
                for seq in range(1, EVENTS + 1):
                    seen.acquire()
                    time.sleep(0.002)
                    written[0] = time.perf_counter()
                    port.send(encode(f"CARD,7A3C,{seq:04X},AS,{seq}"))

            thread = threading.Thread(target=write, daemon=True)
            thread.start()
            seen.release()
            while len(times) < EVENTS:
                event = source.read(5.0)
                if event is not None and event.event is EventKind.CARD:
                    times.append(time.perf_counter() - written[0])
                    seen.release()
    low, high = statistics.median(times) * 1000, sorted(times)[int(EVENTS * 0.99)] * 1000
    least = statistics.median(bare) * 1000
    missed = "" if low <= MOST_P50_MS and high <= MOST_P99_MS else ", MISSED"
    print(
        f"write to event: p50 {low:.2f} ms, p99 {high:.2f} ms; {low / least:.1f} times a bare write and read"
        f"{missed}",
        flush=True,
    )
    return not missed


def outages(folder: Path) -> bool:
    """Unplug and replug; how soon each is said, and whether that is soon enough."""
    downs: list[float] = []
    backs: list[float] = []
    with EmulatedPort(folder / "outage") as port:
        moments: dict[str, float] = {}
        back = threading.Event()

        def pull() -> None:
            for _ in range(OUTAGES):
                back.wait()
                back.clear()
                time.sleep(0.1)
                moments["down"] = time.perf_counter()
                port.unplug()
                time.sleep(OUTAGE_S)
                port.plug_in()
                moments["back"] = time.perf_counter()

        with SerialSource(str(port.path), format="oslp", replies=False) as source:
            threading.Thread(target=pull, daemon=True).start()
            back.set()
            while len(backs) < OUTAGES:
                event = source.read(5.0)
                if event is None:
                    break
                if event.event is EventKind.DOWN:
                    downs.append((time.perf_counter() - moments["down"]) * 1000)
                elif event.event is EventKind.UP and event.code == "port-back":
                    backs.append((time.perf_counter() - moments["back"]) * 1000)
                    back.set()
    is_good = (
        len(backs) == len(downs) == OUTAGES and max(downs) <= MOST_DOWN_MS and max(backs) <= MOST_BACK_MS
    )
    missed = "" if is_good else ", MISSED"
    print(
        f"{len(backs)} outages of {OUTAGE_S * 1000:.0f} ms: said within {max(downs, default=0):.0f} ms, "
        f"back within {max(backs, default=0):.0f} ms of the device{missed}",
        flush=True,
    )
    return is_good


SENDER = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
from drivers.codecs.oslp import encode

ends, total, rate = [int(word) for word in sys.argv[4].split(",")], int(sys.argv[2]), float(sys.argv[3])
for end in ends:
    os.set_blocking(end, True)
began, sent, seq = time.perf_counter(), 0, 0
while seq < total:
    while seq < total and sent <= (time.perf_counter() - began) * rate:
        seq += 1
        line = encode(f"CARD,7A3C,{seq % 65536:04X},AS,{seq}")
        for end in ends:
            os.write(end, line)
        sent += len(line)
    time.sleep(0.004)
print(time.perf_counter() - began)
"""


def flood(folder: Path, shoes: int, seconds: float) -> bool:
    """Line rate from some shoes at once: what is lost and what it costs; whether that is little."""
    total = int(seconds * BYTES_A_SECOND / 34)
    with contextlib.ExitStack() as stack:
        ports = [stack.enter_context(EmulatedPort(folder / f"flood{at}")) for at in range(shoes)]
        sources = [SerialSource(str(port.path), format="oslp", replies=False) for port in ports]
        counts = [[0, 0] for _ in sources]
        ready = threading.Barrier(shoes + 1)
        threads = [
            threading.Thread(target=_read_all, args=(source, total, count, ready), daemon=True)
            for source, count in zip(sources, counts, strict=True)
        ]
        for thread in threads:
            thread.start()
        ready.wait()
        ends = [os.dup(port.master) for port in ports]
        began, busy = time.perf_counter(), time.process_time()
        given = [str(ROOT), str(total), str(BYTES_A_SECOND), ",".join(map(str, ends))]
        sender = subprocess.Popen(
            [sys.executable, "-c", SENDER, *given],
            pass_fds=ends,
            stdout=subprocess.PIPE,
        )
        for thread in threads:
            thread.join(seconds * 2 + 10)
        share = (time.process_time() - busy) / (time.perf_counter() - began) / shoes
        sender.wait()
        for end in ends:
            os.close(end)
    cards, gaps = (sum(count[at] for count in counts) for at in (0, 1))
    is_good = cards == total * shoes and not gaps and share <= MOST_SHARE
    shoes_word = f"{shoes} shoe{'s' if shoes > 1 else ''}"
    print(
        f"flood of {seconds:.0f} s from {shoes_word}: {cards} of {total * shoes} cards, {gaps} in gaps, "
        f"{share:.1%} of a core a port{'' if is_good else ', MISSED'}",
        flush=True,
    )
    return is_good


def _read_all(source: SerialSource, total: int, count: list[int], ready: threading.Barrier) -> None:
    source.open()
    ready.wait()
    while sum(count) < total:
        event = source.read(5.0)
        if event is None:
            break
        count[0] += event.event is EventKind.CARD
        count[1] += event.count or 0
    source.close()


def main() -> int:
    """Measure and say whether the pass lines hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--flood", type=float, default=60.0, metavar="S")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        results = [
            codecs(),
            latency(folder),
            outages(folder),
            *(flood(folder, shoes, options.flood) for shoes in (1, 2)),
        ]
    print("within the limits" if all(results) else "over a limit")
    return int(not all(results))


if __name__ == "__main__":
    sys.exit(main())
