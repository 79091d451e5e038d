"""The printable sheet: a ChArUco board by which area, scale and blur are found in one picture.

Board: 7 x 5 squares of 36 mm with 4x4 markers (OpenCV's DICT_4X4_50, ids 0-16), landscape on A4 or Letter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from calibration.area import Area, Quad, Share, apply, checked_corners
from calibration.frames import Corners, Image
from calibration.pixels import cv2
from calibration.quality import blur_of

Mapping = npt.NDArray[np.float64]
"""(3, 3): the sheet's plane in mm to the picture in pixels."""
Points = npt.NDArray[np.float64]
"""(N, 2)."""

COLUMNS, ROWS = 7, 5
SQUARE_MM, MARKER_MM = 36.0, 27.0
WIDTH_MM, HEIGHT_MM = COLUMNS * SQUARE_MM, ROWS * SQUARE_MM
PAPERS_MM = MappingProxyType({"a4": (297.0, 210.0), "letter": (279.4, 215.9)})
LEAST_CORNERS = 6
"""Fewer inner corners of the board than this are no proof that it lies there."""
TABLE_MM = (760.0, 520.0)
"""The area meant round the sheet: where a dealer turns cards and hands are shown; cut to the picture."""
CELLS = 6
"""Cells of a marker a side: 4 bits and the black frame."""
POINTS_A_MM = 72 / 25.4


@dataclass(frozen=True, slots=True)
class FoundSheet:
    """A sheet in a picture.

    Attributes:
        area: The area round it, as large as `TABLE_MM` and the picture allow, measured.
        corners: The board's own four corners as shares of the picture.
        blur_px: How far its edges are smeared (sigma, pixels); None where that can't be said.
    """

    area: Area
    corners: Quad
    blur_px: float | None


def find_sheet(image: Image) -> FoundSheet | None:
    """Find the sheet; None where it doesn't lie in the picture, or too little of it shows.

    Args:
        image: (H, W, 3) uint8, BGR.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    found = _inner_corners(grey, 1.0)
    if found is None:
        found = _inner_corners(grey, 0.5)  # blur is half as wide in half a picture
    if found is None:
        return None
    on_board, in_picture = found
    fitted, _inliers = cv2.findHomography(on_board, in_picture, cv2.RANSAC, 3.0)
    if fitted is None:
        return None
    mapping = np.asarray(fitted, np.float64)
    size = (image.shape[1], image.shape[0])
    whole = _round((0.0, 0.0, WIDTH_MM, HEIGHT_MM), mapping, size)
    if whole is None:
        return None
    region: Corners = np.array([[x * size[0], y * size[1]] for x, y in whole], np.float32)
    return FoundSheet(_surface_round(mapping, size), whole, blur_of(image, region))


def _inner_corners(grey: npt.NDArray[np.uint8], scale: float) -> tuple[Points, Points] | None:
    """The board's inner corners in mm and in pixels, looked for in the picture at this scale."""
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale != 1 else grey
    points, found, _corners, _markers = cv2.aruco.CharucoDetector(_board()).detectBoard(small)
    ids: Any = found  # None where there is no board, whatever the type says
    if ids is None or len(ids) < LEAST_CORNERS:
        return None
    on_board = np.asarray(_board().getChessboardCorners(), np.float64)[np.asarray(ids).reshape(-1), :2]
    return on_board, np.asarray(points, np.float64).reshape(-1, 2) / scale


def draw_sheet(paper: str = "a4") -> bytes:
    """Return the sheet as a PDF of one page in true size, drawn as boxes: no font, no library."""
    width, height = PAPERS_MM[paper]
    left, top = (width - WIDTH_MM) / 2, (height - HEIGHT_MM) / 2
    boxes = "\n".join(
        f"{(left + x) * POINTS_A_MM:.3f} {(height - top - y - h) * POINTS_A_MM:.3f} "
        f"{w * POINTS_A_MM:.3f} {h * POINTS_A_MM:.3f} re f"
        for x, y, w, h in _black_boxes()
    )
    return _pdf(width * POINTS_A_MM, height * POINTS_A_MM, f"0 g\n{boxes}\n".encode("ascii"))


def _board() -> cv2.aruco.CharucoBoard:
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARKER_MM, words)


def _black_boxes() -> Iterator[tuple[float, float, float, float]]:
    """Left, top, width, height in mm of every black box, from the board as OpenCV draws it."""
    cells = round(SQUARE_MM / MARKER_MM * CELLS)  # 8 cells a square, of which a marker takes 6
    drawn = _board().generateImage((COLUMNS * cells * 4, ROWS * cells * 4), marginSize=0, borderBits=1)
    rows = np.asarray(drawn)[2::4, 2::4] < 128
    cell_mm = SQUARE_MM / cells
    for y, row in enumerate(rows):
        edges = np.flatnonzero(np.diff(np.concatenate(([False], row, [False])).astype(np.int8)))
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            # a hair taller than a cell: no printer may show white lines between rows
            yield start * cell_mm, y * cell_mm, (end - start) * cell_mm, cell_mm + 0.02


def _surface_round(mapping: Mapping, size: tuple[int, int]) -> Area:
    """The largest rectangle round the sheet, up to `TABLE_MM`, whose corners lie in the picture."""
    middle = (WIDTH_MM / 2, HEIGHT_MM / 2)
    for share in np.linspace(1.0, 0.2, 33):
        half = (TABLE_MM[0] / 2 * share, TABLE_MM[1] / 2 * share)
        box = (middle[0] - half[0], middle[1] - half[1], middle[0] + half[0], middle[1] + half[1])
        corners = _round(box, mapping, size)
        if corners is not None and all(0 <= x <= 1 and 0 <= y <= 1 for x, y in corners):
            return Area(checked_corners(corners), float(2 * half[0]), float(2 * half[1]))
    corners = _round((0.0, 0.0, WIDTH_MM, HEIGHT_MM), mapping, size)
    assert corners is not None
    return Area(corners, WIDTH_MM, HEIGHT_MM)


def _round(
    box: tuple[float, float, float, float],
    mapping: Mapping,
    size: tuple[int, int],
) -> Quad | None:
    """The corners of a box on the sheet's plane as shares of the picture; None beyond the horizon."""
    left, upper, right, lower = box
    found: list[Share] = []
    for x, y in ((left, upper), (right, upper), (right, lower), (left, lower)):
        if float((mapping @ np.array([x, y, 1.0]))[2]) <= 0:
            return None
        u, v = apply(mapping, x, y)
        found.append((u / size[0], v / size[1]))
    a, b, c, d = found
    return a, b, c, d


def _pdf(width: float, height: float, drawing: bytes) -> bytes:
    """A PDF 1.4 file of one page with this drawing."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.2f %.2f] /Contents 4 0 R /Resources << >> >>"
        % (width, height),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawing), drawing),
    ]
    body, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    head = b"xref\n0 %d\n0000000000 65535 f \n" % count
    tail = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, len(body))
    return body + head + table + tail
