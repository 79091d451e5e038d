"""Nights in table talk replay to their expectations: the specification's scenarios, and our own evenings.

The form is that of RULES.md section 14: `after` holds states after a line, `refused` names every refused
line, `final` is the last object; a field that is not named is not checked.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from assistant.games.variants import all_games
from assistant.store.memory import MemoryNight
from assistant.table.night_log import NightLog
from assistant.table.record import Refused
from assistant.table.replay import replay_lines, trace_record

REPOSITORY = Path(__file__).resolve().parents[2]
OWN = REPOSITORY / "tests" / "data" / "nights"
SPECIFIED = Path(os.environ.get("TABLESIDE_SHARED") or REPOSITORY.parent / "shared") / "rules" / "scenarios"
UNORDERED = ("seen", "pots", "settlement")

Record = Mapping[str, object]


def playable(folder: Path) -> list[Path]:
    """The nights of a folder whose games are all in the registry; a later game brings its own in."""
    games = {game.name for game in all_games()}
    return [path for path in sorted(folder.glob("*.talk")) if _games_of(path) <= games]


def _games_of(talk: Path) -> set[str]:
    text = talk.read_text(encoding="utf-8-sig")
    return {name.lower() for name in re.findall(r"^\s*game\s+(\S+)", text, re.IGNORECASE | re.MULTILINE)}


@pytest.mark.parametrize("talk", playable(SPECIFIED) or [Path("absent")], ids=lambda path: str(path.stem))
def test_specified_scenario(talk: Path, shared: Path) -> None:
    """RULES.md section 14."""
    assert differences(talk) == []


@pytest.mark.parametrize("talk", playable(OWN), ids=lambda path: str(path.stem))
def test_own_evening(talk: Path) -> None:
    assert differences(talk) == []


def test_all_scenarios_of_these_games_are_there(shared: Path) -> None:
    """The ids of RULES.md; all of them replay above."""
    found = {path.stem for path in playable(shared / "rules" / "scenarios")}
    counts = Counter(name.partition("-")[0] for name in found)
    expected = {"CRD": 12, "RDP": 16, "RDB": 5, "END": 8, "TLK": 5}
    assert counts == {**expected, "RBK": 8, "SSR": 6, "PRD": 9, "ACD": 14, "RAK": 14}


def test_own_evenings_are_there() -> None:
    assert len(playable(OWN)) >= 8
    assert {path.stem for path in OWN.glob("*.talk")} == {
        path.name.removesuffix(".expect.json") for path in OWN.glob("*.expect.json")
    }


def differences(talk: Path) -> list[str]:
    """Everything in which a replay differs from what is expected."""
    expected = json.loads(talk.with_name(f"{talk.stem}.expect.json").read_text(encoding="utf-8"))
    states, refused = _replay(talk)
    wanted = sorted((one["line"], one["code"]) for one in expected["refused"])
    found = [(one.line, one.code) for one in refused]
    wrong = [f"refused: {found}, expected {wanted}"] if found != wanted else []
    for state in expected["after"]:
        wrong += _differing(state, states[state["line"]], f"line {state['line']}")
    return wrong + _differing(expected["final"], states[max(states)], "final")


def _replay(talk: Path) -> tuple[dict[int, Record], list[Refused]]:
    states: dict[int, Record] = {}
    refused: list[Refused] = []
    lines = talk.read_text(encoding="utf-8").split("\n")
    for replayed in replay_lines(NightLog(MemoryNight()), lines):
        if replayed.refused:
            refused.append(replayed.refused)
        states[replayed.number] = trace_record(replayed, refused)
    return states, refused


def _differing(wanted: Record, found: Record, where: str) -> list[str]:
    return [
        f"{where}: {field} {found.get(field)}, expected {value}"
        for field, value in wanted.items()
        if field != "line" and _comparable(field, value) != _comparable(field, found.get(field))
    ]


def _comparable(field: str, value: object) -> object:
    if field in UNORDERED and isinstance(value, list):
        return sorted(json.dumps(one, sort_keys=True) for one in value)
    return value
