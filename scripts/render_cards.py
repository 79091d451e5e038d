"""Draws playing cards: many decks from a seed, with their own suit shapes, pips, courts, backs and jokers.

Nothing is copied from a real deck. Fonts serve as stencils for the index and are no part of what is shipped.
`render_scenes.py` lays the cards on a table and takes the picture; `train_recogniser.py` learns from both.

    python scripts/render_cards.py --seed 7 --out FOLDER        the 52 cards, a joker and the back of deck 7

Needs, besides the program's own requirements: pillow, fonttools and freely licensed fonts (Debian's fonts-*).
"""

from __future__ import annotations

import argparse
import functools
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from fontTools.ttLib import TTFont
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

Pixels = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.float32]

FACE_HEIGHT_PX = 400
RANKS = "23456789TJQKA"
SUITS = "CDHS"
FONT_FOLDER = Path("/usr/share/fonts")
HELD_OUT_EVERY = 5
"""Every fifth font family is never trained on, only tested with."""
GLYPHS_NEEDED = "0123456789AJQK"
FOREIGN_COURTS = ("BDKA", "ВДКТ", "VDRA", "VDR1", "BDK1")
"""Jack, queen, king, ace of other languages; letters that aren't English are taught as "no rank"."""
STENCIL_PX = 160
COURT_KINDS = ("patches", "tiles", "lines", "soft", "letter")
COURT_SHARES = (0.4, 0.25, 0.13, 0.12, 0.10)
"""How courts are drawn: bold patches, woven colours, thin lines on paper, soft as painted, a big letter."""
USUAL_COURT_COLOURS = ((40, 30, 200), (40, 200, 240), (30, 30, 30), (170, 80, 30))

_PIP_ROWS: dict[int, list[tuple[int, float]]] = {
    # column (-1, 0, 1) and height from top (0) to bottom (1) of the pip field
    2: [(0, 0), (0, 1)],
    3: [(0, 0), (0, 0.5), (0, 1)],
    4: [(-1, 0), (1, 0), (-1, 1), (1, 1)],
    5: [(-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)],
    6: [(-1, 0), (1, 0), (-1, 0.5), (1, 0.5), (-1, 1), (1, 1)],
    7: [(-1, 0), (1, 0), (-1, 0.5), (1, 0.5), (-1, 1), (1, 1), (0, 0.25)],
    8: [(-1, 0), (1, 0), (-1, 0.5), (1, 0.5), (-1, 1), (1, 1), (0, 0.25), (0, 0.75)],
    9: [(c, r) for r in (0, 1 / 3, 2 / 3, 1) for c in (-1, 1)] + [(0, 0.5)],
    10: [(c, r) for r in (0, 1 / 3, 2 / 3, 1) for c in (-1, 1)] + [(0, 1 / 6), (0, 5 / 6)],
}

_OTHER_PIP_ROWS: dict[int, list[tuple[int, float]]] = {
    # rarer arrangements, each in some decks
    6: [(c, r) for r in (0, 0.5, 1) for c in (-1, 1)],
    7: [(-1, 0), (1, 0), (-1, 0.5), (1, 0.5), (-1, 1), (1, 1), (0, 0.75)],
    8: [(c, r) for r in (0, 1 / 3, 2 / 3, 1) for c in (-1, 1)],
    9: [(c, r) for r in (0, 0.5, 1) for c in (-1, 0, 1)],
    10: [(c, r) for r in (0, 0.25, 0.5, 0.75, 1) for c in (-1, 1)],
}


@dataclass(frozen=True)
class Face:
    """A drawn card.

    Attributes:
        pixels: (FACE_HEIGHT_PX, W, 3) uint8, BGR.
        mask: (FACE_HEIGHT_PX, W) float32, 0 outside the rounded corners.
        rank: One of RANKS, or "" where the index is no English rank (joker, back, foreign letter).
        suit: One of SUITS or "".
        body: What the middle shows: "A", "2".."T", "court" or "".
        corners: How many indices: 0, 2 or 4.
    """

    pixels: Pixels
    mask: Mask
    rank: str
    suit: str
    body: str
    corners: int

    @property
    def name(self) -> str:
        """``QH``, or empty for anything that isn't one of the 52."""
        return self.rank + self.suit if self.rank and self.suit else ""


@functools.cache
def font_files(held_out: bool) -> tuple[Path, ...]:
    """Fonts that have all index glyphs; families are split between training and test by a stable count."""
    families: dict[str, list[Path]] = {}
    for path in sorted(FONT_FOLDER.rglob("*")):
        if path.suffix.lower() not in (".ttf", ".otf") or not has_glyphs(path):
            continue
        families.setdefault(path.stem.split("-")[0].split("_")[0].lower()[:9], []).append(path)
    chosen = [paths for n, paths in enumerate(families.values()) if (n % HELD_OUT_EVERY == 3) == held_out]
    # no family may weigh more than four faces, else Noto would be most of the training
    return tuple(path for paths in chosen for path in paths[:: max(1, len(paths) // 4)][:4])


def has_glyphs(path: Path) -> bool:
    """Whether a font is upright, solid and has all that an index needs."""
    skip = (
        "emoji",
        "mono",
        "symbol",
        "dseg",
        "italic",
        "oblique",
        "math",
        "thin",
        "hairline",
        "cmex",
        "cmsy",
        "cmmi",
        "outline",
    )
    if any(word in path.name.lower() for word in skip):
        return False
    try:
        with TTFont(path, lazy=True, fontNumber=0) as font:
            letters = font.getBestCmap() or {}
    except Exception:  # noqa: BLE001 - a broken font file is simply not used
        return False
    return all(ord(glyph) in letters for glyph in GLYPHS_NEEDED)


@functools.cache
def _letters(path: Path) -> frozenset[int]:
    with TTFont(path, lazy=True, fontNumber=0) as font:
        return frozenset(font.getBestCmap() or {})


@functools.lru_cache(maxsize=6000)
def _stencil(path: Path, text: str) -> Mask | None:
    """The ink of a glyph, cropped to its box, 0..1; None when the font draws nothing."""
    font = ImageFont.truetype(str(path), STENCIL_PX)
    left, top, right, bottom = font.getbbox(text)
    if right - left < 2 or bottom - top < 2 or not set(map(ord, text)) <= _letters(path):
        return None
    sheet = PillowImage.new("L", (int(right - left) + 8, int(bottom - top) + 8), 0)
    ImageDraw.Draw(sheet).text((4 - left, 4 - top), text, fill=255, font=font)
    ink = np.asarray(sheet, dtype=np.float32) / 255
    rows, columns = np.flatnonzero(ink.max(axis=1) > 0.3), np.flatnonzero(ink.max(axis=0) > 0.3)
    if rows.size < 3 or columns.size < 3:
        return None
    return np.ascontiguousarray(ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def _bezier(points: list[tuple[float, float]], steps: int = 14) -> list[tuple[float, float]]:
    t = np.linspace(0, 1, steps)[:, None]
    p = np.asarray(points, dtype=np.float64)
    curve = (1 - t) ** 3 * p[0] + 3 * (1 - t) ** 2 * t * p[1] + 3 * (1 - t) * t**2 * p[2] + t**3 * p[3]
    return [(float(x), float(y)) for x, y in curve]


def _polygon(mask: Mask, points: list[tuple[float, float]]) -> None:
    size = mask.shape[0]
    cv2.fillPoly(mask, [np.round(np.asarray(points) * size * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)


def draw_suit(suit: str, rng: np.random.Generator, size: int = 128) -> Mask:
    """An own suit shape in a square of `size` pixels, upright, ink 1."""
    mask = np.zeros((size, size), np.float32)
    if suit == "D":
        half, bulge = rng.uniform(0.36, 0.5), rng.uniform(0.0, 0.16)
        top, right, bottom, left = (0.5, 0.0), (0.5 + half, 0.5), (0.5, 1.0), (0.5 - half, 0.5)
        points: list[tuple[float, float]] = []
        for a, b in ((top, right), (right, bottom), (bottom, left), (left, top)):
            pull = [(p[0] + (0.5 - p[0]) * bulge, p[1] + (0.5 - p[1]) * bulge) for p in (a, b)]
            middle = ((pull[0][0] + pull[1][0]) / 2, (pull[0][1] + pull[1][1]) / 2)
            points += _bezier([a, middle, middle, b])
        _polygon(mask, points)
    elif suit in "HS":
        lobe, notch, belly = rng.uniform(0.0, 0.1), rng.uniform(0.08, 0.3), rng.uniform(0.45, 0.75)
        side = [(0.5, notch), (0.5 - 0.08, -0.06), (lobe - 0.02, -0.06), (lobe, 0.32)]
        down = [(lobe, 0.32), (lobe, belly), (0.5 - rng.uniform(0.05, 0.2), belly + 0.15), (0.5, 1.0)]
        half_line = _bezier(side) + _bezier(down)
        shape = half_line + [(1 - x, y) for x, y in reversed(half_line)]
        if suit == "H":
            _polygon(mask, shape)
        else:
            scale = rng.uniform(0.72, 0.95)
            _polygon(mask, [(x, (1 - y) * scale) for x, y in shape])
            _stem(mask, rng, 0.55)
    else:
        r, low = rng.uniform(0.19, 0.27), rng.uniform(0.48, 0.62)
        for x, y in ((0.5, r), (r, low), (1 - r, low)):
            cv2.circle(mask, (round(x * size), round(y * size)), round(r * size), 1.0, -1, cv2.LINE_AA)
        _polygon(mask, [(0.5, 0.3), (0.38, 0.55), (0.5, 0.7), (0.62, 0.55)])
        _stem(mask, rng, 0.5)
    return mask


def _stem(mask: Mask, rng: np.random.Generator, top: float) -> None:
    foot, waist = rng.uniform(0.05, 0.26), rng.uniform(0.015, 0.06)
    if rng.random() < 0.15:  # a plain wedge or bar
        _polygon(mask, [(0.5 - waist, top), (0.5 - foot, 1.0), (0.5 + foot, 1.0), (0.5 + waist, top)])
        return
    left = _bezier([(0.5 - waist, top), (0.5 - waist, 0.85), (0.5 - foot * 0.7, 0.97), (0.5 - foot, 1.0)])
    _polygon(mask, left + [(1 - x, y) for x, y in reversed(left)])


class DeckPainter:
    """One deck's looks, all drawn from its seed.

    Args:
        seed: Fixes everything.
        held_out: Take fonts that training never sees.
        fonts: Take these instead.
        varied: With the rarer looks too: indices far from the corner or close to it, small, narrow or huge,
            pips crowded into an inner frame, suits in unusual inks.
    """

    def __init__(
        self, seed: int, held_out: bool = False, fonts: tuple[Path, ...] = (), varied: bool = False
    ) -> None:
        rng = np.random.default_rng([seed, int(held_out), 20])
        self.rng = rng
        fonts = fonts or font_files(held_out)
        bold = [
            font
            for font in fonts
            if any(word in font.name.lower() for word in ("bold", "black", "heavy", "demi", "cond"))
        ]
        pool = bold if bold and rng.random() < 0.5 else list(fonts)
        self.font = pool[int(rng.integers(len(pool)))]
        self.height = FACE_HEIGHT_PX
        self.width = round(
            self.height * float(rng.choice([0.714, 0.714, 0.714, 0.648, rng.uniform(0.63, 0.75)]))
        )
        self.paper = np.clip(rng.uniform(236, 255) - rng.uniform(0, 14, 3) * [1, 0.5, 0.2], 0, 255)
        self.radius = rng.uniform(0.03, 0.075) * self.width
        self.jumbo = bool(rng.random() < 0.22)
        self.rank_height = self.height * (rng.uniform(0.13, 0.2) if self.jumbo else rng.uniform(0.07, 0.115))
        self.stretch = rng.uniform(0.7, 1.1)
        self.suit_height = self.rank_height * rng.uniform(0.55, 0.95)
        self.gap = self.rank_height * rng.uniform(0.04, 0.2)
        self.top = self.height * rng.uniform(0.022, 0.05)
        self.index_x = self.width * (rng.uniform(0.11, 0.155) if self.jumbo else rng.uniform(0.065, 0.115))
        self.beside = bool(rng.random() < 0.05)
        self.corners = 4 if rng.random() < 0.15 else 2
        self.embolden = int(rng.choice([0, 0, 0, 1, 2, 3]))
        self.inks = self._inks()
        self.letters = dict(zip("JQKA", "JQKA", strict=True))
        foreign = str(rng.choice(FOREIGN_COURTS))
        if rng.random() < 0.12 and set(map(ord, foreign)) <= _letters(self.font):
            self.letters = dict(zip("JQKA", foreign, strict=True))
        shape_seed = int(rng.integers(1 << 30))
        self.shapes = {suit: self._shape(suit, shape_seed) for suit in SUITS}
        self.column = rng.uniform(0.17, 0.235)
        self.row_top = rng.uniform(0.15, 0.23)
        self.pip_width = self.width * rng.uniform(0.13, 0.2)
        self.frame = bool(rng.random() < 0.25)
        self.frame_inset = rng.uniform(0.03, 0.24), rng.uniform(0.02, 0.14)
        self.frame_ink = rng.uniform(0, 170, 3) if rng.random() < 0.5 else np.full(3, rng.uniform(20, 140))
        self.frame_thick = int(rng.integers(1, 4))
        self.pip_rows = {
            count: _OTHER_PIP_ROWS[count]
            if count in _OTHER_PIP_ROWS and rng.random() < 0.12
            else _PIP_ROWS[count]
            for count in _PIP_ROWS
        }
        self.clears_index = bool(rng.random() < 0.85)
        self.one_pip = bool(rng.random() < 0.04)
        self.court_kind = str(rng.choice(COURT_KINDS, p=COURT_SHARES))
        if rng.random() < 0.3:  # the figure fills the card to its edge or nearly
            self.court_frame = rng.uniform(0.02, 0.12), rng.uniform(0.02, 0.06)
        else:
            self.court_frame = rng.uniform(0.12, 0.25), rng.uniform(0.05, 0.15)
        self.court_has_frame = bool(rng.random() < 0.75)
        self.court_colours = [rng.uniform(0, 255, 3) for _ in range(5)]
        if rng.random() < 0.7:
            self.court_colours[:4] = [np.array(colour, float) for colour in USUAL_COURT_COLOURS]
        if varied:
            self._vary(np.random.default_rng([seed, int(held_out), 21]))

    def _vary(self, rng: np.random.Generator) -> None:
        """The rarer looks, from random numbers of their own: the same deck unvaried stays as it was."""
        self.rank_height = self.height * (
            rng.uniform(0.13, 0.235) if self.jumbo else rng.uniform(0.058, 0.125)
        )
        self.stretch = rng.uniform(0.55, 1.15)
        self.suit_height = self.rank_height * rng.uniform(0.5, 1.0)
        self.gap = self.rank_height * rng.uniform(0.02, 0.25)
        self.top = self.height * rng.uniform(0.016, 0.068)
        self.index_x = self.width * (rng.uniform(0.10, 0.17) if self.jumbo else rng.uniform(0.055, 0.125))
        if rng.random() < (0.6 if self.jumbo else 0.25):
            self.frame = True
            self.frame_inset = rng.uniform(0.05, 0.27), rng.uniform(0.03, 0.22)
            if rng.random() < 0.6:  # the pips keep inside the frame
                self.column = rng.uniform(0.09, 0.17)
                self.row_top = rng.uniform(0.19, 0.30)
                self.pip_width = self.width * rng.uniform(0.085, 0.15)
        if rng.random() < 0.12:
            pale = [rng.uniform(0, 190, 3) for _ in range(2)]
            usual = [np.array(ink) for ink in ((190, 90, 30), (60, 120, 20), (30, 110, 225), (140, 40, 110))]
            for suit in rng.permutation(list(SUITS))[: int(rng.integers(1, 3))]:
                inks = [*usual, *pale]
                ink = np.clip(inks[int(rng.integers(6))] + rng.normal(0, 18, 3), 0, 235)
                if suit in "HD" or ink[2] < ink[:2].max() + 30:  # no deck prints clubs or spades in red
                    self.inks[str(suit)] = ink

    def _inks(self) -> dict[str, npt.NDArray[np.float64]]:
        rng = self.rng
        red = np.array([rng.uniform(10, 70), rng.uniform(5, 60), rng.uniform(165, 240)])
        black = np.full(3, rng.uniform(5, 50))
        inks = {"C": black, "S": black, "H": red, "D": red}
        if rng.random() < 0.12:
            inks["C"] = np.array([rng.uniform(20, 80), rng.uniform(90, 150), rng.uniform(0, 50)])
            inks["D"] = np.array([rng.uniform(150, 230), rng.uniform(50, 120), rng.uniform(0, 60)])
        return inks

    def _shape(self, suit: str, seed: int) -> Mask:
        sign = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}[suit]
        if self.rng.random() < 0.25:
            signed = [f for f in (Path(p) for p in _sign_fonts()) if f.exists()]
            if signed:
                ink = _stencil(signed[int(self.rng.integers(len(signed)))], sign)
                if ink is not None:
                    return ink
        return draw_suit(suit, np.random.default_rng([seed, ord(suit)]))

    def draw(self, rank: str, suit: str) -> Face:
        """One of the 52 cards."""
        canvas = self._paper()
        letter = "10" if rank == "T" else self.letters.get(rank, rank)
        if rank in "JQK":
            self._court(canvas, rank, suit)
        elif rank == "A":
            self._ace(canvas, suit)
        elif self.one_pip:
            size = self.width * 0.45
            self._stamp(
                canvas, self.shapes[suit], self.width / 2, self.height / 2, size, size, self.inks[suit]
            )
        else:
            self._pips(canvas, RANKS.index(rank) + 2, suit)
        if rank in "JQK" and self.clears_index:
            self._clear_corners(canvas)
        self._indices(canvas, letter, suit)
        english = letter in ("10", *"23456789JQKAК")
        truth = "T" if letter == "10" else letter.replace("К", "K") if english else ""
        body = "court" if rank in "JQK" else "" if self.one_pip and rank != "A" else rank
        return Face(_bytes(canvas), self._mask(), truth, suit, body, self.corners)

    def draw_joker(self) -> Face:
        """A joker: a word down the corner and a figure."""
        canvas = self._paper()
        self._court(canvas, "J", "")
        ink = self.inks["H" if self.rng.random() < 0.5 else "S"]
        top, size = self.top, self.rank_height * 0.5
        for letter in "JOKER":
            stencil = _stencil(self.font, letter)
            if stencil is not None:
                for turned in (False, True):
                    self._stamp(canvas, stencil, self.index_x, top + size / 2, size * 0.7, size, ink, turned)
            top += size * 1.15
        return Face(_bytes(canvas), self._mask(), "", "", "", 0)

    def draw_back(self) -> Face:
        """The back: a border and a pattern that repeats."""
        rng = self.rng
        canvas = self._paper()
        margin = round(self.width * rng.choice([0.0, 0.03, 0.05, 0.07]))
        colour = (
            rng.uniform(0, 200, 3)
            if rng.random() < 0.4
            else np.array([(150, 60, 30), (40, 30, 170)][int(rng.integers(2))])
        )
        inner = canvas[margin : self.height - margin, margin : self.width - margin]
        y, x = np.mgrid[0 : inner.shape[0], 0 : inner.shape[1]].astype(np.float32)
        period = rng.uniform(6, 40)
        waves = (
            np.sin((x + y) * 6.28 / period) * np.sin((x - y) * 6.28 / period)
            if rng.random() < 0.6
            else np.sin(np.hypot(x - x.mean(), y - y.mean()) * 6.28 / period)
        )
        on = (waves > rng.uniform(-0.6, 0.6))[..., None]
        inner[:] = np.where(on, colour, self.paper if rng.random() < 0.6 else colour * 0.6)
        return Face(_bytes(canvas), self._mask(), "", "", "", 0)

    def deck(self) -> list[Face]:
        """The 52 cards, two jokers and two backs."""
        cards = [self.draw(rank, suit) for suit in SUITS for rank in RANKS]
        return [*cards, self.draw_joker(), self.draw_joker(), self.draw_back(), self.draw_back()]

    def _paper(self) -> npt.NDArray[np.float32]:
        canvas = np.empty((self.height, self.width, 3), np.float32)
        canvas[:] = self.paper
        if self.frame:
            x, y = round(self.width * self.frame_inset[0]), round(self.height * self.frame_inset[1])
            ink = self.frame_ink.tolist()
            cv2.rectangle(canvas, (x, y), (self.width - x, self.height - y), ink, self.frame_thick)
        return canvas

    def _mask(self) -> Mask:
        mask = np.zeros((self.height, self.width), np.float32)
        r, w, h = round(self.radius), self.width, self.height
        cv2.rectangle(mask, (r, 0), (w - 1 - r, h - 1), 1.0, -1)
        cv2.rectangle(mask, (0, r), (w - 1, h - 1 - r), 1.0, -1)
        for x in (r, w - 1 - r):
            for y in (r, h - 1 - r):
                cv2.circle(mask, (x, y), r, 1.0, -1, cv2.LINE_AA)
        return mask

    def _clear_corners(self, canvas: npt.NDArray[np.float32]) -> None:
        """Bare paper behind the indices, where a figure would reach under them."""
        width = round(self.index_x + self.rank_height * 0.5)
        height = round(self.top + self.rank_height + self.gap + self.suit_height * 1.05)
        canvas[:height, :width] = canvas[-height:, -width:] = self.paper
        if self.corners == 4:
            canvas[:height, -width:] = canvas[-height:, :width] = self.paper

    def _indices(self, canvas: npt.NDArray[np.float32], letter: str, suit: str) -> None:
        stencil = _stencil(self.font, letter)
        if stencil is None:
            return
        if self.embolden:
            side = 2 * self.embolden + 1
            stencil = np.asarray(cv2.dilate(stencil, np.ones((side, side), np.uint8)), np.float32)
        height = self.rank_height * (1.12 if letter == "Q" else 1.0)
        width = height * stencil.shape[1] / stencil.shape[0] * self.stretch
        width = min(width, self.rank_height * (1.15 if letter == "10" else 1.0), 2 * self.index_x * 0.92)
        x, y = self.index_x, self.top + self.rank_height / 2
        shape = self.shapes[suit]
        size = self.suit_height
        for flipped in (False, True) if self.corners == 4 else (False,):
            for turned in (False, True):
                at = self.width - x if flipped else x
                self._stamp(canvas, stencil, at, y, width, height, self.inks[suit], turned)
                if self.beside:
                    side = -1 if flipped else 1
                    self._stamp(
                        canvas,
                        shape,
                        at + side * (width / 2 + size * 0.6),
                        y,
                        size,
                        size,
                        self.inks[suit],
                        turned,
                    )
                else:
                    low = self.top + self.rank_height + self.gap + size / 2
                    self._stamp(canvas, shape, at, low, min(size, 2 * x * 0.9), size, self.inks[suit], turned)

    def _stamp(
        self,
        canvas: npt.NDArray[np.float32],
        stencil: Mask,
        x: float,
        y: float,
        width: float,
        height: float,
        ink: npt.NDArray[np.float64],
        turned: bool = False,
    ) -> None:
        """Print a stencil centred at a place of the card, or at the opposite place upside down."""
        w, h = max(2, round(width)), max(2, round(height))
        small = cv2.resize(stencil, (w, h), interpolation=cv2.INTER_AREA)
        if turned:
            small, x, y = small[::-1, ::-1], self.width - x, self.height - y
        left, top = round(x - w / 2), round(y - h / 2)
        x0, y0, x1, y1 = max(0, left), max(0, top), min(self.width, left + w), min(self.height, top + h)
        if x1 <= x0 or y1 <= y0:
            return
        part = small[y0 - top : y1 - top, x0 - left : x1 - left, None]
        canvas[y0:y1, x0:x1] = canvas[y0:y1, x0:x1] * (1 - part) + ink.astype(np.float32) * part

    def _pips(self, canvas: npt.NDArray[np.float32], count: int, suit: str) -> None:
        for column, row in self.pip_rows[count]:
            top = self.row_top + (0.02 if count in (2, 3) else 0)
            x = self.width * (0.5 + column * self.column)
            y = self.height * (top + (1 - 2 * top) * row)
            turned = row > 0.5
            if turned:
                x, y = self.width - x, self.height - y
            self._stamp(
                canvas, self.shapes[suit], x, y, self.pip_width, self.pip_width * 1.1, self.inks[suit], turned
            )

    def _ace(self, canvas: npt.NDArray[np.float32], suit: str) -> None:
        big = suit == "S" and self.rng.random() < 0.7
        size = self.width * (self.rng.uniform(0.35, 0.65) if big else self.rng.uniform(0.16, 0.42))
        if big and self.rng.random() < 0.6:
            ring = (round(self.width / 2), round(self.height / 2))
            cv2.circle(canvas, ring, round(size * 0.62), self.inks[suit].tolist(), 2, cv2.LINE_AA)
        self._stamp(
            canvas, self.shapes[suit], self.width / 2, self.height / 2, size, size * 1.1, self.inks[suit]
        )
        if big:
            hole = self.paper if self.rng.random() < 0.5 else self.inks["H"]
            self._stamp(
                canvas, self.shapes[suit], self.width / 2, self.height / 2, size * 0.4, size * 0.4, hole
            )

    def _court(self, canvas: npt.NDArray[np.float32], rank: str, suit: str) -> None:
        """A figure, its half turned round for the other half."""
        rng = self.rng
        mx, my = round(self.width * self.court_frame[0]), round(self.height * self.court_frame[1])
        field = canvas[my : self.height - my, mx : self.width - mx]
        h, w = field.shape[0] // 2, field.shape[1]
        half = self._half_figure(h, w, rank)
        field[:h] = half
        field[field.shape[0] - h :] = half[::-1, ::-1]
        if field.shape[0] > 2 * h:
            field[h] = half[-1]
        if self.court_has_frame:
            cv2.rectangle(
                canvas,
                (mx, my),
                (self.width - mx, self.height - my),
                (150, 60, 30) if rng.random() < 0.5 else (30, 30, 30),
                int(rng.integers(1, 3)),
            )
        if suit:
            at = mx + self.pip_width * 0.6, my + self.pip_width * 0.7
            for turned in (False, True):
                self._stamp(
                    canvas,
                    self.shapes[suit],
                    *at,
                    self.pip_width,
                    self.pip_width * 1.1,
                    self.inks[suit],
                    turned,
                )

    def _half_figure(self, h: int, w: int, rank: str) -> npt.NDArray[np.float32]:
        """The upper half of a figure in the deck's own manner."""
        half = np.empty((h, w, 3), np.float32)
        half[:] = self.paper
        if self.court_kind == "soft":
            small = np.stack([self.court_colours[int(n)] for n in self.rng.integers(0, 5, 48)])
            soft = cv2.resize(
                small.reshape(8, 6, 3).astype(np.float32), (w, h), interpolation=cv2.INTER_CUBIC
            )
            half = np.clip(np.asarray(soft, np.float32) * 0.7 + 60, 0, 255)
        if self.court_kind == "tiles":
            self._weave(half)
        if self.court_kind == "letter":
            self._big_letter(half, self.letters.get(rank, rank))
        else:
            self._patches(half)
        return half

    def _weave(self, half: npt.NDArray[np.float32]) -> None:
        """Fine stripes and checks in the court's colours, as robes are printed."""
        rng, (h, w) = self.rng, half.shape[:2]
        for _ in range(int(rng.integers(5, 12))):
            x, y = int(rng.uniform(-0.1, 0.8) * w), int(rng.uniform(0.2, 0.9) * h)
            part = half[max(0, y) : y + int(rng.uniform(0.2, 0.7) * h), max(0, x) : x + int(w * 0.5)]
            if not part.size:
                continue
            rows, columns = np.mgrid[0 : part.shape[0], 0 : part.shape[1]]
            step, slant = int(rng.integers(3, 9)), float(rng.uniform(-1.5, 1.5))
            band = ((columns + slant * rows) // step).astype(int)
            colours = np.stack([self.court_colours[int(n)] for n in rng.integers(0, 5, 3)])
            part[:] = colours[np.mod(band, 3)]

    def _big_letter(self, half: npt.NDArray[np.float32], letter: str) -> None:
        """A letter instead of a figure; only its half shows, the other half is turned round."""
        stencil = _stencil(self.font, letter)
        if stencil is None:
            return
        h, w = half.shape[:2]
        size = (max(4, round(w * 0.6)), max(4, round(h * 0.7)))
        ink = np.asarray(cv2.resize(stencil, size, interpolation=cv2.INTER_AREA))[..., None]
        y, x = round(h * 0.15), round(w * 0.2)
        part = half[y : y + size[1], x : x + size[0]]
        colour = self.court_colours[int(self.rng.integers(5))].astype(np.float32)
        part[:] = (
            part * (1 - ink[: part.shape[0], : part.shape[1]])
            + colour * ink[: part.shape[0], : part.shape[1]]
        )

    def _patches(self, half: npt.NDArray[np.float32]) -> None:
        """Robe, sword, face and crown; thin lines only, where that is the deck's manner."""
        rng, (h, w) = self.rng, half.shape[:2]
        bare = self.court_kind == "lines"
        cx = w / 2 + rng.uniform(-0.1, 0.1) * w
        colours = [tuple(float(v) for v in colour) for colour in self.court_colours]
        for _ in range(int(rng.integers(6, 14))):
            centre = np.array([cx + rng.uniform(-0.4, 0.4) * w, h * rng.uniform(0.4, 1.05)])
            angles = np.sort(rng.uniform(0, 6.28, int(rng.integers(3, 7))))
            reach = rng.uniform(0.08, 0.35) * w
            points = np.stack([centre[0] + reach * np.cos(angles), centre[1] + reach * np.sin(angles)], 1)
            if not bare:
                cv2.fillPoly(
                    half, [points.astype(np.int32)], colours[int(rng.integers(len(colours)))], cv2.LINE_AA
                )
            cv2.polylines(half, [points.astype(np.int32)], True, (30, 30, 30), 1, cv2.LINE_AA)
        for _ in range(int(rng.integers(2, 7))):
            x = rng.uniform(0, w)
            cv2.line(
                half,
                (int(x), h),
                (int(x + rng.uniform(-40, 40)), int(h * rng.uniform(0.2, 0.7))),
                colours[int(rng.integers(len(colours)))],
                int(rng.integers(1, 6)),
            )
        face = (int(cx), int(h * rng.uniform(0.3, 0.42)))
        cv2.ellipse(half, face, (int(w * 0.13), int(h * 0.15)), 0, 0, 360, (200, 225, 250), -1, cv2.LINE_AA)
        cv2.ellipse(half, face, (int(w * 0.13), int(h * 0.15)), 0, 0, 360, (30, 30, 30), 1, cv2.LINE_AA)
        crown = np.array(
            [
                [face[0] - w * 0.15, face[1] - h * 0.1],
                [face[0] - w * 0.17, face[1] - h * 0.3],
                [face[0], face[1] - h * 0.16],
                [face[0] + w * 0.17, face[1] - h * 0.3],
                [face[0] + w * 0.15, face[1] - h * 0.1],
            ]
        )
        if bare:
            cv2.polylines(half, [crown.astype(np.int32)], True, (30, 30, 30), 1, cv2.LINE_AA)
        else:
            cv2.fillPoly(
                half, [crown.astype(np.int32)], colours[int(rng.integers(len(colours)))], cv2.LINE_AA
            )


def load_deck(folder: Path) -> list[Face]:
    """Other people's deck, pictures named ``QH.png``, for testing only; transparent outside the corners."""
    faces = []
    for path in sorted(folder.glob("*.png")):
        picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        if picture is None or path.stem[0] not in RANKS or path.stem[1:] not in SUITS:
            continue
        height, width = picture.shape[:2]
        size = (round(width * FACE_HEIGHT_PX / height), FACE_HEIGHT_PX)
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
        alpha = picture[..., 3] if picture.shape[2] == 4 else np.full(picture.shape[:2], 255, np.uint8)
        mask = (alpha / np.float32(255)).astype(np.float32)
        body = "court" if path.stem[0] in "JQK" else path.stem[0]
        faces.append(Face(np.ascontiguousarray(picture[..., :3]), mask, path.stem[0], path.stem[1], body, 2))
    return faces


def _signs_are_right(path: Path) -> bool:
    """Whether a club ends in a round leaf and a spade in a point: some fonts have the two exchanged."""
    club, spade = _stencil(path, "♣"), _stencil(path, "♠")
    if club is None or spade is None:
        return False
    of_club, of_spade = (float(ink[: max(1, len(ink) // 7)].mean()) for ink in (club, spade))
    return of_club > of_spade


@functools.cache
def _sign_fonts() -> tuple[str, ...]:
    found = []
    for path in sorted(FONT_FOLDER.rglob("*.[to]tf")):
        if any(word in path.name.lower() for word in ("emoji", "cond", "mono-obl")):
            continue
        try:
            with TTFont(path, lazy=True, fontNumber=0) as font:
                letters = font.getBestCmap() or {}
        except Exception:  # noqa: BLE001 - a broken font file is simply not used
            continue
        if all(ord(sign) in letters for sign in "♣♦♥♠") and _signs_are_right(path):
            found.append(str(path))
    return tuple(found)


def _bytes(canvas: npt.NDArray[np.float32]) -> Pixels:
    return np.clip(canvas, 0, 255).astype(np.uint8)


def main() -> None:
    """Draw one deck into a folder."""
    parser = argparse.ArgumentParser(description="Draw the cards of one deck.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", action="store_true", help="with a font that training never sees")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for number, face in enumerate(DeckPainter(arguments.seed, arguments.held_out).deck()):
        cv2.imwrite(str(arguments.out / f"{number:02d}_{face.name or 'other'}.png"), face.pixels)


if __name__ == "__main__":
    main()
