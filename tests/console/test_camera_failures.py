"""Whatever a camera does, the console names it within two seconds of its time, and the keyboard goes on.

The cameras are stand-ins with a clock of their own, so the seconds are exact: each picture is 1/15 s.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence

import pytest

np = pytest.importorskip("numpy")
cv2 = pytest.importorskip("cv2", exc_type=ImportError, reason="OpenCV can't be loaded here")

from assistant.console.app import ConsoleApp  # noqa: E402
from assistant.console.card_intake import CardIntake, open_intake  # noqa: E402
from assistant.store.memory import MemoryNight  # noqa: E402
from assistant.table.session import TableSession  # noqa: E402
from calibration.frames import Image  # noqa: E402
from calibration.recogniser import Reading  # noqa: E402
from drivers.base import CardSource, DriverError, DriverOpenFailed, SourceEvent  # noqa: E402
from drivers.webcam import WebcamSource  # noqa: E402

FPS = 15
GOOD = 30
"""Pictures before the trouble begins: two seconds."""
PATIENCE_S, GLANCE_S = 60.0, 0.02


class Clock:
    """Seconds that only the camera moves."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


class Blind:
    """Reads nothing: here only the pictures themselves matter."""

    def read(self, image: Image, before: Sequence[Image] = (), /) -> Reading:
        return Reading((), (), "no_outline")


def scene(noise: int, light: float = 1.0, blur: float = 0.0) -> Image:
    """A dim table with a striped card."""
    canvas = np.full((360, 640, 3), 70, np.float32)
    canvas[120:260, 260:360] = 235
    canvas[130:250:8, 270:350] = 20
    if blur:
        canvas = cv2.GaussianBlur(canvas, (0, 0), blur)
    canvas = canvas * light + np.random.default_rng(noise).normal(0, 1.5, canvas.shape)
    drawn: Image = canvas.clip(0, 255).astype(np.uint8)
    return drawn


class FailingCamera:
    """Sends good pictures, then those of its trouble; one is not sent before the last was looked at.

    Args:
        trouble: The picture of a number from the trouble's beginning on; None: no picture.
        step_s: From one of them to the next.
    """

    def __init__(self, clock: Clock, trouble: Callable[[int], Image | None], step_s: float = 1 / FPS) -> None:
        self.clock = clock
        self.source: WebcamSource | None = None
        self.began_s = -1.0
        self._trouble = trouble
        self._step_s = step_s
        self._count = 0
        self._sent: Image | None = None
        self._is_closed = threading.Event()

    def read(self) -> Image | None:
        while self.source is not None and self._sent is not None and self.source._image is not self._sent:
            if self._is_closed.wait(0.001):
                return None
        is_good = self._count < GOOD
        if self._count == GOOD:
            self.began_s = self.clock.now_s
        self.clock.now_s += 1 / FPS if is_good else self._step_s
        image = scene(self._count) if is_good else self._trouble(self._count - GOOD)
        self._count += 1
        self._sent = image
        if image is None:
            self._is_closed.wait(0.002)
        return image

    def close(self) -> None:
        self._is_closed.set()


def console(source: WebcamSource) -> tuple[ConsoleApp, list[SourceEvent]]:
    """A console with a camera, and what the camera says."""
    said: list[SourceEvent] = []

    def intake(
        sources: tuple[str | CardSource, ...],
        deliver: Callable[[SourceEvent], None],
        face_up_due: Callable[[], bool],
        deals_face_down: Callable[[], bool],
    ) -> CardIntake:
        def heard(event: SourceEvent) -> None:
            said.append(event)
            deliver(event)

        return open_intake(sources, heard, face_up_due, deals_face_down, lambda _spec: source)

    return ConsoleApp(table, sources=("camera:0",), intake_factory=intake), said


def table() -> TableSession:
    session = TableSession(MemoryNight(), "night")
    for line in ("game casino-red-dog decks=1", "seat Anna 100", "bet Anna 10"):
        assert session.submit(line).accepted
    return session


def black(number: int) -> Image:
    dark: Image = np.full((360, 640, 3), number % 2, np.uint8)
    return dark


def frozen(_number: int) -> Image:
    return scene(GOOD - 1)


def old(number: int) -> Image:
    return scene(GOOD - 4 + number % 4)


def smaller(number: int) -> Image:
    small: Image = np.ascontiguousarray(scene(1000 + number)[::2, ::2])
    return small


def hunting(number: int) -> Image:
    return scene(1000 + number, blur=6.0)


def pumping(number: int) -> Image:
    return scene(1000 + number, light=1.0 + 0.25 * float(np.sin(number / FPS * 6)))


def slow(number: int) -> Image:
    return scene(1000 + number)


def gone(_number: int) -> None:
    return None


CASES = [
    pytest.param(black, 1 / FPS, "black", "sends a black picture", id="black"),
    pytest.param(frozen, 1 / FPS, "frozen", "picture stands still", id="the same bytes"),
    pytest.param(old, 1 / FPS, "old", "repeats old pictures", id="old frames"),
    pytest.param(smaller, 1 / FPS, "other-size", "320x180 now, no longer 640x360", id="another size"),
    pytest.param(hunting, 1 / FPS, "hunting", "looks for its focus", id="autofocus"),
    pytest.param(pumping, 1 / FPS, "pumping", "exposure goes up and down", id="exposure"),
    pytest.param(slow, 1 / 3, "slow", "pictures a second", id="slow network"),
    pytest.param(gone, 1 / FPS, "lost", "Camera lost: no picture", id="unplugged"),
]


@pytest.mark.parametrize(("trouble", "step_s", "code", "words"), CASES)
async def test_a_cameras_trouble_is_named_within_two_seconds_and_cards_are_typed(
    trouble: Callable[[int], Image | None], step_s: float, code: str, words: str
) -> None:
    clock = Clock()
    cameras: Iterator[FailingCamera] = iter([FailingCamera(clock, trouble, step_s)])
    opened: list[FailingCamera] = []

    def open_camera() -> FailingCamera:
        camera = next(cameras, None)
        if camera is None:
            clock.now_s += 0.6  # the camera that moved the clock is gone
            raise DriverOpenFailed("Camera 0 is gone.", "Plug it in.")
        opened.append(camera)
        return camera

    source = WebcamSource("0", name="camera:0", open_camera=open_camera, reader=Blind, clock=clock)
    app, said = console(source)
    try:
        async with app.run_test() as pilot:
            for _glance in range(int(PATIENCE_S / GLANCE_S)):
                if opened:
                    opened[0].source = source
                if any(event.code == code for event in said) and words in str(app.state.said):
                    break
                await pilot.pause(GLANCE_S)
            named = next(event for event in said if event.code == code)
            assert words in str(app.state.said)
            assert 0 <= named.time_s - opened[0].began_s <= 2.0
            for line in ("card 5H", "card 9S"):
                assert await app.book(line), "the keyboard goes on"
    finally:
        for (
            camera
        ) in opened:  # else its thread waits for a look that never comes, and slows the tests behind it
            camera.close()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        pytest.param(
            DriverOpenFailed("Camera 0 is in use by another program.", "Close it, then press R."),
            "in use by another program",
            id="busy",
        ),
        pytest.param(
            DriverOpenFailed("Camera 0 may not be used.", "Add yourself to the group video."),
            "may not be used",
            id="forbidden",
        ),
    ],
)
async def test_why_a_camera_does_not_open_is_on_the_screen(error: DriverError, words: str) -> None:
    def refuse() -> FailingCamera:
        raise error

    app, _said = console(WebcamSource("0", name="camera:0", open_camera=refuse, reader=Blind))
    async with app.run_test() as pilot:
        for _glance in range(int(PATIENCE_S / GLANCE_S)):
            if words in str(app.state.said):
                break
            await pilot.pause(GLANCE_S)
        assert words in str(app.state.said)
        assert [lamp.state for lamp in app.source_lamps()] == ["LOST"]
        assert await app.book("card 5H"), "the keyboard goes on"
