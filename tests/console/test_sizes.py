"""Every window size: full at 80x24, a sentence below, and never a crash or a lost line."""

from collections.abc import Callable
from typing import Any

import pytest

Open = Callable[..., Any]
POOL = [
    "game red-dog-pool",
    *(f"seat {name} 100" for name in "Anna Boris Vera Gleb Dora Eva Jon Kim Lea Max".split()),
    "round",
    "dealt",
]


async def test_below_80x24_one_line_says_so_and_the_typed_line_is_kept(open_console: Open) -> None:
    async with open_console(POOL) as dealer:
        await dealer.type("1")
        await dealer.pilot.resize_terminal(60, 18)
        await dealer.pilot.pause()
        shown = [line.strip() for line in dealer.screen if line.strip()]
        assert shown == ["window too small (80x24), is 60x18"]
        await dealer.press("enter", "f", "5")
        assert dealer.lines[-1] == "dealt", "nothing is booked blindly"
        await dealer.pilot.resize_terminal(80, 24)
        await dealer.pilot.pause()
        assert "> 1" in dealer.area("entry")
        assert "ASK" in dealer.area("bar")


@pytest.mark.parametrize("size", [(1, 1), (2, 40), (200, 1), (79, 24), (80, 23), (300, 100), (80, 24)])
@pytest.mark.parametrize("key", ["f2", "f4", "f5", "f6", "f1", "m"])
async def test_no_size_crashes_any_screen(open_console: Open, size: tuple[int, int], key: str) -> None:
    async with open_console(POOL, size=(80, 24)) as dealer:
        await dealer.press(key)
        await dealer.pilot.resize_terminal(*size)
        await dealer.pilot.pause()
        assert len(dealer.screen) == size[1]


async def test_ten_seats_fit_on_the_smallest_screen_with_a_log(open_console: Open) -> None:
    async with open_console(POOL) as dealer:
        seats = dealer.area("seats")
        assert all(name in seats for name in ("Anna", "Max", "10"))
        assert len(dealer.area("log").splitlines()) >= 4


async def test_a_panel_leaves_the_bar_and_the_entry_in_sight(open_console: Open) -> None:
    async with open_console(POOL) as dealer:
        await dealer.press("m")
        screen = dealer.screen
        assert "WHAT HAPPENED?" in dealer.area("bar")
        assert any("void" in line or "called off" in line or "call the round off" in line for line in screen)
        assert screen[-2].startswith(" number>")


async def test_nothing_of_what_to_pay_is_cut_off_however_long_the_names(open_console: Open) -> None:
    names = [f"{letter} {'x' * 29}" for letter in "abcdefg"]
    lines = [
        "game casino-red-dog",
        *(f'seat "{name}" 100' for name in names),
        *(f'bet "{name}" 5' for name in names),
    ]
    lines += ["card 2H 4S", *(f'call "{name}"' for name in names), "card 3D"]
    async with open_console(lines) as dealer:
        bar = " ".join(dealer.area("bar").split())
        assert all(f"{name} 25" in bar for name in names)
        assert "chips for" in dealer.area("entry")
