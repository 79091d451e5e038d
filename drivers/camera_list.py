"""Cameras as the system lists them: which there are and why one can't be used; starts none, loads nothing."""

from __future__ import annotations

import errno
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

from assistant.i18n import N_, _
from drivers.base import DriverBusy, DriverDenied, DriverError, DriverNotFound, DriverOpenFailed, Found
from drivers.port_list import holder_of

PERMISSION_REMEDY = N_("Type: sudo usermod -aG video $USER, then log out and in again.")
BUSY_REMEDY = N_("Close the other program (a video call, a browser tab), then try again.")
LIBRARY_REMEDY = N_(
    "On Debian or Ubuntu: sudo apt install libgl1 libglib2.0-0. The keyboard works without it."
)
SYSFS = Path("/sys/class/video4linux")
BY_ID = Path("/dev/v4l/by-id")
LIBRARY_TEST_S = 20.0


def device_number(address: str) -> int | None:
    """Return the index of a camera given as ``0``, ``/dev/video2`` or a link such as ``/dev/v4l/by-id/…``."""
    if re.fullmatch(r"[0-9]{1,3}", address, re.ASCII):
        return int(address)
    if not address.startswith("/dev/"):
        return None
    found = re.fullmatch(r"/dev/video([0-9]+)", os.path.realpath(address))
    return int(found[1]) if found else None


def lasting_address(address: str) -> str:
    """Return the link under which Linux knows this very camera, whatever index it gets next time.

    Other addresses, and cameras without such a link, stay as they are.
    """
    number = device_number(address)
    if number is None or address.startswith("/dev/v4l/"):
        return address
    device = os.path.realpath(f"/dev/video{number}")
    links = sorted(str(link) for link in BY_ID.glob("*") if os.path.realpath(link) == device)
    return links[0] if links else address


def present_hint() -> str:
    """Say which cameras there are."""
    present = ", ".join(f"camera:{index}" for index in _numbers())
    return f"There is: {present}." if present else "Plug it in; no camera is there now."


def check_device(number: int) -> None:
    """See, on Linux, that a camera is there and may be opened, without starting it.

    Raises:
        DriverError: It is absent (those present are named), forbidden or held alone by another program.
    """
    if not sys.platform.startswith("linux"):
        return
    device = f"/dev/video{number}"
    try:
        os.close(os.open(device, os.O_RDWR | os.O_NONBLOCK))
    except OSError as error:
        raise _explain(number, device, error) from error


def no_picture(number: int) -> DriverError:
    """Return the error for a camera that opens and sends nothing, naming who else has it open."""
    holder = holder_of(f"/dev/video{number}")
    if holder:
        return DriverBusy(f"No picture from camera {number}: it is in use by {holder}.", _(BUSY_REMEDY))
    return DriverOpenFailed(
        f"No picture from camera {number}.", "Another program may hold it; unplug it and plug it in again."
    )


def _explain(number: int, device: str, error: OSError) -> DriverError:
    if error.errno in (errno.EACCES, errno.EPERM):
        return DriverDenied(f"No permission for camera {number} ({device}).", _(PERMISSION_REMEDY))
    if error.errno == errno.EBUSY:
        return DriverBusy(f"Camera {number} is in use by another program.", _(BUSY_REMEDY))
    return DriverNotFound(f"There is no camera {number} ({device}).", present_hint())


def found_cameras() -> tuple[Found, ...]:
    """List the cameras with what they are called and why one can't be used."""
    if not sys.platform.startswith("linux"):
        return (Found("camera:0", _("the first camera, if there is one; this system doesn't list them")),)
    broken = _library_trouble() if _numbers() else ""
    return tuple(_found(number, broken) for number in _numbers())


def _found(number: int, broken: str) -> Found:
    source, device = f"camera:{number}", f"/dev/video{number}"
    label = _read(SYSFS / f"video{number}" / "name") or _("camera")
    if broken:
        return Found(source, label, usable=False, why=broken, remedy=_(LIBRARY_REMEDY))
    if not os.access(device, os.R_OK | os.W_OK):
        why = _("no permission for {device}").format(device=device)
        return Found(source, label, usable=False, why=why, remedy=_(PERMISSION_REMEDY))
    # several programs may open a camera and only one can stream, so this is no reason to call it unusable
    holder = holder_of(device)
    also = _("{camera} (also open in {program})")
    return Found(source, also.format(camera=label, program=holder) if holder else label)


def _numbers() -> list[int]:
    """Indices of devices that give pictures; a camera's metadata device (index above 0) is left out."""
    return sorted(
        int(entry.name[5:])
        for entry in SYSFS.glob("video*")
        if entry.name[5:].isdigit() and _read(entry / "index") in ("", "0")
    )


def _read(path: Path) -> str:
    try:
        text = path.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def _library_trouble() -> str:
    """Why OpenCV would not load; tried in another process, for it may be large and may be broken."""
    if importlib.util.find_spec("cv2") is None:
        return _("the picture library OpenCV is not installed")
    try:
        tried = subprocess.run(
            [sys.executable, "-c", "import cv2"],
            capture_output=True,
            text=True,
            timeout=LIBRARY_TEST_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    if tried.returncode == 0:
        return ""
    last = (tried.stderr.strip().splitlines() or [_("no reason given")])[-1]
    return _("the picture library OpenCV can't be loaded ({why})").format(why=last)
