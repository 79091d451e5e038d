"""Cards under a lamp: is the dealer told within a second? And tables without cards: is he left alone? Drawn.

    python scripts/score_glare.py [--cards 4] [--fonts FOLDER] [--seed 1] [--negatives 60]

A lamp mirrored by the card's gloss alone ends at the card's edge ("on the card"); one that lights the table
too, or a lens that blooms, swallows the edge ("spills"). Places: over the first index, the middle, a long
edge, a short edge, half beside a corner, and two lamps over both indices. Told is a name that is right or a
question, within a second of lying still at 15 frames a second. On tables without a card that could be read
(empty ones, window light, cups, chips, blank paper, card backs, all under lamps) every question is false.
Needs what render_cards.py needs.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from calibration.frames import Frame
from calibration.recogniser import CardAsked, CardSighted, Recogniser, Sighting, Tracker
from calibration.recogniser.watch import Watcher
from deal_rendered import fonts_in, strange_table
from render_cards import RANKS, SUITS, DeckPainter, Face, Pixels
from render_scenes import Canvas, draw_table, draw_thing, lay_card, photograph
from score_felt import felt

WIDTH_PX, HEIGHT_PX = 1280, 720
CARD_PX = 200.0
"""Long side of the cards."""
RADII_PX = (30, 40, 60, 80, 90, 100, 120)
LAMP_LIGHT = 260.0
FPS, EMPTY_S, LYING_S = 15, 0.8, 1.4
TOLD_S = 1.0
NOISES = 4
HARDNESS = 0.15

Point = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Lamp:
    """A round mirrored light: middle and radius in pixels, how soft its rim is."""

    middle: tuple[float, float]
    radius_px: float
    softness_px: float = 5.0


def lamp_places(quad: Point, radius_px: float) -> dict[str, tuple[Lamp, ...]]:
    """Where lamps are put on a card; two over both indices only where they don't meet."""
    middle = quad.mean(axis=0)

    def inward(corner: Point) -> Point:
        return np.asarray(corner + (middle - corner) * 0.28)

    def lamps(*points: Point) -> tuple[Lamp, ...]:
        return tuple(Lamp((float(x), float(y)), radius_px) for x, y in points)

    places = {
        "first index": lamps(inward(quad[0])),
        "middle": lamps(middle),
        "long edge": lamps((quad[1] + quad[2]) / 2),
        "short edge": lamps((quad[0] + quad[1]) / 2),
        "beside a corner": lamps(quad[1] + (quad[1] - middle) * 0.25),
    }
    if radius_px <= 60:
        places["both indices"] = lamps(inward(quad[0]), inward(quad[2]))
    return places


def shine(canvas: Canvas, lamps: tuple[Lamp, ...], on: npt.NDArray[np.float32] | None = None) -> None:
    """Add mirrored lamps, on the whole table or as far as `on` (H, W, 1) reflects."""
    for lamp in lamps:
        glare = np.zeros(canvas.shape[:2], np.float32)
        cv2.circle(
            glare, (int(lamp.middle[0]), int(lamp.middle[1])), int(lamp.radius_px), 1.0, -1, cv2.LINE_AA
        )
        light = cv2.GaussianBlur(glare, (0, 0), lamp.softness_px)[..., None] * LAMP_LIGHT
        canvas += light if on is None else cv2.GaussianBlur(light * on, (0, 0), 1.5)[..., None] + 0.04 * light


def a_table(rng: np.random.Generator) -> Canvas:
    """Felt, or a table of any kind."""
    kind = rng.random()
    if kind < 0.4:
        return felt(rng, WIDTH_PX, HEIGHT_PX)
    return (draw_table if kind < 0.7 else strange_table)(rng, WIDTH_PX, HEIGHT_PX)


def a_quad(rng: np.random.Generator, face: Face, height_px: float = CARD_PX) -> Point:
    """Where a card lies, whole in the picture with room for a lamp beside it."""
    half = np.array([face.pixels.shape[1] / face.pixels.shape[0], 1.0]) * height_px / 2
    angle = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.normal(0, 0.15)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    spot = np.array([rng.uniform(260, WIDTH_PX - 260), rng.uniform(230, HEIGHT_PX - 230)])
    return np.asarray(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ turn.T + spot)


def said_of(reader: Recogniser, empty: Pixels, lying: Pixels) -> list[tuple[float, Sighting]]:
    """What a watcher says, in seconds from the first picture in which it lies there."""
    noise = [np.random.default_rng(n).normal(0, 2, (HEIGHT_PX, WIDTH_PX, 1)) for n in range(NOISES)]
    noisy = [[np.asarray((one + each).clip(0, 255), np.uint8) for each in noise] for one in (empty, lying)]
    watcher = Watcher(reader, Tracker())
    said: list[tuple[float, Sighting]] = []
    for number in range(round(FPS * (EMPTY_S + LYING_S))):
        time_s = number / FPS
        picture = noisy[time_s >= EMPTY_S][number % NOISES]
        said += [(time_s - EMPTY_S, one) for one in watcher.add(Frame(picture, time_s, number))]
    return said


def verdict_of(said: list[tuple[float, Sighting]], name: str) -> str:
    """``read``, ``glare`` (asked with what helps), ``asked``, ``nothing``, ``wrong`` or ``twice``."""
    cards = [str(one.card) for _, one in said if isinstance(one, CardSighted)]
    if any(card != name for card in cards):
        return "wrong"
    asked = [one.seen.reason for time_s, one in said if isinstance(one, CardAsked) and time_s <= TOLD_S]
    if len(asked) > 1:
        return "twice"
    if cards:
        return "read"
    return "nothing" if not asked else "glare" if asked[0] == "glare" else "asked"


Counts = dict[tuple[str, str, int], Counter[str]]


def score_cards(reader: Recogniser, count: int, seed: int, fonts: tuple[Path, ...]) -> Counts:
    """So many cards under every lamp; by kind of lamp, place and radius."""
    counts: Counts = defaultdict(Counter)
    for number in range(count):
        rng = np.random.default_rng([seed, number, 7])
        painter = DeckPainter(80_000_000 + 1000 * seed + number, held_out=True, fonts=fonts)
        rank, suit = str(rng.choice(list(RANKS))), str(rng.choice(list(SUITS)))
        face = painter.draw(rank, suit)
        table, quad, light = a_table(rng), a_quad(rng, face), int(rng.integers(1 << 30))
        with_card, mask = table.copy(), np.zeros(table.shape, np.float32)
        lay_card(with_card, face, quad.astype(np.float32), np.random.default_rng(1))
        cv2.fillConvexPoly(mask, quad.round().astype(np.int32), (1.0, 1.0, 1.0), cv2.LINE_AA)
        for radius in RADII_PX:
            for place, lamps in lamp_places(quad, radius).items():
                for manner in ("spills", "on the card"):
                    empty, lying = table.copy(), with_card.copy()
                    if manner == "spills":
                        shine(empty, lamps)
                        shine(lying, lamps)
                    else:
                        shine(lying, lamps, mask[..., :1])
                    pictures = (
                        photograph(np.random.default_rng(light), one, HARDNESS) for one in (empty, lying)
                    )
                    counts[manner, place, radius][verdict_of(said_of(reader, *pictures), rank + suit)] += 1
    return counts


def blank_paper(rng: np.random.Generator, canvas: Canvas) -> tuple[float, float]:
    """A slip of paper, of a card's size or not."""
    spot = (float(rng.uniform(200, WIDTH_PX - 200)), float(rng.uniform(180, HEIGHT_PX - 180)))
    size = (float(rng.uniform(70, 260)), float(rng.uniform(90, 260)))
    box = cv2.boxPoints((spot, size, float(rng.uniform(0, 180)))).round().astype(np.int32)
    cv2.fillPoly(canvas, [box], (rng.uniform(205, 245, 3)).tolist(), cv2.LINE_AA)
    return spot


def card_back(rng: np.random.Generator, canvas: Canvas) -> tuple[float, float]:
    """A card lying face down."""
    face = DeckPainter(int(rng.integers(1 << 30)), held_out=True).draw_back()
    quad = a_quad(rng, face)
    lay_card(canvas, face, quad.astype(np.float32), rng)
    x, y = quad.mean(axis=0) + rng.normal(0, 40, 2)
    return float(x), float(y)


def thing(rng: np.random.Generator, canvas: Canvas) -> tuple[float, float]:
    """Chips, a cup, a pen, printed matter."""
    for _ in range(int(rng.integers(1, 6))):
        draw_thing(rng, canvas)
    return float(rng.uniform(200, WIDTH_PX - 200)), float(rng.uniform(180, HEIGHT_PX - 180))


def nothing(rng: np.random.Generator, _canvas: Canvas) -> tuple[float, float]:
    """An empty table."""
    return float(rng.uniform(150, WIDTH_PX - 150)), float(rng.uniform(130, HEIGHT_PX - 130))


def window(canvas: Canvas, rng: np.random.Generator, spot: tuple[float, float]) -> None:
    """A window mirrored by a polished table: panes with bars between."""
    columns, rows = int(rng.integers(1, 3)), int(rng.integers(1, 4))
    pane = np.array([rng.uniform(40, 110), rng.uniform(50, 130)])
    glare = np.zeros(canvas.shape[:2], np.float32)
    angle = float(rng.normal(0, 0.4))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    for column in range(columns):
        for row in range(rows):
            corner = np.array([column, row]) * (pane + 8)
            box = np.array([[0, 0], [pane[0], 0], [pane[0], pane[1]], [0, pane[1]]]) + corner
            cv2.fillPoly(glare, [(box @ turn.T + spot).round().astype(np.int32)], 1.0, cv2.LINE_AA)
    canvas += cv2.GaussianBlur(glare, (0, 0), rng.uniform(1, 8))[..., None] * rng.uniform(90, LAMP_LIGHT)


NEGATIVES = {"empty": nothing, "things": thing, "blank paper": blank_paper, "card back": card_back}


def score_negatives(reader: Recogniser, count: int, seed: int) -> dict[tuple[str, str], Counter[str]]:
    """Tables without a card's face, a lamp or a window switched on over them: questions are false."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for number in range(count):
        for what, lay in NEGATIVES.items():
            rng = np.random.default_rng([seed, number, 8])
            is_felt = rng.random() < 0.6
            before = (felt if is_felt else strange_table)(rng, WIDTH_PX, HEIGHT_PX)  # nothing lying there
            lying = before.copy()
            spot = lay(rng, lying)
            for manner in ("lamp before it", "lamp on it", "window"):
                empty, lit = (lying if manner != "lamp before it" else before).copy(), lying.copy()
                lamps = (Lamp(spot, float(rng.uniform(30, 120)), float(rng.choice([3, 5, 12, 25]))),)
                shine(lit, lamps)
                if manner == "lamp before it":
                    shine(empty, lamps)
                if manner == "window":
                    lit = lying.copy()
                    window(lit, rng, spot)
                light = int(rng.integers(1 << 30))
                pictures = (photograph(np.random.default_rng(light), one, HARDNESS) for one in (empty, lit))
                asked = [
                    one.seen.reason if isinstance(one, CardAsked) else "named"
                    for _, one in said_of(reader, *pictures)
                ]
                counts[what, manner]["tables"] += 1
                counts[what, manner].update("glare" if one == "glare" else "other" for one in asked)
    return counts


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description="Score what is said of cards under a lamp.")
    parser.add_argument("--cards", type=int, default=4)
    parser.add_argument("--negatives", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fonts", type=Path, help="folder of fonts that training never saw")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    reader = Recogniser()
    fonts = fonts_in(arguments.fonts) if arguments.fonts else ()
    counts = score_cards(reader, arguments.cards, arguments.seed, fonts)
    verdicts = ("read", "glare", "asked", "twice", "nothing", "wrong")
    print(f"{'lamp':<14}{'place':<18}{'radius':>8}" + "".join(f"{one:>9}" for one in verdicts))
    for (manner, place, radius), count in sorted(counts.items()):
        print(f"{manner:<14}{place:<18}{radius:>8}" + "".join(f"{count[one]:>9}" for one in verdicts))
    for manner in ("spills", "on the card"):
        for least, most in ((0, 60), (80, 100), (120, 120)):
            total = sum(
                (
                    count
                    for (kind, _, radius), count in counts.items()
                    if kind == manner and least <= radius <= most
                ),
                Counter[str](),
            )
            print(
                f"{manner:<14}{'all, ' + f'{least} to {most} px':<26}"
                + "".join(f"{total[one]:>9}" for one in verdicts)
            )
    print(f"\n{'no card':<14}{'':<18}{'tables':>8}{'glare':>9}{'other':>9}")
    for (what, manner), count in score_negatives(reader, arguments.negatives, arguments.seed).items():
        print(f"{what:<14}{manner:<18}{count['tables']:>8}{count['glare']:>9}{count['other']:>9}", flush=True)


if __name__ == "__main__":
    main()
