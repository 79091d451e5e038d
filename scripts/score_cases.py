"""The cases a card table brings, on drawn decks that training never saw: nothing in these may be wrong.

    python scripts/score_cases.py FOLDER                      with camera_sequences.json, and drawn decks
    python scripts/score_cases.py --decks 6 --fonts FOLDER    drawn decks only, in these fonts

Every six and nine both ways up; every suit in five lights; every card at five places of the frame; every card
from large down to the smallest that is named. Half the decks are shown to the reader before. The sequences
are readings frame by frame, with the cards that must come of them. Needs what render_cards.py needs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from assistant.cards import parse_card
from calibration.recogniser import CardRepeated, CardSighted, Reading, Recogniser, SeenCard, Tracker
from deal_rendered import fonts_in, profile_of, strange_table, upper_bound
from render_cards import RANKS, SUITS, DeckPainter, Face, Pixels
from render_scenes import lay_card, photograph

WIDTH_PX, HEIGHT_PX = 1280, 720
LIGHTS = {
    "daylight": (1.0, 1.0, 1.0),
    "cold": (1.0, 0.9, 0.75),
    "bulb": (0.62, 0.85, 1.0),
    "candle": (0.42, 0.72, 1.0),
    "dim bulb": (0.31, 0.42, 0.5),
}
"""Gains of blue, green and red."""
PLACES = ((190, 160), (1090, 160), (640, 360), (190, 560), (1090, 560))
SIZES_PX = (300, 200, 140, 110, 100, 90, 80, 72, 66)
USUAL_PX = 190

Deck = dict[str, Face]
Case = tuple[str, list[str], list[tuple[float, float]], float, float, tuple[float, float, float]]
"""What it is, names, middles, turn in degrees, height in pixels, light."""


def table(rng: np.random.Generator, deck: Deck, case: Case) -> Pixels:
    """A photograph of cards at given places."""
    _, names, spots, degrees, height, light = case
    canvas = strange_table(rng, WIDTH_PX, HEIGHT_PX)
    for name, spot in zip(names, spots, strict=True):
        face = deck[name]
        half = np.array([face.pixels.shape[1] / face.pixels.shape[0], 1.0]) * height / 2
        angle = np.radians(degrees + rng.normal(0, 6))
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        lay_card(canvas, face, (box @ turn.T + spot).astype(np.float32), rng)
    return photograph(rng, canvas * np.array(light, np.float32), hardness=0.15)


def spread(count: int, height: float) -> list[tuple[float, float]]:
    """Middles of so many cards in rows."""
    columns = max(2, int(WIDTH_PX / (height * 1.05)))
    return [
        ((n % columns + 0.5) * WIDTH_PX / columns, height * 0.7 + (n // columns) * height * 1.25)
        for n in range(count)
    ]


def by_tables(names: Sequence[str], height: float) -> Iterator[list[str]]:
    """Names in as many cards as a table of that size holds."""
    columns, rows = max(2, int(WIDTH_PX / (height * 1.05))), max(1, int((HEIGHT_PX - 20) / (height * 1.25)))
    a_table = min(12, columns * rows)
    for start in range(0, len(names), a_table):
        yield list(names[start : start + a_table])


def half_turns(names: Sequence[str]) -> Iterator[Case]:
    """Sixes and nines upright and upside down."""
    sixes_and_nines = [name for name in names if name[0] in "69"]
    for degrees in (0, 90, 180, 270):
        for some in by_tables(sixes_and_nines, USUAL_PX):
            white = LIGHTS["daylight"]
            yield f"6 and 9 turned {degrees}", some, spread(len(some), USUAL_PX), degrees, USUAL_PX, white


def lights(names: Sequence[str]) -> Iterator[Case]:
    """Four ranks of every suit in each light."""
    chosen = [name for name in names if name[0] in "2A8K"]
    for title, light in LIGHTS.items():
        for some in by_tables(chosen, USUAL_PX):
            yield f"suits in {title}", some, spread(len(some), USUAL_PX), 0, USUAL_PX, light


def places(names: Sequence[str]) -> Iterator[Case]:
    """Every card at each of five places, five cards a picture."""
    for first in range(len(names)):
        some = [names[(first + 10 * k) % len(names)] for k in range(len(PLACES))]
        spots = [(float(x), float(y)) for x, y in PLACES]
        yield "at five places", some, spots, 15 * (first % 5), USUAL_PX, LIGHTS["daylight"]


def sizes(names: Sequence[str]) -> Iterator[Case]:
    """Every card at each size."""
    for height in SIZES_PX:
        for some in by_tables(names, height):
            yield f"{height} px high", some, spread(len(some), height), 0, height, LIGHTS["daylight"]


CASES: tuple[Callable[[Sequence[str]], Iterator[Case]], ...] = (half_turns, lights, places, sizes)


def score_sequences(file: Path) -> None:
    """Readings frame by frame as they were recorded: which cards come of them, and which must."""
    crop = np.zeros((4, 4, 3), np.uint8)
    spot = ((100.0, 100.0), (170.0, 100.0), (170.0, 200.0), (100.0, 200.0))
    cases = json.loads(file.read_text(encoding="utf-8"))
    as_wanted = 0
    for case in cases:
        tracker, number, events, notices = Tracker(decks=case["decks"]), 0, [], 0
        for name, frames in case["runs"]:
            card = None if name is None else parse_card(name)
            cards = () if card is None else (SeenCard(card, 0.99, ((card, 0.99),), spot, crop),)
            for _ in range(frames):
                said = tracker.add(number / case["fps"], Reading(cards, ()))
                events += [str(one.card) for one in said if isinstance(one, CardSighted)]
                notices += sum(isinstance(one, CardRepeated) for one in said)
                number += 1
        wanted = [str(parse_card(name)) for name in case["expected_events"]]
        if events == wanted and notices == case["expected_notices"]:
            as_wanted += 1
        else:
            print(f"{case['id']}: {' '.join(events)} and {notices} notices, wanted {' '.join(wanted)}")
    print(
        f"{file.name}: {as_wanted} of {len(cases)} sequences give exactly the cards they must\n", flush=True
    )


def print_counts(counts: dict[tuple[str, str], Counter[str]]) -> None:
    """A line a kind of case, and the bound."""
    print(f"\n{'':<24}{'deck':<12}{'cards':>7}{'right':>7}{'asked':>7}{'wrong':>7}{'right':>9}")
    for (title, manner), count in counts.items():
        share = count["right"] / count["cards"]
        print(
            f"{title:<24}{manner:<12}{count['cards']:>7}{count['right']:>7}{count['asked']:>7}"
            f"{count['wrong']:>7}{share:>9.1%}"
        )
    wrong, named = (sum(count[key] for count in counts.values()) for key in ("wrong", "right"))
    bound = 1 / upper_bound(wrong, wrong + named)
    print(f"\n{wrong} wrong of {wrong + named} named: at most 1 in {bound:,.0f}", flush=True)


def main() -> None:
    """Print a table a kind of case."""
    parser = argparse.ArgumentParser(description="Score the reader on the cases a card table brings.")
    parser.add_argument("folder", type=Path, nargs="?", help="folder with camera_sequences.json")
    parser.add_argument("--decks", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fonts", type=Path, help="folder of fonts that training never saw")
    arguments = parser.parse_args()
    if arguments.folder:
        score_sequences(arguments.folder / "camera_sequences.json")
    cv2.setNumThreads(1)
    fonts = fonts_in(arguments.fonts) if arguments.fonts else ()
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for number in range(arguments.decks):
        painter = DeckPainter(70_000_000 + 1000 * arguments.seed + number, held_out=True, fonts=fonts)
        deck = {rank + suit: painter.draw(rank, suit) for suit in SUITS for rank in RANKS}
        rng = np.random.default_rng([arguments.seed, number, 4])
        is_shown = number % 2 == 1
        reader = Recogniser(deck=profile_of(rng, deck) if is_shown else None)
        for cases in CASES:
            for case in cases(list(deck)):
                reading = reader.read(table(rng, deck, case))
                truth, said = Counter(case[1]), Counter(str(seen.card) for seen in reading.cards)
                count = counts[(case[0], "shown" if is_shown else "not shown")]
                count["cards"] += truth.total()
                count["right"] += (truth & said).total()
                count["asked"] += min(len(reading.unsure), (truth - said).total())
                count["wrong"] += (said - truth).total()
                if said - truth:
                    print(f"wrong: deck {number}, {case[0]}: {' '.join(said - truth)} of {' '.join(truth)}")
        print(f"\n{number + 1} of {arguments.decks} decks")
        print_counts(counts)


if __name__ == "__main__":
    main()
