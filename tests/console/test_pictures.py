"""What the table looks like, as plain text: every cell of some moments at both sizes (tests/data/screens).

To accept a wanted change, run with ``TABLESIDE_WRITE_SCREENS=1`` and read the difference.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assistant.cards import parse_card
from drivers.base import Candidate, EventKind, SourceEvent

Open = Callable[..., Any]
CASINO = [
    "game casino-red-dog",
    "seat Anna 200",
    'seat "Boris K." 340',
    "seat Vera 95",
    "seat [red]Mallory[/] 500",
    'seat "Вася Пупкин" 120',
]
BETS = ["bet Anna 10", 'bet "Boris K." 25', "bet Vera 5"]
POOL = [
    "game red-dog-pool ante=5 hand=3",
    *(f"seat {name} 100" for name in ("Anna", "Boris", "Vera", "Gleb", "Dora", "José")),
    "dealer Anna",
    "round",
    "dealt",
]
SIX = [f"seat {name} 100" for name in ("Anna", "Boris", "Vera", "Gleb", "Dora", "José")]
CHECKED = [f"check {name}" for name in ("Boris", "Vera", "Gleb", "Dora", "José", "Anna")]
MONEY = [
    "rack 100x1 100x5 40x25 10x100",
    "game red-dog-pool ante=5 hand=3",
    "cashier Nina",
    "seat Anna 100 cash",
    'seat "Boris K." 100',
    "seat [red]Mallory[/] 100",
    'seat "Вася Пупкин" 100 cash',
    "expense Anna 61 pizza",
    'lend Anna "Boris K." 20',
    "buy Anna 1000",
    "reverse 10 typed by mistake",
    'leave "Вася Пупкин"',
]
MOMENTS: dict[str, tuple[list[str], list[str]]] = {
    "nobody": ([], []),
    "casino_bets": (CASINO, []),
    "casino_decision": ([*CASINO, *BETS, "card 9H 4S"], ["r"]),
    "casino_paid": (
        [*CASINO, *BETS, "card 9H 4S", "raise Anna", 'call "Boris K."', "call Vera", "card 6D"],
        [],
    ),
    "casino_odds": ([*CASINO, *BETS, "card TH 2S"], ["i"]),
    "casino_odds_before": (CASINO[:3], ["i"]),
    "casino_undone": ([*CASINO, *BETS], ["u"]),
    "pool_bet": (POOL, ["1", "0"]),
    "pool_show": ([*POOL, "bet Boris 10", "card 7H"], []),
    "pool_odds": ([*POOL, "bet Boris 10", "card 7H"], ["i"]),
    "pool_refused": (POOL, ["9", "9", "9", "enter", "enter"]),
    "bank_put_up": (["game red-dog-bank", *SIX, "dealer Anna", "round"], ["4", "0"]),
    "polish_banker": (
        [
            *("game polish-red-dog", *SIX[:3], "dealer Anna", "round", "bank", "dealt", "bet Boris 20"),
            *("pass Vera", "card 4C 7H", "show Boris 8H 9C 2D"),
        ],
        [],
    ),
    "acey_pair": (["game acey-deucey-pot", *SIX, "dealer Anna", "round", "card 7C 7D"], ["6", "h"]),
    "rake_draw": (
        ["game rake", *SIX, "dealer Anna", "round", "dealt", *CHECKED, "card AS KD 3H QC JH 10D"],
        ["2"],
    ),
    "misdeal": (POOL, ["m"]),
    "wrong_card": ([*POOL, "bet Boris 10", "card 7H"], ["w"]),
    "seats": (POOL, ["f4"]),
    "game": (POOL, ["f5"]),
    "close": (POOL, ["f6"]),
    "ledger": (MONEY, ["e"]),
    "ledger_entry": (MONEY, ["e", "tab", "down", "enter"]),
    "count_differs": ([*MONEY, "count Anna 75", 'count "Boris K." 120', "count [red]Mallory[/] 100"], ["f6"]),
    "plan": ([*MONEY, "close", "pay 1 10"], ["f6"]),
    "why": ([*MONEY, "close", "pay 1 10"], ["f6", "w"]),
    "help": (POOL, ["f1"]),
}
HEAD = re.compile(r"( [#№]\d+ )([0-9a-f]{4,12})(?=  )")


def check(name: str, shown: list[str], repository: Path) -> None:
    path = repository / "tests/data/screens" / f"{name}.txt"
    # the head is another one every time, for keys of entries are random
    text = HEAD.sub(lambda head: head[1] + "0" * len(head[2]), "\n".join(shown) + "\n")
    if os.environ.get("TABLESIDE_WRITE_SCREENS"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=["80x24", "120x36"])
@pytest.mark.parametrize("moment", MOMENTS)
async def test_the_screen_at_a_moment(
    open_console: Open, repository: Path, moment: str, size: tuple[int, int]
) -> None:
    lines, keys = MOMENTS[moment]
    async with open_console(lines, size=size) as dealer:
        await dealer.press(*keys)
        check(f"{moment}-{size[0]}x{size[1]}", dealer.screen, repository)


@pytest.mark.parametrize("moment", MOMENTS)
async def test_the_small_screen_at_a_moment_in_russian(
    open_console: Open, repository: Path, moment: str
) -> None:
    lines, keys = MOMENTS[moment]
    async with open_console(lines, language="ru") as dealer:
        await dealer.press(*keys)
        check(f"ru-{moment}-80x24", dealer.screen, repository)


@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=["80x24", "120x36"])
async def test_the_screen_when_a_night_was_open(
    open_console: Open, repository: Path, size: tuple[int, int]
) -> None:
    async with open_console([*POOL, "bet Boris 10", "card 7H"], size=size, resumed=True) as dealer:
        check(f"resume-{size[0]}x{size[1]}", dealer.screen, repository)


@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=["80x24", "120x36"])
async def test_the_screen_when_a_camera_is_unsure(
    open_console: Open, repository: Path, size: tuple[int, int]
) -> None:
    candidates = (Candidate(parse_card("KS"), 0.62), Candidate(parse_card("QS"), 0.31))
    event = SourceEvent(EventKind.UNSURE, "camera:0", 2.0, confidence=0.62, candidates=candidates)
    async with open_console([*POOL, "bet Boris 10"], size=size, sources=("camera:0",)) as dealer:
        await dealer.source_says(event)
        check(f"unsure-{size[0]}x{size[1]}", dealer.screen, repository)
