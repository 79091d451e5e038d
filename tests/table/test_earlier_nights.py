"""Nights that an earlier version wrote, and files that hold what no version would write."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from assistant.errors import Refusal
from assistant.ledger.accounts import Posting
from assistant.slips.text import render
from assistant.store.base import Entry, NewEntry, NightDamaged
from assistant.store.memory import MemoryNight
from assistant.table.night_book import night_book
from assistant.table.night_log import NightLog
from assistant.table.papers import count_slip
from assistant.table.record import night_record
from assistant.table.settling import settlement_slip
from assistant.table.speech import told_of, wording_of
from tests.table.talking import played

NEW_FIELDS = ("paid", "rack", "said", "how", "cash", "chips", "pool", "box")


def written_by(log: NightLog, events: Any, postings: Any = lambda entry: entry.postings) -> MemoryNight:
    """The same night with other events and postings in its entries."""
    store = MemoryNight()
    for entry in log.store.entries():
        body = {**entry.body, "events": events(entry.body["events"])}
        fields = (entry.key, entry.at, entry.operator, entry.said_at, entry.reverses, entry.kind)
        store.append(NewEntry(*fields, body, postings(entry)))
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
            one._replace(amount=one.amount * 15 // 10) if entry.seq == 2 else one for one in entry.postings
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


TOLD = {
    "accept A x close pay 1": ("PAID 80: box to A",),
    "reopen z reverse 5 found close": (
        "CLOSED: cash out every stack and settle",
        "NEW PLAN 2; the earlier one is replaced",
    ),
    "undo redo reverse 3 x": (
        "REVERSED #3 (seat): x",
        "TAKE 10.00 in chips: A",
        "TAKE 36.00 in cash, if it was paid: A",
        "GIVE BACK 50.00 USD in cash, if it was paid: A",
        "BOX -10.00",
    ),
    "later seat C 50 later seat С 50 void": ("VOID: every chip goes back", "PAY 5 to A", "PAY 5 to B"),
}
"""What a night's last line asks for, by its last three lines, where it is not a first close."""


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
    closed = ("CLOSED: cash out every stack and settle",)
    assert told_of(log.log[-1], wording_of(log.night)) == TOLD.get(" ".join(night["lines"][-3:]), closed)
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


def test_a_count_kept_earlier_says_nothing_of_a_rack_that_the_books_never_took() -> None:
    """It was accepted for the stacks; the rack was counted 400 short, and the books still say 1400."""
    log = played(
        "rack 100x1 100x5 40x25", "seat A 100", "seat B 100", "count A 90", "count B 100", "count rack 1000"
    )
    log.submit("accept equal")

    assert "Rack: taken as counted; nobody bears it." in render(count_slip(log, "x"), 80)

    def without_rack(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if events[0]["type"] != "DifferenceAccepted":
            return events
        moves = [move for move in events[0]["moves"] if move["source"] != "rack"]
        return [{**events[0], "moves": moves, "rack": []}]

    def postings(entry: Entry) -> tuple[Posting, ...]:
        if entry.kind != "accept":
            return entry.postings
        stacks = tuple(one for one in entry.postings if one.account.startswith("stack:"))
        return (*stacks, Posting("missing", "C", 10))

    old = NightLog(written_by(log, without_rack, postings))
    text = render(count_slip(old, "x"), 80)
    assert (old.night.held("rack"), "Rack" in text, "taken as counted" in text) == (1400, True, False)
