"""Questions and lists that stand where the log is: a card in doubt, a wrong card, a misdeal, a night resumed.

A panel reads what is typed while it is open and says which line of table talk follows; it books nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from assistant.cards import parse_card
from assistant.console.actions import Act
from assistant.console.confirm import named
from assistant.console.reading import (
    CLOSED,
    NOTHING,
    TALK,
    Reading,
    awaits_amount,
    card_word,
    market_choice,
    read_cards,
    read_line,
)
from assistant.console.rows import EMPTY, Part, Rows, beside, row, window, wrap
from assistant.console.view import Strip
from assistant.console.widgets.card import face_part
from assistant.console.widgets.crop import WIDTH, both_corners
from assistant.i18n import _
from assistant.money import format_amount

if TYPE_CHECKING:
    from textual.content import Content

    from assistant.cards import Card
    from assistant.table.snapshot import BoardCard, QuestionView, TableSnapshot

GAUGE = 16


@dataclass(frozen=True)
class Panel:
    """What every panel is.

    Attributes:
        title: What the bar says while it is open; empty leaves the duty.
        prompt: What the entry line asks for.
        stops: Whether the bar warns.
        instant: Whether a digit answers at once, without Enter.
    """

    title: str = ""
    prompt: str = ""
    stops: bool = False
    instant: bool = False

    def rows(self, snapshot: TableSnapshot, width: int, height: int) -> Rows:
        """What it shows."""
        raise NotImplementedError

    def read(self, text: str, snapshot: TableSnapshot, selected: str | None = None) -> Reading:
        """Read what was typed."""
        raise NotImplementedError

    def strip(self) -> tuple[Strip, ...]:
        """Its keys."""
        return (Strip("Esc", _("back")),)

    def passes(self, act: Act) -> bool:
        """Whether a key of the table works while it is open."""
        return act in (Act.HELP, Act.TALK, Act.LOOK, Act.QUIT)


@dataclass(frozen=True)
class QuestionPanel(Panel):
    """A source delivered something that must be asked; nothing has been booked.

    Attributes:
        decks: Decks in play that a tag nobody knows can be taken into.
    """

    question: QuestionView = field(kw_only=True)
    decks: tuple[str, ...] = ()

    def rows(self, snapshot: TableSnapshot, width: int, height: int) -> Rows:
        """The corner of the card, the candidates with their likelihood, and the other ways out."""
        found: Rows = [EMPTY]
        for number, (card, sure, line) in enumerate(self.question.candidates, 1):
            full = round(GAUGE * max(0.0, min(1.0, sure)))
            gauge = "█" * full + "░" * (GAUGE - full)
            found.append(
                row(
                    (f" {number} ", "bold reverse"),
                    "  ",
                    face_part(card),
                    f"  {sure:>4.0%}  ",
                    (gauge, "$quiet"),
                    f"  {line.partition(' ')[0]}",
                )
            )
        if self.question.candidates:
            found += [row(("     " + self._how(snapshot), "$quiet")), EMPTY]
        if self.question.tag:
            found += self._naming(width)
        elif self.question.wants_card:
            found.append(row(("     " + _("type the card that lies there: qh  10s  ad"), "$quiet")))
        else:
            found.append(row(("     " + _("or type the card that lies there: qh  10s  ad"), "$quiet")))
        found.append(row((" X ", "bold reverse"), "  ", _("no card, or not for this: ignore it")))
        crop, other = both_corners(self.question.crop)
        if not crop or width < WIDTH + 44:
            return found
        if other and width >= 2 * WIDTH + 54:
            crop = [row(one, "  ", two) for one, two in zip(crop, other, strict=True)]
        across = max(line.cell_length for line in crop)
        return beside([EMPTY, *(row("  ", line) for line in crop)], across + 5, found)

    def _naming(self, width: int) -> Rows:
        """How a tag gets its card: tonight only, or for good in a deck."""
        found: Rows = [row((" qh ", "bold reverse"), "  ", _("that card, tonight only"))]
        if len(self.decks) == 1:
            found.append(
                row((" qh+ ", "bold reverse"), " ", _("and into deck {name}").format(name=self.decks[0]))
            )
        for at, name in enumerate(self.decks, 1) if len(self.decks) > 1 else ():
            found.append(row((f" qh+{at} ", "bold reverse"), _("and into deck {name}").format(name=name)))
        return found

    def _named(self, text: str, snapshot: TableSnapshot, selected: str | None) -> Reading:
        """A card for the tag, with a plus to keep it in a deck."""
        typed, plus, which = text.strip().partition("+")
        reading = read_line(typed, snapshot, selected)
        if reading.verb != "card" or len(reading.cards) != 1:
            return reading
        card = reading.cards[0]
        if card.suit is None:
            return Reading(says=_("the tag's card with its suit, such as qh"))
        deck = self._deck_of(which.strip()) if plus else ""
        if deck is None:
            return Reading(
                says=_("which deck? {decks}").format(decks=" ".join(self.decks) or _("none is in play"))
            )
        says = _("{card}, and into deck {name}") if deck else _("{card}, tonight only")
        says = says.format(card=card.face, name=deck)
        return Reading(reading.line, says, "card", cards=(card,), answer=self.question.number, deck=deck)

    def _deck_of(self, word: str) -> str | None:
        if not word:
            return self.decks[0] if len(self.decks) == 1 else None
        if word.isascii() and word.isdigit():
            return self.decks[int(word) - 1] if 1 <= int(word) <= len(self.decks) else None
        return next((name for name in self.decks if name.casefold() == word.casefold()), None)

    def _how(self, snapshot: TableSnapshot) -> str:
        waits = len(snapshot.questions) - 1
        more = _("; {count} more wait").format(count=waits) if waits else ""
        if any(line for _card, _sure, line in self.question.candidates):
            return _("its number and Enter books it, once no amount is awaited") + more
        return _("it can't be booked now: X puts it aside") + more

    def read(self, text: str, snapshot: TableSnapshot, selected: str | None = None) -> Reading:
        """A number chooses a candidate, unless an amount is awaited; all else is read as at the table."""
        typed = text.strip()
        if self.question.tag:
            return self._named(text, snapshot, selected)
        if self.question.wants_card:
            reading = read_line(text, snapshot, selected)
            is_answer = reading.verb == "card" and len(reading.cards) == 1
            return replace(reading, answer=self.question.number) if is_answer else reading
        chooses = typed.isascii() and typed.isdigit() and 1 <= int(typed) <= len(self.question.candidates)
        if not chooses or awaits_amount(snapshot, selected):
            return read_line(text, snapshot, selected)
        card, _sure, line = self.question.candidates[int(typed) - 1]
        if not line:
            return Reading(says=_("{card}: no card is due now").format(card=card.face))
        verb = line.partition(" ")[0]
        return Reading(line, f"{verb} {card.face}", "card", cards=(card,), answer=self.question.number)

    def strip(self) -> tuple[Strip, ...]:
        """Its keys."""
        numbers = f"{_numbers(len(self.question.candidates))}⏎"
        choose = (Strip(numbers, _("choose")),) if self.question.candidates else ()
        return (*choose, Strip("X", _("ignore it")), Strip("F1", _("help")))

    def passes(self, act: Act) -> bool:
        """Play goes on: a card seen too early waits here until it is due, or is burned or ignored."""
        return True


@dataclass(frozen=True)
class FixPanel(Panel):
    """A card was booked wrong: which one, and what lies there really.

    Attributes:
        chosen: Number of the wrong card, from 1.
    """

    chosen: int | None = None

    def rows(self, snapshot: TableSnapshot, width: int, height: int) -> Rows:
        """The cards of this round (or the last), numbered."""
        chosen = (self.chosen or len(snapshot.board)) - 1  # the last cards are mended most
        cards = window(
            snapshot.board,
            chosen,
            max(1, height - 2),
            lambda place, card: self._card(place + 1, card, snapshot),
        )
        text = _("Chips that moved because of it are mended; the log keeps both.")
        return [EMPTY, *cards, row(("   " + text, "$quiet"))]

    def _card(self, number: int, card: BoardCard, snapshot: TableSnapshot) -> Content:
        mark = "▶" if number == self.chosen else " "
        who = next((seat.name for seat in snapshot.seats if seat.player == card.player), "")
        note = f"  {card.role_label}  {who}"
        return row(f" {mark}", (f" {number} ", "bold reverse"), "  ", face_part(card.card), note)

    def read(self, text: str, snapshot: TableSnapshot, selected: str | None = None) -> Reading:
        """A number, a number and the right card, or the right card once one is chosen."""
        words = text.replace(",", " ").split()
        if not words:
            return NOTHING
        chosen = self.chosen
        if chosen is None:
            if not (words[0].isascii() and words[0].isdigit() and 1 <= int(words[0]) <= len(snapshot.board)):
                return Reading(says=_("first the number of the wrong card"))
            chosen, words = int(words[0]), words[1:]
        if not words:
            return Reading(
                says=_("wrong: {card}").format(card=snapshot.board[chosen - 1].card.face), pick=chosen
            )
        cards = read_cards(words)
        if cards is None or len(cards) != 1:
            return Reading(says=_("the card that lies there really, such as 10s"))
        return _fix(snapshot.board, chosen - 1, cards[0])


def _fix(board: Sequence[BoardCard], place: int, new: Card) -> Reading:
    old = board[place].card
    if old == new:
        return Reading(
            says=_("{card} is what is booked; type the card that lies there").format(card=old.face)
        )
    nth = sum(1 for card in board[: place + 1] if card.card == old)
    line = f"fix {card_word(old)} {card_word(new)}" + (f" nth={nth}" if nth > 1 else "")
    return Reading(line, _("{old} was really {new}").format(old=old.face, new=new.face), "fix", cards=(new,))


def _numbers(count: int) -> str:
    """Which numbers choose: ``1-4``, or ``1`` where there is only one."""
    return f"1-{count}" if count > 1 else "1"


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a list: its words, and the line it puts into the entry."""

    label: str
    fill: str

    @property
    def asks(self) -> bool:
        """Whether it books a line, so that its number alone never does it: Enter must follow.

        An amount that is typed into the wrong place then does nothing. What prints, shows or begins a line
        acts at once.
        """
        return self.is_whole and self.fill.startswith(TALK)

    @property
    def is_whole(self) -> bool:
        """Whether its line wants nothing more behind it."""
        return not self.fill.endswith((" ", "="))


@dataclass(frozen=True)
class ListPanel(Panel):
    """A short list; a digit puts its line into the entry, Enter books it.

    Attributes:
        marked: Number of the entry that waits for Enter, from 1.
    """

    items: tuple[Item, ...] = ()
    instant: bool = True
    marked: int = 0

    def item(self, text: str) -> Item | None:
        """The entry behind a number."""
        typed = text.strip()
        is_number = typed.isascii() and typed.isdigit() and 1 <= int(typed) <= len(self.items)
        return self.items[int(typed) - 1] if is_number else None

    @property
    def asks(self) -> bool:
        """Whether one of its entries waits for Enter behind its number."""
        return any(item.asks for item in self.items)

    def rows(self, snapshot: TableSnapshot, width: int, height: int) -> Rows:
        """The entries, numbered."""
        lines: Rows = [EMPTY]
        for number, item in enumerate(self.items, 1):
            is_marked = number == self.marked
            mark, label = ("▶ ", (item.label, "bold $turn")) if is_marked else ("  ", (item.label, ""))
            # number and sign together: a sign behind the words reads as if Enter alone did it
            enter = "⏎" if item.asks else " " if self.asks else ""
            lines.append(row(mark, (f" {number}{enter} ", "bold reverse"), "  ", label))
        return lines

    def read(self, text: str, snapshot: TableSnapshot, selected: str | None = None) -> Reading:
        """The line behind a number."""
        item = self.item(text)
        if item is not None:
            return Reading(says=item.label, fill=item.fill)
        says = (
            _("{found} is no number of the list. Esc, then type the amount")
            if self.asks
            else _("{found} is no number of the list. Esc goes back.")
        )
        return Reading(says=says.format(found=text.strip()))

    def strip(self) -> tuple[Strip, ...]:
        """Its keys."""
        asking = [number for number, item in enumerate(self.items, 1) if item.asks]
        at_once = () if len(asking) == len(self.items) else (Strip(_numbers(len(self.items)), _("choose")),)
        enter = (f"{_numbers(len(asking))}⏎",) if not at_once else (f"{number}⏎" for number in asking)
        asks = (Strip(" ".join(enter), _("do it")),) if asking else ()
        return (*at_once, *asks, *super().strip())


@dataclass(frozen=True)
class MarketPanel(Panel):
    """The open cards of the market under their own names, for the player who draws; typing chooses."""

    def rows(self, snapshot: TableSnapshot, width: int, height: int) -> Rows:
        """The cards, numbered; the closed ones last."""
        market = market_choice(snapshot)
        names = {card.card: card.name for card in snapshot.board}
        found: Rows = [EMPTY]
        for number, word in enumerate(market.words if market else (), 1):
            key: Part = (f" {number} ", "bold reverse")
            if word == CLOSED:
                found.append(row("  ", key, "   ", _("a closed card")))
            else:
                card = parse_card(word)
                found.append(row("  ", key, "  ", face_part(card), f"  {names.get(card, '')}"))
        return found

    def read(self, text: str, snapshot: TableSnapshot, selected: str | None = None) -> Reading:
        """As at the table."""
        return read_line(text, snapshot, selected)

    def passes(self, act: Act) -> bool:
        """Play goes on under it."""
        return True


def misdeal_panel(snapshot: TableSnapshot, selected: str | None) -> ListPanel:
    """What can go wrong at a table, each as the line that books it."""
    turn = next((seat.player for seat in snapshot.seats if seat.is_turn), None) or selected
    void = Item(
        _("call the round off: every chip goes back to where it was before it"), f":void {_('misdeal')}"
    )
    hand = _about(_("a hand had too few or too many cards: {words}"), "dealt", turn, snapshot, _("NUMBER"))
    items = [
        *((void,) if snapshot.in_round else ()),
        Item(_("the top card was exposed: it is burned (type the card)"), ":burn "),
        *((hand,) if any(choice.verb == "dealt" for choice in snapshot.choices) else ()),
        _about(_("paid in by mistake (never returned): {words}"), "paid-in", turn, snapshot, _("AMOUNT")),
        *(
            _about(text, verb, _only_payment(verb, snapshot), snapshot, *rest)
            for text, verb, *rest in (
                (_("paid out too much: {words}"), "overpaid", _("AMOUNT")),
                (_("paid out too little: {words}"), "underpaid", _("AMOUNT")),
                (_("take a wrong payment back, in time: {words}"), "correct"),
            )
        ),
        Item(_("write a remark into the log"), ":note "),
    ]
    return ListPanel(_("WHAT HAPPENED?"), _("number"), items=tuple(items))


def _about(text: str, verb: str, player: str | None, snapshot: TableSnapshot, *rest: str) -> Item:
    """The beginning of a line about a player, and what is still to be typed; the dealer names them where that
    is not known."""
    who = named(snapshot, player) if player else ""
    return Item(
        text.format(words=" ".join([who or _("NAME"), *rest])), f":{verb} {who} " if who else f":{verb} "
    )


def _only_payment(verb: str, snapshot: TableSnapshot) -> str | None:
    """The only player whose payment it can have been."""
    able = [choice.player for choice in snapshot.mispaid if choice.verb == verb]
    return able[0] if len(able) == 1 else None


@dataclass(frozen=True)
class ResumePanel(Panel):
    """The night was open when the program ended: compare with the real table, then go on.

    Attributes:
        fixes: Whether a wrong card can be mended in this house.
        undoes: Whether the last line can be taken back.
    """

    fixes: bool = True
    undoes: bool = True

    def rows(self, snapshot: TableSnapshot, width: int, height: int) -> Rows:
        """What the record says lies on the table."""
        amount = format_amount
        found: Rows = [EMPTY]
        text = _("{entries} entries read, the chain is whole, all chips add up.").format(
            entries=snapshot.entries
        )
        found += [row("  ", line) for line in wrap(text, max(1, width - 4))]
        if snapshot.board:
            cards: list[Part] = []
            for card in snapshot.board[-8:]:
                cards += [face_part(card.card), " "]
            found.append(row("  ", _("on the table: "), *cards))
        bets = [f"{seat.name} {amount(seat.bet, snapshot.currency)}" for seat in snapshot.seats if seat.bet]
        if bets:
            found += [row("  ", line) for line in wrap(_("bets: ") + ", ".join(bets), max(1, width - 4))]
        if snapshot.pool_label:
            pool = amount(snapshot.pool, snapshot.currency)
            found.append(row("  ", f"{snapshot.pool_label}: {pool}"))
        found += [EMPTY, row((" ⏎ ", "bold reverse"), "  ", _("it matches: go on"))]
        if self.fixes:
            found.append(row((" W ", "bold reverse"), "  ", _("a card differs")))
        if self.undoes:
            found.append(row((" U ", "bold reverse"), "  ", _("the last line did not happen")))
        found.append(row((" M ", "bold reverse"), "  ", _("call this round off")))
        return found

    def read(self, text: str, snapshot: TableSnapshot, selected: str | None = None) -> Reading:
        """Typing goes on as at the table."""
        return read_line(text, snapshot, selected)

    def strip(self) -> tuple[Strip, ...]:
        """Its keys."""
        return (
            Strip("⏎", _("go on")),
            *((Strip("W", _("card differs")),) if self.fixes else ()),
            *((Strip("U", _("undo")),) if self.undoes else ()),
            Strip("M", _("call off")),
            Strip("F1", _("help")),
        )

    def passes(self, act: Act) -> bool:
        """Everything that mends works at once."""
        return True


def resume_panel(snapshot: TableSnapshot) -> ResumePanel:
    """The notice for a night that was open."""
    if snapshot.in_round:
        title = _("ROUND {number} WAS OPEN. COMPARE WITH THE TABLE").format(number=snapshot.round_number)
    else:
        title = _("{night} GOES ON. COMPARE WITH THE TABLE").format(night=snapshot.night.upper())
    fixes, undoes = not snapshot.is_strict, not snapshot.undo_stops
    return ResumePanel(title, _("resume"), stops=True, fixes=fixes, undoes=undoes)
