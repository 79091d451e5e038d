"""Storage faults that befell comparable programs (cases.csv, area storage), each with its right outcome here.

B213, B215, B218, B220 and B225 are in tests/store/test_sqlite.py, B216 in tests/store/test_nights.py and
tests/console/test_safety.py, cut power (B212) in tests/store/test_power_cut.py.
"""

import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.config import House
from assistant.errors import Refusal
from assistant.games.variants import all_games
from assistant.store.log_file import compare
from assistant.store.sqlite import create_night, open_night
from assistant.table.night_log import NightLog
from assistant.table.opening import open_tonight
from assistant.table.record import night_record
from fuzz_table import game_line, legal_line

GAMES = [game.name for game in all_games()]
LINES_A_GAME = 40
PLAYING = """
import sys
from pathlib import Path
from assistant.config import House
from assistant.table.opening import open_tonight
session = open_tonight(House(Path(sys.argv[1])))
for line in sys.argv[2:]:
    assert session.submit(line).accepted, line
    print("booked", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "house")


def play_and_kill(house: House, *lines: str, after: int = 0) -> None:
    """Book lines in another process and kill it right after the last one was said to be booked."""
    program = [sys.executable, "-c", PLAYING, str(house.folder), *lines]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        for _line in range(after or len(lines)):
            assert child.stdout.readline() == "booked\n"
        child.kill()
    assert child.returncode in (-signal.SIGKILL, 1)


def test_crash_before_anything_else_keeps_night_players_and_buy_in(house: House) -> None:
    """B223: killed as soon as the first buy-in is said to be booked."""
    play_and_kill(house, "seat Anna", "seat Boris", "buy Anna 50")
    session = open_tonight(house)
    assert [(seat.name, seat.stack) for seat in session.snapshot.seats] == [("Anna", 50), ("Boris", 0)]
    session.close()


def test_killed_program_leaves_nothing_to_be_deleted_by_hand(house: House) -> None:
    """B210: it starts at once, also where the note of who has it names a process that lives."""
    play_and_kill(house, "seat Anna 50")
    note = next(house.nights.glob("*.lock"))
    assert str(note.read_text())
    session = open_tonight(house)
    assert session.submit("seat Boris 50").accepted
    session.close()


def test_second_window_is_refused_by_name_and_the_first_goes_on(house: House) -> None:
    """B209; other windows may not read along either: one window a night."""
    from assistant.store.base import NightInUse

    first = open_tonight(house)
    program = [sys.executable, "-c", PLAYING, str(house.folder), "seat Anna 50"]
    second = subprocess.run(program, capture_output=True, text=True, input="", check=False)
    assert NightInUse.__name__ in second.stderr
    assert f"Night {first.name} is open in another window (process" in second.stderr
    assert first.submit("seat Anna 50").accepted
    first.close()


@pytest.mark.parametrize("number", range(20))
def test_killed_at_any_line_all_booked_lines_are_there_and_the_copy_is_of_them(
    house: House, number: int
) -> None:
    """B212, scenario 23: 20 kills; the copy is never ahead of the night."""
    lines = ["game red-dog-pool ante=5 hand=3", "seat Anna 100", "seat Boris 100"]
    lines += [f"note {'x' * (37 * one % 900)}" for one in range(number * 3)]
    play_and_kill(house, *lines)
    path = next(house.nights.glob("*.night"))
    with open_night(path) as night:
        rows = night.rows()
        assert night.verify().ok
    assert len(rows) == len(lines)
    assert compare(house.copies / f"{path.stem}.jsonl", rows).standing.value in ("missing", "behind")
    session = open_tonight(house)
    assert (session.damage, session.snapshot.entries) == (None, len(lines))
    session.close()


@pytest.mark.parametrize("game", GAMES)
def test_killed_at_any_step_of_a_hand_the_same_hand_is_there(game: str, tmp_path: Path) -> None:
    """B222: what a killed program leaves is what the system holds of its files; each step of 40 is tried."""
    dice = random.Random(game)
    path = tmp_path / "n.night"
    with create_night(path) as store:
        log = NightLog(store)
        for line in (game_line(dice, [game]), *(f"seat {name} 200" for name in ("Anna", "Boris", "Vera"))):
            log.submit(line)
        in_hand = 0
        for step in range(LINES_A_GAME):
            between = not log.night.in_round and not game.startswith("casino")
            try:
                log.submit("round" if between and step % 2 == 0 else legal_line(log.night, dice))
            except Refusal:
                continue
            left = tmp_path / str(step)
            left.mkdir()
            for file in path.parent.glob(f"{path.name}*"):
                shutil.copyfile(file, left / file.name)
            with open_night(left / path.name) as again:
                resumed = NightLog(again)
                assert night_record(resumed.night) == night_record(log.night)
                if log.night.in_round and log.night.rounds.last is not None:
                    in_hand += 1
                    _declines(resumed)
    assert in_hand > 0


def _declines(resumed: NightLog) -> None:
    """Whoever does not want the hand calls it off: every chip is where it was before it."""
    last = resumed.night.rounds.last
    assert last is not None
    before = last.start.table.chips
    if resumed.night.game_name.startswith("casino") and not resumed.night.state.board:
        return  # bets before the first card are taken down, not called off
    resumed.submit("void")
    stacks = {player: before.stack(player) + before.bet(player) for player in resumed.night.table.players}
    chips = resumed.night.chips
    now = {player: chips.stack(player) + chips.bet(player) for player in resumed.night.table.players}
    assert now == stacks
    assert chips.total() == 0
