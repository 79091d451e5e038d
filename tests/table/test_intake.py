"""Sources -> one queue -> the table: no device holds the table up, and no card is counted twice."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self

import pytest

from assistant.cards import parse_card
from assistant.table.intake import Intake, Lamp, listen
from drivers.base import (
    Capabilities,
    CardSource,
    DriverDenied,
    DriverError,
    DriverMissing,
    EventKind,
    SourceEvent,
)
from drivers.manual import ManualSource
from drivers.spec import SourceSpec

PATIENCE_S = 20.0


class ScriptedSource(CardSource):
    """Says what it is given; `on_open`, `on_read` and `on_close` may block or raise."""

    def __init__(self, name: str = "scripted", *, sees_face_down: bool = False) -> None:
        self._name = name
        self._sees_face_down = sees_face_down
        self.waiting: queue.SimpleQueue[SourceEvent] = queue.SimpleQueue()
        self.on_open: Callable[[], None] = lambda: None
        self.on_read: Callable[[], None] = lambda: None
        self.on_close: Callable[[], None] = lambda: None
        self.threads: set[int] = set()

    @classmethod
    def from_spec(cls, spec: SourceSpec) -> Self:
        return cls(spec.name)

    @property
    def name(self) -> str:
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(sees_face_down=self._sees_face_down)

    def card(self, text: str) -> None:
        self.waiting.put(SourceEvent(EventKind.CARD, self._name, 0.0, card=parse_card(text)))

    def open(self) -> None:
        self.threads.add(threading.get_ident())
        self.on_open()

    def read(self, timeout_s: float) -> SourceEvent | None:
        self.threads.add(threading.get_ident())
        self.on_read()
        try:
            return self.waiting.get(timeout=timeout_s)
        except queue.Empty:
            return None

    def close(self) -> None:
        self.threads.add(threading.get_ident())
        self.on_close()


class Table:
    """Takes events; `next` waits for one."""

    def __init__(self) -> None:
        self.events: queue.SimpleQueue[SourceEvent] = queue.SimpleQueue()

    def next(self) -> SourceEvent:
        return self.events.get(timeout=PATIENCE_S)

    def until(self, kind: EventKind) -> list[SourceEvent]:
        events = [self.next()]
        while events[-1].event is not kind:
            events.append(self.next())
        return events


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def run(table: Table) -> Iterator[Callable[..., Intake]]:
    running: list[Intake] = []

    def start(*sources: str | CardSource, **options: object) -> Intake:
        intake = Intake(sources, table.events.put, **options)  # type: ignore[arg-type]
        running.append(intake)
        intake.start()
        return intake

    yield start
    for intake in running:
        intake.stop(0.5)


def test_cards_of_all_sources_come_one_after_the_other(table: Table, run: Callable[..., Intake]) -> None:
    one, two = ManualSource("one"), ManualSource("two")
    run(one, two)
    one.push(parse_card("AS"))
    two.push(parse_card("KD"))
    assert {(event.source, str(event.card)) for event in (table.next(), table.next())} == {
        ("one", "AS"),
        ("two", "KD"),
    }


def test_one_thread_a_source_opens_reads_and_closes_it(table: Table, run: Callable[..., Intake]) -> None:
    source = ScriptedSource()
    intake = run(source)
    source.card("AS")
    table.next()
    intake.stop()
    assert len(source.threads) == 1
    assert threading.get_ident() not in source.threads


def test_a_source_that_fails_to_open_says_why_once_and_is_tried_again(
    table: Table, run: Callable[..., Intake], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.table.source_thread.REOPEN_S", 0.01)
    source, tries = ScriptedSource("shoe"), [0]

    def fail() -> None:
        tries[0] += 1
        if tries[0] < 4:
            raise DriverDenied("No permission for /dev/ttyUSB0.", "sudo usermod -aG dialout $USER")

    source.on_open = fail
    intake = run(source)
    source.card("AS")
    events = table.until(EventKind.CARD)
    assert [event.event.value for event in events] == ["down", "up", "card"]
    assert "sudo usermod -aG dialout $USER" in events[0].note
    assert tries[0] == 4
    assert intake.states()[0].lamp is Lamp.UP


def test_a_missing_library_is_said_once_and_the_others_go_on(
    table: Table, run: Callable[..., Intake]
) -> None:
    def opener(source: object) -> CardSource:
        raise DriverMissing("OpenCV can't be loaded (libGL.so.1).", "apt install libgl1")

    keyboard = ManualSource()
    intake = run("camera:0", keyboard, opener=opener)
    (event,) = table.until(EventKind.DOWN)
    assert event.source == "camera:0"
    assert "apt install libgl1" in event.note
    keyboard.push(parse_card("AS"))
    assert str(table.next().card) == "AS"
    assert [state.lamp for state in intake.states()] == [Lamp.DOWN, Lamp.UP]


def test_a_source_typed_wrong_is_said_with_the_known_kinds(table: Table, run: Callable[..., Intake]) -> None:
    run("telepathy:1")
    assert "Known kinds: camera" in table.next().note


def test_a_driver_that_raises_in_read_is_down_and_nothing_else(
    table: Table, run: Callable[..., Intake]
) -> None:
    source = ScriptedSource()

    def fail() -> None:
        raise RuntimeError("driver's own mistake")

    source.on_read = fail
    run(source)
    event = table.next()
    assert (event.event, event.code) == (EventKind.DOWN, "failed")
    assert "mistake" not in event.note


def test_opening_a_slow_source_delays_neither_the_start_nor_the_end(
    table: Table, run: Callable[..., Intake]
) -> None:
    """cases.csv B207: an opening that blocks for 20 s; the thread is left behind."""
    release = threading.Event()
    slow, quick = ScriptedSource("slow"), ScriptedSource("quick")
    slow.on_open = lambda: _wait(release)
    intake = run(slow, quick)
    quick.card("AS")
    assert table.next().source == "quick"
    began_s = time.monotonic()
    intake.stop()
    assert time.monotonic() - began_s < 3.0
    release.set()


def test_a_close_that_blocks_does_not_hold_up_the_end(table: Table, run: Callable[..., Intake]) -> None:
    """cases.csv B062."""
    release = threading.Event()
    source = ScriptedSource()
    source.on_close = lambda: _wait(release)
    source.card("AS")
    intake = run(source)
    table.next()
    began_s = time.monotonic()
    intake.stop()
    assert time.monotonic() - began_s < 3.0
    release.set()


def _wait(release: threading.Event) -> None:
    release.wait(PATIENCE_S)


def test_nothing_is_delivered_after_the_end(table: Table, run: Callable[..., Intake]) -> None:
    source = ManualSource()
    intake = run(source)
    source.push(parse_card("AS"))
    table.next()
    intake.stop()
    source.push(parse_card("KD"))
    with pytest.raises(queue.Empty):
        table.events.get(timeout=0.3)


def test_a_driver_that_hangs_is_said_to_and_comes_back(table: Table, run: Callable[..., Intake]) -> None:
    clock, release, reading = [0.0], threading.Event(), threading.Event()
    source = ScriptedSource("shoe")

    def hang() -> None:
        reading.set()
        release.wait(PATIENCE_S)

    source.on_read = hang
    intake = run(source, clock=lambda: clock[0])
    assert reading.wait(PATIENCE_S)
    intake.check()
    clock[0] = 2.1
    (event,) = table.until(EventKind.STALE)
    assert event.code == "hangs"
    assert intake.states()[0].lamp is Lamp.STALE
    release.set()
    assert table.next().event is EventKind.UP
    assert intake.states()[0].lamp is Lamp.UP


def test_an_opening_that_takes_five_seconds_mentions_the_permission(
    table: Table, run: Callable[..., Intake]
) -> None:
    """cases.csv B035."""
    clock, release, opening = [0.0], threading.Event(), threading.Event()
    source = ScriptedSource("camera:0")

    def wait() -> None:
        opening.set()
        release.wait(PATIENCE_S)

    source.on_open = wait
    run(source, clock=lambda: clock[0])
    assert opening.wait(PATIENCE_S)
    clock[0] = 5.1
    assert "privacy settings" in table.next().note
    release.set()
    assert table.next().event is EventKind.UP


def test_an_event_the_table_refuses_does_not_stop_the_next(caplog: pytest.LogCaptureFixture) -> None:
    source, got = ManualSource(), threading.Event()

    def deliver(event: SourceEvent) -> None:
        if event.seq == 1:
            raise ValueError("not now")
        got.set()

    intake = Intake([source], deliver)
    intake.start()
    source.push(parse_card("AS"))
    source.push(parse_card("KD"))
    assert got.wait(PATIENCE_S)
    intake.stop()
    assert "AS" not in caplog.text


def test_what_comes_faster_than_the_table_takes_it_is_counted_and_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("assistant.table.intake.QUEUE_LENGTH", 3)
    source, events = ScriptedSource("shoe"), []
    taken, go_on, done = threading.Event(), threading.Event(), threading.Event()

    def deliver(event: SourceEvent) -> None:
        events.append(event)
        taken.set()
        go_on.wait(PATIENCE_S)
        if event.event is EventKind.GAP:
            done.set()

    intake = Intake([source], deliver)
    intake.start()
    source.card("2S")
    assert taken.wait(PATIENCE_S)
    for rank in "3456789":
        source.card(f"{rank}S")
    while intake.states()[0].cards < 8:
        time.sleep(0.001)
    go_on.set()
    assert done.wait(PATIENCE_S)
    intake.stop()
    cards = [str(event.card) for event in events if event.event is EventKind.CARD]
    assert cards == ["2S", "3S", "4S", "5S"]
    assert [event.count for event in events if event.event is EventKind.GAP] == [4]


def test_face_down_cards_reach_the_table_without_a_name(table: Table, run: Callable[..., Intake]) -> None:
    """Even from a driver that forgot to ask; and the name passes only while a face-up card is due."""
    due = [False]
    source = ScriptedSource("shoe", sees_face_down=True)
    run(source, face_up_due=lambda: due[0])
    source.card("AS")
    event = table.next()
    assert event.is_face_down
    assert "ACE" not in repr(event)
    due[0] = True
    source.card("KD")
    assert str(table.next().card) == "KD"


def test_a_table_that_can_not_say_whether_a_card_is_due_gets_no_names(
    table: Table, run: Callable[..., Intake]
) -> None:
    source = ScriptedSource("shoe", sees_face_down=True)

    def fail() -> bool:
        raise KeyError("no round")

    run(source, face_up_due=fail)
    source.card("AS")
    assert table.next().is_face_down


def test_tags_named_before_reach_sources_that_are_there_and_those_to_come(
    table: Table, run: Callable[..., Intake], tmp_path: Path
) -> None:
    """A recording stands in for a reader of tags; the tag was named before the program was started anew."""
    recording = tmp_path / "reader.hex"
    recording.write_text(b"Card UID: 92 25 6F EB\r\n".hex(" "), "ascii")
    source = f"replay:{recording},format=uidline,speed=0"
    intake = run()
    intake.recall({"92256FEB": "KD"})
    intake.add(source)
    assert str(table.next().card) == "KD"
    intake.add(f"{source},name=other")
    assert str(table.next().card) == "KD"
    intake.learn("", "92256FEB", "")
    intake.recall({})
    intake.add(f"{source},name=third")
    assert table.next().event is EventKind.TAG_UNKNOWN


def test_a_reader_that_is_opened_in_the_middle_of_a_shoe_hears_how_many_decks_it_holds(
    table: Table, run: Callable[..., Intake], tmp_path: Path
) -> None:
    """Of several decks a tag comes once a shoe: the second time is no second card."""
    recording = tmp_path / "reader.hex"
    visit = b"Card UID: 92 25 6F EB\r\n".hex(" ")
    recording.write_text(f"@0 {visit}\n@2 {b'Card UID: 04 06 B9 02'.hex(' ')} 0d 0a\n@4 {visit}\n", "ascii")
    tags = tmp_path / "tags.csv"
    tags.write_text("card,uid_hex,tag_no\nKD,92256FEB,1\nAS,0406B902,2\n", "utf-8")
    intake = run()
    intake.deals_from(6)
    intake.add(f"replay:{recording},format=uidline,speed=0,map={tags}")
    assert [str(table.next().card) for _ in range(2)] == ["KD", "AS"]
    assert table.next().code == "tag-twice"
    intake.deals_from(6, {"92256FEB"})
    intake.add(f"replay:{recording},format=uidline,speed=0,map={tags}")
    assert table.next().code == "tag-twice"


def test_after_a_shuffle_every_source_begins_anew(table: Table, run: Callable[..., Intake]) -> None:
    due = [True]
    intake = run("simulated:seed=7", face_up_due=lambda: due[0])
    first = table.next()
    due[0] = False
    intake.shuffled(6)
    due[0] = True
    assert str(first.card) == "9D"
    assert table.next().event is EventKind.CARD


def test_only_the_sources_of_a_kind_may_be_told_that_cards_come_again(
    run: Callable[..., Intake], monkeypatch: pytest.MonkeyPatch
) -> None:
    intake = run("simulated:seed=7", face_up_due=lambda: False)
    told: list[int] = []
    (source,) = intake._sources
    monkeypatch.setattr(source, "shuffled", told.append)
    intake.shuffled(1, "camera")
    assert told == [], "a shoe goes on with its cards"
    intake.shuffled(1, "simulated")
    intake.shuffled(2)
    assert told == [1, 2]


def test_listening_ends_with_the_source_and_closes_it() -> None:
    from drivers.registry import open_source

    events = list(listen(open_source("simulated:seed=7")))
    assert [event.event.value for event in events] == ["card"] * 52 + ["empty"]
    assert [str(event.card) for event in events[:3]] == ["9D", "JC", "AD"]
    assert [event.seq for event in events[:52]] == list(range(1, 53))


def test_listening_to_what_is_not_there_raises() -> None:
    source = ScriptedSource()

    def fail() -> None:
        raise DriverDenied("No permission.", "")

    source.on_open = fail
    with pytest.raises(DriverError):
        next(iter(listen(source)))
