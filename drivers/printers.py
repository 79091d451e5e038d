"""The printers of this computer, by what to type to use them."""

from __future__ import annotations

from pathlib import Path

from assistant.i18n import _
from drivers.base import Found
from drivers.printer import list_printers
from drivers.usb_printer import find_usb_printers

_DEVICES = Path("/dev/usb")


def find_printers() -> tuple[Found, ...]:
    """Return queues of the print system, USB printers and printer device files; opens none."""
    queues = tuple(Found(f"system:{name}", _("printer of the system")) for name in list_printers())
    files = tuple(
        Found(f"device:{path}", _("receipt printer on USB")) for path in sorted(_DEVICES.glob("lp*"))
    )
    return (*queues, *find_usb_printers(), *files)
