"""CSV: read back with a standard reader, safe to open in a spreadsheet; the PokerNow shape."""

import csv
import io
import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from assistant.export.book import Book, BookPayment, Result
from assistant.export.csv_files import (
    BOM,
    COMMA,
    SEMICOLON,
    TABLES,
    guard,
    players,
    settlement,
    unguard,
    write_csv,
)
from assistant.export.pokernow import HEADS, rows
from assistant.money import Currency, format_amount
from tests.export.nights import UNLUCKY

Play = Callable[[str], Book]
EURO = Currency("EUR", 2)


def read(text: str, separator: str = COMMA) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.removeprefix(BOM), newline=""), delimiter=separator))


def simple(*names: str) -> Book:
    nets = [3000 - 6000 * (number % 2) for number in range(len(names))]
    results = [
        Result(f"p{n}", name, 5000, 5000 + net, net, net)
        for n, (name, net) in enumerate(zip(names, nets, strict=True))
    ]
    payments = (BookPayment(names[-1], names[0], 3000),)
    return Book("x", date(2026, 11, 28), (), tuple(results), payments, (), currency=EURO)


def test_numbers_stay_numbers_and_formulas_become_text() -> None:
    """B168."""
    names = ("=1+1", "+7", "-Max", "@home", "Ann", "＝1", " =1", "\u200b=1")
    cells = read(write_csv(players(simple(*names))))
    assert [row[0] for row in cells[1:]] == [
        "'=1+1",
        "'+7",
        "'-Max",
        "'@home",
        "Ann",
        "'＝1",
        "' =1",
        "'\u200b=1",
    ]
    assert [row[3] for row in cells[1:3]] == ["30.00", "-30.00"]


def test_file_begins_with_the_mark_spreadsheets_know_utf8_by() -> None:
    """B169."""
    data = write_csv(players(simple("Жанна", "Bo"))).encode("utf-8")
    assert data.startswith(b"\xef\xbb\xbf")
    assert read(data.decode("utf-8-sig"))[1][0] == "Жанна"


def test_semicolon_and_decimal_comma() -> None:
    text = write_csv(settlement(simple("Ann; x", "Bo")), SEMICOLON)
    assert text == BOM + '"from";"to";"amount";"paid"\r\n"Bo";"Ann; x";"30,00";"0,00"\r\n'


def test_every_hostile_name_comes_back(shared: Path) -> None:
    """B167: quotes, commas, brackets, words that other programs take for something."""
    lines = (shared / "cases" / "names.tsv").read_text(encoding="utf-8").splitlines()[1:]
    names = [json.loads(line.split("\t")[0]) for line in lines]
    for separator in (COMMA, SEMICOLON):
        cells = read(write_csv(players(simple(*names)), separator), separator)
        assert len(cells) == len(names) + 1
        assert [unguard(row[0]) for row in cells[1:]] == names
        assert all(not row[0].lstrip().startswith(("=", "+", "-", "@")) for row in cells)


@pytest.mark.parametrize("text", ["", "Ann", "'Ann", "'=1", "''=1", "=1", "-0.00", "O'Neil"])
def test_guard_can_be_taken_off(text: str) -> None:
    assert unguard(guard(text)) == text


def test_nets_of_the_table_are_those_of_the_slip_and_sum_to_zero(book: Book) -> None:
    """B157."""
    cells = read(write_csv(players(book)))
    assert {unguard(row[0]): row[3] for row in cells[1:]} == {
        (one.player if one.is_node else one.name): format_amount(one.net, book.currency)
        for one in book.results
    }
    assert sum(int(row[3].replace(".", "")) for row in cells[1:]) == 0


def test_entries_have_a_row_a_posting(play: Play) -> None:
    cells = read(write_csv(TABLES["entries"](play("game red-dog-pool\nseat A 100\nnote =x\n"))))
    assert [row[:1] + row[3:] for row in cells] == [
        ["entry", "verb", "line", "reverses", "account", "player", "commodity", "amount"],
        ["1", "game", "game red-dog-pool", "", "", "", "", ""],
        ["2", "seat", "seat A 100", "", "rack", "", "CHIP", "-100"],
        ["2", "seat", "seat A 100", "", "owner", "A", "MONEY", "-100"],
        ["2", "seat", "seat A 100", "", "due", "A", "MONEY", "100"],
        ["2", "seat", "seat A 100", "", "stack", "A", "CHIP", "100"],
        ["3", "note", "note =x", "", "", "", "", ""],
    ]
    assert [row[1] for row in cells[1:3]] == ["2026-11-28T20:05:00+03:00", "2026-11-28T20:06:00+03:00"]


def test_pokernow_shape(play: Play) -> None:
    """B152: a row a stay, the id says that both are one person; smallest units; UTC."""
    text = (
        "night x currency=EUR\ngame casino-red-dog\nseat Gus 50\nseat Ann 20\nleave Gus\n"
        "seat Gus 50\nbuy Gus 7.50\nbuy Ann 10\nundo\n"
    )
    cells = list(rows(play(text)))
    assert tuple(cells[0]) == HEADS
    assert [list(row) for row in cells[1:]] == [
        ["Gus", "p1", "2026-11-28T17:07:00.000Z", "2026-11-28T17:09:00.000Z", "5000", "5000", "0", "0"],
        ["Ann", "p2", "2026-11-28T17:08:00.000Z", "", "2000", "0", "2000", "0"],
        ["Gus", "p1", "2026-11-28T17:10:00.000Z", "", "5750", "0", "5750", "0"],
    ]


def test_what_is_set_right_after_somebody_left_belongs_to_their_last_stay(play: Play) -> None:
    lines = ("game casino-red-dog", "seat Ann", "seat Bo 5", "buy Ann 30")
    lost = ("bet Ann 10", "card 2H 9S", "call Ann", "card KD", "leave Ann")
    book = play("\n".join((*lines, *lost, "reverse 4 it was 20 amount=20")))
    assert [[row[1], *row[4:]] for row in list(rows(book))[1:]] == [
        ["p1", "20", "20", "0", "0"],
        ["p2", "5", "0", "5", "0"],
    ]


def test_pokernow_nets_are_those_of_the_slip(book: Book) -> None:
    nets: dict[str, int] = {}
    for row in list(rows(book))[1:]:
        nets[row[1]] = nets.get(row[1], 0) + int(row[7])
    seated = {player: net for player, net in nets.items() if net}
    assert seated == {one.player: one.net for one in book.results if not one.is_node and one.net}


def test_unlucky_names_in_every_table(play: Play) -> None:
    book = play(UNLUCKY)
    for table in (*TABLES.values(), rows):
        for row in read(write_csv(table(book)))[1:]:
            for cell in row:
                number = cell.lstrip("-").replace(".", "").isdigit()
                assert number or not cell.startswith(("=", "+", "-", "@")), cell


COUNTED = """night "Counts" currency=EUR chip=0.25
game red-dog-pool
cashier Host
seat Ann 40 cash
seat "=Bob" 40 cash
seat Cem 40
carry 8
count start
count Ann 40 by=Cem
count "=Bob" 38
count Cem 40 by="=Bob"
count pool 8
count box 19.50
"""


def test_counts_of_stacks_pool_and_box_go_out_too(play: Play) -> None:
    assert read(write_csv(TABLES["count"](play(COUNTED)))) == [
        ["place", "ledger", "counted", "difference", "commodity", "confirmed_by"],
        ["Ann", "40", "40", "0", "CHIP", "Cem"],
        ["'=Bob", "40", "38", "-2", "CHIP", ""],
        ["Cem", "40", "40", "0", "CHIP", "'=Bob"],
        ["pool", "8", "8", "0", "CHIP", ""],
        ["box", "20.00", "19.50", "-0.50", "EUR", ""],
    ]
    assert list(TABLES["count"](play("seat A 5"))) == [
        ("place", "ledger", "counted", "difference", "commodity", "confirmed_by")
    ]


def test_rounded_plan_goes_out_exact_and_rounded(play: Play) -> None:
    night = play("game red-dog-pool\nseat A 10\nseat B 10\nexpense A 7 tea\nsettle players unit=2\nclose")
    rows = read(write_csv(players(night)))
    assert rows[0][3:] == ["net", "to_settle", "exact"]
    assert [row[3:] for row in rows[1:]] == [["0", "4", "3"], ["0", "-4", "-3"]]
