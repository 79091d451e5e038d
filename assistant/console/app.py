"""The console from start to end: it paints first, opens the night after that, and goes from screen to screen.

Nothing heavy is imported here: the session and its store come with the factory, devices with the intake.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from assistant.console import harden

harden.before_import()

from textual.binding import Binding, BindingType  # noqa: E402

from assistant.console.actions import Act  # noqa: E402
from assistant.console.card_intake import IntakeFactory, open_intake  # noqa: E402
from assistant.console.collecting import Collector  # noqa: E402
from assistant.console.ending import end_on_signals, end_without_terminal  # noqa: E402
from assistant.console.night_app import SeasonReader  # noqa: E402
from assistant.console.panels import resume_panel  # noqa: E402
from assistant.console.printing import Press  # noqa: E402
from assistant.console.safety import CopyWatch, Rescue, damage_lamp, how_it_stands  # noqa: E402
from assistant.console.screens.base import ConsoleScreen  # noqa: E402
from assistant.console.screens.table import TableScreen  # noqa: E402
from assistant.console.sources_app import SourcesApp  # noqa: E402
from assistant.console.themes import THEMES, next_theme  # noqa: E402
from assistant.console.view import Lamp  # noqa: E402
from assistant.errors import AssistantError  # noqa: E402
from assistant.i18n import _, use_language  # noqa: E402

if TYPE_CHECKING:
    from assistant.table.session import TableSession
    from assistant.table.snapshot import TableSnapshot
    from assistant.table.taught import TaughtFile
    from drivers.base import CardSource, SourceEvent
    from drivers.spec import SourceSpec

LAMP_S = 1.0
"""How often lamps and clock are looked at; they are painted only when they change."""


class NoTerminal(AssistantError):
    """There is no terminal, or none that can be painted."""


SCREENS = {
    "camera": ("camera", "CameraScreen"),
    "close": ("close", "CloseScreen"),
    "damaged": ("damaged", "DamagedScreen"),
    "deck": ("deck", "DeckScreen"),
    "game": ("game", "GameScreen"),
    "ledger": ("ledger", "LedgerScreen"),
    "season": ("season", "SeasonScreen"),
    "seats": ("seats", "SeatsScreen"),
    "sources": ("sources", "SourcesScreen"),
}
"""Name -> module below `screens`, and the screen in it."""


class ConsoleApp(SourcesApp):
    """The dealer's console.

    Args:
        session_factory: Opens and verifies the night; called after the first paint, in the desk's thread.
        sources: Card sources as typed, such as ``serial:/dev/ttyUSB0``.
        intake_factory: Makes the intake that reads them.
        opener: Builds a source from what was typed, opening no device; None for the usual way.
        language: The dealer's language.
        slips: Folder for printed slips; None keeps to the printer.
        house: House folder, where calibrations lie; None saves none.
        printer_of: Which printer the house has for ``slip`` or ``receipt``; empty: the system's own.
        handled: Hears of the events of card sources that the table has dealt with.
        season: Reads the results of the stored nights, told which night is open here.
        rescue: What can be done about a damaged night; without it such a night can only be looked at.
        decks: Folder of the enrolled decks; None where there is none.
        taught: Keeps the tags that are named at the table; None keeps them until the program ends.
        collector: Collects garbage in still moments; None leaves that to Python.
        clock: Seconds, monotonic.
        now: Wall clock.
    """

    CSS_PATH = "app.tcss"
    TITLE = "Tableside"
    ENABLE_COMMAND_PALETTE = False
    ESCAPE_TO_MINIMIZE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True),
        Binding("ctrl+c", "hint_quit", show=False, priority=True),
    ]

    def __init__(
        self,
        session_factory: Callable[[], TableSession],
        *,
        sources: tuple[str, ...] = (),
        intake_factory: IntakeFactory = open_intake,
        opener: Callable[[str | SourceSpec], CardSource] | None = None,
        language: str = "en",
        slips: Path | None = None,
        house: Path | None = None,
        printer_of: Callable[[str], str] = lambda _use: "",
        handled: Callable[[Sequence[SourceEvent]], None] | None = None,
        rescue: Rescue | None = None,
        season: SeasonReader | None = None,
        decks: Path | None = None,
        taught: TaughtFile | None = None,
        collector: Collector | None = None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        use_language(language)
        super().__init__(
            session_factory,
            sources=sources,
            intake_factory=intake_factory,
            opener=opener,
            handled=handled,
            decks=decks,
            taught=taught,
            season=season,
            collector=collector,
            clock=clock,
            now=now,
        )
        self.slips = slips
        self.house = house
        self.press = Press(slips, printer_of)
        self._rescue = rescue
        self._copy_watch = CopyWatch(clock)
        self._copy_news = ""
        self._loop_of_screen: asyncio.AbstractEventLoop | None = None
        self.opening_text = _("OPENING the night …")
        self.failure: AssistantError | None = None
        self.table = TableScreen()
        self.animation_level = "none"
        # Chosen before the run: a look that changes after the first paint has every style sheet read twice.
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name

    def get_default_screen(self) -> TableScreen:
        """The table lies at the bottom; a blank screen under it would only be laid out for nothing."""
        return self.table

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The names our looks add, so that Textual's own themes work too."""
        return {**THEMES[0].variables}

    # -- start and end ------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Show the table at once; the night is opened behind it."""
        self._loop_of_screen = asyncio.get_running_loop()
        self.call_after_refresh(self._begin)

    def leave(self) -> None:
        """End in order, from any thread and from a signal handler; the exit code is 0."""
        if self._loop_of_screen is not None:
            self._loop_of_screen.call_soon_threadsafe(self.exit, 0)

    def _begin(self) -> None:
        self.run_worker(self._open_night(), exit_on_error=False, group="open")

    async def _open_night(self) -> None:
        """Open and verify the night, then start the card sources."""
        try:
            snapshot = await self.desk.open()
        except AssistantError as error:
            self.failure = error
            self.exit(1, return_code=1)
            return
        self._begin_night(snapshot)
        self.teaching.begin()
        self.start_sources()
        await self.table.play.book_ahead()
        self.set_interval(LAMP_S, self._look_at_lamps)
        self.repaint()

    def _begin_night(self, snapshot: TableSnapshot) -> None:
        """Show a night that has just been opened."""
        self.state.saw(snapshot)
        self.table.play.panel = None
        if self.desk.damage is not None:
            self.go("damaged")
        elif snapshot.log and not snapshot.closed and snapshot.seats:
            self.table.play.panel = resume_panel(snapshot)
        if self.desk.warnings:
            self.state.say(" ".join(self.desk.warnings), stops=True)

    async def recover(self) -> None:
        """Make a sound night of what is left of a damaged one, and go on with it."""
        damage, rescue = self.desk.damage, self._rescue
        if damage is None or rescue is None:
            return
        name = damage.name
        await self._change_night(lambda: rescue.recover(name))

    async def begin_new(self) -> None:
        """Leave a damaged night as it is and begin another."""
        rescue = self._rescue
        if rescue is not None:
            await self._change_night(lambda: _("A new night has begun."), rescue.begin_new)

    async def _change_night(
        self, work: Callable[[], str], factory: Callable[[], TableSession] | None = None
    ) -> None:
        try:
            done = await self.desk.change_night(work, factory)
        except AssistantError as error:
            self.state.say(str(error), stops=True)
            return
        if self.desk.snapshot is not None:
            self.go("table")
            self._begin_night(self.desk.snapshot)
            self.teaching.begin()
            self.state.say(done)

    async def on_unmount(self) -> None:
        """Let go of devices and of the night; everything was saved long before."""
        await self.stop_sources()
        await self.desk.close()

    async def action_quit(self) -> None:
        """Quit; in a round only when asked twice, so that a slip of the finger does not stop the table."""
        snapshot = self.state.snapshot
        if snapshot is None or not snapshot.in_round or self.quit_asked:
            self.exit(0)
            return
        self.quit_asked = True
        self.state.say(
            _("A round is open. Everything is saved; ctrl+q once more quits, and it goes on next time.")
        )
        self.repaint()

    def action_hint_quit(self) -> None:
        """Say which key quits: ctrl+c is too near to ctrl+v and x."""
        self.state.say(_("ctrl+q quits. Everything is saved all the time."))
        self.repaint()

    # -- screens ------------------------------------------------------------------------------------------

    def go(self, name: str) -> None:
        """Show a screen; the table lies under all of them."""
        shown = self.screen
        needs_words, self.state.is_word_unknown = self.state.is_word_unknown, False
        self.state.said = None  # what was refused on one screen is no news on the next
        if isinstance(shown, ConsoleScreen) and shown.page == name:
            if name == "help":
                self.pop_screen()
            return
        self.state.is_led = self.state.is_led and name == "help"
        if name == "help":
            if not needs_words:
                self.table.play.drop_refused()
            self._show_help(shown, needs_words=needs_words)
            return
        self.table.play.drop_refused()
        while len(self.screen_stack) > 2:
            self.pop_screen()
        below = self.screen
        if isinstance(below, ConsoleScreen) and below.page == name:
            return
        if name == "table":
            self.pop_screen()
        elif below is self.table:
            self.push_screen(self._make(name))
        else:
            self.switch_screen(self._make(name))

    def look_at(self, name: str) -> None:
        """Show a screen over the one that asks for it; Esc leads back there."""
        self.state.said = None
        self.push_screen(self._make(name))

    def back(self) -> None:
        """Leave a screen: to the one it was shown over, else to the table."""
        if len(self.screen_stack) > 2:
            self.state.said = None
            self.pop_screen()
        else:
            self.go("table")

    def _show_help(self, shown: object, *, needs_words: bool) -> None:
        """Help about the screen that is shown; the words of table talk, where one was not known."""
        from assistant.console.screens.help import WORDS_PAGE, HelpScreen

        about = shown if isinstance(shown, ConsoleScreen) else self.table
        below = about if about is not self.table else None
        self.push_screen(HelpScreen(about.manual, WORDS_PAGE if needs_words else "", about.game_shown, below))

    def changed_from(self, before: TableSnapshot | None) -> None:
        """A line that was refused before is out of date once another has been booked."""
        super().changed_from(before)
        self.table.play.drop_refused()
        if isinstance(self.screen, ConsoleScreen):
            self.screen.drop_refused()

    def _make(self, name: str) -> ConsoleScreen:
        """Make a screen; its module is loaded when it is first wanted."""
        module, kind = SCREENS[name]
        made = getattr(import_module(f"assistant.console.screens.{module}"), kind)()
        assert isinstance(made, ConsoleScreen)
        return made

    async def act(self, act: Act) -> bool:
        """Do an act every screen knows, for the screen on top."""
        return await self.screen.act(act) if isinstance(self.screen, ConsoleScreen) else False

    def next_look(self) -> None:
        """Dark, light, high contrast, in turn."""
        self.theme = next_theme(self.theme)
        self.repaint()

    # -- what the status row says -------------------------------------------------------------------------

    def lamps(self) -> tuple[Lamp, ...]:
        """The card sources, the copy of the night and its damage as words."""
        safety = (damage_lamp(self.desk.damage), self._copy_watch.lamp(self.desk.copy))
        return (*self.source_lamps(), *(lamp for lamp in safety if lamp is not None))

    def tell_safety(self) -> None:
        """Say how safe the night is, or show what is wrong with it."""
        if self.desk.damage is not None:
            self.go("damaged")
        elif self.state.snapshot is not None:
            self.state.say(how_it_stands(self.state.snapshot, self.desk.copy))

    @property
    def clock_text(self) -> str:
        """The time of day."""
        return f"{self.now():%H:%M}"

    def _look_at_lamps(self) -> None:
        news = self._copy_watch.news(self.desk.copy)
        said = self.state.said
        if news and (said is None or said.text == self._copy_news):
            self.state.say(news)
            self._copy_news = news
        self.repaint()
        if self.collector is not None:
            self.collector.look()


def run_console(
    session_factory: Callable[[], TableSession],
    *,
    sources: tuple[str, ...] = (),
    language: str = "en",
    slips: Path | None = None,
    house: Path | None = None,
    printer_of: Callable[[str], str] = lambda _use: "",
    handled: Callable[[Sequence[SourceEvent]], None] | None = None,
    rescue: Rescue | None = None,
    season: SeasonReader | None = None,
    decks: Path | None = None,
    taught: TaughtFile | None = None,
    opener: Callable[[str | SourceSpec], CardSource] | None = None,
) -> int:
    """Run the console until the dealer quits and return the exit code.

    Raises:
        AssistantError: The night could not be opened; nothing was changed.
    """
    if os.environ.get("TERM") == "dumb" or not sys.stdout.isatty():
        raise NoTerminal(
            _("The console needs a terminal that can be painted."),
            _("Open it in a terminal window (TERM must not be dumb), or use the other commands: --help."),
        )
    harden.harden_input()
    app = ConsoleApp(
        session_factory,
        sources=sources,
        intake_factory=partial(open_intake, opener=opener),
        opener=opener,
        language=language,
        slips=slips,
        house=house,
        printer_of=printer_of,
        handled=handled,
        rescue=rescue,
        season=season,
        decks=decks,
        taught=taught,
        collector=Collector(time.monotonic),
    )
    end_on_signals(app.leave)
    end_without_terminal()
    app.run(mouse=False)
    if app.failure is not None:
        raise app.failure
    return app.return_code or 0
