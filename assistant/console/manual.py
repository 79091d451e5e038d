"""Pages of the manual as rows: headings, lists, tables and paragraphs of plain Markdown."""

from __future__ import annotations

import re
from pathlib import Path

from textual.content import Content

from assistant.console.rows import EMPTY, Rows, cells, fit, row, wrap
from assistant.i18n import _, language
from assistant.started import as_started

LEAST_COLUMN = 24
"""Columns the last cell of a line must have to be read."""
PAGES = Path(__file__).resolve().parents[1] / "help"


NUMBERED = re.compile(r"\d+\. ")
MARKS = str.maketrans("", "", "`*")
"""Marks of Markdown that mean nothing on this screen."""


def page_rows(about: str, width: int) -> Rows:
    """The manual page about something, in the dealer's language where there is one."""
    path = next((path for path in _paths(about) if path.is_file()), None)
    if path is None:
        return [row(_("There is no manual page for this."))]
    rows: Rows = []
    for block in as_started(path.read_text(encoding="utf-8")).split("\n\n"):
        rows += [*_block(block.strip("\n"), width), EMPTY]
    return rows


def _paths(about: str) -> tuple[Path, ...]:
    return (PAGES / language() / f"{about}.md", PAGES / f"{about}.md")


def heading(text: str) -> Content:
    """A heading as every page has it."""
    return row((f" {text}", "bold $accent"))


def _block(text: str, width: int) -> Rows:
    room = max(10, width - 4)
    if text.startswith("#"):
        return [heading(text.lstrip("# ").upper())]
    if text.startswith("|"):
        return table_rows([_cells(line) for line in text.split("\n")], room)
    if text.startswith(("- ", "    ", "```")) or NUMBERED.match(text):
        return [line for item in text.split("\n") for line in _item(item, room)]
    return [row("  ", line) for line in wrap(_plain(text), room)]


def _plain(text: str) -> str:
    """Text without the marks of code and of what is important."""
    return text.translate(MARKS).replace("**", "").replace("*untried*", "untried")


def _cells(line: str) -> list[str]:
    return [_plain(cell.strip()) for cell in line.strip().strip("|").split("|")]


def table_rows(lines: list[list[str]], room: int) -> Rows:
    """A table: the first line is its head; the last column takes what is left and wraps.

    Where the columns are too wide for the window each line is an entry of its own: nothing is cut off.
    """
    found = [line for line in lines if not all(set(cell) <= set("-: ") for cell in line)]
    columns = max(len(line) for line in found)
    filled = [[*line, *[""] * (columns - len(line))] for line in found]
    wide = [max(cells(line[place]) for line in filled) for place in range(columns - 1)]
    last = room - sum(wide) - 2 * len(wide)
    if last < min(LEAST_COLUMN, max(cells(line[-1]) for line in filled)):
        return _entries(filled[0], filled[1:], room)
    rows: Rows = []
    for number, line in enumerate(filled):
        style = "bold" if number == 0 else ""
        head = "".join(f"{fit(cell, size)}  " for cell, size in zip(line, wide, strict=False))
        for place, rest in enumerate(wrap(line[-1], last) or [""]):
            rows.append(row("  ", (head if place == 0 else " " * cells(head), style), (rest, style)))
    return rows


def _entries(head: list[str], lines: list[list[str]], room: int) -> Rows:
    found: Rows = []
    for first, *values in lines:
        found += [row("  ", (line, "bold")) for line in wrap(first, room)]
        if len(values) > 2:  # with many columns a value alone says nothing
            named = zip(head[1:], values, strict=True)
            told = "; ".join(f"{name}: {value}" if name else value for name, value in named if value)
        else:
            told = ". ".join(value[:1].upper() + value[1:] for value in values if value)
        found += [row("    ", line) for line in wrap(told, room - 2)] if told else []
    return found


def _item(text: str, room: int) -> Rows:
    if text.startswith("```"):
        return []
    number = NUMBERED.match(text)
    if text.startswith("- ") or number:
        mark = number.group() if number else "• "
        rest_of_text = text[number.end() :] if number else text[2:]
        first, *rest = wrap(_plain(rest_of_text), room - cells(mark)) or [""]
        return [row("  " + mark, first), *(row("  " + " " * cells(mark), line) for line in rest)]
    first, *rest = wrap(_plain(text).strip(), room - 4) or [""]
    return [row("    ", (first, "$primary")), *(row("      ", (line, "$primary")) for line in rest)]
