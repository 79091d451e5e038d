"""A table of names and amounts that never loses a figure, however narrow the paper and long the amounts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from assistant.slips.layout import cells, cut, ends, left, right

SHORTEST_NAME = 8


@dataclass(frozen=True, slots=True)
class Columns:
    """Names at the left and columns of amounts at the right.

    Attributes:
        width: Columns of the paper.
        column: Width a column of amounts would like.
        heads: What stands above the amounts.
    """

    width: int
    column: int
    heads: tuple[str, ...]

    def fitting(self, rows: Sequence[Sequence[str]]) -> Callable[[str, Sequence[str]], Iterator[str]]:
        """Return what lays a row out so that all amounts fit: beside the name, below it, or one a line."""
        texts = [text for row in (*rows, self.heads) for text in row]
        longest = max((cells(text) + 1 for text in texts), default=0)
        column = max(self.column, longest)
        name = self.width - len(self.heads) * column
        if name < SHORTEST_NAME and column > longest:
            column = longest
            name = self.width - len(self.heads) * column
        if name >= SHORTEST_NAME:
            return lambda who, row: iter([left(who, name) + _joined(row, column)])
        if name >= 0:
            return lambda who, row: iter([cut(who, self.width), right(_joined(row, column), self.width)])
        return self._one_a_line

    def _one_a_line(self, who: str, row: Sequence[str]) -> Iterator[str]:
        yield cut(who, self.width)
        if tuple(row) == self.heads:
            return
        for head, text in zip(self.heads, row, strict=True):
            if text:
                yield ends(f"  {head}", text, self.width)


def _joined(row: Sequence[str], column: int) -> str:
    return "".join(right(text, column) for text in row)
