"""The end of the night: count chips, mend differences, close, see who pays whom, print and save the slip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.console.actions import Act
from assistant.console.panels import Item, ListPanel
from assistant.console.reading import TALK, Reading
from assistant.console.rows import Rows
from assistant.console.screens.base import SCREEN_ACTS
from assistant.console.screens.count_rows import CountPlace, count_rows, is_blind, next_to_confirm, places
from assistant.console.screens.plan_rows import plan_rows, reason_rows
from assistant.console.screens.slip_printing import PrintingScreen, printing
from assistant.console.view import Strip
from assistant.console.widgets.entry import Typed
from assistant.errors import AssistantError
from assistant.i18n import N_, _
from assistant.ledger.chipset import is_chips, read_chips, worth
from assistant.ledger.nodes import NODES
from assistant.money import format_amount, parse_amount
from assistant.slips.content import BUY_IN, COUNT, RULES, SETTLEMENT
from assistant.talk import quote

if TYPE_CHECKING:
    from assistant.table.money_view import PlanLineView
    from assistant.table.snapshot import TableSnapshot
    from assistant.table.why import Reason

LETTERS = {
    "c": "close",
    "с": "close",
    "b": "begin",
    "и": "begin",
    "y": "confirm",
    "н": "confirm",
    "a": "accept",
    "ф": "accept",
    "p": "print",
    "з": "print",
    "s": "save",
    "ы": "save",
    "l": "show",
    "д": "show",
    "h": "how",
    "р": "how",
    "m": "paid",
    "ь": "paid",
    "w": "why",
    "ц": "why",
    "n": "new",
    "т": "new",
    "v": "season",
    "м": "season",
    "u": "undo",
    "г": "undo",
    "e": "ledger",
    "у": "ledger",
}


COUNT_HINT = N_("amount, or chips such as 2x25 3x5, then Enter")
PAID_HINT = N_("amount paid of the chosen payment, then Enter; M writes all of it")


class CloseScreen(PrintingScreen):
    """Counting first, settlement after the close; a printer that fails never touches the ledger."""

    page = "close"
    marks_whose = True
    hint = COUNT_HINT

    def __init__(self) -> None:
        super().__init__()
        self.shows_ledger = False
        self.reasons: tuple[tuple[str, tuple[Reason, ...]], ...] = ()
        self.top = 0
        self._listed: tuple[str, ...] = ()
        self._recounts = False

    def headline(self, snapshot: TableSnapshot) -> str:
        """Count, compare, or settle."""
        self.prompt = _("paid") if snapshot.closed else _("counted")
        self.hint = PAID_HINT if snapshot.closed else COUNT_HINT
        if self.reasons:
            return _("WHY: every entry behind it")
        if snapshot.closed:
            return _("SETTLE: who pays whom")
        if snapshot.in_round or _bets_stay(snapshot):
            return snapshot.duty
        count = snapshot.money.count
        if count is None and snapshot.money.accepted:
            return _("CLOSE the night")
        if count is not None and count.is_complete and count.waiting and not count.differs:
            return _("CONFIRM: a neighbour looks at each count, then Y")
        if count is not None and count.is_complete:
            return _("COMPARE: recount what differs, or accept") if count.differs else _("CLOSE the night")
        return _("COUNT the chips, then close the night")

    def usual_label(self, snapshot: TableSnapshot) -> str:
        """Enter closes (after asking), or prints the slip."""
        if self.reasons:
            return _("back")
        if snapshot.in_round or _bets_stay(snapshot):
            return ""
        return _("save and print the slip") if snapshot.closed else _("close the night …")

    def keys(self) -> tuple[Strip, ...]:
        """The keys of counting, or of the slip."""
        snapshot = self.console_app.state.snapshot
        slip = (Strip("P", _("print")), Strip("S", _("save slip")))
        if self.reasons:
            return (Strip("↑↓", _("scroll")), Strip("Esc", _("back")))
        if snapshot is not None and snapshot.closed:
            paid = (Strip("M", _("mark paid")), Strip("W", _("why")), Strip("N", _("new plan")))
            return (*paid, *slip, Strip("V", _("season")), *self.strip(Act.LEDGER, Act.TABLE, Act.HELP))
        counting = snapshot is not None and snapshot.money.counting
        own = (
            *([Strip("Y", _("confirmed"))] if counting else []),
            Strip("B", _("leave off") if counting else _("begin")),
            Strip("A", _("accept")),
            Strip("L", _("show")),
            Strip("H", _("how")),
            *([] if snapshot is not None and _bets_stay(snapshot) else [Strip("C", _("close"))]),
            *slip,
        )
        return (*own, *self.strip(Act.UNDO, Act.TABLE, Act.HELP))

    def count(self, snapshot: TableSnapshot) -> int:
        """Stacks and places while counting, payments after."""
        if snapshot.closed:
            return len(snapshot.money.plan.lines) if snapshot.money.plan is not None else 0
        return len(places(snapshot))

    # -- what it shows ------------------------------------------------------------------------------------

    def rows(self, snapshot: TableSnapshot, width: int, height: int) -> Rows:
        """The count, the payments, or why."""
        self._keep_mark(snapshot)
        self.chosen = max(0, min(self.chosen, self.count(snapshot) - 1))
        if self.reasons:
            shown, self.top = reason_rows(self.reasons, snapshot.money_currency, self.top, width, height)
            return shown
        if snapshot.closed:
            return plan_rows(snapshot, self.chosen, width, height)
        return count_rows(snapshot, self.chosen, self.shows_ledger, width, height)

    def _keep_mark(self, snapshot: TableSnapshot) -> None:
        """The mark is on a person, not on a row: the next number is that person's, whoever left meanwhile."""
        listed = () if snapshot.closed else tuple(place.word for place in places(snapshot))
        before, self._listed = self._listed, listed
        if listed and not before and snapshot.money.counting:  # a count goes on where it was left
            waiting = (row for row, place in enumerate(places(snapshot)) if place.counted is None)
            self.chosen = next(waiting, self.chosen)
        if listed != before and self.chosen < len(before):
            marked = before[self.chosen]
            self.chosen = listed.index(marked) if marked in listed else 0

    # -- what is typed ------------------------------------------------------------------------------------

    def read_own(self, text: str, snapshot: TableSnapshot) -> Reading:
        """What lies in front of the chosen player, or after the close what was paid of the chosen line."""
        if snapshot.closed:
            return self._read_payment(text, snapshot)
        found = places(snapshot)
        if not found:
            return Reading(says=_("nobody is seated"))
        place = found[self.chosen]
        words = text.replace("+", " ").split()
        try:
            is_counted = bool(words) and all(is_chips(word) for word in words)
            amount = worth(read_chips(words, place.currency)) if is_counted else None
            amount = parse_amount(text, place.currency) if amount is None else amount
        except AssistantError:
            return Reading(
                f"count {place.word} {text}", _("{name} has {amount}").format(name=place.label, amount=text)
            )
        shown = format_amount(amount, place.currency)
        says = _("{name} has {amount}").format(name=place.label, amount=shown)
        return Reading(f"count {place.word} {' '.join(words)}", says, "count", amount)

    def _read_payment(self, text: str, snapshot: TableSnapshot) -> Reading:
        line = self._chosen_line(snapshot)
        if line is None:
            return Reading(says=_("nothing is to be paid"))
        who = {"payer": line.payer, "payee": line.payee, "amount": text}
        is_a_name = any(one.name == str(line.number) for one in snapshot.money.accounts)
        # a player of that name has the first say
        which = " ".join(_word(*one) for one in _both(line)) if is_a_name else line.number
        return Reading(f"pay {which} {text}", _("{payer} paid {payee} {amount}").format(**who), "pay")

    async def after(self, reading: Reading, snapshot: TableSnapshot) -> None:
        """Go to the next one after a count or a payment; once all is counted, to the next that differs."""
        if reading.verb == "count":
            found = places(snapshot)
            onward = [*range(self.chosen + 1, len(found)), *range(self.chosen + 1)]
            count = snapshot.money.count
            # a recount stays with the players: what need not be counted, such as the box, is no next row then
            is_over = self._recounts and count is not None and count.is_complete
            waiting = [place for place in onward if found[place].counted is None and not is_over]
            wrong = [place for place in onward if found[place].difference]
            # the mark never leaves for a stack that was counted while the pool or the box waits
            self.chosen = next(iter(waiting or wrong), self.chosen)
        elif reading.verb == "pay":
            self._go_to_open(snapshot)

    async def command(self, key: str, character: str | None) -> bool:
        """The letters of this screen; no name or card is typed here, so all are free."""
        snapshot = self.console_app.state.snapshot
        if self.reasons and key in ("up", "down", "pageup", "pagedown"):
            self.top = max(0, self.top + {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}[key])
            return True
        if character == "Ж" and self.menu is None:  # the colon's key; no name is typed here
            self.typed = Typed.of(TALK)
            return True
        word = LETTERS.get(character.lower()) if character and self.menu is None else None
        if word is None or snapshot is None:
            return await super().command(key, character)
        if word == "print":
            self.menu = _print_menu(snapshot)
        elif word == "save":
            await self._save()
        elif word == "undo":
            if self.console_app.state.undo_counts() and await self.console_app.book("undo"):
                self._tell()
        elif word in ("season", "ledger"):
            self.console_app.look_at(word)
        elif snapshot.closed:
            await self._settle(word, snapshot)
        elif word == "begin":
            self.menu = _begin_menu(snapshot)
        elif word == "confirm":
            await self._confirm(snapshot)
        elif word == "show":
            self.shows_ledger = not self.shows_ledger
        elif word == "close" and _bets_stay(snapshot):
            await self.usual(snapshot)
        elif word in ("accept", "close", "how"):
            menus = {"accept": _accept_menu, "close": _close_menu, "how": _how_menu}
            self.menu = menus[word](snapshot)
        return True

    async def act(self, act: Act) -> bool:
        """Ledger and season are looked at from here, by whichever key: Esc leads back."""
        if act in (Act.LEDGER, Act.SEASON):
            self.console_app.look_at(SCREEN_ACTS[act])
            return True
        return await super().act(act)

    def edit(self, key: str, character: str | None) -> None:
        """Edit the line; an amount that stands there for one payment is none for the next."""
        chosen, snapshot = self.chosen, self.console_app.state.snapshot
        super().edit(key, character)
        if self.chosen != chosen and snapshot is not None and snapshot.closed:
            self.typed = Typed()

    def takes_back(self, key: str, character: str | None) -> bool:
        """U does here too."""
        return character is not None and LETTERS.get(character.lower()) == "undo"

    async def enter(self) -> None:
        """The first count begins the count: no bets and no buy-ins until it ends."""
        snapshot, reading = self.console_app.state.snapshot, self.read()
        is_count = reading.verb == "count" and bool(reading.line) and not self.typed.text.startswith(TALK)
        found = places(snapshot) if snapshot is not None and is_count else ()
        self._recounts = self.chosen < len(found) and found[self.chosen].counted is not None
        begins = snapshot is not None and not snapshot.closed and not snapshot.money.counting
        if is_count and begins and not await self.console_app.book("count start"):
            self.keep_refused()
            return
        await super().enter()

    def _must_ask(self, reading: Reading) -> bool:
        """A figure that somebody confirmed is not written over by the way."""
        asked = self.console_app.state.asked == self.typed.text
        return (not asked and self._confirmed(reading) is not None) or super()._must_ask(reading)

    def _ask_again(self, reading: Reading) -> None:
        """Say whose word the new figure would replace."""
        state, place = self.console_app.state, self._confirmed(reading)
        if place is None or place.counted is None:
            super()._ask_again(reading)
            return
        state.asked = state.replaced_line = self.typed.text  # what is typed now stands instead
        text = _(
            "{name}: {amount} is counted, and {confirmer} confirmed it. "
            "Enter once more counts {other} instead."
        )
        facts = {
            "name": place.label,
            "amount": format_amount(place.counted, place.currency),
            "confirmer": place.confirmed_by,
            "other": format_amount(reading.amount or 0, place.currency),
        }
        state.say(text.format(**facts), stops=True)

    def _confirmed(self, reading: Reading) -> CountPlace | None:
        """The chosen place, where another figure of it was confirmed."""
        snapshot = self.console_app.state.snapshot
        if snapshot is None or snapshot.closed or reading.verb != "count" or reading.amount is None:
            return None
        found = places(snapshot)
        place = found[self.chosen] if self.chosen < len(found) else None
        is_other = place is not None and bool(place.confirmed_by) and place.counted != reading.amount
        return place if is_other else None

    async def _confirm(self, snapshot: TableSnapshot) -> None:
        """The neighbour has looked at the count that Y stands beside, else at the marked one.

        Where the rows have no room for the Y the mark goes to a row before the key works there, and then on
        to the next one that waits.
        """
        state, found = self.console_app.state, places(snapshot)
        row = next_to_confirm(found, self.chosen)
        if row is None:
            state.say(_("No count waits to be confirmed."), stops=True)
        elif row != self.chosen and not is_blind(snapshot, self.shows_ledger):
            self.chosen = row
            facts = {
                "name": found[row].label,
                "amount": format_amount(found[row].counted or 0, found[row].currency),
            }
            state.say(_("{name}: {amount} is counted. Y once more confirms it.").format(**facts))
        elif await self.console_app.book(f"confirm {found[row].word}"):
            self._go_to_unconfirmed()

    def _go_to_unconfirmed(self) -> None:
        """On to the next row that waits for a neighbour, unless the mark is where it is counted on."""
        snapshot = self.console_app.state.snapshot
        if snapshot is None or is_blind(snapshot, self.shows_ledger):
            return
        found = places(snapshot)
        onward = [*range(self.chosen, len(found)), *range(self.chosen)]
        self.chosen = next((place for place in onward if found[place].waits), self.chosen)

    async def _settle(self, word: str, snapshot: TableSnapshot) -> None:
        """After the close: a line is paid, explained, or a new plan is made."""
        line = self._chosen_line(snapshot)
        if word == "new":
            self.menu = _new_plan_menu(snapshot)
        elif line is None:
            return
        elif word == "why":
            whys = [(name, await self.console_app.desk.reasons(who)) for who, name in _both(line)]
            self.reasons, self.top = tuple(whys), 0
        elif word == "paid" and not line.open:
            who = {"payer": line.payer, "payee": line.payee}
            text = _("{payer} to {payee}: that line is paid already.").format(**who)
            self.console_app.state.say(text, stops=True)
        elif word == "paid":
            self._offer(line, snapshot)

    async def usual(self, snapshot: TableSnapshot) -> None:
        """Ask about the close; afterwards save and print the slip."""
        if self.reasons:
            self.reasons = ()
        elif snapshot.in_round:
            self.console_app.state.say(_("A round is open. Finish it first, or call it off: F2, then M."))
        elif _bets_stay(snapshot):
            text = _("Bets lie on the table, and in this house they stay: play the round first (F2).")
            self.console_app.state.say(text)
        elif not snapshot.closed:
            self.menu = _close_menu(snapshot)
        else:
            await self._save()
            self.print_slip(SETTLEMENT)

    def escape(self) -> None:
        """Back from why to the payments."""
        if self.reasons and not self.typed.text:
            self.reasons = ()
        else:
            super().escape()

    def _offer(self, line: PlanLineView, snapshot: TableSnapshot) -> None:
        """Write what is open of a line into the entry, for Enter; a digit begins another amount."""
        self.typed = Typed.of(format_amount(line.open, snapshot.money_currency))
        self.console_app.state.replaced_line = self.typed.text

    def _chosen_line(self, snapshot: TableSnapshot) -> PlanLineView | None:
        plan = snapshot.money.plan
        return plan.lines[self.chosen] if plan is not None and self.chosen < len(plan.lines) else None

    def _go_to_open(self, snapshot: TableSnapshot) -> None:
        plan = snapshot.money.plan
        lines = plan.lines if plan is not None else ()
        later = [place for place, line in enumerate(lines) if line.open and place >= self.chosen]
        self.chosen = later[0] if later else self.chosen

    # -- the slip -----------------------------------------------------------------------------------------

    async def _save(self) -> None:
        app = self.console_app
        try:
            texts = {width: await app.desk.slip(width) for width in (80, 42)}
            app.state.say(await app.press.save(texts, await app.desk.pdf(), app.desk.name))
        except AssistantError as error:
            app.state.say(str(error), stops=True)


def _bets_stay(snapshot: TableSnapshot) -> bool:
    """Whether bets lie out that a close would give back, in a house where they stay."""
    return snapshot.is_strict and not snapshot.in_round and any(seat.bet for seat in snapshot.seats)


def _print_menu(snapshot: TableSnapshot) -> ListPanel:
    settlement = _("settlement") if snapshot.closed else _("how it stands now")
    items = (
        Item(settlement, printing(SETTLEMENT)),
        Item(_("count of the chips"), printing(COUNT)),
        Item(_("receipt of the last buy-in"), printing(BUY_IN)),
        Item(_("rules of the game"), printing(RULES)),
    )
    return ListPanel(_("PRINT WHAT?"), _("number"), items=items)


def _close_menu(snapshot: TableSnapshot) -> ListPanel:
    items = [Item(_("close: everybody is cashed out; opened again only with a reason"), ":close")]
    if snapshot.pool_label and snapshot.pool:
        amount = format_amount(snapshot.pool, snapshot.currency)
        items[0] = Item(
            _("share the pool ({amount}) and close; opened again only with a reason").format(amount=amount),
            ":close",
        )
        items.append(Item(_("carry the pool to another night, and close"), ":close pool=carry"))
    result = snapshot.house_unbacked
    if not result:
        return ListPanel(_("CLOSE THE NIGHT?"), _("number"), stops=True, items=tuple(items))
    amount = format_amount(abs(result), snapshot.currency)
    if result < 0:
        title = _("CLOSE THE NIGHT? The house lost {amount}: who pays it?").format(amount=amount)
        items.append(Item(_("one player pays for the house, and close: NAME"), ":close house="))
    else:
        title = _("CLOSE THE NIGHT? The house won {amount}: who gets it?").format(amount=amount)
        items.append(Item(_("one player is the house, and close: NAME"), ":close house="))
    return ListPanel(title, _("number"), stops=True, items=tuple(items))


def _begin_menu(snapshot: TableSnapshot) -> ListPanel:
    """Begin the count, or leave it off."""
    if snapshot.money.counting:
        off = Item(_("play goes on; what was counted stands until chips move"), ":count stop")
        return ListPanel(_("LEAVE THE COUNT OFF?"), _("number"), items=(off,))
    items = (
        Item(_("a neighbour confirms each count"), ":count start confirm=on"),
        Item(_("nobody has to confirm"), ":count start confirm=off"),
    )
    return ListPanel(_("BEGIN THE COUNT? No bets or buy-ins until it ends"), _("number"), items=items)


def _accept_menu(snapshot: TableSnapshot) -> ListPanel:
    items = (
        Item(_("differences are shared equally"), ":accept equal"),
        Item(_("by the winners, in proportion"), ":accept winners"),
        Item(_("by the losers, in proportion"), ":accept losers"),
        Item(_("each one their own: the count holds"), ":accept count"),
        Item(_("nobody until it is found: held open"), ":accept open"),
        Item(_("by one player: NAME"), ":accept "),
    )
    return ListPanel(_("WHO BEARS THE DIFFERENCES?"), _("number"), items=items)


def _how_menu(snapshot: TableSnapshot) -> ListPanel:
    items = (
        Item(_("between players, in the fewest payments"), ":settle players"),
        Item(_("everybody with the cashier"), ":settle cashier"),
        Item(_("everybody with one player: NAME"), ":settle hub "),
        Item(_("rounded to a unit: AMOUNT"), ":settle players unit="),
        Item(_("two who never pay each other: NAME NAME"), ":settle apart "),
        Item(_("somebody who has gone, through the box only: NAME"), ":settle gone "),
    )
    title = _("HOW IS IT SETTLED? Now: {how}").format(how=snapshot.money.terms_text)
    return ListPanel(title, _("number"), items=items)


def _new_plan_menu(snapshot: TableSnapshot) -> ListPanel:
    again = Item(_("of what is open, settled as before; the old plan is replaced"), ":settle")
    reopen = Item(_("play goes on, everybody gets their chips back: WHY"), ":reopen ")
    items = (again, *_how_menu(snapshot).items, reopen)
    return ListPanel(_("A NEW PLAN, OR PLAY ON?"), _("number"), stops=True, items=items)


def _word(who: str, name: str) -> str:
    """Somebody as table talk has them."""
    return who if who in NODES else quote(name)


def _both(line: PlanLineView) -> tuple[tuple[str, str], tuple[str, str]]:
    return ((line.payer_id, line.payer), (line.payee_id, line.payee))
