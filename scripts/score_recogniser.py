"""Prints how well the reader reads: photographs per deck and tag, videos, drawn pictures. Never one average.

    python scripts/score_recogniser.py FOLDER              with labels.csv, negatives.csv, video_events.json
    python scripts/score_recogniser.py --rendered 200      pictures drawn with fonts that training never saw
    python scripts/score_recogniser.py --rendered 200 --decks FOLDER    with other people's decks

The photographs are for measuring only: nothing here trains or chooses a threshold on them.
--rendered needs what render_cards.py needs.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from calibration.frames import Image
from calibration.pixels import load_picture
from calibration.recogniser import CardSighted, Reading, Recogniser
from calibration.recogniser.watch import sightings
from calibration.video import video_frames

APART = frozenset({"odd_deck", "non_english_index", "black_faced"})
"""Decks in which unsure is a right answer."""
HIDES = frozenset({"overlap", "fan", "partially_hidden", "edge_cut", "hand_held", "hand_in_frame"})
"""Tags of pictures in which something may lie over a card: the target of 85 % is of the others."""
FREE, OVER = "unobstructed", "overlap or fan"
PICTURES_A_DECK = 4


@dataclass
class Score:
    """Counts of cards; `wrong` are commits of a card that isn't in the picture."""

    pictures: int = 0
    cards: int = 0
    right: int = 0
    unsure: int = 0
    wrong: int = 0
    missed: int = 0
    wrong_files: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, name: str, truth: Counter[str], reading: Reading, extra_is_fine: bool) -> None:
        """Compare multisets of one picture."""
        said = Counter(str(seen.card) for seen in reading.cards)
        right = sum((truth & said).values())
        wrong = 0 if extra_is_fine else sum((said - truth).values())
        rest = sum(truth.values()) - right
        unsure = min(rest, len(reading.unsure))
        self.pictures += 1
        self.cards += sum(truth.values())
        self.right += right
        self.wrong += wrong
        self.unsure += unsure
        self.missed += rest - unsure
        self.reasons.update(seen.reason for seen in reading.unsure)
        if wrong:
            self.wrong_files.append(
                f"{name}: said {' '.join((said - truth).elements())}, lies there {' '.join(truth.elements())}"
            )

    def row(self, title: str) -> str:
        """One line of the table."""
        share = 100 * self.right / self.cards if self.cards else 0.0
        counts = (self.pictures, self.cards, self.right, self.unsure, self.wrong, self.missed)
        return f"{title:<26}" + "".join(f"{count:>9}" for count in counts) + f"{share:>8.1f}%"


HEAD = f"{'':<26}{'pictures':>9}{'cards':>9}{'right':>9}{'unsure':>9}{'wrong':>9}{'missed':>9}{'right':>9}"


def print_table(title: str, scores: dict[str, Score]) -> None:
    """Print scores under a title."""
    print(f"\n{title}\n{HEAD}")
    for name in sorted(scores):
        print(scores[name].row(name))


def score_photographs(folder: Path, recogniser: Recogniser) -> None:
    """Decks, tags, negatives and videos of a folder of real pictures."""
    decks: dict[str, Score] = defaultdict(Score)
    odd: dict[str, Score] = defaultdict(Score)
    tags: dict[str, Score] = defaultdict(Score)
    target: dict[str, Score] = defaultdict(Score)
    free_decks: dict[str, Score] = defaultdict(Score)
    free_tags: dict[str, Score] = defaultdict(Score)
    times: list[float] = []
    said: list[tuple[float, bool]] = []
    with (folder / "labels.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            image = load_picture(folder / "images" / row["file"])
            start = time.perf_counter()
            reading = recogniser.read(image)
            times.append(time.perf_counter() - start)
            truth, named = Counter(row["cards"].split()), set(row["tags"].split())
            extra = "partial_unlabelled" in named
            apart = bool(named & APART)
            if not extra:
                said += [(seen.confidence, str(seen.card) in truth) for seen in reading.cards]
            (odd if apart else decks)[row["deck_id"]].add(row["file"], truth, reading, extra)
            if apart:
                continue
            for tag in named:
                tags[tag].add(row["file"], truth, reading, extra)
            if named & {"overlap", "fan"}:
                target[OVER].add(row["file"], truth, reading, extra)
            if not named & HIDES:
                target[FREE].add(row["file"], truth, reading, extra)
                free_decks[row["deck_id"]].add(row["file"], truth, reading, extra)
                for tag in named:
                    free_tags[tag].add(row["file"], truth, reading, extra)
    print_table("The targets, without odd decks: 85 % unobstructed, 60 % of overlapped ones", target)
    print_table("Unobstructed, per deck", free_decks)
    print_table("Unobstructed, per tag", free_tags)
    print_table("Decks", decks)
    print_table("Odd decks (unsure is a right answer)", odd)
    print_table("Tags, without odd decks", tags)
    print("\nWhy cards are asked about")
    for name, score in sorted((decks | odd).items()):
        if score.reasons:
            print(f"{name:<26}" + ", ".join(f"{reason} {n}" for reason, n in score.reasons.most_common(5)))
    print("\nWrong commits")
    wrong = [line for score in (*decks.values(), *odd.values()) for line in score.wrong_files]
    print("\n".join("  " + line for line in wrong) or "  none")
    print("\nOf the cards said with a confidence, so many are right")
    print_reliability(said)
    median, most = 1000 * np.percentile(times, [50, 95])
    print(f"\nmedian {median:.0f} ms a picture, 95 % within {most:.0f} ms")
    score_negatives(folder, recogniser)
    if (folder / "video_events.json").exists():
        score_videos(folder, recogniser)


def score_negatives(folder: Path, recogniser: Recogniser) -> None:
    """Pictures without a face-up card: anything said is wrong, a question is a nuisance."""
    with (folder / "negatives.csv").open(newline="", encoding="utf-8") as file:
        files = [row["file"] for row in csv.DictReader(file)]
    said = asked = 0
    for name in files:
        reading = recogniser.read(load_picture(folder / "negatives" / name))
        said, asked = said + len(reading.cards), asked + len(reading.unsure)
        if reading.cards:
            print(f"  {name}: said {' '.join(str(seen.card) for seen in reading.cards)}")
    print(f"\nNegatives: {len(files)} pictures, {said} cards said, {asked} asked about")


def score_videos(folder: Path, recogniser: Recogniser) -> None:
    """Videos with known events, and what the others give."""
    wanted = json.loads((folder / "video_events.json").read_text(encoding="utf-8"))
    for path in sorted((folder / "videos").glob("*.mp4")):
        events = []
        for frame, certain in sightings(video_frames(path), recogniser):
            events += [(str(one.card), frame.number) for one in certain if isinstance(one, CardSighted)]
        print(f"\n{path.name}: {' '.join(f'{card}@{number}' for card, number in events) or 'no card'}")
        if path.name in wanted:
            due = wanted[path.name]["events"]
            print("  wanted: " + " ".join(f"{e['card']}@{e['from']}-{e['to']}" for e in due))
            as_wanted = len(events) == len(due) and all(
                card == e["card"] and e["from"] <= number <= e["to"]
                for (card, number), e in zip(events, due, strict=True)
            )
            print(f"  {'exactly these, in order' if as_wanted else 'NOT these'}")


def rendered_pictures(count: int, seed: int, decks: Path | None) -> Iterator[tuple[str, Image, Counter[str]]]:
    """Scenes of decks that training never saw, with their kind, picture and cards."""
    from render_cards import DeckPainter, Face, load_deck
    from render_scenes import draw_scene

    folders = sorted(path for path in decks.iterdir() if path.is_dir()) if decks else []
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        deck: list[Face]
        if folders:
            folder = folders[number // 2 % len(folders)]
            deck, looks = load_deck(folder), folder.name
        else:
            painter = DeckPainter(10_000_000 + seed * 1000 + number // PICTURES_A_DECK, held_out=True)
            deck = painter.deck()
            looks = "foreign" if painter.letters["J"] != "J" else "jumbo" if painter.jumbo else "plain"
        hard = number % 2 == 1
        faces = [deck[int(n)] for n in rng.permutation(len(deck))[: int(rng.integers(1, 6))]]
        sizes = (80, 300) if hard else (110, 300)
        image, placed = draw_scene(rng, faces, hardness=1.0 if hard else 0.35, card_height_px=sizes)
        truth = Counter(p.face.name for p in placed if p.face.name)
        yield f"{looks}, {'hard' if hard else 'good light'}", image, truth


def score_rendered(count: int, seed: int, decks: Path | None, recogniser: Recogniser) -> None:
    """Score drawn pictures and show how reliable a stated confidence is."""
    scores: dict[str, Score] = defaultdict(Score)
    said: list[tuple[float, bool]] = []
    reasons: Counter[str] = Counter()
    start = time.perf_counter()
    for number, (kind, image, truth) in enumerate(rendered_pictures(count, seed, decks)):
        reading = recogniser.read(image)
        scores[kind].add(f"{seed}/{number}", truth, reading, False)
        said += [(seen.confidence, str(seen.card) in truth) for seen in reading.cards]
        reasons.update(seen.reason for seen in reading.unsure)
    print_table(f"Drawn, decks never trained on ({time.perf_counter() - start:.0f} s)", scores)
    for score in scores.values():
        for line in score.wrong_files:
            print("  " + line)
    print("reasons for being unsure: " + ", ".join(f"{reason} {n}" for reason, n in reasons.most_common()))
    print_reliability(said)


def print_reliability(said: Iterable[tuple[float, bool]]) -> None:
    """Of the cards said with a confidence, how many are right."""
    bands: dict[str, list[bool]] = defaultdict(list)
    for confidence, right in said:
        low = next(low for low in (0.999, 0.99, 0.98, 0.95, 0.9, 0.0) if confidence >= low)
        bands[f"from {low}"].append(right)
    for title in sorted(bands, reverse=True):
        print(f"confidence {title:<11} {len(bands[title]):>6} said {sum(bands[title]):>6} right")


def main() -> None:
    """Score a folder or drawn pictures."""
    parser = argparse.ArgumentParser(description="Measure the card reader.")
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--rendered", type=int, default=0, metavar="N", help="draw N pictures and score them")
    parser.add_argument("--decks", type=Path, help="draw with these decks: folders of QH.png and so on")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    recogniser = Recogniser()
    if arguments.rendered:
        score_rendered(arguments.rendered, arguments.seed, arguments.decks, recogniser)
    if arguments.folder:
        score_photographs(arguments.folder, recogniser)


if __name__ == "__main__":
    main()
