"""Draws the small sample in tests/data/frames: a casino round, a pool card, an unreadable one, a whole deck.

    python scripts/render_sample.py --out tests/data/frames

Needs what render_cards.py needs. The pictures are our own; seeds are fixed (same fonts: same pictures).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from render_cards import RANKS, SUITS, DeckPainter, Face, Pixels
from render_scenes import lay_card, photograph

WIDTH_PX, HEIGHT_PX = 1280, 720
CARD_HEIGHT_PX = 210
DECK_SEED = 39
JPEG_QUALITY = 82
FELT = (52, 92, 38)
SHEET_CARD_PX = (150, 210)
SHEET_QUALITY = 88

SPOTS = {
    "left": (420, 330, -0.06),
    "right": (860, 340, 0.05),
    "middle": (640, 380, 0.02),
    "pool": (600, 360, 0.3),
}
"""Centre in pixels and turn in radians."""
PICTURES: dict[str, list[tuple[str, str]]] = {
    "casino_1_first_post.jpg": [("5H", "left")],
    "casino_2_both_posts.jpg": [("5H", "left"), ("9S", "right")],
    "casino_3_third_card.jpg": [("5H", "left"), ("9S", "right"), ("7D", "middle")],
    "pool_1_turned_card.jpg": [("KC", "pool")],
    "unreadable_1.jpg": [("QD", "middle")],
}


def draw_picture(deck: dict[str, Face], cards: list[tuple[str, str]], spoiled: bool) -> Pixels:
    """One picture of cards on a dark green felt."""
    rng = np.random.default_rng(DECK_SEED)
    canvas = np.empty((HEIGHT_PX, WIDTH_PX, 3), np.float32)
    canvas[:] = FELT
    cloud = cv2.resize(
        rng.normal(0, 5, (6, 10)).astype(np.float32), (WIDTH_PX, HEIGHT_PX), interpolation=cv2.INTER_CUBIC
    )
    canvas += np.asarray(cloud)[..., None]
    for name, spot in cards:
        face = deck[name]
        x, y, turn = SPOTS[spot]
        half = np.array([face.pixels.shape[1] / face.pixels.shape[0], 1.0]) * CARD_HEIGHT_PX / 2
        box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        quad = (box @ rotation + [x, y]).astype(np.float32)
        lay_card(canvas, face, quad, np.random.default_rng(1))
        if spoiled:
            spoil(canvas, quad)
    return photograph(np.random.default_rng(5), canvas, hardness=0.15)


def spoil(canvas: npt.NDArray[np.float32], quad: npt.NDArray[np.float32]) -> None:
    """Glare over both indices."""
    glare = np.zeros(canvas.shape[:2], np.float32)
    for corner, inwards in ((quad[0], (26, 44)), (quad[2], (-26, -44))):
        cv2.circle(glare, (int(corner[0]) + inwards[0], int(corner[1]) + inwards[1]), 30, 1.0, -1)
    canvas += cv2.GaussianBlur(glare, (0, 0), 5)[..., None] * 260


def deck_sheet(deck: dict[str, Face]) -> Pixels:
    """All 52 faces side by side, a suit a row, from two to ace; bare table shows where corners are round."""
    rows = []
    for suit in SUITS:
        cards = []
        for rank in RANKS:
            face = deck[rank + suit]
            mask = face.mask[..., None]
            card = face.pixels * mask + np.array(FELT, np.float32) * (1 - mask)
            cards.append(cv2.resize(card.astype(np.uint8), SHEET_CARD_PX, interpolation=cv2.INTER_AREA))
        rows.append(np.hstack(cards))
    return np.asarray(np.vstack(rows), np.uint8)


def main() -> None:
    """Draw the sample and its labels."""
    parser = argparse.ArgumentParser(description="Draw the sample pictures of the tests.")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    (arguments.out / "deck").mkdir(parents=True, exist_ok=True)
    deck = {face.name: face for face in DeckPainter(DECK_SEED).deck() if face.name}
    cv2.imwrite(
        str(arguments.out / "deck" / "sheet.jpg"), deck_sheet(deck), [cv2.IMWRITE_JPEG_QUALITY, SHEET_QUALITY]
    )
    lines = ["file,cards"]
    for name, cards in PICTURES.items():
        image = draw_picture(deck, cards, spoiled=name.startswith("unreadable"))
        cv2.imwrite(str(arguments.out / name), image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        lines.append(f"{name},{' '.join(card for card, _ in cards)}")
    (arguments.out / "labels.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
