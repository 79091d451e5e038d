"""Sequence, gap, reboot and joined, and the simulated link of SHOE_PROTOCOL.md 4.7 in virtual time."""

from __future__ import annotations

import heapq
import random
from collections import deque
from dataclasses import dataclass, field

import pytest

from assistant.cards import FULL_DECK
from drivers.base import EventKind
from drivers.codecs.oslp import OslpCodec, encode
from drivers.link import Contradiction, Cursor, Delivered, Gap, Joined, Reboot, SequenceLink


def test_the_first_report_heard_is_a_join() -> None:
    link: SequenceLink[str] = SequenceLink()
    assert link.receive("A1", 7, "x", 0.0) == [Joined(7), Delivered(7, "x")]


def test_a_report_heard_again_is_dropped_and_a_contradiction_named() -> None:
    link: SequenceLink[str] = SequenceLink()
    link.receive("A1", 1, "x", 0.0)
    assert link.receive("A1", 1, "x", 0.1) == []
    assert link.receive("A1", 1, "y", 0.2) == [Contradiction(1)]
    assert link.repeats == 2


def test_a_repeat_is_acknowledged_again_for_the_shoe_has_not_heard_it() -> None:
    link: SequenceLink[str] = SequenceLink()
    link.hello("A1", True, 0.0)
    link.receive("A1", 1, "x", 0.0)
    assert [(ask.seq, ask.is_ack) for ask in link.asks(0.0)] == [(1, True)]
    assert link.asks(0.25) == []
    link.receive("A1", 1, "x", 0.3)
    assert [(ask.seq, ask.is_ack) for ask in link.asks(0.3)] == [(1, True)]


def test_numbers_wrap_from_65535_to_0() -> None:
    link: SequenceLink[str] = SequenceLink()
    link.receive("A1", 0xFFFF, "x", 0.0)
    assert link.receive("A1", 0, "y", 0.1) == [Delivered(0, "y")]


def test_one_way_links_wait_150_ms_for_what_is_missing() -> None:
    link: SequenceLink[str] = SequenceLink()
    link.hello("A1", False, 0.0)
    link.receive("A1", 1, "x", 0.0)
    link.receive("A1", 3, "z", 1.0)
    assert link.tick(1.14) == []
    assert link.tick(1.16) == [Gap(2, 1), Delivered(3, "z")]


def test_a_beat_reveals_a_lost_last_card() -> None:
    link: SequenceLink[str] = SequenceLink()
    link.hello("A1", True, 0.0)
    link.receive("A1", 1, "x", 0.0)
    assert link.beat("A1", 2, 1.0) == []
    assert [(ask.seq, ask.is_ack) for ask in link.asks(1.0)] == [(1, True), (2, False)]
    assert link.receive("A1", 2, "y", 1.1) == [Delivered(2, "y")]
    assert link.tick(9.0) == []


def test_a_reset_shoe_flushes_what_was_held_and_counts_from_one() -> None:
    link: SequenceLink[str] = SequenceLink()
    link.receive("A1", 1, "x", 0.0)
    link.receive("A1", 3, "z", 0.1)
    assert link.receive("B2", 1, "new", 0.2) == [Gap(2, 1), Delivered(3, "z"), Reboot(), Delivered(1, "new")]


def test_at_most_eight_reports_are_held() -> None:
    link: SequenceLink[int] = SequenceLink()
    link.receive("A1", 1, 1, 0.0)
    for seq in range(3, 11):
        assert link.receive("A1", seq, seq, 0.0) == []
    assert link.receive("A1", 11, 11, 0.0)[:2] == [Gap(2, 1), Delivered(3, 3)]


def test_after_a_crash_the_cursor_is_resumed_without_a_join() -> None:
    link: SequenceLink[str] = SequenceLink(Cursor("A1", 5))
    link.hello("A1", True, 0.0)
    assert link.receive("A1", 6, "z", 0.0) == []
    assert [(ask.seq, ask.is_ack) for ask in link.asks(0.0)] == [(5, False)]
    assert link.receive("A1", 5, "y", 0.1) == [Delivered(5, "y"), Delivered(6, "z")]
    assert link.cursor == Cursor("A1", 7)


def test_an_outage_does_not_use_up_the_time_a_missing_report_has() -> None:
    link: SequenceLink[str] = SequenceLink()
    link.hello("A1", True, 0.0)
    link.receive("A1", 1, "x", 0.0)
    link.receive("A1", 3, "z", 0.1)
    link.reopened(20.0)
    assert link.tick(20.5) == []
    assert link.receive("A1", 2, "y", 20.6) == [Delivered(2, "y"), Delivered(3, "z")]


@dataclass
class Shoe:
    """A shoe by SHOE_PROTOCOL.md 4.5: ring of eight, resend until acknowledged, three copies when one-way."""

    can_resend: bool
    boot: str = "7A3C"
    issued: int = 0
    ring: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=8))
    acked: int = 0
    resend_s: float = 0.25

    def hello(self) -> bytes:
        return encode(f"HELO,1,{self.boot},SIM,1,{'A' if self.can_resend else 'R'}C")

    def card(self, card: str) -> bytes:
        self.issued += 1
        self.ring.append((self.issued, card))
        return self.line(self.issued, card)

    def line(self, seq: int, card: str) -> bytes:
        return encode(f"CARD,{self.boot},{seq:04X},{card},1")

    def hear(self, line: bytes) -> bytes:
        try:
            body = line.strip()[1:-5].decode("ascii")
        except UnicodeDecodeError:
            return b""
        if encode(body).strip() != line.strip():
            return b""
        kind, *fields = body.split(",")
        if kind == "PING":
            return self.hello()
        if not self.can_resend or len(fields) != 2 or fields[0] != self.boot:
            return b""
        if kind == "ACK":
            self.acked = max(self.acked, int(fields[1], 16))
            return b""
        return b"".join(self.line(seq, card) for seq, card in self.ring if seq == int(fields[1], 16))

    def resend(self) -> bytes:
        return b"".join(self.line(seq, card) for seq, card in self.ring if seq > self.acked)


@dataclass
class Result:
    cards: list[str]
    delivered: list[tuple[int, str]]
    in_gaps: int
    joined: int
    latencies_ms: list[float]


@dataclass(frozen=True)
class Noise:
    error_rate: float = 0.0
    cut_rate: float = 0.0
    can_resend: bool = True
    copies: int = 1


def run_link(seed: int, noise: Noise, cards: int = 120) -> Result:
    """Deal through a noisy line in virtual time; noise in both directions."""
    rng = random.Random(seed)
    shoe, codec = Shoe(noise.can_resend), OslpCodec("shoe", replies=noise.can_resend)
    wire: list[tuple[float, int, bytes]] = []
    order = iter(range(10**9))

    def noisy(data: bytes) -> bytes:
        damaged = bytearray(data)
        for index in range(len(damaged)):
            for bit in range(8):
                if rng.random() < noise.error_rate:
                    damaged[index] ^= 1 << bit
        is_cut = rng.random() < noise.cut_rate
        return bytes(damaged[: rng.randrange(len(damaged))] if is_cut else damaged)

    def send(data: bytes, at_s: float) -> None:
        for line in data.splitlines(keepends=True):
            for copy in range(noise.copies):
                heapq.heappush(wire, (at_s + copy * 0.03 + len(line) / 11_520, next(order), noisy(line)))

    dealt = [str(rng.choice(FULL_DECK)) for _ in range(cards)]
    deal_s = [1.0 + index * 0.4 for index in range(cards)]
    dealt_s: dict[int, float] = {}
    result = Result(dealt, [], 0, 0, [])
    codec.opened(0.0)
    for copy in range(3):
        send(shoe.hello(), 0.1 + 0.3 * copy)
    resend_at_s, beat_at_s, step = float("inf"), 0.95, 0
    while (now_s := step / 100) < deal_s[-1] + 30:
        step += 1
        while deal_s and shoe.issued < cards and deal_s[shoe.issued] <= now_s:
            dealt_s[shoe.issued + 1] = now_s
            send(shoe.card(dealt[shoe.issued]), now_s)
            resend_at_s = min(resend_at_s, now_s + 0.25)
        if now_s >= beat_at_s:
            send(encode(f"BEAT,{shoe.boot},{shoe.issued:04X},0,1"), now_s)
            beat_at_s += 1.0
        if noise.can_resend and now_s >= resend_at_s:
            send(shoe.resend(), now_s)
            shoe.resend_s = min(2.0, shoe.resend_s * 2) if shoe.acked < shoe.issued else 0.25
            resend_at_s = now_s + shoe.resend_s if shoe.acked < shoe.issued else float("inf")
        events = []
        while wire and wire[0][0] <= now_s:
            arrived_s, _, data = heapq.heappop(wire)
            events += codec.feed(data, arrived_s)
        events += codec.tick(now_s)
        for line in codec.outbox().splitlines(keepends=True):
            send(shoe.hear(noisy(line)), now_s + 0.003)
        for event in events:
            if event.event is EventKind.CARD:
                assert event.seq is not None
                result.delivered.append((event.seq, str(event.card)))
                result.latencies_ms.append((event.time_s - dealt_s[event.seq]) * 1000)
            elif event.event is EventKind.GAP:
                result.in_gaps += event.count or 0
            elif event.event is EventKind.JOINED:
                result.joined = event.seq or 0
    return result


LINKS = {
    "clean": (Noise(), 0),
    "1e-4": (Noise(1e-4, 0.02), 0),
    "1e-3": (Noise(1e-3, 0.05), 8),
    "5e-3": (Noise(5e-3, 0.2), 600),
    "one-way": (Noise(1e-4, 0.02, can_resend=False), 40),
    "one-way three times": (Noise(1e-4, 0.02, can_resend=False, copies=3), 2),
}
"""Noise in both directions, and how many of five times 120 cards may end in reported gaps."""


@pytest.mark.parametrize("name", LINKS)
def test_through_a_noisy_link_no_card_is_wrong_doubled_swapped_or_missing_in_silence(name: str) -> None:
    """SHOE_PROTOCOL.md 4.7: every card is delivered, or in a reported gap, or before the join."""
    noise, most_in_gaps = LINKS[name]
    gaps = 0
    for seed in range(5):
        result = run_link(seed, noise)
        numbers = [seq for seq, _ in result.delivered]
        assert numbers == sorted(set(numbers))
        assert all(result.cards[seq - 1] == card for seq, card in result.delivered)
        assert len(result.delivered) + result.in_gaps + (result.joined - 1) == len(result.cards)
        gaps += result.in_gaps
    assert gaps <= most_in_gaps
