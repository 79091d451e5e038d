"""The night behind the screens: lines are booked, answers given, and what came of them is kept."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from textual.app import App

from assistant.console.collecting import Collector
from assistant.console.desk import Desk, NotSaved
from assistant.console.screens.base import ConsoleScreen
from assistant.console.state import TableState
from assistant.errors import AssistantError
from assistant.i18n import _

if TYPE_CHECKING:
    from assistant.cards import Card
    from assistant.ledger.season import NightResult
    from assistant.table.season import HouseSeason
    from assistant.table.session import Outcome, TableSession
    from assistant.table.snapshot import TableSnapshot

SeasonReader = Callable[[tuple[str, "NightResult | None"] | None], "HouseSeason"]


class NightApp(App[int]):
    """The part of the console that books: every key that changes the night ends here.

    Args:
        session_factory: Opens and verifies the night; called after the first paint, in the desk's thread.
        season: Reads the results of the stored nights, told which night is open here.
        collector: Collects garbage in still moments; None leaves that to Python.
        clock: Seconds, monotonic.
    """

    def __init__(
        self,
        session_factory: Callable[[], TableSession],
        *,
        season: SeasonReader | None = None,
        collector: Collector | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self.state = TableState(clock=clock)
        self.desk = Desk(session_factory)
        self.clock = clock
        self.quit_asked = False
        self.collector = collector
        self._read_season = season

    async def book(self, line: str) -> bool:
        """Book a line of table talk; True when the night file has it. A refusal says why."""
        return await self._booked(lambda: self.desk.submit(line, key=self.state.key))

    async def refuses(self, line: str) -> bool:
        """Whether the rules refuse a line, so that nothing need be asked about it before it is sent."""
        try:
            return self.desk.is_open and await self.desk.refuses(line)
        except NotSaved:
            return False

    async def answer(self, number: int, card: Card, deck: str = "") -> bool:
        """Book the answer to a question of a card source; True when the night file has it.

        Args:
            number: Number of the question.
            card: The card it was about.
            deck: The deck that takes its tag in, where it was about a tag.
        """
        return await self._booked(lambda: self.desk.answer(number, card, key=self.state.key))

    async def dismiss(self, number: int) -> None:
        """Wave a question of a card source away."""
        self.state.saw(await self.desk.dismiss(number))

    async def show_odds(self, wanted: bool) -> None:
        """Switch the odds of the moment on or off."""
        try:
            self.state.saw(await self.desk.show_odds(wanted))
        except NotSaved as error:
            self.not_saved(error)

    async def _booked(self, send: Callable[[], Awaitable[Outcome]]) -> bool:
        if not self.desk.is_open:
            self.state.say(self.desk.why_closed)
            return False
        self.quit_asked = False
        try:
            outcome = await send()
        except NotSaved as error:
            self.not_saved(error)
            return False
        if not outcome.accepted:
            self.state.refused(outcome)
            return False
        before = self.state.snapshot
        self.state.accepted(outcome)
        self.changed_from(before)
        return True

    def not_saved(self, error: NotSaved) -> None:
        """Say so, and show what the night file holds."""
        if self.desk.snapshot is not None and self.desk.snapshot is not self.state.snapshot:
            self.state.saw(self.desk.snapshot)
        self.state.say(str(error), stops=True)

    def changed_from(self, before: TableSnapshot | None) -> None:
        """Hear that a line has changed the table."""

    async def read_season(self) -> HouseSeason:
        """Read the results of the stored nights, in a thread of its own: play goes on meanwhile.

        Raises:
            AssistantError: They can't be read.
        """
        if self._read_season is None:
            raise AssistantError(_("There is no house folder with nights."))
        playing = await self.desk.night_result()
        return await asyncio.to_thread(self._read_season, playing)

    def moved(self) -> None:
        """Hear that something happens at the table: no moment for housekeeping."""
        if self.collector is not None:
            self.collector.moved()

    def repaint(self) -> None:
        """Paint the screen on top; the others paint when they come back."""
        if isinstance(self.screen, ConsoleScreen):
            self.screen.show()
