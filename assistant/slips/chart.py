"""A chart of amounts over a night or a season: what it shows and where things go, before anybody draws it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.money import Amount

NICE = (1, 2, 5)
MOST_TICKS = 6


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a chart.

    Attributes:
        name: Whose it is.
        points: Place on the axis and amount, from left to right; the amount holds until the next point.
        marks: Places where something was added from outside: a buy-in.
        ends: Whether the line ends before the right edge: the player left.
    """

    name: str
    points: tuple[tuple[int, Amount], ...]
    marks: tuple[int, ...] = ()
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart.

    Attributes:
        title: What it shows.
        series: The lines, in seat order.
        length: The last place on the axis; the first is 0.
        ticks: Places with a label.
        axis: What the labels are.
        marks: What a mark means; empty where there is none.
        steps: Whether an amount holds until the next one (a stack), or a line goes straight there (a result
            from night to night).
    """

    title: str
    series: tuple[Series, ...]
    length: int
    ticks: tuple[tuple[int, str], ...] = ()
    axis: str = ""
    marks: str = ""
    steps: bool = True

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw: fewer than two moments."""
        return self.length < 1 or not any(one.points for one in self.series)

    @property
    def lowest(self) -> Amount:
        """The lowest amount, 0 at most."""
        return min((0, *(amount for one in self.series for _place, amount in one.points)))

    @property
    def highest(self) -> Amount:
        """The highest amount, 0 at least."""
        return max((0, *(amount for one in self.series for _place, amount in one.points)))


def amount_ticks(low: Amount, high: Amount, most: int = MOST_TICKS) -> tuple[Amount, ...]:
    """Return round amounts from at or below `low` to at or above `high`, with 0 among them."""
    low, high = min(low, 0), max(high, 1)
    step = _nice_step(high - low, most)
    first, last = low // step, -(-high // step)
    return tuple(number * step for number in range(first, last + 1))


def thinned(places: Sequence[int], most: int) -> tuple[int, ...]:
    """Return the indexes of at most about `most` places, evenly chosen by a round step, the first always."""
    step = _nice_step(len(places), most)
    return tuple(range(0, len(places), step))


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move labels apart so that none overlaps: at least `gap` between neighbours, kept within the frame.

    Returns:
        A place for each, in the order given; labels keep the order of where they want to be.
    """
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    places: list[float] = []
    for index in order:
        floor = places[-1] + gap if places else low
        places.append(max(wanted[index], floor))
    ceiling = high
    for number in reversed(range(len(places))):
        places[number] = min(places[number], ceiling)
        ceiling = places[number] - gap
    found = [0.0] * len(wanted)
    for index, place in zip(order, places, strict=True):
        found[index] = place
    return found


def _nice_step(span: int, most: int) -> int:
    """The smallest of 1, 2, 5, 10, 20 … by which a span has at most `most` steps."""
    magnitude = 1
    while True:
        for nice in NICE:
            if span <= nice * magnitude * most:
                return nice * magnitude
        magnitude *= 10
