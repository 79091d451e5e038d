"""A small picture of what the camera sees, for a terminal: outlines drawn in, names as places for letters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from calibration.area import Area, Share, ZoneBox
from calibration.frames import Image
from calibration.pixels import cv2
from calibration.recogniser.reading import SeenCard

SURE, UNSURE, ZONE, MARK = (80, 230, 80), (40, 170, 255), (200, 160, 60), (255, 80, 255)
"""Colours (B, G, R): a named card, one that is asked about, edges of zones, a corner that is being set."""


@dataclass(frozen=True, slots=True, eq=False)
class Preview:
    """A picture for half blocks: two pixels a row of the terminal.

    Attributes:
        pixels: (2 * rows, columns, 3) uint8, BGR.
        labels: Row, column, words, and whether the card is sure.
    """

    pixels: Image = field(repr=False)
    labels: tuple[tuple[int, int, str, bool], ...] = ()


def preview(
    image: Image,
    columns: int,
    rows: int,
    cards: Sequence[SeenCard] = (),
    area: Area | None = None,
    zones: Sequence[ZoneBox] = (),
    marks: Sequence[Share] = (),
) -> Preview:
    """Draw a picture as large as fits into `columns` times `rows` cells, its proportions kept.

    Args:
        image: (H, W, 3) uint8, BGR; it is not changed.
        columns: Cells across, at most.
        rows: Cells down, at most; each is two pixels.
        cards: What was read in it.
        area: The card area; its zones are drawn when it is given.
        zones: What lies where on it.
        marks: Corners that are being set, as shares of the picture; the last one is the moving one.
    """
    scale = min(columns / image.shape[1], 2 * rows / image.shape[0])
    width, height = max(1, int(image.shape[1] * scale)), max(2, int(image.shape[0] * scale) // 2 * 2)
    small = np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    if area is not None:
        _draw_zones(small, area, zones)
    labels = []
    for seen in cards:
        corners = np.array(seen.outline, np.float32) * (width / image.shape[1], height / image.shape[0])
        cv2.polylines(small, [corners.round().astype(np.int32)], True, UNSURE if seen.reason else SURE, 1)
        x, y = corners.mean(axis=0)
        words = str(seen.card.face) if seen.card is not None and not seen.reason else "?"
        row = min(height // 2 - 1, max(0, int(y) // 2))
        labels.append((row, min(width - 4, max(0, int(x) - 1)), words, not seen.reason))
    for n, (x, y) in enumerate(marks):
        place = (round(x * (width - 1)), round(y * (height - 1)))
        cv2.drawMarker(small, place, MARK, cv2.MARKER_CROSS, 5 if n == len(marks) - 1 else 3, 1)
    return Preview(small, tuple(labels))


def _draw_zones(small: Image, area: Area, zones: Sequence[ZoneBox]) -> None:
    whole = ((0.0, 0.0, 1.0, 1.0),)
    for left, top, right, bottom in [zone.box for zone in zones] or whole:
        places = [
            area.in_picture(x, y) for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))
        ]
        corners = np.array(places, np.float32) * (small.shape[1] - 1, small.shape[0] - 1)
        cv2.polylines(small, [corners.round().astype(np.int32)], True, ZONE, 1)
