"""What the dealer sees of the night's safety: head, copy, warnings, a damaged night and the ways out."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from assistant.config import House
from assistant.console.app import ConsoleApp
from assistant.console.safety import GRACE_S, CopyWatch
from assistant.console.widgets.lines import Lines
from assistant.store.base import CopyState
from assistant.table import opening
from assistant.table.evening import Evening

GAME = ("game red-dog-pool ante=5 hand=3", "seat Anna 100", "seat Boris 100")
LINES = (*GAME, "round", "dealt", "bet Boris 5")
Console = tuple[ConsoleApp, Pilot[int]]


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "house")


@pytest.fixture
def path(house: House) -> Path:
    session = opening.open_tonight(house)
    for line in LINES:
        assert session.submit(line).accepted, line
    session.close()
    return house.nights / f"{session.name}.night"


def alter(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"seat Anna 100", b"seat Anna 900"))


@asynccontextmanager
async def console(house: House, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Console]:
    evening = Evening(house)
    app = ConsoleApp(evening.open, rescue=evening)
    async with app.run_test(size=size) as pilot:
        while app.state.snapshot is None:
            await pilot.pause()
        await pilot.pause()
        yield app, pilot


def area(app: ConsoleApp, name: str) -> str:
    return "\n".join(app.screen.query_one(f"#{name}", Lines).text())


async def test_number_and_head_of_the_night_are_on_every_screen(house: House, path: Path) -> None:
    async with console(house, (120, 36)) as (app, pilot):
        snapshot = app.state.snapshot
        assert snapshot is not None
        for key in ("f2", "f4", "f5", "f6", "f1"):
            await pilot.press(key)
            assert f"saved #6 {snapshot.head}" in area(app, "status"), key
    async with console(house, (80, 24)) as (app, _pilot):
        assert f"#6 {snapshot.head[:4]}" in area(app, "status")
    assert path.exists()


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_damaged_night_is_shown_with_three_ways_out(
    house: House, path: Path, size: tuple[int, int]
) -> None:
    alter(path)
    async with console(house, size) as (app, pilot):
        assert "THE NIGHT IS DAMAGED" in area(app, "bar")
        assert "entry 2 was changed" in " ".join(area(app, "body").split())
        assert "READING ONLY" in area(app, "status")
        assert "sum ok" not in area(app, "status")
        assert "6 entries from the first on are proved good." in area(app, "body")
        assert "1 of them comes from the copy." in area(app, "body")
        await pilot.press("enter")
        assert app.state.snapshot is not None
        assert app.state.snapshot.in_round
        await pilot.press(*":note", "space", "x", "enter")
        assert "damaged and open for reading only" in area(app, "bar")
        await pilot.press("ctrl+u", "ctrl+r")
        assert "THE NIGHT IS DAMAGED" in area(app, "bar")


async def test_r_recovers_and_the_round_goes_on(house: House, path: Path) -> None:
    alter(path)
    async with console(house) as (app, pilot):
        await pilot.press("r")
        await pilot.pause()
        assert app.desk.damage is None
        assert "Recovered: 6 entries. The damaged file is kept as" in " ".join(area(app, "bar").split())
        await pilot.press("enter", *":note", "space", "x", "enter")
        assert app.state.snapshot is not None
        assert (app.state.snapshot.entries, app.state.snapshot.in_round) == (7, True)
    assert path.with_name(f"{path.name}.damaged-1").exists()


async def test_n_begins_another_night_and_a_failure_opens_that_one_again(house: House, path: Path) -> None:
    alter(path)
    before = path.read_bytes()
    async with console(house) as (app, pilot):
        await pilot.press("n")
        await pilot.pause()
        assert app.state.snapshot is not None
        assert (app.desk.damage, app.state.snapshot.entries) == (None, 0)
        await app.desk.run(app.desk._reopen)
        assert app.desk.snapshot is not None
        assert app.desk.snapshot.night == app.state.snapshot.night != path.stem
    assert path.read_bytes() == before
    assert len(list(house.nights.glob("*.night"))) == 2


async def test_what_cannot_be_recovered_is_said_and_the_night_stays_open(
    house: House, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alter(path)
    async with console(house) as (app, pilot):
        house.nights.chmod(0o500)
        monkeypatch.setattr(opening, "recover", _no_room)
        await pilot.press("r")
        await pilot.pause()
        assert "disk full" in area(app, "bar")
        assert app.desk.damage is not None
        house.nights.chmod(0o700)


def _no_room(*_arguments: object) -> None:
    from assistant.store.base import DiskFull

    raise DiskFull


async def test_synced_folder_is_warned_of_before_the_first_hand(tmp_path: Path) -> None:
    """B216, and folders that a service copies while the night is open."""
    async with console(House(tmp_path / "Dropbox" / "house"), (120, 36)) as (app, _pilot):
        assert "a folder that Dropbox copies" in " ".join(area(app, "bar").split())


async def test_ctrl_r_says_how_safe_a_sound_night_is(house: House, path: Path) -> None:
    async with console(house, (120, 36)) as (app, pilot):
        await pilot.press("ctrl+r")
        said = " ".join(area(app, "bar").split())
        assert f"Night {path.stem}: 6 entries, head" in said
        assert "Copy: 0 behind" in said


# --- the lamp of the copy ----------------------------------------------------------------------------------


def state(behind: int, trouble: str = "") -> CopyState:
    return CopyState(Path("/media/stick"), behind, 0, trouble, Path("/media/stick/n.jsonl"))


@pytest.fixture
def watch() -> tuple[CopyWatch, Callable[[float], None]]:
    now = [100.0]

    def wait(seconds: float) -> None:
        now[0] += seconds

    return CopyWatch(lambda: now[0]), wait


def test_lag_shows_only_when_it_lasts(watch: tuple[CopyWatch, Callable[[float], None]]) -> None:
    copy, wait = watch
    assert copy.lamp(None) is None
    seen = []
    for behind in (0, 1, 0, 2):
        wait(GRACE_S / 2)
        lamp = copy.lamp(state(behind))
        seen.append(lamp.state if lamp else "")
    assert seen == ["ok", "ok", "ok", "ok"]
    wait(GRACE_S)
    lamp = copy.lamp(state(2))
    assert lamp is not None
    assert (lamp.name, lamp.state, lamp.is_lost) == ("copy", "2 behind", False)


def test_failing_copy_is_a_lost_lamp_and_said_once(watch: tuple[CopyWatch, Callable[[float], None]]) -> None:
    copy, _wait = watch
    lamp = copy.lamp(state(3, "No such file"))
    assert lamp is not None
    assert (lamp.state, lamp.is_lost) == ("3 behind", True)
    assert copy.news(state(0)) == ""
    assert "can't be written to /media/stick: No such file" in copy.news(state(3, "No such file"))
    assert copy.news(state(4, "No such file")) == ""
    assert copy.news(state(0)) == "The copy of the night works again."
