"""Two damaged copies of a report may hold all of it; SHOE_PROTOCOL.md 4.5 has one-way shoes send three."""

from __future__ import annotations

import random

import pytest

from drivers.base import EventKind
from drivers.codecs.oslp import OslpCodec, encode

ACE, TEN = (encode(f"CARD,7A3C,000{seq},{card},10450") for seq, card in ((2, "AS"), (3, "TD")))
SEQ, CARD, MS = 14, 17, 22
"""Places in a line."""


def wrong_at(line: bytes, *places: int) -> bytes:
    """The line with a bit turned over in each of these bytes."""
    damaged = bytearray(line)
    for at in places:
        damaged[at] ^= 4
    return bytes(damaged)


def heard(
    *copies: bytes, caps: str = "RC", every_s: float = 0.03
) -> tuple[list[tuple[int | None, str]], int]:
    """The cards after number 1, and how many were put together."""
    codec = OslpCodec("shoe", replies=False)
    codec.feed(encode(f"HELO,1,7A3C,S,1,{caps}") + encode("CARD,7A3C,0001,2C,1"), 0.0)
    events = []
    for at, copy in enumerate(copies, 1):
        events += codec.feed(copy, at * every_s)
    events += codec.tick(len(copies) * every_s + 0.21)
    return [
        (event.seq, str(event.card)) for event in events if event.event is EventKind.CARD
    ], codec.counters.mended


@pytest.mark.parametrize(
    "copies",
    [
        (wrong_at(ACE, CARD), wrong_at(ACE, MS)),
        (wrong_at(ACE, MS), wrong_at(ACE, CARD)),
        (ACE[:CARD], wrong_at(ACE, SEQ)),
        (wrong_at(ACE, SEQ), ACE[:-4]),
        (wrong_at(ACE, SEQ, CARD), wrong_at(ACE, MS, 27)),
        (ACE[:3], wrong_at(ACE, SEQ), ACE[: CARD + 1]),
    ],
)
def test_what_is_whole_in_two_copies_together_is_read_once(copies: tuple[bytes, ...]) -> None:
    assert heard(*copies) == ([(2, "AS")], 1)


def test_a_whole_copy_after_it_is_a_repeat() -> None:
    assert heard(wrong_at(ACE, CARD), wrong_at(ACE, MS), ACE) == ([(2, "AS")], 1)


@pytest.mark.parametrize(
    "copies",
    [
        (wrong_at(ACE, CARD), wrong_at(ACE, CARD)),
        (ACE[:CARD], ACE[: MS + 1]),
        (ACE[:SEQ], wrong_at(ACE, CARD)),
        (wrong_at(ACE, CARD), wrong_at(TEN, MS)),
    ],
    ids=["damaged in one place", "cut twice", "cut before the damage", "two reports"],
)
def test_what_no_two_copies_hold_stays_missing(copies: tuple[bytes, ...]) -> None:
    assert heard(*copies) == ([], 0)


def test_lines_that_are_too_far_apart_are_no_copies() -> None:
    assert heard(wrong_at(ACE, CARD), wrong_at(ACE, MS), every_s=0.31) == ([], 0)


def test_a_shoe_that_can_be_asked_is_asked() -> None:
    assert heard(wrong_at(ACE, CARD), wrong_at(ACE, MS), caps="AC") == ([], 0)


def test_only_a_report_that_is_due_is_put_together() -> None:
    old, far = (encode(f"CARD,7A3C,{seq},AS,10450") for seq in ("0001", "0400"))
    other = encode("CARD,7A3D,0002,AS,10450")
    for line in (old, far, other):
        assert heard(wrong_at(line, CARD), wrong_at(line, MS)) == ([], 0)


def test_no_damage_of_three_copies_makes_another_card() -> None:
    rng, mended = random.Random(5), 0
    for _ in range(3_000):
        copies = [
            wrong_at(ACE, *(rng.randrange(len(ACE)) for _ in range(rng.randint(1, 5)))) for _ in range(3)
        ]
        copies[0] = copies[0][: rng.randrange(len(ACE))]
        cards, together = heard(*copies)
        assert cards in ([], [(2, "AS")])
        mended += together
    assert mended > 300
