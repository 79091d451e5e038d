"""The players: seat them and buy in, rebuy, sit out, leave; who deals and who banks."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from textual.content import Content

from assistant.console.panels import Item, ListPanel
from assistant.console.reading import TALK, Reading, read_line
from assistant.console.rows import EMPTY, Part, Rows, cells, fit, right, row, window
from assistant.console.screens.listing import ListScreen
from assistant.i18n import N_, _
from assistant.money import format_amount
from assistant.talk import PAYMENT_WORDS, quote, same_person

if TYPE_CHECKING:
    from assistant.table.snapshot import SeatView, TableSnapshot

LEAD = 8
"""Columns of the mark and the seat's number."""
SHORTEST_NAME = 16
_FOREIGN = r"for=\S+\s+rate=\S+"
"""Cash of another currency."""

_PAID = "|".join(word for word, kind in PAYMENT_WORDS.items() if kind != "due")
_DIGITS = str.maketrans("OoОоlIЗз", "00001133")
"""Letters that are typed for a digit."""
_UNPAID = re.compile(
    rf".*?\S\s+[0-9][0-9.,']*\s+(?:(?:{_PAID})\s+)?(?P<word>[^\s0-9]\S*)(?:\s.*)?", re.IGNORECASE
)
"""A number with a word behind it that is no way of paying: ``Sue 75 chas``."""
_SIGNS = "-+−–"
_SLIP = re.compile(
    r"(?:(?P<name>.*?\S)\s+)?(?P<amount>[-+−–]?(?=\S*[0-9])[0-9OoОоlIЗз.,']+)(?:\s+(?:" + _PAID + r"))?",
    re.IGNORECASE,
)
"""An amount but for a letter or a sign, with or without a name before it."""

TALK_OF_SEATS = frozenset(
    "buy iou lend cashout leave sitout back dealer house move rename tip expense pay cashier float".split()
)
"""Words that begin a line of table talk here too; a player called so is seated in quotation marks."""

GIVE_A_BET_BACK = (":sitout ", ":leave ", ":house ")
"""Lines that give a placed bet back, which in a strict house stays."""


def _buy_in(snapshot: TableSnapshot) -> str:
    """What a buy-in looks like: ``100 cash``, ``20EUR`` where chips have a value, ``for=50USD rate=0.92``."""
    code = f"(?:{snapshot.money_currency.code})?" if snapshot.chip else ""
    amount = rf"[0-9][0-9.,']*{code}(?:\s+(?:{_PAID}))?"
    return rf"(?:{amount}(?:\s+{_FOREIGN})?|{_FOREIGN})"


class SeatsScreen(ListScreen):
    """Type a name and a buy-in to seat somebody; a bare amount buys in more for the chosen seat."""

    page = "seats"
    marks_whose = True
    hint = N_("such as: Anna 100, or Anna 100 cash    ⏎ on a seat: what else")

    def __init__(self) -> None:
        super().__init__()
        self.prompt = _("new player")

    def headline(self, snapshot: TableSnapshot) -> str:
        """What can be done here."""
        return _("SEAT players and buy in")

    def usual_label(self, snapshot: TableSnapshot) -> str:
        """Enter opens the chosen seat's menu."""
        return _("sit out, leave …") if snapshot.seats else ""

    def count(self, snapshot: TableSnapshot) -> int:
        """Seats."""
        return len(snapshot.seats)

    def rows(self, snapshot: TableSnapshot, width: int, height: int) -> Rows:
        """One row a seat."""
        if not snapshot.seats:
            text = _("  Nobody is seated yet. Type a name and a buy-in, then Enter: Anna 100")
            return [EMPTY, row(text)]
        columns = _columns(snapshot, width)
        head = f"   {fit(_('seat'), 5)}{fit(_('player'), columns.name)}{right(_('stack'), columns.stack)}"
        head += f"{right(_('bet'), columns.bet)}{right(_('net'), columns.net)}"
        seats = window(
            snapshot.seats,
            self.chosen,
            max(1, height - 2),
            lambda place, seat: self._seat_row(seat, place, columns, snapshot),
        )
        return [EMPTY, row((head, "$quiet")), *seats]

    def _seat_row(self, seat: SeatView, place: int, columns: _Columns, snapshot: TableSnapshot) -> Content:
        is_chosen = place == self.chosen
        style = "bold $turn" if is_chosen else "" if seat.takes_part else "$quiet"
        stack, bet, net = _amounts(seat, snapshot)
        parts: list[Part] = [
            (f" {'▶' if is_chosen else ' '} {place + 1:<5}", style),
            (fit(seat.name, columns.name), style),
            (right(stack, columns.stack), style),
            (right(bet, columns.bet), style),
            (right(net, columns.net), style),
        ]
        return row(*parts, (f"   {_remark(seat, snapshot)}", "$quiet"))

    def read_own(self, text: str, snapshot: TableSnapshot) -> Reading:
        """A name seats somebody, with an amount they buy in; an amount alone buys in for the chosen seat."""
        word, _blank, rest = text.partition(" ")
        if word.casefold() == "seat" and rest.strip():  # as it is said at the table
            if re.fullmatch(_buy_in(snapshot), rest.strip(), re.IGNORECASE):
                says = _("{amount} for whom? Type name and amount; whoever is called so, in quotes")
                return Reading(says=says.format(amount=rest.strip()))
            text = rest.strip()
        elif word.casefold() in TALK_OF_SEATS and rest.strip():
            return read_line(f"{TALK}{text}", snapshot)
        seat, buy_in = self._chosen_seat(snapshot), _buy_in(snapshot)
        if re.fullmatch(buy_in, text, re.IGNORECASE):
            if seat is None:
                return Reading(says=_("a name first"))
            says = _("{name} buys in {amount}").format(name=seat.name, amount=text)
            return _now_or_later(Reading(f"buy {quote(seat.name)} {text}", says, "buy"), snapshot)
        if '"' in text:
            says = _("seat {name}").format(name=text)
            return _now_or_later(Reading(f"seat {text}", says, "seat"), snapshot)
        found = re.fullmatch(rf"(?P<name>.*?\S)\s+(?P<amount>{buy_in})", text, re.IGNORECASE)
        seated = _seat_called(found["name"] if found else text, snapshot)
        if seated is not None:
            return _seated_already(seated, found["amount"] if found else "")
        if found is None and (slip := _SLIP.fullmatch(text)) is not None:
            return _mistyped(slip["name"] or "", slip["amount"])
        if (word_behind := _UNPAID.fullmatch(found["name"] if found else text)) is not None:
            says = _(
                "“{found}” can't stand there: an amount, then cash, iou or transfer. "
                "A name with a number: in quotes"
            )
            return Reading(says=says.format(found=word_behind["word"]))
        if found is None:
            says = _("seat {name}, no chips yet").format(name=text)
            return _now_or_later(Reading(f"seat {quote(text)}", says, "seat"), snapshot)
        name, amount = found["name"], found["amount"]
        says = _("seat {name}, buy in {amount}").format(name=name, amount=amount)
        return _now_or_later(Reading(f"seat {quote(name)} {amount}", says, "seat"), snapshot)

    async def after(self, reading: Reading, snapshot: TableSnapshot) -> None:
        """The new player is the chosen one."""
        if reading.verb == "seat" and not snapshot.in_round:
            self.chosen = max(0, len(snapshot.seats) - 1)
        self.chosen = max(0, min(self.chosen, len(snapshot.seats) - 1))

    async def usual(self, snapshot: TableSnapshot) -> None:
        """Open the menu of the chosen seat."""
        seat = self._chosen_seat(snapshot)
        if seat is None:
            self.console_app.state.say(_("Type a name and what they buy in for, then Enter: Anna 100"))
            return
        name = quote(seat.name)
        items = [
            Item(_("buy in more"), f":buy {name} "),
            Item(
                _("sits out") if seat.plays else _("is back"), f":{'sitout' if seat.plays else 'back'} {name}"
            ),
            Item(_("leaves, cashed out"), f":leave {name}"),
            Item(_("cash out some: AMOUNT"), f":cashout {name} "),
            Item(_("deals next"), f":dealer {name}"),
            Item(_("banks the casino game: [FLOAT]"), f":house {name} "),
            Item(_("other name"), f":rename {name} "),
            Item(_("other chair: after=NAME"), f":move {name} after="),
            Item(_("leaves, paid in cash from the box"), f":leave {name} cash"),
        ]
        if snapshot.is_strict and seat.bet and not snapshot.in_round:  # in a round it waits for the end
            items = [item for item in items if not item.fill.startswith(GIVE_A_BET_BACK)]
        self.menu = ListPanel(_("{name}: WHAT?").format(name=seat.name), _("number"), items=tuple(items))

    def _must_ask(self, reading: Reading) -> bool:
        """A bare number may be meant as a bet, once there can be bets."""
        asked = self.console_app.state.asked == self.typed.text
        return (not asked and self._may_be_bet(reading)) or super()._must_ask(reading)

    def _ask_again(self, reading: Reading) -> None:
        """Ask whether the number is a buy-in."""
        state = self.console_app.state
        if super()._must_ask(reading) or not self._may_be_bet(reading) or state.snapshot is None:
            super()._ask_again(reading)
            return
        state.asked = state.replaced_line = self.typed.text  # what is typed now stands instead
        seat = self._chosen_seat(state.snapshot)
        text = _("{name} buys in {amount}? Enter once more books it. To bet: F2, the table.")
        who = seat.name if seat is not None else ""
        state.say(text.format(name=who, amount=self.typed.text.strip()), stops=True)

    def _may_be_bet(self, reading: Reading) -> bool:
        snapshot = self.console_app.state.snapshot
        if snapshot is None or snapshot.game is None or reading.verb != "buy":
            return False
        seat = self._chosen_seat(snapshot)
        if seat is None or not seat.stack:  # who has no chips can't bet any
            return False
        needed = 2 if snapshot.pool_label else 1
        is_bare = re.fullmatch(r"[0-9][0-9.,']*", self.typed.text.strip()) is not None
        return is_bare and len(snapshot.seats) >= needed

    def _chosen_seat(self, snapshot: TableSnapshot) -> SeatView | None:
        return snapshot.seats[self.chosen] if 0 <= self.chosen < len(snapshot.seats) else None


class _Columns(NamedTuple):
    """How wide name, stack, bet and net stand."""

    name: int
    stack: int
    bet: int
    net: int


def _columns(snapshot: TableSnapshot, width: int) -> _Columns:
    """The usual widths; where what is said of a seat has no room beside them, the names give up what no name
    needs, then the amounts, and in the end long names are cut."""
    usual = _Columns(min(34, width - 50), 10, 9, 10)
    remarks = max(cells(_remark(seat, snapshot)) for seat in snapshot.seats)
    room = width - LEAD - len("   ") - remarks
    longest = max(cells(text) for text in (_("player"), *(seat.name for seat in snapshot.seats)))
    names = min(usual.name, max(longest, room - sum(usual[1:])))
    if names + sum(usual[1:]) <= room:
        return usual._replace(name=names)
    amounts = [(_("stack"), _("bet"), _("net")), *(_amounts(seat, snapshot) for seat in snapshot.seats)]
    stack, bet, net = (2 + max(map(cells, column)) for column in zip(*amounts, strict=True))
    return _Columns(min(longest, max(SHORTEST_NAME, room - stack - bet - net)), stack, bet, net)


def _amounts(seat: SeatView, snapshot: TableSnapshot) -> tuple[str, str, str]:
    """Stack, bet and net as they stand in the list."""
    money = snapshot.currency
    bet = format_amount(seat.bet, money) if seat.bet else ""
    return format_amount(seat.stack, money), bet, format_amount(seat.net, money, sign=True)


def _remark(seat: SeatView, snapshot: TableSnapshot) -> str:
    remarks = [seat.note] if seat.note else []
    if seat.is_dealer:
        remarks.insert(0, _("deals next") if not snapshot.in_round else _("deals"))
    return ", ".join(remarks)


def _seat_called(name: str, snapshot: TableSnapshot) -> SeatView | None:
    key = same_person(name)
    return next((seat for seat in snapshot.seats if same_person(seat.name) == key), None)


def _seated_already(seat: SeatView, amount: str) -> Reading:
    """The name of somebody who is seated is no new player; it may be another person: nothing is guessed."""
    says = _("{name} is at the table already; to buy in more: buy {word} {amount}")
    return Reading(says=says.format(name=seat.name, word=quote(seat.name), amount=amount or "…"))


def _mistyped(name: str, amount: str) -> Reading:
    """What looks like an amount but for a letter or a sign is asked for: nobody is called so."""
    meant = amount.translate(_DIGITS).lstrip(_SIGNS)
    if not name:
        says = _("{amount} for whom? Type name and amount; whoever is called so, in quotes")
        return Reading(says=says.format(amount=meant))
    says = _("{amount} for {name}? Type it with digits alone; whoever is called so, in quotes")
    return Reading(says=says.format(amount=meant, name=name))


def _now_or_later(reading: Reading, snapshot: TableSnapshot) -> Reading:
    """In a round the line waits for its end; the reading says so before Enter."""
    if not snapshot.in_round:
        return reading
    says = _("after this round: {what}").format(what=reading.says)
    return replace(reading, line=f"later {reading.line}", says=says)
