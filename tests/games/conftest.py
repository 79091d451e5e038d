"""Plays lines of table talk on a fresh table and says what came of it."""

from collections.abc import Callable
from typing import Any

import pytest

from assistant.store.memory import MemoryNight
from assistant.table.night_log import NightLog
from assistant.table.record import night_record
from assistant.table.replay import replay_lines


@pytest.fixture
def play() -> Callable[[str], dict[str, Any]]:
    """Lines -> the record of ``tableside replay``, with ``codes`` of the refused ones, and of the end the
    ``text`` and what the dealer is to ``do``."""

    def run(lines: str) -> dict[str, Any]:
        log = NightLog(MemoryNight())
        steps = list(replay_lines(log, lines.splitlines()))
        refused = [step.refused for step in steps if step.refused]
        record = night_record(log.night, refused)
        game = log.night.game
        return record | {
            "codes": [one.code for one in refused],
            "text": steps[-1].text if steps else "",
            "do": game.prompt(log.night.state).do if game else "no_game",
        }

    return run
