"""Runs a file of table talk line by line: the core of ``tableside replay``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from assistant.errors import Refusal
from assistant.games.base import Prompt
from assistant.table.counting import COUNTING
from assistant.table.night import Night
from assistant.table.night_log import NightLog, Step
from assistant.table.record import Refused, night_record
from assistant.table.speech import told_of, wording_of
from assistant.talk import split_line


@dataclass(frozen=True, slots=True)
class Replayed:
    """One line of the file that is not empty: what came of it.

    Attributes:
        number: Lines count from 1, empty ones and comments too.
        text: What the dealer is told to say and do.
        refused: The refusal, if it was one.
    """

    number: int
    text: str
    night: Night
    refused: Refused | None = None


def replay_lines(log: NightLog, lines: Iterable[str]) -> Iterator[Replayed]:
    """Submit lines one after the other; refused ones change nothing and the rest goes on."""
    for number, line in enumerate(lines, start=1):
        try:
            if split_line(line) is None:
                continue
            step = log.submit(line.rstrip("\r\n")).step
        except Refusal as refusal:
            message = wording_of(log.night).refusal(refusal)
            refused = Refused(number, refusal.code, message)
            yield Replayed(number, message, log.night, refused)
        else:
            yield Replayed(number, spoken(log.night, step), log.night)


def spoken(night: Night, step: Step | None) -> str:
    """What the dealer is told after a line: what it asks to pay and collect, then what comes next."""
    wording = wording_of(night)
    told = list(told_of(step, wording)) if step else []
    if night.game is not None and not night.closed:
        prompt = Prompt(COUNTING) if night.counting else night.game.prompt(night.state)
        told += [text for text in (wording.announcement(prompt), wording.duty(prompt)) if text]
    sentences = (text if text.endswith(("?", "!")) else f"{text.rstrip('.')}." for text in told)
    return " ".join(sentences).removesuffix(".")


def trace_record(replayed: Replayed, refused: list[Refused]) -> dict[str, object]:
    """The object that ``--trace`` prints for a line."""
    return {"line": replayed.number, "text": replayed.text, **night_record(replayed.night, refused)}
