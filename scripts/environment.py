"""The private environment of a checkout: where it is, whether it is ready, and who may change it.

An environment is ready when its stamp equals what it would be stamped with now: the Python it was made with
and the whole text of the lock it was installed from. The stamp is written last, so an environment whose
making was cut short has none and is made anew. It holds no path, so a checkout may be moved.
"""

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.version_info[:2]
WAIT_S = 0.2


class Environment(NamedTuple):
    """A folder with its own Python, and the lock of packages that belong in it."""

    folder: Path
    requirements: Path
    size_mb: int  # on disk, with what pip needs beside it while installing

    @property
    def python(self) -> Path:
        """The environment's interpreter."""
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def site_packages(self) -> Path:
        """Where its packages lie."""
        if os.name == "nt":
            return self.folder / "Lib" / "site-packages"
        return self.folder / "lib" / f"python{PYTHON[0]}.{PYTHON[1]}" / "site-packages"

    @property
    def stamp(self) -> Path:
        """Says what the environment was made from; absent until it is complete."""
        return self.folder / "tableside-stamp.txt"

    @property
    def guard(self) -> Path:
        """The file whose operating-system lock decides who may change the environment."""
        return self.folder.with_name(self.folder.name + ".lock")

    @property
    def log(self) -> Path:
        """What the installer said the last time."""
        return self.folder.with_name(self.folder.name + ".log")


RUN = Environment(ROOT / ".venv", ROOT / "requirements.lock", 350)
TEST = Environment(ROOT / ".venv-test", ROOT / "requirements-dev.lock", 500)


def stamp_text(requirements: str, version: tuple[int, int] = PYTHON) -> str:
    """What an environment is stamped with when it was made by this Python from these requirements."""
    return f"Python {version[0]}.{version[1]}\n{requirements}"


def is_ready(environment: Environment) -> bool:
    """Whether the environment is complete and made from the lock as it is now."""
    try:
        stamp = environment.stamp.read_text(encoding="utf-8")
        wanted = stamp_text(environment.requirements.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return False
    return stamp == wanted and environment.python.exists()


@contextlib.contextmanager
def changing(environment: Environment, waiting: Callable[[], None]) -> Iterator[BinaryIO]:
    """Be the only one who changes the environment; call `waiting` once if others must finish first.

    The lock belongs to the operating system: it goes when its holder does, however that ends.
    """
    with environment.guard.open("a+b") as guard:
        if not _take(guard):
            waiting()
            while not _take(guard):
                time.sleep(WAIT_S)
        yield guard


@contextlib.contextmanager
def using(environment: Environment) -> Iterator[None]:
    """Hold off changes while a program runs from the environment.

    Windows needs no lock for this: it lets nobody take away files that are in use.
    """
    with contextlib.ExitStack() as stack:
        if sys.platform != "win32":
            with contextlib.suppress(OSError):
                guard = stack.enter_context(environment.guard.open("rb"))
                fcntl.flock(guard, fcntl.LOCK_SH | fcntl.LOCK_NB)
        yield


def _take(guard: BinaryIO) -> bool:
    try:
        if sys.platform == "win32":
            guard.seek(0)
            msvcrt.locking(guard.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True  # a file system without locks, as some network drives are: better unguarded than never
    return True
