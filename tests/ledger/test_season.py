"""Standings over many nights: the same person by id, whatever they were called, and exact figures."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import AssistantError
from assistant.ledger.season import (
    NightResult,
    People,
    PlayerNight,
    UnknownPerson,
    bar,
    currencies,
    join,
    part,
    recognise,
    season_of,
    sparkline,
)

Names = str | tuple[str, ...]


def night(name: str, results: Mapping[Names, int], currency: str = "") -> NightResult:
    """A night in which everybody bought in for 100; player ids are those of the order they sat down in."""
    players = tuple(
        PlayerNight(f"p{place}", (names,) if isinstance(names, str) else names, 100, net)
        for place, (names, net) in enumerate(results.items(), start=1)
    )
    return NightResult(name, name.rpartition("-")[0], currency, players)


FIRST = night("2026-09-05-1", {"Anna": 30, "Boris": -30})
SECOND = night("2026-09-12-1", {"Boris": 50, "Vera": -10, "Anna": -40})


def nets(nights: list[NightResult], people: People | None = None, currency: str = "") -> dict[str, int]:
    known = recognise(people or People(), nights)
    return {row.name: row.net for row in season_of(nights, known, currency).rows}


def test_results_are_added_per_person_and_best_comes_first() -> None:
    people = recognise(People(), [FIRST, SECOND])
    season = season_of([FIRST, SECOND], people, "")
    assert season.days == ("2026-09-05", "2026-09-12")
    assert [
        (row.name, row.nights, row.won, row.bought_in, row.net, row.best, row.worst) for row in season.rows
    ] == [
        ("Boris", 2, 1, 200, 20, 50, -30),
        ("Anna", 2, 1, 200, -10, 30, -40),
        ("Vera", 1, 0, 100, -10, -10, -10),
    ]
    assert [row.course for row in season.rows] == [(-30, 20), (30, -10), (0, -10)]


def test_ids_of_a_night_are_no_ids_of_people() -> None:
    """Boris was p2 in the first night and p1 in the second."""
    people = recognise(People(), [FIRST, SECOND])
    assert people.at("2026-09-05-1", "p2") == people.at("2026-09-12-1", "p1")
    assert people.at("2026-09-05-1", "p1") != people.at("2026-09-12-1", "p1")


@pytest.mark.parametrize("spelling", ["anna", "  ANNA ", "A\u0301nna"[0:1] + "nna"])
def test_spelling_makes_no_second_person(spelling: str) -> None:
    assert nets([FIRST, night("2026-09-19-1", {spelling: 7})])[spelling] == 37


def test_who_is_renamed_in_a_night_is_the_same_person_ever_after() -> None:
    renamed = night("2026-09-19-1", {("Anna", "Anna K."): 5})
    later = night("2026-09-26-1", {"Anna K.": 1})
    assert nets([FIRST, renamed, later]) == {"Anna K.": 36, "Boris": -30}


def test_new_person_of_a_former_name_is_somebody_else() -> None:
    """Anna is called Anna K. now; a new Anna sits beside her, and comes alone the next time."""
    both = night("2026-09-19-1", {("Anna", "Anna K."): 5, "Anna": -5})
    alone = night("2026-09-26-1", {"Anna": 1})
    assert nets([FIRST, both, alone]) == {"Anna K.": 35, "Anna": -4, "Boris": -30}


def test_order_in_which_nights_are_read_does_not_matter() -> None:
    nights = [FIRST, SECOND, night("2026-09-12-10", {"Anna": 1}), night("2026-09-12-2", {("Anna", "An"): 1})]
    forward, backward = recognise(People(), nights), recognise(People(), reversed(nights))
    assert forward == backward
    assert [one.name for one in forward.persons] == ["Anna", "Boris", "Vera"]


def test_two_names_of_one_person_are_joined_and_stay_so() -> None:
    nights = [FIRST, night("2026-09-19-1", {"Аня": 12, "Boris": -12})]
    people = join(recognise(People(), nights), "Anna", "Аня")
    assert nets(nights, people) == {"Anna": 42, "Boris": -42}
    later = [*nights, night("2026-09-26-1", {"Аня": 1})]
    assert nets(later, people) == {"Аня": 43, "Boris": -42}


def test_people_who_sat_together_are_two() -> None:
    with pytest.raises(AssistantError, match="Anna and Boris sat together in 2026-09-05-1"):
        join(recognise(People(), [FIRST]), "Anna", "Boris")


def test_stranger_of_the_same_name_is_parted() -> None:
    """Two people called Anna, on different nights; their numbers tell them apart."""
    nights = [FIRST, SECOND]
    people = part(recognise(People(), nights), "2026-09-12-1", "Anna")
    season = season_of(nights, recognise(people, nights), "")
    assert sorted((row.name, row.net) for row in season.rows) == [
        ("Anna (1)", 30),
        ("Anna (4)", -40),
        ("Boris", 20),
        ("Vera", -10),
    ]
    with pytest.raises(UnknownPerson, match="Several people are called Anna: 1, 4"):
        join(people, "Boris", "Anna")


@pytest.mark.parametrize("name", ["Nobody", "", "99"])
def test_unknown_people_are_said_to_be_unknown(name: str) -> None:
    people = recognise(People(), [FIRST])
    with pytest.raises(UnknownPerson):
        join(people, "Anna", name)
    with pytest.raises(UnknownPerson):
        part(people, "2026-09-05-1", name)
    with pytest.raises(UnknownPerson):
        part(people, "2026-09-06-1", "Anna")


def test_amounts_of_two_currencies_are_never_added() -> None:
    euros = night("2026-09-19-1", {"Anna": 1250, "Boris": -1250}, "EUR")
    nights = [FIRST, SECOND, euros]
    assert currencies(nights) == ("EUR", "")
    assert nets(nights) == {"Boris": 20, "Anna": -10, "Vera": -10}
    assert nets(nights, currency="EUR") == {"Anna": 1250, "Boris": -1250}


def test_no_nights_have_empty_standings() -> None:
    assert season_of([], People(), "").rows == ()


@given(
    st.lists(
        st.dictionaries(st.sampled_from(("Anna", "Boris", "Vera", "Gleb")), st.integers(-(10**6), 10**6)),
        max_size=12,
    )
)
def test_sum_of_the_standings_is_the_sum_of_the_nights(results: list[dict[Names, int]]) -> None:
    nights = [night(f"2026-09-{1 + at:02}-1", one) for at, one in enumerate(results)]
    season = season_of(nights, recognise(People(), nights), "")
    assert sum(row.net for row in season.rows) == sum(sum(one.values()) for one in results)
    assert all(row.course[-1] == row.net for row in season.rows)
    assert sum(row.nights for row in season.rows) == sum(len(one) for one in results)


# --- pictures made of letters -------------------------------------------------------------------------------


def test_bar_fills_its_width_with_the_most_and_shows_the_least() -> None:
    assert [bar(amount, 80, 10) for amount in (80, -80, 40, 5, 1, 0)] == [
        "██████████",
        "██████████",
        "█████",
        "▋",
        "▏",
        "",
    ]
    assert bar(5, 0, 10) == ""


def test_sparkline_goes_from_lowest_to_highest_and_ends_with_the_last_night() -> None:
    assert sparkline((-30, 20, 50), -30, 50, 10) == "▁▅█"
    assert sparkline((0, 0), 0, 0, 10) == "▄▄"
    assert sparkline(tuple(range(100)), 0, 99, 5) == "▂▃▅▆█"
    assert sparkline((), 0, 0, 10) == ""
