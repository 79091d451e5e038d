"""The words of a night: what people and cards are called, and what amounts are counted in."""

from __future__ import annotations

from dataclasses import replace

from assistant.holdings import HOUSE, Move
from assistant.i18n import _
from assistant.ledger.events import LedgerEvent
from assistant.ledger.receivable import is_only_missing
from assistant.table.night import Night
from assistant.table.night_log import Step
from assistant.wording import Wording


def wording_of(night: Night) -> Wording:
    """Return what makes the sentences of a night at this moment."""
    deck_names = night.game.deck_names if night.game else ""
    names = night.names()
    if is_only_missing(night.chips, night.books.money):
        names = {**names, HOUSE: _("missing chips")}
    return Wording(names, night.currency, deck_names, night.books.chipset)


def told_of(step: Step, wording: Wording) -> tuple[str, ...]:
    """Return what a line asks the dealer to say, pay and collect; for ``undo`` and ``redo``, which chips and
    which cash go back.

    Args:
        step: The line.
        wording: Of the night as it is now; whoever was seated by a line that was taken back is named too.
    """
    if not step.travelled:
        return wording.told(step.events)
    wording = replace(wording, names={**step.before.names(), **wording.names})
    changes = step.before.chips.difference(step.after.chips)
    return wording.travelled(step.back, step.travelled, changes, cash_moved(step))


def cash_moved(step: Step) -> tuple[Move, ...]:
    """The money that an ``undo`` or ``redo`` moves: taken back, it goes the other way."""
    moves = [move for event in step.passed if isinstance(event, LedgerEvent) for move in event.paid]
    if step.back:
        return tuple(Move(move.target, move.source, move.amount) for move in moves)
    return tuple(moves)
