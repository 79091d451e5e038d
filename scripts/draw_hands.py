"""Draws what the spot network learns from, under build/recogniser: hands, rows and heaps of cards.

    python scripts/draw_hands.py --minutes 6 [--first 0 --step 2]

A lesson is a square round a heap, SIDE_PX a side, and of every index that shows where it is and its card's
outline from that corner. Shards are named by a number that is also their seed. Needs what render_cards.py
needs; run from the repository's root with PYTHONPATH=.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.recogniser.spot import SIDE_PX, square_view
from draw_lessons import BUILD_FOLDER, EXAM_SHARDS, SEED, VARIED_SHARE
from render_cards import RANKS, SUITS, DeckPainter, Face
from render_scenes import (
    ARRANGEMENTS,
    INDEX_BOX,
    SHOWS_SHARE,
    Placed,
    draw_overlapped,
    draw_scene,
    index_shares,
)

CANVAS_PX = 480
CARD_PX = (75, 300)
APART_SHARE = 0.2
"""Share of the lessons in which cards may also lie apart."""
HELD_SHARE = 0.35
"""Share of the others in which fingers hold the cards."""
SHARD_HANDS = 100
HANDS_A_DECK, FACES_A_DECK = 20, 18
MOST_INDICES = 24
FIELDS = 10
"""Of an index: middle, corner, way along the top, way down the side (x and y each); 1; 1 where it shows well
enough to be asked for, 0 where half of it shows: neither demanded nor forbidden."""
HALF_SHOWS = 0.35

Answers = npt.NDArray[np.float32]


def draw_hand(rng: np.random.Generator, deck: Sequence[Face]) -> tuple[npt.NDArray[np.uint8], Answers]:
    """One square view and its answers (MOST_INDICES, FIELDS), in pixels of the view."""
    count = int(rng.choice([1, 2, 3, 4, 5, 7], p=[0.08, 0.22, 0.24, 0.2, 0.2, 0.06]))
    faces = [deck[int(n)] for n in rng.permutation(len(deck))[:count]]
    hardness = float(rng.uniform(0.2, 1.0))
    if rng.random() < APART_SHARE:
        picture, placed = draw_scene(
            rng, faces, CANVAS_PX, CANVAS_PX, hardness, CARD_PX, overlap=True, varied=True
        )
    else:
        arrangement = str(rng.choice(ARRANGEMENTS, p=[0.34, 0.22, 0.16, 0.12, 0.16]))
        picture, placed = draw_overlapped(
            rng,
            faces,
            arrangement,
            CANVAS_PX,
            CANVAS_PX,
            hardness,
            CARD_PX,
            varied=True,
            held_share=HELD_SHARE,
        )
    centre, side = np.array([CANVAS_PX, CANVAS_PX]) / 2, float(CANVAS_PX)
    if placed and rng.random() < 0.92:
        corners = np.concatenate([place.quad for place in placed])
        low, high = corners.min(axis=0), corners.max(axis=0)
        side = float((high - low).max() * rng.uniform(1.0, 1.5))
        centre = (low + high) / 2 + rng.uniform(-0.08, 0.08, 2) * side
    view, to_view = square_view(picture, centre, side)
    return view, answers_of(placed, picture.shape[:2], to_view)


def answers_of(placed: Sequence[Placed], shape: tuple[int, ...], to_view: npt.NDArray[np.float64]) -> Answers:
    """Every index that shows wholly or half."""
    answers = np.zeros((MOST_INDICES, FIELDS), np.float32)
    number = 0
    middle = np.array([(INDEX_BOX[0] + INDEX_BOX[2]) / 2, (INDEX_BOX[1] + INDEX_BOX[3]) / 2])
    for place, shares in zip(placed, index_shares(placed, (shape[0], shape[1])), strict=True):
        if not place.face.suit:
            continue
        quad = (place.quad @ to_view[:, :2].T + to_view[:, 2]).astype(np.float32)
        for turned, share in ((quad, shares[0]), (np.roll(quad, 2, axis=0), shares[1])):
            if share < HALF_SHOWS or number == MOST_INDICES:
                continue
            across, down = turned[1] - turned[0], turned[3] - turned[0]
            spot = turned[0] + middle[0] * across + middle[1] * down
            if spot.min() < 0 or spot.max() >= SIDE_PX:
                continue
            answers[number] = [*spot, *turned[0], *across, *down, 1, share >= SHOWS_SHARE]
            number += 1
    return answers


def draw_shards(minutes: float, first: int, step: int) -> None:
    """Draw shards for a time, the examination first."""
    cv2.setNumThreads(1)
    BUILD_FOLDER.mkdir(parents=True, exist_ok=True)
    start, number = time.monotonic(), first
    while time.monotonic() - start < 60 * minutes:
        held_out = number < EXAM_SHARDS
        file = BUILD_FOLDER / f"hands_{'exam' if held_out else 'lesson'}_{number:04d}.npz"
        if not file.exists():
            rng = np.random.default_rng([SEED, number, 31])
            lessons = []
            for _ in range(SHARD_HANDS // HANDS_A_DECK):
                painter = DeckPainter(
                    int(rng.integers(1 << 30)), held_out, varied=bool(rng.random() < VARIED_SHARE)
                )
                names = rng.permutation(52)[:FACES_A_DECK]
                deck = [painter.draw(RANKS[int(n) % 13], SUITS[int(n) // 13]) for n in names]
                deck += [painter.draw_joker(), painter.draw_back()]
                lessons += [draw_hand(rng, deck) for _ in range(HANDS_A_DECK)]
            part = file.with_name(f"part_{file.name}")
            np.savez(
                part,
                allow_pickle=False,
                hands=np.stack([view for view, _ in lessons]),
                hands_answers=np.stack([answers for _, answers in lessons]),
            )
            part.rename(file)
        number += step


def main() -> None:
    """Draw lessons for a time."""
    parser = argparse.ArgumentParser(description="Draw what the spot network learns from.")
    parser.add_argument("--minutes", type=float, default=6.0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--step", type=int, default=1)
    arguments = parser.parse_args()
    draw_shards(arguments.minutes, arguments.first, arguments.step)


if __name__ == "__main__":
    main()
