"""Readers of tags as sources: decks of the house by name, over a pty and from a recording; face-down tags."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.base import BadSource, CardSource, EventKind, SourceEvent, as_record
from drivers.decks import BadDeck, Deck, save_deck
from drivers.emulated_port import EmulatedPort
from drivers.registry import open_source

needs_pty = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no ptys")


@pytest.fixture
def house(tmp_path: Path) -> Path:
    save_deck(tmp_path / "decks", Deck("Blue", {"92256FEB": "KD", "0406B902": "AS"}))
    save_deck(tmp_path / "decks", Deck("Red", {"DEADBEEF": "2C"}))
    return tmp_path


@pytest.fixture
def port(tmp_path: Path) -> Iterator[EmulatedPort]:
    with EmulatedPort(tmp_path / "reader") as opened:
        yield opened


def read(source: CardSource, count: int) -> list[SourceEvent]:
    """Read so many events that are not about the link."""
    events: list[SourceEvent] = []
    while len(events) < count:
        event = source.read(10.0)
        assert event is not None, events
        events += [event] if event.event is not EventKind.UP else []
    return events


@needs_pty
def test_tags_of_the_decks_in_play_are_cards(port: EmulatedPort, house: Path) -> None:
    assert not open_source(f"serial:{port.path},format=uidline", house=house).capabilities.names_cards
    with open_source(f"serial:{port.path},format=uidline,deck=Blue", house=house) as source:
        assert source.capabilities.names_cards
        port.send(b"Card UID: 92 25 6F EB\r\nCard UID: DE AD BE EF\r\nCard UID: 00 00 00 00\r\n")
        events = read(source, 3)
    assert [(event.event.value, event.code) for event in events] == [
        ("card", ""),
        ("tag-unknown", "other-deck"),
        ("tag-unknown", "unknown"),
    ]
    assert str(events[0].card) == "KD"


@needs_pty
def test_a_shoe_that_sends_checked_tags_deals_from_two_decks(port: EmulatedPort, house: Path) -> None:
    from drivers.codecs.oslp import encode

    with open_source(f"serial:{port.path},format=oslp,deck=Blue+Red", house=house) as source:
        port.send(encode("TAG,7A3C,0001,92256FEB,0,1") + encode("TAG,7A3C,0002,DEADBEEF,0,2"))
        events = [event for event in read(source, 3) if event.event is EventKind.CARD]
    assert [str(event.card) for event in events] == ["KD", "2C"]
    assert [event.report for event in events] == ["/7A3C/0001", "/7A3C/0002"]


@needs_pty
def test_tags_dealt_face_down_are_counted_and_nothing_tells_which_they_were(
    port: EmulatedPort, house: Path
) -> None:
    with open_source(f"serial:{port.path},format=uidline,deck=Blue,facedown=1", house=house) as source:
        source.face_up_due = lambda: False
        port.send(b"Card UID: 92 25 6F EB\r\nCard UID: DE AD BE EF\r\nCard UID: 00 00 00 00\r\n")
        events = read(source, 3)
    text = json.dumps([as_record(event) for event in events]) + repr(events)
    assert all(event.is_face_down for event in events)
    for name in ("92256FEB", "DEADBEEF", "00000000", "KD", "Rank.", "Red"):
        assert name not in text


def test_a_recording_of_a_reader_names_its_cards_too(tmp_path: Path, house: Path) -> None:
    file = tmp_path / "reader.hex"
    file.write_text(b"Card UID: 92 25 6F EB\r\n".hex(), "ascii")
    with open_source(f"replay:{file},format=uidline,deck=Blue", house=house) as source:
        assert str(read(source, 1)[0].card) == "KD"


def test_a_deck_that_is_not_there_and_one_where_none_is_needed_are_refused(house: Path) -> None:
    with pytest.raises(BadDeck, match="Green"):
        open_source("serial:COM3,format=uidline,deck=Green", house=house)
    with pytest.raises(BadSource, match="names the cards itself"):
        open_source("serial:COM3,format=plain,deck=Blue", house=house)
    with pytest.raises(BadSource, match="stxetx"):
        open_source("serial:COM3,format=rdm", house=house)
