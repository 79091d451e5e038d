"""The end of a night as it stands on a slip: accounts, payments, the count, and what was corrected."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.ledger import events as ledger
from assistant.ledger.nodes import HOUSE, MISSING_NAME, NODES
from assistant.ledger.plan import FrozenPlan
from assistant.ledger.receivable import is_only_missing, node_results
from assistant.money import Amount
from assistant.slips.content import (
    ChipCount,
    NodeRow,
    Payment,
    PlayerRow,
    SettlementSlip,
)
from assistant.store.base import Verification
from assistant.table.besides import besides
from assistant.table.closing import plan_of
from assistant.table.corrections import corrections
from assistant.table.night import Night
from assistant.table.night_log import NightLog, Step


def settlement_slip(log: NightLog, name: str, verified: Verification | None = None) -> SettlementSlip:
    """Return the night's slip; before the night is closed, how it stands now.

    Args:
        log: The night.
        name: What it is called unless a line named it.
        verified: What a check of the night's file found; checked now where it isn't given.
    """
    night = log.night
    names = night.names()
    if is_only_missing(night.chips, night.books.money):
        names[HOUSE] = MISSING_NAME
    plan = plan_of(night)
    seq, head = log.store.head
    found = verified or log.store.verify()
    closing = _closing(log) if night.closed else None
    settles = _settled(plan)
    return SettlementSlip(
        night=night.name or name,
        opened=log.log[0].at.strftime("%H:%M") if log.log else "",
        closed=closing.at.strftime("%H:%M") if closing else "",
        players=tuple(
            PlayerRow(
                person.name,
                night.bought_in(person.player),
                night.cashed_out(person.player) if night.closed else _in_hand(night, person.player),
                night.net(person.player),
                settles.get(person.player, 0),
                left=person.has_left and settles.get(person.player, 0) != 0,
            )
            for person in night.people
            if person.was_seated or settles.get(person.player)
        ),
        payments=tuple(
            Payment(names.get(one.payer, one.payer), names.get(one.payee, one.payee), one.amount, one.paid)
            for one in plan.lines
        ),
        entries=seq,
        head=head,
        nodes=_node_rows(night, settles, names),
        minimal=plan.minimal,
        count=_count(log),
        corrections=corrections(log),
        verified=found.ok,
        currency=night.currency,
        mode=plan.mode,
        hub=names.get(plan.hub, ""),
        settle_unit=plan.unit,
        replaces=night.books.replaced[-1].number if night.books.replaced else 0,
        stored=name,
        besides=besides(log, names),
    )


def _settled(plan: FrozenPlan) -> dict[str, Amount]:
    """What everybody gets (plus) or gives (minus) by a plan."""
    found: dict[str, Amount] = {}
    for line in plan.lines:
        found[line.payer] = found.get(line.payer, 0) - line.amount
        found[line.payee] = found.get(line.payee, 0) + line.amount
    return found


def _node_rows(night: Night, settles: Mapping[str, Amount], names: Mapping[str, str]) -> tuple[NodeRow, ...]:
    """Nodes that have a result or take part in the plan."""
    results = node_results(night.chips)
    return tuple(
        NodeRow(names.get(node, node), results.get(node, 0), settles.get(node, 0))
        for node in NODES
        if results.get(node) or settles.get(node)
    )


def _in_hand(night: Night, player: str) -> int:
    """What a player could cash out now, with what was cashed already."""
    return night.cashed_out(player) + night.chips.stack(player) + night.chips.bet(player)


def _live(log: NightLog) -> list[Step]:
    return [step for step in log.log if step.events and not step.undone]


def _closing(log: NightLog) -> Step | None:
    closed = [step for step in _live(log) if any(isinstance(one, ledger.NightClosed) for one in step.events)]
    return closed[-1] if closed else None


def _count(log: NightLog) -> ChipCount | None:
    """The counts that held when the night was closed, or when a difference was accepted; None if nobody
    counted."""
    ends = (ledger.DifferenceAccepted, ledger.NightClosed)
    for step in _live(log):
        counts = step.before.standing_counts()
        if counts and any(isinstance(event, ends) for event in step.events):
            counted = sum(count.amount for count in counts)
            return ChipCount(counted, sum(count.stack for count in counts))
    return None
