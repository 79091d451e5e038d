"""Turns other people's free decks into folders of QH.png to test the reader; nothing is learned from them.

    apt-get install librsvg2-bin
    apt-get download gnome-cards-data kdegames-card-data-kf5 && for d in *.deb; do dpkg -x $d unpacked; done
    python scripts/unpack_decks.py unpacked --out build/decks

Sheets of AisleRiot (GPL, one picture of 13 by 5 cards) and decks of KDE (GPL, one element a card) are known.
"""

from __future__ import annotations

import argparse
import gzip
import subprocess
from pathlib import Path

import cv2
import numpy as np

from render_cards import FACE_HEIGHT_PX, SUITS, Pixels

SHEET_RANKS = "A23456789TJQK"
SHEET_SUITS = SUITS
SHEET_ROWS = 5
KDE_SUITS = {"club": "C", "diamond": "D", "heart": "H", "spade": "S"}
KDE_RANKS = {"1": "A", "10": "T", "jack": "J", "queen": "Q", "king": "K"} | {
    str(n): str(n) for n in range(2, 10)
}
LEAST_CARDS = 32


def drawn(svg: Path, height_px: int, element: str = "") -> Pixels | None:
    """A drawing, or one element of it, as (H, W, 4) BGRA; None where it can't be drawn."""
    command = [
        "rsvg-convert",
        "--unlimited",
        "-h",
        str(height_px),
        *(["-i", element] if element else []),
        str(svg),
    ]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode or not done.stdout:
        return None
    picture = cv2.imdecode(np.frombuffer(done.stdout, np.uint8), cv2.IMREAD_UNCHANGED)
    return None if picture is None or picture.ndim != 3 else np.asarray(picture, np.uint8)


def sheet_cards(svg: Path) -> dict[str, Pixels]:
    """The 52 cards of a sheet."""
    sheet = drawn(svg, SHEET_ROWS * FACE_HEIGHT_PX)
    if sheet is None:
        return {}
    width = sheet.shape[1] / len(SHEET_RANKS)
    cards = {}
    for row, suit in enumerate(SHEET_SUITS):
        for column, rank in enumerate(SHEET_RANKS):
            left, right = round(column * width), round((column + 1) * width)
            part = sheet[row * FACE_HEIGHT_PX : (row + 1) * FACE_HEIGHT_PX, left:right]
            cards[rank + suit] = trimmed(part)
    return cards


def element_cards(svg: Path) -> dict[str, Pixels]:
    """The cards of a drawing in which each is an element such as ``queen_heart``."""
    cards = {}
    for name, suit in KDE_SUITS.items():
        for number, rank in KDE_RANKS.items():
            card = drawn(svg, FACE_HEIGHT_PX, f"{number}_{name}")
            if card is not None:
                cards[rank + suit] = trimmed(card)
    return cards


def trimmed(card: Pixels) -> Pixels:
    """Without the transparent rim."""
    solid = card[..., 3] > 128 if card.shape[2] == 4 else np.ones(card.shape[:2], bool)
    rows, columns = np.flatnonzero(solid.any(axis=1)), np.flatnonzero(solid.any(axis=0))
    if rows.size < FACE_HEIGHT_PX // 2 or columns.size < FACE_HEIGHT_PX // 3:
        return card[:0]
    return np.ascontiguousarray(card[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def main() -> None:
    """Unpack every deck below a folder."""
    parser = argparse.ArgumentParser(description="Turn free decks into folders of pictures.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    for file in sorted(arguments.folder.rglob("*.svgz")):
        is_sheet = "aisleriot" in file.parts
        if not is_sheet and "carddecks" not in file.parts:
            continue
        out = arguments.out / f"{'gnome' if is_sheet else 'kde'}-{file.stem.lower()}"
        svg = arguments.out / "drawing.svg"
        arguments.out.mkdir(parents=True, exist_ok=True)
        svg.write_bytes(gzip.decompress(file.read_bytes()))
        cards = sheet_cards(svg) if is_sheet else element_cards(svg)
        cards = {name: card for name, card in cards.items() if card.size}
        svg.unlink()
        if len(cards) < LEAST_CARDS:
            print(f"{out.name}: {len(cards)} cards, left out")
            continue
        out.mkdir(exist_ok=True)
        for name, card in cards.items():
            cv2.imwrite(str(out / f"{name}.png"), card)
        print(f"{out.name}: {len(cards)} cards")


if __name__ == "__main__":
    main()
