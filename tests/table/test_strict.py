"""A strict house: undo and fix stop at a placed bet, and only a void round takes it back."""

from contextlib import suppress
from pathlib import Path

import pytest

from assistant.config import House
from assistant.errors import AssistantError, Refusal
from assistant.store.memory import MemoryNight
from assistant.table.night_log import NightLog
from assistant.table.opening import open_tonight
from assistant.table.session import TableSession
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


GIVES_BACK = [
    "remove Ann",
    "clear Ann",
    "sitout Ann",
    "leave Ann",
    "leave Ann cash",
    "house Ann",
    "game red-dog-pool",
    "game casino-red-dog decks=2",
    "close",
]
"""Lines that give a placed bet back where that is allowed, and more than the last chip of it does."""


def casino(*lines: str, strict: bool = True) -> NightLog:
    log = NightLog(MemoryNight(), strict=strict)
    submit(log, "game casino-red-dog", "seat Ann 100", "seat Boris 100", "bet Ann 50", *lines)
    return log


def bet(log: NightLog) -> int:
    return log.night.chips.bet(next(one.player for one in log.night.people if one.name == "Ann"))


@pytest.mark.parametrize("line", GIVES_BACK)
def test_between_rounds_no_line_gives_a_placed_bet_back(line: str) -> None:
    free = casino(strict=False)
    free.submit(line)
    assert bet(free) == 0
    log = casino()
    assert code(log, line) == "E_UNDO"
    assert message(log, line) == (
        "In this house a placed bet stays as it was typed, and this would give Ann 50 back. Play the round, "
        "or turn its first card and call it off with “void”."
    )
    assert bet(log) == 50
    submit(log, "card 2H", "void misdeal", "bet Ann 5")
    assert (bet(log), stacks(log)["Ann"]) == (5, 95)


@pytest.mark.parametrize("line", GIVES_BACK)
def test_in_a_round_no_line_gives_a_placed_bet_back(line: str) -> None:
    log = casino("card 2H 9S")
    with suppress(Refusal):  # some wait for the round's end
        log.submit(line)
    assert bet(log) == 50


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        (["card 2H 9S", "call Ann", "card 5D"], 100 + 50),
        (["card 2H 9S", "call Ann", "card KD"], 50),
        (["card 2H 3S"], 100),
        (["move Ann after=Boris", "house Boris", "bet Ann 5", "card 2H 2S KD"], 100),
    ],
)
def test_the_rounds_end_settles_a_bet_as_in_any_other_house(lines: list[str], left: int) -> None:
    log = casino(*lines)
    assert (bet(log), stacks(log)["Ann"]) == (0, left)
    submit(log, "leave Ann")


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


@pytest.mark.parametrize("lines", [(), ("bet Ann 5",), ("bet Boris 10", "card 2H 9S")])
def test_what_a_screen_offers_is_taken(lines: tuple[str, ...]) -> None:
    """`remove` and `clear` are no choices where a placed bet stays; the rest is as in any other house."""
    offered = {}
    for is_strict in (False, True):
        store = MemoryNight()
        session = TableSession(store, "n", strict=is_strict)
        for line in ("game casino-red-dog", "seat Ann 100", "seat Boris 100", "bet Ann 50", *lines):
            assert session.submit(line).accepted
        offered[is_strict] = {(one.verb, one.player) for one in session.snapshot.choices}
        undo = session.snapshot.undo_stops
        assert undo == (is_strict and "card" not in "".join(lines))
        assert session.submit("undo").accepted is not undo
    gives_back = {one for one in offered[False] if one[0] in ("remove", "clear")}
    assert bool(gives_back) == ("card" not in "".join(lines))
    assert offered[True] == offered[False] - gives_back
