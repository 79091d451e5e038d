"""The manual in the console: tables are whole at any width, and the page on shoes is where sources are."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from assistant.console.manual import PAGES, page_rows
from assistant.games.variants import all_games, build_game
from assistant.money import CHIPS
from assistant.table.acts import TABLE_VERBS

Open = Callable[..., Any]


@pytest.mark.parametrize("width", [80, 120])
def test_no_word_of_a_table_is_cut_off(width: int) -> None:
    rows = [content.plain for content in page_rows("shoes", width)]
    assert max(map(len, rows)) <= width
    text = " ".join(" ".join(rows).split())
    assert "in use by … Another program has the port. Close it: a second Tableside, the Arduino IDE" in text
    assert "RDM6300 or ID-12LA, 125 kHz, on a USB cable" in text
    assert ("about: 12 €; format: stxetx; names cards: by tags; sees an unread card: no" in text) == (
        width == 80
    )
    assert "no permission You may not open serial ports." in text
    assert "|" not in text


@pytest.mark.parametrize("keys", [("f3",), ("f3", "enter")])
async def test_help_on_the_sources_is_the_page_on_shoes(open_console: Open, keys: tuple[str, ...]) -> None:
    async with open_console() as dealer:
        await dealer.press(*keys, "f1", "end")
        assert "THE SHOE IS EMPTY" in dealer.area("body").upper()


async def test_help_shows_the_keys_of_a_russian_layout_only_to_who_types_on_one(open_console: Open) -> None:
    async with open_console() as dealer:
        await dealer.press("f1")
        assert _key_row(dealer, "Take the last line back").split()[0] == "U"
        assert " г " not in _key_row(dealer, "Take the last line back")
        await dealer.press("escape", "ы", "escape", "f1")
        assert " г " in _key_row(dealer, "Take the last line back")


async def test_a_russian_name_seats_somebody_and_help_has_the_keys_of_that_layout(open_console: Open) -> None:
    async with open_console() as dealer:
        await dealer.press("f4")
        await dealer.line("Вася 100")
        await dealer.press("f1")
        assert " ц " in _key_row(dealer, "A card was booked wrong")


def _key_row(dealer: Any, text: str) -> str:
    """The row of a key on the whole page of keys."""
    screen = dealer.app.screen
    rows = [content.plain for content in screen._lines(dealer.snapshot, 80)]
    return str(next(row for row in rows if text in row))


async def test_help_while_the_game_is_being_chosen_is_about_the_choosing(open_console: Open) -> None:
    async with open_console() as dealer:
        await dealer.press("f5", "f1")
        assert "THE GAME AND ITS HOUSE RULES" in dealer.area("body")
        await dealer.press("escape", "right", "right", "f1")
        assert "▶ rules of Casino Red Dog" in dealer.area("body").splitlines()[0]
        assert "Does the third card fall between" in " ".join(
            " ".join(row.plain.split()) for row in dealer.app.screen._lines(dealer.snapshot, 80)
        )


async def test_rules_before_a_game_is_chosen_name_the_games(open_console: Open) -> None:
    async with open_console() as dealer:
        await dealer.press("f1", "right", "right")
        assert "No game has been chosen yet. F5 chooses one" in dealer.area("body")
        assert "• Casino Red Dog" in dealer.area("body")


async def test_an_unknown_word_is_refused_and_the_question_mark_shows_the_words(open_console: Open) -> None:
    async with open_console(["game casino-red-dog", "seat Anna 100"]) as dealer:
        await dealer.line(":foo")
        assert "Press ? for the words that can be used now." in " ".join(dealer.area("bar").split())
        await dealer.press("question_mark")
        body = dealer.area("body")
        assert "▶ words" in body.splitlines()[0]
        assert "OF THE GAME, NOW" in body
        assert "bet" in body
        await dealer.press("escape")
        assert dealer.area("entry").startswith(" table talk> :foo")
        await dealer.press("escape", "f1")
        assert "▶ keys" in dealer.area("body").splitlines()[0]


def test_every_word_of_table_talk_stands_on_the_page_of_words() -> None:
    said = " ".join(re.findall(r"`([^`]+)`", (PAGES / "words.md").read_text(encoding="utf-8")))
    verbs = {*TABLE_VERBS, "shuffle", "undo", "redo"}
    verbs |= {verb for game in all_games() for verb in build_game(game.name, {}, CHIPS).verbs}
    assert verbs - set(re.findall(r"[a-z-]+", said)) == set()


async def test_help_at_the_count_has_the_keys_of_the_count_and_none_of_the_table(open_console: Open) -> None:
    """It said that B burns and M is a misdeal: there they begin the count and mark a payment as paid."""
    async with open_console(
        ["game casino-red-dog", "seat Anna 100", "seat Boris 100"], size=(120, 50)
    ) as dealer:
        await dealer.press("f6", "f1")
        assert "COUNT the chips" in dealer.area("bar")
        body = dealer.area("body")
        now, other = body.split("ON EVERY SCREEN")
        everywhere, table = other.split("AT THE TABLE")
        for key, label in (("⏎", "close the night"), ("B", "begin"), ("A", "accept"), ("C", "close")):
            assert any(row.split()[:1] == [key] and label in row for row in now.splitlines())
        assert "F4 " in everywhere
        assert "Misdeal" in table
        assert "Misdeal" not in now + everywhere


async def test_help_among_the_players_has_no_letters_for_keys(open_console: Open) -> None:
    async with open_console(
        ["game casino-red-dog", "seat Anna 100", "seat Boris 100"], size=(120, 40)
    ) as dealer:
        await dealer.press("f4", "f1")
        assert "SEAT players and buy in" in dealer.area("bar")
        here = dealer.area("body").partition("AT THE TABLE")[0]
        keys = [row.split()[0] for row in here.splitlines() if row.startswith("  ")]
        assert "⌫" in keys
        assert "F11" in keys
        assert not {"R", "N", "U", "W", "M", "E", "V"} & set(keys)


async def test_help_among_the_sources_says_that_f3_looks_again(open_console: Open) -> None:
    """F3 was called the key that leads to the sources, and what it does there stood nowhere."""
    async with open_console([], size=(120, 40)) as dealer:
        await dealer.press("f3", "f1", "left", "left", "left")
        here = dealer.area("body").partition("AT THE TABLE")[0].splitlines()
        assert [row.split() for row in here if row.split()[:1] == ["F3"]] == [["F3", "look", "again"]]


def keys_listed(screen: list[str]) -> list[str]:
    """The names in the column of the keys."""
    rows = [line for line in screen[7:-3] if line[:2] == "  " and line[2:3].strip()]
    return [name for line in rows for name in line[2:16].split()]


async def test_the_keys_are_listed_under_all_their_names_and_each_once(open_console: Open) -> None:
    """Y and O stood nowhere; F11 stood there twice on the payments."""
    async with open_console(["game red-dog-pool", "seat Anna 100", "seat Boris 50"], size=(80, 90)) as dealer:
        await dealer.press("f1")
        listed = keys_listed(dealer.screen)
        assert {"R", "Y", "F7", "N", "F8", "O", "F5", "⌫", "⇧U", "⇧G", "?", "F10"} <= set(listed)
        assert sorted(listed) == sorted(set(listed))
    async with open_console(["seat Anna 100", "close"], size=(80, 90)) as dealer:
        await dealer.press("f6", "f1")
        listed = keys_listed(
            dealer.screen[: next(i for i, one in enumerate(dealer.screen) if "AT THE TABLE" in one) + 3]
        )
        assert sorted(listed) == sorted(set(listed))
        assert {"M", "W", "N", "F2", "F11"} <= set(listed)


async def test_keys_of_a_russian_layout_stand_beside_their_twins(open_console: Open) -> None:
    lines = ["game red-dog-pool", "seat Anna 100", "seat Boris 50"]
    async with open_console(lines, size=(80, 90), language="ru") as dealer:
        await dealer.press("f1")
        shown = "\n".join(dealer.screen)
        assert "R к Y н F7" in shown
        assert "F5 O щ" in shown
