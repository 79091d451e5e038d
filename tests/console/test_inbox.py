"""Events are taken in once they are there; a flood is taken by the armful and does not bury the dealer."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from assistant.cards import FULL_DECK
from assistant.console.inbox import FLOOD, MOST_AT_ONCE, Inbox
from assistant.table.session import MOST_EARLY
from drivers.base import EventKind, SourceEvent

Open = Callable[..., AbstractAsyncContextManager[Any]]


def event(number: int) -> SourceEvent:
    return SourceEvent(EventKind.CARD, "shoe", 0.0, card=FULL_DECK[number % 52], confidence=1.0, seq=number)


def test_the_reader_is_woken_once_and_takes_all_in_order() -> None:
    woken, clock = [0], [0.0]

    def wake() -> None:
        woken[0] += 1

    inbox = Inbox(lambda: clock[0], wake)
    for number in range(3):
        inbox.put(event(number))
        clock[0] += 1
    assert woken == [1]
    assert [one.seq for one in inbox.take()] == [0, 1, 2]
    assert inbox.take() == []
    inbox.put(event(3))
    assert woken == [2]
    assert not inbox.is_flooded


def test_more_than_an_armful_wakes_the_reader_again() -> None:
    woken = [0]

    def wake() -> None:
        woken[0] += 1

    inbox = Inbox(lambda: 0.0, wake)
    for number in range(MOST_AT_ONCE + 5):
        inbox.put(event(number))
    assert inbox.is_flooded
    assert len(inbox.take()) == MOST_AT_ONCE
    assert woken == [2]
    assert len(inbox.take()) == 5
    assert len(inbox) == 0


def test_twenty_cards_within_a_second_are_a_flood_and_fast_dealing_is_not() -> None:
    for gap_s, is_flood in ((0.05, True), (0.2, False)):
        clock = [0.0]
        inbox = Inbox(lambda clock=clock: clock[0], lambda: None)  # type: ignore[misc]  # bound at once
        for number in range(FLOOD):
            inbox.put(event(number))
            clock[0] += gap_s
        assert inbox.is_flooded is is_flood


async def test_a_flood_asks_about_a_few_cards_and_says_so(open_console: Open) -> None:
    async with open_console(["game casino-red-dog decks=8", "seat Anna 100"]) as dealer:
        assert dealer.intake is not None
        for number in range(300):
            dealer.intake.deliver(event(number))
        for _ in range(200):
            if dealer.app._handled == 300:
                break
            await dealer.pilot.pause(0.05)
        assert dealer.app._handled == 300
        assert len(dealer.snapshot.questions) == MOST_EARLY
        assert "Stop the shoe" in "\n".join(dealer.screen)
        assert len(dealer.lines) == 2
