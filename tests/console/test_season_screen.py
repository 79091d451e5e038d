"""The season on the screen: standings, what is left out, saving, and names that would like to be markup."""

import os
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from textual.pilot import Pilot

from assistant.config import House
from assistant.console.app import ConsoleApp
from assistant.console.screens.season import SeasonScreen
from assistant.console.widgets.lines import Lines
from assistant.ledger.season import NightResult
from assistant.table.evening import Evening
from assistant.table.opening import open_tonight
from assistant.table.season import HouseSeason, read_season

AT = datetime(2026, 9, 5, 20, 5, tzinfo=UTC)
Console = tuple[ConsoleApp, Pilot[int]]


@pytest.fixture
def house(tmp_path: Path) -> House:
    house = House(tmp_path / "house")
    for day, other in ((5, "[red]Boris[/]"), (12, "[red]Boris[/]"), (19, "Вера")):
        when = AT.replace(day=day)
        session = open_tonight(house, new=True, clock=lambda when=when: when)  # type: ignore[misc]
        seats = ("seat Anna 100", f"seat {other} 100", f"house {other}")
        for line in (
            "game casino-red-dog",
            *seats,
            "bet Anna 5",
            "card 2H KS",
            "call Anna",
            "card 7D",
            "close",
        ):
            outcome = session.submit(line)
            assert outcome.accepted, f"{line}: {outcome.message}"
        session.close()
    return house


@asynccontextmanager
async def console(house: House, size: tuple[int, int]) -> AsyncIterator[Console]:
    evening = Evening(house)
    app = ConsoleApp(
        evening.open,
        rescue=evening,
        season=evening.season,
        slips=house.slips,
        printer_of=house.printer,
    )
    async with app.run_test(size=size) as pilot:
        while app.state.snapshot is None:
            await pilot.pause()
        await pilot.press("v")
        while not isinstance(app.screen, SeasonScreen) or app.screen.found is None:
            await pilot.pause()
        await pilot.pause()
        yield app, pilot


def area(app: ConsoleApp, name: str) -> str:
    return "\n".join(app.screen.query_one(f"#{name}", Lines).text())


async def test_save_pressed_while_the_nights_are_read_saves_once_they_are(house: House) -> None:
    """It said at once that there is nothing to save."""
    may_read = threading.Event()

    def season(playing: tuple[str, NightResult | None] | None = None) -> HouseSeason:
        assert may_read.wait(20)
        return read_season(house, playing)

    app = ConsoleApp(Evening(house).open, season=season, slips=house.slips)
    async with app.run_test(size=(80, 24)) as pilot:
        while app.state.snapshot is None:
            await pilot.pause()
        await pilot.press("v", "s")
        while not isinstance(app.screen, SeasonScreen):
            await pilot.pause()
        await pilot.press("s")
        assert "The nights are being read; then it is saved." in area(app, "bar")
        may_read.set()
        while "Saved:" not in area(app, "bar"):
            await pilot.pause(0.01)
    assert sorted(path.suffix for path in house.slips.iterdir()) == [".csv", ".pdf", ".txt"]


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_standings_show_place_name_nights_and_result(house: House, size: tuple[int, int]) -> None:
    async with console(house, size) as (app, pilot):
        body = area(app, "body")
        rows = [" ".join(line.split()) for line in body.splitlines()]
        assert "2026-09-05 - 2026-09-19 3 nights chips" in rows
        assert any(line.startswith("1. Anna 3 +15") for line in rows)
        assert any(line.startswith("2. Вера 1 -5") for line in rows)
        assert any(line.startswith("3. [red]Boris[/] 2 -10") for line in rows)
        assert "(not closed)" in body
        assert max(map(len, body.splitlines())) <= size[0]
        await pilot.press("escape")
        assert not isinstance(app.screen, SeasonScreen)


async def test_saving_writes_text_table_and_pdf(house: House) -> None:
    async with console(house, (80, 24)) as (app, pilot):
        await pilot.press("s")
        while "Saved" not in area(app, "bar"):
            await pilot.pause()
        pdf, before = house.slips / "standings-2026-09-19.pdf", house.folder / "before.pdf"
        pdf.write_bytes(b"older")
        os.link(pdf, before)
        await pilot.press("s")
        while pdf.read_bytes()[:4] != b"%PDF":
            await pilot.pause()
    assert (before.read_bytes(), pdf.read_bytes()[:4]) == (b"older", b"%PDF")  # replaced whole, never half
    names = sorted(path.name for path in house.slips.iterdir())
    assert names == [f"standings-2026-09-19.{ending}" for ending in ("csv", "pdf", "txt")]


@pytest.mark.parametrize("key", ["p", "з"])
async def test_standings_go_to_the_houses_printer_for_slips(house: House, tmp_path: Path, key: str) -> None:
    paper = tmp_path / "paper.txt"
    (house.folder / "house.toml").write_text(f'[printers]\nslip = "file:{paper},width=42"\n')
    async with console(house, (80, 24)) as (app, pilot):
        assert "P print" in area(app, "keys")
        await pilot.press(key)
        while "Printed:" not in area(app, "bar"):
            await pilot.pause()
    lines = paper.read_text(encoding="utf-8").splitlines()
    assert lines[0].strip() == "STANDINGS"
    assert next(line.split() for line in lines if line.startswith("1. Anna")) == ["1.", "Anna", "3", "+15"]
    assert max(map(len, lines)) == 42


async def test_close_screen_leads_to_the_season(house: House) -> None:
    async with console(house, (80, 24)) as (app, pilot):
        await pilot.press("f6", "v")
        assert isinstance(app.screen, SeasonScreen)
        await pilot.press("enter")
        assert not isinstance(app.screen_stack[-1], SeasonScreen)
