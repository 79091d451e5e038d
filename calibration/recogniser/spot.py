"""Spots the indices that show in a heap of cards and the outline that each implies, by a small network.

Of a card under others often no side shows whole, but its index does: where it lies, how large it is printed
and the edges beside it tell where the card must be.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.frames import Corners, Image
from calibration.pixels import cv2
from calibration.recogniser.network import Network

SIDE_PX = 320
"""Side of the square that the network looks at."""
CELL_PX = 8
"""Side of a cell of the network's output in pixels of that square."""
CORNER_PX, ACROSS_PX, DOWN_PX = 16.0, 64.0, 96.0
"""What the network's corner, way across and way down are counted in."""
SPOT_LEVEL = 0.4
"""Least share of an index in a cell."""
MOST_SPOTS = 16


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """An index that shows.

    Attributes:
        outline: (4, 2) float32, picture pixels, clockwise from this index's corner, short side first.
        share: How surely an index shows there, 0 to 1.
    """

    outline: Corners
    share: float


def spots_in(picture: Image, centre: npt.NDArray[np.float64], side: float, network: Network) -> list[Spot]:
    """The indices that show in a square of a picture, the surest first.

    Args:
        picture: (H, W, 3) uint8, BGR.
        centre: Middle of the square, pixels.
        side: Its side, pixels.
        network: ``spot``.
    """
    view, to_view = square_view(picture, centre, side)
    raw = network.raw(view[None])[0]
    heat = 1 / (1 + np.exp(-raw[..., 0]))
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= SPOT_LEVEL) & (heat >= highest))
    order = np.argsort(-heat[rows, columns])[:MOST_SPOTS]
    spots = []
    for row, column in zip(rows[order], columns[order], strict=True):
        quad = outline_of(raw[row, column, 1:], row, column)
        spots.append(
            Spot(((quad - to_view[:, 2]) / to_view[0, 0]).astype(np.float32), float(heat[row, column]))
        )
    return spots


def outline_of(values: npt.NDArray[np.float32], row: int, column: int) -> Corners:
    """A card's outline by what the network says of a cell, in pixels of the square."""
    corner = (np.array([column, row]) + 0.5) * CELL_PX + values[:2] * CORNER_PX
    across, down = values[2:4] * ACROSS_PX, values[4:6] * DOWN_PX
    return np.array([corner, corner + across, corner + across + down, corner + down], np.float32)


def square_view(
    picture: Image, centre: npt.NDArray[np.float64], side: float
) -> tuple[Image, npt.NDArray[np.float64]]:
    """A square of a picture at SIDE_PX, and the (2, 3) mapping from the picture's pixels to its."""
    scale = SIDE_PX / side
    shift = SIDE_PX / 2 - scale * np.asarray(centre, np.float64)
    to_view = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]])
    how = cv2.INTER_AREA if scale < 0.6 else cv2.INTER_LINEAR
    source, mapping = picture, to_view
    if scale < 0.6:  # else fine print turns to noise
        source = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=how), np.uint8)
        mapping = np.array([[1, 0, shift[0]], [0, 1, shift[1]]])
    view = cv2.warpAffine(
        source, mapping, (SIDE_PX, SIDE_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(view, np.uint8), to_view
