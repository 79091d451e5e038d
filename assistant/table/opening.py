"""Which night a program opens: the one that was being played, or the next one; and how it is opened."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from pathlib import Path

from assistant.config import House
from assistant.errors import AssistantError
from assistant.i18n import _
from assistant.money import format_amount
from assistant.store.base import (
    NightDamaged,
    NightStore,
    NoSuchNight,
    NotANight,
    StoreError,
    Verification,
)
from assistant.store.chain import Row
from assistant.store.mirror import Mirror, MirroredNight
from assistant.store.nights import StoredNight, date_by, list_nights, night_path, prepare, start_night
from assistant.store.salvage import Recovered, SalvagedNight, Trust, gather, recover
from assistant.store.sqlite import SqliteNight, open_night
from assistant.table.asked import QuestionFile
from assistant.table.beginning import is_of_another_day
from assistant.table.damage import damaged
from assistant.table.night import Night
from assistant.table.night_log import Clock, NightLog, local_now, nothing_is_thrown_away
from assistant.table.session import TableSession
from assistant.table.stored import against_copy, open_stored

LOOKED_BACK = 5
"""Nights before the one that is opened that are asked whether they were left in play."""
MANY = 50_000
"""Objects that were made while a night was read: some 2,500 lines of it."""
_BROKEN = Verification(0, "", ok=False, reason="file")


def open_tonight(
    house: House, *, night: str | None = None, new: bool = False, clock: Clock = local_now
) -> TableSession:
    """Open the night to play: the one named, else the latest if it was not closed, else a new one.

    A night in which nothing has begun gets the date of today, with all that was typed in it. A damaged night
    is opened for reading, with what its copies still have; `TableSession.damage` says what is wrong.

    Args:
        house: The house folder.
        night: Name of a stored night, closed or not.
        new: Begin a new night whatever is open.
        clock: The time, with its zone; a night is dated by its start.

    Raises:
        StoreError: The night is open in another window, nothing of it can be read, or it can't be written.
    """
    prepare(house)
    if night is not None:
        return _open(house, night_path(house, night), clock)
    stored = list_nights(house)
    if new:
        session = _play(house, start_night(house, clock().date()), (), clock)
        session.follows(_left_in_play(house, stored))
        return session
    left_pool = left_to_pay = ""
    if stored:
        session = _open(house, stored[-1].path, clock)
        if session.damage is None and is_of_another_day(session.name, session.night, clock().date()):
            session.close()
            session = _open(house, date_by(house, stored[-1].path, clock().date()), clock)
        if session.damage is not None or not session.night.closed:
            is_new = len(stored) > 1 and not len(session.night.rounds)
            before = _night_of(house, stored[-2].path) if is_new else None
            if before is not None:
                left_pool = _left_pool(stored[-2].name, before)
                left_to_pay = _left_to_pay(stored[-2].name, before)
            session.follows(_left_in_play(house, stored[:-1]), left_pool, left_to_pay)
            return session
        left_pool = _left_pool(session.name, session.night)
        left_to_pay = _left_to_pay(session.name, session.night)
        session.close()
    session = _play(house, start_night(house, clock().date()), (), clock)
    session.follows(_left_in_play(house, stored[:-1]), left_pool, left_to_pay)
    return session


def _left_to_pay(name: str, night: Night) -> str:
    """What a closed night's plan still has to be paid, and how to get back to it."""
    plan = night.books.plan if night.closed else None
    amount = sum(line.open for line in plan.lines) if plan is not None else 0
    if not amount:
        return ""
    text = _("Night {name}: {amount} is still to be paid. To go on with it: tableside --night {name}")
    return text.format(name=name, amount=format_amount(amount, night.money))


def _left_in_play(house: House, stored: Sequence[StoredNight]) -> str:
    """Which of the last nights was left with a round open or chips on the table, and how to get back to it.

    A night that another window has, or that can't be read, is not spoken of here: ``nights`` does that.
    """
    for night in reversed(stored[-LOOKED_BACK:]):
        try:
            with open_stored(night.path, house.copies) as store:
                found = None if store.is_closed else NightLog(store).night
        except AssistantError:
            continue
        if found is not None and found.in_round:
            text = _(
                "Night {name} is in the middle of round {number}. To go on with it: tableside --night {name}"
            )
            return text.format(name=night.name, number=len(found.rounds))
        if found is not None and any(found.chips.stack(player) for player in found.table.players):
            text = _("Night {name} was not closed. To go on with it: tableside --night {name}")
            return text.format(name=night.name)
    return ""


def _left_pool(name: str, night: Night) -> str:
    """The pool that was carried out of a closed night, and the line that brings it into this one."""
    if not night.closed or not night.carried:
        return ""
    text = _("Night {name} left a pool of {amount}: “carry {amount}” brings it in, in a game with a pool.")
    return text.format(name=name, amount=format_amount(night.carried, night.currency))


def _night_of(house: House, path: Path) -> Night | None:
    """A night that is not open; of one that can't be read nothing is said here."""
    try:
        with open_stored(path, house.copies) as store:
            return NightLog(store).night
    except AssistantError:
        return None


def recover_night(house: House, name: str, trust: Trust = Trust.NEITHER) -> Recovered:
    """Make a sound night of what is left of a damaged one; the damaged file is kept beside it.

    Args:
        house: Where.
        name: The night, as it was typed.
        trust: Whose way of telling it counts, where file and copy differ.

    Raises:
        StoreError: The night is open, nothing is left of it, or it can't be written.
    """
    return recover(night_path(house, name, may_be_missing=True), (house.copies,), trust)


def examine(house: House, path: Path) -> Verification:
    """Return what a check of a stored night finds, its copy considered; nothing is changed.

    Raises:
        StoreError: The night is open in another window, or the file is another program's.
    """
    try:
        with open_stored(path, house.copies) as store:
            return store.verify()
    except (NightDamaged, NotANight, NoSuchNight):
        return _BROKEN


def _open(house: House, path: Path, clock: Clock) -> TableSession:
    """Check that a night is as it was written, and play it back; no line is accepted before."""
    with nothing_is_thrown_away():
        session = _checked(house, path, clock)
        if gc.get_count()[0] > MANY:
            gc.freeze()  # it stays as long as the program: nobody has to walk over it again
    return session


def _checked(house: House, path: Path, clock: Clock) -> TableSession:
    try:
        store = open_night(path)
    except (NightDamaged, NotANight) as error:
        return _look(house, path, _BROKEN, clock, error)
    try:
        found = store.verify()
        rows = store.rows() if found.ok else []
    except NightDamaged:
        rows, found = [], _BROKEN
    except BaseException:
        store.close()
        raise
    if found.ok:
        found = against_copy(house.copies, path.stem, rows, found)
    if found.ok:
        return _play(house, store, rows, clock)
    store.close()
    return _look(house, path, found, clock)


def _play(house: House, store: SqliteNight, rows: Sequence[Row], clock: Clock) -> TableSession:
    """Play a sound night, and keep its copy up."""
    name = store.path.stem
    mirror = Mirror(house.copies, name, rows, is_made=house.copies_in is None)
    asked = QuestionFile(house.questions)
    session = _session(MirroredNight(store, mirror), name, clock, asked, strict=house.strict)
    mirror.start()
    return session


def _look(
    house: House, path: Path, found: Verification, clock: Clock, why: StoreError | None = None
) -> TableSession:
    """Open what is left of a damaged night for reading; where nothing is left, say why."""
    salvage = gather(path, (house.copies,))
    if not salvage.rows:
        raise why or damaged(path.stem, found)
    return _session(SalvagedNight(path.stem, salvage, found), path.stem, clock)


def _session(
    store: NightStore,
    name: str,
    clock: Clock,
    asked: QuestionFile | None = None,
    *,
    strict: bool = False,
) -> TableSession:
    try:
        return TableSession(store, name, clock, asked=asked, strict=strict)
    except BaseException:
        store.close()
        raise
