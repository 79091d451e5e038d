"""Polish Red Dog (Stitch, Polish Bank): blind bets on three cards each against one bank card (RULES.md 6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, cast

from assistant.cards import CARDS_A_DECK, Card
from assistant.games import mispayment, options
from assistant.games.acts import (
    BetPlaced,
    DealHands,
    OpenRound,
    Pass,
    Passed,
    PlayersDropped,
    Show,
    dealt_words,
)
from assistant.games.banking import (
    BankPutUp,
    BankReturned,
    DealEnded,
    PutUpBank,
    after_banking,
    ask_bank,
    ask_round,
    bank_opened,
    bank_put_up,
    bank_returned,
    find_banker,
    paying_place,
)
from assistant.games.base import (
    BURNED,
    HAND,
    SHARED,
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
    Option,
    Prompt,
    Reader,
    RoundOpened,
    Shuffle,
    Shuffled,
    TurnCards,
    evolve_common,
    turn_each,
    until_someone_acts,
)
from assistant.games.card_table import Table
from assistant.games.hands import (
    Hand,
    HandsDealt,
    HandsGame,
    Phase,
    best_answer,
    finished,
    seen,
    with_hands,
)
from assistant.games.polish_table import (
    BetsSettled,
    DealAgain,
    HandJudged,
    PolishRules,
    PolishState,
    Retire,
    StitchAnnounced,
)
from assistant.games.pool import MAX_PLAYERS, ask_hands
from assistant.games.table_odds import bank_bet, turned_card
from assistant.holdings import BANK, Move, bet_of, stack_of
from assistant.money import Amount
from assistant.records import replace

HAND_SIZE = 3


class PolishRedDog(HandsGame[PolishState]):
    """Polish Red Dog; see RULES.md 6."""

    name = "polish-red-dog"
    options: ClassVar[tuple[Option, ...]] = (
        options.amount("stake", "100", 1),
        options.whole("pays", 2, 1, 99),
        options.flag("burn", True),
        options.words("hand_mode", "per-punter", "shared"),
        options.amount("bet_min", "1", 1),
        options.whole("stitch_factor", 3, 2, 99),
        options.words("no_bets", "pass", "redeal"),
        options.flag("referee", False),
        options.words("first_dealer", "first-ace", "high-card", "seat0", "random"),
    )
    common_chips = ("bank", BANK)
    verbs: ClassVar[Mapping[str, Reader]] = {
        "round": lambda words: OpenRound(),
        "bank": lambda words: PutUpBank(),
        "dealt": dealt_words,
        "bet": lambda words: Bet(words.player(), words.amount()),
        "pass": lambda words: Pass(words.player()),
        "card": lambda words: TurnCards(words.cards()),
        "show": lambda words: Show(words.player(), words.cards()),
        "keep": lambda words: DealAgain(stitch=False),
        "stitch": lambda words: DealAgain(stitch=True),
        "retire": lambda words: Retire(),
        "burn": lambda words: ExposeCard(words.card()),
        **mispayment.VERBS,
    }
    action_types = (PutUpBank, DealAgain, Retire)
    event_types = (HandsDealt, BankPutUp, DealEnded, BankReturned, StitchAnnounced, BetsSettled, HandJudged)
    fund = BANK

    def __init__(self, rules: PolishRules) -> None:
        super().__init__(rules)
        self.house_rules = rules

    @classmethod
    def with_options(cls, values: Mapping[str, object]) -> PolishRedDog:
        """Return the game with the values of its options; E_CONFIG for a bank that covers no bet."""
        rules = PolishRules(**values)  # type: ignore[arg-type]
        if rules.stake < rules.pays:
            raise IllegalAction("E_CONFIG", "stake_below_odds", {"found": rules.stake, "low": rules.pays})
        return cls(rules)

    def start(self, table: Table) -> PolishState:
        """Between rounds, with a deck of 52."""
        return PolishState(table, Phase.BANK)

    def decide(self, state: PolishState, action: Action) -> tuple[Event, ...]:
        """Say what an action causes; raises IllegalAction."""
        match action:
            case OpenRound():
                return bank_opened(state, self.house_rules.pays, self._check_players)
            case PutUpBank():
                return self._put_up(state)
            case DealHands():
                return self._deal(state, action)
            case Bet():
                return self._bet(state, action)
            case Pass():
                return self._pass(state, action.player)
            case TurnCards():
                return turn_each(self, state, action.cards, self._turn_one)
            case Show():
                return self._show(state, action)
            case DealAgain():
                return self._again(state, action.stitch)
            case Retire():
                self._check_between(state)
                return bank_returned(state, self.house_rules.pays)
            case ExposeCard():
                return self.exposed(state, action)
            case Shuffle():
                return self.shuffled(state, action.decks)
            case Mispay() | Correct():
                return self.mispaid(state, action)
            case _:
                raise IllegalAction("E_PHASE", "other_game", {})

    # -- the bank and the hands ---------------------------------------------------------------------------

    def _check_players(self, players: int) -> None:
        if players > MAX_PLAYERS:
            needed = (players - 1) * HAND_SIZE + 2
            facts = {"players": players, "hand": HAND_SIZE, "needed": needed, "most": MAX_PLAYERS}
            raise IllegalAction("E_CONFIG", "pool_capacity", facts)

    def _agreed(self, state: PolishState) -> Amount:
        stack = state.table.chips.stack(state.banker) if state.banker else 0
        return min(self.house_rules.stake, stack)

    def _put_up(self, state: PolishState) -> tuple[Event, ...]:
        return bank_put_up(state, self._agreed(state), self.house_rules.pays)

    def paying_place(self, state: PolishState) -> str:
        """The bank; the banker's stack once the bank was given back."""
        return paying_place(state)

    def spoken_for(self, state: PolishState) -> Amount:
        """What all bets together would win."""
        return self.house_rules.pays * sum(state.bets.values())

    def hand_size(self, hands: int) -> int:
        """Three cards; none face down when all play a shared hand."""
        return 0 if self.house_rules.is_shared else HAND_SIZE

    def dealt_in(self, state: PolishState) -> tuple[str, ...]:
        """Punters with chips, from the banker's left."""
        return state.punters

    def _deal(self, state: PolishState, action: DealHands) -> tuple[Event, ...]:
        if self.house_rules.is_shared and state.phase == Phase.DEAL and action.exceptions:
            raise IllegalAction("E_PLAYER", "player_not_dealt", {"player": action.exceptions[0][0]})
        return until_someone_acts(self, state, (Shuffled(1), self.hands_dealt(state, action)))

    # -- bets ---------------------------------------------------------------------------------------------

    def room(self, state: PolishState) -> Amount:
        """What may still be bet: the bank covers all bets together."""
        return max(state.bank // self.house_rules.pays - sum(state.bets.values()), 0)

    def limits(self, state: PolishState) -> tuple[Amount, Amount]:
        """The lowest and highest bet of the player whose turn it is."""
        high = min(state.table.chips.stack(cast(str, state.bettor)), self.room(state))
        return min(self.house_rules.bet_min, high), high

    def _check_bets(self, state: PolishState, player: str) -> None:
        if state.phase != Phase.BET:
            raise IllegalAction("E_PHASE", "no_betting_now" if self.in_round(state) else "no_betting", {})
        if player in state.bets:
            raise IllegalAction("E_BET_FIXED", "", {"player": player, "bet": state.bets[player]})
        if player != state.bettor:
            raise IllegalAction("E_TURN", "", {"found": player, "player": state.bettor})

    def _bet(self, state: PolishState, action: Bet) -> tuple[Event, ...]:
        self._check_bets(state, action.player)
        low, high = self.limits(state)
        stack = state.table.chips.stack(action.player)
        facts = {"player": action.player, "found": action.amount, "low": low, "high": high, "stack": stack}
        if action.amount < max(low, 1):
            raise IllegalAction("E_BET_LOW", "pool_bet_low", facts)
        if action.amount > stack:
            raise IllegalAction("E_STACK", "", facts)
        if action.amount > high:
            raise IllegalAction("E_BET_HIGH", "pool_bet_high", facts)
        move = Move(stack_of(action.player), bet_of(action.player), action.amount)
        return until_someone_acts(self, state, (BetPlaced(action.player, action.amount, moves=(move,)),))

    def _pass(self, state: PolishState, player: str) -> tuple[Event, ...]:
        self._check_bets(state, player)
        return until_someone_acts(self, state, (Passed(player),))

    def automatic(self, state: PolishState) -> tuple[Event, ...]:
        """Nobody bet, or nobody can bet any more (RULES.md 6, BET)."""
        if state.phase == Phase.TURN and not state.bets:
            redeals = self.house_rules.no_bets == "redeal" and not state.last_deal
            settled: tuple[Event, ...] = (BetsSettled(),)
            return settled if redeals else (*settled, *bank_returned(state, self.house_rules.pays))
        if state.phase != Phase.BET:
            return ()
        chips = state.table.chips
        broke = tuple(hand.player for hand in state.to_act if chips.stack(hand.player) == 0)
        if not self.room(state):
            broke = tuple(hand.player for hand in state.to_act)
        return (PlayersDropped(broke),) if broke else ()

    # -- cards --------------------------------------------------------------------------------------------

    def _turn_one(self, state: PolishState, card: Card) -> tuple[Event, ...]:
        role = self._role_due(state)
        self.check_stock(state)
        state.table.shoe.see([card])
        turned = CardTurned(card, role)
        after = self.evolve(state, turned)
        if len(after.shared) != HAND_SIZE:
            return (turned,)
        won = best_answer(after.shared, cast(Card, after.turned)) is not None
        return (turned, *self._settle(after, dict.fromkeys(after.bets, won)))

    def _role_due(self, state: PolishState) -> str:
        if state.phase != Phase.TURN:
            raise IllegalAction("E_PHASE", "card_not_due", {})
        if state.turned is None:
            return BURNED if self.house_rules.burns and not state.burned else TURNED
        if not self.house_rules.is_shared:
            raise IllegalAction("E_PHASE", "card_not_due", {})
        return SHARED

    def _show(self, state: PolishState, action: Show) -> tuple[Event, ...]:
        if state.phase != Phase.TURN or state.turned is None or self.house_rules.is_shared:
            raise IllegalAction("E_PHASE", "show_not_due", {})
        if action.player not in state.to_show:
            raise IllegalAction("E_TURN", "", {"found": action.player, "player": state.to_show[0]})
        won = self.check_shown(state, action, whole=True) is not None
        shown = tuple(CardTurned(card, HAND, action.player) for card in action.cards)
        events: tuple[Event, ...] = (*shown, HandJudged(action.player, won))
        for event in events:
            state = self.evolve(state, event)
        return events if state.to_show else (*events, *self._settle(state, dict(state.shown)))

    def _settle(self, state: PolishState, won: Mapping[str, bool]) -> tuple[Event, ...]:
        """Losing bets go to the bank first, then the winners are paid."""
        losers = [player for player in state.bets if not won[player]]
        winners = [player for player in state.bets if won[player]]
        events: list[Event] = []
        for player in losers:
            bet = state.bets[player]
            events.append(BetSettled(player, "lose", bet, moves=(Move(bet_of(player), BANK, bet),)))
        for player in winners:
            bet = state.bets[player]
            paid = bet * self.house_rules.pays
            back = Move(bet_of(player), stack_of(player), bet)
            moves = (back, Move(BANK, stack_of(player), paid))
            events.append(BetSettled(player, "win", bet, paid, moves=moves))
        events.append(BetsSettled())
        for event in events:
            state = self.evolve(state, event)
        if state.last_deal or state.bank < self.house_rules.pays:
            events += bank_returned(state, self.house_rules.pays)
        return tuple(events)

    # -- between deals ------------------------------------------------------------------------------------

    def _check_between(self, state: PolishState) -> None:
        if state.phase != Phase.BETWEEN:
            raise IllegalAction("E_PHASE", "no_choice_of_banker", {})

    def has_grown(self, state: PolishState) -> bool:
        """Whether the bank is so big that the banker can only retire or announce the stitch round."""
        return state.bank >= self.house_rules.stitch_factor * state.initial

    def _again(self, state: PolishState, stitch: bool) -> tuple[Event, ...]:
        self._check_between(state)
        if stitch != self.has_grown(state):
            grown = self.house_rules.stitch_factor * state.initial
            reason = "stitch_early" if stitch else "stitch_due"
            raise IllegalAction("E_STITCH", reason, {"bank": state.bank, "low": grown})
        if not state.punters:
            raise IllegalAction("E_PLAYERS", "no_punters", {})
        return (StitchAnnounced(), DealEnded()) if stitch else (DealEnded(),)

    # -- state --------------------------------------------------------------------------------------------

    def evolve(self, state: PolishState, event: Event) -> PolishState:
        """Return the state after an event.

        Settlements can be mended until the first card or bet of the next round, whatever deals come between.
        """
        before = state
        after = self._evolve(before, event)
        match event:
            case BetPlaced() | CardTurned() if before.deals == 0 and before.phase != Phase.BETWEEN:
                return replace(after, window=(), mispaid=())
            case HandsDealt() | CardTurned():
                return replace(after, window=before.window, mispaid=before.mispaid)
            case _:
                return after

    def _evolve(self, state: PolishState, event: Event) -> PolishState:
        before = state.table.chips
        state = evolve_common(state, event)
        state = after_banking(state, event)
        match event:
            case RoundOpened():
                return replace(state, players=event.players, hands=(), before=before, last_deal=False)
            case BankPutUp():
                return replace(state, initial=event.amount)
            case HandsDealt():
                return self._dealt(state, event)
            case BetPlaced() | Passed():
                return self._acted(state, (event.player,))
            case PlayersDropped():
                return self._acted(state, event.players)
            case CardTurned():
                shared = (*state.shared, event.card) if event.role == SHARED else state.shared
                return replace(seen(state, event), shared=shared)
            case HandJudged():
                return replace(state, shown=(*state.shown, (event.player, event.won)))
            case BetSettled():
                return replace(state, window=tuple(dict.fromkeys((*state.window, event.player))))
            case BetsSettled():
                return self._deal_over(state)
            case StitchAnnounced():
                return replace(state, last_deal=True)
            case Shuffled() if event.in_round:
                return replace(state, stock=state.discards, discards=0)
            case BankReturned():
                return replace(state, players=(), hands=(), turned=None, before=None)
            case Mispaid() | Corrected():
                return replace(state, mispaid=mispayment.after(state.mispaid, event))
            case _:
                return state

    def _dealt(self, state: PolishState, event: HandsDealt) -> PolishState:
        dealt = with_hands(state, event)
        if self.house_rules.is_shared:
            hands = tuple(Hand(player, 0, 0) for player, _ in event.counts)
            dealt = replace(dealt, hands=hands, stock=CARDS_A_DECK, discards=0)
        dealt = replace(dealt, phase=Phase.BET, shown=(), shared=())
        return dealt if dealt.to_act else replace(dealt, phase=Phase.TURN)

    def _acted(self, state: PolishState, players: tuple[str, ...]) -> PolishState:
        """Players whose bet is fixed or who don't bet; hands without a bet are discards now."""
        state = finished(state, players)
        staying = sum(state.hand(player).cards for player in players if player in state.bets)
        state = replace(state, discards=state.discards - staying)
        return state if state.to_act else replace(state, phase=Phase.TURN)

    def _deal_over(self, state: PolishState) -> PolishState:
        shown = sum(state.hand(player).cards for player, _ in state.shown)
        turned = 1 if state.turned is not None else 0
        return replace(state, phase=Phase.BETWEEN, discards=state.discards + shown + turned, turned=None)

    def banker(self, state: PolishState) -> str | None:
        """Who banks, between rounds who is next to."""
        return state.banker if self.in_round(state) else find_banker(state.table, self.house_rules.pays)

    def turn(self, state: PolishState) -> str | None:
        """Whose bet is awaited, or the banker in BANK and BETWEEN."""
        if state.phase in (Phase.BANK, Phase.BETWEEN):
            return self.banker(state)
        return state.bettor if state.phase == Phase.BET else None

    # -- prompt -------------------------------------------------------------------------------------------

    def odds(self, state: PolishState) -> tuple[OddsLine, ...]:
        """Of a punter's three cards against the bank card."""
        if state.phase not in (Phase.BET, Phase.TURN) or state.shared:
            return ()
        shoe = state.table.shoe
        if state.turned is not None:
            return turned_card(shoe, state.turned, HAND_SIZE)
        return bank_bet(shoe, HAND_SIZE, self.house_rules.pays)

    def prompt(self, state: PolishState) -> Prompt:
        """Say what the table waits for."""
        if state.phase == Phase.BET:
            low, high = self.limits(state)
            player = state.bettor
            facts = {"player": player, "low": low, "high": high, "pool": state.bank, "room": self.room(state)}
            bets = (Choice("bet", player, low, high),) if high else ()
            choices = (*bets, Choice("pass", player), *self.stock_choices(state))
            return Prompt("ask_bet_or_pass", "say_ask_room", facts, player, None, choices)
        if state.phase == Phase.TURN:
            return self._ask_cards(state)
        if state.phase == Phase.BETWEEN:
            return self._ask_banker(state)
        if state.phase == Phase.DEAL:
            if self.house_rules.is_shared:
                return Prompt("open_bets", "", {}, choices=(Choice("dealt"),))
            return ask_hands(HAND_SIZE, len(state.punters))
        if self.in_round(state):
            return ask_bank(state, self.house_rules.pays, self._agreed(state))
        return ask_round(state.table, self.house_rules.pays, self._check_players)

    def _ask_cards(self, state: PolishState) -> Prompt:
        always = self.stock_choices(state)
        if state.turned is not None and not self.house_rules.is_shared:
            player = state.to_show[0]
            size = state.hand(player).cards
            facts = {"player": player, "turned": state.turned, "hand": size}
            choices = tuple(Choice("show", one) for one in state.to_show)
            due = CardsDue(HAND, size, size, player)
            return Prompt("show_whole_hand", "say_bank_card", facts, None, due, (*choices, *always))
        if state.stock == 0:
            do = "stock_empty" if state.discards else "no_cards"
            return Prompt(do, "", {"discards": state.discards}, choices=always)
        card = (Choice("card"), *always)
        if state.turned is not None:
            left = HAND_SIZE - len(state.shared)
            facts = {"left": left, "turned": state.turned}
            return Prompt("turn_shared", "say_bank_card", facts, None, CardsDue(SHARED, 1, left), card)
        if self.house_rules.burns and not state.burned:
            return Prompt("burn_and_bank_card", "", {}, None, CardsDue(BURNED, 1, 2), card)
        return Prompt("bank_card", "", {}, None, CardsDue(TURNED, 1, 1), card)

    def _ask_banker(self, state: PolishState) -> Prompt:
        facts = {"player": state.banker, "bank": state.bank, "initial": state.initial}
        verbs = ["retire"]
        if state.punters:
            verbs.insert(0, "stitch" if self.has_grown(state) else "keep")
        choices = (*(Choice(verb) for verb in verbs), *self.stock_choices(state))
        do = {"stitch": "ask_stitch", "keep": "ask_keep", "retire": "ask_retire"}[verbs[0]]
        return Prompt(do, "", facts, state.banker, None, choices)
