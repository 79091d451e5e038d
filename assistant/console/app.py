"""The console: paints first, opens the night after that, lets keys and card sources reach it in one order.

Nothing heavy is imported here: the session and its store come with the factory, devices with the intake.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from assistant.console import harden

harden.before_import()

from textual.app import App  # noqa: E402 - the switch above must be set first
from textual.binding import Binding, BindingType  # noqa: E402

from assistant.console.actions import Act  # noqa: E402
from assistant.console.desk import Desk, NotSaved  # noqa: E402
from assistant.console.messages import CardSeen  # noqa: E402
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
    from assistant.table.session import TableSession
    from drivers.base import SourceEvent

LAMP_S = 1.0
"""How often lamps and clock are looked at; they are painted only when they change."""


class CardIntake(Protocol):
    """What the console needs of `assistant.table.intake.Intake`."""

    def start(self) -> None:
        """Start every source."""

    def stop(self, timeout_s: float = ...) -> None:
        """Stop every source."""

    def states(self) -> tuple[SourceState, ...]:
        """Every source as it stands."""

    def shuffled(self, decks: int) -> None:
        """Hear that the table shuffled."""

    def typed(self, card: Card) -> None:
        """Hear of a typed card."""


IntakeFactory = Callable[
    [tuple[str, ...], Callable[["SourceEvent"], None], Callable[[], float], Callable[[], bool]], CardIntake
]


def open_intake(
    sources: tuple[str, ...],
    deliver: Callable[[SourceEvent], None],
    clock: Callable[[], float],
    face_up_due: Callable[[], bool],
) -> CardIntake:
    """Make the usual intake; device libraries load in the threads of their sources."""
    from assistant.table.intake import Intake

    return Intake(sources, deliver, clock, face_up_due=face_up_due)


class ConsoleApp(App[int]):
    """The dealer's console.

    Args:
        session_factory: Opens and verifies the night; called after the first paint, in the desk's thread.
        sources: Card sources as typed, such as ``serial:/dev/ttyUSB0``.
        intake_factory: Makes the intake that reads them.
        language: The dealer's language.
        slips: Folder for printed slips; None keeps to the printer.
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
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        use_language(language)
        super().__init__()
        self.state = TableState(clock=clock)
        self.desk = Desk(session_factory)
        self.sources = sources
        self.slips = slips
        self.clock = clock
        self.now = now or (lambda: datetime.now().astimezone())
        self.opening_text = _("OPENING the night …")
        self.has_waiting_source = any(_waits(source) for source in sources)
        self._intake_factory = intake_factory
        self._intake: CardIntake | None = None
        self._quit_asked = False
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
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                    loop.add_signal_handler(getattr(signal, name), self.exit, 0)
        self.call_after_refresh(self._begin)

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
        self.set_interval(LAMP_S, self._look_at_lamps)
        self.repaint()

    def _start_sources(self) -> None:
        try:
            self._intake = self._intake_factory(self.sources, self._deliver, self.clock, self.face_up_due)
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

    async def book(self, line: str, *, origin: str = "typed", confidence: float = 1.0) -> bool:
        """Book a line of table talk; True when the night file has it. A refusal says why."""
        if not self.desk.is_open:
            self.state.say(_("The night is still being opened; your line is kept."))
            return False
        self._quit_asked = False
        try:
            outcome = await self.desk.submit(line, key=self.state.key, origin=origin, confidence=confidence)
        except NotSaved as error:
            # The key stays: if the line did reach the file after all, sending it again books nothing twice.
            self._not_saved(error)
            return False
        if not outcome.accepted:
            self.state.refused(outcome)
            return False
        before = self.state.snapshot
        self.state.accepted(outcome)
        self._tell_shuffle(line, before.cards_left if before is not None else None)
        return True

    def _not_saved(self, error: NotSaved) -> None:
        """Say so, and show what the night file holds."""
        if self.desk.snapshot is not None and self.desk.snapshot is not self.state.snapshot:
            self.state.saw(self.desk.snapshot)
        self.state.say(str(error), stops=True)

    def _tell_shuffle(self, line: str, cards_left: int | None) -> None:
        """Tell the sources that what comes next is a fresh deck."""
        snapshot = self.state.snapshot
        if self._intake is None or snapshot is None:
            return
        verb = line.split(maxsplit=1)[0].lower() if line.split() else ""
        fresh = verb == "shuffle" or (cards_left is not None and snapshot.cards_left > cards_left)
        if fresh and verb not in ("undo", "redo", "fix"):
            self._intake.shuffled(max(1, snapshot.decks))

    # -- card sources -------------------------------------------------------------------------------------

    def face_up_due(self) -> bool:
        """Whether the table expects a face-up card; asked from the sources' threads."""
        snapshot = self.state.snapshot
        if snapshot is None or snapshot.due is None or snapshot.due.role == "hand":
            return False
        if not self.has_waiting_source:
            return True
        is_idle = self._delivered == self._handled and not self.state.questions
        return is_idle and (snapshot.in_round or self.state.deals)

    def _deliver(self, event: SourceEvent) -> None:
        """Take an event in a reader's thread and hand it to the one that plays."""
        self._delivered += 1
        self.post_message(CardSeen(event))

    async def on_card_seen(self, message: CardSeen) -> None:
        """Let the table decide about what a source said."""
        if self.desk.is_open:
            await self._take(message.event)
        self._handled += 1

    async def _take(self, event: SourceEvent) -> None:
        before = self.state.snapshot
        try:
            answer: Any = await self.desk.receive(event)
        except NotSaved as error:
            self._not_saved(error)
            self.repaint()
            return
        if hasattr(answer, "candidates"):
            self.state.ask(answer)
        elif hasattr(answer, "accepted"):
            if answer.accepted:
                self.state.accepted(answer, by_source=True)
                self._tell_shuffle("card", before.cards_left if before is not None else None)
            else:
                self.state.refused(answer)
        elif answer.text:
            self.state.say(answer.text)
        self.repaint()

    def heard_typed(self, cards: tuple[Card, ...]) -> None:
        """Tell the sources about typed cards, so that a camera does not count them again."""
        if self._intake is not None:
            for card in cards:
                if card.suit is not None:
                    self._intake.typed(card)

    def lamps(self) -> tuple[Lamp, ...]:
        """The card sources as words."""
        return tuple(lamp_of(source) for source in self._source_states())

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
    return Lamp(
        kind if kind in ("serial", "camera", "simulated", "replay") else source.name,
        words[state],
        state == "down",
    )


def run_console(
    session_factory: Callable[[], TableSession],
    *,
    sources: tuple[str, ...] = (),
    language: str = "en",
    slips: Path | None = None,
    intake_factory: IntakeFactory = open_intake,
) -> int:
    """Run the console until the dealer quits and return the exit code.

    Raises:
        AssistantError: The night could not be opened; nothing was changed.
    """
    harden.harden_input()
    app = ConsoleApp(
        session_factory, sources=sources, intake_factory=intake_factory, language=language, slips=slips
    )
    app.run(mouse=False)
    if app.failure is not None:
        raise app.failure
    return app.return_code or 0
