"""What reaches the screens from other threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from drivers.base import SourceEvent


class CardSeen(Message):
    """A card source said something: a card, a doubt, or that it is lost."""

    def __init__(self, event: SourceEvent) -> None:
        super().__init__()
        self.event = event
