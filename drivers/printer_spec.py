"""What a person types to name a printer: ``kind:address,option=value``, in the form of card sources."""

from __future__ import annotations

from dataclasses import dataclass

from drivers.base import BadSource
from drivers.spec import SourceSpec, split_source

SYSTEM, FILE = "system", "file"
USB, SERIAL, NETWORK, DEVICE, RAW = "usb", "serial", "network", "device", "raw"
RECEIPT_KINDS = (USB, SERIAL, NETWORK, DEVICE, RAW)
"""Kinds that are sent ESC/POS bytes; the others get text."""
KINDS = (SYSTEM, FILE, *RECEIPT_KINDS)
CURLY_QUOTES = "“”„‘’«»"
_FLOWS = ("none", "rtscts", "dsrdtr", "xonxoff")


@dataclass(frozen=True, slots=True)
class Printer:
    """A printer as typed.

    Attributes:
        kind: One of `KINDS`.
        address: Queue, file, device path, host and port, or USB numbers; may be empty.
        name: How it is called in messages.
        columns: Columns of its paper.
        pdf: Whether a queue of the system is sent the PDF of a settlement or of standings, with its chart.
        image: Whether a receipt printer is sent pictures instead of letters.
        code_page: A receipt printer's number for code page 866.
        dots: Dots across a receipt printer's paper.
        feed: Lines fed before the cut.
        cut: Whether it has a knife.
        baud: Speed of a serial printer.
        flow: How a serial printer says that it is full: ``rtscts``, ``dsrdtr``, ``xonxoff`` or ``none``.
        timeout_s: How long it may take before the print is in doubt.
    """

    kind: str
    address: str = ""
    name: str = ""
    columns: int = 80
    pdf: bool = False
    image: bool = False
    code_page: int = 17
    dots: int = 576
    feed: int = 4
    cut: bool = True
    baud: int = 9600
    flow: str = "none"
    timeout_s: float = 15.0

    @property
    def takes_bytes(self) -> bool:
        """Whether it is a receipt printer."""
        return self.kind in RECEIPT_KINDS


def read_printer(text: str) -> Printer:
    """Read a printer's name.

    Raises:
        BadSource: It is none; what is wrong and which kinds and options there are is said.
    """
    if any(mark in text for mark in CURLY_QUOTES):
        raise BadSource(f"{text!r} has curly quotation marks.", "Write it without, or with straight ones.")
    head, comma, options_text = text.partition(",")
    if comma and ":" not in head:  # usb,width=32: a kind that needs no address
        text = f"{head}:,{options_text}"
    spec = split_source(text, "printer", "usb:0416:5011 or network:192.168.1.50")
    if spec.kind not in KINDS:
        known = f"Known: {', '.join(KINDS)}."
        raise BadSource(f"There is no kind of printer called {spec.kind!r}.", known)
    options = spec.reader()
    receipt = spec.kind in RECEIPT_KINDS
    columns = options.whole("width", 48 if receipt else 80, 24, 200)
    timeout_s = options.number("timeout", 15.0, 0.1, 600.0)
    pdf = spec.kind == SYSTEM and options.text("mode", "text", ("text", "pdf")) == "pdf"
    printer = Printer(spec.kind, spec.address, spec.name, columns, pdf, timeout_s=timeout_s)
    if receipt:
        dots = options.whole("dots", 384 if columns <= 32 else 576, 8 * columns, 4096)
        printer = Printer(
            spec.kind,
            spec.address,
            spec.name,
            columns,
            image=options.text("mode", "text", ("text", "image")) == "image",
            code_page=options.whole("codepage", 17, 0, 255),
            dots=dots - dots % 8,
            feed=options.whole("feed", 4, 0, 30),
            cut=options.flag("cut", True),
            baud=options.whole("baud", 9600, 300, 4_000_000) if spec.kind == SERIAL else 9600,
            flow=options.text("flow", "none", _FLOWS) if spec.kind == SERIAL else "none",
            timeout_s=timeout_s,
        )
    options.done()
    _check_address(spec)
    return printer


def _check_address(spec: SourceSpec) -> None:
    """What must have an address has one, and USB numbers are numbers."""
    wants = {
        FILE: "a file, as in file:slip.txt",
        SERIAL: "a port, as in serial:/dev/ttyUSB0 or serial:COM3",
        NETWORK: "an address, as in network:192.168.1.50 or network:printer.local:9100",
        DEVICE: "a path, as in device:/dev/usb/lp0",
        RAW: "a queue of the print system, as in raw:Receipts",
    }
    if spec.kind in wants and not spec.address:
        raise BadSource(f"A {spec.kind} printer needs {wants[spec.kind]}.")
    if spec.kind == USB and spec.address:
        usb_numbers(spec.address)


def usb_numbers(address: str) -> tuple[int, int]:
    """Return vendor and product of ``0416:5011``.

    Raises:
        BadSource: It is something else.
    """
    vendor, _colon, product = address.partition(":")
    try:
        numbers = (int(vendor, 16), int(product, 16))
    except ValueError:
        numbers = (-1, -1)
    if not all(0 <= number <= 0xFFFF for number in numbers):
        hint = "Write vendor:product in hexadecimal, such as usb:0416:5011; `tableside sources` lists them."
        raise BadSource(f"usb:{address} names no USB device.", hint)
    return numbers
