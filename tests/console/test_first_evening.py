"""What somebody new to the console stumbled over: an Enter that did nothing, a line that stayed too long."""

from collections.abc import Callable
from typing import Any

Open = Callable[..., Any]
CASINO = ["game casino-red-dog", "seat Anna 100", "seat Boris 100", "seat Vera 100"]
POOL = ["game red-dog-pool ante=5 hand=3", "seat Anna 100", "seat Boris 100", "dealer Anna"]


async def test_enter_alone_in_a_menu_that_wants_a_number_says_so_and_keeps_the_menu(
    open_console: Open,
) -> None:
    async with open_console([*POOL, "round", "void"]) as dealer:
        await dealer.press("f6", "enter", "enter")
        assert "CLOSE THE NIGHT?" in dealer.area("bar")
        assert "Type its number, then Enter." in dealer.area("bar")
        assert " 1⏎   close: everybody is cashed out" in dealer.area("body")
        assert "1⏎ do it" in dealer.area("keys")
        assert " ⏎ do it" not in dealer.area("keys")
        await dealer.press("escape")
        assert "Type its number" not in dealer.area("bar")


async def test_only_the_entries_that_wait_for_enter_carry_its_sign(open_console: Open) -> None:
    async with open_console(POOL) as dealer:
        await dealer.press("f4", "enter")
        assert "▶" not in dealer.area("body")
        assert " 1    buy in more" in dealer.area("body")
        assert " 3⏎   leaves, cashed out" in dealer.area("body")
        assert "1-9 choose" in dealer.area("keys")
        assert "3⏎ 9⏎ do it" in dealer.area("keys")


async def test_a_letter_in_a_menu_is_told_what_the_menu_wants(open_console: Open) -> None:
    async with open_console(["seat Anna 100", "seat Boris 100", "expense Anna 80", "close"]) as dealer:
        await dealer.press("m")
        await dealer.line("m")
        assert "Not booked: m is no number of the list. Esc goes back." in dealer.area("bar")


async def test_putting_back_where_nothing_was_taken_back_names_both_keys(open_console: Open) -> None:
    async with open_console([*CASINO, "bet Anna 10"]) as dealer:
        await dealer.press("U")
        assert "u takes the last line back; U puts it back" in " ".join(dealer.area("bar").split())


async def test_after_the_last_seat_the_bar_either_ends_the_bets_or_leaves_them_open(
    open_console: Open,
) -> None:
    async with open_console([*CASINO, "bet Anna 10", "bet Boris 10"]) as dealer:
        assert "DEAL two cards, or more bets" in dealer.area("bar")
        assert "No more bets." not in "\n".join(dealer.screen)
        await dealer.line("10")
        assert "No more bets." in "\n".join(dealer.screen)
        assert "DEAL two cards" in dealer.area("bar")
        assert "or more bets" not in "\n".join(dealer.screen)
