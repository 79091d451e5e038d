"""A serial port without hardware: a pty that can be plugged in and out, to try and test the real path.

Linux and macOS only; Windows has no ptys.
"""

from __future__ import annotations

import contextlib
import os
import select
import sys
from pathlib import Path

from drivers.base import DriverMissing


class EmulatedPort:
    """The device's end of a pty; the program opens `path`, a link that stays the same over replugging.

    Args:
        path: Where the link is made.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._master = -1
        self._slave = -1
        self.plug_in()

    @property
    def master(self) -> int:
        """The device's end, for a program that sends by itself."""
        return self._master

    def plug_in(self) -> None:
        """Appear, as a new device under the same name."""
        if sys.platform == "win32":
            raise DriverMissing("This system has no ptys.", "Use a recording: replay:FILE.")
        import tty

        self._master, self._slave = os.openpty()
        tty.setraw(self._master)
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        # the name appears whole and only when the device is ready, as it does with a real one
        fresh = self.path.with_name(self.path.name + ".new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.ttyname(self._slave))
        fresh.replace(self.path)

    def unplug(self) -> None:
        """Vanish in the middle of whatever is going on."""
        self.path.unlink(missing_ok=True)
        for end in (self._slave, self._master):
            with contextlib.suppress(OSError):
                os.close(end)
        self._master = self._slave = -1

    def send(self, data: bytes) -> None:
        """Send bytes to the program; waits while it doesn't take them."""
        while data:
            select.select([], [self._master], [])
            with contextlib.suppress(BlockingIOError):
                data = data[os.write(self._master, data) :]

    def offer(self, data: bytes) -> None:
        """Send bytes as a wire does: what nobody takes is lost."""
        with contextlib.suppress(BlockingIOError):
            os.write(self._master, data)

    def received(self, timeout_s: float = 0.0) -> bytes:
        """Return what the program sent, waiting for the first byte up to `timeout_s`."""
        data = b""
        while select.select([self._master], [], [], 0.0 if data else timeout_s)[0]:
            data += os.read(self._master, 4096)
        return data

    def __enter__(self) -> EmulatedPort:
        return self

    def __exit__(self, *reason: object) -> None:
        self.unplug()
