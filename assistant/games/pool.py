"""Pool Red Dog (High-Card Pool) and its burn version: everybody bets in turn against a common pool (RULES.md
2, 3).

The burn version is this game with ``burn=true``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, cast

from assistant.cards import CARDS_A_DECK
from assistant.games import options
from assistant.games.acts import (
    DealHands,
    Fold,
    PlayersDropped,
    PoolDivided,
    PoolRefilled,
    ask_more_players,
    too_few,
)
from assistant.games.base import (
    Choice,
    Event,
    Game,
    IllegalAction,
    Option,
    Prompt,
    Reader,
    RoundClosed,
    RoundOpened,
    Shuffled,
)
from assistant.games.card_table import Table
from assistant.games.hands import Hand, HandsDealt, HandsState, Phase, finished, too_many_hands
from assistant.games.turns import TURN_VERBS, TurnGame, TurnRules
from assistant.holdings import POOL, Move, stack_of
from assistant.money import Amount, share_equally
from assistant.records import replace

MAX_PLAYERS = 10


@dataclass(frozen=True, kw_only=True)
class PoolRules(TurnRules):
    """House rules (RULES.md 2.1); amounts in smallest units."""

    ante: Amount
    fold_fine: Amount
    short_pool: str
    reante_by: str
    pool_limit: Amount
    division: str
    odd_chips: str
    skip_ante_at: Amount
    short_hand_fold: str
    void_ante: str


@dataclass(frozen=True)
class PoolState(HandsState):
    """The pool table.

    Attributes:
        anted: Those who paid an ante and have a share in a division.
        ante_paid: What each of them paid; 0 where a rich pool needed none.
    """

    anted: tuple[str, ...] = ()
    ante_paid: Amount = 0

    @property
    def pool(self) -> Amount:
        """Chips in the pool."""
        return self.table.chips.at(POOL)


class PoolRedDog(TurnGame[PoolState]):
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
    verbs: ClassVar[Mapping[str, Reader]] = {**TURN_VERBS, "fold": lambda words: Fold(words.player())}
    fund = POOL
    refusing = "fold"
    ask = ("ask_bet", "say_ask_bet")
    max_players: ClassVar[int] = MAX_PLAYERS

    def __init__(self, rules: PoolRules) -> None:
        super().__init__(rules)
        self.house_rules = rules

    @classmethod
    def with_options(cls, values: Mapping[str, object]) -> Game:
        """Return the game with the values of its options."""
        named = dict(values)
        if named["fold_fine"] == "ante":
            named["fold_fine"] = named["ante"]
        return cls(PoolRules(**named))  # type: ignore[arg-type]

    def start(self, table: Table) -> PoolState:
        """Between rounds, with a deck of 52."""
        return PoolState(table, Phase.ANTE)

    def hand_size(self, hands: int) -> int:
        """Cards a player gets when so many are dealt in.

        Raises:
            IllegalAction: E_CONFIG when the deck does not reach.
        """
        size = hand_size(self.house_rules, hands)
        check_capacity(hands, size, self.house_rules.burn, players=hands, most=self.max_players)
        return size

    def dealt_in(self, state: PoolState) -> tuple[str, ...]:
        """Everybody who is in the round, the dealer last."""
        return state.players

    # -- opening and dealing --------------------------------------------------------------------------------

    def _payers(self, state: PoolState) -> tuple[str, ...]:
        chips = state.table.chips
        least = self._least(state)
        return tuple(player for player in state.table.active if chips.stack(player) >= least)

    def _least(self, state: PoolState) -> Amount:
        """What a player needs to be in the next round."""
        return 1 if self._skips_ante(state) else self.house_rules.ante

    def _skips_ante(self, state: PoolState) -> bool:
        return 0 < self.house_rules.skip_ante_at <= state.table.chips.at(POOL)

    def opened(self, state: PoolState) -> tuple[Event, ...]:
        """The antes are paid; a dealer who cannot is passed over (RULES.md 2.5)."""
        if self.in_round(state):
            raise IllegalAction("E_PHASE", "round_runs", {})
        payers = self._payers(state)
        if len(payers) < 2:
            raise too_few(state.table, len(payers), self._least(state))
        self.hand_size(len(payers))
        around = state.table.from_dealer()
        dealer = next(player for player in around if player in payers)
        order = tuple(player for player in state.table.from_left_of(dealer) if player in payers)
        moves = () if self._skips_ante(state) else self._antes(payers)
        return (Shuffled(1), RoundOpened(order, dealer, moves=moves))

    def _antes(self, payers: tuple[str, ...]) -> tuple[Move, ...]:
        return tuple(Move(stack_of(player), POOL, self.house_rules.ante) for player in payers)

    def hands_dealt(self, state: PoolState, action: DealHands) -> HandsDealt:
        """Say who has how many cards; antes of void hands go back by house rule."""
        dealt = super().hands_dealt(state, action)
        paid = state.ante_paid
        if self.house_rules.void_ante != "refund" or not paid:
            return dealt
        counts = dict(dealt.counts)
        anted = state.anted
        void = [player for player in anted if counts[player] == 0 or counts[player] > dealt.full]
        refunds: list[Move] = []
        left = state.table.chips.at(POOL)
        for player in void:  # a wrong payment may have taken what would go back
            refund = min(paid, left)
            left -= refund
            refunds += [Move(POOL, stack_of(player), refund)] if refund else []
        return replace(dealt, moves=tuple(refunds))

    # -- turns --------------------------------------------------------------------------------------------

    def between_turns(self, state: PoolState) -> tuple[Event, ...]:
        """REPLENISH and ROUND_END of RULES.md 2.2."""
        if not state.to_act:
            return self._close(state)
        pool = state.table.chips.at(POOL)
        short = self.house_rules.short_pool == "reante" and pool < self.house_rules.ante
        return self._refill(state) if pool == 0 or short else ()

    def _refill(self, state: PoolState) -> tuple[Event, ...]:
        ante = self.house_rules.ante
        chips = state.table.chips
        only_remaining = self.house_rules.reante_by == "remaining"
        asked = [hand for hand in state.hands if not hand.is_void and not (only_remaining and hand.done)]
        payers = tuple(hand.player for hand in asked if chips.stack(hand.player) >= ante)
        dropped = tuple(hand.player for hand in state.to_act if chips.stack(hand.player) < ante)
        if payers:
            return (PoolRefilled(payers, dropped, moves=self._antes(payers)),)
        if chips.at(POOL) == 0:
            return self._close(state)
        # Nobody can fill a short pool again: whoever could not pay is out, and the round ends with them.
        return (PlayersDropped(dropped),) if dropped else ()

    def _close(self, state: PoolState) -> tuple[Event, ...]:
        closed = RoundClosed(state.table.next_dealer())
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

    def limits(self, state: PoolState) -> tuple[Amount, Amount]:
        """The lowest and highest bet of the player whose turn it is (RULES.md 2.3)."""
        stack, pool = state.table.chips.stack(cast(str, state.bettor)), state.table.chips.at(POOL)
        return min(self.house_rules.ante, pool, stack), min(pool, stack)

    def fine(self, state: PoolState, hand: Hand) -> Amount:
        """The fine; a short hand may be thrown in free of charge."""
        free = hand.is_short and self.house_rules.short_hand_fold == "free"
        return 0 if free else self.house_rules.fold_fine

    def evolve(self, state: PoolState, event: Event) -> PoolState:
        """Return the state after an event."""
        state = super().evolve(state, event)
        match event:
            case RoundOpened():
                paid = event.moves[0].amount if event.moves else 0
                return replace(state, phase=Phase.DEAL, anted=event.players, ante_paid=paid)
            case HandsDealt():
                refunded = {move.target for move in event.moves}
                anted = tuple(player for player in state.anted if stack_of(player) not in refunded)
                return replace(state, anted=anted)
            case PoolRefilled():
                return finished(state, event.dropped)
            case RoundClosed():
                return replace(state, phase=Phase.ANTE, anted=())
            case _:
                return state

    # -- prompt -------------------------------------------------------------------------------------------

    def prompt_between(self, state: PoolState) -> Prompt:
        """Say what is waited for while no hands are out."""
        if state.phase == Phase.DEAL:
            return ask_hands(self.hand_size(len(state.players)), len(state.players))
        payers = self._payers(state)
        free = self._skips_ante(state)
        facts: dict[str, object] = {
            "ante": self._least(state),
            "pool": state.table.chips.at(POOL),
            "players": len(payers),
            "dealer": state.table.dealer,
        }
        if len(payers) < 2:
            return ask_more_players(state.table, len(payers), self._least(state))
        try:
            self.hand_size(len(payers))
        except IllegalAction as refusal:
            return too_many_hands(refusal)
        do = "open_round_free" if free else "open_round"
        return Prompt(do, "", facts, choices=(Choice("round"), Choice("shuffle")))


class BurnRedDog(PoolRedDog):
    """Red Dog with the cut card: pool Red Dog with ``burn=true`` from the start (RULES.md 3)."""

    name = "red-dog-burn"
    options = tuple(
        options.flag("burn", True, fixed=True) if option.name == "burn" else option
        for option in PoolRedDog.options
    )


def ask_hands(size: int, hands: int) -> Prompt:
    """Wait for the hands to be dealt."""
    return Prompt("deal_hands", "", {"hand": size, "players": hands}, choices=(Choice("dealt"),))


def hand_size(rules: TurnRules, hands: int) -> int:
    """Cards in a hand (RULES.md 2.1): as the rules say, or what the deck gives for so many hands."""
    if rules.hand != "auto":
        return int(rules.hand)
    if rules.burn:
        return 5 if hands <= 7 else 4 if hands == 8 else 3
    return 5 if hands <= 8 else 4


def check_capacity(hands: int, size: int, burn: bool, *, players: int, most: int) -> None:
    """Refuse more players or hands than the game and the deck allow.

    Raises:
        IllegalAction: E_CONFIG with the numbers.
    """
    each = size + (2 if burn else 1)
    needed = hands * each
    if players > most or needed > CARDS_A_DECK:
        able = min(most, CARDS_A_DECK // each + players - hands)
        facts = {"players": players, "hand": size, "needed": needed, "most": able}
        raise IllegalAction("E_CONFIG", "pool_capacity", facts)
