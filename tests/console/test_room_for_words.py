"""No text is cut where there is room for it, and where there is none it says the same in fewer words."""

from collections.abc import Callable
from typing import Any

import pytest

Open = Callable[..., Any]
POOL = ["game red-dog-pool ante=5 hand=3", "seat Anna 100", 'seat "Екатерина Вторая" 100', "seat Vera 85"]
FEW = [line.replace('"Екатерина Вторая"', "Катя") for line in POOL]


async def test_players_say_in_full_who_leaves_after_this_round(open_console: Open) -> None:
    lines = [*POOL, "dealer Anna", "round", "dealt", "leave Vera", 'leave "Екатерина Вторая"']
    async with open_console(lines) as dealer:
        await dealer.press("f4")
        assert dealer.area("body").count("leaves after this round") == 2
        assert "Екатерина Вторая" in dealer.area("body")
        assert "…" not in dealer.area("body")


async def test_longest_names_and_amounts_leave_the_players_their_columns(open_console: Open) -> None:
    name = "Konstantin Konstantinovich Smirn"
    lines = ["night N currency=EUR", "game red-dog-pool", f'seat "{name}" 1000000', "seat Vera 50", "round"]
    async with open_console([*lines, "dealt", f'leave "{name}"']) as dealer:
        await dealer.press("f4")
        seat = next(line for line in dealer.area("body").splitlines() if "Konst" in line)
        assert "leaves after this round" in seat
        assert "Konstantin Kons" in seat


@pytest.mark.parametrize(
    ("language", "words"), [("en", ("leaving", "out next")), ("ru", ("уходит", "пропустит"))]
)
async def test_seat_says_in_a_word_who_leaves_where_there_is_no_room_for_more(
    open_console: Open, language: str, words: tuple[str, str]
) -> None:
    lines = [*FEW, "dealer Anna", "round", "dealt", "leave Vera", "sitout Катя"]
    async with open_console(lines, language=language) as dealer:
        seats = dealer.area("seats")
        assert all(word in seats for word in words)
        assert "…" not in seats


async def test_seat_says_who_banks(open_console: Open) -> None:
    async with open_console(["game casino-red-dog", *FEW[1:], "house Anna 50"]) as dealer:
        assert "banks" in dealer.area("seats")
        assert "…" not in dealer.area("seats")


async def test_heading_of_the_payments_is_whole_in_russian(open_console: Open) -> None:
    names = ("Anna", "Boris", "Vera", "Gleb", "Dora", "Ivan", "Zoya", "Катя")
    lines = [*(f"seat {name} 200" for name in names), "expense Anna 80 pizza", "close", "settle players"]
    async with open_console(lines, language="ru") as dealer:
        await dealer.press("f6")
        heading = " ".join(dealer.area("body").partition("▶")[0].split())
        assert heading.startswith("план 2, расчёт между игроками")
        assert heading.endswith("платежей 7, меньше нельзя")


LONG = [
    "game red-dog-pool ante=5 hand=3",
    'seat "Konstantin Konstantinovich" 100',
    'seat "Bartholomew the Third" 100',
    'seat "Екатерина Вторая" 100',
    'dealer "Konstantin Konstantinovich"',
]


async def test_entry_says_whole_what_is_allowed_however_long_the_name(open_console: Open) -> None:
    async with open_console([*LONG, "round", "dealt"]) as dealer:
        await dealer.type("200")
        assert dealer.area("entry").rstrip().endswith("bet Bartholomew the Third 200? allowed: 5-15")
        assert "> 200 " in dealer.area("entry")
        await dealer.press("escape")
        await dealer.line("5", "kd")
        assert dealer.area("entry").rstrip().endswith("a winning card, or all of them  Y won  N lost")


async def test_entry_names_whoever_it_is_for_where_there_is_room(open_console: Open) -> None:
    async with open_console([*LONG, "round", "dealt"]) as dealer:
        assert dealer.area("entry").startswith(" bet of Bartholomew the Third> ")
        await dealer.type("5")
        assert dealer.area("entry").startswith(" bet of Bartholomew the Third> 5 ")


async def test_log_says_whole_what_the_dealer_was_to_do(open_console: Open) -> None:
    """The figure was cut off: COLLECT from Konstantin Konst…"""
    name = "Konstantin Konstantinovich"
    lines = [*LONG[:4], 'dealer "Екатерина Вторая"', "round", "dealt", f'bet "{name}" 10', "card KD"]
    async with open_console([*lines, f'lost "{name}"']) as dealer:
        last = next(line for line in dealer.screen if "#10  lost" in line)
        assert last.endswith(f"→ COLLECT from {name} 10")


async def test_amount_to_pay_stands_beside_its_name(open_console: Open) -> None:
    """Bartholomew stood at the end of a line, and his 50 at the beginning of the next."""
    bets = [
        'bet "Konstantin Konstantinovich" 20',
        'bet "Екатерина Вторая" 5',
        'bet "Bartholomew the Third" 50',
        "card 2H 9S",
        'call "Konstantin Konstantinovich"',
        'call "Bartholomew the Third"',
        'call "Екатерина Вторая"',
        "card 5D",
    ]
    async with open_console(["game casino-red-dog", *LONG[1:4], *bets]) as dealer:
        rows = [line.strip() for line in dealer.area("bar").splitlines()]
        pay = next(place for place, line in enumerate(rows) if line.startswith("PAY"))
        told = rows[pay : pay + 2]
        for paid in ("Konstantin Konstantinovich 20", "Bartholomew the Third 50", "Екатерина Вторая 5"):
            assert any(paid in line for line in told)


async def test_names_of_the_ledger_have_the_room_that_no_note_needs(open_console: Open) -> None:
    async with open_console(LONG) as dealer:
        await dealer.press("f11")
        assert "▶ Konstantin Konstantinovich  " in dealer.area("body")
        await dealer.line(":cashier Nina")
        assert "guest" in dealer.area("body")


async def test_what_is_no_card_is_called_so_in_a_line_that_has_room(open_console: Open) -> None:
    lines = [*LONG, "round", "dealt", 'bet "Bartholomew the Third" 10', "card KD"]
    async with open_console(lines) as dealer:
        await dealer.type("qz")
        assert dealer.area("entry").rstrip().endswith("? qz? no card; any other line begins with :")


async def test_market_stands_in_columns_and_says_how_a_closed_card_is_taken(open_console: Open) -> None:
    checked = [f'check "{name}"' for name in ("Bartholomew the Third", "Екатерина Вторая")]
    lines = ["game rake", *LONG[1:], "round", "dealt", *checked, 'check "Konstantin Konstantinovich"']
    async with open_console([*lines, "card QH 3D 5C"]) as dealer:
        cards = [line for line in dealer.area("panel").splitlines() if line.strip()]
        assert {
            line.index(name) for line, name in zip(cards, ("Q♥", "3♦", "5♣", "a closed"), strict=True)
        } == {8}
        assert dealer.area("entry").rstrip().endswith("the card itself, or c for closed")


async def test_payments_name_payer_and_payee_whole_where_there_is_room(open_console: Open) -> None:
    lines = [*LONG, 'expense "Bartholomew the Third" 60 pizza', "close"]
    async with open_console(lines) as dealer:
        await dealer.press("f6")
        line = next(line for line in dealer.screen if "→" in line)
        assert line.split("→")[0].endswith("1  Konstantin Konstantinovich  ")
        assert line.split("→")[1].split() == ["Bartholomew", "the", "Third", "20"]
        await dealer.line("15")
        assert any(line.endswith("open 5") for line in dealer.screen)


async def test_who_confirmed_a_count_is_named_whole(open_console: Open) -> None:
    lines = [*LONG, "count start", 'count "Bartholomew the Third" 100 by="Екатерина Вторая"']
    async with open_console(lines) as dealer:
        await dealer.press("f6")
        row = next(line for line in dealer.screen if "✓" in line)
        assert row.endswith("✓ 100  Екатерина Вторая")


@pytest.mark.parametrize(("size", "seats"), [((80, 24), 2), ((80, 24), 6), ((120, 36), 6), ((120, 36), 5)])
async def test_a_long_name_is_whole_at_a_seat_where_there_is_room(
    open_console: Open, size: tuple[int, int], seats: int
) -> None:
    """Of six seats two stood in a row of four, and names were cut beside the empty places."""
    names = [f"Bartholomeus-{number}-Jr" for number in range(seats)]
    lines = ["game red-dog-pool", *(f"seat {name} 100" for name in names)]
    async with open_console(lines, size=size) as dealer:
        assert [name for name in names if name not in dealer.area("seats")] == []


async def test_short_names_stand_four_in_a_row_as_before(open_console: Open) -> None:
    lines = ["game red-dog-pool", *(f"seat {name} 100" for name in "ABCDEF")]
    async with open_console(lines) as dealer:
        first = dealer.area("seats").splitlines()[1]
        assert [name for name in "ABCDEF" if f" {name} " in first] == ["A", "B", "C", "D"]
