#!/usr/bin/env python3
"""Durable entries a second against plain append and sync in the same run, without and with the second copy.

    ./scripts/bench_store.py [--folder FOLDER] [--copies FOLDER] [--lines N]

The three take turns in blocks, so that a slow spell of the disk hits all of them. Then: what an entry costs
at the end of a long night against early in it, and how long a night of 10,000 lines takes to open, checked
and played back, beside checking its chain alone. Processor seconds are given too: other programs that run at
the same time don't count in them.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from assistant.cards import FULL_DECK
from assistant.config import House
from assistant.ledger.accounts import chips
from assistant.store.base import NewEntry, NightStore
from assistant.store.chain import Row, check_chain, seal_entry
from assistant.store.codec import CODEC_VERSION
from assistant.store.folders import SETTLED_NS
from assistant.store.memory import MemoryNight
from assistant.store.mirror import Mirror, MirroredNight
from assistant.store.sqlite import SqliteNight, create_night
from assistant.table.opening import open_tonight
from assistant.table.session import TableSession

ROUNDS = 10
BLOCK = 50
LARGE = 10_000
SETTLED_S = SETTLED_NS / 1e9 + 1
"""Their files were made just now; in an evening that is over long before most entries (`FolderWatch`)."""
GAME = ("game casino-red-dog decks=8", *(f"seat P{number} 100000" for number in range(6)))


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, help="on the disk to measure")
    parser.add_argument("--copies", type=Path, help="where the second copy lies; else on the same disk")
    parser.add_argument("--lines", type=int, default=LARGE, help="of the long night")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        measure(folder, options.copies or folder / "copies")
        measure_growth(folder, options.lines)
        measure_opening(folder, options.lines)


def measure(folder: Path, copies: Path) -> None:
    """Print how many entries a second last, of plain appending, of a night, and of one with a copy."""
    raw: list[float] = []
    ours: list[float] = []
    mirrored: list[float] = []
    behind = []
    mirror = Mirror(copies, "m")
    with (
        create_night(folder / "n.night") as night,
        MirroredNight(create_night(folder / "m.night"), mirror) as copied,
        (folder / "raw").open("ab", buffering=0) as file,
    ):
        mirror.start()
        for store in (night, copied):
            seconds_ours(store, 2)
        time.sleep(SETTLED_S)
        for _round in range(ROUNDS):
            raw.append(seconds_raw(file.fileno()))
            ours.append(seconds_ours(night, BLOCK))
            mirrored.append(seconds_ours(copied, BLOCK))
            behind.append(copied.copy.behind)
            time.sleep(0.3)  # the copy follows in its own time; it must not weigh on the plain blocks
    for what, times in (("a night", ours), ("a night with its copy", mirrored)):
        ratio = statistics.median(plain / kept for plain, kept in zip(raw, times, strict=True))
        rate, plainly = BLOCK * ROUNDS / sum(times), BLOCK * ROUNDS / sum(raw)
        print(f"{what}: {rate:.0f}/s, plain append and sync {plainly:.0f}/s; ratio (median) {ratio:.2f}")
    print(f"copy behind after a block of {BLOCK}: {statistics.median(behind):.0f}, at most {max(behind)}")


def measure_growth(folder: Path, lines: int) -> None:
    """Print what an entry costs late against early, in turns on two nights so that the disk is the same."""
    with create_night(folder / "short.night") as short, create_night(folder / "long.night") as long:
        long.write_rows([])
        while long.head[0] < lines:
            long.write_rows(more_rows(long, min(500, lines - long.head[0])))
        early, late = [], []
        for _round in range(ROUNDS):
            early.append(seconds_ours(short, BLOCK))
            late.append(seconds_ours(long, BLOCK))
        ratio = statistics.median(one / other for one, other in zip(late, early, strict=True))
        print(f"an entry at {lines} against one at the start: {ratio:.2f}")


def more_rows(night: SqliteNight, count: int) -> list[Row]:
    """Return entries that go on where a night ends; many of them are written with one sync."""
    seq, prev = night.head
    rows = []
    for number in range(seq + 1, seq + 1 + count):
        rows.append(seal_entry(new_entry(f"k{number}"), number, CODEC_VERSION, prev))
        prev = rows[-1].hash
    return rows


def measure_opening(folder: Path, lines: int) -> None:
    """Print how long a night of many lines takes to open: checked, compared with its copy and played back."""
    house = House(folder / "house")
    house.nights.mkdir(parents=True)
    memory = play(lines)
    memory.backup(house.nights / "2026-11-28-1.night")
    size = sum(len(row.body) for row in memory._rows)
    times, busy = [], []
    for _time in range(3):
        start, worked = time.perf_counter(), time.thread_time()
        session = open_tonight(house)
        times.append(time.perf_counter() - start)
        busy.append(time.thread_time() - worked)
        assert session.snapshot.entries == lines
        session.close()
    worked = time.thread_time()
    check_chain(memory._rows)
    chain = time.thread_time() - worked
    opened, used = statistics.median(times), statistics.median(busy)
    print(
        f"{lines} lines ({size // 1024} KiB) open in {opened:.2f} s ({used:.2f} s of the processor), "
        f"checked and played back; checking the chain alone takes {chain:.2f} s"
    )


def play(lines: int) -> MemoryNight:
    """Return a casino night of so many lines, in memory."""
    dice = random.Random(1)
    memory = MemoryNight()
    session = TableSession(memory, "2026-11-28-1")
    for line in GAME:
        session.submit(line)
    while session.snapshot.entries < lines:
        snapshot = session.snapshot
        calls = [choice.player for choice in snapshot.choices if choice.verb == "call"]
        if not snapshot.in_round and not any(seat.bet for seat in snapshot.seats):
            if snapshot.cards_left < 60:
                session.submit("shuffle")
            for seat in snapshot.seats:
                if session.snapshot.entries < lines:
                    session.submit(f"bet {seat.name} 5")
        elif calls:
            session.submit(f"call {next(seat.name for seat in snapshot.seats if seat.player == calls[0])}")
        else:
            session.submit(f"card {dice.choice(FULL_DECK)}")
    return memory


def seconds_raw(handle: int) -> float:
    """Append and sync a block of 200 bytes an entry."""
    start = time.perf_counter()
    for _ in range(BLOCK):
        os.write(handle, b"x" * 200)
        os.fsync(handle)
    return time.perf_counter() - start


def seconds_ours(night: NightStore, count: int) -> float:
    """Append entries with two postings each, made before."""
    first = night.head[0] + 1
    entries = [new_entry(f"k{number}") for number in range(first, first + count)]
    start = time.perf_counter()
    for entry in entries:
        night.append(entry)
    return time.perf_counter() - start


def new_entry(key: str) -> NewEntry:
    """A buy-in."""
    postings = (chips("rack", -5), chips("stack:p1", 5))
    return NewEntry(key, datetime.now(UTC), "host", None, (), "buy", {"amount": 5}, postings)


if __name__ == "__main__":
    main()
