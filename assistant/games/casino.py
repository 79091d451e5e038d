"""Casino Red Dog (Yablon): 1-7 players against the house, 1-8 decks (RULES.md 7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from assistant.cards import CARDS_A_DECK, Card, Shoe
from assistant.games import mispayment, options
from assistant.games.acts import Call, Called, Raise
from assistant.games.base import (
    EXPOSED,
    POST,
    THIRD,
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
    OddsLine,
    Prompt,
    RoundClosed,
    RoundOpened,
    Shuffle,
    Shuffled,
    TurnCards,
    evolve_common,
    missing_cards,
    turn_each,
)
from assistant.games.card_table import Table, bank_back
from assistant.games.casino_bets import (
    bet_lost,
    bet_placed,
    bet_removed,
    bet_returned,
    bet_won,
    piles_of,
    spots_with,
    with_decision,
)
from assistant.games.casino_table import (
    LAYOUT,
    MAX_PLAYERS,
    BankHouse,
    BetRaised,
    CasinoRules,
    CasinoState,
    ClearSpot,
    HouseBanked,
    MarkerPlaced,
    Phase,
    PilePlaced,
    PileRemoved,
    PlaceChip,
    Rebet,
    RemovePile,
    Spot,
    field_of,
    spread_of,
)
from assistant.games.paytables import CASINO_PAIR_ODDS, LARGEST_CASINO_ODDS, casino_odds
from assistant.games.table_odds import casino_posts, casino_round
from assistant.holdings import HOUSE, Move, bet_of, stack_of
from assistant.money import Amount, format_amount
from assistant.records import replace
from assistant.talk import Words


def _raise_words(words: Words) -> Raise:
    return Raise(words.player(), words.optional_amount())


def _house_words(words: Words) -> BankHouse:
    return BankHouse(words.player(), words.optional_amount())


class CasinoRedDog(Game[CasinoState]):
    """Casino Red Dog; see RULES.md 7."""

    name = "casino-red-dog"
    common_chips = None
    options = (
        options.whole("decks", 6, 1, 8),
        options.words("shuffle", "cut-card", "every-round"),
        options.share("cut", "0.25"),
        options.words("raise", "double", "up-to"),
        options.words("raise_short", "deny", "all-in"),
        options.amount("min", "1", 1),
        options.amount("max", "500", 1),
        options.words("rebet", "ante", "total"),
        options.amounts("chips", "1,5,25,100,500"),
        options.words("house", "infinite"),
    )
    verbs = {  # noqa: RUF012 - a table of this game's words
        "place": lambda words: PlaceChip(words.player(), words.amount()),
        "bet": lambda words: Bet(words.player(), words.amount()),
        "remove": lambda words: RemovePile(words.player()),
        "clear": lambda words: ClearSpot(words.player()),
        "rebet": lambda words: Rebet(words.player()),
        "card": lambda words: TurnCards(words.cards()),
        "call": lambda words: Call(words.player()),
        "raise": _raise_words,
        "house": _house_words,
        "burn": lambda words: ExposeCard(words.card()),
        **mispayment.VERBS,
    }
    action_types = (PlaceChip, RemovePile, ClearSpot, Rebet, BankHouse)
    event_types = (PilePlaced, PileRemoved, MarkerPlaced, BetRaised, HouseBanked)
    bare_ranks = True
    deals_face_down = False
    rotates_deal = False

    def __init__(self, rules: CasinoRules) -> None:
        super().__init__(rules)
        self.house_rules = rules

    @classmethod
    def with_options(cls, values: Mapping[str, object]) -> CasinoRedDog:
        """Return the game with the values of its options; E_CONFIG when the smallest bet is above the
        largest."""
        named = {("raise_" if name == "raise" else name): value for name, value in values.items()}
        rules = CasinoRules(**named)  # type: ignore[arg-type]
        if rules.min > rules.max:
            raise IllegalAction("E_CONFIG", "casino_limits", {"low": rules.min, "high": rules.max})
        return cls(rules)

    @property
    def decks(self) -> int:
        """Decks in the shoe by the house rules."""
        return self.house_rules.decks

    def start(self, table: Table) -> CasinoState:
        """Bets are open on a fresh shoe; one with the right number of decks that is in use stays."""
        return CasinoState(table, Phase.BETTING)

    def decide(self, state: CasinoState, action: Action) -> tuple[Event, ...]:
        """Say what an action causes; raises IllegalAction."""
        match action:
            case PlaceChip():
                return self._place(state, action.player, action.chip, rack=True)
            case Bet():
                return self._place(state, action.player, action.amount, rack=False)
            case RemovePile():
                return self._remove(state, action.player)
            case ClearSpot():
                return self._clear(state, action.player)
            case Rebet():
                return self._rebet(state, action.player)
            case TurnCards():
                return turn_each(self, state, action.cards, self._turn_one)
            case Call():
                self._check_turn(state, action.player)
                return (Called(action.player),)
            case Raise():
                return self._raise(state, action)
            case BankHouse():
                return self._bank(state, action)
            case ExposeCard():
                self._check_betting(state)
                fresh = self._fresh_shoe(state)
                self._check_card(state, action.card, fresh=bool(fresh))
                return (*fresh, CardTurned(action.card, EXPOSED))
            case Shuffle():
                return self._shuffle(state, action.decks)
            case Mispay():
                return mispayment.mispay(state.table, HOUSE, self._house_spare(state), state.window, action)
            case Correct():
                spare = self._house_spare(state)
                return mispayment.correct(
                    state.table, HOUSE, spare, state.window, state.mispaid, action.player
                )
            case _:
                raise IllegalAction("E_PHASE", "other_game", {})

    # -- bets ---------------------------------------------------------------------------------------------

    def _check_betting(self, state: CasinoState) -> None:
        if state.phase != Phase.BETTING or self.in_round(state):
            raise IllegalAction("E_PHASE", "bets_closed", {})

    def _check_may_bet(self, state: CasinoState, player: str) -> None:
        if player == state.table.banker:
            raise IllegalAction("E_PLAYER", "banker_bets", {"player": player})
        if player not in state.table.active:
            raise IllegalAction("E_PLAYER", "player_sits_out", {"player": player})
        self._check_betting(state)
        if self._is_crowded(state, player):
            found = len([name for name in state.table.active if name != state.table.banker])
            raise IllegalAction("E_CONFIG", "casino_players", {"found": found, "most": MAX_PLAYERS})

    def _is_crowded(self, state: CasinoState, player: str) -> bool:
        """Whether there are too many players for a first chip, or too many spots for one more."""
        if not state.spots:
            return len([name for name in state.table.active if name != state.table.banker]) > MAX_PLAYERS
        return state.spot(player) is None and len(state.spots) >= MAX_PLAYERS

    def _room(self, state: CasinoState, player: str) -> Amount:
        """What the limits still allow on a player's spot; the stack is not looked at."""
        spot = state.spot(player)
        room = self.house_rules.max - (spot.ante if spot else 0)
        bank = self._bank_room(state)
        return max(room if bank is None else min(room, bank), 0)

    def _bank_room(self, state: CasinoState) -> Amount | None:
        """What the banker's float can still pay, whatever the cards; None where no float limits the bets."""
        if not state.table.has_float:
            return None
        return self._bankers_share(state) // LARGEST_CASINO_ODDS - sum(spot.ante for spot in state.spots)

    def _bankers_share(self, state: CasinoState) -> Amount:
        return state.table.chips.at(HOUSE) - state.table.house_base

    def _house_spare(self, state: CasinoState) -> Amount | None:
        """What the house can lose at most; None without a limit."""
        return self._bankers_share(state) if state.table.has_float else None

    def _check_room(self, state: CasinoState, player: str, amount: Amount) -> None:
        room = self._room(state, player)
        if amount > room:
            reason = "bank_limit" if room == self._bank_room(state) else ""
            raise IllegalAction("E_LIMIT", reason, {"player": player, "found": amount, "high": room})
        stack = state.table.chips.stack(player)
        if amount > stack:
            raise IllegalAction("E_STACK", "", {"player": player, "found": amount, "stack": stack})

    def _place(self, state: CasinoState, player: str, amount: Amount, *, rack: bool) -> tuple[Event, ...]:
        self._check_may_bet(state, player)
        if rack and amount not in self.house_rules.chips:
            raise IllegalAction("E_CHIP", "", {"found": amount, "chips": self.house_rules.chips})
        if amount < 1:
            raise IllegalAction("E_BET_LOW", "", {"found": amount, "low": 1})
        self._check_room(state, player, amount)
        return (bet_placed(player, amount),)

    def _remove(self, state: CasinoState, player: str) -> tuple[Event, ...]:
        self._check_betting(state)
        spot = state.spot(player)
        if spot is None:
            raise IllegalAction("E_EMPTY", "", {"player": player})
        return (bet_removed(player, spot.piles[-1]),)

    def _clear(self, state: CasinoState, player: str) -> tuple[Event, ...]:
        self._check_betting(state)
        spot = state.spot(player)
        return tuple(bet_removed(player, pile) for pile in reversed(spot.piles)) if spot else ()

    def _rebet(self, state: CasinoState, player: str) -> tuple[Event, ...]:
        self._check_may_bet(state, player)
        piles = state.opening(player)
        if not piles:
            raise IllegalAction("E_NO_REBET", "", {"player": player})
        if state.spot(player):
            raise IllegalAction("E_BET_PRESENT", "", {"player": player})
        self._check_room(state, player, sum(piles))
        return tuple(bet_placed(player, pile) for pile in piles)

    # -- cards --------------------------------------------------------------------------------------------

    def _turn_one(self, state: CasinoState, card: Card) -> tuple[Event, ...]:
        if state.phase == Phase.DECISION:
            raise IllegalAction(
                "E_PHASE", "card_before_decision", {"player": state.undecided and state.undecided.player}
            )
        if state.phase == Phase.THIRD:
            return self._third(state, card)
        if not self.in_round(state):
            low = self.house_rules.min
            if not state.spots or any(spot.ante < low for spot in state.spots):
                raise IllegalAction("E_BET_LOW", "no_legal_bet", {"low": low})
            fresh = self._fresh_shoe(state)
            opened = RoundOpened(players=tuple(name for name in state.table.players if state.spot(name)))
            self._check_card(state, card, fresh=bool(fresh))
            return (opened, *fresh, CardTurned(card, POST))
        self._check_card(state, card)
        return self._second(state, card)

    def _fresh_shoe(self, state: CasinoState) -> tuple[Event, ...]:
        """A fresh shoe for every round where that is the rule; a card burned before came from it already."""
        every = self.house_rules.shuffle == "every-round"
        used = len(state.table.shoe.seen) > state.exposed
        return (Shuffled(state.table.shoe.decks),) if every and used else ()

    def _check_card(self, state: CasinoState, card: Card, *, fresh: bool = False) -> None:
        shoe = state.table.shoe.shuffled() if fresh else state.table.shoe
        shoe.see([card])

    def _second(self, state: CasinoState, card: Card) -> tuple[Event, ...]:
        spread = spread_of(state.cards(POST)[0], card)
        events: tuple[Event, ...] = (CardTurned(card, POST), MarkerPlaced(field_of(spread), spread))
        if spread != 0:
            return events
        pushes = tuple(bet_returned(spot.player, spot.ante) for spot in state.spots)
        return (*events, *pushes, RoundClosed())

    def _third(self, state: CasinoState, card: Card) -> tuple[Event, ...]:
        self._check_card(state, card)
        first, second = state.cards(POST)
        spread = spread_of(first, second)
        turned = CardTurned(card, THIRD)
        if spread == -1:
            if card.rank is not first.rank:
                return (
                    turned,
                    *(bet_returned(spot.player, spot.ante) for spot in state.spots),
                    RoundClosed(),
                )
            won = tuple(bet_won(spot.player, spot.ante, CASINO_PAIR_ODDS) for spot in state.spots)
            return (turned, MarkerPlaced("3 of a kind", spread), *won, RoundClosed())
        between = min(first.rank, second.rank) < card.rank < max(first.rank, second.rank)
        odds = casino_odds(spread)
        settled = tuple(
            bet_won(spot.player, spot.ante + spot.raised, odds)
            if between
            else bet_lost(spot.player, spot.ante + spot.raised)
            for spot in state.spots
        )
        return (turned, *settled, RoundClosed())

    def _check_turn(self, state: CasinoState, player: str) -> Spot:
        spot = state.undecided
        if state.phase != Phase.DECISION or spot is None:
            raise IllegalAction("E_PHASE", "no_decision", {})
        if spot.player != player:
            raise IllegalAction("E_TURN", "", {"found": player, "player": spot.player})
        return spot

    def _raise(self, state: CasinoState, action: Raise) -> tuple[Event, ...]:
        spot = self._check_turn(state, action.player)
        stack = state.table.chips.stack(action.player)
        short = self.house_rules.raise_short == "all-in" and 0 < stack < spot.ante
        most = stack if short else spot.ante
        amount = most if action.amount is None else action.amount
        exact = self.house_rules.raise_ == "double"
        if amount > spot.ante or (exact and amount and amount not in (most, spot.ante)):
            facts = {"found": amount, "high": most}
            raise IllegalAction("E_RAISE", "raise_exact" if exact else "raise_up_to", facts)
        if amount < 1:
            raise IllegalAction("E_BET_LOW", "", {"found": amount, "low": 1})
        if amount > stack:
            few = {"player": action.player, "found": amount, "stack": stack}
            raise IllegalAction("E_STACK", "raise_short", few)
        move = Move(stack_of(action.player), bet_of(action.player), amount)
        return (BetRaised(action.player, amount, moves=(move,)),)

    def _bank(self, state: CasinoState, action: BankHouse) -> tuple[Event, ...]:
        if action.player not in state.table.active:
            raise IllegalAction("E_PLAYER", "player_sits_out", {"player": action.player})
        self._check_betting(state)
        back = bank_back(state.table)
        spot = state.spot(action.player)
        cleared = tuple(bet_removed(action.player, pile) for pile in reversed(spot.piles)) if spot else ()
        chips = state.table.chips.moved(back).moved(move for event in cleared for move in event.moves)
        if action.float_ is not None and action.float_ < 1:
            raise IllegalAction("E_BET_LOW", "", {"found": action.float_, "low": 1})
        float_ = action.float_ or 0
        if float_ > chips.stack(action.player):
            facts = {"player": action.player, "found": float_, "stack": chips.stack(action.player)}
            raise IllegalAction("E_STACK", "float_short", facts)
        put_up = (Move(stack_of(action.player), HOUSE, float_),) if float_ else ()
        return (*cleared, HouseBanked(action.player, action.float_, moves=(*back, *put_up)))

    def _shuffle(self, state: CasinoState, decks: int | None) -> tuple[Event, ...]:
        if not self.in_round(state):
            missing = missing_cards(state.table.shoe)
            return (Shuffled(decks or state.table.shoe.decks, missing=missing),)
        if state.table.shoe.cards_left > 0 or decks is not None:
            raise IllegalAction("E_PHASE", "shuffle_in_round", {"left": state.table.shoe.cards_left})
        return (Shuffled(state.table.shoe.decks, in_round=True, keep=state.cards(POST)),)

    # -- state --------------------------------------------------------------------------------------------

    def evolve(self, state: CasinoState, event: Event) -> CasinoState:
        """Return the state after an event."""
        state = evolve_common(state, event)
        match event:
            case PilePlaced():
                spots = spots_with(state, event.player, (*piles_of(state, event.player), event.pile))
                return replace(state, spots=spots, field=None, window=(), mispaid=())
            case PileRemoved():
                piles = piles_of(state, event.player)[:-1]
                return replace(state, spots=spots_with(state, event.player, piles))
            case RoundOpened():
                order = state.table.players  # chairs may have been moved since the chips were placed
                spots = tuple(sorted(state.spots, key=lambda spot: order.index(spot.player)))
                return replace(state, dealing=True, spots=spots, field=None, window=(), mispaid=(), exposed=0)
            case CardTurned() if event.role == EXPOSED:
                return replace(state, exposed=state.exposed + 1)
            case Shuffled():
                return replace(state, exposed=0)
            case MarkerPlaced():
                phase = Phase.DECISION if event.spread > 0 else Phase.THIRD
                return replace(state, field=event.field, phase=phase)
            case Called():
                return with_decision(state, event.player, 0)
            case BetRaised():
                return with_decision(state, event.player, event.amount)
            case RoundClosed():
                return self._closed(state)
            case HouseBanked():
                base = state.table.chips.at(HOUSE) - (event.float_ or 0)
                table = replace(
                    state.table,
                    banker=event.player,
                    has_float=bool(event.float_),
                    float_=event.float_ or 0,
                    house_base=base,
                )
                return replace(state, table=table)
            case Mispaid() | Corrected():
                return replace(state, mispaid=mispayment.after(state.mispaid, event))
            case _:
                return state

    def _closed(self, state: CasinoState) -> CasinoState:
        openings = dict(state.openings)
        for spot in state.spots:
            total = (spot.raised,) if self.house_rules.rebet == "total" and spot.raised else ()
            openings[spot.player] = (*spot.piles, *total)
        window = tuple(spot.player for spot in state.spots)
        return replace(
            state,
            phase=Phase.BETTING,
            dealing=False,
            spots=(),
            openings=tuple(openings.items()),
            window=window,
            mispaid=(),
        )

    def void(self, state: CasinoState, start: CasinoState) -> CasinoState:
        """All bets of the round go back to their stacks; the cards stay seen."""
        voided = super().void(state, start)
        chips = voided.table.chips.moved(self.chips_back(voided))
        return replace(voided, table=replace(voided.table, chips=chips), spots=(), field=None, exposed=0)

    def without_bets(self, state: CasinoState, player: str) -> CasinoState:
        """Return the state with a player's spot empty (the chips were moved by the caller)."""
        return replace(state, spots=spots_with(state, player, ()))

    def in_round(self, state: CasinoState) -> bool:
        """From the first card until the settlement."""
        return state.dealing

    def banker(self, state: CasinoState) -> str | None:
        """Who banks, where a player does."""
        return state.table.banker

    def turn(self, state: CasinoState) -> str | None:
        """The first player with a bet who has neither called nor raised."""
        spot = state.undecided if state.phase == Phase.DECISION else None
        return spot.player if spot else None

    def marker(self, state: CasinoState) -> str | None:
        """The field the marker stands on."""
        return state.field

    def layout(self) -> tuple[tuple[str, int | None], ...]:
        """The fields of the layout."""
        return LAYOUT

    def odds(self, state: CasinoState) -> tuple[OddsLine, ...]:
        """Of the next round with this shoe; of the third card once the posts lie there."""
        shoe = state.table.shoe
        if not self.in_round(state):
            fresh = self.house_rules.shuffle == "every-round" or self.shuffle_due(state)
            return casino_round((Shoe(shoe.decks) if fresh else shoe).unseen_by_rank())
        posts = state.cards(POST)
        if len(posts) < 2 or state.cards(THIRD):
            return ()
        return casino_posts(shoe.unseen_by_rank(), posts[0].rank, posts[1].rank)

    def shuffle_due(self, state: CasinoState) -> bool:
        """Once at most the cut part of the shoe is left, between rounds."""
        shoe = state.table.shoe
        if self.in_round(state) or self.house_rules.shuffle == "every-round":
            return False
        return shoe.cards_left <= self.house_rules.cut * (CARDS_A_DECK * shoe.decks)

    # -- prompt -------------------------------------------------------------------------------------------

    def prompt(self, state: CasinoState) -> Prompt:
        """Say what the table waits for."""
        posts = state.cards(POST)
        if state.phase == Phase.DECISION:
            return self._ask_raise(state)
        if self.in_round(state) and state.table.shoe.cards_left == 0:
            discards = CARDS_A_DECK * state.table.shoe.decks - len(posts)
            return Prompt("stock_empty", "", {"discards": discards}, choices=(Choice("shuffle"),))
        if state.phase == Phase.THIRD:
            pair = spread_of(posts[0], posts[1]) == -1
            do = "deal_third_pair" if pair else "deal_third"
            return Prompt(do, "say_pair" if pair else "", {}, None, CardsDue(THIRD, 1, 1), (Choice("card"),))
        if self.in_round(state):
            return Prompt("deal_second", "", {}, None, CardsDue(POST, 1, 1), (Choice("card"),))
        return self._bets_open(state)

    def _ask_raise(self, state: CasinoState) -> Prompt:
        spot = cast(Spot, state.undecided)
        first, second = state.cards(POST)
        spread = spread_of(first, second)
        stack = state.table.chips.stack(spot.player)
        most = min(spot.ante, stack)
        facts = {
            "player": spot.player,
            "spread": spread,
            "odds": casino_odds(spread),
            "ante": spot.ante,
            "stack": stack,
            "high": most,
        }
        choices = [Choice("call", spot.player)]
        up_to = self.house_rules.raise_ == "up-to"
        if most > 0 and (stack >= spot.ante or up_to or self.house_rules.raise_short == "all-in"):
            choices.append(Choice("raise", spot.player, 1 if up_to else most, most))
            rest = "ask_raise_rest" if most < spot.ante else "ask_raise"
            do = "ask_raise_up_to" if up_to and most > 1 else rest
            return Prompt(do, "say_spread", facts, spot.player, None, tuple(choices))
        do = "skip_raise_short" if stack else "skip_raise_empty"
        return Prompt(do, "say_spread_only", facts, spot.player, None, tuple(choices))

    def _bets_open(self, state: CasinoState) -> Prompt:
        choices: list[Choice] = []
        for player in state.table.active:
            if player == state.table.banker or self._is_crowded(state, player):
                continue
            room = min(self._room(state, player), state.table.chips.stack(player))
            if room >= 1:
                chips = tuple(
                    format_amount(chip, state.table.currency)
                    for chip in self.house_rules.chips
                    if chip <= room
                )
                choices.append(Choice("bet", player, 1, room))
                if chips:
                    choices.append(Choice("place", player, words=chips))
            if state.spot(player):
                choices += [Choice("remove", player), Choice("clear", player)]
            elif state.opening(player) and sum(state.opening(player)) <= room:
                choices.append(Choice("rebet", player))
        low = self.house_rules.min
        has_card = state.table.shoe.cards_left > 0 or bool(self._fresh_shoe(state))
        ready = has_card and bool(state.spots) and all(spot.ante >= low for spot in state.spots)
        if ready:
            choices.append(Choice("card"))
        choices += [Choice("shuffle"), *((Choice("burn"),) if has_card else ())]
        if self.shuffle_due(state):
            return Prompt("shuffle_due", "", {"left": state.table.shoe.cards_left}, choices=tuple(choices))
        if ready:
            waits = any(choice.verb == "bet" and not state.spot(choice.player or "") for choice in choices)
            # while a seat without chips may still bet, nobody says that bets are over
            duty, say = ("deal_two", "") if waits else ("deal_two_only", "say_no_more_bets")
            return Prompt(duty, say, {}, None, CardsDue(POST, 1, 2), tuple(choices))
        bank = self._bank_room(state)
        high = self.house_rules.max if bank is None else min(self.house_rules.max, max(bank, low))
        return Prompt("bets_open", "say_place_bets", {"low": low, "high": high}, choices=tuple(choices))

    def unasked(self, state: CasinoState) -> tuple[Choice, ...]:
        """Mistaken payments; who banks; clearing an empty spot; in a round the shuffle of a used-up shoe."""
        mistakes = mispayment.choices(state.table, self._house_spare(state), state.window, state.mispaid)
        if state.phase == Phase.DECISION and state.table.shoe.cards_left == 0:
            return (*mistakes, Choice("shuffle"))
        if self.in_round(state):
            return mistakes
        empty = [player for player in state.table.players if not state.spot(player)]
        return (
            *mistakes,
            *(Choice("clear", player) for player in empty),
            *(Choice("house", player, *self._float_range(state, player)) for player in state.table.active),
        )

    def _float_range(self, state: CasinoState, player: str) -> tuple[Amount | None, Amount | None]:
        """How much a player could put up; without an amount they bank without a float."""
        chips = state.table.chips.moved(bank_back(state.table))
        most = chips.stack(player) + chips.bet(player)
        return (1, most) if most else (None, None)
