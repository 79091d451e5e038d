"""The state of a night: the people, the game, the rounds so far; and how each event changes it.

`evolve` never refuses: whatever it is given was decided before. A night is frozen, so that taking back a
line is going back to an earlier value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from assistant.games.base import (
    Action,
    Event,
    Game,
    GameState,
    RoundClosed,
    RoundOpened,
)
from assistant.games.card_table import Seat, Table
from assistant.games.variants import build_game
from assistant.holdings import HOUSE, POOL, Holdings, Move, bought_by, cashed_by
from assistant.ledger import events as ledger
from assistant.ledger.accounts import RACK
from assistant.ledger.books import Books, keep
from assistant.ledger.chipset import Denominations, worth
from assistant.ledger.events import LedgerEvent
from assistant.ledger.nodes import BOX
from assistant.ledger.receivable import due_from, net_of, receivables
from assistant.money import CHIPS, Amount, Currency
from assistant.records import replace
from assistant.table.fixing import rework
from assistant.table.rounds import Act, Round, Rounds
from assistant.talk import same_person

COUNTED_PLACES = (POOL, HOUSE, RACK, BOX)
"""What is counted besides the stacks: chips in the pool, in a bank with a float and in the rack, money in the
box."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who takes part in the night; `queued` is what happens when the round is over.

    Attributes:
        seated: Whether they have a chair now.
        was_seated: Whether they ever had one; a cashier or host may have none.
        has_left: Whether they went before the night was closed.
    """

    player: str
    name: str
    seated: bool = True
    queued: str = ""
    was_seated: bool = True
    has_left: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """Chips counted in front of a player who had `stack` by the ledger; `player` may be one of
    `COUNTED_PLACES`, and `chips` says how many of each denomination. `confirmed_by` is who looked on; empty
    while nobody did."""

    player: str
    amount: Amount
    stack: Amount
    chips: Denominations = ()
    confirmed_by: str = ""


@dataclass(frozen=True, slots=True)
class Closing:
    """How the night stood before its close, and what the close moved; for a night that is opened again."""

    state: GameState
    moves: tuple[Move, ...]
    rack: Denominations


@dataclass(frozen=True)
class Night:
    """Everything about a night at one moment.

    Attributes:
        currency: What chips are counted in: whole chips, or amounts of the money.
        money: What cash, dues and the settlement are counted in; the same unless a chip has a value.
        chip: What a chip is worth in smallest units of the money.
        people: Everybody who ever took part, in the order of their first seat.
        game: The game with its house rules; None before one is chosen.
        game_name: As it was given, in lower case.
        options: House rules as typed.
        state: The game's state; before a game is chosen just the table.
        rounds: All rounds, void ones too; round numbers count from 1.
        counts: What was counted, of players and places.
        books: Money, rack, terms and plan.
        counting: Whether a count goes on: no bets and no buy-ins until it ends.
        confirms: Whether a neighbour confirms each count of it.
        closing: What is needed to open a closed night again; None while it goes on.
        later: Lines that wait for the end of the round, in the order in which they were said.
    """

    name: str = ""
    currency: Currency = CHIPS
    money: Currency = CHIPS
    chip: Amount = 1
    language: str = "en"
    people: tuple[Person, ...] = ()
    game: Game | None = None
    game_name: str = ""
    options: tuple[tuple[str, str], ...] = ()
    state: GameState = field(default_factory=lambda: GameState(Table()))
    rounds: Rounds = field(default_factory=Rounds)
    counts: tuple[Count, ...] = ()
    lines: int = 0
    carried: Amount = 0
    closed: bool = False
    books: Books = field(default_factory=Books)
    counting: bool = False
    confirms: bool = True
    closing: Closing | None = None
    later: tuple[str, ...] = ()

    @property
    def table(self) -> Table:
        """Seats, dealer, chips and shoe."""
        return self.state.table

    @property
    def chips(self) -> Holdings:
        """Where every chip lies."""
        return self.state.table.chips

    @property
    def in_round(self) -> bool:
        """Whether a round is being played."""
        return self.game is not None and self.game.in_round(self.state)

    @property
    def dealer(self) -> str | None:
        """Who deals: the one named, else the first seated; nobody in the casino game."""
        if self.game is None or not self.game.rotates_deal:
            return None
        return self.table.dealer or (self.table.players[0] if self.table.players else None)

    def person(self, player: str) -> Person:
        """Somebody by id."""
        return next(person for person in self.people if person.player == player)

    def known_as(self) -> dict[str, str]:
        """Same-person key -> id of everybody with a chair."""
        return {same_person(person.name): person.player for person in self.people if person.seated}

    def names(self) -> dict[str, str]:
        """Id -> name of everybody ever seated."""
        return {person.player: person.name for person in self.people}

    def bought_in(self, player: str) -> Amount:
        """Chips a player bought this night."""
        return -self.chips.at(bought_by(player))

    def cashed_out(self, player: str) -> Amount:
        """Chips a player cashed this night."""
        return self.chips.at(cashed_by(player))

    def net(self, player: str) -> Amount:
        """Stack, bets and cash-outs less buy-ins, in chips."""
        return net_of(self.chips, player)

    @property
    def has_chip_value(self) -> bool:
        """Whether chips are counted in whole chips, and money in a currency."""
        return self.money != self.currency

    @property
    def bank_float(self) -> Amount:
        """What a banker who put up a float has in the bank: chips of their own, apart from the rack."""
        return self.chips.at(HOUSE) - self.table.house_base if self.table.has_float else 0

    @property
    def outside_sales(self) -> Amount:
        """Chips that were sold and not cashed, wherever they lie; below 0 where more were cashed."""
        return -sum(
            amount for place, amount in self.chips.places.items() if place.startswith(("in:", "out:"))
        )

    @property
    def in_rack(self) -> Amount:
        """Face value of what lies in the rack; 0 on a night without a set of chips.

        A house without a float of its own pays from the rack and takes into it, so that its result lies
        there too (plus or minus); the ledger keeps the two apart.
        """
        if not self.books.chipset:
            return 0
        house = self.chips.at(HOUSE) - self.bank_float
        return worth(self.books.chipset) - self.outside_sales + self.chips.at(RACK) + house

    @property
    def rack_chips(self) -> Denominations | None:
        """What lies in the rack by denomination; None where only the sum is known: nobody says with which
        chips the house won and lost."""
        return self.books.rack if worth(self.books.rack) == self.in_rack else None

    def due(self, player: str) -> Amount:
        """What a player owes the cashier (plus) or is owed (minus); chips in front of them don't count."""
        return due_from(self.chips, self.books.money, player, self.chip)

    def receivables(self) -> dict[str, Amount]:
        """What everybody gets or gives at the end, in seat order, who never had a chair behind them, then the
        nodes that aren't zero."""
        people = sorted(self.people, key=lambda person: not person.was_seated)
        players = [person.player for person in people]
        return receivables(self.chips, self.books.money, players, self.chip)

    def held(self, place: str) -> Amount:
        """What should lie in front of a player or at a place that is counted: chips, in the box money."""
        if place == BOX:
            return self.books.box
        if place == RACK:
            return self.in_rack
        if place == HOUSE:
            return self.bank_float
        return self.chips.at(POOL) if place == POOL else self.chips.stack(place)

    def standing_counts(self) -> tuple[Count, ...]:
        """Counts of players that still hold: one lapses when the stack changes or the player leaves."""
        seated = self.table.players
        return tuple(count for count in self._standing() if count.player in seated)

    def place_counts(self) -> tuple[Count, ...]:
        """Counts of pool, bank, rack and box that still hold."""
        return tuple(count for count in self._standing() if count.player in COUNTED_PLACES)

    def counted(self) -> dict[str, Count]:
        """The counts that still hold, by player or place."""
        return {one.player: one for one in (*self.standing_counts(), *self.place_counts())}

    def _standing(self) -> tuple[Count, ...]:
        places = (*self.table.players, *COUNTED_PLACES)
        return tuple(
            count
            for count in self.counts
            if count.player in places and self.held(count.player) == count.stack
        )


def evolve_act(night: Night, action: Action | None, events: Sequence[Event | LedgerEvent]) -> Night:
    """Return the night after one accepted line."""
    state, rounds = night.state, night.rounds
    # what was queued for the round's end comes behind the game's own events and is no part of the round
    caused = tuple([event for event in events if isinstance(event, Event)])
    assert night.game is not None or not caused
    if night.game is not None:
        for played in caused:
            state = night.game.evolve(state, played)
        if action is not None:
            rounds = _recorded(night, state, Act(action, caused))
    night = replace(night, state=state, rounds=rounds, lines=night.lines + 1)
    for event in events:
        if not isinstance(event, Event):
            night = evolve(night, event)
    if not night.counts:
        return night
    # a count lapses for good when the stack changes, even if the stack comes to the same again
    return replace(night, counts=(*night.standing_counts(), *night.place_counts()))


def _recorded(before: Night, state: GameState, act: Act) -> Rounds:
    """The rounds with an act kept in the one it belongs to, so that a card in it can be set right later."""
    assert before.game is not None
    rounds = before.rounds
    if any(isinstance(event, RoundOpened) for event in act.events):
        rounds = rounds.added(Round(before.game, before.state))
    elif not before.in_round:
        return rounds
    closed = any(isinstance(event, RoundClosed) for event in act.events)
    return rounds.with_last(act, state if closed else None)


def evolve(night: Night, event: Event | LedgerEvent) -> Night:
    """Return the night after an event."""
    if isinstance(event, Event):
        assert night.game is not None
        return replace(night, state=night.game.evolve(night.state, event))
    before = night.state
    if event.moves and not isinstance(event, ledger.RoundVoided | ledger.CardFixed):
        night = _with_table(night, replace(night.table, chips=night.chips.moved(event.moves)))
    if (books := keep(night.books, event)) is not night.books:
        night = replace(night, books=books)
    match event:
        case ledger.NightNamed():
            money = Currency.named(event.currency) if event.currency else CHIPS
            currency = CHIPS if event.chip else money
            night = replace(night, name=event.name, currency=currency, money=money, language=event.language)
            night = replace(night, chip=event.chip or 1)
            return _with_table(night, replace(night.table, currency=currency))
        case ledger.GameChosen():
            return _choose_game(night, event)
        case ledger.PlayerSeated() | ledger.PlayerMoved() | ledger.PlayerRenamed():
            return _evolve_seating(night, event)
        case ledger.PersonNamed():
            return _with_person(night, Person(event.player, event.name, seated=False, was_seated=False))
        case ledger.SatOut() | ledger.CameBack() | ledger.PlayerLeft() | ledger.ChangeQueued():
            return _evolve_presence(night, event)
        case ledger.LineQueued():
            return replace(night, later=(*night.later, event.line))
        case ledger.LineTaken():
            return replace(night, later=_without_first(night.later, event.line))
        case ledger.DealerNamed() | ledger.AceFound():
            return _with_table(night, replace(night.table, dealer=event.player))
        case ledger.RoundVoided():
            return _void(night)
        case ledger.CardFixed():
            return _fix(night, event)
        case ledger.Counted():
            counts = tuple(count for count in night.counts if count.player != event.player)
            new = Count(event.player, event.amount, event.stack, event.chips, event.confirmed_by)
            return replace(night, counts=(*counts, new))
        case ledger.CountStarted():
            return replace(night, counting=True, confirms=event.confirm)
        case ledger.CountStopped():
            return replace(night, counting=False)
        case ledger.CountConfirmed():
            confirmed = (
                replace(one, confirmed_by=event.by) if one.player == event.player else one
                for one in night.counts
            )
            return replace(night, counts=tuple(confirmed))
        case ledger.DifferenceAccepted():
            return replace(night, counts=(), counting=False)
        case ledger.NightClosed():
            return replace(_close(night, event), closing=Closing(before, event.moves, event.rack))
        case ledger.NightReopened():
            return _reopen(night)
        case _:
            return night


def _without_first(lines: tuple[str, ...], line: str) -> tuple[str, ...]:
    at = lines.index(line) if line in lines else len(lines)
    return (*lines[:at], *lines[at + 1 :])


def _with_table(night: Night, table: Table) -> Night:
    return replace(night, state=replace(night.state, table=table))


def _with_person(night: Night, person: Person) -> Night:
    others = tuple(person if other.player == person.player else other for other in night.people)
    if person not in others:
        others = (*night.people, person)
    return replace(night, people=others)


def _choose_game(night: Night, event: ledger.GameChosen) -> Night:
    game = build_game(event.name, dict(event.options), night.currency)
    shoe = night.table.shoe
    same = night.game is not None and night.game.name == game.name and shoe.decks == game.decks
    table = replace(night.table, shoe=shoe if same else shoe.shuffled(game.decks))
    return replace(
        night, game=game, game_name=event.name.lower(), options=event.options, state=game.start(table)
    )


def _seat_at(seats: tuple[Seat, ...], seat: Seat, after: str | None) -> tuple[Seat, ...]:
    players = [other.player for other in seats]
    place = players.index(after) + 1 if after in players else len(players)
    return (*seats[:place], seat, *seats[place:])


def _evolve_seating(
    night: Night, event: ledger.PlayerSeated | ledger.PlayerMoved | ledger.PlayerRenamed
) -> Night:
    table = night.table
    match event:
        case ledger.PlayerSeated():
            night = _with_person(night, Person(event.player, event.name))
            seats = _seat_at(table.seats, Seat(event.player), event.after)
            return _with_table(night, replace(table, seats=seats))
        case ledger.PlayerMoved():
            seat = next(seat for seat in table.seats if seat.player == event.player)
            others = tuple(other for other in table.seats if other.player != event.player)
            return _with_table(night, replace(table, seats=_seat_at(others, seat, event.after)))
        case ledger.PlayerRenamed():
            return _with_person(night, replace(night.person(event.player), name=event.name))


def _evolve_presence(
    night: Night, event: ledger.SatOut | ledger.CameBack | ledger.PlayerLeft | ledger.ChangeQueued
) -> Night:
    person = night.person(event.player)
    if isinstance(event, ledger.ChangeQueued):
        seated = next(seat for seat in night.table.seats if seat.player == event.player)
        stays = event.change == "back" and seated.plays  # nothing was left but to stay
        return _with_person(night, replace(person, queued="" if stays else event.change))
    left = isinstance(event, ledger.PlayerLeft)
    night = _with_person(night, replace(person, queued="", seated=not left, has_left=left))
    if night.game is not None and event.moves:
        night = replace(night, state=night.game.without_bets(night.state, event.player))
    table = night.table
    if isinstance(event, ledger.PlayerLeft):
        order = table.from_left_of(event.player)
        dealer = order[0] if table.dealer == event.player and len(order) > 1 else table.dealer
        seats = tuple(seat for seat in table.seats if seat.player != event.player)
        gone = table.banker == event.player
        table = replace(table, seats=seats, dealer=dealer if dealer != event.player else None)
        table = replace(table, banker=None, has_float=False) if gone else table
    else:
        plays = isinstance(event, ledger.CameBack)
        seats = tuple(
            replace(seat, plays=plays) if seat.player == event.player else seat for seat in table.seats
        )
        table = replace(table, seats=seats)
    return _with_table(night, table)


def _void(night: Night) -> Night:
    last = night.rounds.last
    assert last is not None
    state = last.game.void(night.state, last.start)
    rounds = night.rounds.with_round(len(night.rounds), replace(last, voided=True))
    return replace(night, state=state, rounds=rounds)


def _close(night: Night, event: ledger.NightClosed) -> Night:
    people = tuple(replace(person, seated=False, queued="") for person in night.people)
    table = replace(night.table, seats=(), dealer=None, banker=None, has_float=False)
    night = replace(
        night, people=people, counts=(), counting=False, later=(), carried=event.carried, closed=True
    )
    return _with_table(night, table)


def _reopen(night: Night) -> Night:
    """Everybody sits where they sat; the chips came back with the event."""
    assert night.closing is not None
    before, chips = night.closing.state, night.chips
    sat = before.table.players
    people = tuple(replace(person, seated=person.player in sat) for person in night.people)
    state = replace(before, table=replace(before.table, chips=chips))
    return replace(night, people=people, carried=0, closed=False, closing=None, state=state)


def _fix(night: Night, event: ledger.CardFixed) -> Night:
    done = rework(night, event.round, event.old, event.new, event.nth)
    return replace(night, state=done.state, rounds=done.rounds)
