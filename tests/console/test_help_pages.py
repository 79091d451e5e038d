"""The manual in the console: tables are whole at any width, and the page on shoes is where sources are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from assistant.console.manual import page_rows

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
