"""The command line: reads the arguments, wires the parts together; it and `commands` alone write to stdout.

Exit codes: 0 done, 2 wrong use or a file that can't be read, 3 the night is open in another window, 4
verification failed, 5 not saved.
"""

from __future__ import annotations

import argparse
import codecs
import errno
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from assistant import __version__
from assistant.commands.devices import add_device_commands
from assistant.commands.output import (
    IN_USE,
    NOT_SAVED,
    NOT_VERIFIED,
    OK,
    WRONG_USE,
    UsageError,
    complain,
    print_json,
)
from assistant.commands.paper import add_paper_commands
from assistant.commands.safety import add_safety_commands
from assistant.commands.season import add_season_commands
from assistant.commands.shared_options import (
    add_console,
    add_copies,
    add_shared,
    folder,
    language_of,
    refuse_strangers,
)
from assistant.errors import AssistantError
from assistant.i18n import SOURCE_LANGUAGE, _, speaking
from assistant.started import in_house

if TYPE_CHECKING:  # imported where they are used, so that starting stays quick
    from assistant.money import Currency
    from assistant.store.base import NightStore
    from assistant.table.record import Refused
    from drivers.base import CardSource
    from drivers.spec import SourceSpec

Command = Callable[[argparse.Namespace], int]

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What a disk says that takes no more output."""

_IN_LETTERS = "tableside.letters"
_SUIT_LETTERS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line; the usage is in ``--help``."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}.", f"See {self.prog} --help.")


class _CommandParser(_Parser):
    """A command's, at any depth: what all of them take may stand behind it as well as before it."""

    def __init__(self, **known: Any) -> None:
        super().__init__(**known)
        add_shared(self)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Returns:
        The exit code.
    """
    _make_output_safe()
    try:
        options = _build_parser().parse_args(sys.argv[1:] if arguments is None else arguments)
        if options.version:
            print(f"tableside {__version__}")
            return OK
        refuse_strangers(options)
        in_house(options.house)
        command: Command = options.run
        with speaking(language_of(options)):
            code = _run(command, options)
        sys.stdout.flush()  # a full disk is said here, not in a traceback when Python ends
        return code
    except AssistantError as error:
        complain(str(error))
        return _exit_code(error)
    except BrokenPipeError:  # the reader of a pipe has seen enough
        _silence_stdout()
        return OK
    except OSError as error:
        if error.filename is not None or error.errno not in _NO_ROOM:
            raise
        _silence_stdout()
        complain(f"The output is not whole: {error.strerror}. Free some space, or write it elsewhere.")
        return NOT_SAVED
    except KeyboardInterrupt:
        return 130
    finally:
        in_house(None)


def _run(command: Command, options: argparse.Namespace) -> int:
    """Run a command; of a night that the console has open it says what can be done there, and what here."""
    try:
        return command(options)
    except AssistantError as error:
        from assistant.store.base import NightInUse

        if isinstance(error, NightInUse) and options.command is not None:
            error.hint = _in_the_console(options.command)
        raise


def _in_the_console(command: str) -> str:
    match command:
        case "verify":
            there = _("There Ctrl+R says its number and head.")
        case "export" | "print":
            there = _("There F6, then P prints the slip and S saves it, as text and PDF.")
        case _:
            there = ""
    here = _("Here: quit there first (Ctrl+Q, everything is saved), then enter this again.")
    return f"{there} {here}".lstrip()


def _make_output_safe() -> None:
    """Letters that the terminal's encoding lacks are replaced, never an error; suits by their letters."""
    codecs.register_error(_IN_LETTERS, _replace_letters)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=_IN_LETTERS)


def _replace_letters(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_SUIT_LETTERS.get(sign, "?") for sign in lacking), error.end


def _silence_stdout() -> None:
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _exit_code(error: AssistantError) -> int:
    from assistant.store.base import NightInUse, NotSaved, NotWritable

    if isinstance(error, NightInUse):
        return IN_USE
    return NOT_SAVED if isinstance(error, NotSaved | NotWritable) else WRONG_USE


def _build_parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="tableside", description="The dealer's console for Red Dog at home.")
    parser.add_argument("--version", action="store_true", help="print the version and end")
    add_shared(parser, default=None)
    add_copies(parser, default=None)
    add_console(parser)
    parser.set_defaults(run=_console, command=None)
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", parser_class=_CommandParser
    )
    _add_replay(commands)
    _add_odds(commands)
    _add_simulate(commands)
    add_device_commands(commands)
    add_paper_commands(commands)
    add_safety_commands(commands)
    add_season_commands(commands)
    return parser


def _add_replay(commands: argparse._SubParsersAction[_CommandParser]) -> None:
    replay = commands.add_parser("replay", help="run a file of table talk")
    replay.add_argument("file", metavar="FILE", help="a text file, or - for standard input")
    replay.add_argument("--json", action="store_true", help="print the final state as one JSON object")
    replay.add_argument(
        "--trace", action="store_true", help="print a JSON object for every line, then the final one"
    )
    replay.add_argument("--strict", action="store_true", help="stop at the first refused line (exit 2)")
    replay.add_argument("--into", type=folder, metavar="FOLDER", help="store the night in this house folder")
    replay.set_defaults(run=_replay)


def _add_odds(commands: argparse._SubParsersAction[_CommandParser]) -> None:
    odds = commands.add_parser("odds", help="exact odds of a game")
    odds.add_argument("game", metavar="GAME")
    odds.add_argument("--decks", type=int, metavar="N", help="full decks in the shoe")
    odds.add_argument("--shoe", metavar="CARDS", help='cards left of each rank, e.g. "A:6 K:4 10:3"')
    odds.add_argument("--hand", default="", metavar="CARDS", help='a hand, e.g. "KH QD 9C"; or two posts')
    odds.add_argument("--dead", default="", metavar="CARDS", help="other cards that can't come")
    odds.add_argument("--json", action="store_true")
    odds.set_defaults(run=_odds)


def _add_simulate(commands: argparse._SubParsersAction[_CommandParser]) -> None:
    simulate = commands.add_parser("simulate", help="a simulated season against the exact odds")
    simulate.add_argument("game", metavar="GAME")
    simulate.add_argument("--rounds", type=_positive, default=1000, metavar="N")
    simulate.add_argument("--seed", type=int, default=1, metavar="S", help="the same seed, the same season")
    simulate.add_argument("--json", action="store_true")
    simulate.set_defaults(run=_simulate)


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 10**9):
        raise argparse.ArgumentTypeError(f"{text} is not a number of rounds")
    return int(text)


# --- the console --------------------------------------------------------------------------------------------


def _console(options: argparse.Namespace) -> int:
    from assistant.config import HOUSE_FILE, house_folder
    from assistant.console.app import run_console
    from assistant.table.evening import Evening
    from assistant.table.taught import TaughtFile
    from drivers.cursors import CursorFile

    house = house_folder(options.house, options.copies)
    language = options.language or house.language or SOURCE_LANGUAGE
    sources = (
        tuple(options.sources) or house.sources
    )  # what is typed stands instead of the house's usual ones
    try:
        _check_sources(sources, house.folder)
    except AssistantError as error:
        if options.sources:
            raise
        raise UsageError(f"{house.folder / HOUSE_FILE}, sources: {error.message}", error.hint) from error
    cursors = CursorFile(house.cursors)
    taught = TaughtFile(house.taught)

    def begins(night: str) -> None:
        cursors.begin(night)
        taught.begin(night)

    evening = Evening(house, options.open_night, options.new_night, begins)

    def open_card_source(source: str | SourceSpec) -> CardSource:
        from drivers.registry import open_source

        return open_source(source, house=house.folder, cursors=cursors.saved())

    with speaking(language):  # what is wrong with a night is said before the screens begin
        return run_console(
            evening.open,
            sources=sources,
            language=language,
            slips=house.slips,
            house=house.folder,
            printer_of=house.printer,
            handled=cursors.handled,
            opener=open_card_source,
            decks=house.decks,
            taught=taught,
            rescue=evening,
            season=evening.season,
        )


def _check_sources(sources: Sequence[str], house: Path) -> None:
    """A mistyped source or option is said before the console takes the screen; no device is opened."""
    if not sources:
        return
    from drivers.base import DriverError, DriverMissing
    from drivers.registry import open_source

    for source in sources:
        try:
            open_source(source, house=house)
        except DriverError as error:
            if not error.can_retry and not isinstance(error, DriverMissing):
                raise
            # what may be there later, or needs a library, is said at the table, where the keyboard works


# --- replay -------------------------------------------------------------------------------------------------


def _replay(options: argparse.Namespace) -> int:
    from assistant.ledger.nodes import HOUSE, MISSING_NAME
    from assistant.ledger.receivable import is_only_missing
    from assistant.table.night_log import NightLog
    from assistant.table.record import night_record
    from assistant.table.replay import replay_lines, trace_record

    lines = _read_lines(options.file)
    store = _replay_store(options.into)
    refused: list[Refused] = []
    try:
        log = NightLog(store)
        for replayed in replay_lines(log, lines):
            if replayed.refused:
                refused.append(replayed.refused)
            if options.trace:
                print_json(trace_record(replayed, refused))
            if replayed.refused and options.strict:
                break
        record = night_record(log.night, refused)
    finally:
        store.close()
    if options.json or options.trace:
        print_json(record)
    else:
        is_missing = is_only_missing(log.night.chips, log.night.books.money)
        house = MISSING_NAME if is_missing else HOUSE  # without a bank nobody is the house
        _print_replay(record, refused, log.night.currency, log.night.money, house)
    return WRONG_USE if refused and options.strict else OK


def _read_lines(name: str) -> list[str]:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        text = _("{file} can't be read: {why}.").format(file=name, why=error.strerror or error)
        raise UsageError(text) from error
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        text = _("{file} is no UTF-8 text: bad byte in line {line}.").format(file=name, line=line)
        raise UsageError(text, _("Save it as UTF-8.")) from error
    # by line ends only: a form feed or U+2028 in a note ends no line, and numbers must be those of an editor
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def _replay_store(folder: Path | None) -> NightStore:
    from assistant.config import house_folder
    from assistant.store.memory import MemoryNight
    from assistant.store.nights import prepare, start_night
    from assistant.table.night_log import local_now

    if folder is None:
        return MemoryNight()
    return start_night(prepare(house_folder(folder)), local_now().date())


def _print_replay(
    record: dict[str, Any], refused: Sequence[Refused], currency: Currency, cash: Currency, house: str
) -> None:
    from functools import partial

    from assistant.money import format_amount

    money = partial(format_amount, currency=currency)
    for one in refused:
        text = _("line {number}: {code}  {message}")
        print(text.format(number=one.line, code=one.code, message=one.message))
    text = _("phase {phase}  pool {pool}  {house} {result}")
    pool, result = money(record["pool"]), money(record["house"])
    print(text.format(phase=record["phase"], pool=pool, house=_(house), result=result))
    for name, net in record["nets"].items():
        text = _("{name}: stack {stack}, net {net}")
        stack = money(record["stacks"].get(name, 0))
        print(text.format(name=name, stack=stack, net=money(net, sign=True)))
    for payment in record.get("settlement", ()):
        print(f"{payment['from']} -> {payment['to']}: {format_amount(payment['amount'], cash)}")


# --- odds ---------------------------------------------------------------------------------------------------


def _odds(options: argparse.Namespace) -> int:
    from assistant.cards import parse_card
    from assistant.errors import Refusal
    from assistant.games.odds_record import odds_record, read_shoe
    from assistant.games.variants import game_named
    from assistant.wording import Wording

    try:
        game = game_named(options.game)
        hand, dead = (
            tuple(parse_card(word, bare_rank=game.bare_ranks) for word in text.replace(",", " ").split())
            for text in (options.hand, options.dead)
        )
    except Refusal as refusal:
        raise UsageError(Wording().refusal(refusal)) from refusal
    shoe = read_shoe(options.shoe) if options.shoe is not None else None
    record = odds_record(game.name, decks=options.decks, shoe=shoe, hand=hand, dead=dead)
    if options.json:
        print_json(record)
    else:
        for line in _table_lines(record):
            print(line)
    return OK


def _table_lines(record: Mapping[str, object], indent: str = "") -> Iterator[str]:
    """The record for reading: one value a line, tables below their name."""
    for name, value in record.items():
        label = indent + name.replace("_", " ")
        if isinstance(value, dict):
            yield label
            yield from _table_lines(value, indent + "  ")
        elif isinstance(value, list):
            yield label + ("" if value else " none")
            for row in value:
                yield indent + "  " + "  ".join(f"{key} {one}" for key, one in row.items())
        elif value is not None:
            yield f"{label:<24} {value}"


# --- simulation -----------------------------------------------------------------------------------------


def _simulate(options: argparse.Namespace) -> int:
    from time import perf_counter

    from assistant.errors import Refusal
    from assistant.table.simulation import simulate
    from assistant.wording import Wording

    begun = perf_counter()
    progress = _progress_bar(options.rounds) if sys.stderr.isatty() else None
    try:
        found = simulate(options.game.lower(), options.rounds, options.seed, progress)
    except Refusal as refusal:
        raise UsageError(Wording().refusal(refusal)) from refusal
    seconds = perf_counter() - begun
    low, high = found.interval
    record: dict[str, object] = {
        "game": found.game,
        "rounds": found.rounds,
        "seed": found.seed,
        "lines": found.lines,
        "rounds_per_second": round(found.rounds / seconds, 1),
        "measure": found.measure,
        "mean": round(found.mean, 6),
        "standard_error": round(found.error, 6),
        "interval_95": [round(low, 6), round(high, 6)],
        "exact": None if found.exact is None else round(float(found.exact), 6),
        "standard_errors_off": None if found.errors_off is None else round(found.errors_off, 2),
        "agrees": found.agrees,
    }
    if options.json:
        print_json(record)
    else:
        for line in _table_lines({**record, "interval_95": f"{low:.6f} to {high:.6f}"}):
            print(line)
    return OK if found.agrees else NOT_VERIFIED


def _progress_bar(rounds: int) -> Callable[[int], None]:
    def show(done: int) -> None:
        filled = 30 * done // rounds
        end = "\n" if done >= rounds else ""
        print(
            f"\r[{'#' * filled}{'.' * (30 - filled)}] {done}/{rounds}", end=end, file=sys.stderr, flush=True
        )

    return show
