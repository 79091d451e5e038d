"""Readers, scanners and casino shoes: the shared samples however they are cut, and bytes from the rules."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from drivers.base import EventKind, Integrity, SourceEvent
from drivers.codecs.angeleye import AngelEyeCodec, bcc
from drivers.codecs.barcode import BarcodeCodec
from drivers.codecs.base import Codec
from drivers.codecs.beetek import BeeTekCodec
from drivers.codecs.formats import FORMATS
from drivers.codecs.stxetx import StxEtxCodec, checksum
from drivers.codecs.tags import SAME_VISIT
from drivers.codecs.uidline import UidLineCodec, read_uid

ACE_OF_SPADES = "0406B9020A5481"
TWO_OF_SPADES = "040999020A5480"


def said(events: list[SourceEvent]) -> list[str]:
    """Each event in short: its word, and card, tag or code."""
    return [
        " ".join(
            part
            for part in (event.event.value, str(event.card) if event.card else event.tag or event.code)
            if part
        )
        for event in events
        if event.code != SAME_VISIT
    ]


def hear(codec: Codec, data: bytes, cut: Callable[[], int], *, end_s: float = 1.0) -> list[SourceEvent]:
    """Feed bytes in pieces at one time, then let time pass."""
    codec.opened(0.0)
    events: list[SourceEvent] = []
    while data:
        size = cut()
        events += codec.feed(data[:size], 0.0)
        data = data[size:]
    return events + codec.tick(end_s)


SAMPLES: dict[str, tuple[type[Codec], list[str]]] = {
    "rdm6300": (StxEtxCodec, ["tag-unknown 62E3086CED", "tag-unknown 0A005B0FF8"]),
    "id12la": (StxEtxCodec, ["tag-unknown 0C000621A5"]),
    "mfrc522_dumpinfo": (UidLineCodec, [f"tag-unknown {ACE_OF_SPADES}"]),
    "mfrc522_multireader": (
        UidLineCodec,
        [f"tag-unknown {ACE_OF_SPADES}", f"tag-unknown {TWO_OF_SPADES}"],
    ),
    "mfrc522_readnuid": (UidLineCodec, ["tag-unknown 92256FEB"]),
    "pn532_adafruit": (UidLineCodec, [f"tag-unknown {ACE_OF_SPADES}"]),
    "uid_pipe": (UidLineCodec, [f"tag-unknown {ACE_OF_SPADES}"]),
    "uid_spaced_wohlig": (UidLineCodec, [f"tag-unknown {ACE_OF_SPADES}", f"tag-unknown {TWO_OF_SPADES}"]),
    "jsonl_rfid_poker": (
        UidLineCodec,
        ["joined joined", "tag-unknown 04AABBCCDD1122", "tag-unknown 040E3BD2286B85", "fault device"],
    ),
    "barcode_pretty_dealer": (BarcodeCodec, ["tag-unknown 1010", "tag-unknown 2100", "tag-unknown 4130"]),
    "beetek": (
        BeeTekCodec,
        ["card 4S", "card TH", "unreadable read", "fault device", "card KD", "card TC", "card 3H"],
    ),
    "angel_eye_iiex": (
        AngelEyeCodec,
        ["card 8S", "card 5C", "card KH", "card AD", "cut cut", "unreadable read"],
    ),
}
"""What each shared sample says, in order."""
JUNK = {
    StxEtxCodec: b"\xff\x00\x0262E3\x03junk",
    UidLineCodec: b"\xff\xfe Card UID: 04 0\r\n",
    BarcodeCodec: b"\x00\xff\x7f99\r",
    BeeTekCodec: b"\xff]>rd:4S> <Game",
    AngelEyeCodec: b"\xff\x03\x0511\x05",
}


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("way", ["whole", "bytes", "pieces", "after junk"])
def test_the_shared_sample_says_the_same_however_it_is_cut(shared: Path, name: str, way: str) -> None:
    """T1."""
    make, expected = SAMPLES[name]
    lines = (shared / "shoe" / "samples" / f"{name}.hex").read_text("ascii").splitlines()
    data = bytes.fromhex(" ".join(line for line in lines if not line.startswith("#")))
    rng = random.Random(name)
    cut = {"whole": lambda: len(data) + 99, "bytes": lambda: 1}.get(way, lambda: rng.randint(1, 30))
    junk = JUNK[make] if way == "after junk" else b""
    assert said(hear(make("reader"), junk + data, cut)) == expected


# --- stxetx -------------------------------------------------------------------------------------------------


def test_a_tag_of_the_seeed_wiki_and_one_of_the_data_sheet() -> None:
    assert checksum("62E3086CED") == 0x08
    assert checksum("0C000621A5") == 0x8E
    events = StxEtxCodec("reader").feed(b"\x0262E3086CED08\x03\x020C000621A58E\r\n\x03", 0.0)
    assert said(events) == ["tag-unknown 62E3086CED", "tag-unknown 0C000621A5"]
    assert {event.integrity for event in events} == {Integrity.XOR8}


@pytest.mark.parametrize(
    "frame",
    [
        b"\x0262E3086CED09\x03",
        b"\x0262e3086ced08\x03",
        b"\x0262E3086CED0\x03",
        b"\x0262E3086CED088\x03",
        b"\x0262E3086CED08\r\x03",
        b"\x02\x03",
        b"62E3086CED08\x03",
    ],
)
def test_a_frame_with_a_wrong_sum_digit_or_length_is_nothing(frame: bytes) -> None:
    codec = StxEtxCodec("reader")
    assert said(codec.feed(frame + b"\x0262E3086CED08\x03", 0.0)) == ["tag-unknown 62E3086CED"]
    assert codec.counters.frames == 1


def test_a_tag_read_every_65_ms_is_one_visit_and_comes_again_after_300_ms_away() -> None:
    codec, events = StxEtxCodec("reader"), []
    for step in range(20):
        events += codec.feed(b"\x0262E3086CED08\x03", step * 0.065)
    assert said(events) == ["tag-unknown 62E3086CED"]
    assert codec.counters.repeats == 19
    assert said(codec.feed(b"\x0262E3086CED08\x03", 19 * 0.065 + 0.31)) == ["tag-unknown 62E3086CED"]


def test_half_a_frame_is_not_glued_to_what_comes_later() -> None:
    codec = StxEtxCodec("reader")
    codec.feed(b"\x0262E308", 0.0)
    assert codec.feed(b"6CED08\x03", 0.3) == []
    assert codec.counters.bad_lines == 1


# --- uidline ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "uid"),
    [
        ("Card UID: 04 06 B9 02 0A 54 81\r\n", ACE_OF_SPADES),
        ("Reader 1: Card UID: 04 06 B9 02 0A 54 81\r\n", ACE_OF_SPADES),
        ("In hex:  92 25 6F EB\r\n", "92256FEB"),
        ("  UID Value:  0x04 0x06 0xB9 0x02 0x0A 0x54 0x81\r\n", ACE_OF_SPADES),
        ("0| 04 06B9 02 0A5481\r\n", ACE_OF_SPADES),
        ("9|0406B9020A5481\n", ACE_OF_SPADES),
        ("0406b9020a5481\n", ACE_OF_SPADES),
        ("04 06 B9 02 0A 54 81\n", ACE_OF_SPADES),
        ("00 11 22 33 44 55 66 77 88 99\n", "00112233445566778899"),
        ('{"type":"card","card_uid":"04 06 b9 02 0a 54 81"}\n', ACE_OF_SPADES),
    ],
)
def test_the_forms_of_a_uid(line: str, uid: str) -> None:
    assert said(UidLineCodec("reader").feed(line.encode(), 0.0)) == [f"tag-unknown {uid}"]


@pytest.mark.parametrize(
    "line",
    [
        "Card UID: 04 06 B9 02 0A 54",
        "Card UID: 04 06 B9 02 0A 54 8",
        "Card UID: 04 06 B9 02 0A 54 8G",
        "In dec:  146 37 111 235",
        "Card SAK: 00",
        "PICC type: MIFARE 1KB",
        "Firmware Version: 0x92 = v2.0",
        "UID Length: 7 bytes",
        "12345|04060708",
        "0406B9020A",
        '{"type":"card","card_uid":"04AABBCCDD11"}',
        '{"type":"card"',
        "[1, 2]",
        "{" * 400,
    ],
)
def test_anything_else_is_no_card(line: str) -> None:
    codec = UidLineCodec("reader")
    assert codec.feed(line.encode() + b"\n", 0.0) == []
    assert codec.counters.comments + codec.counters.bad_lines == 1


def test_a_uid_has_four_seven_or_ten_bytes() -> None:
    assert [length for length in range(1, 13) if read_uid("AB" * length)] == [4, 7, 10]


def test_the_reader_that_saw_a_tag_is_named() -> None:
    events = UidLineCodec("reader").feed(b"Reader 3: Card UID: 92 25 6F EB\r\n", 0.0)
    assert events[0].note == "at reader 3"


def json_line(seq: int, uid: str) -> bytes:
    return f'{{"type":"card","seq":{seq},"card_uid":"{uid}"}}\n'.encode()


def test_numbered_json_lines_show_what_is_missing_and_what_came_twice() -> None:
    codec = UidLineCodec("reader")
    events = codec.feed(
        json_line(1, "92256FEB") + json_line(2, "92256FEC") * 2 + json_line(5, "92256FED"), 0.0
    )
    assert said(events) == [
        "joined joined",
        "tag-unknown 92256FEB",
        "tag-unknown 92256FEC",
        "gap lost",
        "tag-unknown 92256FED",
    ]
    assert (events[3].seq, events[3].count) == (3, 2)
    assert codec.capabilities.detects_misses
    assert said(codec.feed(b'{"type":"boot","seq":1}\n' + json_line(2, "92256FEB"), 9.0)) == [
        "reboot reboot",
        "tag-unknown 92256FEB",
    ]


def test_what_a_reader_reports_is_shown_only_when_it_is_a_word() -> None:
    line = b'{"type":"error","code":"[red]\\u001b[31mboo"}\n{"type":"error","code":"rfid_init_failed"}\n'
    notes = [event.note for event in UidLineCodec("reader").feed(line, 0.0)]
    assert notes == ["the reader reports: unknown", "the reader reports: rfid_init_failed"]


# --- barcode ------------------------------------------------------------------------------------------------


def test_a_scanner_that_fires_twice_scans_once() -> None:
    codec = BarcodeCodec("scanner")
    assert said(codec.feed(b"1010\r", 0.0) + codec.feed(b"1010\r\n", 0.69)) == ["tag-unknown 1010"]
    assert said(codec.feed(b"1010\r", 1.4)) == ["tag-unknown 1010"]


@pytest.mark.parametrize("line", [b"1" * 65, b"10\x0010", "10¹0".encode(), b"   "])
def test_a_code_is_1_to_64_printable_characters(line: bytes) -> None:
    assert said(BarcodeCodec("scanner").feed(line + b"\r1010\r", 0.0)) == ["tag-unknown 1010"]


# --- beetek -------------------------------------------------------------------------------------------------


def test_rank_and_suit_come_in_either_order_and_ten_in_both_spellings() -> None:
    data = b"[Game]<Card:4S>[Game]<Card:H10>\r\n[Game]<Card:TC>"
    codec = BeeTekCodec("shoe")
    assert said(codec.feed(data, 0.0)) == ["card 4S", "card TH"]
    assert codec.tick(0.04) == []
    assert said(codec.tick(0.06)) == ["card TC"], "nothing followed it"


@pytest.mark.parametrize(
    "data",
    [
        b"[Game]<Card:4X>",
        b"[Game]<Card:>",
        b"<Card:4S>",
        b"[Game]<Card:4[Game]",
        b"[Gamd]<Card:4S> ",
        b"x[Game]<Card:4S> ",
        b"[Game]x<Card:4S> ",
        b" [Game]<Card:4S>x",
    ],
)
def test_a_damaged_report_of_a_card_is_an_unread_card_not_nothing(data: bytes) -> None:
    assert said(BeeTekCodec("shoe").feed(data, 0.0)) == ["unreadable damaged"]


def test_a_card_not_read_asks_once_though_the_alarm_follows() -> None:
    codec = BeeTekCodec("shoe")
    data = b" [Game]<Game>  [GameAlarm]<Alarm:E3 Card Not Read> "
    assert said(codec.feed(data, 0.0)) == ["unreadable read", "fault device"]
    codec.feed(b"[Game]<Card:4S>\r\n", 1.0)
    assert said(codec.feed(b"[GameAlarm]<Alarm:E3 Card Not Read>", 2.0)) == ["unreadable read"]


# --- angeleye -----------------------------------------------------------------------------------------------


def report(seq: str, data: bytes) -> bytes:
    body = seq.encode() + data + b"\x03"
    return b"\x05" + body + bcc(body)


def test_eight_of_spades_byte_by_byte() -> None:
    assert report("1", b"D\x81\xb8") == bytes.fromhex("05 31 44 81 B8 03 34 46")


def test_a_report_counts_at_its_second_copy_or_150_ms_after_its_only_one() -> None:
    codec = AngelEyeCodec("shoe")
    eight = report("1", b"D\x81\xb8")
    assert codec.feed(eight, 0.0) == []
    assert said(codec.feed(eight, 0.03)) == ["card 8S"]
    assert codec.feed(eight, 0.06) == []
    assert codec.feed(report("2", b"D\x91\xa5"), 1.0) == []
    assert codec.tick(1.14) == []
    single = codec.tick(1.16)
    assert said(single) == ["card 5C"]
    assert single[0].code == "single"
    assert codec.feed(report("2", b"D\x91\xa5"), 1.2) == []


def test_one_number_with_two_contents_is_a_conflict_and_no_card() -> None:
    codec = AngelEyeCodec("shoe")
    events = codec.feed(report("1", b"D\x81\xb8") + report("1", b"D\x81\xb9"), 0.0)
    assert said(events + codec.tick(1.0)) == ["conflict contradiction"]


def test_a_card_outside_a_game_is_none_and_one_carried_over_is_asked_about() -> None:
    codec = AngelEyeCodec("shoe")
    events = codec.feed(report("1", b"d\x81\xb8") * 2 + report("2", b"R\x81\xb8") * 2, 0.0)
    assert [event.event for event in events] == [EventKind.UNSURE]
    assert str(events[0].candidates[0].card) == "8S"


@pytest.mark.parametrize(
    "data", [b"D\x81\x80", b"D\x81\x9e", b"D\x81\xd1", b"D\x81", b"D\xb8"], ids=lambda data: data.hex()
)
def test_a_card_code_that_is_none_is_an_unread_card(data: bytes) -> None:
    assert said(AngelEyeCodec("shoe").feed(report("1", data) * 2, 0.0)) == ["unreadable card-code"]


@pytest.mark.parametrize("place", [0xB1, 0x80, 0x84, 0x94], ids=hex)
def test_a_card_to_a_place_that_there_is_not_is_an_unread_card(place: int) -> None:
    """A hand has up to three cards; such damage passes the check together with one of the card."""
    data = b"D" + bytes((place, 0xB8))
    assert said(AngelEyeCodec("shoe").feed(report("1", data) * 2, 0.0)) == ["unreadable damaged"]


@pytest.mark.parametrize("wrong", [b"D\x01\xb8", b"D\x81\x38", b"Z\x81\xb8", b""])
def test_a_payload_without_its_high_bits_is_no_report(wrong: bytes) -> None:
    codec = AngelEyeCodec("shoe")
    assert codec.feed(report("1", wrong), 0.0) + codec.tick(1.0) == []
    assert codec.counters.bad_lines == 1


# --- all of them --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FORMATS)
def test_random_bytes_name_no_card_and_never_pile_up(name: str) -> None:
    """T3 in small; scripts/bench_noise.py takes 50 MB."""
    codec, rng = FORMATS[name].make("noise"), random.Random(name)
    for step in range(100):
        events = codec.feed(rng.randbytes(1000), step * 0.1) + codec.tick(step * 0.1)
        assert not [event for event in events if event.event is EventKind.CARD]
    kept = [value for key, value in vars(codec).items() if isinstance(value, bytes | bytearray)]
    assert sum(map(len, kept)) <= 4096


@pytest.mark.parametrize("name", FORMATS)
def test_unreadable_bytes_hint_at_a_wrong_speed_once(name: str) -> None:
    codec, rng = FORMATS[name].make("noise"), random.Random(1)
    events = [event for step in range(40) for event in codec.feed(rng.randbytes(100), step * 0.1)]
    assert [event.code for event in events].count("wrong-speed") == 1


@pytest.mark.parametrize("name", FORMATS)
def test_formats_that_are_not_oslp_never_send(name: str) -> None:
    codec = FORMATS[name].make("reader")
    codec.opened(0.0)
    for step in range(100):
        codec.feed(b"\x02\x05[Game]<Card:4S>\r\nAH\r\n", step * 0.1)
        codec.tick(step * 0.1)
        assert codec.outbox() == b""


def test_every_experimental_format_says_so_in_its_own_words(repository: Path) -> None:
    for name, one in FORMATS.items():
        text = (repository / "drivers" / "codecs" / f"{name}.py").read_text("utf-8")
        assert bool(re.search(r"\(experimental", text)) is one.is_experimental
