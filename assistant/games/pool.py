"""Pool Red Dog (High-Card Pool) and its burn version: everybody bets in turn against a common pool (RULES.md
2, 3).

The burn version is this game with ``burn=true``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar, cast

from assistant.cards import CARDS_A_DECK, Card
from assistant.games import mispayment, options
from assistant.games.base import (
    BURNED,
    EXPOSED,
    HAND,
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
    Game,
    GameState,
    IllegalAction,
    Mispaid,
    Mispay,
    Option,
    Prompt,
    RoundClosed,
    RoundOpened,
    Shuffle,
    Shuffled,
    Table,
    TurnCards,
    evolve_common,
)
from assistant.money import POOL, Amount, Move, bet_of, share_equally, stack_of
from assistant.talk import Words, read_number

MAX_PLAYERS = 10


class Phase(StrEnum):
    """The waiting states of RULES.md 2.2."""

    ANTE = "ANTE"
    DEAL = "DEAL"
    TURN = "TURN"
    BET_PLACED = "BET_PLACED"


@dataclass(frozen=True)
class PoolRules:
    """House rules (RULES.md 2.1); amounts in smallest units."""

    ante: Amount
    hand: str
    burn: bool
    burn_when: str
    fold_fine: Amount
    short_pool: str
    reante_by: str
    pool_limit: Amount
    division: str
    odd_chips: str
    skip_ante_at: Amount
    short_hand_fold: str
    void_ante: str
    reveal_win: str
    blind: bool
    verify: str
    referee: bool
    first_dealer: str

    @property
    def burns_before_bet(self) -> bool:
        """Whether a card is burned at the start of every turn, before the bet."""
        return self.burn and self.burn_when == "before-bet"

    @property
    def burns_after_bet(self) -> bool:
        """Whether a card is burned just before the settling card."""
        return self.burn and self.burn_when == "after-bet"


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
class PoolState(GameState):
    """The pool table.

    Attributes:
        players: The players of the round in deal order, the dealer last.
        anted: Those who paid an ante and have a share in a division.
        ante_paid: What each of them paid; 0 where a rich pool needed none.
        hands: Their hands once dealt, same order.
        burned: Whether the regular burn of this turn was made.
        turned: The card that settles the bet on the table.
        stock: Cards left face down in the stock.
        discards: Cards of this round that a shuffle would make the new stock.
        window: Whose settlement can still be mended.
        mispaid: Player -> what they hold too much (or, negative, too little).
    """

    players: tuple[str, ...] = ()
    anted: tuple[str, ...] = ()
    ante_paid: Amount = 0
    hands: tuple[Hand, ...] = ()
    burned: bool = False
    turned: Card | None = None
    stock: int = 0
    discards: int = 0
    window: tuple[str, ...] = ()
    mispaid: tuple[tuple[str, Amount], ...] = ()

    @property
    def pool(self) -> Amount:
        """Chips in the pool."""
        return self.table.chips.at(POOL)

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


# --- actions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OpenRound(Action):
    """The next round: a fresh deck, and the antes."""


@dataclass(frozen=True)
class DealHands(Action):
    """Hands are out; exceptions are a player and the number of cards they got."""

    exceptions: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Fold(Action):
    """The hand is thrown in unseen."""

    player: str


@dataclass(frozen=True)
class Show(Action):
    """A hand is shown: a winning card, or all of it."""

    player: str
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Declare(Action):
    """The dealer saw the cards and says whether the bet was won."""

    player: str
    won: bool


# --- events -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HandsDealt(Event):
    """Everybody has cards; `moves` are the antes of void hands that go back."""

    counts: tuple[tuple[str, int], ...]
    full: int


@dataclass(frozen=True)
class PoolRefilled(Event):
    """The pool was empty (or short): antes in mid-round; players who cannot pay are dropped."""

    payers: tuple[str, ...]
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlayersDropped(Event):
    """Players without chips have no turn."""

    players: tuple[str, ...]


@dataclass(frozen=True)
class BetPlaced(Event):
    """A bet lies beside the pool and is fixed."""

    player: str
    amount: Amount


@dataclass(frozen=True)
class HandFolded(Event):
    """A hand was thrown in; `fine` went to the pool."""

    player: str
    fine: Amount


@dataclass(frozen=True)
class PoolDivided(Event):
    """The pool was over its limit at the end of the round."""

    shares: tuple[tuple[str, Amount], ...]


def _read_dealt(words: Words) -> DealHands:
    exceptions = []
    while words.more:
        player = words.player()
        exceptions.append((player, read_number(words.text())))
    return DealHands(tuple(exceptions))


def best_answer(hand: tuple[Card, ...], turned: Card) -> Card | None:
    """The lowest card of a hand that beats the turned card; None when none does."""
    return min((card for card in hand if card.beats(turned)), key=lambda card: card.rank, default=None)


class PoolRedDog(Game):
    """Pool Red Dog; see RULES.md 2."""

    name = "red-dog-pool"
    options: ClassVar[tuple[Option, ...]] = (
        options.amount("ante", "5", 1),
        options.words("hand", "auto", "3", "4", "5"),
        options.flag("burn", False),
        options.words("burn_when", "after-bet", "before-bet"),
        options.amount("fold_fine", "ante", 0, "ante"),
        options.words("short_pool", "cap", "reante"),
        options.words("reante_by", "all", "remaining"),
        options.amount("pool_limit", "0", 0),
        options.words("division", "whole", "excess"),
        options.words("odd_chips", "stay", "left-of-dealer"),
        options.amount("skip_ante_at", "0", 0),
        options.words("short_hand_fold", "free", "fine"),
        options.words("void_ante", "keep", "refund"),
        options.words("reveal_win", "winning-card", "hand"),
        options.flag("blind", False),
        options.words("verify", "word", "strict"),
        options.flag("referee", False),
        options.words("first_dealer", "first-ace", "high-card", "seat0", "random"),
    )
    verbs = {  # noqa: RUF012 - a table of this game's words
        "round": lambda words: OpenRound(),
        "dealt": _read_dealt,
        "bet": lambda words: Bet(words.player(), words.amount()),
        "fold": lambda words: Fold(words.player()),
        "card": lambda words: TurnCards(words.cards()),
        "show": lambda words: Show(words.player(), words.cards()),
        "won": lambda words: Declare(words.player(), won=True),
        "lost": lambda words: Declare(words.player(), won=False),
        "burn": lambda words: ExposeCard(words.card()),
        **mispayment.VERBS,
    }
    action_types = (OpenRound, DealHands, Fold, Show, Declare)
    event_types = (HandsDealt, PoolRefilled, PlayersDropped, BetPlaced, HandFolded, PoolDivided)
    has_pool = True

    def __init__(self, rules: PoolRules) -> None:
        super().__init__(rules)
        self.house_rules = rules

    @classmethod
    def with_options(cls, values: Mapping[str, object]) -> PoolRedDog:
        """Return the game with the values of its options."""
        named = dict(values)
        if named["fold_fine"] == "ante":
            named["fold_fine"] = named["ante"]
        return cls(PoolRules(**named))  # type: ignore[arg-type]

    def start(self, table: Table) -> PoolState:
        """Between rounds, with a deck of 52."""
        return PoolState(table, Phase.ANTE)

    def hand_size(self, players: int) -> int:
        """Cards a player gets when `players` are dealt in.

        Raises:
            IllegalAction: E_CONFIG when the deck does not reach.
        """
        size, needed = self._cards_for(players)
        if not self._deck_reaches(players):
            facts = {"players": players, "hand": size, "needed": needed, "most": MAX_PLAYERS}
            raise IllegalAction("E_CONFIG", "pool_capacity", facts)
        return size

    def _cards_for(self, players: int) -> tuple[int, int]:
        """The size of a hand, and the cards all hands and turns need together."""
        burn = 1 if self.house_rules.burn else 0
        auto = (5 if players <= 7 else 4 if players == 8 else 3) if burn else (5 if players <= 8 else 4)
        size = auto if self.house_rules.hand == "auto" else int(self.house_rules.hand)
        return size, players * size + players * (1 + burn)

    def _deck_reaches(self, players: int) -> bool:
        return players <= MAX_PLAYERS and self._cards_for(players)[1] <= CARDS_A_DECK

    def decide(self, state: GameState, action: Action) -> tuple[Event, ...]:
        """Say what an action causes; raises IllegalAction."""
        state = cast(PoolState, state)
        match action:
            case OpenRound():
                return self._open(state)
            case DealHands():
                return self._deal(state, action)
            case Bet():
                return self._bet(state, action)
            case Fold():
                return self._fold(state, action)
            case TurnCards():
                return self._turn(state, action.cards)
            case Show():
                return self._show(state, action)
            case Declare():
                return self._declare(state, action)
            case ExposeCard():
                if state.phase not in (Phase.TURN, Phase.BET_PLACED):
                    raise IllegalAction("E_PHASE", "no_deck", {})
                self._check_stock(state)
                state.table.shoe.see([action.card])
                return (CardTurned(action.card, EXPOSED),)
            case Shuffle():
                return self._shuffle(state, action.decks)
            case Mispay():
                return mispayment.mispay(state.table, POOL, self._spare(state), state.window, action)
            case Correct():
                spare = self._spare(state)
                return mispayment.correct(
                    state.table, POOL, spare, state.window, state.mispaid, action.player
                )
            case _:
                raise IllegalAction("E_PHASE", "other_game", {})

    def _spare(self, state: PoolState) -> Amount:
        """What the pool may lose by a mistake: chips that would pay the bet on the table are spoken for."""
        standing = state.table.chips.bet(state.bettor) if state.bettor else 0
        return max(state.pool - standing, 0)

    # -- opening and dealing --------------------------------------------------------------------------------

    def _payers(self, state: PoolState) -> tuple[str, ...]:
        chips = state.table.chips
        least = 1 if self._skips_ante(state) else self.house_rules.ante
        return tuple(player for player in state.table.active if chips.stack(player) >= least)

    def _skips_ante(self, state: PoolState) -> bool:
        return 0 < self.house_rules.skip_ante_at <= state.pool

    def _open(self, state: PoolState) -> tuple[Event, ...]:
        if state.phase != Phase.ANTE:
            raise IllegalAction("E_PHASE", "round_runs", {})
        payers = self._payers(state)
        if len(payers) < 2:
            facts = {"found": len(payers), "ante": 1 if self._skips_ante(state) else self.house_rules.ante}
            raise IllegalAction("E_PLAYERS", "pool_players", facts)
        self.hand_size(len(payers))
        before = state.table.dealer
        around = (
            (before, *state.table.from_left_of(before))
            if before in state.table.players
            else state.table.players
        )
        dealer = next(player for player in around if player in payers)
        order = tuple(player for player in state.table.from_left_of(dealer) if player in payers)
        moves = () if self._skips_ante(state) else self._antes(payers)
        return (Shuffled(1), RoundOpened(order, dealer, moves=moves))

    def _antes(self, payers: tuple[str, ...]) -> tuple[Move, ...]:
        return tuple(Move(stack_of(player), POOL, self.house_rules.ante) for player in payers)

    def _deal(self, state: PoolState, action: DealHands) -> tuple[Event, ...]:
        if state.phase != Phase.DEAL:
            raise IllegalAction("E_PHASE", "not_dealing", {})
        full = self.hand_size(len(state.players))
        counts = dict.fromkeys(state.players, full)
        for player, count in action.exceptions:
            if player not in counts:
                raise IllegalAction("E_PLAYER", "player_not_dealt", {"player": player})
            counts[player] = count
        if sum(counts.values()) > CARDS_A_DECK:
            raise IllegalAction("E_CONFIG", "hands_too_many", {"found": sum(counts.values())})
        refunds: tuple[Move, ...] = ()
        if self.house_rules.void_ante == "refund" and state.ante_paid:
            void = [player for player in state.anted if counts[player] == 0 or counts[player] > full]
            refunds = tuple(Move(POOL, stack_of(player), state.ante_paid) for player in void)
        dealt = HandsDealt(tuple(counts.items()), full, moves=refunds)
        return self._go_on(state, (dealt,))

    def _go_on(self, state: PoolState, events: tuple[Event, ...]) -> tuple[Event, ...]:
        """Add what happens by itself until somebody must act: TURN (start), REPLENISH, ROUND_END of RULES.md
        2.2."""
        for event in events:
            state = self.evolve(state, event)
        while True:
            more = self._automatic(state)
            if not more:
                return events
            events += more
            for event in more:
                state = self.evolve(state, event)
            if isinstance(more[-1], RoundClosed):
                return events

    def _automatic(self, state: PoolState) -> tuple[Event, ...]:
        chips = state.table.chips
        broke = tuple(hand.player for hand in state.to_act if chips.stack(hand.player) == 0)
        if broke:
            return (PlayersDropped(broke),)
        if not state.to_act:
            return self._close(state)
        short = self.house_rules.short_pool == "reante" and state.pool < self.house_rules.ante
        if state.pool == 0 or short:
            return self._refill(state)
        return ()

    def _refill(self, state: PoolState) -> tuple[Event, ...]:
        ante = self.house_rules.ante
        chips = state.table.chips
        only_remaining = self.house_rules.reante_by == "remaining"
        asked = [hand for hand in state.hands if not hand.is_void and not (only_remaining and hand.done)]
        payers = tuple(hand.player for hand in asked if chips.stack(hand.player) >= ante)
        dropped = tuple(hand.player for hand in state.to_act if chips.stack(hand.player) < ante)
        if not payers:
            return self._close(state) if state.pool == 0 else self._drop_or_play(state, dropped)
        return (PoolRefilled(payers, dropped, moves=self._antes(payers)),)

    def _drop_or_play(self, state: PoolState, dropped: tuple[str, ...]) -> tuple[Event, ...]:
        """Nobody can fill a short pool again: whoever could not pay is out, and the round ends with them."""
        return (PlayersDropped(dropped),) if dropped else ()

    def _close(self, state: PoolState) -> tuple[Event, ...]:
        dealer = state.table.dealer
        order = [player for player in state.table.from_left_of(dealer) if player in state.table.active]
        closed = RoundClosed(order[0] if order else dealer)
        limit = self.house_rules.pool_limit
        sharers = [player for player in state.players if player in state.anted]
        if not limit or state.pool <= limit or not sharers:
            return (closed,)
        total = state.pool if self.house_rules.division == "whole" else state.pool - limit
        if self.house_rules.odd_chips == "stay":
            total -= total % len(sharers)
        shares = {player: share for player, share in share_equally(total, sharers).items() if share}
        if not shares:
            return (closed,)
        moves = tuple(Move(POOL, stack_of(player), share) for player, share in shares.items())
        return (PoolDivided(tuple(shares.items()), moves=moves), closed)

    # -- turns --------------------------------------------------------------------------------------------

    def limits(self, state: PoolState) -> tuple[Amount, Amount]:
        """The lowest and highest bet of the player whose turn it is (RULES.md 2.3)."""
        stack = state.table.chips.stack(cast(str, state.bettor))
        return min(self.house_rules.ante, state.pool, stack), min(state.pool, stack)

    def _check_turn(self, state: PoolState, player: str) -> None:
        """The checks that `bet` and `fold` share, in the order of RULES.md 1.5."""
        if state.phase not in (Phase.TURN, Phase.BET_PLACED):
            raise IllegalAction("E_PHASE", "no_betting", {})
        if state.phase == Phase.TURN and self.house_rules.burns_before_bet and not state.burned:
            raise IllegalAction("E_PHASE", "burn_first", {})
        if state.phase == Phase.BET_PLACED and player == state.bettor:
            raise IllegalAction("E_BET_FIXED", "", {"player": player, "bet": state.table.chips.bet(player)})
        if player != state.bettor or state.phase == Phase.BET_PLACED:
            raise IllegalAction("E_TURN", "", {"found": player, "player": state.bettor})

    def _bet(self, state: PoolState, action: Bet) -> tuple[Event, ...]:
        self._check_turn(state, action.player)
        low, high = self.limits(state)
        stack = state.table.chips.stack(action.player)
        facts = {"player": action.player, "found": action.amount, "low": low, "high": high, "stack": stack}
        if action.amount < max(low, 1):  # a pool emptied by a mistaken payment leaves nothing to bet for
            raise IllegalAction("E_BET_LOW", "pool_bet_low", facts)
        if action.amount > stack:
            raise IllegalAction("E_STACK", "", facts)
        if action.amount > high:
            raise IllegalAction("E_BET_HIGH", "pool_bet_high", facts)
        move = Move(stack_of(action.player), bet_of(action.player), action.amount)
        return (BetPlaced(action.player, action.amount, moves=(move,)),)

    def _fold(self, state: PoolState, action: Fold) -> tuple[Event, ...]:
        self._check_turn(state, action.player)
        free = state.hand(action.player).is_short and self.house_rules.short_hand_fold == "free"
        fine = 0 if free else min(self.house_rules.fold_fine, state.table.chips.stack(action.player))
        moves = (Move(stack_of(action.player), POOL, fine),) if fine else ()
        return self._go_on(state, (HandFolded(action.player, fine, moves=moves),))

    def _check_stock(self, state: PoolState, cards: int = 1) -> None:
        if state.stock < cards:
            raise IllegalAction(
                "E_NO_CARDS", "stock_empty", {"left": state.stock, "discards": state.discards}
            )

    def _turn(self, state: PoolState, cards: tuple[Card, ...]) -> tuple[Event, ...]:
        events: list[Event] = []
        for card in cards:
            role = self._role_due(state)
            self._check_stock(state)
            state.table.shoe.see([card])
            event = CardTurned(card, role, state.bettor)
            state = self.evolve(state, event)
            events.append(event)
        return tuple(events)

    def _role_due(self, state: PoolState) -> str:
        rules = self.house_rules
        if state.phase == Phase.TURN and rules.burns_before_bet and not state.burned:
            return BURNED
        if state.phase != Phase.BET_PLACED or state.turned is not None:
            raise IllegalAction("E_PHASE", "card_not_due", {})
        return BURNED if rules.burns_after_bet and not state.burned else TURNED

    def _check_show(self, state: PoolState, player: str) -> Card:
        if state.phase != Phase.BET_PLACED or state.turned is None:
            raise IllegalAction("E_PHASE", "show_not_due", {})
        if player != state.bettor:
            raise IllegalAction("E_TURN", "", {"found": player, "player": state.bettor})
        return state.turned

    def _show(self, state: PoolState, action: Show) -> tuple[Event, ...]:
        turned = self._check_show(state, action.player)
        hand = state.hand(action.player)
        state.table.shoe.see(action.cards)
        whole = len(action.cards) == hand.cards
        winner = best_answer(action.cards, turned)
        facts = {"player": action.player, "found": len(action.cards), "hand": hand.cards, "turned": turned}
        if len(action.cards) > hand.cards:
            raise IllegalAction("E_HAND", "hand_too_many", facts)
        if not whole and (winner is None or self.house_rules.reveal_win == "hand"):
            raise IllegalAction("E_HAND", "hand_incomplete", facts)
        shown = tuple(CardTurned(card, HAND, action.player) for card in action.cards)
        return self._go_on(state, (*shown, self._settled(state, winner is not None)))

    def _declare(self, state: PoolState, action: Declare) -> tuple[Event, ...]:
        self._check_show(state, action.player)
        if self.house_rules.verify == "strict":
            raise IllegalAction("E_HAND", "show_the_cards", {"player": action.player})
        return self._go_on(state, (self._settled(state, action.won),))

    def _settled(self, state: PoolState, won: bool) -> BetSettled:
        player = cast(str, state.bettor)
        bet = state.table.chips.bet(player)
        if not won:
            return BetSettled(player, "lose", bet, moves=(Move(bet_of(player), POOL, bet),))
        back = Move(bet_of(player), stack_of(player), bet)
        return BetSettled(player, "win", bet, bet, moves=(back, Move(POOL, stack_of(player), bet)))

    def _shuffle(self, state: PoolState, decks: int | None) -> tuple[Event, ...]:
        if decks not in (None, 1):
            raise IllegalAction("E_OPTION", "one_deck", {"found": decks})
        if not self.in_round(state):
            return (Shuffled(1),)
        if state.phase == Phase.DEAL or state.stock > 0:
            raise IllegalAction("E_PHASE", "shuffle_in_round", {"left": state.stock})
        if not state.discards:
            raise IllegalAction("E_NO_CARDS", "no_discards", {})
        keep = (state.turned,) if state.turned is not None else ()
        return (Shuffled(1, in_round=True, keep=keep),)

    # -- state --------------------------------------------------------------------------------------------

    def evolve(self, state: GameState, event: Event) -> PoolState:
        """Return the state after an event."""
        state = cast(PoolState, evolve_common(state, event))
        match event:
            case RoundOpened():
                paid = event.moves[0].amount if event.moves else 0
                state = replace(state, players=event.players, anted=event.players, ante_paid=paid, hands=())
                return replace(state, phase=Phase.DEAL, burned=False, turned=None)
            case HandsDealt():
                return self._dealt(state, event)
            case PoolRefilled():
                return _finish(state, event.dropped)
            case PlayersDropped():
                return _finish(state, event.players)
            case BetPlaced():
                return replace(state, phase=Phase.BET_PLACED)
            case HandFolded():
                return _turn_over(state, event.player)
            case CardTurned():
                return _seen(state, event)
            case BetSettled():
                state = _turn_over(state, event.player)
                return replace(state, window=(event.player,), mispaid=())
            case Shuffled() if event.in_round:
                return replace(state, stock=state.discards, discards=0)
            case RoundClosed():
                return replace(state, phase=Phase.ANTE, hands=(), players=(), anted=())
            case Mispaid() | Corrected():
                return replace(state, mispaid=mispayment.after(state.mispaid, event))
            case _:
                return state

    def _dealt(self, state: PoolState, event: HandsDealt) -> PoolState:
        hands = tuple(Hand(player, count, event.full) for player, count in event.counts)
        hands = tuple(replace(hand, done=hand.is_void) for hand in hands)
        out = sum(hand.cards for hand in hands)
        void = sum(hand.cards for hand in hands if hand.is_void)
        refunded = {move.target for move in event.moves}
        anted = tuple(player for player in state.anted if stack_of(player) not in refunded)
        return replace(
            state,
            phase=Phase.TURN,
            hands=hands,
            anted=anted,
            stock=CARDS_A_DECK - out,
            discards=void,
            window=(),
            mispaid=(),
        )

    def void(self, state: GameState, start: GameState) -> PoolState:
        """As for every game; once the cards were dealt the payments of the round before stay as they were."""
        voided = cast(PoolState, super().void(state, start))
        return voided if state.phase == Phase.DEAL else replace(voided, window=(), mispaid=())

    def in_round(self, state: GameState) -> bool:
        """From the antes until the last player has acted."""
        return state.phase != Phase.ANTE

    def turn(self, state: GameState) -> str | None:
        """Whose bet is awaited."""
        state = cast(PoolState, state)
        if state.phase != Phase.TURN or (self.house_rules.burns_before_bet and not state.burned):
            return None
        return state.bettor

    # -- prompt -------------------------------------------------------------------------------------------

    def prompt(self, state: GameState) -> Prompt:
        """Say what the table waits for."""
        state = cast(PoolState, state)
        if state.phase == Phase.ANTE:
            return self._between(state)
        if state.phase == Phase.DEAL:
            hand = self.hand_size(len(state.players))
            return Prompt(
                "deal_hands", "", {"hand": hand, "players": len(state.players)}, choices=(Choice("dealt"),)
            )
        player = cast(str, state.bettor)
        mistakes = (Choice("burn"),) if state.stock else (Choice("shuffle"),) if state.discards else ()
        if state.stock == 0 and state.turned is None and self._needs_card(state):
            do = "stock_empty" if state.discards else "no_cards"
            return Prompt(do, "", {"discards": state.discards}, choices=mistakes)
        if state.phase == Phase.TURN:
            if self.turn(state) is None:
                due = CardsDue(BURNED, 1, 1, player)
                return Prompt("burn_card", "", {"player": player}, None, due, (Choice("card"), *mistakes))
            low, high = self.limits(state)
            bets = (Choice("bet", player, low, high),) if high else ()
            choices = (*bets, Choice("fold", player), *mistakes)
            facts = {"player": player, "low": low, "high": high, "pool": state.pool}
            return Prompt("ask_bet", "say_ask_bet", facts, player, None, choices)
        bet = state.table.chips.bet(player)
        if state.turned is None:
            burn = self.house_rules.burns_after_bet and not state.burned
            facts = {"player": player, "bet": bet}
            due = CardsDue(BURNED if burn else TURNED, 1, 2 if burn else 1, player)
            do = "burn_and_turn" if burn else "turn_card"
            return Prompt(do, "say_bet", facts, None, due, (Choice("card"), *mistakes))
        words = () if self.house_rules.verify == "strict" else (Choice("won", player), Choice("lost", player))
        facts = {"player": player, "bet": bet, "turned": state.turned}
        due = CardsDue(HAND, 1, state.hand(player).cards, player)
        return Prompt(
            "show_hand", "say_turned", facts, None, due, (Choice("show", player), *words, *mistakes)
        )

    def unasked(self, state: GameState) -> tuple[Choice, ...]:
        """Mistaken payments."""
        state = cast(PoolState, state)
        return mispayment.choices(state.table, self._spare(state), state.window, state.mispaid)

    def _needs_card(self, state: PoolState) -> bool:
        before = self.house_rules.burns_before_bet and not state.burned
        return state.phase == Phase.BET_PLACED or before

    def _between(self, state: PoolState) -> Prompt:
        payers = self._payers(state)
        facts = {
            "ante": self.house_rules.ante,
            "pool": state.pool,
            "players": len(payers),
            "dealer": state.table.dealer,
        }
        if len(payers) < 2:
            return Prompt("need_players", "", facts, choices=(Choice("shuffle"),))
        if not self._deck_reaches(len(payers)):
            return Prompt("too_many_players", "", facts, choices=(Choice("shuffle"),))
        do = "open_round_free" if self._skips_ante(state) else "open_round"
        return Prompt(do, "", facts, choices=(Choice("round"), Choice("shuffle")))


class BurnRedDog(PoolRedDog):
    """Red Dog with the cut card: pool Red Dog with ``burn=true`` from the start (RULES.md 3)."""

    name = "red-dog-burn"
    options = tuple(
        options.flag("burn", True) if option.name == "burn" else option for option in PoolRedDog.options
    )


def _finish(state: PoolState, players: tuple[str, ...]) -> PoolState:
    """Players who have no (more) turn this round; their hands are discards now."""
    hands = tuple(replace(hand, done=True) if hand.player in players else hand for hand in state.hands)
    thrown = sum(hand.cards for hand in state.to_act if hand.player in players)
    return replace(state, hands=hands, discards=state.discards + thrown)


def _turn_over(state: PoolState, player: str) -> PoolState:
    """The player has acted: hand and turned card are discards now."""
    state = _finish(state, (player,))
    turned = 1 if state.turned is not None else 0
    state = replace(state, discards=state.discards + turned)
    return replace(state, phase=Phase.TURN, burned=False, turned=None)


def _seen(state: PoolState, event: CardTurned) -> PoolState:
    if event.role == HAND:
        return state
    state = replace(state, stock=state.stock - 1)
    if event.role == TURNED:
        # The card for the next bettor is up: the last settlement can't be mended any more.
        return replace(state, turned=event.card, window=(), mispaid=())
    return replace(state, discards=state.discards + 1, burned=state.burned or event.role == BURNED)
