"""The ledger: everybody's account, box and rack, and below them the entries, to look for and to reverse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from assistant.console.actions import Act
from assistant.console.panels import Item, ListPanel
from assistant.console.reading import Reading
from assistant.console.rows import Rows, fit, right, row, window
from assistant.console.screens.base import WIDE_WIDTH
from assistant.console.screens.plan_rows import reason_rows
from assistant.console.screens.slip_printing import PrintingScreen, printing
from assistant.console.view import Strip
from assistant.console.widgets.entry import Typed
from assistant.holdings import HOUSE
from assistant.i18n import N_, _, ngettext
from assistant.ledger.chipset import write_chips
from assistant.money import format_amount
from assistant.slips.content import BUY_IN
from assistant.slips.phrases import chip_value
from assistant.talk import quote

if TYPE_CHECKING:
    from assistant.money import Currency
    from assistant.table.money_view import AccountView, MoneyView
    from assistant.table.snapshot import LogLine, LogLines, TableSnapshot
    from assistant.table.why import Reason

NOTE_WIDTH = 8
"""For who has left, and for guests; where there are none the names have it."""
ACCOUNTS, ENTRIES = "accounts", "entries"


class LedgerScreen(PrintingScreen):
    """Tab goes from the accounts to the entries; Enter asks what to do with the chosen one."""

    page = "ledger"
    hint = N_("type to look for: a name, #number, undone, reversed")

    def __init__(self) -> None:
        super().__init__()
        self.prompt = _("look for")
        self.part = ACCOUNTS
        self.places = {ACCOUNTS: 0, ENTRIES: 0}
        self.reasons: tuple[tuple[str, tuple[Reason, ...]], ...] = ()
        self.top = 0
        self._earlier: tuple[LogLine, ...] = ()
        self._read_at = 0
        self._words: LogLines | None = None

    def headline(self, snapshot: TableSnapshot) -> str:
        """What is shown."""
        if self.reasons:
            return _("WHY: every entry behind it")
        return _("LEDGER: accounts and entries")

    def usual_label(self, snapshot: TableSnapshot) -> str:
        """Enter opens the menu of what is chosen."""
        if self.reasons:
            return _("back")
        return _("pay, lend, why …") if self.part == ACCOUNTS else _("reverse …")

    def keys(self) -> tuple[Strip, ...]:
        """The key strip."""
        if self.reasons:
            return (Strip("↑↓", _("scroll")), Strip("Esc", _("back")))
        other = _("entries") if self.part == ACCOUNTS else _("accounts")
        own = (Strip("↑↓", _("choose")), Strip("Tab", other), *self.undo_key())
        return (*own, *self.strip(Act.TALK, Act.TABLE, Act.SEATS, Act.CLOSE, Act.HELP))

    def count(self, snapshot: TableSnapshot) -> int:
        """Accounts or entries, whichever is chosen from."""
        return len(_accounts_of(snapshot)) if self.part == ACCOUNTS else len(self._entries(snapshot))

    def _entries(self, snapshot: TableSnapshot) -> tuple[LogLine, ...]:
        """The entries that hold what is typed, the latest first."""
        wanted = self.typed.text.strip().casefold()
        wanted = "" if wanted.startswith(":") else wanted
        first = snapshot.log[0].number if snapshot.log else 0
        earlier = (one for one in reversed(self._earlier) if one.number < first)
        return tuple(one for one in (*reversed(snapshot.log), *earlier) if wanted in _searched(one))

    def show(self) -> None:
        """Paint; a snapshot has the last entries only, those before are read behind the picture."""
        super().show()
        snapshot = self.console_app.state.snapshot
        is_wanted = self.part == ENTRIES or self.typed.text
        if snapshot is None or not snapshot.log or not is_wanted or snapshot.entries == self._read_at:
            return
        self._read_at = snapshot.entries
        if snapshot.log[0].number > 1:
            self.run_worker(self._read_earlier(), exit_on_error=False, group="entries")

    async def _read_earlier(self) -> None:
        from assistant.table.snapshot import LogLines

        self._words = self._words or LogLines()
        self._earlier = await self.console_app.desk.log_lines(self._words)
        self.show()

    # -- what it shows ------------------------------------------------------------------------------------

    def rows(self, snapshot: TableSnapshot, width: int, height: int) -> Rows:
        """Accounts above, entries below; or why."""
        if self.reasons:
            shown, self.top = reason_rows(self.reasons, snapshot.money_currency, self.top, width, height)
            return shown
        self.chosen = max(0, min(self.chosen, self.count(snapshot) - 1))
        accounts = self._accounts(snapshot, width, max(3, height - 7))
        entries = self._log(snapshot, width, height - len(accounts) - 1)
        return [*accounts, row(("─" * width, "$quiet")), *entries][:height]

    def _accounts(self, snapshot: TableSnapshot, width: int, height: int) -> Rows:
        notes = NOTE_WIDTH if any(one.has_left or one.is_guest for one in snapshot.money.accounts) else 0
        name_width = min(30 + NOTE_WIDTH - notes, width - 53 - notes)
        heads = (_("bought"), _("cashed"), _("stack"), _("net"), _("due"))
        head = fit("", 3) + fit(_("player"), name_width + notes) + "".join(right(one, 10) for one in heads)
        accounts = _accounts_of(snapshot)
        room = max(1, height - 2)
        chosen = self.chosen if self.part == ACCOUNTS else 0
        lines = window(
            accounts,
            chosen,
            room,
            lambda place, one: self._account(one, place, (name_width, notes), snapshot),
        )
        is_damaged = self.console_app.desk.damage is not None
        return [row((head, "$quiet")), *lines, _desk_row(snapshot, width, is_damaged=is_damaged)]

    def _account(
        self, one: AccountView, place: int, widths: tuple[int, int], snapshot: TableSnapshot
    ) -> Content:
        money = snapshot.currency
        is_chosen = self.part == ACCOUNTS and place == self.chosen
        cells: tuple[str, ...] = (
            format_amount(one.bought, money),
            format_amount(one.cashed, money),
            format_amount(one.stack, money),
            format_amount(one.net, money, sign=True),
            format_amount(one.due, snapshot.money_currency, sign=True),
        )
        if one.player == HOUSE:
            cells = _house_cells(one, snapshot)
        note = _("left") if one.has_left else _("guest") if one.is_guest else ""
        text = f" {'▶' if is_chosen else ' '} {fit(one.name, widths[0])}{fit(' ' + note, widths[1])}"
        style = "bold $turn" if is_chosen else "$quiet" if one.has_left else ""
        return row((text + "".join(right(cell, 10) for cell in cells), style))

    def _log(self, snapshot: TableSnapshot, width: int, height: int) -> Rows:
        entries = self._entries(snapshot)
        if not entries:
            return [row(("   " + _("No entry holds that."), "$quiet"))]
        chosen = self.chosen if self.part == ENTRIES else -1
        return window(
            entries,
            max(0, chosen),
            max(1, height),
            lambda place, one: self._entry(one, place == chosen, width),
        )

    def _entry(self, one: LogLine, is_chosen: bool, width: int) -> Content:
        state = _state(one)
        text = f" {'▶' if is_chosen else ' '} {fit(f'#{one.number}', 6)}{fit(one.time[:5], 7)}"
        told = f"  {one.told[0]}" if one.told else ""
        line = fit(one.text + told, max(10, width - 28))
        style = "bold $turn" if is_chosen else "$quiet" if state else ""
        return row((text + line, style), f"  {state}")

    # -- what is typed ------------------------------------------------------------------------------------

    def read_own(self, text: str, snapshot: TableSnapshot) -> Reading:
        """What is typed is looked for; nothing is booked by it."""
        count = len(self._entries(snapshot))
        return Reading(says=ngettext("{count} entry", "{count} entries", count).format(count=count))

    async def enter(self) -> None:
        """Open the menu of what is chosen; its numbers are typed in a line of their own."""
        snapshot = self.console_app.state.snapshot
        if snapshot is not None and self._looks:
            self._go_to(ENTRIES)
            found = self._entries(snapshot)
            if not found:
                return
            chosen = found[min(self.chosen, len(found) - 1)]
            self.typed = Typed()
            self.chosen = self._entries(snapshot).index(chosen)
            await self.usual(snapshot)
        else:
            await super().enter()

    def edit(self, key: str, character: str | None) -> None:
        """Edit the line; the arrows choose among what was found."""
        snapshot = self.console_app.state.snapshot
        if key in ("up", "down") and self._looks and snapshot is not None:
            is_first = self.part != ENTRIES
            self._go_to(ENTRIES)
            step = -1 if key == "up" else 1
            last = max(0, self.count(snapshot) - 1)
            self.chosen = 0 if is_first else max(0, min(last, self.chosen + step))
            return
        if self._looks and character is not None and self.part == ENTRIES:
            self.chosen = 0  # of what is found now
        super().edit(key, character)

    @property
    def _looks(self) -> bool:
        """Whether the line is what is looked for."""
        text = self.typed.text.strip()
        return self.menu is None and bool(text) and not text.startswith(":")

    async def command(self, key: str, character: str | None) -> bool:
        """Tab goes to the other part; in why the arrows scroll."""
        if self.reasons and key in ("up", "down", "pageup", "pagedown"):
            self.top = max(0, self.top + {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}[key])
            return True
        if key in ("tab", "shift+tab") and self.menu is None:
            self._go_to(ENTRIES if self.part == ACCOUNTS else ACCOUNTS)
            return True
        return await super().command(key, character)

    async def after(self, reading: Reading, snapshot: TableSnapshot) -> None:
        """The new entry is the chosen one: the others have moved down."""
        if self.part == ENTRIES:
            self.chosen = 0

    def _go_to(self, part: str) -> None:
        if part != self.part:
            self.places[self.part], self.chosen = self.chosen, self.places[part]
            self.part = part

    async def usual(self, snapshot: TableSnapshot) -> None:
        """The menu of the chosen account or entry."""
        if self.reasons:
            self.reasons = ()
        elif self.part == ENTRIES:
            entries = self._entries(snapshot)
            if self.chosen < len(entries):
                self.menu = _entry_menu(entries[self.chosen])
        elif self.chosen < len(accounts := _accounts_of(snapshot)):
            self.menu = _account_menu(accounts[self.chosen], snapshot)

    async def _answer(self, reading: Reading) -> None:
        """Why is shown here; everything else is a line."""
        snapshot = self.console_app.state.snapshot
        if reading.fill != WHY or snapshot is None:
            await super()._answer(reading)
            return
        self.menu = None
        account = _accounts_of(snapshot)[self.chosen]
        self.reasons = ((account.name, await self.console_app.desk.reasons(account.player)),)
        self.top = 0

    def escape(self) -> None:
        """Back from why; else empty the line, else to the table."""
        if self.reasons and not self.typed.text:
            self.reasons = ()
        else:
            super().escape()


WHY = "why"


def _state(one: LogLine) -> str:
    """Whether an entry was taken back, and how; nothing while it stands."""
    if one.state != "done":
        return _("undone")
    return _("reversed") if one.is_reversed else ""


def _searched(one: LogLine) -> str:
    state = _state(one)
    return f"#{one.number} {one.text} {' '.join(one.told)} {state}".casefold()


def _accounts_of(snapshot: TableSnapshot) -> tuple[AccountView, ...]:
    """Everybody's account, and behind them the house's where it has one."""
    money = snapshot.money
    return money.accounts if money.house is None else (*money.accounts, money.house)


def _house_cells(house: AccountView, snapshot: TableSnapshot) -> tuple[str, ...]:
    """Nobody sells chips to the house; what a bank of somebody's own wins or loses is that player's."""
    stack = format_amount(house.stack, snapshot.currency)
    if snapshot.banker:
        return ("", "", stack, "", "")
    due = format_amount(house.due, snapshot.money_currency, sign=True)
    return ("", "", stack, format_amount(house.net, snapshot.currency, sign=True), due)


def _desk_row(snapshot: TableSnapshot, width: int, *, is_damaged: bool) -> Content:
    """Box and rack, who keeps them, and that everything adds up; of a damaged night nobody can say that."""
    money, currency = snapshot.money, snapshot.currency
    words = [] if is_damaged else [_("sum ok") if snapshot.conserved else _("SUM WRONG")]
    if snapshot.pool_label:
        words.append(f"{snapshot.pool_label} {format_amount(snapshot.pool, currency)}")
    if money.has_cash:
        words.append(_box_text(money, snapshot.money_currency))
    if snapshot.chip:
        words.append(chip_value(snapshot.money_currency, snapshot.chip) + f" {snapshot.money_currency.code}")
    if money.cashier:
        words.append(_("cashier: {name}").format(name=money.cashier))
    if money.chipset:
        chips = format_amount(money.rack_worth, currency)
        if width >= WIDE_WIDTH and money.rack:
            chips += f" = {write_chips(money.rack, currency)}"
        words.append(_("rack {chips}").format(chips=chips))
    return row((fit("   " + "  ·  ".join(words), width), "$quiet"))


def _box_text(money: MoneyView, currency: Currency) -> str:
    """What lies in the box: all of it in the night's money, and what that is where there is other cash."""
    text = _("box {amount}").format(amount=format_amount(money.box, currency))
    if not money.foreign or money.own_cash < 0:
        return text
    cash = [format_amount(money.own_cash, currency), *(cash for cash, _value in money.foreign)]
    return f"{text} ({' + '.join(cash)})"


def _account_menu(account: AccountView, snapshot: TableSnapshot) -> ListPanel:
    name = quote(account.name)
    items = [Item(_("why: every entry behind it"), WHY)]
    if not snapshot.closed and account.player != HOUSE:
        items += [
            Item(_("pays into the box (an IOU): AMOUNT"), f":pay {name} box "),
            Item(_("is paid from the box (a cash-out that is due): AMOUNT"), f":pay box {name} "),
            Item(_("buys on an IOU: AMOUNT"), f":iou {name} "),
            Item(_("lends chips: NAME AMOUNT"), f":lend {name} "),
            Item(_("paid for all: AMOUNT WHAT"), f":expense {name} "),
            Item(_("tips: AMOUNT"), f":tip {name} "),
            Item(_("puts cash into the box for change: AMOUNT"), f":float {name} "),
            Item(_("keeps the box from now on"), f":cashier {name} "),
        ]
    return ListPanel(_("{name}: WHAT?").format(name=account.name), _("number"), items=tuple(items))


def _entry_menu(entry: LogLine) -> ListPanel:
    number, verb = entry.number, entry.text.split()[0].lower()
    is_buy_in, is_cash_out = verb in ("buy", "seat", "iou"), verb == "cashout"
    stands = entry.state == "done" and not entry.is_reversed
    items = [Item(_("reverse it: WHY"), f":reverse {number} ")]
    if is_buy_in or is_cash_out:  # nothing else has a right amount to put behind the reversal
        items.append(
            Item(_("it was another amount: AMOUNT, then a blank and WHY"), f":reverse {number} amount=")
        )
    if is_buy_in:
        items.append(Item(_("it was never paid, put it on an IOU"), f":reverse {number} as=iou never paid"))
    if is_cash_out or verb == "leave":
        items.append(Item(_("it was not paid out yet, leave it due"), f":reverse {number} as=due not paid"))
    if is_buy_in and stands:
        items.append(Item(_("print its receipt"), printing(BUY_IN, number)))
    title = _("#{number}: {line}").format(number=number, line=entry.text)
    return ListPanel(title, _("number"), items=tuple(items))
