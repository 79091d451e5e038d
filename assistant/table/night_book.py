"""A played night as the plain values that exports are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from assistant.export.book import Book, BookCount, BookEntry, BookPayment, Result, Stay
from assistant.ledger.accounts import RACK
from assistant.ledger.nodes import BOX
from assistant.money import Amount
from assistant.store.base import Entry
from assistant.store.nights import parse_name
from assistant.table.beginning import began_at
from assistant.table.night import Night
from assistant.table.night_log import NightLog
from assistant.table.reconciling import comparison_of, last_counted
from assistant.table.settling import settlement_slip


def night_book(log: NightLog, name: str) -> Book:
    """Return a night for export; its results are those of the slip.

    Args:
        log: The night.
        name: What it is called unless a line named it.
    """
    night = log.night
    slip = settlement_slip(log, name)
    ids = {person.name: person.player for person in night.people}
    results = [
        Result(
            ids.get(row.name, ""),
            row.name,
            row.bought_in,
            row.cashed_out,
            row.net,
            settles=_or(row.settles, row.net),
            exact=row.exact,
        )
        for row in slip.players
    ]
    results += [
        Result(
            node.node,
            node.node,
            0,
            0,
            node.net,
            _or(node.settles, node.net),
            is_node=True,
            exact=node.exact,
        )
        for node in slip.nodes
    ]
    named = parse_name(name)  # as it is dated everywhere else
    return Book(
        night=slip.night,
        day=named[0] if named is not None else began_at(log).date(),
        entries=tuple(map(_entry, log.store.entries())),
        results=tuple(results),
        payments=tuple(BookPayment(one.payer, one.payee, one.amount, one.paid) for one in slip.payments),
        names=tuple(night.names().items()),
        stays=tuple(_stays(log)),
        counts=tuple(_counts(log)),
        head=slip.head,
        currency=night.money,
        chips=night.currency,
        language=night.language,
    )


def _counts(log: NightLog) -> Iterator[BookCount]:
    """Players in seat order, the pool, then rack and box where they were counted."""
    found = last_counted(log)
    if found is None:
        return
    night, names = found.night, log.night.names()
    counted = night.counted()
    for row in comparison_of(night).rows:
        by = counted[row.who].confirmed_by if row.who in counted else ""
        yield BookCount(names.get(row.who, row.who), row.ledger, row.counted, False, names.get(by, ""))
    for place in (RACK, BOX):
        if (one := counted.get(place)) is not None:
            yield BookCount(place, one.stack, one.amount, place == BOX, names.get(one.confirmed_by, ""))


def _or(settles: Amount | None, net: Amount) -> Amount:
    return net if settles is None else settles


def _entry(entry: Entry) -> BookEntry:
    line = str(entry.body.get("line", ""))
    return BookEntry(entry.seq, entry.at, entry.operator, entry.kind, line, entry.reverses, entry.postings)


@dataclass(slots=True)
class _Sitting:
    """A stay that is being followed: what had been bought and cashed before it began."""

    start: datetime
    bought_in: Amount
    cashed_out: Amount
    end: datetime | None = None


def _stays(log: NightLog) -> Iterator[Stay]:
    """Everybody's stays in the order in which they began; lines that were taken back left no trace.

    What is bought or cashed between two stays (a reversal after somebody has left) belongs to the one before.
    """
    found: list[Stay] = []
    last: dict[str, _Sitting] = {}
    for step in (step for step in log.log if step.events and not step.undone):
        before, after = step.before.table.players, step.after.table.players
        for player in before:
            if player not in after and player in last:
                last[player].end = step.at
        for player in after:
            if player not in before:
                if player in last:
                    found.append(_stay(player, last[player], step.before))
                last[player] = _Sitting(step.at, *_traded(step.before, player))
    found += [_stay(player, sitting, log.night) for player, sitting in last.items()]
    return iter(sorted(found, key=lambda stay: stay.start))


def _stay(player: str, sitting: _Sitting, night: Night) -> Stay:
    bought_in, cashed_out = _traded(night, player)
    return Stay(
        player,
        night.names()[player],
        sitting.start,
        sitting.end,
        (bought_in - sitting.bought_in) * night.chip,
        (cashed_out - sitting.cashed_out) * night.chip,
        (night.chips.stack(player) + night.chips.bet(player)) * night.chip,
    )


def _traded(night: Night, player: str) -> tuple[Amount, Amount]:
    return night.bought_in(player), night.cashed_out(player)
