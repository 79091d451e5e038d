"""The season of a house: results of its closed nights, who is who, and the standings as they are shown.

Results are kept in a file beside the nights, each with the head of the night it was worked out from, so that
only new nights are played back. The nights are what counts: the file may be deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from assistant.config import House
from assistant.errors import AssistantError
from assistant.holdings import BANK, CARRIED, HELD, HOUSE, MISSING, POOL
from assistant.ledger import events as ledger
from assistant.ledger.receivable import unfound
from assistant.ledger.season import (
    DAMAGED,
    IN_USE,
    OPEN,
    NightResult,
    People,
    Person,
    PlayerNight,
    Season,
    currencies,
    recognise,
    season_of,
)
from assistant.money import CHIPS, Amount, Currency
from assistant.money_wording import standing_name
from assistant.slips.chart import MOST_TICKS, Chart, Series, thinned
from assistant.slips.content import StandingRow, StandingsSlip
from assistant.store.base import NightDamaged, NightInUse, NightStore, StoreError
from assistant.store.house_files import read_json, write_json
from assistant.store.nights import StoredNight, list_nights, night_path, parse_name
from assistant.table.night import Night
from assistant.table.night_log import NightLog
from assistant.table.results import besides_the_game
from assistant.table.stored import open_stored

VERSION = 3


@dataclass(frozen=True)
class HouseSeason:
    """The nights of a house that count, and why the others don't.

    Attributes:
        nights: Results, in order.
        people: Who is who.
        left_out: Name of a night and why it is left out.
    """

    nights: tuple[NightResult, ...]
    people: People
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def currencies(self) -> tuple[str, ...]:
        """What was played for, the latest night's first."""
        return currencies(self.nights)

    def standings(self, currency: str | None = None) -> Season:
        """The standings of a currency; of the latest night's unless one is named."""
        found = self.currencies
        return season_of(self.nights, self.people, currency if currency is not None else [*found, ""][0])

    def between(self, first: str = "", last: str = "") -> HouseSeason:
        """The same with the nights of some days only; days are ISO, empty means no limit."""
        nights = tuple(one for one in self.nights if first <= one.day and (not last or one.day <= last))
        left_out = tuple(
            one for one in self.left_out if first <= one[0][:10] and (not last or one[0][:10] <= last)
        )
        return HouseSeason(nights, self.people, left_out)


def read_season(
    house: House,
    playing: tuple[str, NightResult | None] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> HouseSeason:
    """Return the season of a house.

    Args:
        house: Where.
        playing: Name and result of the night this program has open itself; None for one that goes on.
        progress: Hears how many nights of how many were looked at.

    Raises:
        NightDamaged: The file of who is who can't be read.
    """
    known = _known_results(house)
    nights: list[NightResult] = []
    left_out: list[tuple[str, str]] = []
    kept: dict[str, object] = {}
    stored = list_nights(house)
    for number, one in enumerate(stored, start=1):
        found: NightResult | str
        if playing is not None and one.name == playing[0]:
            found = playing[1] or OPEN
        else:
            found, seen = _look(one, house.copies, known.get(one.name))
            if isinstance(found, NightResult):
                kept[one.name] = {"seen": seen, "result": asdict(found)}
        if isinstance(found, NightResult):
            nights.append(found)
        else:
            left_out.append((one.name, found))
        if progress is not None:
            progress(number, len(stored))
    if kept != known:
        with suppress(StoreError):  # only a short cut
            write_json(house.results, {"version": VERSION, "nights": kept})
    people = read_people(house)
    recognised = recognise(people, nights)
    if recognised != people:
        with suppress(StoreError):  # a folder that can only be read: worked out anew the next time
            write_people(house, recognised)
    return HouseSeason(tuple(nights), recognised, tuple(left_out))


def _look(
    stored: StoredNight, copies: Path, known: Mapping[str, Any] | None
) -> tuple[NightResult | str, str]:
    """Return a night's result or why it has none, and what its file was like when that was worked out."""
    try:
        with open_stored(stored.path, copies) as store:
            seen = store.seen()  # what was changed since is checked again, whatever its head says
            if known is not None and known.get("seen") == seen:
                with suppress(KeyError, TypeError, ValueError):
                    return _read_result(known["result"]), seen
            if not store.is_closed:
                return OPEN, seen
            return _play_back(store, stored), seen
    except NightInUse:
        return IN_USE, ""
    except (AssistantError, ValueError):
        return DAMAGED, ""


def _play_back(store: NightStore, stored: StoredNight) -> NightResult | str:
    if not store.verify().ok:
        return DAMAGED
    return night_result(NightLog(store), stored.name) or OPEN


def night_result(log: NightLog, name: str) -> NightResult | None:
    """Return what a night came to; None while it goes on.

    Args:
        log: The night.
        name: Its file's name.
    """
    night, day = log.night, parse_name(name)
    if not night.closed or day is None:
        return None
    names: dict[str, list[str]] = {}
    besides = besides_the_game(log)
    for step in log.log:
        for event in step.events if not step.undone else ():
            if isinstance(event, ledger.PlayerSeated | ledger.PlayerRenamed):
                names.setdefault(event.player, []).append(event.name)
    players = tuple(
        PlayerNight(
            person.player,
            tuple(dict.fromkeys((*names.get(person.player, ()), person.name))),
            night.bought_in(person.player) * night.chip,
            night.net(person.player) * night.chip,
            besides.get(person.player, 0),
        )
        for person in night.people
        if night.bought_in(person.player) or night.net(person.player) or besides.get(person.player)
    )
    return NightResult(name, day[0].isoformat(), night.money.code, players, _others(night))


def _others(night: Night) -> tuple[tuple[str, Amount], ...]:
    """What the house won, what lies in a pool that was carried, and what is missing or too many."""
    chips = night.chips
    common = chips.at(POOL) + chips.at(BANK) + chips.at(CARRIED)
    found = {HOUSE: chips.at(HOUSE), CARRIED: common, MISSING: unfound(chips) + chips.at(HELD)}
    return tuple((node, amount * night.chip) for node, amount in found.items() if amount)


# --- the files ----------------------------------------------------------------------------------------------


def _known_results(house: House) -> dict[str, Any]:
    with suppress(StoreError):
        found = read_json(house.results)
        if isinstance(found, dict) and found.get("version") == VERSION:
            nights = found.get("nights")
            return nights if isinstance(nights, dict) else {}
    return {}


def _read_result(found: Mapping[str, Any]) -> NightResult:
    players = tuple(
        PlayerNight(
            str(one["player"]),
            tuple(str(name) for name in one["names"]),
            int(one["bought_in"]),
            int(one["net"]),
            int(one["besides"]),
        )
        for one in found["players"]
    )
    others = tuple((str(node), int(amount)) for node, amount in found["others"])
    return NightResult(str(found["night"]), str(found["day"]), str(found["currency"]), players, others)


def read_people(house: House) -> People:
    """Return who is who in a house.

    Raises:
        NightDamaged: The file can't be read.
    """
    found = read_json(house.people)
    if found is None:
        return People()
    try:
        assert isinstance(found, dict)
        persons = tuple(
            Person(str(one["id"]), str(one["name"]), tuple(str(name) for name in one["names"]))
            for one in found["people"]
        )
        seats = {
            (str(night), str(player)): str(person)
            for night, players in found["seats"].items()
            for player, person in players.items()
        }
    except (KeyError, TypeError, ValueError, AttributeError, AssertionError) as error:
        raise NightDamaged(f"{house.people} is no list of people: {error!r}.", "Move it away.") from error
    ids = {one.person for one in persons}
    if not set(seats.values()) <= ids:
        raise NightDamaged(f"{house.people} names people it does not list.", "Move it away.")
    return People(persons, seats)


def write_people(house: House, people: People) -> None:
    """Keep who is who.

    Raises:
        StoreError: It can't be written.
    """
    seats: dict[str, dict[str, str]] = {}
    for (night, player), person in people.seats.items():
        seats.setdefault(night, {})[player] = person
    persons = [{"id": one.person, "name": one.name, "names": list(one.names)} for one in people.persons]
    write_json(house.people, {"version": VERSION, "people": persons, "seats": seats})


def check_night(house: House, name: str) -> str:
    """Return the name of a stored night that a person typed.

    Raises:
        NoSuchNight: There is none.
    """
    stem = night_path(house, name).stem
    assert parse_name(stem) is not None
    return stem


# --- as it is shown -----------------------------------------------------------------------------------------


def currency_of(code: str) -> Currency:
    """Return the currency of a code; chips for none."""
    return Currency.named(code) if code else CHIPS


def standings_slip(found: HouseSeason, season: Season) -> StandingsSlip:
    """Return a season's standings as they stand on a slip."""
    others = (one.night for one in found.nights if one.currency != season.currency)
    return StandingsSlip(
        rows=tuple(
            StandingRow(
                row.name, row.nights, row.bought_in, row.net, row.best, row.worst, row.course, row.besides
            )
            for row in season.rows
        ),
        first=season.days[0] if season.days else "",
        last=season.days[-1] if season.days else "",
        nights=len(season.nights),
        days=season.days,
        currency=currency_of(season.currency),
        skipped=(*others, *(name for name, _why in found.left_out)),
        others=tuple((standing_name(node), amount) for node, amount in season.others),
    )


def season_chart(title: str, season: Season, axis: str = "") -> Chart | None:
    """Return everybody's result over the nights; None where there is nothing to draw."""
    if not season.nights:
        return None
    series = tuple(
        Series(row.name, ((0, 0), *((place, amount) for place, amount in enumerate(row.course, start=1))))
        for row in season.rows
    )
    chosen = thinned(range(len(season.days)), MOST_TICKS)
    ticks = tuple((place + 1, season.days[place]) for place in chosen)
    return Chart(title, series, len(season.nights), ticks, axis)


def table_rows(season: Season) -> Iterator[Sequence[str | int]]:
    """Yield the standings as rows of a table: whole smallest units as numbers, everything else as text."""
    yield (
        "place",
        "person",
        "name",
        "nights",
        "won",
        "bought_in",
        "net",
        "in_all",
        "best",
        "worst",
        *season.nights,
    )
    nets = [row.net for row in season.rows]
    for row in season.rows:
        place = 1 + sum(net > row.net for net in nets)
        figures = (row.bought_in, row.net, row.in_all, row.best, row.worst)
        yield (place, row.person, row.name, row.nights, row.won, *figures, *row.course)
    for node, amount in season.others:
        yield ("", "", standing_name(node), "", "", "", amount, "", "", "", *("" for _night in season.nights))
