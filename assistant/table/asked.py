"""The open questions of a night in a small file, so that they are asked again after the program's own crash.

A shoe does not send again what the table has taken in, and a reader without numbers never does: without this
a card in doubt would be forgotten with the program. Like the shoes' places the file is not flushed to the
disk; a power cut may cost it, and the night says then what was booked.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path

from assistant.cards import Card, parse_card
from assistant.errors import Refusal
from assistant.table.questions import Question
from assistant.tonight_files import read_rows, write_rows
from drivers.base import EventKind, SourceEvent

_TEXTS = ("source", "code", "tag", "note", "report")

_log = logging.getLogger(__name__)


class QuestionFile:
    """Keeps what is asked; used from the session's thread, and never in the way of the table.

    Args:
        path: Where it is kept.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def of_night(self, night: str) -> tuple[Question, ...]:
        """The questions that were open when the program last stopped; none of another night."""
        try:
            return tuple(_question(row) for row in read_rows(self._path, night, "questions"))
        except (OSError, ValueError, KeyError, TypeError, Refusal):
            return ()  # what can't be read can't be asked again; the night itself is whole

    def keep(self, night: str, questions: Iterable[Question]) -> None:
        """Write the open questions down."""
        try:
            write_rows(self._path, night, "questions", [_row(one) for one in questions])
        except OSError as error:
            _log.warning("open questions can't be kept: %s", error)


def _row(question: Question) -> dict[str, object]:
    event = question.event
    return {
        "kind": question.kind,
        "text": question.text,
        "candidates": [[str(card), sure] for card, sure in question.candidates],
        "event": event.event.value,
        "zone": event.zone,
        "seq": event.seq,
        "is_shoe": event.is_shoe,
        **{name: getattr(event, name) for name in _TEXTS},
    }


def _question(row: dict[str, object]) -> Question:
    candidates = row["candidates"]
    if not isinstance(candidates, list):
        raise TypeError
    texts = {name: str(row[name]) for name in _TEXTS}
    seq, zone = row["seq"], row["zone"]
    event = SourceEvent(
        EventKind(str(row["event"])),
        texts["source"],
        0.0,
        zone=zone if isinstance(zone, str) else None,
        seq=seq if isinstance(seq, int) else None,
        code=texts["code"],
        tag=texts["tag"],
        note=texts["note"],
        report=texts["report"],
        is_shoe=row["is_shoe"] is True,
    )
    cards = tuple((_card(word), float(sure)) for word, sure in candidates)
    return Question(0, str(row["kind"]), str(row["text"]), cards, event)


def _card(word: object) -> Card:
    return parse_card(str(word).removesuffix("?"), bare_rank=True)
