"""How a plan is made by the terms of the night, rounded, paid in parts (LEDGER.md 7)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.ledger.plan import CASHIER, HUB, FrozenPlan, Line, Terms, make_plan, round_to_unit
from assistant.ledger.settlement import NetsDoNotBalance, Plan, Transfer, settle

NETS = {"Ann": -35, "Boris": -50, "Vera": 85, "Gleb": 55, "Dasha": -55, "Egor": 65, "Zoya": -65}
APART = Terms(apart=(("Zoya", "Egor"),))


def left_over(nets: dict[str, int], plan: Plan) -> dict[str, int]:
    left = dict(nets)
    for one in plan.transfers:
        assert one.amount > 0
        left[one.payer] = left.get(one.payer, 0) + one.amount
        left[one.payee] = left.get(one.payee, 0) - one.amount
    return {name: amount for name, amount in left.items() if amount}


def pairs(plan: Plan) -> set[frozenset[str]]:
    return {frozenset((one.payer, one.payee)) for one in plan.transfers}


@pytest.mark.parametrize(
    ("terms", "payments", "minimal"),
    [
        (Terms(), 4, True),
        (Terms(CASHIER), 7, False),
        (Terms(HUB, "Vera"), 6, False),
        (APART, 5, False),
        (Terms(gone=("Zoya",)), 5, False),
        (Terms(gone=("Nobody",)), 4, True),
    ],
)
def test_payments_by_the_terms(terms: Terms, payments: int, minimal: bool) -> None:
    plan = make_plan(NETS, terms)
    assert (len(plan.transfers), plan.minimal, left_over(NETS, plan)) == (payments, minimal, {})
    assert plan == make_plan(dict(NETS), terms)


def test_cashier_collects_before_paying() -> None:
    plan = make_plan({"A": 30, "B": -10, "house": -20}, Terms(CASHIER))
    assert plan.transfers == (
        Transfer("B", "box", 10),
        Transfer("house", "box", 20),
        Transfer("box", "A", 30),
    )


def test_who_has_cash_in_the_box_gets_it_in_every_mode() -> None:
    nets = {"A": 100, "B": 50, "box": -150}
    assert make_plan(nets, Terms()).transfers == (Transfer("box", "A", 100), Transfer("box", "B", 50))
    assert make_plan(nets, Terms(CASHIER)).transfers == (Transfer("box", "A", 100), Transfer("box", "B", 50))
    assert make_plan(nets, Terms(HUB, "A")).transfers == (Transfer("box", "A", 150), Transfer("A", "B", 50))
    gone = make_plan({**nets, "A": 90, "C": 10}, Terms(gone=("C",)))
    assert Transfer("box", "C", 10) in gone.transfers


def test_two_who_stay_apart_do_so_with_the_fewest_payments_where_that_can_be() -> None:
    nets = {"A": -40, "B": 40, "C": -40, "D": 40}
    plan = make_plan(nets, Terms(apart=(("A", "B"),)))
    assert (plan.transfers, plan.minimal) == ((Transfer("A", "D", 40), Transfer("C", "B", 40)), True)
    # in a group of three another order of payments keeps them apart
    nets = {"A": -30, "B": -20, "C": 25, "D": 25}
    assert frozenset(("A", "C")) in pairs(make_plan(nets, Terms()))
    for apart in (("A", "C"), ("B", "D"), ("A", "D"), ("B", "C")):
        plan = make_plan(nets, Terms(apart=(apart,)))
        assert frozenset(apart) not in pairs(plan)
        assert left_over(nets, plan) == {}


def test_two_who_have_nobody_else_pay_through_the_box() -> None:
    plan = make_plan({"A": -40, "B": 40}, Terms(apart=(("A", "B"),)))
    assert (plan.transfers, plan.minimal) == ((Transfer("A", "box", 40), Transfer("box", "B", 40)), False)
    assert settle({"A": -40, "B": 40}, [frozenset("AB")]).transfers == (Transfer("A", "B", 40),)


@given(
    st.lists(st.integers(-30, 30), min_size=2, max_size=9),
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=4),
)
def test_nobody_pays_whom_they_must_not(values: list[int], apart: list[tuple[int, int]]) -> None:
    values[-1] -= sum(values)
    nets = {f"p{seat}": value for seat, value in enumerate(values)}
    forbidden = tuple((f"p{one}", f"p{other}") for one, other in apart if one != other)
    plan = make_plan(nets, Terms(apart=forbidden))
    assert left_over(nets, plan) == {}
    assert not pairs(plan) & set(map(frozenset, forbidden))
    if plan.minimal:
        assert len(plan.transfers) == len(make_plan(nets, Terms()).transfers)


@pytest.mark.parametrize("terms", [Terms(), Terms(CASHIER), Terms(HUB, "A")])
def test_no_plan_where_the_results_do_not_sum_to_zero(terms: Terms) -> None:
    with pytest.raises(NetsDoNotBalance):
        make_plan({"A": 1}, terms)
    with pytest.raises(NetsDoNotBalance):
        round_to_unit({"A": 1}, 5)


@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=12), st.sampled_from([1, 5, 10, 50]))
def test_rounding_keeps_the_sum_and_moves_nobody_by_a_unit(values: list[int], unit: int) -> None:
    values[-1] -= sum(values)
    nets = {f"p{seat}": value for seat, value in enumerate(values)}
    rounded = round_to_unit(nets, unit)
    assert sum(rounded.values()) == 0
    assert all(amount % unit == 0 for amount in rounded.values())
    assert all(abs(rounded[who] - nets[who]) < unit for who in nets)


@given(st.lists(st.integers(1, 300), min_size=1, max_size=8), st.sampled_from([1, 5, 10, 50]))
def test_box_never_pays_out_more_than_it_holds(values: list[int], unit: int) -> None:
    nets = {**{f"p{seat}": value for seat, value in enumerate(values)}, "box": -sum(values)}
    rounded = round_to_unit(nets, unit)
    assert 0 <= -rounded["box"] <= sum(values)
    assert sum(rounded.values()) == 0


def test_payment_shortens_its_own_line() -> None:
    plan = FrozenPlan(1, "players", "", 1, True, (Line("A", "B", 95), Line("C", "B", 5)))
    paid = plan.paid("A", "B", 60)
    assert [(one.open, one.paid) for one in paid.lines] == [(35, 60), (5, 0)]
    assert (plan.line("C", "B"), plan.line("B", "C")) == (Line("C", "B", 5), None)
    assert (paid.is_finished, paid.paid("A", "B", 35).paid("C", "B", 5).is_finished) == (False, True)
    assert paid.paid("A", "B", -60) == plan


def test_hub_never_settles_with_who_stays_apart_or_has_left() -> None:
    nets = {"A": 60, "B": -60, "C": -30, "D": 30}
    plan = make_plan(nets, Terms(HUB, "A", apart=(("B", "A"),), gone=("D",)))
    assert [(one.payer, one.payee, one.amount) for one in plan.transfers] == [
        ("B", "box", 60),
        ("C", "A", 30),
        ("box", "A", 30),
        ("box", "D", 30),
    ]
    gone = make_plan(nets, Terms(HUB, "A", gone=("A",)))
    assert gone.transfers == make_plan(nets, Terms(CASHIER)).transfers


@given(
    st.lists(st.integers(-90, 90), min_size=2, max_size=7),
    st.integers(0, 200),
    st.sets(st.sampled_from("ABCDEFG")),
    st.sets(st.tuples(st.just("A"), st.sampled_from("BCDEFG"))),
)
def test_hub_settles_everybody_and_the_box_never_pays_what_it_has_not(
    amounts: list[int], cash: int, gone: set[str], apart: set[tuple[str, str]]
) -> None:
    nets = dict(zip("ABCDEFG", amounts, strict=False))
    nets["A"] += cash - sum(nets.values())
    nets |= {"box": -cash}
    box, open_ = cash, dict(nets)
    for one in make_plan(
        nets, Terms(HUB, "A", gone=tuple(sorted(gone)), apart=tuple(sorted(apart)))
    ).transfers:
        box += (one.payee == "box") * one.amount - (one.payer == "box") * one.amount
        open_[one.payer] = open_.get(one.payer, 0) + one.amount
        open_[one.payee] = open_.get(one.payee, 0) - one.amount
        assert box >= 0
        assert (one.payer, one.payee) not in apart
        assert (one.payee, one.payer) not in apart
        assert "box" in (one.payer, one.payee) or not {one.payer, one.payee} & gone
    assert set(open_.values()) == {0}
