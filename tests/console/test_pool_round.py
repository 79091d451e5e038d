"""A pool round by keys alone."""

from collections.abc import Callable
from typing import Any

import pytest

Open = Callable[..., Any]
TABLE = ["game red-dog-pool ante=5 hand=3", "seat Anna 100", "seat Boris 100", "seat Vera 100", "dealer Anna"]


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_a_whole_pool_round_by_keys(open_console: Open, size: tuple[int, int]) -> None:
    async with open_console(TABLE, size=size) as dealer:
        await dealer.press("enter", "enter")  # antes, hands
        await dealer.line("10", "7h", "kh", "5", "9s", "2s 3h 4d", "10", "5d", "jd")
        assert dealer.lines[5:] == [
            "round",
            "dealt",
            "bet Boris 10",
            "card 7H",
            "show Boris KH",
            "bet Vera 5",
            "card 9S",
            "show Vera 2S 3H 4D",
            "bet Anna 10",
            "card 5D",
            "show Anna JD",
        ]
        assert [(seat.name, seat.stack) for seat in dealer.snapshot.seats] == [
            ("Anna", 105),
            ("Boris", 105),
            ("Vera", 90),
        ]
        assert dealer.snapshot.pool == 0


async def test_the_cards_in_the_hands_are_not_left_of_the_deck(open_console: Open) -> None:
    async with open_console([*TABLE, "round"]) as dealer:
        assert "deck, 52 left" in dealer.area("pool")
        await dealer.press("enter")  # three hands of three
        assert "deck, 43 left" in dealer.area("pool")
        await dealer.line("10", "7h")
        assert "deck, 42 left" in dealer.area("pool")
        await dealer.line("kh")  # out of a hand: the stock is as it was
        assert "deck, 42 left" in dealer.area("pool")


@pytest.mark.parametrize(("won", "lost"), [("y", "n"), ("н", "f8"), ("f7", "f8")])
async def test_the_dealers_word_settles_a_hand(open_console: Open, won: str, lost: str) -> None:
    async with open_console([*TABLE, "round", "dealt", "bet Boris 10", "card 7H"]) as dealer:
        await dealer.press(won)
        assert dealer.lines[-1] == "won Boris"
        await dealer.line("5", "9s")
        await dealer.press(lost)
        assert dealer.lines[-1] == "lost Vera"


async def test_a_russian_ace_is_typed_while_a_hand_is_due_although_its_key_is_a_command(
    open_console: Open,
) -> None:
    async with open_console([*TABLE, "round", "dealt", "bet Boris 10", "card 7H"]) as dealer:
        await dealer.line("тч")
        assert dealer.lines[-1] == "show Boris AH"


@pytest.mark.parametrize("key", ["f", "а"])
async def test_a_hand_is_thrown_in(open_console: Open, key: str) -> None:
    async with open_console([*TABLE, "round", "dealt"]) as dealer:
        await dealer.press(key)
        assert dealer.lines[-1] == "fold Boris"


async def test_the_pot_is_offered_as_an_amount_and_booked_on_enter(open_console: Open) -> None:
    async with open_console([*TABLE, "round", "dealt"]) as dealer:
        await dealer.press("p")
        assert "15" in dealer.area("entry")
        assert dealer.lines[-1] == "dealt"
        await dealer.press("enter")
        assert dealer.lines[-1] == "bet Boris 15"


async def test_enter_never_bets_or_folds_by_itself(open_console: Open) -> None:
    async with open_console([*TABLE, "round", "dealt"]) as dealer:
        await dealer.press("enter")
        assert dealer.lines[-1] == "dealt"
        assert "Nothing to confirm" in dealer.area("bar")


async def test_a_key_that_has_nothing_to_do_says_so_and_books_nothing(open_console: Open) -> None:
    async with open_console(TABLE) as dealer:
        before = dealer.lines
        await dealer.press("f", "y", "p")
        assert dealer.lines == before
        assert "nothing to do" in dealer.area("bar")


async def test_a_refused_line_stays_for_mending_with_what_is_legal(open_console: Open) -> None:
    async with open_console([*TABLE, "round", "dealt", "bet Boris 5", "card 7H", "lost Boris"]) as dealer:
        await dealer.line("99")
        assert "99" in dealer.area("entry")
        bar = dealer.area("bar")
        assert "!" in bar
        assert "5 to 20" in bar
        await dealer.press("backspace", "backspace")
        await dealer.line("20")
        assert dealer.lines[-1] == "bet Vera 20"


async def test_any_line_of_table_talk_behind_a_colon(open_console: Open) -> None:
    async with open_console([*TABLE, "round"]) as dealer:
        await dealer.line(":dealt Boris 4")
        assert dealer.lines[-1] == "dealt Boris 4"
        await dealer.press("Ж")
        await dealer.line("note Boris spilled his tea")
        assert dealer.lines[-1] == "note Boris spilled his tea"
