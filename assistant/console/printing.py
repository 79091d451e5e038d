"""Slips to files and printers, off the table's thread: a printer that hangs holds up nobody.

One print at a time: P pressed twice is one print. What comes of it is said when it is known; the night's file
never hears of it.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from assistant.errors import AssistantError
from assistant.i18n import _

if TYPE_CHECKING:
    from assistant.slips.chart import Chart
    from assistant.slips.content import Slip

T = TypeVar("T")


class Press:
    """The printers of the house, and the folder of its slips.

    Args:
        slips: The folder; None keeps to the printer.
        printer_of: Which printer the house has for ``slip`` or ``receipt``; empty: the system's own.
    """

    def __init__(self, slips: Path | None, printer_of: Callable[[str], str]) -> None:
        self.slips = slips
        self._printer_of = printer_of
        self.busy = False

    async def print(self, slip: Slip, kind: str, night: str, chart: Chart | None = None) -> str:
        """Print a slip (its chart too, where the printer takes a PDF) and return what to tell the dealer.

        Raises:
            AssistantError: It was not printed; or nobody knows, and the error says to look at the paper.
        """
        if self.busy:
            return _("The printer is still at work.")
        self.busy = True
        try:
            return await _apart(lambda: self._print(slip, kind, night, chart))
        finally:
            self.busy = False

    def _print(self, slip: Slip, kind: str, night: str, chart: Chart | None) -> str:
        from assistant.slips.content import BUY_IN
        from assistant.table.printing import DOUBTFUL, PRINTED, PrintLog, put_on_paper
        from drivers.printer import PrintDoubtful
        from drivers.printer_spec import read_printer

        uses = ("receipt", "slip") if kind == BUY_IN else ("slip", "receipt")
        printer = read_printer(next(filter(None, map(self._printer_of, uses)), "system"))
        prints = PrintLog(self.slips) if self.slips is not None else None
        if prints is not None:
            slip = prints.numbered(slip, night, kind)
        try:
            where = put_on_paper(slip, printer, f"Tableside {night}", chart)
        except PrintDoubtful:
            if prints is not None:
                prints.note(slip, night, kind, printer.name, DOUBTFUL)
            raise
        if prints is not None:
            prints.note(slip, night, kind, printer.name, PRINTED)
        return _("Printed: {where}").format(where=where)

    async def save(self, texts: Mapping[int, str], pdf: bytes, night: str) -> str:
        """Write a settlement as text, a file a width, and as a PDF; return what to tell the dealer.

        Raises:
            AssistantError: One could not be written; those before it are there.
        """
        folder = self.slips
        if folder is None:
            raise AssistantError(_("There is no folder for slips; P prints."))
        paths = await _apart(lambda: save_slips(folder, night, texts, pdf))
        return _("Saved: {paths}").format(paths=", ".join(str(path) for path in paths))


def save_slips(folder: Path, night: str, texts: Mapping[int, str], pdf: bytes = b"") -> tuple[Path, ...]:
    """Write one file a width, and the PDF, and return the paths; a night's name is made harmless first.

    Raises:
        SlipNotWritten: One could not be written; those before it are there.
    """
    from drivers.printer import write_slip

    name = file_name(night)
    paths = [write_slip(text, folder / f"{name}-{width}.txt") for width, text in texts.items()]
    if pdf:
        paths.append(write_slip(pdf, folder / f"{name}.pdf"))
    return tuple(paths)


def file_name(night: str) -> str:
    """A night's name as part of a file name: letters, digits and dashes only."""
    kept = "".join(char if char.isalnum() or char in "-_" else "-" for char in night).strip("-")
    return kept[:60] or "night"


async def _apart(work: Callable[[], T]) -> T:
    """Do slow work on a thread that the end of the program doesn't wait for."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def tell(set_it: Callable[[], None]) -> None:
        if not done.done():
            set_it()

    def run() -> None:
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - it is raised again where it is awaited
            outcome, what = done.set_exception, error
        else:
            outcome, what = done.set_result, result  # type: ignore[assignment]
        with suppress(RuntimeError):  # the program has ended meanwhile
            loop.call_soon_threadsafe(tell, lambda: outcome(what))

    threading.Thread(target=run, name="print", daemon=True).start()
    return await done
