"""The card area in the picture: from pixels to its plane and back, and the zones on it.

An area is four corners as shares of the picture, so that a picture of another size fits, clockwise from the
corner that is top left for the dealer. With a printed sheet its size in millimetres is known too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from calibration.errors import DegenerateOutline
from calibration.surface import Surface, Zone

Share = tuple[float, float]
"""A place in a picture or on an area: x and y from 0 to 1."""
Quad = tuple[Share, Share, Share, Share]

CARD_LONG_MM = 88.9
"""Long side of a poker or bridge card."""
WHOLE: Quad = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
LEAST_AREA = 0.01
"""An area that fills less of the picture is a slip of the finger (share of the picture)."""


@dataclass(frozen=True, slots=True)
class ZoneBox:
    """A part of the area with a name the table knows (`assistant.table.zones`).

    Attributes:
        box: Left, top, right, bottom as shares of the area.
    """

    name: str
    box: tuple[float, float, float, float]

    def holds(self, x: float, y: float) -> bool:
        """Whether a place on the area lies in it."""
        left, top, right, bottom = self.box
        return left <= x < right and top <= y < bottom


_LEFT, _RIGHT, _LOW = 0.36, 0.64, 0.58
PLANS = MappingProxyType(
    {
        "table": (
            ZoneBox("posts", (0.0, 0.0, _LEFT, _LOW)),
            ZoneBox("third", (_LEFT, 0.0, _RIGHT, _LOW)),
            ZoneBox("posts", (_RIGHT, 0.0, 1.0, _LOW)),
            ZoneBox("hand", (0.0, _LOW, 1.0, 1.0)),
        ),
        "board-hand": (ZoneBox("board", (0.0, 0.0, 1.0, _LOW)), ZoneBox("hand", (0.0, _LOW, 1.0, 1.0))),
        "board": (ZoneBox("board", (0.0, 0.0, 1.0, 1.0)),),
        "any": (),
    }
)
"""Ready-made zones: first post left, third card in the middle, second post right, hands shown below them;
the board above and hands below; everything is the board; no zones at all."""


@dataclass(frozen=True, slots=True)
class Area:
    """Where cards are read.

    Attributes:
        corners: Shares of the picture, clockwise from the dealer's top left.
        width_mm: Width of the area; 0 where it was not measured.
        height_mm: Height of the area; 0 where it was not measured.
    """

    corners: Quad = WHOLE
    width_mm: float = 0.0
    height_mm: float = 0.0

    def place_of(self, x: float, y: float) -> Share:
        """Return where on the area a place in the picture lies, both as shares; beyond 0..1 is outside."""
        return apply(homography(self.corners, WHOLE), x, y)

    def in_picture(self, x: float, y: float) -> Share:
        """Return where in the picture a place on the area lies (both as shares)."""
        return apply(homography(WHOLE, self.corners), x, y)

    def surface(self, picture: tuple[int, int], zones: Sequence[ZoneBox] = ()) -> Surface | None:
        """Return it as the reader takes it, in millimetres; None where it was not measured.

        Args:
            picture: Width and height of the pictures, in pixels.
            zones: What lies where on it.
        """
        if not self.width_mm or not self.height_mm:
            return None
        width, height = self.width_mm, self.height_mm
        pixels = tuple((x * picture[0], y * picture[1]) for x, y in self.corners)
        a, b, c, d = pixels
        edge = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
        rows = tuple((float(x), float(y), float(z)) for x, y, z in homography((a, b, c, d), edge))
        boxes = tuple(Zone(zone.name, _corners_mm(zone.box, width, height)) for zone in zones)
        return Surface((rows[0], rows[1], rows[2]), picture, edge, boxes)

    def turned(self) -> Area:
        """The same area seen by a dealer who sits a quarter turn further."""
        a, b, c, d = self.corners
        return Area((b, c, d, a), self.height_mm, self.width_mm)

    def card_heights_px(self, size: tuple[int, int]) -> tuple[float, float]:
        """Return how long the smallest and the largest card on it is in a picture of `size`; 0, 0 if unknown.

        Args:
            size: Width and height of the picture in pixels.
        """
        if not self.width_mm or not self.height_mm:
            return 0.0, 0.0
        found = []
        step_y = CARD_LONG_MM / self.height_mm
        for x in (0.05, 0.5, 0.95):
            for y in (0.0, max(0.0, 1.0 - step_y)):
                upper, lower = self.in_picture(x, y), self.in_picture(x, y + step_y)
                found.append(
                    float(np.hypot((lower[0] - upper[0]) * size[0], (lower[1] - upper[1]) * size[1]))
                )
        return min(found), max(found)


def _corners_mm(
    box: tuple[float, float, float, float], width: float, height: float
) -> tuple[tuple[float, float], ...]:
    left, top, right, bottom = box[0] * width, box[1] * height, box[2] * width, box[3] * height
    return (left, top), (right, top), (right, bottom), (left, bottom)


def zone_at(zones: Sequence[ZoneBox], x: float, y: float) -> str | None:
    """Return the name of the first zone that holds a place on the area; None outside all of them."""
    return next((zone.name for zone in zones if zone.holds(x, y)), None)


def checked_corners(corners: Sequence[Sequence[float]]) -> Quad:
    """Return four corners in clockwise order, the order they were tapped in kept as far as that allows.

    Raises:
        DegenerateOutline: They are not the corners of an area: not four, not convex, or next to no area.
    """
    points = [(float(x), float(y)) for x, y in corners]
    if len(points) != 4:
        raise DegenerateOutline(f"{len(points)} corners were given.", "An area has four corners.")
    if _doubled_area(points) < 0:  # tapped the other way round: the first stays first
        points = [points[0], points[3], points[2], points[1]]
    bends = [_bend(points[n - 1], points[n], points[(n + 1) % 4]) for n in range(4)]
    if min(bends) <= 0 or _doubled_area(points) / 2 < LEAST_AREA:
        raise DegenerateOutline(
            "These four corners enclose no area.", "Tap the corners one after the other round the cloth."
        )
    a, b, c, d = points
    return a, b, c, d


def homography(source: Quad, target: Quad) -> npt.NDArray[np.float64]:
    """The plane-to-plane mapping that takes four points to four others, (3, 3) float64.

    Source: Hartley & Zisserman 2004, ch. 4.1.
    """
    rows: list[list[float]] = []
    for (x, y), (u, v) in zip(source, target, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    right = [value for point in target for value in point]
    try:
        solved = np.linalg.solve(np.array(rows, np.float64), np.array(right, np.float64))
    except np.linalg.LinAlgError as error:
        raise DegenerateOutline("These four corners enclose no area.", "Tap them again.") from error
    return np.append(solved, 1.0).reshape(3, 3)


def apply(mapping: npt.NDArray[np.float64], x: float, y: float) -> Share:
    """Map one point."""
    u, v, w = (float(value) for value in mapping @ np.array([x, y, 1.0]))
    w = w if abs(w) > 1e-12 else 1e-12
    return u / w, v / w


def _doubled_area(points: Sequence[Share]) -> float:
    """Twice the area; positive for corners clockwise on a screen (y down)."""
    return sum(
        points[n][0] * points[(n + 1) % 4][1] - points[(n + 1) % 4][0] * points[n][1] for n in range(4)
    )


def _bend(before: Share, here: Share, after: Share) -> float:
    return (here[0] - before[0]) * (after[1] - here[1]) - (here[1] - before[1]) * (after[0] - here[0])
