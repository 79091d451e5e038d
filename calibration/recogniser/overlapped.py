"""Cards that lie on each other: what their indices imply, laid on the paper's edges, one outline a card.

Runs only where faces show that no named outline explains (`heaps.py`). What comes out are outlines for the
networks to read; whether one index may name a card is for `judge.py` to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.frames import Corners, Image
from calibration.pixels import cv2
from calibration.recogniser.heaps import Heap
from calibration.recogniser.network import Network
from calibration.recogniser.rectify import side_lengths
from calibration.recogniser.segment import paper_light, snap
from calibration.recogniser.spot import Spot, spots_in

NEAR_SIDE_PX = 640
"""A heap is looked at at most this large."""
SAME_CORNER = 0.10
"""Two spots whose corners are nearer than this part of a long side, turned alike, are one index."""
NEAR_CORNER = 0.14
"""The same for an outline found in another way."""
OTHER_END = 0.22
"""How far, in long sides, the corner that one index implies for the other may lie from where it was seen."""
ALIKE_RADIANS = 0.35
"""Greatest turn between two outlines of one card."""
LEAST_LONG_PX = 40.0
SIDE_RATIO = (1.0, 2.2)
"""Long over short side of an implied outline."""


@dataclass(frozen=True, slots=True, eq=False)
class Implied:
    """A card that one or both of its indices imply.

    Attributes:
        rivals: Outlines in picture pixels, the likeliest first, each clockwise from a spotted index's corner.
        has_both: Whether both its indices were spotted.
        share: How surely an index shows there.
    """

    rivals: tuple[Corners, ...]
    has_both: bool
    share: float


def implied_cards(image: Image, heap: Heap, network: Network, named: Sequence[Corners] = ()) -> list[Implied]:
    """The cards whose indices show in a heap.

    Args:
        image: (H, W, 3) uint8, BGR.
        heap: Where to look.
        network: ``spot``.
        named: Outlines of cards that are sure, in picture pixels: those nearby tell how large a card is.
    """
    near, scale, corner = _near(image, heap)
    centre = (np.asarray(heap.centre) - corner) * scale
    spots = [one for one in spots_in(near, centre, heap.side * scale, network) if is_card_like(one.outline)]
    light = paper_light(near)
    found = joined(spots)
    whole = [outline for outline, has_both, _ in found if has_both]
    nearby = [one for one in named if np.linalg.norm(one.mean(axis=0) - heap.centre) < heap.side / 2]
    whole += [((one - corner) * scale).astype(np.float32) for one in nearby]
    size = common_size(whole or [outline for outline, _, _ in found])
    # of one size, both ends of a card may agree that did not before
    single = [Spot(sized(outline, size), share) for outline, has_both, share in found if not has_both]
    cards = []
    for outline, has_both, share in [*(one for one in found if one[1]), *joined(single)]:
        rivals = [outline]
        laid = (snap(quad, light) for quad in rivals)
        rivals += [quad for quad in laid if quad is not None and is_card_like(quad)]
        cards.append(Implied(tuple(_back(quad, scale, corner) for quad in rivals), has_both, share))
    return cards


def common_size(outlines: Sequence[Corners]) -> tuple[float, float]:
    """Median width and height of outlines, in pixels; cards of one heap are of one deck and equally far."""
    if not outlines:
        return 0.0, 0.0
    sides = np.stack([side_lengths(outline) for outline in outlines])
    return float(np.median(sides[:, 0::2].mean(axis=1))), float(np.median(sides[:, 1::2].mean(axis=1)))


def sized(outline: Corners, size: tuple[float, float]) -> Corners:
    """An outline of this width and height, its first corner and its directions kept."""
    across, down = outline[1] - outline[0], outline[3] - outline[0]
    across = across * (size[0] / max(1.0, float(np.linalg.norm(across))))
    down = down * (size[1] / max(1.0, float(np.linalg.norm(down))))
    first = outline[0]
    return np.array([first, first + across, first + across + down, first + down], np.float32)


def _near(image: Image, heap: Heap) -> tuple[Image, float, npt.NDArray[np.float64]]:
    """The heap cut out of the picture and shrunk, with the scale and where its first pixel lay."""
    height, width = image.shape[:2]
    x0, y0 = np.clip(np.floor(heap.centre - 0.5 * heap.side), 0, [width - 1, height - 1]).astype(int)
    x1, y1 = np.clip(np.ceil(heap.centre + 0.5 * heap.side), [x0 + 1, y0 + 1], [width, height]).astype(int)
    part = image[y0:y1, x0:x1]
    scale = min(1.0, NEAR_SIDE_PX / heap.side)
    if scale < 1.0:
        part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    return np.ascontiguousarray(part), scale, np.array([x0, y0], np.float64)


def _back(quad: Corners, scale: float, corner: npt.NDArray[np.float64]) -> Corners:
    return (quad / scale + corner).astype(np.float32)


def is_card_like(quad: Corners) -> bool:
    """Whether an implied outline has a card's proportions."""
    sides = side_lengths(quad)
    short, long = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    return bool(
        long >= LEAST_LONG_PX
        and cv2.isContourConvex(quad)
        and SIDE_RATIO[0] <= long / max(1.0, short) <= SIDE_RATIO[1]
    )


def joined(spots: Sequence[Spot]) -> list[tuple[Corners, bool, float]]:
    """One outline a card: what both indices of one imply is laid together, doubles are dropped."""
    kept: list[Spot] = []
    for spot in sorted(spots, key=lambda one: -one.share):
        if all(not _is_one_index(spot.outline, other.outline) for other in kept):
            kept.append(spot)
    cards, used = [], set()
    for n, one in enumerate(kept):
        if n in used:
            continue
        ends = [
            (gap, k)
            for k in range(n + 1, len(kept))
            if k not in used and (gap := _ends_apart(one.outline, kept[k].outline)) < OTHER_END
        ]
        if not ends:
            cards.append((one.outline, False, one.share))
            continue
        other = kept[min(ends)[1]]
        used.add(min(ends)[1])
        opposite = np.roll(other.outline, 2, axis=0)
        outline = (one.outline + opposite) / 2
        outline[0], outline[2] = one.outline[0], opposite[2]
        cards.append((outline.astype(np.float32), True, max(one.share, other.share)))
    return cards


def is_one_card(one: Corners, other: Corners, either_end: bool = True) -> bool:
    """Whether an outline's first index corner is one of another's, turned alike."""
    ends = (other, np.roll(other, 2, axis=0)) if either_end else (other,)
    return any(
        float(np.linalg.norm(one[0] - end[0])) < NEAR_CORNER * _long(end) and _turn(one, end) < ALIKE_RADIANS
        for end in ends
    )


def _is_one_index(one: Corners, other: Corners) -> bool:
    far = float(np.linalg.norm(one[0] - other[0])) / _long(one)
    return far < SAME_CORNER and _turn(one, other) < ALIKE_RADIANS


def _ends_apart(one: Corners, other: Corners) -> float:
    """How well two outlines agree as one card spotted from both ends: the larger gap, in long sides."""
    turned = np.roll(other, 2, axis=0)
    if _turn(one, turned) > ALIKE_RADIANS:
        return float("inf")
    size = common_size([one, other])  # how large each is taken for matters less than where its index lies
    gaps = np.linalg.norm(sized(one, size) - np.roll(sized(other, size), 2, axis=0), axis=1)
    return float(max(gaps[0], gaps[2])) / max(1.0, size[1])


def _turn(one: Corners, other: Corners) -> float:
    """Turn between two outlines' ways down, in radians."""
    u, v = (quad[2] + quad[3] - quad[0] - quad[1] for quad in (one, other))
    cosine = float(u @ v) / max(1e-6, float(np.linalg.norm(u) * np.linalg.norm(v)))
    return float(np.arccos(np.clip(cosine, -1, 1)))


def _long(quad: Corners) -> float:
    return max(1.0, float(side_lengths(quad)[1::2].mean()))
