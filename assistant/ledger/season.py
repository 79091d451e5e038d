"""Results over many nights: who is who, and the standings of a season. Pure: nights come in, rows go out.

A person is known by an id of the house's own. A player's id in a night and the night's name together never
change, so that is what a person is tied to; names only help to find out who sits down in a new night.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from assistant.errors import AssistantError
from assistant.money import Amount
from assistant.talk import same_person

OPEN, IN_USE, DAMAGED = "open", "in use", "damaged"
"""Why a night is left out: it goes on, another window has it, it is not as it was written."""


class UnknownPerson(AssistantError):
    """No person of that name was ever in a night here."""


@dataclass(frozen=True, slots=True)
class PlayerNight:
    """What a night came to for one player.

    Attributes:
        player: Their id in the night.
        names: What they were called that night, the last name last.
        bought_in: All they bought.
        net: Their result of the game, as it stands on the night's slip.
        besides: Their part of shared costs, tips, differences of the box, and what rounding gave or took.
    """

    player: str
    names: tuple[str, ...]
    bought_in: Amount
    net: Amount
    besides: Amount = 0


@dataclass(frozen=True, slots=True)
class NightResult:
    """What a closed night came to.

    Attributes:
        night: Its file's name, such as ``2026-11-28-1``; names sort as nights follow each other in a day.
        day: The day it began, ISO.
        currency: Code of what amounts are in; empty for chips.
        players: Everybody who bought in.
        others: What the nets lack to zero: of the house, of pools that were carried, of missing chips.
    """

    night: str
    day: str
    currency: str
    players: tuple[PlayerNight, ...]
    others: tuple[tuple[str, Amount], ...] = ()


# --- who is who ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the house.

    Attributes:
        person: The id: stable for ever.
        name: What they were called last.
        names: Everything they were ever called, as keys of `same_person`.
    """

    person: str
    name: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class People:
    """Everybody of a house, and who sat where.

    Attributes:
        persons: In the order they first came.
        seats: (night, player id) -> person id; once known it is never worked out again.
    """

    persons: tuple[Person, ...] = ()
    seats: Mapping[tuple[str, str], str] = field(default_factory=lambda: MappingProxyType({}))

    def person(self, person: str) -> Person:
        """Somebody by id."""
        return next(one for one in self.persons if one.person == person)

    def at(self, night: str, player: str) -> str:
        """The person that sat there."""
        return self.seats[night, player]


def recognise(people: People, nights: Iterable[NightResult]) -> People:
    """Return the people after these nights: known ones are found again, new ones get an id."""
    for night in sorted(nights, key=night_order):
        people = _recognise_night(people, night)
    return people


def join(people: People, name: str, other: str) -> People:
    """Say that two people are one: `other`'s nights and names go to `name`.

    Raises:
        UnknownPerson: One of them is unknown, or the name is that of several.
        AssistantError: They sat in one night together.
    """
    keeps, goes = _named(people, name), _named(people, other)
    if keeps == goes:
        return people
    seats = dict(people.seats)
    nights = {night for (night, _player), person in seats.items() if person == keeps.person}
    theirs = {night for (night, _player), person in seats.items() if person == goes.person}
    together = sorted(nights & theirs)
    if together:
        raise AssistantError(f"{keeps.name} and {goes.name} sat together in {together[0]}: they are two.")
    names = (*keeps.names, *(one for one in goes.names if one not in keeps.names))
    persons = tuple(
        replace(one, names=names) if one == keeps else one for one in people.persons if one != goes
    )
    moved = {seat: keeps.person if person == goes.person else person for seat, person in seats.items()}
    return People(persons, moved)


def part(people: People, night: str, name: str) -> People:
    """Say that whoever bore `name` in a night is another person than was thought, with an id of their own.

    Raises:
        UnknownPerson: Nobody of that name sat there.
    """
    key = same_person(name)
    seats = dict(people.seats)
    for (where, player), person in seats.items():
        if where == night and key in people.person(person).names:
            new = Person(_next_id(people), name, (key,))
            return People((*people.persons, new), {**seats, (where, player): new.person})
    raise UnknownPerson(f"Nobody called {name} sat in {night}.", "See: tableside people")


def night_order(night: NightResult) -> tuple[str, int]:
    """Return what puts nights in order: the day, then the number of that day."""
    return night.day, _order(night.night)[1]


def _order(name: str) -> tuple[str, int]:
    day, _dash, number = name.rpartition("-")
    return day, int(number) if number.isascii() and number.isdigit() else 0


def _recognise_night(people: People, night: NightResult) -> People:
    seats = dict(people.seats)
    taken = {seats[night.night, one.player] for one in night.players if (night.night, one.player) in seats}
    for one in night.players:
        if (night.night, one.player) in seats:
            continue
        person = _known(people, one.names, taken)
        name = one.names[-1]
        keys = tuple(dict.fromkeys(same_person(each) for each in one.names))
        if person is None:
            new = Person(_next_id(people), name, keys)
            people = replace(people, persons=(*people.persons, new))
            person = new.person
        else:
            sat = [where for (where, _player), who in seats.items() if who == person]
            is_latest = all(_order(where) < _order(night.night) for where in sat)
            shown = name if is_latest else people.person(person).name
            people = replace(people, persons=_called(people.persons, person, shown, keys))
        taken.add(person)
        seats[night.night, one.player] = person
    return People(people.persons, seats)


def _known(people: People, names: Sequence[str], taken: set[str]) -> str | None:
    """Return who bears a name: it counts more what somebody is called now than what they were called once."""
    free = [one for one in people.persons if one.person not in taken]
    for name in reversed(names):
        key = same_person(name)
        now = [one for one in free if same_person(one.name) == key]
        once = [one for one in free if key in one.names]
        for found in (now, once):
            if len(found) == 1:
                return found[0].person
    return None


def _called(persons: tuple[Person, ...], person: str, name: str, keys: tuple[str, ...]) -> tuple[Person, ...]:
    return tuple(
        replace(one, name=name, names=(*one.names, *(key for key in keys if key not in one.names)))
        if one.person == person
        else one
        for one in persons
    )


def _named(people: People, name: str) -> Person:
    found = [one for one in people.persons if one.person == name]
    found = found or [one for one in people.persons if same_person(one.name) == same_person(name)]
    found = found or [one for one in people.persons if same_person(name) in one.names]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(one.person for one in found)
        raise UnknownPerson(f"Several people are called {name}: {ids}.", "Write the id instead of the name.")
    raise UnknownPerson(f"Nobody called {name} was ever in a closed night here.", "See: tableside people")


def _next_id(people: People) -> str:
    numbers = [int(one.person) for one in people.persons if one.person.isascii() and one.person.isdigit()]
    return str(max(numbers, default=0) + 1)


# --- standings ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Standing:
    """One person over a season.

    Attributes:
        course: Result after each night of the season, carried on where they were away.
        won: Nights with a result above zero.
        net: Of the game; `besides` is what came to it: shared costs, tips, differences, rounding.
    """

    person: str
    name: str
    nights: int
    won: int
    bought_in: Amount
    net: Amount
    best: Amount
    worst: Amount
    course: tuple[Amount, ...]
    besides: Amount = 0

    @property
    def in_all(self) -> Amount:
        """What the season did to their pocket: net, shared costs, tips, differences and rounding."""
        return self.net + self.besides


@dataclass(frozen=True, slots=True)
class Season:
    """The standings of the nights that were played for one currency.

    Attributes:
        currency: Its code; empty for chips.
        nights: Names of the nights, in order.
        days: Their days, ISO.
        rows: Best first; those with equal results in the order of their names.
        others: What nobody of them won or lost, so that all together are zero: node -> amount.
    """

    currency: str
    nights: tuple[str, ...]
    days: tuple[str, ...]
    rows: tuple[Standing, ...]
    others: tuple[tuple[str, Amount], ...] = ()


def season_of(nights: Iterable[NightResult], people: People, currency: str) -> Season:
    """Return the standings over the nights of a currency; amounts of two currencies are never added.

    Two people of one name are told apart by their ids, as the list of people has them: ``Anna (4)``.

    Args:
        nights: Closed nights.
        people: Who is who; knows everybody of these nights.
        currency: Code; empty for chips.
    """
    played = sorted((night for night in nights if night.currency == currency), key=night_order)
    results: dict[str, dict[int, tuple[Amount, Amount, Amount]]] = {}
    seats = dict(people.seats)
    for place, night in enumerate(played):
        for one in night.players:
            bought, net, besides = results.setdefault(seats[night.night, one.player], {}).get(place, _NOTHING)
            sums = (bought + one.bought_in, net + one.net, besides + one.besides)
            results[seats[night.night, one.player]][place] = sums
    rows = [_standing(people.person(person), by_night, len(played)) for person, by_night in results.items()]
    called = Counter(same_person(person.name) for person in people.persons)
    rows = [
        replace(row, name=f"{row.name} ({row.person})") if called[same_person(row.name)] > 1 else row
        for row in rows
    ]
    rows.sort(key=lambda row: (-row.net, same_person(row.name), row.person))
    others: Counter[str] = Counter()
    for night in played:
        for node, amount in night.others:
            others[node] += amount
    return Season(
        currency,
        tuple(night.night for night in played),
        tuple(night.day for night in played),
        tuple(rows),
        tuple((node, amount) for node, amount in others.items() if amount),
    )


def currencies(nights: Iterable[NightResult]) -> tuple[str, ...]:
    """Return what was played for, the latest night's first."""
    ordered = sorted(nights, key=night_order, reverse=True)
    return tuple(dict.fromkeys(night.currency for night in ordered))


_NOTHING: tuple[Amount, Amount, Amount] = (0, 0, 0)


def _standing(person: Person, by_night: Mapping[int, tuple[Amount, Amount, Amount]], length: int) -> Standing:
    nets = [net for _bought, net, _besides in by_night.values()]
    course: list[Amount] = []
    for place in range(length):
        before = course[-1] if course else 0
        course.append(before + by_night.get(place, _NOTHING)[1])
    return Standing(
        person.person,
        person.name,
        nights=len(by_night),
        won=sum(net > 0 for net in nets),
        bought_in=sum(bought for bought, _net, _besides in by_night.values()),
        net=sum(nets),
        best=max(nets),
        worst=min(nets),
        course=tuple(course),
        besides=sum(besides for _bought, _net, besides in by_night.values()),
    )


# --- pictures made of letters -------------------------------------------------------------------------------

BLOCKS = " ▏▎▍▌▋▊▉█"
STEPS = "▁▂▃▄▅▆▇█"


def bar(amount: Amount, most: Amount, width: int) -> str:
    """Return a bar of at most `width` columns, in eighths of a column; `most` fills it."""
    if most <= 0 or not amount:
        return ""
    eighths = max(1, round(abs(amount) * width * 8 / most))
    full, rest = divmod(min(eighths, width * 8), 8)
    return "█" * full + (BLOCKS[rest] if rest else "")


def sparkline(course: Sequence[Amount], low: Amount, high: Amount, width: int) -> str:
    """Return a course as a line of at most `width` steps between the season's lowest and highest result."""
    if not course or width <= 0:
        return ""
    shown = list(course)
    if len(shown) > width:  # the last night always shows
        shown = [shown[(place + 1) * len(shown) // width - 1] for place in range(width)]
    span = high - low
    top = len(STEPS) - 1
    return "".join(STEPS[(amount - low) * top // span if span else top // 2] for amount in shown)
