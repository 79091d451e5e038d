"""What every card source must do, run over each of them with real ports, sockets and files."""

from __future__ import annotations

import json
import socket
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from assistant.cards import FULL_DECK, parse_card
from drivers.base import BadSource, CardSource, DriverError, EventKind, SourceEvent, as_record
from drivers.codecs.oslp import encode
from drivers.emulated_port import EmulatedPort
from drivers.registry import SOURCES, open_source

if TYPE_CHECKING:
    from calibration.frames import Image
    from calibration.recogniser import Reading

CARDS = ("4S", "9D", "7C")
PATIENCE_S = 30.0


class Stage(ABC):
    """A source and somebody who deals `CARDS` to it."""

    spec: str
    """What a person types."""
    is_endless = True
    cards: tuple[str, ...] = CARDS

    def make(self) -> CardSource:
        """Build the source, closed."""
        return open_source(self.spec)

    @abstractmethod
    def deal(self, source: CardSource) -> None:
        """Make the cards come, once; called when the source is open."""

    def tidy(self) -> None:  # noqa: B027 - most stages leave nothing behind
        """Take the stage down."""


class ManualStage(Stage):
    spec = "manual"

    def deal(self, source: CardSource) -> None:
        from drivers.manual import ManualSource

        assert isinstance(source, ManualSource)
        for card in CARDS:
            source.push(parse_card(card))


class SimulatedStage(Stage):
    """The order of seed 7 is part of the contract: a demo stays the demo."""

    spec = "simulated:seed=7"
    is_endless = False
    cards = ("9D", "JC", "AD")

    def deal(self, source: CardSource) -> None:
        pass


class ReplayStage(Stage):
    is_endless = False

    def __init__(self, folder: Path) -> None:
        file = folder / "plain.hex"
        file.write_text(" ".join(f"{card}\r\n".encode().hex() for card in CARDS), "ascii")
        self.spec = f"replay:{file}"

    def deal(self, source: CardSource) -> None:
        pass


class PlainPtyStage(Stage):
    def __init__(self, folder: Path) -> None:
        self.port = EmulatedPort(folder / "shoe")
        self.spec = f"serial:{self.port.path},format=plain"

    def deal(self, source: CardSource) -> None:
        for card in CARDS:
            self.port.send(card.encode() + b"\r\n")

    def tidy(self) -> None:
        self.port.unplug()


class OslpPtyStage(PlainPtyStage):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.spec = f"serial:{self.port.path},format=oslp,baud=115200"

    def deal(self, source: CardSource) -> None:
        for seq, card in enumerate(CARDS, 1):
            self.port.send(encode(f"CARD,7A3C,{seq:04X},{card},{seq}"))


class TagPtyStage(PlainPtyStage):
    """A reader of tags, and a tag list that names them."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        (folder / "tags.csv").write_text("card,uid\n4S,92256FEB\n9D,0406B902\n7C,0409BB81\n", "utf-8")
        self.spec = f"serial:{self.port.path},format=uidline,map={folder / 'tags.csv'}"

    def deal(self, source: CardSource) -> None:
        for uid in ("92 25 6F EB", "04 06 B9 02", "04 09 BB 81"):
            self.port.send(f"Card UID: {uid}\r\n".encode())


class SocketStage(Stage):
    def __init__(self, folder: Path) -> None:
        self.server = socket.create_server(("127.0.0.1", 0))
        self.spec = f"serial:socket://127.0.0.1:{self.server.getsockname()[1]},format=oslp"
        self.link: socket.socket | None = None

    def deal(self, source: CardSource) -> None:
        self.link, _ = self.server.accept()
        for seq, card in enumerate(CARDS, 1):
            self.link.sendall(encode(f"CARD,7A3C,{seq:04X},{card},{seq}"))

    def tidy(self) -> None:
        if self.link:
            self.link.close()
        self.server.close()


class StandInReader:
    """Names what the stages below paint: brightness is 100 and the place of the card in the deck."""

    def read(self, image: Image, before: Sequence[Image] = (), /) -> Reading:
        from calibration.recogniser import Reading, SeenCard

        level = round(float(image[4:].mean())) - 100
        if not 0 <= level < 52:
            return Reading((), ())
        outline = ((0.0, 0.0), (60.0, 0.0), (60.0, 90.0), (0.0, 90.0))
        return Reading((SeenCard(FULL_DECK[level], 0.99, (), outline, image),), ())


def paint(card: str, noise: int = 0) -> Image:
    import numpy as np

    image: Image = np.full((90, 60, 3), 100 + FULL_DECK.index(parse_card(card)), np.uint8)
    image[0, 0] = noise % 256
    return image


class PictureFolderStage(Stage):
    is_endless = False

    def __init__(self, folder: Path) -> None:
        from calibration.pixels import save_picture

        for number, card in enumerate(CARDS):
            save_picture(folder / f"{number}.png", paint(card))
        self.spec = f"camera:{folder}"

    def make(self) -> CardSource:
        from drivers.webcam import WebcamSource

        return WebcamSource(self.spec.partition(":")[2], reader=StandInReader)

    def deal(self, source: CardSource) -> None:
        pass


class LiveCameraStage(Stage):
    """A camera that shows each card until the reader has taken its picture a dozen times."""

    spec = "camera:0"

    def __init__(self, folder: Path) -> None:
        self.shown = 0
        self.is_dealing = threading.Event()

    def make(self) -> CardSource:
        from drivers.webcam import WebcamSource

        return WebcamSource("0", reader=StandInReader, open_camera=lambda: self)

    def deal(self, source: CardSource) -> None:
        self.is_dealing.set()

    def read(self) -> Image | None:
        time.sleep(0.005)  # as a camera does
        self.shown += self.is_dealing.is_set()
        return paint(CARDS[min(self.shown // 60, len(CARDS) - 1)], self.shown * 3 + 1 + time.time_ns() % 2)

    def close(self) -> None:
        """The camera has nothing to close."""


STAGES = {
    "manual": lambda _: ManualStage(),
    "simulated": lambda _: SimulatedStage(),
    "replay": ReplayStage,
    "serial-plain-pty": PlainPtyStage,
    "serial-oslp-pty": OslpPtyStage,
    "serial-tags-pty": TagPtyStage,
    "serial-oslp-socket": SocketStage,
    "camera-pictures": PictureFolderStage,
    "camera-live": LiveCameraStage,
}


@pytest.fixture(params=STAGES)
def stage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stage]:
    if "pty" in request.param and sys.platform == "win32":
        pytest.skip("Windows has no ptys")
    if "camera" in request.param:
        pytest.importorskip("cv2", exc_type=ImportError, reason="OpenCV can't be loaded here")
    made: Stage = STAGES[request.param](tmp_path)
    yield made
    made.tidy()


@pytest.fixture
def source(stage: Stage) -> Iterator[CardSource]:
    made = stage.make()
    yield made
    made.close()


def read_cards(source: CardSource, count: int) -> list[SourceEvent]:
    """Read until `count` cards have come; the events before and between them too."""
    events: list[SourceEvent] = []
    end_s = time.monotonic() + PATIENCE_S
    while sum(event.event is EventKind.CARD for event in events) < count:
        assert time.monotonic() < end_s, events
        event = source.read(0.5)
        if event is not None:
            events.append(event)
    return events


def test_every_registered_source_has_a_stage() -> None:
    assert {name.partition("-")[0] for name in STAGES} >= set(SOURCES)


def test_cards_come_in_order_named_and_weighed(stage: Stage, source: CardSource) -> None:
    source.open()
    stage.deal(source)
    cards = [event for event in read_cards(source, 3) if event.event is EventKind.CARD]
    assert [str(event.card) for event in cards] == list(stage.cards)
    assert all(event.confidence is not None and 0 < event.confidence <= 1 for event in cards)


def test_events_bear_the_source_and_times_never_run_backwards(stage: Stage, source: CardSource) -> None:
    source.open()
    stage.deal(source)
    events = read_cards(source, 3)
    assert {event.source for event in events} == {source.name}
    times = [event.time_s for event in events]
    assert times == sorted(times)
    assert times[0] >= 0


def test_every_event_is_a_record_of_nine_keys(stage: Stage, source: CardSource) -> None:
    source.open()
    stage.deal(source)
    for event in read_cards(source, 3):
        record = json.loads(json.dumps(as_record(event)))
        assert list(record) == [
            "event",
            "card",
            "source",
            "zone",
            "confidence",
            "candidates",
            "seq",
            "time_s",
            "note",
        ]


def test_reading_waits_and_then_says_nothing(stage: Stage, source: CardSource) -> None:
    source.open()
    stage.deal(source)
    read_cards(source, 3)
    if stage.is_endless:
        while source.read(0.05) is not None:
            pass
        assert source.read(0.0) is None
        assert not source.has_ended
    else:
        while not source.has_ended:
            source.read(0.2)
        assert source.read(0.2) is None


def test_closing_twice_and_reading_after_it_is_harmless(stage: Stage, source: CardSource) -> None:
    source.open()
    source.close()
    source.close()
    assert source.read(0.0) is None or stage.spec == "manual"


def test_a_closed_source_opens_again(stage: Stage, source: CardSource) -> None:
    source.open()
    source.close()
    source.open()
    if isinstance(stage, SocketStage):
        stage.server.accept()  # the first connection
    stage.deal(source)
    assert len(read_cards(source, 3)) >= 3


def test_another_thread_may_close_it_and_no_thread_stays(stage: Stage, source: CardSource) -> None:
    before = set(threading.enumerate())
    is_open, stopped = threading.Event(), threading.Event()

    def run() -> None:
        source.open()
        is_open.set()
        while not stopped.is_set():
            source.read(0.2)
        source.read(0.0)
        source.close()

    thread = threading.Thread(target=run)
    thread.start()
    assert is_open.wait(PATIENCE_S)
    source.close()
    stopped.set()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()
    assert set(threading.enumerate()) <= before


def test_an_unknown_option_is_refused_with_the_known_ones(stage: Stage) -> None:
    with pytest.raises(BadSource, match="tea") as caught:
        open_source(f"{stage.spec}{',' if ':' in stage.spec else ':'}tea=1")
    assert "name" in caught.value.hint


def test_a_name_can_be_given(stage: Stage) -> None:
    made = open_source(f"{stage.spec}{',' if ':' in stage.spec else ':'}name=the shoe")
    assert made.name == "the shoe"


@pytest.mark.parametrize(
    "spec", ["replay:nowhere.jsonl", "serial:/dev/nowhere", "serial:socket://127.0.0.1:1"]
)
def test_what_can_not_be_opened_says_what_to_do(spec: str) -> None:
    with pytest.raises(DriverError) as caught:
        open_source(spec).open()
    assert caught.value.message
    assert caught.value.hint
