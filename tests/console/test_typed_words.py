"""What the console says to type can be typed there as it stands: a line begins with the colon."""

from collections.abc import Callable
from typing import Any

import pytest

from assistant.console.typed_words import as_typed

Open = Callable[..., Any]


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("Say “share” first.", "Say “:share” first."),
        ("Сначала скажите «share».", "Сначала скажите «:share»."),
        ("“carry 20” brings it in.", "“:carry 20” brings it in."),
        (
            "Where the house needs none: “count start confirm=off”.",
            "Where the house needs none: “:count start confirm=off”.",
        ),
        ("with “void”, or use “undo” ", "with “:void”, or use “:undo” "),
        ("Say “cash” or “iou”.", "Say “cash” or “:iou”."),
        ("There is no word “shares”.", "There is no word “shares”."),
    ],
)
def test_a_line_in_a_sentence_has_the_colon_it_needs(text: str, typed: str) -> None:
    assert as_typed(text) == typed


async def test_a_refusal_names_a_line_that_can_be_typed(open_console: Open) -> None:
    pool = ["game red-dog-pool ante=5 hand=3", "seat Anna 100", "seat Boris 100", "round", "void pool=keep"]
    async with open_console([*pool[:4], "dealt"]) as dealer:
        await dealer.line(":count start")
        assert "call it off with “:void”" in dealer.area("bar")
