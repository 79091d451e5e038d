"""The emulated shoe keeps the protocol's rules; a crash of the program costs no card the shoe still holds."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from drivers.base import EventKind, SourceEvent
from drivers.codecs.oslp import OslpCodec, encode, parse
from drivers.cursors import BookedReports, CursorFile, split_report
from drivers.emulated_shoe import EmulatedShoe, Faults
from drivers.emulation import Emulation, Timetable
from drivers.link import Cursor, SavedCursor
from drivers.registry import open_source


def lines(data: bytes) -> list[str]:
    return [line.decode("ascii").rsplit("*", 1)[0] for line in data.splitlines()]


def play(shoe: EmulatedShoe, codec: OslpCodec, begin_s: float, end_s: float) -> list[SourceEvent]:
    """Let both talk over a perfect wire in virtual time."""
    events = []
    for step in range(int(begin_s * 50), int(end_s * 50)):
        now_s = step / 50
        events += codec.feed(shoe.sending(now_s), now_s) + codec.tick(now_s)
        shoe.hear(codec.outbox(), now_s)
    return events


def test_the_same_seed_deals_the_same_cards() -> None:
    one, other = EmulatedShoe(seed=7, decks=2), EmulatedShoe(seed=7, decks=2)
    for shoe in (one, other):
        for _ in range(104):
            shoe.deal(0.0)
    assert one.dealt == other.dealt
    assert len(set(one.dealt)) == 52
    assert one.cards_left == 0


def test_it_says_hello_three_times_and_beats_every_second() -> None:
    shoe = EmulatedShoe()
    said = [line for step in range(25) for line in lines(shoe.sending(step / 10))]
    assert [line[:5] for line in said] == ["$HELO"] * 3 + ["$BEAT"] * 2


def test_what_is_not_acknowledged_is_sent_again_ever_more_slowly() -> None:
    shoe = EmulatedShoe()
    shoe.deal(0.0)
    at_s = [step / 100 for step in range(800) if b"$CARD" in shoe.sending(step / 100)]
    assert at_s == [0.0, 0.25, 0.75, 1.75, 3.75, 5.75, 7.75]
    shoe.hear(encode(f"ACK,{shoe.boot},0001"), 8.0)
    assert b"$CARD" not in b"".join(shoe.sending(8 + step / 10) for step in range(50))


def test_a_card_is_sent_again_when_asked_for_and_a_damaged_question_is_ignored() -> None:
    shoe = EmulatedShoe()
    shoe.deal(0.0)
    shoe.sending(0.9)
    shoe.hear(encode(f"NAK,{shoe.boot},0001").replace(b"1*", b"2*"), 0.9)
    shoe.hear(b"$NAK\xff\n$PING\n", 0.9)
    assert shoe.sending(0.91) == b""
    shoe.hear(encode(f"NAK,{shoe.boot},0001")[:9], 0.92)
    shoe.hear(encode(f"NAK,{shoe.boot},0001")[9:], 0.93)
    assert parse(shoe.sending(0.94).strip()) is not None


@pytest.mark.parametrize("can_hear", [True, False])
def test_every_card_arrives_once_and_in_order(can_hear: bool) -> None:
    shoe = EmulatedShoe(seed=3, can_hear=can_hear, faults=Faults(miss_rate=0.1))
    codec, events = OslpCodec("shoe"), []
    codec.opened(0.0)
    for number in range(52):
        events += play(shoe, codec, 1 + number * 0.2, 1.2 + number * 0.2)
        shoe.deal(1.2 + number * 0.2)
    events += play(shoe, codec, 11.6, 20)
    seen = [str(event.card or "??") for event in events if event.event.value in ("card", "unreadable")]
    assert seen == shoe.dealt
    assert "??" in seen


# --- after the program's own crash --------------------------------------------------------------------------


def test_cards_dealt_while_the_program_was_away_are_fetched_without_a_hello(tmp_path: Path) -> None:
    """T11: the shoe goes on; the next start asks for what is missing, at most the shoe's ring."""
    shoe, before = EmulatedShoe(seed=3), OslpCodec("shoe")
    cursors = CursorFile(tmp_path / "shoes.json")
    cursors.begin("2026-11-28-1")
    before.opened(0.0)
    shoe.deal(1.0)
    for event in play(shoe, before, 0, 3):
        cursors.handled([event])
    for _ in range(8):
        shoe.deal(4.0)
    shoe.sending(4.1)  # nobody listens
    again = CursorFile(tmp_path / "shoes.json")
    again.begin("2026-11-28-1")
    after = OslpCodec("shoe", cursors=again.saved())
    after.opened(10.0)
    events = play(shoe, after, 10, 16)
    assert [str(event.card) for event in events if event.event is EventKind.CARD] == shoe.dealt[1:]
    assert {event.event.value for event in events} == {"up", "card"}
    assert max(event.report for event in events) == f"EMULATED/{shoe.boot}/0009"


def test_what_the_shoe_no_longer_holds_is_a_gap_and_a_reset_is_said(tmp_path: Path) -> None:
    shoe = EmulatedShoe(seed=3)
    shoe.sending(0.0)
    saved = (SavedCursor("shoe", "EMULATED", Cursor(shoe.boot, 1)),)
    for _ in range(20):
        shoe.deal(1.0)
    shoe.sending(1.1)  # nobody listens
    codec = OslpCodec("shoe", cursors=saved)
    codec.opened(2.0)
    events = [event for event in play(shoe, codec, 2, 8) if event.event is not EventKind.UP]
    assert events[0].event is EventKind.GAP
    assert (events[0].count or 0) + len(events) - 1 == 20
    shoe.reset(9.0)
    codec = OslpCodec("shoe", cursors=saved)
    codec.opened(9.0)
    assert [event.event.value for event in play(shoe, codec, 9, 10)] == ["up", "reboot"]


def test_a_shoe_that_moved_to_another_port_is_known_by_its_start() -> None:
    shoe = EmulatedShoe(seed=3)
    shoe.deal(0.0)
    shoe.deal(0.0)
    saved = (
        SavedCursor("serial:/dev/ttyUSB0", "OTHER", Cursor(shoe.boot, 9)),
        SavedCursor("serial:/dev/ttyUSB1", "EMULATED", Cursor(shoe.boot, 2)),
        SavedCursor("serial:/dev/ttyUSB2", "EMULATED", Cursor("0000", 7)),
    )
    codec = OslpCodec("serial:/dev/ttyUSB2", cursors=saved)
    codec.opened(0.0)
    events = play(shoe, codec, 0, 1)
    assert [event.seq for event in events if event.event is EventKind.CARD] == [2]


def test_cursors_are_those_of_one_night_and_a_spoilt_file_is_none(tmp_path: Path) -> None:
    path = tmp_path / "shoes.json"
    cursors = CursorFile(path)
    cursors.begin("first")
    cursors.handled([SourceEvent(EventKind.CARD, "shoe", 0.0, report="S/1/7A3C/FFFF")])
    cursors.handled([SourceEvent(EventKind.UP, "shoe", 0.0)])
    assert cursors.saved() == (SavedCursor("shoe", "S/1", Cursor("7A3C", 0)),)
    cursors.begin("second")
    assert cursors.saved() == ()
    for spoilt in ("", "[]", "{", '{"format": 1, "night": "first", "cursors": [1]}'):
        path.write_text(spoilt, "utf-8")
        fresh = CursorFile(path)
        fresh.begin("first")
        assert fresh.saved() == ()


def test_a_folder_that_can_not_be_written_does_not_stop_the_table(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    cursors = CursorFile(tmp_path / "file" / "shoes.json")
    cursors.handled([SourceEvent(EventKind.CARD, "shoe", 0.0, report="S/7A3C/0001")])
    assert len(cursors.saved()) == 1


def test_a_booked_report_is_known_also_when_the_shoe_had_not_said_its_name() -> None:
    booked = BookedReports(["SHOE/7A3C/0005", ""])
    assert "SHOE/7A3C/0005" in booked
    assert "/7A3C/0005" in booked
    assert "OTHER/7A3C/0005" not in booked
    assert "SHOE/7A3C/0006" not in booked
    assert "" not in booked
    assert split_report("") is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no ptys")
def test_the_emulation_plays_on_a_pty_through_unplugging(tmp_path: Path) -> None:
    shoe = EmulatedShoe(seed=7)
    emulation = Emulation(shoe, tmp_path / "shoe", Timetable(delay_s=0.05, unplug_every_s=0.7))
    thread = threading.Thread(target=emulation.run)
    with open_source(f"serial:{tmp_path / 'shoe'},format=oslp") as source:
        thread.start()
        events: list[SourceEvent] = []
        while sum(event.event is EventKind.CARD for event in events) < 25:
            event = source.read(10.0)
            assert event is not None
            events.append(event)
        emulation.stop()
        thread.join()
    cards = [str(event.card) for event in events if event.event is EventKind.CARD]
    assert cards == shoe.dealt[:25]
    assert sum(event.event is EventKind.DOWN for event in events) >= 1
    assert not [event for event in events if event.event in (EventKind.GAP, EventKind.REBOOT)]
