"""The colour an index is printed in, whatever the light: paper was brought to a neutral white before."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.frames import Image
from calibration.recogniser.rectify import PAPER_LEVEL

INK_COLUMNS, INK_ROWS = (0.04, 0.15), (0.04, 0.24)
"""Share of the card's width and height where an index is printed, clear of the table beside the card."""
INK_PERCENTILE = 8
"""Darkness rank that counts as full ink."""
INK_DEPTH_SHARE = 0.35
"""Pixels up to this share of the way from full ink to paper are ink."""
MIN_INK_DEPTH = 40.0
"""Least difference of full ink and paper (of 255)."""
LEAST_CONTRAST = 20.0
"""Ink lighter than this much below paper (of 255) would make a ratio of noise."""


def ink_redness(even: Image) -> float | None:
    """How red the index is: about 0.7 for red, 0 for black, less for blue or green; None without ink.

    The measure is a ratio, so blur and thin strokes, which mix ink with paper, leave it alone.
    """
    return _redness(_mean_ink(_corners(even)))


def corner_inks(even: Image) -> tuple[tuple[float, float] | None, tuple[float, float] | None]:
    """Redness and chroma of each corner by itself, for a card of which one is hidden; None without ink."""
    one, other = (_mean_ink([corner]) for corner in _corners(even))
    return _measures(one), _measures(other)


def _measures(ink: tuple[float, float, float] | None) -> tuple[float, float] | None:
    redness = _redness(ink)
    return None if redness is None else (redness, _chroma(_colour(ink)))


def _redness(ink: tuple[float, float, float] | None) -> float | None:
    if ink is None:
        return None
    blue, green, red = ink
    cold = (blue + green) / 2
    return (red - cold) / max(LEAST_CONTRAST, PAPER_LEVEL - cold)


def ink_chroma(even: Image) -> float:
    """How coloured the ink is: 0 black or none, about 0.9 pure red, 0.3 to 0.7 blue or green."""
    return _chroma(ink_colour(even))


def _chroma(colour: tuple[float, float] | None) -> float:
    return 0.0 if colour is None else max(colour[0], colour[1], 0.0) - min(colour[0], colour[1], 0.0)


def ink_colour(even: Image) -> tuple[float, float] | None:
    """Red and blue of the ink against its green, as shares of its depth: (0.9, 0.1) red, (0.2, 0.8) blue."""
    return _colour(_mean_ink(_corners(even)))


def _colour(ink: tuple[float, float, float] | None) -> tuple[float, float] | None:
    if ink is None:
        return None
    blue, green, red = ink
    depth = max(LEAST_CONTRAST, PAPER_LEVEL - min(ink))
    return (red - green) / depth, (blue - green) / depth


def _corners(even: Image) -> tuple[Image, Image]:
    height, width = even.shape[:2]
    rows = slice(round(height * INK_ROWS[0]), round(height * INK_ROWS[1]))
    columns = slice(round(width * INK_COLUMNS[0]), round(width * INK_COLUMNS[1]))
    return even[rows, columns], even[::-1, ::-1][rows, columns]


def _mean_ink(corners: Sequence[Image]) -> tuple[float, float, float] | None:
    """The ink of corners, BGR; None where there is too little."""
    pixels = np.concatenate([corner.reshape(-1, 3) for corner in corners]).astype(np.float32)
    darkest = pixels.min(axis=1)
    full = float(np.percentile(darkest, INK_PERCENTILE))
    if full > PAPER_LEVEL - MIN_INK_DEPTH:
        return None
    ink = pixels[darkest <= full + INK_DEPTH_SHARE * (PAPER_LEVEL - full)]
    blue, green, red = (float(value) for value in ink.mean(axis=0))
    return blue, green, red
