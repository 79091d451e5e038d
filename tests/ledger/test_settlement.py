"""Who pays whom in the fewest payments."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.ledger.settlement import NetsDoNotBalance, Plan, Transfer, settle

SCENARIO_20 = {"Ann": -35, "Boris": -50, "Vera": 85, "Gleb": 55, "Dasha": -55, "Egor": 65, "Zoya": -65}
# Where paying the largest first is not minimal: name -> nets, fewest payments.
CASES: dict[str, tuple[list[int], int]] = {
    "largest first needs four": ([5000, 4000, -3500, -4000, -1500], 3),
    "two have no result": ([400, -400, 0, 0], 1),
    "nobody has a result": ([0, 0, 0], 0),
    "one unit": ([1, -1], 1),
    "one against six": ([17000, -3000, -2800, -2800, -2800, -2800, -2800], 6),
    "a pair and a group": ([50, 40, -35, -40, -15], 3),
    "two groups of three": ([5, 7, -12, 3, 8, -11], 4),
    "alone": ([0], 0),
    "no players": ([], 0),
    "nine people of a shared flat": (
        [307594, 34005, -70525, 43507, -68593, -64524, -59892, -66892, -54680],
        8,
    ),
    "twelve of ten against eight of fifteen": ([10] * 12 + [-15] * 8, 16),
    "one against nineteen": ([*range(1, 20), -190], 19),
}


def named(values: list[int]) -> dict[str, int]:
    return {f"p{seat}": value for seat, value in enumerate(values)}


def fewest_by_brute_force(values: list[int]) -> int:
    """n - k by trying every subset, without any of the solver's short cuts."""
    results = [value for value in values if value]
    most = [0] * (1 << len(results))
    for subset in range(1, len(most)):
        members = [index for index in range(len(results)) if subset >> index & 1]
        is_group = sum(results[index] for index in members) == 0
        most[subset] = max(most[subset ^ (1 << index)] for index in members) + is_group
    return len(results) - most[-1]


def assert_settles(nets: dict[str, int], plan: Plan) -> None:
    left = dict(nets)
    for transfer in plan.transfers:
        assert transfer.amount > 0
        assert nets[transfer.payer] < 0 < nets[transfer.payee]
        left[transfer.payer] += transfer.amount
        left[transfer.payee] -= transfer.amount
    assert set(left.values()) <= {0}
    pairs = [(transfer.payer, transfer.payee) for transfer in plan.transfers]
    seats = list(nets)
    assert pairs == sorted(set(pairs), key=lambda pair: (seats.index(pair[0]), seats.index(pair[1])))


def test_four_payments_where_paying_the_largest_first_needs_six() -> None:
    """Scenario 20."""
    assert settle(SCENARIO_20) == Plan(
        (
            Transfer("Ann", "Vera", 35),
            Transfer("Boris", "Vera", 50),
            Transfer("Dasha", "Gleb", 55),
            Transfer("Zoya", "Egor", 65),
        ),
        minimal=True,
    )


@pytest.mark.parametrize("name", CASES)
def test_fewest_payments(name: str) -> None:
    values, payments = CASES[name]
    plan = settle(named(values))
    assert_settles(named(values), plan)
    assert (len(plan.transfers), plan.minimal) == (payments, True)


def test_cases_of_settlements_that_went_wrong_elsewhere(shared: Path) -> None:
    for case in json.loads((shared / "cases" / "settlements.json").read_text(encoding="utf-8")):
        plan = settle(case["nets"])
        assert_settles(case["nets"], plan)
        assert (case["id"], len(plan.transfers)) == (case["id"], case["min_transfers"])


def test_largest_first_would_fail_these_tests() -> None:
    """The comparison is worth something only where the usual way needs more."""
    assert fewest_by_brute_force(list(SCENARIO_20.values())) == 4
    assert fewest_by_brute_force([5000, 4000, -3500, -4000, -1500]) == 3


@pytest.mark.parametrize("seed", range(60))
def test_as_few_as_brute_force_finds(seed: int) -> None:
    """3,000 random nights of up to 8 players, small stakes (many ties) and large ones; more of them in
    scripts/bench_settlement.py."""
    night = random.Random(seed)
    for _night in range(50):
        players, stakes = night.randint(2, 8), night.choice([2, 6, 20, 1000])
        values = [night.randint(-stakes, stakes) for _ in range(players - 1)]
        values.append(-sum(values))
        plan = settle(named(values))
        assert_settles(named(values), plan)
        assert (values, len(plan.transfers)) == (values, fewest_by_brute_force(values))


@given(st.lists(st.integers(-30, 30), min_size=1, max_size=11))
def test_any_night_is_settled_with_at_most_one_payment_less_than_players(values: list[int]) -> None:
    values[-1] -= sum(values)
    plan = settle(named(values))
    assert_settles(named(values), plan)
    assert len(plan.transfers) <= max(0, sum(1 for value in values if value) - 1)
    assert plan == settle(named(values))


def test_ties_go_by_seat() -> None:
    nets = {"Dasha": 5, "Ann": -5, "Boris": 5, "Vera": -5}
    assert settle(nets).transfers == (Transfer("Ann", "Dasha", 5), Transfer("Vera", "Boris", 5))


def test_nodes_come_last() -> None:
    """The house and a carried pool take part like players, named after them."""
    plan = settle({"A": -30, "B": 10, "house": 25, "carried": -5})
    assert plan.transfers == (
        Transfer("A", "B", 10),
        Transfer("A", "house", 20),
        Transfer("carried", "house", 5),
    )


def test_busiest_person_has_as_little_to_do_as_can_be() -> None:
    plan = settle({"A": -9, "B": -8, "C": -6, "D": 12, "E": 7, "F": 4})
    people = [name for transfer in plan.transfers for name in (transfer.payer, transfer.payee)]
    assert len(plan.transfers) == 5
    assert max(people.count(name) for name in set(people)) == 2


@pytest.mark.parametrize("nets", [{"A": 1}, {"A": 5, "B": -4}, {"A": -1, "B": 0}])
def test_no_plan_where_the_results_do_not_sum_to_zero(nets: dict[str, int]) -> None:
    with pytest.raises(NetsDoNotBalance) as refused:
        settle(nets)
    assert refused.value.total == sum(nets.values())


def test_too_many_different_results_are_settled_without_proof_and_say_so() -> None:
    values = [(-1) ** number * (1000 + number**2) for number in range(25)]
    values.append(-sum(values))
    plan = settle(named(values))
    assert_settles(named(values), plan)
    assert plan.minimal is False


def test_twenty_different_results_are_still_proved() -> None:
    values = [(-1) ** number * (1000 + number**2) for number in range(19)]
    values.append(-sum(values))
    plan = settle(named(values))
    assert_settles(named(values), plan)
    assert plan.minimal is True
