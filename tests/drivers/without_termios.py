"""A pytest plugin that makes this system look like Windows to the drivers: no termios, no ptys (T15).

pyserial itself is loaded before, as the system has it; a COM port and Windows' own pyserial are not stood in
for.
"""

from __future__ import annotations

import sys

import serial
import serial.rfc2217
import serial.tools.list_ports
import serial.urlhandler.protocol_socket

__all__ = ["pytest_sessionfinish", "pytest_sessionstart", "serial"]


def pytest_sessionstart() -> None:
    """Take away what Windows lacks, before a test is imported."""
    for name in ("termios", "tty", "pty", "fcntl"):
        sys.modules[name] = None  # type: ignore[assignment]  # an import of it fails from now on
    sys.platform = "win32"


def pytest_sessionfinish() -> None:
    """See that the drivers were loaded without termios."""
    from drivers import serial_port

    assert not serial_port._TERMINAL
