"""Printing from a list screen: a line of its menu names a slip, and it is printed apart from the keys."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from assistant.console.reading import Reading
from assistant.console.screens.listing import ListScreen
from assistant.errors import AssistantError
from assistant.i18n import _
from assistant.slips.content import SETTLEMENT

if TYPE_CHECKING:
    from assistant.console.app import ConsoleApp
    from assistant.slips.chart import Chart
    from assistant.slips.content import Slip

PRINT = "print "
"""What a line of a menu begins with that prints; it is no table talk."""
_log = logging.getLogger(__name__)


def printing(kind: str, entry: int | None = None) -> str:
    """Return the line of a menu that prints a slip; of a buy-in, which entry's."""
    return f"{PRINT}{kind}" if entry is None else f"{PRINT}{kind} {entry}"


class PrintingScreen(ListScreen):
    """A list screen whose menus may print; the night goes on while a printer takes its time."""

    async def _answer(self, reading: Reading) -> None:
        """Print, or do what every menu does."""
        if not reading.fill.startswith(PRINT):
            await super()._answer(reading)
            return
        self.menu = None
        kind, _blank, entry = reading.fill.removeprefix(PRINT).partition(" ")
        self.print_slip(kind, int(entry) if entry else None)

    def print_slip(self, kind: str, entry: int | None = None) -> None:
        """Print a slip; what comes of it is said in the bar, whatever screen is shown then."""
        app = self.console_app
        before = app.state.said
        saved = f"{before.text}  " if before is not None and not before.stops else ""
        app.state.say(saved + _("Printing …"))
        app.run_worker(self._printing(kind, entry, saved), exit_on_error=False, group="print")

    async def _printing(self, kind: str, entry: int | None, saved: str) -> None:
        app = self.console_app

        async def made() -> tuple[Slip, Chart | None]:
            slip = await app.desk.paper(kind, entry)
            return slip, await app.desk.chart() if kind == SETTLEMENT else None

        await print_and_tell(app, made, kind, saved)


async def print_and_tell(
    app: ConsoleApp, made: Callable[[], Awaitable[tuple[Slip, Chart | None]]], kind: str, saved: str = ""
) -> None:
    """Print a slip and say in the bar what came of it.

    Args:
        app: The app.
        made: Makes the slip, and the chart that goes with it where the printer takes a PDF.
        kind: What it is.
        saved: What was said before, and stays.
    """
    from drivers.printer import PrintDoubtful

    def tell(why_not: str) -> None:
        """What went wrong comes first; what was saved is no less true for it."""
        app.state.say(f"{why_not} {saved}".rstrip(), stops=True)

    try:
        slip, chart = await made()
        app.state.say(saved + await app.press.print(slip, kind, app.desk.name, chart))
    except PrintDoubtful as error:
        message = _("Unknown whether it printed: {why} The night is safe.")
        tell(message.format(why=error))
    except AssistantError as error:
        tell(_("Not printed: {why} The night is safe.").format(why=error))
    except Exception as error:  # noqa: BLE001, RUF100 - said in the bar, and the night goes on
        _log.exception("a slip was not printed")
        why = f"{type(error).__name__} {error}.".strip()
        tell(_("Not printed: {why} The night is safe.").format(why=why))
    app.repaint()
