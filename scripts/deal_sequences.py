"""Films of drawn cards laid on other cards, from a camera in a hand: what is booked, asked about, and when.

    python scripts/deal_sequences.py --films 60 --fonts FOLDER [--seed 1] [--still] [--shown]

Each film shows cards lying on each other, then a hand that lays another one on the topmost, all while the
camera drifts, turns and comes nearer a little. Decks are drawn in fonts that training never saw, on tables it
never drew. The numbers over time in `confirm.py`, `watch.py` and `align.py` come from films with seed 2;
report others.
"""

from __future__ import annotations

import argparse
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration.deck import DeckProfile
from calibration.frames import Frame
from calibration.recogniser import CardAsked, CardSighted, Recogniser, Sighting, Tracker
from calibration.recogniser.watch import Watcher
from deal_rendered import fonts_in, profile_of, strange_table, upper_bound
from render_cards import RANKS, SUITS, DeckPainter, Face, Pixels
from render_scenes import Canvas, draw_fingers, lay_card

WIDTH_PX, HEIGHT_PX = 960, 540
FPS = 15
LYING_S, SLIDING_S, RESTING_S = 1.6, 0.4, 2.0
CARD_PX = (110, 230)
SWAY_PX, SWAY_DEGREES, SWAY_ZOOM = 7.0, 1.2, 0.015
"""How far a hand lets the camera wander within a second or two."""

Quad = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Film:
    """A film and what happens in it.

    Attributes:
        lying: Names of the cards that lie there at first, the topmost last.
        laid: Name of the card that is laid on them.
        frames: The pictures with their times.
        laid_s: When the laid card rests and the hand is gone.
    """

    lying: tuple[str, ...]
    laid: str
    frames: Iterator[Frame]
    laid_s: float


class Camera:
    """A camera in a hand: where it looks from frame to frame, its light and its noise."""

    def __init__(self, rng: np.random.Generator, is_still: bool) -> None:
        self._rng = rng
        self._is_still = is_still
        self._waves = [
            (rng.uniform(0.15, 0.9, 3), rng.uniform(0, 6.28, 3), rng.dirichlet([1, 1, 1])) for _ in range(4)
        ]
        y, x = np.mgrid[0:HEIGHT_PX, 0:WIDTH_PX].astype(np.float32)
        angle = rng.uniform(0, 6.28)
        slope = (x / WIDTH_PX - 0.5) * np.cos(angle) + (y / HEIGHT_PX - 0.5) * np.sin(angle)
        warmth = rng.normal(0, 0.07)
        gains = np.array([1 - 1.6 * warmth, 1, 1 + warmth]).clip(0.5, 1.4) * rng.uniform(0.6, 1.1)
        self._light = ((1 + slope * rng.uniform(0, 0.5))[..., None] * gains).astype(np.float32)
        self._blur = rng.uniform(0.4, 1.1)
        self._noise = rng.uniform(1, 5)
        self._quality = int(rng.uniform(60, 92))
        self._tile = rng.normal(0, 1, (700, 1200, 1)).astype(np.float32)

    def shoot(self, canvas: Canvas, time_s: float) -> Pixels:
        """Photograph the table at a moment."""
        picture = canvas if self._is_still else self._swayed(canvas, time_s)
        picture = np.asarray(cv2.GaussianBlur(picture * self._light, (0, 0), self._blur), np.float32)
        y, x = (int(self._rng.integers(limit)) for limit in (700 - HEIGHT_PX, 1200 - WIDTH_PX))
        picture += self._tile[y : y + HEIGHT_PX, x : x + WIDTH_PX] * np.float32(self._noise)
        bytes_ = np.clip(picture, 0, 255).astype(np.uint8)
        jpeg = cv2.imencode(".jpg", bytes_, [cv2.IMWRITE_JPEG_QUALITY, self._quality])[1]
        return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)

    def _swayed(self, canvas: Canvas, time_s: float) -> Canvas:
        x, y, turn, zoom = (
            float((shares * np.sin(6.28 * rates * time_s + starts)).sum())
            for rates, starts, shares in self._waves
        )
        middle = (WIDTH_PX / 2, HEIGHT_PX / 2)
        view = cv2.getRotationMatrix2D(middle, SWAY_DEGREES * turn, 1.02 + SWAY_ZOOM * zoom)
        view[:, 2] += np.array([SWAY_PX * x, SWAY_PX * y])
        size = (WIDTH_PX, HEIGHT_PX)
        return np.asarray(
            cv2.warpAffine(canvas, view, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT),
            np.float32,
        )


def film(rng: np.random.Generator, painter: DeckPainter, is_still: bool) -> Film:
    """Draw a film."""
    names = [RANKS[int(n) % 13] + SUITS[int(n) // 13] for n in rng.permutation(52)[: rng.integers(2, 5)]]
    deck = {name: painter.draw(name[0], name[1]) for name in names}
    *lying, laid = names
    height = float(rng.uniform(*CARD_PX))
    canvas = strange_table(rng, WIDTH_PX, HEIGHT_PX)
    spot = np.array([WIDTH_PX, HEIGHT_PX]) * rng.uniform(0.38, 0.62, 2)
    for name in lying:
        lay_card(canvas, deck[name], _quad(rng, deck[name], spot, height), rng)
        spot = spot + rng.uniform(0.12, 0.55) * height * _direction(rng)
    before = canvas
    camera = Camera(rng, is_still)
    quad = _quad(rng, deck[laid], spot, height)
    shadow = int(rng.integers(1 << 30))
    after = before.copy()
    lay_card(after, deck[laid], quad, np.random.default_rng(shadow))
    laid_s = LYING_S + SLIDING_S

    def frames() -> Iterator[Frame]:
        for number in range(round((laid_s + RESTING_S) * FPS)):
            time_s = number / FPS
            if time_s < LYING_S:
                shown = before
            elif time_s < laid_s:
                away = 1 - (time_s - LYING_S) / SLIDING_S * 2
                shown = before.copy()
                moved = quad + np.array([0, max(0.0, away) * 1.6 * height], np.float32)
                lay_card(shown, deck[laid], moved.astype(np.float32), np.random.default_rng(shadow))
                tip = moved.mean(axis=0) + np.array([0, 0.3 * height + max(0.0, -away) * 2.5 * height])
                draw_fingers(np.random.default_rng(shadow), shown, tip.astype(np.float32), 0.3 * height)
            else:
                shown = after
            yield Frame(camera.shoot(shown, time_s), time_s, number)

    return Film(tuple(lying), laid, frames(), laid_s)


def _quad(rng: np.random.Generator, face: Face, spot: npt.NDArray[np.float64], height: float) -> Quad:
    half = np.array([face.pixels.shape[1] / face.pixels.shape[0], 1.0]) * height / 2
    angle = rng.normal(0, 0.25) + (1.57 if rng.random() < 0.2 else 0)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ turn.T + spot
    tilt = np.array([[1, 0.02 * rng.normal(), 0], [0, 1, 0], [0, 1e-4 * rng.normal(), 1]])
    return np.asarray(cv2.perspectiveTransform(corners[None].astype(np.float64), tilt)[0], np.float32)


def _direction(rng: np.random.Generator) -> npt.NDArray[np.float64]:
    angle = rng.uniform(0, 6.28)
    return np.array([np.cos(angle), np.sin(angle)])


def watch(one: Film, reader: Recogniser) -> list[tuple[float, Sighting]]:
    """What is said of a film, with the time; every frame comes, as from a file."""
    watcher = Watcher(reader, Tracker())
    return [(frame.time_s, said) for frame in one.frames for said in watcher.add(frame)]


def main() -> None:
    """Deal films and print what became of them."""
    parser = argparse.ArgumentParser(description="Deal films of cards laid on cards, camera in hand.")
    parser.add_argument("--films", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fonts", type=Path, help="folder of fonts that training never saw")
    parser.add_argument("--still", action="store_true", help="the camera stands on a foot")
    parser.add_argument("--shown", action="store_true", help="the deck was shown before")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = fonts_in(arguments.fonts) if arguments.fonts else ()
    counts: Counter[str] = Counter()
    delays: list[float] = []
    for number in range(arguments.films):
        painter = DeckPainter(90_000_000 + 1000 * arguments.seed + number, held_out=True, fonts=fonts)
        rng = np.random.default_rng([arguments.seed, number, 8])
        reader = Recogniser(deck=_shown(painter, number) if arguments.shown else None)
        one = film(rng, painter, arguments.still)
        said = watch(one, reader)
        counts += judged(one, said, delays)
        words = " ".join(_words(time_s, sighting) for time_s, sighting in said)
        print(f"{number:>3} {' '.join(one.lying)} + {one.laid} at {one.laid_s:.1f}: {words}", flush=True)
    print(f"\n{dict(counts)}")
    if delays:
        ordered = sorted(delays)
        print(f"rest to named: median {statistics.median(ordered):.2f} s, slowest {ordered[-1]:.2f} s")
    named = counts["top named"] + counts["laid named"] + counts["other named"] + counts["wrong"]
    print(f"{counts['wrong']} wrong of {named}: at most 1 in {1 / upper_bound(counts['wrong'], named):,.0f}")


def _shown(painter: DeckPainter, number: int) -> DeckProfile:
    deck = {rank + suit: painter.draw(rank, suit) for suit in SUITS for rank in RANKS}
    return profile_of(np.random.default_rng([number, 9]), deck)


def judged(one: Film, said: Sequence[tuple[float, Sighting]], delays: list[float]) -> Counter[str]:
    """Count what became of the topmost card, of the one laid on it, and of the others."""
    named = {str(each.card): time_s for time_s, each in said if isinstance(each, CardSighted)}
    asked = [time_s for time_s, each in said if isinstance(each, CardAsked)]
    counts: Counter[str] = Counter(films=1)
    counts["wrong"] = sum(name not in (*one.lying, one.laid) for name in named)
    top, laid = one.lying[-1], one.laid
    counts["top named"], counts["laid named"] = int(top in named), int(laid in named)
    counts["other named"] = sum(name in one.lying[:-1] for name in named)
    counts["top asked"] = int(top not in named and any(time_s < one.laid_s for time_s in asked))
    counts["laid asked"] = int(laid not in named and any(time_s >= one.laid_s for time_s in asked))
    counts["questions"] = len(asked)
    if laid in named:
        delays.append(max(0.0, named[laid] - one.laid_s))
    return counts


def _words(time_s: float, sighting: Sighting) -> str:
    if isinstance(sighting, CardSighted):
        return f"{sighting.card}@{time_s:.1f}"
    if isinstance(sighting, CardAsked):
        return f"({sighting.seen.card}? {sighting.seen.reason}@{time_s:.1f})"
    return f"[{sighting.card} again@{time_s:.1f}]"


if __name__ == "__main__":
    main()
