"""The looks: dark, light and high contrast. State is told by words, signs and shape; colour only helps.

Suit colours keep apart for every kind of colour blindness (smallest CIEDE2000 distance 15): black, teal,
vermilion, blue on ivory.
"""

from __future__ import annotations

from textual.theme import Theme

CARD_FACE = "#f4f1e8"
SUIT_COLOURS = {"S": "#101010", "C": "#007a5e", "H": "#d03a00", "D": "#0047bb"}

_SHARED = {"card": CARD_FACE}

DARK = Theme(
    name="table-dark",
    dark=True,
    primary="#7fb8e6",
    secondary="#c9b27c",
    warning="#f0b429",
    error="#ff8a80",
    success="#7bd88f",
    accent="#e3c567",
    foreground="#e8e6e0",
    background="#0f1513",
    surface="#16201c",
    panel="#1e2b26",
    variables={
        **_SHARED,
        "quiet": "#93a39b",
        "bar-act": "#17415f",
        "bar-stop": "#6b1f1a",
        "bar-ink": "#ffffff",
        "turn": "#e3c567",
        "felt": "#13261d",
    },
)
LIGHT = Theme(
    name="table-light",
    dark=False,
    primary="#1f5f8b",
    secondary="#6b5a23",
    warning="#8a5a00",
    error="#a1160a",
    success="#1c6b33",
    accent="#7a5b00",
    foreground="#1b1f1d",
    background="#e3dfd2",
    surface="#d9d4c4",
    panel="#d0cab8",
    variables={
        **_SHARED,
        "quiet": "#4a534e",
        "bar-act": "#cfe3f2",
        "bar-stop": "#f6c9c4",
        "bar-ink": "#101010",
        "turn": "#7a5b00",
        "felt": "#d3dccf",
    },
)
CONTRAST = Theme(
    name="table-contrast",
    dark=True,
    primary="#ffffff",
    secondary="#ffff00",
    warning="#ffff00",
    error="#ffb3ab",
    success="#a8ffb8",
    accent="#ffff00",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#000000",
    variables={
        **_SHARED,
        "quiet": "#d0d0d0",
        "bar-act": "#000000",
        "bar-stop": "#000000",
        "bar-ink": "#ffff00",
        "turn": "#ffff00",
        "felt": "#000000",
    },
)
THEMES = (DARK, LIGHT, CONTRAST)


def next_theme(name: str) -> str:
    """The name of the look after `name`."""
    names = [theme.name for theme in THEMES]
    return names[(names.index(name) + 1) % len(names)] if name in names else names[0]
