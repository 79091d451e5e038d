"""Full garbage collections wait for a still moment; what can be written later is."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest

from assistant.console.collecting import ENOUGH, STILL_S, Collector
from assistant.console.desk import Desk
from assistant.store.memory import MemoryNight
from assistant.table.session import TableSession


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture(autouse=True)
def collector_of_python() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


def fill() -> list[list[int]]:
    """So many new objects that a full collection is worth its while, old enough for one."""
    made: list[list[int]] = [[at] for at in range(2 * ENOUGH)]
    gc.collect(1)
    return made


def test_no_full_collection_comes_by_itself() -> None:
    Collector(Clock())
    before = gc.get_stats()[2]["collections"]
    kept = [[[at] for at in range(1000)] for _ in range(300)]
    assert gc.get_stats()[2]["collections"] == before
    assert len(kept) == 300


def test_it_collects_once_the_table_has_been_still_for_three_seconds() -> None:
    clock = Clock()
    collector, kept = Collector(clock), fill()
    clock.now_s += STILL_S - 0.1
    assert not collector.look()
    collector.moved()
    clock.now_s += STILL_S - 0.1
    assert not collector.look()
    clock.now_s += 0.1
    assert collector.look()
    assert gc.get_freeze_count() > len(kept)


def test_what_was_looked_through_is_not_looked_through_again() -> None:
    clock = Clock()
    collector, kept = Collector(clock), fill()
    clock.now_s += STILL_S
    assert collector.look()
    assert not collector.look()
    kept += fill()
    assert collector.look()


async def test_work_behind_the_table_is_done_before_the_night_is_closed_and_may_fail(
    caplog: pytest.LogCaptureFixture,
) -> None:
    desk, go, done = Desk(lambda: TableSession(MemoryNight())), threading.Event(), []

    def fail() -> None:
        raise OSError(28, "No space left on device")

    await desk.open()
    desk.later(fail)
    desk.later(lambda: done.append(go.wait(10)))
    go.set()
    await desk.close()
    assert done == [True]
    assert "work behind the table failed" in caplog.text
