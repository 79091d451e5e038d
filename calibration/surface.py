"""The card surface as the camera sees it: from picture pixels to millimetres, and the zones of the table.

Plain data: whoever finds the surface (a printed sheet, corners tapped on the preview) makes a `Surface`; the
recogniser takes it to leave out what has no card's size and to say in which zone a card lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Homography: TypeAlias = tuple[
    tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]
]
"""Rows of a 3x3 matrix that takes (x, y, 1) in picture pixels to the surface, in millimetres."""

PlacesMm: TypeAlias = npt.NDArray[np.float64]
"""(N, 2) float64, millimetres on the surface: x right, y towards whoever the picture's lower edge faces."""

SHORT_SIDE_MM = (50.0, 78.0)
LONG_SIDE_MM = (76.0, 112.0)
"""What cards measure, patience cards left out: bridge 57x89, poker 63x88, skat 59x91, large index 70x110;
wide enough for an outline a few per cent off."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of the surface with a name the table knows.

    Attributes:
        name: As in `SourceEvent.zone`, such as ``post`` or ``third``.
        corners_mm: A convex polygon, in order, millimetres on the surface.
    """

    name: str
    corners_mm: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Surface:
    """Where cards may lie.

    Attributes:
        to_mm: From picture pixels to millimetres.
        picture_px: Width and height of the picture it was found in; other sizes are scaled to it.
        corners_mm: The cloth's edge, a convex polygon in order; empty when all that is seen counts.
        zones: Of zones that overlap the first counts.
    """

    to_mm: Homography
    picture_px: tuple[int, int]
    corners_mm: tuple[tuple[float, float], ...] = ()
    zones: tuple[Zone, ...] = ()

    def place(self, points_px: Sequence[tuple[float, float]], picture_px: tuple[int, int]) -> PlacesMm:
        """Where points of a picture of this width and height lie on the surface."""
        scale = np.array(self.picture_px, float) / np.array(picture_px, float)
        points = np.asarray(points_px, float).reshape(-1, 2) * scale
        placed = np.column_stack([points, np.ones(len(points))]) @ np.array(self.to_mm).T
        depth = placed[:, 2:]
        # a point on the picture's horizon lies nowhere on the surface
        return np.asarray(placed[:, :2] / np.where(np.abs(depth) < 1e-12, np.nan, depth), np.float64)

    def zone_of(self, outline_px: Sequence[tuple[float, float]], picture_px: tuple[int, int]) -> str | None:
        """The zone the middle of a card lies in; None outside all of them."""
        middle = self.place(outline_px, picture_px).mean(axis=0)
        return next((zone.name for zone in self.zones if is_within(zone.corners_mm, middle)), None)

    def can_be_card(self, outline_px: Sequence[tuple[float, float]], picture_px: tuple[int, int]) -> bool:
        """Whether an outline has a card's size and lies on the cloth."""
        corners = self.place(outline_px, picture_px)
        if not np.isfinite(corners).all():
            return False
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        short, long = sorted((float(sides[::2].mean()), float(sides[1::2].mean())))
        has_size = (
            SHORT_SIDE_MM[0] <= short <= SHORT_SIDE_MM[1] and LONG_SIDE_MM[0] <= long <= LONG_SIDE_MM[1]
        )
        return has_size and (not self.corners_mm or is_within(self.corners_mm, corners.mean(axis=0)))


def is_within(polygon: Sequence[tuple[float, float]], point: npt.NDArray[np.float64]) -> bool:
    """Whether a point lies in a convex polygon, whichever way round its corners go."""
    if len(polygon) < 3 or not np.isfinite(point).all():
        return False
    corners = np.asarray(polygon, float)
    along = np.roll(corners, -1, axis=0) - corners
    towards = point - corners
    sides = along[:, 0] * towards[:, 1] - along[:, 1] * towards[:, 0]
    return bool((sides >= 0).all() or (sides <= 0).all())
