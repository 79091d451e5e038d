"""``later LINE``: what is said during a round and entered, as a line of its own, when the round is over.

A latecomer's chair, a rebuy, the next game: the rules want them between rounds, and nobody should have to
keep them in mind until then. The line waits in the night's own log, and is there after a power cut too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from assistant.errors import Refusal
from assistant.ledger import events as ledger
from assistant.table.decision import Caused
from assistant.table.night import Night
from assistant.talk import Command, Words, printable, same_person, skeleton, split_line

LATER_VERBS = frozenset({"seat", "move", "rename", "buy", "cashout", "dealer", "game"})
"""Verbs that only work between rounds and that somebody may ask for during one."""
REPEATED = frozenset({"buy"})
"""What a player may ask for twice in a round; each is a line of its own."""
OF_THIS_ROUND = frozenset({"buy", "cashout"})
"""What is forgotten where it can't be done at this round's end: it would take the chips of a later one."""
NONE = "none"
LATER = "later"


def queue(night: Night, words: Words, try_now: Callable[[Night, Command], object]) -> Caused:
    """What ``later`` causes: the line waits; ``later none`` forgets all that wait, ``later none LINE`` one.

    Args:
        night: Where.
        words: What stood behind ``later``.
        try_now: Decides a line at once. What can't be read is refused now, not at the end of the round.

    Raises:
        Refusal: E_ARGS for a line that can't wait, E_PHASE where it need not; what `try_now` can't read.
    """
    command = split_line(words.rest)
    words.words = []
    if command is None:
        raise Refusal("E_ARGS", "argument_missing", {})
    if command.verb == NONE:
        return _forgotten(night, split_line(command.rest))
    if command.verb not in LATER_VERBS:
        facts = {"found": command.verb, "words": ", ".join(sorted(LATER_VERBS))}
        raise Refusal("E_ARGS", "later_verb", facts)
    if not night.in_round:
        raise Refusal("E_PHASE", "later_now", {})
    line = line_of(command)
    replaced = _waiting_games(night) if command.verb == "game" else ()
    waiting = [_what(one) for one in night.later if one not in replaced or one == line]
    if command.verb not in REPEATED and _what(line) in waiting:
        raise Refusal("E_ARGS", "later_twice", {"found": line})
    _check_names(night, command)
    try:
        try_now(night, command)
    except Refusal as refusal:
        if refusal.code != "E_PHASE":
            raise
    return (*map(ledger.LineTaken, replaced), ledger.LineQueued(line))


def _waiting_games(night: Night) -> tuple[str, ...]:
    """The game that waits: only one is played next, so another one takes its place."""
    return tuple(line for line in night.later if line.split(maxsplit=1)[0] == "game")


def _forgotten(night: Night, command: Command | None) -> Caused:
    """The events that what waits does so no longer: the line named, or all of them."""
    if not night.later:
        raise Refusal("E_PHASE", "later_nothing", {})
    if command is None:
        return tuple(ledger.LineTaken(line) for line in night.later)
    line = line_of(command)
    if line not in night.later:
        raise Refusal("E_ARGS", "later_not_waiting", {"found": line, "words": " · ".join(night.later)})
    return (ledger.LineTaken(line),)


def _check_names(night: Night, command: Command) -> None:
    """A new name looks like none that waits for a chair: at the round's end one of the two would be refused,
    when nobody looks any more."""
    new = _new_name(command)
    for line in night.later if new else ():
        waits = _new_name(split_line(line))
        if waits and same_person(waits) != same_person(new) and skeleton(waits) == skeleton(new):
            raise Refusal("E_PLAYER", "later_lookalike", {"found": new, "other": waits})


def _new_name(command: Command | None) -> str:
    """The name that a line brings to the table; empty where it brings none."""
    place = {"seat": 0, "rename": 1}.get(command.verb) if command else None
    words = command.words if command else ()
    return words[place].text if place is not None and len(words) > place else ""


def taken(night: Night, command: Command) -> Caused:
    """The event that a line no longer waits, where it did."""
    line = line_of(command) if night.later and not night.in_round else ""
    return (ledger.LineTaken(line),) if line in night.later else ()


def travelled(here: Night, there: Night, line: str, events: Caused) -> Night:
    """Where an ``undo`` or ``redo`` of a line leads: between rounds it lets nothing wait again.

    A rebuy that waited and was taken back on its own ("she never paid") is not booked by the next round's
    end. Behind the round's last line everything waits as it did.

    Args:
        here: Before the undo or redo.
        there: On the other side of the line.
        line: The line.
        events: What it had caused.
    """
    if here.in_round or there.in_round or line.split(maxsplit=1)[0].lower() == LATER:
        return there
    waiting = list(here.later)
    for event in events:
        if isinstance(event, ledger.LineTaken) and event.line in waiting:
            waiting.remove(event.line)
    return there if there.later == tuple(waiting) else replace(there, later=tuple(waiting))


def line_of(command: Command) -> str:
    """A line as it waits."""
    return " ".join(f"{command.verb} {printable(command.rest)}".split())


def _what(line: str) -> tuple[str, ...]:
    """Verb and whom it is about: two such lines are one said twice."""
    command = split_line(line)
    return (command.verb, *(word.text.casefold() for word in command.words[:1])) if command else ()
