"""What an accepted line causes."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.games.base import Action, Event
from assistant.ledger.events import LedgerEvent

Caused = tuple[Event | LedgerEvent, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """What an accepted line causes; `action` is set for a game's own verbs."""

    action: Action | None
    events: Caused
