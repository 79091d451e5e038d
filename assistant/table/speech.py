"""The words of a night: what people and cards are called, and what amounts are counted in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assistant.games.base import Event
from assistant.holdings import HELD, HOUSE, MISSING, POOL, Move
from assistant.i18n import _
from assistant.ledger.events import (
    BoughtIn,
    CardFixed,
    CashedOut,
    Counted,
    DifferenceAccepted,
    LedgerEvent,
    NightClosed,
    NightReopened,
    PlayerLeft,
    Reversed,
    TermsChosen,
)
from assistant.ledger.nodes import BOX
from assistant.ledger.plan import HUB
from assistant.ledger.receivable import is_only_missing, is_only_surplus, surplus_unpaid, unfound
from assistant.money import Amount
from assistant.money_wording import ForeignCash, told_reversed
from assistant.table.decision import Caused
from assistant.table.night import Night
from assistant.table.night_log import Step
from assistant.wording import Wording


def wording_of(night: Night) -> Wording:
    """Return what makes the sentences of a night at this moment."""
    deck_names = night.game.deck_names if night.game else ""
    names = night.names()
    if is_only_missing(night.chips, night.books.money):
        is_surplus = is_only_surplus(night.chips, night.books.money, night.chip)
        names = {**names, HOUSE: _("surplus chips") if is_surplus else _("missing chips")}
    cash = night.money if night.has_chip_value else None
    return Wording(names, night.currency, deck_names, night.books.chipset, cash, night.chip)


def in_words_of(step: Step, wording: Wording) -> Wording:
    """Return the wording with the cards as the game of a line calls them, whatever is played by now."""
    game = step.before.game if step.before.in_round else step.after.game
    fixed = next((event for event in step.events if isinstance(event, CardFixed)), None)
    game = step.after.rounds.numbered(fixed.round).game if fixed is not None else game
    deck_names = game.deck_names if game is not None else ""
    return wording if wording.deck_names == deck_names else replace(wording, deck_names=deck_names)


def told_of(step: Step, wording: Wording) -> tuple[str, ...]:
    """Return what a line asks the dealer to say, pay and collect; for ``undo`` and ``redo``, which chips and
    which cash go back.

    Args:
        step: The line.
        wording: Of the night as it is now; whoever was seated by a line that was taken back is named too.
            Cards are called as the line's own game calls them.
    """
    wording = in_words_of(step, wording)
    if not step.travelled:
        return (
            *_told(step, wording),
            *_still_due(step, wording),
            *_not_at_the_table(step, wording),
            *_pool_stays_shared(step),
            *_banker_has_left(step, wording),
            *_hub_has_left(step, wording),
        )
    wording = replace(wording, names={**step.before.names(), **wording.names})
    # what a reversal handed back is taken again with it
    foreign = (*_foreign_cash(step.passed, step.back), *_foreign_cash(step.reopened, not step.back))
    lines = wording.travelled(step.back, step.travelled, _chips_moved(step), cash_moved(step), foreign)
    if not any(isinstance(event, DifferenceAccepted) for event in step.passed):
        return lines
    return (*lines, _("NO CHIPS MOVE for an accepted difference"))


def _told(step: Step, wording: Wording) -> tuple[str, ...]:
    first, *others = step.events or (None,)
    if not isinstance(first, Reversed):
        return wording.told(step.events)
    is_mended = any(isinstance(event, BoughtIn | CashedOut) for event in others)
    lines = told_reversed(first, _foreign_cash(step.passed, True), wording, is_mended=is_mended)
    return (*lines, *_counted_again(others, wording), *wording.told(others))


def _counted_again(events: Sequence[Event | LedgerEvent], wording: Wording) -> Iterator[str]:
    """The counts that stand again, as an acceptance was reversed."""
    differ = [one for one in events if isinstance(one, Counted) and one.amount != one.stack]
    if differ:
        write = {BOX: wording.cash}
        who = ", ".join(
            f"{wording.name(one.player)} {write.get(one.player, wording.money)(one.amount)}" for one in differ
        )
        yield _("THE COUNT STANDS AGAIN: {who}. Count what was found").format(who=who)


def _foreign_cash(events: Caused, back: bool) -> tuple[ForeignCash, ...]:
    """The cash of another currency that was taken, and of whom; `back`: it goes back."""
    bought = (event for event in events if isinstance(event, BoughtIn))
    return tuple(
        ForeignCash(event.player, event.foreign, back) for event in bought if event.foreign is not None
    )


def _still_due(step: Step, wording: Wording) -> Iterator[str]:
    """What stays between the cashier and somebody who goes home, whatever was paid just now."""
    for event in step.events:
        if isinstance(event, PlayerLeft) and (due := step.after.due(event.player)):
            text = _("STILL OWES {amount}: {name}") if due > 0 else _("IS STILL OWED {amount}: {name}")
            yield text.format(amount=wording.cash(abs(due)), name=wording.name(event.player))


def _pool_stays_shared(step: Step) -> Iterator[str]:
    """Of a night that goes on, why its pool is empty: the close shared it, and chips in stacks stay there."""
    night = step.after
    reopens = any(isinstance(event, NightReopened) for event in step.events)
    if reopens and night.game is not None and night.game.has_pool and not night.chips.at(POOL):
        yield _("A pool that the close has shared stays shared: everybody keeps their part")


def _banker_has_left(step: Step, wording: Wording) -> Iterator[str]:
    """Whoever banked, or was to bank next, went home while the night goes on: who does now."""
    before, after = step.before, step.after
    if before.game is None or after.game is None or after.closed:
        return
    banker = before.game.banker(before.state)
    if not any(isinstance(event, PlayerLeft) and event.player == banker for event in step.events):
        return
    name, now = wording.name(banker or ""), after.game.banker(after.state)
    table = after.table
    able = [player for player in table.active if table.chips.stack(player)]
    if after.game.common_chips is None and now is None:
        text = _("THE BANKER HAS LEFT: {name}. No player banks now; one who will: house NAME")
    elif now is not None and (after.game.common_chips is None or len(able) > 1):
        text = _("THE BANKER HAS LEFT: {name}. Now banks: {banker}")
    elif now is None and table.active and not table.sitting_out(1):
        text = _("THE BANKER HAS LEFT: {name}. Nobody has the chips to bank: buy in more")
    else:  # the duty says what a round waits for
        text = _("THE BANKER HAS LEFT: {name}. Nobody banks now")
    yield text.format(name=name, banker=wording.name(now or ""))


def _hub_has_left(step: Step, wording: Wording) -> Iterator[str]:
    """Everybody is to settle with somebody who went home."""
    terms = step.after.books.terms
    concerns = (TermsChosen, PlayerLeft, NightClosed)
    if terms.mode != HUB or not any(isinstance(event, concerns) for event in step.events):
        return
    if any(person.player == terms.hub and person.has_left for person in step.after.people):
        text = _("HAS LEFT, and everybody settles with them: {name}. Another way: settle players")
        yield text.format(name=wording.name(terms.hub))


def _not_at_the_table(step: Step, wording: Wording) -> Iterator[str]:
    """A buy-in of somebody who has gone was lessened: so many chips fewer are at the table than the ledger
    has there, and nobody bears them yet."""
    kinds = [event.kind for event in step.events if isinstance(event, Reversed)]
    if kinds and kinds[0] in ("buy", "seat", "iou"):
        missing = step.before.chips.at(MISSING) - step.after.chips.at(MISSING)
        if missing > 0:
            text = _(
                "{amount} must be missing at the table: count the stacks and accept. "
                "Uncounted, nobody bears it and it stays open"
            )
            if step.after.chips.at(HOUSE):
                text = _(
                    "{amount} must be missing at the table: count the stacks and accept. "
                    "Uncounted, the house bears it"
                )
            yield text.format(amount=wording.chips_worth(missing))


def missing_phrases(night: Night, wording: Wording) -> Iterator[str]:
    """Who bears, or keeps, the money of chips that nobody found, and of those that were too many; a surplus
    and a loss each have their own."""
    held = night.chips.at(HELD)
    if held:
        text = _("Difference of {amount} held open: nobody bears it until it is found")
        yield text.format(amount=wording.chips_worth(abs(held)))
    surplus = surplus_unpaid(night.chips, night.books.money, night.chip)
    if surplus > 0:
        text = _("Surplus chips: nobody pays {amount} until it is known where they came from")
        yield text.format(amount=wording.cash(surplus))
    missing = unfound(night.chips) + surplus // night.chip
    if not missing:
        return
    if night.chips.at(HOUSE):
        text = _("Missing chips: the house bears {amount} until it is known where they are")
        if missing > 0:
            text = _("Missing chips: the house keeps {amount} until they are found")
    else:
        text = _("Missing chips: nobody bears {amount} until it is known where they are")
        if missing > 0:
            text = _("Missing chips: {amount} stay in the cash box until they are found")
            if _pays_a_house(night):
                text = _("Missing chips: the house keeps {amount} until they are found")
    yield text.format(amount=wording.chips_worth(abs(missing)))


def _pays_a_house(night: Night) -> bool:
    """Whether an earlier version made the plan in force, with the house as payee of what is missing."""
    plan = night.books.plan
    return plan is not None and any(one.payee == HOUSE for one in plan.lines)


def _chips_moved(step: Step) -> dict[str, Amount]:
    """The chips that go by hand with an ``undo`` or ``redo``: what was accepted was missing all the while."""
    changes = step.before.chips.difference(step.after.chips)
    sign = 1 if step.back else -1
    for event in step.passed:
        for move in event.moves if isinstance(event, DifferenceAccepted) else ():
            changes[move.source] = changes.get(move.source, 0) - sign * move.amount
            changes[move.target] = changes.get(move.target, 0) + sign * move.amount
    return {place: amount for place, amount in changes.items() if amount}


def cash_moved(step: Step) -> tuple[Move, ...]:
    """The money that an ``undo`` or ``redo`` moves: taken back, it goes the other way. An accepted difference
    moved none."""
    by_hand = (one for one in step.passed if not isinstance(one, DifferenceAccepted))
    moves = [move for event in by_hand if isinstance(event, LedgerEvent) for move in event.paid]
    if step.back:
        return tuple(Move(move.target, move.source, move.amount) for move in moves)
    return tuple(moves)
