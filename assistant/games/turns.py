"""One player after the other bets against a fund, and a card is turned for each (RULES.md 2.2, 3, 4.2, 5).

These are the turns of pool, burn, bank and Six-Spot Red Dog.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, cast

from assistant.cards import Card, Rank
from assistant.games import mispayment
from assistant.games.acts import BetPlaced, DealHands, Fold, OpenRound, PlayersDropped, Show, dealt_words
from assistant.games.base import (
    BURNED,
    HAND,
    PASSED_OVER,
    TURNED,
    Action,
    Bet,
    BetSettled,
    CardsDue,
    CardTurned,
    Choice,
    Correct,
    Corrected,
    Event,
    ExposeCard,
    IllegalAction,
    Mispaid,
    Mispay,
    OddsLine,
    Prompt,
    Reader,
    RoundClosed,
    RoundOpened,
    Shuffle,
    Shuffled,
    TurnCards,
    evolve_common,
    turn_each,
    until_someone_acts,
)
from assistant.games.hands import (
    Hand,
    Hands,
    HandsDealt,
    HandsGame,
    HandsState,
    Phase,
    finished,
    seen,
    with_hands,
)
from assistant.games.table_odds import next_card, turned_card
from assistant.holdings import Move, as_moves, bet_of, stack_of
from assistant.money import Amount
from assistant.records import replace
from assistant.talk import Words


@dataclass(frozen=True, kw_only=True)
class TurnRules:
    """House rules that pool and bank share (RULES.md 2.1, 4.1, 5); amounts in smallest units.

    Attributes:
        six_limit: Highest rank of a target that is turned before the bet; 0 where no target is (all but
            Six-Spot).
        target: ``per-turn`` or ``common``: one target for the whole round.
    """

    hand: str
    burn: bool = False
    burn_when: str = "after-bet"
    reveal_win: str = "winning-card"
    verify: str = "word"
    six_limit: int = 0
    target: str = "per-turn"
    blind: bool = False
    referee: bool = False
    first_dealer: str = "first-ace"

    @property
    def burns_before_bet(self) -> bool:
        """Whether a card is burned at the start of every turn, before the bet."""
        return self.burn and self.burn_when == "before-bet"

    @property
    def burns_after_bet(self) -> bool:
        """Whether a card is burned just before the settling card."""
        return self.burn and self.burn_when == "after-bet"

    @property
    def shows_whole_hand(self) -> bool:
        """Whether nothing less than the whole hand settles a bet."""
        return self.six_limit > 0 or self.reveal_win == "hand"


# --- actions and events -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Declare(Action):
    """The dealer saw the cards and says whether the bet was won."""

    player: str
    won: bool


@dataclass(frozen=True)
class HandFolded(Event):
    """A hand was thrown in; `fine` went to the fund."""

    player: str
    fine: Amount


@dataclass(frozen=True)
class TargetMissed(Event):
    """Neither stock nor discards hold a target: the round is void, and every chip goes back."""


def _read_won(words: Words) -> Declare:
    return Declare(words.player(), won=True)


def _read_lost(words: Words) -> Declare:
    return Declare(words.player(), won=False)


TURN_VERBS: Mapping[str, Reader] = {
    "round": lambda words: OpenRound(),
    "dealt": dealt_words,
    "bet": lambda words: Bet(words.player(), words.amount()),
    "card": lambda words: TurnCards(words.cards()),
    "show": lambda words: Show(words.player(), words.cards()),
    "won": _read_won,
    "lost": _read_lost,
    "burn": lambda words: ExposeCard(words.card()),
    **mispayment.VERBS,
}


class TurnGame(HandsGame[Hands]):
    """A game of turns against a fund.

    Attributes:
        refusing: The verb with which a player does not bet: ``fold`` or ``pass``.
        ask: Keys of the sentences that ask for a bet: what the dealer does, and says.
    """

    verbs = TURN_VERBS
    action_types: ClassVar[tuple[type, ...]] = (Declare,)
    event_types: ClassVar[tuple[type, ...]] = (HandsDealt, HandFolded, TargetMissed)
    refusing: ClassVar[str]
    ask: ClassVar[tuple[str, str]]

    def __init__(self, rules: TurnRules) -> None:
        super().__init__(rules)
        self.turn_rules = rules

    # -- what pool and bank settle each in their own way ------------------------------------------------

    @abstractmethod
    def opened(self, state: Hands) -> tuple[Event, ...]:
        """Begin a round; raises IllegalAction."""

    @abstractmethod
    def limits(self, state: Hands) -> tuple[Amount, Amount]:
        """The lowest and highest bet of the player whose turn it is."""

    @abstractmethod
    def fine(self, state: Hands, hand: Hand) -> Amount:
        """What throwing a hand in costs."""

    @abstractmethod
    def between_turns(self, state: Hands) -> tuple[Event, ...]:
        """What happens by itself before the next turn; nothing when it can begin."""

    @abstractmethod
    def prompt_between(self, state: Hands) -> Prompt:
        """Say what is waited for while no hands are out."""

    # -- deciding -----------------------------------------------------------------------------------------

    def decide(self, state: Hands, action: Action) -> tuple[Event, ...]:
        """Say what an action causes; raises IllegalAction."""
        match action:
            case OpenRound():
                return self.opened(state)
            case DealHands():
                return self._deal(state, action)
            case Bet():
                return self._bet(state, action)
            case Fold():
                return self._fold(state, action)
            case TurnCards():
                return turn_each(self, state, action.cards, self._turn_one)
            case Show():
                return self._show(state, action)
            case Declare():
                return self._declare(state, action)
            case ExposeCard():
                return self.exposed(state, action)
            case Shuffle():
                return self.shuffled(state, action.decks)
            case Mispay() | Correct():
                return self.mispaid(state, action)
            case _:
                raise IllegalAction("E_PHASE", "other_game", {})

    def spoken_for(self, state: Hands) -> Amount:
        """The bet on the table."""
        return state.table.chips.bet(state.bettor) if state.bettor else 0

    def _deal(self, state: Hands, action: DealHands) -> tuple[Event, ...]:
        return until_someone_acts(self, state, (self.hands_dealt(state, action),))

    def automatic(self, state: Hands) -> tuple[Event, ...]:
        """TURN (start) of RULES.md 2.2."""
        if not _waits_for_bet(state):
            return ()
        broke = tuple(hand.player for hand in state.to_act if state.table.chips.stack(hand.player) == 0)
        return (PlayersDropped(broke),) if broke else self.between_turns(state)

    def _check_turn(self, state: Hands, player: str) -> None:
        """The checks that `bet` and `fold` share, in the order of RULES.md 1.5."""
        if state.phase not in (Phase.TARGET, Phase.TURN, Phase.BET_PLACED):
            raise IllegalAction("E_PHASE", "no_betting_now" if self.in_round(state) else "no_betting", {})
        if state.phase == Phase.TARGET:
            raise IllegalAction("E_PHASE", "target_first", {"limit": self.turn_rules.six_limit})
        if self._burn_waits(state):
            raise IllegalAction("E_PHASE", "burn_first", {})
        if state.phase == Phase.BET_PLACED and player == state.bettor:
            raise IllegalAction("E_BET_FIXED", "", {"player": player, "bet": state.table.chips.bet(player)})
        if player != state.bettor or state.phase == Phase.BET_PLACED:
            raise IllegalAction("E_TURN", "", {"found": player, "player": state.bettor})

    def _burn_waits(self, state: Hands) -> bool:
        """Whether a card has to be burned before the bet."""
        return state.phase == Phase.TURN and self.turn_rules.burns_before_bet and not state.burned

    def _bet(self, state: Hands, action: Bet) -> tuple[Event, ...]:
        self._check_turn(state, action.player)
        low, high = self.limits(state)
        stack = state.table.chips.stack(action.player)
        facts = {"player": action.player, "found": action.amount, "low": low, "high": high, "stack": stack}
        if action.amount < max(low, 1):  # a mistaken payment may leave nothing to bet for, or with
            raise IllegalAction("E_BET_LOW", "pool_bet_low", facts)
        if action.amount > stack:
            raise IllegalAction("E_STACK", "", facts)
        if action.amount > high:
            raise IllegalAction("E_BET_HIGH", "pool_bet_high" if high else "fund_empty", facts)
        move = Move(stack_of(action.player), bet_of(action.player), action.amount)
        return (BetPlaced(action.player, action.amount, moves=(move,)),)

    def _fold(self, state: Hands, action: Fold) -> tuple[Event, ...]:
        self._check_turn(state, action.player)
        fine = min(self.fine(state, state.hand(action.player)), state.table.chips.stack(action.player))
        moves = (Move(stack_of(action.player), self.fund, fine),) if fine else ()
        return until_someone_acts(self, state, (HandFolded(action.player, fine, moves=moves),))

    # -- cards --------------------------------------------------------------------------------------------

    def _turn_one(self, state: Hands, card: Card) -> tuple[Event, ...]:
        role = self._role_due(state, card)
        self.check_stock(state)
        state.table.shoe.see([card])
        turned = CardTurned(card, role, state.bettor)
        after = self.evolve(state, turned)
        return (turned, *self._void(after)) if self._target_is_missed(after) else (turned,)

    def _role_due(self, state: Hands, card: Card) -> str:
        rules = self.turn_rules
        if state.phase == Phase.TARGET:
            return TURNED if card.rank <= rules.six_limit else PASSED_OVER
        if self._burn_waits(state):
            return BURNED
        if state.phase != Phase.BET_PLACED or state.turned is not None:
            raise IllegalAction("E_PHASE", "card_not_due", {})
        return BURNED if rules.burns_after_bet and not state.burned else TURNED

    def _target_is_missed(self, state: Hands) -> bool:
        """Whether the stock is used up and every discard is known to be above the limit."""
        seen_cards = state.table.shoe.seen
        return (
            state.phase == Phase.TARGET
            and state.stock == 0
            and state.discards == len(seen_cards)
            and all(card.rank > self.turn_rules.six_limit for card in seen_cards)
        )

    def _void(self, state: Hands) -> tuple[Event, ...]:
        assert state.before is not None
        moves = as_moves(state.table.chips.difference(state.before))
        return (TargetMissed(moves=moves), RoundClosed(state.table.dealer))

    def _check_show(self, state: Hands, player: str) -> None:
        if state.phase != Phase.BET_PLACED or state.turned is None:
            raise IllegalAction("E_PHASE", "show_not_due", {})
        if player != state.bettor:
            raise IllegalAction("E_TURN", "", {"found": player, "player": state.bettor})

    def _show(self, state: Hands, action: Show) -> tuple[Event, ...]:
        self._check_show(state, action.player)
        winner = self.check_shown(state, action, whole=self.turn_rules.shows_whole_hand)
        shown = tuple(CardTurned(card, HAND, action.player) for card in action.cards)
        return until_someone_acts(self, state, (*shown, self._settled(state, winner is not None)))

    def _declare(self, state: Hands, action: Declare) -> tuple[Event, ...]:
        self._check_show(state, action.player)
        if self.turn_rules.verify == "strict":
            raise IllegalAction("E_HAND", "show_the_cards", {"player": action.player})
        turned = cast(Card, state.turned)
        if action.won and not _can_be_beaten(turned):
            raise IllegalAction("E_HAND", "ace_unbeaten", {"player": action.player, "turned": turned})
        return until_someone_acts(self, state, (self._settled(state, action.won),))

    def _settled(self, state: Hands, won: bool) -> BetSettled:
        player = cast(str, state.bettor)
        bet = state.table.chips.bet(player)
        if not won:
            return BetSettled(player, "lose", bet, moves=(Move(bet_of(player), self.fund, bet),))
        back = Move(bet_of(player), stack_of(player), bet)
        return BetSettled(player, "win", bet, bet, moves=(back, Move(self.fund, stack_of(player), bet)))

    # -- state --------------------------------------------------------------------------------------------

    def evolve(self, state: Hands, event: Event) -> Hands:
        """Return the state after an event."""
        before = state.table.chips
        state = evolve_common(state, event)
        match event:
            case RoundOpened():
                return replace(state, players=event.players, hands=(), turned=None, before=before)
            case HandsDealt():
                return self._next_turn(with_hands(state, event))
            case PlayersDropped():
                return finished(state, event.players)
            case BetPlaced():
                return replace(state, phase=Phase.BET_PLACED)
            case HandFolded():
                return self._next_turn(finished(state, (event.player,)))
            case CardTurned():
                state = seen(state, event)
                found = state.phase == Phase.TARGET and event.role == TURNED
                return replace(state, phase=Phase.TURN) if found else state
            case BetSettled():
                state = self._next_turn(finished(state, (event.player,)))
                return replace(state, window=(event.player,), mispaid=())
            case Shuffled() if event.in_round:
                return replace(state, stock=state.discards, discards=0)
            case RoundClosed():
                return replace(state, hands=(), players=(), turned=None, before=None)
            case TargetMissed():
                return replace(state, window=(), mispaid=())
            case Mispaid() | Corrected():
                return replace(state, mispaid=mispayment.after(state.mispaid, event))
            case _:
                return state

    def _next_turn(self, state: Hands) -> Hands:
        """The next turn begins: the turned card is a discard now, but a common target stays."""
        if self.turn_rules.target != "common":
            turned = 1 if state.turned is not None else 0
            state = replace(state, discards=state.discards + turned, turned=None)
        waits = self.turn_rules.six_limit > 0 and state.turned is None
        return replace(state, phase=Phase.TARGET if waits else Phase.TURN, burned=False)

    def turn(self, state: Hands) -> str | None:
        """Whose bet is awaited."""
        return state.bettor if state.phase == Phase.TURN and not self._burn_waits(state) else None

    def odds(self, state: Hands) -> tuple[OddsLine, ...]:
        """Of the hand whose turn it is, which nobody has seen."""
        if not self.has_stock(state) or state.bettor is None:
            return ()
        size, shoe = state.hand(state.bettor).cards, state.table.shoe
        if state.turned is not None:
            return turned_card(shoe, state.turned, size)
        return next_card(shoe, size, Rank(self.turn_rules.six_limit or Rank.ACE))

    # -- prompt -------------------------------------------------------------------------------------------

    def prompt(self, state: Hands) -> Prompt:
        """Say what the table waits for."""
        if not self.has_stock(state):
            return self.prompt_between(state)
        facts = self._facts(state)
        player, always = cast(str, state.bettor), self.stock_choices(state)
        if state.stock == 0 and self._card_due(state) is not None:
            do = "stock_empty" if state.discards else "no_cards"
            return Prompt(do, "", facts, choices=always)
        if state.phase == Phase.TARGET:
            due = CardsDue(TURNED, 1, 1, player)
            return Prompt("turn_target", "", facts, None, due, (Choice("card"), *always))
        if self._burn_waits(state):
            due = CardsDue(BURNED, 1, 1, player)
            return Prompt("burn_card", "", facts, None, due, (Choice("card"), *always))
        if state.phase == Phase.TURN:
            low, high = self.limits(state)
            bets = (Choice("bet", player, low, high),) if high else ()
            choices = (*bets, Choice(self.refusing, player), *always)
            do, say = self.ask
            if not high:  # a wrong payment took the last of it, or of the stack
                do = "fold_empty" if self.refusing == "fold" else "pass_empty_bank"
            return Prompt(do, say, {**facts, "low": low, "high": high}, player, None, choices)
        if state.turned is None:
            return self._ask_card(state, facts, always)
        return self._ask_hand(state, facts, always)

    def _facts(self, state: Hands) -> dict[str, object]:
        chips = state.table.chips
        return {
            "player": state.bettor,
            "pool": chips.at(self.fund),
            "bet": self.spoken_for(state),
            "turned": state.turned,
            "limit": self.turn_rules.six_limit,
            "discards": state.discards,
            "hand": state.hand(state.bettor).cards if state.bettor else 0,
        }

    def _card_due(self, state: Hands) -> str | None:
        """The role of the card that is due; None when none is."""
        try:
            return self._role_due(state, Card(Rank.TWO))
        except IllegalAction:
            return None

    def _ask_card(self, state: Hands, facts: dict[str, object], always: tuple[Choice, ...]) -> Prompt:
        burn = self.turn_rules.burns_after_bet and not state.burned
        due = CardsDue(BURNED if burn else TURNED, 1, 2 if burn else 1, state.bettor)
        do = "burn_and_turn" if burn else "turn_card"
        return Prompt(do, "say_bet", facts, None, due, (Choice("card"), *always))

    def _ask_hand(self, state: Hands, facts: dict[str, object], always: tuple[Choice, ...]) -> Prompt:
        player = cast(str, state.bettor)
        strict = self.turn_rules.verify == "strict"
        can_win = _can_be_beaten(cast(Card, state.turned))
        won = (Choice("won", player),) if can_win else ()
        words = () if strict else (*won, Choice("lost", player))
        size = state.hand(player).cards
        whole = self.turn_rules.shows_whole_hand
        due = CardsDue(HAND, size if whole else 1, size, player)
        choices = (Choice("show", player), *words, *always)
        return Prompt("show_whole_hand" if whole else "show_hand", "say_turned", facts, None, due, choices)


def _can_be_beaten(turned: Card) -> bool:
    return turned.rank is not Rank.ACE


def _waits_for_bet(state: HandsState) -> bool:
    return state.phase in (Phase.TARGET, Phase.TURN)
