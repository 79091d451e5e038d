"""Cards under another card, one index free, no deck shown: how often that names a card, how often wrongly.

    python scripts/deal_alone.py --decks 200 --fonts FOLDER [--seed 1] [--keep FOLDER]

Two cards in each picture, as in fans, rows, columns, across each other and anyhow, on tables that training
never drew; each deck in the next font of the folder, so that the rare ones count as much as the usual.
Outlines are given, a little wrong: whether a card is found is for `deal_overlapped.py` to say. A name may
come from both corners too, where the other index is read in part.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from calibration.recogniser.classify import classify
from calibration.recogniser.layers import hidden_mask
from calibration.recogniser.network import load_networks
from calibration.recogniser.rectify import CARD_HEIGHT_PX, CARD_WIDTH_PX, FlatCard, covered, rectify
from deal_rendered import fonts_in, strange_table, upper_bound
from render_cards import RANKS, SUITS, DeckPainter, Face
from render_scenes import ARRANGEMENTS, SHOWS_SHARE, Placed, arranged, index_shares, lay_card, photograph

CARDS_A_DECK = 26
CARD_HEIGHTS_PX = (80, 300)
ROUGH = 0.012
"""How wrong outlines are (standard deviation of a corner, of the width)."""
HIDDEN_SHARE = 0.3
"""The other index counts as hidden where so little of its box shows."""
TRIES = 20
RIM_PX = 12


def covered_card(
    rng: np.random.Generator, face: Face, other: Face, is_hard: bool, is_varied: bool
) -> FlatCard | None:
    """A card with another one on it, one index free, straightened; None where they never lay like that."""
    height = float(np.exp(rng.uniform(*np.log(CARD_HEIGHTS_PX))))
    aspect = face.pixels.shape[1] / face.pixels.shape[0]
    half = np.array([[-aspect, -1], [aspect, -1], [aspect, 1], [-aspect, 1]]) / 2
    lean = rng.normal(0, 0.04 if is_hard else 0.015, (4, 2))
    around = rng.uniform(0, 6.28) if rng.random() < 0.4 else rng.normal(0, 0.2)
    for _ in range(TRIES):
        poses = arranged(rng, 2, str(rng.choice(ARRANGEMENTS)), aspect)
        quads = [
            (((half + lean * 0.2) @ _turn(angle).T + [x, y]) @ _turn(around).T * height).astype(np.float32)
            for x, y, angle in poses
        ]
        low = np.concatenate(quads).min(axis=0) - RIM_PX
        quads = [quad - low for quad in quads]
        width_px, height_px = (int(side) for side in np.concatenate(quads).max(axis=0) + RIM_PX)
        placed = [Placed(face, quads[0], True), Placed(other, quads[1], False)]
        first, opposite = index_shares(placed, (height_px, width_px))[0]
        if max(first, opposite) >= SHOWS_SHARE and min(first, opposite) <= HIDDEN_SHARE:
            break
    else:
        return None
    canvas = strange_table(rng, max(width_px, 200), max(height_px, 200))
    for place in placed:
        lay_card(canvas, place.face, place.quad, rng)
    picture = photograph(rng, canvas, 0.9 if is_hard else 0.35, is_varied)
    wrong = ROUGH * aspect * height
    outline, above = ((quad + rng.normal(0, wrong, (4, 2))).astype(np.float32) for quad in quads)
    if opposite > first:
        outline = np.roll(outline, 2, axis=0)
    mask = hidden_mask(outline, [above], CARD_WIDTH_PX, CARD_HEIGHT_PX)
    return covered(rectify(picture, outline), mask)


def _turn(angle: float) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def main() -> None:
    """Deal decks and print what became of their cards."""
    parser = argparse.ArgumentParser(description="Deal drawn cards that lie under another one.")
    parser.add_argument("--decks", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fonts", type=Path, help="folder of fonts that training never saw")
    parser.add_argument("--keep", type=Path, help="write the cards that were named wrong here")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    networks = load_networks()
    fonts = fonts_in(arguments.fonts) if arguments.fonts else ()
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for number in range(arguments.decks):
        rng = np.random.default_rng([arguments.seed, number, 31])
        font = fonts[number % len(fonts) : number % len(fonts) + 1] if fonts else ()
        painter = DeckPainter(60_000_000 + 10_000 * arguments.seed + number, True, font, number % 3 == 2)
        names = [(RANKS[int(n) % 13], SUITS[int(n) // 13]) for n in rng.permutation(52)]
        flats, truth = [], []
        for one, other in zip(names[:CARDS_A_DECK], names[CARDS_A_DECK:], strict=True):
            faces = painter.draw(*one), painter.draw(*other)
            flat = covered_card(rng, *faces, bool(rng.random() < 0.5), bool(rng.random() < 0.25))
            if flat is not None:
                flats.append(flat)
                truth.append((faces[0].name, "courts" if one[0] in "JQK" else "aces to tens"))
        for flat, said, (name, kind) in zip(flats, classify(flats, networks), truth, strict=True):
            is_named, is_wrong = not said.reason, not said.reason and str(said.card) != name
            for title in (kind, "together"):
                counts[title].update(cards=1, named=int(is_named), wrong=int(is_wrong))
            if is_wrong:
                print(f"wrong: deck {number} {font[0].name if font else ''}: {said.card} of {name or 'none'}")
                if arguments.keep is not None:
                    arguments.keep.mkdir(parents=True, exist_ok=True)
                    cv2.imwrite(str(arguments.keep / f"{number:04d}_{said.card}_{name}.png"), flat.image)
        if number % 20 == 19 or number == arguments.decks - 1:
            report(counts, number + 1)


def report(counts: dict[str, Counter[str]], decks: int) -> None:
    """Print what is known so far."""
    print(f"after {decks} decks")
    for title, count in sorted(counts.items()):
        bound = upper_bound(count["wrong"], count["named"])
        share = f"({count['named'] / count['cards']:.0%})"
        figures = f"{count['cards']:>7} cards{count['named']:>7} named {share:>5}{count['wrong']:>4} wrong"
        print(f"{title:<14}{figures}, at most 1 in {1 / bound:,.0f} (95 %)")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
