"""Slips to a file and to the system's printer; the ledger never hears of what goes wrong here.

A print that is in doubt is never repeated by itself: paper may have come out. Receipt printers that are no
queue of the system are in `drivers.receipt_printer`. Tried with stand-ins for CUPS' ``lp`` and ``lpr`` only;
Windows is untried.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from assistant.i18n import _
from assistant.targets import check_target
from drivers.base import DriverError, DriverNotFound, DriverOpenFailed

TIMEOUT_S = 15.0
"""A print system that hasn't taken a slip by then is taken to hang."""
LIST_TIMEOUT_S = 3.0
_CHARACTERS_AN_INCH = 12
_LINES_AN_INCH = 7
_LONGEST_REASON = 120


class NoPrinter(DriverNotFound):
    """There is nothing to print with: no ``lp`` or ``lpr``, or no printer of that name."""


class PrinterRefused(DriverOpenFailed):
    """The print system didn't take the slip; nothing was printed."""


class PrintDoubtful(DriverError):
    """The print system didn't answer; the slip may have been printed."""


class SlipNotWritten(DriverError):
    """The slip's file could not be written; an older one of that name is untouched."""


def write_slip(content: str | bytes, path: Path) -> Path:
    """Write a slip to a file, text as UTF-8; it is there whole or not at all, also after a power cut.

    A pipe or a device (``/dev/stdout``) is written to and never replaced.

    Raises:
        Kept: A night or a house's own file lies there; it was left as it was.
        SlipNotWritten: It couldn't be written.
    """
    part = path.with_name(f".{path.name}.part")
    data = content.encode("utf-8") if isinstance(content, str) else content
    check_target(path, data)
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return path
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        message = _("The slip could not be written to {path}: {reason}.")
        text_ = message.format(path=path, reason=error.strerror or error)
        raise SlipNotWritten(
            text_, _("Choose another folder or free some space; the night itself is saved.")
        ) from error
    return path


def print_text(
    text: str, printer: str | None = None, *, title: str = "Tableside", timeout_s: float = TIMEOUT_S
) -> str:
    """Send a slip to the system's printer.

    Args:
        text: The slip.
        printer: Its name in the print system; None means the default one.
        title: Name of the job in the print system's list.
        timeout_s: How long the print system may take to accept it.

    Returns:
        The name of the printer, as far as it is known.

    Raises:
        NoPrinter: There is nothing to print with.
        PrinterRefused: Nothing was printed.
        PrintDoubtful: Look at the paper before printing again.
    """
    if sys.platform == "win32":
        return _print_on_windows(text, "tableside-slip.txt")
    sizes = (f"cpi={_CHARACTERS_AN_INCH}", f"lpi={_LINES_AN_INCH}")
    answer = _run(_command(printer, title, sizes), text.encode("utf-8"), timeout_s)
    return printer or _printer_in(answer) or _("the default printer")


def print_pdf(
    data: bytes, printer: str | None = None, *, title: str = "Tableside", timeout_s: float = TIMEOUT_S
) -> str:
    """Send a PDF to the system's printer; arguments, answer and errors as of `print_text`."""
    if sys.platform == "win32":
        return _print_on_windows(data, "tableside-slip.pdf")
    answer = _run(_command(printer, title, ()), data, timeout_s)
    return printer or _printer_in(answer) or _("the default printer")


def print_bytes(data: bytes, printer: str, *, title: str = "Tableside", timeout_s: float = TIMEOUT_S) -> None:
    """Send bytes to a queue of the print system, past all its filters.

    Raises:
        NoPrinter: There is nothing to print with.
        PrinterRefused: Nothing was printed.
        PrintDoubtful: Look at the paper before printing again.
    """
    if sys.platform == "win32":
        _bytes_on_windows(data, printer)
    else:
        _run(_command(printer, title, ("raw",)), data, timeout_s)


def list_printers(timeout_s: float = LIST_TIMEOUT_S) -> tuple[str, ...]:
    """Return the printers the print system knows; none where there is none or it doesn't answer."""
    program = shutil.which("lpstat")
    if program is None:
        return ()
    try:
        done = subprocess.run(
            [program, "-e"], capture_output=True, timeout=timeout_s, env=_environment(), check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    if done.returncode:
        return ()
    return tuple(
        line for line in map(_printable, done.stdout.decode("utf-8", "replace").splitlines()) if line
    )


def _command(printer: str | None, title: str, options: Sequence[str]) -> list[str]:
    """The program and its arguments; a list, so that no shell reads a name or a title."""
    if printer is not None and (not printer or printer.startswith("-")):
        raise NoPrinter(_("{name} is no printer's name.").format(name=repr(printer)), _looks())
    for name, printer_option, title_option in (("lp", "-d", "-t"), ("lpr", "-P", "-T")):
        program = shutil.which(name)
        if program is not None:
            chosen = [printer_option, printer] if printer is not None else []
            switches = [word for option in options for word in ("-o", option)]
            return [program, *chosen, title_option, _printable(title), *switches]
    message = _("This computer has no print system (neither lp nor lpr was found).")
    raise NoPrinter(message, _("Install CUPS, or print the slip's file elsewhere."))


def _run(command: Sequence[str], data: bytes, timeout_s: float) -> str:
    try:
        done = subprocess.run(
            command,
            input=data,
            capture_output=True,
            timeout=timeout_s,
            env=_environment(),
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        message = _("The print system gave no answer within {seconds} s: unknown whether it printed.")
        raise PrintDoubtful(message.format(seconds=f"{timeout_s:g}"), look_at_paper()) from error
    except OSError as error:
        message = _("{program} could not be started: {reason}.")
        text_ = message.format(program=command[0], reason=error.strerror or error)
        raise PrinterRefused(text_, _looks()) from error
    if done.returncode < 0:  # killed by a signal: what it had handed over by then nobody knows
        message = _("{program} was ended by signal {number}: unknown whether it printed.")
        text_ = message.format(program=Path(command[0]).name, number=-done.returncode)
        raise PrintDoubtful(text_, look_at_paper())
    if done.returncode:
        reason = _reason(done.stderr) or _("exit code {code}").format(code=done.returncode)
        raise PrinterRefused(
            _("The printer did not take the slip: {reason}.").format(reason=reason), _looks()
        )
    return done.stdout.decode("utf-8", "replace")


def _environment() -> dict[str, str]:
    """English answers, and slips read as UTF-8 whatever the system's language is."""
    return {**os.environ, "LC_ALL": "C.UTF-8"}


def _reason(stderr: bytes) -> str:
    """The first line a print program complained with, without its own name in front."""
    lines = stderr.decode("utf-8", "replace").strip().splitlines() or [""]
    line = _printable(lines[0]).removeprefix("lp: ").removeprefix("lpr: ")
    return line.removeprefix("Error - ").rstrip(".")[:_LONGEST_REASON]


def _printer_in(answer: str) -> str:
    """The printer's name in CUPS' answer: ``request id is Office-12 (1 file(s))``."""
    words = answer.partition("request id is ")[2].split()
    return _printable(words[0].rpartition("-")[0]) if words else ""


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)


def look_at_paper() -> str:
    """Return what to do when nobody knows whether something was printed."""
    return _("Look at the paper before you print again.")


def _looks() -> str:
    return _("Look at the printer and the paper, then print again; the night itself is saved.")


def _print_on_windows(content: str | bytes, name: str) -> str:
    """Hand a file to whatever prints such files there (untried)."""
    if sys.platform != "win32":
        raise NoPrinter(_("This is not Windows."))
    path = write_slip(content, Path(tempfile.gettempdir()) / name)
    try:
        os.startfile(path, "print")
    except OSError as error:
        message = _("The printer did not take the slip: {reason}.")
        raise PrinterRefused(message.format(reason=error.strerror or error), _looks()) from error
    return _("the default printer")


def _bytes_on_windows(data: bytes, printer: str) -> None:
    """Send bytes to a printer of Windows that is shared under its name (untried)."""
    path = printer if printer.startswith("\\\\") else f"\\\\localhost\\{printer}"
    opened = False
    try:
        with open(path, "wb", buffering=0) as queue:
            opened = True
            queue.write(data)
    except OSError as error:
        reason = error.strerror or error
        if opened:
            message = _("The print system failed ({reason}): unknown whether it printed.")
            raise PrintDoubtful(message.format(reason=reason), look_at_paper()) from error
        message = _("The printer did not take the slip: {reason}.")
        hint = _("Share the printer in Windows' settings, and name it by its share.")
        raise PrinterRefused(message.format(reason=reason), hint) from error
