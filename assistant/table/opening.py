"""Which night a program opens: the one that was being played, or the next one."""

from __future__ import annotations

from assistant.config import House
from assistant.i18n import _
from assistant.store.base import NightDamaged, NightStore, Verification
from assistant.store.nights import list_nights, night_path, prepare, start_night
from assistant.store.sqlite import open_night
from assistant.table.asked import QuestionFile
from assistant.table.night_log import Clock, local_now
from assistant.table.session import TableSession


def open_tonight(
    house: House, *, night: str | None = None, new: bool = False, clock: Clock = local_now
) -> TableSession:
    """Open the night to play: the one named, else the latest if it was not closed, else a new one.

    Args:
        house: The house folder.
        night: Name of a stored night, closed or not.
        new: Begin a new night whatever is open.
        clock: The time, with its zone; a night is dated by its start.

    Raises:
        StoreError: The night is open in another window, damaged, or can't be written.
    """
    prepare(house)
    if night is not None:
        path = night_path(house, night)
        return _session(open_night(path), path.stem, clock, house)
    stored = () if new else list_nights(house)
    if stored:
        session = _session(open_night(stored[-1].path), stored[-1].name, clock, house)
        if not session.night.closed:
            return session
        session.close()
    store = start_night(house, clock().date())
    return _session(store, store.path.stem, clock, house)


def _session(store: NightStore, name: str, clock: Clock, house: House) -> TableSession:
    """Check that the night is as it was written, and play it back; no line is accepted before."""
    try:
        found = store.verify()
        if not found.ok:
            raise _damaged(name, found)
        return TableSession(store, name, clock, asked=QuestionFile(house.questions))
    except BaseException:
        store.close()
        raise


def _damaged(name: str, found: Verification) -> NightDamaged:
    where = _("entry {number}").format(number=found.first_bad) if found.first_bad else _("the file itself")
    message = _("Night {name} is not as it was written: {where}.").format(name=name, where=where)
    hint = _("It was left as it is. `tableside --new` begins another night; `tableside verify` says more.")
    return NightDamaged(message, hint)
