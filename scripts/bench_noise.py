#!/usr/bin/env python3
"""How the formats stand noise: damaged frames, damaged lines of OSLP/1 by the million, and random bytes.

    scripts/bench_noise.py                         200 000 frames a cell, 10 million lines, 50 MB a format
    scripts/bench_noise.py --frames 20000 --lines 200000 --megabytes 2

A cell counts how often a damaged frame is accepted as a different card: what the table would book, where a
near-twin counts only when it was read twice (SHOE_PROTOCOL.md 5). In brackets what a trial counted
(SHOE_PROTOCOL.md 1), and for tags how many damaged frames were, byte for byte, another enrolled tag, which no
reader of such a format can tell from damage when it reads them once. The tags of `stxetx` are consecutive,
its worst case; those of `uidline` a real deck's (--deck). There is no allowance for chance: a cell over 1.2
times the trial's says MISSED.

Exit code 1: one wrong card of OSLP/1, a cell that says MISSED, a card made of random bytes, or more than 4
KiB kept.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from assistant.cards import FULL_DECK
from drivers.base import EventKind, SourceEvent
from drivers.codecs.angeleye import bcc
from drivers.codecs.formats import FORMATS
from drivers.codecs.oslp import OslpCodec, encode
from drivers.codecs.stxetx import checksum
from drivers.deckmap import DeckMap
from drivers.decks import Deck, read_tags
from drivers.naming import TagNamer

DAMAGES = ("1 bit", "2 bits", "3 bits", "4 bits", "1 byte", "3 bytes", "drop/insert")
TRIAL = {
    "oslp": (0, 0, 0, 0, 0, 0, 0),
    "stxetx": (0, 102, 0, 1, 0, 0, 0),
    "uidline": (86, 4, 0, 0, 8, 0, 0),
    "beetek": (2961, 72, 7, 0, 665, 0, 0),
    "angeleye": (0, 1186, 8, 78, 0, 2, 0),
}
"""Of 200 000 frames (SHOE_PROTOCOL.md 1)."""
FRAMES_OF_TRIAL = 200_000
MOST_KEPT = 4096
MOST_OF_TRIAL = 1.2
PIECE = 96
"""Random bytes come in pieces of so many, each with the time it has on the wire."""
CARDS = [str(card) for card in FULL_DECK]
SUIT_CODES = {"D": 1, "C": 2, "S": 3, "H": 4}


@dataclass(frozen=True)
class Subject:
    """A format under test: how a card is sent, and the deck that names its tags."""

    frame: Callable[[str], bytes]
    decks: DeckMap | None = None
    tags: tuple[str, ...] = ()

    @property
    def frames(self) -> list[tuple[str, bytes]]:
        """Every card with what is sent for it; a card of two stickers twice."""
        if self.decks is None:
            return [(card, self.frame(card)) for card in CARDS]
        known = ((tag, self.decks.find(tag)) for tag in self.tags)
        return [(found.card, self.frame(tag)) for tag, found in known if found]


def subjects(shared: Path | None) -> dict[str, Subject]:
    """The formats of the trial."""
    consecutive = {f"{0x62E3086C00 + at:010X}": card for at, card in enumerate(CARDS)}
    real = (
        read_tags(shared) if shared else {f"04{at * 37:04X}020A5481": card for at, card in enumerate(CARDS)}
    )
    return {
        "oslp": Subject(lambda card: encode(f"CARD,7A3C,0001,{card},10450")),
        "stxetx": Subject(
            lambda tag: b"\x02%s%02X\x03" % (tag.encode(), checksum(tag)),
            DeckMap([Deck("deck", consecutive)], (), "stxetx"),
            tuple(consecutive),
        ),
        "uidline": Subject(
            lambda tag: f"Card UID: {' '.join(_pairs(tag))}\r\n".encode(),
            DeckMap([Deck("deck", real)], (), "uidline"),
            tuple(real),
        ),
        "beetek": Subject(lambda card: f" [Game]<Card:{card}> ".encode()),
        "angeleye": Subject(_angel_eye),
    }


def _pairs(tag: str) -> list[str]:
    return [tag[at : at + 2] for at in range(0, len(tag), 2)]


def _angel_eye(card: str) -> bytes:
    code = SUIT_CODES[card[1]] << 4 | ("A23456789TJQK".index(card[0]) + 1)
    body = bytes((0x31, 0x44, 0x81, 0x80 | code, 0x03))
    return b"\x05" + body + bcc(body)


def damage(frame: bytes, kind: str, rng: random.Random) -> bytes:
    """Return the frame damaged."""
    data = bytearray(frame)
    count = int(kind[0]) if kind[0].isdigit() else 0
    if "bit" in kind:
        for bit in rng.sample(range(len(data) * 8), count):
            data[bit // 8] ^= 1 << bit % 8
    elif "byte" in kind:
        for at in rng.sample(range(len(data)), count):
            data[at] = rng.randrange(256)
    elif rng.random() < 0.5:
        del data[rng.randrange(len(data))]
    else:
        data.insert(rng.randrange(len(data) + 1), rng.randrange(256))
    return bytes(data)


def heard(name: str, data: bytes, decks: DeckMap | None, confirm: bool) -> set[str]:
    """The cards a fresh reader takes a frame for; without `confirm` near-twins are trusted at once."""
    codec = FORMATS[name].make("noise")
    events = codec.feed(data, 0.0) + codec.tick(1.0)
    if decks is not None:
        events = _named(events, decks, confirm)
    return {str(event.card) for event in events if event.event is EventKind.CARD}


def _named(events: list[SourceEvent], decks: DeckMap, confirm: bool) -> list[SourceEvent]:
    namer = TagNamer(decks, is_code=not confirm)
    return namer.name(events, 0.0) + namer.tick(1.0)


def cells(frames: int, shared: Path | None) -> bool:
    """Print the table of damaged frames; whether it is as good as the trial."""
    good = True
    print(f"accepted as a different card, of {frames} damaged frames (trial of {FRAMES_OF_TRIAL})")
    for name, subject in subjects(shared).items():
        row = []
        sent = subject.frames
        for column, kind in enumerate(DAMAGES):
            rng = random.Random(f"{name} {kind}")
            equal = wrong = 0
            for _ in range(frames):
                card, frame = rng.choice(sent)
                data = damage(frame, kind, rng)
                if heard(name, data, subject.decks, confirm=False) - {card}:
                    equal += 1
                    wrong += bool(heard(name, data, subject.decks, confirm=True) - {card})
            trial = TRIAL[name][column] * frames / FRAMES_OF_TRIAL
            is_good = wrong <= trial * MOST_OF_TRIAL
            good = good and is_good
            beside = f"trial {trial:.0f}" + (f", equal {equal}" if subject.decks else "")
            row.append(f"{kind} {wrong} ({beside})" + ("" if is_good else " MISSED"))
        print(f"  {name:9}" + "  ".join(row), flush=True)
    return good


def lines(count: int) -> bool:
    """Damage lines of OSLP/1 at random, three copies of each as one-way shoes send; whether none is another.

    Every fourth card has the next one's copies between its own, as if two had been drawn at once.
    """
    rng, cards, mended, wrong, sent, began = random.Random(20261128), 0, 0, 0, 0, time.perf_counter()
    start = encode("HELO,1,7A3C,S,1,RC") + encode("CARD,7A3C,0001,AS,10450")
    while sent < count:
        codec, truth, copies = OslpCodec("noise", replies=False), {1: "AS"}, []
        codec.feed(start, 0.0)
        for seq in range(2, 4 if rng.random() < 0.25 else 3):
            truth[seq] = CARDS[rng.randrange(52)]
            line = encode(f"CARD,7A3C,{seq:04X},{truth[seq]},{rng.randrange(100_000)}")
            copies += [(at * 0.03 + seq * 0.01, _worn(line, rng)) for at in range(3)]
        events = []
        for at_s, data in sorted(copies):
            events += codec.feed(data, at_s)
        events += codec.tick(0.6)
        mended += codec.counters.mended
        seen = [(event.seq, str(event.card)) for event in events if event.event is EventKind.CARD]
        cards += len(seen)
        wrong += any(truth.get(seq or 0) != card for seq, card in seen) or len(set(seen)) < len(seen)
        sent += len(copies)
    seconds = time.perf_counter() - began
    print(
        f"oslp: {sent:,} damaged lines, {cards:,} cards of them, {mended:,} put together from copies, "
        f"{wrong} wrong ({seconds:.0f} s)",
        flush=True,
    )
    return not wrong


def _worn(line: bytes, rng: random.Random) -> bytes:
    """A line with one to six bits or bytes wrong, often one missing or the rest cut off."""
    data = bytearray(line)
    for _ in range(rng.randrange(1, 7)):
        if rng.random() < 0.5:
            bit = rng.randrange(len(data) * 8)
            data[bit // 8] ^= 1 << bit % 8
        else:
            data[rng.randrange(len(data))] = rng.randrange(256)
    end = rng.random()
    if end < 0.2:
        del data[rng.randrange(len(data))]
    elif end < 0.4:
        del data[rng.randrange(len(data)) :]
    return bytes(data)


def random_bytes(megabytes: float) -> bool:
    """Feed random bytes at each format's speed; whether no card comes of them and little is kept.

    A bar code may be any printable line, so random bytes make unknown ones, which the table asks about.
    """
    good = True
    for name, format in FORMATS.items():
        codec, events, cards, most = format.make("noise"), 0, 0, 0
        seconds_a_piece = PIECE * 10 / format.baud
        for step in range(int(megabytes * 1_000_000 / PIECE) + 1):
            now_s = step * seconds_a_piece
            found = codec.feed(os.urandom(PIECE), now_s) + codec.tick(now_s)
            if found:
                events += sum(event.event not in (EventKind.FAULT, EventKind.STALE) for event in found)
                cards += sum(event.event in (EventKind.CARD, EventKind.UNSURE) for event in found)
            if step % 64 == 0:
                most = max(most, _kept(codec))
        is_good = most <= MOST_KEPT and not cards and not (events and name == "oslp")
        good = good and is_good
        kept = f"at most {most} bytes kept" + ("" if is_good else ": MISSED")
        print(f"{name:9}{megabytes:g} MB of random bytes: {cards} cards, {events} events, {kept}", flush=True)
    return good


def _kept(codec: object) -> int:
    """Bytes a codec keeps, also in the line buffer it holds."""
    parts = [codec, *(value for value in vars(codec).values() if hasattr(value, "__dict__"))]
    return sum(
        len(value) for part in parts for value in vars(part).values() if isinstance(value, bytes | bytearray)
    )


def main() -> int:
    """Measure and say whether the limits hold."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--frames", type=int, default=FRAMES_OF_TRIAL)
    parser.add_argument("--lines", type=int, default=10_000_000)
    parser.add_argument("--megabytes", type=float, default=50)
    parser.add_argument("--deck", type=Path, metavar="FILE", help="tags of a real deck, as CSV")
    options = parser.parse_args()
    results = [
        lines(options.lines),
        random_bytes(options.megabytes),
        cells(options.frames, options.deck),
    ]
    print("within the limits" if all(results) else "over a limit")
    return int(not all(results))


if __name__ == "__main__":
    sys.exit(main())
