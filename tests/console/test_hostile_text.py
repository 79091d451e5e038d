"""Every screen shows hostile names as they are: no markup, no crash, no broken frame."""

from collections.abc import Callable
from typing import Any

import pytest
from textual.widget import Widget

from assistant.console.rows import cells

Open = Callable[..., Any]
NAMES = [
    "[/]",
    "[red]Mallory[/]",
    "[@click=app.quit]x[/]",
    "李" * 32,
    "שלום עולם",
    "José 🙂",
    "$accent [b]",
    "O'Brien #1",
]
SEATS = [f'seat "{name}" 100' for name in NAMES]
GAMES = [
    ["game casino-red-dog", *SEATS[:7], *(f'bet "{name}" 5' for name in NAMES[:3]), "card 9H 4S"],
    ["game red-dog-pool", *SEATS, "round", "dealt"],
]


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
@pytest.mark.parametrize("lines", GAMES, ids=["casino", "pool"])
async def test_every_screen_survives_hostile_names(
    open_console: Open, lines: list[str], size: tuple[int, int]
) -> None:
    async with open_console(lines, size=size, resumed=True) as dealer:
        for keys in (
            ["enter"],
            ["w"],
            ["escape", "m"],
            ["escape", "f4"],
            ["enter"],
            ["escape", "f5"],
            ["f6"],
            ["c"],
        ):
            await dealer.press(*keys)
            screen = dealer.screen
            assert len(screen) == size[1]
            assert max(cells(line) for line in screen) <= size[0]
        await dealer.press("escape", "f1", "escape", "f2")
        shown = "\n".join(dealer.screen)
        for name in ("[/]", "[red]Mallory[/]"):
            assert name in shown
        assert not any("click" in str(segment.style.meta) for segment in segments(dealer) if segment.style)


def segments(dealer: Any) -> list[Any]:
    return [segment for strip in dealer.app.screen._compositor.render_strips() for segment in strip]


async def test_a_typed_name_with_markup_is_seated_as_typed(open_console: Open) -> None:
    async with open_console(["game casino-red-dog"]) as dealer:
        await dealer.press("f4")
        await dealer.line("[/] 100")
        assert [seat.name for seat in dealer.snapshot.seats] == ["[/]"]
        assert "[/]" in dealer.area("body")


async def test_pasted_escape_sequences_and_line_breaks_are_text_of_one_line(open_console: Open) -> None:
    async with open_console(["game casino-red-dog", "seat Anna 100"]) as dealer:
        from textual.events import Paste

        dealer.app.screen.post_message(Paste("1\x1b]0;t\x07\n2\u202e" + "9" * 10_000))
        await dealer.pilot.pause()
        assert dealer.lines[-1] == "seat Anna 100", "nothing is booked by pasting"
        text = dealer.app.table.play.typed.text
        assert text.startswith("1]0;t 2999")
        assert len(text) <= 500


async def test_nothing_can_take_the_focus(open_console: Open) -> None:
    async with open_console(GAMES[0]) as dealer:
        widgets = list(dealer.app.screen.query(Widget))
        assert widgets
        assert not any(widget.focusable for widget in widgets)
