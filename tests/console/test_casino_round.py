"""A casino round from an empty house to the next bets, by keys alone."""

from collections.abc import Callable
from typing import Any

import pytest

Open = Callable[..., Any]
TABLE = ["game casino-red-dog", "seat Anna 100", "seat Boris 200", "seat Vera 50"]


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_a_whole_casino_round_by_keys_from_an_empty_house(
    open_console: Open, size: tuple[int, int]
) -> None:
    async with open_console(size=size) as dealer:
        await dealer.press("enter", "right", "right", "enter")
        await dealer.line("Anna 100", "Boris 200", "Vera 50")
        await dealer.press("f2")
        await dealer.line("10", "25")
        await dealer.press("enter")  # Vera has none out
        await dealer.line("9h 4s")
        assert "Spread 4" in dealer.area("say")
        assert "▸ 4-11 ◂" in dealer.area("arc")
        await dealer.press("r", "n")
        await dealer.line("6d")
        assert dealer.lines == [
            "game casino-red-dog",
            "seat Anna 100",
            "seat Boris 200",
            "seat Vera 50",
            "bet Anna 10",
            "bet Boris 25",
            "card 9H 4S",
            "raise Anna",
            "call Boris",
            "card 6D",
        ]
        assert [(seat.name, seat.stack) for seat in dealer.snapshot.seats] == [
            ("Anna", 120),
            ("Boris", 225),
            ("Vera", 50),
        ]
        assert "PAY" in dealer.area("bar")


async def test_what_to_pay_stays_until_the_next_act(open_console: Open) -> None:
    async with open_console([*TABLE, "bet Anna 10", "card 2H 4S", "call Anna", "card 3D"]) as dealer:
        assert "PAY Anna 50" in dealer.area("bar")
        await dealer.line("qq")  # refused: no act
        assert "PAY Anna 50" in dealer.area("bar")
        await dealer.press("escape")
        await dealer.line("5")
        assert "PAY" not in dealer.area("bar")


async def test_amounts_go_to_the_chosen_seat_and_on_to_the_next_without_chips(open_console: Open) -> None:
    async with open_console(TABLE) as dealer:
        assert "chips for Anna" in dealer.area("entry")
        await dealer.press("tab")
        await dealer.line("20")
        assert dealer.lines[-1] == "bet Boris 20"
        assert "chips for Vera" in dealer.area("entry")
        await dealer.line("5")
        assert "card" in dealer.area("entry"), "after the last seat the line is for cards"
        await dealer.press("shift+tab")
        assert "chips for Vera" in dealer.area("entry")
        await dealer.press("alt+1")
        assert "chips for Anna" in dealer.area("entry")


async def test_a_bare_number_is_an_amount_for_a_seat_and_never_opens_a_round_by_itself(
    open_console: Open,
) -> None:
    async with open_console([*TABLE, "bet Anna 10"]) as dealer:
        await dealer.type("9")
        assert "bet Boris 9" in dealer.area("entry")
        await dealer.press("escape", "tab", "tab")
        await dealer.line("9")
        assert dealer.lines[-1] == "bet Anna 10", "nine chips or a nine? nothing is guessed"
        assert "press Tab first" in dealer.area("bar")
        await dealer.type("9s")
        await dealer.press("enter")
        assert dealer.lines[-1] == "card 9S", "the refused line gave way to the new one"
        await dealer.line("9")
        assert dealer.lines[-1] == "card 9"
        assert "pair" in dealer.area("say").lower()


async def test_the_same_chips_again_for_one_seat_and_for_all(open_console: Open) -> None:
    round_ = ["bet Anna 10", "bet Boris 25", "card 2H 3S"]
    async with open_console([*TABLE, *round_]) as dealer:
        await dealer.press("g")
        assert dealer.lines[-1] == "rebet Anna"
        assert "chips for Boris" in dealer.area("entry")
        await dealer.press("u", "G")
        assert dealer.lines[-2:] == ["rebet Anna", "rebet Boris"]


async def test_the_last_chip_comes_off_and_all_of_them(open_console: Open) -> None:
    async with open_console([*TABLE, "bet Anna 10", "bet Anna 5"]) as dealer:
        await dealer.press("alt+1", "delete")
        assert dealer.seat("Anna").bet == 10
        await dealer.press("z")
        assert dealer.seat("Anna").bet == 0


@pytest.mark.parametrize(("yes", "no"), [("r", "n"), ("к", "т"), ("f7", "f8"), ("R", "enter")])
async def test_raise_and_call_on_both_layouts_and_on_function_keys(
    open_console: Open, yes: str, no: str
) -> None:
    async with open_console([*TABLE, "bet Anna 10", "bet Boris 10", "card 2H 4S"]) as dealer:
        await dealer.press(yes, no)
        assert dealer.lines[-2:] == ["raise Anna", "call Boris"]


async def test_undo_takes_a_line_back_and_the_log_keeps_it_struck_through(open_console: Open) -> None:
    async with open_console([*TABLE, "bet Anna 10"]) as dealer:
        await dealer.press("u")
        assert dealer.seat("Anna").bet == 0
        assert "~ bet Anna 10 ~" in dealer.area("log")
        await dealer.press("U")
        assert dealer.seat("Anna").bet == 10
        assert "~ bet Anna 10 ~" not in dealer.area("log")
        await dealer.press("backspace")
        assert dealer.seat("Anna").bet == 0


async def test_an_exposed_card_is_burned(open_console: Open) -> None:
    async with open_console([*TABLE, "bet Anna 10"]) as dealer:
        await dealer.press("b")
        await dealer.line("5c")
        assert dealer.lines[-1] == "burn 5c"


async def test_a_wrong_card_is_set_right_by_its_number(open_console: Open) -> None:
    async with open_console([*TABLE, "bet Anna 10", "card 9H 4S"]) as dealer:
        await dealer.press("w")
        await dealer.line("2")
        assert "right card" in dealer.area("entry")
        await dealer.line("5s")
        assert dealer.lines[-1] == "fix 4S 5S"
        assert [str(card.card) for card in dealer.snapshot.board] == ["9H", "5S"]


@pytest.mark.parametrize(("decks", "again"), [(8, "4s"), (1, "9h")])
async def test_a_right_card_that_is_refused_stays_in_its_field_to_be_mended(
    open_console: Open, decks: int, again: str
) -> None:
    """The field closed with the line: the Backspace that was to mend it undid the cards."""
    lines = [*TABLE, f"game casino-red-dog decks={decks}", "bet Anna 10", "card 9H 4S"]
    async with open_console(lines) as dealer:
        await dealer.press("w")
        await dealer.line("2", again)
        assert dealer.lines == lines
        assert f"the right card> {again}" in dealer.area("entry")
        await dealer.press("backspace", "backspace")
        assert dealer.lines == lines
        await dealer.line("5s")
        assert dealer.lines[-1] == "fix 4S 5S"


async def test_backspace_where_a_card_can_not_be_mended_says_so_before_it_undoes(open_console: Open) -> None:
    lines = [*TABLE, "bet Anna 10", "bet Boris 10", "bet Vera 10", "card 2H 4S", "call Anna"]
    async with open_console(lines) as dealer:
        await dealer.press("w")
        await dealer.line("2", "3s")
        assert "Undo up to the card instead" in " ".join(dealer.area("bar").split())
        await dealer.press("backspace")
        assert dealer.lines == lines
        assert "it was not booked" in dealer.area("bar")
        await dealer.press("backspace")
        assert "[call Anna]" in dealer.lines


async def test_a_misdeal_calls_the_round_off_and_every_chip_goes_back(open_console: Open) -> None:
    async with open_console([*TABLE, "bet Anna 10", "card 9H 4S"]) as dealer:
        await dealer.press("m", "1")
        assert ":void" in dealer.area("entry")
        await dealer.press("enter")
        assert dealer.lines[-1] == "void misdeal"
        assert dealer.seat("Anna").stack == 100


async def test_somebody_all_in_is_not_asked_to_raise(open_console: Open) -> None:
    """The bar asked "raise 50?" and the dealer said "Raise?" to a player without a chip."""
    async with open_console([*TABLE, "bet Anna 10", "bet Vera 50", "card 9H 4S"]) as dealer:
        assert "Raise?" in dealer.area("say")
        await dealer.press("n")
        assert "SKIP Vera: no chips left for a raise" in dealer.area("bar")
        assert "Raise?" not in dealer.area("say")
        assert "R raise" not in dealer.area("keys")
        await dealer.press("enter")
        assert dealer.lines[-1] == "call Vera"
        assert "DEAL the third card" in dealer.area("bar")


@pytest.mark.parametrize(
    ("third", "asked"), [("6d", "The house lost 10: who pays it?"), ("ad", "The house won 10: who gets it?")]
)
async def test_the_close_asks_who_stands_behind_a_house_that_nobody_banked(
    open_console: Open, third: str, asked: str
) -> None:
    round_ = ["bet Anna 10", "card 9H 4S", "call Anna"]
    async with open_console([*TABLE, *round_], size=(80, 24)) as dealer:
        await dealer.line(third)
        await dealer.press("f6", "c")
        assert f"CLOSE THE NIGHT? {asked}" in dealer.area("bar")
        await dealer.press("2")
        assert "close house=" in dealer.area("entry")
        await dealer.press(*"Vera", "enter")
        assert dealer.lines[-1] == "close house=Vera"
        assert "house" not in "".join(f"{one.payer}{one.payee}" for one in dealer.snapshot.money.plan.lines)


async def test_the_close_asks_nothing_where_somebody_banked_or_the_house_is_even(open_console: Open) -> None:
    for before in (["house Vera"], []):
        round_ = ["bet Anna 10", "card 9H 4S", "call Anna", "card 6D"] if before else []
        async with open_console([*TABLE, *before, *round_]) as dealer:
            await dealer.press("f6", "c")
            assert "CLOSE THE NIGHT?" in dealer.area("bar")
            assert "who" not in dealer.area("bar")


async def test_the_bets_that_a_float_can_pay_are_announced_and_refused_as_the_banks_limit(
    open_console: Open,
) -> None:
    async with open_console([*TABLE, "house Vera 50"]) as dealer:  # at most eleven times a bet is paid
        assert "Place your bets, 1 to 4." in dealer.area("say")
        await dealer.line(":bet Anna 10")
        assert "The bank can't pay 10 more for Anna in every case; at most 4 more." in dealer.area("bar")
        await dealer.line(":bet Anna 4")
        assert dealer.lines[-1] == "bet Anna 4"


async def test_the_float_that_was_put_into_the_bank_is_no_gain_of_the_house(open_console: Open) -> None:
    """HOUSE Boris +150 stood there before a card was dealt."""
    lines = ["game casino-red-dog", "seat Anna 100", "seat Boris 500", "house Boris 150"]
    async with open_console(lines) as dealer:
        assert "HOUSE Boris  0    float 150" in dealer.area("pool")
        await dealer.line(":bet Anna 10", "2h 4s", ":call Anna", "kd")
        assert "HOUSE Boris  +10    float 150" in dealer.area("pool")
        await dealer.line(":house Boris")
        assert "HOUSE Boris  0 " in dealer.area("pool")
        assert "float" not in dealer.area("pool")


async def test_what_the_house_won_before_somebody_banked_is_no_gain_of_theirs(open_console: Open) -> None:
    won = ["bet Anna 10", "card 2H 4S", "call Anna", "card KD"]
    async with open_console(["game casino-red-dog", "seat Anna 100", "seat Boris 500", *won]) as dealer:
        assert "HOUSE  +10 " in dealer.area("pool")
        await dealer.line(":house Boris")
        assert "HOUSE Boris  0 " in dealer.area("pool")


async def test_shift_tab_goes_back_to_the_seat_before_and_none_is_said_to_bet_when_none_is_chosen(
    open_console: Open,
) -> None:
    """Before the first seat the line asked for the bet of Anna, and took none."""
    seats = [f"seat {name} 50" for name in ("Anna", "Boris", "Carl")]
    async with open_console(["game casino-red-dog", *seats]) as dealer:
        await dealer.press("tab", "shift+tab")
        assert "chips for Anna>" in dealer.area("entry")
        await dealer.press("shift+tab")
        assert "table>" in dealer.area("entry")
        assert "Tab chooses the seat that bets" in dealer.area("entry")
        assert "[⏎ next seat]" in dealer.area("bar")
        await dealer.press("shift+tab")
        assert "chips for Carl>" in dealer.area("entry")
        await dealer.press("tab", "enter")
        assert "chips for Anna>" in dealer.area("entry")
