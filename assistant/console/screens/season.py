"""The standings over all nights: who stands where, by how much, and how it came."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from textual import events

from assistant.console.actions import Act
from assistant.console.rows import EMPTY, Rows, cells, cut, fit, page, right, row, wrap
from assistant.console.screens.base import ConsoleScreen
from assistant.console.screens.slip_printing import print_and_tell
from assistant.console.view import PanelView, Strip, View
from assistant.console.widgets.lines import Lines
from assistant.console.widgets.panel import Body
from assistant.errors import AssistantError
from assistant.i18n import _, ngettext
from assistant.ledger.season import DAMAGED, IN_USE, OPEN, bar, sparkline
from assistant.money import Currency, format_amount
from assistant.money_wording import standing_name
from assistant.slips.content import STANDINGS

if TYPE_CHECKING:
    from assistant.ledger.season import Season, Standing
    from assistant.slips.chart import Chart
    from assistant.slips.content import Slip
    from assistant.table.season import HouseSeason

SAVE, PRINT = frozenset("sSыЫ"), frozenset("pPзЗ")
NUMBER, NET = 7, 11


class SeasonScreen(ConsoleScreen):
    """A page to look at; it reads the stored nights behind the first paint and books nothing.

    Attributes:
        wish: The key that asked for paper or files before the nights were read; it is done then.
    """

    page = "season"

    def __init__(self) -> None:
        super().__init__()
        self.found: HouseSeason | None = None
        self.trouble = ""
        self.wish = ""
        self.place = 0
        self.top = 0

    def body(self) -> tuple[Lines, ...]:
        """The standings."""
        return (Body(id="body"),)

    def on_mount(self) -> None:
        """Read the nights."""
        super().on_mount()
        self.run_worker(self._read(), exit_on_error=False, group="season")

    async def _read(self) -> None:
        try:
            self.found = await self.console_app.read_season()
        except AssistantError as error:
            self.trouble = str(error)
        wish, self.wish = self.wish, ""
        if wish:
            self.console_app.state.said = None
            await self._put_out(wish)
        self.show()

    @property
    def season(self) -> Season | None:
        """The standings of the chosen currency; None while there are none."""
        found = self.found
        if found is None or not found.nights:
            return None
        return found.standings(found.currencies[self.place % len(found.currencies)])

    # -- what it shows ------------------------------------------------------------------------------------

    def view(self) -> View:
        """The standings, best first."""
        app = self.console_app

        def rows(width: int, height: int) -> Rows:
            lines = self._lines(width)
            head, body = lines[:3], lines[3:]
            shown, self.top = page(body, self.top, max(1, height - len(head)))
            return [*head, *shown]

        return View(
            app.state.snapshot,
            _("SEASON: the standings over all closed nights"),
            usual=_("back"),
            said=app.state.said,
            prompt=_("season"),
            hint=_("↑ ↓ scroll") + ("   " + _("Tab next currency") if self._has_more else ""),
            lamps=app.lamps(),
            clock=app.clock_text,
            strip=(
                Strip("S", _("save text, table and PDF")),
                Strip("P", _("print")),
                *self.strip(Act.TABLE, Act.CLOSE, Act.HELP, Act.QUIT),
            ),
            panel=PanelView("", rows),
        )

    @property
    def _has_more(self) -> bool:
        return self.found is not None and len(self.found.currencies) > 1

    def _lines(self, width: int) -> Rows:
        if self.trouble:
            return [EMPTY, *(row("   ", line) for line in wrap(self.trouble, width - 6))]
        if self.found is None:
            return [EMPTY, row("   " + _("The nights are being read …"))]
        season = self.season
        left_out = _left_out(self.found, season, width)
        if season is None:
            is_early = all(why == OPEN for _night, why in self.found.left_out)
            text = _("No night is closed yet; F6 closes one.") if is_early else _("No night counts now.")
            return [EMPTY, row("   " + text), EMPTY, *left_out]
        return [*_table(season, width), EMPTY, *left_out]

    # -- keys ---------------------------------------------------------------------------------------------

    async def enter(self) -> None:
        """Back to the table."""
        self.console_app.go("table")

    async def command(self, key: str, character: str | None) -> bool:
        """Scroll, change the currency, save, or go to a screen."""
        steps = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "home": -(10**6), "end": 10**6}
        if key in steps:
            self.top = max(0, self.top + steps[key])
        elif key in ("tab", "right", "left", "shift+tab"):
            self.place += 1 if key in ("tab", "right") else -1
        elif character is not None and character in SAVE | PRINT:
            await self._put_out(character)
        else:
            await super().command(key, None if character and character != "?" else character)
        return key != "escape"

    async def _put_out(self, key: str) -> None:
        """Save or print what is shown, once it is."""
        if self.found is None and not self.trouble:
            self.wish = key
            text = _("The nights are being read; then it is saved.")
            if key in PRINT:
                text = _("The nights are being read; then it is printed.")
            self.console_app.state.say(text)
        elif key in SAVE:
            await self._save()
        else:
            self._print()

    async def _save(self) -> None:
        app, found, season = self.console_app, self.found, self.season
        if found is None or season is None or app.slips is None:
            app.state.say(_("There is nothing to save."), stops=True)
            return
        folder = app.slips
        try:
            paths = await asyncio.to_thread(_save_files, folder, found, season)
        except (OSError, AssistantError) as error:
            app.state.say(_("Not saved: {why}").format(why=error), stops=True)
            return
        app.state.say(_("Saved: {paths}").format(paths=", ".join(str(path) for path in paths)))

    def _print(self) -> None:
        """Print the standings that are shown, apart from the keys."""
        app, found, season = self.console_app, self.found, self.season
        if found is None or season is None:
            app.state.say(_("There is nothing to print."), stops=True)
            return

        async def made() -> tuple[Slip, Chart | None]:
            from assistant.table.season import standings_slip
            from assistant.table.standings import course_chart

            return standings_slip(found, season), course_chart(season)

        app.state.say(_("Printing …"))
        app.run_worker(print_and_tell(app, made, STANDINGS), exit_on_error=False, group="print")

    def paste(self, event: events.Paste) -> None:
        """There is nothing to paste into."""


def _save_files(folder: Path, found: HouseSeason, season: Season) -> list[Path]:
    from assistant.table.standings import FILES, file_name
    from drivers.printer import write_slip

    paths = []
    for ending, write in FILES.items():
        path = folder / f"{file_name(season)}.{ending}"
        paths.append(write_slip(write(found, season), path))
    return paths


def _table(season: Season, width: int) -> Rows:
    """Place, name, nights, result, a bar from the middle, and the course where there is room."""
    from assistant.table.season import currency_of
    from assistant.table.standings import span_of

    money = currency_of(season.currency)
    named = [*(one.name for one in season.rows), *(standing_name(node) for node, _amount in season.others)]
    name_width = max(8, min(24, max(map(cells, named))))
    course = min(len(season.nights), max(0, width - name_width - 52)) if width >= 100 else 0
    room = width - 4 - 4 - name_width - NUMBER - NET * 2 - (course + 3 if course else 0) - 3
    half = max(4, room // 2)
    most = max((abs(one.net) for one in season.rows), default=0)
    low, high = span_of(season)
    count = ngettext("{count} night", "{count} nights", len(season.nights)).format(count=len(season.nights))
    title = f"   {season.days[0]} - {season.days[-1]}   {count}   {money.code or _('chips')}"
    has_besides = any(one.besides for one in season.rows)
    head = (
        f"   {fit('', 4)}{fit(_('player'), name_width)}{right(_('nights'), NUMBER)}"
        f"{right(_('net'), NET)}{right(_('in all') if has_besides else _('bought'), NET)}"
    )
    lines = [row((title, "bold")), EMPTY, row((head, "$quiet"))]
    nets = [one.net for one in season.rows]
    for one in season.rows:
        place = 1 + sum(net > one.net for net in nets)
        figures = f"   {fit(f'{place}.', 4)}{fit(one.name, name_width)}" + _figures(one, money, has_besides)
        steps = ("   " + sparkline(one.course, low, high, course), "$quiet") if course else ""
        lines.append(row(figures, "   ", *_bar_parts(one.net, most, half), steps))
    for node, amount in season.others:
        label = f"   {fit('', 4)}{fit(standing_name(node), name_width)}{fit('', NUMBER)}"
        lines.append(row((label + right(format_amount(amount, money, sign=True), NET), "$quiet")))
    return lines


def _figures(one: Standing, money: Currency, has_besides: bool) -> str:
    """Nights, net, and what was bought; with costs, tips or differences what it came to in all instead."""
    net = right(format_amount(one.net, money, sign=True), NET)
    last = format_amount(one.in_all, money, sign=True) if has_besides else format_amount(one.bought_in, money)
    return f"{right(str(one.nights), NUMBER)}{net}{right(last, NET)}"


def _bar_parts(net: int, most: int, half: int) -> tuple[tuple[str, str], ...]:
    """A bar to the right for a gain; for a loss one of whole blocks to the left, and words say the sign."""
    if net >= 0:
        return ((" " * half + "│", "$quiet"), (fit(bar(net, most, half), half), "$success"))
    blocks = "█" * max(1, round(-net * half / most))
    return ((right(blocks, half), "$warning"), ("│" + " " * half, "$quiet"))


def _left_out(found: HouseSeason, season: Season | None, width: int) -> Rows:
    """The nights that don't count, and why."""
    words = {
        OPEN: _("not closed"),
        IN_USE: _("open in another window"),
        DAMAGED: _("damaged"),
    }
    texts = [f"{name} ({words[why]})" for name, why in found.left_out]
    if season is not None:
        texts += [
            f"{one.night} ({one.currency or _('chips')})"
            for one in found.nights
            if one.currency != season.currency
        ]
    if not texts:
        return []
    text = _("Not counted here: {nights}").format(nights=", ".join(texts))
    return [row("   ", (cut(line, width - 4), "$quiet")) for line in wrap(text, width - 6)]
