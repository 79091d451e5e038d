"""The odds of the moment on the table: one key shows them, the same key puts them away."""

from collections.abc import Callable
from typing import Any

import pytest

Open = Callable[..., Any]
DECISION = ["game casino-red-dog", "seat Anna 200", "bet Anna 10", "card TH 2S"]


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
@pytest.mark.parametrize("key", ["i", "ш"])
async def test_one_key_shows_the_odds_and_puts_them_away(
    open_console: Open, key: str, size: tuple[int, int]
) -> None:
    async with open_console(DECISION, size=size) as dealer:
        before = dealer.screen
        await dealer.press(key)
        assert "168 of 310 cards" in dealer.area("odds")
        assert "RAISE pays" in dealer.area("odds")
        await dealer.press(key)
        assert dealer.screen == before
        assert dealer.lines == DECISION


async def test_odds_follow_the_cards_while_they_are_on(open_console: Open) -> None:
    async with open_console(DECISION) as dealer:
        await dealer.press("i", "r")
        await dealer.line("5c")
        assert "Next round, played right" in dealer.area("odds")
        assert dealer.snapshot.odds is not None


async def test_seats_and_bar_stay_when_a_full_table_asks_for_odds(open_console: Open) -> None:
    seats = [f"seat P{number} 100" for number in range(7)]
    async with open_console(["game casino-red-dog", *seats]) as dealer:
        await dealer.press("i")
        shown = "\n".join(dealer.screen)
        assert "P6" in shown
        assert "Next round" in shown
        assert "chips for P0>" in shown


async def test_odds_are_worked_out_only_while_they_are_on(open_console: Open) -> None:
    async with open_console(DECISION) as dealer:
        assert dealer.snapshot.odds is None
        await dealer.press("i", "i")
        assert dealer.snapshot.odds is None


async def test_moment_without_odds_says_so(open_console: Open) -> None:
    async with open_console(["game rake", "seat A 100", "seat B 100", "round"]) as dealer:
        await dealer.press("i")
        assert "no exact odds" in dealer.area("odds")
