"""Where a house keeps its things: one folder with its nights, slips and settings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import platformdirs

from assistant.errors import AssistantError

APP_NAME = "tableside"


@dataclass(frozen=True, slots=True)
class House:
    """A house folder: where one house's nights, slips and settings lie."""

    folder: Path

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
    def slips(self) -> Path:
        """The folder of the slips that were printed to files."""
        return self.folder / "slips"


def house_folder(given: str | Path | None = None) -> House:
    """Return the house to play in: the one of ``--house``, else the one in the platform's data folder.

    Raises:
        AssistantError: The path can't be made absolute: the current folder is gone, or there is no such user.
    """
    if given is not None:
        try:
            return House(Path(given).expanduser().absolute())
        except (OSError, RuntimeError) as error:
            reason = "the current folder is gone" if isinstance(error, OSError) else "no such home folder"
            raise AssistantError(
                f"House folder {given} can't be found: {reason}.", "Write its whole path."
            ) from error
    return House(platformdirs.user_data_path(APP_NAME, appauthor=False))
