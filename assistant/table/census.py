"""What the count of the shoe says when the cut card or the end comes: the only check some shoes have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.i18n import _
from drivers.base import EventKind

if TYPE_CHECKING:
    from assistant.table.night import Night


def census_words(kind: EventKind, night: Night) -> str:
    """Say how many cards should be left of the shoe; nothing where hands and burns hide how many were dealt.

    A reader without an exit gate does not see a card that it could not read; the dealer's own count of what
    is left behind the cut card would show it (SHOE_PROTOCOL.md 5).
    """
    left = night.table.shoe.cards_left
    if night.game is None or night.game.deals_face_down:
        return ""
    if kind is EventKind.CUT:
        return _("By the count {left} cards are left behind it.").format(left=left)
    if kind is EventKind.EMPTY and left:
        return _("By the count {left} cards should be left: count the discards.").format(left=left)
    return ""
