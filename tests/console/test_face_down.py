"""A shoe that reads cards dealt face down: their names are not on screen, in log, night file or listen."""

from __future__ import annotations

import json
import logging
import re
import sys
from pathlib import Path

import pytest
from textual.pilot import Pilot

from assistant.cards import FULL_DECK, Card
from assistant.cli import main
from assistant.config import House
from assistant.console.app import ConsoleApp
from assistant.table.opening import open_tonight
from assistant.table.session import TableSession
from drivers.codecs.oslp import encode
from drivers.cursors import CursorFile
from drivers.emulated_port import EmulatedPort

HANDS = [str(card) for card in FULL_DECK if card.rank.letter in "89TJQ"]
"""Dealt face down to the players."""
TURNED = "AS"
PATIENCE_S, GLANCE_S = 60.0, 0.02


def spellings(name: str) -> list[str]:
    """Every way this program could write a card down."""
    card = next(card for card in FULL_DECK if str(card) == name)
    return [name, card.face, repr(card), f'"{card.rank.letter}", "{card.suit}"', _stored(card)]


def _stored(card: Card) -> str:
    return json.dumps({"rank": card.rank.value, "suit": card.suit.value if card.suit else None})


def holds(text: str, spelling: str) -> bool:
    """Whether a name stands there as a word of its own; TH is also the end of WITH."""
    return bool(re.search(rf"(?<![A-Za-z0-9]){re.escape(spelling)}(?![A-Za-z0-9])", text))


def screen(app: ConsoleApp) -> str:
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


async def until(pilot: Pilot[int], is_so: object) -> None:
    assert callable(is_so)
    for _glance in range(int(PATIENCE_S / GLANCE_S)):
        if is_so():
            return
        await pilot.pause(GLANCE_S)
    raise AssertionError


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no ptys")
async def test_cards_dealt_face_down_are_counted_and_their_names_are_nowhere(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    house, cursors, seen = House(tmp_path / "house"), CursorFile(tmp_path / "house" / "shoes.json"), []

    def factory() -> TableSession:
        session = open_tonight(house)
        for line in ("game red-dog-pool ante=5", "seat Anna 100", "seat Boris 100", "round"):
            assert session.submit(line).accepted
        return session

    with EmulatedPort(tmp_path / "shoe") as port:
        source = f"serial:{port.path},format=oslp,facedown=1"
        app = ConsoleApp(factory, sources=(source,), handled=cursors.handled)
        async with app.run_test(size=(120, 36)) as pilot:
            await until(pilot, lambda: any(lamp.state == "ok" for lamp in app.source_lamps()))
            app.table.play.panel = None
            for seq, name in enumerate(HANDS, 1):
                port.send(encode(f"CARD,7A3C,{seq:04X},{name},{seq}"))
                await pilot.pause(0.01)
                seen.append(screen(app))
            await until(pilot, lambda: app._handled >= len(HANDS))
            seen.append(screen(app))
            # the hands are out; now a card is turned, and that one is named
            await app.book("dealt")
            await app.book("bet Boris 5")
            port.send(encode(f"CARD,7A3C,{len(HANDS) + 1:04X},{TURNED},1"))
            await until(pilot, lambda: f"card {TURNED}" in [one.text for one in app.state.snapshot.log])  # type: ignore[union-attr]
            seen.append(screen(app))
            counted = app.source_states()[0].cards
    assert counted == len(HANDS) + 1
    places = {
        "screen": "\n".join(seen),
        "log": caplog.text,
        **{
            str(path.relative_to(tmp_path)): path.read_bytes().decode("utf-8", "replace")
            for path in (tmp_path / "house").rglob("*")
            if path.is_file()
        },
    }
    assert any(f"card {TURNED}" in text for text in places.values()), "the search finds a card that is named"
    for name in HANDS:
        for spelling in spellings(name):
            found = [place for place, text in places.items() if holds(text, spelling)]
            assert not found, (spelling, found)


def test_listen_counts_cards_of_such_a_shoe_and_names_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "shoe.hex"
    lines = [encode(f"CARD,7A3C,{seq:04X},{name},{seq}").hex() for seq, name in enumerate(HANDS, 1)]
    file.write_text("\n".join(lines), "ascii")
    for form in ([], ["--json"]):
        assert main(["listen", f"replay:{file},format=oslp,facedown=1,speed=0", *form]) == 0
        out = capsys.readouterr().out
        assert out.count("counted, not named") == len(HANDS)
        for name in HANDS:
            for spelling in spellings(name):
                assert not holds(out, spelling)
