"""Numbered reports over a link that loses and repeats them: what may be delivered, and what is missing.

The receiver rules 3-7 of SHOE_PROTOCOL.md 4.4, without lines, bytes or clock: the caller passes the time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

NUMBERS = 0x10000
"""Numbers run from 0 to 65535 and begin again."""
MOST_HELD = 8
"""Reports kept while an earlier one is missing; a shoe keeps at least as many."""
HOLE_S = 1.0
"""How long a missing report is waited for when the shoe can send it again ..."""
HOLE_ONE_WAY_S = 0.15
"""... and when it can't."""
NAK_EVERY_S = 0.1
ACK_EVERY_S = 0.05
RECENT = 32
"""Delivered reports remembered, to tell a repeat from a contradiction."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Delivered(Generic[T]):
    """The next report in order."""

    seq: int
    item: T


@dataclass(frozen=True, slots=True)
class Gap:
    """Reports `first` to `first + count - 1` are lost for good."""

    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Joined:
    """First contact; what came before number `next` is unknown."""

    next: int


@dataclass(frozen=True, slots=True)
class Reboot:
    """The device started anew and counts from 1."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Number `seq` came twice with different content; the first stands."""

    seq: int


Outcome: TypeAlias = Delivered[T] | Gap | Joined | Reboot | Contradiction


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a shoe was read up to, to go on there after the program's own crash."""

    boot: str
    next: int


@dataclass(frozen=True, slots=True)
class SavedCursor:
    """A cursor as it is kept for the next start.

    Attributes:
        source: Name of the source the shoe was read through.
        device: The shoe's own name; empty while it had not said it.
        cursor: Where to go on.
    """

    source: str
    device: str
    cursor: Cursor


@dataclass(frozen=True, slots=True)
class Ask:
    """What the device should be told: `is_ack` all up to `seq` is safe, else `seq` is missing."""

    boot: str
    seq: int
    is_ack: bool


class SequenceLink(Generic[T]):
    """Puts the numbered reports of one device in order, each exactly once.

    Args:
        cursor: Where to go on; without it the first report heard is a `Joined`.
    """

    def __init__(self, cursor: Cursor | None = None) -> None:
        self.repeats = 0
        """Reports that had been delivered before."""
        self.can_resend: bool | None = None
        """Whether the device understands ACK and NAK; None before it said so."""
        self._boot = cursor.boot if cursor else None
        self._expect = cursor.next if cursor else None
        self._held: dict[int, T] = {}
        self._recent: dict[int, T] = {}
        self._horizon: int | None = None  # one past the newest number the device says it has issued
        self._hole_since_s: float | None = None
        self._nak_s = self._ack_s = float("-inf")
        self._owes_ack = False

    @property
    def boot(self) -> str | None:
        """The device's run that is being followed; None before first contact."""
        return self._boot

    def resume(self, cursor: Cursor) -> None:
        """Go on at a cursor of before; only before first contact."""
        if self._boot is None:
            self._boot, self._expect = cursor.boot, cursor.next

    @property
    def cursor(self) -> Cursor | None:
        """Where to go on after a crash; None before first contact."""
        if self._boot is None or self._expect is None:
            return None
        return Cursor(self._boot, self._expect)

    def hello(self, boot: str, can_resend: bool, time_s: float) -> list[Outcome[T]]:
        """Hear the device introduce itself."""
        outcomes = self._meet(boot, None, time_s)
        self.can_resend = can_resend
        return outcomes

    def is_due(self, boot: str, seq: int) -> bool:
        """Whether a report is among the next few of the run that is being followed, and has not come."""
        if boot != self._boot or self._expect is None:
            return False
        return 0 <= self._distance(seq) < MOST_HELD and seq not in self._held

    def beat(self, boot: str, last: int, time_s: float) -> list[Outcome[T]]:
        """Hear that `last` is the newest number issued: it reveals a lost final report."""
        after = (last + 1) % NUMBERS
        outcomes = self._meet(boot, after, time_s)
        if self._distance(after) > 0:
            self._horizon = after
            self._note_hole(time_s)
        return outcomes + self.tick(time_s)

    def receive(self, boot: str, seq: int, item: T, time_s: float) -> list[Outcome[T]]:
        """Take a report and return what can be delivered now, in order."""
        outcomes = self._meet(boot, seq, time_s)
        distance = self._distance(seq)
        if distance < 0 or seq in self._held:
            outcomes += self._repeat(seq, item)
        elif distance == 0:
            outcomes += self._deliver(item, time_s)
        else:
            self._held[seq] = item
            self._note_hole(time_s)
            if len(self._held) > MOST_HELD:
                outcomes += self._give_up(time_s)
        return outcomes + self.tick(time_s)

    def tick(self, time_s: float) -> list[Outcome[T]]:
        """Give a hole up that is too old."""
        limit_s = HOLE_ONE_WAY_S if self.can_resend is False else HOLE_S
        if self._hole_since_s is None or time_s - self._hole_since_s < limit_s:
            return []
        return self._give_up(time_s)

    def reopened(self, time_s: float) -> None:
        """Wait anew for what is missing: while the link was down the device could not send it."""
        if self._hole_since_s is not None:
            self._hole_since_s = time_s

    def asks(self, time_s: float) -> list[Ask]:
        """Return what to tell a device that understands it, no more often than is useful."""
        if not self.can_resend or self._boot is None or self._expect is None:
            return []
        asks = []
        if self._owes_ack and time_s - self._ack_s >= ACK_EVERY_S:
            self._owes_ack, self._ack_s = False, time_s
            asks.append(Ask(self._boot, (self._expect - 1) % NUMBERS, is_ack=True))
        if self._hole_since_s is not None and time_s - self._nak_s >= NAK_EVERY_S:
            self._nak_s = time_s
            asks.append(Ask(self._boot, self._expect, is_ack=False))
        return asks

    def _meet(self, boot: str, seq: int | None, time_s: float) -> list[Outcome[T]]:
        outcomes: list[Outcome[T]] = []
        if self._boot is not None and boot != self._boot:
            while self._has_hole():
                outcomes += self._give_up(time_s)
            outcomes.append(Reboot())
            self._recent.clear()
            self._owes_ack = False
            self._expect = 1
        self._boot = boot
        if self._expect is None and seq is not None:
            self._expect = seq
            outcomes.append(Joined(seq))
        return outcomes

    def _distance(self, seq: int) -> int:
        """How far `seq` lies ahead of the next one due; negative is behind."""
        ahead = (seq - (self._expect or 0)) % NUMBERS
        return ahead if ahead < NUMBERS // 2 else ahead - NUMBERS

    def _deliver(self, item: T, time_s: float) -> list[Outcome[T]]:
        assert self._expect is not None
        self._held[self._expect] = item
        outcomes: list[Outcome[T]] = []
        while self._expect in self._held:
            found = self._held.pop(self._expect)
            outcomes.append(Delivered(self._expect, found))
            self._recent[self._expect] = found
            self._expect = (self._expect + 1) % NUMBERS
        while len(self._recent) > RECENT:
            self._recent.pop(next(iter(self._recent)))
        self._owes_ack = True
        self._hole_since_s = time_s if self._has_hole() else None
        return outcomes

    def _repeat(self, seq: int, item: T) -> list[Outcome[T]]:
        self.repeats += 1
        self._owes_ack = True  # the device would not repeat it had it heard the last one
        known = self._held.get(seq, self._recent.get(seq))
        return [] if known is None or known == item else [Contradiction(seq)]

    def _has_hole(self) -> bool:
        if self._horizon is not None and self._distance(self._horizon) <= 0:
            self._horizon = None
        return bool(self._held) or self._horizon is not None

    def _note_hole(self, time_s: float) -> None:
        if self._hole_since_s is None:
            self._hole_since_s = time_s

    def _give_up(self, time_s: float) -> list[Outcome[T]]:
        """Report the first hole as lost and deliver what was held behind it."""
        assert self._expect is not None
        ends = [self._distance(seq) for seq in self._held]
        if self._horizon is not None:
            ends.append(self._distance(self._horizon))
        count = min(ends)
        gap = Gap(self._expect, count)
        self._expect = (self._expect + count) % NUMBERS
        if self._expect in self._held:
            return [gap, *self._deliver(self._held.pop(self._expect), time_s)]
        self._owes_ack = True
        self._hole_since_s = time_s if self._has_hole() else None
        return [gap]
