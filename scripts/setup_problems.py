"""What can go wrong while an environment is made, told apart and put into words a dealer can act on."""

import os
import re
import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

NETWORK = re.compile(
    r"NewConnectionError|Failed to establish a new connection|name resolution|NameResolution"
    r"|getaddrinfo failed|ConnectTimeout|ReadTimeout|Read timed out|Network is unreachable|ProxyError"
    r"|Connection (refused|aborted|reset)|RemoteDisconnected|Max retries exceeded|IncompleteRead"
    r"|HTTP error [45]\d\d",
    re.IGNORECASE,
)
CERTIFICATE = re.compile(r"CERTIFICATE_VERIFY_FAILED|SSLError|SSLCertVerificationError", re.IGNORECASE)
NO_SSL = re.compile(r"SSL module is not available|No module named '_?ssl'")
DISK = re.compile(
    r"No space left on device|not enough space on the disk|Disk quota exceeded|Errno 28\b", re.IGNORECASE
)
HASH = re.compile(r"DO NOT MATCH THE HASHES")
HASHED = re.compile(r"^\s+(\S+) from \S+.*:$", re.MULTILINE)
NO_BUILD = re.compile(r"No matching distribution found for ([\w.-]+)")
FORBIDDEN = re.compile(r"Permission denied|Read-only file system|Access is denied", re.IGNORECASE)
LAST_LINES = 12


class SetupProblem(Exception):
    """The environment could not be made; says what was found and what to type."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(f"{message}\n{hint}")
        self.message = message
        self.log: Path | None = None  # everything the installer said, where it said something


class NoBuild(SetupProblem):
    """A package has no ready-made build for this computer and Python."""

    def __init__(self, package: str) -> None:
        version = f"Python {sys.version_info[0]}.{sys.version_info[1]}"
        super().__init__(
            f"There is no build of {package} for this computer and {version}.",
            "Use an ordinary 64-bit Python 3.11 to 3.14; if this is one, look at the log named below.",
        )
        self.package = package


def check_python_parts(command: str) -> None:
    """Refuse a Python without the parts that make an environment, as Debian's is without python3-venv."""
    if all(find_spec(name) for name in ("venv", "ensurepip")):
        return
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    message = f"This Python ({sys.executable}) can't make a private environment: its part `venv` is missing."
    if sys.platform.startswith("linux"):
        hint = (
            f"Type:  sudo apt install python3-venv     (Debian, Ubuntu; or python{version}-venv)\n"
            f"then:  {typed(command)}"
        )
    else:
        hint = f"Install Python {version} with its standard parts, then start scripts/{command} again."
    raise SetupProblem(message, hint)


def check_room(folder: Path, needed_mb: int, command: str) -> None:
    """Refuse to begin what the disk has no room for, or what this account may not write."""
    if not os.access(folder, os.W_OK):
        raise read_only(folder, command)
    if shutil.disk_usage(folder).free < needed_mb * 1_000_000:
        raise disk_full(folder, needed_mb, command)


def read_only(folder: Path, command: str) -> SetupProblem:
    """The checkout can't be written, so there is no place for the environment."""
    return SetupProblem(
        f"Tableside makes its private environment inside its own folder, and may not write there: {folder}",
        f"Copy the folder to a place of yours and start there.\n"
        f'Type:  cp -r "{folder}" ~/tableside && chmod -R u+w ~/tableside && ~/tableside/scripts/{command}',
    )


def in_use(folder: Path, command: str) -> SetupProblem:
    """Windows keeps the files of a running program where they are."""
    return SetupProblem(
        f"The packages have changed, but {folder} is still in use.",
        f"Close Tableside in the other window, then type:  {typed(command)}",
    )


def typed(command: str) -> str:
    """How `scripts/<command>` is typed here."""
    return f"py scripts\\{command}" if os.name == "nt" else f"./scripts/{command}"


def disk_full(folder: Path, needed_mb: int, command: str) -> SetupProblem:
    """There is too little room, either for the environment or for the installer's temporary files."""
    places = sorted({str(folder), tempfile.gettempdir()}, key=lambda place: shutil.disk_usage(place).free)
    free_mb = shutil.disk_usage(places[0]).free // 1_000_000
    return SetupProblem(
        f"The disk is full: {free_mb} MB free in {places[0]}, and setting up needs about {needed_mb} MB.",
        f"Make room, then type:  {typed(command)}\n"
        "If only the folder for temporary files is small, name another one in TMPDIR.",
    )


def explain(output: str, folder: Path, needed_mb: int, command: str) -> SetupProblem:
    """Find out from what the installer said why it failed. `folder` is the checkout."""
    again = f"Then type:  {typed(command)}"
    if DISK.search(output):
        return disk_full(folder, needed_mb, command)
    if HASH.search(output):
        names = ", ".join(dict.fromkeys(HASHED.findall(output))) or "a package"
        return SetupProblem(
            f"What was downloaded for {names} is not the file this release of Tableside was tested with.",
            "It may have been damaged on the way, or tampered with; nothing of it was installed.\n"
            f"Type:  {_python()} -m pip cache purge\n{again}\n"
            "If it says so again, use another network, and tell us.",
        )
    if NO_SSL.search(output):
        return SetupProblem(
            f"This Python ({sys.executable}) was built without SSL and can't download anything.",
            f"Install Python from your system's packages or python.org. {again}",
        )
    if CERTIFICATE.search(output):
        return SetupProblem(
            "The package server could not prove who it is (its certificate was refused).",
            "Check this computer's date and time, and sign in to the network if it asks for that (hotels);\n"
            f"behind a company's proxy name its certificate in PIP_CERT. {again}",
        )
    if NETWORK.search(output):
        return SetupProblem(
            "The packages could not be fetched: there is no way to the package server.",
            "This is needed once; after that Tableside needs no network.\n"
            f"Check that this computer is online (behind a proxy: HTTPS_PROXY). {again}",
        )
    if found := NO_BUILD.search(output):
        if os.environ.get("PIP_NO_INDEX", "0").lower() not in ("", "0", "no", "off", "false"):
            return SetupProblem(
                f"{found[1]} could not be fetched: PIP_NO_INDEX keeps pip off the network.",
                f"Type:  unset PIP_NO_INDEX\n{again}",
            )
        return NoBuild(found[1])
    if FORBIDDEN.search(output):
        return read_only(folder, command)
    said = "\n".join("  " + line for line in output.strip().splitlines()[-LAST_LINES:])
    return SetupProblem(f"Setting up failed. The installer's last words:\n{said}", again)


def _python() -> str:
    return f'"{sys.executable}"' if " " in sys.executable else sys.executable
