"""What reaches the screens from other threads."""

from __future__ import annotations

from textual.message import Message


class CardsSeen(Message):
    """Card sources said something: a card, a doubt, or that one is lost; it waits in the inbox."""


class DevicesChanged(Message):
    """There is something new about what is attached, or what was heard at a port."""
