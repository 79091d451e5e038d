"""Put the terminal back in order after a program that died with it in its hands."""

import sys

if sys.platform != "win32":
    import termios

# leave the alternate screen; no more reports of mouse, pasting and keys; drawing on; long lines wrap;
# plain colours; cursor on
MODES_OFF = (1049, 1000, 1002, 1003, 1006, 1015, 2004, 2026)
RESET = "".join(f"\x1b[?{mode}l" for mode in MODES_OFF) + "\x1b[?7h\x1b[<u\x1b[0m\x1b[?25h"


class Terminal:
    """The terminal as it was before a program was started on it; nothing where there is none."""

    def __init__(self) -> None:
        self._before = self._now()

    def restore(self) -> bool:
        """Undo what a program left behind; say whether there was anything to undo.

        A program that ends in order puts the settings back itself, so changed settings are how one that
        died full-screen is known.
        """
        if self._before is None or self._now() == self._before:
            return False
        if sys.platform != "win32":
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._before)
        if sys.stdout.isatty():
            sys.stdout.write(RESET)
            sys.stdout.flush()
        return True

    @staticmethod
    def _now() -> "list[int | list[bytes | int]] | None":
        if sys.platform == "win32" or sys.stdin is None or not sys.stdin.isatty():
            return None
        else:
            try:
                return termios.tcgetattr(sys.stdin)
            except termios.error:  # the window is gone
                return None
