"""A strict house: undo and fix stop at a placed bet, and only a void round takes it back."""

from pathlib import Path

import pytest

from assistant.config import House
from assistant.errors import AssistantError
from assistant.store.memory import MemoryNight
from assistant.table.night_log import NightLog
from assistant.table.opening import open_tonight
from tests.table.scenario_play import BANK
from tests.table.talking import code, message, stacks, submit


def strict() -> NightLog:
    log = NightLog(MemoryNight(), strict=True)
    submit(log, BANK, "seat Ann 100", "seat Boris 100", "house Boris")
    return log


def test_no_undo_goes_past_a_placed_bet() -> None:
    log = strict()
    submit(log, "bet Ann 50", "card 2H 9S")
    log.submit("undo")
    assert code(log, "undo") == "E_UNDO"
    assert message(log, "undo").startswith(
        "In this house a placed bet stays as it was typed: bet Ann 50. Call"
    )
    submit(log, "card 2H 9S", "note hm", "undo")
    assert code(log, "undo 5") == "E_UNDO"
    log.submit("void misdeal")
    assert stacks(log) == {"Ann": 100, "Boris": 100}


def test_no_round_is_worked_out_again() -> None:
    log = strict()
    submit(log, "bet Ann 50", "card 2H 9S", "call Ann", "card KD")
    assert (code(log, "fix KD 4D"), stacks(log)["Ann"]) == ("E_FIX", 50)


def test_what_is_no_bet_is_taken_back_as_ever() -> None:
    log = strict()
    submit(log, "buy Ann 1000", "undo", "buy Ann 10", "reverse 7 not paid")
    assert stacks(log)["Ann"] == 100


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", False), ('strict = "on"', True), ("strict = true", True), ('strict = "off"', False)],
)
def test_house_file_says_whether_it_is_strict(text: str, expected: bool, tmp_path: Path) -> None:
    house = House(tmp_path)
    (tmp_path / "house.toml").write_text(text, encoding="utf-8")
    assert house.strict is expected
    session = open_tonight(house)
    assert session.log.strict is expected
    session.close()


def test_other_words_in_the_house_file_are_named(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text("strict = 3", encoding="utf-8")
    with pytest.raises(AssistantError, match='Write strict = "on" or strict = "off"'):
        assert House(tmp_path).strict
