"""How a typed line is read, and which keys are commands."""

from dataclasses import replace

import pytest

from assistant.cards import parse_card
from assistant.console.actions import KEYS, Act, act_of
from assistant.console.reading import NOTHING, Reading, asks_again, read_cards, read_line
from assistant.store.memory import MemoryNight
from assistant.table.session import TableSession
from assistant.table.snapshot import TableSnapshot

POOL = [
    "game red-dog-pool ante=5 hand=3",
    'seat "Anna K." 100',
    "seat Boris 100",
    'dealer "Anna K."',
    "round",
]


def table(*lines: str) -> TableSnapshot:
    session = TableSession(MemoryNight(), "night")
    for line in lines:
        assert session.submit(line).accepted, line
    return session.snapshot


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("7h", "card 7H"),
        ("10s", "card TS"),
        ("7♥", "card 7H"),
        ("йр", "card QH"),
        ("Дч", "card QH"),
        ("h7", "card 7H"),
        ("qh 4s", "card QH 4S"),
        ("qh4s10d", "card QH 4S TD"),
        ("йр10ы", "card QH TS"),
        ("qh, 4s; td", "card QH 4S TD"),
    ],
)
def test_cards_in_every_way_of_writing(typed: str, line: str) -> None:
    assert read_line(typed, table(*POOL, "dealt", "bet Boris 5")).line == line


def test_cards_are_shown_for_whoever_is_due() -> None:
    snapshot = table(*POOL, "dealt", "fold Boris", 'bet "Anna K." 5', "card 7H")
    assert read_line("kh", snapshot).line == 'show "Anna K." KH'


def test_an_amount_is_the_bet_of_the_player_whose_turn_it_is() -> None:
    reading = read_line("10", table(*POOL, "dealt"))
    assert (reading.line, reading.amount) == ("bet Boris 10", 10)


def test_what_cannot_be_read_names_the_word_and_books_nothing() -> None:
    snapshot = table(*POOL, "dealt", "bet Boris 5")
    reading = read_line("qh zz", snapshot)
    assert not reading.is_read
    assert "zz" in reading.says
    assert "TH / AH" in read_line("Тh", snapshot).says, "two alphabets in one card: both readings are named"


def test_an_empty_line_is_nothing() -> None:
    assert read_line("  ", table(*POOL)) == NOTHING
    assert read_line(":", table(*POOL)) == NOTHING


def test_joined_cards_need_their_suits_and_one_way_to_part_them() -> None:
    assert read_cards(["qh4s"]) == (parse_card("qh"), parse_card("4s"))
    assert read_cards(["q4"]) is None


def test_the_size_check_looks_at_the_last_amount() -> None:
    reading = Reading("bet A 51", amount=51)
    assert asks_again(reading, 10)
    assert not asks_again(replace(reading, amount=50), 10)
    assert not asks_again(replace(reading, amount=50), None)
    assert not asks_again(Reading("card 7H"), 1)


CARD_STARTS = set("234567890" + "1tjqka" + "cdhs" + "♠♥♦♣")
RUSSIAN_CARD_STARTS = set("еойлфвдкт")


ALWAYS = [key for key in KEYS if key.act not in (Act.HIGH, Act.LOW)]


def test_no_command_begins_a_card_on_the_latin_layout() -> None:
    letters = {name.lower() for key in ALWAYS for name in key.keys if len(name) == 1}
    assert not letters & CARD_STARTS


@pytest.mark.parametrize(
    ("letter", "act"), [("h", Act.HIGH), ("р", Act.HIGH), ("l", Act.LOW), ("д", Act.LOW)]
)
def test_high_and_low_are_commands_only_while_an_ace_is_called(letter: str, act: Act) -> None:
    assert act_of(letter, letter, card_due=False, ace_due=True) is act
    assert act_of(letter, letter, card_due=False) is None
    assert act_of(letter, letter, card_due=True) is None


def test_twins_that_may_begin_a_card_start_the_line_while_a_card_is_due() -> None:
    twins = {twin.lower() for key in ALWAYS for twin in key.twins}
    for letter in twins & RUSSIAN_CARD_STARTS:
        assert act_of(letter, letter, card_due=True) is None, letter
        assert act_of(letter, letter, card_due=False) is not None, letter


def test_twins_are_the_same_physical_keys() -> None:
    latin = "qwertyuiopasdfghjklzxcvbnm"
    russian = "йцукенгшщзфывапролдячсмить"
    same = dict(zip(latin, russian, strict=True))
    for key in KEYS:
        letters = {name.lower() for name in key.keys if len(name) == 1}
        if letters and key.twins:
            assert {twin.lower() for twin in key.twins} == {same[letter] for letter in letters}, key.act


def test_no_key_has_two_meanings() -> None:
    names = [name for key in KEYS for name in (*key.keys, *key.twins)]
    assert len(names) == len(set(names))


def test_every_act_has_a_key_and_help() -> None:
    assert {key.act for key in KEYS} == set(Act)
    assert all(key.help.endswith(".") and key.keys for key in KEYS)
