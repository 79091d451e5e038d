"""What a card in a zone means: the one place where what sources see meets what the table expects.

A zone is a part of the table that a source watches; the names are those a camera's calibration gives. A zone
says which cards it may deliver. Where one zone serves several games (the place of the third card is the place
of a turned one in another game), only roles that can be confused in one game are kept apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.cards import Card
from assistant.games.base import HAND, MARKET, SHARED, TIE_BREAK, CardsDue
from assistant.i18n import N_

_TURNED = frozenset({"turned", "burned", SHARED, MARKET, TIE_BREAK})
# Zone -> the roles of the cards it may deliver; a zone that is not listed may deliver whatever is due.
ZONE_ROLES: Mapping[str, frozenset[str]] = {
    "board": frozenset({"post", "third"}) | _TURNED,
    "posts": frozenset({"post"}) | _TURNED,
    "third": frozenset({"third"}) | _TURNED,
    "turned": frozenset({"turned", "burned"}),
    "market": frozenset({MARKET, SHARED, TIE_BREAK}),
    "hand": frozenset({HAND}),
}
ZONE_WORDS: Mapping[str, str] = {
    "board": N_("where cards are turned"),
    "posts": N_("where a post goes"),
    "third": N_("where the third card goes"),
    "turned": N_("where the turned card goes"),
    "market": N_("where the market lies"),
    "hand": N_("where hands are shown"),
}
"""Where a card lies, in words, through `_()`."""


def expects(due: CardsDue | None, zone: str | None) -> bool:
    """Whether a card in `zone` is due now."""
    if due is None:
        return False
    return zone is None or due.role in ZONE_ROLES.get(zone, frozenset({due.role}))


def is_left_of_a_hand(due: CardsDue | None, zone: str | None) -> bool:
    """Whether a card lies where hands are shown and no hand is due: the rest of one that has been shown."""
    return zone == "hand" and (due is None or due.role != HAND)


def line_for(due: CardsDue, cards: Sequence[Card], player_word: str) -> str:
    """The line of table talk that says these cards lie there.

    Args:
        due: What the table expects.
        cards: The cards, in order; for a hand all that were shown so far.
        player_word: The name of the player whose hand is due, quoted for table talk.
    """
    words = " ".join(str(card).removesuffix("?") for card in cards)
    return f"show {player_word} {words}" if due.role == HAND else f"card {words}"
