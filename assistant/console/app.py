"""The console: paints first, opens the night after that, lets keys and card sources reach it in one order.

Nothing heavy is imported here: the session and its store come with the factory, devices with the intake.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Protocol, assert_never

from assistant.console import harden

harden.before_import()

from textual.app import App  # noqa: E402 - the switch above must be set first
from textual.binding import Binding, BindingType  # noqa: E402

from assistant.console.actions import Act  # noqa: E402
from assistant.console.desk import Desk, NotSaved  # noqa: E402
from assistant.console.ending import end_on_signals, end_without_terminal  # noqa: E402
from assistant.console.inbox import PACE_S, Inbox  # noqa: E402
from assistant.console.messages import CardsSeen  # noqa: E402
from assistant.console.panels import resume_panel  # noqa: E402
from assistant.console.screens.base import ConsoleScreen  # noqa: E402
from assistant.console.screens.table import TableScreen  # noqa: E402
from assistant.console.state import TableState  # noqa: E402
from assistant.console.themes import THEMES, next_theme  # noqa: E402
from assistant.console.view import Lamp  # noqa: E402
from assistant.errors import AssistantError  # noqa: E402
from assistant.i18n import _, use_language  # noqa: E402

if TYPE_CHECKING:
    from assistant.cards import Card
    from assistant.table.intake import SourceState
    from assistant.table.questions import Question
    from assistant.table.session import Notice, Outcome, TableSession
    from assistant.table.snapshot import TableSnapshot
    from drivers.base import CardSource, Sight, SourceEvent
    from drivers.spec import SourceSpec

LAMP_S = 1.0
"""How often lamps and clock are looked at; they are painted only when they change."""


class NoTerminal(AssistantError):
    """There is no terminal, or none that can be painted."""


class CardIntake(Protocol):
    """What the console needs of `assistant.table.intake.Intake`."""

    def start(self) -> None:
        """Start every source."""

    def add(self, source: str) -> None:
        """Take another source in."""

    def stop(self, timeout_s: float = ...) -> None:
        """Stop every source."""

    def states(self) -> tuple[SourceState, ...]:
        """Every source as it stands."""

    def shuffled(self, decks: int) -> None:
        """Hear that the table shuffled."""

    def sight(self) -> Sight | None:
        """What a camera sees now."""

    def hold_still(self) -> None:
        """Ask the cameras to hold focus and exposure."""

    def recalibrated(self) -> None:
        """Tell the cameras that a calibration was saved anew."""


IntakeFactory = Callable[
    [tuple[str, ...], Callable[["SourceEvent"], None], Callable[[], bool], Callable[[], bool]], CardIntake
]


def open_intake(
    sources: tuple[str, ...],
    deliver: Callable[[SourceEvent], None],
    face_up_due: Callable[[], bool],
    deals_face_down: Callable[[], bool],
    opener: Callable[[str | SourceSpec], CardSource] | None = None,
) -> CardIntake:
    """Make the usual intake; device libraries load in the threads of their sources."""
    from assistant.table.intake import Intake
    from drivers.registry import open_source

    return Intake(
        sources,
        deliver,
        face_up_due=face_up_due,
        deals_face_down=deals_face_down,
        opener=opener or open_source,
    )


class ConsoleApp(App[int]):
    """The dealer's console.

    Args:
        session_factory: Opens and verifies the night; called after the first paint, in the desk's thread.
        sources: Card sources as typed, such as ``serial:/dev/ttyUSB0``.
        intake_factory: Makes the intake that reads them.
        language: The dealer's language.
        slips: Folder for printed slips; None keeps to the printer.
        house: House folder, where calibrations lie; None saves none.
        handled: Hears of the events of card sources that the table has dealt with.
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
        language: str = "en",
        slips: Path | None = None,
        house: Path | None = None,
        handled: Callable[[Sequence[SourceEvent]], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        use_language(language)
        super().__init__()
        self.state = TableState(clock=clock)
        self.desk = Desk(session_factory)
        self.sources = sources
        self.slips = slips
        self.house = house
        self._note_handled = handled
        self.clock = clock
        self.now = now or (lambda: datetime.now().astimezone())
        self._loop_of_screen: asyncio.AbstractEventLoop | None = None
        self.opening_text = _("OPENING the night …")
        self.has_waiting_source = any(_waits(source) for source in sources)
        self._intake_factory = intake_factory
        self._intake: CardIntake | None = None
        self._quit_asked = self._shoe_asked = False
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
        self.state.saw(snapshot)
        if snapshot.log and not snapshot.closed and snapshot.seats:
            self.table.play.panel = resume_panel(snapshot)
        self._start_sources()
        await self.table.play.book_ahead()
        self.set_interval(LAMP_S, self._look_at_lamps)
        self.repaint()

    def _start_sources(self) -> None:
        try:
            self._intake = self._intake_factory(
                self.sources, self._deliver, self.face_up_due, self.deals_face_down
            )
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
            page = shown.page if isinstance(shown, ConsoleScreen) else "table"
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
        if name == "game":
            from assistant.console.screens.game import GameScreen

            return GameScreen()
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
        return await self._booked(lambda: self.desk.submit(line, key=self.state.key))

    async def answer(self, number: int, card: Card) -> bool:
        """Book the answer to a question of a card source; True when the night file has it."""
        return await self._booked(lambda: self.desk.answer(number, card, key=self.state.key))

    async def dismiss(self, number: int) -> None:
        """Wave a question of a card source away."""
        self.state.saw(await self.desk.dismiss(number))

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
            self._intake.shuffled(max(1, snapshot.decks))

    # -- card sources -------------------------------------------------------------------------------------

    def try_shoe(self) -> None:
        """Start a simulated shoe, if the dealer asks for it twice: it deals cards that nobody dealt."""
        snapshot = self.state.snapshot
        if self.has_waiting_source:
            self.state.say(_("A simulated shoe deals already. Start Tableside again to be without it."))
        elif not self._shoe_asked:
            self._shoe_asked = True
            text = _(
                "F3 once more starts a simulated shoe. It deals by itself: not for a table with real cards."
            )
            self.state.say(text, stops=True)
        elif self._intake is not None and snapshot is not None:
            seed = int(self.now().timestamp())
            self._intake.add(f"simulated:seed={seed},decks={max(1, snapshot.decks)}")
            self.has_waiting_source = True
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
        self._delivered += 1
        self._inbox.put(event)

    async def on_cards_seen(self) -> None:
        """Let the table decide about what sources said."""
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
            if self._note_handled is not None:
                # from one that was not saved on, a shoe sends all again at the next start
                refused = (at for at, answer in enumerate(answers) if isinstance(answer, NotSaved))
                self._note_handled(events[: next(refused, len(events))])
            self.repaint()
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
        """The card sources as words."""
        return tuple(lamp_of(source) for source in self._source_states())

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

    @property
    def types_cards(self) -> bool:
        """Whether a card is due and every source is lost, so that cards must be typed."""
        snapshot = self.state.snapshot
        lamps = self.lamps()
        lost = bool(lamps) and all(lamp.is_lost for lamp in lamps)
        return lost and snapshot is not None and snapshot.due is not None

    def _source_states(self) -> tuple[SourceState, ...]:
        return self._intake.states() if self._intake is not None else ()

    @property
    def clock_text(self) -> str:
        """The time of day."""
        return f"{self.now():%H:%M}"

    def _look_at_lamps(self) -> None:
        self.repaint()


def _waits(source: str) -> bool:
    """Whether a source shows a card as soon as one is due: a simulated shoe, a recording told to wait."""
    kind, _mark, options = source.partition(":")
    return kind == "simulated" or ",wait" in options


def lamp_of(source: SourceState) -> Lamp:
    """A source's state as a word a dealer reads at a glance."""
    words = {
        "opening": _("opening"),
        "up": _("ok"),
        "stale": _("silent"),
        "down": _("LOST"),
        "ended": _("ended"),
    }
    state = str(source.lamp.value)
    kind = source.name.partition(":")[0]
    name = kind if kind in ("serial", "camera", "simulated", "replay") else source.name
    able = source.capabilities
    is_weak = able is not None and able.is_shoe and not able.exactly_once
    return Lamp(
        # nothing but the deck's own count would show a card that such a shoe reads wrong or not at all
        _("weak {name}").format(name=name) if is_weak else name,
        words[state],
        state == "down",
    )


def run_console(
    session_factory: Callable[[], TableSession],
    *,
    sources: tuple[str, ...] = (),
    language: str = "en",
    slips: Path | None = None,
    house: Path | None = None,
    handled: Callable[[Sequence[SourceEvent]], None] | None = None,
    intake_factory: IntakeFactory = open_intake,
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
        intake_factory=intake_factory,
        language=language,
        slips=slips,
        house=house,
        handled=handled,
    )
    end_on_signals(app.leave)
    end_without_terminal()
    app.run(mouse=False)
    if app.failure is not None:
        raise app.failure
    return app.return_code or 0
