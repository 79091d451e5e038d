"""Commands about many nights: season (the standings) and people (who is who)."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.commands.output import NOT_SAVED, OK, UsageError, complain
from assistant.commands.shared_options import add_copies
from assistant.i18n import N_, _, ngettext
from assistant.ledger.season import DAMAGED, IN_USE, OPEN

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from assistant.config import House
    from assistant.ledger.season import People, Season
    from assistant.table.season import HouseSeason

WIDTHS = (32, 42, 48, 80)
REASONS = {
    OPEN: N_("not closed yet"),
    IN_USE: N_("open in another window"),
    DAMAGED: N_("not as it was written (tableside verify says what is wrong)"),
}


def add_season_commands(commands: _SubParsersAction[Any]) -> None:
    """Add the commands."""
    season = commands.add_parser("season", help="standings over all closed nights")
    season.add_argument("--format", choices=("text", "csv", "pdf", "escpos"), default="text")
    season.add_argument("--width", type=int, choices=WIDTHS, help="columns of the paper")
    season.add_argument("--since", type=_day, metavar="DAY", help="from this day on, YYYY-MM-DD")
    season.add_argument("--until", type=_day, metavar="DAY", help="up to this day")
    season.add_argument(
        "--currency", metavar="CODE", help="EUR and the like, or chips; else the latest night's"
    )
    season.add_argument("--separator", choices=(",", ";"), default=",", help="; where decimals have a comma")
    season.add_argument(
        "--output",
        "--out",
        dest="out",
        type=Path,
        metavar="FILE",
        help="write to a file; a PDF always is one, in slips/ of the house",
    )
    season.add_argument("--image", action="store_true", help="of escpos: pictures instead of letters")
    season.add_argument(
        "--print",
        dest="printer",
        nargs="?",
        const="",
        metavar="PRINTER",
        help="print them, on the house's printer for slips or one such as usb, network:192.168.1.50",
    )
    season.set_defaults(run=_season)
    people = commands.add_parser("people", help="who is who over the nights")
    people.add_argument(
        "--join", nargs=2, metavar=("NAME", "OTHER"), help="two names are one person; the first name stays"
    )
    people.add_argument(
        "--part", nargs=2, metavar=("NIGHT", "NAME"), help="whoever had NAME in NIGHT is another person"
    )
    people.set_defaults(run=_people)
    for parser in (season, people):
        add_copies(parser)


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

    return house_folder(options.house, options.copies)


# --- standings ----------------------------------------------------------------------------------------------


def _season(options: argparse.Namespace) -> int:
    from assistant.table import standings
    from assistant.table.season import read_season

    progress = _progress if sys.stderr.isatty() else None
    every = read_season(_house(options), progress=progress)
    found = every.between(options.since or "", options.until or "")
    if not found.nights:
        raise _nothing_to_count(every, found, options)
    season = found.standings(_currency(options.currency, found))
    for night, why in found.left_out:
        complain(_("Night {name} does not count: {why}.").format(name=night, why=_(REASONS[why])))
    if options.printer is not None:
        return _print(found, season, options)
    match options.format:
        case "text":
            data = standings.as_text(found, season, options.width or 80)
        case "escpos":
            data = _receipt(found, season, options)
        case "csv":
            data = standings.as_csv(found, season, options.separator)
        case _:
            data = standings.as_pdf(found, season)
    if options.out is None and options.format == "pdf":
        options.out = _house(options).slips / f"{standings.file_name(season)}.pdf"
        if options.out.exists():
            hint = _("To write it anew say --output {file}.").format(file=shlex.quote(str(options.out)))
            raise UsageError(_("{file} is there already.").format(file=options.out.name), hint)
    if options.out is None and options.format == "escpos":
        if sys.stdout.isatty():
            raise UsageError(_("These bytes are for a printer."), _("Say --output FILE, or --print."))
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        return OK
    if options.out is None:
        sys.stdout.write(data.decode("utf-8-sig"))
        return OK
    from drivers.printer import write_slip

    print(write_slip(data, options.out))
    return OK


def _receipt(found: HouseSeason, season: Season, options: argparse.Namespace) -> bytes:
    from assistant.slips.escpos import IMAGE, TEXT, Paper, print_slip
    from assistant.table.season import standings_slip

    width = options.width or 48
    mode = IMAGE if options.image else TEXT
    return print_slip(standings_slip(found, season), Paper(width, mode, dots=384 if width == 32 else 576))


def _print(found: HouseSeason, season: Season, options: argparse.Namespace) -> int:
    """Save the standings as text and print them; as with `print`, words say whether they are on the paper."""
    from dataclasses import replace

    from assistant.table import standings
    from assistant.table.printing import put_on_paper
    from assistant.table.season import standings_slip
    from drivers.base import DriverError
    from drivers.printer import PrintDoubtful, SlipNotWritten, write_slip
    from drivers.printer_spec import read_printer

    house, is_saved = _house(options), True
    usual = house.printer("slip") or house.printer("receipt") or "system"
    printer = read_printer(options.printer or usual)
    if options.width:
        printer = replace(printer, columns=options.width)
    try:
        text = standings.as_text(found, season, options.width or 80)
        file = write_slip(text, house.slips / f"{standings.file_name(season)}.txt")
        print(_("Saved: {file}").format(file=file))
    except SlipNotWritten as error:
        is_saved = False
        complain(_("Not saved: {why}").format(why=error))
    try:
        chart = standings.course_chart(season) if printer.pdf else None
        what = put_on_paper(standings_slip(found, season), printer, "Tableside season", chart)
        print(_("Printed: {what}").format(what=what))
    except PrintDoubtful as error:
        complain(str(error))
    except DriverError as error:
        complain(_("Not printed: {why}").format(why=error))
    return OK if is_saved else NOT_SAVED


def _nothing_to_count(every: HouseSeason, found: HouseSeason, options: argparse.Namespace) -> UsageError:
    """What is missing: closed nights at all, some in these days, or nights that are as they were written."""
    others = [
        _("{name} is {why}").format(name=night, why=_(REASONS[why]))
        for night, why in found.left_out
        if why != OPEN
    ]
    if others:
        return UsageError(_("No night counts: {nights}.").format(nights=", ".join(others)))
    if every.nights:
        since = " " + _("from {day}").format(day=options.since) if options.since else ""
        until = " " + _("to {day}").format(day=options.until) if options.until else ""
        days = _("Those that count are from {first} to {last}.")
        days = days.format(first=every.nights[0].day, last=every.nights[-1].day)
        return UsageError(_("There are no closed nights{days}.").format(days=since + until), days)
    return UsageError(_("There are no closed nights to count."), _("A night counts once it is closed (F6)."))


def _currency(given: str | None, found: HouseSeason) -> str | None:
    if given is None:
        return None
    code = "" if given.lower() == "chips" else given.upper()
    if code not in found.currencies:
        known = ", ".join(one or "chips" for one in found.currencies)
        text = _("No night was played for {found}.").format(found=given)
        raise UsageError(text, _("There are nights for: {known}.").format(known=known))
    return code


def _progress(done: int, nights: int) -> None:
    end = "\n" if done >= nights else ""
    print(f"\r{done}/{nights}", end=end, file=sys.stderr, flush=True)


# --- who is who ---------------------------------------------------------------------------------------------


def _people(options: argparse.Namespace) -> int:
    from assistant.ledger.season import join, part
    from assistant.table.season import check_night, read_season, write_people

    house = _house(options)
    found = read_season(house)
    people = found.people  # everybody of the last night among them, also where nothing is kept
    changed = people
    if options.join:
        changed = join(changed, *options.join)
    if options.part:
        night, name = options.part
        changed = part(changed, check_night(house, night), name)
    if changed != people:
        write_people(house, changed)
    for line in _people_lines(changed, _spellings(found)):
        print(line)
    return OK


def _spellings(found: HouseSeason) -> dict[str, str]:
    """How each name was written first; the list of people keeps them in small letters, to compare."""
    from assistant.talk import same_person

    written: dict[str, str] = {}
    for night in found.nights:
        for player in night.players:
            for name in player.names:
                written.setdefault(same_person(name), name)
    return written


def _people_lines(people: People, written: Mapping[str, str]) -> Iterator[str]:
    from assistant.slips.layout import plain
    from assistant.talk import same_person

    for one in people.persons:
        nights = sorted(night for (night, _player), person in people.seats.items() if person == one.person)
        also = [plain(written.get(name, name)) for name in one.names if name != same_person(one.name)]
        known = ", " + _("also {names}").format(names=", ".join(also)) if also else ""
        span = ", " + _("{first} to {last}").format(first=nights[0], last=nights[-1]) if nights else ""
        count = ngettext("{count} night", "{count} nights", len(nights)).format(count=len(nights))
        yield f"{one.person:>3}  {plain(one.name)}{known}: {count}{span}"
    if not people.persons:
        yield _("Nobody yet: people are known from closed nights.")
