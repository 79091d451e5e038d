"""Settlement slips as text: golden files in tests/data/slips, and names that would break them."""

import json
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.i18n import speaking
from assistant.money import Currency
from assistant.slips.content import ChipCount, NodeRow, Payment, PlayerRow, SettlementSlip
from assistant.slips.layout import cells
from assistant.slips.text import render

WIDTHS = (80, 48, 42, 32)
EURO = Currency("EUR", 2)
HEAD = "9f3c41aa07d2" + "0" * 52


def row(name: str, bought_in: int, cashed_out: int) -> PlayerRow:
    return PlayerRow(name, bought_in, cashed_out, cashed_out - bought_in)


ENGLISH = SettlementSlip(
    night="2026-11-28-1",
    opened="20:05",
    closed="00:40",
    players=(
        row("Ann", 100, 65),
        row("Boris", 150, 100),
        row("Vera", 100, 185),
        row("Gleb", 100, 155),
        row("Dasha", 200, 145),
        row("Egor", 100, 165),
        row("Zoya", 100, 35),
    ),
    payments=(
        Payment("Ann", "Vera", 35),
        Payment("Boris", "Vera", 50),
        Payment("Dasha", "Gleb", 55),
        Payment("Zoya", "Egor", 65),
    ),
    entries=412,
    head=HEAD,
    count=ChipCount(850, 850),
    corrections=("#41 buy-in, Boris, 1000: reversed by #42, typed 1000 for 100 (20:31)",),
)
RUSSIAN_NAMES = dict(
    zip(
        "Ann Boris Vera Gleb Dasha Egor Zoya".split(),
        "Анна Борис Вера Глеб Даша Егор Зоя".split(),
        strict=True,
    )
)
RUSSIAN = replace(
    ENGLISH,
    players=tuple(replace(player, name=RUSSIAN_NAMES[player.name]) for player in ENGLISH.players),
    payments=tuple(
        Payment(RUSSIAN_NAMES[payment.payer], RUSSIAN_NAMES[payment.payee], payment.amount)
        for payment in ENGLISH.payments
    ),
    corrections=("№41 закуп, Борис, 1000: сторно №42, набрано 1000 вместо 100 (20:31)",),
)
MONEY = replace(
    ENGLISH,
    closed="",
    currency=EURO,
    players=(
        row("Ann", 10000, 6550),
        row("Konstantinos Papadopoulos-Smith", 123456789, 123456789),
        row("Bo", 0, 0),
    ),
    nodes=(NodeRow("house", 4450), NodeRow("carried", -1000)),
    payments=(Payment("Ann", "house", 3450), Payment("carried", "house", 1000)),
    count=ChipCount(57500, 60000),
    corrections=(),
    minimal=False,
    verified=False,
    copy=2,
)
SLIPS = {"en": ENGLISH, "ru": RUSSIAN, "money": MONEY}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SLIPS)
def test_slip_looks_as_agreed(name: str, width: int, repository: Path) -> None:
    """8.1 to 8.4 of the design notes; the other widths follow their pattern."""
    golden = repository / "tests" / "data" / "slips" / f"settlement-{name}-{width}.txt"
    with speaking("ru" if name == "ru" else "en"):
        text = render(SLIPS[name], width)
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("width", WIDTHS)
def test_russian_slip_fits_receipt_printers(width: int) -> None:
    """Scenario 29: nothing over the width, everything in code page 866, no question mark."""
    with speaking("ru"):
        text = render(RUSSIAN, width)
    assert max(map(cells, text.splitlines())) <= width
    assert b"?" not in text.encode("cp866")


def test_unknown_language_speaks_english() -> None:
    with speaking("xx"):
        assert render(ENGLISH, 80).startswith("SETTLEMENT ")


def test_narrow_slip_keeps_a_long_name_and_amount_of_a_payment_whole() -> None:
    """B234: 58 mm paper, a name of 32 letters, -1234.50: on two lines, the amount at the end of the last."""
    name = "x" * 25
    slip = replace(
        ENGLISH,
        currency=EURO,
        players=(row(name, 123450, 0), row("Ann", 0, 123450)),
        payments=(Payment(name, "Ann", 123450),),
    )
    lines = render(slip, 32).splitlines()
    start = lines.index(f"[ ] {name} ->")
    assert lines[start + 1] == f"    Ann{'1234.50':>25}"
    start = lines.index(name)
    assert lines[start + 1] == f"{'1234.50':>14}{'0.00':>9}{'-1234.50':>9}"


def test_wide_slip_keeps_two_long_names_of_a_payment_apart() -> None:
    first, second = "Konstantinos Papadopoulos Senior", "Konstantinos Papadopoulos Junior"
    slip = replace(ENGLISH, payments=(Payment(first, second, 5), Payment("Ann", "Vera", 7)))
    lines = render(slip, 80).splitlines()
    start = lines.index(f" 1. {first}")
    assert lines[start + 1] == f"    -> {second}".ljust(61) + "5          open [ ]"
    assert lines[start + 2].startswith(" 2. Ann   ")


def test_amounts_too_long_for_the_paper_stand_one_a_line() -> None:
    slip = replace(ENGLISH, currency=EURO, players=(row("Ann", 99999999999, 0), row("Bo", 0, 99999999999)))
    lines = render(slip, 32).splitlines()
    start = lines.index("Ann")
    assert lines[start + 1 : start + 4] == [
        "  In                999999999.99",
        "  Out                       0.00",
        "  Net              -999999999.99",
    ]
    assert max(map(len, lines)) == 32


def test_nobody_owes_anything() -> None:
    slip = replace(ENGLISH, payments=())
    assert "Who pays whom. Nobody owes anything.\n" in render(slip, 80)
    assert "Nobody owes anything.\n" in render(slip, 42)


def test_difference_of_the_count_is_named() -> None:
    slip = replace(ENGLISH, count=ChipCount(825, 850))
    assert "Chip count: counted 825, ledger 850: difference -25\n" in render(slip, 80)


@pytest.mark.parametrize("width", WIDTHS)
def test_zero_has_no_sign(width: int) -> None:
    """B143."""
    slip = replace(ENGLISH, currency=EURO, players=(row("A", 5000, 5000), row("B", 5000, 5000)), payments=())
    text = render(slip, width)
    assert "-0" not in text
    assert "+0" not in text


def assert_sound(text: str, width: int) -> None:
    """What no slip may do to a printer or a terminal, whatever people are called."""
    assert text.endswith("\n")
    for line in text.split("\n"):
        assert cells(line) <= width
        assert line == line.rstrip()
        assert all(unicodedata.category(char)[0] != "C" for char in line), repr(line)
        assert all(char == " " or not char.isspace() for char in line), repr(line)


def with_name(name: str) -> SettlementSlip:
    return replace(
        ENGLISH,
        night=name,
        players=(row(name, 100, 65), row("Bo", 100, 135)),
        payments=(Payment(name, "Bo", 35), Payment("Bo", name, 1)),
        corrections=(f"#4 buy-in, {name}, 5", name),
        head=name,
    )


@pytest.mark.parametrize("width", (*WIDTHS, 64, 24, 1))
def test_hostile_names_break_no_line(shared: Path, width: int) -> None:
    """cases/names.tsv, through the renderer as if nobody had refused them before."""
    rows = (shared / "cases" / "names.tsv").read_text(encoding="utf-8").splitlines()[1:]
    for line in rows:
        assert_sound(render(with_name(json.loads(line.split("\t")[0])), width), max(width, 24))


HOSTILE = (
    "Bob[/]",
    "[@click=app.quit]x[/]",
    '=HYPERLINK("x")',
    "Ann\x1bp0",
    "Bob\x1b@\x1dV\0",
    "\u202eAnn",
    "a\u200bb",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_shown_literally_but_for_control_characters(name: str) -> None:
    """Scenario 28."""
    text = render(with_name(name), 80)
    assert_sound(text, 80)
    expected = "".join("?" if unicodedata.category(char)[0] == "C" else char for char in name)
    assert f"\n{expected} " in text


@given(st.text(max_size=40), st.sampled_from([*WIDTHS, 64, 24]), st.integers(0, 10**12))
def test_any_name_and_amount_keep_to_the_paper(name: str, width: int, amount: int) -> None:
    slip = replace(with_name(name), players=(row(name, amount, 0), row("Bo", 0, amount)), currency=EURO)
    slip = replace(slip, payments=(Payment(name, name, amount), Payment(name, "Bo", amount)))
    assert_sound(render(slip, width), width)


def test_wide_letters_keep_the_columns_straight() -> None:
    slip = replace(ENGLISH, players=(row("李雷", 100, 65), row("👍", 1, 1), row("Zoë", 1, 1)))
    lines = render(slip, 42).splitlines()
    found = [line for line in lines if line.startswith(("李雷", "👍", "Zoë"))]
    assert [cells(line) for line in found] == [42, 42, 42]
    assert [len(line) for line in found] == [40, 41, 42]
