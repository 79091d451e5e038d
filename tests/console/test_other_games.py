"""Whole rounds of the other games by keys alone: the keys that only they need."""

from collections.abc import Callable
from typing import Any

import pytest

Open = Callable[..., Any]
SEATS = ["seat Anna 100", "seat Boris 100", "seat Vera 100", "dealer Anna"]
SIZES = pytest.mark.parametrize("size", [(80, 24), (120, 36)])


@SIZES
async def test_a_banker_puts_up_any_bank_and_enter_alone_names_none(
    open_console: Open, size: tuple[int, int]
) -> None:
    async with open_console(["game red-dog-bank", *SEATS], size=size) as dealer:
        await dealer.press("enter", "enter")
        assert dealer.lines[5:] == ["round"]
        assert "bank of Anna>" in dealer.area("entry")
        assert "amount 1-100 and Enter" in dealer.area("entry")
        await dealer.line("40")
        assert dealer.lines[-1] == "bank 40"
        assert "BANK" in "\n".join(dealer.screen)
        assert dealer.snapshot.pool == 40
        await dealer.press("enter")
        await dealer.line("20", "3c", "9c")
        await dealer.press("n")
        assert dealer.lines[7:] == ["dealt", "bet Boris 20", "card 3C", "show Boris 9C", "pass Vera"]


async def test_the_whole_bank_is_one_key(open_console: Open) -> None:
    async with open_console(["game red-dog-bank", *SEATS, "round", "bank 40", "dealt"]) as dealer:
        assert "P bank" in dealer.area("keys")
        await dealer.press("p", "enter")
        assert dealer.lines[-1] == "bet Boris 40"


async def test_a_proposed_amount_gives_way_to_the_first_digit(open_console: Open) -> None:
    async with open_console(["game red-dog-bank", *SEATS, "round", "bank 40", "dealt"]) as dealer:
        await dealer.press("p")
        await dealer.line("15")
        assert dealer.lines[-1] == "bet Boris 15"


async def test_a_six_spot_hand_is_shown_whole_and_the_screen_says_so(open_console: Open) -> None:
    async with open_console(
        ["game six-spot-red-dog", *SEATS, "round", "dealt", "card 9C 4H", "bet Boris 5"]
    ) as dealer:
        assert "SHOW all 3 cards of Boris" in dealer.area("bar")
        assert "all 3 cards" in dealer.area("entry")
        await dealer.line("5h kd 2c")
        assert dealer.lines[-1] == "show Boris 5H KD 2C"


PAID_OUT = ["round", "bank", "dealt", "bet Boris 20", "pass Vera", "card 4C 7H", "show Boris 8H 9C 2D"]


@pytest.mark.parametrize(("key", "line"), [("y", "keep"), ("н", "keep"), ("n", "retire"), ("т", "retire")])
async def test_a_polish_banker_keeps_the_bank_or_retires_by_one_key(
    open_console: Open, key: str, line: str
) -> None:
    async with open_console(["game polish-red-dog", *SEATS, *PAID_OUT]) as dealer:
        assert "Y keep  N retire" in dealer.area("keys")
        await dealer.press("enter")
        assert dealer.lines[-1] == "show Boris 8H 9C 2D"  # a choice is never made by Enter alone
        await dealer.press(key)
        assert dealer.lines[-1] == line


async def test_a_grown_bank_is_stitched_by_the_same_key(open_console: Open) -> None:
    seats = ["seat Anna 100", "seat Boris 1000", "seat Vera 100", "dealer Anna"]
    async with open_console(["game polish-red-dog", *seats, "round", "bank"]) as dealer:
        for bet in ("50", "75", "112"):  # all that the bank of 100, 150, 225 covers
            await dealer.press("enter")
            await dealer.line(bet, "4c 9h", "8h 8c 2d")
            assert ("Y stitch" in dealer.area("keys")) == (bet == "112")
            await dealer.press("y")
        assert dealer.lines[-1] == "stitch"


@pytest.mark.parametrize(("key", "called"), [("h", "high"), ("р", "high"), ("l", "low"), ("д", "low")])
async def test_an_ace_is_called_by_one_key(open_console: Open, key: str, called: str) -> None:
    async with open_console(["game acey-deucey-pot", *SEATS, "round", "card AH"]) as dealer:
        assert "H high  L low" in dealer.area("keys")
        await dealer.press(key)
        assert dealer.lines[-1] == f"ace Boris {called}"


async def test_h_begins_a_card_again_once_the_ace_is_called(open_console: Open) -> None:
    async with open_console(["game acey-deucey-pot", *SEATS, "round", "card AH", "ace Boris low"]) as dealer:
        await dealer.line("h9")
        assert dealer.lines[-1] == "card 9H"


@pytest.mark.parametrize(
    ("typed", "side"),
    [
        ("6h", "higher"),
        ("6 h", "higher"),
        ("6 higher", "higher"),
        ("6l", "lower"),
        ("6р", "higher"),
        ("6д", "lower"),
    ],
)
async def test_on_a_pair_the_side_stands_behind_the_amount(open_console: Open, typed: str, side: str) -> None:
    async with open_console(["game acey-deucey-pot", *SEATS, "round", "card 7C 7D"]) as dealer:
        await dealer.line(typed)
        assert dealer.lines[-1] == f"bet Boris 6 {side}"


async def test_an_amount_without_its_side_is_asked_for_and_kept(open_console: Open) -> None:
    async with open_console(["game acey-deucey-pot", *SEATS, "round", "card 7C 7D"]) as dealer:
        await dealer.line("6")
        assert dealer.lines[-1] == "card 7C 7D"
        assert "6 on higher or lower?" in dealer.area("bar")


DRAW = ["game rake", *SEATS, "round", "dealt", "check Boris", "check Vera", "check Anna", "card AS KD 3H"]


async def test_a_call_that_costs_chips_is_never_made_by_enter_alone(open_console: Open) -> None:
    async with open_console(["game rake", *SEATS, "round", "dealt", "bet Boris 10"]) as dealer:
        await dealer.press("enter")
        assert dealer.lines[-1] == "bet Boris 10"
        await dealer.press("n")
        assert dealer.lines[-1] == "call Vera"


async def test_a_raise_proposes_the_least_and_takes_any_amount(open_console: Open) -> None:
    async with open_console(["game rake", *SEATS, "round", "dealt", "bet Boris 10"]) as dealer:
        await dealer.press("r", "enter")
        assert dealer.lines[-1] == "raise Vera 20"
        await dealer.press("r")
        await dealer.line("35")
        assert dealer.lines[-1] == "raise Anna 35"


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("1", "AS"),
        ("2", "KD"),
        ("3", "3H"),
        ("4", "closed"),
        ("c", "closed"),
        ("closed", "closed"),
        ("с", "closed"),
        ("kd", "KD"),
    ],
)
async def test_a_market_card_is_drawn_by_its_number_or_its_name(
    open_console: Open, typed: str, word: str
) -> None:
    async with open_console(DRAW) as dealer:
        await dealer.line(typed)
        assert dealer.lines[-1] == f"take Boris {word}"


async def test_a_number_the_market_has_not_books_nothing(open_console: Open) -> None:
    async with open_console(DRAW) as dealer:
        await dealer.line("5")
        assert dealer.lines[-1] == "card AS KD 3H"
        assert "5? the card's number 1-4, the card itself, or c for closed" in dealer.area("bar")


@SIZES
async def test_the_market_stands_under_its_own_names(open_console: Open, size: tuple[int, int]) -> None:
    async with open_console(DRAW, size=size) as dealer:
        shown = "\n".join(dealer.screen)
        for name in ("Ace of Skulls", "Duke of Fangs", "3 of Wings"):
            assert name in shown
        await dealer.line("1")
        assert [(card.role, card.player) for card in dealer.snapshot.board] == [
            ("taken", "p2"),
            ("market", None),
            ("market", None),
        ]


async def test_a_raise_to_more_than_what_is_left_but_not_more_than_all_is_not_questioned(
    open_console: Open,
) -> None:
    """A raise is *to* an amount: what was bet before is part of it, and 60 was said to be above the stack."""
    lines = ["game rake", *SEATS, "round", "dealt", "bet Boris 15", "raise Vera 30", "raise Anna 45"]
    async with open_console(lines) as dealer:
        left = dealer.seat("Boris").stack
        await dealer.line(str(left + 10))
        assert dealer.lines[-1] == f"raise Boris {left + 10}"


async def test_the_side_of_a_bet_on_a_pair_is_said_in_russian(open_console: Open) -> None:
    lines = ["game acey-deucey-pot", "seat Анна 100", "seat Борис 100", "round", "card 5H 5D"]
    async with open_console(lines, language="ru") as dealer:
        await dealer.line("5h")
        assert "СДАТЬ третью карту, Борис: старше" in dealer.area("bar")
        assert "higher" not in dealer.area("bar")


async def test_why_a_round_is_called_off_is_said_in_the_language_of_the_console(open_console: Open) -> None:
    async with open_console(["game rake", *SEATS, "round", "dealt"], language="ru") as dealer:
        await dealer.press("m", "1", "enter")
        assert dealer.lines[-1] == "void ошибка"
