"""The card table as every game sees it: chairs, dealer, chips, shoe, and who banks."""

from __future__ import annotations

from dataclasses import dataclass, field

from assistant.cards import Shoe
from assistant.holdings import HOUSE, Holdings, Move, bought_by, stack_of
from assistant.money import Amount, Currency


@dataclass(frozen=True, slots=True)
class Seat:
    """A chair: who sits there, and whether they play (or sit out, chair kept)."""

    player: str
    plays: bool = True


@dataclass(frozen=True)
class Table:
    """The card table as every game sees it.

    Attributes:
        seats: Clockwise, the first seated first.
        dealer: Who deals (and so banks) next; None until there is a player.
        chips: Where every chip lies; the places outside the table are counted too, so the total is zero.
        shoe: The deck or shoe in use.
        banker: Who banks the casino game; None when the house does.
        has_float: Whether the banker put up a float, which then limits the bets.
        float_: What the banker put up, while they have a float.
        house_base: What `house` held when the banker took over; the rest of it is the banker's.
        currency: What amounts are counted in; option defaults are whole units of it.
    """

    seats: tuple[Seat, ...] = ()
    dealer: str | None = None
    chips: Holdings = field(default_factory=Holdings)
    shoe: Shoe = field(default_factory=Shoe)
    banker: str | None = None
    has_float: bool = False
    float_: Amount = 0
    house_base: Amount = 0
    currency: Currency = field(default_factory=Currency)

    @property
    def players(self) -> tuple[str, ...]:
        """Everybody with a chair, in seat order."""
        return tuple(seat.player for seat in self.seats)

    @property
    def active(self) -> tuple[str, ...]:
        """Everybody who plays (does not sit out), in seat order."""
        return tuple(seat.player for seat in self.seats if seat.plays)

    def sitting_out(self, least: Amount) -> tuple[str, ...]:
        """Everybody who sits out and has at least so much, in seat order."""
        out = (seat.player for seat in self.seats if not seat.plays)
        return tuple(player for player in out if self.chips.stack(player) >= least)

    def from_left_of(self, player: str | None) -> tuple[str, ...]:
        """All players clockwise, starting left of `player`, who comes last; seat order if nobody is named."""
        order = self.players
        if player not in order:
            return order
        start = order.index(player) + 1
        return order[start:] + order[:start]

    def from_dealer(self) -> tuple[str, ...]:
        """All players clockwise, the dealer (else the first seated) first."""
        order = self.from_left_of(self.dealer)
        return (order[-1], *order[:-1]) if self.dealer in order else order

    def next_dealer(self, least: Amount = 0) -> str | None:
        """Who deals after the present dealer: the next to the left who plays and has at least so much."""
        order = self.from_left_of(self.dealer)
        able = [player for player in order if player in self.active and self.chips.stack(player) >= least]
        others = [player for player in order if player in self.active]
        return next(iter((*able, *others)), self.dealer)


def bank_back(table: Table) -> tuple[Move, ...]:
    """Moves that end a player's banking: float and result back, a loss beyond it covered by a buy-in of
    theirs."""
    if table.banker is None:
        return ()
    share = table.chips.at(HOUSE) - table.house_base
    if share > 0:
        return (Move(HOUSE, stack_of(table.banker), share),)
    return (Move(bought_by(table.banker), HOUSE, -share),) if share else ()
