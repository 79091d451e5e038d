"""Lays drawn cards on drawn tables and takes a picture of them: perspective, light, glare, blur, noise, JPEG.

    python scripts/render_scenes.py --seed 3 --count 20 --out FOLDER     pictures and labels.csv

Needs what render_cards.py needs.
"""

from __future__ import annotations

import argparse
import csv
import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from render_cards import DeckPainter, Face, Pixels

Canvas = npt.NDArray[np.float32]
Pose = tuple[float, float, float]
"""Middle of a card on the flat table, in pixels, and its turn in radians."""

ARRANGEMENTS = ("fan", "row", "column", "crossed", "heap")
"""How cards lie on each other: a hand fanned out, a row (a market), a column, one across another, anyhow."""
INDEX_BOX = (0.02, 0.015, 0.19, 0.27)
"""Where an index is printed, jumbo ones but for their suit's foot: left, top, right, bottom, of the card."""
SHOWS_SHARE = 0.93
"""Share of such a box that must be seen for the index to show."""
ASIDE_SHARE = 0.3
"""Share of such tables on which another card lies by itself."""
FANNED_SHARE = 0.6
"""Share of the cards that lie on the one before, where cards may cover each other and looks are varied."""


@dataclass(frozen=True)
class Placed:
    """A card in a scene.

    Attributes:
        face: What lies there.
        quad: (4, 2) float32 corners in picture pixels, clockwise from the card's top left.
        is_covered: Whether another card lies over part of it.
    """

    face: Face
    quad: npt.NDArray[np.float32]
    is_covered: bool


def draw_table(rng: np.random.Generator, width: int, height: int) -> Canvas:
    """An empty table top: felt, wood, cloth, plain, light, cluttered."""
    kind = str(
        rng.choice(
            ["felt", "wood", "cloth", "plain", "light", "clutter"], p=[0.25, 0.2, 0.12, 0.15, 0.16, 0.12]
        )
    )
    if kind == "light":
        base = rng.uniform(150, 240) + rng.uniform(-18, 18, 3)
    elif kind == "felt":
        base = np.array(
            [(40, 100, 30), (110, 50, 20), (30, 25, 120), (50, 50, 50)][int(rng.integers(4))]
        ) * rng.uniform(0.5, 1.5)
    elif kind == "wood":
        base = np.array([60, 100, 150]) * rng.uniform(0.35, 1.35) + rng.uniform(-15, 15, 3)
    else:
        base = rng.uniform(10, 220, 3) * 0.5 + rng.uniform(10, 200) * 0.5
    canvas = np.empty((height, width, 3), np.float32)
    canvas[:] = base
    canvas += _cloud(rng, width, height, rng.uniform(0.05, 0.4)) * rng.uniform(0, 25)
    if kind == "felt":
        canvas += rng.normal(0, rng.uniform(1, 9), (height, width, 1)).astype(np.float32)
    if kind == "wood":
        grain = cv2.resize(
            rng.normal(0, 1, (int(rng.integers(60, height)), int(rng.integers(2, 9)))).astype(np.float32),
            (width, height),
            interpolation=cv2.INTER_CUBIC,
        )
        if rng.random() < 0.4:
            grain = cv2.resize(np.ascontiguousarray(grain.T), (width, height))
        canvas += grain[..., None] * rng.uniform(4, 22)
        for _ in range(int(rng.integers(0, 5))):
            x = int(rng.integers(width))
            cv2.line(
                canvas,
                (x, 0),
                (x + int(rng.integers(-60, 60)), height),
                (base * 0.5).tolist(),
                int(rng.integers(1, 5)),
            )
    if kind == "cloth":
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        angle, period = rng.uniform(0, 3.14), rng.uniform(15, 120)
        u, v = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
        on = ((u % period) < period * 0.5).astype(np.float32) + ((v % period) < period * 0.5) * float(
            rng.random() < 0.6
        )
        canvas += on[..., None] * rng.uniform(-60, 60, 3).astype(np.float32)
    if kind == "clutter":
        for _ in range(int(rng.integers(8, 40))):
            draw_thing(rng, canvas)
    return canvas


def draw_thing(rng: np.random.Generator, canvas: Canvas) -> None:
    """Something that is no card: chip, paper, phone, pen, cup, text, hand."""
    height, width = canvas.shape[:2]
    at = (int(rng.integers(width)), int(rng.integers(height)))
    colour = rng.uniform(0, 255, 3).tolist()
    kind = rng.integers(6)
    if kind == 0:
        r = int(rng.integers(8, 45))
        cv2.circle(canvas, at, r, colour, -1, cv2.LINE_AA)
        for angle in np.arange(0, 6.28, 1.05) + rng.uniform(0, 1):
            rim = (int(at[0] + r * 0.85 * np.cos(angle)), int(at[1] + r * 0.85 * np.sin(angle)))
            cv2.circle(canvas, rim, max(1, r // 6), (240, 240, 240), -1, cv2.LINE_AA)
        cv2.circle(
            canvas, at, int(r * 0.6), rng.uniform(0, 255, 3).tolist(), int(rng.integers(1, 3)), cv2.LINE_AA
        )
    elif kind in (1, 2):
        w, h = rng.uniform(20, 220, 2)
        box = cv2.boxPoints((at, (float(w), float(h)), float(rng.uniform(0, 180)))).astype(np.int32)
        cv2.fillPoly(canvas, [box], [235, 240, 240] if kind == 1 else colour, cv2.LINE_AA)
        if kind == 1:
            for n in range(int(rng.integers(0, 9))):
                text = "".join(rng.choice(list("abcdefgnorstuAKQJ0123456789 "), int(rng.integers(1, 12))))
                line = (int(at[0] - w / 3), int(at[1] - h / 3 + n * 14))
                _write(canvas, text, line, int(rng.integers(0, 5)), rng.uniform(0.3, 1.1), [40, 40, 40], 1)
    elif kind == 3:
        end = (int(rng.integers(width)), int(rng.integers(height)))
        cv2.line(canvas, at, end, colour, int(rng.integers(2, 14)), cv2.LINE_AA)
    elif kind == 4:
        axes = (int(rng.integers(10, 90)), int(rng.integers(10, 90)))
        cv2.ellipse(
            canvas,
            at,
            axes,
            float(rng.uniform(0, 180)),
            0,
            360,
            colour,
            int(rng.choice([-1, 2, 5])),
            cv2.LINE_AA,
        )
    else:
        text = "".join(rng.choice(list("KAQJ1234567890XB"), int(rng.integers(1, 6))))
        _write(
            canvas, text, at, int(rng.integers(0, 8)), rng.uniform(0.5, 3), colour, int(rng.integers(1, 5))
        )


def _write(
    canvas: Canvas, text: str, at: tuple[int, int], font: int, scale: float, colour: list[float], thick: int
) -> None:
    (w, h), below = cv2.getTextSize(text, font, scale, thick)
    x0, y0 = max(0, at[0] - 4), max(0, at[1] - h - 8)
    part = canvas[y0 : max(0, at[1] + below + 8), x0 : max(0, at[0] + w + 8)]
    if part.size:
        mask = np.zeros(part.shape[:2], np.uint8)  # OpenCV 5 writes on bytes only
        cv2.putText(mask, text, (at[0] - x0, at[1] - y0), font, scale, 255, thick, cv2.LINE_AA)
        ink = (mask / np.float32(255))[..., None]
        part[:] = part * (1 - ink) + np.asarray(colour, np.float32) * ink


def draw_fingers(
    rng: np.random.Generator, canvas: Canvas, tip: npt.NDArray[np.float32], reach_px: float
) -> None:
    """Two to four fingers that come from outside and end at a place."""
    skin = np.array([rng.uniform(60, 160), rng.uniform(90, 190), rng.uniform(130, 240)])
    angle = rng.uniform(0, 6.28)
    for n in range(int(rng.integers(1, 4))):
        start = tip + np.array([np.sin(angle), -np.cos(angle)]) * reach_px * 0.32 * n
        end = start + np.array([np.cos(angle), np.sin(angle)]) * reach_px * 6
        thick = max(2, int(reach_px * rng.uniform(0.25, 0.4)))
        cv2.line(
            canvas,
            start.astype(int).tolist(),
            end.astype(int).tolist(),
            (skin * rng.uniform(0.85, 1.1)).tolist(),
            thick,
            cv2.LINE_AA,
        )


def lay_card(canvas: Canvas, face: Face, quad: npt.NDArray[np.float32], rng: np.random.Generator) -> None:
    """Print a card, with its shadow, into the picture."""
    height, width = canvas.shape[:2]
    low = np.floor(quad.min(axis=0) - 12).astype(int)
    high = np.ceil(quad.max(axis=0) + 12).astype(int)
    x0, y0, x1, y1 = max(0, low[0]), max(0, low[1]), min(width, high[0]), min(height, high[1])
    if x1 <= x0 or y1 <= y0:
        return
    fh, fw = face.pixels.shape[:2]
    source = np.array([[0, 0], [fw, 0], [fw, fh], [0, fh]], np.float32)
    transform = cv2.getPerspectiveTransform(source, (quad - [x0, y0]).astype(np.float32))
    size = (int(x1 - x0), int(y1 - y0))
    shrink = fh / max(1.0, float(np.linalg.norm(quad[0] - quad[3])))
    pixels = face.pixels
    if shrink > 1.6:  # else fine print would turn to noise that no lens makes
        pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), 0.35 * shrink), np.uint8)
    printed = cv2.warpPerspective(
        pixels, transform, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    mask = cv2.warpPerspective(face.mask, transform, size, flags=cv2.INTER_LINEAR)[..., None]
    part = canvas[y0:y1, x0:x1]
    if rng.random() < 0.8:
        shift = np.array([[1, 0, rng.uniform(-4, 4)], [0, 1, rng.uniform(-4, 4)]])
        shadow = cv2.GaussianBlur(cv2.warpAffine(mask[..., 0], shift, size), (0, 0), rng.uniform(1, 5))
        part *= 1 - shadow[..., None] * rng.uniform(0.05, 0.5)
    part[:] = part * (1 - mask) + printed * mask


def photograph(
    rng: np.random.Generator, canvas: Canvas, hardness: float = 1.0, varied: bool = False
) -> Pixels:
    """Light, lens, sensor and JPEG.

    Args:
        canvas: (H, W, 3) float32, 0 to 255.
        hardness: 0 is a good webcam in good light, 1 the full range.
        varied: With the rarer faults too: see `through_cheap_lens`.
    """
    height, width = canvas.shape[:2]
    image = through_cheap_lens(rng, canvas, hardness) if varied else canvas
    if rng.random() < 0.7:
        y, x = np.mgrid[0:height, 0:width].astype(np.float32)
        angle = rng.uniform(0, 6.28)
        slope = (x / width - 0.5) * np.cos(angle) + (y / height - 0.5) * np.sin(angle)
        image = image * (1 + slope * rng.uniform(0, 0.7) * hardness)[..., None]
    if rng.random() < 0.3 * hardness:
        image = image * (1 - 0.45 * rng.random() * np.clip(_cloud(rng, width, height, 0.02) + 0.3, 0, 1))
    if rng.random() < 0.3 * hardness:
        glare = np.zeros((height, width), np.float32)
        centre = (int(rng.integers(width)), int(rng.integers(height)))
        axes = (int(rng.uniform(0.03, 0.2) * width), int(rng.uniform(0.02, 0.12) * width))
        cv2.ellipse(glare, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        image = image + (cv2.GaussianBlur(glare, (0, 0), axes[1] * 0.4 + 2) * rng.uniform(20, 190))[..., None]
    warmth = rng.normal(0, 0.10 * hardness)
    gains = np.array([1 - 1.6 * warmth, 1 + rng.normal(0, 0.03), 1 + warmth]).clip(0.35, 1.6)
    exposure = rng.uniform(1 - 0.5 * hardness, 1 + 0.2 * hardness)
    image = np.clip(image * (gains * exposure).astype(np.float32), 0, 255)
    if rng.random() < 0.5:
        power = rng.uniform(1 - 0.35 * hardness, 1 + 0.4 * hardness)
        curve = (255 * (np.arange(256) / 255) ** power).astype(np.float32)
        image = curve[image.astype(np.uint8)]
    if rng.random() < 0.3 * hardness:
        image = image * rng.uniform(0.6, 1) + rng.uniform(0, 50)
    blur = rng.uniform(0.2, 0.4 + 0.9 * hardness)
    image = np.asarray(cv2.GaussianBlur(image.astype(np.float32), (0, 0), blur), np.float32)
    if rng.random() < 0.15 * hardness:
        size = int(rng.integers(2, 6))
        kernel = np.zeros((size, size), np.float32)
        cv2.line(kernel, (0, int(rng.integers(size))), (size - 1, int(rng.integers(size))), 1.0)
        image = np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.float32)
    noise = rng.uniform(0.5, 2 + 7 * hardness)
    image = image + _grain(rng, height, width) * np.float32(noise * (0.4 + 0.6 * rng.random()))
    if rng.random() < 0.4:
        soft = cv2.GaussianBlur(image.astype(np.float32), (0, 0), 1.2)
        image = image + (image - soft) * rng.uniform(0.2, 1.2)
    quality = int(rng.uniform(90 - 50 * hardness, 97))
    data = cv2.imencode(".jpg", np.clip(image, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, quality])[
        1
    ]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def through_cheap_lens(rng: np.random.Generator, canvas: Canvas, hardness: float) -> Canvas:
    """What cheap lenses, gloss and a phone's own smoothing do before the rest of `photograph`.

    A round spot of blur, colours that part at edges, coloured light mirrored by the print's gloss, detail
    smeared by noise reduction, a picture blown up from fewer pixels.
    """
    height, width = canvas.shape[:2]
    image = canvas
    if rng.random() < 0.25 * hardness:
        radius = rng.uniform(0.6, 2.2)
        size = 2 * int(np.ceil(radius)) + 1
        y, x = np.mgrid[0:size, 0:size] - size // 2
        disc = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
        image = np.asarray(cv2.filter2D(image, -1, disc / disc.sum()), np.float32)
    if rng.random() < 0.3 * hardness:
        parts = list(cv2.split(image))
        for n in (0, 2):
            shift = np.array([[1, 0, rng.normal(0, 0.6)], [0, 1, rng.normal(0, 0.6)]])
            parts[n] = cv2.warpAffine(parts[n], shift, (width, height), borderMode=cv2.BORDER_REPLICATE)
        image = np.asarray(cv2.merge(parts), np.float32)
    if rng.random() < 0.4 * hardness:  # a veil of window light or of a lamp over everything dark
        veil = rng.uniform(0, 75)
        tint = np.array([1.0, 0.85, 0.7]) if rng.random() < 0.65 else np.array([0.55, 0.8, 1.0])
        image = image * np.float32(1 - veil / 255) + (veil * tint).astype(np.float32)
    if rng.random() < 0.2 * hardness:
        image = cv2.medianBlur(np.clip(image, 0, 255).astype(np.uint8), 3).astype(np.float32)
    if rng.random() < 0.25 * hardness:
        share = rng.uniform(0.55, 0.95)
        small = (max(8, round(width * share)), max(8, round(height * share)))
        image = cv2.resize(
            np.asarray(cv2.resize(image, small, interpolation=cv2.INTER_AREA)),
            (width, height),
            interpolation=cv2.INTER_CUBIC if rng.random() < 0.5 else cv2.INTER_LINEAR,
        ).astype(np.float32)
    return np.asarray(image, np.float32)


def draw_scene(
    rng: np.random.Generator,
    faces: Sequence[Face],
    width: int = 1280,
    height: int = 720,
    hardness: float = 1.0,
    card_height_px: tuple[float, float] = (80, 330),
    overlap: bool = False,
    things: int = 6,
    table: Callable[[np.random.Generator, int, int], Canvas] = draw_table,
    varied: bool = False,
) -> tuple[Pixels, list[Placed]]:
    """Lay faces on a table seen by a camera that looks down more or less steeply, and photograph them.

    Cards that find no free place are left out; with `overlap` they may cover each other. For `varied` see
    `photograph`.
    """
    canvas = table(rng, width, height)
    for _ in range(int(rng.integers(0, things + 1))):
        draw_thing(rng, canvas)
    tilt = _camera(rng, width, height, hardness)
    size = float(np.exp(rng.uniform(*np.log(card_height_px))))
    placed: list[Placed] = []
    taken = np.zeros((height, width), np.uint8)
    last: Pose | None = None
    for face in faces:
        near = last if overlap and varied and rng.random() < FANNED_SHARE else None
        found = _place(rng, face, tilt, size, width, height, taken, overlap, near)
        if found is None:
            continue
        quad, last = found
        here = _filled(quad, taken.shape)
        placed = [
            Placed(p.face, p.quad, p.is_covered or bool((_filled(p.quad, taken.shape) & here).any()))
            for p in placed
        ]
        lay_card(canvas, face, quad, rng)
        taken |= np.asarray(cv2.dilate(here, np.ones((5, 5), np.uint8)), np.uint8)
        placed.append(Placed(face, quad, False))
    return photograph(rng, canvas, hardness, varied), placed


def draw_overlapped(
    rng: np.random.Generator,
    faces: Sequence[Face],
    arrangement: str,
    width: int = 1280,
    height: int = 720,
    hardness: float = 1.0,
    card_height_px: tuple[float, float] = (90, 260),
    table: Callable[[np.random.Generator, int, int], Canvas] = draw_table,
    varied: bool = False,
    held_share: float = 0.0,
) -> tuple[Pixels, list[Placed]]:
    """Lay faces on each other, later ones on top, as one of `ARRANGEMENTS`, and photograph them.

    Now and then the last face lies aside. What doesn't fit into the picture is made smaller. A
    `held_share` of them is held by fingers, where no index is.
    """
    canvas = table(rng, width, height)
    for _ in range(int(rng.integers(0, 4))):
        draw_thing(rng, canvas)
    tilt = _camera(rng, width, height, hardness)
    size = float(np.exp(rng.uniform(*np.log(card_height_px))))
    is_aside = len(faces) > 2 and rng.random() < ASIDE_SHARE
    group = faces[:-1] if is_aside else faces
    poses = arranged(rng, len(group), arrangement, group[0].pixels.shape[1] / group[0].pixels.shape[0])
    turn = rng.normal(0, 0.2) if rng.random() < 0.6 else rng.uniform(0, 6.28)
    cosine, sine = np.cos(turn), np.sin(turn)
    middle = np.array([width, height]) * rng.uniform(0.35, 0.65, 2)
    quads: list[npt.NDArray[np.float32]] = []
    for _ in range(12):
        spots = poses[:, :2] @ np.array([[cosine, sine], [-sine, cosine]]) * size + middle
        quads = [
            _seen_at(face, (float(x), float(y), float(angle + turn)), tilt, size)
            for face, (x, y), angle in zip(group, spots, poses[:, 2], strict=True)
        ]
        low, high = np.concatenate(quads).min(axis=0), np.concatenate(quads).max(axis=0)
        if low.min() >= 4 and (high <= [width - 4, height - 4]).all():
            break
        size *= 0.92
        middle = middle * 0.6 + np.array([width, height]) * 0.2
    placed: list[Placed] = []
    taken = np.zeros((height, width), np.uint8)
    for face, quad in zip(group, quads, strict=True):
        here = _filled(quad, taken.shape)
        placed = [
            Placed(p.face, p.quad, p.is_covered or bool((_filled(p.quad, taken.shape) & here).any()))
            for p in placed
        ]
        lay_card(canvas, face, quad, rng)
        taken |= here
        placed.append(Placed(face, quad, False))
    found = _place(rng, faces[-1], tilt, size, width, height, taken, False) if is_aside else None
    if found is not None:
        lay_card(canvas, faces[-1], found[0], rng)
        placed.append(Placed(faces[-1], found[0], False))
    if held_share and rng.random() < held_share:
        quad = quads[int(rng.integers(len(quads)))]
        draw_fingers(rng, canvas, quad[3] * 0.8 + quad[1] * 0.2, size * rng.uniform(0.15, 0.3))
    return photograph(rng, canvas, hardness, varied), placed


def arranged(
    rng: np.random.Generator, count: int, arrangement: str, aspect: float
) -> npt.NDArray[np.float64]:
    """Middles and turns (radians) of cards laid on each other: (count, 3), lengths in card heights."""
    order = np.arange(count) - (count - 1) / 2
    if arrangement == "fan":
        step, reach = rng.uniform(0.14, 0.36), rng.uniform(0.55, 1.3)
        angles = order * step * (1 if rng.random() < 0.85 else -1) + rng.normal(0, 0.03, count)
        away = reach + rng.normal(0, 0.02, count)
        return np.column_stack([away * np.sin(angles), -away * np.cos(angles), angles])
    turns = rng.normal(0, 0.05, count)
    loose = rng.normal(0, 0.02, (count, 2))
    if arrangement == "row":
        step = rng.uniform(0.22, 0.8) * aspect * (1 if rng.random() < 0.75 else -1)
        return np.column_stack([order * step + loose[:, 0], loose[:, 1], turns])
    if arrangement == "column":
        step = rng.uniform(0.2, 0.6) * (1 if rng.random() < 0.75 else -1)
        return np.column_stack([loose[:, 0], order * step + loose[:, 1], turns])
    if arrangement == "crossed":
        turns = turns * 2 + np.where(np.arange(count) % 2 == 1, rng.uniform(0.5, 2.6), 0.0)
        return np.column_stack([rng.uniform(-0.35, 0.35, (count, 2)) * [1.4, 1], turns])
    spots, angle = np.zeros((count, 2)), rng.uniform(0, 6.28, count)
    for n in range(1, count):
        spots[n] = spots[n - 1] + rng.uniform(0.2, 0.6) * np.array([np.cos(angle[n]), np.sin(angle[n])])
    return np.column_stack([spots, rng.normal(0, 0.4, count)])


def index_shares(placed: Sequence[Placed], shape: tuple[int, int]) -> list[tuple[float, float]]:
    """For each card how much of its first and of its opposite index box is seen, 0 to 1."""
    owner = np.full(shape, -1, np.int16)
    for number, place in enumerate(placed):
        cv2.fillConvexPoly(owner, np.round(place.quad).astype(np.int32), number)
    left, top, right, bottom = INDEX_BOX
    box = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    shares = []
    for number, place in enumerate(placed):
        to_picture = cv2.getPerspectiveTransform(square, place.quad)
        seen = []
        for corners in (box, 1 - box):
            area = np.zeros(shape, np.uint8)
            at = cv2.perspectiveTransform(corners[None], to_picture)[0]
            cv2.fillConvexPoly(area, np.round(at).astype(np.int32), 1)
            seen.append(float((owner[area > 0] == number).mean()) if area.any() else 0.0)
        shares.append((seen[0], seen[1]))
    return shares


def _seen_at(
    face: Face, pose: Pose, tilt: npt.NDArray[np.float64], size_px: float
) -> npt.NDArray[np.float32]:
    """Corners in the picture of a card that lies at a place of the flat table."""
    x, y, angle = pose
    aspect = face.pixels.shape[1] / face.pixels.shape[0]
    half = np.array([[-aspect, -1], [aspect, -1], [aspect, 1], [-aspect, 1]]) * size_px / 2
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    flat = half @ turn.T + [x, y]
    return np.asarray(cv2.perspectiveTransform(flat[None].astype(np.float64), tilt)[0], np.float32)


def _camera(rng: np.random.Generator, width: int, height: int, hardness: float) -> npt.NDArray[np.float64]:
    """A homography that tilts the flat table."""
    pitch, roll = rng.uniform(0, 0.75) * hardness, rng.normal(0, 0.15) * hardness
    focal = rng.uniform(0.8, 1.6) * width
    cp, sp, cr, sr = np.cos(pitch), np.sin(pitch), np.cos(roll), np.sin(roll)
    rotation = np.array([[1, 0, 0], [0, cp, -sp], [0, sp, cp]]) @ np.array(
        [[cr, 0, sr], [0, 1, 0], [-sr, 0, cr]]
    )
    lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    centred = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1]])
    pose = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, focal]])
    return np.asarray(lens @ pose @ centred, np.float64)


def _place(
    rng: np.random.Generator,
    face: Face,
    tilt: npt.NDArray[np.float64],
    size_px: float,
    width: int,
    height: int,
    taken: Pixels,
    overlap: bool,
    near: Pose | None = None,
) -> tuple[npt.NDArray[np.float32], Pose] | None:
    aspect = face.pixels.shape[1] / face.pixels.shape[0]
    for _ in range(25):
        if near is None:
            angle = rng.uniform(0, 6.28) if rng.random() < 0.5 else rng.normal(0, 0.15)
            spot = rng.uniform([0.05 * width, 0.05 * height], [0.95 * width, 0.95 * height])
        else:  # laid on the one before as in a hand or a row
            angle = near[2] + rng.normal(0, 0.12)
            along = near[2] + (np.pi / 2 if rng.random() < 0.3 else 0)
            step = rng.uniform(0.15, 0.8) * aspect * size_px
            spot = np.array(near[:2]) + step * np.array([np.cos(along), np.sin(along)])
        quad = _seen_at(face, (float(spot[0]), float(spot[1]), float(angle)), tilt, size_px)
        if quad.min() < 4 or (quad[:, 0] > width - 4).any() or (quad[:, 1] > height - 4).any():
            continue
        if not overlap and (taken & _filled(quad, taken.shape)).any():
            continue
        return np.asarray(quad, np.float32), (float(spot[0]), float(spot[1]), float(angle))
    return None


def _filled(quad: npt.NDArray[np.float32], shape: tuple[int, ...]) -> Pixels:
    return np.asarray(cv2.fillConvexPoly(np.zeros(shape, np.uint8), quad.astype(np.int32), 255), np.uint8)


@functools.cache
def _noise_tile() -> Canvas:
    return np.random.default_rng(1).normal(0, 1, (1024, 1024, 3)).astype(np.float32)


def _grain(rng: np.random.Generator, height: int, width: int) -> Canvas:
    """Sensor noise cut from one large tile: a million fresh normals would take longer than all the rest."""
    tile = _noise_tile()
    y, x = int(rng.integers(1024)), int(rng.integers(1024))
    rows, columns = np.arange(y, y + height) % 1024, np.arange(x, x + width) % 1024
    return tile[rows[:, None], columns[None]]


def _cloud(rng: np.random.Generator, width: int, height: int, grain: float) -> Canvas:
    small = rng.normal(0, 1, (max(2, int(12 * grain) + 2), max(2, int(20 * grain) + 2), 1)).astype(np.float32)
    large = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(large, np.float32)[..., None]


def main() -> None:
    """Write scenes and their labels."""
    parser = argparse.ArgumentParser(description="Draw pictures of cards on tables.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--hardness", type=float, default=1.0)
    parser.add_argument("--overlap", action="store_true")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    with (arguments.out / "labels.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["file", "cards"])
        for number in range(arguments.count):
            rng = np.random.default_rng([arguments.seed, number])
            deck = DeckPainter(int(rng.integers(1 << 30))).deck()
            faces = [deck[int(n)] for n in rng.permutation(len(deck))[: int(rng.integers(1, 7))]]
            image, placed = draw_scene(rng, faces, hardness=arguments.hardness, overlap=arguments.overlap)
            name = f"scene_{number:04d}.jpg"
            cv2.imwrite(str(arguments.out / name), image)
            rows.writerow([name, " ".join(p.face.name for p in placed if p.face.name)])


if __name__ == "__main__":
    main()
