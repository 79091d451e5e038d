"""Which of overlapping cards lies on top, and what it hides of the others.

An index that shows lies on top wherever it lies: where that is inside another card's outline, its card covers
that one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from calibration.frames import Corners
from calibration.pixels import cv2

INDEX_BOX = np.array([[0.03, 0.03], [0.17, 0.03], [0.17, 0.24], [0.03, 0.24]], np.float32)
"""Where an index is printed at least, as shares of the card's width and height."""
INSIDE = 0.35
"""Share of an index's box within another outline from which its card covers that one: outlines are rough."""
MORE_INSIDE = 0.3
"""Where either index lies in the other's outline, by how much more that must be so to decide."""


def covering(outlines: Sequence[Corners], shown: Sequence[tuple[bool, bool]]) -> list[list[int]]:
    """For each outline the numbers of those that lie on it.

    Args:
        outlines: Clockwise from each card's first index, in picture pixels.
        shown: Whether the first and whether the opposite index of each shows.
    """
    above: list[list[int]] = [[] for _ in outlines]
    for n in range(len(outlines)):
        for k in range(n + 1, len(outlines)):
            if cv2.intersectConvexConvex(outlines[n], outlines[k])[0] < 1:
                continue
            of_n = _inside(outlines[n], shown[n], outlines[k])
            of_k = _inside(outlines[k], shown[k], outlines[n])
            if max(of_n, of_k) < INSIDE:  # outer cards of a fan: an index that isn't seen is hidden
                above[n] += [k] if not shown[n][1] else []
                above[k] += [n] if not shown[k][1] else []
            elif abs(of_n - of_k) >= MORE_INSIDE:
                above[k if of_n > of_k else n].append(n if of_n > of_k else k)
    return above


def index_boxes(outline: Corners, shown: tuple[bool, bool]) -> list[Corners]:
    """The boxes of a card's indices that show, in picture pixels."""
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_picture = cv2.getPerspectiveTransform(square, outline.astype(np.float32))
    boxes = (box for box, is_shown in ((INDEX_BOX, shown[0]), (1 - INDEX_BOX, shown[1])) if is_shown)
    return [np.asarray(cv2.perspectiveTransform(box[None], to_picture)[0], np.float32) for box in boxes]


def _inside(one: Corners, shown: tuple[bool, bool], other: Corners) -> float:
    """Greatest share of one card's shown index boxes that lies within another outline."""
    shares = [
        float(cv2.intersectConvexConvex(box, other)[0]) / max(1.0, abs(float(cv2.contourArea(box))))
        for box in index_boxes(one, shown)
    ]
    return max(shares, default=0.0)


def hidden_mask(outline: Corners, above: Sequence[Corners], width: int, height: int) -> npt.NDArray[np.bool_]:
    """What the outlines lying on a card hide of it, in its flat picture of (height, width)."""
    mask = np.zeros((height, width), np.uint8)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    to_flat = cv2.getPerspectiveTransform(outline.astype(np.float32), target)
    for one in above:
        points = cv2.perspectiveTransform(one[None].astype(np.float32), to_flat)[0]
        cv2.fillConvexPoly(mask, np.round(points).astype(np.int32), 1)
    return mask > 0
