"""Sets a camera up: looks at its pictures, finds the area, gives a verdict, makes the profile to save."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

import numpy as np

from calibration.area import PLANS, Area, Quad, ZoneBox, checked_corners
from calibration.errors import DegenerateOutline
from calibration.frames import Frame, Image
from calibration.profile import CameraProfile
from calibration.quality import Finding, Measures, Severity, judge, measure, reference_of
from calibration.recogniser.reading import SeenCard
from calibration.sheet import FoundSheet, find_sheet

MEASURED_FRAMES = 30
"""The verdict rests on so many pictures at most."""
SHEET_EVERY_S = 0.5
"""The printed sheet is looked for this often; finding it costs 20 to 50 ms."""


class CameraSetup:
    """The state of one calibration; feed it pictures, ask it what it thinks.

    Args:
        plan: Name of the ready-made zones (`area.PLANS`).
        wanted: Width and height that were asked of the camera; None where nothing was.
    """

    def __init__(self, plan: str = "table", wanted: tuple[int, int] | None = None) -> None:
        self.plan = plan
        self._wanted = wanted
        # replaced, never changed: the verdict is asked for in one thread while another looks at pictures
        self._measures: tuple[Measures, ...] = ()
        self._sheet: FoundSheet | None = None
        self._tapped: Quad | None = None
        self._turns = 0
        self._sheet_s = float("-inf")
        self._image: Image | None = None
        self._card_px = 0.0
        self._repeats = self._sent = 0

    # -- what it sees -------------------------------------------------------------------------------------

    def add(self, frame: Frame, cards: Sequence[SeenCard] = ()) -> None:
        """Look at a picture, and at what was read in it: a card that lies there gives the scale.

        The frame's number counts what the camera sent, also what nobody looked at.
        """
        self._sent = frame.number
        same = self._image is not None and np.array_equal(self._image, frame.image)
        self._repeats = self._repeats + 1 if same else 0
        self._image = frame.image
        if self._tapped is None and frame.time_s - self._sheet_s >= SHEET_EVERY_S:
            self._sheet_s = frame.time_s
            self._sheet = find_sheet(frame.image) or self._sheet
        if cards:
            self._card_px = min(_long_side(card) for card in cards)
        self._measures = (*self._measures, measure(frame, self.area))[-MEASURED_FRAMES:]

    def tap(self, corners: Sequence[Sequence[float]]) -> None:
        """Take the four corners of the cloth (shares of the picture) in place of a sheet.

        Raises:
            DegenerateOutline: They enclose no area.
        """
        self._tapped = checked_corners(corners)
        last = self._measures[-1].time_s if self._measures else 0.0
        self._measures = ()
        if self._image is not None:  # another part of the picture counts from now on
            number = self._sent
            self._measures = (measure(Frame(self._image, last, number), self.area),)

    def forget_corners(self) -> None:
        """Look for the sheet again."""
        self._tapped = None
        self._sheet_s = float("-inf")

    def turn(self) -> None:
        """The dealer sits a quarter turn further."""
        self._turns = (self._turns + 1) % 4

    # -- what it thinks -----------------------------------------------------------------------------------

    @property
    def found_by(self) -> str:
        """How the area was found: ``corners``, ``sheet``, or empty for the whole picture."""
        if self._tapped is not None:
            return "corners"
        return "sheet" if self._sheet is not None else ""

    @property
    def area(self) -> Area:
        """The area as far as it is known; the whole picture before anything is."""
        area = Area()
        if self._tapped is not None:
            area = Area(self._tapped)
        elif self._sheet is not None:
            area = self._sheet.area
        for _turn in range(self._turns):
            area = area.turned()
        return area

    @property
    def zones(self) -> tuple[ZoneBox, ...]:
        """The zones of the plan."""
        return PLANS[self.plan]

    @property
    def picture(self) -> tuple[int, int]:
        """Width and height of the pictures in pixels; 0, 0 before the first."""
        return (self._image.shape[1], self._image.shape[0]) if self._image is not None else (0, 0)

    @property
    def card_px(self) -> float:
        """Long side of the smallest card on the area, by the sheet, else by a card that lay there."""
        smallest, _largest = self.area.card_heights_px(self.picture)
        return smallest or self._card_px

    def findings(self) -> tuple[Finding, ...]:
        """The verdict, the worst first; empty for a camera with which nothing is wrong."""
        found = list(judge(self._measures, self.card_px, self._sheet.blur_px if self._sheet else None))
        if self._repeats >= MEASURED_FRAMES // 2:
            found.insert(0, Finding("frozen", Severity.USELESS))
        if self._wanted is not None and self._image is not None and self.picture != self._wanted:
            found.append(Finding("other_size", Severity.REMARK, self.picture[0]))
        return tuple(sorted(found, key=lambda finding: -finding.severity))

    def profile(
        self, name: str, source: str, made: datetime, controls: Mapping[str, float] | None = None
    ) -> CameraProfile:
        """Return what is to be saved.

        Raises:
            DegenerateOutline: No picture has come yet.
        """
        if self._image is None:
            raise DegenerateOutline("No picture has come from the camera yet.", "Wait for one, then save.")
        last = self._measures[-1]
        return CameraProfile(
            name=name,
            source=source,
            made=made,
            picture=self.picture,
            area=self.area,
            zones=self.zones,
            controls=MappingProxyType(dict(controls or {})),
            measured=MappingProxyType({"brightness": last.brightness, "card_px": self.card_px}),
            problems=tuple(finding.code for finding in self.findings()),
            reference=reference_of(self._image),
        )


def _long_side(card: SeenCard) -> float:
    corners = np.array(card.outline)
    return float(np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1).max())
