"""Finds the outlines of cards in a picture: light four-sided areas, by several thresholds and by edges.

Each place may get rival outlines (the frame round a court figure is four-sided too); the one that reads wins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from calibration.frames import Corners, Image
from calibration.pixels import cv2
from calibration.recogniser.change import changed_outlines
from calibration.recogniser.network import Network
from calibration.recogniser.rectify import side_lengths
from calibration.recogniser.segment import Marked, darkest_channel, marked, paper_light, snap

Mask: TypeAlias = npt.NDArray[np.uint8]
Gradient: TypeAlias = tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]
"""Sobel derivatives along x and y of the grey picture."""
Contour: TypeAlias = npt.NDArray[np.int32]
Box: TypeAlias = tuple[int, int, int, int]

WORK_SIDE_PX = 960
"""The picture is searched at this long side (scripts/score_recogniser.py --rendered)."""
_NEIGHBOURS = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], np.int32)
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
HALF = 0.5
CLEAR_SIDES = 60.0
"""Steepness of its weakest side (Sobel's sum) from which an outline needs no help by the network."""
NEARLY_GAP = 0.15
"""Corners of a rough outline may be off by this share of a card's long side."""
SUPPORT_POINTS = 24
SUPPORT_CAP = 120.0
"""A steeper side counts no more than this."""
BOX_STEP_PX = 5.0
SAME_BOXES = 2
"""So often a contour with the same box (to a few pixels) is fitted; most masks show a clear card alike."""
LINE_PX = 9
"""A printed line of the cloth that touches a card is thinner than this (work pixels)."""
STUB_PX = 6
"""Twice as much of the line stays."""
OUTSTANDING = 0.95
"""Share of an area's hull below which what is left without lines is another shape."""
MOST_ODD = 8
"""Areas of one mask that are looked at again without what is thin in them, the largest first."""
MAX_POINTS = 400
"""Points of a contour that sides are fitted to; more make them no straighter."""
MAX_PLACES, MOST_GROUPED = 24, 120
"""Places looked at in one picture; a full table has about a dozen cards. Of so many those are chosen."""
LIKELY_RATIO = (1.22, 1.75)
"""Long over short side of a card seen from up to about 30 degrees off; most tiles are square."""
MARKED_NEAR = 0.3
"""A mark's middle lies nearer to its card's than this share of the short side."""
MAX_RIVALS = 3
NUDGE_PX = np.float32(0.01)
NEARLY_ALL, NEARBY = 0.95, 0.1
"""An area shared by less, of outlines whose centres lie nearer than a third of a side, is looked at twice."""
RIVAL_AREA = 0.4
"""Least area of an outline compared with its rival's: the frame round a court has about half its card's."""


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """Places where cards may lie.

    Attributes:
        places: Per place its rival outlines, best first, each in picture pixels, clockwise, short side first.
        reason: ``no_outline`` when there is none, else empty.
        faces: (rows, columns) bool, cells of the picture that show a face; None without the network.
        cell_px: Width and height of such a cell in picture pixels.
    """

    places: tuple[tuple[Corners, ...], ...]
    reason: str
    faces: npt.NDArray[np.bool_] | None = None
    cell_px: npt.NDArray[np.float32] | None = None


def locate(
    image: Image,
    segment: Network | None = None,
    before: Sequence[Image] = (),
    beside: Executor | None = None,
) -> Located:
    """Find outlines that may be cards.

    Args:
        image: (H, W, 3) uint8, BGR.
        segment: The network that marks faces; without it only clear-cut outlines are found.
        before: The table as it rested before, of the same size: what was laid since is found even on others.
        beside: Runs the network while the masks are searched; None: one after the other.
    """
    scale = min(1.0, WORK_SIDE_PX / max(image.shape[:2]))
    work = shrunk(image, scale)
    marking = None if segment is None or beside is None else beside.submit(marked, work, segment)
    gradient = _gradient(work)
    seen_boxes: Counter[Box] = Counter()
    quads = [quad for mask in _papers(work) for quad in _quads(mask, seen_boxes, has_lines=True)]
    quads += [quad for mask in _between_edges(work) for quad in _quads(mask, seen_boxes)]
    found = list(zip(_support(quads, gradient), quads, strict=True))
    marks: Marked | None = None
    if marking is not None:
        marks = marking.result()
    elif segment is not None:
        marks = marked(work, segment)
    rough = [] if marks is None else list(marks.outlines)
    for earlier in before:
        rough += changed_outlines(work, shrunk(earlier, scale))
    if rough:
        clear = [quad for support, quad in found if support > CLEAR_SIDES * _size(quad)]
        rough = [upright(quad) for quad in rough]
        unclear = [quad for quad in rough if not any(_is_nearly(quad, one) for one in clear)]
        laid = _laid_on_edges(unclear, work)
        found += [
            (SEGMENT_FAVOUR * support, quad)
            for support, quad in zip(_support(laid, gradient), laid, strict=True)
        ]
    places = [tuple(quad / np.float32(scale) for quad in place) for place in _places(found, rough)]
    reason = "" if places else "no_outline"
    if marks is None:
        return Located(tuple(places), reason)
    return Located(tuple(places), reason, marks.faces, marks.cell_px / np.float32(scale))


def shrunk(image: Image, scale: float) -> Image:
    """The picture at this scale, at most 1."""
    if scale == 1.0:
        return image
    # a half and less needs every pixel, else fine edges turn into steps; above it linear is enough and faster
    how = cv2.INTER_AREA if scale < HALF else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=how), np.uint8)


def _laid_on_edges(rough: list[Corners], work: Image) -> list[Corners]:
    """Each rough outline on the nearest edges of paper, and as it is."""
    if not rough:
        return []
    light = paper_light(work)
    both = [quad for one in rough for quad in (snap(one, light), one) if quad is not None]
    return [quad for quad in map(upright, both) if is_card_shaped(quad)]


def _is_nearly(one: Corners, two: Corners) -> bool:
    """Whether a rough outline and a fitted one are of the same card."""
    return _is_same_place(one, two) and _gap(one, two) < NEARLY_GAP


def _papers(work: Image) -> Iterator[Mask]:
    """Several guesses at what is paper; a card that one misses is often whole in another."""
    lowest = cv2.GaussianBlur(darkest_channel(work), (5, 5), 0)
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


def _between_edges(work: Image) -> Iterator[Mask]:
    """What lies between edges, faint ones too and clear ones only."""
    smooth = cv2.GaussianBlur(cv2.cvtColor(work, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    kernel = np.ones((3, 3), np.uint8)
    for low, high in ((20, 60), (60, 150)):
        yield _bytes(cv2.dilate(cv2.Canny(smooth, low, high), kernel) == 0)


def _bytes(mask: npt.NDArray[np.bool_]) -> Mask:
    return mask.astype(np.uint8) * np.uint8(255)


def _opened(mask: npt.NDArray[np.bool_]) -> Mask:
    """Without hairs and specks."""
    return np.asarray(cv2.morphologyEx(_bytes(mask), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


def _quads(mask: Mask, seen_boxes: Counter[Box], *, has_lines: bool = False) -> Iterator[Corners]:
    """Four-sided outlines in a mask; a contour found `SAME_BOXES` times before isn't fitted again.

    Where the mask may have lines of the cloth in it, areas without four sides are looked at without these.
    """
    found, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    limit = MAX_SHARE * mask.size
    odd: list[tuple[float, Contour]] = []
    for contour in (np.asarray(one, np.int32) for one in found):
        if not _is_large(contour):
            continue
        area = cv2.contourArea(contour)
        if not 0.4 * MIN_LONG_SIDE_PX**2 < area < limit:
            continue
        quad, is_known = _fitted(contour, area, seen_boxes)
        if quad is not None:
            yield quad
        elif has_lines and not is_known and cv2.contourArea(contour, oriented=True) < 0:  # no hole
            odd.append((area, contour))
    for _, contour in sorted(odd, key=lambda one: -one[0])[:MOST_ODD]:
        whole = cv2.contourArea(cv2.convexHull(contour))
        for part in _without_lines(contour):
            # where no line stood out there is nothing new to fit: a patch of light on the cloth
            if _is_large(part) and cv2.contourArea(cv2.convexHull(part)) < OUTSTANDING * whole:
                quad, _ = _fitted(part, cv2.contourArea(part), seen_boxes)
                if quad is not None:
                    yield quad


def _is_large(contour: Contour) -> bool:
    if len(contour) < 2.2 * MIN_LONG_SIDE_PX:
        return False
    _, _, width, height = cv2.boundingRect(contour)
    return bool(max(width, height) >= 0.9 * MIN_LONG_SIDE_PX)


def _fitted(contour: Contour, area: float, seen_boxes: Counter[Box]) -> tuple[Corners | None, bool]:
    """The four sides of a contour, if it has four, and whether it was fitted often enough already."""
    hull = cv2.convexHull(contour)
    hull_area = cv2.contourArea(hull)
    if area < MIN_SOLIDITY * hull_area:
        return None, False
    x, y, width, height = cv2.boundingRect(contour)
    box = (
        round(x / BOX_STEP_PX),
        round(y / BOX_STEP_PX),
        round((x + width) / BOX_STEP_PX),
        round((y + height) / BOX_STEP_PX),
    )
    if seen_boxes[box] >= SAME_BOXES:
        return None, True
    rough = _four_corners(np.asarray(hull, np.int32))
    if rough is None:
        return None, False
    quad = _fit_sides(rough, contour[:: len(contour) // MAX_POINTS + 1].reshape(-1, 2).astype(np.float32))
    if quad is None or not FIT_RANGE[0] < cv2.contourArea(quad) / hull_area < FIT_RANGE[1]:
        return None, False
    ordered = upright(quad)
    if not is_card_shaped(ordered):
        return None, False
    seen_boxes[box] += 1
    return ordered, False


def _without_lines(contour: Contour) -> Sequence[Contour]:
    """What is left of an area without its thin parts: cards that a line of the cloth touches or joins."""
    x, y, width, height = cv2.boundingRect(contour)
    filled = np.zeros((height + 2, width + 2), np.uint8)
    cv2.drawContours(filled, [contour], -1, 255, cv2.FILLED, offset=(1 - x, 1 - y))
    thick = cv2.erode(filled, np.ones((LINE_PX, LINE_PX), np.uint8))
    if not cv2.countNonZero(thick):
        return ()
    # dilated by more than it was eroded, within the area, so that corners aren't lost: squares are quick
    around = cv2.dilate(thick, np.ones((LINE_PX + STUB_PX, LINE_PX + STUB_PX), np.uint8))
    parts, _ = cv2.findContours(
        cv2.bitwise_and(around, filled), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE, offset=(x - 1, y - 1)
    )
    return [np.asarray(part, np.int32) for part in parts]


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


def _gradient(work: Image) -> Gradient:
    grey = cv2.GaussianBlur(cv2.cvtColor(work, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    dx, dy = cv2.spatialGradient(grey)
    return np.asarray(dx, np.int16), np.asarray(dy, np.int16)


def _support(quads: list[Corners], gradient: Gradient) -> list[float]:
    """How clear the weakest side of each is, times the size: of nested outlines the outer one wins.

    A side's clearness is the median over its points of the steepest step within a pixel.
    """
    if not quads:
        return []
    corners = np.stack(quads)
    steps = np.linspace(0.12, 0.88, SUPPORT_POINTS, dtype=np.float32)[:, None]
    points = corners[:, :, None] + (np.roll(corners, -1, axis=1) - corners)[:, :, None] * steps
    around = points.round().astype(np.int32)[..., None, :] + _NEIGHBOURS
    height, width = gradient[0].shape
    place = np.clip(around[..., 1], 0, height - 1) * width + np.clip(around[..., 0], 0, width - 1)
    dx, dy = (part.ravel().take(place).astype(np.float32) for part in gradient)
    steepest = np.sqrt((dx * dx + dy * dy).max(axis=-1))
    weakest = np.minimum(np.median(steepest, axis=-1).min(axis=-1), SUPPORT_CAP)
    return [float(clear) * _size(quad) for clear, quad in zip(weakest, quads, strict=True)]


def _size(quad: Corners) -> float:
    return float(np.sqrt(abs(cv2.contourArea(quad))))


def _places(found: list[tuple[float, Corners]], marked: Sequence[Corners] = ()) -> list[list[Corners]]:
    """Group outlines that cover each other; drop those that are nearly equal.

    On a tiled table there are more places than can be looked at; those go first that are likelier cards.
    """
    places: list[list[Corners]] = []
    for _, quad in sorted(found, key=lambda item: -item[0]):
        home = next((place for place in places if _is_same_place(place[0], quad)), None)
        if home is None:
            if len(places) < MOST_GROUPED:
                places.append([quad])
        elif len(home) < MAX_RIVALS and all(_gap(quad, rival) > 0.05 for rival in home):
            home.append(quad)
    if len(places) <= MAX_PLACES:
        return places
    return sorted(places, key=lambda place: -_likely(place[0], marked))[:MAX_PLACES]


def _likely(quad: Corners, marked: Sequence[Corners]) -> int:
    """How much speaks for a card: the shape of one seen from above, and something marked in it."""
    sides = side_lengths(quad)
    has_shape = LIKELY_RATIO[0] < float((sides[1] + sides[3]) / (sides[0] + sides[2])) < LIKELY_RATIO[1]
    is_marked = any(_centres_apart(quad, one) < MARKED_NEAR * sides.min() for one in marked)
    return has_shape + is_marked


def _is_same_place(one: Corners, two: Corners) -> bool:
    """Whether two outlines are guesses at one card; one round several cards is no rival of each of them."""
    areas = sorted((abs(cv2.contourArea(one)), abs(cv2.contourArea(two))))
    return areas[0] > RIVAL_AREA * areas[1] and cover(one, two) > 0.5


def cover(one: Corners, two: Corners) -> float:
    """Share of the smaller outline that the other covers."""
    smaller = max(1.0, min(abs(cv2.contourArea(one)), abs(cv2.contourArea(two))))
    shared = float(cv2.intersectConvexConvex(one, two)[0])
    if shared < NEARLY_ALL * smaller and _centres_apart(one, two) ** 2 < NEARBY * smaller:
        # where sides all but coincide OpenCV may lose most of the area, seldom both ways round: 39 % of a
        # card was found in its double, and the card was named twice
        shared = max(shared, float(cv2.intersectConvexConvex(two, one + NUDGE_PX)[0]))
    return shared / smaller


def _centres_apart(one: Corners, two: Corners) -> float:
    x, y = ((one[0] + one[1] + one[2] + one[3]) - (two[0] + two[1] + two[2] + two[3])) / 4
    return float(np.hypot(x, y))


def _gap(one: Corners, two: Corners) -> float:
    """Largest corner distance over the longest side."""
    return float(np.linalg.norm(one - two, axis=1).max() / side_lengths(one).max())
