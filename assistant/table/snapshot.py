"""What screens see of the running table: frozen values, words already in the dealer's language.

A screen renders a `TableSnapshot` and posts lines of table talk; it holds no rule and no sum.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from assistant.cards import Card
from assistant.games.base import CardsDue, Choice
from assistant.money import Amount, Currency


@dataclass(frozen=True, slots=True)
class SeatView:
    """One chair.

    Attributes:
        player: The player's id; stable over the night.
        name: As first written (or renamed). User text: never markup.
        stack: Chips in front of them.
        bet: Chips on the layout.
        net: Stack, bets and cash-outs less buy-ins.
        is_turn: Whether their decision is awaited.
        note: Short words such as "sits out", "leaves after this round", "banks the game"; empty for none.
        result: What the last round brought them; None before there was one.
    """

    player: str
    name: str
    stack: Amount
    bet: Amount
    net: Amount
    is_dealer: bool = False
    is_turn: bool = False
    plays: bool = True
    note: str = ""
    result: Amount | None = None


@dataclass(frozen=True, slots=True)
class BoardCard:
    """A card face up, what it is there for, and where its reading came from.

    Attributes:
        role: ``post third turned burned exposed hand``.
        role_label: The role in the dealer's language.
        source: ``typed`` or the source's name.
        confidence: 0..1; 1 for typed cards.
    """

    card: Card
    role: str
    role_label: str
    player: str | None = None
    source: str = "typed"
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class LayoutField:
    """A field of the casino layout: its label, the payout printed under it, and whether the marker stands on
    it."""

    name: str
    label: str
    payout: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class LogLine:
    """An accepted line for the log: its entry number, local time, words, and what came of it.

    Attributes:
        state: ``done``, or ``undone`` for a line that was taken back (struck through, never removed).
        origin: ``typed`` or the source's name.
    """

    number: int
    time: str
    text: str
    told: tuple[str, ...] = ()
    state: str = "done"
    origin: str = "typed"


@dataclass(frozen=True, slots=True)
class TransferView:
    """One payment of the settlement, with names."""

    payer: str
    payee: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class TableSnapshot:
    """Everything the console shows of the table at one moment.

    Attributes:
        duty: One line: what the dealer does now. Starts with a verb.
        say: What to announce aloud; empty for nothing.
        told: What the last accepted line asks the dealer to pay, collect or announce.
        choices: What is legal now; the keys follow from it.
        due: The cards that a source may deliver now.
        unit: Name of what amounts are counted in ("chips", "EUR").
        pool_label: "pool" or "pot"; empty where the game has none.
        cards_left: Cards not seen of the deck or shoe in use.
        entries: Entries in the night file; `head` is the first twelve digits of the chain's head.
        conserved: Whether all chips add up (they must; shown so that it can be seen).
    """

    night: str
    currency: Currency
    unit: str
    game: str | None
    game_label: str
    rules: tuple[tuple[str, str], ...]
    phase: str
    round_number: int
    in_round: bool
    closed: bool
    seats: tuple[SeatView, ...]
    duty: str
    say: str
    told: tuple[str, ...]
    choices: tuple[Choice, ...]
    due: CardsDue | None
    board: tuple[BoardCard, ...]
    layout: tuple[LayoutField, ...]
    pool: Amount
    pool_label: str
    house: Amount
    banker: str | None
    decks: int
    cards_left: int
    shuffle_due: bool
    log: tuple[LogLine, ...]
    settlement: tuple[TransferView, ...] = ()
    carried: Amount = 0
    entries: int = 0
    head: str = ""
    conserved: bool = True
    chips: tuple[Amount, ...] = field(default=())
