"""Make an environment: a fresh folder, the locked packages by their hashes, a line naming the checkout."""

import contextlib
import errno
import os
import queue
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from environment import ROOT, Environment, changing, is_ready, stamp_text
from progress import InstallCount, Progress
from setup_problems import (
    NoBuild,
    SetupProblem,
    check_python_parts,
    check_room,
    disk_full,
    explain,
    in_use,
    read_only,
    typed,
)

# Only the camera needs these; without them Tableside plays on with keyboard and shoe.
CAMERA_PACKAGES = ("opencv-python", "numpy")
# What would send the packages somewhere else than into the environment.
PIP_ASIDE = ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_PYTHON", "PIP_DRY_RUN", "PYTHONPATH", "PYTHONHOME")
# English words, to tell failures apart by; never the account's own packages.
PIP_SET = {"PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "0", "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"}
TICK_S = 0.2
CANNOT_SET_UP = 1
STOPPED_BY_HAND = 130


def ensure(environment: Environment, command: str) -> None:
    """Make the environment unless it is ready. `command` is the script to type again, `run` or `test`.

    Raises:
        SetupProblem: It could not be made; an earlier environment is back in its place.
    """
    if is_ready(environment):
        return
    check_python_parts(command)
    if not os.access(ROOT, os.W_OK):
        raise read_only(ROOT, command)
    progress = Progress()
    others = "Waiting: another window is setting this up, or still runs it as it was (close it there)."
    try:
        with changing(environment, waiting=lambda: progress.say(others)) as guard:
            if not is_ready(environment):  # it may have been made while we waited
                _Making(environment, command, progress, guard.fileno()).replace()
    except OSError as error:
        raise _from_system(error, environment, command) from error
    finally:
        progress.end()


def set_up(environment: Environment, command: str) -> int:
    """Make the environment unless it is ready, or say plainly why not; return an exit code, 0 for ready."""
    try:
        ensure(environment, command)
    except SetupProblem as problem:
        print(problem, file=sys.stderr)
        if problem.log:
            print(f"(All the installer said: {problem.log})", file=sys.stderr)
        return CANNOT_SET_UP
    except KeyboardInterrupt:
        print(f"\nSetting up was stopped. Type again:  {typed(command)}", file=sys.stderr)
        return STOPPED_BY_HAND
    return 0


def without(requirements: str, package: str) -> str:
    """Leave one package out of a lock, with all its releases and hashes."""
    entries = re.split(r"(?m)^(?=\S)", requirements)
    return "".join(entry for entry in entries if not entry.startswith(f"{package}=="))


class _Making:
    """One making of one environment, by whoever holds its guard."""

    def __init__(self, environment: Environment, command: str, progress: Progress, guard: int) -> None:
        self._environment = environment
        self._command = command
        self._progress = progress
        self._guard = guard

    def replace(self) -> None:
        """Make it, keeping an earlier one aside until the new one is complete."""
        folder = self._environment.folder
        old = folder.with_name(folder.name + ".old")
        self._environment.log.write_text("", encoding="utf-8")
        if self._environment.stamp.exists():
            self._progress.say(
                "The packages or the Python have changed: making the private environment anew."
            )
            _remove(old)
            folder.rename(old)
        else:
            self._progress.say(
                f"First start: making a private environment in {folder} (about a minute, once)."
            )
            _remove(folder)
        try:
            check_room(ROOT, self._environment.size_mb, self._command)
            self._make()
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            if old.exists() and not folder.exists():
                old.rename(folder)
            raise
        shutil.rmtree(old, ignore_errors=True)
        self._progress.say(f"Ready after {self._progress.elapsed_s} s.")

    def _make(self) -> None:
        environment = self._environment
        requirements = environment.requirements.read_text(encoding="utf-8")
        self._progress.step("Making the environment")
        self._check(self._follow([sys.executable, "-m", "venv", str(environment.folder)], None))
        self._install(requirements)
        # Relative, so that a moved checkout still finds itself, whatever letters its path has.
        here = os.path.relpath(ROOT, environment.site_packages)
        (environment.site_packages / "tableside-checkout.pth").write_text(here + "\n", encoding="utf-8")
        self._progress.step("Compiling")
        packages = [str(ROOT / name) for name in ("assistant", "drivers", "calibration")]
        self._follow([str(environment.python), "-m", "compileall", "-q", *packages], None)
        environment.stamp.write_text(stamp_text(requirements), encoding="utf-8")

    def _install(self, requirements: str) -> None:
        environment = self._environment
        self._progress.step("Fetching the packages")
        locked = environment.folder / "requirements.txt"
        pip = [str(environment.python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
        how = ["--progress-bar", "off", "--only-binary", ":all:", "--require-hashes", "--retries", "2"]
        while True:
            locked.write_text(requirements, encoding="utf-8")
            count = InstallCount(requirements, environment.site_packages)
            try:
                self._check(self._follow([*pip, *how, "-r", str(locked)], count))
            except NoBuild as problem:
                if problem.package not in CAMERA_PACKAGES or f"{problem.package}==" not in requirements:
                    raise
                self._progress.say(f"{problem.message} Tableside works without it, but no camera will.")
                requirements = without(requirements, problem.package)
            else:
                return

    def _check(self, failure: str | None) -> None:
        if failure is not None:
            problem = explain(failure, ROOT, self._environment.size_mb, self._command)
            problem.log = self._environment.log
            raise problem

    def _follow(self, arguments: list[str], count: InstallCount | None) -> str | None:
        """Run a step and show its progress; return None when it went well, else all it said."""
        surroundings = {name: value for name, value in os.environ.items() if name not in PIP_ASIDE} | PIP_SET
        said: list[str] = []
        with subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            env=surroundings,
            # The installer keeps the guard if this process is killed, so that nobody begins beside it.
            pass_fds=() if os.name == "nt" else (self._guard,),
        ) as process:
            assert process.stdout is not None
            for line in _lines(process.stdout):
                said.append(line)
                if count and (text := count.read(line)):
                    self._progress.step(text)
                self._progress.tick()
        output = "".join(said)
        with self._environment.log.open("a", encoding="utf-8") as log:
            log.write(f"$ {' '.join(arguments)}\n{output}")
        return None if process.returncode == 0 else output


def _lines(stream: IO[str]) -> Iterator[str]:
    """Yield what is written, and an empty text after each moment of silence, until the writer is done."""
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read() -> None:
        with contextlib.suppress(ValueError):  # closed while reading: stopped by hand
            for line in stream:
                lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=TICK_S)
        except queue.Empty:
            line = ""
        if line is None:
            return
        yield line


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)


def _from_system(error: OSError, environment: Environment, command: str) -> SetupProblem:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return disk_full(ROOT, environment.size_mb, command)
    if error.errno == errno.EROFS or not os.access(ROOT, os.W_OK):
        return read_only(ROOT, command)
    if os.name == "nt" and isinstance(error, PermissionError):
        return in_use(environment.folder, command)
    return SetupProblem(f"Setting up failed: {error}.", f"Type again:  {typed(command)}")
