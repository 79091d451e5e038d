"""The nodes of a settlement that are no players: the casino's result, a carried pool, the cash box.

Nobody can be called like one of them (`assistant.talk.RESERVED_NAMES`).
"""

from __future__ import annotations

from assistant.holdings import CARRIED, HOUSE

__all__ = ["BOX", "CARRIED", "HOUSE", "MISSING_NAME", "NODES", "SURPLUS_NAME"]

BOX = "box"
NODES = (HOUSE, CARRIED, BOX)

MISSING_NAME = "missing chips"
"""What the house is called where it has no bank, only what nobody found."""
SURPLUS_NAME = "surplus chips"
"""The same where more was found than was ever sold."""
