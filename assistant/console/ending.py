"""Ends the program when its terminal is gone or the system asks, whatever the screen is busy with.

Everything accepted is on the disk before it is shown, so ending hard loses nothing; staying would keep the
night locked. A closed window leaves Textual's writer dead and its loop waiting for it for ever, out of reach
of any handler of the loop; hence a thread of our own and plain signal handlers.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType

LOOK_S = 0.5
"""How often the terminal is looked at."""
GRACE_S = 2.0
"""Time for an orderly end before the hard one."""


def end_on_signals(leave: Callable[[], None]) -> None:
    """On SIGTERM and SIGHUP call `leave`; two seconds later end hard, should that not have been heard.

    Args:
        leave: Asks for an orderly end; called in the main thread, in the middle of anything.
    """

    def handle(number: int, _frame: FrameType | None) -> None:
        _end_hard_after(GRACE_S, 128 + number)
        leave()

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), handle)


def end_without_terminal() -> None:
    """Watch the terminal from a thread, if there is one; once it is gone the program ends."""
    descriptor = sys.__stdin__.fileno() if sys.__stdin__ is not None else -1
    if descriptor >= 0 and os.isatty(descriptor):
        threading.Thread(target=_watch, args=(descriptor,), name="terminal", daemon=True).start()


def _watch(descriptor: int) -> None:
    pause = threading.Event()
    while os.isatty(descriptor):
        pause.wait(LOOK_S)
    _end_hard_after(GRACE_S, 129)


def _end_hard_after(seconds: float, code: int) -> None:
    timer = threading.Timer(seconds, os._exit, (code,))
    timer.daemon = True
    timer.start()
