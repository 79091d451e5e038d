"""The count of a night against its ledger, and what to look at where they differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assistant.holdings import HOUSE, POOL
from assistant.ledger import events as ledger
from assistant.ledger.accounts import RACK
from assistant.ledger.count import (
    Cause,
    Colour,
    Comparison,
    MoneyEntry,
    RoundResult,
    Row,
    compare_colours,
    likely_causes,
)
from assistant.money_wording import CAUSES
from assistant.table.night import Count, Night
from assistant.table.night_log import NightLog, Step
from assistant.table.reversing import reversed_entries
from assistant.wording import Wording


@dataclass(frozen=True, slots=True)
class Counted:
    """A night at the moment at which its counts held, and the line that ended them.

    Attributes:
        night: With the counts.
        step: The acceptance or the close; None while the count goes on.
    """

    night: Night
    step: Step | None = None


def last_counted(log: NightLog) -> Counted | None:
    """Return the night with the counts that stand, else with those of its last close or acceptance.

    None where nobody counted, or what was found was accepted and that was reversed. Slips and screens all
    show this one count.
    """
    if log.night.counts:
        return Counted(log.night)
    ends = (ledger.DifferenceAccepted, ledger.NightClosed)
    gone = reversed_entries(log.log)
    for step in reversed(log.log):
        if step.undone or step.seq in gone:
            continue
        if step.before.counts and any(isinstance(one, ends) for one in step.events):
            return Counted(step.before, step)
    return None


def comparison_of(night: Night) -> Comparison:
    """Return what was counted against what the ledger says: players in seat order, then the pool and a bank
    with a float, if any."""
    counted = night.counted()
    pool = [POOL] if night.chips.at(POOL) or POOL in counted else []
    places = [*night.table.players, *pool, *([HOUSE] if night.table.has_float else [])]
    rows = tuple(_row(night, place, counted.get(place)) for place in places)
    return Comparison(rows, _colours(night, rows, counted.get(RACK)))


def _row(night: Night, place: str, count: Count | None) -> Row:
    if count is None:
        return Row(place, night.held(place))
    return Row(place, count.stack, count.amount, count.chips)


def _colours(night: Night, rows: Sequence[Row], rack: Count | None) -> tuple[Colour, ...]:
    """Per denomination, once every row that holds something was counted by denomination."""
    books = night.books
    if not books.chipset or any(row.counted is None or (row.counted and not row.chips) for row in rows):
        return ()
    in_rack = night.rack_chips if rack is None else rack.chips
    if in_rack is None or (rack is not None and rack.amount and not rack.chips):
        return ()
    return compare_colours(books.chipset, [*(row.chips for row in rows), in_rack])


def causes_of(log: NightLog) -> tuple[Cause, ...]:
    """Return what the count's difference may come from, the likeliest first."""
    comparison = comparison_of(log.night)
    if not comparison.wrong:
        return ()
    return likely_causes(comparison, tuple(money_entries(log.log)), tuple(round_results(log.night)))


def money_entries(steps: Iterable[Step]) -> Iterable[MoneyEntry]:
    """The entries of money, reversed ones too; not what was taken back."""
    steps = tuple(steps)
    reversed_ = reversed_entries(steps)
    for step in steps:
        if step.undone:
            continue
        stands = step.seq not in reversed_
        for event in step.events:
            match event:
                case ledger.BoughtIn() | ledger.CashedOut() | ledger.PlayerLeft():
                    verb = step.line.split(maxsplit=1)[0].lower()
                    yield MoneyEntry(step.seq, verb, event.player, event.amount, stands)
                case ledger.ChipsLent():
                    yield MoneyEntry(step.seq, "lend", event.lender, event.amount, stands)
                    yield MoneyEntry(step.seq, "lend", event.borrower, event.amount, stands)
                case ledger.Tipped():
                    yield MoneyEntry(step.seq, "tip", event.player, event.amount, stands)
                case _:
                    pass


def round_results(night: Night) -> Iterable[RoundResult]:
    """What each round that stands brought its players."""
    for number, one in enumerate(night.rounds, start=1):
        if one.end is None or one.voided:
            continue
        before, after = one.start.table.chips, one.end.table.chips
        changes = {
            player: after.stack(player) - before.stack(player) - before.bet(player)
            for player in one.start.table.active
        }
        yield RoundResult(number, changes)


def cause_text(cause: Cause, wording: Wording) -> str:
    """A cause as a question for the table."""
    colour = cause.colour
    facts = {
        "amount": cause.amount,
        "value": colour.value if colour else 0,
        "expected": colour.expected if colour else 0,
        "found": colour.found if colour else 0,
        "players": ", ".join(wording.name(player) for player in cause.players),
        "entries": ", ".join(f"#{number}" for number in cause.entries),
        "rounds": ", ".join(map(str, cause.rounds)),
    }
    text = wording.fill(CAUSES[cause.kind], facts)
    if cause.players and cause.kind in ("swapped", "missed", "wrong_side"):
        text = f"{facts['players']}: {text}"
    if cause.kind == "no_colour_short" and cause.entries:
        text += " " + wording.fill(CAUSES["entries"], facts)
    return f"{text} {wording.fill(CAUSES['rounds'], facts)}" if cause.rounds else text
