#!/usr/bin/env python3
"""Settles random nights and the worst ones: fewest payments against brute force, and the time it takes.

    ./scripts/bench_settlement.py [NIGHTS] [--seed N]

Prints for each size of table the median and the longest time, beside the bound, and ends with 1 if a plan
had more payments than brute force needs, differed on a second run, or took longer than its bound.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from assistant.ledger.settlement import Plan, settle

BOUNDS_S = {8: 0.005, 10: 0.005, 12: 0.05, 16: 0.3, 20: 1.0}
"""The longest a plan may take, by players."""
BRUTE_MOST = 8
RUNS = 3


def fewest_by_brute_force(values: list[int]) -> int:
    """n - k by trying every subset, without any of the solver's short cuts."""
    results = [value for value in values if value]
    most = [0] * (1 << len(results))
    for subset in range(1, len(most)):
        members = [index for index in range(len(results)) if subset >> index & 1]
        is_group = sum(results[index] for index in members) == 0
        most[subset] = max(most[subset ^ (1 << index)] for index in members) + is_group
    return len(results) - most[-1]


def random_night(players: int, dice: random.Random) -> list[int]:
    """Results of a night, small stakes (many ties) and large ones."""
    stakes = dice.choice([2, 6, 20, 1000, 10**6])
    values = [dice.randint(-stakes, stakes) for _ in range(players - 1)]
    return [*values, -sum(values)]


def worst_nights(players: int, dice: random.Random) -> Iterator[tuple[str, list[int]]]:
    """Nights that are hard: all results different, no two opposite; groups hidden in each other."""
    alternating = [(-1) ** number * (1000 + number**2) for number in range(players - 1)]
    yield "all different", [*alternating, -sum(alternating)]
    powers = [3**number for number in range(players - 1)]
    yield "powers of three", [*powers, -sum(powers)]
    yield "one against all", [*range(1, players), -sum(range(1, players))]
    planted: list[int] = []
    while len(planted) + 3 <= players:
        one, other = dice.randint(1, 10**6), dice.randint(1, 10**6)
        planted += [one, other, -one - other]
    planted += [0] * (players - len(planted))
    dice.shuffle(planted)
    yield "groups of three", planted
    distinct = dice.sample(range(1, 10**6), players - 1)
    values = [value if dice.random() < 0.5 else -value for value in distinct]
    yield "large and different", [*values, -sum(values)]


def named(values: list[int]) -> dict[str, int]:
    """Results by seat."""
    return {f"p{seat}": value for seat, value in enumerate(values)}


def timed(nets: Mapping[str, int]) -> tuple[Plan, float]:
    """A plan and the seconds it took: the fastest of three runs, as the machine may do other things too."""
    runs = [_timed_once(nets) for _run in range(RUNS)]
    return runs[0][0], min(took_s for _plan, took_s in runs)


def _timed_once(nets: Mapping[str, int]) -> tuple[Plan, float]:
    start = time.perf_counter()
    plan = settle(nets)
    return plan, time.perf_counter() - start


def check_brute_force(nights: int, dice: random.Random) -> int:
    """How many plans had more payments than brute force needs, or were another one the second time."""
    wrong = 0
    for _night in range(nights):
        values = random_night(dice.randint(2, BRUTE_MOST), dice)
        plan = settle(named(values))
        wrong += len(plan.transfers) != fewest_by_brute_force(values) or plan != settle(named(values))
    print(f"{nights} nights of 2 to {BRUTE_MOST} players against brute force: {wrong} wrong")
    return wrong


def check_times(dice: random.Random) -> int:
    """How many sizes of table took longer than their bound."""
    late = 0
    for players, bound_s in BOUNDS_S.items():
        cases = [("random", random_night(players, dice)) for _ in range(200 if players < 16 else 10)]
        cases += [case for _ in range(3) for case in worst_nights(players, dice)]
        times = []
        for name, values in cases:
            plan, took_s = timed(named(values))
            assert plan.minimal, name
            times.append((took_s, name))
        longest_s, hardest = max(times)
        median_s = statistics.median(took_s for took_s, _name in times)
        late += longest_s > bound_s
        print(
            f"{players:>2} players: median {median_s * 1000:8.3f} ms, longest {longest_s * 1000:8.3f} ms "
            f"({hardest}), bound {bound_s * 1000:.0f} ms{'' if longest_s <= bound_s else '  TOO LONG'}"
        )
    return late


def main() -> int:
    """Check and time; 1 if anything was wrong or late."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("nights", nargs="?", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    return 1 if check_brute_force(options.nights, dice) + check_times(dice) else 0


if __name__ == "__main__":
    sys.exit(main())
