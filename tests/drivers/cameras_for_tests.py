"""Pictures that say which cards lie on them, a reader for them, and cameras that hand them out."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import pytest

from assistant.cards import FULL_DECK, Card, parse_card
from drivers.base import SourceEvent
from drivers.webcam import WebcamSource

np = pytest.importorskip("numpy")
cv2 = pytest.importorskip("cv2", exc_type=ImportError, reason="OpenCV can't be loaded here")

from calibration.frames import Image  # noqa: E402
from calibration.recogniser import Reading, SeenCard  # noqa: E402

PATIENCE_S = 20.0


class Stripes:
    """Reads pictures made by `picture`: each third's brightness says which card lies there."""

    def read(self, image: Image, before: Sequence[Image] = (), /) -> Reading:
        sure: list[SeenCard] = []
        unsure: list[SeenCard] = []
        width = image.shape[1] // 3
        for place in range(3):
            level = int(image[:, place * width : (place + 1) * width].mean().round())
            if level < 101:
                continue
            seen = self._seen(FULL_DECK[(level - 101) % 52], place, "close" if level > 200 else "")
            (unsure if seen.reason else sure).append(seen)
        return Reading(tuple(sure), tuple(unsure))

    def _seen(self, card: Card, place: int, reason: str) -> SeenCard:
        x = 100.0 * place
        outline = ((x, 0.0), (x + 60, 0.0), (x + 60, 90.0), (x, 90.0))
        crop = np.zeros((4, 3, 3), np.uint8)
        return SeenCard(card, 0.6 if reason else 0.99, ((card, 0.99),), outline, crop, reason)


def picture(*cards: str, noise: int = 0) -> Image:
    """A picture with up to three cards; a card that ends in ? can't be named safely."""
    image: Image = np.full((90, 300, 3), 60, np.uint8)
    for place, card in enumerate(cards):
        level = 101 + FULL_DECK.index(parse_card(card.rstrip("?"))) + (104 if card.endswith("?") else 0)
        image[:, place * 100 : (place + 1) * 100] = level
    image[0, 0] = noise % 50  # a sensor never says the same twice
    return image


def read_all(source: WebcamSource) -> list[SourceEvent]:
    with source:
        events = []
        while not source.has_ended:
            event = source.read(0.2)
            if event is not None:
                events.append(event)
        return events


def short(events: list[SourceEvent]) -> list[tuple[str, str | None, int | None]]:
    return [(event.event.value, str(event.card) if event.card else None, event.group) for event in events]


class FakeCamera:
    """Plays steps: a picture, None for a failed read; then waits for more."""

    def __init__(self, steps: list[Image | None]) -> None:
        self.steps = steps
        self.closed = threading.Event()
        self.played = threading.Event()

    def read(self) -> Image | None:
        if self.steps:
            return self.steps.pop(0)
        self.played.set()
        self.closed.wait(0.01)
        return None

    def close(self) -> None:
        self.closed.set()


def collect(source: WebcamSource, until: Callable[[list[SourceEvent]], bool]) -> list[SourceEvent]:
    events: list[SourceEvent] = []
    while not until(events):
        event = source.read(PATIENCE_S)
        assert event is not None, events
        events.append(event)
    return events


class Endless:
    """A camera that shows one card for ever, with sensor noise."""

    def __init__(self, *cards: str) -> None:
        self.cards = cards
        self.count = 0

    def read(self) -> Image | None:
        self.count += 1
        threading.Event().wait(0.01)
        return picture(*self.cards, noise=self.count)

    def close(self) -> None: ...
