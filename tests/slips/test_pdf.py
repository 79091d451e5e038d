"""The PDF, read back by another program: text as it was, fonts inside, the same bytes each time."""

import io
from dataclasses import replace

import pypdfium2 as pdfium
import pytest

from assistant.i18n import speaking
from assistant.money import Currency
from assistant.slips.chart import Chart, Series
from assistant.slips.content import (
    ChipCount,
    NodeRow,
    Payment,
    PlayerRow,
    SettlementSlip,
    StandingRow,
    StandingsSlip,
)
from assistant.slips.pdf import settlement_pdf, standings_pdf
from assistant.slips.pdf_page import fit, width_of, wrapped
from assistant.slips.text import render

HEAD = "9f3c41aa07d2" + "0" * 52
NAMES = ("Жанна", "Łukasz", "Ελένη", "♠♥♦♣", "₽ € £ ₴")


def slip(*names: str) -> SettlementSlip:
    rows = [PlayerRow(name, 100, 100 - 5 * n, -5 * n) for n, name in enumerate(names)]
    nodes = (NodeRow("house", 5 * sum(range(len(names)))),)
    payments = tuple(Payment(row.name, "house", -row.net) for row in rows if row.net)
    return SettlementSlip(
        "2026-11-28-1",
        "20:05",
        "00:40",
        tuple(rows),
        payments,
        412,
        HEAD,
        nodes,
        count=ChipCount(450, 450),
        stored="2026-11-28-1",
    )


def chart(*names: str) -> Chart:
    series = tuple(
        Series(name, ((0, 100), (3, 100 - 5 * n), (9, 40 * n)), (0,)) for n, name in enumerate(names)
    )
    return Chart("Stacks over the night", series, 10, ((0, "1"), (5, "2")), "round", "buy-in")


def pages_of(data: bytes) -> list[str]:
    document = pdfium.PdfDocument(io.BytesIO(data))
    return [page.get_textpage().get_text_bounded().replace("\r\n", "\n") for page in document]


def test_every_name_can_be_found_in_the_text() -> None:
    """B239: letters, suits and currency signs that no core font has."""
    (text,) = pages_of(settlement_pdf(slip(*NAMES), chart(*NAMES)))
    for name in NAMES:
        assert text.count(name) >= 3, name  # the table, the chart, the place to sign


def test_fonts_are_embedded() -> None:
    data = settlement_pdf(slip(*NAMES))
    assert data.startswith(b"%PDF-")
    assert b"/FontFile2" in data
    assert b"DejaVuSansCondensed" in data
    assert b"/ToUnicode" in data


def test_dashes_and_quotes_make_no_empty_file() -> None:
    """B240."""
    noted = replace(slip("Ann"), corrections=("“a” — b… −5\u00a0x",))
    (text,) = pages_of(settlement_pdf(noted))
    assert "Corrections: “a” — b… −5 x" in text
    assert "-35" in pages_of(settlement_pdf(slip(*"ABCDEFGH")))[0]


def test_nothing_people_type_is_markup() -> None:
    names = ("<b>x</b>", "[b]Bob[/b]", "&amp;", "a\x1bb", "Ann\u202e")
    (text,) = pages_of(settlement_pdf(slip(*names)))
    for shown in ("<b>x</b>", "[b]Bob[/b]", "&amp;", "a?b", "Ann?"):
        assert shown in text


def test_letters_the_font_lacks_become_readable_and_stay_apart() -> None:
    (text,) = pages_of(settlement_pdf(slip("李雷", "李蕾", "Ann")))
    assert "LiLei\n" in text or "LiLei 100" in text
    assert "LiLei 2" in text


def test_figures_are_those_of_the_text_slip() -> None:
    """B157."""
    euro = replace(slip(*NAMES), currency=Currency("EUR", 2))
    (text,) = pages_of(settlement_pdf(euro))
    for row in euro.players:
        line = next(line for line in render(euro, 80).splitlines() if line.startswith(row.name))
        assert " ".join(line.split()) in text


def test_chain_head_and_command_to_check_it() -> None:
    (text,) = pages_of(settlement_pdf(slip("Ann", "Bo")))
    assert "Entries 412, chain 9f3c 41aa 07d2: verified" in text
    assert "tableside verify 2026-11-28-1 --slip 412 9f3c41aa07d2" in text
    (text,) = pages_of(settlement_pdf(replace(slip("Ann"), verified=False)))
    assert "NOT VERIFIED" in text


def test_the_same_slip_gives_the_same_bytes() -> None:
    assert settlement_pdf(slip(*NAMES), chart(*NAMES)) == settlement_pdf(slip(*NAMES), chart(*NAMES))


def test_long_nights_go_on_over_pages() -> None:
    names = [f"Player {number}" for number in range(60)]
    texts = pages_of(settlement_pdf(slip(*names), chart(*names[:12])))
    assert len(texts) > 1
    for number, text in enumerate(texts, start=1):
        assert f"page {number} of {len(texts)}" in text
        assert "Record only." in text
    assert all(any(f"{name} 100" in text for text in texts) for name in names)


def test_every_page_says_which_night_it_belongs_to_and_bears_the_seal() -> None:
    """A page of signatures alone could be put behind any other."""
    _first, *others = pages_of(settlement_pdf(slip(*[f"Player {number}" for number in range(60)])))
    for text in others:
        assert text.startswith("SETTLEMENT Night 2026-11-28-1 Entries 412, chain 9f3c 41aa 07d2: verified\n")


def test_russian_and_payments_in_part() -> None:
    partly = replace(slip("Анна", "Борис"), payments=(Payment("Борис", "house", 5, paid=2),))
    with speaking("ru"):
        (text,) = pages_of(settlement_pdf(partly, chart("Анна", "Борис")))
    for words in ("РАСЧЁТ", "Кто кому платит. Платежей: 1", "осталось 3", "Свидетель", "стр. 1 из 1"):
        assert words in text


def test_chart_is_drawn_in_colour_beside_the_names() -> None:
    """As a picture: a night with a chart has lines of the first two colours, one without has none."""

    def coloured(data: bytes) -> int:
        pixels = pdfium.PdfDocument(io.BytesIO(data))[0].render(scale=1).to_numpy().astype(int)
        return int((pixels.max(axis=2) - pixels.min(axis=2) > 60).sum())

    assert coloured(settlement_pdf(slip("Ann", "Bo"), chart("Ann", "Bo"))) > 500
    assert coloured(settlement_pdf(slip("Ann", "Bo"))) == 0


def test_standings_with_their_chart() -> None:
    rows = (StandingRow("Жанна", 3, 300, 85, 60, -5, (30, 25, 85)), StandingRow("Bo", 3, 300, -85, 5, -60))
    season = StandingsSlip(rows, "2026-01-03", "2026-11-28", 3)
    (text,) = pages_of(standings_pdf(season, chart("Жанна", "Bo")))
    assert "1. Жанна 3 300 +85 +60 -5" in text
    assert "2. Bo 3 300 -85 +5 -60" in text
    assert "2026-01-03 - 2026-11-28, 3 nights" in text


@pytest.mark.parametrize("width", [40.0, 100.0, 400.0])
def test_lines_fit_their_width(width: float) -> None:
    text = "Nobody owes anything. " + "x" * 200 + " Ж" * 30
    assert "".join("".join(wrapped(text, width, 10)).split()) == "".join(text.split())
    assert all(width_of(line, 10) <= width for line in wrapped(text, width, 10))
    assert width_of(fit(text, width, 10), 10) <= width
