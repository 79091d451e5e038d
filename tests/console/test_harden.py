"""The input of the pinned Textual survives hostile bytes, and the private names it takes still exist."""

import inspect
from importlib.metadata import version
from typing import Any

import pytest
from textual._xterm_parser import XTermParser
from textual.events import Key

from assistant.console.harden import harden_input

linux_driver: Any = pytest.importorskip("textual.drivers.linux_driver", exc_type=ImportError)
PINNED = "8.2.8"
HOSTILE = [b"\xff", b"\x80abc", b"\x1b[M\xff\xff\xff", b"\xe2\x82"]


def test_textual_is_the_release_that_was_measured() -> None:
    assert version("textual") == PINNED


def test_the_private_names_still_exist() -> None:
    assert "getincrementaldecoder" in inspect.getsource(linux_driver)
    assert callable(linux_driver.getincrementaldecoder)
    assert callable(XTermParser._parse_extended_key)
    assert callable(XTermParser._sequence_to_key_events)


@pytest.mark.parametrize("data", HOSTILE)
def test_bytes_that_are_no_text_become_a_sign(data: bytes) -> None:
    harden_input()
    decoder = linux_driver.getincrementaldecoder("utf-8")()
    assert isinstance(decoder.decode(data, final=True), str)


@pytest.mark.parametrize("number", range(10))
def test_alt_and_a_number_is_that_key_and_no_sign(number: int) -> None:
    """Textual takes what a terminal sends for Alt+1 for a "¡" of a Mac keyboard."""
    harden_input()
    events = list(XTermParser().feed(f"\x1b{number}"))
    assert [(event.key, event.character) for event in events if isinstance(event, Key)] == [
        (f"alt+{number}", None)
    ]


def test_other_keys_with_escape_are_what_they_were() -> None:
    harden_input()
    keys = [event.key for event in XTermParser().feed("\x1b[A\x1bOP1") if isinstance(event, Key)]
    assert keys == ["up", "f1", "1"]


@pytest.mark.parametrize("sequence", ["\x1b[1075::117;1u", "\x1b[9999999999u", "\x1b[57399;1:3u"])
def test_odd_key_sequences_are_dropped(sequence: str) -> None:
    harden_input()
    harden_input()
    parser = XTermParser()
    for event in parser.feed(sequence):
        assert event is not None
