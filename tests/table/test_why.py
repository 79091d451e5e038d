"""Every line of the plan can be explained by the entries behind it."""

from assistant.store.memory import MemoryNight
from assistant.table.night_log import NightLog
from assistant.table.why import reasons_for


def test_entries_that_make_up_what_somebody_owes() -> None:
    log = NightLog(MemoryNight())
    for line in (
        *("seat Ann 100 cash", "seat Bob 100", "buy Bob 1000", "reverse 3 typed 1000 for 100", "buy Bob 100"),
        *(
            "note nothing",
            "expense Ann 30 pizza",
            "lend Bob Ann 40",
            "buy Bob 5",
            "undo",
            "close",
            "pay 1 10",
        ),
    ):
        log.submit(line)
    found = [(one.number, one.line, one.amount, one.sum) for one in reasons_for(log, "p2")]
    assert found == [
        (2, "seat Bob 100", -100, -100),
        (3, "buy Bob 1000", -1000, -1100),
        (4, "reverse 3 typed 1000 for 100", 1000, -100),
        (5, "buy Bob 100", -100, -200),
        (7, "expense Ann 30 pizza", -15, -215),
        (8, "lend Bob Ann 40", 40, -175),
        (11, "close", 160, -15),
        (12, "pay 1 10", 10, -5),
    ]
    assert sum(one.amount for one in reasons_for(log, "p2")) == log.night.receivables()["p2"]
    assert [(one.line, one.amount) for one in reasons_for(log, "box")] == [("seat Ann 100 cash", -100)]


def test_pool_that_was_carried_in_explains_itself() -> None:
    log = NightLog(MemoryNight())
    for line in ("game red-dog-pool", "seat A 10", "seat B 10", "carry 7", "close"):
        log.submit(line)
    assert [(one.line, one.amount) for one in reasons_for(log, "carried")] == [("close", -7)]
