"""Who stands behind the casino's house at the close, where nobody banked it."""

import pytest

from tests.table.talking import code, nets, played, submit

LOST = (
    "game casino-red-dog",
    "seat Ann 100",
    "seat Bob 100",
    "bet Ann 10",
    "card 2H KS",
    "call Ann",
    "card 5D",
)
WON = (*LOST[:-1], "card AD")


@pytest.mark.parametrize(("round_", "house"), [(LOST, -10), (WON, 10)])
def test_what_the_house_has_is_the_players_who_stands_behind_it(round_: tuple[str, ...], house: int) -> None:
    log = played(*round_, "close house=Bob")
    assert nets(log) == {"Ann": -house, "Bob": house}
    assert log.night.receivables() == {"p1": -house, "p2": house}
    submit(log, "reopen one more")
    assert nets(log) == {"Ann": -house, "Bob": 0}
    submit(log, "close")
    assert log.night.receivables() == {"p1": -house, "p2": 0, "house": house}


def test_a_round_lost_before_somebody_banked_is_asked_about_and_the_banks_result_is_not() -> None:
    log = played(*LOST, "house Bob 60", "bet Ann 5", "card 2D KC", "call Ann", "card 5H", "close house=Ann")
    assert nets(log) == {"Ann": 10 + 5 - 10, "Bob": -5}


def test_the_chips_of_the_house_lie_in_the_rack_whoever_stands_behind_it() -> None:
    for round_ in (LOST, WON):
        log = played("rack 100x5 100x1", *round_, "close house=Bob")
        assert log.night.in_rack == 600


def test_nobody_unknown_stands_behind_the_house() -> None:
    assert code(played(*LOST), "close house=Zoe") == "E_PLAYER"


def test_a_house_that_has_nothing_changes_nothing() -> None:
    log = played(*LOST[:3], "close house=Bob")
    assert nets(log) == {"Ann": 0, "Bob": 0}
