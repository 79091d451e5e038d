"""What stands on a night's other slips: the receipt for a buy-in, the count, the rules."""

from __future__ import annotations

from typing import TypedDict

from assistant.errors import AssistantError
from assistant.holdings import HOUSE, POOL
from assistant.i18n import _
from assistant.ledger import events as ledger
from assistant.ledger.accounts import RACK
from assistant.ledger.nodes import BOX
from assistant.money import Amount, format_amount
from assistant.money_wording import box_borne, foreign_text
from assistant.rules_wording import QUIET, float_label, pays_of, points_of
from assistant.slips.content import BuyInSlip, CountRow, CountSlip, Denomination, RulesSlip
from assistant.table.night import Count, Night
from assistant.table.night_log import NightLog, Step
from assistant.table.reconciling import comparison_of, last_counted
from assistant.table.reversing import reversed_entries
from assistant.table.speech import wording_of

CLOCK = "%H:%M"


class NoSuchSlip(AssistantError):
    """There is nothing in the night that such a slip could show."""


def buy_in_slip(log: NightLog, name: str, entry: int | None = None) -> BuyInSlip:
    """Return the receipt of a buy-in.

    Args:
        log: The night.
        name: What it is called unless a line named it.
        entry: The buy-in's number; None means the last one.

    Raises:
        NoSuchSlip: There is no such buy-in, or it was taken back or reversed.
    """
    reversed_ = reversed_entries(log.log)
    for step in reversed(log.log):
        bought = _buy_in(step)
        if bought is None or step.undone or step.seq in reversed_ or entry not in (None, step.seq):
            continue
        night = step.after
        return BuyInSlip(
            night=log.night.name or name,
            time=step.at.strftime(CLOCK),
            player=log.night.person(bought.player).name,
            amount=bought.amount * night.chip,
            bought_in=night.bought_in(bought.player) * night.chip,
            entry=step.seq,
            head=log.store.hash_at(step.seq) or "",
            how=bought.how,
            chips=tuple((value, -count) for value, count in bought.rack if count < 0),
            said_at=bought.said,
            currency=night.money,
            chip=night.chip if night.has_chip_value else 0,
            **_foreign(bought),
        )
    message = _("There is no buy-in to print a receipt of.")
    if entry in reversed_:
        message = _("Entry {number} was reversed by entry {by}; a receipt of it would not be true.")
        message = message.format(number=entry, by=reversed_[entry])
    elif entry is not None:
        message = _("Entry {number} is no buy-in, or it was taken back.").format(number=entry)
    raise NoSuchSlip(message, _("`tableside export NIGHT --format csv --table entries` lists the entries."))


def count_slip(log: NightLog, name: str) -> CountSlip:
    """Return the last count: as it stands while it goes on, else what was counted and decided.

    Raises:
        NoSuchSlip: Nobody counted.
    """
    found = last_counted(log)
    if found is None:
        raise NoSuchSlip(_("Nobody counted the chips, so there is no count to print."))
    counted, now, step = found.night, log.night, found.step
    accepted = (
        next((one for one in step.events if isinstance(one, ledger.DifferenceAccepted)), None)
        if step
        else None
    )
    at = step.at if step else max((one.at for one in log.log), default=None)
    seq, head = (step.seq, log.store.hash_at(step.seq) or "") if step else log.store.head
    names = now.names()
    places = {one.player: one for one in counted.place_counts()}
    return CountSlip(
        now.name or name,
        at.strftime(CLOCK) if at else "",
        _count_rows(counted, now),
        _denominations(counted),
        policy=names.get(accepted.policy, accepted.policy) if accepted else "",
        shares=_shares(now, accepted),
        reason=accepted.reason if accepted else "",
        agreed=tuple(names[one] for one in accepted.agreed) if accepted else (),
        entries=seq,
        head=head,
        currency=now.currency,
        rack=_place_row(_("Rack"), places.get(RACK), now),
        box=_place_row(_("Cash box"), places.get(BOX), now),
        money=now.money,
        box_shares=_box_shares(now, accepted),
        takes_rack=accepted is not None and accepted.takes_rack,
    )


def rules_slip(log: NightLog, name: str) -> RulesSlip:
    """Return the rules of the game that is played.

    Raises:
        NoSuchSlip: No game was chosen.
    """
    night = log.night
    if night.game is None:
        raise NoSuchSlip(_("No game was chosen, so there are no rules to print."))
    defaults = {option.name: option.default for option in night.game.options}
    changed = frozenset(one for one, value in night.options if value != defaults.get(one))
    return RulesSlip(
        game=wording_of(night).game(night.game.name),
        points=points_of(night.game.name),
        options=tuple(
            (one, _float_of(night) if one == HOUSE and night.table.has_float else value)
            for one, value in night.options
            if one in changed or one not in QUIET
        ),
        changed=changed,
        payouts=pays_of(night.game.name),
        night=night.name or name,
        currency=night.currency,
    )


def _float_of(night: Night) -> str:
    """What the bank of a player has to pay with: that is what limits the bets tonight."""
    return float_label(
        format_amount(night.bank_float, night.currency), night.names().get(night.table.banker or "", "")
    )


def _shares(night: Night, accepted: ledger.DifferenceAccepted | None) -> tuple[tuple[str, Amount], ...]:
    """What each bears (negative) or gets, in seat order."""
    borne = dict(accepted.shares) if accepted else {}
    return tuple((one.name, -borne[one.player]) for one in night.people if borne.get(one.player))


class _Foreign(TypedDict, total=False):
    foreign: str
    rate: str
    value: Amount


def _foreign(bought: ledger.BoughtIn) -> _Foreign:
    """The cash of another currency that was taken, by the slip's fields."""
    cash = bought.foreign
    return {"foreign": foreign_text(cash), "rate": cash.rate, "value": cash.value} if cash else {}


def _buy_in(step: Step) -> ledger.BoughtIn | None:
    return next((event for event in step.events if isinstance(event, ledger.BoughtIn)), None)


def _box_shares(night: Night, accepted: ledger.DifferenceAccepted | None) -> tuple[tuple[str, Amount], ...]:
    """What each bears (negative) or gets of what the box lacked, in seat order."""
    borne = dict(box_borne(accepted)) if accepted is not None else {}
    return tuple((one.name, borne[one.player]) for one in night.people if borne.get(one.player))


def _count_rows(counted: Night, now: Night) -> tuple[CountRow, ...]:
    """Everybody with a chair, counted or not; pool and bank where they were."""
    names = {**now.names(), POOL: _("Pool"), HOUSE: _("House")}
    by = {one.player: one for one in counted.counts}
    return tuple(
        CountRow(names[row.who], row.ledger, row.counted, _confirmed(by.get(row.who), now))
        for row in comparison_of(counted).rows
        if row.who not in (POOL, HOUSE) or row.counted is not None
    )


def _place_row(title: str, count: Count | None, now: Night) -> CountRow | None:
    return CountRow(title, count.stack, count.amount, _confirmed(count, now)) if count else None


def _confirmed(count: Count | None, now: Night) -> str:
    return now.names().get(count.confirmed_by, "") if count else ""


def _denominations(night: Night) -> tuple[Denomination, ...]:
    """Chips of each value: in the set, and found in front of players, in the pool and in the rack.

    Only where a set is known and everything was counted by denomination; else nothing can be said.
    """
    if not any(one.player == RACK and one.chips for one in night.counts):
        return ()  # which chips lie in the rack is only guessed before they are counted
    return tuple(Denomination(one.value, one.expected, one.found) for one in comparison_of(night).colours)
