"""People of a night: a name nobody else has, and the next id."""

from __future__ import annotations

from assistant.errors import Refusal
from assistant.ledger import events as ledger
from assistant.table.checks import anybody
from assistant.table.night import Night
from assistant.talk import clean_name, same_person, skeleton


def new_player(night: Night) -> str:
    """The id of the next person."""
    return f"p{len(night.people) + 1}"


def check_new_name(night: Night, name: str, renamed: str | None = None) -> None:
    """A name that nobody at the table has, and that looks like nobody's.

    Raises:
        Refusal: E_PLAYER.
    """
    for person in night.people:
        if person.player == renamed:
            continue
        same = same_person(person.name) == same_person(name)
        if same and (person.seated or renamed):
            raise Refusal("E_PLAYER", "name_taken", {"found": name})
        if not same and skeleton(person.name) == skeleton(name):
            raise Refusal("E_PLAYER", "name_lookalike", {"found": name, "player": person.player})


def named(night: Night, text: str) -> tuple[str, tuple[ledger.PersonNamed, ...]]:
    """Somebody by name, with the event that brings them in where nobody is called so yet.

    Raises:
        Refusal: E_PLAYER for an unfit name.
    """
    name = clean_name(text)
    known = anybody(night).get(same_person(name))
    if known is not None:
        return known, ()
    check_new_name(night, name)
    player = new_player(night)
    return player, (ledger.PersonNamed(player, name),)
