"""What everybody has to get or to give: the one vector every settlement starts from (LEDGER.md 7.1).

A player gets what the cashier owes them: chips in front of them and on the layout, cash-outs less buy-ins,
and what money was paid. The cash box, the casino's result and a carried pool take part like players, so that
nights in cash, on IOUs and mixed ones are the same problem. The sum is always zero.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.holdings import BANK, CARRIED, HELD, HOUSE, MISSING, POOL, Holdings, bought_by, cashed_by
from assistant.ledger.accounts import CASHBOX, OVERSHORT, RACK, ROUNDING, due_of
from assistant.ledger.nodes import BOX
from assistant.money import Amount


def net_of(chips: Holdings, player: str) -> Amount:
    """What a player won, in chips: stack, bets and cash-outs less buy-ins."""
    return chips.stack(player) + chips.bet(player) + chips.at(cashed_by(player)) + chips.at(bought_by(player))


def due_from(chips: Holdings, money: Holdings, player: str, chip: Amount = 1) -> Amount:
    """What a player owes the cashier (plus) or is owed (minus); chips in front of them don't count yet."""
    return money.at(due_of(player)) - (chips.at(bought_by(player)) + chips.at(cashed_by(player))) * chip


def unfound(chips: Holdings) -> Amount:
    """Chips that players, pool or bank lack and nobody found, less what was found too much there.

    What the rack lacked was nobody's, so it costs nobody anything: its side of it is in the place ``rack``.
    """
    return chips.at(MISSING) + chips.at(RACK)


def surplus_unpaid(chips: Holdings, money: Holdings, chip: Amount = 1) -> Amount:
    """The money of surplus chips that whoever received them owes, until it is known who pays it.

    It stands beside the credits of a difference that is held open.
    """
    return chips.at(HELD) * chip - money.at(HELD)


def is_only_surplus(chips: Holdings, money: Holdings, chip: Amount = 1) -> bool:
    """Whether what nobody sold is all that the ledger and the table differ by."""
    surplus = surplus_unpaid(chips, money, chip)
    return surplus > 0 and unfound(chips) * chip + surplus == 0 and not chips.at(HELD)


def house_result(chips: Holdings) -> Amount:
    """What the house has: the casino's result, a float put up, and what nobody bears of missing chips."""
    return chips.at(HOUSE) + unfound(chips) + chips.at(HELD)


def node_results(chips: Holdings) -> dict[str, Amount]:
    """What the night brought the house, and the pool that was carried in or out, in chips; those that aren't
    zero."""
    # a bank that is put up counts as a pool: it is nobody's until the deal is over
    common = chips.at(POOL) + chips.at(BANK) + chips.at(CARRIED)
    results = {HOUSE: house_result(chips), CARRIED: common}
    return {node: amount for node, amount in results.items() if amount}


def is_only_missing(chips: Holdings, money: Holdings) -> bool:
    """Whether what would be the house's is no bank's result: only chips that nobody found, or an accepted
    difference of the box. Without a casino's bank nobody is the house."""
    missing = unfound(chips) or chips.at(HELD) or money.at(OVERSHORT)
    return not chips.at(HOUSE) and bool(missing)


def stays_in_box(chips: Holdings, money: Holdings, chip: Amount = 1) -> Amount:
    """The money that is nobody's and stays in the box when all is paid: of missing chips, and of a difference
    of the box that nobody bears, until they are found.

    Nothing where a casino's bank is the house. What too many chips would bring somebody the box has not; it
    is open until somebody knows who pays it.
    """
    return 0 if chips.at(HOUSE) else max(0, _of_the_house(chips, money, chip))


def _of_the_house(chips: Holdings, money: Holdings, chip: Amount) -> Amount:
    # what is held open is credited already, so nobody gets it twice
    return house_result(chips) * chip - money.at(OVERSHORT) - money.at(HELD) - money.at(due_of(HOUSE))


def receivables(
    chips: Holdings, money: Holdings, players: Sequence[str], chip: Amount = 1
) -> dict[str, Amount]:
    """Return what everybody gets (plus) or gives (minus) in money, in seat order, then the nodes that aren't
    zero.

    Args:
        chips: Where the chips lie.
        money: What money moved besides buy-ins and cash-outs.
        players: Everybody who ever took part, in seat order.
        chip: What a chip is worth.
    """
    found = {player: net_of(chips, player) * chip - money.at(due_of(player)) for player in players}
    carried = node_results(chips).get(CARRIED, 0)
    stays = stays_in_box(chips, money, chip)
    nodes = {
        HOUSE: _of_the_house(chips, money, chip) - stays,
        CARRIED: carried * chip - money.at(due_of(CARRIED)),
        BOX: stays - money.at(CASHBOX) - money.at(ROUNDING),
    }
    return found | {node: amount for node, amount in nodes.items() if amount}
