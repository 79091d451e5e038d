"""Areas filled with other rows: a question in place of the log, the lists of the other screens."""

from __future__ import annotations

from assistant.console.rows import EMPTY, Rows
from assistant.console.view import View
from assistant.console.widgets.lines import Lines


class PanelArea(Lines):
    """Paints the rows of the panel that is open; on the table it stands where the log is."""

    def paint(self, view: View, width: int, height: int) -> Rows:
        """Paint the panel; nothing without one."""
        rows = view.panel.rows(width, height) if view.panel is not None else []
        return [*rows, *[EMPTY] * (height - len(rows))][:height]


class Body(PanelArea):
    """The list a screen is about."""
