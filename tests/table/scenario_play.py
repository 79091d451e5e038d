"""What the scenarios of LEDGER.md chapter 9 share: the set of chips, the games, and who gets what by name.

Where each of the 32 is: 1, 5 to 11 `test_scenarios_play`; 2 to 4, 20 to 22, 26, 27
`test_scenarios_settling`; 12 to 16 `test_scenarios_corrections`; 17, 19 `test_scenarios_count`; 18
`test_scenarios_rounding` and tests/slips/test_rounded; 23, 30, 31 `test_scenarios_record` (30 also
tests/test_cards, 23 tests/store/test_kill and test_power_cut); 24 tests/store/test_guards and
test_opening; 25 tests/store/test_sqlite and test_session; 28 tests/slips/test_escpos and test_text,
tests/export, tests/console/test_hostile_text; 29 tests/slips/test_text and test_other_slips; 32
tests/export/test_accounting.
"""

from assistant.ledger.plan import FrozenPlan
from assistant.table.night_log import NightLog
from tests.table.talking import submit

SET = "rack 100x1 100x5 40x25 10x100"


ACEY = "game acey-deucey-pot ante=5 max_laps=1"


BANK = "game casino-red-dog decks=8 max=1000"


def loses(log: NightLog, loser: str, amount: int, winner: str) -> None:
    """A bet of casino Red Dog that the winner banks."""
    submit(log, "shuffle", f"house {winner}", f"bet {loser} {amount}", "card 2H 9S")
    submit(log, f"call {loser}", "card KD", f"house {winner}")


def pool(log: NightLog) -> int:
    return log.night.chips.at("pool")


def received(log: NightLog) -> dict[str, int]:
    """What everybody gets, by name; those who get nothing are left out."""
    names = log.night.names()
    return {names.get(who, who): amount for who, amount in log.night.receivables().items() if amount}


def plan_of(log: NightLog) -> FrozenPlan:
    plan = log.night.books.plan
    assert plan is not None
    return plan


def payments(log: NightLog) -> list[tuple[str, str, int]]:
    names = log.night.names()
    return [
        (names.get(one.payer, one.payer), names.get(one.payee, one.payee), one.amount)
        for one in plan_of(log).lines
    ]


def pay_everything(log: NightLog) -> None:
    """The plan is paid line by line, into the box before out of it."""
    for number, line in sorted(enumerate(plan_of(log).lines, 1), key=lambda one: one[1].payer == "box"):
        if line.open:
            log.submit(f"pay {number}")
