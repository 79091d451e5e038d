"""What the console says about the safety of the night: how far its copy is, and that it can only be read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from assistant.console.view import Lamp
from assistant.i18n import _

if TYPE_CHECKING:
    from assistant.store.base import CopyState, Damage
    from assistant.table.session import TableSession
    from assistant.table.snapshot import TableSnapshot

GRACE_S = 2.0
"""A copy that is behind for less than this is not worth a look."""


class Rescue(Protocol):
    """What can be done about a damaged night; called in the desk's thread, with no night open."""

    def recover(self, name: str) -> str:
        """Make a sound night of what is left and return what was done, in a sentence."""

    def begin_new(self) -> TableSession:
        """Open a new night beside the damaged one."""


class CopyWatch:
    """Turns the state of the copy into a lamp, and into a sentence when something goes wrong.

    Args:
        clock: Seconds, monotonic.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._level_s = clock()
        self._said = ""

    def lamp(self, copy: CopyState | None) -> Lamp | None:
        """The copy as a word; None where there is none."""
        if copy is None:
            return None
        if copy.trouble:
            return Lamp(_("copy"), _("{count} behind").format(count=copy.behind), is_lost=True)
        if not copy.behind:
            self._level_s = self._clock()
        if self._clock() - self._level_s < GRACE_S:
            return Lamp(_("copy"), "ok")
        return Lamp(_("copy"), _("{count} behind").format(count=copy.behind))

    def news(self, copy: CopyState | None) -> str:
        """What the dealer should hear once: that the copy fails, or works again; empty for nothing new."""
        trouble = copy.trouble if copy is not None else ""
        was, self._said = self._said, trouble
        if copy is None or bool(was) == bool(trouble):
            return ""
        if trouble:
            text = _("The copy of the night can't be written to {folder}: {why}. The night itself is saved.")
            return text.format(folder=copy.folder, why=trouble)
        return _("The copy of the night works again.")


def damage_lamp(damage: Damage | None) -> Lamp | None:
    """A word for a night that can only be looked at."""
    return None if damage is None else Lamp(_("night"), _("READING ONLY"), is_lost=True)


def how_it_stands(snapshot: TableSnapshot, copy: CopyState | None) -> str:
    """The night's number and head, and where its copy lies, in a sentence."""
    head = " ".join(snapshot.head[start : start + 4] for start in (0, 4, 8))
    text = _("Night {night}: {entries} entries, head {head}.").format(
        night=snapshot.night, entries=snapshot.entries, head=head
    )
    if copy is None:
        return text + " " + _("There is no copy.")
    if copy.trouble:
        return text + " " + _("Copy: {count} behind, {why}.").format(count=copy.behind, why=copy.trouble)
    lies = _("Copy: {count} behind, in {path}; the night file there has {backed_up}.")
    return text + " " + lies.format(count=copy.behind, path=copy.path, backed_up=copy.backed_up)
