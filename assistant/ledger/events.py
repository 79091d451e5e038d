"""What happens to the night and its money outside the rules of any game.

Every event is frozen and in the past tense; `moves` are the chips that went with it, `paid` is the money, and
`rack` what came to the rack by denomination (negative: left it). Nothing is ever edited: a mistake is
answered by another event.
"""

from __future__ import annotations

from dataclasses import dataclass

from assistant.cards import Card
from assistant.holdings import Move
from assistant.ledger.accounts import RACK
from assistant.ledger.chipset import Denominations
from assistant.ledger.exchange import Foreign
from assistant.ledger.plan import Terms
from assistant.money import Amount

CASH, IOU, TRANSFER = "cash", "iou", "transfer"
DUE = "due"
AS_COUNTED = "count"
"""Each bears their own difference: the count holds."""
HELD_OPEN = "open"
"""The policy of a difference that nobody bears until it is found."""


@dataclass(frozen=True, kw_only=True)
class LedgerEvent:
    """The base of all events here.

    Attributes:
        moves: Chips that changed places.
        paid: Money that changed places, besides what a buy-in and a cash-out owe.
        rack: Chips that came to the rack by denomination (negative: left it).
        said: When it happened at the table, ``21:40``, where it was entered late.
    """

    moves: tuple[Move, ...] = ()
    paid: tuple[Move, ...] = ()
    rack: Denominations = ()
    said: str = ""


@dataclass(frozen=True)
class NightNamed(LedgerEvent):
    """The night got its name, currency (empty for chips) and language.

    Attributes:
        chip: What a chip is worth, in smallest units of the currency; then chips are counted in whole chips.
            0 where chips bear amounts of the currency themselves.
    """

    name: str
    currency: str = ""
    language: str = "en"
    chip: Amount = 0


@dataclass(frozen=True)
class GameChosen(LedgerEvent):
    """A game was chosen; chips on a layout went back.

    `options` are all its house rules, the defaults of the day too, so that a later version of the program
    plays this night by the same rules.
    """

    name: str
    options: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class PlayerSeated(LedgerEvent):
    """A player took a chair: left of `after`, or left of the last player."""

    player: str
    name: str
    after: str | None = None


@dataclass(frozen=True)
class PlayerMoved(LedgerEvent):
    """A player changed chairs."""

    player: str
    after: str


@dataclass(frozen=True)
class PlayerRenamed(LedgerEvent):
    """A player is called something else from now on."""

    player: str
    name: str


@dataclass(frozen=True)
class BoughtIn(LedgerEvent):
    """Chips were bought: in cash, on an IOU (settled at the end of the night), or by a transfer to the
    cashier, who answers for it.

    Attributes:
        amount: In chips.
        foreign: The cash of another currency that was taken for it; what it is worth more than the chips was
            handed back as change.
    """

    player: str
    amount: Amount
    how: str = IOU
    foreign: Foreign | None = None


@dataclass(frozen=True)
class CashedOut(LedgerEvent):
    """Chips were cashed; `cash` (money) was paid out at once, the rest is due."""

    player: str
    amount: Amount
    cash: Amount = 0


@dataclass(frozen=True)
class SatOut(LedgerEvent):
    """A player sits out, chair kept."""

    player: str


@dataclass(frozen=True)
class CameBack(LedgerEvent):
    """A player plays again."""

    player: str


@dataclass(frozen=True)
class PlayerLeft(LedgerEvent):
    """A player cashed out and left the chair; `cash` was paid out at once, the rest is due."""

    player: str
    amount: Amount
    cash: Amount = 0


@dataclass(frozen=True)
class ChangeQueued(LedgerEvent):
    """Said during a round, done when it is over: ``sitout``, ``leave`` or ``back``; the last one counts."""

    player: str
    change: str


@dataclass(frozen=True)
class LineQueued(LedgerEvent):
    """Said during a round for when it is over: then `line` is entered as a line of its own."""

    line: str


@dataclass(frozen=True)
class LineTaken(LedgerEvent):
    """A line that waited was entered, or waits no longer."""

    line: str


@dataclass(frozen=True)
class DealerNamed(LedgerEvent):
    """Who deals next."""

    player: str


@dataclass(frozen=True)
class AceFound(LedgerEvent):
    """Cards were dealt round until the first ace, which made `player` the dealer."""

    cards: tuple[Card, ...]
    player: str


@dataclass(frozen=True)
class PoolCarriedIn(LedgerEvent):
    """A pool left from an earlier night."""

    amount: Amount


@dataclass(frozen=True)
class PoolShared(LedgerEvent):
    """The pool was divided among the seated."""

    shares: tuple[tuple[str, Amount], ...]


@dataclass(frozen=True)
class RoundVoided(LedgerEvent):
    """A round was called off; every chip went back."""

    round: int
    reason: str = ""


@dataclass(frozen=True)
class CardFixed(LedgerEvent):
    """A card was recorded wrong: round `round` was worked out again with `new` for the `nth` `old`."""

    round: int
    old: Card
    new: Card
    nth: int = 1


@dataclass(frozen=True)
class Counted(LedgerEvent):
    """Chips were counted in front of a player, who had `stack` by the ledger; no chips move.

    Attributes:
        player: A player's id, or ``pool``, ``rack`` or ``box`` (where it is money).
        chips: By denomination, where they were counted so.
        confirmed_by: Who looked on; empty where nobody was named.
    """

    player: str
    amount: Amount
    stack: Amount
    chips: Denominations = ()
    confirmed_by: str = ""


@dataclass(frozen=True)
class DifferenceAccepted(LedgerEvent):
    """The counted differences were booked by a policy; `shares` is what each player bears (negative:
    receives), `pool` and `box` what is missing there, `agreed` who was asked and said yes."""

    policy: str
    shares: tuple[tuple[str, Amount], ...]
    reason: str = ""
    pool: Amount = 0
    box: Amount = 0
    agreed: tuple[str, ...] = ()

    @property
    def takes_rack(self) -> bool:
        """Whether it took the rack as it was counted."""
        return any(RACK in (move.source, move.target) for move in self.moves)


@dataclass(frozen=True)
class NightClosed(LedgerEvent):
    """The night is over: every stack was cashed out; `carried` stays in the pool for another night."""

    carried: Amount = 0


@dataclass(frozen=True)
class NightReopened(LedgerEvent):
    """A closed night goes on; what was paid meanwhile stays paid."""

    reason: str


# --- money and the rack -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PersonNamed(LedgerEvent):
    """Somebody without a chair takes part in the money: a cashier or a host."""

    player: str
    name: str


@dataclass(frozen=True)
class CashierNamed(LedgerEvent):
    """Who keeps the cash box and the rack from now on, and what they took over by the ledger."""

    player: str
    box: Amount = 0
    rack_worth: Amount = 0


@dataclass(frozen=True)
class CashRuleSet(LedgerEvent):
    """How buy-ins (``cash`` or ``iou``) and cash-outs (``cash`` or ``due``) are paid where a line does not
    say."""

    buys: str
    pays: str


@dataclass(frozen=True)
class FloatPutIn(LedgerEvent):
    """Cash of somebody's own was put into the box so that there is change."""

    player: str
    amount: Amount


@dataclass(frozen=True)
class Paid(LedgerEvent):
    """Money was paid: an IOU or a cash-out that was due, or after the close a line of the plan.

    Attributes:
        payer: A player's id or a node.
        plan: Number of the plan it belongs to; 0 before there was one.
        method: How, where it was said.
    """

    payer: str
    payee: str
    amount: Amount
    plan: int = 0
    method: str = ""


@dataclass(frozen=True)
class ChipsLent(LedgerEvent):
    """A player gave chips to another; both sides are settled with everything else."""

    lender: str
    borrower: str
    amount: Amount


@dataclass(frozen=True)
class ExpenseShared(LedgerEvent):
    """`payer` (a player, or ``box``) paid something for several; `shares` is what each bears."""

    payer: str
    amount: Amount
    shares: tuple[tuple[str, Amount], ...]
    what: str = ""


@dataclass(frozen=True)
class TipsAllowed(LedgerEvent):
    """Tips go to this person from now on; empty: no tips are taken."""

    player: str


@dataclass(frozen=True)
class Tipped(LedgerEvent):
    """A player gave chips as a tip; they go back to the rack, the money is due to whom they are for."""

    player: str
    to: str
    amount: Amount


@dataclass(frozen=True)
class ChipSetLoaded(LedgerEvent):
    """The set of chips was counted into the rack."""

    chips: Denominations


@dataclass(frozen=True)
class ChipsChanged(LedgerEvent):
    """A player (or the ``pool``) changed chips for others of the same worth."""

    player: str
    given: Denominations
    got: Denominations


@dataclass(frozen=True)
class TermsChosen(LedgerEvent):
    """How the night is settled."""

    terms: Terms


@dataclass(frozen=True)
class PlanFrozen(LedgerEvent):
    """A plan of payments was made and doesn't change any more; it replaces an earlier one.

    Attributes:
        number: Counts from 1.
        lines: (payer, payee, amount) in the order in which they are paid.
        exact: What everybody had to get before rounding; empty where nothing was rounded.
    """

    number: int
    mode: str
    hub: str
    unit: Amount
    minimal: bool
    lines: tuple[tuple[str, str, Amount], ...]
    exact: tuple[tuple[str, Amount], ...] = ()


@dataclass(frozen=True)
class Reversed(LedgerEvent):
    """An earlier entry was taken back by a counter-entry.

    Attributes:
        entry: Its number.
        kind: Its verb.
        payment: Of a payment of a plan: payer, payee, amount and the number of the plan.
    """

    entry: int
    kind: str
    reason: str
    payment: tuple[tuple[str, str, Amount, int], ...] = ()


@dataclass(frozen=True)
class CountStarted(LedgerEvent):
    """The count began: no bets and no buy-ins until it ends. `confirm`: a neighbour confirms each count."""

    confirm: bool = True


@dataclass(frozen=True)
class CountStopped(LedgerEvent):
    """The count was left off and play goes on; what was counted stands until the stacks change."""


@dataclass(frozen=True)
class CountConfirmed(LedgerEvent):
    """Somebody else than the owner confirmed a count; `player` may be ``pool``, ``rack`` or ``box``."""

    player: str
    by: str


@dataclass(frozen=True)
class Noted(LedgerEvent):
    """A remark in the log."""

    text: str


EVENT_TYPES: tuple[type, ...] = (
    NightNamed,
    GameChosen,
    PlayerSeated,
    PlayerMoved,
    PlayerRenamed,
    BoughtIn,
    CashedOut,
    SatOut,
    CameBack,
    PlayerLeft,
    ChangeQueued,
    LineQueued,
    LineTaken,
    DealerNamed,
    AceFound,
    PoolCarriedIn,
    PoolShared,
    RoundVoided,
    CardFixed,
    Counted,
    DifferenceAccepted,
    NightClosed,
    Noted,
    NightReopened,
    PersonNamed,
    CashierNamed,
    CashRuleSet,
    FloatPutIn,
    Paid,
    ChipsLent,
    ExpenseShared,
    TipsAllowed,
    Tipped,
    ChipSetLoaded,
    ChipsChanged,
    TermsChosen,
    PlanFrozen,
    Reversed,
    CountStarted,
    CountStopped,
    CountConfirmed,
)
