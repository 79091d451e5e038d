"""The seats say who plays this round and who only sits at the table."""

from collections.abc import Callable
from typing import Any

import pytest

Open = Callable[..., Any]
TWO_PLAY = ["seat Anna 100", "seat Boris 50", "seat Carl", "seat Dora 3"]


@pytest.mark.parametrize("game", ["red-dog-pool", "acey-deucey-pot", "six-spot-red-dog"])
async def test_who_has_no_chips_or_cannot_pay_the_ante_is_marked_as_not_playing(
    open_console: Open, game: str
) -> None:
    async with open_console([f"game {game}", *TWO_PLAY, "round"]) as dealer:
        seats = dealer.area("seats")
        assert "×3 Carl" in seats
        assert "no chips" in seats
        assert "×4 Dora" in seats
        assert "watches" in seats
        assert ("×1" in seats, "×2" in seats) == (False, False)
        await dealer.press("f4")
        carl, dora = (next(one for one in dealer.screen if name in one) for name in ("Carl", "Dora"))
        assert carl.endswith("no chips")
        assert dora.endswith("not in this round")


async def test_between_rounds_only_who_has_no_chips_is_marked(open_console: Open) -> None:
    async with open_console(["game red-dog-bank", *TWO_PLAY]) as dealer:
        seats = dealer.area("seats")
        assert [one for one in "1234" if f"×{one}" in seats] == ["3"]


async def test_whose_last_chips_lie_in_the_pot_still_plays(open_console: Open) -> None:
    async with open_console(["game rake ante=5", "seat Anna 100", "seat Boris 5", "round"]) as dealer:
        assert "×" not in dealer.area("seats")
        assert "no chips" not in dealer.area("seats")


async def test_who_banks_the_casino_game_with_all_their_chips_plays(open_console: Open) -> None:
    lines = ["game casino-red-dog", "seat Anna 100", "seat Boris 500", "house Boris 500"]
    async with open_console(lines) as dealer:
        assert dealer.seat("Boris").stack == 0
        assert "×" not in dealer.area("seats")
