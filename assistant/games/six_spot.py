"""Six-Spot Red Dog: a low card is turned first, then the hand is bet unseen (RULES.md 5, a reconstruction).

The machine is that of the pool game, or with ``funding=bank`` of the banking game; each turn begins with a
target.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from assistant.games import options
from assistant.games.bank import BANK_OPTIONS, BankRedDog, BankRules
from assistant.games.base import Game, Option
from assistant.games.pool import PoolRedDog, PoolRules

MAX_PLAYERS = 8
_BURN = ("burn", "burn_when")


class SixSpotRedDog(PoolRedDog):
    """Six-Spot Red Dog against the pool; see RULES.md 5."""

    name = "six-spot-red-dog"
    options: ClassVar[tuple[Option, ...]] = (
        *(option for option in PoolRedDog.options if option.name not in (*_BURN, "hand")),
        options.words("hand", "3", "4", "5"),
        options.whole("six_limit", 6, 2, 14),
        options.words("target", "per-turn", "common"),
        options.words("funding", "pool", "bank"),
        *BANK_OPTIONS,
    )
    max_players = MAX_PLAYERS

    @classmethod
    def with_options(cls, values: Mapping[str, object]) -> Game:
        """Return the game against the pool, or against a bank."""
        named = dict(values)
        if named["fold_fine"] == "ante":
            named["fold_fine"] = named["ante"]
        rules = BankRules if named.pop("funding") == "bank" else PoolRules
        known = {name: value for name, value in named.items() if name in rules.__dataclass_fields__}
        if rules is BankRules:
            return SixSpotBank(BankRules(**known))  # type: ignore[arg-type]
        return cls(PoolRules(**known))  # type: ignore[arg-type]


class SixSpotBank(BankRedDog):
    """Six-Spot Red Dog with ``funding=bank``."""

    name = SixSpotRedDog.name
    options = SixSpotRedDog.options
    max_players = MAX_PLAYERS
