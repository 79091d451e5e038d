"""Receipt printers on USB; the only user of pyusb.

Of the devices that are there it takes the one named, or the only one that calls itself a printer.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from assistant.i18n import _
from drivers.base import DriverDenied, DriverMissing, Found
from drivers.printer import NoPrinter
from drivers.printer_spec import Printer, usb_numbers
from drivers.receipt_printer import doubtful, hangs, refused

if TYPE_CHECKING:
    from usb.core import Device

PRINTER_CLASS = 7
_CHUNK = 4096
_OUT, _BULK = 0, 2


def to_usb(data: bytes, printer: Printer) -> None:
    """Send bytes to a printer on USB.

    Raises:
        DriverMissing: There is no libusb.
        NoPrinter: No such device is plugged in; those that are are named.
        DriverDenied: The system doesn't let this user open it.
        PrinterRefused: It can't be used; nothing was printed.
        PrintDoubtful: Look at the paper.
    """
    import usb.core
    import usb.util

    device = _choose(_devices(), printer)
    detached: int | None = None
    try:
        try:
            interface, endpoint = _endpoint(device)
            if _kernel_holds(device, interface):
                device.detach_kernel_driver(interface)
                detached = interface
            usb.util.claim_interface(device, interface)
        except (usb.core.USBError, NotImplementedError) as error:
            raise _denied(device) if _is_denied(error) else refused(printer, error) from error
        with doubtful(printer, (usb.core.USBError,)):
            for start in range(0, len(data), _CHUNK):
                try:
                    endpoint.write(data[start : start + _CHUNK], round(printer.timeout_s * 1000))
                except usb.core.USBTimeoutError as error:
                    raise hangs(printer) from error
    finally:
        _give_back(device, detached)


def _give_back(device: Device, detached: int | None) -> None:
    """Let go of a device; the system's own driver gets back what was taken from it, else no other program
    could print before the printer is plugged in again."""
    import usb.core
    import usb.util

    if detached is not None:
        with suppress(usb.core.USBError, NotImplementedError):  # it may have been pulled out
            usb.util.release_interface(device, detached)
            device.attach_kernel_driver(detached)
    usb.util.dispose_resources(device)


def find_usb_printers() -> tuple[Found, ...]:
    """Return the USB devices that call themselves printers, opening none."""
    import usb.core

    try:
        devices = _devices()
    except (DriverMissing, usb.core.USBError):
        return ()
    return tuple(Found(f"usb:{_numbers(device)}", _label(device)) for device in devices if _prints(device))


def _devices() -> list[Device]:
    import usb.core

    try:
        return list(usb.core.find(find_all=True) or ())
    except usb.core.NoBackendError as error:
        message = _("USB printers need libusb, and this computer has none.")
        hint = _("Install it (Debian, Ubuntu: sudo apt install libusb-1.0-0; macOS: brew install libusb).")
        raise DriverMissing(message, hint) from error


def _choose(devices: Sequence[Device], printer: Printer) -> Device:
    if printer.address:
        wanted = usb_numbers(printer.address)
        for device in devices:
            if (device.idVendor, device.idProduct) == wanted:
                return device
        raise _not_found(devices, wanted)
    printers = [device for device in devices if _prints(device)]
    if len(printers) == 1:
        return printers[0]
    if not printers:
        raise NoPrinter(
            _("No USB printer is plugged in."), _("Is it switched on? `tableside sources` lists them.")
        )
    seen = ", ".join(f"usb:{_numbers(device)}" for device in printers)
    raise NoPrinter(
        _("There are several USB printers: {printers}.").format(printers=seen), _("Say which one to use.")
    )


def _not_found(devices: Sequence[Device], wanted: tuple[int, int]) -> NoPrinter:
    """Say what is there instead, numbers turned round first: they are often swapped in a file."""
    name = f"{wanted[0]:04x}:{wanted[1]:04x}"
    if any((device.idProduct, device.idVendor) == wanted for device in devices):
        turned = f"{wanted[1]:04x}:{wanted[0]:04x}"
        message = _("USB device {name} was not found, but {turned} is there: vendor and product are swapped.")
        return NoPrinter(message.format(name=name, turned=turned), _("Write usb:{name}.").format(name=turned))
    seen = ", ".join(map(_numbers, devices)) or _("none")
    message = _("USB device {name} was not found; plugged in: {seen}.").format(name=name, seen=seen)
    return NoPrinter(message, _("Is the printer switched on?"))


def _endpoint(device: Device) -> tuple[int, Any]:
    """The interface of the printer class (else the first with a way out), and its bulk way out."""
    import usb.util

    ways = []
    for interface in device.get_active_configuration():
        for endpoint in interface:
            is_out = usb.util.endpoint_direction(endpoint.bEndpointAddress) == _OUT
            if is_out and usb.util.endpoint_type(endpoint.bmAttributes) == _BULK:
                ways.append((interface.bInterfaceClass == PRINTER_CLASS, interface, endpoint))
    if not ways:
        raise NoPrinter(_("USB device {name} takes no data: it is no printer.").format(name=_numbers(device)))
    _prints_itself, interface, endpoint = max(ways, key=lambda way: way[0])
    return interface.bInterfaceNumber, endpoint


def _kernel_holds(device: Device, interface: int) -> bool:
    try:
        return bool(device.is_kernel_driver_active(interface))
    except NotImplementedError:  # not on Windows and macOS
        return False


def _is_denied(error: Exception) -> bool:
    return getattr(error, "errno", None) in (errno.EACCES, errno.EPERM)


def _denied(device: Device) -> DriverDenied:
    """Name the device and the rule that opens it to this user."""
    vendor, product = f"{device.idVendor:04x}", f"{device.idProduct:04x}"
    message = _("The system does not let you use the USB printer {name}.")
    numbers = f'ATTR{{idVendor}}=="{vendor}", ATTR{{idProduct}}=="{product}"'
    rule = f'SUBSYSTEM=="usb", {numbers}, MODE="0660", GROUP="lp"'
    hint = _(
        "Put this line into /etc/udev/rules.d/99-receipt.rules: {rule}   "
        "Join the group: sudo usermod -aG lp $USER. Log out and in, plug the printer in again."
    )
    return DriverDenied(message.format(name=f"{vendor}:{product}"), hint.format(rule=rule))


def _numbers(device: Device) -> str:
    return f"{device.idVendor:04x}:{device.idProduct:04x}"


def _prints(device: Device) -> bool:
    """Whether it calls itself a printer, by what can be read without opening it."""
    import usb.core

    if device.bDeviceClass == PRINTER_CLASS:
        return True
    try:
        return any(
            interface.bInterfaceClass == PRINTER_CLASS
            for configuration in device
            for interface in configuration
        )
    except (usb.core.USBError, NotImplementedError):  # pulled out just now, or the system doesn't tell
        return False


def _label(device: Device) -> str:
    return _("USB printer {name}").format(name=_numbers(device))
