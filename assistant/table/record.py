"""A night as the one JSON object of ``tableside replay`` (TABLE_TALK.md, "Replaying a file"); a stable
contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assistant.holdings import BANK, CARRIED, POOL
from assistant.ledger.receivable import house_result
from assistant.money import Amount
from assistant.table.closing import plan_of
from assistant.table.night import Night


@dataclass(frozen=True, slots=True)
class Refused:
    """A refused line: its number in the file, the stable code, and the sentence."""

    line: int
    code: str
    message: str


def night_record(night: Night, refused: Sequence[Refused] = ()) -> dict[str, object]:
    """Return the night as one JSON object; amounts in smallest units, players by name."""
    names = night.names()
    chips = night.chips
    seated_ever = [person for person in night.people if person.was_seated]
    table = night.table
    dealer, turn = night.dealer, None
    if night.game is not None and not night.closed:
        turn = night.game.turn(night.state)
    record: dict[str, object] = {
        "game": night.game_name or None,
        "phase": "CLOSED" if night.closed else (night.state.phase or None),
        "dealer": names[dealer] if dealer else None,
        "turn": names[turn] if turn else None,
        "stacks": {names[player]: chips.stack(player) for player in table.players},
        "bets": _above_zero({names[player]: chips.bet(player) for player in table.players}),
        "pool": chips.at(POOL),
        "bank": chips.at(BANK),
        "house": house_result(chips),
        "pots": _pots(night, names),
        "bought_in": {person.name: night.bought_in(person.player) for person in seated_ever},
        "cashed_out": _above_zero({person.name: night.cashed_out(person.player) for person in seated_ever}),
        "carried_in": -chips.at(CARRIED),
        "nets": {person.name: night.net(person.player) for person in seated_ever},
        "seen": [str(card) for card in table.shoe.seen],
        "cards_left": table.shoe.cards_left,
        "marker": night.game.marker(night.state) if night.game else None,
        "refused": [{"line": one.line, "code": one.code, "message": one.message} for one in refused],
    }
    if night.closed:
        record["settlement"] = [
            {
                "from": names.get(one.payer, one.payer),
                "to": names.get(one.payee, one.payee),
                "amount": one.amount,
            }
            for one in plan_of(night).lines
        ]
    return record


def _pots(night: Night, names: Mapping[str, str]) -> list[dict[str, object]]:
    if night.game is None or night.closed:
        return []
    pots = night.game.pots(night.state)
    return [{"amount": amount, "players": [names[player] for player in players]} for amount, players in pots]


def _above_zero(amounts: dict[str, Amount]) -> dict[str, Amount]:
    return {name: amount for name, amount in amounts.items() if amount > 0}
