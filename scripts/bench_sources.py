"""How fast the serial path is, as ratios within one run: codecs beside line splitting, events beside bytes.

Run: python scripts/bench_sources.py
"""

from __future__ import annotations

import os
import statistics
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
FLOOD_S = 10.0
BYTES_A_SECOND = 11_520


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


def split(stream: bytes, size: int) -> None:
    """The least any line reader must do."""
    half = b""
    for start in range(0, len(stream), size):
        *_, half = (half + stream[start : start + size]).split(b"\n")


def codecs() -> None:
    """Compare the codecs with bare splitting, in 4 KiB and in single bytes."""
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
    for name, stream in streams.items():
        compare(name, stream, partial(FORMATS[name].make, "bench"))


def compare(name: str, stream: bytes, make: Callable[[], Codec]) -> None:
    """Print one codec's figures."""
    for size in (4096, 1):
        fast = rate(partial(lambda size: feed(make(), stream, size), size))
        bare = rate(partial(split, stream, size))
        print(f"{name:8} {size:4}-byte pieces: {fast:9,.0f} lines/s, 1/{bare / fast:.0f} of bare splitting")


def latency(folder: Path) -> None:
    """From the write on a pty to the event, beside a bare read of the same bytes."""
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
    print(
        f"write to event: p50 {low:.2f} ms, p99 {high:.2f} ms; {low / least:.1f} times a bare write and read"
    )


def flood(folder: Path) -> None:
    """Line rate for a while: what is lost, and what it costs of one core."""
    with EmulatedPort(folder / "bench") as port, SerialSource(str(port.path), format="oslp") as source:
        total = int(FLOOD_S * BYTES_A_SECOND / 31)

        def write() -> None:
            began = time.perf_counter()
            for seq in range(1, total + 1):
                port.send(encode(f"CARD,7A3C,{seq:04X},AS,{seq}"))
                time.sleep(max(0.0, began + seq * 31 / BYTES_A_SECOND - time.perf_counter()))

        thread = threading.Thread(target=write, daemon=True)
        busy, began = time.process_time(), time.perf_counter()
        thread.start()
        cards = gaps = 0
        while cards + gaps < total:
            event = source.read(5.0)
            if event is None:
                break
            cards += event.event is EventKind.CARD
            gaps += event.count or 0
        share = (time.process_time() - busy) / (time.perf_counter() - began)
    print(f"flood: {cards} of {total} cards, {gaps} in gaps, {share:.1%} of a core (writer included)")


if __name__ == "__main__":
    codecs()
    with tempfile.TemporaryDirectory() as name:
        latency(Path(name))
        flood(Path(name))
