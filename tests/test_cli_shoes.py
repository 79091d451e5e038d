"""The command line for shoes: enrolling a deck, tag lists in and out, listening with a deck of the house."""

import io
import json
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.cli import main
from drivers.base import EventKind, Found, SourceEvent
from drivers.decks import expected_cards, load_deck
from drivers.registry import open_source

UID = {card: f"04{number * 7:06X}" for number, card in enumerate(expected_cards(2), 1)}


def draws(*cards: str) -> str:
    """A recording of a reader: one card every second and a half."""
    rows = []
    for number, card in enumerate(cards):
        line = f"Card UID: {UID[card]}\r\n".encode().hex()
        rows += [f"@{number * 1.5} {line}", f"@{number * 1.5 + 0.2} {line}"]
    return "\n".join(rows)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    return tmp_path / "house"


def enrol(house: Path, recording: str, *more: str) -> int:
    file = house.parent / "draws.hex"
    file.write_text(recording, "ascii")
    source = f"replay:{file},format=uidline,speed=0"
    return main(["calibrate", "shoe", source, "--deck", "Blue 2", "--house", str(house), *more])


def test_a_deck_drawn_forwards_and_backwards_is_saved(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cards = expected_cards(2)
    assert enrol(house, draws(*cards, *cards[::-1]), "--jokers", "2", "--back", "blue") == 0
    out = capsys.readouterr().out
    assert "0/54. Draw A♠" in out
    assert "Now the same deck backwards, last card first. Begin with black joker." in out
    assert "54 tags enrolled." in out
    deck = load_deck(house / "decks", "Blue 2")
    assert deck.tags == {UID[card]: card for card in cards}
    assert (deck.back, deck.format, deck.missing) == ("blue", "uidline", ())


def test_a_card_missed_in_the_first_pass_stops_and_saves_nothing(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cards = expected_cards()
    assert enrol(house, draws(*cards[:9], *cards[10:], "XR", *cards[::-1])) == 2
    out, err = capsys.readouterr()
    assert "STOP: this is Q♣, and red joker" not in out
    assert "STOP: this is Q♣, and K♣ was expected." in out
    assert "nothing was saved" in err
    assert not (house / "decks").exists()


def test_a_reader_of_nothing_but_cards_and_a_deck_that_is_there_are_refused(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", "shoe", "serial:COM3", "--deck", "Blue", "--house", str(house)]) == 2
    assert "format=uidline" in capsys.readouterr().err
    tags = house.parent / "tags.csv"
    tags.write_text("card,uid\nAS,92256FEB\n", "utf-8")
    take = ["calibrate", "shoe", "--deck", "Blue", "--import", str(tags), "--house", str(house)]
    assert main(take) == 0
    assert main(take) == 2
    assert "--replace" in capsys.readouterr().err
    assert main([*take, "--replace"]) == 0


def test_tags_go_in_and_out_as_csv_and_name_cards_for_listen(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tags, out = house.parent / "tags.csv", house.parent / "out.csv"
    tags.write_text("card,uid\nas,92 25 6f eb\nJoker1,92256FEC\n", "utf-8")
    base = ["calibrate", "shoe", "--deck", "Blue", "--house", str(house)]
    assert main([*base, "--import", str(tags)]) == 0
    assert "2 tags of 2 cards" in capsys.readouterr().out
    assert main([*base, "--export", str(out)]) == 0
    assert out.read_text("utf-8") == "card,uid_hex,tag_no\nAS,92256FEB,1\nXR,92256FEC,1\n"
    capsys.readouterr()
    recording = house.parent / "reader.hex"
    recording.write_text(b"Card UID: 92 25 6F EB\r\nCard UID: 92 25 6F EB\r\n".hex(), "ascii")
    source = f"replay:{recording},format=uidline,deck=Blue,speed=0"
    assert main(["--house", str(house), "listen", source, "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(record["event"], record["card"]) for record in records] == [("card", "AS")]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no ptys")
def test_anybody_can_try_the_real_path_with_an_emulated_shoe(repository: Path) -> None:
    command = [sys.executable, "-m", "assistant", "sources", "--emulate", "oslp", "--delay", "0.05"]
    more = ["--seed", "7", "--decks", "2", "--bit-errors", "0.0005", "--cut-lines", "0.02"]
    with subprocess.Popen([*command, *more], cwd=repository, stdout=subprocess.PIPE, text=True) as emulation:
        assert emulation.stdout is not None
        port = emulation.stdout.readline().partition(" is at ")[2].partition(";")[0]
        lines = [emulation.stdout.readline()]
        if lines[0].endswith("\\\n"):  # where it would not fit a terminal it is folded as a shell folds it
            lines.append(emulation.stdout.readline())
        assert len(" ".join(line.strip() for line in lines)) >= 80 or len(lines) == 1
        assert len(lines[-1]) <= 80
        typed = shlex.split("".join(lines).replace("\\\n", ""))
        assert typed[1:] == ["--source", f"serial:{port},format=oslp"]
        assert shutil.which(typed[0]), "it can be typed as it stands, in any folder"
        with open_source(f"serial:{port},format=oslp") as source:
            events: list[SourceEvent] = []
            while sum(event.event is EventKind.CARD for event in events) < 20:
                event = source.read(20.0)
                assert event is not None
                events.append(event)
        emulation.send_signal(signal.SIGINT)
        rest = emulation.stdout.read().split()
        assert emulation.wait() == 0
    heard = [str(event.card) for event in events if event.event is EventKind.CARD]
    assert " ".join(heard) in " ".join(rest)
    assert not [event for event in events if event.event is EventKind.GAP]
    assert not Path(port).exists()


def test_what_is_not_attached_is_said_with_what_to_do(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    builtin = Found("serial:/dev/ttyS0", "serial port (not on USB, so hardly a shoe)", is_unlikely=True)
    monkeypatch.setattr("drivers.registry.detect", lambda: (builtin,))
    monkeypatch.setattr("drivers.printers.find_printers", lambda: ())
    assert main(["sources"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "serial:/dev/ttyS0  serial port (not on USB, so hardly a shoe)"
    assert [line.partition(".")[0] for line in lines[1:]] == [
        "No camera found",
        "No shoe or reader found",
        "No printer found",
    ]
    assert "sudo apt remove brltty" in lines[2]
    assert main(["sources", "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    board = Found("serial:/dev/ttyUSB0", "Arduino Uno")
    monkeypatch.setattr("drivers.registry.detect", lambda: (board, Found("camera:0", "HD cam")))
    monkeypatch.setattr("drivers.printers.find_printers", lambda: (Found("usb:0416:5011", "receipts"),))
    assert main(["sources"]) == 0
    assert "found" not in capsys.readouterr().out


def test_a_port_that_is_not_there_is_named_when_it_is_searched(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sources", "--find", "/dev/nowhere"]) == 2
    assert "There is no port /dev/nowhere" in capsys.readouterr().err
