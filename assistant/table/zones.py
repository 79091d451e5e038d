"""What a card in a zone means: the one place where what sources see meets what the table expects.

A zone is a part of the table that a source watches. Today every zone means "the next card that is due"; a
source that watches several names them, and this table says which cards each may deliver.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.cards import Card
from assistant.games.base import HAND, MARKET, SHARED, TIE_BREAK, CardsDue

# Zone -> the roles of the cards it may deliver; a zone that is not listed may deliver whatever is due.
ZONE_ROLES: Mapping[str, frozenset[str]] = {
    "board": frozenset({"post", "third", "turned", "burned", SHARED, MARKET, TIE_BREAK}),
    "posts": frozenset({"post"}),
    "third": frozenset({"third"}),
    "turned": frozenset({"turned", "burned"}),
    "hand": frozenset({HAND}),
}


def expects(due: CardsDue | None, zone: str | None) -> bool:
    """Whether a card in `zone` is due now."""
    if due is None:
        return False
    return zone is None or due.role in ZONE_ROLES.get(zone, frozenset({due.role}))


def line_for(due: CardsDue, cards: Sequence[Card], player_word: str) -> str:
    """The line of table talk that says these cards lie there.

    Args:
        due: What the table expects.
        cards: The cards, in order; for a hand all that were shown so far.
        player_word: The name of the player whose hand is due, quoted for table talk.
    """
    words = " ".join(str(card).removesuffix("?") for card in cards)
    return f"show {player_word} {words}" if due.role == HAND else f"card {words}"
