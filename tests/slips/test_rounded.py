"""A rounded settlement prints exact and rounded (LEDGER.md 7.6), and the counts of pool, rack and box."""

from dataclasses import replace
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from assistant.i18n import speaking
from assistant.ledger.plan import round_to_unit
from assistant.money import Currency
from assistant.slips.content import (
    ChipCount,
    CountRow,
    CountSlip,
    NodeRow,
    Payment,
    PlayerRow,
    SettlementSlip,
)
from assistant.slips.escpos import TEXT, Paper, print_slip
from assistant.slips.layout import cells
from assistant.slips.pdf import settlement_pdf
from assistant.slips.text import render

WIDTHS = (80, 48, 42, 32)
EXACT = {"Анна": 137, "Борис": -64, "Вера": -58, "Глеб": 12, "Даша": -27}
ROUNDED = round_to_unit(EXACT, 5)
RUSSIAN = SettlementSlip(
    night="2026-11-28-1",
    opened="20:05",
    closed="00:40",
    players=tuple(
        PlayerRow(name, 100, 100 + net, net, ROUNDED[name], exact=net) for name, net in EXACT.items()
    ),
    payments=(
        Payment("Борис", "Анна", 65),
        Payment("Вера", "Анна", 60),
        Payment("Даша", "Анна", 15),
        Payment("Даша", "Глеб", 10),
    ),
    entries=412,
    head="9f3c41aa07d2" + "0" * 52,
    settle_unit=5,
    count=ChipCount(485, 500),
    pool=ChipCount(0, 15),
    rack=ChipCount(2100, 2100),
    box=ChipCount(0, 10),
)
ENGLISH_NAMES = dict(zip(EXACT, ("Ann", "Boris", "Vera", "Gleb", "Dasha"), strict=True))
ENGLISH = replace(
    RUSSIAN,
    players=tuple(replace(one, name=ENGLISH_NAMES[one.name]) for one in RUSSIAN.players),
    payments=tuple(
        Payment(ENGLISH_NAMES[one.payer], ENGLISH_NAMES[one.payee], one.amount) for one in RUSSIAN.payments
    ),
)
CENTS = replace(
    ENGLISH,
    currency=Currency("EUR", 2),
    chip=25,
    settle_unit=50,
    players=(
        PlayerRow("Ann", 2000, 2500, 500, 2550, exact=2533),
        PlayerRow("Konstantinos Papadopoulos-Smith", 4600, 4100, -500, -550, exact=-534),
    ),
    nodes=(NodeRow("box", 0, -2000, exact=-1999),),
    payments=(Payment("box", "Ann", 2000), Payment("Konstantinos Papadopoulos-Smith", "Ann", 550)),
    rack=None,
    box=ChipCount(1999, 1999),
)
SLIPS = {"rounded-en": ENGLISH, "rounded-ru": RUSSIAN, "rounded-cents": CENTS}


def spoken(name: str, width: int) -> str:
    with speaking("ru" if name.endswith("ru") else "en"):
        return render(SLIPS[name], width)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", SLIPS)
def test_rounded_slip_looks_as_agreed(name: str, width: int, repository: Path) -> None:
    golden = repository / "tests" / "data" / "slips" / f"settlement-{name}-{width}.txt"
    text = spoken(name, width)
    assert text == golden.read_text(encoding="utf-8")
    assert max(map(cells, text.splitlines())) <= width


def test_scenario_18_stands_on_the_slip_exact_and_rounded() -> None:
    text = spoken("rounded-en", 80)
    assert [
        line.split()[-3:] for line in text.splitlines() if line.startswith(("Ann ", "Boris ", "Total"))
    ] == [
        ["237", "+137", "+140"],
        ["36", "-64", "-65"],
        ["500", "0", "0"],
    ]
    assert "Payments are rounded to 5; the net is exact." in text


@pytest.mark.parametrize("width", (42, 32))
def test_rounded_slip_fits_receipt_printers(width: int) -> None:
    text = spoken("rounded-ru", width)
    assert b"?" not in text.encode("cp866")
    with speaking("ru"):
        data = print_slip(RUSSIAN, Paper(width, TEXT))
    for word in ("Итог", "Округл", "+137", "+140"):
        assert word.encode("cp866") in data


def test_pdf_says_exact_and_rounded_too() -> None:
    page = pdfium.PdfDocument(settlement_pdf(CENTS))[0]
    text = page.get_textpage().get_text_range()
    for word in ("Exact", "Rounded", "+25.33", "+25.50", "1 chip = 0.25", "Cash box: counted 19.99"):
        assert word in text


def test_slip_that_needs_no_rounding_has_no_such_columns() -> None:
    plain = replace(
        ENGLISH, players=tuple(replace(one, exact=None, settles=one.net) for one in ENGLISH.players)
    )
    assert "Exact" not in render(plain, 80)


def test_count_slip_has_rack_and_box_below_the_sum() -> None:
    slip = CountSlip(
        "2026-11-28-1",
        "00:31",
        (CountRow("Ann", 60, 60, "Boris"), CountRow("Boris", 90, 85, "Ann"), CountRow("Pool", 15, 15)),
        policy="equal",
        shares=(("Ann", -3), ("Boris", -2)),
        agreed=("Ann", "Boris"),
        rack=CountRow("Rack", 2100, 2100, "Ann"),
        box=CountRow("Cash box", 10, 8, "Boris"),
        box_shares=(("Ann", -1), ("Boris", -1)),
    )
    assert render(slip, 42).splitlines() == [
        "           COUNT: DIFFERENCE -5",
        "Night 2026-11-28-1                   00:31",
        "------------------------------------------",
        "Player            ledger  counted     diff",
        "Ann                   60       60        0",
        "Boris                 90       85       -5",
        "Pool                  15       15        0",
        "------------------------------------------",
        "Total                165      160       -5",
        "Rack                2100     2100        0",
        "Cash box              10        8       -2",
        "Confirmed by: Ann: Boris, Boris: Ann,",
        "Rack: Ann, Cash box: Boris",
        "Not confirmed: Pool",
        "Accepted: shared equally",
        "  Ann                                   -3",
        "  Boris                                 -2",
        "Of the cash box:",
        "  Ann                                   -1",
        "  Boris                                 -1",
        "Agreed: Ann, Boris",
    ]
