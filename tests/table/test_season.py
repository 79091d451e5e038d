"""The season of a house folder: which nights count, what is kept between two looks, the files it makes."""

import csv
import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.config import House
from assistant.export.csv_files import unguard
from assistant.slips.text import render
from assistant.store.base import NightDamaged
from assistant.table import season as season_module
from assistant.table.opening import open_tonight
from assistant.table.season import read_people, read_season, season_chart, standings_slip
from assistant.table.standings import as_csv, as_pdf, as_text

AT = datetime(2026, 9, 5, 20, 5, tzinfo=UTC)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "house")


def play(house: House, day: int, *lines: str, close: bool = True) -> str:
    """Play a night and close it."""
    when = AT.replace(day=day)
    session = open_tonight(house, new=True, clock=lambda: when)
    for line in (*lines, *(("close",) if close else ())):
        outcome = session.submit(line)
        assert outcome.accepted, f"{line}: {outcome.message}"
    session.close()
    return session.name


def anna_wins(other: str, *first: str) -> tuple[str, ...]:
    """Anna wins 5 of whoever banks the game."""
    seats = ("seat Anna 100", f"seat {other} 100", f"house {other}")
    return (*first, "game casino-red-dog", *seats, "bet Anna 5", "card 2H KS", "call Anna", "card 7D")


def nets(house: House) -> dict[str, int]:
    return {row.name: row.net for row in read_season(house).standings().rows}


def test_closed_nights_count(house: House) -> None:
    play(house, 5, *anna_wins("Boris"))
    play(house, 12, *anna_wins("Boris"))
    assert nets(house) == {"Anna": 10, "Boris": -10}


def test_open_damaged_and_foreign_nights_are_left_out_and_named(house: House) -> None:
    play(house, 5, *anna_wins("Boris"))
    damaged = play(house, 6, *anna_wins("Boris"))
    path = house.nights / f"{damaged}.night"
    path.write_bytes(path.read_bytes().replace(b"seat Anna 100", b"seat Anna 900"))
    opened = play(house, 7, *anna_wins("Boris"), close=False)
    (house.nights / "2026-09-08-1.night").write_bytes(b"")
    in_use = open_tonight(house, night=opened)
    found = read_season(house)
    in_use.close()
    assert [one.night for one in found.nights] == ["2026-09-05-1"]
    assert dict(found.left_out) == {damaged: "damaged", opened: "in use", "2026-09-08-1": "damaged"}
    assert dict(read_season(house).left_out)[opened] == "open"
    assert standings_slip(found, found.standings()).skipped == (damaged, opened, "2026-09-08-1")


def test_night_that_is_open_here_counts_once_it_is_closed(house: House) -> None:
    name = play(house, 5, *anna_wins("Boris"))
    session = open_tonight(house, night=name)
    found = read_season(house, (session.name, season_module.night_result(session.log, session.name)))
    session.close()
    assert [one.night for one in found.nights] == [name]


def test_only_new_nights_are_played_back(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    play(house, 5, *anna_wins("Boris"))
    assert nets(house) == {"Anna": 5, "Boris": -5}
    monkeypatch.setattr(season_module, "NightLog", None)
    assert nets(house) == {"Anna": 5, "Boris": -5}


def test_kept_result_counts_only_with_the_head_it_was_worked_out_from(house: House) -> None:
    name = play(house, 5, *anna_wins("Boris"))
    read_season(house)
    kept = json.loads(house.results.read_text())
    kept["nights"][name]["seen"] = "f" * 64
    kept["nights"][name]["result"]["players"][0]["net"] = 999
    house.results.write_text(json.dumps(kept))
    assert nets(house) == {"Anna": 5, "Boris": -5}


def test_night_that_was_damaged_since_it_was_counted_counts_no_more(house: House) -> None:
    name = play(house, 5, *anna_wins("Boris"))
    read_season(house)
    path = house.nights / f"{name}.night"
    data = bytearray(path.read_bytes())
    data[-9000:-6000] = bytes(3000)
    path.write_bytes(bytes(data))
    assert read_season(house).nights == ()
    assert [one for one, _why in read_season(house).left_out] == [name]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"version": 1}', '{"version": 9, "nights": {}}'])
def test_spoilt_short_cut_is_made_anew(house: House, text: str) -> None:
    play(house, 5, *anna_wins("Boris"))
    house.results.write_text(text)
    assert nets(house) == {"Anna": 5, "Boris": -5}


@pytest.mark.parametrize("text", ["", "[]", '{"people": [], "seats": {"n": {"p1": "7"}}}'])
def test_spoilt_list_of_people_is_named_and_left_alone(house: House, text: str) -> None:
    """It may hold what somebody decided by hand."""
    play(house, 5, *anna_wins("Boris"))
    house.people.write_text(text)
    with pytest.raises(NightDamaged, match=r"people\.json"):
        read_season(house)
    assert house.people.read_text() == text


def test_people_are_found_again_by_their_id_after_a_rename(house: House) -> None:
    play(house, 5, *anna_wins("Boris"))
    play(house, 12, *anna_wins("Boris"), "rename Boris Борис")
    play(house, 19, *anna_wins("Борис"))
    assert nets(house) == {"Anna": 15, "Борис": -15}
    assert [one.person for one in read_people(house).persons] == ["1", "2"]


def test_folder_that_can_only_be_read_has_standings_all_the_same(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    from assistant.store.base import NotWritable

    def refuse(*_arguments: object) -> None:
        raise NotWritable("no")

    play(house, 5, *anna_wins("Boris"))
    monkeypatch.setattr(season_module, "write_json", refuse)
    assert nets(house) == {"Anna": 5, "Boris": -5}


# --- files --------------------------------------------------------------------------------------------------

HOSTILE = ('"=HYPERLINK(1)"', '"[red]Eve[/]"', '"+7"', '"Вася, мл."', '"@home"')


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_text_in_every_file(house: House, name: str) -> None:
    play(house, 5, *anna_wins(name))
    found = read_season(house)
    season = found.standings()
    plain = name.strip('"')
    rows = list(csv.reader(io.StringIO(as_csv(found, season).decode("utf-8-sig"))))
    assert [unguard(row[2]) for row in rows[1:]] == ["Anna", plain]
    assert not rows[2][2].startswith(("=", "+", "@"))
    assert plain in as_text(found, season).decode()
    assert as_pdf(found, season).startswith(b"%PDF")


def test_csv_has_a_column_a_night_and_numbers_as_numbers(house: House) -> None:
    play(house, 5, *anna_wins("Boris", "night Start currency=EUR"))
    play(house, 12, *anna_wins("Boris", "night More currency=EUR"))
    found = read_season(house)
    data = as_csv(found, found.standings(), ";")
    assert data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig")), delimiter=";"))
    assert rows[0][-2:] == ["2026-09-05-1", "2026-09-12-1"]
    # what the bank lost beyond its float was covered by buying in
    assert rows[2] == [
        "2",
        "2",
        "Boris",
        "2",
        "0",
        "210,00",
        "-10,00",
        "-10,00",
        "-5,00",
        "-5,00",
        "-5,00",
        "-10,00",
    ]


@pytest.mark.parametrize("width", [32, 42, 48, 80])
def test_no_line_of_the_text_is_over_the_width(house: House, width: int) -> None:
    play(house, 5, *anna_wins('"A name of thirty-two letters ab"'))
    found = read_season(house)
    lines = as_text(found, found.standings(), width).decode().splitlines()
    assert max(map(len, lines)) <= width
    assert render(standings_slip(found, found.standings()), width) in "\n".join(lines) + "\n"


def test_chart_holds_everybodys_result_after_each_night(house: House) -> None:
    play(house, 5, *anna_wins("Boris"))
    play(house, 12, *anna_wins("Boris"))
    chart = season_chart("Result", read_season(house).standings())
    assert chart is not None
    assert [(one.name, one.points) for one in chart.series] == [
        ("Anna", ((0, 0), (1, 5), (2, 10))),
        ("Boris", ((0, 0), (1, -5), (2, -10))),
    ]
    assert chart.ticks == ((1, "2026-09-05"), (2, "2026-09-12"))


def test_costs_tips_and_differences_stand_beside_the_net(house: House) -> None:
    """Boris tipped 8 and bears 5 of the pizza and 2 of the box: his game is even, his pocket is not."""
    night = [
        "game red-dog-pool",
        "tip to=Host",
        "seat Anna 100 cash",
        "seat Boris 100 cash",
        "tip Boris 8",
        "expense Anna 10 pizza",
        "count box 196",
        "accept equal not found",
    ]
    play(house, 5, *night)
    found = read_season(house)
    season = found.standings()
    assert {row.name: (row.net, row.in_all) for row in season.rows} == {
        "Anna": (0, -7),
        "Boris": (0, -15),
        "Host": (0, 8),
    }
    text = as_text(found, season).decode()
    assert "In all: net, shared costs, tips, differences of the cash box and rounding." in text
    rows = list(csv.reader(io.StringIO(as_csv(found, season).decode("utf-8-sig"))))
    assert rows[0][5:9] == ["bought_in", "net", "in_all", "best"]
    assert [row[7] for row in rows[1:]] == ["-7", "-15", "8"]


def test_season_without_costs_has_no_column_for_them(house: House) -> None:
    play(house, 5, *anna_wins("Boris"))
    found = read_season(house)
    assert "In all" not in as_text(found, found.standings()).decode()


def test_chips_with_a_value_count_in_their_money(house: House) -> None:
    play(house, 5, *anna_wins("Boris", "night Start currency=EUR"))
    play(house, 12, *anna_wins("Boris", "night More currency=EUR chip=0.25"))
    found = read_season(house)
    season = found.standings("EUR")
    assert season.nights == ("2026-09-05-1", "2026-09-12-1")
    assert {row.name: row.net for row in season.rows} == {"Anna": 500 + 125, "Boris": -500 - 125}


def test_standings_have_a_row_for_the_house_and_one_for_what_is_missing(house: House) -> None:
    """The nets added up to nothing that stood there."""
    seats = ("game casino-red-dog", "seat Anna 100", "seat Boris 100")
    play(house, 5, *seats, "bet Anna 20", "card 2H 9S", "call Anna", "card KD")
    count = ("count start confirm=off", "count Anna 94", "count Boris 100", "accept count lost")
    play(house, 6, *seats, *count)
    found = read_season(house)
    season = found.standings()
    assert season.others == (("house", 20), ("missing", 6))
    assert sum(row.net for row in season.rows) + sum(amount for _node, amount in season.others) == 0
    text = as_text(found, season).decode()
    rows = {line.split("  ")[0].strip(): line.split()[-1] for line in text.splitlines() if "+" in line}
    assert (rows["house"], rows["missing chips"]) == ("+20", "+6")
    table = [line.split(",") for line in as_csv(found, season).decode().replace('"', "").splitlines()]
    assert [(line[2], line[6]) for line in table[-2:]] == [("house", "20"), ("missing chips", "6")]
    assert read_season(house).standings().others == season.others, "read from what was kept"


@pytest.mark.parametrize("how", ["count", "open", "equal"])
@pytest.mark.parametrize("counted", [94, 106])
def test_nets_and_the_rows_of_nobody_add_up_however_a_difference_is_accepted(
    house: House, how: str, counted: int
) -> None:
    count = (
        "count start confirm=off",
        f"count Anna {counted}",
        "count Boris 100",
        f"accept {how} found late",
    )
    play(house, 5, "game casino-red-dog", "seat Anna 100", "seat Boris 100", *count)
    season = read_season(house).standings()
    assert sum(row.net for row in season.rows) + sum(amount for _node, amount in season.others) == 0


def test_a_pool_that_was_carried_stands_in_the_standings_until_it_is_played_for(house: House) -> None:
    play(house, 5, *anna_wins("Boris"))
    assert read_season(house).standings().others == ()
    lines = (
        "game red-dog-pool",
        "seat Anna 100",
        "seat Boris 100",
        "round",
        "dealt",
        "fold Boris",
        "fold Anna",
    )
    play(house, 6, *lines, "close pool=carry", close=False)
    assert read_season(house).standings().others[0][0] == "carried"
