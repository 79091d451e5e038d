"""Card sources behind the screens: opened and closed, read in one order, their cards handed to the table."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from assistant.console.card_intake import (
    CardIntake,
    IntakeFactory,
    is_of_camera,
    lamp_of,
    open_intake,
    source_name,
    waits,
)
from assistant.console.collecting import Collector
from assistant.console.desk import NotSaved
from assistant.console.inbox import PACE_S, Inbox
from assistant.console.messages import CardsSeen, DevicesChanged
from assistant.console.night_app import NightApp, SeasonReader
from assistant.console.teaching import Teaching, decks_of
from assistant.console.view import Lamp
from assistant.errors import AssistantError
from assistant.i18n import _

if TYPE_CHECKING:
    from assistant.cards import Card
    from assistant.console.devices import Devices
    from assistant.table.intake import SourceState
    from assistant.table.questions import Question
    from assistant.table.session import Notice, Outcome, TableSession
    from assistant.table.snapshot import TableSnapshot
    from assistant.table.taught import TaughtFile
    from drivers.base import CardSource, Sight, SourceEvent
    from drivers.spec import SourceSpec

LEAVING_GLANCES, LEAVING_GLANCE_S = 20, 0.05
"""How long, in looks, a source that was let go is waited for before its device is opened anew."""


class SourcesApp(NightApp):
    """The part of the console that reads cards: cameras, shoes, scanners, and the tags they are taught.

    Args:
        session_factory: Opens and verifies the night.
        sources: Card sources as typed, such as ``serial:/dev/ttyUSB0``.
        intake_factory: Makes the intake that reads them.
        opener: Builds a source from what was typed, opening no device; None for the usual way.
        handled: Hears of the events of card sources that the table has dealt with.
        decks: Folder of the enrolled decks; None where there is none.
        taught: Keeps the tags that are named at the table; None keeps them until the program ends.
        season: Reads the results of the stored nights.
        collector: Collects garbage in still moments.
        clock: Seconds, monotonic.
        now: Wall clock.
    """

    def __init__(
        self,
        session_factory: Callable[[], TableSession],
        *,
        sources: tuple[str, ...] = (),
        intake_factory: IntakeFactory = open_intake,
        opener: Callable[[str | SourceSpec], CardSource] | None = None,
        handled: Callable[[Sequence[SourceEvent]], None] | None = None,
        decks: Path | None = None,
        taught: TaughtFile | None = None,
        season: SeasonReader | None = None,
        collector: Collector | None = None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        super().__init__(session_factory, season=season, collector=collector, clock=clock)
        self.sources = sources
        self.opened = {source_name(source): source for source in sources}
        """Open sources by their names, as they were typed."""
        self.decks = decks
        self.taught = taught
        self.now = now or (lambda: datetime.now().astimezone())
        self._opener = opener
        self._note_handled = handled
        self.teaching = Teaching(self)
        self._devices: Devices | None = None
        self._intake_factory = intake_factory
        self._intake: CardIntake | None = None
        self._shoe_asked = False
        self._is_deck_shown = self._is_card_shown = False
        self._inbox = Inbox(time.monotonic, lambda: self.post_message(CardsSeen()))
        self._delivered = 0
        self._handled = 0

    def start_sources(self) -> None:
        """Begin to read; what can't be read is said, and the keyboard works."""
        try:
            self._intake = self._intake_factory(
                self.sources, self._deliver, self.face_up_due, self.deals_face_down
            )
            self._intake.recall(self.teaching.tags)
            self._tell_shoe(self._intake)
            self._intake.start()
        except AssistantError as error:
            self.state.say(str(error))
        except ImportError as error:
            self.state.say(_("No card sources: {error}. The keyboard works.").format(error=error))

    async def stop_sources(self) -> None:
        """Let go of the devices."""
        if self._intake is not None:
            intake, self._intake = self._intake, None
            await asyncio.to_thread(intake.stop)

    # -- lines that sources must hear of -------------------------------------------------------------------

    async def book(self, line: str) -> bool:
        """Book a line of table talk; what it says of a card that a tag was named for is taught."""
        self._shoe_asked = False
        if not await super().book(line):
            return False
        await self.teaching.booked(line)
        return True

    async def answer(self, number: int, card: Card, deck: str = "") -> bool:
        """Book the answer to a question of a card source; a tag it was about is taught."""
        self._shoe_asked = False
        questions = self.state.snapshot.questions if self.state.snapshot is not None else ()
        tagged = next((one for one in questions if one.number == number and one.tag), None)
        if not await super().answer(number, card, deck):
            return False
        if tagged is not None:
            await self.teaching.teach(tagged.source, tagged.tag, card, deck)
        return True

    def changed_from(self, before: TableSnapshot | None) -> None:
        """Tell the sources when what comes next is a fresh deck."""
        snapshot = self.state.snapshot
        if self._intake is None or snapshot is None or before is None:
            return
        if snapshot.shuffles != before.shuffles:  # fewer: a shuffle was taken back
            self._tell_shoe(self._intake)
        if snapshot.shuffles > before.shuffles:
            self._intake.shuffled(self._decks_in_shoe())

    def _tell_shoe(self, intake: CardIntake) -> None:
        """A source that is opened in the middle of a shoe knows what was dealt before."""
        intake.deals_from(self._decks_in_shoe(), self.desk.dealt_tags)

    def _decks_in_shoe(self) -> int:
        return max(1, self.state.snapshot.decks) if self.state.snapshot is not None else 1

    # -- opening and closing ------------------------------------------------------------------------------

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
        self._tell_shoe(self._intake)
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

    def learn(self, source: str, tag: str, card: str, deck: str = "") -> None:
        """Tell a reader, or without a name every one, which card a tag is; an empty card takes that back, and
        then `deck` is the deck that had taken the tag in."""
        if self._intake is not None:
            self._intake.learn(source, tag, card, deck)

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
            self.state.say(
                _(
                    "The simulated shoe is ready. It deals when the bets are down: Enter passes who bets no"
                    " more."
                )
            )

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
            self.not_saved(answer)
            return
        match answer:
            case Question():
                if self.desk.snapshot is not None:
                    self.state.saw(self.desk.snapshot, by_source=True)
            case Outcome(accepted=True):
                self.state.accepted(answer, by_source=True)
                self.changed_from(before)
            case Outcome():
                self.state.refused(answer)
            case Notice():
                self.state.say(answer.text)
            case _:
                assert_never(answer)

    # -- what they say of themselves ----------------------------------------------------------------------

    def source_lamps(self) -> tuple[Lamp, ...]:
        """The card sources as words."""
        return tuple(lamp_of(source) for source in self.source_states())

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
