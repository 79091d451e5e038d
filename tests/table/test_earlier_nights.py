"""Nights that an earlier version wrote, and files that hold what no version would write."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from assistant.errors import Refusal
from assistant.ledger.accounts import Posting
from assistant.slips.text import render
from assistant.store.base import NewEntry, NightDamaged
from assistant.store.memory import MemoryNight
from assistant.table.night_book import night_book
from assistant.table.night_log import NightLog
from assistant.table.record import night_record
from assistant.table.settling import settlement_slip
from assistant.table.speech import told_of, wording_of

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


def earlier_nights() -> list[dict[str, Any]]:
    """Nights as the program of 30 November 2026 kept them; it took lines that are refused today."""
    path = Path(__file__).parents[1] / "data" / "earlier_money.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("night", earlier_nights(), ids=lambda night: " ".join(night["lines"][-3:]))
def test_what_is_refused_today_and_was_kept_earlier_plays_back(night: dict[str, Any]) -> None:
    """A close with a rack that differs, a leave within a count, chips that are in no set: refusals are for
    new lines only, and the figures stay as they were."""
    store = MemoryNight()
    at = datetime(2026, 11, 28, 20, 0, tzinfo=UTC)
    for number, entry in enumerate(night["entries"]):
        postings = tuple(Posting(*one) for one in entry["postings"])
        reverses = tuple(entry["reverses"])
        new = NewEntry(f"k{number}", at, "op", None, reverses, entry["kind"], entry["body"], postings)
        store.append(new)
    log = NightLog(store)
    assert json.loads(json.dumps(night_record(log.night))) == night["record"]
    render(settlement_slip(log, "x"), 80)
    assert told_of(log.log[-1], wording_of(log.night)) is not None
    assert night_book(log, "x").results


def test_some_of_what_was_kept_earlier_is_refused_today() -> None:
    refused = 0
    for night in earlier_nights():
        log = NightLog(MemoryNight())
        for line in night["lines"]:
            try:
                log.submit(line)
            except Refusal:
                refused += 1
                break
    assert refused == 7
