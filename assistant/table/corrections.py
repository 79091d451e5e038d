"""What was set right in the course of a night, for the slip: nothing is edited, and all of it is printed."""

from __future__ import annotations

from assistant.games.base import Corrected
from assistant.i18n import _, pgettext
from assistant.ledger import events as ledger
from assistant.table.night_log import NightLog, Step
from assistant.table.speech import wording_of
from assistant.talk import printable
from assistant.wording import Wording

_SETS_RIGHT = (
    ledger.CardFixed,
    ledger.RoundVoided,
    ledger.DifferenceAccepted,
    ledger.NightReopened,
    Corrected,
)


def corrections(log: NightLog) -> tuple[str, ...]:
    """Return a phrase for each line that was taken back or reversed, or that set something else right."""
    wording = wording_of(log.night)
    found = []
    for step in log.log:
        time = step.at.strftime("%H:%M")
        moved = (step.before.chips, step.before.books) != (step.after.chips, step.after.books)
        reversal = next((one for one in step.events if isinstance(one, ledger.Reversed)), None)
        if step.undone and moved:
            found.append(wording.taken_back(step.seq, step.line, time))
        elif step.undone:
            continue
        elif reversal is not None:
            found.append(_reversed(log, step, reversal, wording))
        elif any(isinstance(event, _SETS_RIGHT) for event in step.events):
            found.append(wording.corrected(step.seq, step.line, time))
    return tuple(found)


def _reversed(log: NightLog, step: Step, reversal: ledger.Reversed, wording: Wording) -> str:
    """``#41 buy-in, Boris, 1000: reversed by #42, typed 1000 for 100 (20:31)``; then what is instead."""
    first = next(one for one in log.log if one.seq == reversal.entry)
    sentence = wording.reversed_by(
        reversal.entry,
        _what(first, wording) or printable(first.line),
        step.seq,
        printable(reversal.reason),
        step.at.strftime("%H:%M"),
    )
    instead = _what(step, wording)
    return _("{sentence}; instead: {what}").format(sentence=sentence, what=instead) if instead else sentence


def _what(step: Step, wording: Wording) -> str:
    """What a line about money was, as nouns: no name has to be bent; empty for other lines."""
    for event in step.events:
        match event:
            case ledger.BoughtIn():
                return _nouns(
                    pgettext("correction", "buy-in"), wording, wording.money(event.amount), event.player
                )
            case ledger.CashedOut() | ledger.PlayerLeft():
                return _nouns(
                    pgettext("correction", "cash-out"), wording, wording.money(event.amount), event.player
                )
            case ledger.Paid():
                paid = wording.cash(event.amount)
                return _nouns(pgettext("correction", "payment"), wording, paid, event.payer, event.payee)
            case ledger.ChipsLent():
                lent = wording.money(event.amount)
                return _nouns(pgettext("correction", "loan"), wording, lent, event.lender, event.borrower)
            case ledger.ExpenseShared():
                cost = wording.cash(event.amount)
                return _nouns(pgettext("correction", "shared cost"), wording, cost, event.payer)
            case ledger.Tipped():
                return _nouns(
                    pgettext("correction", "tip"),
                    wording,
                    wording.money(event.amount),
                    event.player,
                    event.to,
                )
    return ""


def _nouns(what: str, wording: Wording, amount: str, *who: str) -> str:
    return ", ".join((what, *map(wording.name, who), amount))
