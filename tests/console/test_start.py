"""The start: first paint before anything heavy, keys are kept, an open night is compared with the table."""

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from assistant.console.app import ConsoleApp
from assistant.errors import AssistantError
from assistant.store.memory import MemoryNight
from assistant.table.session import TableSession

Open = Callable[..., Any]
POOL = ["game red-dog-pool ante=5 hand=3", "seat Anna 100", "seat Boris 100", "dealer Anna", "round", "dealt"]
HEAVY = "cv2 numpy serial sqlite3 cattrs drivers.base assistant.table.session assistant.store.base".split()


def test_the_console_loads_no_session_store_or_device_library_before_it_paints(repository: Path) -> None:
    code = f"import sys, assistant.console.app; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=repository, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


async def test_lines_typed_while_the_night_is_opened_are_booked_once_it_is_open_and_not_before() -> None:
    may_open = threading.Event()

    def factory() -> TableSession:
        may_open.wait(20)
        session = TableSession(MemoryNight(), "night")
        for line in POOL:
            session.submit(line)
        return session

    app = ConsoleApp(factory)
    async with app.run_test() as pilot:
        await pilot.press("1", "0", "enter")
        strips = app.screen._compositor.render_strips()
        shown = "\n".join("".join(segment.text for segment in strip) for strip in strips)
        assert "OPENING" in shown
        assert "still being opened" in shown
        assert app.state.snapshot is None
        await pilot.press("7", "h", "enter")
        may_open.set()
        while app.state.snapshot is None or app.table.play.ahead:
            await pilot.pause()
        await pilot.pause()
        assert [line.text for line in app.state.snapshot.log[-2:]] == ["bet Boris 10", "card 7H"]


async def test_a_night_that_cannot_be_opened_ends_the_console_with_its_reason() -> None:
    def factory() -> TableSession:
        raise AssistantError("The night is open in another window.", "Close it first.")

    app = ConsoleApp(factory)
    async with app.run_test() as pilot:
        for _turn in range(50):
            await pilot.pause()
            if app.failure is not None:
                break
    assert str(app.failure) == "The night is open in another window. Close it first."


async def test_a_night_that_was_open_is_compared_with_the_table_first(open_console: Open) -> None:
    async with open_console([*POOL, "bet Boris 10"], resumed=True) as dealer:
        assert "ROUND 1 WAS OPEN" in dealer.area("bar")
        panel = dealer.area("panel")
        assert "bets: Boris 10" in panel
        assert "pool: 10" in panel
        await dealer.press("enter")
        assert "TURN a card for Boris" in dealer.area("bar")
        assert dealer.lines[-1] == "bet Boris 10"


async def test_after_a_power_cut_the_last_line_can_be_taken_back_at_once(open_console: Open) -> None:
    async with open_console([*POOL, "bet Boris 10"], resumed=True) as dealer:
        await dealer.press("u")
        assert dealer.seat("Boris").bet == 0
        assert "ASK Boris" in dealer.area("bar")


async def test_a_card_source_goes_on_while_the_resumed_night_is_compared(open_console: Open) -> None:
    from assistant.cards import parse_card
    from drivers.base import EventKind, SourceEvent

    async with open_console([*POOL, "bet Boris 10"], resumed=True, sources=("serial:x",)) as dealer:
        await dealer.source_says(SourceEvent(EventKind.CARD, "serial:x", 1.0, card=parse_card("7h")))
        assert dealer.lines[-1] == "card 7H"


async def test_a_new_night_asks_for_the_game_first(open_console: Open) -> None:
    async with open_console(resumed=True) as dealer:
        assert "CHOOSE a game" in dealer.area("bar")
        await dealer.press("enter")
        assert dealer.app.screen.page == "game"
