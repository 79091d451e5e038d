"""What an amount is made up of, and what the rack can and can't do (LEDGER.md 6.5)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import Refusal
from assistant.ledger import chipset
from assistant.ledger.chipset import (
    Denominations,
    break_down,
    break_down_buy_in,
    has_negative,
    is_chips,
    minus,
    nearest_amounts,
    negated,
    plus,
    read_chips,
    take_in,
    tidy,
    worth,
    write_chips,
)
from assistant.money import Currency

SET: Denominations = ((100, 10), (25, 40), (5, 100), (1, 100))
EUR = Currency("EUR", 2)
CHIPS = st.lists(st.tuples(st.integers(1, 60), st.integers(1, 8)), max_size=5).map(tidy)


def test_set_is_worth_two_thousand_six_hundred() -> None:
    assert worth(SET) == 2600
    assert read_chips(["100x1", "100x5", "40x25", "10x100"]) == SET


@pytest.mark.parametrize(
    ("words", "chips"),
    [
        (["2x25", "1x5"], ((25, 2), (5, 1))),
        (["2x25", "+", "1x5"], ((25, 2), (5, 1))),
        (["2X25"], ((25, 2),)),
        (["2х25"], ((25, 2),)),  # the Cyrillic letter on the same key
        (["1x5", "2x5"], ((5, 3),)),
        (["0x5", "1x25"], ((25, 1),)),
    ],
)
def test_chips_are_read_as_how_many_and_their_value(words: list[str], chips: Denominations) -> None:
    assert read_chips(words) == chips


def test_chips_of_a_night_in_money_have_a_point() -> None:
    assert read_chips(["4x0.25", "1x2"], EUR) == ((200, 1), (25, 4))
    assert write_chips(((200, 1), (25, 4)), EUR) == "1x2 + 4x0.25"
    assert write_chips(((25, -2), (5, 1))) == "2x25 + 1x5"


@pytest.mark.parametrize(
    "words", [["25"], ["2x"], ["x5"], ["2x0"], ["2x2.5"], ["-2x5"], [], ["+"], ["0x5"], ["2x5,5"]]
)
def test_what_are_no_chips_is_refused(words: list[str]) -> None:
    with pytest.raises(Refusal) as refused:
        read_chips(words)
    assert refused.value.code == "E_AMOUNT"


def test_too_many_chips_are_refused() -> None:
    for words in ([f"1x{value}" for value in range(1, 14)], ["100000x1", "1x5"]):
        with pytest.raises(Refusal) as refused:
            read_chips(words)
        assert refused.value.reason == "chips_too_many"


def test_words_that_are_meant_as_chips() -> None:
    assert [is_chips(word) for word in ("2x25", "2x2.5", "25", "x25", "2x")] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_payout_is_proposed_in_large_chips() -> None:
    assert break_down(55, SET) == ((25, 2), (5, 1))
    assert break_down(0, SET) == ()
    assert break_down(2600, SET) == SET
    assert break_down(2601, SET) is None
    assert break_down(5, ()) is None


def test_large_chips_are_given_up_where_they_do_not_fit() -> None:
    assert break_down(30, ((25, 1), (10, 3))) == ((10, 3),)
    assert break_down(60, ((50, 1), (20, 3))) == ((20, 3),)
    assert break_down(7, ((5, 1), (3, 2))) is None


@given(CHIPS, st.integers(0, 300))
def test_what_is_proposed_is_worth_the_amount_and_there(chips: Denominations, amount: int) -> None:
    found = break_down(amount, chips)
    if found is not None:
        assert worth(found) == amount
        assert not has_negative(minus(chips, found))
    else:
        sums = {0}
        for value, count in chips:
            sums = {sum_ + value * used for sum_ in sums for used in range(count + 1)}
        assert amount not in sums


def test_buy_in_has_small_chips_for_ten_antes() -> None:
    assert break_down_buy_in(100, SET, 5) == ((25, 2), (5, 10))
    assert break_down_buy_in(30, SET, 5) == ((5, 6),)
    assert break_down_buy_in(100, SET, 1) == ((25, 3), (5, 3), (1, 10))
    assert break_down_buy_in(100, SET, 0) == ((100, 1),)
    # the rack has few small ones left: as many as there are
    assert break_down_buy_in(100, ((25, 4), (5, 5)), 5) == ((25, 3), (5, 5))
    assert break_down_buy_in(7, SET, 0) == ((5, 1), (1, 2))
    assert break_down_buy_in(33, ((25, 2), (10, 1)), 10) is None


def test_buy_in_of_an_odd_set_is_given_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three chips of 1 beside thousands: a hundred thousand parts that end in 7 can't be made up."""
    asked: list[int] = []
    run = chipset._Search.run

    def counted(search: chipset._Search, amount: int) -> chipset.Denominations | None:
        asked.append(amount)
        return run(search, amount)

    monkeypatch.setattr(chipset._Search, "run", counted)
    assert break_down_buy_in(100_007, ((20_000, 50), (10_000, 20), (1, 3)), 10_000) is None
    assert len(asked) < 25_000
    assert break_down_buy_in(100_000, ((20_000, 50), (10_000, 20), (1, 3)), 10_000) == ((10_000, 10),)


def test_nearest_amounts_that_can_be_made_up() -> None:
    assert nearest_amounts(33, ((25, 3), (10, 1))) == (25, 35)
    assert nearest_amounts(90, ((25, 3), (10, 1))) == (85,)
    assert nearest_amounts(3, ((25, 3),)) == (25,)
    assert nearest_amounts(3, ()) == ()


def test_cashed_chips_come_in_with_change_given_back() -> None:
    assert take_in(70, ((100, 1), (25, 4)), ((5, 10),)) == ((25, 3), (5, -1))
    assert take_in(75, ((100, 1), (25, 4)), ()) == ((25, 3),)
    assert take_in(70, ((100, 1),), ()) is None
    assert take_in(0, ((100, 1),), ()) == ()
    assert take_in(5000, ((10_000, 1),), ()) is None


def test_changes_are_added_and_taken_back() -> None:
    assert plus(SET, negated(SET)) == ()
    assert minus(((25, 2),), ((25, 3),)) == ((25, -1),)
    assert has_negative(((25, -1),))
