"""A played night as the plain values that exports are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from assistant.export.book import Book, BookEntry, BookPayment, Result, Stay
from assistant.money import Amount
from assistant.store.base import Entry
from assistant.table.night import Night
from assistant.table.night_log import NightLog, Step
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
        )
        for row in slip.players
    ]
    results += [
        Result(node.node, node.node, 0, 0, node.net, _or(node.settles, node.net), is_node=True)
        for node in slip.nodes
    ]
    started = log.log[0].at if log.log else log.clock()
    return Book(
        night=slip.night,
        day=started.date(),
        entries=tuple(map(_entry, log.store.entries())),
        results=tuple(results),
        payments=tuple(BookPayment(one.payer, one.payee, one.amount, one.paid) for one in slip.payments),
        names=tuple(night.names().items()),
        stays=tuple(_stays(log)),
        head=slip.head,
        currency=night.currency,
        language=night.language,
    )


def _or(settles: Amount | None, net: Amount) -> Amount:
    return net if settles is None else settles


def _entry(entry: Entry) -> BookEntry:
    line = str(entry.body.get("line", ""))
    return BookEntry(entry.seq, entry.at, entry.operator, entry.kind, line, entry.reverses, entry.postings)


@dataclass(frozen=True, slots=True)
class _Arrival:
    """When somebody took a chair, and what they had bought and cashed before."""

    at: datetime
    bought_in: Amount
    cashed_out: Amount


def _stays(log: NightLog) -> Iterator[Stay]:
    """Everybody's stays in the order in which they began; lines that were taken back left no trace."""
    found: list[tuple[datetime, Stay]] = []
    sitting: dict[str, _Arrival] = {}
    for step in (step for step in log.log if step.events and not step.undone):
        before, after = step.before.table.players, step.after.table.players
        gone = [player for player in before if player not in after and player in sitting]
        found += [_stay(player, sitting.pop(player), step, step.after) for player in gone]
        for player in after:
            if player not in before:
                sitting[player] = _Arrival(step.at, *_traded(step.before, player))
    for player, arrival in sitting.items():
        found.append(_stay(player, arrival, None, log.night))
    return (stay for _start, stay in sorted(found, key=lambda one: one[0]))


def _stay(player: str, arrival: _Arrival, end: Step | None, night: Night) -> tuple[datetime, Stay]:
    bought_in, cashed_out = _traded(night, player)
    stay = Stay(
        player,
        night.names()[player],
        arrival.at,
        end.at if end else None,
        bought_in - arrival.bought_in,
        cashed_out - arrival.cashed_out,
        night.chips.stack(player) + night.chips.bet(player),
    )
    return arrival.at, stay


def _traded(night: Night, player: str) -> tuple[Amount, Amount]:
    return night.bought_in(player), night.cashed_out(player)
