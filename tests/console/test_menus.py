"""A menu entry that books a line waits for Enter; what prints, shows or begins a line acts at once."""

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
        pytest.param(NIGHT, ("f6", "h"), id="how it is settled"),
        pytest.param(NIGHT, ("f6", "b"), id="the count begins"),
    ],
)
async def test_an_amount_typed_into_a_menu_of_money_books_nothing(
    open_console: Open, lines: list[str], keys: tuple[str, ...]
) -> None:
    for amount in ("15", "150", "10", "25", "35", "45", "90"):
        async with open_console(lines) as dealer:
            await dealer.press(*keys)
            await dealer.type(amount)
            assert dealer.lines == lines


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


@pytest.mark.parametrize(
    ("keys", "number", "shown", "line"),
    [
        (("f4", "enter"), "2", "▶  2⏎   sits out", "sitout Anna"),
        (("f6", "h"), "2", "▶  2⏎   everybody with the cashier", "settle cashier"),
        (("f6", "b"), "1", "▶  1⏎   a neighbour confirms each count", "count start confirm=on"),
        (("m",), "1", "", "void misdeal"),
    ],
)
async def test_what_is_booked_takes_its_number_and_enter_in_every_menu(
    open_console: Open, keys: tuple[str, ...], number: str, shown: str, line: str
) -> None:
    """How it is settled acted at once before the close, and waited for Enter after it."""
    night = [*NIGHT, "round"] if "m" in keys else NIGHT
    async with open_console(night) as dealer:
        await dealer.press(*keys, number)
        assert dealer.lines == night
        assert shown in "\n".join(dealer.screen)
        await dealer.press("enter")
        assert dealer.lines[-1] == line


async def test_what_books_nothing_acts_at_once(open_console: Open) -> None:
    async with open_console(CLOSED) as dealer:
        await dealer.press("e", "enter", "1")
        assert "WHY" in dealer.area("bar")
        await dealer.press("escape", "escape", "f6", "n", "8")
        assert " :reopen " in dealer.area("entry")


async def test_the_menu_of_misdeals_asks_only_for_what_is_not_filled_in(open_console: Open) -> None:
    async with open_console([*NIGHT[:3], "dealer Anna", "round", "dealt"], size=(120, 36)) as dealer:
        await dealer.press("m")
        shown = "\n".join(dealer.screen)
        assert "paid in by mistake (never returned): Boris AMOUNT" in shown
        assert "paid out too much: NAME AMOUNT" in shown
