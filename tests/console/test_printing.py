"""P on the close screen: which slip, on which printer; a printer that hangs holds up nobody."""

import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from assistant.console.printing import Press
from drivers.printer import PrintDoubtful, PrinterRefused
from drivers.printer_spec import Printer
from tests.console.conftest import Dealer, Open

TABLE = ("game red-dog-pool", "seat Ann 100", "seat Борис 100", "buy Ann 50")
CLOSED = (*TABLE, "close")


@pytest.fixture
def printer(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A stand-in for every receipt printer: keeps what it is sent, and does what `outcome` says."""
    kept = SimpleNamespace(sent=[], outcome=None, gate=None)

    def send(data: bytes, printer: Printer) -> str:
        if kept.gate is not None:
            kept.gate.wait(5)
        kept.sent.append((printer.name, data))
        if kept.outcome is not None:
            raise kept.outcome
        return printer.name

    monkeypatch.setattr("drivers.receipt_printer.send", send)
    return kept


def options(slips: Path) -> dict[str, object]:
    names = {"slip": "network:10.0.0.1,width=42", "receipt": "usb,width=32"}
    return {"press": Press(slips, lambda use: names.get(use, ""))}


async def done(dealer: Dealer) -> str:
    """What the bar says once the printer has answered."""
    await dealer.app.workers.wait_for_complete()
    await dealer.pilot.pause()
    return dealer.area("bar")


async def test_each_slip_goes_to_the_printer_of_the_house(
    open_console: Open, tmp_path: Path, printer: SimpleNamespace
) -> None:
    async with open_console(TABLE, app_options=options(tmp_path)) as dealer:
        await dealer.press("f6", "p", "1")
        assert "Printed: network:10.0.0.1" in await done(dealer)
        await dealer.press("p", "3")
        assert "Printed: usb" in await done(dealer)
        await dealer.press("p", "4")
        await done(dealer)
        assert [name for name, _data in printer.sent] == ["network:10.0.0.1", "usb", "network:10.0.0.1"]
        titles = [data.split(b"\n")[0].split()[-1] for _name, data in printer.sent]
        assert titles == [b"SETTLEMENT", b"BUY-IN", b"RULES"]
        assert dealer.snapshot.entries == len(TABLE)


async def test_receipt_of_a_buy_in_is_printed_from_its_entry(
    open_console: Open, tmp_path: Path, printer: SimpleNamespace
) -> None:
    async with open_console(TABLE, app_options=options(tmp_path)) as dealer:
        dealer.app.go("ledger")
        await dealer.press("tab", "down", "enter", "4")
        assert "Printed: usb" in await done(dealer)
        (printed,) = [data.decode("cp866") for _name, data in printer.sent]
        assert "Борис, on IOU                100\n" in printed
        assert "Entry 3" in printed
        assert dealer.snapshot.entries == len(TABLE)


async def test_buy_in_that_was_reversed_offers_no_receipt(open_console: Open, tmp_path: Path) -> None:
    async with open_console(TABLE, app_options=options(tmp_path)) as dealer:
        dealer.app.go("ledger")
        await dealer.press("tab", "down", "enter")
        assert "print its receipt" in "\n".join(dealer.screen)
        await dealer.press("escape")
        await dealer.line(":reverse 3 never paid")
        await dealer.press("down", "down", "enter")
        assert "#3: " in "\n".join(dealer.screen)
        assert "print its receipt" not in "\n".join(dealer.screen)


async def test_nothing_counted_is_said_and_the_night_goes_on(
    open_console: Open, tmp_path: Path, printer: SimpleNamespace
) -> None:
    async with open_console(TABLE, app_options=options(tmp_path)) as dealer:
        session = dealer.session
        await dealer.press("f6", "p", "2")
        assert "Nobody counted the chips" in await done(dealer)
        assert printer.sent == []
        assert dealer.session is session  # the night was not opened anew for it
        await dealer.line("100")
        await dealer.press("p", "2")
        assert "Printed" in await done(dealer)


async def test_doubtful_print_says_look_at_the_paper_and_is_not_repeated(
    open_console: Open, tmp_path: Path, printer: SimpleNamespace
) -> None:
    """B237: the second print, when the dealer asks for it, is marked."""
    printer.outcome = PrintDoubtful("It hung.", "Look at the paper before you print again.")
    async with open_console(CLOSED, app_options=options(tmp_path)) as dealer:
        entries = dealer.snapshot.entries
        await dealer.press("f6", "p", "1")
        bar = await done(dealer)
        assert "Unknown whether it printed" in bar
        assert "Look at the paper" in bar
        assert len(printer.sent) == 1
        printer.outcome = None
        await dealer.press("p", "1")
        await done(dealer)
        assert b"COPY 2" in printer.sent[1][1]
        assert dealer.snapshot.entries == entries


async def test_printer_that_refuses_leaves_no_copy_behind(
    open_console: Open, tmp_path: Path, printer: SimpleNamespace
) -> None:
    printer.outcome = PrinterRefused("It is off.")
    async with open_console(CLOSED, app_options=options(tmp_path)) as dealer:
        await dealer.press("f6", "p", "1")
        assert "Not printed: It is off." in await done(dealer)
        printer.outcome = None
        await dealer.press("p", "1")
        await done(dealer)
        assert b"COPY" not in printer.sent[1][1]


async def test_fault_of_the_program_while_printing_is_said_too(
    open_console: Open, tmp_path: Path, printer: SimpleNamespace
) -> None:
    printer.outcome = ZeroDivisionError("x")
    async with open_console(CLOSED, app_options=options(tmp_path)) as dealer:
        await dealer.press("f6", "p", "1")
        assert "Not printed: ZeroDivisionError x." in await done(dealer)
        assert dealer.app.is_running


async def test_printer_that_hangs_holds_up_nobody_and_prints_once(
    open_console: Open, tmp_path: Path, printer: SimpleNamespace
) -> None:
    printer.gate = threading.Event()
    async with open_console(TABLE, app_options=options(tmp_path)) as dealer:
        await dealer.press("f6", "p", "1")
        assert "Printing" in dealer.area("bar")
        await dealer.press("p", "1")
        await dealer.line("150")
        assert dealer.lines[-2:] == ["count start", "count Ann 150"]
        assert dealer.snapshot.entries == len(TABLE) + 2
        assert printer.sent == []
        printer.gate.set()
        await done(dealer)
        assert len(printer.sent) == 1


async def test_s_saves_the_text_and_the_pdf(open_console: Open, tmp_path: Path) -> None:
    async with open_console(CLOSED, app_options=options(tmp_path)) as dealer:
        await dealer.press("f6", "s")
        assert "Saved" in await done(dealer)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["2026-11-28-1-42.txt", "2026-11-28-1-80.txt", "2026-11-28-1.pdf"]
    assert (tmp_path / names[2]).read_bytes().startswith(b"%PDF-")


async def test_enter_on_the_payments_says_what_was_saved_though_nothing_was_printed(
    open_console: Open, tmp_path: Path, printer: SimpleNamespace
) -> None:
    """It said "Not printed" alone, as if nothing had been done."""
    printer.outcome = PrinterRefused("It is off.")
    async with open_console(CLOSED, app_options=options(tmp_path)) as dealer:
        await dealer.press("f6", "enter")
        said = await done(dealer)
        assert "Not printed: It is off." in said
        assert "Saved:" in said
