"""A player banks: who it is, putting up the bank and giving it back (RULES.md 4, 6).

Shared by the banking game, Six-Spot against a bank, and Polish Red Dog.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, cast

from assistant.games.base import (
    Action,
    Choice,
    Event,
    IllegalAction,
    Prompt,
    RoundClosed,
    RoundOpened,
    Shuffled,
)
from assistant.games.card_table import Table
from assistant.games.hands import HandsState, Phase, too_many_hands
from assistant.holdings import BANK, Move, stack_of
from assistant.money import Amount
from assistant.records import replace


@dataclass(frozen=True)
class BankState(HandsState):
    """A table with a banker.

    Attributes:
        banker: Who banks, between rounds who banked last.
        up: Whether the bank stands.
        deals: Deals made from this bank.
    """

    banker: str | None = None
    up: bool = False
    deals: int = 0

    @property
    def bank(self) -> Amount:
        """Chips in the bank."""
        return self.table.chips.at(BANK)

    @property
    def punters(self) -> tuple[str, ...]:
        """Everybody in the round with chips but the banker, from the banker's left."""
        chips = self.table.chips
        return tuple(player for player in self.players if player != self.banker and chips.stack(player))


Bank = TypeVar("Bank", bound=BankState)


@dataclass(frozen=True)
class PutUpBank(Action):
    """The banker's stake; without an amount the agreed one."""

    amount: Amount | None = None


@dataclass(frozen=True)
class BankPutUp(Event):
    """The bank stands."""

    player: str
    amount: Amount


@dataclass(frozen=True)
class DealEnded(Event):
    """A deal is over, and the same banker goes on."""


@dataclass(frozen=True)
class BankReturned(Event):
    """What is left of the bank went back to the banker."""

    player: str
    amount: Amount


def find_banker(table: Table, least: Amount) -> str | None:
    """Who can bank: the dealer, or the next to the left with at least so much; None when nobody can."""
    able = (player for player in table.from_dealer() if player in table.active)
    return next((player for player in able if table.chips.stack(player) >= max(least, 1)), None)


def players_of(table: Table, banker: str) -> tuple[str, ...]:
    """Who can play when `banker` banks, in deal order, the banker last."""
    able = [player for player in table.active if table.chips.stack(player)]
    return tuple(player for player in table.from_left_of(banker) if player in able)


def bank_opened(state: HandsState, least: Amount, check_size: Callable[[int], object]) -> tuple[Event, ...]:
    """Begin a round with whoever banks next.

    Args:
        state: The table between rounds.
        least: What a banker must have.
        check_size: Refuses so many players.

    Raises:
        IllegalAction: E_PHASE, E_PLAYERS, E_CONFIG.
    """
    if state.players:
        raise IllegalAction("E_PHASE", "round_runs", {})
    banker = find_banker(state.table, least)
    players = players_of(state.table, banker) if banker else ()
    if banker is None or len(players) < 2:
        facts = {"found": len(players), "low": max(least, 1)}
        raise IllegalAction("E_PLAYERS", "bank_players", facts)
    check_size(len(players))
    return (Shuffled(1), RoundOpened(players, banker))


def bank_put_up(state: BankState, amount: Amount, least: Amount) -> tuple[Event, ...]:
    """The banker puts up the bank.

    Raises:
        IllegalAction: E_PHASE, E_BANK_LOW, E_STACK.
    """
    if state.phase != Phase.BANK or not state.players:
        raise IllegalAction("E_PHASE", "no_bank_due", {})
    banker = cast(str, state.banker)
    stack = state.table.chips.stack(banker)
    facts = {"player": banker, "found": amount, "low": least, "stack": stack}
    if amount < max(least, 1):
        raise IllegalAction("E_BANK_LOW", "", facts)
    if amount > stack:
        raise IllegalAction("E_STACK", "bank_short", facts)
    return (BankPutUp(banker, amount, moves=(Move(stack_of(banker), BANK, amount),)),)


def bank_returned(state: BankState, least: Amount) -> tuple[Event, ...]:
    """The rest of the bank goes back, and bank and deal pass to the left."""
    banker = cast(str, state.banker)
    moves = (Move(BANK, stack_of(banker), state.bank),) if state.bank else ()
    table = replace(state.table, chips=state.table.chips.moved(moves))
    return (BankReturned(banker, state.bank, moves=moves), RoundClosed(table.next_dealer(least)))


def paying_place(state: BankState) -> str:
    """The place wrong payments come from and go to: the bank, or the stack of whoever banked last."""
    if state.up or not state.table.players:
        return BANK
    table = state.table
    if state.banker in table.players:
        return stack_of(state.banker)
    return stack_of(table.from_dealer()[0])


def after_banking(state: Bank, event: Event) -> Bank:
    """Return the state after an event of the banker's."""
    match event:
        case RoundOpened():
            return replace(state, phase=Phase.BANK, banker=event.dealer, up=False, deals=0)
        case BankPutUp():
            return replace(state, phase=Phase.DEAL, up=True)
        case DealEnded():
            return replace(state, phase=Phase.DEAL, hands=(), deals=state.deals + 1)
        case BankReturned():
            return replace(state, up=False)
        case RoundClosed():
            return replace(state, phase=Phase.BANK, up=False)
        case _:
            return state


def ask_bank(state: BankState, least: Amount, agreed: Amount | None = None) -> Prompt:
    """Wait for the bank: an amount, or the agreed one."""
    banker = cast(str, state.banker)
    stack = state.table.chips.stack(banker)
    low = max(least, 1)
    facts = {"player": banker, "low": low, "high": stack, "bank": agreed}
    if stack < low:
        return Prompt("bank_too_poor", "", facts, banker)
    if agreed is None:
        return Prompt("put_up_bank", "", facts, banker, None, (Choice("bank", None, low, stack),))
    return Prompt("put_up_agreed", "", facts, banker, None, (Choice("bank"),))


def ask_round(table: Table, least: Amount, check_size: Callable[[int], object]) -> Prompt:
    """Wait for the next round."""
    banker = find_banker(table, least)
    players = players_of(table, banker) if banker else ()
    facts: dict[str, object] = {"player": banker, "players": len(players), "ante": max(least, 1)}
    if len(players) < 2:
        return Prompt("need_punters", "", facts, banker, None, (Choice("shuffle"),))
    try:
        check_size(len(players))
    except IllegalAction as refusal:
        return too_many_hands(refusal, banker)
    return Prompt("open_bank_round", "", facts, banker, None, (Choice("round"), Choice("shuffle")))
