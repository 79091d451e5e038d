"""What every game is: frozen state, actions, events, `decide` and `evolve`, and what it tells the dealer.

A game knows only what is turned, shown or said at a real table (RULES.md 1.9): face-down hands stay unknown.
Rules are functions over frozen data; cards, time and randomness come from outside.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic

from typing_extensions import TypeVar

from assistant.cards import Card, Shoe
from assistant.errors import Refusal
from assistant.games.card_table import Table
from assistant.holdings import POOL, Move, bet_of, stack_of
from assistant.money import Amount, Currency
from assistant.records import replace
from assistant.talk import Words


class IllegalAction(Refusal):
    """The rules refuse an action; nothing has changed. The code is the first that applies (RULES.md 1.5)."""


# --- the state ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shown:
    """A card lying face up in this round, and what it is there for."""

    card: Card
    role: str
    player: str | None = None


POST, THIRD, TURNED, BURNED, EXPOSED, HAND = "post", "third", "turned", "burned", "exposed", "hand"
# Cards too high for a target; three cards for all punters; an open card of the market, and one that was taken
# from it; a tie-break draw.
PASSED_OVER, SHARED, MARKET, TAKEN, TIE_BREAK = "passed", "shared", "market", "taken", "tie-break"


@dataclass(frozen=True)
class GameState:
    """The state every game shares; a game adds its own fields.

    Attributes:
        table: Seats, dealer, chips and shoe.
        phase: Name of the waiting state in RULES.md.
        board: Cards face up in this round (the last one's until the next begins), in order.
    """

    table: Table
    phase: str = ""
    board: tuple[Shown, ...] = ()

    def cards(self, role: str) -> tuple[Card, ...]:
        """The cards on the board with a role."""
        return tuple(shown.card for shown in self.board if shown.role == role)


# --- actions and events -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Action:
    """What the dealer says happened at the table."""


@dataclass(frozen=True)
class Bet(Action):
    """A player bets an amount."""

    player: str
    amount: Amount


@dataclass(frozen=True)
class TurnCards(Action):
    """Cards turned from the deck, in order; each goes where the game needs it."""

    cards: tuple[Card, ...]


@dataclass(frozen=True)
class ExposeCard(Action):
    """The top card was exposed by accident and is discarded."""

    card: Card


@dataclass(frozen=True)
class Shuffle(Action):
    """A fresh deck or shoe; in a round, the discards become the stock."""

    decks: int | None = None


@dataclass(frozen=True)
class Mispay(Action):
    """A payment by mistake: ``paid-in``, ``overpaid`` or ``underpaid``."""

    kind: str
    player: str
    amount: Amount


@dataclass(frozen=True)
class Correct(Action):
    """A wrong payment is taken back in time."""

    player: str


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened; `moves` are the chips that went with it."""

    moves: tuple[Move, ...] = ()


@dataclass(frozen=True)
class RoundOpened(Event):
    """A round began; home games take the antes (`moves`) and a fresh deck."""

    players: tuple[str, ...] = ()
    dealer: str | None = None


@dataclass(frozen=True)
class RoundClosed(Event):
    """A round is over; the deal passes to `next_dealer`."""

    next_dealer: str | None = None


@dataclass(frozen=True)
class CardTurned(Event):
    """A card was seen."""

    card: Card
    role: str
    player: str | None = None


@dataclass(frozen=True)
class Shuffled(Event):
    """The deck or shoe was shuffled; `in_round` means the discards became the stock.

    Attributes:
        keep: Cards that stay out of the new stock.
        missing: Cards of the old deck that were never seen, where they are few enough to be named.
    """

    decks: int
    in_round: bool = False
    keep: tuple[Card, ...] = ()
    missing: tuple[Card, ...] = ()


@dataclass(frozen=True)
class Mispaid(Event):
    """Chips went astray between a player and the pool or house."""

    kind: str
    player: str
    amount: Amount


@dataclass(frozen=True)
class Corrected(Event):
    """A wrong payment went back."""

    player: str
    amount: Amount


@dataclass(frozen=True)
class BetSettled(Event):
    """A bet was decided.

    Attributes:
        result: ``win``, ``lose`` or ``push``.
        stake: What lay on the layout.
        paid: What the player receives on top of the stake (win), else 0.
    """

    player: str
    result: str
    stake: Amount
    paid: Amount = 0


# --- what the dealer is told --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that may be said now: a verb, for whom, and between which amounts or with how many cards."""

    verb: str
    player: str | None = None
    low: Amount | None = None
    high: Amount | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardsDue:
    """Which cards the table expects now, for the sources: how many at least and most, and in what role."""

    role: str
    low: int
    high: int
    player: str | None = None


@dataclass(frozen=True)
class Prompt:
    """What the game waits for.

    Attributes:
        do: Key of the sentence that says what the dealer does now.
        say: Key of the sentence the dealer says aloud; empty for none.
        facts: What both name.
        player: Whose decision is awaited; None while cards or shows are.
        due: The cards a source may deliver now.
        choices: What is legal now.
    """

    do: str
    say: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)
    player: str | None = None
    due: CardsDue | None = None
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class OddsLine:
    """Something worth knowing about the odds of the moment: the key of its sentence, and what it names."""

    key: str
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Option:
    """A house rule: its name, default as typed, and the values it may take.

    Attributes:
        read: Word and currency -> value; raises Refusal E_OPTION or E_AMOUNT.
        values: The words that are legal, for messages and the set-up screen; empty for numbers.
        span: The smallest and the largest number, such as ``1-8``; empty where it has no end.
    """

    name: str
    default: str
    read: Callable[[str, Currency], object]
    values: tuple[str, ...] = ()
    span: str = ""


Reader = Callable[[Words], Action]


State = TypeVar("State", bound=GameState, default=Any)
"""The state of one game. Whoever holds some game or other says `Game` alone."""


class Game(ABC, Generic[State]):
    """One game of the family. Rules are the values of its options.

    A new game is one module with a subclass of this and one line in `variants`; it names its own state, as
    ``class Pool(Game[PoolState])``. Whoever holds some game or other says `Game` alone.

    Attributes:
        name: As in ``game NAME``.
        options: Its house rules.
        verbs: Verb of table talk -> what reads the rest of the line.
        action_types: Actions of its own, for the night file.
        event_types: Events of its own, for the night file.
        bare_ranks: Whether suits don't matter, so that a rank alone is a card.
        rotates_deal: Whether the players deal in turn.
        deals_face_down: Whether there are hidden hands; a shoe's cards are then named only when due.
        names_cards_again: Whether a later line names a card that lies there already (taken, then shown).
        common_chips: What everybody bets against, ``pool pot bank``, and where it lies; None for the house.
        deck_names: What its cards are called, where not as usual (key of a table in `assistant.wording`).
    """

    name: ClassVar[str]
    options: ClassVar[tuple[Option, ...]]
    verbs: ClassVar[Mapping[str, Reader]]
    event_types: ClassVar[tuple[type, ...]]
    action_types: ClassVar[tuple[type, ...]]
    bare_ranks: ClassVar[bool] = False
    rotates_deal: ClassVar[bool] = True
    deals_face_down: ClassVar[bool] = True
    names_cards_again: ClassVar[bool] = False
    common_chips: ClassVar[tuple[str, str] | None] = ("pool", POOL)
    deck_names: ClassVar[str] = ""

    def __init__(self, rules: object) -> None:
        self.rules = rules

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.name, self.rules) == (other.name, other.rules)

    def __hash__(self) -> int:
        return hash((self.name, self.rules))

    @property
    def decks(self) -> int:
        """Decks the game is played with."""
        return 1

    @property
    def has_pool(self) -> bool:
        """Whether chips lie in a common pool or pot, which then outlives the round."""
        return self.common_chips is not None and self.common_chips[1] == POOL

    @classmethod
    @abstractmethod
    def with_options(cls, values: Mapping[str, object]) -> Game:
        """Return the game with the values of its options.

        Raises:
            Refusal: E_CONFIG for values that can't go together.
        """

    @abstractmethod
    def start(self, table: Table) -> State:
        """Return the state between rounds at this table."""

    @abstractmethod
    def decide(self, state: State, action: Action) -> tuple[Event, ...]:
        """Say what an action causes.

        Raises:
            IllegalAction: The game is not waiting for this action.
        """

    def automatic(self, state: State) -> tuple[Event, ...]:
        """What happens by itself in a state; nothing once somebody must act."""
        return ()

    @abstractmethod
    def evolve(self, state: State, event: Event) -> State:
        """Return the state after an event that was already decided; never refuses."""

    @abstractmethod
    def prompt(self, state: State) -> Prompt:
        """Say what the game waits for now."""

    @abstractmethod
    def in_round(self, state: State) -> bool:
        """Whether a round is being played."""

    @abstractmethod
    def turn(self, state: State) -> str | None:
        """Whose decision is awaited; None while cards or shows are."""

    def legal_actions(self, state: State) -> tuple[Choice, ...]:
        """Exactly what `decide` accepts now."""
        return (*self.prompt(state).choices, *self.unasked(state))

    def unasked(self, state: State) -> tuple[Choice, ...]:
        """What `decide` accepts beside what the prompt offers: mistakes to own up to, rare acts."""
        return ()

    def reserved(self, state: State) -> Amount:
        """Chips of the pool or bank that would pay the bets on the table."""
        return 0

    def pots(self, state: State) -> tuple[tuple[Amount, tuple[str, ...]], ...]:
        """The pool by who can win it, the main pot first; empty where everybody bets against all of it."""
        return ()

    def banker(self, state: State) -> str | None:
        """Which player banks the round, between rounds the next one; None where nobody does."""
        return None

    def players_of_round(self, state: State) -> tuple[str, ...]:
        """Who was dealt in when the round began; nobody between rounds, nor where bets say who plays."""
        return ()

    def folded(self, state: State) -> tuple[str, ...]:
        """Who has thrown the hand in while others play on for the same pot."""
        return ()

    def void(self, state: State, start: State) -> State:
        """Return the state after the round was called off: chips as before it, cards stay seen."""
        table = replace(start.table, shoe=state.table.shoe)
        return replace(start, table=table, board=())

    def chips_back(self, state: State) -> tuple[Move, ...]:
        """Chips on the layout between rounds that go back to their players when the table turns to something
        else."""
        return tuple(
            Move(bet_of(player), stack_of(player), state.table.chips.bet(player))
            for player in state.table.players
            if state.table.chips.bet(player)
        )

    def without_bets(self, state: State, player: str) -> State:
        """Return the state after a player's chips went back (only games with bets between rounds care)."""
        return state

    def marker(self, state: State) -> str | None:
        """The field the marker stands on, where there is one."""
        return None

    def layout(self) -> tuple[tuple[str, int | None], ...]:
        """Fields of the layout, left to right, with their odds to one (None: a tie); empty without a
        layout."""
        return ()

    def odds(self, state: State) -> tuple[OddsLine, ...]:
        """The exact odds of the moment from what everybody sees; nothing where there are none."""
        return ()

    def cards_left(self, state: State) -> int:
        """Cards still to come off the deck or shoe; those in hidden hands are not among them."""
        return state.table.shoe.cards_left

    def shuffle_due(self, state: State) -> bool:
        """Whether the cut card is out and the dealer should shuffle before the next round."""
        return False


def run(game: Game[State], state: State, events: Sequence[Event]) -> State:
    """Return the state after several events."""
    for event in events:
        state = game.evolve(state, event)
    return state


def until_someone_acts(game: Game[State], state: State, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return events that were decided in `state`, and everything that then happens by itself."""
    more = events
    while more:
        state = run(game, state, more)
        more = game.automatic(state)
        events += more
    return events


def turn_each(
    game: Game[State],
    state: State,
    cards: Sequence[Card],
    turn_one: Callable[[State, Card], tuple[Event, ...]],
) -> tuple[Event, ...]:
    """Return what several cards cause that were turned in this order; all of them, or a refusal.

    Raises:
        IllegalAction: What `turn_one` raises; E_PHASE for more cards than were due.
    """
    events: tuple[Event, ...] = ()
    for place, card in enumerate(cards):
        try:
            more = turn_one(state, card)
        except IllegalAction as refusal:
            if place and refusal.reason == "card_not_due":
                facts = {"found": len(cards), "due": place}
                raise IllegalAction("E_PHASE", "cards_too_many", facts) from refusal
            raise
        state = run(game, state, more)
        events += more
    return events


def evolve_common(state: State, event: Event) -> State:
    """Apply what all events share: the chips, and the cards that are seen."""
    table = replace(state.table, chips=state.table.chips.moved(event.moves)) if event.moves else state.table
    board = state.board
    match event:
        case CardTurned():
            table = replace(table, shoe=table.shoe.see([event.card]))
            board = (*board, Shown(event.card, event.role, event.player))
        case Shuffled():
            shoe = table.shoe.shuffled(event.decks)
            table = replace(table, shoe=replace(shoe, seen=event.keep))
        case RoundOpened() if event.dealer:
            table = replace(table, dealer=event.dealer)
        case RoundClosed() if event.next_dealer:
            table = replace(table, dealer=event.next_dealer)
        case _:
            pass
    if isinstance(event, RoundOpened):
        board = ()
    if table is state.table and board is state.board:  # most events: a copy costs more than all else here
        return state
    return replace(state, table=table, board=board)


MISSING_NAMED = 8
"""At the end of a deck whose every card is turned, at most so many that were not seen are named."""


def missing_cards(shoe: Shoe) -> tuple[Card, ...]:
    """The cards of a deck that were never seen; nothing while too many are left for that to mean much."""
    return shoe.missing() if shoe.cards_left <= MISSING_NAMED else ()


def replace_card(action: Action, old: Card, new: Card, nth: int | None) -> Action:
    """Return the action with its `nth` (from 1) mention of `old` replaced, or every one; for `fix`."""
    count = 0

    def swap(card: Card) -> Card:
        nonlocal count
        count += card == old
        return new if card == old and nth in (None, count) else card

    match action:
        case TurnCards():
            return replace(action, cards=tuple(swap(card) for card in action.cards))
        case ExposeCard():
            return replace(action, card=swap(action.card))
        case _ if isinstance(cards := getattr(action, "cards", None), tuple):
            return replace(action, cards=tuple(swap(card) for card in cards))  # type: ignore[call-arg]
        case _:
            return action


def cards_in(action: Action) -> tuple[Card, ...]:
    """The cards an action names, in order."""
    if isinstance(action, ExposeCard):
        return (action.card,)
    cards = getattr(action, "cards", ())
    return cards if isinstance(cards, tuple) else ()
