"""Is this camera good enough to read cards with, and what mends it? Codes and figures, no words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from calibration.area import Area
from calibration.frames import Corners, Frame, Image
from calibration.pixels import cv2

LOOK_WIDTH_PX = 320
"""Light and glare are judged at this width."""
DARK, DIM, BRIGHT = 35.0, 60.0, 215.0
"""Mean brightness of the area (of 255): too dark to read, darker than it should be, washed out."""
LIGHT_CLOTH = 185.0
"""From here on the paper of a card hardly stands out from the cloth (mean brightness of 255)."""
GLARE_LEVEL = 250
GLARE_SHARE = 0.003
"""A spot as large as a third of a card's index box at 1280x720, as a share of the area."""
CARD_MIN_PX, CARD_GOOD_PX = 70.0, 100.0
"""A card's long side: below the first it is never named for certain, from the second on it is read well."""
BLUR_PX = 1.8
"""Blur (sigma) from which an index of a 100 px card runs together."""
PUMPING = 6.0
"""Brightness that wanders by so much while nothing moves (standard deviation, of 255)."""
HUNTING = 0.35
"""Sharpness that wanders by so much of itself while nothing moves: the focus hunts (share)."""
SHARPEST = 99.7
"""The steps at edges; the rest is felt and noise (percentile)."""
SLOW_FPS = 5.0
"""A card is looked at five times before it counts: a slower camera keeps the table waiting (per second)."""
MOVED_SHARE = 0.02
"""A picture shifted by more than this is another view of the table (share of the width)."""
MOVED_MOST = 0.35
"""A picture can't be recognised that is shifted by more than this (share of the width)."""
BETTER = 0.08
"""By how much more alike two pictures must be when one is shifted, to say that the camera was moved."""
UNLIKE = 0.4
"""Correlation with the saved picture, at the best shift, below which the camera sees something else."""
LIGHT_RATIO = 1.8
"""Light that is so many times stronger or weaker than at calibration."""
REFERENCE_SIZE = (160, 90)


class Severity(IntEnum):
    """How much a finding matters: a remark, worth mending, or no use before it is mended."""

    REMARK = 0
    MEND = 1
    USELESS = 2


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to know about a camera's picture.

    Attributes:
        code: Stable word: ``too_dark dim too_bright light_cloth glare card_too_small card_small card_unknown
            blurred pumping hunting slow black frozen other_size moved other_view light_changed old``.
        severity: How much it matters.
        value: The figure it rests on.
        place: Where on the area, as shares; None where it is everywhere.
    """

    code: str
    severity: Severity
    value: float = 0.0
    place: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Measures:
    """What one picture measures.

    Attributes:
        brightness: Mean brightness of the area, 0 to 255.
        sharpness: Step between neighbouring pixels at the sharpest edges; only its changes say something.
        glare: Places on the area where nothing but white arrives, the largest first.
        number: How many pictures the camera had sent then, looked at or not.
    """

    time_s: float
    brightness: float
    sharpness: float
    glare: tuple[tuple[float, float], ...] = ()
    number: int = 0


def measure(frame: Frame, area: Area) -> Measures:
    """Measure one picture of the area."""
    small, inside = _surface_pixels(frame.image, area)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    middle = frame.image[frame.image.shape[0] // 4 : -frame.image.shape[0] // 4 or None]
    steps = np.abs(np.diff(middle[::2, :, 1].astype(np.int16), axis=1))
    return Measures(
        frame.time_s,
        float(grey[inside].mean()) if inside.any() else float(grey.mean()),
        float(np.percentile(steps, SHARPEST)),
        _glare(small, inside, area),
        frame.number,
    )


def judge(measures: Sequence[Measures], card_px: float, blur_px: float | None = None) -> tuple[Finding, ...]:
    """Say what is wrong with a camera, the worst first.

    Args:
        measures: Of pictures in which nothing moved, a second or two of them.
        card_px: Long side of the smallest card on the area; 0 where it isn't known.
        blur_px: Blur of the printed sheet (sigma); None where there was no sheet.
    """
    if not measures:
        return ()
    last = measures[-1]
    found = [
        *_light(float(np.mean([one.brightness for one in measures]))),
        *(Finding("glare", Severity.MEND, place=place) for place in last.glare[:3]),
        *_size(card_px),
        *_steadiness(measures),
    ]
    if blur_px is not None and blur_px > BLUR_PX:
        found.append(Finding("blurred", Severity.USELESS, round(blur_px, 1)))
    return tuple(sorted(found, key=lambda finding: -finding.severity))


def is_usable(findings: Iterable[Finding]) -> bool:
    """Whether nothing has to be mended before cards can be read."""
    return all(finding.severity is not Severity.USELESS for finding in findings)


def blur_of(image: Image, region: Corners) -> float | None:
    """Return how far an edge of the printed sheet is smeared (sigma in pixels); None where there is no edge.

    A black-and-white edge under a Gaussian blur has its steepest step at 1/(sigma * sqrt(2 pi)) of its
    contrast.
    """
    x, y, width, height = cv2.boundingRect(region.reshape(-1, 1, 2))
    grey = cv2.cvtColor(image[max(0, y) : y + height, max(0, x) : x + width], cv2.COLOR_BGR2GRAY)
    if min(grey.shape) < 16:
        return None
    low, high = np.percentile(grey, (5, 95))
    if high - low < 30:
        return None
    wide = grey.astype(np.float32)
    steps = np.hypot(cv2.Sobel(wide, cv2.CV_32F, 1, 0, ksize=1), cv2.Sobel(wide, cv2.CV_32F, 0, 1, ksize=1))
    steepest = float(np.percentile(steps, 99)) / 2 / float(high - low)  # ksize=1 spans two pixels
    return 1 / (steepest * float(np.sqrt(2 * np.pi))) if steepest > 0 else None


def reference_of(image: Image) -> Image:
    """Return the small grey picture by which a camera that was moved is noticed, (90, 160) uint8."""
    small = cv2.resize(image, REFERENCE_SIZE, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


def drift(reference: Image, image: Image) -> tuple[Finding, ...]:
    """Say whether the camera sees the table as it did when it was calibrated.

    Args:
        reference: The saved small picture, (90, 160) grey or (90, 160, 3).
        image: A picture of tonight, (H, W, 3).
    """
    then = reference if reference.ndim == 2 else np.asarray(cv2.cvtColor(reference, cv2.COLOR_BGR2GRAY))
    now = reference_of(image)
    light = (float(now.mean()) + 1) / (float(then.mean()) + 1)
    found: list[Finding] = []
    if not 1 / LIGHT_RATIO < light < LIGHT_RATIO:
        found.append(Finding("light_changed", Severity.MEND, round(light, 2)))
    one, two = _levelled(np.asarray(then, np.uint8)), _levelled(now)
    if one is None or two is None:
        return tuple(found)
    (x, y), _response = cv2.phaseCorrelate(one, two, cv2.createHanningWindow(REFERENCE_SIZE, cv2.CV_32F))
    right, down = round(x), round(y)
    shift = float(np.hypot(x, y)) / REFERENCE_SIZE[0]
    alike = _alike(one, two, 0, 0)
    # cards and hands make a correlation jump: only a shift that makes the pictures more alike counts
    shifted = _alike(one, two, right, down) if shift <= MOVED_MOST else 0.0
    if shift > MOVED_SHARE and shifted > alike + BETTER:
        found.append(Finding("moved", Severity.MEND, round(shift, 3)))
    elif max(alike, shifted) < UNLIKE:
        found.append(Finding("other_view", Severity.MEND, round(alike, 2)))
    return tuple(found)


def _light(brightness: float) -> list[Finding]:
    value = round(brightness)
    if brightness < DARK:
        return [Finding("too_dark", Severity.USELESS, value)]
    if brightness < DIM:
        return [Finding("dim", Severity.MEND, value)]
    if brightness > BRIGHT:
        return [Finding("too_bright", Severity.USELESS, value)]
    return [Finding("light_cloth", Severity.REMARK, value)] if brightness > LIGHT_CLOTH else []


def _size(card_px: float) -> list[Finding]:
    if not card_px:
        return [Finding("card_unknown", Severity.REMARK)]
    if card_px < CARD_MIN_PX:
        return [Finding("card_too_small", Severity.USELESS, round(card_px))]
    return [Finding("card_small", Severity.MEND, round(card_px))] if card_px < CARD_GOOD_PX else []


def _steadiness(measures: Sequence[Measures]) -> list[Finding]:
    found = []
    if len(measures) >= 3:
        seconds = measures[-1].time_s - measures[0].time_s
        fps = (measures[-1].number - measures[0].number) / seconds if seconds > 0 else 0.0
        if 0 < fps < SLOW_FPS:
            found.append(Finding("slow", Severity.MEND, round(fps, 1)))
        if float(np.std([one.brightness for one in measures])) > PUMPING:
            found.append(Finding("pumping", Severity.MEND))
        sharp = np.array([one.sharpness for one in measures])
        if float(sharp.std()) > HUNTING * float(sharp.mean()):
            found.append(Finding("hunting", Severity.MEND))
    return found


def _surface_pixels(image: Image, area: Area) -> tuple[Image, npt.NDArray[np.bool_]]:
    scale = LOOK_WIDTH_PX / image.shape[1]
    size = (LOOK_WIDTH_PX, max(1, round(image.shape[0] * scale)))
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    mask = np.zeros((size[1], size[0]), np.uint8)
    corners = np.array([[x * size[0], y * size[1]] for x, y in area.corners], np.float32)
    cv2.fillConvexPoly(mask, corners.round().astype(np.int32), 255)
    return small, mask > 0


def _glare(small: Image, inside: npt.NDArray[np.bool_], area: Area) -> tuple[tuple[float, float], ...]:
    white = ((small.min(axis=2) >= GLARE_LEVEL) & inside).astype(np.uint8)
    count, _labels, stats, centres = cv2.connectedComponentsWithStats(white, connectivity=8)
    least = GLARE_SHARE * max(1, int(inside.sum()))
    height, width = white.shape
    spots = sorted(
        (
            (int(stats[n, cv2.CC_STAT_AREA]), centres[n])
            for n in range(1, count)
            if stats[n, cv2.CC_STAT_AREA] >= least
        ),
        key=lambda spot: -spot[0],
    )
    return tuple(area.place_of(float(x) / width, float(y) / height) for _area, (x, y) in spots)


def _levelled(grey: Image) -> npt.NDArray[np.float32] | None:
    """Without its light, cut off so that a few white cards weigh little; None where nothing shows."""
    wide = grey.astype(np.float32)
    low, middle, high = np.percentile(wide, (10, 50, 90))
    spread = float(high - low) / 2
    return None if spread < 2.0 else np.asarray(((wide - middle) / spread).clip(-1.5, 1.5), np.float32)


def _alike(one: npt.NDArray[np.float32], two: npt.NDArray[np.float32], right: int, down: int) -> float:
    """Correlation of the parts that two levelled pictures share when the first is shifted."""
    height, width = one.shape
    a = one[max(0, -down) : height - max(0, down), max(0, -right) : width - max(0, right)]
    b = two[max(0, down) : height - max(0, -down), max(0, right) : width - max(0, -right)]
    norm = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / norm if norm > 0 else 0.0
