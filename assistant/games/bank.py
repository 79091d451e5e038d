"""Banking Red Dog: the dealer banks, the others bet against the bank in turn (RULES.md 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, cast

from assistant.games import options
from assistant.games.acts import DealHands, Fold
from assistant.games.banking import (
    BankPutUp,
    BankReturned,
    BankState,
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
    Action,
    Event,
    Option,
    Prompt,
    Reader,
    Shuffled,
    until_someone_acts,
)
from assistant.games.card_table import Table
from assistant.games.hands import Hand, Phase
from assistant.games.pool import MAX_PLAYERS, ask_hands, check_capacity, hand_size
from assistant.games.turns import TURN_VERBS, TurnGame, TurnRules
from assistant.holdings import BANK
from assistant.money import Amount


@dataclass(frozen=True, kw_only=True)
class BankRules(TurnRules):
    """House rules (RULES.md 4.1); amounts in smallest units."""

    bank_min: Amount
    bet_min: Amount
    pass_fine: Amount
    banker_hand: bool
    bank_deals: int


BANK_OPTIONS: tuple[Option, ...] = (
    options.amount("bank_min", "1", 1),
    options.amount("bet_min", "1", 1),
    options.amount("pass_fine", "0", 0),
    options.flag("banker_hand", False),
    options.whole("bank_deals", 1, 1, 99),
)


class BankRedDog(TurnGame[BankState]):
    """Banking Red Dog; see RULES.md 4."""

    name = "red-dog-bank"
    options: ClassVar[tuple[Option, ...]] = (
        options.words("hand", "auto", "3", "4", "5"),
        *BANK_OPTIONS,
        options.flag("burn", False),
        options.words("burn_when", "after-bet", "before-bet"),
        options.words("reveal_win", "winning-card", "hand"),
        options.words("verify", "word", "strict"),
        options.flag("referee", False),
        options.words("first_dealer", "first-ace", "high-card", "seat0", "random"),
    )
    common_chips = ("bank", BANK)
    verbs: ClassVar[Mapping[str, Reader]] = {
        **TURN_VERBS,
        "bank": lambda words: PutUpBank(words.amount()),
        "pass": lambda words: Fold(words.player()),
    }
    action_types = (*TurnGame.action_types, PutUpBank)
    event_types = (*TurnGame.event_types, BankPutUp, DealEnded, BankReturned)
    fund = BANK
    refusing = "pass"
    ask = ("ask_bet_or_pass", "say_ask_bank")
    max_players: ClassVar[int] = MAX_PLAYERS

    def __init__(self, rules: BankRules) -> None:
        super().__init__(rules)
        self.house_rules = rules

    @classmethod
    def with_options(cls, values: Mapping[str, object]) -> BankRedDog:
        """Return the game with the values of its options."""
        return cls(BankRules(**values))  # type: ignore[arg-type]

    def start(self, table: Table) -> BankState:
        """Between rounds, with a deck of 52."""
        return BankState(table, Phase.BANK)

    # -- the banker ---------------------------------------------------------------------------------------

    def decide(self, state: BankState, action: Action) -> tuple[Event, ...]:
        """Say what an action causes; raises IllegalAction."""
        match action:
            case PutUpBank():
                bank = state
                return bank_put_up(bank, action.amount or 0, self.house_rules.bank_min)
            case _:
                return super().decide(state, action)

    def opened(self, state: BankState) -> tuple[Event, ...]:
        """The banker is found; who can't put up the smallest bank is passed over."""
        return bank_opened(state, self.house_rules.bank_min, self._check_players)

    def _check_players(self, players: int) -> None:
        hands = players if self.house_rules.banker_hand else players - 1
        size = hand_size(self.house_rules, hands)
        check_capacity(hands, size, self.house_rules.burn, players=players, most=self.max_players)

    def hand_size(self, hands: int) -> int:
        """Cards in a hand when so many are dealt; who plays was checked when the round began."""
        return hand_size(self.house_rules, hands)

    def dealt_in(self, state: BankState) -> tuple[str, ...]:
        """Punters with chips, and the banker last where the banker bets as well."""
        if not self.house_rules.banker_hand or not state.table.chips.stack(cast(str, state.banker)):
            return state.punters
        return (*state.punters, cast(str, state.banker))

    def _deal(self, state: BankState, action: DealHands) -> tuple[Event, ...]:
        dealt = self.hands_dealt(state, action)
        return until_someone_acts(self, state, (Shuffled(1), dealt))

    def paying_place(self, state: BankState) -> str:
        """The bank; the banker's stack once the bank was given back."""
        return paying_place(state)

    # -- turns --------------------------------------------------------------------------------------------

    def between_turns(self, state: BankState) -> tuple[Event, ...]:
        """DEAL_END of RULES.md 4.2."""
        if state.bank and state.to_act:
            return ()
        goes_on = state.deals + 1 < self.house_rules.bank_deals
        if state.bank and goes_on and state.punters:
            return (DealEnded(),)
        return bank_returned(state, self.house_rules.bank_min)

    def limits(self, state: BankState) -> tuple[Amount, Amount]:
        """The lowest and highest bet of the player whose turn it is."""
        chips = state.table.chips
        high = min(chips.at(BANK), chips.stack(cast(str, state.bettor)))
        return min(self.house_rules.bet_min, high), high

    def fine(self, state: BankState, hand: Hand) -> Amount:
        """Passing is free unless the house has a fine; a short hand always passes free (RULES.md 2.4)."""
        return 0 if hand.is_short else self.house_rules.pass_fine

    def evolve(self, state: BankState, event: Event) -> BankState:
        """Return the state after an event."""
        return after_banking(super().evolve(state, event), event)

    def banker(self, state: BankState) -> str | None:
        """Who banks, between rounds who is next to."""
        if self.in_round(state):
            return state.banker
        return find_banker(state.table, self.house_rules.bank_min)

    def turn(self, state: BankState) -> str | None:
        """Whose bet is awaited, or the bank of whom."""
        if state.phase == Phase.BANK:
            return self.banker(state)
        return super().turn(state)

    # -- prompt -------------------------------------------------------------------------------------------

    def prompt_between(self, state: BankState) -> Prompt:
        """Say what is waited for while no hands are out."""
        if state.phase == Phase.DEAL:
            hands = len(self.dealt_in(state))
            return ask_hands(self.hand_size(hands), hands)
        if self.in_round(state):
            return ask_bank(state, self.house_rules.bank_min)
        return ask_round(state.table, self.house_rules.bank_min, self._check_players)
