"""The end of the night: count chips, mend differences, close, see who pays whom, print and save the slip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from assistant.console.actions import Act
from assistant.console.panels import Item, ListPanel
from assistant.console.reading import Reading
from assistant.console.rows import EMPTY, Rows, fit, right, row
from assistant.console.screens.listing import ListScreen
from assistant.console.view import Strip
from assistant.errors import AssistantError
from assistant.i18n import N_, _
from assistant.money import format_amount, parse_amount
from assistant.slips.content import BUY_IN, COUNT, RULES, SETTLEMENT
from assistant.talk import quote

if TYPE_CHECKING:
    from assistant.table.snapshot import SeatView, TableSnapshot

PRINT = "print "
"""What a line of the menu of slips begins with; it is no table talk."""
LETTERS = {
    "c": "close",
    "с": "close",
    "a": "accept",
    "ф": "accept",
    "p": "print",
    "з": "print",
    "s": "save",
    "ы": "save",
    "v": "season",
    "м": "season",
}


class CloseScreen(ListScreen):
    """Counting first, settlement after the close; a printer that fails never touches the ledger."""

    page = "close"
    hint = N_("chips counted in front of the chosen player, then Enter")

    def headline(self, snapshot: TableSnapshot) -> str:
        """Count, or settle."""
        if snapshot.closed:
            return _("SETTLE: who pays whom")
        return _("COUNT the chips, then close the night")

    def usual_label(self, snapshot: TableSnapshot) -> str:
        """Enter closes (after asking), or prints the slip."""
        return _("save and print the slip") if snapshot.closed else _("close the night …")

    def keys(self) -> tuple[Strip, ...]:
        """The keys of counting, or of the slip."""
        snapshot = self.console_app.state.snapshot
        slip = (Strip("P", _("print")), Strip("S", _("save slip")))
        own = (
            slip
            if snapshot is not None and snapshot.closed
            else (Strip("A", _("accept")), Strip("C", _("close")), *slip)
        )
        return (*own, *self.strip(Act.UNDO, Act.TABLE, Act.SEATS, Act.HELP, Act.QUIT))

    def count(self, snapshot: TableSnapshot) -> int:
        """Seats while counting; nothing to choose after."""
        return 0 if snapshot.closed else len(snapshot.seats)

    # -- what it shows ------------------------------------------------------------------------------------

    def rows(self, snapshot: TableSnapshot, width: int, height: int) -> Rows:
        """The counts, or the settlement."""
        self.prompt = _("slip") if snapshot.closed else _("counted")
        return _settlement(snapshot) if snapshot.closed else self._counts(snapshot, width, height)

    def _counts(self, snapshot: TableSnapshot, width: int, height: int) -> Rows:
        name_width = min(34, width - 52)
        columns = (_("ledger"), _("counted"), _("difference"), _("net"))
        head = row(
            (
                f"   {fit('', 4)}{fit(_('player'), name_width)}" + "".join(right(one, 11) for one in columns),
                "$quiet",
            )
        )
        lines = [
            self._count_row(seat, place, name_width, snapshot) for place, seat in enumerate(snapshot.seats)
        ]
        room = max(1, height - 4)
        first = max(0, min(self.chosen - room + 1, len(lines) - room))
        pool = format_amount(snapshot.pool, snapshot.currency)
        foot = (
            row((f"   {snapshot.pool_label}: {pool}", "$quiet"))
            if snapshot.pool_label and snapshot.pool
            else EMPTY
        )
        return [EMPTY, head, *lines[first : first + room], foot]

    def _count_row(self, seat: SeatView, place: int, name_width: int, snapshot: TableSnapshot) -> Content:
        money = snapshot.currency
        counted = seat.counted
        difference = counted - seat.stack if counted is not None else None
        cells = (
            format_amount(seat.stack, money),
            format_amount(counted, money) if counted is not None else "-",
            "" if not difference else format_amount(difference, money, sign=True) + " !",
            format_amount(seat.net, money, sign=True),
        )
        is_chosen = place == self.chosen
        style = "bold $turn" if is_chosen else "bold $warning" if difference else ""
        mark = "▶" if is_chosen else " "
        text = f" {mark} {place + 1:<4}{fit(seat.name, name_width)}" + "".join(
            right(cell, 11) for cell in cells
        )
        return row((text, style))

    # -- what is typed ------------------------------------------------------------------------------------

    def read_own(self, text: str, snapshot: TableSnapshot) -> Reading:
        """An amount is what lies in front of the chosen player."""
        seat = self._chosen_seat(snapshot)
        if seat is None:
            return Reading(says=_("the night is closed"))
        try:
            amount = parse_amount(text, snapshot.currency)
        except AssistantError:
            amount = None
        says = _("{name} has {amount}").format(name=seat.name, amount=text)
        return Reading(f"count {quote(seat.name)} {text}", says, "count", amount)

    async def after(self, reading: Reading, snapshot: TableSnapshot) -> None:
        """Go to the next player after a count."""
        if reading.verb == "count" and reading.amount is not None:
            self.chosen = min(self.chosen + 1, len(snapshot.seats) - 1)

    async def command(self, key: str, character: str | None) -> bool:
        """The letters of this screen; no name or card is typed here, so all are free."""
        snapshot = self.console_app.state.snapshot
        word = LETTERS.get(character.lower()) if character and self.menu is None else None
        if word is None or snapshot is None:
            return await super().command(key, character)
        if word == "print":
            self.menu = _print_menu(snapshot)
        elif word == "save":
            await self._save()
        elif word == "season":
            self.console_app.go("season")
        elif not snapshot.closed:
            self.menu = _accept_menu(snapshot) if word == "accept" else _close_menu(snapshot)
        return True

    async def usual(self, snapshot: TableSnapshot) -> None:
        """Ask about the close; afterwards save and print the slip."""
        if not snapshot.closed:
            self.menu = _close_menu(snapshot)
        else:
            await self._save()
            self._print(SETTLEMENT)

    async def _answer(self, reading: Reading) -> None:
        """The menu of slips prints; the others put a line into the entry, or book it."""
        if reading.fill.startswith(PRINT):
            self.menu = None
            self._print(reading.fill.removeprefix(PRINT))
        else:
            await super()._answer(reading)

    def _chosen_seat(self, snapshot: TableSnapshot) -> SeatView | None:
        return snapshot.seats[self.chosen] if self.chosen < self.count(snapshot) else None

    # -- the slip -----------------------------------------------------------------------------------------

    async def _save(self) -> None:
        app = self.console_app
        try:
            texts = {width: await app.desk.slip(width) for width in (80, 42)}
            app.state.say(await app.press.save(texts, await app.desk.pdf(), app.desk.name))
        except AssistantError as error:
            app.state.say(str(error), stops=True)

    def _print(self, kind: str) -> None:
        """Print apart from the keys: the table goes on while a printer takes its time."""
        app = self.console_app
        before = app.state.said
        saved = f"{before.text}  " if before is not None and not before.stops else ""
        app.state.say(saved + _("Printing …"))
        app.run_worker(self._printing(kind, saved), exit_on_error=False, group="print")

    async def _printing(self, kind: str, saved: str) -> None:
        from drivers.printer import PrintDoubtful

        app = self.console_app
        try:
            done = await app.press.print(await app.desk.paper(kind), kind, app.desk.name)
            app.state.say(saved + done)
        except PrintDoubtful as error:
            app.state.say(
                _("Unknown whether it printed: {why} The night is safe.").format(why=error), stops=True
            )
        except AssistantError as error:
            app.state.say(_("Not printed: {why} The night is safe.").format(why=error), stops=True)
        app.repaint()


def _print_menu(snapshot: TableSnapshot) -> ListPanel:
    settlement = _("settlement") if snapshot.closed else _("how it stands now")
    items = (
        Item(settlement, PRINT + SETTLEMENT),
        Item(_("count of the chips"), PRINT + COUNT),
        Item(_("receipt of the last buy-in"), PRINT + BUY_IN),
        Item(_("rules of the game"), PRINT + RULES),
    )
    return ListPanel(_("PRINT WHAT?"), _("number"), items=items)


def _close_menu(snapshot: TableSnapshot) -> ListPanel:
    items = [Item(_("close: everybody is cashed out; it can't be taken back"), ":close")]
    if snapshot.pool_label and snapshot.pool:
        amount = format_amount(snapshot.pool, snapshot.currency)
        items[0] = Item(
            _("share the pool ({amount}) and close; it can't be taken back").format(amount=amount), ":close"
        )
        items.append(Item(_("carry the pool to another night, and close"), ":close pool=carry"))
    return ListPanel(_("CLOSE THE NIGHT?"), _("number"), stops=True, items=tuple(items))


def _accept_menu(snapshot: TableSnapshot) -> ListPanel:
    items = (
        Item(_("differences are shared equally"), ":accept equal"),
        Item(_("by the winners, in proportion"), ":accept winners"),
        Item(_("by the losers, in proportion"), ":accept losers"),
        Item(_("by one player: NAME"), ":accept "),
    )
    return ListPanel(_("WHO BEARS THE DIFFERENCES?"), _("number"), items=items)


def _settlement(snapshot: TableSnapshot) -> Rows:
    """The fewest payments."""
    if not snapshot.settlement:
        return [EMPTY, row("   " + _("Nobody owes anybody anything."))]
    head = _("fewest payments: {count}").format(count=len(snapshot.settlement))
    lines = [
        row(
            "   ",
            (fit(one.payer, 32), "bold"),
            "  →  ",
            (fit(one.payee, 32), "bold"),
            right(format_amount(one.amount, snapshot.currency), 10),
        )
        for one in snapshot.settlement
    ]
    return [EMPTY, row(("   " + head, "$quiet")), *lines]
