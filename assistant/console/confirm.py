"""What Enter does on an empty line: the one usual act of the moment, if there is one.

The act is a line of table talk taken from what the snapshot says is legal; nothing here knows a rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.i18n import _
from assistant.talk import quote

if TYPE_CHECKING:
    from assistant.table.snapshot import TableSnapshot

GO_GAME, GO_SEATS, GO_CLOSE, NEXT_SEAT, DEAL = "go-game", "go-seats", "go-close", "next-seat", "deal"


@dataclass(frozen=True, slots=True)
class Usual:
    """The usual act.

    Attributes:
        line: The line of table talk it books; empty for an act of the console itself.
        step: ``go-game``, ``go-seats``, ``go-close``, ``next-seat`` or ``deal`` for an act of the console.
        label: What the bar shows in brackets.
    """

    line: str = ""
    step: str = ""
    label: str = ""


def usual_act(snapshot: TableSnapshot, selected: str | None, *, shoe_waits: bool = False) -> Usual | None:
    """The act Enter stands for now; None when the table waits for a card, an amount or a choice with a price.

    Args:
        snapshot: The table.
        selected: The seat chips are being taken for, in the casino.
        shoe_waits: Whether a simulated shoe waits for a word before it deals.
    """
    if snapshot.closed:
        return None
    if snapshot.game is None:
        return Usual(step=GO_GAME, label=_("choose the game"))
    if snapshot.money.counting:
        return Usual(step=GO_CLOSE, label=_("go on counting"))
    verbs = {choice.verb: choice for choice in snapshot.choices}
    if not any(seat.plays for seat in snapshot.seats):
        return Usual(step=GO_SEATS, label=_("seat players"))
    if snapshot.shuffle_due and "shuffle" in verbs:
        return Usual("shuffle", label=_("shuffled"))
    if not snapshot.in_round and "round" in verbs:
        return Usual("round", label=_("open the round"))
    if "dealt" in verbs:
        return Usual("dealt", label=_("hands are out"))
    if "bank" in verbs and verbs["bank"].low is None:
        return Usual("bank", label=_("the stake"))
    if "retire" in verbs and not {"keep", "stitch"} & verbs.keys():
        return Usual("retire", label=_("retire"))
    if "call" in verbs and not is_contested(snapshot):  # what costs chips is never done by Enter alone
        return Usual(f"call {named(snapshot, verbs['call'].player)}", label=_("no raise"))
    if "shuffle" in verbs and snapshot.in_round and snapshot.due is None and "bet" not in verbs:
        return Usual("shuffle", label=_("shuffled"))
    if selected is not None or (takes_chips(snapshot) and snapshot.due is None):
        return Usual(step=NEXT_SEAT, label=_("next seat"))
    if shoe_waits and snapshot.due is not None:
        return Usual(step=DEAL, label=_("the shoe deals"))
    if not snapshot.in_round and "bet" not in verbs and "round" not in verbs:
        return Usual(step=GO_SEATS, label=_("seat players"))
    return None


def is_contested(snapshot: TableSnapshot) -> bool:
    """Whether players bet against each other, so that a call costs chips and a raise needs its amount."""
    return any(choice.verb == "fold" for choice in snapshot.choices)


def named(snapshot: TableSnapshot, player: str | None) -> str:
    """A player as table talk writes them."""
    name = next((seat.name for seat in snapshot.seats if seat.player == player), player or "")
    return quote(name)


def takes_chips(snapshot: TableSnapshot) -> bool:
    """Whether chips are being taken for several seats, so that one of them must be chosen."""
    return not snapshot.in_round and sum(choice.verb == "bet" for choice in snapshot.choices) > 0


def bettors(snapshot: TableSnapshot) -> tuple[str, ...]:
    """The seats chips can be taken for, in seat order."""
    able = {
        choice.player
        for choice in snapshot.choices
        if choice.verb in ("bet", "place", "remove", "clear", "rebet")
    }
    return tuple(seat.player for seat in snapshot.seats if seat.player in able)


def next_bettor(snapshot: TableSnapshot, after: str | None, step: int = 1) -> str | None:
    """The next seat to take chips for; None (the cards) follows the last one."""
    ring: tuple[str | None, ...] = (*bettors(snapshot), None)
    place = ring.index(after) if after in ring else len(ring) - 1
    return ring[(place + step) % len(ring)]


def next_without_bet(snapshot: TableSnapshot, after: str | None) -> str | None:
    """The next seat that has no chips out yet; None when everybody after it has."""
    order = bettors(snapshot)
    rest = order[order.index(after) + 1 :] if after in order else order
    bets = {seat.player: seat.bet for seat in snapshot.seats}
    return next((player for player in rest if not bets[player]), None)
