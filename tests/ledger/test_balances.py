"""Postings, balances and the invariants I1 and I2."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.holdings import HOUSE, POOL, stack_of
from assistant.ledger.accounts import (
    CASHBOX,
    CHIPSET,
    RACK,
    Posting,
    Unbalanced,
    check_balanced,
    chips,
    due_of,
    money,
    owner_of,
)
from assistant.ledger.balances import Balances, Overdrawn, book, fold, is_sound

BUY_IN = (chips(RACK, -100), chips(stack_of("p1"), 100), money(owner_of("p1"), -100), money(CASHBOX, 100))


def test_each_commodity_sums_to_zero() -> None:
    check_balanced(BUY_IN)
    check_balanced(())
    for wrong in (BUY_IN[:3], BUY_IN[1:], (chips(RACK, -1), money(CASHBOX, 1))):
        with pytest.raises(Unbalanced):
            check_balanced(wrong)
    with pytest.raises(Unbalanced):
        check_balanced((Posting(RACK, "X", 1), Posting(POOL, "X", -1)))


def test_buy_in_moves_chips_and_money() -> None:
    balances = book(Balances(), BUY_IN)
    assert balances.of("C") == {RACK: -100, stack_of("p1"): 100}
    assert balances.of("M") == {owner_of("p1"): -100, CASHBOX: 100}
    assert (balances.at(stack_of("p1")), balances.at(CASHBOX, "M"), balances.at(CASHBOX)) == (100, 100, 0)


@pytest.mark.parametrize("account", [stack_of("p1"), "bet:p1", POOL, "bank", "tips"])
def test_places_of_chips_hold_nothing_negative(account: str) -> None:
    with pytest.raises(Overdrawn) as refused:
        book(Balances(), (chips(account, -5), chips("rack", 5)))
    assert (refused.value.account, refused.value.balance) == (account, -5)


@pytest.mark.parametrize("account", [HOUSE, RACK, CHIPSET, due_of("p1"), owner_of("p1")])
def test_house_pockets_and_dues_may_be_negative(account: str) -> None:
    assert book(Balances(), (chips(account, -5), chips(POOL, 5))).at(account) == -5


def test_rack_is_bound_once_a_set_was_counted_into_it() -> None:
    with_set = book(Balances(), (chips(CHIPSET, -50), chips(RACK, 50)))
    with pytest.raises(Overdrawn):
        book(with_set, (chips(RACK, -51), chips(POOL, 51)))


def test_old_overdraft_does_not_stop_an_entry_elsewhere() -> None:
    bad = Balances().after((chips(POOL, -5), chips(RACK, 5)))
    assert [problem.account for problem in bad.overdrawn()] == [POOL]
    assert book(bad, (chips(RACK, -5), chips(stack_of("p1"), 5))).at(stack_of("p1")) == 5


POSTINGS = st.lists(
    st.builds(
        Posting,
        st.sampled_from(["stack:a", "stack:b", POOL, RACK]),
        st.sampled_from("CM"),
        st.integers(-9, 9),
    ),
    max_size=8,
).map(tuple)


@given(st.lists(POSTINGS, max_size=6))
def test_folding_a_night_equals_booking_it_entry_by_entry(entries: list[tuple[Posting, ...]]) -> None:
    step_by_step = Balances()
    for postings in entries:
        step_by_step = step_by_step.after(postings)
    assert fold(entries) == step_by_step
    total = sum(posting.amount for postings in entries for posting in postings if posting.commodity == "C")
    assert step_by_step.total("C") == total


def test_soundness() -> None:
    assert is_sound(book(Balances(), BUY_IN))
    assert not is_sound(Balances().after(BUY_IN[:1]))
    assert not is_sound(Balances().after((chips(POOL, -5), chips(RACK, 5))))
