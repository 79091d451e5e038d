"""What somebody new to the console stumbled over: an Enter that did nothing, a line that stayed too long."""

from collections.abc import Callable
from typing import Any

import pytest

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
        assert "2⏎ 3⏎ 5⏎ 9⏎ do it" in dealer.area("keys")


async def test_a_letter_in_a_menu_is_told_what_the_menu_wants(open_console: Open) -> None:
    async with open_console(["seat Anna 100", "seat Boris 100", "expense Anna 80", "close"]) as dealer:
        await dealer.press("m")
        await dealer.line("m")
        assert "Not booked: m is no number of the list. Esc goes back." in dealer.area("bar")


async def test_a_refused_line_goes_when_another_screen_is_opened_and_comes_back_with_up(
    open_console: Open,
) -> None:
    async with open_console([*CASINO, "bet Anna 10"]) as dealer:
        await dealer.line(":сесть Аня 200")
        assert "сесть" in dealer.area("entry")
        await dealer.press("f4", "f2")
        assert "сесть" not in dealer.area("entry")
        await dealer.press("up")
        assert ":сесть Аня 200" in dealer.area("entry")


async def test_a_line_that_waits_for_its_word_stays_while_help_is_read(open_console: Open) -> None:
    async with open_console(CASINO) as dealer:
        await dealer.line(":сесть Аня 200")
        await dealer.press("f1", "escape")
        assert ":сесть Аня 200" in dealer.area("entry")


async def test_a_refused_line_goes_when_another_line_is_booked(open_console: Open) -> None:
    async with open_console([*CASINO, "bet Anna 10"]) as dealer:
        await dealer.line(":bet Anna 100000")
        assert "100000" in dealer.area("entry")
        await dealer.app.book("bet Boris 10")
        dealer.app.repaint()
        assert "100000" not in dealer.area("entry")


async def test_a_line_that_is_being_mended_stays_when_another_is_booked(open_console: Open) -> None:
    async with open_console([*CASINO, "bet Anna 10"]) as dealer:
        await dealer.line(":bet Anna 100000")
        await dealer.press("backspace")
        await dealer.app.book("bet Boris 10")
        dealer.app.repaint()
        assert ":bet Anna 10000" in dealer.area("entry")


async def test_the_bar_offers_no_usual_act_while_enter_would_send_the_line(open_console: Open) -> None:
    async with open_console(CASINO) as dealer:
        assert "[⏎ next seat]" in dealer.area("bar")
        await dealer.line(":сесть Аня 200")
        assert "[⏎" not in dealer.area("bar")
        await dealer.press("escape")
        assert "[⏎ next seat]" in dealer.area("bar")


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


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([*CASINO, "bet Anna 10", "bet Boris 10", "bet Vera 10", "card 4H 9S"], id="raise"),
        pytest.param([*POOL, "round", "dealt"], id="bet"),
    ],
)
async def test_the_strip_names_enter_only_where_it_does_something(
    open_console: Open, lines: list[str]
) -> None:
    async with open_console(lines) as dealer:
        has_usual = "[⏎" in dealer.area("bar")
        assert ("⏎" in dealer.area("keys")) == has_usual
        assert "⏎ ok" not in dealer.area("keys")


async def test_the_strip_is_silent_about_enter_while_a_card_is_due(open_console: Open) -> None:
    async with open_console([*CASINO, "bet Anna 10", "bet Boris 10", "bet Vera 10", "card 4H"]) as dealer:
        assert "⏎" not in dealer.area("keys")
        await dealer.type("9s")
        assert "⏎ ok" in dealer.area("keys")


@pytest.mark.parametrize(("lines", "name"), [(CASINO, "Anna"), (POOL, "Anna")])
async def test_a_bare_number_among_the_seats_is_asked_for_before_it_buys_in(
    open_console: Open, lines: list[str], name: str
) -> None:
    async with open_console(lines) as dealer:
        await dealer.press("f4")
        await dealer.line("20")
        assert dealer.lines == lines
        said = " ".join(dealer.area("bar").split())
        assert f"{name} buys in 20? Enter once more books it. To bet: F2, the table." in said
        await dealer.press("enter")
        assert dealer.lines[-1] == f"buy {name} 20"


@pytest.mark.parametrize("lines", [["seat Anna 100"], POOL[:2]], ids=["no game", "one seat for a pool"])
async def test_before_play_can_begin_a_bare_number_buys_in_at_once(
    open_console: Open, lines: list[str]
) -> None:
    async with open_console(lines) as dealer:
        await dealer.press("f4")
        await dealer.line("20")
        assert dealer.lines[-1] == "buy Anna 20"


async def test_who_was_seated_without_chips_buys_in_with_a_bare_number(open_console: Open) -> None:
    async with open_console(CASINO) as dealer:
        await dealer.press("f4")
        await dealer.line("Dora", "50")
        assert dealer.lines[-1] == "buy Dora 50"


async def test_an_amount_with_its_kind_is_no_bet_and_buys_in_at_once(open_console: Open) -> None:
    async with open_console(CASINO) as dealer:
        await dealer.press("f4")
        await dealer.line("20 cash")
        assert dealer.lines[-1] == "buy Anna 20 cash"


async def test_a_card_that_can_not_be_mended_leaves_the_keys_to_undo_and_call_off(
    open_console: Open,
) -> None:
    lines = [*CASINO, "bet Anna 10", "bet Boris 10", "bet Vera 10", "card 2H 4S", "call Anna"]
    async with open_console(lines) as dealer:
        await dealer.press("w")
        await dealer.line("2", "3s")
        assert "Undo up to the card instead" in " ".join(dealer.area("bar").split())
        assert dealer.lines == lines
        await dealer.press("u")
        assert "[call Anna]" in dealer.lines
        await dealer.press("m")
        assert "WHAT HAPPENED?" in "\n".join(dealer.screen)


async def test_enter_leads_from_the_game_to_the_players_and_f5_comes_back(open_console: Open) -> None:
    """Who goes by Enter is led through the beginning; who looks at the rules comes back to the table."""
    async with open_console() as dealer:
        await dealer.press("enter", "f1", "escape", "enter")
        assert dealer.lines == ["game red-dog-pool"]
        assert "SEAT players and buy in" in dealer.area("bar")
        await dealer.press("f2", "f5", "enter")
        assert "SEAT the players" in dealer.area("bar")
        assert dealer.app.screen is dealer.app.table
        await dealer.press("f5", "right", "enter")
        assert dealer.lines[-1] == "game red-dog-burn"
        assert dealer.app.screen is dealer.app.table
        await dealer.press("enter")
        await dealer.line("Anna 100")
        assert dealer.lines[-1] == "seat Anna 100"
