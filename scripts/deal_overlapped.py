"""Cards that lie on each other, drawn with their truth: what the reader finds, asks about and names.

    python scripts/deal_overlapped.py --tables 300 --fonts FOLDER [--seed 1] [--only fan row]

Fans, rows, columns, cards across each other and heaps (`render_scenes.ARRANGEMENTS`), decks in fonts that
training never saw, on tables it never drew. A card's index shows when neither the edge nor another card hides
any of one of its index boxes. The numbers of `heaps.py`, `overlapped.py`, `layers.py` and
`gather.py` come from seed 1; report others.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from calibration.recogniser import Reading, Recogniser, SeenCard
from deal_rendered import fonts_in, strange_table, upper_bound
from render_cards import RANKS, SUITS, DeckPainter
from render_scenes import ARRANGEMENTS, SHOWS_SHARE, Placed, draw_overlapped, draw_table, index_shares

WIDTH_PX, HEIGHT_PX = 1280, 720
CARD_HEIGHTS_PX = (110, 300)
SAME_CORNER = 0.13
"""An outline is of a card when a corner of it that shows an index is nearer than this part of a long side."""
WHOLE = 0.12
"""And its outline is right when all four are."""

Quad = npt.NDArray[np.float32]


def showing(placed: Sequence[Placed], shape: tuple[int, int]) -> list[tuple[bool, bool]]:
    """For each card whether its first and its opposite index show."""
    return [(one >= SHOWS_SHARE, other >= SHOWS_SHARE) for one, other in index_shares(placed, shape)]


def owner_of(seen: SeenCard, placed: Sequence[Placed], shows: Sequence[tuple[bool, bool]]) -> int:
    """Which card an outline is of; -1: of none."""
    outline = np.array(seen.outline, np.float32)
    best, nearest = -1, SAME_CORNER
    for number, (place, (first, other)) in enumerate(zip(placed, shows, strict=True)):
        for turned in (outline, np.roll(outline, 2, axis=0)):
            apart = np.linalg.norm(turned - place.quad, axis=1) / long_side(place.quad)
            near = [apart[n] for n, shown in ((0, first), (2, other)) if shown] or [apart.max()]
            if min(near) < nearest and _turn_between(turned, place.quad) < 0.4:
                best, nearest = number, float(min(near))
    return best


def _turn_between(one: Quad, other: Quad) -> float:
    """Between two outlines' middle lines from top to bottom, in radians."""
    u, v = (quad[2] + quad[3] - quad[0] - quad[1] for quad in (one, other))
    return float(np.arccos(np.clip(u @ v / (np.linalg.norm(u) * np.linalg.norm(v)), -1, 1)))


def long_side(quad: Quad) -> float:
    """Mean of the two long sides, in pixels."""
    return float(np.linalg.norm(quad[[1, 0]] - quad[[2, 3]], axis=1).mean())


def is_whole(seen: SeenCard, quad: Quad) -> bool:
    """Whether all four corners of an outline are right."""
    outline = np.array(seen.outline, np.float32)
    return any(
        np.linalg.norm(turned - quad, axis=1).max() < WHOLE * long_side(quad)
        for turned in (outline, np.roll(outline, 2, axis=0))
    )


def judged(placed: Sequence[Placed], reading: Reading, shape: tuple[int, int]) -> dict[str, Counter[str]]:
    """Counts of one table by kind of card: ``on top``, ``index shows``, ``index hidden``; and of ``all``."""
    shows = showing(placed, shape)
    owners: dict[int, list[SeenCard]] = defaultdict(list)
    for seen in (*reading.cards, *reading.unsure):
        owners[owner_of(seen, placed, shows)].append(seen)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for number, place in enumerate(placed):
        kind = "on top" if not place.is_covered else "index shows" if any(shows[number]) else "index hidden"
        mine = owners[number]
        names = [str(seen.card) for seen in mine]
        named = [str(seen.card) for seen in mine if not seen.reason]
        count = counts[kind]
        count["cards"] += 1
        count["named"] += place.face.name in named
        count["found"] += bool(mine)
        count["whole"] += any(is_whole(seen, place.quad) for seen in mine)
        count["candidate first"] += place.face.name in names
        count["twice"] += len(mine) > 1
    counts["all"]["false"] = len(owners[-1])
    truth = {place.face.name for place in placed}
    counts["all"]["wrong"] = sum(
        str(seen.card) != (placed[number].face.name if number >= 0 else "")
        and not (number < 0 and str(seen.card) in truth)
        for number, many in owners.items()
        for seen in many
        if not seen.reason
    )
    counts["all"]["said"] = len(reading.cards)
    counts["all"]["questions"] = len(reading.unsure)
    return counts


def print_table(counts: dict[str, dict[str, Counter[str]]]) -> None:
    """Print what became of the cards, by arrangement."""
    columns = ("cards", "found", "whole", "candidate first", "named", "twice")
    print(f"{'':<26}" + "".join(f"{column:>17}" for column in columns))
    for arrangement, kinds in counts.items():
        for kind in ("on top", "index shows", "index hidden"):
            count = kinds[kind]
            if count["cards"]:
                cells = [f"{count[column]} ({count[column] / count['cards']:.0%})" for column in columns]
                print(
                    f"{arrangement + ', ' + kind:<26}{cells[0].split()[0]:>17}"
                    + "".join(f"{cell:>17}" for cell in cells[1:])
                )
    for arrangement, kinds in counts.items():
        count = kinds["all"]
        print(
            f"{arrangement}: {count['tables']} tables, {count['said']} said, {count['wrong']} wrong, "
            f"{count['questions']} questions, {count['false']} outlines of no card"
        )


def table_of(
    seed: int, number: int, arrangement: str, fonts: tuple[Path, ...]
) -> tuple[npt.NDArray[np.uint8], list[Placed]]:
    """Draw one table of two to five cards of a deck of its own."""
    rng = np.random.default_rng([seed, number, 12])
    painter = DeckPainter(70_000_000 + 10_000 * seed + number, True, fonts, varied=number % 3 == 2)
    names = rng.permutation(52)[: int(rng.integers(2, 6))]
    faces = [painter.draw(RANKS[int(n) % 13], SUITS[int(n) // 13]) for n in names]
    picture, placed = draw_overlapped(
        rng,
        faces,
        arrangement,
        WIDTH_PX,
        HEIGHT_PX,
        hardness=0.35 if number % 2 else 0.9,
        card_height_px=CARD_HEIGHTS_PX,
        table=strange_table if rng.random() < 0.5 else draw_table,
    )
    return picture, [place for place in placed if place.face.name]


def main() -> None:
    """Deal tables and print what became of the cards."""
    parser = argparse.ArgumentParser(description="Deal drawn cards that lie on each other.")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fonts", type=Path, help="folder of fonts that training never saw")
    parser.add_argument("--only", nargs="+", choices=ARRANGEMENTS, default=ARRANGEMENTS)
    parser.add_argument("--keep", type=Path, help="write each picture with its outlines here")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    fonts = fonts_in(arguments.fonts) if arguments.fonts else ()
    reader = Recogniser()
    counts: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    times: list[float] = []
    for number in range(arguments.tables):
        arrangement = arguments.only[number % len(arguments.only)]
        picture, placed = table_of(arguments.seed, number, arrangement, fonts)
        start = time.process_time()
        reading = reader.read(picture)
        times.append(1000 * (time.process_time() - start))
        for kind, count in judged(placed, reading, picture.shape[:2]).items():
            counts[arrangement][kind] += count
            counts["together"][kind] += count
            if kind == "all":
                counts[arrangement][kind]["tables"] += 1
                counts["together"][kind]["tables"] += 1
                if count["wrong"]:
                    said = " ".join(str(seen.card) for seen in reading.cards)
                    print(f"wrong: table {number} ({arrangement}) said {said}")
        if arguments.keep is not None:
            keep(arguments.keep / f"{arrangement}_{number:04d}.jpg", picture, placed, reading)
    print_table(counts)
    together = counts["together"]["all"]
    print(f"at most 1 wrong in {1 / upper_bound(together['wrong'], together['said']):,.0f} (95 %)")
    print(
        f"{np.median(times):.0f} ms of the processor a picture, 95 % within {np.percentile(times, 95):.0f} ms"
    )


def keep(path: Path, picture: npt.NDArray[np.uint8], placed: Sequence[Placed], reading: Reading) -> None:
    """Write a picture with the truth (blue), what was said (green) and what is asked about (yellow)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    shown = picture.copy()
    for place in placed:
        cv2.polylines(shown, [np.round(place.quad).astype(np.int32)], True, (255, 120, 0), 1, cv2.LINE_AA)
    for seen in (*reading.cards, *reading.unsure):
        colour = (0, 220, 255) if seen.reason else (0, 220, 0)
        outline = np.round(np.array(seen.outline)).astype(np.int32)
        cv2.polylines(shown, [outline], True, colour, 2, cv2.LINE_AA)
        at = (outline[0] * 0.7 + outline[2] * 0.3).astype(int)
        text = f"{seen.card}{'?' if seen.reason else ''} {seen.confidence:.2f}"
        cv2.putText(shown, text, (int(at[0]), int(at[1])), 0, 0.6, (0, 0, 255), 2)
    cv2.imwrite(str(path), shown)


if __name__ == "__main__":
    main()
