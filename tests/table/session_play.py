"""A running table in a test: lines it begins with, and what a card source says to it."""

from collections.abc import Iterator
from datetime import UTC, datetime

from assistant.cards import parse_card
from assistant.store.memory import MemoryNight
from assistant.table.questions import Question
from assistant.table.session import Notice, Outcome, TableSession
from drivers.base import Candidate, EventKind, SourceEvent

CASINO = ("game casino-red-dog decks=1", "seat P 100", "seat Q 100")
POOL = ("game red-dog-pool hand=3", 'seat "Anna K." 100', "seat B 100", "dealer B", "round", "dealt")
SOURCE = "camera:0"


def fixed_clock() -> datetime:
    return datetime(2026, 11, 28, 20, 5, tzinfo=UTC)


def session_after(*lines: str) -> TableSession:
    session = TableSession(MemoryNight(), "2026-11-28-1", fixed_clock)
    for line in lines:
        outcome = session.submit(line)
        assert outcome.accepted, outcome
    return session


def card_event(
    text: str, confidence: float | None = 0.999, *, zone: str | None = None, candidates: str = ""
) -> SourceEvent:
    return SourceEvent(
        EventKind.CARD if candidates == "" else EventKind.UNSURE,
        SOURCE,
        1.0,
        card=parse_card(text) if text else None,
        zone=zone,
        confidence=confidence,
        candidates=tuple(_candidates(candidates)),
    )


def _candidates(text: str) -> Iterator[Candidate]:
    for word in text.split():
        name, _, sure = word.partition(":")
        yield Candidate(parse_card(name), float(sure))


def unchanged_by(session: TableSession, event: SourceEvent) -> Question | Notice:
    """What came of an event that must not book anything."""
    before, entries = session.night, session.log.entries
    answer = session.receive(event)
    assert not isinstance(answer, Outcome)
    assert session.night is before
    assert session.log.entries == entries
    return answer


def lines(session: TableSession, asked: Question) -> dict[str, str]:
    """Card -> the line its answer would book now, of an open question."""
    view = next(one for one in session.snapshot.questions if one.number == asked.number)
    return {str(card): line for card, _sure, line in view.candidates}
