"""Receipt bytes, each held against the manual; no byte of a name ever steers the printer."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.i18n import speaking
from assistant.slips.content import BuyInSlip, Payment, PlayerRow, SettlementSlip
from assistant.slips.escpos import CUT, IMAGE, Paper, encode, print_slip
from assistant.slips.layout import cells
from assistant.slips.letters import has_cp866, in_letters_of, spelled
from assistant.slips.raster import draw
from assistant.slips.text import render

HEAD = "9f3c41aa07d2" + "0" * 52
START = b"\x1b@\x1c.\x1bt\x11"
END = b"\x1bd\x04\x1dVB\x00"


def settlement(name: str, other: str = "Bo") -> SettlementSlip:
    rows = (PlayerRow(name, 100, 65, -35), PlayerRow(other, 100, 135, 35))
    return SettlementSlip(name, "20:05", "00:40", rows, (Payment(name, other, 35),), 9, HEAD)


def body(printed: bytes) -> bytes:
    """What stands between the program's own commands."""
    assert printed.startswith(START)
    assert printed.endswith(END)
    return printed[len(START) : -len(END)]


def test_cyrillic_goes_out_in_code_page_866() -> None:
    """B227, B228: reset, leave the Chinese mode, choose the page, text, feed, cut."""
    printed = encode("Жанна\nЁлка\n", Paper())
    assert printed == bytes.fromhex("1b40 1c2e 1b7411 86a0adada0 0a f0abaaa0 0a 1b6404 1d564200")


def test_printer_with_another_number_for_the_page_and_without_a_knife() -> None:
    printed = encode("x\n", Paper(code_page=59, cut=False, feed=2))
    assert printed == b"\x1b@\x1c.\x1bt\x3bx\n\x1bd\x02"


@pytest.mark.parametrize("width", [32, 42, 48])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_byte_of_a_hostile_name_steers_the_printer(shared: Path, width: int, language: str) -> None:
    """Scenario 28: every name of cases/names.tsv, as if nobody had refused it before."""
    rows = (shared / "cases" / "names.tsv").read_text(encoding="utf-8").splitlines()[1:]
    assert len(rows) > 20
    for row in rows:
        quoted, expected = row.split("\t")[:2]
        name = json.loads(quoted)
        with speaking(language):
            found = body(print_slip(settlement(name), Paper(width)))
        assert all((byte >= 0x20 and byte != 0x7F) or byte == 0x0A for byte in found), name
        if expected.startswith("KEEP"):  # the others are refused before; here their bad signs are marked
            assert b"?" not in found, name


@given(st.text(max_size=60))
def test_no_byte_of_any_text_steers_the_printer(text: str) -> None:
    found = body(encode(text, Paper()))
    assert all((byte >= 0x20 and byte != 0x7F) or byte == 0x0A for byte in found)


def test_no_control_character_is_a_letter_of_the_page() -> None:
    """The second fence behind the layout's."""
    assert not any(has_cp866(chr(code)) for code in (*range(0x20), 0x7F))
    assert in_letters_of("a\x1bb\x7f", has_cp866) == "ab"


def test_name_that_would_cut_the_paper_and_open_the_drawer() -> None:
    name = "Bob\x1b@\x1dV\x00\x1bp\x00\x19\xfa"
    found = print_slip(settlement(name), Paper(42))
    assert found.count(b"\x1b") == 3
    assert found.count(b"\x1d") == 1
    assert found.endswith(CUT)


@pytest.mark.parametrize(("language", "letters"), [("en", "shdc"), ("ru", "пчбт")])
def test_suits_become_the_letters_of_the_language(language: str, letters: str) -> None:
    with speaking(language):
        assert in_letters_of("♠♥♦♣", has_cp866) == letters


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("Łukasz Müller-Żółć", "Lukasz Muller-Zolc"),
        ("“a” – b…", '"a" - b.'),
        ("Ґанна Їжак і Ўладзімір", "Ганна Їжак i Ўладзiмiр"),
        ("李雷 👍", "LiLe :t"),
        ("№5 ░", "№5 ░"),
        ("10 ₽", "10 R"),
    ],
)
def test_letters_the_page_lacks_are_replaced_column_by_column(text: str, printed: str) -> None:
    found = in_letters_of(text, has_cp866)
    assert found == printed
    assert cells(found) == cells(text)
    found.encode("cp866")


LACKING = {
    "Weiß": "Weiss",
    "GROẞE": "GROSSE",
    "Jürgen Groß": "Jurgen Gross",
    "Łukasz Ñandú": "Lukasz Nandu",
    "Þór Bjørn": "Thor Bjorn",
    "5€ Würstchen": "5EUR Wurstchen",
    "İsmail Çelik": "Ismail Celik",
    "Đorđe Žižek": "Dorde Zizek",
    "Z\u0351\u036b\u0343a\u0310l\u030bg\u0310o\u031a": "Zalgo",
    "Ґанна Ї": "Ганна Ї",
    "“Tom” O’Neil": '"Tom" O\'Neil',
    "Σωκράτης": "Sokratis",
}
"""Names with letters that the code page lacks, as they are read on the paper."""


@pytest.mark.parametrize("width", [32, 42, 48])
@pytest.mark.parametrize(("name", "read"), LACKING.items())
def test_a_name_with_letters_the_page_lacks_is_readable_and_moves_nothing_behind_it(
    name: str, read: str, width: int
) -> None:
    """The same lines as for the name as it is read; a Russian neighbour keeps every letter of hers."""
    printed = print_slip(settlement(name, "Жанна"), Paper(width))
    assert printed == print_slip(settlement(read, "Жанна"), Paper(width))
    text = body(printed).decode("cp866")
    assert f"[ ] {read} -> Жанна" in text
    assert "?" not in text
    assert printed.count(b"\x1bt") == 1  # the page is chosen once, and nothing leaves it


def test_names_are_spelled_before_the_slip_is_laid_out() -> None:
    """Letters that become longer keep the columns straight, and two players never get one name."""
    slip = settlement("李雷", "李蕾")
    text = body(print_slip(slip, Paper(42))).decode("cp866")
    assert "LiLei                  100      65     -35\n" in text
    assert "LiLei 2                100     135     +35\n" in text
    assert "[ ] LiLei -> LiLei 2                    35\n" in text
    with speaking("ru"):
        assert spelled(("Жанна", "5 ₽", "Ελένη", "A\u0351"), has_cp866) == ("Жанна", "5 руб.", "Eleni", "A")
    assert spelled(("A", "\u0410"), has_cp866) == ("A", "\u0410")


@pytest.mark.parametrize("names", [("李雷", "LiLei"), ("LiLei", "李雷")])
def test_name_that_another_is_spelled_like_stays_its_owners(names: tuple[str, str]) -> None:
    """Whoever sits first: two people are never one on paper."""
    expected = {"LiLei": "LiLei", "李雷": "LiLei 2"}
    assert spelled(names, has_cp866) == tuple(expected[name] for name in names)
    slip = settlement(*names)
    text = body(print_slip(slip, Paper(42))).decode("cp866")
    assert f"[ ] {expected[names[0]]} -> {expected[names[1]]} " in text


@given(st.text(max_size=60))
def test_replacing_letters_moves_no_column(text: str) -> None:
    line = text.replace("\n", " ")
    found = in_letters_of(line, has_cp866)
    assert cells(found) <= cells(line)
    found.encode("cp866")


@pytest.mark.parametrize(("columns", "dots"), [(32, 384), (42, 576), (48, 576)])
def test_picture_has_the_paper_s_width_in_bands(columns: int, dots: int) -> None:
    """GS v 0: mode 0, bytes across and rows as two bytes each, then the rows."""
    text = render(settlement("Жанна ♠"), columns)
    printed = encode(text, Paper(columns, IMAGE, dots=dots))
    assert printed.startswith(b"\x1b@\x1c.\x1dv0\x00")
    assert printed.endswith(END)
    rest, rows = printed[4 : -len(END)], 0
    while rest:
        command, across, height = rest[:4], int.from_bytes(rest[4:6], "little"), rest[6] + 256 * rest[7]
        assert command == b"\x1dv0\x00"
        assert across == dots // 8
        assert 0 < height <= 128
        rest, rows = rest[8 + across * height :], rows + height
    assert rows == draw(text, columns, dots).height


def test_picture_shows_what_code_page_866_cannot() -> None:
    """Different letters are different dots; two that the font lacks too are the same question marks."""
    assert draw("Ελένη", 32, 384) != draw("?????", 32, 384)
    assert draw("♠♥♦♣", 32, 384) != draw("????", 32, 384)
    assert draw("李", 32, 384) == draw("Li", 32, 384)
    assert draw("q\u0351", 32, 384) == draw("q\u0301", 32, 384) == draw("q", 32, 384)


def test_picture_is_black_where_the_letter_is() -> None:
    """A full block fills the cell of its column and no other."""
    dots = draw(" █ ", 32, 384)
    line = dots.rows[(dots.height // 2) * dots.width // 8 :][: dots.width // 8]
    black = [place for place in range(dots.width) if line[place // 8] >> (7 - place % 8) & 1]
    assert abs(black[0] - 12) <= 1
    assert abs(black[-1] - 23) <= 1
    assert len(black) == black[-1] - black[0] + 1


def test_amounts_stand_at_the_right_edge_of_58_mm() -> None:
    """B234: a name of 40 letters, 32 columns; the amount is whole, at the right of the entry's last line."""
    slip = BuyInSlip("2026-03-14-1", "20:31", "N" * 40, 123450, 123450, 4, HEAD)
    slip = replace(slip, currency=type(slip.currency)("EUR", 2))
    lines = body(encode(render(slip, 32), Paper(32))).decode("cp866").splitlines()
    assert max(map(len, lines)) <= 32
    at = next(number for number, line in enumerate(lines) if line.endswith("1234.50"))
    assert len(lines[at]) == 32
    assert re.sub(r"\s", "", "".join(lines[3 : at + 1])) == "N" * 40 + "1234.50"
