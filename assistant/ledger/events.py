"""What happens to the night and its money outside the rules of any game.

Every event is frozen and in the past tense; `moves` are the chips that went with it. Nothing is ever edited:
a mistake is answered by another event.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.cards import Card
from assistant.holdings import Move
from assistant.money import Amount


@dataclass(frozen=True, kw_only=True)
class LedgerEvent:
    """The base of all events here."""

    moves: tuple[Move, ...] = ()


@dataclass(frozen=True)
class NightNamed(LedgerEvent):
    """The night got its name, currency (empty for chips) and language."""

    name: str
    currency: str = ""
    language: str = "en"


@dataclass(frozen=True)
class GameChosen(LedgerEvent):
    """A game was chosen; chips on a layout went back.

    `options` are all its house rules, the defaults of the day too, so that a later version of the program
    plays this night by the same rules.
    """

    name: str
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class PlayerSeated(LedgerEvent):
    """A player took a chair: left of `after`, or left of the last player."""

    player: str
    name: str
    after: str | None = None


@dataclass(frozen=True)
class PlayerMoved(LedgerEvent):
    """A player changed chairs."""

    player: str
    after: str


@dataclass(frozen=True)
class PlayerRenamed(LedgerEvent):
    """A player is called something else from now on."""

    player: str
    name: str


@dataclass(frozen=True)
class BoughtIn(LedgerEvent):
    """Chips were bought."""

    player: str
    amount: Amount


@dataclass(frozen=True)
class CashedOut(LedgerEvent):
    """Chips were cashed."""

    player: str
    amount: Amount


@dataclass(frozen=True)
class SatOut(LedgerEvent):
    """A player sits out, chair kept."""

    player: str


@dataclass(frozen=True)
class CameBack(LedgerEvent):
    """A player plays again."""

    player: str


@dataclass(frozen=True)
class PlayerLeft(LedgerEvent):
    """A player cashed out and left the chair."""

    player: str
    amount: Amount


@dataclass(frozen=True)
class ChangeQueued(LedgerEvent):
    """Said during a round, done when it is over: ``sitout``, ``leave`` or ``back``; the last one counts."""

    player: str
    change: str


@dataclass(frozen=True)
class DealerNamed(LedgerEvent):
    """Who deals next."""

    player: str


@dataclass(frozen=True)
class AceFound(LedgerEvent):
    """Cards were dealt round until the first ace, which made `player` the dealer."""

    cards: tuple[Card, ...]
    player: str


@dataclass(frozen=True)
class PoolCarriedIn(LedgerEvent):
    """A pool left from an earlier night."""

    amount: Amount


@dataclass(frozen=True)
class PoolShared(LedgerEvent):
    """The pool was divided among the seated."""

    shares: tuple[tuple[str, Amount], ...]


@dataclass(frozen=True)
class RoundVoided(LedgerEvent):
    """A round was called off; every chip went back."""

    round: int
    reason: str = ""


@dataclass(frozen=True)
class CardFixed(LedgerEvent):
    """A card was recorded wrong: round `round` was worked out again with `new` for the `nth` `old`."""

    round: int
    old: Card
    new: Card
    nth: int = 1


@dataclass(frozen=True)
class Counted(LedgerEvent):
    """Chips were counted in front of a player, who had `stack` by the ledger; no chips move."""

    player: str
    amount: Amount
    stack: Amount


@dataclass(frozen=True)
class DifferenceAccepted(LedgerEvent):
    """The counted differences were booked by a policy; `shares` is what each player bears (negative:
    receives)."""

    policy: str
    shares: tuple[tuple[str, Amount], ...]
    reason: str = ""


@dataclass(frozen=True)
class NightClosed(LedgerEvent):
    """The night is over: every stack was cashed out; `carried` stays in the pool for another night."""

    carried: Amount = 0


@dataclass(frozen=True)
class Noted(LedgerEvent):
    """A remark in the log."""

    text: str


EVENT_TYPES: tuple[type, ...] = (
    NightNamed,
    GameChosen,
    PlayerSeated,
    PlayerMoved,
    PlayerRenamed,
    BoughtIn,
    CashedOut,
    SatOut,
    CameBack,
    PlayerLeft,
    ChangeQueued,
    DealerNamed,
    AceFound,
    PoolCarriedIn,
    PoolShared,
    RoundVoided,
    CardFixed,
    Counted,
    DifferenceAccepted,
    NightClosed,
    Noted,
)
