"""Is the picture a picture? Says within two seconds when a live camera is black, stands still, repeats old
pictures, is slow, out of focus, changes its exposure all the time, or is gone. Loads no library.
"""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING

from drivers.base import EventKind, SourceEvent

if TYPE_CHECKING:
    from calibration.frames import Image

BLACK_LEVEL = 8.0
"""Mean brightness (of 255) below which a picture is black; a dark room still gives about 15."""
DARK_LEVEL, LIGHT_LEVEL = 25.0, 185.0
"""Mean brightness: so dark that little can be read; so light that a card hardly stands out from the cloth."""
BLACK_S = 1.0
"""How long it must be black: some cameras begin with black frames."""
FROZEN_S = 1.5
"""A live picture has noise; one that shows nothing new in a single value for so long stands still."""
GONE_S = 1.5
"""No picture for so long: the camera is lost. With the time to notice it stays under two seconds."""
OLD_PICTURES = 120
"""Pictures remembered, so that a driver which hands out its old ones again is found out."""
SLOW_S, SLOW_FPS = 1.8, 5.0
"""Fewer pictures a second than this, over so long: cards take longer to count."""
GLANCE_S = 0.1
"""Light and sharpness are looked at so often."""
BLOCKS = 4
"""The picture is cut into so many parts a side, to tell light that changes from a hand that moves."""
PUMP_STEP = 0.05
"""Relative change of light between two glances that is no noise."""
PUMP_EVEN = 0.6
"""Light that changes everywhere alike: the parts' changes spread less than this share of their mean."""
PUMP_TURNS = 2
"""So many turns from brighter to darker and back within `PUMP_S` are an exposure that pumps."""
PUMP_S = 2.0
SHARP_LOST, SHARP_BACK = 0.45, 0.7
"""Shares of the sharpness before: out of focus below the first, in focus again above the second."""
STEADY = 0.12
"""Relative change of a part's light up to which it still shows the same."""
BLURRED_S = 0.5
"""How long it must be out of focus."""
UNFOCUSED_S = 4.0
"""A picture that stays unsharp for so long is what there is; cards are read again, and asked about."""
AGAIN_S = 30.0
"""The same remark is made at most so often."""


class CameraWatch:
    """Judges the pictures of one live camera, and says each change for better or worse once.

    Args:
        source: Name of the source, for the events.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self.opened(0.0)

    @property
    def is_useful(self) -> bool:
        """Whether what the camera shows is worth reading."""
        return self._trouble not in ("black", "lost", "old") and not self._is_unfocused

    def opened(self, time_s: float) -> None:
        """Start on a camera that was just opened."""
        self._prints: deque[int] = deque(maxlen=OLD_PICTURES)
        self._known: set[int] = set()
        self._last_s = self._changed_s = self._bright_s = self._begun_s = time_s
        self._repeats_old = False
        self._trouble = self._why = ""
        self._arrivals: deque[tuple[float, int]] = deque()
        self._light = _Light()
        self._focus = _Focus()
        self._is_unfocused = False
        self._glanced_s = -math.inf
        self._said_s: dict[str, float] = {}
        self._size = (0, 0)

    def look(self, image: Image, time_s: float, count: int | None = None) -> list[SourceEvent]:
        """Judge a new picture.

        Args:
            image: (H, W, 3) uint8, BGR.
            time_s: When it was taken.
            count: How many pictures the camera has sent; None where every one of them is judged.
        """
        self._last_s = time_s
        before = self._arrivals[-1][1] if self._arrivals else 0
        self._arrivals.append((time_s, before + 1 if count is None else count))
        self._note_print(image, time_s)
        found = self._other_size(image, time_s)
        if float(image[::8, ::8].mean()) >= BLACK_LEVEL:
            self._bright_s = time_s
        if time_s - self._bright_s >= BLACK_S:
            note = "the camera sends a black picture: take the cap off, or make light"
            return found + self._say(EventKind.STALE, "black", note, time_s)
        if time_s - self._changed_s >= FROZEN_S:
            if self._repeats_old:
                note = "the camera repeats old pictures: unplug it and plug it in again; type the cards"
                return found + self._say(EventKind.STALE, "old", note, time_s)
            note = "the camera's picture stands still"
            return found + self._say(EventKind.STALE, "frozen", note, time_s)
        if self._trouble and self._bright_s == time_s and self._changed_s == time_s:
            note = f"the picture is back, {image.shape[1]}x{image.shape[0]}"
            return found + self._say(EventKind.UP, "", note, time_s)
        return found + self._remarks(image, time_s)

    def silent(self, time_s: float, why: str = "") -> list[SourceEvent]:
        """Judge that no new picture came.

        Args:
            time_s: Now.
            why: Why the camera can't be opened, where that is known: it is in use, forbidden, unplugged.
        """
        if time_s - self._last_s < GONE_S:
            return []
        note = "camera lost: no picture; cards are typed until it is back: "
        if why and why != self._why:  # the reason is known only once it was tried to open it again
            self._why, self._trouble = why, ""
        return self._say(EventKind.DOWN, "lost", note + (why or "check the cable or the address"), time_s)

    # -- what changes at once -------------------------------------------------------------------------------

    def _note_print(self, image: Image, time_s: float) -> None:
        """Remember the picture by its bytes; noise makes every live one new."""
        print_ = hash((image.shape, image[::3, ::3].tobytes()))
        if print_ not in self._known:
            self._changed_s, self._repeats_old = time_s, False
        elif self._prints and print_ != self._prints[-1]:
            self._repeats_old = True
        if len(self._prints) == OLD_PICTURES:
            oldest = self._prints.popleft()
            if oldest not in self._prints:
                self._known.discard(oldest)
        self._prints.append(print_)
        self._known.add(print_)

    def _other_size(self, image: Image, time_s: float) -> list[SourceEvent]:
        before, self._size = self._size, (int(image.shape[1]), int(image.shape[0]))
        if before in ((0, 0), self._size):
            return []
        self._light, self._focus, self._is_unfocused = _Light(), _Focus(), False
        note = f"the picture is {self._size[0]}x{self._size[1]} now, no longer {before[0]}x{before[1]}"
        return self._remark("other-size", note, time_s)

    # -- what shows over some pictures ----------------------------------------------------------------------

    def _remarks(self, image: Image, time_s: float) -> list[SourceEvent]:
        found = self._slowness(time_s)
        if time_s - self._glanced_s < GLANCE_S:
            return found
        self._glanced_s = time_s
        blocks, sharpness = _blocks(image), _sharpness(image)
        light = sum(blocks) / len(blocks)
        if BLACK_LEVEL <= light <= DARK_LEVEL:
            found += self._remark("dark", "the picture is very dark: make more light on the table", time_s)
        elif light >= LIGHT_LEVEL:
            note = "low contrast: the cloth is about as light as the cards; a dark cloth helps"
            found += self._remark("low-contrast", note, time_s)
        if self._light.pumps(blocks, time_s):
            note = "the camera's exposure goes up and down: hold it (calibrate camera), or steady the light"
            found += self._remark("pumping", note, time_s)
        was, self._is_unfocused = self._is_unfocused, self._focus.is_lost(blocks, sharpness, time_s)
        if self._is_unfocused and not was:
            note = "the camera looks for its focus; cards are read again when it is sharp"
            found += self._remark("hunting", note, time_s)
        return found

    def _slowness(self, time_s: float) -> list[SourceEvent]:
        while len(self._arrivals) > 2 and time_s - self._arrivals[1][0] > SLOW_S:
            self._arrivals.popleft()
        (first_s, first), (last_s, last) = self._arrivals[0], self._arrivals[-1]
        if time_s - self._begun_s < SLOW_S or last - first >= (last_s - first_s) * SLOW_FPS:
            return []
        fps = (last - first) / (last_s - first_s)
        note = f"the camera sends only {fps:.1f} pictures a second; let cards lie a little longer"
        return self._remark("slow", note, time_s)

    def _remark(self, code: str, note: str, time_s: float) -> list[SourceEvent]:
        """Something to know that doesn't stop the camera; not all the time."""
        if time_s - self._said_s.get(code, -math.inf) < AGAIN_S:
            return []
        self._said_s[code] = time_s
        return [SourceEvent(EventKind.FAULT, self._source, time_s, code=code, note=note)]

    def _say(self, kind: EventKind, trouble: str, note: str, time_s: float) -> list[SourceEvent]:
        if trouble == self._trouble:
            return []
        self._trouble = trouble
        return [SourceEvent(kind, self._source, time_s, code=trouble or "picture-back", note=note)]


class _Light:
    """Finds light that goes up and down everywhere at once: an exposure that looks for its place."""

    def __init__(self) -> None:
        self._before: list[float] = []
        self._rising = 0
        self._turns: deque[float] = deque()

    def pumps(self, blocks: list[float], time_s: float) -> bool:
        before, self._before = self._before, blocks
        if len(before) != len(blocks):
            return False
        steps = [math.log((now + 1) / (then + 1)) for now, then in zip(blocks, before, strict=True)]
        mean = sum(steps) / len(steps)
        spread = math.sqrt(sum((step - mean) ** 2 for step in steps) / len(steps))
        if abs(mean) >= PUMP_STEP and spread <= PUMP_EVEN * abs(mean):
            rising = 1 if mean > 0 else -1
            if rising == -self._rising:
                self._turns.append(time_s)
            self._rising = rising
        while self._turns and time_s - self._turns[0] > PUMP_S:
            self._turns.popleft()
        return len(self._turns) >= PUMP_TURNS


class _Focus:
    """Finds a picture that shows the same and is no longer sharp."""

    def __init__(self) -> None:
        self._sharp_blocks: list[float] = []
        self._sharp = 0.0
        self._since_s = math.inf

    def is_lost(self, blocks: list[float], sharpness: float, time_s: float) -> bool:
        same = len(self._sharp_blocks) == len(blocks) and all(
            abs(math.log((now + 1) / (then + 1))) <= STEADY
            for now, then in zip(blocks, self._sharp_blocks, strict=True)
        )
        threshold = SHARP_BACK if self._since_s < math.inf else SHARP_LOST
        if not same or sharpness >= threshold * self._sharp:
            # a card more or a hand in the way changes sharpness too: another picture, not another focus
            self._sharp_blocks, self._sharp = blocks, sharpness if not same else max(sharpness, self._sharp)
            self._since_s = math.inf
            return False
        self._since_s = min(self._since_s, time_s)
        if time_s - self._since_s > UNFOCUSED_S:
            self._sharp, self._since_s = sharpness, math.inf
            return False
        return time_s - self._since_s >= BLURRED_S


def _blocks(image: Image) -> list[float]:
    """Mean brightness of each part of the picture."""
    small = image[::8, ::8, 1]
    height, width = small.shape[0] // BLOCKS, small.shape[1] // BLOCKS
    if not height or not width:
        return [float(small.mean())]
    parts = small[: height * BLOCKS, : width * BLOCKS].reshape(BLOCKS, height, BLOCKS, width)
    return [float(value) for value in parts.mean(axis=(1, 3)).ravel()]


def _sharpness(image: Image) -> float:
    """Mean square step between neighbours; edges outweigh everything else."""
    rows = image[::6, :, 1].astype("int32")
    steps = rows[:, 1:] - rows[:, :-1]
    return float((steps * steps).mean())
