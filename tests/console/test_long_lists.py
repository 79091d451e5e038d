"""A list or a text that is longer than the screen says that there is more, everywhere in the same way."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from assistant.table.intake import Lamp, SourceState

Open = Callable[..., Any]
MORE = re.compile(r"[↑↓] (\d+) more")
CROWD = [f"seat P{number:02} 100" for number in range(1, 25)]


@pytest.mark.parametrize(
    ("lines", "keys", "below"),
    [
        pytest.param(["game red-dog-pool"], ("f5",), "↓ ", id="house rules"),
        pytest.param(CROWD, ("f4",), "↓ 9 more", id="players"),
        pytest.param(CROWD, ("e", "tab"), "↓ 19 more", id="entries"),
        pytest.param(CROWD, ("f6",), "↓ 11 more", id="count"),
        pytest.param([], ("f1",), "↓ ", id="keys"),
        pytest.param(CROWD[:9], ("f4",), "", id="players that fit"),
        pytest.param(["game casino-red-dog"], ("f1", "right", "right"), "↓ ", id="rules"),
        pytest.param(["seat Anna 10", *["buy Anna 1"] * 30], ("e", "enter", "1"), "↓ ", id="why"),
    ],
)
async def test_what_is_longer_than_the_screen_says_how_much_more_there_is(
    open_console: Open, lines: list[str], keys: tuple[str, ...], below: str
) -> None:
    async with open_console(lines) as dealer:
        await dealer.press(*keys)
        marks = _marks(dealer.area("body"))
        assert bool(marks) is bool(below)
        if below:
            assert marks[-1].startswith(below)
            await dealer.press(*["down"] * 60)
            last = _marks(dealer.area("body"))[-1]
            assert "↑" in last
            assert "↓" not in last


async def test_card_sources_that_do_not_fit_say_how_many_rows_more_there_are(open_console: Open) -> None:
    async with open_console() as dealer:
        dealer.app.devices.look = lambda: None
        dealer.intake.shown = tuple(
            SourceState(f"serial:/dev/ttyUSB{one}", Lamp.UP, "", 0, None) for one in range(20)
        )
        await dealer.press("f3")
        (mark,) = _marks(dealer.area("body"))
        assert mark.startswith("↓")
        await dealer.press(*["down"] * 30)
        (mark,) = _marks(dealer.area("body"))
        assert "↑" in mark
        assert "↓" not in mark


def _marks(body: str) -> list[str]:
    return [line.strip() for line in body.splitlines() if MORE.search(line)]
