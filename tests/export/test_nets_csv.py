"""Results from other people's tables: read whole or refused whole, never guessed."""

import json
from pathlib import Path

import pytest

from assistant.export.csv_files import SEMICOLON, players, write_csv
from assistant.export.nets_csv import BadTable, read_nets
from assistant.export.pokernow import rows
from assistant.money import Currency
from tests.export.conftest import played, texts


def nets(text: str) -> dict[str, int]:
    return dict(read_nets(text.encode()).nets)


def test_files_of_the_cases(shared: Path) -> None:
    """B172, B173: a mark before the first head, semicolons and decimal commas, quotes in names."""
    folder = shared / "cases" / "csv_import"
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    assert len(expected) == 3
    for name, facts in expected.items():
        found = read_nets((folder / name).read_bytes())
        assert dict(found.nets) == facts["nets_minor"], name
        assert len(found.nets) == facts["players"]
        assert found.currency.decimals == 2
        assert sum(found.nets.values()) == 0


def test_player_and_net() -> None:
    assert nets("player,net\nAnn,-35\nBo,+35\n") == {"Ann": -35, "Bo": 35}
    assert nets("Player;Net\r\n\r\nAnn;−35,50\r\nBo;35,50\r\n") == {"Ann": -3550, "Bo": 3550}
    assert nets("sep=\t\nигрок\tитог\nАнна\t-1 000\nБо\t1000\n") == {"Анна": -1000, "Бо": 1000}
    assert nets("Ann,5\nBo,-5\n") == {"Ann": 5, "Bo": -5}


def test_empty_cells_behind_the_table_are_nothing() -> None:
    """Spreadsheets write them where a column was emptied."""
    assert nets("player,net\nAnn,5,,\nBo,-5, ,\n") == {"Ann": 5, "Bo": -5}
    assert nets("player,net,\nAnn,5,paid\nBo,-5,\n") == {"Ann": 5, "Bo": -5}


def test_decimals_anywhere_make_all_amounts_hundredths() -> None:
    found = read_nets(b"player,net\nAnn,-35\nBo,34.5\nCem,0.50\n")
    assert dict(found.nets) == {"Ann": -3500, "Bo": 3450, "Cem": 50}
    assert read_nets(b"player,net\nAnn,-35\nBo,35\n", Currency("EUR", 2)).nets["Bo"] == 3500
    assert read_nets(b"player;net\nAnn;-1.234\nBo;1.234\n", Currency("JPY", 0)).nets["Bo"] == 1234


def test_sixteen_bit_text_of_spreadsheets() -> None:
    assert dict(read_nets("player\tnet\nЖанна\t5\nBo\t-5\n".encode("utf-16")).nets) == {"Жанна": 5, "Bo": -5}


def test_several_rows_of_one_id_are_one_player() -> None:
    head = "player_nickname,player_id,buy_in,buy_out,stack,net\n"
    text = f"{head}Gus,a,50,0,0,-50\nGus!,a,50,0,130,80\nBo,b,30,0,0,-30\n"
    assert nets(text) == {"Gus!": 30, "Bo": -30}


def test_our_own_tables_come_back() -> None:
    for name, text in texts().items():
        book = played(text)
        expected = {one.player if one.is_node else one.name: one.net for one in book.results}
        for separator in (",", SEMICOLON):
            data = write_csv(players(book), separator).encode()
            assert dict(read_nets(data, book.currency).nets) == expected, name
        shape = read_nets(write_csv(rows(book), mark="").encode()).nets
        assert {who: net for who, net in shape.items() if net} == {
            one.name: one.net for one in book.results if not one.is_node and one.net
        }


@pytest.mark.parametrize("separator", [",", SEMICOLON])
@pytest.mark.parametrize("code", ["KWD", "EUR", "JPY"])
def test_own_table_is_read_back_whatever_its_money_has_of_decimals(code: str, separator: str) -> None:
    """1.500 of a night in dinars was refused: it could have been 1500."""
    lines = [f"night N currency={code}", "game red-dog-pool ante=2", "seat Ann 15", "seat Bo 20"]
    book = played("\n".join([*lines, "round", "dealt", "fold Bo", "fold Ann", "close pool=carry"]))
    found = read_nets(write_csv(players(book), separator).encode())
    nets = {one.player if one.is_node else one.name: one.net for one in book.results}
    assert nets["Ann"] < 0 < nets["carried"]
    assert (dict(found.nets), found.currency.decimals) == (nets, book.currency.decimals)
    named = read_nets(write_csv(players(book), separator).encode(), Currency.named(code))
    assert named.nets == found.nets


def test_three_decimals_of_another_table_are_not_guessed() -> None:
    with pytest.raises(BadTable, match="in two ways"):
        read_nets(b"player,net\nAnn,-1.500\nBo,1.500\n")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no table of results"),
        ("player,net\n", "no line with a player"),
        ("who,how\nAnn,5\n", "no columns that are known"),
        ("Ann;12,50\nBo;-12,50\n", "no columns that are known"),
        ("player,net\nAnn,5\nann ,-5\n", "line 3: ann stands in line 2 already"),
        ("player,net\nAня,5\nАня,-5\n", "line 3: Аня looks like Aня of line 2, written in other letters"),
        ("player,id,net\nAня,a,5\nАня,b,-5\n", "line 3: Аня looks like Aня of line 2"),
        ("player,net\nAnn,5x\nBo,-5\n", "line 2: “5x” is not an amount"),
        ("player,net\nAnn,٣\nBo,-3\n", "line 2: “٣” is not an amount"),
        ('player;net\nAnn;"1,234"\nBo;-0,5\n', "line 2: “1,234” can be read in two ways"),
        (
            "player;net\nAnn;1.234\nBo;-1.234\n",
            "line 2: “1.234” can be read in two ways, as 1234 or",
        ),
        ("player,net\nAnn,1.234567\nBo,-1\n", "too fine"),
        ("player,net\n,5\nBo,-5\n", "line 2: A name has 1 to 32 characters"),
        ('player,net\n"a\x1b",5\nBo,-5\n', "line 2: A name can't hold control"),
        ("player,net\npool,5\nBo,-5\n", "line 2: “pool” is a word of the table"),
        ("player,in,out,net\nAnn,100,150,40\nBo,50,0,-50\n", "the net of Ann is +40, and out less in is +50"),
        ("player,net\nAnn\nBo,-5\n", "line 2: 1 cells; the table has 2"),
        ("player,net\nAnn,12,50\nBob,-12,50\n", "line 2: 3 cells; the table has 2"),
        ("player,in,out\nAnn,10,20,5\nBob,20,10\n", "line 2: 4 cells; the table has 3"),
        ("player,net\nAnn,\nBo,-5\n", "line 2: Ann has no amount"),
        ("player,player_id,net\nAnn,a,5\nAnn,b,-5\n", "Two players are called Ann"),
        ("player,net\nA,x\nB,x\nC,x\nD,x\n", "and 1 more"),
    ],
)
def test_what_cannot_be_read_is_named_and_nothing_is_taken(text: str, says: str) -> None:
    with pytest.raises(BadTable) as refused:
        read_nets(text.encode())
    assert says in refused.value.message
    assert refused.value.hint


def test_other_encodings_name_the_line() -> None:
    with pytest.raises(BadTable, match="bad byte in line 2"):
        read_nets("player,net\nЖанна,5\n".encode("cp1251"))
