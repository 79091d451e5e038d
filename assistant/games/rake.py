"""Rake: three cards, a market, two draws, betting with side pots, and the Ace of Skulls (RULES.md 9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, cast

from assistant.cards import CARDS_A_DECK, Card
from assistant.games import mispayment, options
from assistant.games.acts import (
    Call,
    Called,
    DealHands,
    Fold,
    OpenRound,
    Raise,
    Show,
    ask_more_players,
    dealt_words,
    too_few,
)
from assistant.games.base import (
    EXPOSED,
    HAND,
    MARKET,
    TIE_BREAK,
    Action,
    Bet,
    CardsDue,
    CardTurned,
    Choice,
    Correct,
    Corrected,
    Event,
    ExposeCard,
    Game,
    IllegalAction,
    Mispaid,
    Mispay,
    Option,
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
from assistant.games.betting import Street
from assistant.games.card_table import Table
from assistant.games.hand_ranks import HAND_SIZE, ace_of_skulls_wins
from assistant.games.hands import HandsDealt
from assistant.games.pots import Pot, build_pots, uncalled
from assistant.games.rake_table import (
    BETTING,
    DRAWING,
    AceOfSkulls,
    CardTaken,
    Check,
    Checked,
    HandOpened,
    HandShown,
    Phase,
    PlayerFolded,
    PotWon,
    RakeRules,
    RakeState,
    StreetClosed,
    TakeCard,
    Wagered,
    after_act,
    after_street,
    after_taking,
    new_round,
)
from assistant.games.showdown import Showdown, decide_showdown
from assistant.holdings import POOL, Move, bet_of, stack_of
from assistant.money import Amount
from assistant.records import replace
from assistant.talk import Words

MAX_PLAYERS = 8
DEALT = 3


def _take_words(words: Words) -> TakeCard:
    player = words.player()
    if words.more and words.words[0].text.lower() == "closed":
        words.text()
        return TakeCard(player)
    return TakeCard(player, (words.card(),))


class Rake(Game[RakeState]):
    """Rake; see RULES.md 9."""

    name = "rake"
    names_cards_again = True
    common_chips = ("pot", POOL)
    options: ClassVar[tuple[Option, ...]] = (
        options.amount("ante", "10", 1),
        options.amount("min_bet", "ante", 1, "ante"),
        options.words("market", "active", "seated"),
        options.words("kickers", "full", "strict"),
        options.words("tie", "draw", "split"),
        options.flag("aos", True),
        options.words("two_pair", "below-trips", "above-trips"),
        options.flag("quads_lady_high", False),
        options.flag("show_all_in", False),
        options.words("first_dealer", "first-ace", "high-card", "seat0", "random"),
    )
    verbs: ClassVar[Mapping[str, Reader]] = {
        "round": lambda words: OpenRound(),
        "dealt": dealt_words,
        "check": lambda words: Check(words.player()),
        "bet": lambda words: Bet(words.player(), words.amount()),
        "call": lambda words: Call(words.player()),
        "raise": lambda words: Raise(words.player(), words.amount()),
        "fold": lambda words: Fold(words.player()),
        "card": lambda words: TurnCards(words.cards()),
        "take": _take_words,
        "show": lambda words: Show(words.player(), words.cards()),
        "burn": lambda words: ExposeCard(words.card()),
        **mispayment.VERBS,
    }
    action_types = (Check, TakeCard)
    event_types = (
        HandsDealt,
        Checked,
        Wagered,
        PlayerFolded,
        StreetClosed,
        CardTaken,
        AceOfSkulls,
        HandOpened,
        HandShown,
        PotWon,
    )
    deck_names = "rake"

    def __init__(self, rules: RakeRules) -> None:
        super().__init__(rules)
        self.house_rules = rules

    @classmethod
    def with_options(cls, values: Mapping[str, object]) -> Rake:
        """Return the game with the values of its options."""
        named = dict(values)
        if named["min_bet"] == "ante":
            named["min_bet"] = named["ante"]
        return cls(RakeRules(**named))  # type: ignore[arg-type]

    def start(self, table: Table) -> RakeState:
        """Between rounds, with a deck of 52."""
        return RakeState(table, Phase.ANTE)

    def decide(self, state: RakeState, action: Action) -> tuple[Event, ...]:
        """Say what an action causes; raises IllegalAction."""
        match action:
            case OpenRound():
                return self._open(state)
            case DealHands():
                return self._deal(state, action)
            case Check() | Bet() | Call() | Raise() | Fold():
                return until_someone_acts(self, state, (self._act(state, action),))
            case TurnCards():
                return turn_each(self, state, action.cards, self._turn_one)
            case TakeCard():
                return self._take(state, action)
            case Show():
                return self._show(state, action)
            case ExposeCard():
                return self._expose(state, action.card)
            case Shuffle():
                return self._shuffle(state, action.decks)
            case Mispay() | Correct():
                # whoever has no chips left by it is not asked any more
                return until_someone_acts(self, state, self._mispaid(state, action))
            case _:
                raise IllegalAction("E_PHASE", "other_game", {})

    # -- opening ------------------------------------------------------------------------------------------

    def _able(self, table: Table) -> tuple[str, ...]:
        return tuple(player for player in table.active if table.chips.stack(player))

    def _open(self, state: RakeState) -> tuple[Event, ...]:
        if self.in_round(state):
            raise IllegalAction("E_PHASE", "round_runs", {})
        able = self._able(state.table)
        if len(able) < 2:
            raise too_few(state.table, len(able), 1)
        if len(able) > MAX_PLAYERS:
            raise IllegalAction("E_CONFIG", "acey_players", {"found": len(able), "most": MAX_PLAYERS})
        dealer = next(player for player in state.table.from_dealer() if player in able)
        order = tuple(player for player in state.table.from_left_of(dealer) if player in able)
        chips = state.table.chips
        antes = {player: min(self.house_rules.ante, chips.stack(player)) for player in order}
        moves = tuple(Move(stack_of(player), POOL, ante) for player, ante in antes.items())
        return (Shuffled(1), RoundOpened(order, dealer, moves=moves))

    def _deal(self, state: RakeState, action: DealHands) -> tuple[Event, ...]:
        if state.phase != Phase.DEAL:
            raise IllegalAction("E_PHASE", "hands_are_out" if self.in_round(state) else "not_dealing", {})
        wrong = [(player, count) for player, count in action.exceptions if count != DEALT]
        if wrong:
            facts = {"player": wrong[0][0], "found": wrong[0][1], "hand": DEALT}
            raise IllegalAction("E_CONFIG", "rake_misdeal", facts)
        counts = tuple((player, DEALT) for player in state.players)
        return until_someone_acts(self, state, (HandsDealt(counts, DEALT),))

    # -- betting ------------------------------------------------------------------------------------------

    def street(self, state: RakeState) -> Street:
        """The round of betting as it stands."""
        chips = state.table.chips
        stacks = {player: chips.stack(player) for player in state.players}
        least = self.house_rules.min_bet
        return Street(state.players, state.still_in, stacks, state.bets, state.acted, state.last, least)

    def _act(self, state: RakeState, action: Check | Bet | Call | Raise | Fold) -> Event:
        if state.phase not in BETTING:
            raise IllegalAction("E_PHASE", "no_betting_now" if self.in_round(state) else "no_betting", {})
        street, player = self.street(state), action.player
        if player != street.actor:
            raise IllegalAction("E_TURN", "", {"found": player, "player": street.actor})
        match action:
            case Check():
                street.check_check(player)
                return Checked(player)
            case Fold():
                return PlayerFolded(player)
            case Call():
                cost = street.check_call(player)
                return Called(player, moves=(Move(stack_of(player), bet_of(player), cost),))
            case Bet():
                street.check_bet(player, action.amount)
                return self._wager(street, player, action.amount)
            case Raise():
                total = action.amount or 0
                street.check_raise(player, total)
                return self._wager(street, player, total)

    def _wager(self, street: Street, player: str, total: Amount) -> Wagered:
        move = Move(stack_of(player), bet_of(player), total - street.own(player))
        return Wagered(player, total, street.is_full(total), moves=(move,))

    def automatic(self, state: RakeState) -> tuple[Event, ...]:
        """A betting round in which all have acted is closed; the last one in takes the pot (RULES.md 9.4)."""
        if state.phase not in BETTING or not self.street(state).is_closed:
            return ()
        closed = self._close_street(state)
        after = self.evolve(state, closed)
        if len(after.still_in) > 1:
            return (closed,)
        winner, pot = after.still_in[0], after.table.chips.at(POOL)
        won = PotWon(winner, pot, moves=(Move(POOL, stack_of(winner), pot),))
        return (closed, won, self._closing(after, (won,)))

    def _close_street(self, state: RakeState) -> StreetClosed:
        bets = {player: bet for player, bet in state.bets.items() if bet}
        back = uncalled(bets)
        moves: tuple[Move, ...] = ()
        if back is not None:
            player, amount = back
            bets[player] -= amount
            moves = (Move(bet_of(player), stack_of(player), amount),)
        moves += tuple(Move(bet_of(player), POOL, bet) for player, bet in bets.items() if bet)
        return StreetClosed(*(back or (None, 0)), moves=moves)

    def _closing(self, state: RakeState, events: tuple[Event, ...]) -> RoundClosed:
        chips = state.table.chips.moved(move for event in events for move in event.moves)
        return RoundClosed(replace(state.table, chips=chips).next_dealer(1))

    # -- the market ---------------------------------------------------------------------------------------

    def market_size(self, state: RakeState) -> int:
        """Open cards laid out, and as many closed ones."""
        return len(state.players if self.house_rules.market == "seated" else state.still_in)

    def _due(self, state: RakeState) -> tuple[str, int, str | None]:
        """The role, number and first player of the cards that are due; none due is zero of them."""
        if state.phase == Phase.DRAW1 and not state.laid:
            return MARKET, self.market_size(state) - len(state.market), None
        if state.phase == Phase.SHOWDOWN and not state.to_show:
            drawing = self._showdown(state).drawing
            return TIE_BREAK, len(drawing), drawing[0] if drawing else None
        return MARKET, 0, None

    def _turn_one(self, state: RakeState, card: Card) -> tuple[Event, ...]:
        role, due, player = self._due(state)
        if not due:
            raise IllegalAction("E_PHASE", "card_not_due", {})
        state.table.shoe.see([card])
        turned = CardTurned(card, role, player)
        return (turned, *self._awarded(self.evolve(state, turned))) if role == TIE_BREAK else (turned,)

    def _take(self, state: RakeState, action: TakeCard) -> tuple[Event, ...]:
        if state.phase not in DRAWING or not state.laid:
            raise IllegalAction("E_PHASE", "no_draw", {})
        drawer = state.to_draw[0]
        if action.player != drawer:
            raise IllegalAction("E_TURN", "", {"found": action.player, "player": drawer})
        if not action.cards:
            if not state.closed:
                raise IllegalAction("E_CARD", "none_closed", {})
            return until_someone_acts(self, state, (CardTaken(drawer),))
        if action.cards[0] not in state.market:
            facts = {"card": action.cards[0], "market": state.market}
            raise IllegalAction("E_CARD", "not_in_market", facts)
        return until_someone_acts(self, state, (CardTaken(drawer, action.cards[0]),))

    # -- the showdown -------------------------------------------------------------------------------------

    def _check_show(self, state: RakeState, player: str) -> int:
        """Return how many cards the hand has that may be shown now."""
        if state.phase == Phase.SHOWDOWN and state.to_show:
            if player not in state.to_show:
                raise IllegalAction("E_TURN", "", {"found": player, "player": state.to_show[0]})
            return HAND_SIZE
        if not self._may_open(state):
            raise IllegalAction("E_PHASE", "show_not_due", {})
        if player not in self._to_open(state):
            raise IllegalAction("E_TURN", "", {"found": player, "player": self._to_open(state)[0]})
        return self._held(state, player)

    def _held(self, state: RakeState, player: str) -> int:
        draws = (state.phase == Phase.DRAW2) + (player in state.drawn)
        return DEALT + draws

    def _to_open(self, state: RakeState) -> tuple[str, ...]:
        return tuple(player for player in state.still_in if player not in state.opened)

    def _may_open(self, state: RakeState) -> bool:
        """Whether hands are opened early: by house rule, once nobody can bet any more."""
        if not self.house_rules.show_all_in or state.phase not in DRAWING or not state.laid:
            return False
        with_chips = [player for player in state.still_in if state.table.chips.stack(player)]
        return len(with_chips) < 2 and bool(self._to_open(state))

    def _show(self, state: RakeState, action: Show) -> tuple[Event, ...]:
        size = self._check_show(state, action.player)
        known = state.cards_of(action.player)
        fresh = [card for card in action.cards if card not in known]
        state.table.shoe.see([*fresh, *_repeated(action.cards, known)])
        missing = [card for card in known if card not in action.cards]
        facts = {"player": action.player, "found": len(action.cards), "hand": size}
        if len(action.cards) != size:
            raise IllegalAction("E_HAND", "rake_hand", facts)
        if missing:
            raise IllegalAction("E_HAND", "rake_taken", {**facts, "card": missing[0]})
        turned = tuple(CardTurned(card, HAND, action.player) for card in fresh)
        if state.phase != Phase.SHOWDOWN:
            return (*turned, HandOpened(action.player, action.cards))
        events: tuple[Event, ...] = (*turned, HandShown(action.player, action.cards))
        for event in events:
            state = self.evolve(state, event)
        return events if state.to_show else (*events, *self._awarded(state))

    def _showdown(self, state: RakeState) -> Showdown:
        pots, hands = self._pots(state), dict(state.shown)
        stock = state.stock + len(state.draws)
        return decide_showdown(pots, hands, state.draws, stock, self.house_rules.showdown)

    def _awarded(self, state: RakeState) -> tuple[Event, ...]:
        """Pay the pots once all are decided."""
        showdown = self._showdown(state)
        if showdown.drawing:
            return ()
        won = tuple(
            PotWon(
                award.player,
                award.amount,
                award.contested,
                award.side,
                moves=(Move(POOL, stack_of(award.player), award.amount),),
            )
            for award in showdown.awards
        )
        return (*self._ace_of_skulls(state), *won, self._closing(state, won))

    def _ace_of_skulls(self, state: RakeState) -> tuple[Event, ...]:
        """Whom the Ace of Skulls made win or lose, so that the table hears why."""
        if not self.house_rules.aos:
            return ()
        found = ((player, ace_of_skulls_wins(cards)) for player, cards in state.shown)
        return tuple(AceOfSkulls(player, wins) for player, wins in found if wins is not None)

    def _pots(self, state: RakeState) -> tuple[Pot, ...]:
        contributed = dict(state.contributed)
        extra = state.table.chips.at(POOL) - sum(contributed.values())
        return build_pots(contributed, state.still_in, extra)

    def pots(self, state: RakeState) -> tuple[tuple[Amount, tuple[str, ...]], ...]:
        """The pool by who can win it, the main pot first."""
        return tuple((pot.amount, pot.players) for pot in self._pots(state))

    def players_of_round(self, state: RakeState) -> tuple[str, ...]:
        """Who was dealt in when the round began."""
        return state.players

    def folded(self, state: RakeState) -> tuple[str, ...]:
        """Who is out of this round."""
        return state.folded

    # -- the deck and mistakes ----------------------------------------------------------------------------

    def cards_left(self, state: RakeState) -> int:
        """What is left of the deck; until the hands are out, all of it."""
        return state.stock if self.in_round(state) and state.phase != Phase.DEAL else CARDS_A_DECK

    def _burnable(self, state: RakeState) -> bool:
        if not self.in_round(state) or state.phase == Phase.DEAL:
            return False
        needed = 0 if state.laid else 2 * self.market_size(state)
        return state.stock > needed

    def _expose(self, state: RakeState, card: Card) -> tuple[Event, ...]:
        if not self.in_round(state) or state.phase == Phase.DEAL:
            raise IllegalAction("E_PHASE", "no_deck", {})
        if not self._burnable(state):
            raise IllegalAction("E_NO_CARDS", "no_discards", {})
        state.table.shoe.see([card])
        return (CardTurned(card, EXPOSED),)

    def _shuffle(self, state: RakeState, decks: int | None) -> tuple[Event, ...]:
        if decks not in (None, 1):
            raise IllegalAction("E_OPTION", "one_deck", {"found": decks})
        if self.in_round(state):
            raise IllegalAction("E_PHASE", "shuffle_in_round", {"left": state.stock})
        return (Shuffled(1),)

    def _spare(self, state: RakeState) -> Amount:
        """Only what was not paid as antes and bets of this hand can go out by mistake."""
        return max(state.table.chips.at(POOL) - sum(dict(state.contributed).values()), 0)

    def _mispaid(self, state: RakeState, action: Mispay | Correct) -> tuple[Event, ...]:
        spare = self._spare(state)
        if isinstance(action, Mispay):
            return mispayment.mispay(state.table, POOL, spare, state.window, action)
        return mispayment.correct(state.table, POOL, spare, state.window, state.mispaid, action.player)

    def unasked(self, state: RakeState) -> tuple[Choice, ...]:
        """Wrong payments that may be noted or taken back now."""
        return mispayment.choices(state.table, self._spare(state), state.window, state.mispaid)

    # -- state --------------------------------------------------------------------------------------------

    def evolve(self, state: RakeState, event: Event) -> RakeState:
        """Return the state after an event."""
        state = evolve_common(state, event)
        match event:
            case RoundOpened():
                return new_round(state, event)
            case HandsDealt():
                stock = CARDS_A_DECK - DEALT * len(state.players)
                return replace(state, phase=Phase.BET1, stock=stock)
            case Checked() | Called():
                return after_act(state, event.player, (*state.acted, event.player))
            case PlayerFolded():
                state = replace(state, folded=(*state.folded, event.player))
                return after_act(state, event.player, state.acted)
            case Wagered():
                acted = (event.player,) if event.full else (*state.acted, event.player)
                return after_act(state, event.player, acted)
            case StreetClosed():
                return after_street(state, event)
            case CardTurned():
                return self._card(state, event)
            case CardTaken():
                return after_taking(state, event)
            case HandOpened():
                known = tuple((event.player, card) for card in event.cards)
                others = tuple(one for one in state.known if one[0] != event.player)
                return replace(state, known=others + known, opened=(*state.opened, event.player))
            case HandShown():
                return replace(state, shown=(*state.shown, (event.player, event.cards)))
            case PotWon():
                return replace(state, window=tuple(dict.fromkeys((*state.window, event.player))))
            case RoundClosed():
                cleared = replace(state, phase=Phase.ANTE, players=(), folded=(), contributed=())
                return replace(cleared, market=(), known=(), shown=(), draws=(), acted=(), last=None)
            case Mispaid() | Corrected():
                return replace(state, mispaid=mispayment.after(state.mispaid, event))
            case _:
                return state

    def _card(self, state: RakeState, event: CardTurned) -> RakeState:
        match event.role:
            case role if role == MARKET:
                market = (*state.market, event.card)
                size = self.market_size(state)
                if len(market) < size:
                    return replace(state, market=market)
                return replace(state, market=market, laid=True, closed=size, stock=state.stock - 2 * size)
            case role if role == TIE_BREAK:
                return replace(state, draws=(*state.draws, event.card), stock=state.stock - 1)
            case role if role == EXPOSED:
                return replace(state, stock=state.stock - 1)
            case _:
                return state

    def in_round(self, state: RakeState) -> bool:
        """From the antes until the pots are paid."""
        return bool(state.players)

    def turn(self, state: RakeState) -> str | None:
        """Whose bet or draw is awaited."""
        if state.phase in BETTING:
            return self.street(state).actor
        if state.phase in DRAWING and state.laid:
            return state.to_draw[0]
        return None

    # -- prompt -------------------------------------------------------------------------------------------

    def prompt(self, state: RakeState) -> Prompt:
        """Say what the table waits for."""
        if state.phase == Phase.ANTE:
            return self._between(state)
        if state.phase == Phase.DEAL:
            facts = {"hand": DEALT, "players": len(state.players)}
            return Prompt("deal_hands", "", facts, choices=(Choice("dealt"),))
        always = (Choice("burn"),) if self._burnable(state) else ()
        if state.phase in BETTING:
            return self._ask_bet(state, always)
        role, due, drawer = self._due(state)
        if due:
            do = "lay_market" if role == MARKET else "draw_tie"
            cards = CardsDue(role, 1, due, drawer)
            return Prompt(do, "", {"left": due, "player": drawer}, None, cards, (Choice("card"), *always))
        return self._ask_draw(state, always) if state.phase in DRAWING else self._ask_hand(state, always)

    def _ask_hand(self, state: RakeState, always: tuple[Choice, ...]) -> Prompt:
        player = state.to_show[0]
        choices = (*(Choice("show", one) for one in state.to_show), *always)
        due = CardsDue(HAND, HAND_SIZE, HAND_SIZE, player)
        facts = {"player": player, "hand": HAND_SIZE, "pool": state.table.chips.at(POOL)}
        return Prompt("show_five", "say_showdown", facts, None, due, choices)

    def _ask_bet(self, state: RakeState, always: tuple[Choice, ...]) -> Prompt:
        street = self.street(state)
        player = cast(str, street.actor)
        choices = street.choices()
        raising = next((choice for choice in choices if choice.verb in ("bet", "raise")), None)
        facts = {
            "player": player,
            "pool": state.table.chips.at(POOL),
            "bet": min(street.current - street.own(player), street.stacks[player]),
            "low": raising.low if raising else None,
            "high": raising.high if raising else None,
        }
        if not street.current:
            return Prompt("ask_check_or_bet", "say_rake_turn", facts, player, None, (*choices, *always))
        do = "ask_call_or_raise" if raising else "ask_call"
        return Prompt(do, "say_rake_bet", facts, player, None, (*choices, *always))

    def _ask_draw(self, state: RakeState, always: tuple[Choice, ...]) -> Prompt:
        player = state.to_draw[0]
        words = (*(str(card) for card in state.market), *(("closed",) if state.closed else ()))
        facts = {"player": player, "market": state.market, "closed": state.closed}
        opening = self._to_open(state) if self._may_open(state) else ()
        choices = (Choice("take", player, words=words), *(Choice("show", one) for one in opening), *always)
        if opening:
            facts = {**facts, "opening": opening[0]}
        return Prompt("open_hand" if opening else "ask_draw", "say_draw", facts, player, None, choices)

    def _between(self, state: RakeState) -> Prompt:
        able = self._able(state.table)
        facts = {"ante": self.house_rules.ante, "pool": state.table.chips.at(POOL), "players": len(able)}
        if len(able) < 2:
            return ask_more_players(state.table, len(able), 1)
        if len(able) > MAX_PLAYERS:
            return Prompt(
                "too_many_players", "", {**facts, "most": MAX_PLAYERS}, choices=(Choice("shuffle"),)
            )
        return Prompt("open_round", "", facts, choices=(Choice("round"), Choice("shuffle")))


def _repeated(cards: tuple[Card, ...], known: tuple[Card, ...]) -> list[Card]:
    """Known cards that were named more than once: one deck holds each once."""
    return [card for card in known if cards.count(card) > 1]
