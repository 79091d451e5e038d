"""The one line where everything is typed: its prompt, the text, and what it will be read as."""

from __future__ import annotations

from dataclasses import dataclass, replace

from textual.content import Content

from assistant.console.rows import EMPTY, Part, Rows, cells, clean, cut, row
from assistant.console.view import View
from assistant.console.widgets.lines import Lines

MAX_LENGTH = 500
SHORTEST_PROMPT = 16


@dataclass(frozen=True, slots=True)
class Typed:
    """The typed text and the place of the cursor in it (0 is before the first character)."""

    text: str = ""
    cursor: int = 0

    @classmethod
    def of(cls, text: str) -> Typed:
        """A text with the cursor behind it."""
        return cls(text, len(text))

    def insert(self, text: str) -> Typed:
        """Put text at the cursor; line breaks become blanks, what a terminal would obey is dropped."""
        kept = clean(" ".join(text.splitlines()) if len(text) > 1 else text)
        room = MAX_LENGTH - len(self.text)
        kept = kept[: max(0, room)]
        joined = self.text[: self.cursor] + kept + self.text[self.cursor :]
        return Typed(joined, self.cursor + len(kept))

    def edited(self, key: str) -> Typed | None:
        """The line after an editing key; None for a key that edits nothing."""
        text, cursor = self.text, self.cursor
        match key:
            case "backspace" | "ctrl+h":
                return Typed(text[: max(0, cursor - 1)] + text[cursor:], max(0, cursor - 1))
            case "delete" | "ctrl+d":
                return Typed(text[:cursor] + text[cursor + 1 :], cursor)
            case "left" | "ctrl+b":
                return replace(self, cursor=max(0, cursor - 1))
            case "right" | "ctrl+f":
                return replace(self, cursor=min(len(text), cursor + 1))
            case "home" | "ctrl+a":
                return replace(self, cursor=0)
            case "end" | "ctrl+e":
                return replace(self, cursor=len(text))
            case "ctrl+u":
                return Typed(text[cursor:], 0)
            case "ctrl+w":
                kept = text[:cursor].rstrip().rpartition(" ")
                head = kept[0] + kept[1]
                return Typed(head + text[cursor:], len(head))
            case _:
                return None


class EntryLine(Lines):
    """Prompt, typed text with its cursor, and the reading (or what can be typed) at the right."""

    def paint(self, view: View, width: int, height: int) -> Rows:
        """Paint the line."""
        prompt = _prompt(view, width)
        room = max(1, width - cells(prompt) - 1)
        tail = _tail(view, max(0, room - cells(view.entry) - 3))
        text_room = max(1, room - (tail.cell_length if tail is not None else 0))
        head, under, rest = _window(view.entry, view.cursor, text_room)
        parts: list[Part] = [
            (prompt, "bold $primary"),
            (head, "bold"),
            (under or " ", "reverse"),
            (rest, "bold"),
        ]
        line = row(*parts)
        if tail is None:
            return [line, *[EMPTY] * (height - 1)]
        gap = max(1, width - line.cell_length - tail.cell_length)
        return [row(line, " " * gap, tail)]


def _prompt(view: View, width: int) -> str:
    """Whose line it is, as far as the text and what is said of it leave room: the bar has the name too."""
    prompt = f" {view.prompt}> "
    said = cells(view.reading) + 3 if view.entry and view.reading else 0 if view.entry else cells(view.hint)
    room = max(SHORTEST_PROMPT, width - cells(view.entry) - said - 5)
    room = min(room, max(4, width // 2))
    return prompt if cells(prompt) <= room else cut(prompt, room - 2) + "> "


def _tail(view: View, room: int) -> Content | None:
    if view.entry and view.reading:
        sign, style = ("→", "bold $success") if view.is_read else ("?", "bold $warning")
        return row((cut(f"{sign} {view.reading} ", room), style)) if room > 3 else None
    if not view.entry and view.hint:
        return row((cut(f"{view.hint} ", room), "$quiet")) if room > 8 else None
    return None


def _window(text: str, cursor: int, room: int) -> tuple[str, str, str]:
    """The part of the text round the cursor that fits; a long line scrolls."""
    start = 0
    while cells(text[start:cursor]) >= room:
        start += 1
    head = text[start:cursor]
    under = text[cursor : cursor + 1]
    rest = cut(text[cursor + 1 :], max(0, room - cells(head) - max(1, cells(under))))
    return head, under, rest
