"""Nothing is booked twice, blindly or by a slip, and what the disk refused is not shown as booked."""

from collections.abc import Callable
from typing import Any

import pytest

from assistant.cards import parse_card
from assistant.console.desk import NotSaved
from assistant.console.state import REPEAT_S, STALE_S, TableState
from assistant.store.base import NewEntry
from assistant.store.base import NotSaved as DiskRefused
from assistant.store.memory import MemoryNight
from drivers.base import EventKind, SourceEvent

Open = Callable[..., Any]
CASINO = ["game casino-red-dog", "seat Anna 1000", "seat Boris 200"]
POOL = ["game red-dog-pool ante=5 hand=3", "seat Anna 100", "seat Boris 100", "seat Vera 100", "dealer Anna"]


async def test_a_held_enter_opens_the_round_but_does_not_deal(open_console: Open) -> None:
    async with open_console(POOL) as dealer:
        await dealer.press("enter")
        for _ in range(5):
            await dealer.press("enter", after_s=REPEAT_S / 4)
        assert dealer.lines[-1] == "round"
        await dealer.press("enter", after_s=REPEAT_S * 2)
        assert dealer.lines[-1] == "dealt"


async def test_the_same_entry_sent_twice_is_booked_once(open_console: Open) -> None:
    async with open_console(CASINO) as dealer:
        first = await dealer.app.desk.submit("bet Anna 10", key="entry-1")
        second = await dealer.app.desk.submit("bet Anna 10", key="entry-1")
        assert (first.duplicate, second.duplicate) == (False, True)
        assert second.snapshot.seats[0].bet == 10


async def test_enter_just_after_a_card_source_changed_the_table_is_not_taken(open_console: Open) -> None:
    async with open_console([*POOL, "round", "dealt", "bet Boris 5"], sources=("serial:X",)) as dealer:
        await dealer.source_says(
            SourceEvent(EventKind.CARD, "serial:X", 1.0, card=parse_card("7h"), confidence=1.0)
        )
        assert dealer.lines[-1] == "card 7H"
        await dealer.type("kh")
        await dealer.press("enter", after_s=STALE_S / 2)
        assert dealer.lines[-1] == "card 7H"
        assert "table changed" in dealer.area("bar")
        await dealer.press("enter", after_s=STALE_S)
        assert dealer.lines[-1] == "show Boris KH"


async def test_an_amount_over_five_times_the_last_is_asked_for_once_more(open_console: Open) -> None:
    async with open_console(CASINO) as dealer:
        await dealer.line("10")
        await dealer.press("alt+1")
        await dealer.line("51")
        assert dealer.lines[-1] == "bet Anna 10"
        assert "five times" in dealer.area("bar")
        await dealer.press("enter")
        assert dealer.lines[-1] == "bet Anna 51"


@pytest.mark.parametrize(
    ("first", "big", "booked"),
    [
        (":buy Anna 100", ":buy Boris 5000", "buy Boris 5000"),
        (":iou Anna 100", ":seat Zoya 501", "seat Zoya 501"),
        (":bet Anna 10", ":bet Boris 51", "bet Boris 51"),
        (":expense Anna 30 pizza 2000", ':expense "Boris" 151 2 pizzas', 'expense "Boris" 151 2 pizzas'),
    ],
)
async def test_table_talk_over_five_times_the_last_is_asked_for_once_more(
    open_console: Open, first: str, big: str, booked: str
) -> None:
    """LEDGER.md, "Decisions": amounts over 5x the last one, wherever they are typed."""
    async with open_console(CASINO) as dealer:
        await dealer.line(first)
        await dealer.line(big)
        assert dealer.lines[-1] == first.removeprefix(":")
        assert "is more than five times the last one" in dealer.area("bar")
        await dealer.press("enter")
        assert dealer.lines[-1] == booked


async def test_a_bet_that_was_taken_back_is_no_measure_for_the_next(open_console: Open) -> None:
    async with open_console(CASINO) as dealer:
        await dealer.line("50")
        await dealer.press("alt+1")
        await dealer.line("1")
        assert dealer.lines[-2:] == ["bet Anna 50", "bet Anna 1"]
        await dealer.press("backspace")
        await dealer.press("alt+1")
        await dealer.line("60")
        assert dealer.lines[-1] == "bet Anna 60", "the last one is 50 again"


async def test_a_bet_of_another_game_is_no_measure_for_this_one(open_console: Open) -> None:
    async with open_console(CASINO) as dealer:
        await dealer.line("5", ":clear Anna", ":game red-dog-pool ante=30")
        await dealer.line(":round", ":dealt", ":bet Boris 30")
        assert dealer.lines[-1] == "bet Boris 30"
        await dealer.line(":undo 3", ":game casino-red-dog")
        await dealer.press("alt+1")
        await dealer.line("26")
        assert "more than five times the last one (5)" in dealer.area("bar"), "an earlier bet of the casino"


async def test_many_bets_do_not_make_a_buy_in_forgotten(open_console: Open) -> None:
    async with open_console(CASINO) as dealer:
        await dealer.line(
            ":buy Anna 50", *[line for _time in range(31) for line in (":bet Anna 5", ":clear Anna")]
        )
        await dealer.line(*[line for _time in range(31) for line in (":bet Anna 5", ":clear Anna")])
        await dealer.line(":buy Anna 2000")
        assert "more than five times the last one (50)" in dealer.area("bar")


async def test_a_mended_amount_is_asked_for_anew(open_console: Open) -> None:
    async with open_console(CASINO) as dealer:
        await dealer.line("10")
        await dealer.press("alt+1")
        await dealer.line("100")
        await dealer.press("end")  # an edit key mends; a digit alone begins anew
        await dealer.type("1")
        await dealer.press("enter")
        assert dealer.lines[-1] == "bet Anna 10", "1001 was never asked about"


async def test_an_amount_over_the_stack_is_refused_at_once(open_console: Open) -> None:
    """It was asked for once more, and then refused."""
    async with open_console(CASINO) as dealer:
        await dealer.press("tab")
        await dealer.line("201")
        assert "Boris has only 200, not 201." in dealer.area("bar")
        assert dealer.lines[-1] == "seat Boris 200"


class FullDisk(MemoryNight):
    """A night whose disk is full once `full` is set."""

    full = False

    def append(self, new: NewEntry):  # type: ignore[no-untyped-def]
        if self.full:
            raise DiskRefused
        return super().append(new)


async def test_what_the_disk_refused_is_not_shown_as_booked_and_stays_in_the_entry(
    open_console: Open,
) -> None:
    store = FullDisk()
    async with open_console(CASINO, store=store) as dealer:
        store.full = True
        await dealer.line("10")
        assert "not saved" in dealer.area("bar")
        assert "10" in dealer.area("entry")
        assert dealer.seat("Anna").bet == 0
        assert "bet" not in dealer.area("log")
        store.full = False
        await dealer.press("enter")
        assert dealer.seat("Anna").bet == 10


class OnDisk(MemoryNight):
    """A night that can be opened again after it was closed, as a file can."""

    def close(self) -> None:
        """Nothing to let go of."""


async def test_an_error_of_the_program_reads_the_night_again_instead_of_going_on_in_doubt(
    open_console: Open,
) -> None:
    async with open_console(CASINO, store=OnDisk()) as dealer:
        session = dealer.session

        def broken(*_arguments: object, **_options: object) -> None:
            raise ZeroDivisionError

        session.submit = broken
        await dealer.line("10")
        bar = dealer.area("bar")
        assert "ZeroDivisionError" in bar
        assert "Nothing was booked" in bar
        assert dealer.session is not session, "a new session reads what the file holds"
        assert dealer.seat("Anna").stack == 1000
        await dealer.press("enter")
        assert dealer.lines[-1] == "bet Anna 10"


def test_not_saved_is_an_error_with_a_hint() -> None:
    assert str(NotSaved("Not saved.", "Check the disk.")) == "Not saved. Check the disk."


def test_scanner_bursts_are_not_taken_for_a_held_enter() -> None:
    now = [0.0]
    state = TableState(clock=lambda: now[0])
    assert state.enter_counts()
    now[0] += 0.01
    state.pressed("q")
    assert state.enter_counts(), "another key came between"
    now[0] += 0.01
    assert not state.enter_counts(), "Enter after Enter in ten milliseconds is the keyboard"


async def test_a_backspace_held_to_empty_the_line_does_not_go_on_to_undo(open_console: Open) -> None:
    async with open_console([*CASINO, "bet Anna 10"]) as dealer:
        await dealer.type("25")
        await dealer.press("backspace")
        for delay_s in (0.66, *[0.03] * 12):
            await dealer.press("backspace", after_s=delay_s)
        assert dealer.lines[-1] == "bet Anna 10"
        await dealer.press("backspace", after_s=1.5)
        assert dealer.lines[-1] == "undo"


async def test_undo_into_a_settled_round_is_asked_for_once(open_console: Open) -> None:
    async with open_console([*CASINO, "bet Anna 10", "card 2H 3S"]) as dealer:
        await dealer.press("u")
        assert dealer.lines[-1] == "card 2H 3S"
        assert "settled" in dealer.area("bar")
        await dealer.press("u")
        assert dealer.lines[-2:] == ["[card 2H 3S]", "undo"]


async def test_another_key_in_between_asks_about_the_settled_round_anew(open_console: Open) -> None:
    async with open_console([*CASINO, "bet Anna 10", "card 2H 3S"]) as dealer:
        await dealer.press("u", "tab", "u")
        assert dealer.lines[-1] == "card 2H 3S"


async def test_two_scanned_cards_in_one_burst_are_both_booked(open_console: Open) -> None:
    async with open_console([*CASINO, "bet Anna 10"]) as dealer:
        await dealer.press("tab", "tab")
        dealer.app.state.selected = None
        for char in ("q", "h", "enter", "4", "s", "enter"):
            await dealer.press(char, after_s=0.001)
        assert dealer.lines[-2:] == ["card QH", "card 4S"]


async def test_words_whose_meaning_a_source_changed_are_asked_about_before_they_are_booked(
    open_console: Open,
) -> None:
    """A bet half typed as the shoe reads a card must not become the second card."""
    casino = ["game casino-red-dog", "seat Anna 100", "seat Boris 100", "bet Anna 10"]
    async with open_console(casino, sources=("serial:shoe",)) as dealer:
        await dealer.type("5")
        assert "bet Boris 5" in dealer.area("entry")
        event = SourceEvent(EventKind.CARD, "serial:shoe", 1.0, card=parse_card("6D"))
        await dealer.source_says(event)
        await dealer.press("enter")
        assert dealer.lines[-1] == "card 6D"
        assert "The table has changed" in dealer.area("bar")
        await dealer.press("enter")
        assert dealer.lines[-1] == "card 5"


async def test_after_a_refusal_the_next_character_begins_a_new_line_and_an_edit_key_mends_it(
    open_console: Open,
) -> None:
    casino = ["game casino-red-dog", "seat Anna 100", "bet Anna 10", "card 2H KS"]
    async with open_console(casino) as dealer:
        await dealer.line("9c")
        assert dealer.lines[-1] == "card 2H KS"
        await dealer.press("left", "right")
        await dealer.type("9")
        assert "9c9" in dealer.area("entry")
        await dealer.press("enter")
        await dealer.press("r")
        assert dealer.lines[-1] == "raise Anna"


async def test_a_number_after_a_restart_is_the_bet_it_was_before(open_console: Open) -> None:
    casino = ["game casino-red-dog", "seat Anna 100", "seat Boris 100", "bet Anna 20"]
    async with open_console(casino, resumed=True) as dealer:
        await dealer.line("10")
        assert dealer.lines[-1] == "bet Boris 10"


async def test_a_simulated_shoe_is_at_hand_and_starts_only_when_asked_for_twice(open_console: Open) -> None:
    async with open_console(POOL) as dealer:
        await dealer.press("f3", *["down"] * 9, "enter")
        assert "It deals by itself" in dealer.area("bar")
        assert dealer.intake.heard == ["start"]
        await dealer.line(":note something else was booked between")
        await dealer.press("enter")
        assert dealer.intake.heard == ["start"]
        await dealer.press("enter")
        assert dealer.intake.heard == ["start", "add simulated"]
        await dealer.press("enter", "enter")
        assert dealer.intake.heard == ["start", "add simulated"]
