"""The picture of a card in doubt in half blocks, so that a person can decide at a glance."""

from __future__ import annotations

from typing import Any

from textual.content import Content

from assistant.console.rows import Part, Rows, row

WIDTH, HEIGHT = 22, 16
"""Pixels shown; 22 columns and 8 rows. Enough to read an index, which is all that is asked of it."""
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


def _corner(tall: int, wide: int, width: int, height: int) -> tuple[list[int], list[int]]:
    """Nearest pixels: of a whole card its index corner, of a smaller picture everything."""
    upright = tall > 1.2 * wide
    rows = tall * 0.45 if upright else tall
    columns = wide * 0.6 if upright else wide
    return (
        [min(tall - 1, int((y + 0.5) * rows / height)) for y in range(height)],
        [min(wide - 1, int((x + 0.5) * columns / width)) for x in range(width)],
    )


def _pair(crop: Any, upper: int, lower: int, columns: list[int]) -> Content:
    parts: list[Part] = [
        (UPPER_HALF, f"{_colour(crop[upper][x])} on {_colour(crop[lower][x])}") for x in columns
    ]
    return row(*parts)


def _colour(pixel: Any) -> str:
    """A BGR pixel as a colour, four bits a channel: fewer styles, and the terminal gets less to do."""
    blue, green, red = (int(channel) & 0xF0 for channel in (pixel[0], pixel[1], pixel[2]))
    return f"#{red:02x}{green:02x}{blue:02x}"
