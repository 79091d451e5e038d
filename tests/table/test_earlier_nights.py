"""Nights that an earlier version wrote, and files that hold what no version would write."""

import json
from dataclasses import replace
from typing import Any

import pytest

from assistant.store.base import NewEntry, NightDamaged
from assistant.store.memory import MemoryNight
from assistant.table.night_log import NightLog
from assistant.table.record import night_record

NEW_FIELDS = ("paid", "rack", "said", "how", "cash", "chips", "pool", "box")


def written_by(log: NightLog, events: Any) -> MemoryNight:
    """The same night with other events in its entries."""
    store = MemoryNight()
    for entry in log.store.entries():
        body = {**entry.body, "events": events(entry.body["events"])}
        fields = (entry.key, entry.at, entry.operator, entry.said_at, entry.reverses, entry.kind)
        store.append(NewEntry(*fields, body, entry.postings))
    return store


def test_night_of_the_first_version_plays_back_and_is_settled() -> None:
    """It knew neither cash nor a frozen plan; the plan is worked out when it is looked at."""
    log = NightLog(MemoryNight())
    for line in ("game red-dog-pool", "seat A 10", "seat B 10", "carry 7", "count A 10", "leave B", "close"):
        log.submit(line)

    def first_version(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
        kept = [event for event in events if event["type"] != "PlanFrozen"]
        return [{key: value for key, value in one.items() if key not in NEW_FIELDS} for one in kept]

    old = NightLog(written_by(log, first_version))
    assert old.night.books.plan is None
    assert night_record(old.night) == night_record(log.night)
    assert night_record(old.night)["settlement"] == [{"from": "carried", "to": "A", "amount": 7}]


def test_file_that_overdraws_a_stack_is_not_opened() -> None:
    """I2 at the start: the chain is whole and the postings balance, but somebody has less than nothing."""
    log = NightLog(MemoryNight())
    for line in ("seat A 10", "cashout A 10"):
        log.submit(line)
    store = MemoryNight()
    for entry in log.store.entries():
        text = json.dumps(entry.body)
        body = json.loads(text.replace('"amount": 10', '"amount": 15') if entry.seq == 2 else text)
        postings = tuple(
            replace(one, amount=one.amount * 15 // 10) if entry.seq == 2 else one for one in entry.postings
        )
        fields = (entry.key, entry.at, entry.operator, entry.said_at, entry.reverses, entry.kind)
        store.append(NewEntry(*fields, body, postings))
    assert store.verify().ok
    with pytest.raises(NightDamaged, match="stack:p1 would hold -5"):
        NightLog(store)
