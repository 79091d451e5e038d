"""Finds the outlines of cards in a picture: light four-sided areas, by several thresholds and by edges.

Each place may get rival outlines (the frame round a court figure is four-sided too); the one that reads wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from calibration.frames import Corners, Image
from calibration.pixels import cv2
from calibration.recogniser.network import Network
from calibration.recogniser.rectify import side_lengths
from calibration.recogniser.segment import core_outlines, darkest_channel, paper_light, snap

Mask: TypeAlias = npt.NDArray[np.uint8]

WORK_SIDE_PX = 960
"""The picture is searched at this long side (scripts/score_recogniser.py --rendered)."""
MIN_LONG_SIDE_PX = 40.0
"""Shortest long side of a card worth looking at, in work pixels."""
MAX_SHARE = 0.9
"""An outline that fills more of the picture is its border."""
MIN_SOLIDITY = 0.80
"""Least share of its convex hull that an area fills; cards touched by fingers lie near 0.9."""
FIT_RANGE = (0.90, 1.12)
"""Area of the fitted four sides over the area of the hull."""
SIDE_RATIO = (1.0, 2.3)
"""Long over short side as seen from up to about 50 degrees off (drawn tables, render_scenes.py)."""
OPPOSITE_RATIO = 1.7
"""How much longer a side may be than the one across, by perspective."""
LOCAL_STEP = 8
"""How much lighter than its surroundings paper is at least (of 255), against noise."""
SEGMENT_FAVOUR = 1.5
"""How much more an outline from the segment network counts than one from thresholds and edges."""
MAX_POINTS = 400
"""Points of a contour that sides are fitted to; more make them no straighter."""
MAX_PLACES = 24
"""Places looked at in one picture; a full table has about a dozen cards."""
MAX_RIVALS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """Places where cards may lie.

    Attributes:
        places: Per place its rival outlines, best first, each in picture pixels, clockwise, short side first.
        reason: ``no_outline`` when there is none, else empty.
    """

    places: tuple[tuple[Corners, ...], ...]
    reason: str


def locate(image: Image, segment: Network | None = None) -> Located:
    """Find outlines that may be cards.

    Args:
        image: (H, W, 3) uint8, BGR.
        segment: The network that marks faces; without it only clear-cut outlines are found.
    """
    scale = min(1.0, WORK_SIDE_PX / max(image.shape[:2]))
    work = (
        image
        if scale == 1.0
        else np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    )
    strength = _edge_strength(work)
    found: list[tuple[float, Corners]] = []
    for mask in _masks(work):
        found += [(_support(quad, strength), quad) for quad in _quads(mask)]
    if segment is not None:
        light = paper_light(work)
        for rough in core_outlines(work, segment):
            snapped = snap(upright(rough), light)
            found += [
                (SEGMENT_FAVOUR * _support(quad, strength), quad)
                for quad in (upright(corners) for corners in (snapped, rough) if corners is not None)
                if is_card_shaped(quad)
            ]
    places = [tuple(quad / np.float32(scale) for quad in place) for place in _places(found)]
    return Located(tuple(places), "" if places else "no_outline")


def _masks(work: Image) -> Iterator[Mask]:
    """Several guesses at what is paper; a card that one misses is often whole in another."""
    lowest = cv2.GaussianBlur(darkest_channel(work), (5, 5), 0)
    grey = cv2.cvtColor(work, cv2.COLOR_BGR2GRAY)
    kernel = np.ones((3, 3), np.uint8)
    level, mask = cv2.threshold(lowest, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    yield _opened(mask > 0)
    upper = lowest[lowest > level]
    if upper.size > 500:
        higher, _ = cv2.threshold(upper.reshape(1, -1), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        yield _bytes(lowest > higher)
    lower = lowest[lowest <= level]
    if lower.size > 500:
        higher, _ = cv2.threshold(lower.reshape(1, -1), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        yield _bytes(lowest > higher)
    for share in (3, 8):
        block = max(work.shape[:2]) // share | 1
        local = cv2.boxFilter(lowest, -1, (block, block))
        yield _opened(lowest.astype(np.int16) > local.astype(np.int16) + LOCAL_STEP)
    smooth = cv2.GaussianBlur(grey, (5, 5), 0)
    for low, high in ((20, 60), (60, 150)):
        yield _bytes(cv2.dilate(cv2.Canny(smooth, low, high), kernel) == 0)


def _bytes(mask: npt.NDArray[np.bool_]) -> Mask:
    return mask.astype(np.uint8) * np.uint8(255)


def _opened(mask: npt.NDArray[np.bool_]) -> Mask:
    """Without hairs and specks."""
    return np.asarray(cv2.morphologyEx(_bytes(mask), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


def _quads(mask: Mask) -> Iterator[Corners]:
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    limit = MAX_SHARE * mask.size
    for contour in contours:
        if len(contour) < 2.2 * MIN_LONG_SIDE_PX:
            continue
        area = cv2.contourArea(contour)
        if not 0.4 * MIN_LONG_SIDE_PX**2 < area < limit:
            continue
        hull = cv2.convexHull(contour)
        hull_area = cv2.contourArea(hull)
        if area < MIN_SOLIDITY * hull_area:
            continue
        rough = _four_corners(np.asarray(hull, np.int32))
        if rough is None:
            continue
        quad = _fit_sides(rough, contour[:: len(contour) // MAX_POINTS + 1].reshape(-1, 2).astype(np.float32))
        if quad is None or not FIT_RANGE[0] < cv2.contourArea(quad) / hull_area < FIT_RANGE[1]:
            continue
        ordered = upright(quad)
        if is_card_shaped(ordered):
            yield ordered


def _four_corners(hull: npt.NDArray[np.int32]) -> Corners | None:
    length = cv2.arcLength(hull, True)
    for share in (0.02, 0.03, 0.045, 0.06, 0.08):
        rough = cv2.approxPolyDP(hull, share * length, True)
        if len(rough) == 4:
            return rough.reshape(4, 2).astype(np.float32)
        if len(rough) < 4:
            return None
    return None


def _fit_sides(rough: Corners, points: npt.NDArray[np.float32]) -> Corners | None:
    """Lay a line through the middle of each side, where corners aren't round, and cross them."""
    lines = []
    for n in range(4):
        start, end = rough[n], rough[(n + 1) % 4]
        length = float(np.linalg.norm(end - start))
        if length < 8:
            return None
        along = (end - start) / length
        offset = points - start
        place = offset @ along / length
        distance = np.abs(offset[:, 0] * along[1] - offset[:, 1] * along[0])
        near = points[(place > 0.15) & (place < 0.85) & (distance < 2 + 0.04 * length)]
        if len(near) < 6:
            return None
        vx, vy, x, y = np.asarray(cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01)).ravel()
        lines.append((vx, vy, x, y))
    corners = [_crossing(lines[n - 1], lines[n]) for n in range(4)]
    if any(corner is None for corner in corners):
        return None
    quad = np.array(corners, np.float32)
    return quad if np.abs(quad - rough).max() < 0.25 * side_lengths(rough).max() else None


def _crossing(one: tuple[float, ...], two: tuple[float, ...]) -> tuple[float, float] | None:
    determinant = one[0] * two[1] - one[1] * two[0]
    if abs(determinant) < 0.1:
        return None
    t = ((two[2] - one[2]) * two[1] - (two[3] - one[3]) * two[0]) / determinant
    return float(one[2] + t * one[0]), float(one[3] + t * one[1])


def upright(quad: Corners) -> Corners:
    """Order corners clockwise, a short side first, starting nearest the picture's top left."""
    centre = quad.mean(axis=0)
    angles = np.arctan2(quad[:, 1] - centre[1], quad[:, 0] - centre[0])
    ordered = quad[np.argsort(angles)]
    sides = side_lengths(ordered)
    if sides[0] + sides[2] > sides[1] + sides[3]:
        ordered = np.roll(ordered, -1, axis=0)
    if ordered[0].sum() > ordered[2].sum():
        ordered = np.roll(ordered, 2, axis=0)
    return np.ascontiguousarray(ordered, np.float32)


def is_card_shaped(quad: Corners) -> bool:
    """Whether an upright outline has a card's proportions, seen at a slant."""
    sides = side_lengths(quad)
    short, long = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    if long < MIN_LONG_SIDE_PX or sides.min() < 1 or not cv2.isContourConvex(quad):
        return False
    across = max(sides[0] / sides[2], sides[2] / sides[0], sides[1] / sides[3], sides[3] / sides[1])
    return bool(SIDE_RATIO[0] <= long / short <= SIDE_RATIO[1] and across < OPPOSITE_RATIO)


def _edge_strength(work: Image) -> npt.NDArray[np.float32]:
    grey = cv2.GaussianBlur(cv2.cvtColor(work, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    dx, dy = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    return np.asarray(cv2.dilate(cv2.magnitude(dx, dy), np.ones((3, 3), np.uint8)), np.float32)


def _support(quad: Corners, strength: npt.NDArray[np.float32]) -> float:
    """How clear the weakest side is, times the size: of nested outlines the outer one wins."""
    steps = np.linspace(0.12, 0.88, 24, dtype=np.float32)[:, None]
    weakest = np.inf
    for n in range(4):
        points = quad[n] + (quad[(n + 1) % 4] - quad[n]) * steps
        x = np.clip(points[:, 0].round().astype(int), 0, strength.shape[1] - 1)
        y = np.clip(points[:, 1].round().astype(int), 0, strength.shape[0] - 1)
        weakest = min(weakest, float(np.median(strength[y, x])))
    return min(weakest, 120.0) * float(np.sqrt(abs(cv2.contourArea(quad))))


def _places(found: list[tuple[float, Corners]]) -> list[list[Corners]]:
    """Group outlines that cover each other; drop those that are nearly equal."""
    places: list[list[Corners]] = []
    for _, quad in sorted(found, key=lambda item: -item[0]):
        home = next((place for place in places if _cover(place[0], quad) > 0.5), None)
        if home is None:
            if len(places) < MAX_PLACES:
                places.append([quad])
        elif len(home) < MAX_RIVALS and all(_gap(quad, rival) > 0.05 for rival in home):
            home.append(quad)
    return places


def _cover(one: Corners, two: Corners) -> float:
    shared, _ = cv2.intersectConvexConvex(one, two)
    return float(shared) / max(1.0, min(abs(cv2.contourArea(one)), abs(cv2.contourArea(two))))


def _gap(one: Corners, two: Corners) -> float:
    """Largest corner distance over the longest side."""
    return float(np.linalg.norm(one - two, axis=1).max() / side_lengths(one).max())
