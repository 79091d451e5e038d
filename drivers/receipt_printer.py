"""Bytes to receipt printers: USB, serial, network, a device file, or a queue of the print system.

Three outcomes, and no other: it was taken, nothing was printed (`NoPrinter`, `PrinterRefused`), or nobody
knows (`PrintDoubtful`): from the first byte on a failure is a doubt, for paper may have come out. A print is
never repeated by itself. **Tried with sockets, ptys, pipes and stand-ins only; real printers and Windows are
untried.**
"""

from __future__ import annotations

import errno
import os
import select
import socket
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from assistant.i18n import _
from drivers.printer import NoPrinter, PrintDoubtful, PrinterRefused, look_at_paper, print_bytes
from drivers.printer_spec import DEVICE, NETWORK, RAW, SERIAL, Printer

NETWORK_PORT = 9100
_CHUNK = 512
_CONNECT_S = 5.0
ANSWER_S = 5.0
"""How long a network printer that has taken everything may be silent; longer nobody at the table waits."""
_ASK = b"\x1dr\x01"
"""GS r 1, "transmit paper sensor status" (Epson's ESC/POS reference): it puts nothing on the paper, and a
printer answers it in its turn, behind the receipt, with one byte."""
_NO_ANSWER_BITS = 0x90
"""Bits that are 0 in that byte."""
_PAPER_OUT_BITS = 0x0C
_POLL_S = 0.02


def send(data: bytes, printer: Printer) -> str:
    """Send a receipt.

    Returns:
        The printer's name.

    Raises:
        NoPrinter: It isn't there; nothing was printed.
        PrinterRefused: It can't be used; nothing was printed.
        PrintDoubtful: Look at the paper before printing again.
    """
    match printer.kind:
        case kind if kind == NETWORK:
            _to_network(data, printer)
        case kind if kind == SERIAL:
            _to_serial(data, printer)
        case kind if kind == DEVICE:
            _to_device(data, printer)
        case kind if kind == RAW:
            print_bytes(data, printer.address, title="Tableside", timeout_s=printer.timeout_s)
        case _:
            from drivers.usb_printer import to_usb

            to_usb(data, printer)
    return printer.name


@contextmanager
def doubtful(printer: Printer, errors: tuple[type[Exception], ...] = (OSError,)) -> Iterator[None]:
    """Turn errors after the first byte into a doubt."""
    try:
        yield
    except PrintDoubtful:
        raise
    except errors as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        message = _("{printer} failed while it printed ({reason}): unknown how much came out.")
        raise PrintDoubtful(message.format(printer=printer.name, reason=reason), look_at_paper()) from error


def hangs(printer: Printer) -> PrintDoubtful:
    """Return the doubt about a printer that takes no more."""
    message = _("{printer} takes no more bytes for {seconds} s: unknown how much came out.")
    text = message.format(printer=printer.name, seconds=f"{printer.timeout_s:g}")
    return PrintDoubtful(text, _("Paper, cover, switched on? Look at the paper before you print again."))


def refused(printer: Printer, error: Exception) -> PrinterRefused:
    """Return the error for a printer that could not be opened."""
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    message = _("{printer} can't be used: {reason}. Nothing was printed.")
    return PrinterRefused(message.format(printer=printer.name, reason=reason), _remedy(error))


def _remedy(error: Exception) -> str:
    if getattr(error, "errno", None) in (errno.EACCES, errno.EPERM):
        return _("Type: sudo usermod -aG lp,dialout $USER   then log out and in again.")
    return _("Is it switched on and plugged in?")


# --- network -----------------------------------------------------------------------------------------------


def _to_network(data: bytes, printer: Printer) -> None:
    host, port = _host_and_port(printer)
    try:
        connection = socket.create_connection((host, port), min(_CONNECT_S, printer.timeout_s))
    except OSError as error:
        raise refused(printer, error) from error
    with connection, doubtful(printer):
        connection.settimeout(printer.timeout_s)
        connection.sendall(data)
        connection.sendall(_ASK)
        connection.shutdown(socket.SHUT_WR)
        _wait_for_end(connection, printer)


def _wait_for_end(connection: socket.socket, printer: Printer) -> None:
    """A printer that has printed everything says so, or ends the connection; one that breaks it off has a
    reason.

    It may tell its state unasked, for ever: nobody waits longer than for an answer. One that does none of
    this may not have read a byte: this computer's and its own buffers take a receipt whole.
    """
    longest_s = min(ANSWER_S, printer.timeout_s)
    until, has_told = time.monotonic() + longest_s, False
    while (left := until - time.monotonic()) > 0:
        connection.settimeout(left)
        try:
            told = connection.recv(_CHUNK)
        except TimeoutError:
            break
        if not told:
            return
        if len(told) == 1 and not told[0] & _NO_ANSWER_BITS:
            if told[0] & _PAPER_OUT_BITS:
                message = _("{printer} has no paper left: unknown how much came out.")
                raise PrintDoubtful(message.format(printer=printer.name), look_at_paper())
            return
        has_told = True
    if not has_told:
        message = _("{printer} gave no answer within {seconds} s: unknown whether it printed.")
        text = message.format(printer=printer.name, seconds=f"{longest_s:g}")
        raise PrintDoubtful(text, look_at_paper())


def _host_and_port(printer: Printer) -> tuple[str, int]:
    """``host``, ``host:port``, ``[v6]:port``."""
    host, colon, port = printer.address.rpartition(":")
    if not colon or (host.count(":") and not host.endswith("]")):
        host, port = printer.address, str(NETWORK_PORT)
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        message = _("{port} is no port of a printer; most listen on 9100.").format(port=repr(port))
        raise NoPrinter(message, _("Write network:ADDRESS or network:ADDRESS:PORT."))
    return host.strip("[]"), int(port)


# --- serial ------------------------------------------------------------------------------------------------


def _to_serial(data: bytes, printer: Printer) -> None:
    import serial

    try:
        port = serial.serial_for_url(
            printer.address,
            baudrate=printer.baud,
            write_timeout=printer.timeout_s,
            rtscts=printer.flow == "rtscts",
            dsrdtr=printer.flow == "dsrdtr",
            xonxoff=printer.flow == "xonxoff",
        )
    except (OSError, ValueError) as error:
        raise refused(printer, error) from error
    with doubtful(printer, (OSError, TypeError)):
        try:
            for start in range(0, len(data), _CHUNK):
                port.write(data[start : start + _CHUNK])
            _drain(port, printer)
        except serial.SerialTimeoutException as error:
            raise hangs(printer) from error
        finally:
            port.close()


def _drain(port: object, printer: Printer) -> None:
    """Wait until the port has sent everything; closing earlier would throw the rest away."""
    until = time.monotonic() + printer.timeout_s
    while getattr(port, "out_waiting", 0):
        if time.monotonic() > until:
            raise hangs(printer)
        time.sleep(_POLL_S)


# --- device files ------------------------------------------------------------------------------------------


def _to_device(data: bytes, printer: Printer) -> None:
    """Write to ``/dev/usb/lp0`` or a pipe; a printer without paper must not hold up the table.

    Nothing is made or emptied here: a mistyped path would take a receipt that nobody ever sees.
    """
    flags = os.O_WRONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(printer.address, flags)
    except OSError as error:
        raise refused(printer, error) from error
    try:
        if stat.S_ISREG(os.fstat(handle).st_mode):
            message = _("{printer} is a file and no device. Nothing was printed.").format(
                printer=printer.name
            )
            raise PrinterRefused(message, _("For a slip in a file write file:PATH."))
        with doubtful(printer):
            if sys.platform == "win32":
                _write_file(handle, data)
            else:
                _write_slowly(handle, data, printer)
    finally:
        os.close(handle)


def _write_file(handle: int, data: bytes) -> None:
    while data:
        data = data[os.write(handle, data) :]


def _write_slowly(handle: int, data: bytes, printer: Printer) -> None:
    until = time.monotonic() + printer.timeout_s
    while data:
        if not select.select([], [handle], [], max(0.0, until - time.monotonic()))[1]:
            raise hangs(printer)
        try:
            data = data[os.write(handle, data[:_CHUNK]) :]
        except BlockingIOError:
            time.sleep(_POLL_S)
            if time.monotonic() > until:
                raise hangs(printer) from None
