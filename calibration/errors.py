"""What can go wrong between a picture and a card; being unsure is an answer, not an error."""

from __future__ import annotations

from assistant.errors import AssistantError


class CalibrationError(AssistantError):
    """The base of every error in this package."""


class CameraLibraryMissing(CalibrationError):
    """OpenCV can't be loaded, usually because the system lacks libGL; the keyboard goes on without it."""


class PictureUnreadable(CalibrationError):
    """A path isn't there, or what lies there is no picture and no video."""


class WeightsUnreadable(CalibrationError):
    """The packaged weights are missing, damaged or of another version."""


class DegenerateOutline(CalibrationError):
    """An outline has (almost) no area, so no crop can be made of it."""


class ProfileUnreadable(CalibrationError):
    """A saved calibration isn't there, is damaged, can't be written, or is of another version."""
