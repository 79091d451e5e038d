"""The Russian catalogue is whole, and its sentences have the same holes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import extract_messages
from assistant.console.rows import cells
from assistant.console.screens.game import NAME_WIDTH
from assistant.games.variants import all_games
from assistant.i18n import speaking
from assistant.rules_wording import rule_label, value_label, value_typed
from extract_messages import Catalogue, Message, collect_from, compile_mo, read_po

HOLE = re.compile(r"\{[^}]*\}")


@pytest.fixture(scope="module")
def where(repository: Path) -> dict[Message, list[str]]:
    """Every sentence, and the modules that say it."""
    found: dict[Message, list[str]] = {}
    for folder in extract_messages.SOURCES:
        for path in sorted((repository / folder).rglob("*.py")):
            for message in collect_from(path.read_text(encoding="utf-8")):
                found.setdefault(message, []).append(path.relative_to(repository).as_posix())
    return found


@pytest.fixture(scope="module")
def russian(repository: Path) -> tuple[str, Catalogue]:
    path = repository / "assistant/locale/ru/LC_MESSAGES/tableside.po"
    return read_po(path.read_text(encoding="utf-8"))


def test_every_sentence_is_said_in_russian(
    where: dict[Message, list[str]], russian: tuple[str, Catalogue]
) -> None:
    """A new one is translated in the .po after scripts/extract_messages.py has put it there."""
    _header, catalogue = russian
    missing = [
        f"{modules[0]}: {message.text}"
        for message, modules in where.items()
        if not all(catalogue.get(message, ("",)))
    ]
    assert missing == []


def test_a_translation_has_the_holes_of_its_sentence(russian: tuple[str, Catalogue]) -> None:
    _header, catalogue = russian
    wrong = [
        (message.text, form)
        for message, forms in catalogue.items()
        for form in forms
        if form and sorted(HOLE.findall(form)) != sorted(HOLE.findall(message.plural or message.text))
    ]
    assert wrong == []


def test_a_sentence_with_a_number_has_the_three_forms_of_russian(russian: tuple[str, Catalogue]) -> None:
    _header, catalogue = russian
    counted = {message.text: forms for message, forms in catalogue.items() if message.plural}
    assert counted
    assert {text: len(forms) for text, forms in counted.items() if len(forms) != 3} == {}


def test_what_is_compiled_is_what_is_written(repository: Path, russian: tuple[str, Catalogue]) -> None:
    path = repository / "assistant/locale/ru/LC_MESSAGES/tableside.mo"
    assert path.read_bytes() == compile_mo(*russian)


def test_an_edge_blank_is_kept(russian: tuple[str, Catalogue]) -> None:
    """It parts the sentence from what stands beside it."""
    _header, catalogue = russian
    wrong = [
        message.text
        for message, forms in catalogue.items()
        for form in forms
        if form and [message.text[:1] == " ", message.text[-1:] == " "] != [form[:1] == " ", form[-1:] == " "]
    ]
    assert wrong == []


def test_every_house_rule_has_a_name_of_its_own_in_both_languages() -> None:
    """Words of the table that fit the column of the screen; what table talk has for them is no such word."""
    names = {option.name for game in all_games() for option in game.options}
    english = {name: rule_label(name) for name in names}
    assert not [label for label in english.values() if "_" in label or cells(label) >= NAME_WIDTH]
    with speaking("ru"):
        labels = {name: rule_label(name) for name in names}
    assert not [name for name, label in labels.items() if label.isascii() or cells(label) >= NAME_WIDTH]
    for game in all_games():
        called = [english[option.name] for option in game.options]
        assert len(set(called)) == len(called)
    for game in all_games():
        shown = [labels[option.name] for option in game.options]
        assert len(set(shown)) == len(shown)
    assert rule_label("a plug-in's own") == "a plug-in's own"


def test_every_value_of_a_house_rule_is_a_word_of_the_table_and_read_back_as_typed() -> None:
    """F5 showed cut-card, seat0 and true."""
    options = [option for game in all_games() for option in game.options if option.values]
    for language in ("en", "ru"):
        with speaking(language):
            for option in options:
                labels = [value_label(value) for value in option.values]
                assert len(set(labels)) == len(labels)
                assert [value_typed(label, option.values) for label in labels] == list(option.values)
                assert [value_typed(value, option.values) for value in option.values] == list(option.values)
    shown = {value_label(value) for option in options for value in option.values}
    assert not shown & {"true", "false", "seat0", "cut-card", "left-of-dealer", "after-bet"}
