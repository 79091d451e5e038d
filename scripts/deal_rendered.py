"""Deals drawn cards by the ten thousand to the reader: how often does it say a card that isn't there?

    python scripts/deal_rendered.py --cards 30000 --fonts FOLDER --decks FOLDER

Decks are drawn with the fonts of a folder that training never saw (Debian fonts-* not listed in
calibration/weights/README.md, unpacked beside the system), or are other people's (scripts/unpack_decks.py),
on tables that training never drew. Every second deck is shown to the reader first, two looks a card. Prints
as it goes and at the end: what was said, what was wrong, and the upper bound of wrong commits that this
proves (95 %).
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from assistant.cards import parse_card
from calibration.deck import CardLook, DeckProfile
from calibration.recogniser import Reading, Recogniser
from calibration.recogniser.rectify import rectify
from render_cards import RANKS, SUITS, DeckPainter, Face, Pixels, has_glyphs, load_deck
from render_scenes import Canvas, draw_scene, lay_card, photograph

WIDTH_PX, HEIGHT_PX = 960, 540
CARD_HEIGHTS_PX = (75, 230)
CARDS_A_TABLE = 6
CARDS_A_DECK = 312
LOOK_HEIGHTS_PX = (170, 260)
REPORT_S = 120.0
FAMILY_FACES = 3
CONFIDENCES = (0.9999, 0.999, 0.99, 0.98, 0.95, 0.9, 0.0)


@dataclass
class Tally:
    """Counts of cards of one kind of deck."""

    dealt: int = 0
    right: int = 0
    unsure: int = 0
    wrong: int = 0
    missed: int = 0
    unsafe: int = 0
    mistakes: list[str] = field(default_factory=list)

    def add(self, truth: Counter[str], reading: Reading, where: str) -> None:
        """Compare one table."""
        said = Counter(str(seen.card) for seen in reading.cards)
        right = sum((truth & said).values())
        rest = sum(truth.values()) - right
        unsure = min(rest, len(reading.unsure))
        self.dealt += sum(truth.values())
        self.right += right
        self.wrong += sum((said - truth).values())
        self.unsure += unsure
        self.missed += rest - unsure
        if said - truth:
            self.mistakes.append(f"{where}: said {' '.join((said - truth).elements())} of {' '.join(truth)}")


def upper_bound(wrong: int, said: int) -> float:
    """The share of wrong commits that is not exceeded with 95 % certainty (Clopper and Pearson 1934).

    With none wrong this is the rule of three: 3 / said.
    """
    if said == 0:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        below = sum(
            math.exp(
                math.lgamma(said + 1)
                - math.lgamma(k + 1)
                - math.lgamma(said - k + 1)
                + k * math.log(middle)
                + (said - k) * math.log1p(-middle)
            )
            for k in range(wrong + 1)
        )
        low, high = (middle, high) if below > 0.05 else (low, middle)
    return high


def strange_table(rng: np.random.Generator, width: int, height: int) -> Canvas:
    """A table top of a kind that no lesson shows: tiles, marble, printed felt, brocade, gravel."""
    kind = str(rng.choice(["tiles", "marble", "printed", "brocade", "gravel"]))
    base = rng.uniform(15, 190) + rng.uniform(-25, 25, 3)
    canvas = np.empty((height, width, 3), np.float32)
    canvas[:] = base
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    if kind == "tiles":
        side = rng.uniform(40, 160)
        on = (np.floor(x / side) + np.floor(y / side)) % 2
        canvas += on[..., None] * rng.uniform(-50, 50, 3).astype(np.float32)
        canvas[((x % side) < 3) | ((y % side) < 3)] = rng.uniform(60, 200)
    elif kind == "marble":
        warp = cv2.resize(rng.normal(0, 1, (7, 11)).astype(np.float32), (width, height)) * 60
        veins = np.abs(np.sin((x * 0.7 + y + warp) / rng.uniform(25, 70))) ** 12
        canvas += veins[..., None] * rng.uniform(-70, 70)
    elif kind == "printed":
        ink = rng.uniform(90, 230, 3).tolist()
        for n in range(int(rng.integers(2, 6))):
            centre = (int(width / 2), int(height * rng.uniform(0.7, 1.2)))
            axes = (int(width * (0.2 + 0.12 * n)), int(height * (0.2 + 0.12 * n)))
            cv2.ellipse(canvas, centre, axes, 0, 180, 360, ink, int(rng.integers(1, 5)), cv2.LINE_AA)
            corner = (int(rng.integers(0, width - 120)), int(rng.integers(0, height - 160)))
            cv2.rectangle(canvas, corner, (corner[0] + 100, corner[1] + 140), ink, 2, cv2.LINE_AA)
    elif kind == "brocade":
        period = rng.uniform(20, 70)
        petals = np.sin(x / period * 6.28) * np.cos(y / period * 6.28) + np.sin((x - y) / period * 3.14)
        canvas += (petals > 0.6)[..., None] * rng.uniform(-60, 60, 3).astype(np.float32)
    else:
        stones = cv2.resize(rng.normal(0, 1, (height // 5, width // 5)).astype(np.float32), (width, height))
        canvas += stones[..., None] * rng.uniform(8, 30)
    return np.asarray(np.clip(canvas, 0, 255), np.float32)


def fonts_in(folder: Path) -> tuple[Path, ...]:
    """Usable fonts, a few of each family."""
    families: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.rglob("*.[to]tf")):
        if has_glyphs(path):
            families[path.stem.split("-")[0].lower()[:7]].append(path)
    return tuple(path for paths in families.values() for path in paths[:FAMILY_FACES])


def look_at(rng: np.random.Generator, face: Face) -> Pixels:
    """A card held before the camera for calibration, straightened."""
    height = float(rng.uniform(*LOOK_HEIGHTS_PX))
    width = height * face.pixels.shape[1] / face.pixels.shape[0]
    half = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    angle = rng.normal(0, 0.2) + (np.pi if rng.random() < 0.5 else 0)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    quad = (half @ turn.T).astype(np.float32)
    quad += 20 - quad.min(axis=0)
    size = quad.max(axis=0) + 20
    canvas = strange_table(rng, int(size[0]), int(size[1]))
    lay_card(canvas, face, quad, rng)
    picture = photograph(rng, canvas, hardness=0.35)
    found = quad + rng.normal(0, 0.004, (4, 2)) * width
    return rectify(picture, found.astype(np.float32)).image


def profile_of(rng: np.random.Generator, deck: dict[str, Face]) -> DeckProfile:
    """A deck shown card by card, two looks each."""
    looks = [CardLook(parse_card(name), look_at(rng, face)) for name, face in deck.items() for _ in range(2)]
    return DeckProfile("drawn", tuple(looks), tuple(parse_card(name) for name in deck))


def decks(
    seed: int, fonts: tuple[Path, ...], folders: list[Path]
) -> Iterator[tuple[str, dict[str, Face], int]]:
    """Endlessly: kind, cards by name, number. Every second one, if there are any, is other people's."""
    number = 0
    while True:
        if folders and number % 4 >= 2:
            folder = folders[number // 4 % len(folders)]
            faces = {face.rank + face.suit: face for face in load_deck(folder)}
            yield folder.name, faces, number
        else:
            painter = DeckPainter(
                50_000_000 + seed * 100_000 + number, held_out=True, fonts=fonts, varied=number % 8 >= 4
            )
            yield "drawn", {rank + suit: painter.draw(rank, suit) for suit in SUITS for rank in RANKS}, number
        number += 1


def deal(
    deck: dict[str, Face], rng: np.random.Generator, reader: Recogniser, tally: Tally, where: str
) -> list[tuple[float, bool]]:
    """Deal one deck's cards on table after table; returns the confidence of each said, and if right."""
    said: list[tuple[float, bool]] = []
    names = list(deck)
    placed_cards = tables = 0
    while placed_cards < CARDS_A_DECK and tables < CARDS_A_DECK:
        chosen = [names[int(n)] for n in rng.permutation(len(names))[:CARDS_A_TABLE]]
        hardness = 0.35 if tables % 2 == 0 else 1.0
        faces = [deck[name] for name in chosen]
        of_face = {id(face): name for name, face in zip(chosen, faces, strict=True)}
        picture, placed = draw_scene(
            rng,
            faces,
            WIDTH_PX,
            HEIGHT_PX,
            hardness,
            CARD_HEIGHTS_PX,
            table=strange_table,
            varied=tables % 4 == 3,
        )
        truth = Counter(of_face[id(place.face)] for place in placed)
        reading = reader.read(picture)
        tally.add(truth, reading, f"{where} table {tables}")
        said += [(seen.confidence, str(seen.card) in truth) for seen in reading.cards]
        placed_cards += len(placed)
        tables += 1
    return said


def report(tallies: dict[str, Tally], said: list[tuple[float, bool]], start_s: float) -> None:
    """Print what is known so far."""
    print(f"\nafter {(time.monotonic() - start_s) / 60:.0f} minutes")
    print(f"{'':<34}{'dealt':>8}{'right':>8}{'unsure':>8}{'wrong':>7}{'missed':>8}   at most wrong (95 %)")
    for name, one in sorted(tallies.items()):
        bound = upper_bound(one.wrong, one.right + one.wrong)
        print(
            f"{name:<34}{one.dealt:>8}{one.right:>8}{one.unsure:>8}{one.wrong:>7}{one.missed:>8}"
            f"   1 in {1 / bound:,.0f}"
        )
    bands: dict[float, list[bool]] = defaultdict(list)
    for confidence, right in said:
        bands[next(low for low in CONFIDENCES if confidence >= low)].append(right)
    for low in CONFIDENCES:
        if bands[low]:
            share = sum(bands[low]) / len(bands[low])
            print(f"confidence from {low:<7} {len(bands[low]):>7} said {share:>9.4%} right")
    for one in tallies.values():
        for mistake in one.mistakes:
            print("  wrong: " + mistake)
    print(flush=True)


def main() -> None:
    """Deal until enough cards were dealt."""
    parser = argparse.ArgumentParser(description="Deal drawn cards to the reader by the ten thousand.")
    parser.add_argument("--cards", type=int, default=30_000)
    parser.add_argument("--minutes", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fonts", type=Path, help="folder of fonts that training never saw")
    parser.add_argument("--decks", type=Path, help="folder of decks that are other people's")
    parser.add_argument("--only", choices=("shown", "not-shown"), help="deal one half of the decks only")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = fonts_in(arguments.fonts) if arguments.fonts else ()
    folders = sorted(path for path in arguments.decks.iterdir() if path.is_dir()) if arguments.decks else []
    print(f"{len(fonts) or 'the held out'} fonts, {len(folders)} decks of other people")
    tallies: dict[str, Tally] = defaultdict(Tally)
    said: list[tuple[float, bool]] = []
    start_s = told_s = time.monotonic()
    for kind, deck, number in decks(arguments.seed, fonts, folders):
        rng = np.random.default_rng([arguments.seed, number, 9])
        is_shown = number % 2 == 1
        if arguments.only and is_shown != (arguments.only == "shown"):
            continue
        profile = profile_of(rng, deck) if is_shown else None
        reader = Recogniser(deck=profile)
        manner = "shown" if is_shown else "not shown"
        group = f"{'drawn' if kind == 'drawn' else 'of others'}, {manner}"
        said += deal(deck, rng, reader, tallies[group], f"{kind} {number} ({manner})")
        if profile is not None:
            unsafe = [one for one in reader.deck_verdicts(profile) if not one.is_named]
            tallies[group].unsafe += len(unsafe)
            if unsafe:
                names = " ".join(f"{one.card}:{one.safety.value}" for one in unsafe[:12])
                print(
                    f"{kind} {number}: {len(unsafe)} cards said to be unsafe when shown: {names}", flush=True
                )
        dealt = sum(one.dealt for one in tallies.values())
        if time.monotonic() - told_s > REPORT_S:
            told_s = time.monotonic()
            report(tallies, said, start_s)
        if dealt >= arguments.cards or time.monotonic() - start_s > 60 * arguments.minutes:
            break
    report(tallies, said, start_s)


if __name__ == "__main__":
    main()
