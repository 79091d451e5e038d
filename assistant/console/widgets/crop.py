"""The picture of a card in doubt in half blocks, so that a person can decide at a glance."""

from __future__ import annotations

from typing import Any

from textual.content import Content

from assistant.console.rows import Part, Rows, row

WIDTH, HEIGHT = 22, 20
"""Pixels shown: 22 columns and 10 rows, enough to read an index, which is all that is asked of it."""
CORNER = (0.28, 0.44)
"""How much of a card's height and width its index takes."""
UPPER_HALF = "▀"


def half_blocks(crop: Any, width: int = WIDTH, height: int = HEIGHT) -> Rows:
    """Draw the top left part of a card, where its index is.

    Args:
        crop: (H, W, 3) uint8, BGR, as a card source delivers it; anything else draws nothing. It is only
            indexed, so no picture library is loaded for it.
        width: Columns.
        height: Pixels, two a row.
    """
    shape = getattr(crop, "shape", None)
    if shape is None or len(shape) != 3 or shape[2] < 3 or not shape[0] or not shape[1]:
        return []
    rows, columns = _corner(int(shape[0]), int(shape[1]), width, height)
    return [_pair(crop, rows[y], rows[y + 1], columns) for y in range(0, height - 1, 2)]


def both_corners(crop: Any) -> tuple[Rows, Rows]:
    """Draw both corners of a card upright, the one in which more is to be seen first.

    A card is often in doubt because a hand or a lamp covers one of them.
    """
    shape = getattr(crop, "shape", None)
    if shape is None or len(shape) != 3 or shape[0] < 2 or shape[1] < 2:
        return half_blocks(crop), []
    other = crop[::-1, ::-1]
    first, second = (crop, other) if _contrast(crop) >= _contrast(other) else (other, crop)
    return half_blocks(first), half_blocks(second)


def _contrast(crop: Any) -> int:
    """How much brightness varies where the index is."""
    rows, columns = _corner(int(crop.shape[0]), int(crop.shape[1]), WIDTH, HEIGHT)
    levels = sorted(int(crop[y, x][1]) for y in rows for x in columns)
    return levels[-1 - len(levels) // 20] - levels[len(levels) // 20]


def _corner(tall: int, wide: int, width: int, height: int) -> tuple[list[int], list[int]]:
    """Nearest pixels: of a whole card its index corner, of a smaller picture everything."""
    upright = tall > 1.2 * wide
    rows = tall * CORNER[0] if upright else tall
    columns = wide * CORNER[1] if upright else wide
    return (
        [min(tall - 1, int((y + 0.5) * rows / height)) for y in range(height)],
        [min(wide - 1, int((x + 0.5) * columns / width)) for x in range(width)],
    )


def _pair(crop: Any, upper: int, lower: int, columns: list[int]) -> Content:
    parts: list[Part] = [
        (UPPER_HALF, f"{_colour(crop, upper, x)} on {_colour(crop, lower, x)}") for x in columns
    ]
    return row(*parts)


def _colour(crop: Any, y: int, x: int) -> str:
    """The mean of four neighbours as a colour, four bits a channel: less for the terminal to do."""
    tall, wide = crop.shape[0], crop.shape[1]
    places = [(min(y + down, tall - 1), min(x + across, wide - 1)) for down in (0, 1) for across in (0, 1)]
    pixels = [crop[place] for place in places]
    blue, green, red = (sum(int(pixel[channel]) for pixel in pixels) // 4 & 0xF0 for channel in range(3))
    return f"#{red:02x}{green:02x}{blue:02x}"
