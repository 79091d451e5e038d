"""The end of the night: how it is settled, the close, the frozen plan, and opening a closed night again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from assistant.errors import Refusal
from assistant.games.card_table import bank_back
from assistant.holdings import HOUSE, POOL, Holdings, Move, bought_by, cashed_by, stack_of
from assistant.ledger import events as ledger
from assistant.ledger.accounts import ROUNDING, due_of
from assistant.ledger.books import Books, keep
from assistant.ledger.chipset import negated
from assistant.ledger.events import LedgerEvent
from assistant.ledger.nodes import BOX
from assistant.ledger.plan import CASHIER, HUB, PLAYERS, FrozenPlan, Terms, make_plan, round_to_unit
from assistant.money import Amount, share_in_units
from assistant.table.checks import between_rounds, positive, somebody
from assistant.table.counting import check_count_finished
from assistant.table.night import Night, evolve
from assistant.table.rack import all_chips_back
from assistant.talk import Words, printable

Caused = tuple[LedgerEvent, ...]


def layout_back(night: Night) -> tuple[Move, ...]:
    """Chips on the layout go back."""
    return night.game.chips_back(night.state) if night.game else ()


def pool_shared(night: Night, unit: Amount | None = None) -> ledger.PoolShared:
    """The pool is divided among the seated, odd chips one each from the dealer's left.

    Args:
        unit: What it is divided in; else the smallest chip of the set, else 1. The rest stays in the pool.
    """
    smallest = night.books.chipset[-1][0] if night.books.chipset else 1
    dealer = night.table.dealer or (night.table.players[0] if night.table.players else None)
    order = night.table.from_left_of(dealer)
    shares = share_in_units(night.chips.at(POOL), order, unit or smallest)
    shares = {player: share for player, share in shares.items() if share}
    moves = tuple(Move(POOL, stack_of(player), share) for player, share in shares.items())
    return ledger.PoolShared(tuple(shares.items()), moves=moves)


def _close(night: Night, words: Words) -> Caused:
    words.take_options("pool", "house")
    words.end()
    pool = words.options.get("pool", "share").lower()
    if pool not in ("share", "carry"):
        raise Refusal("E_OPTION", "option_value", {"name": "pool", "found": pool, "legal": "share, carry"})
    behind = somebody(night, words.options["house"]) if "house" in words.options else None
    between_rounds(night)
    check_count_finished(night)
    _check_counts(night)
    events: list[LedgerEvent] = []
    if night.chips.at(POOL) and pool == "share":
        if not night.table.players:  # never carried without being asked
            raise Refusal("E_POOL", "close_nobody", {"pool": night.chips.at(POOL)})
        events.append(pool_shared(night))
    events.append(_closing(night, events, behind))
    return (*events, frozen_plan(_after(night, events)))


def _check_counts(night: Night) -> None:
    for count in (*night.standing_counts(), *night.place_counts()):
        difference = count.amount - count.stack
        if difference:
            facts = {"found": count.amount, "stack": count.stack, "difference": difference}
            reason = "box_count_differs" if count.player == BOX else "place_differs"
            reason = "" if count.player in night.table.players else reason
            raise Refusal("E_COUNT", reason, {**facts, "player": count.player})


def house_unbacked(night: Night) -> Amount:
    """What the casino's house has won or lost while nobody banked it."""
    return night.chips.moved(bank_back(night.table)).at(HOUSE)


def _closing(night: Night, events: Sequence[LedgerEvent], behind: str | None = None) -> ledger.NightClosed:
    """Chips on the layout and the banker's float go back, then every stack is cashed out.

    Args:
        night: The night.
        events: What the close has caused before.
        behind: Who stands behind the house for what it has without a banker; else the house pays itself.
    """
    moves = (*layout_back(night), *bank_back(night.table))
    chips = night.chips.moved(move for event in events for move in event.moves).moved(moves)
    stacks = {player: chips.stack(player) for player in night.table.players if chips.stack(player)}
    out = tuple(Move(stack_of(player), cashed_by(player), stack) for player, stack in stacks.items())
    rack = all_chips_back(night, list(stacks.values()))
    taken = _over_by(behind, chips.at(HOUSE)) if behind is not None else ()
    return ledger.NightClosed(chips.at(POOL), moves=(*moves, *out, *taken), rack=rack)


def _over_by(player: str, result: Amount) -> tuple[Move, ...]:
    """The house's result is a player's: a win is paid out to them, a loss is a buy-in of theirs. The rack's
    chips stay where they are."""
    if result > 0:
        return (Move(HOUSE, cashed_by(player), result),)
    return (Move(bought_by(player), HOUSE, -result),) if result else ()


def _after(night: Night, events: Sequence[LedgerEvent]) -> Night:
    for event in events:
        night = evolve(night, event)
    return night


def plan_of(night: Night) -> FrozenPlan:
    """The plan in force; before the close, and for a night closed by an earlier version, what it would be."""
    if night.books.plan is not None:
        return night.books.plan
    planned = keep(Books(), frozen_plan(night)).plan
    assert planned is not None
    return planned


def frozen_plan(night: Night) -> ledger.PlanFrozen:
    """The plan of what is open now; rounding is booked with it, so that nothing is left when all is paid.

    What the plan before rounded is taken back first: a new plan starts from what everybody really gets.
    """
    terms, books = night.books.terms, night.books
    unrounded = books.money.moved(rounding(books.rounding, {}))
    exact = replace(night, books=replace(books, money=unrounded)).receivables()
    nets = round_to_unit(exact, terms.unit)
    plan = make_plan(nets, terms)
    return ledger.PlanFrozen(
        night.books.next_plan,
        terms.mode,
        terms.hub,
        terms.unit,
        plan.minimal,
        tuple((one.payer, one.payee, one.amount) for one in plan.transfers),
        tuple(exact.items()) if nets != exact else (),
        paid=rounding(books.rounding, {who: exact[who] - net for who, net in nets.items()}),
    )


def rounding(standing: Holdings, wanted: Mapping[str, Amount]) -> tuple[Move, ...]:
    """The money that moves so that rounding comes to what is wanted.

    Args:
        standing: What rounding has moved so far.
        wanted: What it takes from each (plus) or gives them (minus); what it takes from or leaves in the box
            needs no line of its own.
    """
    target = {due_of(who): amount for who, amount in wanted.items() if who != BOX}
    moves = []
    for due in (*target, *(place for place in standing.places if place not in target)):
        change = target.get(due, 0) - standing.at(due)
        if due != ROUNDING and change:
            source, to = (ROUNDING, due) if change > 0 else (due, ROUNDING)
            moves.append(Move(source, to, abs(change)))
    return tuple(moves)


# --- how it is settled --------------------------------------------------------------------------------------


def _settle(night: Night, words: Words) -> Caused:
    """``settle players|cashier|hub NAME [unit=N]``, ``settle apart A B``, ``settle gone A``, ``settle free``.

    After the close a new plan is made of what is open, and replaces the old one.
    """
    words.take_options("unit")
    terms = _terms(night, words)
    words.end()
    if "unit" in words.options:
        terms = replace(terms, unit=positive(words.money_in(words.options["unit"])))
    if terms.mode == HUB and not terms.hub:
        raise Refusal("E_ARGS", "argument_missing", {})
    before = night.books.terms
    if terms.mode == HUB and terms.hub in terms.gone and (terms.hub, terms.gone) != (before.hub, before.gone):
        raise Refusal("E_PLAYER", "hub_gone", {"player": terms.hub})
    chosen = ledger.TermsChosen(terms)
    if not night.closed:
        return (chosen,)
    return (chosen, frozen_plan(evolve(night, chosen)))


def _terms(night: Night, words: Words) -> Terms:
    terms = night.books.terms
    if not words.more:
        if not night.closed and "unit" not in words.options:
            raise Refusal("E_ARGS", "argument_missing", {})
        return terms
    match words.one_of(PLAYERS, CASHIER, HUB, "apart", "gone", "free"):
        case "players":
            return replace(terms, mode=PLAYERS, hub="")
        case "cashier":
            return replace(terms, mode=CASHIER, hub="")
        case "hub":
            return replace(terms, mode=HUB, hub=somebody(night, words.text()))
        case "apart":
            pair = somebody(night, words.text()), somebody(night, words.text())
            if pair[0] == pair[1]:
                raise Refusal("E_PLAYER", "pay_self", {"player": pair[0]})
            return replace(terms, apart=(*(one for one in terms.apart if set(one) != set(pair)), pair))
        case "gone":
            player = somebody(night, words.text())
            return replace(terms, gone=(*(one for one in terms.gone if one != player), player))
        case _:
            return replace(terms, apart=(), gone=())


def _reopen(night: Night, words: Words) -> Caused:
    """A closed night goes on where it was; payments stay, and the next close makes a new plan."""
    reason = printable(" ".join(word.text for word in words.words)).strip()
    words.words = []
    if not reason:
        raise Refusal("E_ARGS", "reason_missing", {})
    if not night.closed or night.closing is None:
        raise Refusal("E_PHASE", "not_closed", {})
    back = tuple(Move(move.target, move.source, move.amount) for move in reversed(night.closing.moves))
    return (
        ledger.NightReopened(
            reason,
            moves=back,
            paid=rounding(night.books.rounding, {}),
            rack=negated(night.closing.rack),
        ),
    )


CLOSE_VERBS: Mapping[str, Callable[[Night, Words], Caused]] = {
    "close": _close,
    "settle": _settle,
    "reopen": _reopen,
}
