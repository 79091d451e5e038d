"""A console on a night in memory, driven by keys: what the dealer presses goes in, the screen comes out."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest
from textual.pilot import Pilot

from assistant.console.app import ConsoleApp
from assistant.console.card_intake import CardIntake
from assistant.console.widgets.lines import Lines
from assistant.i18n import use_language
from assistant.store.memory import MemoryNight
from assistant.table.intake import SourceState
from assistant.table.session import TableSession
from assistant.table.snapshot import SeatView, TableSnapshot
from drivers.base import CardSource, Sight, SourceEvent

LOW, TALL = (80, 24), (120, 36)
EVENING = datetime(2026, 11, 28, 21, 14, tzinfo=UTC)


class Clock:
    """A clock that moves when the test says so."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class SilentIntake:
    """Card sources that say what the test says.

    Attributes:
        shown: The lamps.
        heard: Typed cards and shuffles the sources were told about.
        recalled: Tags the sources were reminded of.
        in_shoe: Decks in the shoe.
        seen: What a camera sees.
    """

    def __init__(self, deliver: Callable[[SourceEvent], None], face_up_due: Callable[[], bool]) -> None:
        self.deliver = deliver
        self.face_up_due = face_up_due
        self.shown: tuple[SourceState, ...] = ()
        self.heard: list[str] = []
        self.recalled: dict[str, str] = {}
        self.in_shoe = 0
        self.seen: Sight | None = None

    def start(self) -> None:
        self.heard.append("start")

    def add(self, source: str | CardSource) -> None:
        name = source if isinstance(source, str) else source.name
        self.heard.append(f"add {name.partition(':')[0]}")

    def remove(self, name: str) -> bool:
        self.heard.append(f"remove {name}")
        return True

    def is_leaving(self, name: str) -> bool:
        return False

    def learn(self, name: str, tag: str, card: str, deck: str = "") -> None:
        self.heard.append(f"learn {tag} {card}{deck and f'and not of {deck}'}")

    def deals_from(self, decks: int, dealt: Collection[str] = ()) -> None:
        self.in_shoe = decks
        self.dealt = set(dealt)

    def recall(self, tags: Mapping[str, str]) -> None:
        self.recalled = dict(tags)

    def stop(self, timeout_s: float = 1.0) -> None:
        self.heard.append("stop")

    def states(self) -> tuple[SourceState, ...]:
        return self.shown

    def sight(self) -> Sight | None:
        return self.seen

    def hold_still(self) -> None:
        self.heard.append("hold")

    def recalibrated(self) -> None:
        self.heard.append("recalibrated")

    def shuffled(self, decks: int, kind: str = "") -> None:
        self.heard.append(f"shuffled {decks} {kind}".strip())


class Dealer:
    """A person at the console.

    Attributes:
        app: The running console.
        intake: Its card sources.
    """

    def __init__(self, app: ConsoleApp, pilot: Pilot[int], clock: Clock) -> None:
        self.app = app
        self.pilot = pilot
        self.clock = clock
        self.intake: SilentIntake | None = None
        self.session: TableSession | None = None

    async def press(self, *keys: str, after_s: float = 1.0) -> None:
        """Press keys, each `after_s` seconds after the one before."""
        for key in keys:
            self.clock.now_s += after_s
            await self.pilot.press(key)

    async def type(self, text: str) -> None:
        """Type characters as a keyboard sends them."""
        await self.pilot.press(*("space" if char == " " else char for char in text))

    async def line(self, *texts: str) -> None:
        """Type lines and press Enter after each."""
        for text in texts:
            await self.type(text)
            await self.press("enter")

    async def source_says(self, event: SourceEvent) -> None:
        """Deliver an event as a reader's thread does, and wait until the table has taken it."""
        assert self.intake is not None
        self.intake.deliver(event)
        await self.pilot.pause()
        await self.pilot.pause()

    @property
    def snapshot(self) -> TableSnapshot:
        assert self.app.state.snapshot is not None
        return self.app.state.snapshot

    def seat(self, name: str) -> SeatView:
        return next(seat for seat in self.snapshot.seats if seat.name == name)

    @property
    def lines(self) -> list[str]:
        """The accepted lines, in order; those taken back in brackets."""
        return [one.text if one.state == "done" else f"[{one.text}]" for one in self.snapshot.log]

    @property
    def screen(self) -> list[str]:
        """What is on the screen, row by row."""
        strips = self.app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip).rstrip() for strip in strips]

    def area(self, name: str) -> str:
        """What one area shows: ``status bar say board pool arc seats log panel entry keys``."""
        return "\n".join(self.app.screen.query_one(f"#{name}", Lines).text())


Open = Callable[..., AbstractAsyncContextManager[Dealer]]


@pytest.fixture
def open_console() -> Open:
    """Open a console after some lines: ``async with open_console(["game casino-red-dog"]) as dealer``."""

    @asynccontextmanager
    async def opened(
        lines: Sequence[str] = (),
        size: tuple[int, int] = LOW,
        *,
        sources: tuple[str, ...] = (),
        resumed: bool = False,
        store: MemoryNight | None = None,
        app_options: dict[str, object] | None = None,
        language: str = "en",
        strict: bool = False,
    ) -> AsyncIterator[Dealer]:
        clock = Clock()
        dealers: list[Dealer] = []
        entry_time = [EVENING - timedelta(minutes=len(lines))]

        def now() -> datetime:
            entry_time[0] += timedelta(minutes=1)
            return entry_time[0]

        def factory() -> TableSession:
            session = TableSession(store or MemoryNight(), "2026-11-28-1", now, strict=strict)
            for line in lines if not session.snapshot.entries else ():
                outcome = session.submit(line)
                assert outcome.accepted, f"{line}: {outcome.message}"
            dealers[0].session = session
            return session

        def intake(
            given: tuple[str | CardSource, ...],
            deliver: Callable[[SourceEvent], None],
            face_up_due: Callable[[], bool],
            deals_face_down: Callable[[], bool],
        ) -> CardIntake:
            dealers[0].intake = SilentIntake(deliver, face_up_due)
            return dealers[0].intake

        app = ConsoleApp(
            factory,
            sources=sources,
            intake_factory=intake,
            language=language,
            clock=clock,
            now=lambda: EVENING,
        )
        for name, value in (app_options or {}).items():
            setattr(app, name, value)
        async with app.run_test(size=size, tooltips=True, notifications=True) as pilot:
            dealer = Dealer(app, pilot, clock)
            dealers.append(dealer)
            while app.state.snapshot is None:
                await pilot.pause()
            if not resumed:
                app.table.play.panel = None
                app.repaint()
            await pilot.pause()
            yield dealer
        use_language("en")

    return opened
