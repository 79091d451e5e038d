"""Show how far the set-up is, from what the installer says line by line."""

import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

PINNED = re.compile(r"^([\w.-]+)==", re.MULTILINE)
IGNORED = re.compile(r"^Ignoring ([\w.-]+): markers")
FETCHED = re.compile(r"^Collecting ([\w.-]+)|^Processing .*?([\w.]+)-\d[^/\\ ]*\.whl")
UNPACKING = re.compile(r"^Installing collected packages: (.+)")


class Progress:
    """Tells on stderr what is going on: one line that changes on a terminal, else a plain line a step."""

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream or sys.stderr
        self._clock = clock
        self._began_s = clock()
        self._text = ""
        self._live = self._stream.isatty()

    @property
    def elapsed_s(self) -> int:
        """Whole seconds since the beginning."""
        return int(self._clock() - self._began_s)

    def say(self, text: str) -> None:
        """Write a line that stays."""
        self.end()
        print(text, file=self._stream, flush=True)

    def step(self, text: str) -> None:
        """Say what is being done now."""
        if text == self._text:
            return
        self._text = text
        if self._live:
            self.tick()
        else:
            print(f"  {text} ({self.elapsed_s} s)", file=self._stream, flush=True)

    def tick(self) -> None:
        """Let the seconds on a terminal run on."""
        if self._live and self._text:
            self._overwrite(f"  {self._text} ({self.elapsed_s} s)")

    def end(self) -> None:
        """Wipe the changing line off the terminal."""
        if self._live and self._text:
            self._overwrite("")
            self._stream.write("\r")
        self._text = ""

    def _overwrite(self, line: str) -> None:
        # Blanks instead of an escape sequence: an old Windows console knows none. The last column stays
        # free, or the terminal would begin a new line.
        width = shutil.get_terminal_size().columns - 1
        self._stream.write("\r" + line[:width].ljust(width))
        self._stream.flush()


class InstallCount:
    """Counts packages from pip's own lines: "Fetching 3 of 16: numpy", then "Unpacking 9 of 16"."""

    def __init__(self, requirements: str, site_packages: Path) -> None:
        self._entries = Counter(PINNED.findall(requirements))  # one release may be locked per Python
        self._site_packages = site_packages
        self._fetched: set[str] = set()
        self._before = 0
        self._unpacking = 0

    def read(self, line: str) -> str | None:
        """Take a line (empty when nothing was said for a moment) and return what to show, if that changed."""
        if found := IGNORED.match(line):
            self._entries -= Counter([found[1]])
        elif found := FETCHED.match(line):
            name = (found[1] or found[2]).replace("_", "-").lower()
            self._fetched.add(name)
            return f"Fetching {len(self._fetched)} of {len(self._entries)}: {name}"
        elif found := UNPACKING.match(line):
            self._unpacking = len(found[1].split(","))
            self._before = self._installed()
        if self._unpacking:
            return f"Unpacking {self._installed() - self._before} of {self._unpacking}"
        return None

    def _installed(self) -> int:
        return sum(1 for _ in self._site_packages.glob("*.dist-info"))
