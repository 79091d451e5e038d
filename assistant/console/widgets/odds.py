"""The odds of the moment, between the seats and the log, as long as they are switched on."""

from __future__ import annotations

from assistant.console.rows import EMPTY, Rows, cells, fit, row, wrap
from assistant.console.view import View
from assistant.console.widgets.lines import Lines
from assistant.i18n import _

MARGIN = 3


class Odds(Lines):
    """A few rows: what matters now comes first, so that what does not fit matters least."""

    def looks_at(self, view: View) -> tuple[object, ...]:
        """What the rows are made of."""
        return (view.snapshot,)

    def height_for(self, view: View, width: int) -> int:
        """Rows that all of it needs."""
        return len(_rows(view, width))

    def paint(self, view: View, width: int, height: int) -> Rows:
        """Paint as many rows as fit."""
        rows = _rows(view, width)[:height]
        return [*rows, *[EMPTY] * (height - len(rows))]


def _rows(view: View, width: int) -> Rows:
    odds = view.snapshot.odds if view.snapshot is not None else None
    if odds is None:
        return []
    head = _("ODDS")
    indent = cells(head) + MARGIN
    lines = [line for text in odds for line in wrap(text, max(1, width - indent - 1))]
    return [
        row((f" {fit(head if not place else '', indent - 1)}", "bold $accent"), line)
        for place, line in enumerate(lines)
    ]
