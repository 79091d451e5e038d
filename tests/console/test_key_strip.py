"""On the screens beside the table no key is left out of the strip; the dealer reads no English in Russian."""

import pytest

from assistant.console.screens.base import ConsoleScreen
from assistant.i18n import speaking
from drivers.base import Found
from drivers.port_list import Port, found_ports
from tests.console.conftest import Open

POOL = ["game red-dog-pool", "seat Anna 100", "seat Boris 100", "seat Vera 100"]
COUNTED = [*POOL, "count start"]


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize(
    ("lines", "key"),
    [
        (COUNTED, "f6"),
        (POOL, "f6"),
        ([*POOL, "close"], "f6"),
        (POOL, "f11"),
        (POOL, "f4"),
        (POOL, "f5"),
        (POOL, "f3"),
    ],
    ids=["counting", "count", "settle", "ledger", "players", "game", "sources"],
)
async def test_every_key_is_on_the_strip_of_a_low_screen(
    open_console: Open, language: str, lines: list[str], key: str
) -> None:
    async with open_console(lines, language=language) as dealer:
        await dealer.press(key)
        shown = " ".join(dealer.area("keys").split())
        screen = dealer.app.screen
        assert isinstance(screen, ConsoleScreen)
        wanted = screen.view().strip
        assert [f"{one.key} {one.label}" for one in wanted if f"{one.key} {one.label}" not in shown] == []
        assert "F1 " in shown


async def test_the_table_keeps_its_rows_for_the_seats_and_the_log(open_console: Open) -> None:
    async with open_console([*POOL, "round", "dealt"], language="ru") as dealer:
        assert len(dealer.area("keys").splitlines()) == 1


async def test_a_line_that_had_waited_says_so_in_the_dealers_language(open_console: Open) -> None:
    lines = [*POOL, "round", "dealt", "later buy Anna 20", "fold Boris", "fold Vera", "fold Anna"]
    async with open_console(lines, language="ru") as dealer:
        assert "buy Anna 20  → ДАТЬ 20: Anna  (отложено)" in dealer.area("log")
    async with open_console(lines) as dealer:
        assert "buy Anna 20  → GIVE 20 to Anna  (later)" in dealer.area("log")


def test_what_is_attached_is_said_in_the_dealers_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: True)
    port = Port("/dev/ttyS9", "n/a")
    with speaking("ru"):
        assert found_ports([port]) == (
            Found("serial:/dev/ttyS9", "порт (не на USB, вряд ли шуз)", is_unlikely=True),
        )
    assert found_ports([port])[0].label == "serial port (not on USB, so hardly a shoe)"
    monkeypatch.setattr("os.access", lambda *_: False)
    with speaking("ru"):
        found = found_ports([port])[0]
    assert found.why == "нет доступа к /dev/ttyS9"
    assert found.remedy.startswith("Наберите: sudo usermod -aG dialout $USER")
