"""What holds for any night: random lines, legal and illegal, chosen by hypothesis, which prints their seeds.

The generator and the checks are those of scripts/fuzz_table.py: chips are conserved, a refused line changes
nothing, the log played back equals the live night, undo restores and redo puts back.
"""

import random
from pathlib import Path

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from assistant.errors import Refusal
from assistant.games.variants import all_games
from assistant.store.sqlite import create_night, open_night
from assistant.table.night import Night
from assistant.table.night_log import NightLog
from fuzz_table import Broken, Trial, any_line, legal_line

SEEDS = st.integers(0, 2**32)


@given(SEEDS)
@settings(max_examples=12)
def test_random_night_holds_together(seed: int) -> None:
    """Chips are conserved, refused lines change nothing, replay equals live, undo restores."""
    note(f"scripts/fuzz_table.py 250 --seed {seed}")
    Trial(seed).run(60)


@pytest.mark.parametrize("game", [game.name for game in all_games()])
def test_random_lines_at_one_game_hold_together(game: str) -> None:
    """A smaller run of 200,000 random lines a game; the seed is fixed."""
    Trial(3, (game,)).run(250)


@given(SEEDS)
@settings(max_examples=6)
def test_night_of_nonsense_holds_together(seed: int) -> None:
    Trial(seed).run(60, legal=0.2)


@given(SEEDS, st.integers(1, 20))
@settings(max_examples=10)
def test_undo_over_several_lines_restores_every_moment_and_redo_comes_back(seed: int, back: int) -> None:
    """TABLE_TALK.md: as if never said, over game changes, rounds and corrections alike."""
    trial = Trial(seed)
    moments = [trial.log.night]
    for _ in range(40):
        line = legal_line(trial.log.night, trial.dice) if trial.dice.random() < 0.8 else ""
        line = line or any_line(trial.log.night, trial.dice)
        if line.startswith(("undo", "redo", "close")) or _refused(trial.log, line):
            continue
        if trial.log.night is not moments[-1]:
            moments.append(trial.log.night)
    count = min(back, len(moments) - 1)
    trial.log.submit(f"undo {count}")
    assert trial.log.night == moments[-1 - count]
    for step in range(count):
        trial.log.submit("redo")
        assert trial.log.night == moments[len(moments) - count + step]
    trial.check_replay()


def _refused(log: NightLog, line: str) -> bool:
    try:
        log.submit(line)
    except Refusal:
        return True
    return False


@given(SEEDS)
@settings(max_examples=4)
def test_night_on_disk_opens_as_it_was_left(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    """The same lines into a file, the program gone, the file opened again: an equal night."""
    folder: Path = tmp_path_factory.mktemp("house")
    dice = random.Random(seed)
    with create_night(folder / "n.night") as store:
        log = NightLog(store)
        for line in ("game red-dog-pool hand=3", "seat A 100", "seat B 100", "seat C 100"):
            log.submit(line)
        for _ in range(25):
            _refused(log, legal_line(log.night, dice) if dice.random() < 0.8 else any_line(log.night, dice))
        left: Night = log.night
    with open_night(folder / "n.night") as store:
        assert NightLog(store).night == left
        assert store.verify().ok


def test_the_checks_can_fail() -> None:
    """A night to which a chip was added is found out."""
    trial = Trial(1)
    with pytest.raises(Broken, match="seed 1"):
        trial._must(False, "line", "what")
