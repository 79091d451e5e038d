"""What stands on a night's other slips: the receipt for a buy-in, the count, the rules."""

from __future__ import annotations

from assistant.errors import AssistantError
from assistant.holdings import POOL
from assistant.i18n import _
from assistant.ledger import events as ledger
from assistant.money import Amount
from assistant.rules_wording import QUIET, pays_of, points_of
from assistant.slips.content import BuyInSlip, CountRow, CountSlip, Denomination, RulesSlip
from assistant.table.night import RACK, Count, Night
from assistant.table.night_log import NightLog, Step
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
            amount=bought.amount,
            bought_in=night.bought_in(bought.player),
            entry=step.seq,
            head=log.store.hash_at(step.seq) or "",
            how=bought.how if night.books.cashier or bought.how == ledger.CASH else "",
            chips=tuple((value, -count) for value, count in bought.rack if count < 0),
            said_at=bought.said,
            currency=night.currency,
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
    night = log.night
    title, seq_head = night.name or name, log.store.head
    counts = (*night.standing_counts(), *night.place_counts())
    if counts:
        at = max((step.at for step in log.log), default=None)
        rows = _count_rows(night, night, counts)
        time = at.strftime(CLOCK) if at else ""
        return CountSlip(
            title,
            time,
            rows,
            _denominations(night, counts),
            entries=seq_head[0],
            head=seq_head[1],
            currency=night.currency,
        )
    for step in reversed(log.log):
        before = step.before
        counts = (*before.standing_counts(), *before.place_counts())
        ends = [one for one in step.events if isinstance(one, ledger.DifferenceAccepted | ledger.NightClosed)]
        if step.undone or not counts or not ends:
            continue
        accepted = next((one for one in ends if isinstance(one, ledger.DifferenceAccepted)), None)
        names = night.names()
        return CountSlip(
            title,
            step.at.strftime(CLOCK),
            _count_rows(before, night, counts),
            _denominations(before, counts),
            policy=names.get(accepted.policy, accepted.policy) if accepted else "",
            shares=_shares(night, accepted),
            reason=accepted.reason if accepted else "",
            entries=step.seq,
            head=log.store.hash_at(step.seq) or "",
            currency=night.currency,
        )
    raise NoSuchSlip(_("Nobody counted the chips, so there is no count to print."))


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
        options=tuple((one, value) for one, value in night.options if one in changed or one not in QUIET),
        changed=changed,
        payouts=pays_of(night.game.name),
        night=night.name or name,
        currency=night.currency,
    )


def _shares(night: Night, accepted: ledger.DifferenceAccepted | None) -> tuple[tuple[str, Amount], ...]:
    """What each bears (negative) or gets, in seat order."""
    borne = dict(accepted.shares) if accepted else {}
    return tuple((one.name, -borne[one.player]) for one in night.people if borne.get(one.player))


def _buy_in(step: Step) -> ledger.BoughtIn | None:
    return next((event for event in step.events if isinstance(event, ledger.BoughtIn)), None)


def _count_rows(night: Night, now: Night, counts: tuple[Count, ...]) -> tuple[CountRow, ...]:
    """Everybody with a chair, counted or not, then the places that were counted."""
    counted = {count.player: count for count in counts}
    rows = []
    for player in night.table.players:
        count = counted.get(player)
        held = night.chips.stack(player)
        rows.append(CountRow(now.person(player).name, held, count.amount if count else None))
    places = {POOL: _("Pool"), RACK: _("Rack")}
    for place, title in places.items():
        if (count := counted.get(place)) is not None:
            rows.append(CountRow(title, count.stack, count.amount))
    return tuple(rows)


def _denominations(night: Night, counts: tuple[Count, ...]) -> tuple[Denomination, ...]:
    """Chips of each value: in the set, and found in front of players, in the pool and in the rack.

    Only where a set is known and everything was counted by denomination; else nothing can be said.
    """
    in_set = dict(night.books.chipset)
    wanted = {*night.table.players, RACK}
    by_value = [count for count in counts if count.chips or not count.amount]
    if not in_set or not wanted <= {count.player for count in by_value}:
        return ()
    found = dict.fromkeys(in_set, 0)
    for count in by_value:
        for value, number in count.chips:
            found[value] = found.get(value, 0) + number
    return tuple(Denomination(value, number, found.get(value, 0)) for value, number in in_set.items())
