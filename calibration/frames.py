"""Pictures as they travel through the package, and what a source of them must offer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Image: TypeAlias = npt.NDArray[np.uint8]
"""(H, W, 3) uint8, BGR as OpenCV has it; a mask is (H, W) uint8, 0 or 255."""

Corners: TypeAlias = npt.NDArray[np.float32]
"""(4, 2) float32, pixels (x right, y down), clockwise from the top left of what they enclose."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a sequence.

    Attributes:
        image: (H, W, 3) uint8, BGR.
        time_s: Seconds since the source was opened; never runs backwards.
        number: Counts from 0 without gaps, whatever frames the device dropped.
    """

    image: Image
    time_s: float
    number: int


class FrameSource(Protocol):
    """Anything that hands out frames: a camera, a video file, a folder of pictures."""

    def read(self, timeout_s: float) -> Frame | None:
        """Wait for the next frame; None when none came in time."""
        ...

    def close(self) -> None:
        """Let go of the device; a second call does nothing."""
        ...
