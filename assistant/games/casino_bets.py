"""What moves the chips of the casino: bets placed and taken back, won, lost and tied."""

from __future__ import annotations

from assistant.games.base import BetSettled
from assistant.games.casino_table import CasinoState, Phase, PilePlaced, PileRemoved, Spot
from assistant.holdings import HOUSE, Move, bet_of, stack_of
from assistant.money import Amount
from assistant.records import replace


def bet_placed(player: str, pile: Amount) -> PilePlaced:
    """A pile goes from the stack to the spot."""
    return PilePlaced(player, pile, moves=(Move(stack_of(player), bet_of(player), pile),))


def bet_removed(player: str, pile: Amount) -> PileRemoved:
    """A pile goes back to the stack."""
    return PileRemoved(player, pile, moves=(Move(bet_of(player), stack_of(player), pile),))


def bet_returned(player: str, stake: Amount) -> BetSettled:
    """A tie: the stake goes back."""
    return BetSettled(player, "push", stake, moves=(Move(bet_of(player), stack_of(player), stake),))


def bet_won(player: str, stake: Amount, odds: int) -> BetSettled:
    """The stake goes back, and the house pays it so many times."""
    back = Move(bet_of(player), stack_of(player), stake)
    return BetSettled(
        player, "win", stake, stake * odds, moves=(back, Move(HOUSE, stack_of(player), stake * odds))
    )


def bet_lost(player: str, stake: Amount) -> BetSettled:
    """The stake goes to the house."""
    return BetSettled(player, "lose", stake, moves=(Move(bet_of(player), HOUSE, stake),))


def piles_of(state: CasinoState, player: str) -> tuple[Amount, ...]:
    """What lies on a spot, pile by pile; empty where nothing does."""
    spot = state.spot(player)
    return spot.piles if spot else ()


def spots_with(state: CasinoState, player: str, piles: tuple[Amount, ...]) -> tuple[Spot, ...]:
    """The spots in seat order, one of them with other piles."""
    others = {spot.player: spot for spot in state.spots if spot.player != player}
    if piles:
        others[player] = Spot(player, piles)
    return tuple([others[name] for name in state.table.players if name in others])


def with_decision(state: CasinoState, player: str, raised: Amount) -> CasinoState:
    """The state after a player raised by so much, or called with 0."""
    spots = tuple(
        replace(spot, decided=True, raised=raised) if spot.player == player else spot for spot in state.spots
    )
    state = replace(state, spots=spots)
    return state if state.undecided else replace(state, phase=Phase.THIRD)
