"""Acey-Deucey with a pot (In-Between): is the third card between the two posts? (RULES.md 8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from assistant.cards import Card, Rank
from assistant.games import mispayment, options
from assistant.games.acey_table import (
    HIGH_ACE,
    LOW_ACE,
    AceCalled,
    AceyDeuceyRules,
    AceyDeuceyState,
    BetBetween,
    CallAce,
    Phase,
    PostsPaid,
    PostsRedealt,
    SideCalled,
    TurnSkipped,
    hits_post,
    new_posts,
    next_turn,
    wins,
)
from assistant.games.acts import (
    BetPlaced,
    OpenRound,
    Pass,
    Passed,
    PoolDivided,
    PoolRefilled,
    ask_more_players,
    too_few,
)
from assistant.games.base import (
    EXPOSED,
    POST,
    THIRD,
    Action,
    BetSettled,
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
    OddsLine,
    Option,
    Prompt,
    Reader,
    RoundClosed,
    RoundOpened,
    Shuffle,
    Shuffled,
    TurnCards,
    evolve_common,
    missing_cards,
    turn_each,
    until_someone_acts,
)
from assistant.games.card_table import Table
from assistant.games.table_odds import acey_posts
from assistant.holdings import POOL, Move, bet_of, stack_of
from assistant.money import Amount, share_equally
from assistant.records import replace
from assistant.talk import Words

MAX_PLAYERS = 10
CARDS_A_TURN = 3


def _bet_words(words: Words) -> BetBetween:
    player, amount = words.player(), words.amount()
    return BetBetween(player, amount, words.one_of("higher", "lower") if words.more else "")


class AceyDeucey(Game[AceyDeuceyState]):
    """Acey-Deucey with a pot; see RULES.md 8."""

    name = "acey-deucey-pot"
    common_chips = ("pot", POOL)
    options: ClassVar[tuple[Option, ...]] = (
        options.amount("ante", "5", 1),
        options.words("pair", "hi-lo", "redeal", "bonus", "pass"),
        options.amount("pair_bonus", "2", 1),
        options.words("consecutive", "pass", "redeal", "lose"),
        options.whole("post_mult", 2, 1, 9),
        options.whole("triple_mult", 3, 1, 9),
        options.words("ace", "call-first", "high"),
        options.words("lap_limit", "pot", "half"),
        options.words("on_empty", "end-round", "reante"),
        options.words("cover", "full", "bet"),
        options.whole("decks", 1, 1, 2),
        options.whole("max_laps", 0, 0, 99),
        options.words("first_dealer", "first-ace", "high-card", "seat0", "random"),
    )
    verbs: ClassVar[Mapping[str, Reader]] = {
        "round": lambda words: OpenRound(),
        "card": lambda words: TurnCards(words.cards()),
        "ace": lambda words: CallAce(words.player(), words.one_of("low", "high")),
        "bet": _bet_words,
        "pass": lambda words: Pass(words.player()),
        "burn": lambda words: ExposeCard(words.card()),
        **mispayment.VERBS,
    }
    action_types = (BetBetween, CallAce)
    event_types = (AceCalled, PostsRedealt, SideCalled, PostsPaid, TurnSkipped)
    bare_ranks = True
    deals_face_down = False

    def __init__(self, rules: AceyDeuceyRules) -> None:
        super().__init__(rules)
        self.house_rules = rules

    @classmethod
    def with_options(cls, values: Mapping[str, object]) -> AceyDeucey:
        """Return the game with the values of its options."""
        return cls(AceyDeuceyRules(**values))  # type: ignore[arg-type]

    @property
    def decks(self) -> int:
        """Decks by the house rules."""
        return self.house_rules.decks

    def start(self, table: Table) -> AceyDeuceyState:
        """Between rounds."""
        return AceyDeuceyState(table, Phase.ANTE)

    def decide(self, state: AceyDeuceyState, action: Action) -> tuple[Event, ...]:
        """Say what an action causes; raises IllegalAction."""
        match action:
            case OpenRound():
                return self._open(state)
            case TurnCards():
                return turn_each(self, state, action.cards, self._turn_one)
            case CallAce():
                return self._call_ace(state, action)
            case BetBetween():
                return self._bet(state, action)
            case Pass():
                self._check_bet(state, action.player)
                return until_someone_acts(self, state, (Passed(action.player),))
            case ExposeCard():
                return self._expose(state, action.card)
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

    # -- opening and turns --------------------------------------------------------------------------------

    def _payers(self, table: Table) -> tuple[str, ...]:
        ante = self.house_rules.ante
        return tuple(player for player in table.active if table.chips.stack(player) >= ante)

    def _open(self, state: AceyDeuceyState) -> tuple[Event, ...]:
        if self.in_round(state):
            raise IllegalAction("E_PHASE", "round_runs", {})
        payers = self._payers(state.table)
        ante = self.house_rules.ante
        if len(payers) < 2:
            raise too_few(state.table, len(payers), ante)
        if len(payers) > MAX_PLAYERS:
            raise IllegalAction("E_CONFIG", "acey_players", {"found": len(payers), "most": MAX_PLAYERS})
        dealer = next(player for player in state.table.from_dealer() if player in payers)
        order = tuple(player for player in state.table.from_left_of(dealer) if player in payers)
        opened = RoundOpened(order, dealer, moves=self._antes(payers))
        return until_someone_acts(self, state, (Shuffled(self.decks), opened))

    def _antes(self, payers: tuple[str, ...]) -> tuple[Move, ...]:
        return tuple(Move(stack_of(player), POOL, self.house_rules.ante) for player in payers)

    def automatic(self, state: AceyDeuceyState) -> tuple[Event, ...]:
        """Before the posts of a turn: an empty pot, players without chips, laps without a bet."""
        if state.phase != Phase.POSTS or state.posts:
            return ()
        if state.pot == 0:
            return self._emptied(state)
        chips = state.table.chips
        if not any(chips.stack(player) for player in state.players) or self._laps_are_over(state):
            return self._divide(state)
        return () if chips.stack(state.player) else (TurnSkipped(state.player),)

    def _laps_are_over(self, state: AceyDeuceyState) -> bool:
        laps = self.house_rules.max_laps
        return 0 < laps * len(state.players) <= state.quiet

    def _emptied(self, state: AceyDeuceyState) -> tuple[Event, ...]:
        chips = state.table.chips
        payers = tuple(p for p in state.players if chips.stack(p) >= self.house_rules.ante)
        if self.house_rules.on_empty == "reante" and payers:
            return (PoolRefilled(payers, moves=self._antes(payers)),)
        return (RoundClosed(state.table.next_dealer(self.house_rules.ante)),)

    def _divide(self, state: AceyDeuceyState) -> tuple[Event, ...]:
        shares = {player: one for player, one in share_equally(state.pot, state.players).items() if one}
        moves = tuple(Move(POOL, stack_of(player), share) for player, share in shares.items())
        divided = PoolDivided(tuple(shares.items()), moves=moves)
        after = replace(state.table, chips=state.table.chips.moved(moves))
        return (divided, RoundClosed(after.next_dealer(self.house_rules.ante)))

    # -- posts --------------------------------------------------------------------------------------------

    def _turn_one(self, state: AceyDeuceyState, card: Card) -> tuple[Event, ...]:
        if state.phase == Phase.RESULT:
            state.table.shoe.see([card])
            return self._result(state, card)
        if state.phase == Phase.CALL_ACE and state.called == "":
            raise IllegalAction("E_PHASE", "ace_first", {"player": state.player})
        if state.phase not in (Phase.POSTS, Phase.CALL_ACE):
            raise IllegalAction("E_PHASE", "card_not_due", {})
        if not state.posts and self._deck_is_short(state):
            raise IllegalAction("E_NO_CARDS", "deck_short", {"left": state.table.shoe.cards_left})
        state.table.shoe.see([card])
        turned: tuple[Event, ...] = (CardTurned(card, POST, state.player),)
        after = self.evolve(state, turned[0])
        if len(after.posts) < 2:
            return turned
        return until_someone_acts(self, state, (*turned, *self._judge_posts(after)))

    def _deck_is_short(self, state: AceyDeuceyState) -> bool:
        return state.table.shoe.cards_left < CARDS_A_TURN

    def _judge_posts(self, state: AceyDeuceyState) -> tuple[Event, ...]:
        """What two posts cause by themselves; nothing when they bring a bet."""
        rules = self.house_rules
        if state.is_pair:
            kind = rules.pair
        elif state.spread == 0:
            kind = rules.consecutive
        else:
            return ()
        player, chips = state.player, state.table.chips
        match kind:
            case "redeal":
                return (PostsRedealt(),)
            case "pass":
                return (PostsPaid(player, 0, "pass"),)
            case "bonus":
                bonus = min(rules.pair_bonus, state.pot)
                return (PostsPaid(player, bonus, "bonus", moves=(Move(POOL, stack_of(player), bonus),)),)
            case "lose":
                ante = min(rules.ante, chips.stack(player))
                return (PostsPaid(player, ante, "lose", moves=(Move(stack_of(player), POOL, ante),)),)
            case _:
                return ()

    def _call_ace(self, state: AceyDeuceyState, action: CallAce) -> tuple[Event, ...]:
        if state.phase != Phase.CALL_ACE or state.called:
            raise IllegalAction("E_PHASE", "no_ace_to_call", {})
        if action.player != state.player:
            raise IllegalAction("E_TURN", "", {"found": action.player, "player": state.player})
        return (AceCalled(action.player, action.call),)

    # -- bets ---------------------------------------------------------------------------------------------

    def multiplier(self, state: AceyDeuceyState) -> int:
        """What a third card that equals a post costs, in bets."""
        triple = state.is_pair or state.has_both_aces
        return self.house_rules.triple_mult if triple else self.house_rules.post_mult

    def limits(self, state: AceyDeuceyState) -> tuple[Amount, Amount]:
        """The lowest and highest bet; both zero when only a pass is possible (RULES.md 8.2)."""
        pot, stack = state.pot, state.table.chips.stack(state.player)
        if self.house_rules.lap_limit == "half" and state.turns < len(state.players):
            pot = min(pot, max(pot // 2, 1))  # a pot that a wrong payment emptied still pays nothing
        cover = 1 if self.house_rules.cover == "bet" else self.multiplier(state)
        high = min(pot, stack // cover)
        return min(self.house_rules.ante, high), high

    def _check_bet(self, state: AceyDeuceyState, player: str) -> None:
        if state.phase not in (Phase.BET, Phase.RESULT):
            raise IllegalAction("E_PHASE", "no_posts", {})
        if state.phase == Phase.RESULT and player == state.player:
            raise IllegalAction("E_BET_FIXED", "", {"player": player, "bet": state.bet})
        if player != state.player or state.phase == Phase.RESULT:
            raise IllegalAction("E_TURN", "", {"found": player, "player": state.player})

    def _bet(self, state: AceyDeuceyState, action: BetBetween) -> tuple[Event, ...]:
        self._check_bet(state, action.player)
        if state.is_pair != bool(action.side):
            raise IllegalAction("E_CALL", "side_due" if state.is_pair else "no_side", {})
        low, high = self.limits(state)
        facts = {"player": action.player, "found": action.amount, "low": max(low, 1), "high": high}
        if action.amount < max(low, 1):
            raise IllegalAction("E_BET_LOW", "pool_bet_low", facts)
        if action.amount > high:
            reason = "pool_bet_high" if high else "only_pass" if state.pot else "pot_empty"
            raise IllegalAction("E_BET_HIGH", reason, facts)
        move = Move(stack_of(action.player), bet_of(action.player), action.amount)
        placed = BetPlaced(action.player, action.amount, moves=(move,))
        return (SideCalled(action.player, action.side), placed) if action.side else (placed,)

    def _result(self, state: AceyDeuceyState, card: Card) -> tuple[Event, ...]:
        turned = CardTurned(card, THIRD, state.player)
        player, bet = state.player, state.bet
        place, stack = bet_of(player), stack_of(player)
        if wins(state, card):
            moves = (Move(place, stack, bet), Move(POOL, stack, bet))
            settled = BetSettled(player, "win", bet, bet, moves=moves)
        else:
            times = self.multiplier(state) if hits_post(state, card) else 1
            more = min((times - 1) * bet, state.table.chips.stack(player))
            moves = (Move(place, POOL, bet), *((Move(stack, POOL, more),) if more else ()))
            settled = BetSettled(player, "lose", bet + more, moves=moves)
        return until_someone_acts(self, state, (turned, settled))

    # -- the deck and mistakes ----------------------------------------------------------------------------

    def _expose(self, state: AceyDeuceyState, card: Card) -> tuple[Event, ...]:
        if not self.in_round(state):
            raise IllegalAction("E_PHASE", "no_deck", {})
        state.table.shoe.see([card])
        return (CardTurned(card, EXPOSED),)

    def _shuffle(self, state: AceyDeuceyState, decks: int | None) -> tuple[Event, ...]:
        if decks not in (None, self.decks):
            raise IllegalAction("E_OPTION", "decks_of_game", {"found": decks, "decks": self.decks})
        if not self.in_round(state):
            return (Shuffled(self.decks, missing=missing_cards(state.table.shoe)),)
        left = state.table.shoe.cards_left
        starts = state.phase == Phase.POSTS and not state.posts
        if not (left < CARDS_A_TURN if starts else left == 0):
            raise IllegalAction("E_PHASE", "shuffle_in_round", {"left": left})
        missing = missing_cards(state.table.shoe)
        return (Shuffled(self.decks, in_round=True, keep=self._on_table(state), missing=missing),)

    def _on_table(self, state: AceyDeuceyState) -> tuple[Card, ...]:
        """The posts of this turn; they stay out when the other cards are shuffled."""
        posts = state.cards(POST)
        return posts[len(posts) - len(state.posts) :]

    def reserved(self, state: AceyDeuceyState) -> Amount:
        """The bet on the table, which the pot would pay."""
        return state.bet

    def _spare(self, state: AceyDeuceyState) -> Amount:
        return max(state.pot - state.bet, 0)

    def unasked(self, state: AceyDeuceyState) -> tuple[Choice, ...]:
        """Wrong payments that may be noted or taken back now."""
        return mispayment.choices(state.table, self._spare(state), state.window, state.mispaid)

    # -- state --------------------------------------------------------------------------------------------

    def evolve(self, state: AceyDeuceyState, event: Event) -> AceyDeuceyState:
        """Return the state after an event."""
        state = evolve_common(state, event)
        match event:
            case RoundOpened():
                fresh = replace(state, players=event.players, at=0, turns=0, quiet=0)
                return new_posts(fresh)
            case CardTurned() if event.role == POST:
                return self._post(state, event.card)
            case AceCalled():
                value = LOW_ACE if event.call == "low" else HIGH_ACE
                return replace(state, called=event.call, posts=(value,))
            case SideCalled():
                return replace(state, side=event.side)
            case BetPlaced():
                return replace(state, phase=Phase.RESULT)
            case PostsRedealt():
                return new_posts(state)
            case Passed() | TurnSkipped():
                return next_turn(state, quiet=state.quiet + 1)
            case PostsPaid():
                return next_turn(state, quiet=0 if event.amount else state.quiet + 1)
            case BetSettled():
                window = tuple(dict.fromkeys((*state.window, event.player)))
                return replace(next_turn(state, quiet=0), window=window)
            case RoundClosed():
                return replace(new_posts(state), phase=Phase.ANTE, players=())
            case Mispaid() | Corrected():
                return replace(state, mispaid=mispayment.after(state.mispaid, event))
            case _:
                return state

    def _post(self, state: AceyDeuceyState, card: Card) -> AceyDeuceyState:
        if not state.turns and not state.posts:
            # The first card of a round is up: the last round's settlements can't be mended any more.
            state = replace(state, window=(), mispaid=())
        state = replace(state, posts=(*state.posts, int(card.rank)))
        if len(state.posts) == 2:
            return replace(state, phase=Phase.BET)
        calls = card.rank is Rank.ACE and self.house_rules.ace == "call-first"
        return replace(state, phase=Phase.CALL_ACE) if calls else state

    def in_round(self, state: AceyDeuceyState) -> bool:
        """From the antes until the pot is empty or divided."""
        return bool(state.players)

    def turn(self, state: AceyDeuceyState) -> str | None:
        """Whose call or bet is awaited."""
        calls = state.phase == Phase.CALL_ACE and not state.called
        return state.player if calls or state.phase == Phase.BET else None

    def players_of_round(self, state: AceyDeuceyState) -> tuple[str, ...]:
        """Who was dealt in when the round began."""
        return state.players

    def shuffle_due(self, state: AceyDeuceyState) -> bool:
        """Whether too few cards are left for a turn."""
        return state.phase == Phase.POSTS and not state.posts and self._deck_is_short(state)

    def odds(self, state: AceyDeuceyState) -> tuple[OddsLine, ...]:
        """Of the third card, once both posts lie there."""
        if state.phase not in (Phase.BET, Phase.RESULT):
            return ()
        first, second = state.posts
        costs = (self.house_rules.post_mult, self.house_rules.triple_mult)
        return acey_posts(state.table.shoe.unseen_by_rank(), (first, second), costs)

    # -- prompt -------------------------------------------------------------------------------------------

    def prompt(self, state: AceyDeuceyState) -> Prompt:
        """Say what the table waits for."""
        if state.phase == Phase.ANTE:
            return self._between(state)
        left = state.table.shoe.cards_left
        player = state.player
        facts: dict[str, object] = {"player": player, "pool": state.pot, "bet": state.bet, "left": left}
        always = (Choice("burn"),) if left else ()
        if state.phase == Phase.BET:
            return self._ask_bet(state, facts, always)
        if state.phase == Phase.CALL_ACE and not state.called:
            ace = Choice("ace", player, words=("high", "low"))
            return Prompt("ask_ace", "say_ace", facts, player, None, (ace, *always))
        if self.shuffle_due(state) or left == 0:
            return Prompt("shuffle_used", "", facts, choices=(Choice("shuffle"), *always))
        choices = (Choice("card"), *always)
        if state.phase == Phase.RESULT:
            due = CardsDue(THIRD, 1, 1, player)
            sided = "deal_third_higher" if state.side == "higher" else "deal_third_lower"
            return Prompt(sided if state.side else "deal_third", "say_bet", facts, None, due, choices)
        if state.posts:
            return Prompt("deal_second_post", "", facts, None, CardsDue(POST, 1, 1, player), choices)
        most = 1 if self.house_rules.ace == "call-first" else 2  # an ace is called before the second comes
        return Prompt("deal_posts", "", facts, None, CardsDue(POST, 1, most, player), choices)

    def _ask_bet(
        self, state: AceyDeuceyState, facts: dict[str, object], always: tuple[Choice, ...]
    ) -> Prompt:
        low, high = self.limits(state)
        player = state.player
        facts = {**facts, "low": low, "high": high, "spread": state.spread}
        passing = Choice("pass", player)
        if high == 0:
            do = "ask_pass" if state.pot else "pass_empty"
            return Prompt(do, "", facts, player, None, (passing, *always))
        sides = ("higher", "lower") if state.is_pair else ()
        choices = (Choice("bet", player, low, high, sides), passing, *always)
        do, say = ("ask_side", "say_pair_posts") if state.is_pair else ("ask_bet_or_pass", "say_posts")
        return Prompt(do, say, facts, player, None, choices)

    def _between(self, state: AceyDeuceyState) -> Prompt:
        payers = self._payers(state.table)
        facts = {"ante": self.house_rules.ante, "pool": state.pot, "players": len(payers)}
        if len(payers) < 2:
            return ask_more_players(state.table, len(payers), self.house_rules.ante)
        if len(payers) > MAX_PLAYERS:
            return Prompt(
                "too_many_players", "", {**facts, "most": MAX_PLAYERS}, choices=(Choice("shuffle"),)
            )
        return Prompt("open_round", "", facts, choices=(Choice("round"), Choice("shuffle")))
