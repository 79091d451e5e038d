"""Pictures of a dealer's table, put together from the drawn faces in tests/data/faces: for tests and benches.

    python scripts/table_pictures.py "5H@420,330 9S@860,340" --out picture.jpg

Needs OpenCV and numpy only; the faces were drawn by `render_faces.py`.
"""

from __future__ import annotations

import argparse
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration.frames import Image
from calibration.pixels import load_picture, save_picture

FACES = Path(__file__).parents[1] / "tests" / "data" / "faces"
SIZE = (1280, 720)
CARD_PX = 200
"""Long side of a card in the pictures."""
FELT = (52, 92, 38)
ROUNDING = 0.035
"""Radius of a card's corners as a share of its long side."""


@dataclass(frozen=True)
class Lying:
    """A card on the table.

    Attributes:
        name: The card, such as ``5H``.
        x: Centre in the picture, pixels.
        y: Centre in the picture, pixels.
        turn: Radians, clockwise.
        is_wiped_out: Whether lamps glare on both indices, so that nobody can read it.
    """

    name: str
    x: float
    y: float
    turn: float = 0.03
    is_wiped_out: bool = False


def table_picture(cards: Sequence[Lying] = (), hand_at: tuple[float, float] | None = None) -> Image:
    """Draw the table from above; a dealer's hand may hover at a place.

    Returns:
        (720, 1280, 3) uint8, BGR.
    """
    canvas = _felt().copy()
    for card in cards:
        _lay(canvas, card)
    if hand_at is not None:
        x, y = round(hand_at[0]), round(hand_at[1])
        cv2.ellipse(canvas, (x, y), (90, 60), 20, 0, 360, (120, 150, 205), -1)
        cv2.line(canvas, (x, y), (x + 60, SIZE[1] + 60), (110, 140, 195), 90)
    soft = cv2.GaussianBlur(canvas, (0, 0), 0.7)
    return np.asarray(soft.clip(0, 255), np.uint8)


def posts_and_third(*names: str) -> tuple[Lying, ...]:
    """Casino cards where a dealer puts them: posts left and right, the third between them."""
    places = ((330.0, 260.0, -0.05), (950.0, 265.0, 0.04), (640.0, 255.0, 0.02))
    return tuple(Lying(name, *place) for name, place in zip(names, places, strict=False))


def shown_hand(*names: str) -> tuple[Lying, ...]:
    """A hand laid out in front of the dealer, up to five cards side by side."""
    first = 640 - 88 * (len(names) - 1)
    return tuple(Lying(name, first + 176 * n, 580, 0.02 * (n - 2)) for n, name in enumerate(names))


@functools.cache
def _felt() -> npt.NDArray[np.float32]:
    rng = np.random.default_rng(39)
    coarse = rng.normal(0, 5, (6, 10)).astype(np.float32)
    canvas = np.empty((SIZE[1], SIZE[0], 3), np.float32)
    canvas[:] = FELT
    canvas += cv2.resize(coarse, SIZE, interpolation=cv2.INTER_CUBIC)[..., None]
    return canvas


@functools.cache
def _face(name: str) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    face = load_picture(FACES / f"{name}.jpg").astype(np.float32)
    height, width = face.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    radius = round(ROUNDING * height)
    cv2.rectangle(mask, (radius, 0), (width - radius - 1, height - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (width - 1, height - radius - 1), 255, -1)
    for x in (radius, width - radius - 1):
        for y in (radius, height - radius - 1):
            cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA)
    return face, mask.astype(np.float32) * np.float32(1 / 255)


def _lay(canvas: npt.NDArray[np.float32], card: Lying) -> None:
    face, mask = _face(card.name)
    height, width = face.shape[:2]
    half = np.array([width / height, 1.0]) * CARD_PX / 2
    turn = np.array([[np.cos(card.turn), np.sin(card.turn)], [-np.sin(card.turn), np.cos(card.turn)]])
    quad = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half @ turn + [card.x, card.y]
    source = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    mapping = cv2.getPerspectiveTransform(source, quad.astype(np.float32))
    printed = cv2.warpPerspective(face, mapping, SIZE, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    inside = cv2.warpPerspective(mask, mapping, SIZE)[..., None]
    shadow = cv2.GaussianBlur(np.roll(inside, (3, 2), axis=(0, 1)), (0, 0), 3)[..., None]
    canvas *= 1 - 0.3 * shadow
    canvas[:] = canvas * (1 - inside) + printed * inside
    if card.is_wiped_out:
        for corner in (quad[0], quad[2]):
            _shine(canvas, corner + (np.array([card.x, card.y]) - corner) * 0.28, 42)


def _shine(canvas: npt.NDArray[np.float32], at: npt.NDArray[np.float64], radius_px: int) -> None:
    glare = np.zeros((SIZE[1], SIZE[0]), np.float32)
    cv2.circle(glare, (int(at[0]), int(at[1])), radius_px, 1.0, -1)
    canvas += cv2.GaussianBlur(glare, (0, 0), 5)[..., None] * 260


def main() -> None:
    """Write one picture."""
    parser = argparse.ArgumentParser(description="Put a picture of a table together.")
    parser.add_argument("cards", help='such as "5H@420,330 9S@860,340"')
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    lying = []
    for word in arguments.cards.split():
        name, _at, place = word.partition("@")
        x, y = place.split(",")
        lying.append(Lying(name, float(x), float(y)))
    save_picture(arguments.out, table_picture(lying))


if __name__ == "__main__":
    main()
