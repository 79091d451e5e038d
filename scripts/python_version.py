"""Refuse a Python that is too old, in words. Kept so plain that any Python 3 can read this file."""

import os
import subprocess
import sys

NEEDED = (3, 11)
NEWER = ("3.14", "3.13", "3.12", "3.11")


def require_python(command):  # type: (str) -> None
    """End the program with a sentence and what to type if this Python is too old for `scripts/<command>`."""
    if sys.version_info[:2] < NEEDED:
        sys.exit(too_old_message(command, sys.version_info[:3], sys.executable, find_newer()))


def too_old_message(command, version, executable, newer):  # type: (str, tuple[int, ...], str, str) -> str
    """Say which Python is needed, which one this is, and what to type instead.

    `newer` is the name of a newer Python found on this computer, or empty.
    """
    found = "Python %s or newer is needed, this is %s (%s)." % (
        ".".join(map(str, NEEDED)),
        ".".join(map(str, version)),
        executable or "python",
    )
    script = os.path.join("scripts", command)
    if newer:
        return "%s\nThere is a newer one here. Type:  %s %s" % (found, newer, script)
    if os.name == "nt":
        return "%s\nType:  winget install Python.Python.3.13\nthen:  py -3.13 %s" % (found, script)
    if sys.platform == "darwin":
        return "%s\nType:  brew install python@3.13\nthen:  python3.13 %s" % (found, script)
    return (
        "%s\nInstall a newer one from your system's packages. On Debian 12, Ubuntu 24.04 and later\n"
        "type:  sudo apt install python3 python3-venv\n"
        "then:  /usr/bin/python3 %s" % (found, script)
    )


def find_newer():  # type: () -> str
    """Return the command of a Python new enough on the search path, or an empty text."""
    ending = ".exe" if os.name == "nt" else ""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    for command in ["python" + version for version in NEWER]:
        if any(_runs(os.path.join(folder, command + ending)) for folder in folders):
            return command
    return ""


def _runs(program):  # type: (str) -> bool
    # Version managers leave stand-ins on the path that only say that the version isn't installed.
    if not os.path.isfile(program):
        return False
    try:
        with open(os.devnull, "r+b") as nothing:
            return subprocess.call([program, "-c", ""], stdin=nothing, stdout=nothing, stderr=nothing) == 0
    except OSError:
        return False
