"""The cards face up: each with its role, where its reading came from and how sure it was."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING

from textual.content import Content

from assistant.cards import Card
from assistant.console.rows import EMPTY, Part, Rows, cells, cut, ends, fit, row
from assistant.console.themes import CARD_FACE, SUIT_COLOURS
from assistant.console.view import View
from assistant.console.widgets.lines import Lines
from assistant.i18n import _
from assistant.money import format_amount

if TYPE_CHECKING:
    from assistant.table.snapshot import BoardCard, TableSnapshot

TALL_ROWS = 4
DIGITS = {
    "0": "╭─╮│ │╰─╯",
    "1": "╶╮  │ ╶┴╴",
    "2": "╶─╮╭─╯╰─╴",
    "3": "╶─╮ ─┤╶─╯",
    "4": "╷ ╷╰─┤  ╵",
    "5": "╭─╴╰─╮╶─╯",
    "6": "╭─╴├─╮╰─╯",
    "7": "╶─╮  │  ╵",
    "8": "╭─╮├─┤╰─╯",
    "9": "╭─╮╰─┤╶─╯",
    ".": "       . ",
    "-": "   ╶─╴   ",
}
"""Digits of three by three cells."""
UNSURE = 0.9


def face_part(card: Card, *, width: int = 4) -> Part:
    """A card as light face with ink of its suit: the sign tells, the colour helps."""
    ink = SUIT_COLOURS[card.suit.value] if card.suit else "#101010"
    return (f"{card.face:^{width}}", f"bold {ink} on {CARD_FACE}")


def origin(card: BoardCard) -> str:
    """Where the reading came from: the source's kind and how sure it was; nothing for a typed card."""
    if card.source == "typed":
        return _("typed")
    return f"{cut(card.source.partition(':')[0], 9)} {card.confidence:.0%}"


class Board(Lines):
    """The cards in a row; boxes where there is room for them."""

    def height_for(self, view: View, width: int) -> int:
        """One row on a low screen, four on a tall one (the screen decides by its height)."""
        return 1

    def looks_at(self, view: View) -> tuple[object, ...]:
        """What the rows are made of."""
        return (view.snapshot,)

    def paint(self, view: View, width: int, height: int) -> Rows:
        """Paint the cards."""
        snapshot = view.snapshot
        if snapshot is None:
            return [EMPTY] * height
        cards = snapshot.board
        wanted = _waiting(snapshot)
        if height >= TALL_ROWS:
            big = big_amount(snapshot)
            room = width - (big[0].cell_length if big else 0)
            names = {seat.player: seat.name for seat in snapshot.seats}
            boxes = _boxes(cards, wanted, names, room)
            return [ends(line, tail, width) for line, tail in zip_longest(boxes, big, fillvalue=EMPTY)]
        return [_flat(cards, wanted, width)]


def _waiting(snapshot: TableSnapshot) -> str:
    if snapshot.due is None:
        return ""
    words = {
        "post": _("card"),
        "third": _("third card"),
        "turned": _("card to turn"),
        "burned": _("card to burn"),
        "hand": _("hand to show"),
    }
    return words.get(snapshot.due.role, _("card"))


def _flat(cards: tuple[BoardCard, ...], wanted: str, width: int) -> Content:
    """One row; the oldest cards lose their words when they don't fit, then they give way."""
    groups = [
        [face_part(card.card), f" {_label(card)} ", (origin(card), _sure(card)), "   "] for card in cards
    ]
    tail: list[Part] = [(" ── ", "$quiet"), (f" {_('waiting:')} {wanted}", "$quiet")] if wanted else []

    def whole() -> Content:
        return row("  ", *(part for group in groups for part in group), *tail)

    for place, card in enumerate(cards):
        if whole().cell_length <= width:
            break
        groups[place] = [face_part(card.card), " "]
    while groups and whole().cell_length > width:
        groups.pop(0)
    return whole()


def _label(card: BoardCard) -> str:
    """What the game calls the card, else what it is there for."""
    return card.name if card.name and card.role == "market" else card.role_label


def _sure(card: BoardCard) -> str:
    return "bold $warning" if card.confidence < UNSURE else "$quiet"


def big_amount(snapshot: TableSnapshot) -> Rows:
    """The pool in large digits, to be read from across the table; nothing for games without one."""
    if not snapshot.pool_label:
        return []
    amount = format_amount(snapshot.pool, snapshot.currency)
    label = f"{snapshot.pool_label.upper()} "
    rows: Rows = []
    for y in range(3):
        digits = "".join(DIGITS.get(char, "   " * 3)[3 * y : 3 * y + 3] for char in amount)
        rows.append(row((label if y == 1 else " " * cells(label), "bold"), (digits, "bold $turn"), "  "))
    return rows


def _boxes(cards: tuple[BoardCard, ...], wanted: str, names: Mapping[str, str], width: int) -> Rows:
    cell = 14
    most = max(1, (width - 2) // cell - (1 if wanted else 0))
    rows: list[list[Part]] = [["  "], ["  "], ["  "], ["  "]]
    for card in cards[-most:]:
        ink = SUIT_COLOURS[card.card.suit.value] if card.card.suit else "#101010"
        face = f"bold {ink} on {CARD_FACE}"
        corner = fit(card.card.face, 6)
        sign = card.card.suit.sign if card.card.suit else " "
        rows[0] += [(f" {corner}", face), " " * (cell - 7)]
        rows[1] += [(f"   {sign}   ", face), " " * (cell - 7)]
        rows[2] += [fit(_label(card), cell - 1), " "]
        who = f" {names.get(card.player or '', '')}"
        rows[3] += [(fit(origin(card) + who, cell - 1), _sure(card)), " "]
    if wanted:
        for y, text in enumerate(("╭─────╮", "╰─────╯", wanted, _("waiting"))):
            rows[y].append((fit(text, max(cell, cells(text))), "$quiet"))
    return [row(*parts) for parts in rows]
