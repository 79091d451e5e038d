"""The end of a night as it stands on a slip: accounts, payments, the count, and what was corrected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from assistant.holdings import POOL
from assistant.i18n import _
from assistant.ledger import events as ledger
from assistant.ledger.accounts import RACK
from assistant.ledger.nodes import BOX, HOUSE, MISSING_NAME, NODES, SURPLUS_NAME
from assistant.ledger.plan import FrozenPlan
from assistant.ledger.receivable import is_only_missing, is_only_surplus, node_results
from assistant.money import Amount
from assistant.slips.content import (
    ChipCount,
    NodeRow,
    Payment,
    PlayerRow,
    SettlementSlip,
)
from assistant.store.base import Verification
from assistant.table.beginning import began_at
from assistant.table.besides import besides
from assistant.table.closing import plan_of
from assistant.table.corrections import corrections
from assistant.table.night import Night
from assistant.table.night_log import NightLog, Step
from assistant.table.reconciling import comparison_of, last_counted


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
        is_surplus = is_only_surplus(night.chips, night.books.money, night.chip)
        names[HOUSE] = SURPLUS_NAME if is_surplus else MISSING_NAME
    plan = plan_of(night)
    seq, head = log.store.head
    found = verified or log.store.verify()
    closing = _closing(log) if night.closed else None
    settles, exact = _settled(plan), dict(plan.exact)
    return SettlementSlip(
        night=night.name or name,
        opened=began_at(log).strftime("%H:%M") if log.log else "",
        closed=closing.at.strftime("%H:%M") if closing else "",
        players=tuple(
            PlayerRow(
                person.name,
                night.bought_in(person.player) * night.chip,
                _out(night, person.player) * night.chip,
                night.net(person.player) * night.chip,
                settles.get(person.player, 0),
                left=person.has_left and settles.get(person.player, 0) != 0,
                exact=exact.get(person.player, 0) if exact else None,
            )
            for person in night.people
            if person.was_seated or settles.get(person.player) or exact.get(person.player)
        ),
        payments=tuple(
            Payment(names.get(one.payer, one.payer), names.get(one.payee, one.payee), one.amount, one.paid)
            for one in plan.lines
        ),
        entries=seq,
        head=head,
        nodes=_node_rows(night, settles, exact, names),
        minimal=plan.minimal,
        **_counts(log),
        corrections=corrections(log),
        verified=found.ok,
        currency=night.money,
        chip=night.chip if night.has_chip_value else 0,
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


def _node_rows(
    night: Night, settles: Mapping[str, Amount], exact: Mapping[str, Amount], names: Mapping[str, str]
) -> tuple[NodeRow, ...]:
    """Nodes that have a result or take part in the plan."""
    results = node_results(night.chips)
    return tuple(
        NodeRow(
            names.get(node, node),
            results.get(node, 0) * night.chip,
            settles.get(node, 0),
            exact.get(node, 0) if exact else None,
        )
        for node in NODES
        if results.get(node) or settles.get(node) or exact.get(node)
    )


def _out(night: Night, player: str) -> Amount:
    """The chips a player cashed; before the close with what they could cash now."""
    in_hand = 0 if night.closed else night.chips.stack(player) + night.chips.bet(player)
    return night.cashed_out(player) + in_hand


def _live(log: NightLog) -> list[Step]:
    return [step for step in log.log if step.events and not step.undone]


def _closing(log: NightLog) -> Step | None:
    closed = [step for step in _live(log) if any(isinstance(one, ledger.NightClosed) for one in step.events)]
    return closed[-1] if closed else None


class _Counts(TypedDict):
    """The counts of a slip, by its fields."""

    count: ChipCount | None
    pool: ChipCount | None
    rack: ChipCount | None
    box: ChipCount | None
    differs: tuple[tuple[str, Amount], ...]
    accepted: str


def _counts(log: NightLog) -> _Counts:
    """The last counts: as they stand, else those at the close, or when a difference was accepted."""
    counted = last_counted(log)
    if counted is None:
        return {"count": None, "pool": None, "rack": None, "box": None, "differs": (), "accepted": ""}
    night, names = counted.night, {**log.night.names(), POOL: _("Pool"), HOUSE: _("House")}
    rows = [row for row in comparison_of(night).rows if row.counted is not None]
    together = ChipCount(sum(row.counted or 0 for row in rows), sum(row.ledger for row in rows))
    places = {one.player: ChipCount(one.amount, one.stack) for one in night.place_counts()}
    return {
        "count": together if rows else None,
        "pool": places.get(POOL),
        "rack": places.get(RACK),
        "box": places.get(BOX),
        "differs": tuple((names[row.who], row.difference) for row in rows if row.difference)
        if not together.difference
        else (),
        "accepted": _accepted(counted.step, names),
    }


def _accepted(step: Step | None, names: Mapping[str, str]) -> str:
    """How what was counted last was accepted; empty where it was not."""
    events = step.events if step is not None else ()
    found = next((one.policy for one in events if isinstance(one, ledger.DifferenceAccepted)), "")
    return names.get(found, found)
