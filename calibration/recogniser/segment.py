"""Where faces lie, by a small network that marks cells: for light tables, clutter and touching cards.

The cells are coarse; `snap` then lays each side on the edge of the paper.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.frames import Corners, Image
from calibration.pixels import cv2
from calibration.recogniser.network import Network

CELL_PX = 4
"""Side of a cell in pixels of the shrunk picture (the network's output is a quarter of its input)."""
CORE_SHARE = 0.72
"""A face's core is its outline shrunk to this share about its centre: cores of touching cards lie apart."""
LONG_SIDE_PX = 384
"""The picture is shrunk to this long side; a card 75 px high of 1280 then is 22 px (trained down to 20)."""
SIZE_STEP_PX = 32
"""Both sides are a multiple of this, so that halved sizes double to the same."""
CORE_LEVEL = 0.5
MIN_CORE_CELLS = 3.0

SIDE_POINTS = 28
REACH_SHARE = 0.16
"""How far a side may be off before snapping, as a share of the card's short side."""
REACH_STEPS = 16
STEP_CAP = 40.0
"""A stronger brightness step counts no more than this (of 255): a pip must not outweigh a long faint edge."""
FAR_COST = 0.15
"""What a step away from the rough side costs, in brightness per step of the reach."""

Grey = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Marked:
    """What the network marks in a picture.

    Attributes:
        outlines: Rough outlines of faces by their cores, in the picture's pixels, in no special order.
        faces: (rows, columns) bool, cells that show a face, whole or in part.
        cell_px: Width and height of a cell in the picture's pixels.
    """

    outlines: list[Corners]
    faces: npt.NDArray[np.bool_]
    cell_px: npt.NDArray[np.float32]


def core_outlines(image: Image, network: Network) -> list[Corners]:
    """Rough outlines of the faces in a picture, in its pixels, in no special order."""
    return marked(image, network).outlines


def marked(image: Image, network: Network) -> Marked:
    """Rough outlines of the faces in a picture, and the cells in which any face shows."""
    height, width = image.shape[:2]
    scale = LONG_SIDE_PX / max(height, width)
    size = tuple(max(2, round(side * scale / SIZE_STEP_PX)) * SIZE_STEP_PX for side in (width, height))
    view = _view(image, size)
    raw = network.raw(view[None])[0]
    core = raw[:, :, 1]
    fine = cv2.resize(core, size, interpolation=cv2.INTER_LINEAR)
    mask = (fine > np.log(CORE_LEVEL / (1 - CORE_LEVEL))).astype(np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outlines = []
    back = np.array([width / size[0], height / size[1]], np.float32)
    for contour in contours:
        if cv2.contourArea(contour) < MIN_CORE_CELLS * CELL_PX**2:
            continue
        box = np.asarray(cv2.boxPoints(cv2.minAreaRect(contour)), np.float32)
        quad = slanted(np.asarray(cv2.convexHull(contour), np.int32), box)
        centre = quad.mean(axis=0)
        outlines.append(np.asarray((centre + (quad - centre) / CORE_SHARE + 0.5) * back, np.float32))
    return Marked(outlines, raw[:, :, 0] > 0, CELL_PX * back)


def _view(image: Image, size: tuple[int, ...]) -> Image:
    if max(image.shape[:2]) >= 2 * max(size):  # halving exactly is much faster than any other average
        height, width = image.shape[:2]
        image = np.asarray(
            cv2.resize(
                image[: height & ~1, : width & ~1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA
            ),
            np.uint8,
        )
    how = cv2.INTER_AREA if max(image.shape[:2]) > 1.5 * max(size) else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size, interpolation=how), np.uint8)


def snap(quad: Corners, light: Grey) -> Corners | None:
    """Lay each side of a rough outline on the nearest edge from dark to light; None when no shape is left.

    Args:
        quad: Clockwise.
        light: How much like paper each pixel is, 0 to 255.
    """
    for share in (REACH_SHARE, REACH_SHARE / 3):
        sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
        if sides.min() < 8:
            return None
        lines = [_best_side(quad, n, share * float(sides.min()), light) for n in range(4)]
        corners = [_crossing(lines[n - 1], lines[n]) for n in range(4)]
        if any(corner is None for corner in corners):
            return None
        quad = np.array(corners, np.float32)
        if not cv2.isContourConvex(quad):
            return None
    return quad


def paper_light(work: Image) -> Grey:
    """Paper is light in its darkest channel too: the mean of that channel and of the grey."""
    grey = cv2.cvtColor(work, cv2.COLOR_BGR2GRAY)
    mixed = cv2.addWeighted(grey, 0.5, darkest_channel(work), 0.5, 0)
    return np.asarray(cv2.GaussianBlur(mixed, (3, 3), 0), np.float32)


def darkest_channel(image: Image) -> npt.NDArray[np.uint8]:
    """The lowest of the three channels of each pixel: high on paper, low on anything coloured."""
    blue, green, red = cv2.split(image)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.uint8)


_Line = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]


def _best_side(quad: Corners, side: int, reach_px: float, light: Grey) -> _Line:
    start, end = quad[side].astype(np.float64), quad[(side + 1) % 4].astype(np.float64)
    along = (end - start) / np.linalg.norm(end - start)
    inward = np.array([-along[1], along[0]])
    if (quad.mean(axis=0) - start) @ inward < 0:
        inward = -inward
    step = max(0.5, reach_px / REACH_STEPS)
    offsets = np.arange(-REACH_STEPS - 2, REACH_STEPS + 3) * step
    shares = np.linspace(0.1, 0.9, SIDE_POINTS)
    points = start + shares[:, None] * (end - start)
    grid = points[:, None, :] + offsets[None, :, None] * inward
    profile = cv2.remap(
        light,
        grid[..., 0].astype(np.float32),
        grid[..., 1].astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    rise = np.clip(np.asarray(profile)[:, 4:] - np.asarray(profile)[:, :-4], 0, STEP_CAP)
    ends = np.arange(rise.shape[1])
    place = np.round(ends[:, None, None] + (ends[None, :, None] - ends[:, None, None]) * (shares - 0.1) / 0.8)
    total = rise[np.arange(SIDE_POINTS), place.astype(np.int64)].mean(axis=2)
    far = np.abs(ends - REACH_STEPS)
    total -= FAR_COST * (far[:, None] + far[None, :])
    a, b = np.unravel_index(int(np.argmax(total)), total.shape)
    one = points[0] + (int(a) - REACH_STEPS) * step * inward
    two = points[-1] + (int(b) - REACH_STEPS) * step * inward
    return one, two


def _crossing(one: _Line, two: _Line) -> tuple[float, float] | None:
    u, v = one[1] - one[0], two[1] - two[0]
    determinant = u[0] * v[1] - u[1] * v[0]
    if abs(determinant) < 0.1 * np.linalg.norm(u) * np.linalg.norm(v):
        return None
    gap = two[0] - one[0]
    corner = one[0] + (gap[0] * v[1] - gap[1] * v[0]) / determinant * u
    return float(corner[0]), float(corner[1])


def slanted(hull: npt.NDArray[np.int32], box: Corners) -> Corners:
    """Four corners that follow the perspective where the hull has four clear ones, else the box around it."""
    length = cv2.arcLength(hull, True)
    for share in (0.05, 0.08, 0.11):
        rough = cv2.approxPolyDP(hull, share * length, True)
        if len(rough) == 4 and cv2.contourArea(rough) > 0.8 * cv2.contourArea(box):
            return np.asarray(rough.reshape(4, 2), np.float32)
    return box
