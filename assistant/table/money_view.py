"""What screens see of the money: accounts, box, rack, the count and the plan; part of the snapshot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from assistant.i18n import _
from assistant.ledger import events as ledger
from assistant.ledger.accounts import RACK
from assistant.ledger.chipset import Denominations
from assistant.ledger.count import Colour
from assistant.ledger.nodes import BOX, HOUSE
from assistant.ledger.plan import FrozenPlan, Terms
from assistant.money import Amount, Currency, format_amount
from assistant.money_wording import mode_text
from assistant.table.closing import house_unbacked, plan_of
from assistant.table.counting import needs_confirmation, to_count
from assistant.table.night import Night
from assistant.table.night_log import NightLog, Step
from assistant.table.reconciling import cause_text, causes_of, comparison_of
from assistant.table.results import unpaid_of_nets
from assistant.table.reversing import reversed_entries
from assistant.table.speech import missing_phrases
from assistant.wording import Wording


@dataclass(frozen=True, slots=True)
class AccountView:
    """One person's money.

    Attributes:
        due: What they owe the cashier (plus) or are owed (minus); chips in front of them don't count.
        gets: What they get (plus) or give (minus) if the night ends now.
        has_left: Whether they went before the close.
        is_guest: Whether they never had a chair (a cashier, a host).
    """

    player: str
    name: str
    bought: Amount
    cashed: Amount
    stack: Amount
    net: Amount
    due: Amount
    gets: Amount
    has_left: bool = False
    is_guest: bool = False


@dataclass(frozen=True, slots=True)
class CountRow:
    """One stack (or the pool) as it was counted; `counted` is None while it is not, and `confirmed_by` empty
    while nobody confirmed it."""

    player: str
    name: str
    ledger: Amount
    counted: Amount | None
    chips: Denominations = ()
    confirmed_by: str = ""

    @property
    def difference(self) -> Amount:
        """Counted less ledger."""
        return 0 if self.counted is None else self.counted - self.ledger


@dataclass(frozen=True, slots=True)
class CountView:
    """The count so far.

    Attributes:
        rows: In seat order, then the pool where there is one.
        box: Counted less ledger of the cash box; None while it is not counted.
        rack: The same of the rack.
        colours: Per denomination, once everything was counted by denomination.
        is_complete: Whether every stack is counted; of a count that was begun, also pool and rack.
        difference: All counted less the ledger.
        causes: What a difference may come from, the likeliest first; questions for the table.
        confirmed_by: Of rack and box: place -> who confirmed them.
        waiting: Places and players that are counted and have to be confirmed yet.
    """

    rows: tuple[CountRow, ...]
    box: Amount | None
    rack: Amount | None
    colours: tuple[Colour, ...]
    is_complete: bool
    difference: Amount
    causes: tuple[str, ...]
    confirmed_by: Mapping[str, str] = field(default_factory=dict)
    waiting: tuple[str, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether anything counted differs, the box too."""
        return any(row.difference for row in self.rows) or bool(self.box) or bool(self.rack)


@dataclass(frozen=True, slots=True)
class PlanLineView:
    """One payment of the plan, with names; `number` is what ``pay`` takes."""

    number: int
    payer_id: str
    payee_id: str
    payer: str
    payee: str
    amount: Amount
    paid: Amount

    @property
    def open(self) -> Amount:
        """What is still to be paid."""
        return self.amount - self.paid


@dataclass(frozen=True, slots=True)
class PlanView:
    """The plan in force.

    Attributes:
        number: Counts from 1; above it, earlier plans were replaced.
        mode: How it is settled, in words.
        minimal: Whether fewer payments are proved impossible.
        exact: Name and what they had to get before rounding; empty where nothing was rounded.
        missing: Who bears or keeps the money of missing chips; empty where there are none.
    """

    number: int
    mode: str
    minimal: bool
    unit: Amount
    lines: tuple[PlanLineView, ...]
    exact: tuple[tuple[str, Amount], ...] = ()
    missing: str = ""


@dataclass(frozen=True, slots=True)
class MoneyView:
    """The money at one moment.

    Attributes:
        accounts: Everybody who ever took part, guests last.
        box: Cash in the box, in the night's money.
        foreign: Of that the cash of other currencies: how much as it was taken, and what it counted as.
        cashier: Name of who keeps it; empty while nobody was named.
        buys: ``cash`` or ``iou``: how buy-ins are paid unless the line says otherwise.
        pays: ``cash`` or ``due``: how cash-outs are paid.
        tips_to: Name of whom tips are for; empty while they are off.
        chipset: The whole set; empty while none was loaded.
        rack: What the rack holds of it; empty where only the sum is known.
        rack_worth: Face value of what lies in the rack, with what a house without a float won or lost.
        terms: How the night is settled, as it was chosen.
        terms_text: The same in words.
        count: None while nothing is counted.
        plan: None before the close.
        counting: Whether a count goes on: no bets and no buy-ins until it ends.
        bank: What a banker with a float of their own has in the bank; None where nobody has put one up.
        accepted: The entry that accepted what was counted, while no chips have moved since; else 0.
        house: The house's account, where it has chips: nobody else's row shows those.
        accepted_places: The players and places whose counts it accepted.
    """

    accounts: tuple[AccountView, ...] = ()
    box: Amount = 0
    foreign: tuple[tuple[str, Amount], ...] = ()
    cashier: str = ""
    buys: str = "iou"
    pays: str = "due"
    tips_to: str = ""
    chipset: Denominations = ()
    rack: Denominations = ()
    rack_worth: Amount = 0
    terms: Terms = field(default_factory=Terms)
    terms_text: str = ""
    count: CountView | None = None
    plan: PlanView | None = None
    counting: bool = False
    accepted: int = 0
    accepted_places: frozenset[str] = frozenset()
    house: AccountView | None = None
    bank: Amount | None = None

    @property
    def own_cash(self) -> Amount:
        """Cash of the night's own money in the box; below zero where foreign cash must have been paid out."""
        return self.box - sum(value for _cash, value in self.foreign)

    @property
    def has_cash(self) -> bool:
        """Whether money is kept at all tonight, besides chips on account."""
        return bool(self.box or self.cashier or self.buys == "cash")


def money_view(log: NightLog, wording: Wording) -> MoneyView:
    """Return what screens see of the money of a night."""
    night, books = log.night, log.night.books
    accepted = _accepted(log)
    return MoneyView(
        accounts=_accounts(night),
        box=books.box,
        foreign=_foreign(log) if books.takes_foreign else (),
        cashier=wording.name(books.cashier) if books.cashier else "",
        buys=books.buys,
        pays=books.pays,
        tips_to=wording.name(books.tips_to) if books.tips_to else "",
        chipset=books.chipset,
        rack=night.rack_chips or (),
        rack_worth=night.in_rack,
        terms=books.terms,
        terms_text=mode_text(books.terms.mode, books.terms.hub, wording),
        count=_count(log, wording) if night.counts else None,
        plan=_plan(plan_of(night), wording, _missing(log, wording)) if night.closed else None,
        counting=night.counting,
        accepted=accepted.seq if accepted is not None else 0,
        accepted_places=frozenset(accepted.before.counted() if accepted is not None else ()),
        bank=night.bank_float if night.table.has_float else None,
        house=_house(night),
    )


def _foreign(log: NightLog) -> tuple[tuple[str, Amount], ...]:
    """Cash of other currencies that was taken and not handed back; that any was paid out nobody notes."""
    gone = reversed_entries(log.log)
    amounts, values = Counter[str](), Counter[str]()
    for step in log.log:
        if step.undone or step.seq in gone:
            continue
        for event in step.events:
            if isinstance(event, ledger.BoughtIn) and event.foreign is not None:
                amounts[event.foreign.code] += event.foreign.amount
                values[event.foreign.code] += event.foreign.value
    return tuple(
        (f"{format_amount(amount, Currency.named(code))} {code}", values[code])
        for code, amount in amounts.items()
    )


def _missing(log: NightLog, wording: Wording) -> str:
    """Who bears or keeps what was missing or too many, and how nets and payments come together over it."""
    night = log.night
    said = [*missing_phrases(night, wording)]
    for who, amount in unpaid_of_nets(log).items() if said else ():
        net = night.net(who) * night.chip
        figures = {"net": net, "part": amount, "rest": net - amount}
        facts = {name: wording.cash(one, sign=True) for name, one in figures.items()}
        text = _("{name}: net {net}, of it {part} not paid, so {rest} is settled")
        said.append(text.format(name=wording.name(who), **facts))
    return ". ".join(said)


def _accepted(log: NightLog) -> Step | None:
    """The acceptance that nothing has moved since; the counts lapsed with it, for it set the stacks right."""
    for step in reversed(log.log):
        if step.undone or step.travelled:
            continue
        if any(isinstance(event, ledger.DifferenceAccepted) for event in step.events):
            return step
        if step.after.chips != step.before.chips or step.after.books.money != step.before.books.money:
            break
    return None


def _accounts(night: Night) -> tuple[AccountView, ...]:
    gets = night.receivables()
    people = sorted(night.people, key=lambda person: not person.was_seated)
    return tuple(
        AccountView(
            person.player,
            person.name,
            night.bought_in(person.player),
            night.cashed_out(person.player),
            night.chips.stack(person.player),
            night.net(person.player),
            night.due(person.player),
            gets[person.player],
            person.has_left,
            not person.was_seated,
        )
        for person in people
    )


def _house(night: Night) -> AccountView | None:
    if not (night.chips.at(HOUSE) or night.table.has_float):
        return None
    banker = night.names().get(night.table.banker or "")
    gets = night.receivables().get(HOUSE, 0)
    return AccountView(
        HOUSE,
        f"{_('house')} ({banker})" if banker else _("house"),
        bought=0,
        cashed=0,
        stack=night.chips.at(HOUSE),
        net=house_unbacked(night),
        due=-gets,
        gets=gets,
    )


def _count(log: NightLog, wording: Wording) -> CountView:
    night = log.night
    found = comparison_of(night)
    counted = night.counted()
    places = {one.player: one.amount - one.stack for one in night.place_counts()}
    confirmed = {who: wording.name(one.confirmed_by) for who, one in counted.items() if one.confirmed_by}
    needed = to_count(night) if night.counting else night.table.players
    return CountView(
        tuple(
            CountRow(
                row.who,
                wording.name(row.who),
                row.ledger,
                row.counted,
                row.chips,
                confirmed.get(row.who, ""),
            )
            for row in found.rows
        ),
        places.get(BOX),
        places.get(RACK),
        found.colours,
        all(who in counted for who in needed),
        found.difference,
        tuple(cause_text(cause, wording) for cause in causes_of(log)),
        confirmed,
        tuple(who for who in counted if who not in confirmed) if needs_confirmation(night) else (),
    )


def _plan(plan: FrozenPlan, wording: Wording, missing: str) -> PlanView:
    lines = tuple(
        PlanLineView(
            number,
            one.payer,
            one.payee,
            wording.name(one.payer),
            wording.name(one.payee),
            one.amount,
            one.paid,
        )
        for number, one in enumerate(plan.lines, start=1)
    )
    exact = tuple((wording.name(who), amount) for who, amount in plan.exact)
    mode = mode_text(plan.mode, plan.hub, wording)
    return PlanView(plan.number, mode, plan.minimal, plan.unit, lines, exact, missing)
