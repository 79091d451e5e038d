"""The session behind the screens, on a thread of its own, so that the screen never waits for a disk.

A line is accepted when the night file has it; the screen shows nothing as booked before that.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from assistant.errors import AssistantError
from assistant.i18n import _

if TYPE_CHECKING:
    from assistant.cards import Card
    from assistant.ledger.season import NightResult
    from assistant.slips.chart import Chart
    from assistant.slips.content import Slip
    from assistant.store.base import CopyState, Damage
    from assistant.table.questions import Question
    from assistant.table.session import Notice, Outcome, TableSession
    from assistant.table.snapshot import LogLine, LogLines, TableSnapshot
    from assistant.table.why import Reason
    from drivers.base import SourceEvent

T = TypeVar("T")
_log = logging.getLogger(__name__)


class NotSaved(AssistantError):
    """A line was not booked: disk full or taken away, or an error of the program."""


class Desk:
    """A `TableSession` on a thread of its own, in the order the dealer typed.

    Args:
        factory: Opens (and verifies) the night; called in the desk's thread, after the first paint.
    """

    def __init__(self, factory: Callable[[], TableSession]) -> None:
        self._factory = factory
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="desk")
        self._session: TableSession | None = None
        self._was_open = False

    @property
    def why_closed(self) -> str:
        """What to tell a dealer whose line cannot be taken."""
        if self._was_open:
            return _(
                "The night's file could not be read again. Start Tableside anew; what was booked is saved."
            )
        return _("The night is still being opened; your line is kept.")

    @property
    def is_open(self) -> bool:
        """Whether the night is open and verified."""
        return self._session is not None

    @property
    def snapshot(self) -> TableSnapshot | None:
        """The table as the session has it; None while it is not open."""
        return self._session.snapshot if self._session is not None else None

    async def open(self) -> TableSnapshot:
        """Open the night; raises what the factory raises."""
        return await self._run(self._open)

    async def submit(self, line: str, *, key: str, origin: str = "typed", confidence: float = 1.0) -> Outcome:
        """Book a line; durable when this returns.

        Raises:
            NotSaved: Nothing was booked.
        """
        return await self._run(
            lambda: self._guarded(
                lambda session: session.submit(line, key=key, origin=origin, confidence=confidence)
            )
        )

    async def refuses(self, line: str) -> bool:
        """Whether the rules refuse a line as the table is now; nothing is booked."""
        return await self._run(lambda: self._guarded(lambda session: session.refuses(line)))

    async def answer(self, number: int, card: Card, *, key: str) -> Outcome:
        """Answer a question of a card source; raises NotSaved."""
        return await self._run(lambda: self._guarded(lambda session: session.answer(number, card, key=key)))

    async def dismiss(self, number: int) -> TableSnapshot:
        """Wave a question of a card source away."""
        return await self._run(lambda: self._guarded(lambda session: session.dismiss(number)))

    async def show_odds(self, wanted: bool) -> TableSnapshot:
        """Switch the odds of the moment on or off."""
        return await self._run(lambda: self._guarded(lambda session: session.show_odds(wanted)))

    async def receive(self, events: Sequence[SourceEvent]) -> list[Outcome | Question | Notice | NotSaved]:
        """Hand over what card sources said, one after the other; each has its answer or why it has none."""
        return await self._run(lambda: [self._receive(event) for event in events])

    @property
    def copy(self) -> CopyState | None:
        """How the night's copy stands; may be asked from any thread."""
        return self._session.copy if self._session is not None else None

    @property
    def damage(self) -> Damage | None:
        """What is wrong with a night that can only be looked at."""
        return self._session.damage if self._session is not None else None

    @property
    def dealt_tags(self) -> frozenset[str]:
        """The tags of the cards that were dealt from this shoe, as booked."""
        return self._session.log.dealt_tags() if self._session is not None else frozenset()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the dealer should know about the night's folder."""
        return self._session.warnings if self._session is not None else ()

    async def change_night(
        self, work: Callable[[], T], factory: Callable[[], TableSession] | None = None
    ) -> T:
        """Put the night away, do something that needs that, and open it again, or what `factory` opens.

        Raises:
            AssistantError: It could not be done; the night as it was is open again.
        """
        return await self._run(lambda: self._change(work, factory))

    async def night_result(self) -> tuple[str, NightResult | None] | None:
        """Name of the night that is open here, and what it came to once it is closed."""

        def work() -> tuple[str, NightResult | None] | None:
            from assistant.table.season import night_result

            session = self._session
            return None if session is None else (session.name, night_result(session.log, session.name))

        return await self._run(work)

    async def slip(self, width: int) -> str:
        """The settlement slip, or how things stand before the close."""
        return await self._run(lambda: self._guarded(lambda session: session.slip(width)))

    async def paper(self, kind: str, entry: int | None = None) -> Slip:
        """A slip of the night; of a buy-in, which entry's.

        Raises:
            NoSuchSlip: There is nothing to print.
        """
        from assistant.table.papers import NoSuchSlip

        def make(session: TableSession) -> Slip | NoSuchSlip:
            try:
                return session.paper(kind, entry)
            except NoSuchSlip as missing:  # no failure: the session stays as it is
                return missing

        found = await self._run(lambda: self._guarded(make))
        if isinstance(found, NoSuchSlip):
            raise found
        return found

    async def chart(self) -> Chart:
        """Everybody's stack over the night."""
        return await self._run(lambda: self._guarded(lambda session: session.chart()))

    async def pdf(self) -> bytes:
        """The settlement as a PDF."""
        return await self._run(lambda: self._guarded(lambda session: session.pdf()))

    @property
    def name(self) -> str:
        """What the night's file is called."""
        return self._session.name if self._session is not None else ""

    async def reasons(self, who: str) -> tuple[Reason, ...]:
        """The entries that make up what somebody gets or gives."""
        return await self._run(lambda: self._guarded(lambda session: session.reasons(who)))

    async def log_lines(self, known: LogLines) -> tuple[LogLine, ...]:
        """All entries of the night as lines; a snapshot has the last ones only.

        Args:
            known: The words that were made before; kept between two calls they need not be made again.
        """
        from assistant.table.speech import wording_of

        return await self._run(
            lambda: self._guarded(lambda session: known.of(session.log.log, wording_of(session.night)))
        )

    async def run(self, work: Callable[[], T]) -> T:
        """Do slow work that needs the session's thread, such as writing a slip."""
        return await self._run(work)

    def later(self, work: Callable[[], object]) -> None:
        """Do work behind what waits; nobody waits for it, and it is done before the night is closed."""
        self._thread.submit(_logged, work)

    async def close(self) -> None:
        """Close the night; everything was saved long before."""
        await self._run(self._close)
        self._thread.shutdown(wait=False)

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _open(self) -> TableSnapshot:
        self._session = self._factory()
        self._was_open = True
        return self._session.snapshot

    def _change(self, work: Callable[[], T], factory: Callable[[], TableSession] | None) -> T:
        self._close()
        try:
            done = work()
            self._session = (factory or self._factory)()
        except BaseException:
            self._reopen()
            raise
        return done

    def _close(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.close()

    def _receive(self, event: SourceEvent) -> Outcome | Question | Notice | NotSaved:
        try:
            return self._guarded(lambda session: session.receive(event))
        except NotSaved as error:
            return error

    def _guarded(self, work: Callable[[TableSession], T]) -> T:
        if self._session is None:
            raise NotSaved(self.why_closed)
        entries = self._session.snapshot.entries
        try:
            return work(self._session)
        except Exception as error:
            # Whatever it was, what is on disk is the truth: open it anew instead of going on with a doubt.
            _log.exception("the session failed; the night is read again from its file")
            self._reopen()
            raise NotSaved(self._what_is_booked(entries), _error_line(error)) from error

    def _what_is_booked(self, entries: int) -> str:
        if self._session is None:
            return _(
                "The program failed, and the night's file could not be read again. Start Tableside anew."
            )
        if self._session.snapshot.entries > entries:
            return _("The line was booked, but the program failed after it; the night was read again.")
        return _("Nothing was booked: the program failed; the night was read again from its file.")

    def _reopen(self) -> None:
        try:
            self._close()
            self._session = self._factory()
        except Exception:  # noqa: BLE001, RUF100 - it stays closed, and says so at the next line
            _log.exception("the night could not be opened again")


def _logged(work: Callable[[], object]) -> None:
    try:
        work()
    except Exception:  # noqa: BLE001 - nobody waits for its result, so what went wrong is only noted
        _log.exception("work behind the table failed")


def _error_line(error: Exception) -> str:
    """The error in one line, for a report."""
    return _("Please report: {error}").format(error=f"{type(error).__name__} {error}".strip()[:80])


def new_key() -> str:
    """An idempotency key for one entry: sent twice, it is booked once."""
    return os.urandom(8).hex()
