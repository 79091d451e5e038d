"""Commands about devices: sources, listen, calibrate shoe; `read` and the camera have files of their own."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.commands.cameras import add_camera_commands
from assistant.commands.output import OK, WRONG_USE, UsageError, print_json
from assistant.commands.pictures import add_read
from assistant.started import as_started, command, command_from_anywhere

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from assistant.config import House
    from drivers.base import Found
    from drivers.emulation import Emulation


UNATTENDED_S = 3.0
"""Seconds between the cards of an emulated shoe at which nobody can press Enter."""
TERMINAL = 80
"""Columns of the narrowest terminal that is played in."""


def add_device_commands(commands: _SubParsersAction[Any]) -> None:
    """Add the commands."""
    listen = commands.add_parser("listen", help="print what a card source says")
    listen.add_argument("source", metavar="SOURCE")
    listen.add_argument("--json", action="store_true")
    listen.set_defaults(run=_listen)
    _add_sources(commands)
    add_read(commands)
    calibrate = commands.add_parser("calibrate", help="teach the program your devices and decks")
    parts = calibrate.add_subparsers(title="what", metavar="WHAT", required=True)
    add_camera_commands(parts)
    _add_shoe(parts)


def _add_sources(commands: _SubParsersAction[Any]) -> None:
    sources = commands.add_parser("sources", help="list cameras, serial ports and printers")
    sources.add_argument("--json", action="store_true")
    sources.add_argument("--find", metavar="PORT", help="listen at this port for its speed and format")
    sources.add_argument("--emulate", choices=("oslp",), help="play a seeded shoe on a pty until Ctrl+C")
    shoe = sources.add_argument_group("the emulated shoe")
    shoe.add_argument("--seed", type=int, default=7)
    shoe.add_argument("--decks", type=int, default=1, choices=range(1, 17), metavar="N")
    shoe.add_argument("--delay", type=float, metavar="S", help="a card every S seconds; else Enter deals")
    shoe.add_argument("--cut", type=int, default=0, metavar="N", help="cards left when the cut card comes")
    shoe.add_argument("--one-way", action="store_true", help="it hears nothing and sends all three times")
    shoe.add_argument("--bit-errors", type=float, default=0.0, metavar="SHARE", help="bits that turn over")
    shoe.add_argument("--cut-lines", type=float, default=0.0, metavar="SHARE", help="lines cut short")
    shoe.add_argument("--missed", type=float, default=0.0, metavar="SHARE", help="cards it cannot read")
    shoe.add_argument("--unplug-every", type=float, default=0.0, metavar="S")
    shoe.add_argument("--reset-every", type=float, default=0.0, metavar="S")
    sources.set_defaults(run=_sources)


def _add_shoe(parts: _SubParsersAction[Any]) -> None:
    shoe = parts.add_parser("shoe", help="enrol a deck of tagged or bar-coded cards")
    shoe.add_argument("source", nargs="?", metavar="SOURCE", help="its reader: serial:PORT,format=…")
    shoe.add_argument("--deck", required=True, metavar="NAME", help="what the deck is called")
    shoe.add_argument("--back", default="", metavar="COLOUR", help="colour of its back")
    shoe.add_argument("--jokers", type=int, choices=(0, 1, 2), default=0)
    shoe.add_argument("--stickers", type=int, choices=(1, 2), default=1, help="stickers a card bears")
    shoe.add_argument("--replace", action="store_true", help="enrol a deck of this name anew")
    shoe.add_argument("--import", dest="tags", type=Path, metavar="FILE", help="take the tags of a CSV file")
    shoe.add_argument("--export", type=Path, metavar="FILE", help="write the tags of the deck as CSV")
    shoe.set_defaults(run=_calibrate_shoe)


# --- listening ----------------------------------------------------------------------------------------------


def _listen(options: argparse.Namespace) -> int:
    from assistant.config import house_folder
    from assistant.table.intake import listen
    from drivers.base import as_record
    from drivers.registry import open_source

    for event in listen(open_source(options.source, house=house_folder(options.house).folder)):
        record = as_record(event)
        if options.json:
            print_json(record)
        else:
            known = {key: value for key, value in record.items() if value not in (None, "", [])}
            print("  ".join(f"{key}={value}" for key, value in known.items()), flush=True)
    return OK


def _sources(options: argparse.Namespace) -> int:
    from assistant.device_words import PRINTER, missing
    from drivers.printers import find_printers
    from drivers.registry import detect, kinds_of

    if options.emulate is not None:
        return _emulate(options)
    if options.find is not None:
        return _find(options, options.find)
    sources, printers = detect(), find_printers()
    for one in (*sources, *printers):
        _print_found(one, options.json)
    if not options.json:
        kinds = [*kinds_of(sources), *([PRINTER] if printers else [])]
        for lack in missing(kinds):
            print(as_started(str(lack)))
    return OK


def _find(options: argparse.Namespace, port: str) -> int:
    from drivers.registry import find

    if not options.json:
        print(
            "Listening for 9 seconds, sending nothing. Draw a card or lay one on the reader, again and again."
        )
    count = 0
    for one in find(port):
        count += 1
        _print_found(one, options.json)
    if not count and not options.json:
        print("Nothing that makes sense was heard. Is it switched on, and did it read a card meanwhile?")
    return OK if count else WRONG_USE


def _emulate(options: argparse.Namespace) -> int:
    import tempfile
    import threading

    from drivers.emulated_shoe import EmulatedShoe, Faults
    from drivers.emulation import Emulation, Timetable

    shoe = EmulatedShoe(
        seed=options.seed,
        decks=options.decks,
        can_hear=not options.one_way,
        cut=options.cut,
        faults=Faults(options.bit_errors, options.cut_lines, options.missed),
    )
    # cards that come by themselves come when none is due as well, and the table asks about them
    delay_s = options.delay if options.delay is not None else 0.0 if sys.stdin.isatty() else UNATTENDED_S
    timetable = Timetable(delay_s, options.unplug_every, options.reset_every)
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        port = Path(folder) / "shoe"
        emulation = Emulation(shoe, port, timetable, lambda text: print(text, flush=True))
        print(f"An emulated shoe is at {port}; Ctrl+C ends it. In another terminal:")
        print(_folded(f"  {command_from_anywhere()}", f"--source serial:{port},format=oslp"), flush=True)
        if not delay_s:
            print(
                "There: choose a game, seat a player, bet. Then press Enter here for each card.", flush=True
            )
            threading.Thread(target=_deal_on_enter, args=(emulation,), daemon=True).start()
        try:
            emulation.run()
        except KeyboardInterrupt:
            print("The emulated shoe is gone.")
    return OK


def _folded(start: str, rest: str) -> str:
    """A command that can be copied as it stands; where a terminal would break it, a shell's own way to."""
    line = f"{start} {rest}"
    return line if len(line) < TERMINAL else f"{start} \\\n      {rest}"


def _deal_on_enter(emulation: Emulation) -> None:
    for _line in sys.stdin:
        emulation.deal()


def _print_found(found: Found, as_json: bool) -> None:
    from dataclasses import asdict

    if as_json:
        print_json(asdict(found))
    else:
        print(found, flush=True)


# --- enrolling a deck ---------------------------------------------------------------------------------------


def _calibrate_shoe(options: argparse.Namespace) -> int:
    from assistant.config import house_folder
    from drivers.decks import TAGS, checked_name

    house, name = house_folder(options.house), checked_name(options.deck)
    if options.export is not None:
        return _export_tags(house, name, options.export)
    if (house.decks / name / TAGS).exists() and not options.replace:
        raise UsageError(f"There is a deck {name} already.", "Choose another name, or add --replace.")
    if options.tags is not None:
        return _import_tags(house, name, options)
    if options.source is None:
        raise UsageError("Which reader?", "Add it: serial:/dev/ttyUSB0,format=uidline, or --import FILE.")
    return _enrol(house, name, options)


def _enrol(house: House, name: str, options: argparse.Namespace) -> int:
    from assistant.table.enrolling import EnrolmentDesk, Keyboard, enrol
    from assistant.table.night_log import local_now
    from drivers.deckmap import tag_format
    from drivers.decks import save_deck
    from drivers.enrolment import Enrolment
    from drivers.registry import open_source, parse_source

    spec = parse_source(options.source)
    format = tag_format(spec.options.get("format", ""))
    desk = EnrolmentDesk(Enrolment(jokers=options.jokers, stickers=options.stickers), format)
    enrol(open_source(spec, house=house.folder), desk, Keyboard(), _say)
    if not desk.is_done:
        raise UsageError("The deck is not enrolled; nothing was saved.")
    created = local_now().isoformat(timespec="seconds")
    deck = desk.enrolment.deck(name, format=format, back=options.back, created=created)
    _say([*desk.report(), f"Saved in {save_deck(house.decks, deck)}."])
    print(f"Play with it: {command()} --source {options.source},deck={name}")
    return OK


def _say(lines: list[str]) -> None:
    for line in lines:
        print(line, flush=True)


def _import_tags(house: House, name: str, options: argparse.Namespace) -> int:
    from drivers.decks import import_tags, save_deck

    deck = import_tags(name, options.tags, back=options.back, jokers=options.jokers)
    place = save_deck(house.decks, deck)
    missing = f" Without a tag: {' '.join(deck.missing)}." if deck.missing else ""
    print(f"{len(deck.tags)} tags of {len(set(deck.tags.values()))} cards saved in {place}.{missing}")
    return OK


def _export_tags(house: House, name: str, path: Path) -> int:
    from drivers.decks import load_deck, tags_csv

    deck = load_deck(house.decks, name)
    try:
        path.write_text(tags_csv(deck), encoding="utf-8", newline="")
    except OSError as error:
        raise UsageError(f"{path} can't be written: {error.strerror or error}.") from error
    print(f"{len(deck.tags)} tags of deck {deck.name} written to {path}.")
    return OK
