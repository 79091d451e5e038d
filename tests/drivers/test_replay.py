"""Recordings: what is written is read back, and a replay says what the live source said."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from assistant.cards import parse_card
from drivers.base import (
    Candidate,
    CardSource,
    DriverNotFound,
    EventKind,
    SourceEvent,
    as_record,
)
from drivers.recording import BadRecording, RecordingWriter, read_recording
from drivers.registry import open_source

CASINO = ["4S", "9D", "7C", "KH", "QD", "8C", "8S", "8D"]


def play(source: CardSource) -> list[SourceEvent]:
    with source:
        events = []
        while not source.has_ended:
            event = source.read(0.5)
            if event is not None:
                events.append(event)
        return events


@pytest.fixture
def recordings(repository: Path) -> Path:
    return repository / "tests" / "data" / "recordings"


@pytest.mark.parametrize("name", ["plain_casino.hex", "oslp_casino.jsonl"])
def test_a_recorded_shoe_deals_its_cards_again(recordings: Path, name: str) -> None:
    events = play(open_source(f"replay:{recordings / name},speed=0"))
    assert [str(event.card) for event in events if event.event is EventKind.CARD] == CASINO
    assert {event.source for event in events} == {f"replay:{recordings / name}"}


def test_recorded_times_stay_whatever_the_speed(recordings: Path) -> None:
    events = play(open_source(f"replay:{recordings / 'plain_casino.hex'},speed=1000"))
    assert [event.time_s for event in events] == [1.0, 2.05, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]


def test_a_replay_waits_for_each_row(recordings: Path) -> None:
    from drivers.replay import ReplaySource

    clock = [0.0]
    source = ReplaySource(recordings / "plain_casino.hex", speed=2.0, clock=lambda: clock[0])
    source.open()
    clock[0] = 0.49
    assert source.read(0.0) is None
    clock[0] = 0.5
    event = source.read(0.0)
    assert event is not None
    assert str(event.card) == "4S"
    assert source.read(0.0) is None


def test_recorded_events_come_back_with_zone_group_and_candidates(recordings: Path) -> None:
    events = play(open_source(f"replay:{recordings / 'camera_events.jsonl'},speed=0"))
    assert [event.event.value for event in events] == ["card", "card", "unsure", "card", "down"]
    assert (events[0].group, events[0].zone, events[0].confidence) == (1, "posts", 0.998)
    assert events[2].candidates == (
        Candidate(parse_card("6C"), 0.61),
        Candidate(parse_card("9C"), 0.37),
    )


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    event = SourceEvent(
        EventKind.UNSURE,
        "camera:0",
        1.25,
        zone="posts",
        group=3,
        confidence=0.5,
        candidates=(Candidate(parse_card("6S"), 0.5),),
        code="close",
        note="Дама?",
    )
    stream = io.StringIO()
    writer = RecordingWriter(stream, "camera:0")
    writer.bytes(0.5, b"AH\n")
    writer.event(event)
    (tmp_path / "a.jsonl").write_text(stream.getvalue(), "utf-8")
    recording = read_recording(tmp_path / "a.jsonl")
    assert recording.source == "camera:0"
    assert recording.rows[0].data == b"AH\n"
    assert recording.rows[1].event == event


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", ""),
        ("a.jsonl", "{}\n"),
        ("a.jsonl", '{"format": "tableside-recording", "version": 2}\n'),
        ("a.jsonl", '{"format": "tableside-recording", "version": 1}\n[1]\n'),
        ("a.jsonl", '{"format": "tableside-recording", "version": 1}\n{"t": 1, "bytes": "4"}\n'),
        ("a.jsonl", '{"format": "tableside-recording", "version": 1}\n{"t": 1, "event": {"event": "tea"}}\n'),
        ("a.hex", "41 4\n"),
        ("a.hex", "hello\n"),
    ],
)
def test_what_is_no_recording_is_refused_by_file_and_line(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(BadRecording) as caught:
        read_recording(tmp_path / name)
    assert name in caught.value.message


def test_a_missing_recording_is_named(tmp_path: Path) -> None:
    with pytest.raises(DriverNotFound, match="nowhere"):
        open_source(f"replay:{tmp_path / 'nowhere.jsonl'}").open()


def test_a_recorded_shoe_that_sees_face_down_names_nothing_without_a_table(recordings: Path) -> None:
    events = play(open_source(f"replay:{recordings / 'oslp_casino.jsonl'},speed=0,facedown=1"))
    counted = [event for event in events if event.is_face_down]
    text = json.dumps([as_record(event) for event in events]) + repr(events)
    assert len(counted) == 8
    assert not any(f'"{card}"' in text or f"'{card}'" in text for card in CASINO)
    assert "Rank." not in text
