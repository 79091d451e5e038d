"""Follows each picture from the camera to the card on the screen: when it was shot, arrived and was read.

`stamp` writes the time into a picture's bottom edge, faint enough to be taken for noise; `Trace` notes at
every stage of the program when it began and ended, and how much processor time it took.
`bench_camera_console.py` uses both.
"""

from __future__ import annotations

import functools
import statistics
import threading
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.frames import Image

BITS = 22
"""Milliseconds modulo an hour and ten minutes."""
BLOCK_PX = 8
"""A block of JPEG a bit."""
FAINT = 6
"""Brightness up or down of a bit (of 255): less than what counts as a change in the picture."""
MIDDLE = 110
KEPT = 4000
"""Pictures and readings that are remembered."""


def stamp(image: Image, time_s: float) -> Image:
    """A copy with the time in its bottom edge."""
    stamped = image.copy()
    bits = np.array([round(time_s * 1000) >> n & 1 for n in range(BITS)])
    row = np.repeat(np.where(bits > 0, MIDDLE + FAINT, MIDDLE - FAINT), BLOCK_PX).astype(np.uint8)
    stamped[-BLOCK_PX:, : row.size] = row[None, :, None]
    return stamped


def stamped_s(image: Image, now_s: float) -> float:
    """When a picture was stamped, at most an hour before now."""
    if image.shape[1] < BITS * BLOCK_PX:
        return 0.0
    strip = image[-BLOCK_PX + 1 : -1, : BITS * BLOCK_PX].astype(np.float32).mean(axis=(0, 2))
    blocks = strip.reshape(BITS, BLOCK_PX)[:, 1:-1].mean(axis=1)
    bits = blocks > (blocks.min() + blocks.max()) / 2  # a decoder may shift all of them a little
    shot_ms = sum(1 << n for n, bit in enumerate(bits) if bit)
    now_ms = round(now_s * 1000)
    return (now_ms - (now_ms - shot_ms) % (1 << BITS)) / 1000


@dataclass(frozen=True, slots=True)
class Step:
    """One stage of one picture, on the clock of `time.monotonic`.

    Attributes:
        stage: ``arrive`` (until the reader takes it), ``judge`` (is the picture a picture), ``settle``,
            ``read``, ``event`` (the source says something), ``act`` (until the table's screen is painted).
        shot_s: When the picture was shot; 0 where it is none.
        begun_s: When the stage began.
        ended_s: When it ended.
        cpu_s: Processor time of its thread in it.
        said: What came of it, in a word or two.
    """

    stage: str
    shot_s: float
    begun_s: float
    ended_s: float
    cpu_s: float
    said: str = ""

    @property
    def wall_s(self) -> float:
        """How long it took."""
        return self.ended_s - self.begun_s


class Trace:
    """What every stage did, noted in the program's own classes from `follow` on."""

    def __init__(self) -> None:
        self._steps: deque[Step] = deque(maxlen=KEPT)
        self._lock = threading.Lock()

    def follow(self) -> None:
        """Note the stages of a camera from now on."""
        from assistant.console.app import ConsoleApp
        from assistant.table.source_thread import SourceThread
        from calibration.recogniser import Recogniser
        from calibration.recogniser.settle import Stillness
        from drivers.camera_watch import CameraWatch
        from drivers.live_frames import LiveFrames

        self._note(LiveFrames, "take", self._taken)
        self._note(CameraWatch, "look", lambda args, _: ("judge", args[1], ""))
        self._note(Stillness, "look", lambda args, look: ("settle", args[1].image, str(look.value)))
        self._note(Recogniser, "read", lambda args, reading: ("read", args[1], said_of(reading)))
        self._note(SourceThread, "_pass_on", lambda args, _: ("event", None, _told(args[1])))
        self._note_coroutine(ConsoleApp, "_take_all", "act")

    def clear(self) -> None:
        """Forget what was noted."""
        with self._lock:
            self._steps.clear()

    def steps(self) -> tuple[Step, ...]:
        """What was noted, in the order in which it ended."""
        with self._lock:
            return tuple(self._steps)

    def _taken(self, _: Sequence[Any], taken: Any) -> tuple[str, Image | None, str]:
        return "arrive", None if taken is None else taken[0], ""

    def _note(
        self,
        owner: type,
        method: str,
        tell: Callable[[Sequence[Any], Any], tuple[str, Image | None, str]],
    ) -> None:
        done = getattr(owner, method)

        @functools.wraps(done)
        def noted(*args: Any, **kwargs: Any) -> Any:
            begun_s, cpu_s = time.monotonic(), time.thread_time()
            result = done(*args, **kwargs)
            ended_s, cpu_s = time.monotonic(), time.thread_time() - cpu_s
            stage, image, said = tell(args, result)
            if stage == "arrive" and result is not None:
                begun_s = result[1]  # when the capturing thread had it
            if stage != "arrive" or result is not None:
                shot_s = 0.0 if image is None else stamped_s(image, ended_s)
                self._add(Step(stage, shot_s, begun_s, ended_s, cpu_s, said))
            return result

        setattr(owner, method, noted)

    def _note_coroutine(self, owner: type, method: str, stage: str) -> None:
        done = getattr(owner, method)

        @functools.wraps(done)
        async def noted(*args: Any, **kwargs: Any) -> Any:
            begun_s, cpu_s = time.monotonic(), time.thread_time()
            result = await done(*args, **kwargs)
            self._add(Step(stage, 0.0, begun_s, time.monotonic(), time.thread_time() - cpu_s))
            return result

        setattr(owner, method, noted)

    def _add(self, step: Step) -> None:
        with self._lock:
            self._steps.append(step)


@dataclass(frozen=True, slots=True)
class Deal:
    """One card that came to rest.

    Attributes:
        card: What was laid.
        rested_s: When it came to rest (`time.monotonic`).
        shown_s: When it, or a question about it, was on the screen.
        is_asked: Whether it was asked about rather than named.
        steps: What the stages did meanwhile.
    """

    card: str
    rested_s: float
    shown_s: float
    is_asked: bool
    steps: tuple[Step, ...]

    @property
    def seconds(self) -> float:
        """From rest to the screen."""
        return max(0.0, self.shown_s - self.rested_s)

    @property
    def starved_s(self) -> float:
        """How long readings waited for the processor; next to nothing where one is free."""
        readings = [step for step in self.steps if step.stage == "read"]
        spans = [
            (max(step.begun_s, self.rested_s), min(step.ended_s, self.shown_s), step) for step in readings
        ]
        return sum(
            (ended_s - begun_s) * (1 - step.cpu_s / step.wall_s)
            for begun_s, ended_s, step in spans
            if ended_s > begun_s and step.wall_s > step.cpu_s
        )

    def parts(self) -> dict[str, float]:
        """The seconds as they passed: on the way, waiting for the reader, being read, to the screen."""
        resting = [step for step in self.steps if step.shot_s >= self.rested_s]
        arrived = next((step for step in resting if step.stage == "arrive"), None)
        first = next((step for step in resting if step.stage == "read"), None)
        told = next((step for step in self.steps if step.stage == "event" and self._is_of_card(step)), None)
        if arrived is None or first is None or told is None:
            return {"unknown": self.seconds}
        return {
            "arrival": arrived.begun_s - self.rested_s,
            "waiting": first.begun_s - arrived.begun_s,
            "readings": told.begun_s - first.begun_s,
            "screen": self.shown_s - told.begun_s,
        }

    def cause(self) -> str:
        """What took longest, in words."""
        readings = [step for step in self.steps if step.stage == "read" and step.shot_s >= self.rested_s]
        wall_s, cpu_s = (sum(getattr(step, key) for step in readings) for key in ("wall_s", "cpu_s"))
        said = Counter(step.said for step in readings)
        words = ", ".join(f"{count} x [{text}]" for text, count in said.most_common(4))
        parts = "  ".join(f"{name} {value:.2f}" for name, value in self.parts().items())
        each = f"{len(readings)} readings, {wall_s:.2f} s, of which the processor worked {cpu_s:.2f} s"
        return f"{parts}  ({each}: {words})"

    def _is_of_card(self, step: Step) -> bool:
        return step.begun_s <= self.shown_s and step.said.startswith("unsure " if self.is_asked else "card ")


def print_deals(deals: Sequence[Deal], slowest: int = 5) -> None:
    """Percentiles, where the time went, and the slowest with their causes."""
    seconds = sorted(deal.seconds for deal in deals)
    shares = (50, 75, 90, 95, 99)
    own = sorted(deal.seconds - deal.starved_s for deal in deals)
    print(f"{'':<32}" + "".join(f"{f'p{share}':>8}" for share in shares) + f"{'slowest':>9}")
    for title, values in (("rest to screen, s", seconds), ("less waiting for the processor", own)):
        figures = "".join(f"{percentile(values, share):>8.2f}" for share in shares)
        print(f"{title:<32}{figures}{values[-1]:>9.2f}")
    parts: dict[str, list[float]] = defaultdict(list)
    for deal in deals:
        for name, value in deal.parts().items():
            parts[name].append(value)
    print(f"\n{'':<10}{'median s':>10}{'p95 s':>10}")
    for name, values in parts.items():
        print(f"{name:<10}{statistics.median(values):>10.3f}{percentile(sorted(values), 95):>10.3f}")
    print(f"\n{'stage':<10}{'times':>10}{'median ms':>10}{'p95 ms':>10}{'processor':>10}{'p95 ms':>10}")
    for stage in ("judge", "settle", "read", "act"):
        steps = [step for deal in deals for step in deal.steps if step.stage == stage]
        walls = sorted(1000 * step.wall_s for step in steps) or [0.0]
        costs = sorted(1000 * step.cpu_s for step in steps) or [0.0]
        walls_ms = (statistics.median(walls), percentile(walls, 95))
        costs_ms = (statistics.median(costs), percentile(costs, 95))
        print(f"{stage:<10}{len(steps):>10}" + "".join(f"{one:>10.1f}" for one in (*walls_ms, *costs_ms)))
    print("\nthe slowest:")
    for deal in sorted(deals, key=lambda deal: -deal.seconds)[:slowest]:
        how = "asked" if deal.is_asked else "named"
        print(f"{deal.card} {how} after {deal.seconds:.2f} s: {deal.cause()}")


def percentile(ordered: Sequence[float], share: float) -> float:
    """The value that so many of a hundred don't exceed."""
    return ordered[min(len(ordered) - 1, int(share / 100 * len(ordered)))]


def said_of(reading: Any) -> str:
    """A reading in a few words: its cards, and of unsure ones the guess and the reason."""
    words = [str(seen.card) for seen in reading.cards]
    words += [f"{seen.card}? {seen.reason}" for seen in reading.unsure]
    return " ".join(words) or str(reading.reason)


def _told(event: Any) -> str:
    return f"{event.event.value} {event.card or event.code}"
