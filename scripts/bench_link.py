#!/usr/bin/env python3
"""OSLP/1 over simulated lines in virtual time: what arrives, what is missing, and whether anything is wrong.

    scripts/bench_link.py                  300 runs of 120 cards a row
    scripts/bench_link.py --runs 2000      as the trial beside it (SHOE_PROTOCOL.md 4.7)

A card every 0.3 to 0.5 s, for a hand does not keep step with the shoe's BEAT. Noise goes both ways: each
line, whatever it is, is cut at any of its bytes with the row's share, and each bit of what is left turns
over with the row's rate, line ends included; a cut line runs into the next one. A shoe that can't hear
sends three copies 30 ms apart (x3) or one (x1). Delivered is a card that the codec gave out, under its
number, once; a card in a reported gap or before the join is not. The codec is told of bytes when the last
bit of a line has come, and looks at the time then, every 100 ms and when one of its limits ends (the
reader's thread looks at least every 0.2 s, so in a line at rest a gap is said up to 0.2 s later). A run ends
three seconds after every card is accounted for, or a minute after the last one was dealt.

Exit code 1: a wrong, doubled or swapped card, one that is missing in silence (but for those that a brown-out
takes with the shoe's memory), fewer delivered than in the trial, or later: half and 99 % of as many cards as
the trial delivered must have come as soon as there.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from drivers.base import EventKind
from drivers.codecs.oslp import UNFINISHED_S, OslpCodec
from drivers.emulated_shoe import EmulatedShoe, Faults
from drivers.link import ACK_EVERY_S, HOLE_ONE_WAY_S, HOLE_S, NAK_EVERY_S

CARDS, CARD_EVERY_S, JITTER_S, FIRST_S, TAIL_S = 120, 0.4, 0.1, 1.2, 60.0
AFTER_S = 3.0
STEP_S = 0.1
LIMITS_S = (ACK_EVERY_S, NAK_EVERY_S, HOLE_ONE_WAY_S, UNFINISHED_S, HOLE_S)
"""When the codec has something to decide, after the bytes that made it wait."""
HOST_S = 0.003
"""An answer's way to the shoe."""


@dataclass(frozen=True)
class Row:
    """A line, what a trial delivered over it (per cent), and when half and 99 % of that had come (ms)."""

    name: str
    trial: float
    trial_ms: tuple[str, str]
    bit_rate: float = 0.0
    cut_rate: float = 0.0
    baud: int = 115200
    can_hear: bool = True
    copies: bool = True
    brown_out: bool = False


ROWS = (
    Row("clean 115200", 100.0, ("2.7", "3")),
    Row("bit errors 1e-4, 2 % cut", 99.9996, ("2.7", "253"), 1e-4, 0.02),
    Row("1e-3, 5 % cut", 99.78, ("2.7", "753"), 1e-3, 0.05),
    Row("5e-3, 20 % cut", 60.4, ("757", "2407"), 5e-3, 0.2),
    Row("9600, 1e-4, 2 %", 99.9996, ("32", "282"), 1e-4, 0.02, baud=9600),
    Row("one-way x1, 1e-4, 2 %", 95.65, ("2.7", "153"), 1e-4, 0.02, can_hear=False, copies=False),
    Row("one-way x3, 1e-4, 2 %", 99.995, ("2.7", "33"), 1e-4, 0.02, can_hear=False),
    Row("brown-out mid-shoe", 99.98, ("2.7", "253"), 1e-4, 0.02, brown_out=True),
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

    @property
    def arrives_at_s(self) -> float:
        """When the next line has come."""
        return self._under_way[0][0] if self._under_way else float("inf")

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
    now_s, deal_s, dealt, missed, limits = 0.0, FIRST_S, 0, 0, [0.0]
    end_s = FIRST_S + CARDS * (CARD_EVERY_S + JITTER_S) + TAIL_S
    while now_s < end_s:
        if len(seen) + missed >= CARDS:
            end_s = min(end_s, now_s + AFTER_S)
        if now_s >= brown_out_s:
            brown_out_s = float("inf")
            shoe.reset(now_s)
        if now_s >= deal_s:
            shoe.deal(now_s)
            dealt += 1
            deal_s += CARD_EVERY_S + rng.uniform(-JITTER_S, JITTER_S) if dealt < CARDS else float("inf")
            issued_at[(shoe.boot, shoe.issued)] = (now_s, shoe.dealt[-1])
        wire.put(shoe.sending(now_s), now_s)
        events = []
        for arrived_s, line in wire.take(now_s):
            events += codec.feed(line, arrived_s)
            limits += [arrived_s + limit_s + 1e-6 for limit_s in LIMITS_S]
        events += codec.tick(now_s)
        shoe.hear(damaged(codec.outbox(), faults, rng), now_s + HOST_S)
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
                missed += event.count or 0
            elif event.event is EventKind.JOINED:
                tally.before_join += (event.seq or 1) - 1
                missed += (event.seq or 1) - 1
            elif event.event is EventKind.REBOOT:
                tally.reboots += 1
        limits = [limit_s for limit_s in limits if limit_s > now_s]
        comes_s = min(shoe.speaks_at_s, wire.arrives_at_s, brown_out_s, deal_s, *limits, now_s + STEP_S)
        now_s = max(comes_s, now_s)
    tally.dealt += CARDS
    tally.delivered += len(seen)


def main() -> int:
    """Run every row and say whether it is as good as the trial."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=300)
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose name holds it")
    options = parser.parse_args()
    failed = False
    for row in (one for one in ROWS if options.only in one.name):
        tally = Tally()
        for seed in range(options.runs):
            run(row, seed, tally)
        silent = tally.dealt - tally.delivered - tally.in_gaps - tally.before_join
        share = tally.delivered / tally.dealt * 100
        error = (share * (100 - share) / tally.dealt) ** 0.5
        digits = len(f"{row.trial}".partition(".")[2])
        times = sorted(tally.latencies_ms)
        as_many = [
            times[min(len(times) - 1, int(tally.dealt * row.trial / 100 * part))] for part in (0.5, 0.99)
        ]
        is_late = any(
            round(ours, len(trial.partition(".")[2])) > float(trial)
            for ours, trial in zip(as_many, row.trial_ms, strict=True)
        )
        is_good = round(share, digits) >= row.trial and not tally.wrong and (silent <= 0 or row.brown_out)
        is_good = is_good and not is_late
        failed = failed or not is_good
        print(
            f"{row.name:26} {share:.4f} % delivered (trial {row.trial}, one standard error {error:.4f})  "
            f"wrong {tally.wrong}  in gaps {tally.in_gaps}  "
            f"before the join {tally.before_join}  silently missing {silent}"
            f"{f' of {tally.reboots} reboots' if row.brown_out else ''}  "
            f"half and 99 % of the trial's share within {as_many[0]:.1f}/{as_many[1]:.0f} ms "
            f"(trial {'/'.join(row.trial_ms)}){'' if is_good else '  MISSED'}",
            flush=True,
        )
    print("over a limit" if failed else "within the limits")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
