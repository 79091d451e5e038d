"""The night of one run of the program: opened, opened again after a failure, recovered, or left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.config import House

if TYPE_CHECKING:  # the store loads behind the first paint
    from assistant.ledger.season import NightResult
    from assistant.table.season import HouseSeason
    from assistant.table.session import TableSession


@dataclass
class Evening:
    """Knows which night is played, so that opening again opens the same one.

    Attributes:
        house: The house folder.
        night: The night that was asked for, then the one that was opened.
        new: Whether a new night was asked for; it is begun once.
        begins: Hears the name of each night that is opened.
    """

    house: House
    night: str | None = None
    new: bool = False
    begins: Callable[[str], None] = lambda _night: None

    def open(self) -> TableSession:
        """Open the night.

        Raises:
            StoreError: It can't be opened.
        """
        from assistant.table.opening import open_tonight

        session = open_tonight(self.house, night=self.night, new=self.new)
        self.night, self.new = session.name, False
        self.begins(session.name)
        return session

    def recover(self, name: str) -> str:
        """Make a sound night of what is left of a damaged one and say what was done.

        Raises:
            StoreError: It can't be done.
        """
        from assistant.table.damage import what_was_done
        from assistant.table.opening import recover_night

        return what_was_done(recover_night(self.house, name))

    def begin_new(self) -> TableSession:
        """Leave the night as it is and begin another."""
        self.night, self.new = None, True
        return self.open()

    def season(self, playing: tuple[str, NightResult | None] | None = None) -> HouseSeason:
        """Read the results of the house's nights.

        Args:
            playing: Name and result of the night that is open here; None for one that goes on.
        """
        from assistant.table.season import read_season

        return read_season(self.house, playing)
