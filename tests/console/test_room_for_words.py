"""No text is cut where there is room for it, and where there is none it says the same in fewer words."""

from collections.abc import Callable
from typing import Any

import pytest

Open = Callable[..., Any]
POOL = ["game red-dog-pool ante=5 hand=3", "seat Anna 100", 'seat "Екатерина Вторая" 100', "seat Vera 85"]
FEW = [line.replace('"Екатерина Вторая"', "Катя") for line in POOL]


async def test_players_say_in_full_who_leaves_after_this_round(open_console: Open) -> None:
    lines = [*POOL, "dealer Anna", "round", "dealt", "leave Vera", 'leave "Екатерина Вторая"']
    async with open_console(lines) as dealer:
        await dealer.press("f4")
        assert dealer.area("body").count("leaves after this round") == 2
        assert "Екатерина Вторая" in dealer.area("body")
        assert "…" not in dealer.area("body")


async def test_longest_names_and_amounts_leave_the_players_their_columns(open_console: Open) -> None:
    name = "Konstantin Konstantinovich Smirn"
    lines = ["night N currency=EUR", "game red-dog-pool", f'seat "{name}" 1000000', "seat Vera 50", "round"]
    async with open_console([*lines, "dealt", f'leave "{name}"']) as dealer:
        await dealer.press("f4")
        seat = next(line for line in dealer.area("body").splitlines() if "Konst" in line)
        assert "leaves after this round" in seat
        assert "Konstantin Kons" in seat


@pytest.mark.parametrize(
    ("language", "words"), [("en", ("leaving", "out next")), ("ru", ("уходит", "пропустит"))]
)
async def test_seat_says_in_a_word_who_leaves_where_there_is_no_room_for_more(
    open_console: Open, language: str, words: tuple[str, str]
) -> None:
    lines = [*FEW, "dealer Anna", "round", "dealt", "leave Vera", "sitout Катя"]
    async with open_console(lines, language=language) as dealer:
        seats = dealer.area("seats")
        assert all(word in seats for word in words)
        assert "…" not in seats


async def test_seat_says_who_banks(open_console: Open) -> None:
    async with open_console(["game casino-red-dog", *FEW[1:], "house Anna 50"]) as dealer:
        assert "banks" in dealer.area("seats")
        assert "…" not in dealer.area("seats")


async def test_heading_of_the_payments_is_whole_in_russian(open_console: Open) -> None:
    names = ("Anna", "Boris", "Vera", "Gleb", "Dora", "Ivan", "Zoya", "Катя")
    lines = [*(f"seat {name} 200" for name in names), "expense Anna 80 pizza", "close", "settle players"]
    async with open_console(lines, language="ru") as dealer:
        await dealer.press("f6")
        heading = " ".join(dealer.area("body").partition("▶")[0].split())
        assert heading.startswith("план 2, расчёт между игроками")
        assert heading.endswith("платежей 7, меньше нельзя")
