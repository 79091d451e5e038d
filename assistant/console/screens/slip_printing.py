"""Printing from a list screen: a line of its menu names a slip, and it is printed apart from the keys."""

from __future__ import annotations

import logging

from assistant.console.reading import Reading
from assistant.console.screens.listing import ListScreen
from assistant.errors import AssistantError
from assistant.i18n import _
from assistant.slips.content import SETTLEMENT

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
        from drivers.printer import PrintDoubtful

        app = self.console_app
        try:
            slip = await app.desk.paper(kind, entry)
            chart = await app.desk.chart() if kind == SETTLEMENT else None
            done = await app.press.print(slip, kind, app.desk.name, chart)
            app.state.say(saved + done)
        except PrintDoubtful as error:
            message = _("Unknown whether it printed: {why} The night is safe.")
            app.state.say(message.format(why=error), stops=True)
        except AssistantError as error:
            app.state.say(_("Not printed: {why} The night is safe.").format(why=error), stops=True)
        except Exception as error:  # noqa: BLE001, RUF100 - said in the bar, and the night goes on
            _log.exception("a slip was not printed")
            why = f"{type(error).__name__} {error}.".strip()
            app.state.say(_("Not printed: {why} The night is safe.").format(why=why), stops=True)
        app.repaint()
