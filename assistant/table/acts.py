"""Lines that belong to no game: what each verb of the night causes; and handing a game its own verbs.

`decide` says what a line causes, or refuses it; it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from assistant.cards import Shoe
from assistant.errors import Refusal
from assistant.games.base import Action, Event, RoundClosed, Shuffle, bank_back, cards_in
from assistant.games.variants import build_game, is_game_verb
from assistant.holdings import (
    CARRIED,
    HOUSE,
    MISSING,
    POOL,
    Holdings,
    Move,
    as_moves,
    bet_of,
    bought_by,
    cashed_by,
    stack_of,
)
from assistant.ledger import events as ledger
from assistant.ledger.events import LedgerEvent
from assistant.money import Amount, Currency, share_by_weight, share_equally
from assistant.table.fixing import find_round, rework
from assistant.table.night import Night, evolve
from assistant.talk import (
    Command,
    Words,
    clean_name,
    clean_title,
    printable,
    read_all,
    read_number,
    same_person,
    skeleton,
)

LANGUAGES = ("en", "ru")
POLICIES = ("equal", "winners", "losers")
RESERVED_VERBS = frozenset(["iou", "lend", "expense", "tip", "float", "cashier", "pay", "reverse", "change"])

Caused = tuple[Event | LedgerEvent, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """What an accepted line causes; `action` is set for a game's own verbs."""

    action: Action | None
    events: Caused


def decide(night: Night, command: Command) -> Decision:
    """Say what a line causes (all but ``undo`` and ``redo``, which are the session's).

    Raises:
        Refusal: With the code of table talk.
    """
    words = _words_for(night, command)
    act = TABLE_VERBS.get(command.verb)
    if act is not None:
        return Decision(None, act(night, words))
    if command.verb == "shuffle":
        words.take_options("decks")
        read_all(words, lambda rest: None)
        return _decide_game(night, Shuffle(_decks(words.options.get("decks"))))
    if night.game is not None and command.verb in night.game.verbs:
        return _decide_game(night, read_all(words, night.game.verbs[command.verb]))
    if is_game_verb(command.verb):
        raise Refusal("E_PHASE", "other_game" if night.game else "no_game", {"verb": command.verb})
    raise Refusal(
        "E_VERB", "verb_reserved" if command.verb in RESERVED_VERBS else "", {"found": command.verb}
    )


def _words_for(night: Night, command: Command) -> Words:
    bare = night.game.bare_ranks if night.game else False
    if command.verb == "fix":
        bare = True
    return Words(list(command.words), night.known_as(), night.currency, bare, command.rest)


def _decide_game(night: Night, action: Action) -> Decision:
    if night.closed:
        raise Refusal("E_PHASE", "night_closed", {})
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


# --- checks -------------------------------------------------------------------------------------------------


def _between_rounds(night: Night) -> None:
    if night.closed:
        raise Refusal("E_PHASE", "night_closed", {})
    if night.in_round:
        raise Refusal("E_PHASE", "round_runs", {})


def _no_chips_on_layout(night: Night, player: str) -> None:
    _between_rounds(night)
    if night.chips.bet(player):
        raise Refusal("E_PHASE", "chips_on_layout", {"player": player, "bet": night.chips.bet(player)})


def _positive(amount: Amount) -> Amount:
    if amount < 1:
        raise Refusal("E_AMOUNT", "amount_zero", {"found": amount})
    return amount


# --- the night and the game ---------------------------------------------------------------------------------


def _name_night(night: Night, words: Words) -> Caused:
    words.take_options("currency", "language")
    name = clean_title(words.text())
    words.end()
    if night.lines:
        raise Refusal("E_PHASE", "night_first", {})
    language = words.options.get("language", "en").lower()
    if language not in LANGUAGES:
        facts = {"name": "language", "found": language, "legal": ", ".join(LANGUAGES)}
        raise Refusal("E_OPTION", "option_value", facts)
    code = words.options.get("currency", "")
    currency = Currency.named(code).code if code else ""
    return (ledger.NightNamed(name, currency, language),)


def _choose_game(night: Night, words: Words) -> Caused:
    words.take_options()
    name = words.text()
    words.end()
    game = build_game(name, words.options, night.currency)
    _between_rounds(night)
    if night.chips.at(POOL) and not game.has_pool:
        raise Refusal("E_POOL", "pool_left_over", {"pool": night.chips.at(POOL)})
    options = tuple((one.name, words.options.get(one.name, one.default)) for one in game.options)
    return (ledger.GameChosen(name.lower(), options, moves=_layout_back(night)),)


def _layout_back(night: Night) -> tuple[Move, ...]:
    return night.game.chips_back(night.state) if night.game else ()


def _note(night: Night, words: Words) -> Caused:
    if night.closed:
        raise Refusal("E_PHASE", "night_closed", {})
    return (ledger.Noted(printable(words.rest)),)


# --- people -------------------------------------------------------------------------------------------------


def _seat(night: Night, words: Words) -> Caused:
    words.take_options("after")
    name = clean_name(words.text())
    amount = _positive(words.amount()) if words.more else None
    words.end()
    after = words.player_named(words.options["after"]) if "after" in words.options else None
    _between_rounds_after(night, lambda: _check_new_name(night, name))
    known = {same_person(person.name): person.player for person in night.people}
    player = known.get(same_person(name), f"p{len(night.people) + 1}")
    first = night.person(player).name if same_person(name) in known else name
    seated: Caused = (ledger.PlayerSeated(player, first, after),)
    return (*seated, _buy_in(player, amount)) if amount is not None else seated


def _between_rounds_after(night: Night, check: Callable[[], None]) -> None:
    """What cannot be read is refused before the moment is (TABLE_TALK.md, "Refusals")."""
    check()
    _between_rounds(night)


def _check_new_name(night: Night, name: str, renamed: str | None = None) -> None:
    for person in night.people:
        if person.player == renamed:
            continue
        same = same_person(person.name) == same_person(name)
        if same and (person.seated or renamed):
            raise Refusal("E_PLAYER", "name_taken", {"found": name})
        if not same and skeleton(person.name) == skeleton(name):
            raise Refusal("E_PLAYER", "name_lookalike", {"found": name, "player": person.player})


def _move(night: Night, words: Words) -> Caused:
    words.take_options("after")
    player = words.player()
    words.end()
    if "after" not in words.options:
        raise Refusal("E_ARGS", "argument_missing", {})
    after = words.player_named(words.options["after"])
    if after == player:
        raise Refusal("E_PLAYER", "after_self", {"player": player})
    _between_rounds(night)
    return (ledger.PlayerMoved(player, after),)


def _rename(night: Night, words: Words) -> Caused:
    player = words.player()
    name = clean_name(words.text())
    words.end()
    _check_new_name(night, name, renamed=player)
    _between_rounds(night)
    return (ledger.PlayerRenamed(player, name),)


def _buy_in(player: str, amount: Amount) -> ledger.BoughtIn:
    return ledger.BoughtIn(player, amount, moves=(Move(bought_by(player), stack_of(player), amount),))


def _buy(night: Night, words: Words) -> Caused:
    player, amount = words.player(), _positive(words.amount())
    words.end()
    _no_chips_on_layout(night, player)
    return (_buy_in(player, amount),)


def _cash_out(night: Night, words: Words) -> Caused:
    player, typed = words.player(), words.optional_amount()
    words.end()
    if typed is not None:
        _positive(typed)
    _no_chips_on_layout(night, player)
    stack = night.chips.stack(player)
    amount = stack if typed is None else typed
    if amount > stack:
        raise Refusal("E_STACK", "", {"player": player, "found": amount, "stack": stack})
    moves = (Move(stack_of(player), cashed_by(player), amount),) if amount else ()
    return (ledger.CashedOut(player, amount, moves=moves),)


def _presence(change: str) -> Callable[[Night, Words], Caused]:
    def act(night: Night, words: Words) -> Caused:
        player = words.player()
        words.end()
        if night.closed:
            raise Refusal("E_PHASE", "night_closed", {})
        if night.in_round:
            return (ledger.ChangeQueued(player, change),)
        return (_CHANGES[change](night, player),)

    return act


def _bet_back(chips: Holdings, player: str) -> tuple[Move, ...]:
    return (Move(bet_of(player), stack_of(player), chips.bet(player)),) if chips.bet(player) else ()


def _sit_out(night: Night, player: str) -> ledger.SatOut:
    return ledger.SatOut(player, moves=_bet_back(night.chips, player))


def _leave(night: Night, player: str) -> ledger.PlayerLeft:
    moves = _bet_back(night.chips, player)
    if night.table.banker == player:
        moves = (*moves, *bank_back(night.table))
    amount = night.chips.moved(moves).stack(player)
    out = (Move(stack_of(player), cashed_by(player), amount),) if amount else ()
    return ledger.PlayerLeft(player, amount, moves=(*moves, *out))


def _come_back(night: Night, player: str) -> ledger.CameBack:
    return ledger.CameBack(player)


_CHANGES: Mapping[str, Callable[[Night, str], LedgerEvent]] = {
    "sitout": _sit_out,
    "back": _come_back,
    "leave": _leave,
}


def _dealer(night: Night, words: Words) -> Caused:
    player = words.player()
    words.end()
    _between_rounds(night)
    return (ledger.DealerNamed(player),)


def _first(night: Night, words: Words) -> Caused:
    cards = words.cards()
    Shoe().see(cards)
    place = next((index for index, card in enumerate(cards) if card.rank.letter == "A"), None)
    if place is None:
        raise Refusal("E_CARD", "no_ace", {})
    _between_rounds(night)
    players = night.table.players
    if not players:
        raise Refusal("E_PLAYERS", "nobody_seated", {})
    return (ledger.AceFound(cards, players[place % len(players)]),)


# --- the pool -----------------------------------------------------------------------------------------------


def _carry(night: Night, words: Words) -> Caused:
    amount = _positive(words.amount())
    words.end()
    _between_rounds(night)
    if night.game is None or not night.game.has_pool:
        raise Refusal("E_POOL", "no_pool_game", {})
    return (ledger.PoolCarriedIn(amount, moves=(Move(CARRIED, POOL, amount),)),)


def _share(night: Night, words: Words) -> Caused:
    words.end()
    _between_rounds(night)
    if not night.chips.at(POOL):
        raise Refusal("E_POOL", "pool_empty", {})
    if not night.table.players:
        raise Refusal("E_POOL", "share_nobody", {"pool": night.chips.at(POOL)})
    return (_share_pool(night),)


def _share_pool(night: Night) -> ledger.PoolShared:
    dealer = night.table.dealer or (night.table.players[0] if night.table.players else None)
    shares = share_equally(night.chips.at(POOL), night.table.from_left_of(dealer))
    shares = {player: share for player, share in shares.items() if share}
    moves = tuple(Move(POOL, stack_of(player), share) for player, share in shares.items())
    return ledger.PoolShared(tuple(shares.items()), moves=moves)


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
    if night.closed:
        raise Refusal("E_PHASE", "night_closed", {})
    found = find_round(night, old, number)
    if found is None or old == new:
        raise Refusal(
            "E_FIX", "fix_same" if old == new else "fix_not_found", {"card": old, "round": number or 0}
        )
    record = night.rounds.numbered(found)
    if new.suit is None and not record.game.bare_ranks:
        raise Refusal("E_CARD", "card_without_suit", {"found": str(new.rank.label)})
    mentions = sum(card == old for act in record.acts for card in cards_in(act.action))
    if not 1 <= nth <= mentions:
        raise Refusal("E_FIX", "fix_not_found", {"card": old, "round": found})
    done = rework(night, found, old, new, nth)
    return (ledger.CardFixed(found, old, new, nth, moves=done.moves),)


# --- the end of the night -----------------------------------------------------------------------------------


def _count(night: Night, words: Words) -> Caused:
    player, amount = words.player(), words.amount()
    words.end()
    _no_chips_on_layout(night, player)
    return (ledger.Counted(player, amount, night.chips.stack(player)),)


def _accept(night: Night, words: Words) -> Caused:
    policy = words.text()
    reason = printable(" ".join(word.text for word in words.words))
    words.words = []
    key = policy.lower()
    named = None if key in POLICIES else night.known_as().get(same_person(policy))
    if key not in POLICIES and named is None:
        raise Refusal("E_ARGS", "policy_unknown", {"found": policy})
    _between_rounds(night)
    counts = night.standing_counts()
    if not any(count.amount != count.stack for count in counts):
        raise Refusal("E_COUNT", "nothing_to_accept", {})
    missing = sum(count.stack - count.amount for count in counts)
    shares = _bear(night, key if named is None else "", named, missing)
    moves = tuple(
        Move(stack_of(player), MISSING, share) if share > 0 else Move(MISSING, stack_of(player), -share)
        for player, share in shares.items()
        if share
    )
    for player, share in shares.items():
        if share > night.chips.stack(player):
            facts = {"player": player, "found": share, "stack": night.chips.stack(player)}
            raise Refusal("E_STACK", "stack_to_bear", facts)
    policy = key if named is None else night.person(named).name
    return (ledger.DifferenceAccepted(policy, tuple(shares.items()), reason, moves=moves),)


def _bear(night: Night, policy: str, named: str | None, missing: Amount) -> dict[str, Amount]:
    """What each player bears of the missing chips (negative: receives of the surplus)."""
    if missing == 0:
        return {}
    sign, total = (1, missing) if missing > 0 else (-1, -missing)
    if named is not None:
        return {named: missing}
    dealer = night.table.dealer or night.table.players[0]
    order = night.table.from_left_of(dealer)
    if policy == "equal":
        return {player: sign * share for player, share in share_equally(total, order).items()}
    side = 1 if policy == "winners" else -1
    weights = {player: side * night.net(player) for player in order if side * night.net(player) > 0}
    if not weights:
        raise Refusal("E_COUNT", "nobody_to_bear", {"policy": policy})
    return {player: sign * share for player, share in share_by_weight(total, weights).items()}


def _close(night: Night, words: Words) -> Caused:
    words.take_options("pool")
    words.end()
    pool = words.options.get("pool", "share").lower()
    if pool not in ("share", "carry"):
        raise Refusal("E_OPTION", "option_value", {"name": "pool", "found": pool, "legal": "share, carry"})
    _between_rounds(night)
    wrong = [count for count in night.standing_counts() if count.amount != count.stack]
    if wrong:
        first = wrong[0]
        facts = {
            "player": first.player,
            "found": first.amount,
            "stack": first.stack,
            "difference": first.amount - first.stack,
        }
        raise Refusal("E_COUNT", "", facts)
    events: list[LedgerEvent] = []
    if night.chips.at(POOL) and pool == "share":
        if not night.table.players:  # never carried without being asked
            raise Refusal("E_POOL", "close_nobody", {"pool": night.chips.at(POOL)})
        shared = _share_pool(night)
        events.append(shared)
    return (*events, _closing(night, events))


def _closing(night: Night, events: Sequence[LedgerEvent]) -> ledger.NightClosed:
    """Chips on the layout and the banker's float go back, then every stack is cashed out."""
    moves = (*_layout_back(night), *bank_back(night.table))
    chips = night.chips.moved(move for event in events for move in event.moves).moved(moves)
    out = tuple(
        Move(stack_of(player), cashed_by(player), chips.stack(player))
        for player in night.table.players
        if chips.stack(player)
    )
    return ledger.NightClosed(chips.at(POOL), moves=(*moves, *out))


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
    "leave": _presence("leave"),
    "dealer": _dealer,
    "first": _first,
    "carry": _carry,
    "share": _share,
    "void": _void,
    "fix": _fix,
    "count": _count,
    "accept": _accept,
    "close": _close,
}


def settlement_nets(night: Night) -> dict[str, Amount]:
    """Nets of everybody, then of the nodes ``house`` and ``carried`` where they are not zero; the sum is
    zero."""
    nets = {person.player: night.net(person.player) for person in night.people}
    nodes = {
        "house": night.chips.at(HOUSE) + night.chips.at(MISSING),
        "carried": night.chips.at(POOL) + night.chips.at(CARRIED),
    }
    return nets | {node: amount for node, amount in nodes.items() if amount}
