"""Players, game and house rules, the end of the night, help: all by keys."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assistant.console.manual import PAGES, page_rows, table_rows
from assistant.console.printing import Press, file_name
from assistant.games.variants import all_games
from assistant.rules_wording import rule_label, value_label

Open = Callable[..., Any]
TABLE = ["game red-dog-pool ante=5 hand=3", "seat Anna 100", "seat Boris 100"]


async def test_table_talk_typed_among_the_players_means_what_it_says(open_console: Open) -> None:
    """Nobody is called “seat Ann”, and U is a letter there: undo has a key of its own."""
    async with open_console([]) as dealer:
        await dealer.press("f4")
        await dealer.line("seat Ann 100", "Bob 100", "buy Ann 20", "Seat Unter")
        assert dealer.lines == ["seat Ann 100", "seat Bob 100", "buy Ann 20", "seat Unter"]
        assert ("⌫ undo" in dealer.area("keys"), "U undo" in dealer.area("keys")) == (True, False)
        await dealer.press("backspace")
        assert dealer.lines[-1] == "undo"
        await dealer.press("up")
        await dealer.line("seat 500")  # no buy-in of the chosen player, and nobody is called so
        assert dealer.lines[-1] == "undo"
        assert "Not booked: 500 for whom? Type name and amount" in dealer.area("bar")
        await dealer.line('seat "500"')
        assert dealer.lines[-1] == 'seat "500"'


async def test_a_closed_night_offers_no_undo(open_console: Open) -> None:
    """It would be refused: what helps is a reversal, or opening the night again."""
    async with open_console(["seat Anna 100", "seat Boris 100"]) as dealer:
        for key in ("f4", "f11"):
            await dealer.press(key)
            assert "⌫ undo" in dealer.area("keys")
            await dealer.press("escape")
        await dealer.line(":close")
        for key in ("f4", "f11"):
            await dealer.press(key)
            assert "undo" not in dealer.area("keys")
            await dealer.press("escape")


async def test_a_player_is_seated_buys_more_sits_out_comes_back_and_leaves(open_console: Open) -> None:
    async with open_console(["game red-dog-pool"]) as dealer:
        await dealer.press("f4")
        await dealer.line("Anna K. 100", "Boris", "50")
        assert dealer.lines[1:] == ['seat "Anna K." 100', "seat Boris", "buy Boris 50"]
        await dealer.press("up", "enter", "2", "enter")
        assert dealer.lines[-1] == 'sitout "Anna K."'
        assert "sits out" in dealer.area("body")
        await dealer.press("enter", "2", "enter", "enter", "1")
        assert dealer.lines[-1] == 'back "Anna K."'
        await dealer.line("25")
        assert dealer.lines[-1] == 'buy "Anna K." 25'
        await dealer.press("down", "enter", "3", "enter")
        assert dealer.lines[-1] == "leave Boris"


async def test_a_refused_player_stays_in_the_line(open_console: Open) -> None:
    async with open_console(TABLE) as dealer:
        await dealer.press("f4")
        await dealer.line("anna 50")
        assert "anna 50" in dealer.area("entry")
        assert "already" in dealer.area("bar")


async def test_all_options_of_every_game_are_offered_with_what_is_legal(open_console: Open) -> None:
    async with open_console(size=(120, 50)) as dealer:
        await dealer.press("f5")
        for game in all_games():
            body = dealer.area("body")
            for option in game.options:
                assert rule_label(option.name) in body
                assert all(value_label(value) in body for value in option.values)
            await dealer.press("right")


async def test_house_rules_are_changed_and_only_what_differs_is_said(open_console: Open) -> None:
    async with open_console(["game red-dog-pool", "seat Anna 100"]) as dealer:
        await dealer.press("o", "down")
        await dealer.line("10")  # ante
        await dealer.press("right")  # hand: auto -> 3
        await dealer.press("enter")
        assert dealer.lines[-1] == "game red-dog-pool ante=10 hand=3"
        assert dict(dealer.snapshot.rules)["ante"] == "10"


async def test_values_of_house_rules_are_in_the_dealers_language(open_console: Open) -> None:
    """`after-bet`, `left-of-dealer`, `true` stayed English in Russian."""
    async with open_console(size=(120, 50), language="ru") as dealer:
        await dealer.press("f5")
        for game in all_games():
            shown = dealer.area("body")
            for option in game.options:
                words = {value for value in option.values if not value.isdigit()}
                assert not [word for word in words if f" {word} " in f"{shown} ".replace("\n", " ")]
            await dealer.press("right")


@pytest.mark.parametrize("typed", ["before-bet", "до ставки", "До Ставки"])
async def test_value_of_a_house_rule_is_typed_in_english_or_as_it_is_shown(
    open_console: Open, typed: str
) -> None:
    async with open_console(["game red-dog-pool"], language="ru") as dealer:
        await dealer.press("f5", "down", "down", "down", "down")
        await dealer.type(typed)
        assert "когда сжигать = до ставки" in dealer.area("entry")
        await dealer.press("enter", "enter")
        assert dealer.lines[-1] == "game red-dog-pool burn_when=before-bet"
        await dealer.press("f1", "right", "right")
        assert "до ставки (обычно после ставки)" in " ".join(dealer.area("body").split())


async def test_rules_in_force_say_what_a_bank_with_a_float_has(open_console: Open) -> None:
    lines = ["game casino-red-dog", "seat Anna 100", "seat Boris 200", "house Boris 150"]
    async with open_console(lines, size=(120, 50)) as dealer:
        await dealer.press("f1", "right", "right")
        assert "house 150, put up by Boris" in " ".join(dealer.area("body").split())
        assert "infinite" not in dealer.area("body")


async def test_rules_chosen_in_a_round_wait_for_its_end(open_console: Open) -> None:
    """It was refused: “With `later` in front the line waits”, and nothing could be put in front."""
    lines = ["game red-dog-pool", "seat Anna 100", "seat Boris 100", "dealer Anna", "round", "dealt"]
    async with open_console(lines) as dealer:
        await dealer.press("f5", "down")
        assert "after this round" in dealer.area("bar")
        await dealer.line("10")
        await dealer.press("enter")
        assert dealer.lines[-1] == "later game red-dog-pool ante=10"
        assert dealer.app.screen is dealer.app.table
        assert "after this round: game red-dog-pool ante=10" in dealer.area("bar")
        await dealer.line(":fold Boris", ":fold Anna")
        assert (dealer.snapshot.in_round, dict(dealer.snapshot.rules)["ante"]) == (False, "10")


async def test_game_chosen_anew_in_a_round_replaces_what_waits(open_console: Open) -> None:
    lines = ["game red-dog-pool", "seat Anna 100", "seat Boris 100", "dealer Anna", "round", "dealt"]
    async with open_console([*lines, "later game red-dog-bank", "later buy Anna 50"]) as dealer:
        await dealer.press("f5")
        assert "Banking Red Dog" in dealer.area("body")
        await dealer.press("left", "left", "left", "down")
        await dealer.line("10")
        await dealer.press("enter")
        assert dealer.snapshot.later == ("buy Anna 50", "game red-dog-pool ante=10")
        await dealer.press("f5", "enter")
        assert dealer.snapshot.later == ("buy Anna 50", "game red-dog-pool ante=10"), "it was only looked at"
        await dealer.press("f5", "down")
        await dealer.line("5")
        await dealer.press("enter")
        assert dealer.snapshot.later == ("buy Anna 50",), "the rules in force stay"


async def test_a_value_that_is_not_legal_is_not_taken(open_console: Open) -> None:
    async with open_console(["game red-dog-pool", "seat Anna 100"]) as dealer:
        await dealer.press("f5", "down")
        await dealer.line("none")
        assert "ante" in dealer.area("bar")
        assert "none" in dealer.area("entry")


async def test_counts_close_and_who_pays_whom(open_console: Open, tmp_path: Path) -> None:
    played = [*TABLE, "round", "dealt", "fold Boris", "fold Anna"]
    async with open_console(played, app_options={"press": Press(tmp_path, lambda _use: "")}) as dealer:
        await dealer.press("f6")
        await dealer.line("90")
        assert dealer.lines[-1] == "count Anna 90"
        await dealer.line("85")
        assert "-5 !" not in dealer.area("body")  # the pool is counted too before anything is shown
        await dealer.line(str(dealer.snapshot.pool))
        assert "-5 !" in dealer.area("body")
        await dealer.press("c", "1", "enter")
        assert not dealer.snapshot.closed
        assert "difference" in dealer.area("bar")
        await dealer.line("90")
        await dealer.press("enter", "1", "enter")
        assert dealer.snapshot.closed
        assert "SETTLE" in dealer.area("bar")
        await dealer.press("s")
        assert sorted(path.name for path in tmp_path.iterdir()) == [
            "2026-11-28-1-42.txt",
            "2026-11-28-1-80.txt",
            "2026-11-28-1.pdf",
        ]
        for width in (42, 80):
            text = (tmp_path / f"2026-11-28-1-{width}.txt").read_text(encoding="utf-8")
            assert max(len(line) for line in text.splitlines()) <= width


async def test_a_slip_that_cannot_be_saved_or_printed_leaves_the_night_alone(
    open_console: Open, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    async with open_console(
        TABLE, app_options={"press": Press(tmp_path / "file" / "slips", lambda _use: "")}
    ) as dealer:
        before = dealer.snapshot.entries
        await dealer.press("f6", "s")
        assert "could not be written" in dealer.area("bar")
        assert dealer.snapshot.entries == before


async def test_a_printer_that_is_not_there_is_named_and_nothing_else_happens(
    open_console: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    async with open_console(TABLE) as dealer:
        before = dealer.snapshot.entries
        await dealer.press("f6", "p", "1")
        await dealer.app.workers.wait_for_complete()
        await dealer.pilot.pause()
        assert "Not printed" in dealer.area("bar")
        assert dealer.snapshot.entries == before


@pytest.mark.parametrize(
    ("night", "name"),
    [("2026-11-28-1", "2026-11-28-1"), ("../../etc/x", "etc-x"), ("Пятница", "Пятница"), ("..", "night")],
)
def test_a_nights_name_is_harmless_in_a_file_name(night: str, name: str) -> None:
    assert file_name(night) == name


async def test_closing_is_asked_and_escape_takes_it_back(open_console: Open) -> None:
    async with open_console(TABLE) as dealer:
        await dealer.press("f6", "c")
        assert "CLOSE THE NIGHT?" in dealer.area("bar")
        await dealer.press("escape", "f2")
        assert not dealer.snapshot.closed


@pytest.mark.parametrize("key", ["f1", "question_mark"])
async def test_help_shows_the_keys_of_this_moment_first_then_the_page_of_the_screen(
    open_console: Open, key: str
) -> None:
    async with open_console([*TABLE, "round", "dealt"], size=(120, 60)) as dealer:
        await dealer.press(key)
        body = dealer.area("body")
        now, later = body.split("AT OTHER MOMENTS")
        assert "throws the hand in" in now
        assert "same chips again" in later
        await dealer.press("escape")
        assert "ASK" in dealer.area("bar")


async def test_arrows_turn_to_the_manual_the_rules_in_force_and_shoes(open_console: Open) -> None:
    async with open_console(TABLE, size=(120, 60)) as dealer:
        await dealer.press("f1", "right")
        assert "▶ manual" in dealer.area("body")
        assert "THE TABLE" in dealer.area("body")
        await dealer.press("right")
        body = dealer.area("body")
        assert "▶ rules of Pool Red Dog" in body
        assert ["hand", "3", "(usually", "auto)"] in [line.split() for line in body.splitlines()]
        assert "POOL RED DOG" in body
        await dealer.press("tab")
        assert "SHOES" in dealer.area("body")
        await dealer.press("right", "left", "left")
        assert "HOUSE RULES IN FORCE" in dealer.area("body")


@pytest.mark.parametrize("game", all_games(), ids=lambda game: str(game.name))
async def test_every_game_has_its_rules_one_key_from_the_choice_of_the_game(
    open_console: Open, game: Any
) -> None:
    async with open_console([f"game {game.name}"], size=(80, 24)) as dealer:
        await dealer.press("f5", "f1")
        assert "HOUSE RULES IN FORCE" in dealer.area("body")
        await dealer.press("end")
        assert "no manual page" not in dealer.area("body")
        assert "|" not in dealer.area("body").replace("│", "")


def test_table_of_a_page_stands_in_columns_and_its_last_one_wraps() -> None:
    lines = [["hand", "what"], ["---", "---"], ["Pair", "two cards of one rank and nothing else at all"]]
    shown = [line.plain.rstrip() for line in table_rows(lines, 30)]
    assert shown == [
        "  hand  what",
        "  Pair  two cards of one rank",
        "        and nothing else at all",
    ]


@pytest.mark.parametrize("key", ["f1", "question_mark"])
async def test_escape_leaves_the_help(open_console: Open, key: str) -> None:
    async with open_console(TABLE) as dealer:
        await dealer.press(key, "escape")
        assert "OPEN the round" in dealer.area("bar")
        assert "KEYS NOW" not in "\n".join(dealer.screen)


async def test_what_was_refused_on_a_list_gives_way_to_the_next_line(open_console: Open) -> None:
    async with open_console(TABLE) as dealer:
        await dealer.press("f4")
        await dealer.line("anna 50")
        assert "anna 50" in dealer.area("entry")
        await dealer.line("Zoe 100")
        assert dealer.lines[-1] == "seat Zoe 100"


def test_code_and_numbered_steps_of_a_page_keep_their_lines() -> None:
    shown = [line.plain.rstrip() for line in page_rows("table", 76)]
    place = shown.index("    :note Boris owes Vera a beer")
    assert shown[place + 1] == "    :bet Boris 10"
    assert any(line.startswith("  1. ") for line in [one.plain for one in page_rows("camera", 76)])


async def test_rules_before_a_game_is_chosen_say_where_to_choose_one(open_console: Open) -> None:
    async with open_console([]) as dealer:
        await dealer.press("f1", "right", "right")
        assert "No game has been chosen yet. F5 chooses one" in dealer.area("body")


def test_every_screen_has_a_manual_page() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} >= {
        "table",
        "seats",
        "game",
        "close",
        "season",
        "damaged",
    }


async def test_looks_go_round_and_nothing_depends_on_colour(open_console: Open) -> None:
    async with open_console([*TABLE, "round", "dealt"]) as dealer:
        first = dealer.screen
        themes = []
        for _look in range(3):
            await dealer.press("f12")
            themes.append(dealer.app.theme)
            assert dealer.screen == first
        assert themes == ["table-light", "table-contrast", "table-dark"]


async def test_quitting_in_a_round_is_asked_once(open_console: Open) -> None:
    async with open_console([*TABLE, "round"]) as dealer:
        await dealer.press("ctrl+q")
        assert dealer.app.is_running
        assert "once more" in dealer.area("bar")
        await dealer.press("ctrl+q")
        assert dealer.app.return_code == 0


async def test_between_rounds_one_key_quits(open_console: Open) -> None:
    async with open_console(TABLE) as dealer:
        await dealer.press("ctrl+q")
        assert dealer.app.return_code == 0


async def test_a_latecomer_in_the_middle_of_a_round_joins_when_it_is_over(open_console: Open) -> None:
    async with open_console([*TABLE, "round", "dealt"]) as dealer:
        await dealer.press("f4")
        await dealer.type("Carl 80")
        assert "→ after this round: seat Carl, buy in 80" in dealer.area("entry")
        await dealer.press("enter")
        assert dealer.lines[-1] == "later seat Carl 80"
        assert "after this round: seat Carl 80" in dealer.area("bar")
        await dealer.press("escape")
        assert "after this round: seat Carl 80" in dealer.area("bar")
        await dealer.press("f", "f")
        assert dealer.seat("Carl").stack == 80
        assert "after this round" not in dealer.area("bar")


async def test_more_chips_in_the_middle_of_a_round_wait_for_its_end(open_console: Open) -> None:
    async with open_console([*TABLE, "round", "dealt"]) as dealer:
        await dealer.press("f4")
        await dealer.line("50")
        await dealer.press("enter")  # it might have been meant as a bet
        assert dealer.lines[-1] == "later buy Anna 50"


async def test_a_house_rule_that_is_no_number_it_takes_is_told_its_range(open_console: Open) -> None:
    async with open_console(["game casino-red-dog"]) as dealer:
        await dealer.press("f5", "down")
        assert "a number, 1-8" in dealer.area("body")
        await dealer.press("9")
        assert "decks can be: 1-8" in "\n".join(dealer.screen)


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("Carl 1OO", "100 for Carl?"),
        ("Петя 5О", "50 for Петя?"),
        ("Dima -50", "50 for Dima?"),
        ("Ada l0 cash", "10 for Ada?"),
        ("5O", "50 for whom?"),
    ],
)
async def test_a_mistyped_amount_is_no_part_of_a_name(open_console: Open, typed: str, asked: str) -> None:
    """Carl 1OO, with two letters O, sat down with no chips and no question."""
    async with open_console(TABLE) as dealer:
        await dealer.press("f4")
        await dealer.line(typed)
        assert dealer.lines == TABLE
        assert f"Not booked: {asked}" in " ".join(dealer.area("bar").split())
        await dealer.line(f'"{typed}"')
        assert dealer.lines[-1] == f'seat "{typed}"'


async def test_the_name_of_a_player_at_the_table_says_how_to_buy_in_more(open_console: Open) -> None:
    """The reading promised a new player, and the refusal proposed another name, such as Anna 2."""
    async with open_console(TABLE) as dealer:
        await dealer.press("f4", "down")
        await dealer.type("anna 50 cash")
        assert "seat anna" not in dealer.area("entry")
        await dealer.press("enter")
        assert dealer.lines == TABLE
        said = " ".join(dealer.area("bar").split())
        assert "Anna is at the table already; to buy in more: buy Anna 50 cash" in said
        await dealer.line("buy Anna 50 cash")
        assert dealer.seat("Anna").stack == 150


@pytest.mark.parametrize(
    ("typed", "word"),
    [
        ("Sue 75 chas", "chas"),
        ("Sue 75 чек", "чек"),
        ("Sue 75 cash now", "now"),
        ("Sue 75 chas 20", "chas"),
        ("Sue 75 due", "due"),
    ],
)
async def test_a_word_behind_the_amount_that_is_no_way_of_paying_seats_nobody(
    open_console: Open, typed: str, word: str
) -> None:
    """Sue 75 chas sat down as a player of that name, with no chips."""
    async with open_console(TABLE) as dealer:
        await dealer.press("f4")
        await dealer.line(typed)
        assert dealer.lines == TABLE
        said = " ".join(dealer.area("bar").split())
        assert f"Not booked: “{word}” can't stand there: an amount, then cash, iou or transfer." in said
        await dealer.press("escape")
        await dealer.line(f'"{typed}"')
        assert dealer.lines[-1] == f'seat "{typed}"'


@pytest.mark.parametrize(
    ("language", "typed", "in_box"),
    [
        ("en", "Sue 75 наличными", 75),
        ("ru", "Sue 75 cash", 75),
        ("ru", "Сью 75 Нал", 75),
        ("ru", "Сью 75 долг", 0),
        ("en", "Sue 75 iou", 0),
    ],
)
async def test_how_chips_are_paid_is_understood_in_both_languages(
    open_console: Open, language: str, typed: str, in_box: int
) -> None:
    async with open_console(["game red-dog-pool"], language=language) as dealer:
        await dealer.press("f4")
        await dealer.line(typed)
        name = typed.split(maxsplit=1)[0]
        assert [(seat.name, seat.stack) for seat in dealer.snapshot.seats] == [(name, 75)]
        assert dealer.snapshot.money.box == in_box
        await dealer.line(f":leave {name} наличными")
        assert dealer.snapshot.money.box == in_box - (75 if in_box else 0)
