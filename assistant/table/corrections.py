"""What was set right in the course of a night, for the slip: nothing is edited, and all of it is printed."""

from __future__ import annotations

from assistant.games.base import Corrected
from assistant.i18n import _, pgettext
from assistant.ledger import events as ledger
from assistant.money_wording import POLICIES, accepted_text, box_borne
from assistant.table.night_log import NightLog, Step
from assistant.table.speech import in_words_of, wording_of
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
            found.append(wording.taken_back(step.seq, _said(step, wording), time))
        elif step.undone:
            continue
        elif reversal is not None:
            found.append(_reversed(log, step, reversal, wording))
        elif any(isinstance(event, _SETS_RIGHT) for event in step.events):
            found.append(wording.corrected(step.seq, _said(step, wording), time))
    return tuple(found)


def _reversed(log: NightLog, step: Step, reversal: ledger.Reversed, wording: Wording) -> str:
    """``#41 buy-in, Boris, 1000: reversed by #42, typed 1000 for 100 (20:31)``; then what is instead."""
    first = next(one for one in log.log if one.seq == reversal.entry)
    sentence = wording.reversed_by(
        reversal.entry,
        _said(first, wording),
        step.seq,
        printable(reversal.reason),
        step.at.strftime("%H:%M"),
    )
    instead = _what(step, wording)
    return _("{sentence}; instead: {what}").format(sentence=sentence, what=instead) if instead else sentence


def _said(step: Step, wording: Wording) -> str:
    """What a line was, in words of the slip's language; else the line, with its verb in words."""
    return _what(step, wording) or _set_right(step, wording) or _line(step.line)


def _set_right(step: Step, wording: Wording) -> str:
    """What a line that sets something right did, as nouns; empty for other lines."""
    for event in step.events:
        match event:
            case ledger.DifferenceAccepted():
                return _accepted(event, wording)
            case ledger.RoundVoided():
                text = _("round {number} called off").format(number=event.round)
                return f"{text}: {printable(event.reason)}" if event.reason else text
            case ledger.CardFixed():
                text = _("card in round {number}: {old} was {new}")
                wording = in_words_of(step, wording)
                cards = {"old": wording.card(event.old), "new": wording.card(event.new)}
                return text.format(number=event.round, **cards)
            case ledger.NightReopened():
                return _("night opened again: {reason}").format(reason=printable(event.reason))
    return ""


def _accepted(event: ledger.DifferenceAccepted, wording: Wording) -> str:
    """``difference, shared by the winners: Vera -20, Dasha -5; not found; agreed: Ann, Boris``."""
    who, policy = accepted_text(event, wording), POLICIES.get(event.policy)
    text = _("difference: {who}").format(who=who)  # one who bears it, or nobody yet, is in it
    if policy and event.policy != ledger.HELD_OPEN:
        text = _("difference, {how}: {who}").format(how=_(policy), who=who)
    if box := box_borne(event):
        who = ", ".join(f"{wording.name(one)} {wording.cash(amount, sign=True)}" for one, amount in box)
        text += "; " + _("of the cash box: {who}").format(who=who)
    if event.reason:
        text += f"; {printable(event.reason)}"
    if event.agreed:
        text += "; " + _("agreed: {names}").format(names=", ".join(map(wording.name, event.agreed)))
    return text


def _line(line: str) -> str:
    verb, _blank, rest = line.partition(" ")
    verbs = {
        "bet": pgettext("correction", "bet"),
        "raise": pgettext("correction", "raise"),
        "call": pgettext("correction", "call"),
        "fold": pgettext("correction", "fold"),
        "card": pgettext("correction", "card"),
        "show": pgettext("correction", "show"),
        "round": pgettext("correction", "round"),
        "share": pgettext("correction", "share"),
        "count": pgettext("correction", "count"),
        "correct": pgettext("correction", "correct"),
    }
    return printable(f"{verbs.get(verb.lower(), verb)} {rest}".strip())


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
