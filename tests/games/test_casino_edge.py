"""Casino Red Dog against the published figures: every outcome of the first three cards (RULES.md 10)."""

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from assistant.cards import Card, Rank
from assistant.games.acts import Call, Raise
from assistant.games.base import (
    Bet,
    TurnCards,
)
from assistant.games.casino_table import (
    spread_of,
)
from tests.games.casino_play import Playing


def outcomes(decks: int) -> Iterator[tuple[Fraction, Rank, Rank, Rank]]:
    """All ordered rank triples with their chance from a full shoe."""
    size = 52 * decks
    whole = size * (size - 1) * (size - 2)
    for first in Rank:
        for second in Rank:
            for third in Rank:
                left, ways = Counter(dict.fromkeys(Rank, 4 * decks)), 1
                for rank in (first, second, third):
                    ways *= left[rank]
                    left[rank] -= 1
                yield Fraction(ways, whole), first, second, third


def net_of(first: Rank, second: Rank, third: Rank, raise_from: int) -> int:
    """What a bet of one brings in a round played through `decide` and `evolve`."""
    table = Playing(2, decks=2)
    table.do(Bet("P", 1))
    table.do(TurnCards((Card(first), Card(second))))
    if table.state.phase == "DECISION":
        raises = spread_of(Card(first), Card(second)) >= raise_from
        table.do(Raise("P") if raises else Call("P"))
    if table.game.in_round(table.state):
        table.do(TurnCards((Card(third),)))
    assert not table.game.in_round(table.state)
    return table.stack() - 2


@pytest.fixture(scope="module")
def nets() -> dict[tuple[Rank, Rank, Rank, int], int]:
    """Net of every rank triple, raising from spread 7 and never."""
    return {
        (first, second, third, limit): net_of(first, second, third, limit)
        for first in Rank
        for second in Rank
        for third in Rank
        for limit in (7, 12)
    }


Nets = dict[tuple[Rank, Rank, Rank, int], int]


def expectation(nets: Nets, decks: int, limit: int) -> Fraction:
    triples = outcomes(decks)
    return sum((chance * nets[a, b, c, limit] for chance, a, b, c in triples), Fraction(0))


@pytest.mark.parametrize(
    ("decks", "raising", "never"),
    [
        (1, Fraction(-523, 16575), Fraction(-1523, 16575)),
        (2, Fraction(-2101, 68289), Fraction(-5861, 68289)),
    ],
)
def test_expectation_of_a_bet_is_the_published_one(
    nets: Nets, decks: int, raising: Fraction, never: Fraction
) -> None:
    """RULES.md 10.1: exact by enumeration of all first three cards; one deck, raise from 7: -523/16575."""
    assert sum(chance for chance, *_ in outcomes(decks)) == 1
    assert expectation(nets, decks, 7) == raising
    assert expectation(nets, decks, 12) == never


@pytest.mark.parametrize("decks", [6, 8])
def test_expectation_of_larger_shoes(nets: Nets, decks: int) -> None:
    """RULES.md 10.1: 2.797827 % with six decks, 2.750892 % with eight, 3.155 and 3.077 with one and two."""
    assert round(float(expectation(nets, decks, 7)), 6) == {6: -0.027978, 8: -0.027509}[decks]


def test_published_edges(nets: Nets) -> None:
    published = {1: 3.155, 2: 3.077, 6: 2.798, 8: 2.751}
    assert {decks: round(-100 * float(expectation(nets, decks, 7)), 3) for decks in published} == published


def test_first_two_cards_fall_as_figures_say(shared: Path) -> None:
    """RULES.md 10.2 and figures.json: pair, consecutive, each spread, as exact fractions."""
    figures = json.loads((shared / "rules" / "figures.json").read_text(encoding="utf-8"))
    for decks in (1, 2, 6, 8):
        chances: Counter[int] = Counter()
        alike = Fraction(0)
        for chance, first, second, third in outcomes(decks):
            chances[spread_of(Card(first), Card(second))] += chance  # type: ignore[assignment]
            alike += chance * (first == second == third)
        wanted = figures["casino"]["decks"][str(decks)]
        assert chances[-1] == Fraction(wanted["pair"]["fraction"])
        assert alike == Fraction(wanted["three_of_a_kind"]["fraction"])
        assert chances[0] == Fraction(wanted["consecutive"]["fraction"])
        for spread in range(1, 12):
            assert chances[spread] == Fraction(wanted["spread"][str(spread)]["fraction"])
