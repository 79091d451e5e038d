"""How long a settlement takes, against the plain subset search on the same nights in the same run."""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

from assistant.ledger.settlement import settle

NIGHTS = {6: 200, 8: 200, 10: 100, 12: 40, 14: 10}
WORST = {
    "12 of +10, 8 of -15": [10] * 12 + [-15] * 8,
    "1 to 19 against one": [*range(1, 20), -190],
    "20 random results": [],
}


def main() -> None:
    """Print medians, worst cases and the ratio to the plain search."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=7)
    seed = parser.parse_args().seed
    night = random.Random(seed)
    print(f"seed {seed}\n{'players':>8} {'nights':>7} {'median ms':>10} {'worst ms':>9} {'plain / ours':>13}")
    for players, nights in NIGHTS.items():
        drawn = [random_night(night, players) for _ in range(nights)]
        ours = [timed(lambda nets=nets: settle(nets)) for nets in drawn]  # type: ignore[misc]
        plain = [timed(lambda nets=nets: plain_search(list(nets.values()))) for nets in drawn]  # type: ignore[misc]
        ratio = statistics.median(plain) / statistics.median(ours)
        median_ms, worst_ms = statistics.median(ours) * 1000, max(ours) * 1000
        print(f"{players:8} {nights:7} {median_ms:10.2f} {worst_ms:9.2f} {ratio:13.1f}")
    for name, values in WORST.items():
        nets = dict(zip(map(str, range(20)), values, strict=False)) or random_night(night, 20)
        seconds = timed(lambda nets=nets: settle(nets))  # type: ignore[misc]
        print(f"{name}: {seconds:.3f} s, {len(settle(nets).transfers)} payments")


def random_night(night: random.Random, players: int) -> dict[str, int]:
    """Results in units of 5, as after a cash game."""
    values = [5 * round(night.gauss(0, 30)) for _ in range(players - 1)]
    return {str(seat): value for seat, value in enumerate([*values, -sum(values)])}


def plain_search(values: list[int]) -> int:
    """The fewest payments by going through every subset."""
    results = [value for value in values if value]
    most, sums = bytearray(1 << len(results)), [0]
    for value in results:
        sums += [sum_ + value for sum_ in sums]
    for subset in range(1, len(most)):
        best, left = 0, subset
        while left:
            bit = left & -left
            best = max(best, most[subset ^ bit])
            left ^= bit
        most[subset] = best + (sums[subset] == 0)
    return len(results) - most[-1]


def timed(run: Callable[[], object]) -> float:
    """Seconds a call takes."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
