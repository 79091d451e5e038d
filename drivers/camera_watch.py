"""Is the picture a picture? Says when a live camera is black, stands still or is gone; loads no library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drivers.base import EventKind, SourceEvent

if TYPE_CHECKING:
    from calibration.frames import Image

BLACK_LEVEL = 8.0
"""Mean brightness (of 255) below which a picture is black; a dark room still gives about 15."""
BLACK_S = 1.0
"""How long it must be black: some cameras begin with black frames."""
FROZEN_S = 1.5
"""A live picture has noise; one that does not change in a single value for so long stands still."""
GONE_S = 1.5
"""No picture for so long: the camera is lost. With the time to notice it stays under two seconds."""


class CameraWatch:
    """Judges the pictures of one live camera, and says each change for better or worse once.

    Args:
        source: Name of the source, for the events.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._last: Image | None = None
        self._last_s = 0.0
        self._changed_s = 0.0
        self._bright_s = 0.0
        self._trouble = ""

    @property
    def is_useful(self) -> bool:
        """Whether what the camera shows is worth reading."""
        return self._trouble not in ("black", "lost")

    def opened(self, time_s: float) -> None:
        """Start on a camera that was just opened."""
        self._last = None
        self._last_s = self._changed_s = self._bright_s = time_s
        self._trouble = ""

    def look(self, image: Image, time_s: float) -> list[SourceEvent]:
        """Judge a new picture."""
        self._last_s = time_s
        if self._last is None or self._last.shape != image.shape or bool((self._last != image).any()):
            self._changed_s = time_s
        self._last = image
        if float(image[::8, ::8].mean()) >= BLACK_LEVEL:
            self._bright_s = time_s
        if time_s - self._bright_s >= BLACK_S:
            note = "the camera sends a black picture: take the cap off, or make light"
            return self._say(EventKind.STALE, "black", note, time_s)
        if time_s - self._changed_s >= FROZEN_S:
            return self._say(EventKind.STALE, "frozen", "the camera's picture stands still", time_s)
        if self._trouble and self._bright_s == time_s and self._changed_s == time_s:
            note = f"the picture is back, {image.shape[1]}x{image.shape[0]}"
            return self._say(EventKind.UP, "", note, time_s)
        return []

    def silent(self, time_s: float) -> list[SourceEvent]:
        """Judge that no new picture came."""
        if time_s - self._last_s < GONE_S:
            return []
        note = "camera lost: no picture; cards are typed until it is back: check the cable or the address"
        return self._say(EventKind.DOWN, "lost", note, time_s)

    def _say(self, kind: EventKind, trouble: str, note: str, time_s: float) -> list[SourceEvent]:
        if trouble == self._trouble:
            return []
        self._trouble = trouble
        return [SourceEvent(kind, self._source, time_s, code=trouble or "picture-back", note=note)]
