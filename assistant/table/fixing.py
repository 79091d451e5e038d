"""A card that was recorded wrong: its round is worked out again, and what follows from it is set right.

`rework` decides and changes nothing; the night takes over what it returns.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.cards import Card, Shoe
from assistant.errors import Refusal
from assistant.games.base import Action, Event, Game, GameState, RoundClosed, cards_in, replace_card
from assistant.games.card_table import Table
from assistant.holdings import BANK, HOUSE, POOL, Holdings, Move, as_moves
from assistant.money import Amount
from assistant.table.rounds import Act, Round, Rounds

if TYPE_CHECKING:
    from assistant.table.night import Night


@dataclass(frozen=True)
class Rework:
    """A round worked out again: the night's state and rounds with it, and the chips that change places."""

    state: GameState
    rounds: Rounds
    moves: tuple[Move, ...]


def find_round(night: Night, old: Card, number: int | None) -> int | None:
    """The number of the round that holds `old`: the one named, else the latest; None when there is none."""
    numbers = range(len(night.rounds), 0, -1) if number is None else (number,)
    for candidate in numbers:
        if 1 <= candidate <= len(night.rounds):
            found = night.rounds.numbered(candidate)
            if not found.voided and any(old in cards_in(act.action) for act in found.acts):
                return candidate
    return None


def mentions_of(record: Round, card: Card) -> int:
    """How many cards of this face a round records."""
    found = sum(one == card for act in record.acts for one in cards_in(act.action))
    return min(found, 1) if record.game.names_cards_again else found


def rework(night: Night, number: int, old: Card, new: Card, nth: int) -> Rework:
    """Work a round out again with another card.

    Raises:
        Refusal: E_FIX when a later act of the round would not have been legal, or a balance would fall below
            zero; E_DUPLICATE_CARD when the new card was seen.
    """
    record = night.rounds.numbered(number)
    runs = record.end is None
    reworked, state = _decide_again(record, number, old, new, nth)
    closed = any(isinstance(event, RoundClosed) for event in reworked.acts[-1].events)
    if not closed and not runs:
        raise Refusal("E_FIX", "fix_other_course", {"round": number})
    if record.end is None:
        moves = as_moves(night.chips.difference(state.table.chips))
        reworked = replace(reworked, end=state) if closed else reworked
        return Rework(state, night.rounds.with_round(number, reworked), moves)
    reworked = replace(reworked, end=state)
    return _book(night, number, _Change(record.start.table, record.end.table, state.table), reworked)


def _decide_again(record: Round, number: int, old: Card, new: Card, nth: int) -> tuple[Round, GameState]:
    state, acts, done = record.start, [], 0
    for act in record.acts:
        # taken from the market and shown: every mention is the same card
        mention = None if record.game.names_cards_again else nth - done
        action = replace_card(act.action, old, new, mention)
        done += cards_in(act.action).count(old)
        events = _decide(record.game, state, action, number)
        for event in events:
            state = record.game.evolve(state, event)
        acts.append(Act(action, events))
    return replace(record, acts=tuple(acts)), state


def _decide(game: Game, state: GameState, action: Action, number: int) -> tuple[Event, ...]:
    try:
        return game.decide(state, action)
    except Refusal as refusal:
        if refusal.code == "E_DUPLICATE_CARD":
            raise
        raise Refusal("E_FIX", "fix_illegal", {"round": number, "why": refusal}) from refusal


# --- a finished round: the difference is booked on today's balances -----------------------------------------


@dataclass(frozen=True)
class _Change:
    """The table before a round, and after it: as it was recorded, and as it was."""

    start: Table
    recorded: Table
    right: Table

    @property
    def moves(self) -> tuple[Move, ...]:
        return as_moves(self.recorded.chips.difference(self.right.chips))

    def shoe(self, shoe: Shoe) -> Shoe:
        """The same deck at a later moment, with the right card; raises E_DUPLICATE_CARD."""
        if shoe.shuffles != self.recorded.shoe.shuffles:
            return shoe
        later = Counter(shoe.seen) - Counter(self.recorded.shoe.seen)
        return replace(shoe, seen=self.right.shoe.seen).see(later.elements())

    def table(self, table: Table) -> Table:
        """A later table with the right balances and cards."""
        base = table.house_base
        if table.banker != self.start.banker:  # whoever banks now has no part in that round
            base += self.right.chips.at(HOUSE) - self.recorded.chips.at(HOUSE)
        chips = table.chips.moved(self.moves)
        return replace(table, chips=chips, shoe=self.shoe(table.shoe), house_base=base)


def _book(night: Night, number: int, change: _Change, reworked: Round) -> Rework:
    table = change.table(night.table)
    rounds = _carry_on(night.rounds.with_round(number, reworked), number, change)
    state = replace(night.state, table=table)
    recorded = night.rounds.numbered(number).end
    if recorded and reworked.end and night.state.board == recorded.board:  # its cards still lie there
        state = replace(state, board=reworked.end.board)
    seated = night.table.players
    _check_balances(number, table, night.game.reserved(state) if night.game else 0, seated)
    if rounds.last is not None and rounds.last.end is None and not rounds.last.voided:
        _check_balances(number, rounds.last.start.table, 0, seated)
    _check_seated(number, table.chips, night.table.players)
    return Rework(state, rounds, change.moves)


def _carry_on(rounds: Rounds, number: int, change: _Change) -> Rounds:
    """Later rounds know the right card too; the running one starts from the right balances, so that calling
    it off or mending it does not bring the wrong ones back."""
    for later in range(number + 1, len(rounds) + 1):
        one = rounds.numbered(later)
        start, end = one.start, one.end
        if end is None and not one.voided:
            start = replace(start, table=change.table(start.table))
        elif start.table.shoe.shuffles == change.recorded.shoe.shuffles:
            start = _with_shoe(start, change)
            end = _with_shoe(end, change) if end else None
        else:
            continue
        rounds = rounds.with_round(later, replace(one, start=start, end=end))
    return rounds


def _with_shoe(state: GameState, change: _Change) -> GameState:
    return replace(state, table=replace(state.table, shoe=change.shoe(state.table.shoe)))


def _check_balances(number: int, table: Table, reserved: Amount, seated: tuple[str, ...]) -> None:
    """Nothing falls below zero, and a pool or bank still pays the bets that lie beside it."""
    chips = table.chips
    missing = {
        place.removeprefix("stack:"): -amount
        for place, amount in chips.places.items()
        if place.startswith("stack:") and amount < 0
    }
    if missing:  # who has left comes first: nothing else helps until they owe it
        player = next((one for one in missing if one not in seated), next(iter(missing)))
        reason = "fix_below_zero" if player in seated else "fix_gone_short"
        raise Refusal("E_FIX", reason, {"round": number, "player": player, "missing": missing[player]})
    funds = [chips.at(POOL) + chips.at(BANK) - reserved]
    if table.has_float:
        funds.append(chips.at(HOUSE) - table.house_base)
    if min(funds) < 0:
        raise Refusal("E_FIX", "fix_fund_short", {"round": number, "missing": -min(funds)})


def _check_seated(number: int, chips: Holdings, seated: tuple[str, ...]) -> None:
    for place, due in chips.places.items():
        player = place.removeprefix("stack:")
        if player != place and player not in seated:
            raise Refusal("E_FIX", "fix_player_gone", {"round": number, "player": player, "due": due})
