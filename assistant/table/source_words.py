"""What is said when a card source has trouble, or passed a card that it could not name."""

from __future__ import annotations

from assistant.i18n import _
from assistant.talk import printable
from drivers.base import EventKind, SourceEvent


def not_read(event: SourceEvent) -> str:
    """What is asked about a card that passed without a name."""
    if event.event is EventKind.TAG_UNKNOWN and event.code == "other-deck":
        note = printable(event.note).strip()
        return _("{note}. Take it out, or type which card it is.").format(note=note[:1].upper() + note[1:])
    if event.event is EventKind.TAG_UNKNOWN and event.tag:
        text = _("Tag {tag} belongs to no deck. Which card is it?")
        return text.format(tag=printable(event.tag))
    return _("A card was not read. Type it.")


def trouble(event: SourceEvent) -> str:
    """What happened to a source and what to do, with the source's own words where they say more."""
    words: dict[EventKind, str] = {
        EventKind.GAP: _("cards passed unseen. Type them, or count the discards."),
        EventKind.JOINED: _("connected in the middle; earlier cards are unknown."),
        EventKind.REBOOT: _("started anew. Check the last card on the table."),
        EventKind.CONFLICT: _("two readings contradict each other. Type the card."),
        EventKind.CUT: _("the cut card is out. Shuffle after this round."),
        EventKind.EMPTY: _("the shoe is empty. Shuffle."),
        EventKind.DOWN: _("lost. Type the cards."),
        EventKind.STALE: _("connected, but silent. Type the cards if none come."),
        EventKind.UP: _("works."),
        EventKind.BACK: _("a card was pushed back."),
        EventKind.LID: _("the lid was moved."),
    }
    note = printable(event.note).strip()
    found = words.get(event.event, "")
    if event.event is EventKind.DOWN and event.code[:1].isupper():  # the name of an error: it never worked
        found = _("can't be used now. Type the cards.")
    if not found:
        return note or event.event.value
    if note.rstrip(".").casefold() in found.casefold():  # nothing that was not said already
        return found
    return f"{found} {note[:1].upper()}{note[1:].rstrip('.')}."
