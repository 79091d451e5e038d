"""What a card source is not sure of, or what nobody waited for, is asked before anything is booked."""

from collections.abc import Callable
from typing import Any

import pytest

from assistant.cards import parse_card
from assistant.table.intake import Lamp, SourceState
from drivers.base import Candidate, EventKind, SourceEvent

Open = Callable[..., Any]
POOL = ["game red-dog-pool ante=5 hand=3", "seat Anna 100", "seat Boris 100", "seat Vera 100", "dealer Anna"]
BET = [*POOL, "round", "dealt", "bet Boris 5"]


def unsure(*readings: tuple[str, float], crop: object = None) -> SourceEvent:
    candidates = tuple(Candidate(parse_card(card), sure) for card, sure in readings)
    return SourceEvent(
        EventKind.UNSURE, "camera:0", 2.0, confidence=readings[0][1], candidates=candidates, crop=crop
    )


def seen(card: str, sure: float = 1.0, source: str = "camera:0") -> SourceEvent:
    return SourceEvent(EventKind.CARD, source, 1.0, card=parse_card(card), confidence=sure)


async def test_an_unsure_card_is_asked_and_a_number_with_enter_chooses(open_console: Open) -> None:
    async with open_console(BET, sources=("camera:0",)) as dealer:
        await dealer.source_says(unsure(("KS", 0.62), ("QS", 0.31)))
        assert "WHICH CARD IS IT?" in dealer.area("bar")
        assert "62%" in dealer.area("panel")
        assert dealer.lines[-1] == "bet Boris 5"
        await dealer.type("2")
        assert "Q♠" in dealer.area("entry")
        assert dealer.lines[-1] == "bet Boris 5", "a digit may be the first of 2s"
        await dealer.press("enter")
        assert dealer.lines[-1] == "card QS"
        assert dealer.snapshot.board[-1].source == "camera:0"
        assert "SHOW" in dealer.area("bar")


async def test_typing_another_card_overrides_the_candidates(open_console: Open) -> None:
    async with open_console(BET, sources=("camera:0",)) as dealer:
        await dealer.source_says(unsure(("KS", 0.62), ("QS", 0.31)))
        await dealer.line("2s")
        assert dealer.lines[-1] == "card 2S"
        assert not dealer.snapshot.questions


@pytest.mark.parametrize("key", ["x", "ч"])
async def test_x_ignores_what_was_no_card(open_console: Open, key: str) -> None:
    async with open_console(BET, sources=("camera:0",)) as dealer:
        await dealer.source_says(unsure(("KS", 0.62)))
        await dealer.press(key)
        assert dealer.lines[-1] == "bet Boris 5"
        assert "TURN" in dealer.area("bar")


async def test_an_unexpected_card_is_asked_and_can_be_burned(open_console: Open) -> None:
    async with open_console([*POOL, "round", "dealt"], sources=("camera:0",)) as dealer:
        await dealer.source_says(seen("7h"))
        assert "Nothing is booked" in dealer.area("bar")
        assert dealer.lines[-1] == "dealt"
        await dealer.press("b", "enter")
        assert dealer.lines[-1] == "burn 7H"
        assert not dealer.snapshot.questions


async def test_a_digit_is_the_awaited_bet_and_the_early_card_then_the_due_one(open_console: Open) -> None:
    """The dealer must never burn a card by typing a bet, nor lose it by booking one."""
    async with open_console([*POOL, "round", "dealt"], sources=("camera:0",)) as dealer:
        await dealer.source_says(seen("7h"))
        await dealer.line("5")
        assert dealer.lines[-1] == "bet Boris 5"
        assert "7♥" in dealer.area("panel")
        await dealer.line("1")
        assert dealer.lines[-1] == "card 7H"


async def test_a_card_seen_too_early_waits_while_the_decisions_go_on(open_console: Open) -> None:
    casino = [
        "game casino-red-dog",
        "seat Anna 100",
        "seat Boris 100",
        "bet Anna 10",
        "bet Boris 10",
        "card 2H 4S",
    ]
    async with open_console(casino, sources=("camera:0",)) as dealer:
        await dealer.source_says(seen("3d"))
        assert "ASK Anna" in dealer.area("bar"), "the duty stays"
        assert "3♦" in dealer.area("panel")
        await dealer.press("r", "enter")
        assert dealer.lines[-2:] == ["raise Anna", "call Boris"]
        await dealer.line("1")
        assert dealer.lines[-1] == "card 3D"
        assert not dealer.snapshot.questions
        assert dealer.seat("Anna").stack == 200


async def test_questions_wait_in_line(open_console: Open) -> None:
    async with open_console(BET, sources=("camera:0",)) as dealer:
        await dealer.source_says(unsure(("KS", 0.62)))
        await dealer.source_says(unsure(("3C", 0.5)))
        await dealer.press("x")
        assert "3♣" in dealer.area("panel")
        await dealer.press("x")
        assert "TURN" in dealer.area("bar")


async def test_a_card_from_a_source_shows_where_it_came_from_and_how_sure_it_was(open_console: Open) -> None:
    async with open_console(BET, sources=("camera:0",)) as dealer:
        await dealer.source_says(seen("7h", 0.993))
        assert dealer.lines[-1] == "card 7H"
        assert "camera 99%" in dealer.area("board")


async def test_the_same_card_again_is_a_notice_and_no_question(open_console: Open) -> None:
    async with open_console([*BET, "card 7H", "lost Boris", "bet Vera 5"], sources=("camera:0",)) as dealer:
        await dealer.source_says(seen("7h"))
        assert "already dealt" in dealer.area("bar")
        assert dealer.lines[-1] == "bet Vera 5"


async def test_a_lost_source_shows_in_the_status_row_and_play_goes_on_by_keyboard(open_console: Open) -> None:
    async with open_console(BET, sources=("serial:/dev/ttyUSB0",)) as dealer:
        await dealer.type("7")
        dealer.intake.shown = (SourceState("serial:/dev/ttyUSB0", Lamp.DOWN, "unplugged", 0, None),)
        await dealer.source_says(SourceEvent(EventKind.DOWN, "serial:/dev/ttyUSB0", 3.0))
        assert "LOST" in dealer.area("status")
        assert "type the cards" in dealer.area("bar").lower()
        assert "TURN" in dealer.area("bar"), "the duty stays"
        await dealer.line("h")
        assert dealer.lines[-1] == "card 7H", "what was half typed went on"
        dealer.intake.shown = (SourceState("serial:/dev/ttyUSB0", Lamp.UP, "", 1, None),)
        await dealer.source_says(SourceEvent(EventKind.UP, "serial:/dev/ttyUSB0", 9.0))
        assert "LOST" not in dealer.area("status")


async def test_device_text_is_text(open_console: Open) -> None:
    async with open_console(BET, sources=("serial:[/]",)) as dealer:
        note = "[/] [red]x[/] [@click=app.quit]y[/] \x1b]0;t\x07 \u202e"
        dealer.intake.shown = (SourceState("[bold]shoe[/", Lamp.STALE, note, 0, None),)
        await dealer.source_says(SourceEvent(EventKind.FAULT, "serial:[/]", 3.0, note=note))
        screen = "\n".join(dealer.screen)
        assert "[red]x[/]" in screen
        assert "\x1b" not in screen
        assert "\u202e" not in screen


async def test_shuffles_are_told_to_the_sources(open_console: Open) -> None:
    async with open_console(BET, sources=("camera:0",)) as dealer:
        await dealer.line("7h")
        await dealer.press("n", "f", "f", "enter")
        assert dealer.lines[-1] == "round"
        assert "shuffled 1" in dealer.intake.heard


async def test_face_up_cards_are_due_while_the_table_waits_for_a_turned_card_only(open_console: Open) -> None:
    async with open_console([*POOL, "round", "dealt"], sources=("serial:x",)) as dealer:
        assert not dealer.intake.face_up_due()
        await dealer.line("5")
        assert dealer.intake.face_up_due()
        await dealer.line("7h")
        assert not dealer.intake.face_up_due(), "a hand is shown from the hand, not from the shoe"


async def test_a_simulated_shoe_waits_until_the_dealer_lets_it_deal(open_console: Open) -> None:
    casino = ["game casino-red-dog", "seat Anna 100", "seat Boris 100"]
    async with open_console(casino, sources=("simulated:seed=7",)) as dealer:
        await dealer.line("10")
        assert not dealer.intake.face_up_due(), "Boris may still bet"
        await dealer.line("5")
        assert not dealer.intake.face_up_due()
        await dealer.press("enter")
        assert dealer.intake.face_up_due()
        await dealer.source_says(seen("9h", source="simulated"))
        await dealer.source_says(seen("4s", source="simulated"))
        assert "Spread 4" in dealer.area("say")
        assert not dealer.intake.face_up_due()
