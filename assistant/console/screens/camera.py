"""Calibrating the camera: the live picture with its zones, the verdict, and what to do, one digit a step."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from textual.timer import Timer

from assistant.camera_words import area_words, finding_words, plan_words, verdict_words
from assistant.console.actions import Act
from assistant.console.reading import NOTHING, Reading
from assistant.console.rows import Part, Rows, row
from assistant.console.screens.base import TALL_HEIGHT, ConsoleScreen, set_display, set_height
from assistant.console.view import PanelView, Strip, View
from assistant.console.widgets.entry import Typed
from assistant.console.widgets.lines import Lines
from assistant.console.widgets.live import LiveView
from assistant.console.widgets.panel import Body
from assistant.errors import AssistantError
from assistant.i18n import _

if TYPE_CHECKING:
    from calibration.camera import CameraSetup
    from calibration.preview import Preview
    from drivers.base import Sight

LOOK_S = 0.2
"""Between two looks at the camera."""
STEP, FINE_STEP = 0.02, 0.005
"""How far an arrow key moves a corner, and with Shift, as shares of the picture."""
LOW_TEXT_ROWS, TALL_TEXT_ROWS = 7, 11
_log = logging.getLogger(__name__)
ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class CameraScreen(ConsoleScreen):
    """The camera's own screen; the table goes on behind it and cards are booked meanwhile."""

    page = "camera"

    def __init__(self) -> None:
        super().__init__()
        self.setup: CameraSetup | None = None
        self.sight: Sight | None = None
        self.corners: list[tuple[float, float]] | None = None
        self._corner = (0.1, 0.1)
        self._timer: Timer | None = None
        self._is_looking = False

    def body(self) -> tuple[Lines, ...]:
        """The picture, and the verdict below it."""
        self.live_area, self.text_area = LiveView(id="live"), Body(id="body")
        return (self.live_area, self.text_area)

    def on_mount(self) -> None:
        """Begin to look."""
        self._timer = self.set_interval(LOOK_S, self.look)
        self.live_area.say(_("waiting for the camera …"))

    # -- looking ------------------------------------------------------------------------------------------

    async def look(self) -> None:
        """Take the newest picture; the work is done in a thread, and one at a time."""
        if self._is_looking or self.app.screen is not self:
            return
        sight = self.console_app.sight()
        if sight is None:
            self.live_area.say(_("No camera shows a picture. F3 opens one: camera:0"))
            return
        self._is_looking = True
        try:
            width, height = self.live_area.size
            drawn = await asyncio.to_thread(self._take, sight, max(8, width), max(4, height))
        except Exception as error:  # noqa: BLE001 - a picture that can't be judged must not end the night
            _log.exception("a picture could not be judged")
            text = _("The picture can't be judged: {error}").format(error=error)
            self.console_app.state.say(text, stops=True)
            self.show()
            return
        finally:
            self._is_looking = False
        self.live_area.show_preview(drawn)
        self.show()

    def _take(self, sight: Sight, width: int, height: int) -> Preview:
        from calibration.camera import CameraSetup
        from calibration.frames import Frame
        from calibration.preview import preview

        setup = self.setup
        if setup is None:
            setup = self.setup = CameraSetup(wanted=sight.asked_px)
        if self.sight is None or sight.number != self.sight.number or sight.time_s != self.sight.time_s:
            setup.add(Frame(sight.image, sight.time_s, sight.sent), sight.cards)
        self.sight = sight
        if self.corners is not None:
            return preview(sight.image, width, height, marks=(*self.corners, self._corner))
        return preview(sight.image, width, height, sight.cards, setup.area, setup.zones)

    # -- what it shows ------------------------------------------------------------------------------------

    def arrange_rows(self, view: View) -> None:
        """The picture takes what the text leaves."""
        super().arrange_rows(view)
        set_display(self.live_area, not self.is_small)
        text_rows = LOW_TEXT_ROWS if self.app.size.height < TALL_HEIGHT else TALL_TEXT_ROWS
        set_height(self.text_area, 1 if self.corners is not None else text_rows)

    def view(self) -> View:
        """The verdict in the bar, the figures and steps below the picture."""
        app = self.console_app
        duty = _("CAMERA: looking …")
        if self.corners is not None:
            duty = _("CORNER {number} of 4 of the cloth: arrows move it, Enter sets it").format(
                number=len(self.corners) + 1
            )
        elif self.setup is not None and self.sight is not None:
            duty = _("CAMERA: {verdict}").format(verdict=verdict_words(self.setup.findings()))
        return View(
            app.state.snapshot,
            duty,
            usual=_("set it") if self.corners is not None else _("save as {name}").format(name=self.name_now),
            said=app.state.said,
            prompt=_("save as"),
            entry=self.typed.text,
            cursor=self.typed.cursor,
            hint=_("a name for this camera at this table, such as: kitchen"),
            lamps=app.lamps(),
            clock=app.clock_text,
            strip=self._keys(),
            panel=PanelView("", self._rows),
        )

    @property
    def name_now(self) -> str:
        """The name it would be saved under."""
        typed = self.typed.text.strip()
        return typed or (self.sight.profile if self.sight is not None and self.sight.profile else "table")

    def _rows(self, width: int, height: int) -> Rows:
        setup, sight = self.setup, self.sight
        if setup is None or sight is None:
            return [
                row(_("  Lay the printed sheet where cards are turned, or set the corners of the cloth."))
            ]
        held = ", ".join(sorted(sight.held)) or _("nothing (not asked, or the camera can't)")
        size = f"{setup.picture[0]}x{setup.picture[1]}"
        card = f"{setup.card_px:.0f} px" if setup.card_px else "?"
        figures = _("picture {size}, smallest card {card}").format(size=size, card=card)
        mend = [row("  ! ", finding_words(finding)) for finding in setup.findings()]
        steps = (
            ("1", _("surface: {found}").format(found=area_words(setup.found_by))),
            ("3", _("zones: {plan}").format(plan=plan_words(setup.plan))),
            ("5", _("hold focus and exposure; held: {held}").format(held=held)),
        )
        others = (
            ("2", _("set corners")),
            ("4", _("turn zones")),
            ("6", _("sheet (PDF)")),
            ("7", _("show a deck")),
        )
        rows = [row(" ", (f" {key} ", "bold reverse"), f" {what}") for key, what in steps]
        last: list[Part] = []
        for key, what in others:
            last += [" ", (f" {key} ", "bold reverse"), f" {what} "]
        return [row("  ", (figures, "$quiet")), *mend[: height - 5], *rows, row(*last)][:height]

    def _keys(self) -> tuple[Strip, ...]:
        if self.corners is not None:
            return (
                Strip("←↑↓→", _("move")),
                Strip("⇧←", _("finely")),
                Strip("⏎", _("set")),
                Strip("Esc", _("stop")),
            )
        return (Strip("⏎", _("save")), Strip("1-7", _("steps")), *self.strip(Act.TABLE, Act.HELP))

    # -- what is typed ------------------------------------------------------------------------------------

    def read(self) -> Reading:
        """What is typed is a name."""
        return NOTHING

    async def enter(self) -> None:
        """Set a corner, or save."""
        if self.corners is not None:
            self._set_corner()
        else:
            await self._save()

    async def command(self, key: str, character: str | None) -> bool:
        """A digit does a step; in the middle of setting corners the arrows move one."""
        name = key.removeprefix("shift+")
        if self.corners is not None:
            if name in ARROWS:
                step = FINE_STEP if key != name else STEP
                x, y = self._corner
                across, down = ARROWS[name]
                self._corner = (min(1.0, max(0.0, x + step * across)), min(1.0, max(0.0, y + step * down)))
            return key != "escape"
        if character is not None and character.isdigit():
            await self._step(character)
            return True
        if character is not None:
            return False
        return await super().command(key, character)

    def escape(self) -> None:
        """Stop setting corners, empty the line, else go back."""
        if self.corners is not None:
            self.corners = None
            self._arrange_anew()
        else:
            super().escape()

    def _arrange_anew(self) -> None:
        """While corners are set the picture takes nearly all."""
        self._arranged_for = (None, None, None, None)

    async def _step(self, digit: str) -> None:
        setup, app = self.setup, self.console_app
        if digit == "6":
            await self._write_sheet()
        elif digit == "7":
            app.go("deck")
        elif digit == "5":
            app.hold_cameras()
            app.state.say(_("Asked the camera to hold focus and exposure; what it holds shows below."))
        elif setup is None:
            app.state.say(_("No picture has come from the camera yet."))
        elif digit == "1":
            setup.forget_corners()
        elif digit == "2":
            self.corners, self._corner = [], (0.1, 0.1)
            self._arrange_anew()
        elif digit == "3":
            from calibration.area import PLANS

            plans = list(PLANS)
            setup.plan = plans[(plans.index(setup.plan) + 1) % len(plans)]
        elif digit == "4":
            setup.turn()

    def _set_corner(self) -> None:
        assert self.corners is not None
        assert self.setup is not None
        self.corners.append(self._corner)
        following = ((0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
        if len(self.corners) < 4:
            self._corner = following[len(self.corners) - 1]
            return
        corners, self.corners = self.corners, None
        self._arrange_anew()
        try:
            self.setup.tap(corners)
        except AssistantError as error:
            self.console_app.state.say(str(error), stops=True)

    async def _save(self) -> None:
        app, setup, sight = self.console_app, self.setup, self.sight
        if setup is None or sight is None or app.house is None:
            app.state.say(_("Not saved: no picture has come from the camera yet."), stops=True)
            return
        name, house, now = self.name_now, app.house, app.now()
        from calibration.profile import save_profile

        try:
            profile = setup.profile(name, sight.source, now, sight.held)
            path = await asyncio.to_thread(save_profile, house / "cameras", profile)
        except AssistantError as error:
            app.state.say(str(error), stops=True)
            return
        self.typed = Typed()
        app.recalibrated()
        app.state.say(_("Saved in {path}; it counts from now on.").format(path=path))

    async def _write_sheet(self) -> None:
        app = self.console_app
        if app.house is None:
            return
        from calibration.sheet import draw_sheet
        from drivers.printer import write_slip

        path = app.house / "cameras" / "sheet-a4.pdf"
        try:
            data = await asyncio.to_thread(draw_sheet)
            await asyncio.to_thread(write_slip, data, path)
        except AssistantError as error:
            app.state.say(_("The sheet was not written: {error}").format(error=error), stops=True)
            return
        app.state.say(
            _("Print {path} in true size (100 %), then lay it where cards are turned.").format(path=path)
        )
