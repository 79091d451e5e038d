"""Pictures for the calibration tests, drawn here: a table, the printed sheet on it, light and shade."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from calibration.frames import Image
from calibration.pixels import cv2
from calibration.sheet import COLUMNS, ROWS, _board

SIZE = (1280, 720)
SHEET_AT = ((500, 260), (820, 270), (850, 500), (470, 490))

Draw = Callable[..., Image]


@pytest.fixture
def table() -> Draw:
    """Draw a felt table: ``table(light=1.0, sheet=True, glare=(300, 300), shift=(0, 0), seed=1)``."""

    def draw(
        *,
        light: float = 1.0,
        sheet: bool = False,
        glare: tuple[int, int] | None = None,
        shift: tuple[int, int] = (0, 0),
        blur: float = 0.8,
        seed: int = 1,
    ) -> Image:
        rng = np.random.default_rng(7)
        coarse = rng.normal(0, 14, (9, 16)).astype(np.float32)
        canvas = np.empty((SIZE[1], SIZE[0], 3), np.float32)
        canvas[:] = (62, 112, 48)
        canvas += cv2.resize(coarse, SIZE, interpolation=cv2.INTER_CUBIC)[..., None]
        cv2.rectangle(canvas, (0, 0), (SIZE[0], 60), (60, 90, 130), -1)  # the table's far edge
        cv2.circle(canvas, (1150, 150), 60, (40, 40, 160), -1)  # a glass
        if sheet:
            board = np.asarray(_board().generateImage((COLUMNS * 80, ROWS * 80)))
            across, down = COLUMNS * 80, ROWS * 80
            corners = np.array([[0, 0], [across, 0], [across, down], [0, down]], np.float32)
            mapping = cv2.getPerspectiveTransform(corners, np.array(SHEET_AT, np.float32))
            paper = cv2.warpPerspective(np.full_like(board, 255), mapping, SIZE)
            printed = cv2.warpPerspective(board, mapping, SIZE)
            canvas[paper > 0] = printed[paper > 0][:, None]
        if glare is not None:
            cv2.circle(canvas, glare, 60, (255, 255, 255), -1)
        by = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float32)
        moved = cv2.warpAffine(canvas, by, SIZE, borderMode=cv2.BORDER_REPLICATE)
        moved = cv2.GaussianBlur(moved, (0, 0), blur) * light
        moved += np.random.default_rng(seed).normal(0, 1.5, (SIZE[1], SIZE[0], 1))
        return np.asarray(moved.clip(0, 255), np.uint8)

    return draw
