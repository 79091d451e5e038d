"""The saved calibration of a camera: `cameras/NAME.toml` in the house folder, and a small picture beside it.

Format version 1. The file is meant to be read and mended by hand: zones and corners are plain numbers.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from calibration.area import Area, ZoneBox, checked_corners
from calibration.errors import CalibrationError, DegenerateOutline, ProfileUnreadable
from calibration.frames import Image
from calibration.syncing import sync_file, sync_folder

VERSION = 1
OLD_DAYS = 30
"""A calibration older than this is worth doing again: tables, lamps and tripods move (days)."""
_NAME = re.compile(r"[^\W_][\w .-]{0,39}")


@dataclass(frozen=True, slots=True)
class CameraProfile:
    """What is known about one camera at one table.

    Attributes:
        source: The camera as typed: ``camera:/dev/v4l/by-id/…``.
        made: When it was calibrated, with its zone.
        picture: Width and height of the pictures it was made with, in pixels.
        controls: What was locked, and at which value: ``focus exposure wb_temperature``.
        measured: What the verdict rests on: ``brightness card_px fps``.
        problems: Codes of the verdict's findings that were there when it was saved.
        reference: A small grey picture of the table, (90, 160) uint8, to notice a camera that was moved.
    """

    name: str
    source: str
    made: datetime
    picture: tuple[int, int]
    area: Area
    zones: tuple[ZoneBox, ...]
    controls: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    measured: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    problems: tuple[str, ...] = ()
    reference: Image | None = field(default=None, compare=False, repr=False)

    def age_days(self, now: datetime) -> int:
        """Whole days since it was made."""
        return max(0, (now - self.made).days)


def checked_profile_name(name: str) -> str:
    """Return a name that is fit for a file.

    Raises:
        ProfileUnreadable: It is not.
    """
    if not _NAME.fullmatch(name.strip()):
        raise ProfileUnreadable(
            f"{name!r} is no name for a camera profile.", "Use up to 40 letters, digits, blanks, - . and _."
        )
    return name.strip()


def save_profile(folder: Path, profile: CameraProfile) -> Path:
    """Write a profile whole or not at all; an earlier one of that name is replaced.

    Raises:
        ProfileUnreadable: It can't be written.
    """
    path = folder / f"{checked_profile_name(profile.name)}.toml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(_toml(profile), encoding="utf-8")
        sync_file(part)
        picture, picture_part = path.with_suffix(".png"), path.with_suffix(".part.png")
        if profile.reference is not None:
            from calibration.pixels import save_picture

            save_picture(picture_part, profile.reference)
            sync_file(picture_part)
        os.replace(part, path)
        # last: an old picture beside new zones says "moved" at worst, a new one beside old zones hides it
        if profile.reference is not None:
            os.replace(picture_part, picture)
        else:
            picture.unlink(missing_ok=True)
        sync_folder(folder)
    except (OSError, UnicodeEncodeError, CalibrationError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ProfileUnreadable(f"{path} can't be written ({reason}).", "Check the house folder.") from error
    return path


def load_profile(path: Path) -> CameraProfile:
    """Read a profile.

    Raises:
        ProfileUnreadable: It isn't there, is damaged, or was written by a newer program; the key is named.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ProfileUnreadable(
            f"There is no camera profile {path.stem} ({error.strerror or error}).",
            "Make it: tableside calibrate camera.",
        ) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ProfileUnreadable(f"{path} is damaged: {error}.", "Calibrate the camera again.") from error
    try:
        return _profile(path, data)
    except (KeyError, TypeError, ValueError, DegenerateOutline) as error:
        what = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise ProfileUnreadable(f"{path} is damaged: {what}.", "Calibrate the camera again.") from error


def profiles_in(folder: Path) -> list[Path]:
    """The profiles of a house by name."""
    return sorted(folder.glob("*.toml")) if folder.is_dir() else []


def _profile(path: Path, data: Mapping[str, Any]) -> CameraProfile:
    version = data["version"]
    if not isinstance(version, int) or version > VERSION:
        raise ProfileUnreadable(
            f"{path} has version {version}; this program reads up to {VERSION}.",
            "Update the program, or calibrate the camera again.",
        )
    area, made = _table(data, "area"), datetime.fromisoformat(str(data["made"]))
    width, height = data["picture"]
    return CameraProfile(
        name=path.stem,
        source=str(data["source"]),
        made=made if made.tzinfo else made.astimezone(),
        picture=(int(width), int(height)),
        area=Area(
            checked_corners(area["corners"]),
            float(area.get("width_mm", 0.0)),
            float(area.get("height_mm", 0.0)),
        ),
        zones=tuple(_zone(entry) for entry in data.get("zones", [])),
        controls=_numbers(data, "controls"),
        measured=_numbers(data, "measured"),
        problems=tuple(str(code) for code in data.get("problems", [])),
        reference=_reference(path.with_suffix(".png")),
    )


def _zone(entry: Mapping[str, Any]) -> ZoneBox:
    left, top, right, bottom = (float(value) for value in entry["box"])
    if not (0 <= left < right <= 1 and 0 <= top < bottom <= 1):
        raise ValueError(f"the box of zone {entry['name']} must be left, top, right, bottom within 0 and 1")
    return ZoneBox(str(entry["name"]), (left, top, right, bottom))


def _table(data: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = data.get(name, {})
    if not isinstance(found, dict):
        raise TypeError(f"{name} must be a table")
    return found


def _numbers(data: Mapping[str, Any], name: str) -> Mapping[str, float]:
    return MappingProxyType({key: float(str(value)) for key, value in _table(data, name).items()})


def _reference(path: Path) -> Image | None:
    """The small picture; a profile without it only can't tell whether the camera was moved."""
    if not path.exists():
        return None
    try:
        from calibration.pixels import load_picture

        return load_picture(path)
    except CalibrationError:
        return None


def _toml(profile: CameraProfile) -> str:
    area = profile.area
    corners = ", ".join(f"[{x:.4f}, {y:.4f}]" for x, y in area.corners)
    lines = [
        "# A camera of this house, as Tableside calibrated it. Corners are shares of the picture, clockwise",
        "# from the dealer's top left; boxes of zones are left, top, right, bottom as shares of the area.",
        f"version = {VERSION}",
        f"source = {_text(profile.source)}",
        f"made = {_text(profile.made.isoformat(timespec='seconds'))}",
        f"picture = [{profile.picture[0]}, {profile.picture[1]}]",
        f"problems = [{', '.join(map(_text, profile.problems))}]",
        "",
        "[area]",
        f"corners = [{corners}]",
        f"width_mm = {area.width_mm:.1f}",
        f"height_mm = {area.height_mm:.1f}",
    ]
    for title, numbers in (("controls", profile.controls), ("measured", profile.measured)):
        lines += ["", f"[{title}]", *(f"{key} = {value:.4g}" for key, value in numbers.items())]
    for zone in profile.zones:
        box = ", ".join(f"{value:.3f}" for value in zone.box)
        lines += ["", "[[zones]]", f"name = {_text(zone.name)}", f"box = [{box}]"]
    return "\n".join(lines) + "\n"


def _text(value: str) -> str:
    """A basic string of TOML: as in JSON, but pairs of surrogates are no escape there and DEL needs one."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
