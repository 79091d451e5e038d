"""Every card of a drawn deck, wherever it lies, whichever way round, in warm light, large and small."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from assistant.cards import Card, parse_card
from calibration.deck import CardLook, DeckProfile, to_be_asked
from calibration.frames import Image
from calibration.pixels import cv2, load_picture
from calibration.recogniser import Recogniser
from calibration.recogniser.rectify import rectify

SHEET = Path(__file__).parents[1] / "data" / "frames" / "deck" / "sheet.jpg"
SHEET_SUITS, SHEET_RANKS = "CDHS", "23456789TJQKA"
NAMES = [rank + suit for suit in SHEET_SUITS for rank in SHEET_RANKS]
FELT = (52, 92, 38)
FIVE_PLACES = ((170, 150), (1110, 150), (640, 360), (170, 570), (1110, 570))
HEIGHT_PX = 190.0
NOISE_TILE = (360, 640, 3)
LIGHTS = {"daylight": (1.0, 1.0, 1.0), "bulb": (0.62, 0.85, 1.0), "candle": (0.42, 0.72, 1.0)}

Laid = tuple[str, tuple[float, float], float]
"""A card's name, its middle in pixels and its turn in degrees."""


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser()


def faces() -> dict[str, Image]:
    sheet = load_picture(SHEET)
    height, width = sheet.shape[0] // len(SHEET_SUITS), sheet.shape[1] // len(SHEET_RANKS)
    return {
        rank + suit: sheet[row * height : (row + 1) * height, column * width : (column + 1) * width]
        for row, suit in enumerate(SHEET_SUITS)
        for column, rank in enumerate(SHEET_RANKS)
    }


FACES = faces()


def table(
    cards: Iterable[Laid],
    height_px: float = HEIGHT_PX,
    light: tuple[float, float, float] = (1.0, 1.0, 1.0),
    seed: int = 1,
    size: tuple[int, int] = (1280, 720),
) -> Image:
    """Cards on felt as a webcam sees them: a little soft and noisy, in some light (gains of B, G, R)."""
    canvas = np.full((size[1], size[0], 3), FELT, np.uint8)
    for name, middle, degrees in cards:
        lay(canvas, FACES[name], middle, degrees, height_px)
    lit = cv2.LUT(canvas, np.stack([np.arange(256) * gain for gain in light], axis=1).astype(np.uint8)[None])
    noise = np.random.default_rng(seed).integers(0, 9, NOISE_TILE, np.uint8)
    tiles = (-(-size[1] // NOISE_TILE[0]), -(-size[0] // NOISE_TILE[1]), 1)
    tiled = np.ascontiguousarray(np.tile(noise, tiles)[: size[1], : size[0]])
    return np.asarray(cv2.subtract(cv2.add(lit, tiled), np.full_like(lit, 4)), np.uint8)


def lay(canvas: Image, face: Image, middle: tuple[float, float], degrees: float, height_px: float) -> None:
    """Print a card into its own part of the picture."""
    scale = height_px / face.shape[0]
    half = int(0.62 * height_px) + 2  # half of a card's diagonal, and its own rim
    left, top = max(0, int(middle[0]) - half), max(0, int(middle[1]) - half)
    part = canvas[top : int(middle[1]) + half, left : int(middle[0]) + half]
    turn = cv2.getRotationMatrix2D((face.shape[1] / 2, face.shape[0] / 2), degrees, scale)
    turn[:, 2] += (middle[0] - left - face.shape[1] / 2, middle[1] - top - face.shape[0] / 2)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    soft = cv2.GaussianBlur(face, (0, 0), max(0.1, 0.4 / scale))
    laid = cv2.warpAffine(soft, turn, (part.shape[1], part.shape[0]), flags=how)
    mask = cv2.warpAffine(np.full(face.shape[:2], 255, np.uint8), turn, (part.shape[1], part.shape[0]))
    part[mask > 127] = laid[mask > 127]


def read(recogniser: Recogniser, picture: Image) -> list[str]:
    return sorted(str(seen.card) for seen in recogniser.read(picture).cards)


@pytest.mark.parametrize("half_turn", [0.0, 180.0])
def test_every_six_and_nine_is_read_whichever_way_round_it_lies(
    recogniser: Recogniser, half_turn: float
) -> None:
    names = [rank + suit for rank in "69" for suit in SHEET_SUITS]
    spots = [(160.0 + 320 * (n % 4), 190.0 + 340 * (n // 4)) for n in range(8)]
    laid = [
        (name, spot, half_turn + 7 * (n - 4)) for n, (name, spot) in enumerate(zip(names, spots, strict=True))
    ]
    assert read(recogniser, table(laid)) == sorted(names)


@pytest.mark.parametrize("light", list(LIGHTS))
def test_suits_are_told_apart_in_warm_light(recogniser: Recogniser, light: str) -> None:
    names = [rank + suit for rank in "47K" for suit in SHEET_SUITS]
    spots = [(160.0 + 320 * (n % 4), 130.0 + 230 * (n // 4)) for n in range(12)]
    laid = [(name, spot, 3.0 * n) for n, (name, spot) in enumerate(zip(names, spots, strict=True))]
    assert read(recogniser, table(laid, light=LIGHTS[light])) == sorted(names)


@pytest.mark.parametrize("first", range(0, 52, 4))
def test_every_card_is_read_at_five_places_of_the_frame(recogniser: Recogniser, first: int) -> None:
    """Two cards at each place, so that two pictures move four cards through all five."""
    for step in (0, 2):
        names = [NAMES[(first + step + n % 2 + 10 * (n // 2)) % 52] for n in range(10)]
        laid = []
        for n, name in enumerate(names):
            x, y = FIVE_PLACES[n // 2]
            laid.append((name, (x + 160 * (n % 2) - 80, y), 4.0 * n - 18))
        assert read(recogniser, table(laid, 170.0, seed=first)) == sorted(names)


def test_small_cards_are_read_right_or_asked_about_and_tiny_ones_never_named(recogniser: Recogniser) -> None:
    for height_px, least in ((110.0, 11), (85.0, 8), (72.0, 0)):
        names = [NAMES[n] for n in range(int(height_px) % 4, 52, 4)][:12]
        spots = [(160.0 + 320 * (n % 4), 130.0 + 230 * (n // 4)) for n in range(12)]
        picture = table([(name, spot, 0.0) for name, spot in zip(names, spots, strict=True)], height_px)
        said = Counter(read(recogniser, picture))
        assert not said - Counter(names)
        assert said.total() >= least
    laid = [(NAMES[n], (160.0 + 320 * (n % 4), 130.0 + 230 * (n // 4)), 0.0) for n in range(12)]
    assert read(recogniser, table(laid, 62.0)) == []


def looks_at(name: str, number: int) -> list[CardLook]:
    """Two looks at a card held before the camera."""
    looks = []
    for k in range(2):
        picture = table([(name, (170.0, 170.0), 0.0)], 300.0, seed=2 * number + k, size=(340, 340))
        height, width = 300.0, 300.0 * FACES[name].shape[1] / FACES[name].shape[0]
        half = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
        corners = (half + 170.0).astype(np.float32)
        looks.append(CardLook(parse_card(name), rectify(picture, corners).image))
    return looks


@pytest.fixture(scope="module")
def looks() -> dict[str, list[CardLook]]:
    """Two looks at each card, taken once."""
    return {name: looks_at(name, n) for n, name in enumerate(NAMES)}


def deck_of(looks: dict[str, list[CardLook]], names: Iterable[str]) -> DeckProfile:
    return DeckProfile("drawn", tuple(look for name in names for look in looks[name]))


def test_deck_that_was_shown_is_safe_and_read_in_candle_light(
    recogniser: Recogniser, looks: dict[str, list[CardLook]]
) -> None:
    deck = deck_of(looks, NAMES)
    assert to_be_asked(recogniser.deck_verdicts(deck)) == ()
    laid: list[Laid] = [(NAMES[5 * n], FIVE_PLACES[n], 180.0 * (n % 2)) for n in range(5)]
    picture = table(laid, light=LIGHTS["candle"])
    assert read(Recogniser(deck=deck), picture) == sorted(NAMES[5 * n] for n in range(5))


def test_card_that_is_not_in_the_deck_shown_is_asked_about(looks: dict[str, list[CardLook]]) -> None:
    """The other deck's eight of hearts lies there, but this deck's was never shown."""
    reader = Recogniser(deck=deck_of(looks, [name for name in NAMES if name != "8H"]))
    reading = reader.read(table([("8H", (640.0, 360.0), 0.0)]))
    assert [seen.card for seen in reading.cards] == []
    assert len(reading.unsure) == 1


def test_cards_never_shown_are_said_to_be_missing(
    recogniser: Recogniser, looks: dict[str, list[CardLook]]
) -> None:
    verdicts = recogniser.deck_verdicts(deck_of(looks, NAMES[:3]))
    asked: list[Card] = [one.card for one in to_be_asked(verdicts)]
    assert len(asked) == 49
    assert parse_card(NAMES[0]) not in asked
