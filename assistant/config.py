"""Where a house keeps its things: one folder with its nights, slips and settings."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from assistant.errors import AssistantError

APP_NAME = "tableside"
HOUSE_FILE = "house.toml"
LANGUAGES = ("en", "ru")
_CURLY = "“”„‘’"


@dataclass(frozen=True, slots=True)
class House:
    """A house folder: where one house's nights, slips and settings lie.

    Attributes:
        folder: The folder.
        copies_in: Another folder for the copies of the nights, from ``house.toml`` or the command line.
    """

    folder: Path
    copies_in: Path | None = None

    def printer(self, use: str) -> str:
        """Return the printer that ``house.toml`` names for ``slip`` or ``receipt``; else nothing.

        Raises:
            AssistantError: ``house.toml`` can't be read, or says something else there.
        """
        found = _settings(self.folder / HOUSE_FILE).get("printers", {})
        name = found.get(use, "") if isinstance(found, dict) else None
        if not isinstance(name, str):
            raise AssistantError(
                f"{self.folder / HOUSE_FILE}: printers.{use} is {name!r}.",
                'Write under [printers], for example: receipt = "usb:0416:5011".',
            )
        return name

    @property
    def language(self) -> str | None:
        """The language this house speaks, ``language = "ru"`` in ``house.toml``; None where it doesn't say.

        Raises:
            AssistantError: ``house.toml`` can't be read, or says something else there.
        """
        found = _settings(self.folder / HOUSE_FILE).get("language")
        if found is None or (isinstance(found, str) and found in LANGUAGES):
            return found
        raise AssistantError(
            f"{self.folder / HOUSE_FILE}: language is {found!r}.", 'Write language = "en" or language = "ru".'
        )

    @property
    def sources(self) -> tuple[str, ...]:
        """The card sources of every evening here, ``sources = ["camera:0"]`` in ``house.toml``.

        Raises:
            AssistantError: ``house.toml`` can't be read, or says something else there.
        """
        found = _settings(self.folder / HOUSE_FILE).get("sources", [])
        if isinstance(found, list) and all(isinstance(one, str) and one.strip() for one in found):
            return tuple(found)
        raise AssistantError(
            f"{self.folder / HOUSE_FILE}: sources is {found!r}.",
            'Write a list, such as sources = ["camera:0"].',
        )

    @property
    def strict(self) -> bool:
        """Whether a placed bet stays as it was typed in this house: ``strict = "on"`` in ``house.toml``.

        Raises:
            AssistantError: ``house.toml`` can't be read, or says something else there.
        """
        found = _settings(self.folder / HOUSE_FILE).get("strict", False)
        if found in ("on", "off"):
            return found == "on"
        if not isinstance(found, bool):
            raise AssistantError(
                f"{self.folder / HOUSE_FILE}: strict is {found!r}.", 'Write strict = "on" or strict = "off".'
            )
        return found

    @property
    def copies(self) -> Path:
        """Where a second copy of every night is kept; best on another disk (`copies_in`)."""
        return self.copies_in or self.folder / "copies"

    @property
    def people(self) -> Path:
        """Who is who over the nights."""
        return self.folder / "people.json"

    @property
    def results(self) -> Path:
        """What the closed nights came to, so that the season need not read them all again; may be deleted."""
        return self.folder / "results.json"

    @property
    def nights(self) -> Path:
        """The folder of the nights' files."""
        return self.folder / "nights"

    @property
    def decks(self) -> Path:
        """The folder of the enrolled decks."""
        return self.folder / "decks"

    @property
    def cameras(self) -> Path:
        """The folder of the calibrated cameras."""
        return self.folder / "cameras"

    @property
    def cursors(self) -> Path:
        """Where numbered shoes were read up to, for the next start after a crash."""
        return self.folder / "shoes.json"

    @property
    def questions(self) -> Path:
        """What was asked when the program last stopped, for the next start after a crash."""
        return self.folder / "questions.json"

    @property
    def taught(self) -> Path:
        """The tags that were named at the table tonight."""
        return self.folder / "tags.json"

    @property
    def slips(self) -> Path:
        """The folder of the slips that were printed to files."""
        return self.folder / "slips"


def house_folder(given: str | Path | None = None, copies: Path | None = None) -> House:
    """Return the house to play in: the one of ``--house``, else the one in the platform's data folder.

    Args:
        given: The folder that was asked for.
        copies: The folder for copies that was asked for, else ``copies`` of ``house.toml`` counts.

    Raises:
        AssistantError: The path can't be made absolute: the current folder is gone, or there is no such user;
            or ``house.toml`` is wrong.
    """
    house = _house_folder(given)
    named = copies or _copies_of(house)
    return house if named is None else House(house.folder, named.expanduser().absolute())


def _copies_of(house: House) -> Path | None:
    """The folder for copies that ``house.toml`` names; a path in it is meant from the house folder."""
    file = house.folder / HOUSE_FILE
    found = _settings(file).get("copies")
    if found is None:
        return None
    if not isinstance(found, str) or not found.strip() or "\0" in found:
        raise AssistantError(
            f"{file}: copies is {found!r}.", 'Write a folder, such as copies = "/media/stick/tableside".'
        )
    return house.folder / Path(found).expanduser()


def _settings(file: Path) -> dict[str, object]:
    """What ``house.toml`` holds; nothing where there is none."""
    try:
        data = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise AssistantError(f"{file} can't be read: {error}.", "Correct it, or move it away.") from error
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except ValueError as error:
        curly = any(mark in data.decode("utf-8", "replace") for mark in _CURLY)
        hint = (
            "It has curly quotation marks; write straight ones." if curly else "Correct it, or move it away."
        )
        raise AssistantError(f"{file} can't be read: {error}.", hint) from error


def _house_folder(given: str | Path | None) -> House:
    if given is not None:
        try:
            return House(Path(given).expanduser().absolute())
        except (OSError, RuntimeError) as error:
            reason = "the current folder is gone" if isinstance(error, OSError) else "no such home folder"
            raise AssistantError(
                f"House folder {given} can't be found: {reason}.", "Write its whole path."
            ) from error
    return House(platformdirs.user_data_path(APP_NAME, appauthor=False))
