"""Folders a night may lie in: which are risky, and how to make a change to a folder last."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from assistant.store.base import FolderWarning

NETWORK_TYPES = frozenset(
    {"nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "afpfs", "webdav", "davfs", "9p", "afs", "ncpfs"}
)
NETWORK_PREFIXES = ("fuse.sshfs", "fuse.rclone", "fuse.davfs", "fuse.gvfs", "fuse.smb", "fuse.nfs")
SYNCED_NAMES = {
    "onedrive": "OneDrive",
    "dropbox": "Dropbox",
    "google drive": "Google Drive",
    "googledrive": "Google Drive",
    "my drive": "Google Drive",
    "icloud drive": "iCloud",
    "mobile documents": "iCloud",
    "com~apple~clouddocs": "iCloud",
    "nextcloud": "Nextcloud",
    "owncloud": "ownCloud",
    "yandex.disk": "Yandex Disk",
    "yandexdisk": "Yandex Disk",
    "syncthing": "Syncthing",
}
SETTLED_NS = 3_000_000_000
"""A change that comes less than a step of the clock behind another one can't be told from it by the time; FAT
steps by two seconds."""
LOOKS = 16
_NEVER = (2**63, 2**63, 0, 0)
_MOUNTS = Path("/proc/self/mounts")
_DRIVE_REMOTE = 4


def folder_warnings(folder: Path, mounts: str | None = None) -> tuple[FolderWarning, ...]:
    """Return what the dealer should know about a folder before nights are kept in it.

    Args:
        folder: The folder.
        mounts: The system's table of mounts in the form of ``/proc/self/mounts``; read from there when None.
    """
    found = []
    type_name = network_type(folder, mounts)
    if type_name:
        found.append(FolderWarning("network", folder, type_name))
    service = synced_by(folder)
    if service:
        found.append(FolderWarning("synced", folder, service))
    return tuple(found)


def network_type(folder: Path, mounts: str | None = None) -> str:
    """Return the type of the network file system a folder lies on; empty for a local disk or when unknown.

    Windows' remote drives are looked up as well (untried); macOS has no table of mounts: none is found.
    """
    resolved = os.path.realpath(folder)
    if mounts is None and sys.platform == "win32":
        return _windows_network_type(resolved)
    type_name = _type_of_mount(resolved, _read_mounts() if mounts is None else mounts)
    is_network = type_name in NETWORK_TYPES or type_name.startswith(NETWORK_PREFIXES)
    return type_name if is_network else ""


def synced_by(folder: Path) -> str:
    """Return the name of the service that seems to copy a folder elsewhere; empty if none does."""
    for part in Path(os.path.realpath(folder)).parts:
        name = part.casefold().removeprefix(".")
        for start, service in SYNCED_NAMES.items():
            if name == start or name.startswith((f"{start} ", f"{start}-", f"{start}_")):
                return service
    return ""


class FolderWatch:
    """Tells cheaply that nothing in a folder was made, renamed or deleted since it was looked through.

    A folder's own time changes with what is in it, but by steps of the system's clock, and on some file
    systems not at all. So it counts only once it is older than `SETTLED_NS`, and not for more than `LOOKS`
    looks one after another. The time of the last change of its entry counts too: a copy that is played back
    sets the other one to what it was.

    Args:
        folder: The folder.
    """

    def __init__(self, folder: Path) -> None:
        self._name = str(folder)
        self._now = self._seen = _NEVER
        self._looks = 0

    def is_unchanged(self) -> bool:
        """Whether nothing has changed since `looked_through`; where that isn't certain, no."""
        try:
            status = os.stat(self._name)
        except OSError:
            self._now = _NEVER
            return False
        self._now = (status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_dev)
        self._looks -= 1
        return self._looks >= 0 and self._now == self._seen

    def looked_through(self) -> None:
        """Hear that everything was found in its place, after `is_unchanged` said no."""
        settled = sys.platform != "win32" and time.time_ns() - max(self._now[:2]) > SETTLED_NS
        self._seen = self._now if settled else _NEVER
        self._looks = LOOKS


def sync_folder(folder: Path) -> None:
    """Make a new or renamed file's name in a folder last through a power cut (Windows does it by itself)."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:
        pass  # some network and FUSE file systems refuse to sync a folder; the file itself is safe
    finally:
        os.close(handle)


def sync_file(path: Path) -> None:
    """Make a file's bytes last through a power cut."""
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _read_mounts() -> str:
    try:
        return _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""


def _type_of_mount(resolved: str, mounts: str) -> str:
    """The type of the deepest mount above a path; later lines hide earlier ones of the same place."""
    best, best_type = "", ""
    for line in mounts.splitlines():
        fields = line.split()
        if len(fields) < 3:
            continue
        place = _unescape(fields[1])
        inside = resolved == place or resolved.startswith(place.rstrip("/") + "/")
        if inside and len(place) >= len(best):
            best, best_type = place, fields[2]
    return best_type


def _unescape(text: str) -> str:
    for code, char in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, char)
    return text


def _windows_network_type(resolved: str) -> str:
    if sys.platform != "win32":
        return ""
    import ctypes

    drive = os.path.splitdrive(resolved)[0]
    if drive.startswith("\\\\"):
        return "smb"
    return "smb" if ctypes.windll.kernel32.GetDriveTypeW(drive + "\\") == _DRIVE_REMOTE else ""
