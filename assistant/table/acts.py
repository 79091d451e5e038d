"""Lines that belong to no game: what each verb of the night causes; and handing a game its own verbs.

`decide` says what a line causes, or refuses it; it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from assistant.cards import Shoe
from assistant.errors import Refusal
from assistant.games.base import Action, Event, RoundClosed, Shuffle
from assistant.games.card_table import bank_back
from assistant.games.variants import build_game, is_game_verb
from assistant.holdings import CARRIED, POOL, Holdings, Move, as_moves, bet_of, cashed_by, stack_of
from assistant.ledger import events as ledger
from assistant.ledger.events import LedgerEvent
from assistant.ledger.exchange import read_chip_value
from assistant.ledger.receivable import due_from
from assistant.money import CHIPS, Amount, Currency
from assistant.table import later
from assistant.table.buying import BUY_IN_OPTIONS, read_buy_in
from assistant.table.cashier import MONEY_VERBS
from assistant.table.checks import (
    anybody,
    between_rounds,
    box_has,
    how_paid,
    no_chips_on_layout,
    positive,
    said_at,
    still_open,
    words_of,
)
from assistant.table.closing import CLOSE_VERBS, layout_back, pool_shared
from assistant.table.counting import COUNT_VERBS
from assistant.table.decision import Caused, Decision
from assistant.table.fixing import find_round, mentions_of, rework
from assistant.table.night import Night, evolve
from assistant.table.people import check_new_name, new_player
from assistant.table.rack import cash_to, cashed_out, chips_back, read_chips_option
from assistant.talk import (
    Command,
    Words,
    clean_name,
    clean_title,
    printable,
    read_all,
    read_number,
    same_person,
)

LANGUAGES = ("en", "ru")
_HOW_CASHED = frozenset([ledger.CASH, ledger.DUE])


def decide(night: Night, command: Command) -> Decision:
    """Say what a line causes (all but ``undo`` and ``redo``, which are the session's).

    Raises:
        Refusal: With the code of table talk.
    """
    try:
        return _decide(night, command)
    except Refusal as refusal:
        if night.closed and refusal.code == "E_PLAYER" and _stood_up(night, refusal):
            raise Refusal("E_PLAYER", "night_closed", {}) from refusal
        raise


def _stood_up(night: Night, refusal: Refusal) -> bool:
    """Whether nobody is called so at the table only because everybody was cashed out with the close."""
    found = refusal.facts.get("found")
    return refusal.reason == "E_PLAYER" and isinstance(found, str) and same_person(found) in anybody(night)


def _decide(night: Night, command: Command) -> Decision:
    words = _words_for(night, command)
    act = TABLE_VERBS.get(command.verb)
    if act is not None:
        caused = _act_or_later(act, night, words, command)
        _check_no_count(night, command.verb, caused)
        return Decision(None, (*caused, *later.taken(night, command)))
    if command.verb == "shuffle":
        words.take_options("decks")
        read_all(words, lambda rest: None)
        return _decide_game(night, Shuffle(_decks(words.options.get("decks"))))
    if night.game is not None and command.verb in night.game.verbs:
        if night.counting and command.verb not in _MENDING:
            raise Refusal("E_COUNT", "count_runs", {})
        return _decide_game(night, read_all(words, night.game.verbs[command.verb]))
    if is_game_verb(command.verb):
        raise Refusal("E_PHASE", "other_game" if night.game else "no_game", {"verb": command.verb})
    raise Refusal("E_VERB", "", {"found": command.verb})


def _act_or_later(
    act: Callable[[Night, Words], Caused], night: Night, words: Words, command: Command
) -> Caused:
    """What a line of the night causes; where it must wait for the round's end, a refusal says how it can."""
    try:
        return act(night, words)
    except Refusal as refusal:
        if refusal.reason == "cashout_nothing" and later.taken(night, command):
            return ()  # all was lost in the round: waiting on, it would cash the chips of the next buy-in
        if refusal.reason == "round_runs" and command.verb in later.LATER_VERBS:
            raise Refusal("E_PHASE", "round_runs_later", {}) from refusal
        raise


_MENDING = frozenset({"paid-in", "overpaid", "underpaid", "correct"})
"""What a count may bring to light, and what mends it: no bets."""


def _check_no_count(night: Night, verb: str, caused: Caused) -> None:
    """While a count goes on nobody buys, borrows or begins another game, and nobody cashes chips that were
    found to differ; but what was forgotten earlier is entered late, with its time (LEDGER.md 6.6)."""
    if not night.counting:
        return
    for event in caused:
        is_buy_in = isinstance(event, ledger.BoughtIn | ledger.ChipsLent) and not event.said
        if is_buy_in or isinstance(event, ledger.PoolCarriedIn | ledger.GameChosen):
            raise Refusal("E_COUNT", "count_runs", {"verb": verb})
        if isinstance(event, ledger.CashedOut | ledger.PlayerLeft | ledger.Tipped) and not event.said:
            _check_no_difference(night, event.player)


def _check_no_difference(night: Night, player: str) -> None:
    """A difference that was counted is dealt with before its chips are cashed: with the stack the count would
    lapse, and nobody would ask again. Without figures: the others are still to be counted blind."""
    count = night.counted().get(player)
    if count is not None and count.amount != count.stack:
        raise Refusal("E_COUNT", "count_differs_blind", {"player": player})


def _words_for(night: Night, command: Command) -> Words:
    bare = night.game.bare_ranks if night.game else False
    if command.verb == "fix":
        bare = True
    return words_of(night, command, bare_ranks=bare)


def _decide_game(night: Night, action: Action) -> Decision:
    still_open(night)
    if night.game is None:
        raise Refusal("E_PHASE", "no_game", {})
    events: Caused = night.game.decide(night.state, action)
    if any(isinstance(event, RoundClosed) for event in events):
        events = (*events, *_queued_changes(night, events))
    return Decision(action, events)


def _queued_changes(night: Night, events: Sequence[Event | LedgerEvent]) -> Caused:
    """What was said during the round and happens now that it is over."""
    for event in events:
        night = evolve(night, event)
    changes: list[LedgerEvent] = []
    for person in night.people:
        if person.queued and person.seated:
            change = _CHANGES[person.queued](night, person.player)
            night = evolve(night, change)
            changes.append(change)
    return tuple(changes)


def _decks(text: str | None) -> int | None:
    if text is None:
        return None
    decks = read_number(text, "E_OPTION")
    if not 1 <= decks <= 8:
        raise Refusal("E_OPTION", "option_value", {"name": "decks", "found": text, "legal": "1-8"})
    return decks


# --- the night and the game ---------------------------------------------------------------------------------


def _name_night(night: Night, words: Words) -> Caused:
    words.take_options("currency", "language", "chip")
    name = clean_title(words.text())
    words.end()
    if night.lines:
        raise Refusal("E_PHASE", "night_first", {})
    language = words.options.get("language", "en").lower()
    if language not in LANGUAGES:
        facts = {"name": "language", "found": language, "legal": ", ".join(LANGUAGES)}
        raise Refusal("E_OPTION", "option_value", facts)
    code = words.options.get("currency", "")
    currency = Currency.named(code) if code else CHIPS
    return (ledger.NightNamed(name, currency.code, language, _chip_value(words, currency)),)


def _chip_value(words: Words, money: Currency) -> Amount:
    """What a chip is worth; 0 where chips bear amounts of the money themselves."""
    text = words.options.get("chip")
    if text is None:
        return 0
    if not money.code:
        raise Refusal("E_OPTION", "chip_without_currency", {"found": text})
    return read_chip_value(text, money)


def _choose_game(night: Night, words: Words) -> Caused:
    words.take_options()
    name = words.text()
    words.end()
    game = build_game(name, words.options, night.currency)
    between_rounds(night)
    if night.chips.at(POOL) and not game.has_pool:
        raise Refusal("E_POOL", "pool_left_over", {"pool": night.chips.at(POOL)})
    options = tuple((one.name, words.options.get(one.name, one.default)) for one in game.options)
    return (ledger.GameChosen(name.lower(), options, moves=layout_back(night)),)


def _note(night: Night, words: Words) -> Caused:
    still_open(night)
    return (ledger.Noted(printable(words.rest)),)


# --- people -------------------------------------------------------------------------------------------------


def _seat(night: Night, words: Words) -> Caused:
    words.take_options("after", *BUY_IN_OPTIONS)
    name = clean_name(words.text())
    try:
        buy_in = read_buy_in(night, words)
    except Refusal as refusal:
        found = str(refusal.facts.get("found", ""))
        if refusal.code == "E_AMOUNT" and found[:1].isalpha():  # "seat Anna K. 50"
            raise Refusal("E_AMOUNT", "amount_or_name", {"found": found, "name": name}) from refusal
        raise
    after = words.player_named(words.options["after"]) if "after" in words.options else None
    _between_rounds_after(night, lambda: check_new_name(night, name))
    known = {same_person(person.name): person.player for person in night.people}
    player = known.get(same_person(name)) or new_player(night)
    first = night.person(player).name if same_person(name) in known else name
    seated: Caused = (ledger.PlayerSeated(player, first, after),)
    return (*seated, buy_in.event(night, player)) if buy_in is not None else seated


def _between_rounds_after(night: Night, check: Callable[[], None]) -> None:
    """What cannot be read is refused before the moment is (TABLE_TALK.md, "Refusals")."""
    check()
    between_rounds(night)


def _move(night: Night, words: Words) -> Caused:
    words.take_options("after")
    player = words.player()
    words.end()
    if "after" not in words.options:
        raise Refusal("E_ARGS", "argument_missing", {})
    after = words.player_named(words.options["after"])
    if after == player:
        raise Refusal("E_PLAYER", "after_self", {"player": player})
    between_rounds(night)
    return (ledger.PlayerMoved(player, after),)


def _rename(night: Night, words: Words) -> Caused:
    player = words.player()
    name = clean_name(words.text())
    words.end()
    check_new_name(night, name, renamed=player)
    between_rounds(night)
    return (ledger.PlayerRenamed(player, name),)


def _buy(night: Night, words: Words) -> Caused:
    words.take_options(*BUY_IN_OPTIONS)
    player, buy_in = words.player(), read_buy_in(night, words)
    if buy_in is None:
        raise Refusal("E_ARGS", "argument_missing", {})
    no_chips_on_layout(night, player)
    return (buy_in.event(night, player),)


def _cash_out(night: Night, words: Words) -> Caused:
    words.take_options("chips", "at")
    player = words.player()
    typed = words.amount() if words.more and words.next_payment() not in _HOW_CASHED else None
    how = how_paid(words, night.books.pays, ledger.DUE)
    words.end()
    if typed is not None:
        positive(typed)
    chips, said = read_chips_option(night, words), said_at(words)
    no_chips_on_layout(night, player)
    stack = night.chips.stack(player)
    amount = stack if typed is None else typed
    if not amount:
        raise Refusal("E_STACK", "cashout_nothing", {"player": player})
    if amount > stack:
        raise Refusal("E_STACK", "stack_short", {"player": player, "found": amount, "stack": stack})
    return (cashed_out(night, player, amount, how, chips, said),)


def _go(night: Night, words: Words) -> Caused:
    """``leave``: in a round it waits for the round's end, and what is cashed then is due."""
    player = words.player()
    how = how_paid(words, night.books.pays, ledger.DUE)
    words.end()
    still_open(night)
    if night.in_round:
        return (ledger.ChangeQueued(player, "leave"),)
    return (_leave(night, player, how),)


def _presence(change: str) -> Callable[[Night, Words], Caused]:
    def act(night: Night, words: Words) -> Caused:
        player = words.player()
        words.end()
        still_open(night)
        if night.in_round:
            return (ledger.ChangeQueued(player, change),)
        return (_CHANGES[change](night, player),)

    return act


def _bet_back(chips: Holdings, player: str) -> tuple[Move, ...]:
    return (Move(bet_of(player), stack_of(player), chips.bet(player)),) if chips.bet(player) else ()


def _sit_out(night: Night, player: str) -> ledger.SatOut:
    return ledger.SatOut(player, moves=_bet_back(night.chips, player))


def _leave(night: Night, player: str, how: str = ledger.DUE) -> ledger.PlayerLeft:
    moves = _bet_back(night.chips, player)
    if night.table.banker == player:
        moves = (*moves, *bank_back(night.table))
    chips = night.chips.moved(moves)
    amount = chips.stack(player)
    out = (Move(stack_of(player), cashed_by(player), amount),) if amount else ()
    owed = amount * night.chip - due_from(chips, night.books.money, player, night.chip)
    cash = max(0, min(amount * night.chip, owed)) if how == ledger.CASH else 0
    box_has(night, cash)
    rack = chips_back(night, amount)
    return ledger.PlayerLeft(
        player, amount, cash, moves=(*moves, *out), paid=cash_to(player, cash), rack=rack
    )


def _leave_after_round(night: Night, player: str) -> ledger.PlayerLeft:
    """As cash-outs are usually paid; where the box holds too little it stays due, as nobody can be asked."""
    try:
        return _leave(night, player, night.books.pays)
    except Refusal:
        return _leave(night, player)


def _come_back(night: Night, player: str) -> ledger.CameBack:
    return ledger.CameBack(player)


_CHANGES: Mapping[str, Callable[[Night, str], LedgerEvent]] = {
    "sitout": _sit_out,
    "back": _come_back,
    "leave": _leave_after_round,
}


def _dealer(night: Night, words: Words) -> Caused:
    player = words.player()
    words.end()
    between_rounds(night)
    return (ledger.DealerNamed(player),)


def _first(night: Night, words: Words) -> Caused:
    cards = words.cards()
    Shoe().see(cards)
    place = next((index for index, card in enumerate(cards) if card.rank.letter == "A"), None)
    if place is None:
        raise Refusal("E_CARD", "no_ace", {})
    between_rounds(night)
    players = night.table.players
    if not players:
        raise Refusal("E_PLAYERS", "nobody_seated", {})
    return (ledger.AceFound(cards, players[place % len(players)]),)


# --- the pool -----------------------------------------------------------------------------------------------


def _carry(night: Night, words: Words) -> Caused:
    amount = positive(words.amount())
    words.end()
    between_rounds(night)
    if night.game is None or not night.game.has_pool:
        raise Refusal("E_POOL", "no_pool_game", {})
    return (ledger.PoolCarriedIn(amount, moves=(Move(CARRIED, POOL, amount),)),)


def _share(night: Night, words: Words) -> Caused:
    words.take_options("unit")
    words.end()
    text = words.options.get("unit")
    unit = positive(words.chips_in(text)) if text is not None else None
    between_rounds(night)
    if not night.chips.at(POOL):
        raise Refusal("E_POOL", "pool_empty", {})
    if not night.table.players:
        raise Refusal("E_POOL", "share_nobody", {"pool": night.chips.at(POOL)})
    shared = pool_shared(night, unit)
    if not shared.shares:
        raise Refusal("E_POOL", "share_too_small", {"pool": night.chips.at(POOL)})
    return (shared,)


# --- mistakes -----------------------------------------------------------------------------------------------


def _void(night: Night, words: Words) -> Caused:
    if not night.in_round:
        raise Refusal("E_PHASE", "no_round", {})
    last = night.rounds.last
    assert night.game is not None
    assert last is not None
    reason = printable(" ".join(word.text for word in words.words))
    words.words = []
    before = night.chips
    after = night.game.void(night.state, last.start).table.chips
    moves = as_moves(before.difference(after))
    voided = ledger.RoundVoided(len(night.rounds), reason, moves=moves)
    return (voided, *_queued_changes(night, (voided,)))


def _fix(night: Night, words: Words) -> Caused:
    words.take_options("round", "nth")
    old, new = words.card(), words.card()
    words.end()
    number = read_number(words.options["round"]) if "round" in words.options else None
    nth = read_number(words.options.get("nth", "1"))
    still_open(night)
    found = find_round(night, old, number)
    if found is None or old == new:
        raise Refusal(
            "E_FIX", "fix_same" if old == new else "fix_not_found", {"card": old, "round": number or 0}
        )
    record = night.rounds.numbered(found)
    if new.suit is None and not record.game.bare_ranks:
        raise Refusal("E_CARD", "card_without_suit", {"found": str(new.rank.label)})
    if not 1 <= nth <= mentions_of(record, old):
        raise Refusal("E_FIX", "fix_not_found", {"card": old, "round": found})
    done = rework(night, found, old, new, nth)
    fixed = (ledger.CardFixed(found, old, new, nth, moves=done.moves),)
    ends = night.in_round and night.game is not None and not night.game.in_round(done.state)
    return (*fixed, *_queued_changes(night, fixed)) if ends else fixed


TABLE_VERBS: Mapping[str, Callable[[Night, Words], Caused]] = {
    "night": _name_night,
    "game": _choose_game,
    "note": _note,
    "seat": _seat,
    "move": _move,
    "rename": _rename,
    "buy": _buy,
    "cashout": _cash_out,
    "sitout": _presence("sitout"),
    "back": _presence("back"),
    "leave": _go,
    "later": lambda night, words: later.queue(night, words, decide),
    "dealer": _dealer,
    "first": _first,
    "carry": _carry,
    "share": _share,
    "void": _void,
    "fix": _fix,
    **COUNT_VERBS,
    **CLOSE_VERBS,
    **MONEY_VERBS,
}
