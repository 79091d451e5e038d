"""A night's slips on their way to paper: which one, on which printer, the how manieth copy.

The ledger never hears of printing. What was sent to a printer is noted in a file of the slips' folder, so
that a second print of the same slip says COPY 2, also where the first one is in doubt.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from assistant.slips.chart import Chart
from assistant.slips.content import (
    BUY_IN,
    COUNT,
    RULES,
    SETTLEMENT,
    RulesSlip,
    SettlementSlip,
    Slip,
    StandingsSlip,
)
from assistant.slips.text import render
from assistant.table.night_log import Clock, NightLog, local_now
from assistant.table.papers import buy_in_slip, count_slip, rules_slip
from assistant.table.settling import settlement_slip
from drivers.printer_spec import FILE, Printer

PRINTS = "prints.jsonl"
DOUBTFUL, PRINTED = "doubtful", "printed"
_MAKERS: Mapping[str, Callable[[NightLog, str, int | None], Slip]] = {
    SETTLEMENT: lambda log, name, _entry: settlement_slip(log, name),
    BUY_IN: buy_in_slip,
    COUNT: lambda log, name, _entry: count_slip(log, name),
    RULES: lambda log, name, _entry: rules_slip(log, name),
}


def slip_of(log: NightLog, name: str, kind: str = SETTLEMENT, entry: int | None = None) -> Slip:
    """Return a slip of a night.

    Args:
        log: The night.
        name: What it is called unless a line named it.
        kind: One of `assistant.slips.content.KINDS`.
        entry: Of a buy-in, which one; None means the last.

    Raises:
        NoSuchSlip: There is nothing to print.
    """
    return _MAKERS[kind](log, name, entry)


def put_on_paper(slip: Slip, printer: Printer, title: str = "Tableside", chart: Chart | None = None) -> str:
    """Print a slip.

    Args:
        slip: The slip.
        printer: Where to.
        title: Name of the job in the print system's list.
        chart: Goes with a settlement or standings where the printer takes them as PDF.

    Returns:
        Where.

    Raises:
        DriverError: It was not printed, or (`PrintDoubtful`) nobody knows.
    """
    if printer.takes_bytes:
        from assistant.slips.escpos import IMAGE, TEXT, Paper, print_slip
        from drivers.receipt_printer import send

        mode = IMAGE if printer.image else TEXT
        paper = Paper(printer.columns, mode, printer.code_page, printer.dots, printer.feed, printer.cut)
        return send(print_slip(slip, paper), printer)
    from drivers.printer import print_pdf, print_text, write_slip

    if printer.pdf and isinstance(slip, SettlementSlip | StandingsSlip):
        from assistant.slips.pdf import settlement_pdf, standings_pdf

        data = settlement_pdf(slip, chart) if isinstance(slip, SettlementSlip) else standings_pdf(slip, chart)
        return print_pdf(data, printer.address or None, title=title, timeout_s=printer.timeout_s)
    text = render(slip, printer.columns)
    if printer.kind == FILE:
        return str(write_slip(text, Path(printer.address)))
    return print_text(text, printer.address or None, title=title, timeout_s=printer.timeout_s)


@dataclass(frozen=True, slots=True)
class PrintLog:
    """What was sent to printers, as far as it can be read; a lost note costs a copy's number and no more.

    Attributes:
        folder: The slips' folder.
        clock: The time, with its zone.
    """

    folder: Path
    clock: Clock = local_now

    def numbered(self, slip: Slip, night: str, kind: str) -> Slip:
        """Return a slip with the number of its copy."""
        if isinstance(slip, RulesSlip | StandingsSlip):
            return slip
        key = _key(slip, night, kind)
        return replace(slip, copy=1 + sum(one == key for one in self._keys()))

    def note(self, slip: Slip, night: str, kind: str, printer: str, outcome: str) -> None:
        """Note a print that came out, or may have."""
        if isinstance(slip, RulesSlip | StandingsSlip):
            return
        record = {
            **_key(slip, night, kind),
            "at": self.clock().isoformat(timespec="seconds"),
            "printer": printer,
            "outcome": outcome,
        }
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            with (self.folder / PRINTS).open("ab") as file:
                file.write(json.dumps(record, ensure_ascii=False).encode("utf-8") + b"\n")
                file.flush()
                os.fsync(file.fileno())

    def _keys(self) -> list[dict[str, object]]:
        found = []
        with suppress(OSError):
            for line in (self.folder / PRINTS).read_bytes().splitlines():
                with suppress(ValueError, TypeError, KeyError):
                    record = json.loads(line)
                    found.append({name: record[name] for name in ("night", "kind", "head")})
        return found


def _key(slip: Slip, night: str, kind: str) -> dict[str, object]:
    """What makes two prints the same slip: the night's state is in the head."""
    return {"night": night, "kind": kind, "head": getattr(slip, "head", "")[:12]}
