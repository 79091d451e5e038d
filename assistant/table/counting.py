"""Counting at the table: what lies in front of each player, in pool, rack and box, and the difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from assistant.errors import Refusal
from assistant.games.card_table import bank_back
from assistant.holdings import HELD, HOUSE, MISSING, POOL, Move, stack_of
from assistant.ledger import events as ledger
from assistant.ledger.accounts import CASHBOX, OVERSHORT, RACK, due_of
from assistant.ledger.chipset import (
    Denominations,
    break_down,
    is_chips,
    minus,
    negated,
    read_chips,
    worth,
    write_chips,
)
from assistant.ledger.events import LedgerEvent
from assistant.ledger.nodes import BOX
from assistant.ledger.receivable import unfound
from assistant.money import Amount, share_by_weight, share_equally
from assistant.table.checks import between_rounds, no_chips_on_layout, somebody, still_open
from assistant.table.night import COUNTED_PLACES, Night
from assistant.talk import Words, printable, same_person

Caused = tuple[LedgerEvent, ...]

POLICIES = ("equal", "winners", "losers", ledger.AS_COUNTED, ledger.HELD_OPEN)
"""Who bears what is missing: everybody, the winners or losers by their nets, each one their own, or nobody
until it is found."""


START, STOP = "start", "stop"
COUNTING = "counting"
"""What the dealer does while a count goes on: a key of the duties."""
LEAST_TO_CONFIRM = 3
"""So many players are needed for a neighbour who neither wins nor loses by the other's count."""


def _count(night: Night, words: Words) -> Caused:
    """``count start``, ``count stop``, ``count PLAYER AMOUNT`` or by denomination ``count PLAYER 2x25 3x5``;
    also of pool, rack and box, and of the house where its bank has a float of its own."""
    words.take_options("by", "confirm")
    name = words.text()
    if name.lower() in (START, STOP) and _is_no_player(night, words, name):
        _check_only(words, "confirm=on, confirm=off" if name.lower() == START else "")
        return _start(night, words) if name.lower() == START else _stop(night, words)
    if "confirm" in words.options:
        raise Refusal("E_OPTION", "option_not_here", {"name": "confirm"})
    place = _counted_place(night, words, name)
    chips: Denominations = ()
    if words.more and is_chips(words.words[0].text):
        unit = night.money if place == BOX else night.currency
        chips = read_chips((word.text for word in words.words), unit)
        words.words = []
        if place != BOX:
            _check_of_set(night, chips)
        amount = worth(chips)
    else:
        amount = words.money_amount() if place == BOX else words.amount()
    words.end()
    by = (
        _confirmer(night, words, place)
        if "by" in words.options
        else _still_confirmed(night, place, amount, chips)
    )
    if place in COUNTED_PLACES:
        between_rounds(night)
    else:
        no_chips_on_layout(night, place)
    if place == RACK and not night.books.chipset:
        raise Refusal("E_RACK", "no_chipset", {})
    if place == RACK and chips and amount == night.held(RACK):
        # the count wins: which chips came back with the cash-outs is only guessed
        change = minus(chips, night.books.rack)
        return (ledger.Counted(place, amount, amount, chips, by, rack=change),)
    return (ledger.Counted(place, amount, night.held(place), chips, by),)


def _is_no_player(night: Night, words: Words, name: str) -> bool:
    """Whether ``start`` is the word: nobody is called so, and no amount stands behind it."""
    has_amount = words.more and words.words[0].text[:1].isdigit()
    return not words.more or (same_person(name) not in night.known_as() and not has_amount)


def _check_only(words: Words, legal: str) -> None:
    """Nothing may be left but what was taken; an option says which ones there are."""
    found, mark, _value = words.words[0].text.partition("=") if words.more else ("", "", "")
    if mark and legal:
        raise Refusal("E_OPTION", "option_none_such", {"name": found, "legal": legal})
    words.end()


def _still_confirmed(night: Night, place: str, amount: Amount, chips: Denominations) -> str:
    """Who confirmed the same figure before: counted once more, it is confirmed as it was."""
    before = night.counted().get(place)
    if before is None or (before.amount, before.chips) != (amount, chips or before.chips):
        return ""
    return before.confirmed_by


def _check_of_set(night: Night, chips: Denominations) -> None:
    """Chips that are counted are of the set, where one is known (I13); how many of each the count says."""
    known = {value for value, _count in night.books.chipset}
    strange = tuple((value, count) for value, count in chips if value not in known)
    if known and strange:
        facts = {
            "found": write_chips(strange, night.currency),
            "have": write_chips(night.books.chipset, night.currency),
        }
        raise Refusal("E_RACK", "chips_not_of_set", facts)


def _counted_place(night: Night, words: Words, name: str) -> str:
    """A player's id, or pool, rack or box where nobody at the table is called so; the house where it has a
    float.

    Raises:
        Refusal: E_PLAYER.
    """
    is_place = name.lower() in COUNTED_PLACES and same_person(name) not in night.known_as()
    if is_place and name.lower() == HOUSE and not night.table.has_float:
        raise Refusal("E_PLAYER", "house_not_counted", {})
    return name.lower() if is_place else words.player_named(name)


def _start(night: Night, words: Words) -> Caused:
    """The count begins: nothing moves any more but what is counted."""
    rule = words.options.get("confirm", "on" if night.confirms else "off").lower()
    if rule not in ("on", "off"):
        raise Refusal("E_OPTION", "option_value", {"name": "confirm", "found": rule, "legal": "on, off"})
    if "by" in words.options:
        raise Refusal("E_OPTION", "option_not_here", {"name": "by"})
    between_rounds(night)
    for player in night.table.players:
        no_chips_on_layout(night, player)
    if not night.table.players:
        raise Refusal("E_PLAYERS", "nobody_seated", {})
    if night.counting and rule == ("on" if night.confirms else "off"):
        raise Refusal("E_COUNT", "count_runs_already", {})
    return (ledger.CountStarted(rule == "on"),)


def _stop(night: Night, words: Words) -> Caused:
    if words.options:
        raise Refusal("E_OPTION", "option_not_here", {"name": next(iter(words.options))})
    still_open(night)
    if not night.counting:
        raise Refusal("E_COUNT", "no_count_runs", {})
    return (ledger.CountStopped(),)


def _confirm(night: Night, words: Words) -> Caused:
    """``confirm [PLAYER] [by=NEIGHBOUR]``: who looked on; without a player every count that nobody confirmed,
    without a neighbour who sits to the left."""
    words.take_options("by")
    place = _counted_place(night, words, words.text()) if words.more else ""
    words.end()
    between_rounds(night)
    counted = night.counted()
    if place and place not in counted:
        raise Refusal("E_COUNT", "not_counted", {"player": place})
    waiting = [place] if place else [one.player for one in counted.values() if not one.confirmed_by]
    if not waiting:
        raise Refusal("E_COUNT", "nothing_to_confirm", {})
    return tuple(
        ledger.CountConfirmed(
            one, _confirmer(night, words, one) if "by" in words.options else neighbour_of(night, one)
        )
        for one in waiting
    )


def _confirmer(night: Night, words: Words, place: str) -> str:
    """Who confirms a count: anybody of the night but whose it is; of rack and box nobody who keeps them."""
    by = somebody(night, words.options["by"])
    if by == place or (place == HOUSE and by == night.table.banker):
        raise Refusal("E_COUNT", "confirm_self", {"player": by})
    if place in (RACK, BOX) and by == night.books.cashier:
        raise Refusal("E_COUNT", "confirm_cashier", {"player": by})
    return by


def neighbour_of(night: Night, place: str) -> str:
    """Who confirms a count where nobody is named: who sits to the left; of a place the dealer's left, but not
    the cashier.

    Raises:
        Refusal: E_COUNT where nobody else sits at the table.
    """
    start = place if place in night.table.players else night.table.dealer
    order = night.table.from_left_of(start) or night.table.players
    keeper = night.books.cashier if place in (RACK, BOX) else ""
    keeper = night.table.banker or "" if place == HOUSE else keeper
    found = next((one for one in order if one not in (place, keeper)), None)
    if found is None:
        raise Refusal("E_COUNT", "nobody_confirms", {"player": place})
    return found


def needs_confirmation(night: Night) -> bool:
    """Whether each count of the one that goes on has to be confirmed: by house rule, and with three players
    or more; of two, the other one would confirm against themselves."""
    return night.counting and night.confirms and len(night.table.players) >= LEAST_TO_CONFIRM


def to_count(night: Night) -> tuple[str, ...]:
    """What a count that was begun has to cover: every stack, the pool and the rack, where there are any."""
    pool = (POOL,) if night.chips.at(POOL) else ()
    return (*night.table.players, *pool, *((RACK,) if night.books.chipset else ()))


def check_count_finished(night: Night) -> None:
    """A count that was begun is finished before the night is closed, or a difference is booked.

    Raises:
        Refusal: E_COUNT with who is not counted, or not confirmed yet.
    """
    if not night.counting:
        return
    counted = night.counted()
    missing = tuple(one for one in to_count(night) if one not in counted)
    if missing:
        raise Refusal("E_COUNT", "count_unfinished", {"players": missing})
    waiting = tuple(one.player for one in counted.values() if not one.confirmed_by)
    if waiting and needs_confirmation(night):
        raise Refusal("E_COUNT", "count_unconfirmed", {"players": waiting})


def _accept(night: Night, words: Words) -> Caused:
    words.take_options("agreed")
    policy = words.text()
    agreed = _agreed(night, words.options.get("agreed", ""))
    reason = printable(" ".join(word.text for word in words.words))
    words.words = []
    key = policy.lower()
    if key == ledger.HELD_OPEN and same_person(policy) in night.known_as():
        key = ""  # a player of that name has the first say
    named = None if key in POLICIES else night.known_as().get(same_person(policy))
    if key not in POLICIES and named is None:
        raise Refusal("E_ARGS", "policy_unknown", {"found": policy})
    between_rounds(night)
    check_count_finished(night)
    counts = (*night.standing_counts(), *night.place_counts())
    wrong = {count.player: count.stack - count.amount for count in counts if count.stack != count.amount}
    if not wrong:
        raise Refusal("E_COUNT", "nothing_to_accept", {})
    pool, box, rack = wrong.pop(POOL, 0), wrong.pop(BOX, 0), wrong.pop(RACK, 0)
    places = {POOL: pool, HOUSE: wrong.pop(HOUSE, 0), RACK: rack}
    found = _rack_as_counted(night, rack)
    if key == ledger.HELD_OPEN:
        return (_held_open(night, wrong, places, box, found, reason, agreed),)
    shares = (
        wrong
        if key == ledger.AS_COUNTED
        else _bear(night, key if named is None else "", named, sum(wrong.values()))
    )
    _check_stacks(night, shares)
    moves = tuple(_chips_missing(shares, places))
    return (
        ledger.DifferenceAccepted(
            key if named is None else night.person(named).name,
            tuple(shares.items()),
            reason,
            pool,
            box,
            agreed,
            moves=moves,
            paid=(*_unpaid_surplus(night, shares, places, moves), *_money_missing(night, key, named, box)),
            rack=found,
        ),
    )


def _rack_as_counted(night: Night, missing: Amount) -> Denominations:
    """What the rack has more or less than the books say; nobody bears it, for nobody's chips lie there.

    Which chips they are is known where the rack was counted by denomination, else it is guessed, as it is
    with cash-outs.

    Raises:
        Refusal: E_RACK where no chips make the difference up.
    """
    if not missing:
        return ()
    counted, rack = night.counted()[RACK], night.books.rack
    if counted.chips:
        return minus(counted.chips, rack)
    if night.rack_chips is None:
        return ()  # only the sum is known, before and after
    chips = break_down(abs(missing), rack if missing > 0 else night.books.in_circulation)
    if chips is None:
        raise Refusal("E_RACK", "rack_count_chips", {"found": abs(missing)})
    return negated(chips) if missing > 0 else chips


def _held_open(
    night: Night,
    wrong: Mapping[str, Amount],
    places: Mapping[str, Amount],
    box: Amount,
    found: Denominations,
    reason: str,
    agreed: tuple[str, ...],
) -> ledger.DifferenceAccepted:
    """The count holds for the chips, and everybody is credited as the ledger says: nobody bears it.

    Found, the acceptance is reversed. What the pool or the box lacks is nobody's until then.

    Args:
        night: Where.
        wrong: What each player lacks.
        places: What pool, bank and rack lack.
        box: What the box lacks.
        found: What came to the rack by denomination.
        reason: Why.
        agreed: Who agreed.
    """
    chips = [_move(stack_of(player), HELD, share) for player, share in wrong.items()]
    credits = [_move(due_of(player), HELD, share * night.chip) for player, share in wrong.items()]
    moves = (*chips, *_chips_missing({}, places))
    surplus = _unpaid_surplus(night, {}, places, moves)
    return ledger.DifferenceAccepted(
        ledger.HELD_OPEN,
        (),
        reason,
        places[POOL],
        box,
        agreed,
        moves=moves,
        paid=(*credits, *surplus, *_money_missing(night, ledger.AS_COUNTED, None, box)),
        rack=found,
    )


def _agreed(night: Night, text: str) -> tuple[str, ...]:
    """Who was asked and agreed, in seat order; ``all`` are all at the table."""
    if text.lower() == "all":
        return night.table.players
    wanted = {somebody(night, name) for name in text.split(",") if name.strip()}
    return tuple(person.player for person in night.people if person.player in wanted)


def _check_stacks(night: Night, shares: Mapping[str, Amount]) -> None:
    for player, share in shares.items():
        if share > night.chips.stack(player):
            facts = {"player": player, "found": share, "stack": night.chips.stack(player)}
            raise Refusal("E_STACK", "stack_to_bear", facts)


def _chips_missing(shares: Mapping[str, Amount], places: Mapping[str, Amount]) -> list[Move]:
    lacking = {stack_of(player): share for player, share in shares.items()} | dict(places)
    return [
        Move(place, MISSING, share) if share > 0 else Move(MISSING, place, -share)
        for place, share in lacking.items()
        if share
    ]


def _unpaid_surplus(
    night: Night, shares: Mapping[str, Amount], places: Mapping[str, Amount], moves: Sequence[Move]
) -> list[Move]:
    """The money of surplus chips that were never sold: whoever receives them has the chips, but nobody pays
    for them, so they owe as much until it is known where the chips came from.

    What lies in the pool is everybody's who is seated, for it is shared among them; a bank with a float is
    the banker's. What was missing before and is found is paid for already; so is all where a casino's house
    bears it.
    """
    gains = Counter({player: -share for player, share in shares.items() if share < 0})
    if places[POOL] < 0 and night.table.players:
        gains.update(share_equally(-places[POOL], _from_dealers_left(night)))
    if places[HOUSE] < 0 and night.table.banker is not None:
        gains[night.table.banker] -= places[HOUSE]
    if not gains or night.chips.moved(bank_back(night.table)).at(HOUSE):
        return []
    before, after = (max(0, -unfound(chips)) for chips in (night.chips, night.chips.moved(moves)))
    unpaid = min(after - before, gains.total())
    if unpaid <= 0:
        return []
    parts = share_by_weight(unpaid, gains)
    return [Move(HELD, due_of(player), part * night.chip) for player, part in parts.items() if part]


def _money_missing(night: Night, policy: str, named: str | None, box: Amount) -> list[Move]:
    """The box holds what was counted; the difference is borne by the same rule, or stays open."""
    if not box:
        return []
    moves = [_move(CASHBOX, OVERSHORT, box)]
    if policy == ledger.AS_COUNTED:
        return moves
    shares = _bear(night, "" if named else policy, named, box)
    return [*moves, *(_move(OVERSHORT, due_of(player), share) for player, share in shares.items() if share)]


def _move(source: str, target: str, amount: Amount) -> Move:
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
    order = _from_dealers_left(night)
    if policy == "equal":
        return {player: sign * share for player, share in share_equally(total, order).items()}
    side = 1 if policy == "winners" else -1
    weights = {player: side * night.net(player) for player in order if side * night.net(player) > 0}
    if not weights:
        raise Refusal("E_COUNT", "nobody_to_bear", {"policy": policy})
    return {player: sign * share for player, share in share_by_weight(total, weights).items()}


def _from_dealers_left(night: Night) -> tuple[str, ...]:
    """Who is seated, in the order in which odd chips go round."""
    players = night.table.players
    return night.table.from_left_of(night.table.dealer or players[0]) if players else ()


COUNT_VERBS: Mapping[str, Callable[[Night, Words], Caused]] = {
    "count": _count,
    "confirm": _confirm,
    "accept": _accept,
}
