"""OSLP/1 lines: the byte pairs of SHOE_PROTOCOL.md 4.3, the shared sample, damage and cutting."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from drivers.base import EventKind, SourceEvent, as_record
from drivers.codecs.oslp import OslpCodec, crc, encode, parse

SAMPLE = b"".join(
    line.encode() + b"\r\n"
    for line in (
        "$HELO,1,7A3C,SHOE-01,1.0.2,ACUELS*8963",
        "$BEAT,7A3C,0000,0,1003*89D1",
        "$CARD,7A3C,0001,AS,10450*1294",
        "$CARD,7A3C,0002,TD,11892*9E94",
        "$TAG,7A3C,0003,0406B9020A5481,0,13377*EAAB",
        "$MISS,7A3C,0004,READ,15020*240A",
        "$BACK,7A3C,0005,15611*03C2",
        "$LID,7A3C,0006,1,20114*CBFC",
        "$CUT,7A3C,0007,61240*DB79",
        "$EMPT,7A3C,0008,75333*C097",
        "$FLT,7A3C,0009,7,75400*5243",
        "$BEAT,7A3C,0009,0,76003*AA02",
    )
)
EXPECTED = [
    ("up", None, None),
    ("joined", None, 1),
    ("card", "AS", 1),
    ("card", "TD", 2),
    ("tag-unknown", None, 3),
    ("unreadable", None, 4),
    ("back", None, 5),
    ("lid", None, 6),
    ("cut", None, 7),
    ("empty", None, 8),
    ("fault", None, 9),
]


def said(events: list[SourceEvent]) -> list[tuple[object, object, object]]:
    return [(record["event"], record["card"], record["seq"]) for record in map(as_record, events)]


def bytes_of(path: Path) -> bytes:
    """The bytes of a .hex file; lines that start with # are remarks."""
    lines = path.read_text("ascii").splitlines()
    return bytes.fromhex(" ".join(line for line in lines if not line.startswith("#")))


def test_the_checksum_is_ccitt_false() -> None:
    assert crc(b"123456789") == 0x29B1


def test_the_line_of_an_ace_of_spades_byte_by_byte() -> None:
    expected = "24 43 41 52 44 2C 37 41 33 43 2C 30 30 30 31 2C 41 53 2C 31 30 34 35 30 2A 31 32 39 34 0D 0A"
    assert encode("CARD,7A3C,0001,AS,10450") == bytes.fromhex(expected)


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("PING", b"$PING*6427\r\n"),
        ("ACK,7A3C,0002", b"$ACK,7A3C,0002*07B0\r\n"),
        ("NAK,7A3C,0003", b"$NAK,7A3C,0003*D029\r\n"),
    ],
)
def test_what_the_host_says(body: str, line: bytes) -> None:
    assert encode(body) == line


def test_every_line_of_the_protocol_becomes_its_event() -> None:
    codec = OslpCodec("shoe")
    assert said(codec.feed(SAMPLE, 0.0)) == EXPECTED
    assert codec.counters.frames == 12
    assert codec.counters.bad_lines == 0
    assert codec.capabilities.detects_misses
    assert codec.capabilities.can_resend


def test_the_shared_sample_gives_the_same_and_its_damaged_line_nothing(shared: Path) -> None:
    """oslp1.hex ends in host lines, a damaged card and half a line before a good (repeated) one."""
    codec = OslpCodec("shoe")
    assert said(codec.feed(bytes_of(shared / "shoe" / "samples" / "oslp1.hex"), 0.0)) == EXPECTED
    assert codec.counters.frames == 13
    assert codec.counters.bad_lines == 5  # three host lines, the damaged card, the half line
    assert codec.counters.repeats == 1


@pytest.mark.parametrize("seed", range(30))
def test_how_the_bytes_are_cut_and_junk_before_them_change_nothing(seed: int) -> None:
    rng = random.Random(seed)
    codec, events = OslpCodec("shoe"), []
    rest = bytes(rng.choice(b"\x00\xffx$*,\r") for _ in range(rng.randint(0, 70))) + b"\n" + SAMPLE
    while rest:
        size = 1 if seed == 0 else rng.randint(1, 40)
        events += codec.feed(rest[:size], 0.0)
        rest = rest[size:]
    assert said(events) == EXPECTED


def test_half_a_line_costs_only_itself() -> None:
    codec = OslpCodec("shoe")
    events = codec.feed(b"$CARD,7A3C,00" + encode("CARD,7A3C,0002,TD,11892"), 0.0)
    assert said(events) == [("up", None, None), ("joined", None, 2), ("card", "TD", 2)]
    assert codec.counters.bad_lines == 1


def test_half_a_line_is_dropped_after_200_ms() -> None:
    codec = OslpCodec("shoe")
    line = encode("CARD,7A3C,0001,AS,10450")
    codec.feed(line[:10], 0.0)
    codec.tick(0.21)
    assert codec.counters.bad_lines == 1
    assert said(codec.feed(line[10:] + encode("CARD,7A3C,0002,TD,1"), 0.22))[-1] == ("card", "TD", 2)
    assert codec.counters.bad_lines == 1


def test_more_than_80_bytes_are_dropped_up_to_the_next_line_end_or_dollar() -> None:
    codec = OslpCodec("shoe")
    line = encode("CARD,7A3C,0001,AS,10450")
    assert codec.feed(b"$" + b"x" * 100 + line[1:], 0.0) == []
    assert codec.counters.bad_lines == 1
    codec.feed(b"$" + b"x" * 100, 0.1)
    assert said(codec.feed(line, 0.1))[-1] == ("card", "AS", 1)
    assert codec.counters.bad_lines == 2
    assert codec.counters.comments == 0


def test_a_lost_line_end_costs_neither_the_line_before_it_nor_the_one_after() -> None:
    """Glued together the three are over 80 bytes; each says with its own check that it is whole."""
    codec = OslpCodec("shoe")
    ace, ten, two = (
        encode(f"CARD,7A3C,000{at},{card},10450") for at, card in enumerate(("AS", "TD", "2C"), 1)
    )
    events = codec.feed(ace[:-1] + ten[:-2] + b"\x8d\x8a" + two, 0.0)
    assert said(events)[2:] == [("card", "AS", 1), ("card", "TD", 2), ("card", "2C", 3)]
    assert codec.counters.bad_lines == 0


def test_a_line_whose_end_never_comes_counts_after_200_ms_if_its_check_is_there() -> None:
    codec = OslpCodec("shoe")
    line = encode("CARD,7A3C,0001,AS,10450")
    assert codec.feed(line[:-2], 0.0) == []
    assert codec.tick(0.19) == []
    assert said(codec.tick(0.21))[-1] == ("card", "AS", 1)
    codec.feed(encode("CARD,7A3C,0002,TD,10450")[:-3], 1.0)
    assert codec.tick(1.21) == []
    assert codec.counters.bad_lines == 1
    codec.feed(encode("CARD,7A3C,0002,TD,10450")[:-2], 2.0)
    assert said(codec.feed(b"new text\r\n", 2.3))[-1] == ("card", "TD", 2)


@pytest.mark.parametrize(
    "body",
    [
        "CARD,7A3C,0001,10S,10450",
        "CARD,7A3C,0001,as,10450",
        "CARD,7a3c,0001,AS,10450",
        "CARD,7A3C,1,AS,10450",
        "CARD,7A3C,0001,AS,010450",
        "CARD,7A3C,0001,AS",
        "CARD,7A3C,0001,AS,1,2",
        "CARD,7A3C,0001,ZZ,1",
        "MISS,7A3C,0001,BORED,1",
        "LID,7A3C,0001,2,1",
        "TAG,7A3C,0001,04G6,0,1",
        "WHAT,7A3C,0001,1",
        "CARD",
        "",
    ],
)
def test_a_right_checksum_does_not_excuse_a_wrong_line(body: str) -> None:
    assert parse(encode(body)[:-2]) is None


def test_a_checksum_in_lower_case_is_refused() -> None:
    assert parse(b"$EMPT,7A3C,0008,75333*c097") is None


def test_a_joker_is_asked_about_and_a_second_version_is_named() -> None:
    codec = OslpCodec("shoe")
    events = codec.feed(encode("HELO,2,7A3C,X,1,C") + encode("CARD,7A3C,0001,XR,1"), 0.0)
    assert [(event.event.value, event.code) for event in events] == [
        ("up", "answers"),
        ("fault", "version"),
        ("joined", "joined"),
        ("unreadable", "joker"),
    ]


def test_no_single_bit_error_makes_another_card() -> None:
    """SHOE_PROTOCOL.md 4.1, exhaustive over all 54 card lines, line end included."""
    cards = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"] + ["XR", "XB"]
    tried = 0
    for card in cards:
        line = encode(f"CARD,7A3C,0001,{card},10450")
        truth = parse(line[:-2])
        for bit in range(len(line) * 8):
            damaged = bytearray(line)
            damaged[bit // 8] ^= 1 << bit % 8
            tried += 1
            for piece in re.split(rb"\n", bytes(damaged)):
                assert parse(piece) in (None, truth)
    assert tried == 54 * 31 * 8


def test_no_random_damage_makes_another_card() -> None:
    rng = random.Random(20261128)
    line = encode("CARD,7A3C,0001,8H,10450")
    truth = parse(line[:-2])
    for _ in range(20_000):
        damaged = bytearray(line)
        for _ in range(rng.randint(2, 6)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        if rng.random() < 0.3:
            del damaged[rng.randrange(len(damaged))]
        for piece in bytes(damaged).split(b"\n"):
            assert parse(piece) in (None, truth)


def test_random_bytes_are_never_a_report_and_never_pile_up() -> None:
    codec, rng = OslpCodec("shoe"), random.Random(3)
    for step in range(500):
        events = codec.feed(rng.randbytes(1000), step * 0.01)
        assert all(event.event is EventKind.FAULT for event in events)
        assert len(codec._lines) <= 80
    assert codec.counters.frames == 0


def test_a_silent_shoe_is_stale_after_three_seconds_and_up_again_with_the_next_line() -> None:
    codec = OslpCodec("shoe")
    codec.opened(0.0)
    codec.feed(encode("BEAT,7A3C,0000,0,1"), 1.0)
    assert codec.tick(3.9) == []
    assert said(codec.tick(4.0)) == [("stale", None, None)]
    assert codec.tick(9.0) == []
    assert said(codec.feed(encode("BEAT,7A3C,0000,0,9"), 9.5)) == [("up", None, None)]


def test_where_no_shoe_is_it_is_asked_three_times_and_said_after_six_seconds() -> None:
    codec, sent, events = OslpCodec("shoe"), [], []
    codec.opened(10.0)
    for tenth in range(100):
        events += codec.tick(10 + tenth / 10)
        if data := codec.outbox():
            sent.append((tenth / 10, data))
    assert sent == [(2.5, encode("PING")), (3.5, encode("PING")), (4.5, encode("PING"))]
    assert [(event.code, event.time_s) for event in events] == [("no-shoe", 16.0)]


def test_a_receiver_that_may_not_reply_sends_nothing_ever() -> None:
    codec = OslpCodec("shoe", replies=False)
    codec.opened(0.0)
    codec.feed(SAMPLE + encode("CARD,7A3C,0020,AS,1"), 0.1)
    for tenth in range(100):
        codec.tick(tenth / 10)
        assert codec.outbox() == b""


def test_a_missing_card_is_asked_for_and_what_arrives_is_acknowledged() -> None:
    codec = OslpCodec("shoe")
    codec.opened(0.0)
    codec.feed(encode("HELO,1,7A3C,SHOE-01,1.0.2,AC") + encode("CARD,7A3C,0001,AS,1"), 0.1)
    assert codec.outbox() == encode("ACK,7A3C,0001")
    assert codec.feed(encode("CARD,7A3C,0003,2D,1"), 0.2) == []
    assert codec.outbox() == encode("NAK,7A3C,0002")
    events = codec.feed(encode("CARD,7A3C,0002,TD,1"), 0.25)
    assert said(events) == [("card", "TD", 2), ("card", "2D", 3)]
    assert codec.outbox() == encode("ACK,7A3C,0003")


def test_a_card_that_never_comes_is_a_gap_after_a_second() -> None:
    codec = OslpCodec("shoe")
    codec.feed(encode("HELO,1,7A3C,S,1,AC") + encode("CARD,7A3C,0001,AS,1"), 0.0)
    codec.feed(encode("CARD,7A3C,0004,2D,1"), 0.2)
    assert codec.tick(1.19) == []
    events = codec.tick(1.2)
    assert said(events) == [("gap", None, 2), ("card", "2D", 4)]
    assert events[0].count == 2
