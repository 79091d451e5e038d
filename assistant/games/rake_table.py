"""The Rake table: its phases, house rules, state, actions and events (RULES.md 9.2, 9.3)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from assistant.cards import Card
from assistant.games.base import MARKET, TAKEN, Action, Event, GameState, RoundOpened, Shown
from assistant.games.hand_ranks import RankRules
from assistant.games.showdown import ShowdownRules
from assistant.holdings import POOL
from assistant.money import Amount
from assistant.records import replace


class Phase(StrEnum):
    """The waiting states of RULES.md 9.3."""

    ANTE = "ANTE"
    DEAL = "DEAL"
    BET1 = "BET1"
    DRAW1 = "DRAW1"
    BET2 = "BET2"
    DRAW2 = "DRAW2"
    BET3 = "BET3"
    SHOWDOWN = "SHOWDOWN"


COURSE = (Phase.DEAL, Phase.BET1, Phase.DRAW1, Phase.BET2, Phase.DRAW2, Phase.BET3, Phase.SHOWDOWN)
BETTING = frozenset({Phase.BET1, Phase.BET2, Phase.BET3})
DRAWING = frozenset({Phase.DRAW1, Phase.DRAW2})


@dataclass(frozen=True)
class RakeRules:
    """House rules (RULES.md 9.2); amounts in smallest units."""

    ante: Amount
    min_bet: Amount
    market: str
    kickers: str
    tie: str
    aos: bool
    two_pair: str
    quads_lady_high: bool
    show_all_in: bool
    first_dealer: str

    @property
    def showdown(self) -> ShowdownRules:
        """The rules of the showdown."""
        ranks = RankRules(self.kickers == "strict", self.two_pair == "above-trips", self.quads_lady_high)
        return ShowdownRules(ranks, self.aos, self.tie == "split")


@dataclass(frozen=True)
class RakeState(GameState):
    """The Rake table.

    Attributes:
        players: Everybody dealt in, from the dealer's left, the dealer last; empty between rounds.
        folded: Who threw the hand in.
        contributed: Antes and the bets of finished streets.
        acted: Who has acted since the last full bet or raise of this street.
        last: Who acted last in this street.
        laid: Whether all open market cards lie there.
        market: Open cards left in the market, in order of their places.
        closed: Closed cards left in the market.
        drawn: Who has drawn in this draw.
        known: Cards a player holds that everybody saw.
        opened: Who opened the hand because no betting was possible any more.
        shown: Hands of the showdown.
        draws: Tie-break cards, in order.
        stock: Cards left in the deck.
        window: Whose winnings can still be mended.
        mispaid: Player -> what they hold too much (or, negative, too little).
    """

    players: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()
    contributed: tuple[tuple[str, Amount], ...] = ()
    acted: tuple[str, ...] = ()
    last: str | None = None
    laid: bool = False
    market: tuple[Card, ...] = ()
    closed: int = 0
    drawn: tuple[str, ...] = ()
    known: tuple[tuple[str, Card], ...] = ()
    opened: tuple[str, ...] = ()
    shown: tuple[tuple[str, tuple[Card, ...]], ...] = ()
    draws: tuple[Card, ...] = ()
    stock: int = 0
    window: tuple[str, ...] = ()
    mispaid: tuple[tuple[str, Amount], ...] = ()

    @property
    def still_in(self) -> tuple[str, ...]:
        """Players who did not fold, from the dealer's left."""
        return tuple(player for player in self.players if player not in self.folded)

    @property
    def to_draw(self) -> tuple[str, ...]:
        """Players who still draw, in order."""
        return tuple(player for player in self.still_in if player not in self.drawn)

    @property
    def to_show(self) -> tuple[str, ...]:
        """Players whose five cards are due."""
        shown = dict(self.shown)
        return tuple(player for player in self.still_in if player not in shown)

    @property
    def bets(self) -> dict[str, Amount]:
        """The bets of this street."""
        return {player: self.table.chips.bet(player) for player in self.players}

    def cards_of(self, player: str) -> tuple[Card, ...]:
        """The cards a player holds that everybody saw."""
        return tuple(card for owner, card in self.known if owner == player)


# --- actions and events -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Check(Action):
    """A player stays without betting."""

    player: str


@dataclass(frozen=True)
class TakeCard(Action):
    """A card from the market; `cards` is the open one, or nothing for a closed one."""

    player: str
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True)
class Checked(Event):
    """A player stayed without betting."""

    player: str


@dataclass(frozen=True)
class Wagered(Event):
    """A bet or raise to `total`; `full` ones give everybody else a new turn."""

    player: str
    total: Amount
    full: bool


@dataclass(frozen=True)
class PlayerFolded(Event):
    """A player is out of the hand."""

    player: str


@dataclass(frozen=True)
class StreetClosed(Event):
    """A round of betting is over: the uncalled part went back, the bets went to the pot."""

    player: str | None = None
    returned: Amount = 0


@dataclass(frozen=True)
class CardTaken(Event):
    """A player drew; a closed card is known to the player only."""

    player: str
    card: Card | None = None


@dataclass(frozen=True)
class HandOpened(Event):
    """A hand was opened before the showdown."""

    player: str
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class HandShown(Event):
    """Five cards at the showdown."""

    player: str
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class PotWon(Event):
    """A pot, or a share of it, went to a player; an uncontested one went back."""

    player: str
    amount: Amount
    contested: bool = True
    side: bool = False


@dataclass(frozen=True)
class AceOfSkulls(Event):
    """The Ace of Skulls decides a showdown: its holder wins every contested pot, or loses them."""

    player: str
    wins: bool


# --- what events change -------------------------------------------------------------------------------------


def new_round(state: RakeState, event: RoundOpened) -> RakeState:
    """Return the state after the antes."""
    antes = tuple((move.source.partition(":")[2], move.amount) for move in event.moves)
    fresh = RakeState(state.table, Phase.DEAL, state.board, players=event.players, contributed=antes)
    return replace(fresh, window=state.window, mispaid=state.mispaid)


def after_act(state: RakeState, player: str, acted: tuple[str, ...]) -> RakeState:
    """Return the state after a player checked, bet, called, raised or folded."""
    # The first bet of the new round: the last one's payments can't be mended any more.
    return replace(state, acted=acted, last=player, window=(), mispaid=())


def next_phase(state: RakeState) -> RakeState:
    """Go on to the next draw, round of betting, or the showdown."""
    phase = COURSE[COURSE.index(Phase(state.phase)) + 1]
    return replace(state, phase=phase, acted=(), last=None, drawn=())


def after_street(state: RakeState, event: StreetClosed) -> RakeState:
    """Return the state after a round of betting."""
    paid = {move.source.partition(":")[2]: move.amount for move in event.moves if move.target == POOL}
    contributed = tuple((player, total + paid.get(player, 0)) for player, total in state.contributed)
    return next_phase(replace(state, contributed=contributed))


def after_taking(state: RakeState, event: CardTaken) -> RakeState:
    """Return the state after a player drew a card."""
    state = replace(state, drawn=(*state.drawn, event.player))
    if event.card is None:
        state = replace(state, closed=state.closed - 1)
    else:
        market = tuple(card for card in state.market if card != event.card)
        taken = Shown(event.card, TAKEN, event.player)
        board = tuple(taken if shown == Shown(event.card, MARKET) else shown for shown in state.board)
        known = (*state.known, (event.player, event.card))
        state = replace(state, market=market, known=known, board=board)
    return state if state.to_draw else next_phase(state)
