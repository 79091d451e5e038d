#!/usr/bin/env python3
"""OSLP/1 over simulated lines in virtual time: what arrives, what is missing, and whether anything is wrong.

    scripts/bench_link.py                  300 runs of 120 cards a row
    scripts/bench_link.py --runs 2000      as the trial beside it (SHOE_PROTOCOL.md 4.7)

Noise goes both ways. Exit code 1: a wrong, doubled or swapped card, one that is missing in silence (but for
those that a brown-out takes with the shoe's memory), or fewer delivered than in the trial.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from drivers.base import EventKind
from drivers.codecs.oslp import OslpCodec
from drivers.emulated_shoe import EmulatedShoe, Faults

CARDS, CARD_EVERY_S, FIRST_S, TAIL_S = 120, 0.4, 1.2, 60.0
STEP_S = 0.01


@dataclass(frozen=True)
class Row:
    """A line, and what a trial delivered over it (per cent)."""

    name: str
    trial: float
    bit_rate: float = 0.0
    cut_rate: float = 0.0
    baud: int = 115200
    can_hear: bool = True
    copies: bool = True
    brown_out: bool = False


ROWS = (
    Row("clean 115200", 100.0),
    Row("bit errors 1e-4, 2 % cut", 99.9996, 1e-4, 0.02),
    Row("1e-3, 5 % cut", 99.78, 1e-3, 0.05),
    Row("5e-3, 20 % cut", 60.4, 5e-3, 0.2),
    Row("9600, 1e-4, 2 %", 99.9996, 1e-4, 0.02, baud=9600),
    Row("one-way x1, 1e-4, 2 %", 95.65, 1e-4, 0.02, can_hear=False, copies=False),
    Row("one-way x3, 1e-4, 2 %", 99.995, 1e-4, 0.02, can_hear=False),
    Row("brown-out mid-shoe", 99.98, 1e-4, 0.02, brown_out=True),
)


@dataclass
class Tally:
    """What came of many runs."""

    dealt: int = 0
    delivered: int = 0
    wrong: int = 0
    in_gaps: int = 0
    before_join: int = 0
    silent: int = 0
    reboots: int = 0
    latencies_ms: list[float] = field(default_factory=list)


class OneWayShoe(EmulatedShoe):
    """A shoe that sends each event once and hears nothing."""

    def say(self, kind: str, fields: str, time_s: float) -> None:
        """Issue an event without its copies."""
        super().say(kind, fields, time_s)
        self._out = self._out[:-2]


class Wire:
    """Bytes on their way, at the speed of the line."""

    def __init__(self, baud: int) -> None:
        self._second_a_byte = 10 / baud
        self._free_s = 0.0
        self._under_way: list[tuple[float, bytes]] = []

    def put(self, data: bytes, time_s: float) -> None:
        """Send lines after those that are on their way."""
        for line in data.splitlines(keepends=True):
            self._free_s = max(self._free_s, time_s) + len(line) * self._second_a_byte
            self._under_way.append((self._free_s, line))

    def take(self, time_s: float) -> list[tuple[float, bytes]]:
        """What has arrived, with the time it did."""
        come = [one for one in self._under_way if one[0] <= time_s]
        self._under_way = self._under_way[len(come) :]
        return come


def damaged(data: bytes, faults: Faults, rng: random.Random) -> bytes:
    """Noise on the way to the shoe."""
    if not faults.bit_rate and not faults.cut_rate:
        return data
    lines = []
    for line in data.splitlines(keepends=True):
        cut = line[: rng.randrange(len(line))] if rng.random() < faults.cut_rate else line
        flipped = bytearray(cut)
        for bit in range(len(flipped) * 8):
            if rng.random() < faults.bit_rate:
                flipped[bit // 8] ^= 1 << bit % 8
        lines.append(bytes(flipped))
    return b"".join(lines)


def run(row: Row, seed: int, tally: Tally) -> None:
    """Deal one shoe over one line."""
    faults = Faults(row.bit_rate, row.cut_rate)
    make = EmulatedShoe if row.copies else OneWayShoe
    shoe = make(seed=seed, decks=3, can_hear=row.can_hear, faults=faults)
    codec, rng = OslpCodec("shoe", replies=row.can_hear), random.Random(f"host {seed}")
    wire = Wire(row.baud)
    codec.opened(0.0)
    issued_at: dict[tuple[str, int], tuple[float, str]] = {}
    seen: set[tuple[str, int]] = set()
    last = ("", 0)
    brown_out_s = FIRST_S + rng.uniform(0.3, 0.7) * CARDS * CARD_EVERY_S if row.brown_out else float("inf")
    step, dealt = 0, 0
    while (now_s := step * STEP_S) < FIRST_S + CARDS * CARD_EVERY_S + TAIL_S:
        step += 1
        if now_s >= brown_out_s:
            brown_out_s = float("inf")
            shoe.reset(now_s)
        if dealt < CARDS and now_s >= FIRST_S + dealt * CARD_EVERY_S:
            shoe.deal(now_s)
            dealt += 1
            issued_at[(shoe.boot, shoe.issued)] = (now_s, shoe.dealt[-1])
        wire.put(shoe.sending(now_s), now_s)
        events = []
        for arrived_s, line in wire.take(now_s):
            events += codec.feed(line, arrived_s)
        events += codec.tick(now_s)
        shoe.hear(damaged(codec.outbox(), faults, rng), now_s + 0.003)
        for event in events:
            if event.event is EventKind.CARD and event.seq is not None:
                key = (event.report.split("/")[-2], event.seq)
                truth = issued_at.get(key)
                is_right = truth is not None and truth[1] == str(event.card) and key not in seen
                is_next = key[0] != last[0] or key[1] > last[1]
                tally.wrong += not (is_right and is_next)
                last = key
                seen.add(key)
                if truth is not None:
                    tally.latencies_ms.append((event.time_s - truth[0]) * 1000)
            elif event.event is EventKind.GAP:
                tally.in_gaps += event.count or 0
            elif event.event is EventKind.JOINED:
                tally.before_join += (event.seq or 1) - 1
            elif event.event is EventKind.REBOOT:
                tally.reboots += 1
    tally.dealt += CARDS
    tally.delivered += len(seen)


def main() -> int:
    """Run every row and say whether it is as good as the trial."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=300)
    options = parser.parse_args()
    failed = False
    for row in ROWS:
        tally = Tally()
        for seed in range(options.runs):
            run(row, seed, tally)
        silent = tally.dealt - tally.delivered - tally.in_gaps - tally.before_join
        share = tally.delivered / tally.dealt * 100
        times = sorted(tally.latencies_ms)
        late = times[int(len(times) * 0.99)]
        error = (share * (100 - share) / tally.dealt) ** 0.5
        digits = len(f"{row.trial}".partition(".")[2])
        is_good = round(share, digits) >= row.trial and not tally.wrong and (silent <= 0 or row.brown_out)
        failed = failed or not is_good
        print(
            f"{row.name:26} {share:.4f} % delivered (trial {row.trial}, one standard error {error:.4f})  "
            f"wrong {tally.wrong}  in gaps {tally.in_gaps}  "
            f"before the join {tally.before_join}  silently missing {silent}"
            f"{f' of {tally.reboots} reboots' if row.brown_out else ''}  "
            f"p50/p99 {statistics.median(times):.1f}/{late:.0f} ms{'' if is_good else '  MISSED'}",
            flush=True,
        )
    print("over a limit" if failed else "within the limits")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
