"""The commands `calibrate camera` and `calibrate deck`: the same steps as in the console, line by line."""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.commands.output import OK, WRONG_USE, UsageError, print_json
from assistant.errors import Refusal
from assistant.started import command

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from calibration.camera import CameraSetup
    from calibration.deck import DeckProfile
    from calibration.showing import DeckShowing
    from drivers.base import CardSource, Sight

LOOK_S = 3.0
"""A live camera is looked at for so long."""
PLANS = ("table", "board-hand", "board", "any")


def add_camera_commands(parts: _SubParsersAction[Any]) -> None:
    """Add `calibrate camera` and `calibrate deck`."""
    camera = parts.add_parser("camera", help="where cards lie, what is where, light and focus")
    camera.add_argument("source", nargs="?", metavar="SOURCE", help="camera:0, or camera:PICTURE")
    camera.add_argument("--name", default="table", help="what it is saved as (default: table)")
    camera.add_argument("--corners", metavar="X,Y…", help='the cloth: "0.1,0.2 0.9,0.2 0.95,0.9 0.05,0.9"')
    camera.add_argument("--zones", choices=PLANS, default="table", help="what lies where (default: table)")
    camera.add_argument("--turn", type=int, choices=range(4), default=0, help="quarter turns to your chair")
    camera.add_argument("--hold", action="store_true", help="hold focus and exposure as they are now")
    camera.add_argument("--check", action="store_true", help="only say the verdict, save nothing")
    camera.add_argument("--sheet", type=Path, metavar="FILE.pdf", help="write the printable sheet and end")
    camera.add_argument("--paper", choices=("a4", "letter"), default="a4", help="paper of the sheet")
    camera.add_argument("--json", action="store_true")
    camera.set_defaults(run=_camera)
    deck = parts.add_parser("deck", help="show the camera a deck, card by card")
    deck.add_argument("source", metavar="SOURCE", help="camera:0, or camera:FOLDER of pictures")
    deck.add_argument("--deck", required=True, metavar="NAME", help="what the deck is called")
    deck.add_argument("--short", type=int, choices=(32, 36), help="a deck from 7 or from 6 up")
    deck.add_argument("--more", action="store_true", help="go on with a deck of this name")
    deck.set_defaults(run=_deck)


# --- the camera ---------------------------------------------------------------------------------------------


def _camera(options: argparse.Namespace) -> int:
    if options.sheet is not None:
        return _write_sheet(options.sheet, options.paper)
    if options.source is None:
        raise UsageError("Which camera?", "Add it: camera:0, or print the sheet first with --sheet FILE.pdf.")
    from assistant.config import house_folder
    from assistant.table.night_log import local_now
    from calibration.camera import CameraSetup
    from calibration.frames import Frame
    from calibration.profile import save_profile

    setup, last = CameraSetup(options.zones), None
    corners = _corners(options.corners) if options.corners else None
    for sight in _sights(options.source, LOOK_S, hold=options.hold):
        setup.add(Frame(sight.image, sight.time_s, sight.sent), sight.cards)
        last = sight
    if last is None:
        raise UsageError(f"No picture came from {options.source}.", "See tableside sources.")
    if corners is not None:
        setup.tap(corners)
    for _quarter in range(options.turn):
        setup.turn()
    profile = setup.profile(options.name, last.source, local_now(), last.held)
    path = None if options.check else save_profile(house_folder(options.house).cameras, profile)
    _say_camera(options, setup, last, path)
    return OK


def _write_sheet(path: Path, paper: str) -> int:
    from calibration.sheet import draw_sheet
    from drivers.printer import SlipNotWritten, write_slip

    try:
        write_slip(draw_sheet(paper), path)
    except SlipNotWritten as error:
        why = getattr(error.__cause__, "strerror", None) or error.message
        raise UsageError(f"{path} can't be written: {why}.") from error
    print(f"{path}: print it in true size (100 %), lay it where cards are turned, then calibrate.")
    return OK


def _say_camera(options: argparse.Namespace, setup: CameraSetup, last: Sight, path: Path | None) -> None:
    from assistant.camera_words import area_words, finding_words, plan_words, verdict_words

    findings = setup.findings()
    if options.json:
        record = {
            "source": last.source,
            "picture": list(setup.picture),
            "surface": setup.found_by or "picture",
            "corners": [[round(x, 4), round(y, 4)] for x, y in setup.area.corners],
            "card_px": round(setup.card_px, 1),
            "zones": setup.plan,
            "held": dict(last.held),
            "findings": [{"code": one.code, "severity": one.severity.name.lower()} for one in findings],
            "saved": str(path) if path is not None else None,
        }
        print_json(record)
        return
    card = f"{setup.card_px:.0f} px" if setup.card_px else "not known"
    print(f"{last.source}: picture {setup.picture[0]}x{setup.picture[1]}, smallest card {card}")
    print(f"surface: {area_words(setup.found_by)}")
    print(f"zones: {plan_words(setup.plan)}")
    if options.hold:
        print(f"held: {', '.join(sorted(last.held)) or 'nothing, this camera does not allow it'}")
    print(f"verdict: {verdict_words(findings)}")
    for finding in findings:
        print(f"  {finding_words(finding)}")
    print(f"Saved in {path}." if path is not None else "Nothing was saved.")


def _corners(text: str) -> list[list[float]]:
    try:
        return [[float(part) for part in word.split(",")] for word in text.replace(";", " ").split()]
    except ValueError as error:
        raise UsageError(
            f"{text!r} are no corners.", 'Write four places as shares: "0.1,0.2 0.9,0.2 0.95,0.9 0.05,0.9".'
        ) from error


# --- the deck -----------------------------------------------------------------------------------------------


def _deck(options: argparse.Namespace) -> int:
    from dataclasses import replace

    from assistant.camera_words import safety_words
    from assistant.config import house_folder
    from assistant.table.night_log import local_now
    from calibration.deck import to_be_asked
    from calibration.deck_files import is_shown, load_deck_looks, save_deck_looks
    from calibration.recogniser import Recogniser
    from calibration.showing import STILL_READINGS, DeckShowing
    from drivers.decks import checked_name

    name = checked_name(options.deck)
    folder = house_folder(options.house).decks / name
    if is_shown(folder) and not options.more:
        raise UsageError(f"Deck {name} was shown already.", "Add --more to go on, or choose another name.")
    deck = load_deck_looks(folder) if options.more else _new_deck(name, options.short)
    still = 1 if _is_folder(options.source) else STILL_READINGS
    showing, keyboard = DeckShowing(deck, still), _Typed()
    print("Lay the cards down, in any order, several at once if you like; each is wanted twice.")
    print("Enter on an empty line ends and saves.", flush=True)
    keyboard.start()
    asked, seen = None, None
    for sight in _sights(options.source):
        if sight.cards is not seen:
            seen = sight.cards
            for look in showing.add(sight.cards):
                print(f"{look.card}  {_progress(showing)}", flush=True)
        if showing.asked is not None and showing.asked is not asked:
            why = showing.asked.reason.replace("_", " ")
            print(f"Which card is it ({why})? Type it, such as qh; x: a joker, the back.", flush=True)
        asked = showing.asked
        if _take_words(showing, keyboard.take()) or showing.is_done:
            break
    if not showing.deck.looks:
        raise UsageError("No card was seen; nothing was saved.", "See tableside read with --annotate.")
    path = save_deck_looks(folder, replace(showing.deck, name=name), local_now())
    missing = " ".join(str(card) for card in showing.deck.missing())
    print(f"{_progress(showing)}.{f' Missing: {missing}.' if missing else ''} Saved in {path}.")
    verdicts = Recogniser().deck_verdicts(showing.deck)
    for verdict in to_be_asked(verdicts):
        print(f"  {safety_words(verdict)}")
    print(f"Play with it: {command()} --source {options.source},deck={name}")
    return OK if not missing else WRONG_USE


def _new_deck(name: str, short: int | None) -> DeckProfile:
    from calibration.deck import ALL_CARDS, DeckProfile

    lowest = {None: 2, 36: 6, 32: 7}[short]
    return DeckProfile(name, cards=tuple(card for card in ALL_CARDS if card.rank >= lowest))


def _progress(showing: DeckShowing) -> str:
    again = len(showing.deck.to_see_again())
    return f"{showing.seen} of {len(showing.deck.cards)} seen, {again} to see again"


def _take_words(showing: DeckShowing, words: list[str]) -> bool:
    """Take what was typed; True for the empty line that ends it."""
    from assistant.cards import parse_card

    for word in words:
        if not word:
            return True
        if showing.asked is None:
            print("No card is asked about now.", flush=True)
            continue
        try:
            showing.name(None if word.casefold() == "x" else parse_card(word))
        except Refusal:
            print(f"Not a card: {word}. Such as qh 10s ad.", flush=True)
    return False


class _Typed:
    """Lines of the keyboard, read beside the camera; a closed input is silence, not an end."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque()

    def start(self) -> None:
        threading.Thread(target=self._read, daemon=True).start()

    def take(self) -> list[str]:
        taken = []
        while self._lines:
            taken.append(self._lines.popleft())
        return taken

    def _read(self) -> None:
        for line in sys.stdin:
            self._lines.append(line.strip())


# --- looking ------------------------------------------------------------------------------------------------


def _is_folder(source: str) -> bool:
    return Path(source.partition(":")[2].partition(",")[0]).exists()


def _sights(source: str, seconds: float | None = None, *, hold: bool = False) -> Iterator[Sight]:
    """What a camera sees, one picture after the other; of files all of them, of a device for `seconds`.

    The house's own calibration is left out: it is what is being made.

    Raises:
        UsageError: It is no camera.
        DriverError: It can't be opened.
    """
    from drivers.registry import open_source, parse_source

    if parse_source(source).kind != "camera":
        raise UsageError(f"{source} is no camera.", "Give camera:0, a picture, a folder or a URL.")
    with open_source(source) as opened:
        if hold:
            opened.hold_still()
        yield from _pictures(opened, seconds)


def _pictures(opened: CardSource, seconds: float | None) -> Iterator[Sight]:
    end_s = None if seconds is None else time.monotonic() + seconds
    shown: tuple[object, object] = (None, None)
    while not opened.has_ended and (end_s is None or time.monotonic() < end_s):
        opened.read(0.0 if seconds is None else 0.1)  # of files one picture after the other, none left out
        sight = opened.sight()
        if sight is not None and shown != (sight.number, id(sight.cards)):
            shown = (sight.number, id(sight.cards))
            yield sight
