"""Commands about the safety of stored nights: nights, verify, backup, recover."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.commands.output import NOT_VERIFIED, OK, UsageError, complain, print_json
from assistant.commands.shared_options import add_copies
from assistant.i18n import N_, _
from assistant.started import command

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from assistant.config import House
    from assistant.store.base import NightStore, Verification

STATES = (
    N_("closed"),
    N_("open"),
    N_("in use"),
    N_("damaged"),
    N_("newer"),
    N_("foreign"),
    N_("folder"),
    N_("gone"),
    N_("empty"),
)
LEAST_DIGITS = 8
"""So many digits of a head must be given: fewer would prove nothing."""


def add_safety_commands(commands: _SubParsersAction[Any]) -> None:
    """Add the commands."""
    nights = commands.add_parser("nights", help="list the stored nights")
    nights.set_defaults(run=_nights)
    verify = commands.add_parser("verify", help="check that a stored night is as it was written")
    verify.add_argument("night", metavar="NIGHT", nargs="?", default="")
    verify.add_argument(
        "--json", action="store_true", help="only the JSON object; a terminal gets a sentence behind it too"
    )
    verify.add_argument(
        "--slip", nargs="+", metavar=("SEQ", "HEAD"), help="number and head as they are printed on a slip"
    )
    verify.set_defaults(run=_verify)
    backup = commands.add_parser("backup", help="write a checked copy of a stored night")
    backup.add_argument("night", metavar="NIGHT")
    backup.add_argument("to", type=Path, metavar="TO", help="a folder, or the copy's file")
    backup.set_defaults(run=_backup)
    recover = commands.add_parser(
        "recover", help="make a sound night of what is left of a damaged one; the damaged file is kept"
    )
    recover.add_argument("night", metavar="NIGHT")
    recover.add_argument("--yes", action="store_true", help="do it; else only say what is left")
    recover.add_argument(
        "--trust", choices=("file", "copy"), default="", help="which counts where file and copy differ"
    )
    recover.set_defaults(run=_recover)
    for parser in (nights, verify, backup, recover):
        add_copies(parser)


def _house(options: argparse.Namespace) -> House:
    from assistant.config import house_folder

    return house_folder(options.house, options.copies)


# --- what is there ------------------------------------------------------------------------------------------


def _nights(options: argparse.Namespace) -> int:
    from assistant.store.nights import list_nights

    house = _house(options)
    stored = list_nights(house)
    width = max(len(_(word)) for word in STATES)
    for night in stored:
        state, why = _state_of(night.path, house.copies)
        print(f"{night.name}  {_(state):<{width}}  {night.size_bytes // 1024} KiB  {night.path}", flush=True)
        if why:
            complain(why)
    if not stored:
        print(_("No nights in {folder}.").format(folder=house.folder))
    return OK


def _state_of(path: Path, copies: Path) -> tuple[str, str]:
    """One word: closed, open (it goes on at the next start), in use, damaged, or what else lies there; and a
    sentence where it is no night that can be opened."""
    from assistant.store.base import ForeignFile, NightInUse, NightTooNew, StoreError
    from assistant.table.damage import what_is_wrong
    from assistant.table.stored import open_stored

    try:
        with open_stored(path, copies) as night:
            found = night.verify()
            if not found.ok:
                return "damaged", f"{what_is_wrong(path.stem, found)} {_see_recover(path.stem)}"
            return ("closed" if night.is_closed else "open"), ""
    except NightInUse:
        return "in use", ""
    except NightTooNew as error:
        return "newer", str(error)
    except ForeignFile as error:
        return "foreign", str(error)
    except StoreError as error:
        if path.is_dir():
            return "folder", str(error)
        if not path.exists():
            return "gone", str(error)
        return ("damaged" if path.stat().st_size else "empty"), str(error)


# --- is it as it was written --------------------------------------------------------------------------------


def _verify(options: argparse.Namespace) -> int:
    from assistant.store.base import NO_HASH, NightDamaged
    from assistant.store.nights import night_path
    from assistant.table.damage import what_is_wrong
    from assistant.table.stored import open_stored

    house = _house(options)
    name, slip = _night_and_slip(options)
    path = night_path(house, name)
    try:
        with open_stored(path, house.copies) as store:
            found = store.verify()
            found, slip_says = _against_slip(found, store, slip)
    except NightDamaged as error:
        complain(str(error))
        print_json({"night": path.stem, "entries": 0, "head": NO_HASH, "ok": False, "first_bad": None})
        return NOT_VERIFIED
    print_json(
        {
            "night": path.stem,
            "entries": found.entries,
            "head": found.head,
            "ok": found.ok,
            "first_bad": found.first_bad,
        }
    )
    if found.ok and found.entries and not options.json and sys.stdout.isatty():
        print(_is_sound(path.stem, found, with_slip=slip is not None), file=sys.stderr)
    elif slip_says:
        complain(slip_says)
    elif not found.ok:
        complain(f"{what_is_wrong(path.stem, found)} {_see_recover(path.stem)}")
    elif not found.entries:
        text = _("Night {name} has no entries. Was the file copied without the -entries file beside it?")
        complain(text.format(name=path.stem))
    return OK if found.ok else NOT_VERIFIED


def _is_sound(name: str, found: Verification, *, with_slip: bool) -> str:
    """What was found, for a person; scripts read the JSON."""
    text = _("Night {name} is as it was written: {count} entries, the chain is whole.")
    slip = " " + _("It holds what the slip says.") if with_slip else ""
    return text.format(name=name, count=found.entries) + slip


def _see_recover(name: str) -> str:
    """What helps with a damaged night."""
    return _("See: tableside recover {name}").format(name=name)


def _night_and_slip(options: argparse.Namespace) -> tuple[str, tuple[int, str] | None]:
    """The night's name, and number and head of a slip; the head stands in groups on paper, as it may here."""
    from assistant.store.nights import parse_name

    name, words = options.night, list(options.slip or ())
    if not name and words and parse_name(words[-1]) is not None:  # verify --slip SEQ HEAD NIGHT
        name = words.pop()
    if not name:
        raise UsageError(_("No night was named."), _("For example: verify 2026-11-28-1"))
    if options.slip is None:
        return name, None
    seq, head = words[0] if words else "", "".join("".join(words[1:]).split()).lower()
    if not (seq.isascii() and seq.isdecimal() and 0 < len(seq) < 10 and int(seq)):
        text = _("{found} is no number of an entry; the slip says one, such as 412.")
        raise UsageError(text.format(found=seq or _("Nothing")))
    if len(head) < LEAST_DIGITS or not head.isascii() or not set(head) <= set("0123456789abcdef"):
        text = _("{found} is no head; the slip shows at least {digits} digits, 0-9 and a-f.")
        raise UsageError(text.format(found=" ".join(words[1:]) or _("Nothing"), digits=LEAST_DIGITS))
    return name, (int(seq), head)


def _against_slip(
    found: Verification, store: NightStore, slip: tuple[int, str] | None
) -> tuple[Verification, str]:
    """Return what was found in the light of a printed slip, and what it says against the night."""
    from dataclasses import replace

    if slip is None or not found.ok:
        return found, ""
    seq, wanted = slip
    bad = replace(found, ok=False)
    kept = store.hash_at(seq)
    if kept is None:
        missing = replace(bad, first_bad=found.entries + 1, reason="cut")
        text = _("The slip names entry {number}; the night has {count}: its end was cut off.")
        return missing, text.format(number=seq, count=found.entries)
    if not kept.startswith(wanted):
        text = _(
            "Entry {number} has the head {head}, not the slip's: the night was written anew up to there, "
            "or the slip is another night's."
        )
        return bad, text.format(number=seq, head=kept[:12])
    return found, ""


# --- copies -------------------------------------------------------------------------------------------------


def _backup(options: argparse.Namespace) -> int:
    from assistant.store.nights import night_path
    from assistant.table.damage import what_is_wrong
    from assistant.table.stored import open_stored
    from assistant.targets import check_target

    house = _house(options)
    path = night_path(house, options.night)
    to = options.to / path.name if options.to.is_dir() else options.to
    if to.suffix != path.suffix:  # a stick that is out is no file to write
        what_helps = _("Make it, put the stick in, or name a {ending} file.").format(ending=path.suffix)
        raise UsageError(_("There is no folder {folder}.").format(folder=options.to), what_helps)
    check_target(to, is_backup=True)
    with open_stored(path, house.copies) as store:
        found = store.verify()
        if not found.ok:
            complain(f"{what_is_wrong(path.stem, found)} {_see_recover(path.stem)}")
            return NOT_VERIFIED
        store.backup(to)
        count, head = store.head
        text = _("{file}: {count} entries, checked, head {head}")
        print(text.format(file=to, count=count, head=head[:12]))
    return OK


def _recover(options: argparse.Namespace) -> int:
    """Say what is left, and with ``--yes`` make a sound night of it."""
    from assistant.store.base import NightDamaged
    from assistant.store.nights import night_path
    from assistant.store.salvage import SalvagedNight, Trust, TwoWays, check_recoverable, gather
    from assistant.table.damage import what_is_left
    from assistant.table.opening import examine, recover_night

    house = _house(options)
    path = night_path(house, options.night, may_be_missing=True)
    found = examine(house, path)
    if found.ok:
        text = _("Night {name} is as it was written, {count} entries. There is nothing to recover.")
        print(text.format(name=path.stem, count=found.entries))
        return OK
    trust = Trust(options.trust)
    salvage = gather(path, (house.copies,), trust)
    if not salvage.rows and not path.exists():
        text = _("There is no night {name} in {folder}, and no copy in {copies}.")
        raise UsageError(text.format(name=path.stem, folder=house.nights, copies=house.copies))
    damage = SalvagedNight(path.stem, salvage, found).damage
    assert damage is not None
    for line in what_is_left(damage) if salvage.rows else ():
        print(line)
    for copy in salvage.copies:
        print(_("From: {file}").format(file=copy))
    try:
        check_recoverable(path.stem, salvage, trust)
    except (NightDamaged, TwoWays) as error:  # what would be refused is not offered
        complain(str(error))
        return NOT_VERIFIED
    if not options.yes:
        text = _("Nothing was changed. To do it: {command}")
        print(text.format(command=_with_yes(path.stem, options)), file=sys.stderr)
        return NOT_VERIFIED
    done = recover_night(house, path.stem, trust)
    print(_("{file}: {count} entries, sound.").format(file=done.path, count=done.entries))
    if done.kept is not None:
        print(_("The damaged file is kept: {file}").format(file=done.kept))
    if done.rest is not None:
        print(_("To be checked line by line: {file}").format(file=done.rest))
    return OK


def _with_yes(name: str, options: argparse.Namespace) -> str:
    """The same command once more, to be done."""
    copies = f" --copies {shlex.quote(str(options.copies))}" if options.copies is not None else ""
    trust = f" --trust {options.trust}" if options.trust else ""
    return f"{command()} recover {name}{copies}{trust} --yes"
