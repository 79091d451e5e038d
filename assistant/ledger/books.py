"""What the cashier keeps beside the chips on the table: money, the rack, the terms and the plan.

`keep` follows the events; it never refuses, what it is given was decided before.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from assistant.holdings import Holdings
from assistant.ledger import events as ledger
from assistant.ledger.accounts import CASHBOX, ROUNDING
from assistant.ledger.chipset import Denominations, has_negative, minus, plus
from assistant.ledger.events import LedgerEvent
from assistant.ledger.plan import FrozenPlan, Line, Terms
from assistant.money import Amount
from assistant.records import replace


@dataclass(frozen=True, slots=True)
class Books:
    """The cashier's books at one moment.

    Attributes:
        money: Money that moved, by account; besides what buy-ins and cash-outs owe.
        cashier: Who keeps box and rack; empty while nobody was named.
        buys: How a buy-in is paid where the line does not say: ``iou`` or ``cash``.
        pays: How a cash-out is paid where the line does not say: ``due`` or ``cash``.
        tips_to: Whom tips go to; empty while no tips are taken.
        chipset: The whole set by denomination; empty while none was loaded.
        rack: What the rack holds of it, as far as sales, cash-outs and counts say (see `Night.rack_chips`).
        terms: How the night is settled.
        plan: The plan in force; None before the close.
        replaced: Plans that were replaced, the earliest first.
        takes_foreign: Whether cash of another currency was ever taken.
        rounding: What rounding has moved so far; the next plan, or opening the night again, takes it back.
    """

    money: Holdings = field(default_factory=Holdings)
    cashier: str = ""
    buys: str = ledger.IOU
    pays: str = ledger.DUE
    tips_to: str = ""
    chipset: Denominations = ()
    rack: Denominations = ()
    terms: Terms = field(default_factory=Terms)
    plan: FrozenPlan | None = None
    replaced: tuple[FrozenPlan, ...] = ()
    rounding: Holdings = field(default_factory=Holdings)
    takes_foreign: bool = False

    @property
    def box(self) -> Amount:
        """Cash in the box."""
        return self.money.at(CASHBOX)

    @property
    def in_circulation(self) -> Denominations:
        """What is out of the rack by denomination; nothing where more was counted there than the set has."""
        outside = minus(self.chipset, self.rack)
        return tuple((value, count) for value, count in outside if count > 0)

    @property
    def has_too_many(self) -> bool:
        """Whether the rack holds more of a denomination than the set has."""
        return has_negative(minus(self.chipset, self.rack))

    @property
    def next_plan(self) -> int:
        """The number of the next plan."""
        return len(self.replaced) + (self.plan is not None) + 1


def keep(books: Books, event: LedgerEvent) -> Books:
    """Return the books after an event."""
    if event.paid:
        rounded = [move for move in event.paid if ROUNDING in (move.source, move.target)]
        books = replace(books, money=books.money.moved(event.paid), rounding=books.rounding.moved(rounded))
    if event.rack:
        # chips beyond those the rack is known to hold are of what the house won: there aren't fewer than none
        rack = tuple(pair for pair in plus(books.rack, event.rack) if pair[1] > 0)
        books = replace(books, rack=rack)
    match event:
        case ledger.CashierNamed():
            return replace(books, cashier=event.player)
        case ledger.BoughtIn() if event.foreign is not None:
            return replace(books, takes_foreign=True)
        case ledger.CashRuleSet():
            return replace(books, buys=event.buys, pays=event.pays)
        case ledger.TipsAllowed():
            return replace(books, tips_to=event.player)
        case ledger.ChipSetLoaded():
            return replace(books, chipset=event.chips)
        case ledger.TermsChosen():
            return replace(books, terms=event.terms)
        case ledger.PlanFrozen():
            return _freeze(books, event)
        case ledger.Paid() if event.plan:
            return _pay(books, event.payer, event.payee, event.amount, event.plan)
        case ledger.Reversed() if event.payment:
            payer, payee, amount, plan = event.payment[0]
            return _pay(books, payer, payee, -amount, plan)
        case ledger.NightReopened():
            return replace(books, plan=None, replaced=_with_replaced(books))
        case _:
            return books


def _freeze(books: Books, event: ledger.PlanFrozen) -> Books:
    plan = FrozenPlan(
        event.number,
        event.mode,
        event.hub,
        event.unit,
        event.minimal,
        tuple(Line(*line) for line in event.lines),
        event.exact,
    )
    return replace(books, plan=plan, replaced=_with_replaced(books))


def _with_replaced(books: Books) -> tuple[FrozenPlan, ...]:
    return (*books.replaced, books.plan) if books.plan is not None else books.replaced


def _pay(books: Books, payer: str, payee: str, amount: Amount, number: int) -> Books:
    if books.plan is not None and books.plan.number == number:
        return replace(books, plan=books.plan.paid(payer, payee, amount))
    plans = tuple(
        plan.paid(payer, payee, amount) if plan.number == number else plan for plan in books.replaced
    )
    return replace(books, replaced=plans)
