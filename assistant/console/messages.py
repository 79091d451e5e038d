"""What reaches the screens from other threads."""

from __future__ import annotations

from textual.message import Message


class CardsSeen(Message):
    """Card sources said something: a card, a doubt, or that one is lost; it waits in the inbox."""
