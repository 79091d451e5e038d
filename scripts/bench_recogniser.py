"""Measures the reader at 1280x720 with 0, 1, 3 and 6 drawn cards: milliseconds a stage, as processor time.

    python scripts/bench_recogniser.py

Draws its own plain cards from the sample in tests/data/frames, so it needs nothing beyond the program.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from calibration.frames import Frame, Image
from calibration.pixels import load_picture
from calibration.recogniser import Recogniser, Stillness
from calibration.recogniser.locate import locate
from calibration.recogniser.network import load_networks

SAMPLE = Path(__file__).parents[1] / "tests" / "data" / "frames" / "casino_1_first_post.jpg"
CARD_ROWS, CARD_COLUMNS = slice(200, 460), slice(320, 520)
"""Where the sample's card lies."""
SPOTS = ((60, 60), (60, 460), (60, 860), (400, 60), (400, 460), (400, 860))
REPEATS = 12


def picture_with(count: int) -> Image:
    """The sample's felt with so many copies of its card."""
    sample = load_picture(SAMPLE)
    card = sample[CARD_ROWS, CARD_COLUMNS].copy()
    picture = np.ascontiguousarray(np.flip(sample, axis=1))
    picture[CARD_ROWS, 760:960] = picture[CARD_ROWS, 240:440]
    for y, x in SPOTS[:count]:
        picture[y : y + card.shape[0], x : x + card.shape[1]] = card
    return picture


def cost_ms(work: Callable[[], object]) -> float:
    """Median processor time of one call in milliseconds."""
    work()
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(1000 * (time.process_time() - start))
    return float(np.median(times))


def main() -> None:
    """Print the table."""
    recogniser, networks = Recogniser(), load_networks()
    print(f"{'cards':>6}{'read':>6}{'finding ms':>12}{'naming ms':>12}{'all ms':>10}")
    for count in (0, 1, 3, 6):
        picture = picture_with(count)
        reading = recogniser.read(picture)
        finding = cost_ms(functools.partial(locate, picture, networks.get("segment")))
        whole = cost_ms(functools.partial(recogniser.read, picture))
        print(f"{count:>6}{len(reading.cards):>6}{finding:>12.1f}{whole - finding:>12.1f}{whole:>10.1f}")
    stillness, picture = Stillness(), picture_with(1)
    print(f"a frame in which nothing moved: {cost_ms(lambda: stillness.look(Frame(picture, 0.0, 0))):.2f} ms")


if __name__ == "__main__":
    main()
