"""Commands about paper and other programs: export, print, import, settle."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.commands.output import NOT_SAVED, NOT_VERIFIED, OK, UsageError, complain, print_json
from assistant.commands.shared_options import add_copies
from assistant.errors import AssistantError
from assistant.i18n import _

if TYPE_CHECKING:
    from argparse import _SubParsersAction

    from assistant.config import House
    from assistant.export.nets_csv import Nets
    from assistant.slips.content import Slip
    from assistant.table.night_log import NightLog

BINARY = ("pdf", "escpos")
FORMATS = ("text", *BINARY, "csv", "pokernow", "jsonl", "hledger", "beancount", "talk")
SUFFIXES = {
    "text": ".txt",
    "pdf": ".pdf",
    "escpos": ".bin",
    "csv": ".csv",
    "pokernow": ".csv",
    "jsonl": ".jsonl",
    "hledger": ".journal",
    "beancount": ".beancount",
    "talk": ".talk",
}
WIDTHS = (32, 42, 48, 80)
SLIPS = ("settlement", "buy-in", "count", "rules")
TABLES = ("players", "settlement", "entries", "count")


def add_paper_commands(commands: _SubParsersAction[Any]) -> None:
    """Add the commands."""
    export = commands.add_parser("export", help="a stored night for paper and other programs")
    export.add_argument("night", metavar="NIGHT")
    export.add_argument("--format", choices=FORMATS, default="text")
    export.add_argument(
        "--output", metavar="FILE", help="a file, or a folder (FOLDER/ is made), of csv for all tables"
    )
    export.add_argument("--table", choices=TABLES, help="of csv: which table (else players)")
    export.add_argument("--separator", choices=(",", ";"), help="of csv; else as the night's language has it")
    export.add_argument("--image", action="store_true", help="of escpos: pictures instead of letters")
    export.set_defaults(run=_or_not_verified(_export))
    paper = commands.add_parser(
        "print",
        help="print a slip of a stored night",
        description="Saves a slip of a stored night as text and prints it. Exit code 0 says that it is "
        "saved, 5 that it could not be; whether it is on the paper is said in words (“Not printed”, “Look at "
        "the paper”).",
    )
    paper.add_argument("night", metavar="NIGHT")
    paper.add_argument(
        "--printer", metavar="PRINTER", help="such as system:Office, usb, network:192.168.1.50"
    )
    paper.set_defaults(run=_or_not_verified(_print))
    for parser in (export, paper):
        parser.add_argument("--slip", choices=SLIPS, default="settlement")
        parser.add_argument("--entry", type=int, metavar="N", help="of buy-in: its entry (else the last)")
        parser.add_argument("--width", type=int, choices=WIDTHS, help="columns of the paper")
        add_copies(parser)
    bring = commands.add_parser("import", help="make a stored night of an exported log (jsonl)")
    bring.add_argument("file", type=Path, metavar="FILE.jsonl")
    bring.set_defaults(run=_import)
    settle = commands.add_parser("settle", help="who pays whom, for a table of results")
    settle.add_argument("file", metavar="FILE.csv", help="player,net or player,in,out; - for standard input")
    settle.add_argument("--currency", metavar="CODE", help="what amounts are in, for example EUR")
    settle.add_argument("--json", action="store_true")
    settle.set_defaults(run=_settle)


# --- export ----------------------------------------------------------------------------------------------


def _or_not_verified(command: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """A night that cannot be read or played back is a failed verification."""

    def run(options: argparse.Namespace) -> int:
        from assistant.store.base import NightDamaged

        try:
            return command(options)
        except NightDamaged as error:
            text = _("What is left of it: tableside recover {name}").format(name=options.night)
            complain(f"{error} {text}")
            return NOT_VERIFIED

    return run


def _export(options: argparse.Namespace) -> int:
    from assistant.config import house_folder

    house = house_folder(options.house, options.copies)
    with _night(house, options) as (log, name, is_sound):
        folder = _folder(options.output)
        if folder is not None and options.format == "csv":
            for table in (options.table,) if options.table else TABLES:
                _write(_csv(log, name, table, options), folder / f"{name}-{table}.csv")
        elif folder is not None:
            _write(_made(log, name, options), folder / f"{name}{SUFFIXES[options.format]}")
        else:
            _deliver(_made(log, name, options), name, house, options)
    return OK if is_sound else NOT_VERIFIED


def _folder(output: str | None) -> Path | None:
    """The folder that was named: one that is there, or whose name ends as folders' names do."""
    if output is None:
        return None
    is_folder = output.endswith(("/", os.sep)) or Path(output).is_dir()
    return Path(output) if is_folder else None


@contextmanager
def _night(house: House, options: argparse.Namespace) -> Iterator[tuple[NightLog, str, bool]]:
    """A stored night, its name, and whether it is as it was written; the dealer's language is spoken."""
    from assistant.i18n import speaking
    from assistant.store.nights import night_path
    from assistant.table.damage import what_is_wrong
    from assistant.table.night_log import NightLog
    from assistant.table.stored import open_stored

    path = night_path(house, options.night)
    with open_stored(path, house.copies) as store:
        found = store.verify()
        log = NightLog(store)
        if not found.ok:
            text = _("What is printed may be wrong. What is left of it: tableside recover {name}")
            complain(f"{what_is_wrong(path.stem, found)} {text.format(name=path.stem)}")
        with speaking(options.language or log.night.language):
            yield log, path.stem, found.ok


def _made(log: NightLog, name: str, options: argparse.Namespace) -> bytes:
    """A night in the form that was asked for."""
    match options.format:
        case "text":
            return _text(_slip(log, name, options), options.width or 80).encode()
        case "pdf":
            return _pdf(log, name, options)
        case "escpos":
            return _receipt(_slip(log, name, options), options)
        case "csv":
            return _csv(log, name, options.table or "players", options)
        case "pokernow":
            from assistant.export.csv_files import write_csv
            from assistant.export.pokernow import rows
            from assistant.table.night_book import night_book

            return write_csv(rows(night_book(log, name)), mark="").encode()
        case _:
            return "".join(f"{line}\n" for line in _lines(log, name, options.format)).encode()


def _lines(log: NightLog, name: str, form: str) -> Iterator[str]:
    if form == "talk":
        return (str(entry.body.get("line", "")) for entry in log.store.entries())
    if form == "jsonl":
        from assistant.store.log_file import line_of, row_of

        return (line_of(row_of(entry)) for entry in log.store.entries())
    from assistant.export import beancount, hledger
    from assistant.table.night_book import night_book

    book = night_book(log, name)
    return hledger.journal(book) if form == "hledger" else beancount.ledger(book)


def _csv(log: NightLog, name: str, table: str, options: argparse.Namespace) -> bytes:
    from assistant.export.csv_files import COMMA, SEMICOLON, write_csv
    from assistant.export.csv_files import TABLES as MAKERS
    from assistant.i18n import language
    from assistant.table.night_book import night_book

    separator = options.separator or (SEMICOLON if language() == "ru" else COMMA)
    return write_csv(MAKERS[table](night_book(log, name)), separator).encode()


def _slip(log: NightLog, name: str, options: argparse.Namespace) -> Slip:
    from assistant.table.printing import slip_of

    return slip_of(log, name, options.slip, options.entry)


def _text(slip: Slip, width: int) -> str:
    from assistant.slips.text import render

    return render(slip, width)


def _pdf(log: NightLog, name: str, options: argparse.Namespace) -> bytes:
    from assistant.slips.pdf import settlement_pdf
    from assistant.table.courses import stack_chart
    from assistant.table.settling import settlement_slip

    if options.slip != "settlement":
        text = _("There is no PDF of the slip {slip}.").format(slip=options.slip)
        raise UsageError(text, _("Use --format text or escpos."))
    return settlement_pdf(settlement_slip(log, name), stack_chart(log))


def _receipt(slip: Slip, options: argparse.Namespace) -> bytes:
    from assistant.slips.escpos import IMAGE, TEXT, Paper, print_slip

    width = options.width or 48
    mode = IMAGE if options.image else TEXT
    return print_slip(slip, Paper(width, mode, dots=384 if width == 32 else 576))


def _deliver(data: bytes, name: str, house: House, options: argparse.Namespace) -> None:
    """To the file that was named, else to standard output; a terminal gets no binary data, a file is made."""
    if options.output is not None:
        _write(data, Path(options.output))
    elif options.format in BINARY and sys.stdout.isatty():
        _write(data, house.slips / f"{name}{SUFFIXES[options.format]}")
    elif options.format in ("text", "talk"):  # in letters that the terminal has
        sys.stdout.write(data.decode())
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def _write(data: bytes, path: Path) -> None:
    from drivers.printer import write_slip

    print(write_slip(data, path))


# --- print -----------------------------------------------------------------------------------------------


def _print(options: argparse.Namespace) -> int:
    """Save the slip as text, then print it; whatever the printer does, the slip is there (and exit is 0)."""
    from dataclasses import replace

    from assistant.config import house_folder
    from assistant.slips.text import render
    from assistant.table.courses import stack_chart
    from assistant.table.printing import DOUBTFUL, PRINTED, PrintLog, put_on_paper
    from assistant.targets import check_target
    from drivers.base import DriverError
    from drivers.printer import PrintDoubtful, SlipNotWritten, write_slip
    from drivers.printer_spec import FILE, read_printer

    house = house_folder(options.house, options.copies)
    printer = read_printer(options.printer or _usual_printer(house, options.slip))
    if options.width:
        printer = replace(printer, columns=options.width)
    if printer.kind == FILE:
        check_target(Path(printer.address))  # before anything is said to be saved
    with _night(house, options) as (log, name, is_sound):
        prints = PrintLog(house.slips)
        slip = prints.numbered(_slip(log, name, options), name, options.slip)
        is_saved = True
        try:
            file = house.slips / f"{name}-{options.slip}.txt"
            print(_("Saved: {file}").format(file=write_slip(render(slip, options.width or 80), file)))
        except SlipNotWritten as error:  # a folder that can only be read keeps nobody from printing
            is_saved = False
            complain(_("Not saved: {why}").format(why=error))
        try:
            chart = stack_chart(log) if printer.pdf else None
            what = put_on_paper(slip, printer, f"Tableside {name}", chart)
            print(_("Printed: {what}").format(what=what))
        except PrintDoubtful as error:
            prints.note(slip, name, options.slip, printer.name, DOUBTFUL)
            complain(str(error))
        except DriverError as error:
            complain(_("Not printed: {why}").format(why=error))
        else:
            prints.note(slip, name, options.slip, printer.name, PRINTED)
    if not is_sound:
        return NOT_VERIFIED
    return OK if is_saved else NOT_SAVED


def _usual_printer(house: House, slip: str) -> str:
    """The house's printer for this slip: buy-ins go to the one for receipts, the rest to that for slips."""
    if slip == "buy-in":
        return house.printer("receipt") or house.printer("slip") or "system"
    return house.printer("slip") or house.printer("receipt") or "system"


# --- import and settle -----------------------------------------------------------------------------------


def _import(options: argparse.Namespace) -> int:
    from assistant.config import house_folder
    from assistant.table.importing import import_night

    print(import_night(house_folder(options.house), options.file))
    return OK


def _settle(options: argparse.Namespace) -> int:
    from assistant.export.nets_csv import read_nets
    from assistant.ledger.settlement import settle
    from assistant.money import Currency

    try:
        currency = Currency.named(options.currency) if options.currency else None
        data = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
    except OSError as error:
        text = _("{file} can't be read: {why}.")
        raise UsageError(text.format(file=options.file, why=error.strerror or error)) from error
    except AssistantError as error:
        text = _("{found} is no currency.").format(found=options.currency)
        raise UsageError(text, _("Use three letters, for example EUR.")) from error
    nets = read_nets(data, currency)
    _check_sum(nets)
    plan = settle(nets.nets)
    if options.json:
        payments = [{"from": one.payer, "to": one.payee, "amount": one.amount} for one in plan.transfers]
        print_json({"settlement": payments, "payments": len(payments), "minimal": plan.minimal})
        return OK
    from assistant.money import format_amount
    from assistant.talk import printable

    for one in plan.transfers:
        amount = format_amount(one.amount, nets.currency)
        print(f"{printable(one.payer)} -> {printable(one.payee)}: {amount}")
    if not plan.transfers:
        print(_("Nobody owes anything."))
        return OK
    proof = _("fewest possible") if plan.minimal else _("not proved fewest")
    print(_("Payments: {count} ({proof})").format(count=len(plan.transfers), proof=proof))
    return OK


def _check_sum(nets: Nets) -> None:
    from assistant.money import format_amount

    total = sum(nets.nets.values())
    if total:
        amount = format_amount(total, nets.currency, sign=True)
        raise UsageError(
            _("The results sum to {amount}; they must sum to 0.").format(amount=amount),
            _("Look for a buy-in that is missing or doubled."),
        )
