"""Text on the screen: never markup, never an order to the terminal, always within its columns."""

import ast
from pathlib import Path

import pytest
from textual.content import Content

from assistant.console import rows
from assistant.console.rows import cells, clean, cut, ends, fit, page, right, row, window, wrap, wrap_items

HOSTILE = [
    "[/]",
    "[red]Mallory[/]",
    "[@click=app.quit]x[/]",
    "李" * 32,
    "שלום",
    "👩‍👩‍👧",
    "a\u0301" * 8,
    "\x1b[2J",
    "$accent",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_row_shows_a_name_as_it_is(name: str) -> None:
    assert row(name).plain == clean(name)
    assert row((name, "bold")).plain == clean(name)


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("width", [0, 1, 2, 5, 18, 40])
def test_text_takes_exactly_its_columns(name: str, width: int) -> None:
    assert cells(fit(name, width)) == width
    assert cells(right(name, width)) == width
    assert cells(cut(name, width)) <= width


def test_what_a_terminal_would_obey_is_dropped() -> None:
    assert clean("a\x1b]0;t\x07\u202eb\u009bc\ufe0f") == "a]0;tbc"


@pytest.mark.parametrize("width", [1, 3, 10, 80])
def test_wrapped_lines_fit_and_lose_no_word(width: int) -> None:
    text = "SHOW the hand of 李李李李: does it beat 10♥? " + "x" * 25
    lines = wrap(text, width)
    assert all(cells(line) <= max(2, width) for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_items_are_not_torn() -> None:
    assert wrap_items(["PAY Anna 5", "COLLECT Boris 10"], 18) == ["PAY Anna 5", "COLLECT Boris 10"]


def test_both_ends_of_a_row_share_the_width() -> None:
    assert ends(row("left"), row("tail"), 12).plain == "left    tail"
    assert ends(row("a long left part"), row("tail"), 10).plain == "a lon…tail"


CONSOLE = Path(rows.__file__).parent
MARKUP = {"from_markup", "from_text", "from_rich_text"}


def test_no_console_module_makes_markup_from_text() -> None:
    """Markup would let a name vanish, crash the console or be clicked; rows are the only way to a widget."""
    for path in CONSOLE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert not {"escape"} & {alias.name for alias in node.names}, f"{path.name}:{node.lineno}"
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            assert name not in MARKUP, f"{path.name}:{node.lineno} {name}"
            assert name != "notify", f"{path.name}:{node.lineno}: toasts parse markup and vanish"
            if name in ("update", "Static", "Label", "Content"):
                literal = not node.args or isinstance(node.args[0], ast.Call | ast.Constant | ast.Name)
                assert literal, f"{path.name}:{node.lineno}: text goes to a widget through rows only"


def test_a_content_of_rows_has_no_link_or_action() -> None:
    content = row("[@click=app.quit]x[/]")
    assert isinstance(content, Content)
    assert not content.spans


@pytest.mark.parametrize(
    ("chosen", "shown", "mark"),
    [
        (0, "012", "↓ 15 more"),
        (2, "012", "↓ 15 more"),
        (9, "789", "↑ 7 more   ↓ 8 more"),
        (17, "fgh", "↑ 15 more"),
    ],
)
def test_a_list_that_does_not_fit_says_how_many_more_there_are(chosen: int, shown: str, mark: str) -> None:
    lines = [row(one) for one in "0123456789abcdefgh"]
    found = [one.plain.strip() for one in window(lines, chosen, 4, lambda _place, line: line)]
    assert found == [*shown, mark]


@pytest.mark.parametrize("room", [18, 19, 1])
def test_a_list_that_fits_has_no_mark(room: int) -> None:
    lines = [row(one) for one in "0123456789abcdefgh"]
    assert [one.plain for one in window(lines, 0, room, lambda _place, line: line)] == [
        one.plain for one in lines[:room]
    ]


@pytest.mark.parametrize(
    ("top", "shown", "mark", "really"),
    [
        (0, "012", "↓ 15 more", 0),
        (4, "456", "↑ 4 more   ↓ 11 more", 4),
        (15, "fgh", "↑ 15 more", 15),
        (99, "fgh", "↑ 15 more", 15),
    ],
)
def test_a_text_that_is_scrolled_says_how_much_more_there_is(
    top: int, shown: str, mark: str, really: int
) -> None:
    lines = [row(one) for one in "0123456789abcdefgh"]
    found, first = page(lines, top, 4)
    assert ([one.plain.strip() for one in found], first) == ([*shown, mark], really)


def test_only_what_is_shown_is_drawn() -> None:
    drawn: list[int] = []

    def draw(place: int, _item: int) -> Content:
        drawn.append(place)
        return row("x")

    window(range(10_000), 500, 10, draw)
    assert drawn == list(range(492, 501))
