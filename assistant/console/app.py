"""The console: paints first, opens the night after that, lets keys and card sources reach it in one order.

Nothing heavy is imported here: the session and its store come with the factory, devices with the intake.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, assert_never

from assistant.console import harden

harden.before_import()

from textual.app import App  # noqa: E402 - the switch above must be set first
from textual.binding import Binding, BindingType  # noqa: E402

from assistant.console.actions import Act  # noqa: E402
from assistant.console.card_intake import (  # noqa: E402
    CardIntake,
    IntakeFactory,
    is_of_camera,
    lamp_of,
    open_intake,
    source_name,
    waits,
)
from assistant.console.collecting import Collector  # noqa: E402
from assistant.console.desk import Desk, NotSaved  # noqa: E402
from assistant.console.ending import end_on_signals, end_without_terminal  # noqa: E402
from assistant.console.inbox import PACE_S, Inbox  # noqa: E402
from assistant.console.messages import CardsSeen, DevicesChanged  # noqa: E402
from assistant.console.panels import resume_panel  # noqa: E402
from assistant.console.printing import Press  # noqa: E402
from assistant.console.safety import CopyWatch, Rescue, damage_lamp, how_it_stands  # noqa: E402
from assistant.console.screens.base import ConsoleScreen  # noqa: E402
from assistant.console.screens.table import TableScreen  # noqa: E402
from assistant.console.state import TableState  # noqa: E402
from assistant.console.teaching import Teaching, decks_of  # noqa: E402
from assistant.console.themes import THEMES, next_theme  # noqa: E402
from assistant.console.view import Lamp  # noqa: E402
from assistant.errors import AssistantError  # noqa: E402
from assistant.i18n import _, use_language  # noqa: E402

if TYPE_CHECKING:
    from assistant.cards import Card
    from assistant.console.devices import Devices
    from assistant.ledger.season import NightResult
    from assistant.table.intake import SourceState
    from assistant.table.questions import Question
    from assistant.table.season import HouseSeason
    from assistant.table.session import Notice, Outcome, TableSession
    from assistant.table.snapshot import TableSnapshot
    from assistant.table.taught import TaughtFile
    from drivers.base import CardSource, Sight, SourceEvent
    from drivers.spec import SourceSpec

LEAVING_GLANCES, LEAVING_GLANCE_S = 20, 0.05
"""How long, in looks, a source that was let go is waited for before its device is opened anew."""
LAMP_S = 1.0
"""How often lamps and clock are looked at; they are painted only when they change."""


class NoTerminal(AssistantError):
    """There is no terminal, or none that can be painted."""


SeasonReader = Callable[[tuple[str, "NightResult | None"] | None], "HouseSeason"]


class ConsoleApp(App[int]):
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
        super().__init__()
        self.state = TableState(clock=clock)
        self.desk = Desk(session_factory)
        self.sources = sources
        self.opened = {source_name(source): source for source in sources}
        """Open sources by their names, as they were typed."""
        self.slips = slips
        self.house = house
        self.press = Press(slips, printer_of)
        self._note_handled = handled
        self._rescue = rescue
        self._copy_watch = CopyWatch(clock)
        self._copy_news = ""
        self._read_season = season
        self.decks = decks
        self._opener = opener
        self.taught = taught
        self._teaching = Teaching(self)
        self._devices: Devices | None = None
        self._collector = collector
        self.clock = clock
        self.now = now or (lambda: datetime.now().astimezone())
        self._loop_of_screen: asyncio.AbstractEventLoop | None = None
        self.opening_text = _("OPENING the night …")
        self._intake_factory = intake_factory
        self._intake: CardIntake | None = None
        self._quit_asked = self._shoe_asked = False
        self._is_deck_shown = self._is_card_shown = False
        self._inbox = Inbox(time.monotonic, lambda: self.post_message(CardsSeen()))
        self._delivered = 0
        self._handled = 0
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
        self._teaching.begin()
        self._start_sources()
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

    async def read_season(self) -> HouseSeason:
        """Read the results of the stored nights, in a thread of its own: play goes on meanwhile.

        Raises:
            AssistantError: They can't be read.
        """
        if self._read_season is None:
            raise AssistantError(_("There is no house folder with nights."))
        playing = await self.desk.night_result()
        return await asyncio.to_thread(self._read_season, playing)

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
            self._teaching.begin()
            self.state.say(done)

    def _start_sources(self) -> None:
        try:
            self._intake = self._intake_factory(
                self.sources, self._deliver, self.face_up_due, self.deals_face_down
            )
            self._intake.recall(self._teaching.tags)
            self._intake.deals_from(self._decks_in_shoe())
            self._intake.start()
        except AssistantError as error:
            self.state.say(str(error))
        except ImportError as error:
            self.state.say(_("No card sources: {error}. The keyboard works.").format(error=error))

    async def on_unmount(self) -> None:
        """Let go of devices and of the night; everything was saved long before."""
        if self._intake is not None:
            intake, self._intake = self._intake, None
            await asyncio.to_thread(intake.stop)
        await self.desk.close()

    async def action_quit(self) -> None:
        """Quit; in a round only when asked twice, so that a slip of the finger does not stop the table."""
        snapshot = self.state.snapshot
        if snapshot is None or not snapshot.in_round or self._quit_asked:
            self.exit(0)
            return
        self._quit_asked = True
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
        self.state.said = None  # what was refused on one screen is no news on the next
        if isinstance(shown, ConsoleScreen) and shown.page == name:
            if name == "help":
                self.pop_screen()
            return
        if name == "help":
            page = shown.manual if isinstance(shown, ConsoleScreen) else "table"
            self.push_screen(self._make("help", page))
            return
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

    def _make(self, name: str, page: str = "") -> ConsoleScreen:
        """Make a screen; its module is loaded when it is first wanted."""
        if name == "help":
            from assistant.console.screens.help import HelpScreen

            return HelpScreen(page)
        if name == "seats":
            from assistant.console.screens.seats import SeatsScreen

            return SeatsScreen()
        if name == "camera":
            from assistant.console.screens.camera import CameraScreen

            return CameraScreen()
        if name == "deck":
            from assistant.console.screens.deck import DeckScreen

            return DeckScreen()
        if name == "sources":
            from assistant.console.screens.sources import SourcesScreen

            return SourcesScreen()
        if name == "game":
            from assistant.console.screens.game import GameScreen

            return GameScreen()
        if name == "ledger":
            from assistant.console.screens.ledger import LedgerScreen

            return LedgerScreen()
        if name == "season":
            from assistant.console.screens.season import SeasonScreen

            return SeasonScreen()
        if name == "damaged":
            from assistant.console.screens.damaged import DamagedScreen

            return DamagedScreen()
        from assistant.console.screens.close import CloseScreen

        return CloseScreen()

    async def act(self, act: Act) -> bool:
        """Do an act every screen knows, for the screen on top."""
        return await self.screen.act(act) if isinstance(self.screen, ConsoleScreen) else False

    def next_look(self) -> None:
        """Dark, light, high contrast, in turn."""
        self.theme = next_theme(self.theme)
        self.repaint()

    def repaint(self) -> None:
        """Paint the screen on top; the others paint when they come back."""
        if isinstance(self.screen, ConsoleScreen):
            self.screen.show()

    # -- lines --------------------------------------------------------------------------------------------

    async def book(self, line: str) -> bool:
        """Book a line of table talk; True when the night file has it. A refusal says why."""
        if not await self._booked(lambda: self.desk.submit(line, key=self.state.key)):
            return False
        await self._teaching.booked(line)
        return True

    async def answer(self, number: int, card: Card, deck: str = "") -> bool:
        """Book the answer to a question of a card source; True when the night file has it.

        Args:
            number: Number of the question.
            card: The card it was about.
            deck: The deck that takes its tag in, where it was about a tag.
        """
        questions = self.state.snapshot.questions if self.state.snapshot is not None else ()
        tagged = next((one for one in questions if one.number == number and one.tag), None)
        if not await self._booked(lambda: self.desk.answer(number, card, key=self.state.key)):
            return False
        if tagged is not None:
            await self._teaching.teach(tagged.source, tagged.tag, card, deck)
        return True

    async def dismiss(self, number: int) -> None:
        """Wave a question of a card source away."""
        self.state.saw(await self.desk.dismiss(number))

    async def show_odds(self, wanted: bool) -> None:
        """Switch the odds of the moment on or off."""
        try:
            self.state.saw(await self.desk.show_odds(wanted))
        except NotSaved as error:
            self._not_saved(error)

    async def _booked(self, send: Callable[[], Awaitable[Outcome]]) -> bool:
        if not self.desk.is_open:
            self.state.say(self.desk.why_closed)
            return False
        self._quit_asked = self._shoe_asked = False
        try:
            outcome = await send()
        except NotSaved as error:
            self._not_saved(error)
            return False
        if not outcome.accepted:
            self.state.refused(outcome)
            return False
        before = self.state.snapshot
        self.state.accepted(outcome)
        self._tell_shuffle(before)
        return True

    def _not_saved(self, error: NotSaved) -> None:
        """Say so, and show what the night file holds."""
        if self.desk.snapshot is not None and self.desk.snapshot is not self.state.snapshot:
            self.state.saw(self.desk.snapshot)
        self.state.say(str(error), stops=True)

    def _tell_shuffle(self, before: TableSnapshot | None) -> None:
        """Tell the sources when what comes next is a fresh deck."""
        snapshot = self.state.snapshot
        if self._intake is None or snapshot is None or before is None:
            return
        if snapshot.shuffles > before.shuffles:
            self._intake.deals_from(self._decks_in_shoe())
            self._intake.shuffled(self._decks_in_shoe())

    def _decks_in_shoe(self) -> int:
        return max(1, self.state.snapshot.decks) if self.state.snapshot is not None else 1

    # -- card sources -------------------------------------------------------------------------------------

    @property
    def has_waiting_source(self) -> bool:
        """Whether a source shows a card as soon as one is due."""
        # a copy, for the sources' threads ask too
        return any(waits(source) for source in tuple(self.opened.values()))

    @property
    def devices(self) -> Devices:
        """What is attached; looked for when somebody first asks."""
        if self._devices is None:
            from assistant.console.devices import Devices

            self._devices = Devices(lambda: self.post_message(DevicesChanged()))
        return self._devices

    def on_devices_changed(self) -> None:
        """Show what was found."""
        self.repaint()

    def build_source(self, text: str) -> CardSource:
        """Build a source from what was typed; opens no device, and may read files.

        Raises:
            AssistantError: It is not a source, or an option is wrong.
        """
        from drivers.registry import open_source

        return (self._opener or open_source)(text)

    async def use_source(self, text: str) -> bool:
        """Open a source that the dealer typed or chose; False, and said why, when it is none."""
        try:
            source = await asyncio.to_thread(self.build_source, text)
        except AssistantError as error:
            self.state.say(str(error), stops=True)
            return False
        if self._intake is None:
            self.state.say(self.desk.why_closed)
            return False
        if source.name in self.opened:
            self.state.say(
                _("{source} is open already; close it first.").format(source=source.name), stops=True
            )
            return False
        self._intake.add(source)
        self.opened[source.name] = text
        self.state.say(_("{source} is being opened.").format(source=source.name))
        self.repaint()
        return True

    def read_alone(self, source: CardSource, deliver: Callable[[SourceEvent], None]) -> CardIntake:
        """Read a source for something else than the table; whoever asks for it stops it."""
        intake = self._intake_factory((source,), deliver, lambda: True, lambda: False)
        intake.start()
        return intake

    def show_decks(self, reader: str) -> None:
        """Show the decks of tags, for a reader as it was typed."""
        from assistant.console.screens.decks import DecksScreen

        self.state.said = None
        self.push_screen(DecksScreen(reader))

    def decks_in_play(self, source: str) -> tuple[str, ...]:
        """The decks a reader of tags names cards of."""
        return decks_of(self.opened.get(source, ""))

    def learn(self, source: str, tag: str, card: str) -> None:
        """Tell a reader, or without a name every one, which card a tag is; an empty card takes that back."""
        if self._intake is not None:
            self._intake.learn(source, tag, card)

    def recall(self, tags: Mapping[str, str]) -> None:
        """Tell every reader which cards the tags are that were named tonight."""
        if self._intake is not None:
            self._intake.recall(tags)

    def drop_source(self, name: str) -> None:
        """Let a source go."""
        if self._intake is not None and self._intake.remove(name):
            self.opened.pop(name, None)
            self.state.say(_("{source} is closed.").format(source=name))

    async def exchange_source(self, name: str, text: str) -> bool:
        """Open a source anew with other options; its device is let go first."""
        try:
            await asyncio.to_thread(self.build_source, text)
        except AssistantError as error:
            self.state.say(str(error), stops=True)
            return False
        await self.let_go(name)
        return await self.use_source(text)

    async def let_go(self, name: str) -> None:
        """Close a source and wait, not for long, until it has let go of its device."""
        self.drop_source(name)
        for _glance in range(LEAVING_GLANCES):
            if self._intake is None or not self._intake.is_leaving(name):
                return
            await asyncio.sleep(LEAVING_GLANCE_S)

    def try_shoe(self) -> None:
        """Start a simulated shoe, if the dealer asks for it twice: it deals cards that nobody dealt."""
        snapshot = self.state.snapshot
        if self.has_waiting_source:
            self.state.say(_("A simulated shoe deals already. Start Tableside again to be without it."))
        elif not self._shoe_asked:
            self._shoe_asked = True
            text = _(
                "Enter once more starts a simulated shoe. It deals by itself: not for a table of real cards."
            )
            self.state.say(text, stops=True)
        elif self._intake is not None and snapshot is not None:
            seed = int(self.now().timestamp())
            text = f"simulated:seed={seed},decks={max(1, snapshot.decks)}"
            self._intake.add(text)
            self.opened[source_name(text)] = text
            self.state.say(_("The simulated shoe is ready: it deals when a card is due."))

    def face_up_due(self) -> bool:
        """Whether the table expects a face-up card; asked from the sources' threads."""
        snapshot = self.state.snapshot
        if snapshot is None or snapshot.due is None or snapshot.due.role == "hand":
            return False
        if not self.has_waiting_source:
            return True
        is_idle = self._delivered == self._handled and not snapshot.questions
        return is_idle and (snapshot.in_round or self.state.deals)

    def deals_face_down(self) -> bool:
        """Whether the game has hidden hands; asked from the sources' threads."""
        snapshot = self.state.snapshot
        return snapshot is not None and snapshot.deals_face_down

    def _deliver(self, event: SourceEvent) -> None:
        """Take an event in a reader's thread and hand it to the one that plays."""
        if self._is_deck_shown and is_of_camera(event):
            self._is_card_shown = True
            return
        self._delivered += 1
        self._inbox.put(event)

    async def on_cards_seen(self) -> None:
        """Let the table decide about what sources said."""
        self.moved()
        if self._inbox.is_flooded:
            self.set_timer(PACE_S, self._take_all)
        else:
            await self._take_all()

    async def _take_all(self) -> None:
        events = self._inbox.take()
        if self.desk.is_open:
            answers = await self.desk.receive(events)
            for answer in answers:
                self._take(answer)
            self.repaint()
            if self._note_handled is not None:
                # from one that was not saved on, a shoe sends all again at the next start
                refused = (at for at, answer in enumerate(answers) if isinstance(answer, NotSaved))
                handled = events[: next(refused, len(events))]
                self.desk.later(partial(self._note_handled, handled))  # its file must not hold up the screen
        self._handled += len(events)

    def _take(self, answer: Outcome | Question | Notice | NotSaved) -> None:
        from assistant.table.questions import Question
        from assistant.table.session import Notice, Outcome

        before = self.state.snapshot
        if isinstance(answer, NotSaved):
            self._not_saved(answer)
            return
        match answer:
            case Question():
                if self.desk.snapshot is not None:
                    self.state.saw(self.desk.snapshot, by_source=True)
            case Outcome(accepted=True):
                self.state.accepted(answer, by_source=True)
                self._tell_shuffle(before)
            case Outcome():
                self.state.refused(answer)
            case Notice():
                self.state.say(answer.text)
            case _:
                assert_never(answer)

    def lamps(self) -> tuple[Lamp, ...]:
        """The card sources, the copy of the night and its damage as words."""
        safety = (damage_lamp(self.desk.damage), self._copy_watch.lamp(self.desk.copy))
        return (*self.source_lamps(), *(lamp for lamp in safety if lamp is not None))

    def source_lamps(self) -> tuple[Lamp, ...]:
        """The card sources as words."""
        return tuple(lamp_of(source) for source in self.source_states())

    def tell_safety(self) -> None:
        """Say how safe the night is, or show what is wrong with it."""
        if self.desk.damage is not None:
            self.go("damaged")
        elif self.state.snapshot is not None:
            self.state.say(how_it_stands(self.state.snapshot, self.desk.copy))

    def sight(self) -> Sight | None:
        """What a camera sees now; None without one."""
        return self._intake.sight() if self._intake is not None else None

    def hold_cameras(self) -> None:
        """Ask the cameras to hold focus and exposure."""
        if self._intake is not None:
            self._intake.hold_still()

    def recalibrated(self) -> None:
        """Tell the cameras that a calibration or a deck was saved anew."""
        if self._intake is not None:
            self._intake.recalibrated()

    def show_deck(self, begins: bool) -> None:
        """A deck is shown to the camera, or no longer: its cards are not dealt, so none reaches the table."""
        self._is_deck_shown = begins
        snapshot = self.state.snapshot
        if not begins and self._is_card_shown and self._intake is not None and snapshot is not None:
            # else the camera would take each of them for one that was dealt already
            self._intake.shuffled(max(1, snapshot.decks), "camera")
        self._is_card_shown = False

    @property
    def types_cards(self) -> bool:
        """Whether a card is due and every source is lost, so that cards must be typed."""
        snapshot = self.state.snapshot
        lamps = self.source_lamps()
        lost = bool(lamps) and all(lamp.is_lost for lamp in lamps)
        return lost and snapshot is not None and snapshot.due is not None

    def source_states(self) -> tuple[SourceState, ...]:
        """Every card source as it stands."""
        return self._intake.states() if self._intake is not None else ()

    @property
    def clock_text(self) -> str:
        """The time of day."""
        return f"{self.now():%H:%M}"

    def moved(self) -> None:
        """Hear that something happens at the table: no moment for housekeeping."""
        if self._collector is not None:
            self._collector.moved()

    def _look_at_lamps(self) -> None:
        news = self._copy_watch.news(self.desk.copy)
        said = self.state.said
        if news and (said is None or said.text == self._copy_news):
            self.state.say(news)
            self._copy_news = news
        self.repaint()
        if self._collector is not None:
            self._collector.look()


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
