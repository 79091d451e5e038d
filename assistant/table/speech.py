"""The words of a night: what people and cards are called, and what amounts are counted in."""

from __future__ import annotations

from assistant.table.night import Night
from assistant.wording import Wording


def wording_of(night: Night) -> Wording:
    """Return what makes the sentences of a night at this moment."""
    return Wording(night.names(), night.currency, night.game.deck_names if night.game else "")
