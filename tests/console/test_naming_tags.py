"""A tag no deck knows: one question at the table names it, for tonight or in a deck; slips are unlearnt."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from assistant.cards import parse_card
from assistant.console.teaching import Teaching
from assistant.store.memory import MemoryNight
from assistant.table.taught import Taught, TaughtFile
from drivers.base import EventKind, SourceEvent
from drivers.decks import Deck, load_deck, save_deck

Open = Callable[..., Any]
CASINO = ["game casino-red-dog decks=2", "seat Anna 100", "bet Anna 10"]
POOL = ["game red-dog-pool ante=5", "seat Anna 100", "seat Boris 100", "round", "dealt", "bet Boris 5"]
READER = "serial:/dev/ttyUSB0"
TAG = "0406B9020A5481"


class OpenNight(MemoryNight):
    """A night file: another program can open it again."""

    def close(self) -> None:
        pass


def unknown(tag: str = TAG, code: str = "unknown", note: str = "") -> SourceEvent:
    return SourceEvent(EventKind.TAG_UNKNOWN, READER, 1.0, tag=tag, code=code, note=note)


def with_decks(dealer: Any, folder: Path, *names: str) -> None:
    for name in names:
        save_deck(folder, Deck(name, {f"04{len(name):02X}33020A5481": "KD"}, format="uidline"))
    dealer.app.decks = folder
    dealer.app.opened[READER] = f"{READER},format=uidline,deck={'+'.join(names)}"


async def test_the_card_typed_names_the_tag_for_tonight(open_console: Open) -> None:
    async with open_console(CASINO) as dealer:
        await dealer.source_says(unknown())
        assert f"Tag {TAG} belongs to no deck. Which card is it?" in dealer.area("bar")
        await dealer.type("qh")
        assert "Q♥, tonight only" in dealer.area("entry")
        await dealer.press("enter")
        assert dealer.lines[-1] == "card QH"
        assert not dealer.snapshot.questions
        assert dealer.intake.heard[-1] == f"learn {TAG} QH"


async def test_a_plus_takes_the_tag_into_the_only_deck_in_play(open_console: Open, tmp_path: Path) -> None:
    async with open_console(CASINO) as dealer:
        with_decks(dealer, tmp_path, "Blue")
        await dealer.source_says(unknown())
        assert "and into deck Blue" in dealer.area("panel")
        await dealer.line("qh+")
        await dealer.pilot.pause()
        assert "Q♥: its tag is in deck Blue now." in dealer.area("bar")
        assert load_deck(tmp_path, "Blue").tags[TAG] == "QH"


async def test_of_several_decks_one_is_chosen_by_number_or_name(open_console: Open, tmp_path: Path) -> None:
    async with open_console(CASINO) as dealer:
        with_decks(dealer, tmp_path, "Blue", "Crimson")
        await dealer.source_says(unknown())
        await dealer.type("qh+")
        assert "which deck? Blue Crimson" in dealer.area("entry")
        await dealer.line("2")
        assert load_deck(tmp_path, "Crimson").tags[TAG] == "QH"
        await dealer.source_says(unknown("04576C020A5481"))
        await dealer.line("3c+blue")
        await dealer.pilot.pause()
        assert load_deck(tmp_path, "Blue").tags["04576C020A5481"] == "3C"


@pytest.mark.parametrize("typed", ["q", "qh+", "qh+Red", "qh+7"])
async def test_what_names_no_card_or_no_deck_is_not_booked(open_console: Open, typed: str) -> None:
    async with open_console(CASINO) as dealer:
        await dealer.source_says(unknown())
        await dealer.line(typed)
        assert dealer.lines == CASINO
        assert typed in dealer.area("entry")
        assert dealer.snapshot.questions


async def test_a_card_that_is_refused_teaches_nothing(open_console: Open) -> None:
    async with open_console([*POOL, "burn 7H"]) as dealer:
        await dealer.source_says(unknown())
        await dealer.line("7h")
        assert dealer.lines[-1] == "burn 7H"
        assert dealer.intake.heard == ["start"]
        assert dealer.snapshot.questions, "the tag is still to be named"


async def test_what_is_taken_back_or_mended_is_unlearnt(open_console: Open, tmp_path: Path) -> None:
    async with open_console(CASINO) as dealer:
        with_decks(dealer, tmp_path, "Blue")
        await dealer.source_says(unknown())
        await dealer.line("qh+")
        await dealer.pilot.pause()
        await dealer.line(":fix qh qd")
        await dealer.pilot.pause()
        assert dealer.intake.heard[-2:] == [f"learn {TAG} and not of Blue", f"learn {TAG} QD"]
        assert load_deck(tmp_path, "Blue").tags[TAG] == "QD"
    async with open_console(CASINO) as dealer:
        with_decks(dealer, tmp_path, "Blue")
        await dealer.source_says(unknown("04576C020A5481"))
        await dealer.line("3c+")
        await dealer.line(":note nothing to do with it")
        await dealer.press("u")
        assert dealer.intake.heard[-1] == "learn 04576C020A5481 3C", "another line was taken back"
        await dealer.press("u")
        await dealer.pilot.pause()
        assert dealer.intake.heard[-1] == "learn 04576C020A5481 and not of Blue"
        assert "04576C020A5481" not in load_deck(tmp_path, "Blue").tags


async def test_two_tags_named_quickly_are_written_down_in_their_order() -> None:
    """The list with both must not be overwritten by the slower one with only the first."""
    kept: list[int] = []
    second = Event()

    class SlowFile:
        def keep(self, taught: tuple[Taught, ...]) -> None:
            if not kept and len(taught) == 1:
                second.wait(0.5)
            kept.append(len(taught))
            second.set()

    app: Any = SimpleNamespace(taught=SlowFile(), recall=lambda tags: None, learn=lambda *words: None)
    teaching = Teaching(app)
    queen, three = parse_card("QH"), parse_card("3C")
    first = asyncio.create_task(teaching.teach(READER, TAG, queen, ""))
    await asyncio.sleep(0)
    await asyncio.gather(first, teaching.teach(READER, "04576C020A5481", three, ""))
    assert kept == [1, 2]


async def test_after_a_restart_the_tags_named_tonight_are_known(open_console: Open, tmp_path: Path) -> None:
    """Also to a reader under another name, and until the card is taken back; another night starts without."""
    store, file = OpenNight(), TaughtFile(tmp_path / "tags.json")
    file.begin("2026-11-28-1")
    keeps: dict[str, object] = {"taught": file}

    def started_anew() -> dict[str, object]:
        again = TaughtFile(tmp_path / "tags.json")
        again.begin("2026-11-28-1")
        return {"taught": again}

    async with open_console(CASINO, store=store, app_options=keeps) as dealer:
        await dealer.source_says(unknown())
        await dealer.line("qh")
        await dealer.source_says(unknown("04576C020A5481"))
        await dealer.line("3c")
        await dealer.line(":fix 3c 3d")
    async with open_console(CASINO, store=store, app_options=started_anew()) as dealer:
        assert dealer.intake.recalled == {TAG: "QH", "04576C020A5481": "3D"}
        assert dealer.intake.in_shoe == 2
        assert dealer.intake.heard == ["start"]
        await dealer.line(":undo", ":undo")
        await dealer.pilot.pause()
        assert dealer.intake.heard[-1] == "learn 04576C020A5481 "
        assert dealer.intake.recalled == {TAG: "QH"}
    async with open_console(CASINO, store=store, app_options=started_anew()) as dealer:
        assert dealer.intake.recalled == {TAG: "QH"}
    file.begin("2026-11-29-1")
    async with open_console(CASINO, app_options=keeps) as dealer:
        assert dealer.intake.recalled == {}


async def test_tags_that_can_not_be_kept_do_not_stop_the_table(open_console: Open, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    file = TaughtFile(tmp_path / "file" / "tags.json")
    async with open_console(CASINO, app_options={"taught": file}) as dealer:
        await dealer.source_says(unknown())
        await dealer.line("qh")
        assert dealer.lines[-1] == "card QH"
    spoilt = TaughtFile(tmp_path / "spoilt.json")
    for text in ("", "[]", '{"format": 1, "night": "", "tags": [1]}'):
        (tmp_path / "spoilt.json").write_text(text, "utf-8")
        spoilt.begin("")
        assert spoilt.of_night() == ()


async def test_a_card_of_a_deck_that_is_not_in_play_is_named_with_it(open_console: Open) -> None:
    async with open_console(CASINO) as dealer:
        note = "a card of deck [red]Blue[/], which is not in play"
        await dealer.source_says(unknown(code="other-deck", note=note))
        text = "A card of deck [red]Blue[/], which is not in play. Take it out, or type which card it is."
        assert text in " ".join(dealer.area("bar").split())
        await dealer.press("x")
        assert not dealer.snapshot.questions
        assert dealer.lines == CASINO


async def test_the_card_typed_answers_the_question_of_an_unread_card(open_console: Open) -> None:
    async with open_console(CASINO) as dealer:
        await dealer.source_says(SourceEvent(EventKind.UNREADABLE, READER, 1.0, note="no answer"))
        assert "A card was not read. Type it." in dealer.area("bar")
        await dealer.line("9c")
        assert dealer.lines[-1] == "card 9C"
        assert not dealer.snapshot.questions


async def test_a_reader_is_told_after_a_restart_which_tags_were_dealt_from_this_shoe(
    open_console: Open,
) -> None:
    """The card that still lies on the reader would count a second time in a shoe of several decks."""
    store = OpenNight()
    async with open_console([*CASINO, "card 2c"], store=store) as dealer:
        card = parse_card("QH")
        await dealer.source_says(
            SourceEvent(EventKind.CARD, READER, 1.0, card=card, confidence=1.0, named_by="0406B902")
        )
        await dealer.line(":call Anna")
        await dealer.source_says(unknown())
        await dealer.line("9c")
        assert dealer.lines[-3:] == ["card QH", "call Anna", "card 9C"]
    async with open_console([], store=store) as dealer:
        assert dealer.intake.dealt == {"0406B902", TAG}
        await dealer.line(":undo")
        await dealer.app.use_source("simulated:seed=1")
        assert dealer.intake.dealt == {"0406B902"}
    async with open_console([], store=store) as dealer:
        await dealer.line(":void", ":shuffle")
        assert dealer.intake.dealt == set()
        await dealer.line(":undo", ":undo")
        assert dealer.intake.dealt == {"0406B902"}
