"""Where faces show that no named outline explains: there cards may lie on each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.frames import Corners
from calibration.pixels import cv2

LEAST_CELLS = 5
"""So many cells of face left over are no mere rim of a named card (a card 75 px high of 1280 has 22)."""
RIM_CELLS = 1
"""A named outline explains this much round it too: cells are coarse."""
MARGIN = 1.2
"""Side of the square looked at, in longest sides of the heap's box; lessons have 1.0 to 1.5."""
MOST_HEAPS = 4
"""Heaps looked at in one picture, those with most left over first."""


@dataclass(frozen=True, slots=True, eq=False)
class Heap:
    """A square of a picture with faces that nothing explains yet: its middle and side in picture pixels."""

    centre: npt.NDArray[np.float64]
    side: float


def heaps_of(
    faces: npt.NDArray[np.bool_], cell_px: npt.NDArray[np.float32], named: Sequence[Corners]
) -> tuple[Heap, ...]:
    """Squares round connected faces of which enough is left over.

    Args:
        faces: (rows, columns) bool, cells that show a face.
        cell_px: Width and height of a cell in picture pixels.
        named: Outlines in picture pixels that are explained.
    """
    left = faces.astype(np.uint8)
    if named:
        explained = np.zeros_like(left)
        for outline in named:
            cv2.fillConvexPoly(explained, np.round(outline / cell_px - 0.5).astype(np.int32), 1)
        side = 2 * RIM_CELLS + 1
        left[np.asarray(cv2.dilate(explained, np.ones((side, side), np.uint8))) > 0] = 0
    if int(left.sum()) < LEAST_CELLS:
        return ()
    count, labels, boxes, _ = cv2.connectedComponentsWithStats(faces.astype(np.uint8), connectivity=8)
    found = []
    for label in range(1, count):
        rest = int(left[labels == label].sum())
        if rest < LEAST_CELLS:
            continue
        x, y, width, height = (float(value) for value in boxes[label][:4])
        low, high = np.array([x, y]) * cell_px, np.array([x + width, y + height]) * cell_px
        found.append((rest, Heap((low + high) / 2, MARGIN * float((high - low).max()))))
    found.sort(key=lambda item: -item[0])
    return tuple(heap for _, heap in found[:MOST_HEAPS])
