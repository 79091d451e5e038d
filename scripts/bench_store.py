"""Durable entries a second against plain append and sync in the same run; how a night grows."""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from assistant.ledger.accounts import chips
from assistant.store.base import NewEntry
from assistant.store.sqlite import SqliteNight, create_night, open_night

ROUNDS = 10
BLOCK = 50
LARGE = 10_000


def main() -> None:
    """Print both rates, in alternating blocks so that a slow spell of the disk hits both; cost of size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="on the disk to measure")
    with tempfile.TemporaryDirectory(dir=parser.parse_args().folder) as name:
        measure(Path(name))


def measure(folder: Path) -> None:
    """Measure in a folder."""
    raw, ours = [], []
    with create_night(folder / "n.night") as night, (folder / "raw").open("ab", buffering=0) as file:
        for _round in range(ROUNDS):
            raw.append(seconds_raw(file.fileno()))
            ours.append(seconds_ours(night, BLOCK))
        print(f"raw {BLOCK * ROUNDS / sum(raw):.0f}/s, night {BLOCK * ROUNDS / sum(ours):.0f}/s")
        ratio = statistics.median(plain / kept for plain, kept in zip(raw, ours, strict=True))
        print(f"ratio, median of {ROUNDS} blocks: {ratio:.2f}")
        small = statistics.median(seconds_ours(night, 1) for _ in range(BLOCK))
        while night.head[0] < LARGE:
            seconds_ours(night, BLOCK)
        large = statistics.median(seconds_ours(night, 1) for _ in range(BLOCK))
        print(f"an entry at {LARGE} against at {BLOCK * ROUNDS}: {large / small:.2f}")
    start = time.perf_counter()
    with open_night(folder / "n.night") as night:
        opened = time.perf_counter()
        count = sum(1 for _ in night.entries())
        read = time.perf_counter()
        print(f"{count} entries: opened in {opened - start:.3f} s, read in {read - opened:.3f} s", end="")
        night.verify()
        print(f", verified in {time.perf_counter() - read:.3f} s")


def seconds_raw(handle: int) -> float:
    """Append and sync a block of 200 bytes an entry."""
    start = time.perf_counter()
    for _ in range(BLOCK):
        os.write(handle, b"x" * 200)
        os.fsync(handle)
    return time.perf_counter() - start


def seconds_ours(night: SqliteNight, count: int) -> float:
    """Append entries with two postings each."""
    start = time.perf_counter()
    for _ in range(count):
        key = f"k{night.head[0]}"
        postings = (chips("rack", -5), chips("stack:p1", 5))
        night.append(NewEntry(key, datetime.now(UTC), "host", None, (), "buy", {"amount": 5}, postings))
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
