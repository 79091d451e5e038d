"""What shows of a card's middle beside its one index: pips for a number card, a figure for a court.

An index of a kind never seen can be read surely and wrongly. Of a card that lies under another one its own
middle mostly shows in part, and that part tells a jack from a five and a three from a ten, whatever the font.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.frames import Image
from calibration.pixels import cv2
from calibration.recogniser.rectify import (
    CARD_HEIGHT_PX,
    CARD_WIDTH_PX,
    HIDDEN_SHARE_X,
    HIDDEN_SHARE_Y,
    PAPER_LEVEL,
)

CELL_PX = 4
"""The middle is looked at in cells so large."""
MARGIN = 0.05
"""Outlines are rough: so much (of the width) along the edges and beside what covers it isn't looked at."""
INK_DARKER = 70
"""Printed is what is so much darker than paper in some colour (of 255)."""
RED = 0.2
"""Redness from which an index is red."""
LINE_PX = 7
"""Thinner print is a frame, no pip."""
COLUMNS = (0.13, 0.17, 0.21, 0.24)
"""How far the outer pips may lie from the middle line (of the width)."""
TOPS = (0.13, 0.16, 0.19, 0.22, 0.26)
"""And the first row from the top (of the height)."""
PIP = 0.14
"""Width of the box in which a pip is looked for; around it ink may lie as far as half of that again."""
PIP_THERE = 0.15
"""Share of such a box that is ink where there is a pip."""
SITE_SEEN = 0.7
"""Share of the box that must show for a pip to be missed there."""
PIP_INK = 0.012
"""Share of the card's area that a pip's ink covers: so much ink elsewhere is a pip too many."""
ACE_REACH = 0.42
"""Ink nearer to the card's centre than this (of the width) may be an ace's ornament."""


def _outer(*rows: float) -> tuple[tuple[int, float], ...]:
    return tuple((column, row) for row in rows for column in (-1, 1))


_THIRDS = (0, 1 / 3, 2 / 3, 1)
ARRANGEMENTS: dict[int, tuple[tuple[tuple[int, float], ...], ...]] = {
    2: (((0, 0), (0, 1)),),
    3: (((0, 0), (0, 0.5), (0, 1)),),
    4: (_outer(0, 1),),
    5: ((*_outer(0, 1), (0, 0.5)),),
    6: (_outer(0, 0.5, 1),),
    7: ((*_outer(0, 0.5, 1), (0, 0.25)), (*_outer(0, 0.5, 1), (0, 0.75))),
    8: ((*_outer(0, 0.5, 1), (0, 0.25), (0, 0.75)), _outer(*_THIRDS)),
    9: ((*_outer(*_THIRDS), (0, 0.5)), (*_outer(0, 0.5, 1), (0, 0), (0, 0.5), (0, 1))),
    10: ((*_outer(*_THIRDS), (0, 1 / 6), (0, 5 / 6)), _outer(0, 0.25, 0.5, 0.75, 1)),
}
"""Where pips are printed: column and height in the field from the first row (0) to the last (1)."""


@dataclass(frozen=True, slots=True)
class Strip:
    """What shows of a middle.

    Attributes:
        seen: Share of the middle that shows.
        printed: Share of that which is printed.
        foreign: Share of that which is printed in another colour than the index.
        misfits: For ace, two to ten: pips that are missing or too many, by the arrangement that fits best.
    """

    seen: float
    printed: float
    foreign: float
    misfits: tuple[float, ...]


def strip_of(even: Image, mask: npt.NDArray[np.bool_] | None, redness: float) -> Strip:
    """Look at what shows of a middle.

    Args:
        even: (CARD_HEIGHT_PX, CARD_WIDTH_PX, 3) uint8, the index that is read at the top left.
        mask: What others hide of it.
        redness: Of its index, see `ink.corner_inks`.
    """
    shows = _middle().copy()
    if mask is not None:
        reach = 2 * round(MARGIN * CARD_WIDTH_PX) + 1
        shows &= cv2.dilate(mask.astype(np.uint8), np.ones((reach, reach), np.uint8)) == 0
    blue, green, red = (PAPER_LEVEL - even[..., n].astype(np.int16) for n in range(3))
    most, least = np.maximum(np.maximum(blue, green), red), np.minimum(np.minimum(blue, green), red)
    printed = (most >= INK_DARKER) & shows
    # red ink takes blue and green away, but leaves red as it is on paper
    is_own = np.minimum(blue, green) - red >= INK_DARKER / 2 if redness > RED else most - least < INK_DARKER
    foreign = printed & ~is_own
    area = max(1, int(shows.sum()))
    solid = cv2.morphologyEx(printed.astype(np.uint8), cv2.MORPH_OPEN, np.ones((LINE_PX, LINE_PX), np.uint8))
    size = CARD_WIDTH_PX // CELL_PX, CARD_HEIGHT_PX // CELL_PX
    ink = cv2.resize(solid.astype(np.float32), size, interpolation=cv2.INTER_AREA).ravel()
    seen = cv2.resize(shows.astype(np.float32), size, interpolation=cv2.INTER_AREA).ravel()
    return Strip(
        area / int(_middle().sum()),
        float(printed.sum()) / area,
        float(foreign.sum()) / area,
        _misfits(np.asarray(ink), np.asarray(seen)),
    )


@functools.cache
def _middle() -> npt.NDArray[np.bool_]:
    """The card without its edges and without the corners where indices are."""
    middle = np.ones((CARD_HEIGHT_PX, CARD_WIDTH_PX), bool)
    edge = round(MARGIN * CARD_WIDTH_PX)
    middle[:edge] = middle[-edge:] = False
    middle[:, :edge] = middle[:, -edge:] = False
    x, y = round(CARD_WIDTH_PX * HIDDEN_SHARE_X), round(CARD_HEIGHT_PX * HIDDEN_SHARE_Y)
    for rows in (slice(0, y), slice(-y, None)):
        middle[rows, :x] = middle[rows, -x:] = False
    return middle


def _box(x: float, y: float, half: float) -> npt.NDArray[np.bool_]:
    """Cells of the square round a place of the card; lengths in widths."""
    across, down = _cells()
    is_near = (np.abs(across - x) <= half) & (np.abs(down - y * CARD_HEIGHT_PX / CARD_WIDTH_PX) <= half)
    return np.asarray(is_near, np.bool_)


@functools.cache
def _cells() -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    down, across = np.mgrid[0 : CARD_HEIGHT_PX // CELL_PX, 0 : CARD_WIDTH_PX // CELL_PX].astype(np.float32)
    scale = CELL_PX / CARD_WIDTH_PX
    return (across.ravel() + 0.5) * scale, (down.ravel() + 0.5) * scale


@dataclass(frozen=True, slots=True, eq=False)
class _Layouts:
    """All arrangements at all spacings: L of them, P places of pips together, C cells.

    Attributes:
        boxes: (P, C) float32, where a pip is looked for.
        ranks: (L,) the pips' number.
        places: (L, P) float32, which places each has pips at.
        around: (L, C) float32, where its ink may lie.
    """

    boxes: npt.NDArray[np.float32]
    ranks: npt.NDArray[np.int64]
    places: npt.NDArray[np.float32]
    around: npt.NDArray[np.float32]


@functools.cache
def _layouts() -> _Layouts:
    numbers: dict[tuple[float, float], int] = {}
    found: list[tuple[int, list[int], npt.NDArray[np.bool_]]] = []
    for rank, arrangement in ((rank, one) for rank, many in ARRANGEMENTS.items() for one in many):
        has_outer = any(column for column, _ in arrangement)
        for away, top in itertools.product(COLUMNS if has_outer else COLUMNS[:1], TOPS):
            spots = [
                (round(0.5 + column * away, 3), round(top + (1 - 2 * top) * row, 3))
                for column, row in arrangement
            ]
            around = np.any([_box(x, y, PIP) for x, y in spots], axis=0)
            found.append((rank, [numbers.setdefault(spot, len(numbers)) for spot in spots], around))
    places = np.zeros((len(found), len(numbers)), np.float32)
    for n, (_, own, _) in enumerate(found):
        places[n, own] = 1
    return _Layouts(
        np.stack([_box(x, y, PIP / 2) for x, y in numbers]).astype(np.float32),
        np.array([rank for rank, _, _ in found]),
        places,
        np.stack([around for _, _, around in found]).astype(np.float32),
    )


def _misfits(ink: npt.NDArray[np.float32], seen: npt.NDArray[np.float32]) -> tuple[float, ...]:
    """Pips missing or too many, of ace and two to ten, each at the spacing that fits best."""
    layouts = _layouts()
    shown = layouts.boxes @ seen
    there = (layouts.boxes @ ink) / np.maximum(shown, 1e-6)
    is_missing = (shown >= SITE_SEEN * layouts.boxes.sum(axis=1)) & (there < PIP_THERE)
    pip = PIP_INK * ink.size
    misfits = layouts.places @ is_missing.astype(np.float32) + (ink.sum() - layouts.around @ ink) / pip
    across, down = _cells()
    far = (across - 0.5) ** 2 + (down - 0.5 * CARD_HEIGHT_PX / CARD_WIDTH_PX) ** 2 > ACE_REACH**2
    of_pips = (float(misfits[layouts.ranks == rank].min()) for rank in ARRANGEMENTS)
    return float(ink[far].sum()) / pip, *of_pips
