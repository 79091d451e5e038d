"""A menu entry that moves money or closes the night waits for Enter; the harmless ones act at once."""

from collections.abc import Callable
from typing import Any

import pytest

Open = Callable[..., Any]
NIGHT = ["game red-dog-pool", "seat Anna 100", "seat Boris 100", "round", "void"]
COUNTED = [*NIGHT, "count Anna 90", "count Boris 105"]
CLOSED = ["seat Anna 100", "seat Boris 100", "expense Anna 80", "close"]
"""Boris owes Anna 40."""


@pytest.mark.parametrize(
    ("lines", "keys"),
    [
        pytest.param(NIGHT, ("f6", "enter"), id="close"),
        pytest.param(COUNTED, ("f6", "a"), id="who bears the differences"),
        pytest.param(CLOSED, ("f6", "m"), id="paid"),
        pytest.param(CLOSED, ("f6", "n"), id="a new plan"),
        pytest.param(NIGHT, ("f4", "enter"), id="what a player does"),
    ],
)
async def test_an_amount_typed_into_a_menu_of_money_books_nothing(
    open_console: Open, lines: list[str], keys: tuple[str, ...]
) -> None:
    for amount in ("15", "150", "10", "25", "35", "45", "90"):
        async with open_console(lines) as dealer:
            await dealer.press(*keys)
            await dealer.type(amount)
            assert dealer.lines in (lines, [*lines, "sitout Anna"])


async def test_closing_takes_its_number_and_enter(open_console: Open) -> None:
    async with open_console(NIGHT) as dealer:
        await dealer.press("f6", "enter", "1")
        assert dealer.lines[-1] == "void"
        assert "▶  1⏎   close: everybody is cashed out" in dealer.area("body")
        assert "→ close: everybody" in dealer.area("entry")
        await dealer.press("enter")
        assert dealer.lines[-1] == "close"


async def test_a_number_that_is_not_in_the_menu_says_what_to_do(open_console: Open) -> None:
    async with open_console(NIGHT) as dealer:
        await dealer.press("f6", "enter")
        await dealer.line("150")
        assert "150 is no number of the list. Esc, then type the amount" in dealer.area("bar")
        assert dealer.lines == NIGHT
        await dealer.press("escape")
        await dealer.line("100")
        assert dealer.lines[-1] == "count Anna 100"


async def test_a_payment_is_marked_with_the_amount_in_the_line(open_console: Open) -> None:
    async with open_console(CLOSED) as dealer:
        await dealer.press("f6", "m")
        assert " paid> 40 " in dealer.area("entry")
        assert "→ Boris paid Anna 40" in dealer.area("entry")
        assert dealer.lines == CLOSED
        await dealer.line("25")
        assert dealer.lines[-1] == "pay 1 25"
        await dealer.press("m", "enter")
        assert dealer.lines[-1] == "pay 1 15"


async def test_harmless_entries_still_act_at_once(open_console: Open) -> None:
    async with open_console(NIGHT) as dealer:
        await dealer.press("f4", "enter", "2")
        assert dealer.lines[-1] == "sitout Anna"
        await dealer.press("f6", "h", "2")
        assert dealer.lines[-1] == "settle cashier"
