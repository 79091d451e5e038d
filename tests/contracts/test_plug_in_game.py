"""A game of another package: found by its entry point, played, stored and shown like the games of this one.

The sample in ``tests/data/plug_in_game`` is one module; nothing of this program knows it.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

METADATA = "Metadata-Version: 2.1\nName: high-card-draw\nVersion: 1.0\n"
POINTS = "[tableside.games]\nhigh-card-draw = high_card_draw:HighCardDraw\n"
NIGHT = """
game high-card-draw ante=10
seat Anna 100
seat Bob 100
dealer Anna
card KH
round
card 9H
fix 9H QH
card KD
undo
card JD
shuffle
"""


@pytest.fixture
def plug_in(tmp_path: Path, repository: Path) -> Path:
    """A folder as an installer would leave it."""
    source = repository / "tests" / "data" / "plug_in_game" / "high_card_draw.py"
    folder = tmp_path / "site"
    about = folder / "high_card_draw-1.0.dist-info"
    about.mkdir(parents=True)
    (folder / "high_card_draw.py").write_text(source.read_text("utf-8"), "utf-8")
    (about / "METADATA").write_text(METADATA, "utf-8")
    (about / "entry_points.txt").write_text(POINTS, "utf-8")
    return folder


def replayed(folder: Path, repository: Path, text: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(repository), str(folder)])
    return subprocess.run(
        [sys.executable, "-m", "assistant", "replay", "-", "--json"],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
        timeout=120,
        check=False,
    )


def test_game_of_another_package_is_played_undone_and_mended(plug_in: Path, repository: Path) -> None:
    done = replayed(plug_in, repository, NIGHT)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["game"], found["phase"], found["pool"]) == ("high-card-draw", "ANTE", 0)
    assert found["stacks"] == {"Anna": 90, "Bob": 110}
    assert [one["code"] for one in found["refused"]] == ["E_PHASE"]


def test_its_own_sentences_are_what_the_dealer_reads(plug_in: Path, repository: Path) -> None:
    code = """
from assistant.store.memory import MemoryNight
from assistant.table.session import TableSession
session = TableSession(MemoryNight())
for line in ("game high-card-draw", "seat Anna 100", "round", "seat Bob 100", "dealer Anna", "round"):
    outcome = session.submit(line)
    print(outcome.message or outcome.snapshot.duty, "|", outcome.snapshot.say)
session.show_odds(True)
print(session.snapshot.odds, session.snapshot.pool_label)
"""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(repository), str(plug_in)])}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True)
    assert done.stdout.splitlines() == [
        "SEAT the players | ",
        "BUY IN: two must pay 5 | ",
        "At least two must pay the ante of 5. | ",
        "OPEN the draw: ante 5 each | ",
        "OPEN the draw: ante 5 each | ",
        "DEAL a card to Bob | Bob, your card.",
        "('There are no exact odds for this moment',) pool",
    ]


def test_game_that_does_not_load_is_named_and_hurts_no_other(plug_in: Path, repository: Path) -> None:
    points = plug_in / "high_card_draw-1.0.dist-info" / "entry_points.txt"
    points.write_text("[tableside.games]\nbroken = no_such_module:Game\nodd = json:dumps\n", "utf-8")
    done = replayed(plug_in, repository, "game casino-red-dog\nseat Anna 100\n")
    assert done.returncode == 0
    assert json.loads(done.stdout)["game"] == "casino-red-dog"
    assert "broken" in done.stderr
    assert "odd" in done.stderr


def test_game_of_another_package_replaces_none_of_this_one(plug_in: Path, repository: Path) -> None:
    module = plug_in / "high_card_draw.py"
    module.write_text(module.read_text("utf-8").replace('"high-card-draw"', '"rake"'), "utf-8")
    done = replayed(plug_in, repository, "game rake tie=split\nseat Anna 100\n")
    assert json.loads(done.stdout)["refused"] == []
    assert "rake" in done.stderr
