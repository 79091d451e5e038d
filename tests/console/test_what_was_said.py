"""What a list screen said goes with the next key, or stands while its line is mended."""

from assistant.console.devices import Devices
from assistant.errors import AssistantError
from drivers.base import Found
from tests.console.conftest import Dealer, Open

NIGHT = ["game red-dog-pool", "seat Anna 100", "seat Boris 100"]


async def refuse(dealer: Dealer, screen: str) -> None:
    await dealer.press(screen)
    await dealer.line(":buy Xaver 5")
    assert "Xaver" in dealer.area("bar")


async def test_a_refusal_stands_while_its_line_is_mended_and_goes_when_another_is_begun(
    open_console: Open,
) -> None:
    for screen in ("f4", "f5", "f6", "f11"):
        async with open_console(NIGHT) as dealer:
            await refuse(dealer, screen)
            await dealer.press("backspace", "left")
            assert "Xaver" in dealer.area("bar")
            assert ":buy Xaver" in dealer.area("entry")
            await dealer.press("end", "5", "enter")
            assert "Xaver" in dealer.area("bar")
            await dealer.press("7")
            assert "Xaver" not in dealer.area("bar") + dealer.area("entry")


async def test_a_refusal_goes_with_the_next_key_once_its_line_is_gone(open_console: Open) -> None:
    async with open_console(NIGHT) as dealer:
        await refuse(dealer, "f11")
        await dealer.press("escape")
        assert "Xaver" not in dealer.area("bar") + dealer.area("entry")
        await dealer.press("f4", "enter", "3")
        assert dealer.lines[-1] != "leave Anna"
        await dealer.press("enter")
        assert dealer.lines[-1] == "leave Anna"


async def test_a_menu_is_not_opened_under_an_old_message(open_console: Open) -> None:
    async with open_console(NIGHT) as dealer:
        await dealer.press("f6", "y")
        assert "No count waits to be confirmed." in dealer.area("bar")
        await dealer.press("enter")
        assert "CLOSE THE NIGHT?" in dealer.area("bar")
        assert "No count waits" not in dealer.area("bar")
        await dealer.press("escape", "y", "down")
        assert "No count waits" not in dealer.area("bar")


async def test_nothing_to_save_in_the_season_goes_with_the_next_key(open_console: Open) -> None:
    async with open_console(NIGHT) as dealer:
        await dealer.press("v", "s")
        assert "There is nothing to save." in dealer.area("bar")
        await dealer.press("down")
        assert "There is nothing to save." not in dealer.area("bar")


async def test_a_refused_line_is_dropped_when_something_else_is_booked(open_console: Open) -> None:
    """A card source, say, plays on meanwhile: Enter must not send what was meant for an earlier moment."""
    async with open_console(NIGHT) as dealer:
        await refuse(dealer, "f4")
        await dealer.app.book("buy Anna 7")
        dealer.app.repaint()
        assert "Xaver" not in dealer.area("bar") + dealer.area("entry")
        await dealer.press("enter")
        assert "Anna: WHAT?" in dealer.area("bar")


async def test_what_is_typed_and_was_not_refused_is_never_dropped(open_console: Open) -> None:
    async with open_console(NIGHT) as dealer:
        await dealer.press("f4")
        await dealer.type("Carl 80")
        await dealer.app.book("buy Anna 7")
        dealer.app.repaint()
        assert "Carl 80" in dealer.area("entry")


async def test_a_refused_count_is_sent_again_when_its_reason_is_gone(open_console: Open) -> None:
    async with open_console([*NIGHT, "round"]) as dealer:
        await dealer.press("f6")
        await dealer.line("95")
        assert dealer.lines[-1] == "round"
        assert " 95 " in dealer.area("entry")
        await dealer.press("enter")
        assert " 95 " in dealer.area("entry")


async def test_a_question_about_an_amount_goes_when_the_amount_changes(open_console: Open) -> None:
    async with open_console(NIGHT) as dealer:
        await dealer.press("f4")
        await dealer.line("50")
        assert "Anna buys in 50? Enter once more books it." in dealer.area("bar")
        await dealer.press("backspace")
        assert "Enter once more" not in dealer.area("bar")
    async with open_console(["game casino-red-dog", *NIGHT[1:]]) as dealer:
        await dealer.line("5", "90")
        assert "Enter once more books it." in dealer.area("bar")
        await dealer.press("backspace")
        assert "Enter once more" not in dealer.area("bar")
        assert dealer.lines[-1] == "bet Anna 5"


async def test_an_amount_typed_at_a_question_stands_instead_and_is_not_put_behind_it(
    open_console: Open,
) -> None:
    """40 where bets were 5 was asked about; 8 typed then was booked as 408."""
    async with open_console(["game casino-red-dog", *NIGHT[1:]]) as dealer:
        await dealer.line("5", "90")
        assert "Enter once more books it." in dealer.area("bar")
        await dealer.line("8")
        assert dealer.lines[-1] == "bet Boris 8"
    async with open_console(NIGHT) as dealer:
        await dealer.press("f4")
        await dealer.line("50")
        assert "Anna buys in 50? Enter once more books it." in dealer.area("bar")
        await dealer.line("Zed 40")
        assert dealer.lines[-1] == "seat Zed 40"
    async with open_console([*NIGHT, "buy Anna 20"]) as dealer:
        await dealer.line(":buy Boris 20", ":buy Boris 5000")
        assert "Enter once more books it." in dealer.area("bar")
        await dealer.line(":buy Boris 30")
        assert dealer.lines[-1] == "buy Boris 30"


def test_a_device_list_that_works_again_takes_its_trouble_back() -> None:
    found: list[Exception] = [AssistantError("The bus is busy.")]

    def detect() -> tuple[Found, ...]:
        if found:
            raise found.pop()
        return ()

    devices = Devices(lambda: None, detect)
    devices._look()
    assert devices.said == "The bus is busy."
    devices._look()
    assert devices.said == ""


async def test_a_clock_that_ticks_as_the_console_ends_paints_nothing(open_console: Open) -> None:
    """No screen is left then: the lamps' clock ended in "No screens on stack"."""
    async with open_console() as dealer:
        app = dealer.app
    app.repaint()
    app._look_at_lamps()
