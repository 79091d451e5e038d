"""Outlines of cards that a mirrored lamp covers in part: the sides that are left are completed.

What a lamp has blown out may be paper or table; so an outline holds where its whole perimeter is either the
edge of paper or lies in the blown-out spot. Cards found so are only asked about, never named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.frames import Corners, Image
from calibration.pixels import cv2
from calibration.recogniser.locate import MIN_LONG_SIDE_PX, WORK_SIDE_PX, cover, shrunk, upright
from calibration.recogniser.segment import darkest_channel

GLANCE_STEP_PX = 4
"""Every so many pixels are looked at to see whether there is a lamp at all."""
BLOWN_LEVEL, TINTED_LEVEL = 250, 215
"""A lamp blows out the lightest channel, and a tinted one nearly the darkest (of 255)."""
LEAST_SPOT = 0.0006
"""A smaller spot hides little (share of the picture; a radius of 10 px of 960)."""
HALO_PX = 8
"""So far around a blown-out spot its rim hides what lies there (work pixels)."""
RIM_PX, STEEP_WINDOW_PX, STEEP_SHARE = 22, 13, 0.18
"""So near a spot (work pixels) an edge must be steep, else it is the lamp's rim: paper's rises by such a
share of the light in such a window from one pixel to the next."""
ROOM_PX = 190
"""How far around a spot a card that it covers may reach (work pixels)."""
MOST_SPOTS = 4
LEVELS, LEAST_OPEN = 3, 300
"""So many levels between paper and table are tried, as long as so many pixels are left."""
PAPER_STEP = 30.0
"""How much lighter than the table paper is (darkest channel, of 255)."""
PAPER_LEVEL = 100.0
"""Least mean of that channel on paper."""
LEAST_VOTES = 12
"""Points of an edge that make a line (work pixels)."""
MOST_PEAKS, MOST_LINES = 300, 10
LINE_OFF_PX, NEARLY_PARALLEL = 7.0, 0.990
"""Lines nearer to each other, and less turned (a cosine, 8 degrees), are one."""
PARALLEL, SQUARE, SLANTED = 0.21, 0.94, 0.3
"""Sines: opposite sides of a card are seen up to 12 degrees off, neighbours up to 20 degrees off square."""
ASPECTS = (1.40, 1.54, 1 / 1.40, 1 / 1.54)
"""Long over short side of poker and bridge cards, where one side has to be guessed."""
LIKELY_RATIO = (1.25, 1.7)
"""Long over short side of a card that is seen in part: little else tells it from a sheet of paper."""
MOST_ACROSS = 1.4
"""How much longer a side may be than the one across, by perspective."""
SIDE_POINTS = 40
MOST_TRIED = 10
EXPLAINED_SHARE = 0.92
"""Share of the perimeter that is the edge of paper or hidden by the lamp."""
VISIBLE_SHARE = 0.10
"""Share of the perimeter that must be the edge of paper: the four corners about a lamp in the middle."""
SIDE_SEEN_SHARE, SIDES_SEEN = 0.08, 3
"""Share of a side that must be seen for the side to count as seen, and how many must count."""
LEAST_LEFT = 0.02
"""Share of a card that must be left beside the lamp to say anything of it."""
COVERED_SHARE = 0.08
"""Share of a card that a lamp covers at least, to be why it isn't read."""
ROUND_SHARE, STRAY_SHARE = 1.5, 0.1
"""Edge of paper between an outline and one grown so much (share of its perimeter): of a larger sheet."""
GOES_ON, GOES_ON_POINTS, GOES_ON_SHARE = (0.04, 0.24), 16, 0.5
"""From so far to so far beyond a corner (shares of the side) an edge that goes on fills such a share."""
MARGIN_SHARE = 0.65
"""A face is bare paper along its edge, for so much of what is seen of it; a window has bars there."""
PAPER_DROP, PAPER_RISE = 22, 60
"""How much darker than its median, and lighter near a lamp (darkest channel, of 255), paper is in places."""
PAPER_SHARE = 0.62
"""Least share of paper in what is left of the card: a card's back has less."""
INK_SHARE = 0.004
"""Least share of print in what is left of the card: a slip of paper has none."""
MOST_BARE = 0.12
"""Greatest share of a card left bare without any print being seen."""
INK_STEP = 60
"""How much darker than paper print is (darkest channel, of 255)."""
ACROSS_PX = 4
"""A step at an edge is measured between so far inside and so far outside (work pixels)."""
EDGE_STEP, NEW_SHARE, NEW_SEEN_SHARE = 20.0, 0.7, 0.06
"""A step of an edge (of 255); where a card came such a share of them wasn't there when the table last rested;
and so much of the perimeter must show such a step."""

Mask = npt.NDArray[np.bool_]
Quads = npt.NDArray[np.float32]
"""(N, 4, 2), corners in order."""


@dataclass(frozen=True, slots=True, eq=False)
class _Patch:
    """The surroundings of one spot, in work pixels.

    Attributes:
        at: Where the patch's origin lies in the work picture.
        lowest: The darkest channel.
        hidden: Blown out, or so near that the lamp's rim hides what lies there.
        blown: Blown out.
        paper: As light as paper, blown out or not.
        edge: Where paper ends and neither the lamp's rim nor the patch does.
        thick_edge: The same and what lies within two pixels of it.
        paper_level: Of the darkest channel on bare paper.
    """

    at: tuple[int, int]
    lowest: npt.NDArray[np.uint8]
    hidden: Mask
    blown: Mask
    paper: Mask
    edge: Mask
    thick_edge: Mask
    paper_level: float


def has_lamp(image: Image) -> bool:
    """Whether enough of a picture is blown out to hide a part of a card; costs next to nothing."""
    glance = np.ascontiguousarray(image[::GLANCE_STEP_PX, ::GLANCE_STEP_PX])
    return bool(blown_out(glance).mean() >= LEAST_SPOT)


def covered_outlines(image: Image, before: Sequence[Image] = ()) -> list[Corners]:
    """Outlines of cards that a lamp covers in part, in picture pixels, the surest first.

    Args:
        image: (H, W, 3) uint8, BGR.
        before: The table as it rested before: bare paper beside a lamp is a card only where it came since.
    """
    if not has_lamp(image):
        return []
    scale = min(1.0, WORK_SIDE_PX / max(image.shape[:2]))
    work = shrunk(image, scale)
    earlier = [shrunk(one, scale) for one in before if one.shape == image.shape]
    found: list[tuple[float, Corners]] = []
    for patch in _patches(work):
        quads = _quads(_lines(patch.edge))
        explained = _explained(patch, quads)
        for n in np.argsort(-explained)[:MOST_TRIED].tolist():
            if explained[n] > 0 and _is_card(patch, quads[n], earlier):
                found.append((float(explained[n]), upright(quads[n] + np.array(patch.at, np.float32))))
                break
    kept: list[Corners] = []
    for _, quad in sorted(found, key=lambda item: -item[0]):
        if all(cover(quad, other) < 0.3 for other in kept):
            kept.append(quad)
    return [np.asarray(quad / np.float32(scale), np.float32) for quad in kept]


def blown_out(image: Image) -> Mask:
    """Where nothing but light arrives, white or tinted."""
    blue, green, red = cv2.split(image)
    lightest = np.asarray(cv2.max(cv2.max(blue, green), red))
    return np.asarray((lightest >= BLOWN_LEVEL) & (darkest_channel(image) >= TINTED_LEVEL))


def _patches(work: Image) -> Iterator[_Patch]:
    """The surroundings of the largest spots in which paper can be told from the table."""
    blown = cv2.morphologyEx(blown_out(work).astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    count, _labels, stats, _ = cv2.connectedComponentsWithStats(blown, connectivity=8)
    height, width = blown.shape
    spots = [n for n in range(1, count) if stats[n, cv2.CC_STAT_AREA] >= LEAST_SPOT * blown.size]
    for n in sorted(spots, key=lambda n: -int(stats[n, cv2.CC_STAT_AREA]))[:MOST_SPOTS]:
        x, y, w, h = (int(value) for value in stats[n, :4])
        rows = slice(max(0, y - ROOM_PX), min(height, y + h + ROOM_PX))
        columns = slice(max(0, x - ROOM_PX), min(width, x + w + ROOM_PX))
        yield from _patch_at(
            work[rows, columns], np.asarray(blown[rows, columns]), (columns.start, rows.start)
        )


def _patch_at(part: Image, blown: npt.NDArray[np.uint8], at: tuple[int, int]) -> Iterator[_Patch]:
    """The same surroundings with paper told from the table by one level, then by a higher one."""
    round_ = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * HALO_PX + 1, 2 * HALO_PX + 1))
    hidden = np.asarray(cv2.dilate(blown, round_)) > 0
    lowest = np.asarray(cv2.GaussianBlur(darkest_channel(part), (3, 3), 0), np.uint8)
    by_lamp = cv2.dilate(blown, np.ones((2 * RIM_PX + 1, 2 * RIM_PX + 1), np.uint8)) > 0
    steep = ~by_lamp | _is_steep(lowest)
    for level, paper_level in _levels(lowest[~hidden]):
        light = ((lowest > level) | (blown > 0)).astype(np.uint8)
        count, labels = cv2.connectedComponents(light, connectivity=4)
        touches = np.zeros(count, bool)
        touches[np.asarray(labels)[hidden & (light > 0)]] = True
        touches[0] = False
        paper = touches[labels]
        contours, _ = cv2.findContours(paper.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        edge = np.zeros(paper.shape, np.uint8)
        cv2.drawContours(edge, contours, -1, 1, 1)
        edge[:2], edge[-2:], edge[:, :2], edge[:, -2:] = 0, 0, 0, 0
        seen = (edge > 0) & steep
        thick = cv2.dilate(seen.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        yield _Patch(at, lowest, hidden, blown > 0, paper, seen, thick, paper_level)


def _levels(seen: npt.NDArray[np.uint8]) -> Iterator[tuple[float, float]]:
    """Guesses from which darkest channel on something is paper, and that of paper itself."""
    if seen.size < LEAST_OPEN:
        return
    yield (float(np.median(seen)) + BLOWN_LEVEL) / 2, BLOWN_LEVEL  # all of the card may be blown out
    for _ in range(LEVELS):
        if seen.size < LEAST_OPEN:
            return
        level, _mask = cv2.threshold(seen.reshape(1, -1), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        below, seen = seen[seen <= level], seen[seen > level]
        paper_level = float(np.median(seen)) if seen.size else 0.0
        if paper_level >= PAPER_LEVEL and paper_level - float(np.median(below)) >= PAPER_STEP:
            yield level, paper_level


def _is_steep(lowest: npt.NDArray[np.uint8]) -> Mask:
    """Where light ends at once, as paper does; a lamp's rim is softer."""
    dx, dy = cv2.spatialGradient(lowest)
    step = np.hypot(dx.astype(np.float32), dy.astype(np.float32)) / 8
    window = np.ones((STEEP_WINDOW_PX, STEEP_WINDOW_PX), np.uint8)
    span = cv2.dilate(lowest, window).astype(np.float32) - cv2.erode(lowest, window)
    return np.asarray(step >= STEEP_SHARE * span)


def _lines(edge: Mask) -> npt.NDArray[np.float64]:
    """Straight edges as (L, 3): their normals and their distances from the origin, the longest first."""
    found = cv2.HoughLines(edge.astype(np.uint8), 1, np.pi / 180, LEAST_VOTES)
    if found is None:
        return np.empty((0, 3))
    rows, columns = np.nonzero(edge)
    middle = columns.mean(), rows.mean()  # seen from there, lines turned a little about one edge are close
    kept: list[tuple[float, float, float]] = []
    for rho, theta in found[:MOST_PEAKS, 0].tolist():
        x, y = float(np.cos(theta)), float(np.sin(theta))
        line = (x, y, rho - x * middle[0] - y * middle[1])
        if not any(_is_one_line(line, other) for other in kept):
            kept.append(line)
            if len(kept) == MOST_LINES:
                break
    return np.array([(x, y, rho + x * middle[0] + y * middle[1]) for x, y, rho in kept], np.float64)


def _is_one_line(one: tuple[float, float, float], two: tuple[float, float, float]) -> bool:
    same = one[0] * two[0] + one[1] * two[1]
    return abs(same) > NEARLY_PARALLEL and abs(one[2] - np.sign(same) * two[2]) < LINE_OFF_PX


def _quads(lines: npt.NDArray[np.float64]) -> Quads:
    """Outlines of a card's shape, (N, 4, 2), that have three or four of these lines as sides."""
    normals, offsets = lines[:, :2], lines[:, 2]
    turn = normals[:, None, 0] * normals[None, :, 1] - normals[:, None, 1] * normals[None, :, 0]
    steep = np.where(np.abs(turn) < SLANTED, np.nan, turn)
    crossing = np.stack(
        [
            (offsets[:, None] * normals[None, :, 1] - offsets[None, :] * normals[:, None, 1]) / steep,
            (offsets[None, :] * normals[:, None, 0] - offsets[:, None] * normals[None, :, 0]) / steep,
        ],
        axis=2,
    )
    one, two = np.nonzero(np.triu(np.abs(turn) < PARALLEL, 1))
    is_square = np.abs(turn) > SQUARE
    first, second = np.nonzero(np.triu(is_square[one][:, one], 1))
    a, b, c, d = one[first], one[second], two[first], two[second]
    whole = np.stack([crossing[a, b], crossing[b, c], crossing[c, d], crossing[d, a]], axis=1)
    pair, end = np.nonzero(is_square[one])
    a, c = one[pair], two[pair]
    corner, other = crossing[a, end], crossing[c, end]
    along, across = (np.stack([-normals[n, 1], normals[n, 0]], axis=1) for n in (a, c))
    across *= np.where((along * across).sum(axis=1) < 0, -1, 1)[:, None]
    width = np.linalg.norm(other - corner, axis=1)[:, None]
    lengths = [sign * share * width for share in ASPECTS for sign in (1, -1)]
    open_ = [np.stack([corner, other, other + far * across, corner + far * along], axis=1) for far in lengths]
    return _card_shaped(np.concatenate([whole, *open_]).astype(np.float32))


def _card_shaped(quads: Quads) -> Quads:
    """Those of a likely size and shape."""
    quads = quads[np.isfinite(quads).all(axis=(1, 2))]
    sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    quads, sides = quads[sides.min(axis=1) > 1], sides[sides.min(axis=1) > 1]
    long, short = sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]
    ratio = np.maximum(long, short) / np.minimum(long, short)
    across = np.maximum(
        np.maximum(sides[:, 0], sides[:, 2]) / np.minimum(sides[:, 0], sides[:, 2]),
        np.maximum(sides[:, 1], sides[:, 3]) / np.minimum(sides[:, 1], sides[:, 3]),
    )
    fits = (ratio >= LIKELY_RATIO[0]) & (ratio <= LIKELY_RATIO[1]) & (across < MOST_ACROSS)
    return np.asarray(quads[fits & (np.maximum(long, short) > 2 * MIN_LONG_SIDE_PX)], np.float32)


def _explained(patch: _Patch, quads: Quads) -> npt.NDArray[np.float64]:
    """Share of each perimeter that is paper's edge or hidden, plus that seen; 0 where it is too little."""
    steps = np.linspace(0.0, 1.0, SIDE_POINTS, endpoint=False, dtype=np.float32)[:, None]
    points = quads[:, :, None] + (np.roll(quads, -1, axis=1) - quads)[:, :, None] * steps
    seen = _on(patch.thick_edge, points)
    explained = (seen | _on(patch.hidden, points)).mean(axis=(1, 2))
    share = seen.mean(axis=(1, 2))
    sides = (seen.mean(axis=2) >= SIDE_SEEN_SHARE).sum(axis=1)
    enough = (sides >= SIDES_SEEN) & (share >= VISIBLE_SHARE) & (explained >= EXPLAINED_SHARE)
    return np.asarray(np.where(enough, explained + share, 0.0), np.float64)


def _is_card(patch: _Patch, quad: Corners, before: Sequence[Image]) -> bool:
    """Whether what is left of an outline is a card's face, by its print, or by having been laid there."""
    shape = patch.edge.shape
    inside, area = _filled(quad, shape), float(_filled(quad, shape).sum())
    if (patch.blown & inside).sum() < COVERED_SHARE * area or _is_part(patch, quad):
        return False
    inner = _filled(_grown(quad, 0.96), shape) & ~patch.hidden
    left = float(inner.sum()) / area
    if left >= LEAST_LEFT:
        paper = patch.paper & (patch.lowest >= patch.paper_level - PAPER_DROP)
        within = inner & _filled(_grown(quad, 0.92), shape)
        margin = inner & ~within
        if paper[inner].mean() < PAPER_SHARE or (margin & ~paper).sum() > (1 - MARGIN_SHARE) * margin.sum():
            return False
        if np.percentile(patch.lowest[inner], 90) > patch.paper_level + PAPER_RISE:
            return False
        if (patch.lowest[within] < patch.paper_level - INK_STEP).sum() >= INK_SHARE * area:
            return True
    # bare corners are no card's
    return left < MOST_BARE and any(_is_new(patch, quad, earlier) for earlier in before)


def _is_part(patch: _Patch, quad: Corners) -> bool:
    """Whether an outline is a part of a larger sheet, or one pane of a window: paper goes on beside it."""
    near = _filled(_grown(quad, ROUND_SHARE), patch.edge.shape) & ~_filled(
        _grown(quad, 1.08), patch.edge.shape
    )
    length = float(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).sum())
    if (patch.edge & near).sum() > STRAY_SHARE * length:
        return True
    nexts, befores = np.roll(quad, -1, axis=0), np.roll(quad, 1, axis=0)
    shares = np.linspace(*GOES_ON, GOES_ON_POINTS, dtype=np.float32)[:, None]
    beyond = np.concatenate([quad[:, None] + shares * (quad - other)[:, None] for other in (nexts, befores)])
    return bool((_on(patch.thick_edge, beyond).mean(axis=1) >= GOES_ON_SHARE).any())


def _on(mask: Mask, points: npt.NDArray[np.float32]) -> Mask:
    """Whether points, (..., 2), lie on a mask; those outside don't."""
    place = points.round().astype(np.int64)
    height, width = mask.shape
    inside = (place >= 0).all(axis=-1) & (place[..., 0] < width) & (place[..., 1] < height)
    x, y = np.clip(place[..., 0], 0, width - 1), np.clip(place[..., 1], 0, height - 1)
    return np.asarray(mask[y, x] & inside)


def _grown(quad: Corners, share: float) -> Corners:
    middle = quad.mean(axis=0)
    return np.asarray(middle + (quad - middle) * np.float32(share), np.float32)


def _filled(quad: Corners, shape: tuple[int, ...]) -> Mask:
    filled = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(filled, quad.round().astype(np.int32), 1)
    return filled > 0


def _is_new(patch: _Patch, quad: Corners, earlier: Image) -> bool:
    """Whether the edges seen now weren't there when the table last rested: a card was laid down."""
    x, y = patch.at
    height, width = patch.edge.shape
    before = np.ascontiguousarray(earlier[y : y + height, x : x + width])
    round_ = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * HALO_PX + 1, 2 * HALO_PX + 1))
    lit_then = np.asarray(255 * cv2.dilate(blown_out(before).astype(np.uint8), round_), np.uint8)
    now, then = _steps(patch.lowest, quad), _steps(darkest_channel(before), quad)
    seen = (now > EDGE_STEP) & (_around(lit_then, quad, 0) == 0)
    return bool(seen.mean() >= NEW_SEEN_SHARE) and float((then[seen] < now[seen] / 2).mean()) >= NEW_SHARE


def _steps(light: npt.NDArray[np.uint8], quad: Corners) -> npt.NDArray[np.float32]:
    """How much lighter it is just inside an outline than just outside, round it."""
    blurred = np.asarray(cv2.GaussianBlur(light, (3, 3), 0), np.uint8)
    return _around(blurred, quad, ACROSS_PX) - _around(blurred, quad, -ACROSS_PX)


def _around(light: npt.NDArray[np.uint8], quad: Corners, inward_px: float) -> npt.NDArray[np.float32]:
    """Values along an outline, so far inside it."""
    sides = np.roll(quad, -1, axis=0) - quad
    inward = np.stack([-sides[:, 1], sides[:, 0]], axis=1) / np.linalg.norm(sides, axis=1)[:, None]
    inward *= np.sign(((quad.mean(axis=0) - quad) * inward).sum(axis=1))[:, None]
    shares = np.linspace(0.05, 0.95, SIDE_POINTS, dtype=np.float32)[:, None]
    points = quad[:, None] + sides[:, None] * shares + inward_px * inward[:, None]
    x, y = (points[..., n].astype(np.float32) for n in (0, 1))
    return np.asarray(
        cv2.remap(light, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32
    ).ravel()
