"""Commands about many nights: season (the standings) and people (who is who)."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.commands.output import OK, UsageError, complain

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from assistant.config import House
    from assistant.ledger.season import People
    from assistant.table.season import HouseSeason

WIDTHS = (32, 42, 48, 80)
REASONS = {
    "open": "not closed yet",
    "in use": "open in another window",
    "damaged": "not as it was written; see: tableside verify",
}


def add_season_commands(commands: _SubParsersAction[Any]) -> None:
    """Add the commands."""
    season = commands.add_parser("season", help="standings over all closed nights")
    season.add_argument("--format", choices=("text", "csv", "pdf"), default="text")
    season.add_argument("--width", type=int, choices=WIDTHS, default=80, help="columns of the text")
    season.add_argument("--since", type=_day, metavar="DAY", help="from this day on, YYYY-MM-DD")
    season.add_argument("--until", type=_day, metavar="DAY", help="up to this day")
    season.add_argument(
        "--currency", metavar="CODE", help="EUR and the like, or chips; else the latest night's"
    )
    season.add_argument("--separator", choices=(",", ";"), default=",", help="; where decimals have a comma")
    season.add_argument("--out", type=Path, metavar="FILE", help="write to a file; a PDF is always one")
    season.set_defaults(run=_season)
    people = commands.add_parser("people", help="who is who over the nights")
    people.add_argument(
        "--join", nargs=2, metavar=("NAME", "OTHER"), help="two names are one person; the first name stays"
    )
    people.add_argument(
        "--part", nargs=2, metavar=("NIGHT", "NAME"), help="whoever had NAME in NIGHT is another person"
    )
    people.set_defaults(run=_people)


def _day(text: str) -> str:
    from datetime import date

    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text} is no day; write it as 2026-11-28")
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"there is no day {text}") from None


def _house(options: argparse.Namespace) -> House:
    from assistant.config import house_folder

    return house_folder(options.house)


# --- standings ----------------------------------------------------------------------------------------------


def _season(options: argparse.Namespace) -> int:
    from assistant.table import standings
    from assistant.table.season import read_season

    progress = _progress if sys.stderr.isatty() else None
    found = read_season(_house(options), progress=progress).between(options.since or "", options.until or "")
    if not found.nights:
        raise UsageError("There are no closed nights to count.", "A night counts once it is closed (F6).")
    season = found.standings(_currency(options.currency, found))
    for night, why in found.left_out:
        complain(f"Night {night} does not count: {REASONS[why]}.")
    match options.format:
        case "text":
            data = standings.as_text(found, season, options.width)
        case "csv":
            data = standings.as_csv(found, season, options.separator)
        case _:
            data = standings.as_pdf(found, season)
    if options.out is None and options.format == "pdf":
        options.out = Path("standings.pdf")
        if options.out.exists():
            raise UsageError("standings.pdf is there already.", "To write it anew say --out standings.pdf.")
    if options.out is None:
        sys.stdout.write(data.decode("utf-8-sig"))
        return OK
    from drivers.printer import write_slip

    print(write_slip(data, options.out))
    return OK


def _currency(given: str | None, found: HouseSeason) -> str | None:
    if given is None:
        return None
    code = "" if given.lower() == "chips" else given.upper()
    if code not in found.currencies:
        known = ", ".join(one or "chips" for one in found.currencies)
        raise UsageError(f"No night was played for {given}.", f"There are nights for: {known}.")
    return code


def _progress(done: int, nights: int) -> None:
    end = "\n" if done >= nights else ""
    print(f"\r{done}/{nights}", end=end, file=sys.stderr, flush=True)


# --- who is who ---------------------------------------------------------------------------------------------


def _people(options: argparse.Namespace) -> int:
    from assistant.ledger.season import join, part
    from assistant.table.season import check_night, read_people, read_season, write_people

    house = _house(options)
    read_season(house)  # so that everybody of the last night is known
    people = read_people(house)
    changed = people
    if options.join:
        changed = join(changed, *options.join)
    if options.part:
        night, name = options.part
        changed = part(changed, check_night(house, night), name)
    if changed != people:
        write_people(house, changed)
    for line in _people_lines(changed):
        print(line)
    return OK


def _people_lines(people: People) -> Iterator[str]:
    from assistant.slips.layout import plain
    from assistant.talk import same_person

    for one in people.persons:
        nights = sorted(night for (night, _player), person in people.seats.items() if person == one.person)
        also = [plain(name) for name in one.names if name != same_person(one.name)]
        known = f", also {', '.join(also)}" if also else ""
        span = f", {nights[0]} to {nights[-1]}" if nights else ""
        count = f"{len(nights)} night{'' if len(nights) == 1 else 's'}"
        yield f"{one.person:>3}  {plain(one.name)}{known}: {count}{span}"
    if not people.persons:
        yield "Nobody yet: people are known from closed nights."
