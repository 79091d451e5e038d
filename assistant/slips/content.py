"""What stands on a slip, before anybody decides how wide the paper is.

Times and days are text as they are to be read; amounts are whole smallest units.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.ledger.plan import PLAYERS
from assistant.money import CHIPS, Amount, Currency

SETTLEMENT, BUY_IN, COUNT, RULES = "settlement", "buy-in", "count", "rules"
KINDS = (SETTLEMENT, BUY_IN, COUNT, RULES)
"""The slips of one night."""
STANDINGS = "standings"
"""Of a season and no night's."""


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """One player's night.

    Attributes:
        settles: What the plan settles for them, plus for what they receive, where that differs from the net:
            rounded, or part of it was paid in cash. None where it is the net.
        exact: The same before it was rounded; None where nothing was.
        left: Whether they left before the end with a result that is not settled.
    """

    name: str
    bought_in: Amount
    cashed_out: Amount
    net: Amount
    settles: Amount | None = None
    left: bool = False
    exact: Amount | None = None


@dataclass(frozen=True, slots=True)
class NodeRow:
    """The house's result, the pool carried in or out, the box; left out where zero.

    `node` is one of `assistant.ledger.nodes`; `settles` and `exact` are as for a player.
    """

    node: str
    net: Amount
    settles: Amount | None = None
    exact: Amount | None = None


@dataclass(frozen=True, slots=True)
class Payment:
    """Who pays whom: names of players, or one of `assistant.ledger.nodes`; `paid` is what was paid of it."""

    payer: str
    payee: str
    amount: Amount
    paid: Amount = 0


@dataclass(frozen=True, slots=True)
class ChipCount:
    """Chips counted at the end, and what the ledger says should be there; in the box it is money."""

    counted: Amount
    ledger: Amount

    @property
    def difference(self) -> Amount:
        """Counted less ledger."""
        return self.counted - self.ledger


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
        count: Stacks and pool; None where nobody counted.
        pool: Of that the pool, where it was counted.
        rack: Chips in the rack, where they were counted.
        box: Money in the box, where it was counted.
        corrections: One phrase each, made by `assistant.wording`.
        verified: Whether the night's chain was checked and is whole.
        currency: What amounts are in.
        chip: What a chip is worth, where chips are counted in chips; else 0.
        differs: Whose chips differ from the ledger (counted less ledger), where all differences cancel.
        accepted: How that was accepted: a policy, or who bears it; empty where nothing was.
        copy: 1 for the first print; a later one is marked.
        mode: One of `assistant.ledger.plan.MODES`.
        hub: Who everybody settles with in the modes ``cashier`` (may be empty) and ``hub``.
        settle_unit: What payments are rounded to; 1 is exact.
        replaces: Number of the plan that this one replaces; 0 for none.
        stored: What the night's file is called, for checking it later; empty where there is none.
        besides: What counted besides chips, one phrase each: cash, shared costs, tips, earlier payments.
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
    mode: str = PLAYERS
    hub: str = ""
    settle_unit: Amount = 1
    replaces: int = 0
    stored: str = ""
    besides: tuple[str, ...] = ()
    pool: ChipCount | None = None
    rack: ChipCount | None = None
    box: ChipCount | None = None
    chip: Amount = 0
    differs: tuple[tuple[str, Amount], ...] = ()
    accepted: str = ""

    @property
    def chips(self) -> Currency:
        """What chips are counted in."""
        return CHIPS if self.chip else self.currency

    @property
    def is_rounded(self) -> bool:
        """Whether the plan settles other amounts than the exact ones."""
        return any(exact is not None for exact, _net in self._exact())

    @property
    def net_is_exact(self) -> bool:
        """Whether what everybody has to get is their net: nothing but the game is settled."""
        return all(exact in (None, net) for exact, net in self._exact())

    def _exact(self) -> list[tuple[Amount | None, Amount]]:
        rows = [(one.exact, one.net) for one in self.players]
        return rows + [(one.exact, one.net) for one in self.nodes]


@dataclass(frozen=True, slots=True)
class BuyInSlip:
    """A receipt for chips that were bought.

    Attributes:
        night: Name of the night.
        time: Local time of the buy-in.
        player: Who bought.
        amount: How much.
        bought_in: All they bought this night, this buy-in with it.
        entry: The entry's number.
        head: The entry's seal.
        how: ``cash``, ``iou`` or ``transfer``.
        chips: The chips handed out, as pairs of value and number; empty where nobody wrote that down.
        said_at: Local time at which it happened, where it was entered late; else empty.
        currency: What amounts are in.
        copy: 1 for the first print.
        chip: What a chip is worth, where chips are counted in chips; else 0.
        foreign: Cash of another currency as it was taken: ``50.00 USD``; else empty.
        rate: What one of it counted as.
        value: What all of it counted as; what that is more than `amount` was handed back.
    """

    night: str
    time: str
    player: str
    amount: Amount
    bought_in: Amount
    entry: int
    head: str
    how: str = ""
    chips: tuple[tuple[Amount, int], ...] = ()
    said_at: str = ""
    currency: Currency = CHIPS
    copy: int = 1
    chip: Amount = 0
    foreign: str = ""
    rate: str = ""
    value: Amount = 0

    @property
    def change(self) -> Amount:
        """What was handed back of the cash that was taken."""
        return self.value - self.amount if self.foreign else 0


@dataclass(frozen=True, slots=True)
class CountRow:
    """One player's chips: by the ledger, and as counted; None where nobody counted.

    `confirmed_by` is the neighbour who confirmed the count; empty where nobody did.
    """

    name: str
    ledger: Amount
    counted: Amount | None
    confirmed_by: str = ""

    @property
    def difference(self) -> Amount:
        """Counted less ledger; 0 where nobody counted."""
        return 0 if self.counted is None else self.counted - self.ledger


@dataclass(frozen=True, slots=True)
class Denomination:
    """Chips of one value: how many the set has, and how many were found."""

    value: Amount
    in_set: int
    found: int


@dataclass(frozen=True, slots=True)
class CountSlip:
    """A count of the chips, and what the table decided about a difference.

    Attributes:
        night: Name of the night.
        time: Local time of the count.
        rows: The players in seat order, then the pool.
        denominations: Those that were counted; the slip shows those that differ.
        policy: How the difference is borne: ``equal``, ``winners``, ``losers``, a player's name, or empty
            while nothing was decided.
        shares: What each gets (plus) or bears (minus) of the chips.
        box_shares: The same of the money in the box.
        reason: As the dealer typed it.
        agreed: Who agreed.
        entries: Entries of the night so far.
        head: The last entry's seal; empty on a draft.
        currency: What chips are counted in.
        copy: 1 for the first print.
        rack: Chips in the rack, where they were counted; no part of the sum, for nobody bears them.
        box: Money in the box, where it was counted.
        money: What the box is counted in; None where it is the same.
        takes_rack: Whether what was accepted took the rack as it was counted; earlier versions did not.
    """

    night: str
    time: str
    rows: tuple[CountRow, ...]
    denominations: tuple[Denomination, ...] = ()
    policy: str = ""
    shares: tuple[tuple[str, Amount], ...] = ()
    reason: str = ""
    agreed: tuple[str, ...] = ()
    entries: int = 0
    head: str = ""
    currency: Currency = CHIPS
    copy: int = 1
    rack: CountRow | None = None
    box: CountRow | None = None
    money: Currency | None = None
    box_shares: tuple[tuple[str, Amount], ...] = ()
    takes_rack: bool = False

    @property
    def cash(self) -> Currency:
        """What money is counted in."""
        return self.money or self.currency

    @property
    def difference(self) -> Amount:
        """Counted less ledger of stacks and pool, over those that were counted."""
        return sum(row.difference for row in self.rows)


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One person over many nights.

    Attributes:
        name: As first written.
        nights: How many nights they played.
        bought_in: All they bought.
        net: Their result of the game.
        besides: What came to it: shared costs, tips, differences of the box, rounding.
        best: Best night.
        worst: Worst night.
        course: Their result after each night of the season, for the chart; carried on where they were away.
    """

    name: str
    nights: int
    bought_in: Amount
    net: Amount
    best: Amount
    worst: Amount
    course: tuple[Amount, ...] = ()
    besides: Amount = 0

    @property
    def in_all(self) -> Amount:
        """The result of the game and what came to it."""
        return self.net + self.besides


@dataclass(frozen=True, slots=True)
class StandingsSlip:
    """Standings over many nights.

    Attributes:
        rows: Best first.
        first: Day of the first night.
        last: Day of the last night.
        nights: How many nights.
        days: Their days, for the chart; as many as each row's course has values.
        currency: What amounts are in.
        skipped: Nights left out (another currency, damaged), by name.
        others: What nobody of them won or lost: the house, a carried pool, missing chips.
    """

    rows: tuple[StandingRow, ...]
    first: str
    last: str
    nights: int
    days: tuple[str, ...] = ()
    currency: Currency = CHIPS
    skipped: tuple[str, ...] = ()
    others: tuple[tuple[str, Amount], ...] = ()


@dataclass(frozen=True, slots=True)
class RulesSlip:
    """The rules a night is played by, to lie on the table.

    Attributes:
        game: The game's name as people say it.
        points: How it is played, a sentence each.
        options: House rules as name and value.
        changed: Names of those that are not the game's defaults.
        payouts: What pays how much, as two phrases; empty where the game has no pay table.
        night: Name of the night; empty for a sheet that is none's.
        currency: What amounts are in.
    """

    game: str
    points: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    changed: frozenset[str] = frozenset()
    payouts: tuple[tuple[str, str], ...] = ()
    night: str = ""
    currency: Currency = CHIPS


Slip = SettlementSlip | BuyInSlip | CountSlip | StandingsSlip | RulesSlip
