"""The Polish Red Dog table: its house rules, state, actions and events (RULES.md 6)."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.cards import Card
from assistant.games.banking import BankState
from assistant.games.base import Action, Event
from assistant.money import Amount


@dataclass(frozen=True)
class PolishRules:
    """House rules (RULES.md 6); amounts in smallest units."""

    stake: Amount
    pays: int
    burn: bool
    hand_mode: str
    bet_min: Amount
    stitch_factor: int
    no_bets: str
    referee: bool
    first_dealer: str

    @property
    def is_shared(self) -> bool:
        """Whether all punters play one hand of three, turned after the bank card."""
        return self.hand_mode == "shared"

    @property
    def burns(self) -> bool:
        """Whether a card is burned before the bank card."""
        return self.burn and not self.is_shared


@dataclass(frozen=True)
class PolishState(BankState):
    """The Polish table.

    Attributes:
        initial: The bank as it was put up.
        last_deal: Whether the stitch round was announced.
        shown: Bettor -> whether the hand that was shown beats the bank card.
        shared: The cards of the shared hand turned so far.
    """

    initial: Amount = 0
    last_deal: bool = False
    shown: tuple[tuple[str, bool], ...] = ()
    shared: tuple[Card, ...] = ()

    @property
    def bets(self) -> dict[str, Amount]:
        """Player -> the bet on the table, in the order of the hands."""
        chips = self.table.chips
        return {hand.player: chips.bet(hand.player) for hand in self.hands if chips.bet(hand.player)}

    @property
    def to_show(self) -> tuple[str, ...]:
        """Bettors whose hands are not shown yet."""
        shown = dict(self.shown)
        return tuple(player for player in self.bets if player not in shown)


# --- actions and events -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DealAgain(Action):
    """The banker goes on (``keep``), or announces the last deal (``stitch``)."""

    stitch: bool


@dataclass(frozen=True)
class Retire(Action):
    """The banker takes the bank back."""


@dataclass(frozen=True)
class StitchAnnounced(Event):
    """The next deal is the banker's last one."""


@dataclass(frozen=True)
class BetsSettled(Event):
    """All bets of a deal are settled; the banker's choice is next."""


@dataclass(frozen=True)
class HandJudged(Event):
    """A bettor's hand was shown; chips move when all are."""

    player: str
    won: bool
