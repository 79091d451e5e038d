"""Serial ports as the system lists them: which is meant, which is the same device, which can be used."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from assistant.i18n import N_, _
from drivers.base import BadSource, DriverNotFound, Found

PERMISSION_REMEDY = N_(
    "Type: sudo usermod -aG dialout $USER   (on Arch: uucp instead of dialout), then log out and in again."
)
BUSY_REMEDY = N_(
    "Close the other program: a second Tableside, the Arduino IDE's serial monitor, ModemManager or brltty."
)
KNOWN_BOARDS = {
    (0x2341, 0x0043): "Arduino Uno",
    (0x2341, 0x0001): "Arduino Uno",
    (0x1A86, 0x7523): "CH340 adapter",
    (0x10C4, 0xEA60): "CP210x adapter",
    (0x0403, 0x6001): "FTDI adapter",
    (0x2E8A, 0x000A): "Raspberry Pi Pico",
}
"""USB numbers of boards that shoes are built with (SHOE_PROTOCOL.md 2)."""


@dataclass(frozen=True, slots=True)
class Port:
    """A port that is listed now.

    Attributes:
        device: What to open: ``/dev/ttyUSB0``, ``COM3``.
        label: What the system calls it.
        vid: USB vendor number; None for a port that is not on USB.
        pid: USB product number.
        serial_number: The device's own, if it has one.
        location: Where on USB it is plugged in.
    """

    device: str
    label: str = ""
    vid: int | None = None
    pid: int | None = None
    serial_number: str | None = None
    location: str | None = None

    @property
    def is_usb(self) -> bool:
        """Whether it is a USB device, as every shoe is; a Bluetooth port or a debug console is not."""
        return self.vid is not None

    def is_same_device(self, other: Port) -> bool:
        """Whether it is one device, whatever its port is called now: by number, else by the plug it is in."""
        if (self.vid, self.pid) != (other.vid, other.pid):
            return False
        if self.serial_number or other.serial_number:
            return self.serial_number == other.serial_number
        return self.location == other.location


def the_only_usb_port(ports: Iterable[Port]) -> str:
    """Return the port to use when none was named.

    Raises:
        DriverNotFound: No USB port is there.
        BadSource: There are several; they are named, for nothing is opened that nobody chose.
    """
    usb = [port for port in ports if port.is_usb]
    if not usb:
        raise DriverNotFound(
            "No USB serial port is plugged in.", "Plug the shoe in, or name its port: serial:…"
        )
    if len(usb) > 1:
        names = ", ".join(f"serial:{port.device}" for port in usb)
        raise BadSource("There are several USB serial ports.", f"Choose one: {names}.")
    return usb[0].device


def where_now(device: str, identity: Port | None, ports: Iterable[Port]) -> str | None:
    """Return where a device that was lost is now; None while it is away.

    A device known by its USB numbers is followed to another port name, and its old name, when another device
    has taken it, is left alone. Any other port is looked for by its name.
    """
    if identity is not None:
        return next((port.device for port in ports if port.is_same_device(identity)), None)
    is_path = device.startswith("/")
    return None if is_path and not os.path.exists(device) else device


def found_ports(ports: Iterable[Port]) -> tuple[Found, ...]:
    """Say of every port what is attached and whether it could be opened, opening none."""
    return tuple(_found(port) for port in sorted(ports, key=lambda port: (not port.is_usb, port.device)))


def _found(port: Port) -> Found:
    board = KNOWN_BOARDS.get((port.vid or 0, port.pid or 0), "")
    named = port.label if port.label != "n/a" else ""
    label = ", ".join(part for part in (board, named) if part) or _("serial port")
    label = "".join(sign if sign.isprintable() else "?" for sign in label)
    source = f"serial:{port.device}"
    if sys.platform != "win32" and not os.access(port.device, os.R_OK | os.W_OK):
        why = _("no permission for {device}").format(device=port.device)
        return Found(source, label, False, why, _(PERMISSION_REMEDY), is_unlikely=not port.is_usb)
    holder = holder_of(port.device)
    if holder:
        why = _("in use by {program}").format(program=holder)
        return Found(source, label, False, why, _(BUSY_REMEDY), is_unlikely=not port.is_usb)
    if not port.is_usb:
        return Found(source, _("{port} (not on USB, so hardly a shoe)").format(port=label), is_unlikely=True)
    return Found(source, label)


def holder_of(device: str) -> str:
    """Return the program that has a device file open, as far as this user may see it; Linux only."""
    if not sys.platform.startswith("linux"):
        return ""
    try:
        wanted = os.stat(device).st_rdev
        processes = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    except OSError:
        return ""
    for process in processes:
        if int(process.name) == os.getpid():
            continue
        try:
            if any(os.stat(link).st_rdev == wanted for link in _open_devices(process)):
                name = (process / "comm").read_text("utf-8", "replace").strip()
                return f"{''.join(c if c.isprintable() else '?' for c in name)} (process {process.name})"
        except OSError:
            continue
    return ""


def _open_devices(process: Path) -> list[Path]:
    """The process's open files that lie under /dev; broken or foreign ones are left out."""
    return [link for link in (process / "fd").iterdir() if os.readlink(link).startswith("/dev/")]
