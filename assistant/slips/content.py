"""What stands on a slip, before anybody decides how wide the paper is."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.money import CHIPS, Amount, Currency

HOUSE_NODE = "house"
CARRIED_NODE = "carried"
NODES = (HOUSE_NODE, CARRIED_NODE)
"""Partners of a payment that are no players; no player can be called so."""


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player's night."""

    name: str
    bought_in: Amount
    cashed_out: Amount
    net: Amount


@dataclass(frozen=True, slots=True)
class NodeRow:
    """The house's result or the pool carried in or out, by one of `NODES`; left out where it is zero."""

    node: str
    net: Amount


@dataclass(frozen=True, slots=True)
class Payment:
    """Who pays whom: names of players, or one of `NODES`."""

    payer: str
    payee: str
    amount: Amount


@dataclass(frozen=True, slots=True)
class ChipCount:
    """Chips counted at the end, and what the ledger says should be there."""

    counted: Amount
    ledger: Amount


@dataclass(frozen=True, slots=True)
class SettlementSlip:
    """The end of a night, or how it stands while it goes on.

    Attributes:
        night: Name of the night.
        opened: Local time at which it began, as it is to be read: ``20:05``.
        closed: Local time at which it was closed; empty while it goes on.
        players: Everybody ever seated, in seat order.
        payments: In the order of the plan.
        entries: How many entries the night has.
        head: The last entry's seal, hex digits.
        nodes: Those whose result isn't zero.
        minimal: Whether fewer payments are proved impossible.
        count: None where nobody counted.
        corrections: One phrase each, made by `assistant.wording`.
        verified: Whether the night's chain was checked and is whole.
        currency: What amounts are in.
        copy: 1 for the first print; a later one is marked.
    """

    night: str
    opened: str
    closed: str
    players: tuple[PlayerRow, ...]
    payments: tuple[Payment, ...]
    entries: int
    head: str
    nodes: tuple[NodeRow, ...] = ()
    minimal: bool = True
    count: ChipCount | None = None
    corrections: tuple[str, ...] = ()
    verified: bool = True
    currency: Currency = CHIPS
    copy: int = 1
