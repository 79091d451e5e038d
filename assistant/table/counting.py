"""Counting at the table: what lies in front of each player, in pool, rack and box, and the difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from assistant.errors import Refusal
from assistant.holdings import MISSING, POOL, Move, stack_of
from assistant.ledger import events as ledger
from assistant.ledger.accounts import CASHBOX, OVERSHORT, due_of
from assistant.ledger.chipset import Denominations, is_chips, minus, read_chips, worth
from assistant.ledger.events import LedgerEvent
from assistant.ledger.nodes import BOX
from assistant.money import Amount, share_by_weight, share_equally
from assistant.table.checks import between_rounds, no_chips_on_layout
from assistant.table.night import COUNTED_PLACES, RACK, Night
from assistant.talk import Words, printable, same_person

Caused = tuple[LedgerEvent, ...]

AS_COUNTED = "count"
POLICIES = ("equal", "winners", "losers", AS_COUNTED)
"""Who bears what is missing: everybody, the winners or losers by their nets, each one their own."""


def _count(night: Night, words: Words) -> Caused:
    """``count PLAYER AMOUNT`` or by denomination ``count PLAYER 2x25 3x5``; also of pool, rack and box."""
    name = words.text()
    is_place = name.lower() in COUNTED_PLACES and same_person(name) not in night.known_as()
    place = name.lower() if is_place else words.player_named(name)
    chips: Denominations = ()
    if words.more and is_chips(words.words[0].text):
        chips = read_chips((word.text for word in words.words), night.currency)
        words.words = []
        amount = worth(chips)
    else:
        amount = words.money_amount() if place == BOX else words.amount()
    words.end()
    if place in COUNTED_PLACES:
        between_rounds(night)
    else:
        no_chips_on_layout(night, place)
    if place == RACK and not night.books.chipset:
        raise Refusal("E_RACK", "no_chipset", {})
    if place == RACK and chips and amount == night.held(RACK):
        # the count wins: which chips came back with the cash-outs is only guessed
        change = minus(chips, night.books.rack)
        return (ledger.Counted(place, amount, amount, chips, rack=change),)
    return (ledger.Counted(place, amount, night.held(place), chips),)


def _accept(night: Night, words: Words) -> Caused:
    policy = words.text()
    reason = printable(" ".join(word.text for word in words.words))
    words.words = []
    key = policy.lower()
    named = None if key in POLICIES else night.known_as().get(same_person(policy))
    if key not in POLICIES and named is None:
        raise Refusal("E_ARGS", "policy_unknown", {"found": policy})
    between_rounds(night)
    counts = (*night.standing_counts(), *(one for one in night.place_counts() if one.player != RACK))
    wrong = {count.player: count.stack - count.amount for count in counts if count.stack != count.amount}
    if not wrong:
        raise Refusal("E_COUNT", "nothing_to_accept", {})
    pool, box = wrong.pop(POOL, 0), wrong.pop(BOX, 0)
    shares = (
        wrong if key == AS_COUNTED else _bear(night, key if named is None else "", named, sum(wrong.values()))
    )
    _check_stacks(night, shares)
    return (
        ledger.DifferenceAccepted(
            key if named is None else night.person(named).name,
            tuple(shares.items()),
            reason,
            pool,
            box,
            moves=tuple(_chips_missing(shares, pool)),
            paid=tuple(_money_missing(night, key, named, box)),
        ),
    )


def _check_stacks(night: Night, shares: Mapping[str, Amount]) -> None:
    for player, share in shares.items():
        if share > night.chips.stack(player):
            facts = {"player": player, "found": share, "stack": night.chips.stack(player)}
            raise Refusal("E_STACK", "stack_to_bear", facts)


def _chips_missing(shares: Mapping[str, Amount], pool: Amount) -> list[Move]:
    places = {stack_of(player): share for player, share in shares.items()} | {POOL: pool}
    return [
        Move(place, MISSING, share) if share > 0 else Move(MISSING, place, -share)
        for place, share in places.items()
        if share
    ]


def _money_missing(night: Night, policy: str, named: str | None, box: Amount) -> list[Move]:
    """The box holds what was counted; the difference is borne by the same rule, or stays open."""
    if not box:
        return []
    moves = [_money(CASHBOX, OVERSHORT, box)]
    if policy == AS_COUNTED:
        return moves
    shares = _bear(night, "" if named else policy, named, box)
    return [*moves, *(_money(OVERSHORT, due_of(player), share) for player, share in shares.items() if share)]


def _money(source: str, target: str, amount: Amount) -> Move:
    return Move(source, target, amount) if amount > 0 else Move(target, source, -amount)


def _bear(night: Night, policy: str, named: str | None, missing: Amount) -> dict[str, Amount]:
    """What each player bears of what is missing (negative: receives of the surplus)."""
    if missing == 0:
        return {}
    sign, total = (1, missing) if missing > 0 else (-1, -missing)
    if named is not None:
        return {named: missing}
    if not night.table.players:
        raise Refusal("E_PLAYERS", "nobody_seated", {})
    dealer = night.table.dealer or night.table.players[0]
    order = night.table.from_left_of(dealer)
    if policy == "equal":
        return {player: sign * share for player, share in share_equally(total, order).items()}
    side = 1 if policy == "winners" else -1
    weights = {player: side * night.net(player) for player in order if side * night.net(player) > 0}
    if not weights:
        raise Refusal("E_COUNT", "nobody_to_bear", {"policy": policy})
    return {player: sign * share for player, share in share_by_weight(total, weights).items()}


COUNT_VERBS: Mapping[str, Callable[[Night, Words], Caused]] = {"count": _count, "accept": _accept}
