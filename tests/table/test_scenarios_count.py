"""Scenarios 17 and 19 of LEDGER.md chapter 9: a count that differs from the ledger."""

import pytest

from assistant.slips.text import render
from assistant.table.night_log import NightLog
from assistant.table.papers import count_slip
from assistant.table.reconciling import cause_text, causes_of, comparison_of
from assistant.table.settling import settlement_slip
from assistant.table.speech import wording_of
from tests.table.scenario_play import BANK, SET, loses, plan_of
from tests.table.talking import code, played, stacks, submit, told

SEVENTEEN = ("seat A 120", "seat B 120", "seat C 120", "seat D 120", "seat E 120")


def _counted_585() -> NightLog:
    log = played(SET, BANK, *SEVENTEEN)
    for loser, amount, winner in (("A", 60, "C"), ("B", 30, "C"), ("D", 20, "E")):
        loses(log, loser, amount, winner)
    assert stacks(log) == {"A": 60, "B": 90, "C": 210, "D": 100, "E": 140}
    submit(log, "count A 60", "count B 90", "count C 185", "count D 100", "count E 140")
    return log


@pytest.mark.parametrize(
    ("policy", "shares"),
    [
        ("equal", {"A": 5, "B": 5, "C": 5, "D": 5, "E": 5}),
        ("winners", {"C": 20, "E": 5}),
        ("losers", {"A": 14, "B": 7, "D": 4}),
        ("D", {"D": 25}),
        ("count", {"C": 25}),
    ],
)
def test_17_missing_chips_are_borne_as_the_table_chooses(policy: str, shares: dict[str, int]) -> None:
    log = _counted_585()
    before = stacks(log)
    assert code(log, "close") == "E_COUNT"
    log.submit(f"accept {policy} not found after recount")
    borne = {name: before[name] - stack for name, stack in stacks(log).items() if before[name] != stack}
    assert borne == shares
    log.submit("close")
    assert sum(log.night.receivables().values()) == 0


def test_17_missing_chips_are_held_open_until_they_are_found() -> None:
    """C has 185 in front of them and is settled with 210; found, the acceptance is reversed and C has 210."""
    log = _counted_585()
    before = log.night.receivables()
    log.submit("accept open not found after recount")
    assert told(log) == ("ACCEPTED: held open until it is found",)
    assert stacks(log)["C"] == 185
    assert log.night.receivables() == before
    accepted = log.log[-1].seq
    assert "Accepted: held open until it is found" in render(count_slip(log, "n"), 42)
    log.submit("close")
    slip = settlement_slip(log, "n")
    assert "Difference of 25 held open: nobody bears it until it is found" in slip.besides
    assert [row.settles for row in slip.players] == [-60, -30, 90, -20, 20]
    assert [(one.node, one.net, one.settles) for one in slip.nodes] == [("missing chips", 25, 0)]
    assert sum(row.net for row in slip.players) == -25
    lines = plan_of(log).lines
    log.submit(f"reverse {accepted} under the sofa")
    assert log.night.books.money.at("held") == log.night.chips.at("held") == 0
    assert plan_of(log).lines == lines


def test_17_the_chip_that_is_missing_is_named() -> None:
    """Ledger 600, counted 575; of the 25s the set has 40, and 39 were found."""
    log = played(SET, BANK, *(f'{seat} chips="2x25 12x5 10x1"' for seat in SEVENTEEN))
    for loser, amount, winner in (("A", 60, "C"), ("B", 30, "C"), ("D", 20, "E")):
        loses(log, loser, amount, winner)
    submit(log, "count A 1x25 6x5 5x1", "count B 2x25 7x5 5x1", "count C 3x25 18x5 20x1")
    submit(log, "count D 2x25 8x5 10x1", "count E 1x25 21x5 10x1")
    found = comparison_of(log.night)
    assert [(row.ledger, row.counted) for row in found.rows] == [
        (60, 60),
        (90, 90),
        (210, 185),
        (100, 100),
        (140, 140),
    ]
    assert [(one.value, one.expected, one.found) for one in found.short_colours] == [(25, 40, 39)]
    causes = causes_of(log)
    assert (causes[0].kind, causes[0].players, causes[0].amount) == ("chip_missing", ("p3",), 25)
    text = cause_text(causes[0], wording_of(log.night))
    assert text == "One chip of 25 is missing, in that colour too. Search the floor, then recount."


def test_19_two_stacks_that_differ_point_at_their_rounds() -> None:
    log = played(BANK, "seat A 150", "seat B 150")
    loses(log, "A", 10, "B")
    loses(log, "B", 20, "A")
    loses(log, "B", 3, "A")
    loses(log, "B", 17, "A")
    assert stacks(log) == {"A": 180, "B": 120}
    submit(log, "count A 160", "count B 140")
    assert comparison_of(log.night).difference == 0
    cause = causes_of(log)[0]
    assert (cause.kind, cause.amount, cause.players, cause.rounds) == ("two_stacks", 20, ("p1", "p2"), (1, 2))
    text = cause_text(cause, wording_of(log.night))
    assert text == "Two stacks differ by 20: A, B. A round was paid wrong. Look at the rounds 1, 2."
    assert code(log, "close") == "E_COUNT"
    log.submit("accept count the chips were passed by hand")
    assert stacks(log) == {"A": 160, "B": 140}
    log.submit("close")
