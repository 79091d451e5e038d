"""The entry line: editing, history, long lines, and what a burst of keys costs."""

from collections.abc import Callable
from typing import Any

import pytest

from assistant.console.screens.base import ConsoleScreen
from assistant.console.widgets.entry import MAX_LENGTH, Typed

Open = Callable[..., Any]
POOL = ["game red-dog-pool ante=5 hand=3", "seat Anna 100", "seat Boris 100", "dealer Anna", "round", "dealt"]


@pytest.mark.parametrize(
    ("before", "keys", "after"),
    [
        (Typed.of("10"), ["backspace"], Typed("1", 1)),
        (Typed.of("10"), ["left", "backspace"], Typed("0", 0)),
        (Typed.of("10"), ["home", "delete"], Typed("0", 0)),
        (Typed("10", 0), ["end"], Typed("10", 2)),
        (Typed.of("bet Anna 10"), ["ctrl+w"], Typed("bet Anna ", 9)),
        (Typed.of("bet Anna 10"), ["left", "ctrl+u"], Typed("0", 0)),
        (Typed(), ["backspace", "delete", "left", "right"], Typed()),
    ],
)
def test_editing(before: Typed, keys: list[str], after: Typed) -> None:
    typed: Typed | None = before
    for key in keys:
        assert typed is not None
        typed = typed.edited(key)
    assert typed == after


def test_a_line_never_grows_beyond_its_limit() -> None:
    assert len(Typed.of("1" * MAX_LENGTH).insert("2" * 50).text) == MAX_LENGTH


async def test_a_long_line_scrolls_and_the_cursor_stays_in_sight(open_console: Open) -> None:
    async with open_console(POOL) as dealer:
        await dealer.type(":note " + "abcdefghij" * 12)
        assert dealer.area("entry").rstrip().endswith("hij")
        await dealer.press("home")
        assert ":note abc" in dealer.area("entry")


async def test_earlier_lines_come_back_with_up(open_console: Open) -> None:
    async with open_console(POOL) as dealer:
        await dealer.line(":note one", ":note two")
        await dealer.press("up", "up")
        assert ":note one" in dealer.area("entry")
        await dealer.press("down", "down")
        assert ":note" not in dealer.area("entry")


async def test_the_log_pages_back_and_forth(open_console: Open) -> None:
    async with open_console([*POOL, *(f"note {number}" for number in range(40))]) as dealer:
        assert "note 39" in dealer.area("log")
        await dealer.press("pageup")
        assert "note 39" not in dealer.area("log")
        await dealer.press("pagedown")
        assert "note 39" in dealer.area("log")


async def test_what_a_line_means_is_shown_before_it_is_booked(open_console: Open) -> None:
    async with open_console([*POOL, "bet Boris 5"]) as dealer:
        await dealer.type("йр")
        assert "→ card Q♥" in dealer.area("entry")
        await dealer.press("escape")
        await dealer.type("kz")
        assert "? kz" in dealer.area("entry")


async def test_a_booked_line_lays_the_screen_out_at_most_once(
    open_console: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_console([*POOL, "note x"]) as dealer:
        laid_out = []
        original = ConsoleScreen._refresh_layout

        def counted(self: ConsoleScreen, *arguments: Any, **options: Any) -> None:
            laid_out.append(self)
            original(self, *arguments, **options)

        monkeypatch.setattr(ConsoleScreen, "_refresh_layout", counted)
        await dealer.type("10")
        assert not laid_out, "a typed character lays nothing out"
        await dealer.press("enter")
        await dealer.pilot.pause()
        assert dealer.lines[-1] == "bet Boris 10"
        assert len(laid_out) <= 1


async def test_the_line_says_that_a_name_with_a_blank_goes_in_quotes(open_console: Open) -> None:
    async with open_console(["game red-dog-pool", 'seat "Anna K." 100', "seat Boris 50", "round"]) as dealer:
        assert ": any line of table talk; a name with a blank in quotes" in dealer.area("entry")
