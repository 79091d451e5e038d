"""Draws what the reader's networks learn from: views of cards and whole tables, under build/recogniser.

    python scripts/draw_lessons.py cards --shards 64        corners and middles, as the reader sees them
    python scripts/draw_lessons.py tables --shards 27       tables with the places of the cards on them

Shards are named by a number that is also their seed: run it again and it goes on where it stopped.
Needs what render_cards.py needs; run from the repository's root with PYTHONPATH=.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from calibration.errors import DegenerateOutline
from calibration.recogniser.rectify import (
    BODY_HEIGHT_PX,
    BODY_WIDTH_PX,
    CARD_HEIGHT_PX,
    CARD_WIDTH_PX,
    FlatCard,
    body_view,
    rectify,
)
from calibration.recogniser.segment import CELL_PX, CORE_SHARE
from render_cards import RANKS, SUITS, DeckPainter, Face, Pixels
from render_scenes import (
    Canvas,
    Placed,
    draw_fingers,
    draw_scene,
    draw_table,
    draw_thing,
    lay_card,
    photograph,
)

BODIES = ("A", *"23456789T", "court", "")
NO_RANK, NO_SUIT, NO_BODY = len(RANKS), len(SUITS), len(BODIES) - 1
SEED = 6
SHARD_CARDS = 1040
CARDS_A_DECK = 52
"""Cards photographed of each drawn deck; a shard holds 20 decks."""
SIDE_OFF_SHARE, SIDE_OFF = 0.3, (-0.05, 0.07)
"""Share of the outlines with a side laid wrongly, and how far outwards (shares of the card's width)."""
OUTLINES_A_PICTURE = 2
"""Straightened by this many outlines, each a little off: cheaper than another picture."""
COVERED_SHARE = 0.06
"""Share of the corners under a finger."""
SOFT_SHARE, DARK_SHARE = 0.25, 0.12
"""Share of the cards photographed out of focus or moving, and in the dark."""
VARIED_SHARE = 0.7
"""Share of the decks with rarer looks."""
SLANTED_SHARE = 0.35
"""Share of the cards seen from the side."""
NEIGHBOUR_SHARE = 0.2
"""Share of the cards on which another one lies that leaves an index free."""
SCRAP_WIDTH_PX, SCRAP_HEIGHT_PX = 72, 108
"""A corner as it is kept, for training to cut its views from: three quarters of `FlatCard.around`'s scale."""
SCRAP_SCALE = 0.75
HIDDEN, FREE = 0.6, 0.05
"""Share of an index from which it is hidden, and up to which it is free; what lies between isn't taught."""
OVERLAP_SHARE = 0.6
"""Share of the tables on which cards may lie over others."""
SHARD_TABLES = 200
TABLES_A_DECK = 10
TABLE_WIDTH_PX, TABLE_HEIGHT_PX = 352, 256
"""Size at which the segment network learns; drawn at twice that, as a camera's picture would be shrunk."""
EXAM_SHARDS = 3
BUILD_FOLDER = Path("build/recogniser")

UNIT_CARD = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)

Sample: TypeAlias = tuple[Pixels, int, int]
Arrays: TypeAlias = dict[str, npt.NDArray[np.uint8] | npt.NDArray[np.int64]]


def picture_of(
    rng: np.random.Generator, face: Face, neighbour: Neighbour | None = None
) -> tuple[Pixels, npt.NDArray[np.float32]]:
    """Photograph one card on some table; returns the picture and the card's corners in it.

    The neighbour, if there is one, lies on the card.
    """
    height = float(np.exp(rng.uniform(np.log(58), np.log(340))))
    width = height * face.pixels.shape[1] / face.pixels.shape[0]
    angle = rng.uniform(0, 6.28)
    half = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    flat = half @ turn.T
    if rng.random() < SLANTED_SHARE:
        flat[:, 1] *= rng.uniform(0.55, 1.0)
    quad = (flat + rng.uniform(-0.06, 0.06, (4, 2)) * width).astype(np.float32)
    margin = 0.08 * width + 4
    quad += margin - quad.min(axis=0)
    size = (int(quad[:, 0].max() + margin), int(quad[:, 1].max() + margin))
    table = draw_table(rng, 96, 96)
    if rng.random() < 0.3:
        draw_thing(rng, table)
    canvas = np.asarray(cv2.resize(table, size), np.float32)
    lay_card(canvas, face, quad, rng)
    if neighbour is not None:
        transform = cv2.getPerspectiveTransform(UNIT_CARD, quad)
        over = cv2.perspectiveTransform(neighbour.quad[None], transform)[0].astype(np.float32)
        lay_card(canvas, neighbour.face, over, rng)
    if rng.random() < SOFT_SHARE:
        canvas = out_of_focus(rng, canvas, height)
    if rng.random() < DARK_SHARE:
        canvas *= np.float32(rng.uniform(0.12, 0.5))
    return photograph(rng, canvas, hardness=float(rng.uniform(0.2, 1.0)), varied=True), quad


@dataclass(frozen=True)
class Neighbour:
    """A card that lies on another one.

    Attributes:
        face: What it shows.
        quad: (4, 2) float32, its corners in shares of the lower card's width and height.
        hidden: How much of the lower card's two indices it hides, the upright one first.
    """

    face: Face
    quad: npt.NDArray[np.float32]
    hidden: tuple[float, float]


def neighbour_of(rng: np.random.Generator, painter: DeckPainter, face: Face) -> Neighbour:
    """Lay a card right of an index or below it, as close as cards are fanned."""
    aspect = painter.width / painter.height
    index = np.array(
        [
            2 * painter.index_x + (painter.suit_height * 1.2 if painter.beside else 0),
            painter.top + painter.rank_height + painter.gap + painter.suit_height,
        ]
    ) / [painter.width, painter.height]
    angle = rng.normal(0, 0.2) if rng.random() < 0.6 else rng.uniform(0, 6.28)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    card = (np.array([[-aspect, -1], [aspect, -1], [aspect, 1], [-aspect, 1]]) / 2 @ turn.T) / [aspect, 1]
    card += rng.uniform(-0.3, 0.9, 2)
    axis = int(rng.random() < 0.4)  # right of it, or below it
    card[:, axis] += index[axis] + rng.exponential(0.12) - card[:, axis].min()
    boxes = np.array([[[0.02, 0.02], index], [1 - index, [0.98, 0.98]]])
    grid = np.zeros((100, 100), np.uint8)
    cv2.fillConvexPoly(grid, np.round(card * 1600).astype(np.int32), 1, shift=4)
    parts = [grid[int(100 * a[1]) : int(100 * b[1]), int(100 * a[0]) : int(100 * b[0])] for a, b in boxes]
    hidden = float(parts[0].mean()), float(parts[1].mean())
    return Neighbour(face, card.astype(np.float32), hidden)


def out_of_focus(rng: np.random.Generator, canvas: npt.NDArray[np.float32], card_height_px: float) -> Canvas:
    """Blurred by the lens or by movement, up to what a person can just read."""
    if rng.random() < 0.5:
        sigma = card_height_px * rng.uniform(0.003, 0.012)
        return np.asarray(cv2.GaussianBlur(canvas, (0, 0), sigma), np.float32)
    length = max(2, round(card_height_px * rng.uniform(0.01, 0.04)))
    kernel = np.zeros((length, length), np.float32)
    ends = rng.integers(0, length, 2)
    cv2.line(kernel, (0, int(ends[0])), (length - 1, int(ends[1])), 1.0)
    if rng.random() < 0.5:
        kernel = np.ascontiguousarray(kernel.T)
    return np.asarray(cv2.filter2D(canvas, -1, kernel / kernel.sum()), np.float32)


def flat_of(
    rng: np.random.Generator, picture: Pixels, quad: npt.NDArray[np.float32]
) -> tuple[FlatCard, bool]:
    """A straightened card as the reader would see it, and whether its outline was good enough to name it.

    Outlines err as those of `locate` do: every corner a little, and now and then a side that was laid on a
    shadow's edge, on a frame line or short of a glaring rim.
    """
    card_width = float(np.linalg.norm(quad[1] - quad[0]))
    bad = rng.random() < 0.08
    spread = rng.uniform(0.1, 0.3) if bad else rng.uniform(0.0, 0.03)
    noisy = quad + rng.normal(0, spread, (4, 2)).astype(np.float32) * card_width
    if rng.random() < SIDE_OFF_SHARE:
        side = int(rng.integers(4))
        one, two = side, (side + 1) % 4
        outwards = (quad[one] + quad[two]) / 2 - quad.mean(axis=0)
        off = outwards / np.linalg.norm(outwards) * rng.uniform(*SIDE_OFF) * card_width
        noisy[one] += off
        noisy[two] += off * rng.uniform(0.3, 1.0)
    return rectify(picture, noisy.astype(np.float32)), not bad


def index_views(
    rng: np.random.Generator, face: Face, flat: FlatCard, good: bool, neighbour: Neighbour | None
) -> Iterator[Sample]:
    """Corners of one card with their classes: mostly readable, some that must be called none."""
    around = flat.around
    rank = RANKS.index(face.rank) if face.rank else NO_RANK
    suit = SUITS.index(face.suit) if face.suit else NO_SUIT
    hidden = neighbour.hidden if neighbour is not None else (0.0, 0.0)
    if good:
        for corner, share in zip((around, around[::-1, ::-1]), hidden, strict=True):
            if share >= HIDDEN:
                yield _scrap(corner), NO_RANK, NO_SUIT
            elif share <= FREE and rng.random() < COVERED_SHARE:
                yield _covered(rng, _scrap(corner)), NO_RANK, NO_SUIT
            elif share <= FREE:
                yield _scrap(corner), rank, suit
    roll = rng.random()
    if neighbour is not None:
        return
    if roll < 0.18:  # lying on its side, as when the reader takes the long side for the short one
        yield _scrap(_on_its_side(rng, around)), NO_RANK, NO_SUIT
    elif roll < 0.3 and face.corners == 2 and good:  # the corner without an index
        yield _scrap(_other_corner(around)), NO_RANK, NO_SUIT
    elif roll < 0.38:  # anywhere in the middle
        y, x = int(rng.integers(60, 200)), int(rng.integers(40, 130))
        yield _scrap(around[y:, x:]), NO_RANK, NO_SUIT
    elif roll < 0.42:
        yield _table_view(rng, SCRAP_WIDTH_PX, SCRAP_HEIGHT_PX), NO_RANK, NO_SUIT


def _scrap(corner: Pixels) -> Pixels:
    """The top left of a card with its rim, smaller."""
    width, height = round(SCRAP_WIDTH_PX / SCRAP_SCALE), round(SCRAP_HEIGHT_PX / SCRAP_SCALE)
    part = np.ascontiguousarray(corner[:height, :width])
    return np.asarray(
        cv2.resize(part, (SCRAP_WIDTH_PX, SCRAP_HEIGHT_PX), interpolation=cv2.INTER_AREA), np.uint8
    )


def body_views(rng: np.random.Generator, face: Face, even: Pixels, good: bool) -> Iterator[Sample]:
    """The middle of one card, its index hidden."""
    body, suit = BODIES.index(face.body), SUITS.index(face.suit) if face.suit else NO_SUIT
    if good:
        yield body_view(even), body, suit
    elif rng.random() < 0.5:
        yield body_view(even), NO_BODY, NO_SUIT
    roll = rng.random()
    if roll < 0.1:
        yield body_view(_on_its_side(rng, even)), NO_BODY, NO_SUIT
    elif roll < 0.15:
        table = _table_view(rng, BODY_WIDTH_PX, BODY_HEIGHT_PX)
        yield (
            body_view(_resized(table, CARD_WIDTH_PX, CARD_HEIGHT_PX)),
            NO_BODY,
            NO_SUIT,
        )


def _on_its_side(rng: np.random.Generator, card: Pixels) -> Pixels:
    return _resized(np.rot90(card, int(rng.choice([1, 3]))), card.shape[1], card.shape[0])


def _resized(view: Pixels, width: int, height: int) -> Pixels:
    return np.asarray(cv2.resize(np.ascontiguousarray(view), (width, height)), np.uint8)


def _other_corner(even: Pixels) -> Pixels:
    """The top right corner brought to the top left without mirroring: a shift, as by a wrong outline."""
    return np.roll(even, CARD_WIDTH_PX // 4, axis=1)


def _covered(rng: np.random.Generator, view: Pixels) -> Pixels:
    """A corner under a finger."""
    canvas = view.astype(np.float32)
    h, w = canvas.shape[:2]
    draw_fingers(rng, canvas, np.array([w * 0.35, h * 0.3], np.float32), w * 1.2)
    cv2.circle(
        canvas,
        (int(w * 0.35), int(h * 0.28)),
        int(w * 0.35),
        canvas[int(h * 0.3), int(w * 0.35)].tolist(),
        -1,
    )
    return np.clip(canvas, 0, 255).astype(np.uint8)


def _table_view(rng: np.random.Generator, width: int, height: int) -> Pixels:
    canvas = draw_table(rng, width * 3, height * 3)
    for _ in range(3):
        draw_thing(rng, canvas)
    crop = canvas[height : 2 * height, width : 2 * width]
    return np.clip(crop, 0, 255).astype(np.uint8)


def draw_cards(rng: np.random.Generator, held_out: bool) -> Arrays:
    """Photograph `SHARD_CARDS` cards of fresh decks and keep their views."""
    views: dict[str, list[Sample]] = {"index": [], "body": []}
    for _ in range(SHARD_CARDS // CARDS_A_DECK):
        painter = DeckPainter(int(rng.integers(1 << 30)), held_out, varied=bool(rng.random() < VARIED_SHARE))
        deck = painter.deck()
        for _ in range(CARDS_A_DECK):
            face = (
                deck[int(rng.integers(52))] if rng.random() < 0.93 else deck[int(rng.integers(52, len(deck)))]
            )
            neighbour = None
            if rng.random() < NEIGHBOUR_SHARE:
                neighbour = neighbour_of(rng, painter, deck[int(rng.integers(len(deck)))])
            picture, quad = picture_of(rng, face, neighbour)
            for _ in range(OUTLINES_A_PICTURE):
                try:
                    flat, good = flat_of(rng, picture, quad)
                except DegenerateOutline:
                    continue
                views["index"] += index_views(rng, face, flat, good, neighbour)
                if neighbour is None:
                    views["body"] += body_views(rng, face, flat.even, good)
    arrays: Arrays = {}
    for kind, samples in views.items():
        arrays[kind] = np.stack([sample[0] for sample in samples])
        arrays[f"{kind}_classes"] = np.array([sample[1:] for sample in samples], np.int64)
    return arrays


def draw_tables(rng: np.random.Generator, held_out: bool) -> Arrays:
    """Photograph `SHARD_TABLES` tables and mark where faces lie."""
    pictures, marks = [], []
    for _ in range(SHARD_TABLES // TABLES_A_DECK):
        deck = DeckPainter(
            int(rng.integers(1 << 30)), held_out, varied=bool(rng.random() < VARIED_SHARE)
        ).deck()
        for _ in range(TABLES_A_DECK):
            count = int(
                rng.choice([0, 1, 2, 3, 4, 5, 7, 10], p=[0.06, 0.24, 0.18, 0.16, 0.14, 0.1, 0.07, 0.05])
            )
            faces = [deck[int(n)] for n in rng.integers(0, len(deck), count)]
            largest = 480 if count < 3 else 300
            picture, placed = draw_scene(
                rng,
                faces,
                2 * TABLE_WIDTH_PX,
                2 * TABLE_HEIGHT_PX,
                hardness=float(rng.uniform(0.2, 1)),
                card_height_px=(44, largest),
                overlap=bool(rng.random() < OVERLAP_SHARE),
                varied=True,
            )
            pictures.append(
                cv2.resize(picture, (TABLE_WIDTH_PX, TABLE_HEIGHT_PX), interpolation=cv2.INTER_AREA)
            )
            marks.append(marks_of(placed))
    return {"tables": np.stack(pictures).astype(np.uint8), "tables_marks": np.stack(marks)}


def marks_of(placed: list[Placed]) -> npt.NDArray[np.uint8]:
    """Cells that show a face, and cells in a face's core: (rows, columns, 2), share 0 to 255."""
    face, core = (np.zeros((TABLE_HEIGHT_PX, TABLE_WIDTH_PX), np.uint8) for _ in range(2))
    for place in placed:
        quad = place.quad / 2
        inner = quad.mean(axis=0) + (quad - quad.mean(axis=0)) * CORE_SHARE
        is_face = bool(place.face.suit)
        cv2.fillConvexPoly(face, np.round(quad * 16).astype(np.int32), 255 if is_face else 0, shift=4)
        cv2.fillConvexPoly(core, np.round(quad * 16).astype(np.int32), 0, shift=4)
        if is_face:
            cv2.fillConvexPoly(core, np.round(inner * 16).astype(np.int32), 255, shift=4)
    size = (TABLE_WIDTH_PX // CELL_PX, TABLE_HEIGHT_PX // CELL_PX)
    small = [cv2.resize(mark, size, interpolation=cv2.INTER_AREA) for mark in (face, core)]
    return np.stack(small, axis=-1).astype(np.uint8)


def draw_shards(what: str, shards: int, first: int, step: int) -> None:
    """Draw so many shards, the examination first; several may draw, each every so many."""
    cv2.setNumThreads(1)
    painters: dict[str, Callable[[np.random.Generator, bool], Arrays]] = {
        "cards": draw_cards,
        "tables": draw_tables,
    }
    BUILD_FOLDER.mkdir(parents=True, exist_ok=True)
    for number in range(first, shards, step):
        held_out = number < EXAM_SHARDS
        folder = BUILD_FOLDER / f"{what}_{'exam' if held_out else 'lesson'}_{number:04d}"
        if not folder.exists():
            rng = np.random.default_rng([SEED, number, len(what)])
            part = folder.with_name(f"part_{folder.name}")
            part.mkdir(exist_ok=True)
            for name, array in painters[what](rng, held_out).items():
                np.save(part / f"{name}.npy", array, allow_pickle=False)
            part.rename(folder)  # only whole shards carry the name


def main() -> None:
    """Draw lessons."""
    parser = argparse.ArgumentParser(description="Draw what the card reader learns from.")
    parser.add_argument("what", choices=["cards", "tables"])
    parser.add_argument(
        "--shards", type=int, default=64, help="how many there shall be, the first three for tests"
    )
    parser.add_argument("--first", type=int, default=0, help="number of the first shard")
    parser.add_argument("--step", type=int, default=1, help="draw every so many, while others draw the rest")
    arguments = parser.parse_args()
    draw_shards(arguments.what, arguments.shards, arguments.first, arguments.step)


if __name__ == "__main__":
    main()
