"""Face-down hands from one deck: dealing and misdealing them, the stock, the discards, what is shown.

Shared by the games in which a hand beats a turned card: pool, burn, bank, Six-Spot and Polish Red Dog.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, cast

from typing_extensions import TypeVar

from assistant.cards import CARDS_A_DECK, Card
from assistant.games import mispayment
from assistant.games.acts import DealHands, Show
from assistant.games.base import (
    BURNED,
    EXPOSED,
    HAND,
    TURNED,
    CardTurned,
    Choice,
    Correct,
    Event,
    ExposeCard,
    Game,
    GameState,
    IllegalAction,
    Mispay,
    Prompt,
    Shuffled,
)
from assistant.holdings import Holdings
from assistant.money import Amount
from assistant.records import replace


class Phase(StrEnum):
    """The waiting states of RULES.md 2.2, 4.2, 5 and 6."""

    ANTE = "ANTE"
    BANK = "BANK"
    DEAL = "DEAL"
    TARGET = "TARGET"
    BET = "BET"
    TURN = "TURN"
    BET_PLACED = "BET_PLACED"
    BETWEEN = "BETWEEN"


@dataclass(frozen=True)
class Hand:
    """A face-down hand: how many cards it has, and how many it should have."""

    player: str
    cards: int
    full: int
    done: bool = False

    @property
    def is_void(self) -> bool:
        """No cards or too many: cannot take part."""
        return self.cards == 0 or self.cards > self.full

    @property
    def is_short(self) -> bool:
        """Too few cards: may bet, or be thrown in free of charge."""
        return 0 < self.cards < self.full


@dataclass(frozen=True)
class HandsState(GameState):
    """A table with hands.

    Attributes:
        players: The players of the round in deal order, the dealer last; empty between rounds.
        hands: Hands once dealt, in the order of their turns.
        burned: Whether the regular burn was made.
        turned: The card to beat.
        stock: Cards left face down in the stock.
        discards: Cards of this round that a shuffle would make the new stock.
        window: Whose settlement can still be mended.
        mispaid: Player -> what they hold too much (or, negative, too little).
        before: Where the chips lay before the round.
    """

    players: tuple[str, ...] = ()
    hands: tuple[Hand, ...] = ()
    burned: bool = False
    turned: Card | None = None
    stock: int = 0
    discards: int = 0
    window: tuple[str, ...] = ()
    mispaid: tuple[tuple[str, Amount], ...] = ()
    before: Holdings | None = None

    @property
    def to_act(self) -> tuple[Hand, ...]:
        """Hands that are still to act, in order."""
        return tuple(hand for hand in self.hands if not hand.done)

    @property
    def bettor(self) -> str | None:
        """Whose turn it is (and whose bet lies on the table in BET_PLACED)."""
        return self.to_act[0].player if self.to_act else None

    def hand(self, player: str) -> Hand:
        """A player's hand."""
        return next(hand for hand in self.hands if hand.player == player)


@dataclass(frozen=True)
class HandsDealt(Event):
    """Everybody has cards; `moves` are the antes of void hands that go back."""

    counts: tuple[tuple[str, int], ...]
    full: int


def best_answer(hand: Iterable[Card], turned: Card) -> Card | None:
    """The lowest card of a hand that beats the turned card; None when none does."""
    return min((card for card in hand if card.beats(turned)), key=lambda card: card.rank, default=None)


Hands = TypeVar("Hands", bound=HandsState, default=Any)
"""The state of one game of hands."""


class HandsGame(Game[Hands]):
    """A game of face-down hands from one deck.

    Attributes:
        fund: The place everybody bets against: pool or bank.
    """

    fund: ClassVar[str]

    @abstractmethod
    def hand_size(self, hands: int) -> int:
        """Cards in a hand when so many are dealt.

        Raises:
            IllegalAction: E_CONFIG when the deck does not reach.
        """

    @abstractmethod
    def dealt_in(self, state: Hands) -> tuple[str, ...]:
        """Who gets a hand now, in deal order."""

    @abstractmethod
    def spoken_for(self, state: Hands) -> Amount:
        """Chips of the fund that would pay the bets on the table."""

    def players_of_round(self, state: Hands) -> tuple[str, ...]:
        """Who was dealt in when the round began."""
        return state.players

    def paying_place(self, state: Hands) -> str:
        """The place that wrong payments come from and go to."""
        return self.fund

    def reserved(self, state: Hands) -> Amount:
        """Chips of the fund that would pay the bets on the table."""
        return self.spoken_for(state)

    def void(self, state: Hands, start: Hands) -> Hands:
        """As for every game; once the cards were dealt the payments of the round before stay as they were."""
        voided = super().void(state, start)
        return replace(voided, window=(), mispaid=()) if self.has_stock(state) else voided

    def in_round(self, state: Hands) -> bool:
        """From ``round`` until the last hand is settled."""
        return bool(state.players)

    # -- dealing ------------------------------------------------------------------------------------------

    def hands_dealt(self, state: Hands, action: DealHands) -> HandsDealt:
        """Say who has how many cards.

        Raises:
            IllegalAction: E_PHASE, E_PLAYER, E_CONFIG.
        """
        if state.phase != Phase.DEAL:
            raise IllegalAction("E_PHASE", "hands_are_out" if self.in_round(state) else "not_dealing", {})
        players = self.dealt_in(state)
        full = self.hand_size(len(players))
        counts = dict.fromkeys(players, full)
        for player, count in action.exceptions:
            if player not in counts:
                raise IllegalAction("E_PLAYER", "player_not_dealt", {"player": player})
            counts[player] = count
        if sum(counts.values()) > CARDS_A_DECK:
            raise IllegalAction("E_CONFIG", "hands_too_many", {"found": sum(counts.values())})
        return HandsDealt(tuple(counts.items()), full)

    # -- the stock ----------------------------------------------------------------------------------------

    def check_stock(self, state: Hands) -> None:
        """Refuse a card when none is left in the stock."""
        if state.stock < 1:
            facts = {"left": state.stock, "discards": state.discards}
            raise IllegalAction("E_NO_CARDS", "stock_empty", facts)

    def exposed(self, state: Hands, action: ExposeCard) -> tuple[Event, ...]:
        """The top card was exposed by accident."""
        if not self.has_stock(state):
            raise IllegalAction("E_PHASE", "no_deck", {})
        self.check_stock(state)
        state.table.shoe.see([action.card])
        return (CardTurned(action.card, EXPOSED),)

    def has_stock(self, state: Hands) -> bool:
        """Whether hands are out and the rest of the deck is in use."""
        return self.in_round(state) and state.phase not in (Phase.BANK, Phase.DEAL)

    def cards_left(self, state: Hands) -> int:
        """The stock; until the hands are out, the whole deck."""
        return state.stock if self.has_stock(state) else CARDS_A_DECK

    def shuffled(self, state: Hands, decks: int | None) -> tuple[Event, ...]:
        """A fresh deck between rounds; in a round the discards become the stock."""
        if decks not in (None, 1):
            raise IllegalAction("E_OPTION", "one_deck", {"found": decks})
        if not self.in_round(state):
            return (Shuffled(1),)
        if not self.has_stock(state) or state.stock > 0:
            raise IllegalAction("E_PHASE", "shuffle_in_round", {"left": state.stock})
        if not state.discards:
            raise IllegalAction("E_NO_CARDS", "no_discards", {})
        keep = (state.turned,) if state.turned is not None else ()
        return (Shuffled(1, in_round=True, keep=keep),)

    def stock_choices(self, state: Hands) -> tuple[Choice, ...]:
        """What may be said about the stock in a round, whoever acts."""
        if not self.has_stock(state):
            return ()
        if state.stock > 0:
            return (Choice("burn"),)
        return (Choice("shuffle"),) if state.discards else ()

    # -- shown hands --------------------------------------------------------------------------------------

    def check_shown(self, state: Hands, action: Show, *, whole: bool) -> Card | None:
        """Return the card of a shown hand that beats the turned one.

        Args:
            state: The table.
            action: Who shows what.
            whole: Whether nothing less than the whole hand will do.

        Raises:
            IllegalAction: E_HAND for too many cards, or neither a winning card nor the whole hand.
            Refusal: E_DUPLICATE_CARD.
        """
        turned = cast(Card, state.turned)
        size = state.hand(action.player).cards
        state.table.shoe.see(action.cards)
        winner = best_answer(action.cards, turned)
        facts = {"player": action.player, "found": len(action.cards), "hand": size, "turned": turned}
        if len(action.cards) > size:
            raise IllegalAction("E_HAND", "hand_too_many", facts)
        if len(action.cards) < size and (whole or winner is None):
            raise IllegalAction("E_HAND", "whole_hand_due" if whole else "hand_incomplete", facts)
        return winner

    # -- wrong payments -----------------------------------------------------------------------------------

    def _spare(self, state: Hands) -> Amount:
        """What the fund may lose by a mistake: chips that would pay standing bets are spoken for."""
        return max(state.table.chips.at(self.paying_place(state)) - self.spoken_for(state), 0)

    def mispaid(self, state: Hands, action: Mispay | Correct) -> tuple[Event, ...]:
        """A payment went wrong, or is taken back."""
        place, spare = self.paying_place(state), self._spare(state)
        if isinstance(action, Mispay):
            return mispayment.mispay(state.table, place, spare, state.window, action)
        return mispayment.correct(state.table, place, spare, state.window, state.mispaid, action.player)

    def unasked(self, state: Hands) -> tuple[Choice, ...]:
        """Wrong payments that may be noted or taken back now."""
        return mispayment.choices(state.table, self._spare(state), state.window, state.mispaid)


def with_hands(state: Hands, event: HandsDealt) -> Hands:
    """The hands are out: void ones are discards, and the last settlements can't be mended any more."""
    hands = tuple(Hand(player, count, event.full) for player, count in event.counts)
    hands = tuple(replace(hand, done=hand.is_void) for hand in hands)
    return replace(
        state,
        hands=hands,
        burned=False,
        turned=None,
        stock=CARDS_A_DECK - sum(hand.cards for hand in hands),
        discards=sum(hand.cards for hand in hands if hand.is_void),
        window=(),
        mispaid=(),
    )


def finished(state: Hands, players: Iterable[str]) -> Hands:
    """Players who have no (more) turn this round; their hands are discards now."""
    gone = tuple(players)
    hands = tuple(replace(hand, done=True) if hand.player in gone else hand for hand in state.hands)
    thrown = sum(hand.cards for hand in state.to_act if hand.player in gone)
    return replace(state, hands=hands, discards=state.discards + thrown)


def seen(state: Hands, event: CardTurned) -> Hands:
    """A card came off the stock; one of a hand was counted when the hands were dealt."""
    if event.role == HAND:
        return state
    state = replace(state, stock=state.stock - 1)
    if event.role == TURNED:
        # The card for the next bettor is up: the last settlement can't be mended any more.
        return replace(state, turned=event.card, window=(), mispaid=())
    return replace(state, discards=state.discards + 1, burned=state.burned or event.role == BURNED)


def too_many_hands(refusal: IllegalAction, banker: str | None = None) -> Prompt:
    """Wait until some sit out; the refusal of `check_capacity` has the numbers."""
    found = refusal.facts
    facts = {
        "players": found.get("players"),
        "hand": found.get("hand"),
        "needed": found.get("needed"),
        "most": found.get("most"),
    }
    return Prompt("too_many_hands", "", facts, banker, None, (Choice("shuffle"),))
