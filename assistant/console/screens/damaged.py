"""A night that is not as it was written: what is wrong, what is left, and what can be done about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events

from assistant.console.actions import Act
from assistant.console.rows import EMPTY, Rows, row, wrap
from assistant.console.screens.base import ConsoleScreen
from assistant.console.view import PanelView, Said, Strip, View
from assistant.console.widgets.lines import Lines
from assistant.console.widgets.panel import Body
from assistant.i18n import _
from assistant.started import as_started
from assistant.table.damage import what_is_left, what_is_wrong

if TYPE_CHECKING:
    from assistant.store.base import Damage

RECOVER, NEW = frozenset("rRкК"), frozenset("nNтТ")


class DamagedScreen(ConsoleScreen):
    """Three ways out, one key each; nothing happens without one."""

    page = "damaged"

    def body(self) -> tuple[Lines, ...]:
        """What is wrong and what is left."""
        return (Body(id="body"),)

    def view(self) -> View:
        """What is wrong, what is left, the keys."""
        app = self.console_app
        damage = app.desk.damage

        def rows(width: int, height: int) -> Rows:
            return _rows(damage, width) if damage is not None else []

        return View(
            app.state.snapshot,
            _("THE NIGHT IS DAMAGED: READING ONLY"),
            usual=_("look at it"),
            said=app.state.said or Said(_("Nothing can be booked in it."), stops=True),
            prompt=_("damaged"),
            hint=_("R, N or Enter"),
            lamps=app.lamps(),
            clock=app.clock_text,
            strip=(
                Strip("R", _("recover")),
                Strip("N", _("new night")),
                *self.strip(Act.TABLE, Act.CLOSE, Act.HELP, Act.QUIT),
            ),
            panel=PanelView("", rows, stops=True),
        )

    async def enter(self) -> None:
        """Look at the night."""
        self.console_app.go("table")

    async def command(self, key: str, character: str | None) -> bool:
        """Recover, begin a new night, or go to a screen to look."""
        if character is not None and character in RECOVER:
            await self.console_app.recover()
        elif character is not None and character in NEW:
            await self.console_app.begin_new()
        else:
            await super().command(key, None if character and character != "?" else character)
        return key != "escape"

    def paste(self, event: events.Paste) -> None:
        """There is nothing to paste into."""


def _rows(damage: Damage, width: int) -> Rows:
    lines: Rows = [EMPTY]
    for text in (what_is_wrong(damage.name, damage.found), *what_is_left(damage)):
        lines += [row("   ", line) for line in wrap(as_started(text), width - 6)]
    ways = (
        (
            "R",
            _("Recover: a sound night is made of what is proved good; the damaged file is kept."),
        ),
        ("N", _("Begin a new night; this one stays as it is.")),
        ("⏎", _("Look at it, print it: everything is marked NOT VERIFIED.")),
    )
    lines.append(EMPTY)
    for key, text in ways:
        first, *rest = wrap(text, width - 10)
        lines += [row("   ", (key, "bold"), "    ", first), *(row(" " * 8, line) for line in rest)]
    return lines
