"""The plan of a night's payments: how it is made, frozen, paid in parts, and replaced (LEDGER.md 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from assistant.ledger.nodes import BOX, NODES
from assistant.ledger.settlement import NetsDoNotBalance, Plan, Transfer, settle
from assistant.money import Amount

PLAYERS, CASHIER, HUB = "players", "cashier", "hub"
MODES = (PLAYERS, CASHIER, HUB)


@dataclass(frozen=True, slots=True)
class Terms:
    """How a night is settled.

    Attributes:
        mode: ``players`` (between each other, fewest payments), ``cashier`` or ``hub``.
        hub: The player everybody pays to or gets from in mode ``hub``.
        unit: Payments are rounded to it.
        apart: Pairs who never pay each other.
        gone: Players who have left for good; they settle through the cash box only.
    """

    mode: str = PLAYERS
    hub: str = ""
    unit: Amount = 1
    apart: tuple[tuple[str, str], ...] = ()
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """One payment of a frozen plan; a payment only shortens its own line."""

    payer: str
    payee: str
    amount: Amount
    paid: Amount = 0

    @property
    def open(self) -> Amount:
        """What is still to be paid."""
        return self.amount - self.paid


@dataclass(frozen=True, slots=True)
class FrozenPlan:
    """The payments of a night as they were printed.

    Attributes:
        number: Counts from 1; a later plan replaces the earlier ones.
        minimal: Whether fewer payments are proved impossible.
        lines: In the order in which they are paid.
        exact: What everybody had to get before rounding, where it was rounded.
    """

    number: int
    mode: str
    hub: str
    unit: Amount
    minimal: bool
    lines: tuple[Line, ...]
    exact: tuple[tuple[str, Amount], ...] = ()

    def line(self, payer: str, payee: str) -> Line | None:
        """The line of a pair."""
        return next((one for one in self.lines if (one.payer, one.payee) == (payer, payee)), None)

    def paid(self, payer: str, payee: str, amount: Amount) -> FrozenPlan:
        """Return the plan after a payment, or with a negative amount after one was taken back."""
        lines = tuple(
            replace(one, paid=one.paid + amount) if (one.payer, one.payee) == (payer, payee) else one
            for one in self.lines
        )
        return replace(self, lines=lines)

    @property
    def is_finished(self) -> bool:
        """Whether everything is paid."""
        return not any(one.open for one in self.lines)


def round_to_unit(nets: Mapping[str, Amount], unit: Amount) -> dict[str, Amount]:
    """Round results to a unit so that they still sum to zero and nobody moves by a whole unit.

    Everybody is rounded down; the units that are missing then go one each to the largest remainders, ties to
    whoever comes first (LEDGER.md 7.6). Rounding each one by itself would not sum to zero. The box never pays
    out more than it holds: what is less than a unit stays in it.

    Raises:
        NetsDoNotBalance: They don't sum to zero.
    """
    if sum(nets.values()):
        raise NetsDoNotBalance(sum(nets.values()))
    rounded = {who: net - net % unit for who, net in nets.items()}
    if BOX in nets:
        rounded[BOX] = -(-nets[BOX] // unit) * unit
    missing = -sum(rounded.values()) // unit
    others = (who for who in nets if who != BOX)
    for who in sorted(others, key=lambda who: -(nets[who] % unit))[:missing]:
        rounded[who] += unit
    return rounded


def make_plan(nets: Mapping[str, Amount], terms: Terms) -> Plan:
    """Return who pays whom.

    Args:
        nets: What everybody gets (plus) or gives (minus), in seat order, nodes last; rounded already.
        terms: How the night is settled.

    Raises:
        NetsDoNotBalance: They don't sum to zero.
    """
    if sum(nets.values()):
        raise NetsDoNotBalance(sum(nets.values()))
    if terms.mode == CASHIER:
        return Plan(_through(nets, BOX), minimal=False)
    if terms.mode == HUB:
        return Plan(_around(nets, terms), minimal=False)
    return _between_players(nets, terms)


def _through(nets: Mapping[str, Amount], middle: str) -> tuple[Transfer, ...]:
    """Everybody settles with one place; who pays comes first, so that there is money to pay out."""
    others = [(who, net) for who, net in nets.items() if net and who != middle]
    payers = [Transfer(who, middle, -net) for who, net in others if net < 0]
    return (*payers, *(Transfer(middle, who, net) for who, net in others if net > 0))


def _around(nets: Mapping[str, Amount], terms: Terms) -> tuple[Transfer, ...]:
    """Everybody settles with the hub; who has left, or never pays the hub, with the box, which settles with
    the hub. What comes into the box comes first, so that there is money to pay out."""
    if terms.hub in terms.gone:
        return _through(nets, BOX)
    apart = {who for pair in terms.apart if terms.hub in pair for who in pair}
    aside = {who: net for who, net in nets.items() if who in {*terms.gone, *apart} - {terms.hub}}
    rest = {who: net for who, net in nets.items() if who not in aside}
    if aside:
        rest[BOX] = rest.get(BOX, 0) + sum(aside.values())
    settled = _through(aside, BOX)
    into_box = [one for one in settled if one.payee == BOX]
    return (*into_box, *_through(rest, terms.hub), *settled[len(into_box) :])


def _between_players(nets: Mapping[str, Amount], terms: Terms) -> Plan:
    gone = [who for who in terms.gone if nets.get(who)]
    rest = {who: net for who, net in nets.items() if who not in gone}
    if gone:
        box = rest.pop(BOX, 0)
        rest[BOX] = box + sum(nets[who] for who in gone)
    plan = settle(rest, frozenset(map(frozenset, terms.apart)), BOX)
    settled = _through({who: nets[who] for who in gone}, BOX)
    seat = {who: number for number, who in enumerate((*nets, *NODES))}
    transfers = sorted((*plan.transfers, *settled), key=lambda one: (seat[one.payer], seat[one.payee]))
    return Plan(tuple(transfers), plan.minimal and not gone)
