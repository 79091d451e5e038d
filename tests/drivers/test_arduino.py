"""The sketch's oslp.h, compiled for the host, against the program's codec: equal bytes, nothing lost."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.base import EventKind, SourceEvent
from drivers.codecs.oslp import OslpCodec, encode

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C compiler")
WARNINGS = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function"]


class Board:
    """The compiled shoe; each command returns what it sent."""

    def __init__(self, program: Path) -> None:
        self._process = subprocess.Popen(
            [str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def __call__(self, command: str) -> bytes:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        return bytes.fromhex(self._process.stdout.readline())

    def close(self) -> None:
        for end in (self._process.stdin, self._process.stdout):
            assert end is not None
            end.close()
        self._process.wait()


@pytest.fixture(scope="module")
def program(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert COMPILER is not None
    made = tmp_path_factory.mktemp("arduino") / "shoe"
    header = repository / "scripts" / "arduino" / "tableside_shoe"
    source = repository / "tests" / "drivers" / "arduino_host.c"
    subprocess.run([COMPILER, *WARNINGS, f"-I{header}", str(source), "-o", str(made)], check=True)
    return made


@pytest.fixture
def board(program: Path) -> Iterator[Board]:
    made = Board(program)
    yield made
    made.close()


def test_its_lines_are_those_of_the_protocol_byte_for_byte(board: Board) -> None:
    """SHOE_PROTOCOL.md 4.3."""
    board("boot 7A3C ACUELS")
    assert board("tick") == b"$HELO,1,7A3C,SHOE-01,1.0.2,ACUELS*8963\r\n"
    said = []
    for at_ms, command in [
        (10450, "card AS"),
        (11892, "card TD"),
        (13377, "tag 0406B9020A5481 0"),
        (15020, "miss READ"),
        (15611, "back"),
        (20114, "lid 1"),
        (61240, "cut"),
        (75333, "empt"),
        (75400, "flt 7"),
    ]:
        board(f"t {at_ms}")
        said.append(board(command).decode("ascii").strip())
    assert said == [
        "$CARD,7A3C,0001,AS,10450*1294",
        "$CARD,7A3C,0002,TD,11892*9E94",
        "$TAG,7A3C,0003,0406B9020A5481,0,13377*EAAB",
        "$MISS,7A3C,0004,READ,15020*240A",
        "$BACK,7A3C,0005,15611*03C2",
        "$LID,7A3C,0006,1,20114*CBFC",
        "$CUT,7A3C,0007,61240*DB79",
        "$EMPT,7A3C,0008,75333*C097",
        "$FLT,7A3C,0009,7,75400*5243",
    ]


def test_the_longest_event_fits_a_line_and_keeps_its_check(board: Board) -> None:
    board("boot FFFF A")
    board("t 4294967295")
    line = board("tag 00112233445566778899 255")
    assert line == encode("TAG,FFFF,0001,00112233445566778899,255,4294967295")
    assert len(line) <= 64


def test_it_answers_ping_and_nak_and_ignores_what_is_damaged(board: Board) -> None:
    board("boot 7A3C AC")
    line = board("card AS")
    assert board(f"h {encode('NAK,7A3C,0001').hex()}") == line
    assert board(f"h {encode('PING').hex()}").startswith(b"$HELO,1,7A3C,")
    for wrong in (
        encode("NAK,7A3C,0001").replace(b"0001", b"0000"),
        encode("NAK,7A3D,0001"),
        encode("NAK,7A3C,0002"),
        encode("NAK,7A3C"),
        b"$NAK,7A3C,0001\n",
        b"$*\n",
        b"\n",
        b"x" * 100 + b"\n",
    ):
        assert board(f"h {wrong.hex()}") == b"", wrong
    assert board(f"h {encode('NAK,7A3C,0001').hex()}") == line


def test_what_is_not_acknowledged_is_sent_again_and_a_shoe_that_hears_nothing_sends_thrice(
    board: Board,
) -> None:
    board("boot 7A3C AC")
    line = board("card AS")
    at_ms = [ms for ms in range(0, 5000, 50) if line in (board(f"t {ms}"), board("tick"))[1]]
    assert at_ms == [250, 750, 1750, 3750]
    board(f"h {encode('ACK,7A3C,0001').hex()}")
    assert not any(line in (board(f"t {ms}"), board("tick"))[1] for ms in range(5000, 9000, 50))
    board("t 0")
    board("boot 7A3C RC")
    line = board("card AS")
    assert [ms for ms in range(0, 300, 10) if line in (board(f"t {ms}"), board("tick"))[1]] == [30, 60]


def noisy(rng: random.Random, data: bytes, rate: float) -> bytes:
    flipped = bytearray(data)
    for bit in range(len(flipped) * 8):
        if rng.random() < rate:
            flipped[bit // 8] ^= 1 << bit % 8
    return bytes(flipped)


@pytest.mark.parametrize("rate", [0.0, 1e-4, 1e-3])
def test_over_a_noisy_wire_every_card_arrives_once_and_in_order(board: Board, rate: float) -> None:
    rng, codec = random.Random(rate), OslpCodec("shoe")
    dealt = [rng.choice("A23456789TJQK") + rng.choice("SHDC") for _ in range(60)]
    events: list[SourceEvent] = []
    codec.opened(0.0)
    data = board("boot 7A3C AC") + board("tick")
    for step in range(1500):
        now_s = step * 0.02
        board(f"t {round(now_s * 1000)}")
        if step >= 60 and step % 20 == 0 and (step - 60) // 20 < len(dealt):
            data += board(f"card {dealt[(step - 60) // 20]}")
        data += board("tick")
        events += codec.feed(noisy(rng, data, rate), now_s) + codec.tick(now_s)
        asked = noisy(rng, codec.outbox(), rate)
        data = board(f"h {asked.hex()}") if asked else b""
    cards = [(event.seq or 0, str(event.card)) for event in events if event.event is EventKind.CARD]
    missing = sum(event.count or 0 for event in events if event.event is EventKind.GAP)
    assert [seq for seq, _ in cards] == sorted({seq for seq, _ in cards})
    assert all(dealt[seq - 1] == card for seq, card in cards)
    assert len(cards) + missing == 60
    assert missing == 0 or rate == 1e-3
