"""`plain` lines: the cases of shoe_streams.json and the rules of SHOE_PROTOCOL.md 5."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from drivers.base import EventKind, SourceEvent
from drivers.codecs.plain import LONGEST_LINE, PlainCodec


def cards(events: list[SourceEvent]) -> list[str]:
    return [str(event.card) for event in events if event.event is EventKind.CARD]


def notices(events: list[SourceEvent]) -> list[str]:
    return [str(event.card) for event in events if event.event is EventKind.REPEATED]


@pytest.mark.parametrize("row", range(10))
def test_the_streams_that_broke_other_programs(shared: Path, row: int) -> None:
    """cases/shoe_streams.json, every row; H10 counts its last line after two seconds."""
    case = json.loads((shared / "cases" / "shoe_streams.json").read_text("utf-8"))[row]
    codec, time_s, events = PlainCodec("shoe"), 0.0, []
    for wait_ms, data in case["chunks"]:
        time_s += wait_ms / 1000
        events += codec.feed(bytes.fromhex(data), time_s)
    assert [card.lower() for card in cards(events)] == [card.lower() for card in case["expected_cards"]]
    assert codec.counters.bad_lines == case["expected_bad_lines"]
    if case["id"] == "H6":
        assert notices(events) == ["9S"]
    if case["id"] == "H10":
        codec.tick(time_s + 1.99)
        assert codec.counters.bad_lines == 0
        codec.tick(time_s + 2.0)
        assert codec.counters.bad_lines == 1
        assert cards(codec.feed(b"4H\n", time_s + 2.1)) == ["4H"]


@pytest.mark.parametrize(
    ("line", "card"),
    [
        (b"AH\r\n", "AH"),
        (b"10d\n", "TD"),
        ("7♥\n".encode(), "7H"),
        ("Q♠\ufe0f\r\n".encode(), "QS"),
        (b" tc \n", "TC"),
        (b"KS\r", "KS"),
    ],
)
def test_a_card_is_rank_and_suit_in_letters_or_signs(line: bytes, card: str) -> None:
    assert cards(PlainCodec("shoe").feed(line, 0.0)) == [card]


@pytest.mark.parametrize(
    "line",
    [
        b"A",
        b"1H",
        b"0H",
        b"HA",
        b"AHH",
        b"AH KD",
        b"Card: AH",
        b"\xff\xfe\x00AH",
        "ТH".encode(),
        b"XR",
        b"14S",
    ],
)
def test_anything_else_is_a_bad_line_and_no_card(line: bytes) -> None:
    codec = PlainCodec("shoe")
    assert codec.feed(line + b"\n", 0.0) == []
    assert codec.counters.bad_lines == 1


def test_a_reader_that_keeps_firing_reports_one_card() -> None:
    codec = PlainCodec("shoe")
    events = [event for tenths in range(0, 20, 4) for event in codec.feed(b"9S\n", tenths / 10)]
    assert cards(events) == ["9S"]
    assert codec.counters.repeats == 4


def test_the_same_card_again_after_half_a_second_is_a_second_card() -> None:
    codec = PlainCodec("shoe")
    events = codec.feed(b"9S\n", 0.0) + codec.feed(b"9S\n", 0.51)
    assert cards(events) == ["9S", "9S"]


def test_half_a_line_dies_with_the_link() -> None:
    codec = PlainCodec("shoe")
    codec.feed(b"1", 0.0)
    assert codec.lost(0.1) == []
    codec.opened(0.2)
    assert cards(codec.feed(b"0H\n9C\n", 0.3)) == ["9C"]
    assert codec.counters.bad_lines == 2


def test_a_line_without_end_is_dropped_up_to_the_next_end() -> None:
    codec = PlainCodec("shoe")
    events = codec.feed(b"x" * 300, 0.0) + codec.feed(b"AH\n9C\n", 0.1)
    assert cards(events) == ["9C"]
    assert codec.counters.bad_lines == 1


def test_a_flood_at_the_wrong_speed_is_bounded_and_named_within_two_seconds() -> None:
    """cases.csv B069: 20 000 random bytes without LF at 960 bytes a second."""
    noise = random.Random(1)
    data = bytes(noise.choice([b for b in range(256) if b != 10]) for _ in range(20_000))
    codec, events, said_s = PlainCodec("shoe"), [], None
    for start in range(0, len(data), 96):
        time_s = start / 960
        found = codec.feed(data[start : start + 96], time_s)
        if found and said_s is None:
            said_s = time_s
        events += found
        assert len(codec._lines) <= LONGEST_LINE
    assert [(event.event, event.code) for event in events] == [(EventKind.FAULT, "wrong-speed")]
    assert said_s is not None
    assert said_s <= 2.0
    assert "check shoe speed" in events[0].note


def test_a_shoe_that_speaks_the_other_format_is_named_once() -> None:
    codec = PlainCodec("shoe")
    events = codec.feed(b"$BEAT,7A3C,0000,0,1003*89D1\r\n" * 3, 0.0)
    assert [(event.event, event.code) for event in events] == [(EventKind.FAULT, "other-format")]
    assert "format=oslp" in events[0].note


def test_debug_prints_of_a_sketch_are_not_taken_for_a_wrong_speed() -> None:
    codec = PlainCodec("shoe")
    events = [event for second in range(60) for event in codec.feed(b"Shoe v1.2 ready, waiting\r\n", second)]
    assert events == []


NOISE = b"\xff\xfe\x80\x81" * 5 + b"\n"


def test_a_card_in_noise_is_believed_when_silence_follows_and_not_when_more_noise_does() -> None:
    codec = PlainCodec("shoe")
    assert codec.feed(NOISE + b"AH\n", 0.0) == []
    assert codec.tick(0.29) == []
    assert cards(codec.tick(0.31)) == ["AH"]
    noisy = PlainCodec("shoe")
    assert noisy.feed(NOISE + b"AH\n" + NOISE, 0.0) + noisy.tick(1.0) == []
    assert noisy.counters.bad_lines == 3


def test_two_cards_in_a_row_end_the_noise_and_neither_is_lost() -> None:
    codec = PlainCodec("shoe")
    assert cards(codec.feed(NOISE + b"AH\nKD\n7C\n", 0.0)) == ["AH", "KD", "7C"]


def test_a_card_before_half_a_line_of_noise_is_not_believed() -> None:
    codec = PlainCodec("shoe")
    assert codec.feed(NOISE + b"AH\n\xff\xfe", 0.0) + codec.tick(0.4) == []
    long = PlainCodec("shoe")
    assert cards(long.feed(NOISE + b"AH\n" + b"\x80" * 100 + b"\nKD\n", 0.0) + long.tick(1.0)) == ["KD"]


def test_noise_at_plugging_in_delays_no_later_card() -> None:
    codec = PlainCodec("shoe")
    codec.feed(NOISE * 9, 0.0)
    assert cards(codec.feed(b"AH\n", 0.31)) == ["AH"]


def test_a_card_in_noise_dies_with_the_link() -> None:
    codec = PlainCodec("shoe")
    codec.feed(NOISE + b"AH\n", 0.0)
    assert codec.lost(0.1) == []
    codec.opened(0.2)
    assert codec.tick(1.0) == []


@pytest.mark.parametrize("seed", range(20))
def test_how_the_bytes_are_cut_changes_nothing(seed: int) -> None:
    stream = b"2S\n\x16\xfeJC\n" + "7♥\r\n10D\nxx\n\n".encode() + b"KC\nKC\r\n9H\n"
    stream += NOISE + b"AH\n" + b"\x80" * 100 + b"\n5S\n6S\n" + NOISE + b"QD\n" + NOISE
    whole = PlainCodec("shoe")
    expected = whole.feed(stream, 1.0)
    cut, rng, events, rest = PlainCodec("shoe"), random.Random(seed), [], stream
    while rest:
        size = 1 if seed == 0 else rng.randint(1, 9)
        events += cut.feed(rest[:size], 1.0)
        rest = rest[size:]
    assert events == expected
    assert cut.counters == whole.counters
    assert cards(expected) == ["2S", "7H", "TD", "KC", "9H", "5S", "6S"]
