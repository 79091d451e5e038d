"""Draws the faces in tests/data/faces, of which `table_pictures.py` puts tables together.

    python scripts/render_faces.py --out tests/data/faces 5H 9S 7D …

Needs what render_cards.py needs. The pictures are our own; the seed is fixed (same fonts: same pictures).
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2

from render_cards import DeckPainter

DECK_SEED = 39
HEIGHT_PX = 240
JPEG_QUALITY = 88


def main() -> None:
    """Draw the faces that were named, or the whole deck."""
    parser = argparse.ArgumentParser(description="Draw card faces for tests.")
    parser.add_argument("cards", nargs="*")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=DECK_SEED)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for face in DeckPainter(arguments.seed).deck():
        if not face.name or (arguments.cards and face.name not in arguments.cards):
            continue
        width = round(face.pixels.shape[1] * HEIGHT_PX / face.pixels.shape[0])
        small = cv2.resize(face.pixels, (width, HEIGHT_PX), interpolation=cv2.INTER_AREA)
        path = arguments.out / f"{face.name}.jpg"
        cv2.imwrite(str(path), small, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])


if __name__ == "__main__":
    main()
