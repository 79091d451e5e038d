"""The accepted lines of a night: booked one by one, taken back, put back, and played back at the next start.

A line is accepted whole or refused whole; an accepted line is durable before anybody sees it. The state here
is a frozen `Night` and the steps that led to it. Used from one thread.
"""

from __future__ import annotations

import gc
import getpass
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache

from assistant.errors import AssistantError, Refusal
from assistant.games.base import Action, RoundOpened
from assistant.games.variants import stored_types
from assistant.i18n import _
from assistant.ledger import events as ledger
from assistant.ledger.accounts import CHIPS, RACK
from assistant.ledger.balances import Overdrawn, may_not_be_negative
from assistant.ledger.events import LedgerEvent
from assistant.store.base import Entry, NewEntry, NightDamaged, NightStore
from assistant.store.codec import Codec
from assistant.table import later
from assistant.table.acts import decide
from assistant.table.decision import Caused, Decision
from assistant.table.night import Night, evolve_act
from assistant.table.posting import balances_of, postings_between
from assistant.table.reversing import BET_VERBS, reversal
from assistant.talk import Command, Words, printable, read_number, split_line
from assistant.wording import Wording

Clock = Callable[[], datetime]


def local_now() -> datetime:
    """The time now, with the local zone."""
    return datetime.now().astimezone()


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a line came from: typed, or a card source and how sure it was.

    Attributes:
        report: A numbered shoe's own name for the report; the same report is not booked twice.
        tag: The tag that named the card, or that the dealer named; it comes once a shoe.
    """

    source: str = "typed"
    confidence: float = 1.0
    report: str = ""
    tag: str = ""


TYPED = Origin()


@dataclass(slots=True)
class Step:
    """An accepted line: its entry, what it caused, and the night before and after it.

    Attributes:
        travelled: The lines that an ``undo`` or ``redo`` went through, in that order; empty for other lines.
        back: Whether these were taken back.
        passed: What these lines had caused, in the same order; of a reversal what the reversed entry had
            caused.
        reopened: Of an ``undo`` or ``redo`` what the entries had caused that these lines had reversed.
        undone: Whether this line was taken back itself.
    """

    seq: int
    at: datetime
    line: str
    origin: Origin
    events: Caused
    before: Night
    after: Night
    undone: bool = False
    travelled: tuple[str, ...] = ()
    back: bool = False
    passed: Caused = ()
    reopened: Caused = ()


@dataclass(frozen=True, slots=True)
class Accepted:
    """A line that was booked; `step` is None for one that says nothing (empty, a comment)."""

    step: Step | None
    duplicate: bool = False


@dataclass
class NightLog:
    """The accepted lines of a night, and the night they make: lines in, entries out.

    Args:
        store: Where entries are kept; what it holds already is played back first.
        clock: The time, with its zone.
        operator: Who enters the lines.
        strict: Whether a placed bet stays as it was typed: no ``undo`` goes past it, no line gives it back
            before its round, and no ``fix`` works that out again; only ``void`` calls it off (LEDGER.md,
            "Decisions").

    Raises:
        NightDamaged: The entries cannot be played back.
    """

    store: NightStore
    clock: Clock = local_now
    operator: str = ""
    strict: bool = False
    night: Night = field(default_factory=Night)
    log: list[Step] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._codec = _codec()
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._keys: dict[str, Step] = {}
        self.operator = self.operator or _login_name()
        entry = None
        with nothing_is_thrown_away():
            for entry in self.store.entries():
                self._play_back(entry)
        if entry is not None and (problems := _overdrawn(self.night)):
            raise _cannot_play_back(entry, str(problems[0]))

    @property
    def entries(self) -> int:
        """Entries in the night's file."""
        return self.store.head[0]

    @property
    def undo_stops(self) -> bool:
        """Whether the last line is a bet that stays, so that ``undo`` would be refused."""
        return self.strict and bool(self._done) and _is_bet(self._done[-1])

    @property
    def redoes(self) -> bool:
        """Whether lines were just taken back that ``redo`` puts back."""
        return bool(self._undone) and not self.night.closed

    def dealt_tags(self) -> frozenset[str]:
        """The tags of the cards that were booked since the last shuffle, and not taken back."""
        tags: set[str] = set()
        for step in reversed(self._done):
            if step.after.table.shoe.shuffles != step.before.table.shoe.shuffles:
                break
            tags |= {step.origin.tag} - {""}
        return frozenset(tags)

    def round_steps(self) -> list[Step]:
        """The lines that stand, from the one on that opened the latest round."""
        steps: list[Step] = []
        for step in reversed(self._done):
            steps.append(step)
            if any(isinstance(event, RoundOpened) for event in step.events):
                break
        return steps[::-1]

    def submit(self, line: str, *, key: str = "", origin: Origin = TYPED) -> Accepted:
        """Take one line of table talk.

        Args:
            line: As it was typed, or as a card source makes it.
            key: Idempotency key made when the entry began; the same key again books nothing.
            origin: Where the line came from.

        Raises:
            Refusal: The line is refused and nothing has changed.
            StoreError: The disk refused the entry and nothing has changed.
        """
        command = split_line(line)
        if command is None:
            return Accepted(None)
        line = printable(line).strip()
        key = key or uuid.uuid4().hex
        if (sent := self._keys.get(key)) is not None:
            if sent.line != line:
                raise Refusal("E_ARGS", "key_used", {"found": sent.line})
            return Accepted(sent, duplicate=True)
        if command.verb in ("undo", "redo"):
            step = self._travel(command, line, key, origin)
            self._keys[key] = step
            return Accepted(step)
        decision, reverses, after = self._worked_out(command)
        body = {
            "line": line,
            "origin": origin.source,
            "confidence": round(origin.confidence, 6),
            "action": self._codec.encode(decision.action) if decision.action else None,
            "events": [self._codec.encode(event) for event in decision.events],
        }
        if origin.report:
            body["report"] = origin.report
        if origin.tag:
            body["tag"] = origin.tag
        entry = self._append(key, command.verb, body, reverses, after, _said(decision.events))
        reversed_ = self._caused_by(reverses)
        step = Step(entry.seq, entry.at, line, origin, decision.events, self.night, after, passed=reversed_)
        self._book(step)
        self._keys[key] = step
        return Accepted(step)

    def check(self, line: str) -> None:
        """Work out what a line would do, and do nothing.

        Raises:
            Refusal: `submit` would refuse it. Of ``undo`` and ``redo`` only `submit` knows.
        """
        command = split_line(line)
        if command is not None and command.verb not in ("undo", "redo"):
            self._worked_out(command)

    def _worked_out(self, command: Command) -> tuple[Decision, tuple[int, ...], Night]:
        """What a line causes, which entries it takes back, and the night behind it."""
        decision, reverses = self._decide(command)
        after = evolve_act(self.night, decision.action, decision.events)
        if self.strict:
            _check_bets_stay(self.night, after, decision.events)
        return decision, reverses, after

    def _decide(self, command: Command) -> tuple[Decision, tuple[int, ...]]:
        """What a line causes, and which entries it takes back."""
        if command.verb == "fix" and self.strict:
            raise Refusal("E_FIX", "fix_strict", {})
        if command.verb == "reverse":
            return reversal(self.night, self.log, command)
        return decide(self.night, command), ()

    # -- undo and redo ------------------------------------------------------------------------------------

    def _travel(self, command: Command, line: str, key: str, origin: Origin) -> Step:
        """Take back the last lines, or put back what was just taken back."""
        count = _read_count(command)
        back = command.verb == "undo"
        if self.night.closed:
            raise Refusal("E_UNDO", "undo_closed", {"verb": command.verb})
        stack = self._done if back else self._undone
        if count > len(stack):
            raise Refusal("E_UNDO", "" if back else "nothing_to_redo", {"found": count, "most": len(stack)})
        steps = stack[: -count - 1 : -1]
        if self.strict and back and (bet := next((one for one in steps if _is_bet(one)), None)) is not None:
            raise Refusal("E_UNDO", "undo_strict", {"line": bet.line})
        if any(step.before.closed or step.after.closed for step in steps):
            raise Refusal("E_UNDO", "undo_close", {})  # a night that was opened again keeps what was before
        after = steps[-1].before if back else steps[-1].after
        seqs = tuple(step.seq for step in steps)
        body = {"line": line, "origin": origin.source, command.verb: list(seqs)}
        entry = self._append(key, command.verb, body, seqs, after)
        return self._move(entry.seq, entry.at, line, command.verb, count, origin)

    def _move(self, seq: int, at: datetime, line: str, verb: str, count: int, origin: Origin) -> Step:
        before, lines = self.night, []
        passed: Caused = ()
        reopened: Caused = ()
        for _one in range(count):
            if verb == "undo":
                step = self._done.pop()
                self._undone.append(step)
                self.night = later.travelled(self.night, step.before, step.line, step.events)
            else:
                step = self._undone.pop()
                self._done.append(step)
                self.night = later.travelled(self.night, step.after, step.line, step.events)
            step.undone = verb == "undo"
            lines.append(step.line)
            passed = (*passed, *step.events)
            reopened = (*reopened, *step.passed)
        travelled = Step(
            seq,
            at,
            line,
            origin,
            (),
            before,
            self.night,
            travelled=tuple(lines),
            back=verb == "undo",
            passed=passed,
            reopened=reopened,
        )
        self.log.append(travelled)
        return travelled

    # -- the book -----------------------------------------------------------------------------------------

    def _append(
        self,
        key: str,
        kind: str,
        body: Mapping[str, object],
        reverses: tuple[int, ...],
        after: Night,
        said: str = "",
    ) -> Entry:
        """Keep an entry; nothing of the session changes before it is durable."""
        if after.chips.total() != 0 or after.books.money.total() != 0:
            raise AssertionError(f"chips or money were created or lost: {after.chips.total():+d}")
        postings = postings_between(self.night, after)
        for posting in postings:
            holding = after.chips if posting.commodity == CHIPS else after.books.money
            if holding.at(posting.account) < 0 and may_not_be_negative(posting.account):
                # a verb forgot to refuse it: nothing is booked
                raise Overdrawn(posting.account, holding.at(posting.account))
        now = self.clock()
        new = NewEntry(key, now, self.operator, _moment(said, now), reverses, kind, body, postings)
        return self.store.append(new)

    def _book(self, step: Step) -> None:
        self.night = step.after
        self._done.append(step)
        self._undone.clear()
        self.log.append(step)

    def _play_back(self, entry: Entry) -> None:
        """Bring the night to where it was after an entry that was kept earlier."""
        before = self.night
        try:
            self._keys[entry.key] = self._repeat(entry)
        except AssistantError as error:
            reason = Wording().refusal(error) if isinstance(error, Refusal) else str(error)
            raise _cannot_play_back(entry, reason) from error
        if postings_between(before, self.night) != entry.postings:
            raise _cannot_play_back(entry, _("it does not lead to the chips that were booked"))

    def _repeat(self, entry: Entry) -> Step:
        body = entry.body
        origin = _origin_of(body)
        line = str(body.get("line", ""))
        if entry.kind in ("undo", "redo"):
            seqs = body.get(entry.kind)
            count = len(seqs) if isinstance(seqs, list) else 0
            return self._move(entry.seq, entry.at, line, entry.kind, count, origin)
        action, events = self._decode(entry)
        after = evolve_act(self.night, action, events)
        step = Step(
            entry.seq,
            entry.at,
            line,
            origin,
            events,
            self.night,
            after,
            passed=self._caused_by(entry.reverses),
        )
        self._book(step)
        return step

    def _caused_by(self, entries: Sequence[int]) -> Caused:
        """What earlier entries caused."""
        if not entries:
            return ()
        return tuple(event for step in self.log if step.seq in entries for event in step.events)

    def _decode(self, entry: Entry) -> tuple[Action | None, Caused]:
        stored, events = entry.body.get("action"), entry.body.get("events")
        action = self._codec.decode(stored, entry.version) if isinstance(stored, Mapping) else None
        bodies = events if isinstance(events, list) else []
        return action, tuple([self._codec.decode(one, entry.version) for one in bodies])


def _origin_of(body: Mapping[str, object]) -> Origin:
    source, confidence = body.get("origin", TYPED.source), body.get("confidence", TYPED.confidence)
    report, tag = body.get("report", ""), body.get("tag", "")
    if (source, confidence, report, tag) == (TYPED.source, TYPED.confidence, "", ""):
        return TYPED  # nearly always
    return Origin(str(source), float(str(confidence)), str(report), str(tag))


@contextmanager
def nothing_is_thrown_away() -> Iterator[None]:
    """No garbage collection while a night is read: all of it stays, and walking over it again and again
    takes half of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


GIVE_BACK = frozenset({"remove", "clear"})
"""Verbs of the games that only take a placed bet back; a strict house offers none of them."""


def _is_bet(step: Step) -> bool:
    return step.line.split(maxsplit=1)[0].lower() in BET_VERBS


def _check_bets_stay(before: Night, after: Night, events: Caused) -> None:
    """Refuse a line that gives a placed bet back, whatever its verb; in a round bets are only played for, or
    called off with it."""
    if before.in_round or any(isinstance(event, RoundOpened) for event in events):
        return
    for place, amount in before.chips.difference(after.chips).items():
        kind, _colon, player = place.partition(":")
        if kind == "bet" and amount < 0:
            raise Refusal("E_UNDO", "bet_strict", {"player": player, "found": -amount})


def _overdrawn(night: Night) -> tuple[Overdrawn, ...]:
    """What holds less than nothing; not the rack, which a house without a float pays from (E_RACK)."""
    problems = balances_of(night).overdrawn()
    return tuple(problem for problem in problems if problem.account != RACK)


def _said(events: Caused) -> str:
    return next((event.said for event in events if isinstance(event, LedgerEvent) and event.said), "")


def _moment(said: str, now: datetime) -> datetime | None:
    """The last time before now at which the clock showed what was said; None where nothing was said."""
    if not said:
        return None
    hour, minute = map(int, said.split(":"))
    found = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return found if found <= now else found - timedelta(days=1)


def _cannot_play_back(entry: Entry, reason: str) -> NightDamaged:
    message = _("Entry {number} of the night ({kind}) cannot be played back: {reason}")
    hint = _("Keep the file as it is, and go on in a new night: tableside --new.")
    return NightDamaged(message.format(number=entry.seq, kind=entry.kind, reason=reason), hint)


@cache
def _codec() -> Codec:
    """The codec of all actions and events; making it takes longer than a whole evening's entries."""
    return Codec((*stored_types(), *ledger.EVENT_TYPES))


def _read_count(command: Command) -> int:
    words = Words(list(command.words))
    count = read_number(words.text()) if words.more else 1
    words.end()
    if count < 1:
        raise Refusal("E_ARGS", "not_a_number", {"found": count})
    return count


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no login name in a container
        return "dealer"
