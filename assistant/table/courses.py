"""How everybody's stack went over a night, for the chart."""

from __future__ import annotations

from dataclasses import dataclass, field

from assistant.i18n import _
from assistant.ledger import events as ledger
from assistant.money import Amount
from assistant.slips.chart import Chart, Series, thinned
from assistant.table.night import Night
from assistant.table.night_log import NightLog

MOST_LABELS = 12


@dataclass
class _Course:
    """One player's stack so far."""

    points: list[tuple[int, Amount]] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)
    sits: bool = False

    def follow(self, place: int, before: Night, after: Night, player: str, *, buys: bool) -> None:
        """Go on by one line; the last stack is what was cashed out at leaving or at the close.

        Only a buy-in is marked: chips that a player lent come from another stack and not from outside.
        """
        sits = player in after.table.players
        held = after.chips.stack(player) + after.chips.bet(player)
        leaves = not sits and player in before.table.players
        if leaves:
            held = after.cashed_out(player) - before.cashed_out(player)
        if (sits or leaves) and (not self.sits or self.points[-1][1] != held):
            self.points.append((place, held))
        if buys and sits and after.bought_in(player) > before.bought_in(player):
            self.marks.append(place)
        self.sits = sits or (leaves and after.closed) or (self.sits and after.closed)


def stack_chart(log: NightLog) -> Chart:
    """Return the chart of the stacks, chips on the layout counted in.

    The axis counts the lines that moved chips, and is labelled with rounds: a clock may be set back, and a
    night that was typed in afterwards happened in one minute. Lines that were taken back left no trace.
    """
    courses: dict[str, _Course] = {person.player: _Course() for person in log.night.people}
    rounds: list[tuple[int, int]] = []
    place = 0
    for step in (step for step in log.log if step.events and not step.undone):
        night, before = step.after, step.before
        if len(night.rounds) > len(before.rounds):
            rounds.append((place, len(night.rounds)))
        if night.chips is before.chips or night.chips == before.chips:
            continue
        place += 1
        buyers = {event.player for event in step.events if isinstance(event, ledger.BoughtIn)}
        for player, course in courses.items():
            course.follow(place, before, night, player, buys=player in buyers)
    if place == 0:
        return Chart("", (), 0)
    chosen = thinned([at for at, _number in rounds], MOST_LABELS) if rounds else ()
    return Chart(
        title=_("Stacks over the night, in chips")
        if log.night.has_chip_value
        else _("Stacks over the night"),
        series=tuple(
            Series(
                name,
                tuple((at - 1, held) for at, held in course.points),
                tuple(at - 1 for at in course.marks),
                not course.sits,
            )
            for name, course in ((log.night.names()[player], course) for player, course in courses.items())
        ),
        length=place - 1,
        ticks=tuple((max(0, rounds[index][0] - 1), str(rounds[index][1])) for index in chosen),
        axis=_("round"),
        marks=_("buy-in"),
    )
