"""A line of table talk becomes words, and words become arguments (TABLE_TALK.md, "Form")."""

import csv
import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assistant.errors import Refusal
from assistant.talk import (
    MAX_LINE_LENGTH,
    Word,
    Words,
    clean_name,
    clean_title,
    quote,
    read_number,
    same_person,
    skeleton,
    split_line,
)


def words_of(line: str) -> list[str]:
    command = split_line(line)
    assert command is not None
    return [command.verb, *(word.text for word in command.words)]


def code_of(line: str) -> str:
    with pytest.raises(Refusal) as caught:
        split_line(line)
    return caught.value.code


# --- lines --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line", ["", "   ", "\t", "# remark", "  # remark", "\ufeff", "\ufeff # remark", "#x#"]
)
def test_empty_lines_and_comments_count_for_nothing(line: str) -> None:
    assert split_line(line) is None


@pytest.mark.parametrize(
    "line",
    [
        "bet Anna 10",
        "  BET  Anna\t10  ",
        "bet\tAnna 10",
        "\ufeff bet Anna 10",
        "bet Anna 10 # ten",
        "bet\u00a0Anna 10",
    ],
)
def test_words_are_parted_by_any_blanks(line: str) -> None:
    assert words_of(line) == ["bet", "Anna", "10"]


def test_hash_and_apostrophe_inside_a_word_are_ordinary() -> None:
    assert words_of("bet Team#1 O'Brien 5#x # rest") == ["bet", "Team#1", "O'Brien", "5#x"]


def test_quoted_words_hold_blanks_quotes_and_hashes() -> None:
    assert words_of('bet "Anna K." 10') == ["bet", "Anna K.", "10"]
    assert words_of(r'bet "Tom \"T\" O\\Neil" "#1" ""') == ["bet", 'Tom "T" O\\Neil', "#1", ""]
    assert words_of('seat B after="Anna K."') == ["seat", "B", "after=Anna K."]


def test_note_takes_the_rest_of_its_line_as_it_is() -> None:
    command = split_line("NOTE  it's \"half # past  9")
    assert command is not None
    assert (command.verb, command.words, command.rest) == ("note", (), "it's \"half # past  9")


def test_open_quote_and_endless_line_are_wrong_arguments() -> None:
    assert code_of('bet "Anna 10') == "E_ARGS"
    assert code_of("note " + "x" * MAX_LINE_LENGTH) == "E_ARGS"


@given(st.lists(st.text(max_size=40), max_size=5))
@example(["a=b", "#1", '"', "\\", "\\\\", '\\"', "", " ", "x\\", "a=", "=\u00a0", "\x1c", "after=x"])
def test_quoted_words_read_back_as_themselves(texts: list[str]) -> None:
    command = split_line(" ".join(["verb", *map(quote, texts)]))
    assert command is not None
    assert [word.text for word in command.words] == texts


@given(st.text(min_size=1, max_size=30))
def test_quoted_word_is_never_an_option(text: str) -> None:
    command = split_line("seat " + quote(text))
    assert command is not None
    words = Words(list(command.words))
    words.take_options()
    assert words.options == {}


@given(st.text(max_size=60))
def test_any_line_is_a_command_nothing_or_refused(line: str) -> None:
    code, command = "", None
    try:
        command = split_line(line)
    except Refusal as refused:
        code = refused.code
    assert code == "E_ARGS" or command is None or command.verb == command.verb.lower()


# --- arguments ----------------------------------------------------------------------------------------------


def words(line: str) -> Words:
    command = split_line(f"verb {line}")
    assert command is not None
    return Words(list(command.words), {"anna k.": "p1"})


def refused_by(read: object, line: str) -> str:
    assert callable(read)
    with pytest.raises(Refusal) as caught:
        read(words(line))
    return caught.value.code


def test_options_ignore_case_and_stand_anywhere() -> None:
    found = words("a=1 Anna B=2")
    found.take_options("a", "b")
    assert found.options == {"a": "1", "b": "2"}
    assert found.text() == "Anna"


def test_named_options_leave_other_words_with_a_mark_alone() -> None:
    """A player may be called Ann=1 without quotes where that is no option."""
    found = words("Ann=1 after=Bob")
    found.take_options("after")
    assert (found.text(), found.options) == ("Ann=1", {"after": "Bob"})


def test_option_typed_twice_is_refused() -> None:
    assert refused_by(lambda w: w.take_options(), "ante=5 ANTE=6") == "E_OPTION"


def test_what_is_left_over_is_refused_by_what_it_looks_like() -> None:
    """TABLE_TALK.md, "Refusals": E_ARGS wrong arguments, E_OPTION unknown option."""
    assert refused_by(lambda w: w.end(), "10") == "E_ARGS"
    assert refused_by(lambda w: w.end(), "colour=red") == "E_OPTION"
    assert refused_by(lambda w: w.end(), '"colour=red"') == "E_ARGS"


def test_missing_and_unknown_arguments() -> None:
    assert refused_by(lambda w: w.text(), "") == "E_ARGS"
    assert refused_by(lambda w: w.cards(), "") == "E_ARGS"
    assert refused_by(lambda w: w.player(), "Boris") == "E_PLAYER"
    assert refused_by(lambda w: w.amount(), "ten") == "E_AMOUNT"
    assert refused_by(lambda w: w.one_of("high", "low"), "middle") == "E_ARGS"
    assert words("HIGH").one_of("high", "low") == "high"
    assert words('" anna   K. "').player() == "p1"


@pytest.mark.parametrize("text", ["", "-1", "1.0", "٣", "1" * 10, "x"])
def test_numbers_are_ascii_digits(text: str) -> None:
    with pytest.raises(Refusal) as caught:
        read_number(text)
    assert caught.value.code == "E_ARGS"


# --- names --------------------------------------------------------------------------------------------------


def test_name_cases(shared: Path) -> None:
    """Each row of cases/names.tsv: kept as it is, trimmed, or refused with E_PLAYER."""
    with (shared / "cases" / "names.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert len(rows) == 34
    wrong = {}
    for row in rows:
        name = json.loads(row["name_json"])
        try:
            found = (
                "KEEP" if clean_name(name) == unicodedata.normalize("NFC", name) else "=" + clean_name(name)
            )
        except Refusal as refused:
            found = "REJECT" if refused.code == "E_PLAYER" else refused.code
        if found not in row["expected"].split("|"):
            wrong[name] = found
    assert wrong == {}


def test_name_is_trimmed_joined_and_composed() -> None:
    assert clean_name("  Anna \u00a0 K. ") == "Anna K."
    assert clean_name("Zoe\u0301") == "Zoé"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "x" * 33,
        "a\u200bb",
        "a\u202eb",
        "a\tb",
        "\x1b[31m",
        "\ud800",
        "House",
        "POOL",
        "bank",
        "box",
        "Carried",
    ],
)
def test_unfit_names_are_refused(name: str) -> None:
    with pytest.raises(Refusal) as caught:
        clean_name(name)
    assert caught.value.code == "E_PLAYER"


def test_night_may_be_called_anything_a_player_may_and_more() -> None:
    """The reserved words are those of players (TABLE_TALK.md, "Players")."""
    assert clean_title("Pool") == "Pool"
    with pytest.raises(Refusal) as caught:
        clean_title("a\x1bb")
    assert caught.value.code == "E_ARGS"


def test_same_person_whatever_the_case_the_blanks_and_the_form() -> None:
    assert same_person(" ANNA  k. ") == same_person("anna K.")
    assert same_person("STRASSE") == same_person("straße")
    assert same_person("Zoe\u0301") == same_person("ZOÉ")


def test_lookalike_letters_of_two_alphabets_give_one_skeleton() -> None:
    assert skeleton("Вова") == skeleton("Bова")
    assert skeleton("AHHA") == skeleton("АННА")
    assert skeleton("Anna") != skeleton("Anne")


def test_word_knows_whether_it_was_quoted() -> None:
    command = split_line('x "a" b')
    assert command is not None
    assert command.words == (Word("a", quoted=True), Word("b"))
