"""Where things go on a chart, before anybody draws it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.slips.chart import Chart, Series, amount_ticks, spread, thinned


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0, 185, (0, 50, 100, 150, 200)),
        (0, 100, (0, 20, 40, 60, 80, 100)),
        (-65, 85, (-100, -50, 0, 50, 100)),
        (0, 0, (0, 1)),
        (0, 12345678, (0, 5_000_000, 10_000_000, 15_000_000)),
    ],
)
def test_amounts_of_the_axis_are_round_and_hold_everything(
    low: int, high: int, ticks: tuple[int, ...]
) -> None:
    assert amount_ticks(low, high) == ticks


@given(st.integers(-(10**12), 0), st.integers(0, 10**12))
def test_axis_always_holds_everything_with_few_ticks(low: int, high: int) -> None:
    ticks = amount_ticks(low, high)
    assert ticks[0] <= low <= high <= ticks[-1]
    assert 0 in ticks
    assert len(ticks) <= 8


def test_few_of_many_rounds_are_labelled() -> None:
    assert thinned(range(10), 12) == tuple(range(10))
    assert thinned(range(100), 12) == tuple(range(0, 100, 10))
    assert thinned([], 12) == ()


@given(st.lists(st.floats(0, 100), max_size=10))
def test_labels_never_overlap_and_stay_in_the_frame(wanted: list[float]) -> None:
    found = spread(wanted, 10, 0, 100)
    assert len(found) == len(wanted)
    for one, other in zip(sorted(found), sorted(found)[1:], strict=False):
        assert other - one >= 10 - 1e-9
    assert all(-1e-9 <= place <= 100 + 1e-9 for place in found)


def test_labels_that_have_room_stay_where_they_belong() -> None:
    assert spread([80, 20, 50], 10, 0, 100) == [80, 20, 50]
    assert spread([50, 50], 10, 0, 100) == [50, 60]


def test_chart_of_one_moment_is_empty() -> None:
    series = (Series("Ann", ((0, 100),)),)
    assert Chart("x", series, 0).is_empty
    assert not Chart("x", series, 1).is_empty
    assert Chart("x", (Series("Ann", ()),), 5).is_empty
