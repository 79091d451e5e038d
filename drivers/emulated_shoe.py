"""A shoe that speaks OSLP/1, without hardware and pure: tests run it in virtual time, the command in real.

It keeps the shoe's rules of SHOE_PROTOCOL.md 4.5: a ring of the last events, what is not acknowledged is sent
again, lines with a wrong check are ignored, and it never waits.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from assistant.cards import FULL_DECK
from drivers.codecs.oslp import crc, encode

RING = 8
"""Events kept to be sent again: the least the protocol asks of a shoe."""
FIRST_RESEND_S, LAST_RESEND_S = 0.25, 2.0
BEAT_S = 1.0
HELLO_COPIES, HELLO_EVERY_S = 3, 0.3
COPIES, COPY_EVERY_S = 3, 0.03
"""A shoe that hears nothing sends each event three times."""


@dataclass(frozen=True, slots=True)
class Faults:
    """What goes wrong, as shares of one.

    Attributes:
        bit_rate: Bits that turn over on the line.
        cut_rate: Lines that lose their end.
        miss_rate: Cards that leave the shoe unread.
    """

    bit_rate: float = 0.0
    cut_rate: float = 0.0
    miss_rate: float = 0.0


class EmulatedShoe:
    """A seeded shoe; the same seed deals the same cards.

    Args:
        seed: Of the order of the cards, of `boot` and of the faults.
        decks: Decks in the shoe.
        device: What it calls itself.
        can_hear: Whether it understands PING, ACK and NAK.
        cut: Cards left when the cut card comes; 0 for none.
        faults: What goes wrong.
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        decks: int = 1,
        device: str = "EMULATED",
        can_hear: bool = True,
        cut: int = 0,
        faults: Faults = Faults(),
    ) -> None:
        self._cards_rng = random.Random(seed)
        self._rng = random.Random(f"faults {seed}")
        self._decks = decks
        self._device = device
        self._can_hear = can_hear
        self._cut = cut
        self._faults = faults
        self._ring: deque[tuple[int, str]] = deque(maxlen=RING)
        self._line = b""
        self._out: list[tuple[float, bytes]] = []
        self.boot = ""
        self.issued = 0
        self.dealt: list[str] = []
        """Every card that left the shoe, in order; ``??`` for one that was not read."""
        self._cards: list[str] = []
        self.fill()
        self.reset(0.0)

    @property
    def cards_left(self) -> int:
        """Cards in the shoe."""
        return len(self._cards)

    @property
    def speaks_at_s(self) -> float:
        """When it next has something to say of its own accord."""
        return min(self._beat_at_s, self._resend_at_s, *(at_s for at_s, _ in self._out), float("inf"))

    def fill(self) -> None:
        """Put freshly shuffled decks into it."""
        self._cards = [str(card) for card in FULL_DECK] * self._decks
        self._cards_rng.shuffle(self._cards)

    def reset(self, time_s: float) -> None:
        """Start anew, as after a brown-out: what was not sent is lost, the numbers begin at 1."""
        self.boot = f"{self._rng.randrange(1, 0x10000):04X}"
        self.issued = self._acked = 0
        self._ring.clear()
        self._resend_s, self._resend_at_s = FIRST_RESEND_S, float("inf")
        self._out = [(time_s + copy * HELLO_EVERY_S, self._hello()) for copy in range(HELLO_COPIES)]
        self._beat_at_s = time_s + BEAT_S
        self._started_s = time_s

    def deal(self, time_s: float) -> None:
        """Let a card out; of an empty shoe say that it is empty."""
        if not self._cards:
            self.say("EMPT", "", time_s)
            return
        card = self._cards.pop()
        if self._rng.random() < self._faults.miss_rate:
            self.dealt.append("??")
            self.say("MISS", "READ", time_s)
        else:
            self.dealt.append(card)
            self.say("CARD", card, time_s)
        if self._cut and len(self._cards) == self._cut:
            self.say("CUT", "", time_s)

    def say(self, kind: str, fields: str, time_s: float) -> None:
        """Issue an event."""
        self.issued += 1
        seq = self.issued % 0x10000
        middle = f"{fields}," if fields else ""
        body = f"{kind},{self.boot},{seq:04X},{middle}{self._ms(time_s)}"
        self._ring.append((self.issued, body))
        for copy in range(1 if self._can_hear else COPIES):
            self._out.append((time_s + copy * COPY_EVERY_S, encode(body)))
        if self._can_hear:
            self._resend_at_s = min(self._resend_at_s, time_s + FIRST_RESEND_S)

    def hear(self, data: bytes, time_s: float) -> None:
        """Take what the host sent."""
        *lines, self._line = (self._line + data).split(b"\n")
        self._line = self._line[-80:]
        for line in lines:
            body = _checked(line)
            if body is not None and self._can_hear:
                self._obey(body.split(","), time_s)

    def sending(self, time_s: float) -> bytes:
        """Return what is on the line now, faults and all; called often."""
        if time_s >= self._beat_at_s:
            self._beat_at_s = time_s + BEAT_S
            queued = self.issued - self._acked if self._can_hear else 0
            beat = f"BEAT,{self.boot},{self.issued % 0x10000:04X},{queued},{self._ms(time_s)}"
            self._out.append((time_s, encode(beat)))
        if time_s >= self._resend_at_s:
            self._resend(time_s)
        due = [line for at_s, line in self._out if at_s <= time_s]
        self._out = [one for one in self._out if one[0] > time_s]
        return b"".join(map(self._damage, due))

    def _obey(self, words: list[str], time_s: float) -> None:
        if words == ["PING"]:
            self._out.append((time_s, self._hello()))
        elif len(words) == 3 and words[1] == self.boot:
            for number, body in self._about(words[2]):
                if words[0] == "NAK":
                    self._out.append((time_s, encode(body)))
                elif words[0] == "ACK":
                    self._acked = max(self._acked, number)

    def _about(self, seq: str) -> Iterator[tuple[int, str]]:
        return (one for one in self._ring if f"{one[0] % 0x10000:04X}" == seq)

    def _resend(self, time_s: float) -> None:
        waiting = [encode(body) for number, body in self._ring if number > self._acked]
        self._out += [(time_s, line) for line in waiting]
        self._resend_s = min(LAST_RESEND_S, self._resend_s * 2) if waiting else FIRST_RESEND_S
        self._resend_at_s = time_s + self._resend_s if waiting else float("inf")

    def _hello(self) -> bytes:
        caps = "ACUES" if self._can_hear else "RCUES"
        return encode(f"HELO,1,{self.boot},{self._device},1.0,{caps}")

    def _ms(self, time_s: float) -> int:
        return max(0, round((time_s - self._started_s) * 1000))

    def _damage(self, line: bytes) -> bytes:
        faults, rng = self._faults, self._rng
        if faults.cut_rate and rng.random() < faults.cut_rate:
            line = line[: rng.randrange(len(line))]
        if not faults.bit_rate:
            return line
        flipped = bytearray(line)
        for bit in range(len(flipped) * 8):
            if rng.random() < faults.bit_rate:
                flipped[bit // 8] ^= 1 << bit % 8
        return bytes(flipped)


def _checked(line: bytes) -> str | None:
    """The body of a line the host sent; None unless its check is right."""
    body, star, check = line.rstrip(b"\r").removeprefix(b"$").partition(b"*")
    if not line.startswith(b"$") or not star or check != b"%04X" % crc(body):
        return None
    return body.decode("ascii", "replace")
