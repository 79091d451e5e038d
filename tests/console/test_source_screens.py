"""The screens of card sources, decks and enrolment: what is attached, opened, found and enrolled."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from assistant.console.app import ConsoleApp
from assistant.console.card_intake import open_intake
from assistant.console.devices import Devices
from assistant.console.messages import DevicesChanged
from assistant.console.screens.enrol import EnrolScreen
from assistant.store.memory import MemoryNight
from assistant.table.session import TableSession
from drivers.base import BadSource, DriverBusy, EventKind, Found, SourceEvent
from drivers.decks import Deck, expected_cards, load_deck, save_deck
from drivers.emulated_port import EmulatedPort
from drivers.port_list import BUSY_REMEDY, PERMISSION_REMEDY
from drivers.registry import open_source

Open = Callable[..., Any]
ATTACHED = (
    Found("serial:/dev/ttyUSB0", "Arduino Uno, USB serial"),
    Found(
        "serial:/dev/ttyUSB1",
        "CH340 adapter",
        usable=False,
        why="no permission for /dev/ttyUSB1",
        remedy=PERMISSION_REMEDY,
    ),
    Found(
        "serial:/dev/ttyACM0",
        "board",
        usable=False,
        why="in use by brltty (process 12)",
        remedy=BUSY_REMEDY,
    ),
)
LOW = (80, 24)
PATIENCE_S, GLANCE_S = 60.0, 0.02


async def until(pilot: Pilot[int], is_so: Callable[[], object]) -> None:
    for _glance in range(int(PATIENCE_S / GLANCE_S)):
        if is_so():
            return
        await pilot.pause(GLANCE_S)
    raise AssertionError


def devices(dealer: Any, **given: Any) -> Devices:
    """Put devices of our own before the screen."""
    options: dict[str, Any] = {"detect": lambda: ATTACHED, "find": lambda port: iter(()), **given}
    dealer.app._devices = Devices(lambda: dealer.app.post_message(DevicesChanged()), **options)
    return dealer.app.devices  # type: ignore[no-any-return]


async def test_every_port_is_listed_with_why_it_cannot_be_used_and_the_exact_remedy(
    open_console: Open,
) -> None:
    async with open_console(size=(120, 36)) as dealer:
        devices(dealer)
        await dealer.press("f3")
        await until(dealer.pilot, lambda: "ttyACM0" in dealer.area("body"))
        body = " ".join(dealer.area("body").split())
        assert "serial:/dev/ttyUSB0 Arduino Uno, USB serial" in body
        assert "no permission for /dev/ttyUSB1" in body
        assert "sudo usermod -aG dialout $USER" in body
        assert "log out and in again" in body
        assert "in use by brltty (process 12)" in body
        assert "Close the other program" in body


async def test_what_is_not_there_is_said_with_what_to_do(open_console: Open) -> None:
    """A serial port that is not on USB is no shoe; a camera that can't be used is not missing."""
    builtin = Found("serial:/dev/ttyS0", "serial port (not on USB, so hardly a shoe)", is_unlikely=True)
    camera = Found("camera:0", "HD cam", usable=False, why="no permission for /dev/video0", remedy="Log in.")
    async with open_console(size=LOW) as dealer:
        devices(dealer, detect=lambda: (builtin,))
        await dealer.press("f3")
        await until(dealer.pilot, lambda: "no camera found" in dealer.area("body"))
        body = " ".join(dealer.area("body").split())
        assert "no camera found Plug one in: Linux shows it as /dev/video0." in body
        assert "no shoe or reader found Plug it in with a cable that carries data" in body
        assert "no printer" not in body
        devices(dealer, detect=lambda: (*ATTACHED, camera))
        dealer.app.devices.look()
        await until(dealer.pilot, lambda: "ttyACM0" in dealer.area("body"))
        assert "no camera" not in dealer.area("body")
        assert "no shoe" not in dealer.area("body")


async def test_a_look_that_fails_does_not_say_that_nothing_is_there(open_console: Open) -> None:
    def fail() -> tuple[Found, ...]:
        raise DriverBusy("The ports can't be listed.", "Try again.")

    async with open_console(size=LOW) as dealer:
        devices(dealer, detect=fail)
        await dealer.press("f3")
        await until(dealer.pilot, lambda: "can't be listed" in dealer.area("body"))
        assert "no camera" not in dealer.area("body")


async def test_a_source_is_opened_and_closed_from_the_screen(open_console: Open) -> None:
    async with open_console() as dealer:
        devices(dealer)
        await dealer.press("f3")
        await dealer.line("simulated:seed=3")
        await until(dealer.pilot, lambda: "add simulated" in dealer.intake.heard)
        assert dealer.app.opened == {"simulated": "simulated:seed=3"}
        await dealer.line("simulated:seed=4")
        await until(dealer.pilot, lambda: "open already" in dealer.area("bar"))
        dealer.app.drop_source("simulated")
        assert dealer.intake.heard[-1] == "remove simulated"
        assert dealer.app.opened == {}


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("camera:0,fsp=3", "A camera source has no option fsp. Known options: "),
        (
            "serial:/dev/ttyUSB0,format=olsp",
            "Option format='olsp' of serial:/dev/ttyUSB0 is not one of plain, oslp",
        ),
        ("camrea:0", "There is no kind of source called 'camrea'. Known kinds: camera"),
        ("serial:/dev/ttyUSB0,baud=fast", "Option baud='fast' of serial:/dev/ttyUSB0 is not a whole number"),
    ],
)
async def test_a_wrong_option_is_said_at_once_and_the_line_stays(
    open_console: Open, typed: str, said: str
) -> None:
    async with open_console(size=(120, 36)) as dealer:
        devices(dealer)
        await dealer.press("f3")
        await dealer.line(typed)
        await until(dealer.pilot, lambda: said in " ".join(dealer.area("bar").split()))
        assert typed in dealer.area("entry")
        assert dealer.intake.heard == ["start"]


async def test_speed_and_format_are_found_by_listening_and_opened_with_enter(open_console: Open) -> None:
    go, asked = threading.Event(), []

    def find(port: str) -> Iterator[Found]:
        asked.append(port)
        assert go.wait(PATIENCE_S)
        yield Found("serial:/dev/ttyUSB0,format=uidline,baud=9600", "an MFRC522 sketch (4 good lines heard)")

    async with open_console(size=(120, 36)) as dealer:
        found = devices(dealer, find=find)
        await dealer.press("f3")
        await until(dealer.pilot, lambda: "ttyUSB0" in dealer.area("body"))
        await dealer.press("enter")
        assert "nothing is sent" in dealer.area("body")
        await dealer.press("1")
        assert "LISTENING at serial:/dev/ttyUSB0" in dealer.area("bar")
        assert not found.listen("serial:/dev/ttyUSB1"), "one search at a time"
        go.set()
        await until(dealer.pilot, lambda: "format=uidline,baud=9600" in dealer.area("body"))
        assert asked == ["serial:/dev/ttyUSB0"]
        await until(dealer.pilot, lambda: not found.listening)
        await dealer.press("up", "up", "up", "enter")
        await until(dealer.pilot, lambda: "add serial" in dealer.intake.heard)
        assert dealer.app.opened == {"serial:/dev/ttyUSB0": "serial:/dev/ttyUSB0,format=uidline,baud=9600"}


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (DriverBusy("/dev/ttyUSB0 is in use by brltty.", BUSY_REMEDY), "in use by brltty"),
        (BadSource("It is no port."), "It is no port."),
        (RuntimeError("new"), "Listening failed: RuntimeError"),
    ],
)
async def test_a_port_that_cannot_be_listened_at_is_named(
    open_console: Open, error: Exception, said: str
) -> None:
    def find(port: str) -> Iterator[Found]:
        raise error
        yield

    async with open_console() as dealer:
        found = devices(dealer, find=find)
        await dealer.press("f3")
        assert found.listen("serial:/dev/ttyUSB0")
        await until(dealer.pilot, lambda: said in dealer.area("body"))
        assert not found.listening


def tag(at: int) -> str:
    return f"04{at * 37 % 65536:04X}020A5481"


class Hand:
    """A dealer's hand that draws the cards of a deck over a reader."""

    def __init__(self, dealer: Any) -> None:
        self.dealer = dealer
        self.time_s = 0.0

    def read(self, uid: str) -> None:
        self.time_s += 2.0
        self.dealer.intake.deliver(SourceEvent(EventKind.TAG_UNKNOWN, "reader", self.time_s, tag=uid))


def in_house(dealer: Any, house: Path) -> None:
    dealer.app.decks = house / "decks"
    dealer.app._opener = partial(open_source, house=house)


async def enrolment(dealer: Any, house: Path, *keys: str) -> Hand:
    """Begin to enrol deck Blue through a reader that is open at the table."""
    in_house(dealer, house)
    await dealer.press("f3")
    await dealer.line("serial:/dev/ttyUSB0,format=uidline")
    await until(dealer.pilot, lambda: "add serial" in dealer.intake.heard)
    dealer.app.show_decks("serial:/dev/ttyUSB0,format=uidline")
    await dealer.pilot.pause()
    await dealer.line("Blue")
    assert isinstance(dealer.app.screen, EnrolScreen)
    await dealer.line("navy")
    await dealer.press(*keys)
    intake = dealer.intake
    await dealer.press("enter")
    await until(dealer.pilot, lambda: dealer.intake is not intake)
    assert intake.heard[-1] == "remove serial:/dev/ttyUSB0", "the table does not ask about these tags"
    return Hand(dealer)


async def test_a_deck_is_enrolled_forwards_and_backwards_and_played_with(
    open_console: Open, tmp_path: Path
) -> None:
    async with open_console(size=(120, 36)) as dealer:
        devices(dealer)
        table = dealer.intake
        hand = await enrolment(dealer, tmp_path)
        assert "DRAW A♠" in dealer.area("bar")
        for at in range(52):
            hand.read(tag(at))
            if at == 20:
                await until(dealer.pilot, lambda: "21/52" in dealer.area("body"))
                assert "DRAW 9♥" in dealer.area("bar")
        await until(dealer.pilot, lambda: "BACKWARDS: DRAW K♣" in dealer.area("bar"))
        for at in reversed(range(52)):
            hand.read(tag(at))
        await until(dealer.pilot, lambda: "DECK Blue IS ENROLLED" in dealer.area("bar"))
        deck = load_deck(tmp_path / "decks", "Blue")
        assert dict(deck.tags) == {tag(at): card for at, card in enumerate(expected_cards())}
        assert (deck.back, deck.format, deck.missing) == ("navy", "uidline", ())
        assert dealer.intake.heard[-1] == "stop", "the reader is free again"
        dealer.app._intake = table
        await dealer.press("enter")
        await until(dealer.pilot, lambda: table.heard[-1] == "add serial")
        assert dealer.app.opened == {"serial:/dev/ttyUSB0": "serial:/dev/ttyUSB0,format=uidline,deck=Blue"}


async def test_a_missed_card_stops_the_second_pass_and_is_repaired(
    open_console: Open, tmp_path: Path
) -> None:
    async with open_console(size=(120, 36)) as dealer:
        devices(dealer)
        hand = await enrolment(dealer, tmp_path)
        for at in (*range(5), *range(6, 52)):  # the sixth card was missed
            hand.read(tag(at))
        await until(dealer.pilot, lambda: "DRAW K♣" in dealer.area("bar"))
        hand.read(tag(60))  # the last, a card too many by now
        await until(dealer.pilot, lambda: "BACKWARDS" in dealer.area("bar"))
        hand.read(tag(51))
        await until(dealer.pilot, lambda: "STOP" in dealer.area("bar"))
        assert "was expected" in dealer.area("body")
        await dealer.press("g")
        await dealer.line("6s")
        assert "DRAW 6♠" in dealer.area("bar")
        assert "5/52" in dealer.area("body")


async def test_keys_take_back_skip_and_stop_only_when_asked_twice(open_console: Open, tmp_path: Path) -> None:
    async with open_console() as dealer:
        devices(dealer)
        lines = dealer.lines
        hand = await enrolment(dealer, tmp_path)
        hand.read(tag(0))
        await until(dealer.pilot, lambda: "DRAW 2♠" in dealer.area("bar"))
        await dealer.press("u")
        assert "DRAW A♠" in dealer.area("bar")
        await dealer.press("s")
        assert "DRAW 2♠" in dealer.area("bar")
        await dealer.press("backspace")
        assert dealer.lines == lines, "nothing at the table was taken back"
        hand.read(tag(1))
        await until(dealer.pilot, lambda: "DRAW 3♠" in dealer.area("bar"))
        await dealer.press("escape")
        assert "Nothing is saved yet" in dealer.area("bar")
        await dealer.press("escape")
        await until(dealer.pilot, lambda: not isinstance(dealer.app.screen, EnrolScreen))
        assert not (tmp_path / "decks").exists()
        await until(dealer.pilot, lambda: "serial:/dev/ttyUSB0" in dealer.app.opened)


async def test_near_twins_are_marked_while_the_deck_is_drawn(open_console: Open, tmp_path: Path) -> None:
    async with open_console(size=(120, 36)) as dealer:
        devices(dealer)
        hand = await enrolment(dealer, tmp_path)
        hand.read("04F4AA020A5480")
        hand.read("0491B1020A5480")
        hand.read("04F5AA020A5480")
        await until(dealer.pilot, lambda: "DRAW 4♠" in dealer.area("bar"))
        grid = dealer.area("body").splitlines()[3]
        assert grid.split()[:8] == ["~", "A♠", "✓", "2♠", "~", "3♠", "▶", "4♠"]
        assert grid.count("·") == 9


async def test_decks_are_taken_into_play_side_by_side_imported_and_exported(
    open_console: Open, tmp_path: Path
) -> None:
    decks = tmp_path / "decks"
    save_deck(decks, Deck("Blue", {"0406B9020A5481": "AS"}, format="uidline", back="blue"))
    (tmp_path / "red.csv").write_text("card,uid_hex\nKD,04576C020A5481\n", "utf-8")
    async with open_console(size=(120, 36)) as dealer:
        devices(dealer)
        in_house(dealer, tmp_path)
        dealer.app.show_decks("serial:/dev/ttyUSB0,format=uidline")
        await dealer.pilot.pause()
        assert "Blue" in dealer.area("body")
        await dealer.line(f"Red < {tmp_path / 'red.csv'}")
        await until(dealer.pilot, lambda: "1 tags of deck Red are saved" in dealer.area("bar"))
        assert dict(load_deck(decks, "Red").tags) == {"04576C020A5481": "KD"}
        for downs in (1, 1):
            await dealer.press(*["down"] * downs, "enter", "1")
            await until(dealer.pilot, lambda: "add serial" in dealer.intake.heard[-1:])
        assert dealer.app.opened["serial:/dev/ttyUSB0"] == "serial:/dev/ttyUSB0,format=uidline,deck=Blue+Red"
        assert dealer.area("body").count("in play") == 2
        await dealer.press("enter", "1")
        await until(dealer.pilot, lambda: dealer.app.opened["serial:/dev/ttyUSB0"].endswith("deck=Blue"))
        await dealer.line(f"Red > {tmp_path / 'out.csv'}")
        await until(dealer.pilot, lambda: "written to" in dealer.area("bar"))
        assert "KD,04576C020A5481" in (tmp_path / "out.csv").read_text("utf-8")
        await dealer.line("Green < /nowhere.csv")
        await until(dealer.pilot, lambda: "can't be read as a tag list" in dealer.area("bar"))


async def test_a_tag_list_that_cannot_be_written_leaves_the_one_before(
    open_console: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    save_deck(tmp_path / "decks", Deck("Blue", {"0406B9020A5481": "AS"}))
    (tmp_path / "out.csv").write_text("before", "utf-8")
    monkeypatch.setattr("drivers.printer.os.fsync", full)
    async with open_console(size=(120, 36)) as dealer:
        devices(dealer)
        in_house(dealer, tmp_path)
        dealer.app.show_decks("serial:/dev/ttyUSB0,format=uidline")
        await dealer.pilot.pause()
        await dealer.line(f"Blue > {tmp_path / 'out.csv'}")
        await until(dealer.pilot, lambda: "No space left on device" in dealer.area("bar"))
    assert (tmp_path / "out.csv").read_text("utf-8") == "before"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no ptys")
async def test_a_reader_on_a_real_port_enrols_and_then_deals_to_the_table(tmp_path: Path) -> None:
    def factory() -> TableSession:
        session = TableSession(MemoryNight(), "night")
        for line in ("game casino-red-dog decks=8", "seat Anna 10000", "bet Anna 10"):
            assert session.submit(line).accepted
        return session

    def uid(at: int) -> bytes:
        return b"Card UID: " + bytes.fromhex(tag(at)).hex(" ").upper().encode() + b"\r\n"

    opener = partial(open_source, house=tmp_path)
    with EmulatedPort(tmp_path / "reader") as port:
        text = f"serial:{port.path},format=uidline"
        app = ConsoleApp(
            factory,
            sources=(text,),
            opener=opener,
            intake_factory=partial(open_intake, opener=opener),
            decks=tmp_path / "decks",
        )
        async with app.run_test(size=(120, 36)) as pilot:
            await until(pilot, lambda: any(state.lamp.value == "up" for state in app.source_states()))
            app.table.play.panel = None
            app.show_decks(text)
            await pilot.pause()
            await pilot.press(*"Blue", "enter")
            await pilot.pause(0.2)  # Enter twice at once is the keyboard repeating
            await pilot.press("enter")
            screen = app.screen
            assert isinstance(screen, EnrolScreen)
            await until(pilot, lambda: screen._intake and screen._intake.states()[0].lamp.value == "up")
            for at in range(52):
                port.send(uid(at))
            await pilot.pause(1.1)  # what is read again within a second was drawn once
            for at in reversed(range(52)):
                port.send(uid(at))
            await until(pilot, lambda: screen.is_saved)
            await pilot.press("enter")
            await until(pilot, lambda: any(state.lamp.value == "up" for state in app.source_states()))
            await pilot.pause(0.3)
            port.send(uid(8))
            await until(pilot, lambda: app.state.snapshot and app.state.snapshot.board)
            assert app.state.snapshot is not None
            assert [str(one.card) for one in app.state.snapshot.board] == ["9S"]
