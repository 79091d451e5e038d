"""Measures the reader at 1280x720 with 0, 1, 6 and 12 cards: what each stage costs, at rest too, and memory.

    python scripts/bench_recogniser.py                     the tables
    python scripts/bench_recogniser.py --frames 50000      memory as well, as fast as it goes

Costs are processor time, so that a busy machine counts little; frames a second are what one core reads. With
a second core free, the network and half of the names run there: "thread" is what is left for the reading
thread, so the time a frame then takes at best. What comes of that is measured by the clock as well, frame
after frame through the real reader with both cores; it holds for a quiet machine only, so the load is told.
Draws its own plain tables from tests/data/frames, so it needs nothing beyond the program.
"""

from __future__ import annotations

import argparse
import functools
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from calibration.frames import Corners, Frame, Image
from calibration.pixels import cv2, load_picture
from calibration.recogniser import CardSighted, Recogniser, Tracker
from calibration.recogniser.classify import classify
from calibration.recogniser.locate import locate
from calibration.recogniser.network import load_networks
from calibration.recogniser.rectify import FlatCard, rectify
from calibration.recogniser.segment import core_outlines
from calibration.recogniser.watch import Watcher

SAMPLES = Path(__file__).parents[1] / "tests" / "data" / "frames"
SAMPLE = SAMPLES / "casino_1_first_post.jpg"
CARD_ROWS, CARD_COLUMNS = slice(216, 444), slice(330, 510)
"""Where the sample's card lies."""
SPOTS = tuple((y, x) for y in (6, 246, 486) for x in (40, 350, 660, 970))
COUNTS = (0, 1, 6, 12)
REPEATS = 12
CLOCKED_FRAMES = 60
"""Frames read in a row by the clock, after as many as `NOISE_FRAMES` to warm up."""
REST_FPS, REST_S = 15, 120
NOISE_FRAMES = 8
"""Different noise in so many frames, over and over, so that making noise isn't measured."""
DEALS, DEAL_FPS = 24, 30
CHANGE_FRAMES = 240
"""In the long run a card comes or goes every so many frames."""


def picture_with(count: int) -> Image:
    """The sample's felt with so many copies of its card."""
    sample = load_picture(SAMPLE)
    card = sample[CARD_ROWS, CARD_COLUMNS].copy()
    picture = np.ascontiguousarray(np.flip(sample, axis=1))
    felt = picture[CARD_ROWS, 240:440]
    picture[CARD_ROWS, 760:960] = felt
    for y, x in SPOTS[:count]:
        picture[y : y + card.shape[0], x : x + card.shape[1]] = card
    return picture


def cost_ms(work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Median processor time of one call in milliseconds."""
    work()
    times = []
    for _ in range(REPEATS):
        start = clock()
        work()
        times.append(1000 * (clock() - start))
    return float(np.median(times))


def flattened(picture: Image, outlines: list[Corners]) -> list[FlatCard]:
    """Straight crops of every outline."""
    return [rectify(picture, corners) for corners in outlines]


def print_stages() -> None:
    """What a picture costs, stage by stage."""
    recogniser, networks = Recogniser(), load_networks()
    titles = (
        "cards",
        "read",
        "network",
        "outlines",
        "flatten",
        "name",
        "all ms",
        "a second",
        "thread",
        "a second",
    )
    print("".join(f"{title:>9}" for title in titles))
    for count in COUNTS:
        picture = picture_with(count)
        places = locate(picture, networks["segment"]).places
        firsts = [place[0] for place in places]
        flats = flattened(picture, firsts)
        marking = cost_ms(functools.partial(core_outlines, picture, networks["segment"]))
        finding = cost_ms(functools.partial(locate, picture, networks["segment"]))
        flattening = cost_ms(functools.partial(flattened, picture, firsts))
        naming = cost_ms(functools.partial(classify, flats, networks))
        whole = cost_ms(functools.partial(recogniser.read, picture))
        alone = cost_ms(functools.partial(recogniser.read, picture), time.thread_time)
        read = len(recogniser.read(picture).cards)
        print(
            f"{count:>9}{read:>9}{marking:>9.1f}{finding - marking:>9.1f}{flattening:>9.1f}{naming:>9.1f}"
            f"{whole:>9.1f}{1000 / whole:>9.1f}{alone:>9.1f}{1000 / alone:>9.1f}"
        )


def print_clocked() -> None:
    """Frames a second by the clock, as the program reads: its second thread at work, no two frames equal."""
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"\nby the clock, {CLOCKED_FRAMES} frames in a row, {os.cpu_count()} cores{load}")
    titles = ("cards", "read", "a second", "median ms", "95 % ms", "cores")
    print("".join(f"{title:>11}" for title in titles))
    recogniser = Recogniser()
    for count in COUNTS:
        pictures = noisy(picture_with(count), count)
        read = [len(recogniser.read(picture).cards) for picture in pictures][-1]
        times, worked, start = [], time.process_time(), time.perf_counter()
        for number in range(CLOCKED_FRAMES):
            before = time.perf_counter()
            recogniser.read(pictures[number % NOISE_FRAMES])
            times.append(1000 * (time.perf_counter() - before))
        whole, worked = time.perf_counter() - start, time.process_time() - worked
        median, most = np.percentile(times, [50, 95])
        print(
            f"{count:>11}{read:>11}{CLOCKED_FRAMES / whole:>11.1f}{median:>11.1f}{most:>11.1f}"
            f"{worked / whole:>11.2f}"
        )


def noisy(picture: Image, seed: int) -> list[Image]:
    """The same picture as a camera sends it: no two frames are equal."""
    rng = np.random.default_rng(seed)
    noise = rng.integers(-4, 5, (NOISE_FRAMES, *picture.shape), np.int16)
    return [np.clip(picture + one, 0, 255).astype(np.uint8) for one in noise]


def print_rest() -> None:
    """Share of a core while nothing moves, over two minutes of a camera's time."""
    pictures = noisy(picture_with(6), 1)
    watcher = Watcher(Recogniser(), Tracker())
    frames = REST_FPS * REST_S
    for number in range(REST_FPS):
        watcher.add(Frame(pictures[number % NOISE_FRAMES], number / REST_FPS, number))
    start = time.process_time()
    for number in range(REST_FPS, frames):
        watcher.add(Frame(pictures[number % NOISE_FRAMES], number / REST_FPS, number))
    share = (time.process_time() - start) / (REST_S - 1)
    print(f"\nnothing moves, six cards, {REST_FPS} frames a second: {share:.2%} of a core (at most 5 %)")


def print_delay() -> None:
    """From the first frame in which a card rests to its being booked; the source keeps the newest frame."""
    before, after = noisy(picture_with(2), 1), noisy(picture_with(3), 2)
    recogniser = Recogniser()
    recogniser.read(before[0])
    delays = []
    for deal in range(DEALS):
        watcher = Watcher(recogniser, Tracker(decks=8))
        rest_s = 2.0 + deal / DEALS / DEAL_FPS
        now_s, booked = 0.0, 0
        while now_s < rest_s + 5.0:
            pictures = before if now_s < rest_s else after
            start = time.process_time()
            said = watcher.add(Frame(pictures[int(now_s * 97) % NOISE_FRAMES], now_s, 0))
            cost_s = time.process_time() - start
            booked += sum(isinstance(one, CardSighted) for one in said)
            if booked == 3:
                delays.append(now_s + cost_s - rest_s)
                break
            now_s = max(now_s + 1 / DEAL_FPS, now_s + cost_s)
    median, most = np.percentile(delays, [50, 95])
    print(
        f"card at rest to booked at {DEAL_FPS} frames a second, {len(delays)} of {DEALS} deals: "
        f"median {median:.2f} s (at most 0.5), 95 % within {most:.2f} s (at most 1.0)"
    )


def long_run(frames: int) -> Iterator[tuple[int, float]]:
    """Frames so far and resident memory in megabytes, ten times in a long run."""
    tables = [noisy(picture_with(count), count) for count in (1, 4, 6, 3)]
    watcher = Watcher(Recogniser(), Tracker(decks=8))
    for number in range(frames):
        table = tables[number // CHANGE_FRAMES % len(tables)]
        watcher.add(Frame(table[number % NOISE_FRAMES], number / 30, number))
        if (number + 1) % (frames // 10) == 0:
            yield number + 1, resident_mb()


def resident_mb() -> float:
    """Memory in use, where the system tells."""
    status = Path("/proc/self/status")
    if not status.exists():
        return float("nan")
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Measure what the card reader costs.")
    parser.add_argument("--frames", type=int, default=0, help="watch memory over so many frames")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    print_stages()
    print_clocked()
    print_rest()
    print_delay()
    if arguments.frames:
        start = time.monotonic()
        readings = list(long_run(arguments.frames))
        for number, used in readings:
            print(f"after {number:>6} frames {used:>7.1f} MB")
        growth = readings[-1][1] - readings[1][1]
        print(f"grown by {growth:.1f} MB since the second; {time.monotonic() - start:.0f} s in all")


if __name__ == "__main__":
    main()
