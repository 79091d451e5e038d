"""A night in memory for tests: lines go in; refusals, what is told, and who has what come out."""

import pytest

from assistant.errors import Refusal
from assistant.store.memory import MemoryNight
from assistant.table.night_log import NightLog
from assistant.table.speech import told_of, wording_of


def played(*lines: str) -> NightLog:
    """A night in memory after some lines, all of them accepted."""
    log = NightLog(MemoryNight())
    submit(log, *lines)
    return log


def submit(log: NightLog, *lines: str) -> None:
    for line in lines:
        log.submit(line)


def refusal(log: NightLog, line: str) -> Refusal:
    """Why a line is refused; a refused line changes nothing and writes nothing."""
    before, entries = log.night, log.entries
    with pytest.raises(Refusal) as caught:
        log.submit(line)
    assert (log.night is before, log.entries) == (True, entries)
    return caught.value


def code(log: NightLog, line: str) -> str:
    return refusal(log, line).code


def message(log: NightLog, line: str) -> str:
    return wording_of(log.night).refusal(refusal(log, line))


def told(log: NightLog) -> tuple[str, ...]:
    """What the last line asks the dealer to do."""
    return told_of(log.log[-1], wording_of(log.night))


def stacks(log: NightLog) -> dict[str, int]:
    """Chips in front of everybody seated, by name."""
    names = log.night.names()
    return {names[player]: log.night.chips.stack(player) for player in log.night.table.players}


def dues(log: NightLog) -> dict[str, int]:
    """What everybody owes the cashier (plus) or is owed."""
    return {person.name: log.night.due(person.player) for person in log.night.people}


def nets(log: NightLog) -> dict[str, int]:
    return {person.name: log.night.net(person.player) for person in log.night.people}
