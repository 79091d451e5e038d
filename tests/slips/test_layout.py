"""Fields and lines counted in cells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.slips.layout import cells, centre, cut, ends, left, page, plain, right, wrap


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("Ann", 3, "Ann"),
        ("Anna", 3, "An~"),
        ("Anna Lee", 6, "Anna~"),
        ("李雷", 4, "李雷"),
        ("李雷", 3, "李~"),
        ("李雷", 2, "~"),
        ("Zoe\u0308y", 3, "Zo~"),
        ("Zoe\u0308yz", 4, "Zoe\u0308~"),
        ("Ann", 1, "~"),
        ("Ann", 0, ""),
    ],
)
def test_long_text_is_cut_by_cells(text: str, width: int, expected: str) -> None:
    assert cut(text, width) == expected


def test_fields() -> None:
    assert (left("李", 4), right("李", 4), centre("李", 5)) == ("李  ", "  李", " 李")
    assert ends("a long title", "20:05", 12) == "a lon~ 20:05"
    assert page(["a  ", ""]) == "a\n\n"


def test_sentence_is_broken_at_blanks_and_a_long_word_where_it_must() -> None:
    assert wrap("one two  three", 7) == ["one two", "three"]
    assert wrap("abcdefgh ij", 3) == ["abc", "def", "gh", "ij"]
    assert wrap("", 5) == []


def test_what_cannot_be_seen_is_replaced() -> None:
    assert plain("a\x1b[31m\u202eb\u200b\u2028c\u00a0d\te\ud800") == "a?[31m?b??c d?e?"


@given(st.text(max_size=30), st.integers(2, 20))
def test_wrapped_lines_keep_to_the_width_and_lose_nothing(text: str, width: int) -> None:
    lines = wrap(plain(text), width)
    assert all(cells(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == "".join(plain(text).split())


@given(st.text(max_size=30).map(plain), st.integers(1, 20))
def test_fields_are_exactly_as_wide_as_asked(text: str, width: int) -> None:
    assert cells(left(text, width)) == width
    assert cells(cut(text, width)) <= width
