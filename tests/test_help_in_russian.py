"""A page of the manual that is there in Russian is the same page: its parts, what is typed, its figures."""

import re
from collections import Counter
from pathlib import Path

import pytest

from assistant.console.manual import PAGES, page_rows
from assistant.i18n import speaking

RUSSIAN = sorted((PAGES / "ru").glob("*.md"))
TO_BE_ENGLISH = {"camera", "deck", "paper", "shoes"}
"""Pages for whoever sets devices up; they are shown in English."""
CODE = re.compile(r"`[^`]*`")
CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)


def parts(page: str) -> list[tuple[str, int]]:
    """What each line is: heading, item, row with its cells, a line to be typed, or text."""
    found = []
    for line in page.splitlines():
        kind = re.match(r"#+ |- |\||    |$", line)
        cells = line.count("|") - line.count("`|") if line.startswith("|") else 0
        found.append((kind.group() if kind else "text", cells))
    return found


def typed(page: str) -> Counter[str]:
    """What stands for typing: words in backticks and lines set apart, without comments in a language."""
    lines = [line for line in page.splitlines() if line.startswith("    ")]
    return Counter([*CODE.findall(page), *lines])


def test_every_page_for_the_dealer_is_there_in_russian() -> None:
    english = {path.stem for path in PAGES.glob("*.md")}
    assert {path.stem for path in RUSSIAN} == english - TO_BE_ENGLISH


@pytest.mark.parametrize("path", RUSSIAN, ids=lambda path: path.stem)
def test_a_russian_page_is_the_same_page(path: Path) -> None:
    russian, english = path.read_text("utf-8"), (PAGES / path.name).read_text("utf-8")
    assert parts(russian) == parts(english)
    assert typed(russian) == typed(english)
    english = english.replace("3 of a kind", "three of a kind")  # one word in Russian
    figures = r"(?<![\w.])\d+(?:[.,]\d+)?"
    assert Counter(one.replace(",", ".") for one in re.findall(figures, russian)) == Counter(
        one.replace(",", ".") for one in re.findall(figures, english)
    )


@pytest.mark.parametrize("path", RUSSIAN, ids=lambda path: path.stem)
def test_no_sentence_of_a_russian_page_was_left_in_english(path: Path) -> None:
    prose = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("    ")]
    left = [
        line for line in prose if re.search(r"[a-z]{3}", CODE.sub("", line)) and not CYRILLIC.search(line)
    ]
    # these two games have no other name in Russian
    assert {line.lstrip("# ") for line in left if not line.startswith("|")} <= {"Rake", "Acey-Deucey"}
    assert not re.search("[–—]", path.read_text("utf-8"))  # the house's dash


def test_the_console_shows_the_russian_page_and_else_the_english_one() -> None:
    with speaking("ru"):
        assert page_rows("seats", 80)[0].plain.strip().upper() == "ИГРОКИ"
        assert any("camera" in one.plain for one in page_rows("camera", 80))
    assert page_rows("seats", 80)[0].plain.strip().upper() == "THE PLAYERS"
